"""Reports: what the scores and predictions of a run say, with denominators and intervals.

report            the report of a run, written as `report.json`
section           how a section is added: one module of `sections/`, or of another package
blocks, format    what sections are made of, and how figures are written
columns           what a report is computed from: a run as columns
prediction_facts  what it takes from `predictions.jsonl`, in one pass
groups, identity, share, baselines, grammar_figures  figures that several sections need

answers/   every answer: its outcome, its texts, and what can be seen of it from the outside
failures/  which module failed: causes, decisions by conditions, the diagnosis
metrics/   what each metric gave, and how far it and its judges can be believed
noise/     intervals, where noise comes from, and what a run can show
effort/    what answers took, beside what they are worth
cutoffs/   what the cutoff of a benchmark is worth
"""
