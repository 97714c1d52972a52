"""What each metric gave, and how far it and its judges can be believed.

figures             means with intervals
scale               what a metric's values mean
truth               each metric against the truth, or against what people said (human_verdicts)
baseline            the same metrics of another run; baseline_blocks: as tables
blocks              these as tables
people              each metric beside people's verdicts
human_sample        the recorded random sample of answers that people judge
calibrated          what people would say of all answers, from their labels on it; people_blocks: as tables
judge_agreement     how far judges say the same; agreement_blocks: as tables
step_verdicts       how often people found the steps of judges right
concordance         what high and low scores of it say of the truth
retrieval_split     where retrieval was right and where it was wrong
retriever_accuracy  how often the first contexts state all that is needed
"""
