"""The judged questions of a run as rows of GRAMMAR-Eval, each with what is known of its retrieval."""

from collections.abc import Mapping

from benchwright.benchmarks.reports.answers.outcomes import judged_questions
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.failures.leakage import NO_FORM
from benchwright.benchmarks.reports.grammar_figures import RetrievalSource, Row
from benchwright.benchmarks.reports.metrics.figures import largest_cut_off
from benchwright.benchmarks.reports.prediction_facts import PredictionFacts, read_predictions
from benchwright.benchmarks.reports.section import per_run

SOURCES: Mapping[RetrievalSource, str] = {
    "judgements": "supplied `retrieved` judgments",
    "documents": "gold documents: every one of them was retrieved",
    "comparison": "context comparison among non-robust groups (section 4.3)",
    "none": "nothing: there are no judgments, and no contexts that could be judged",
}
"""What judged retrieval, in words."""


@per_run
def judged_rows(run: RunData) -> tuple[dict[int, Row], str]:
    """Question → its row, of those that were judged and have a group; and by what gold documents count as retrieved."""
    questions, facts = run.questions, read_predictions(run)
    retrieved = {place: value > 0.5 for place, value in run.first_values("retrieved", run.shown).items()}
    held, how = _held(run)
    rows = {}
    for place, right in judged_questions(run).items():
        group = questions.group.at(place)
        if group is not None:
            gold = questions.gold_documents[place]
            rows[place] = Row(
                group=group,
                form=questions.form.at(place) or NO_FORM,
                correct=right,
                retrieved=retrieved.get(place),
                contexts=_contexts(place, gold, held, facts),
                documents=gold,
            )
    return rows, how


def _contexts(
    place: int, gold: tuple[str, ...], held: Mapping[int, bool], facts: PredictionFacts
) -> tuple[str, ...] | None:
    """What was retrieved for a question, as far as it says whether that was right; None where it is not known."""
    if gold:
        return None if place not in held else gold if held[place] else ()
    return None if place in facts.unshown else facts.contexts.get(place, ())


def _held(run: RunData) -> tuple[dict[int, bool], str]:
    """Question → whether all its gold documents were retrieved, by document recall at the largest cut-off."""
    name = largest_cut_off(run.metrics, "recall")
    if name is None:
        return {}, "no document recall was scored: what has gold documents is left out"
    return {place: value >= 1 for place, value in run.first_values(name, run.shown).items()}, f"{name} is 1"
