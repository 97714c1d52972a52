"""Whether a free-text answer is right, by rules."""

from collections.abc import Iterable, Mapping

from benchwright.benchmarks.metrics.answers.judge import NO_VALUES, judge_answer
from benchwright.benchmarks.metrics.answers.values import Item, Values, prepare_values
from benchwright.benchmarks.metrics.base import NO_ANSWER, BatchRule, Metric, ReleaseData, Score
from benchwright.benchmarks.metrics.batch import each_with_first
from benchwright.benchmarks.predictions import SAID_TO_ABSTAIN, Prediction
from benchwright.benchmarks.types import Question


def template_values(questions: Iterable[Question]) -> Mapping[str, Values]:
    """Of each template, the answers of all its questions: what an answer could be confused with."""
    items: dict[str, set[Item]] = {}
    for question in questions:
        if question.template is not None:
            padded = (*question.aliases, *((),) * (len(question.answers) - len(question.aliases)))
            items.setdefault(question.template, set()).update(zip(question.answers, padded, strict=False))
    return {template: prepare_values(found) for template, found in items.items()}


def rule(data: ReleaseData) -> BatchRule:
    """Scores answers beside the values that those of the release's templates could be confused with."""
    values = template_values(data.questions)
    return each_with_first(
        0, lambda question, prediction: correct(question, prediction, values.get(question.template or "", NO_VALUES))
    )


def correct(question: Question, prediction: Prediction, values: Values = NO_VALUES) -> Score:
    """1 or 0 with the outcome correct, wrong or abstained; or unscored.

    Unanswerable questions and questions without a gold answer are unscored, and answers that the rules cannot read,
    which are never wrong: a judge decides them. On a known gap the true answer is right and abstaining is 0. Without a
    template nothing can be confused, and only the answer itself is looked at.
    """
    if question.answerability == "unanswerable":
        return Score(None, "the question is unanswerable", "unscored")
    if not question.answers or question.answer_type == "none":
        return Score(None, "the question has no gold answer", "unscored")
    if prediction.abstained:
        return Score(0.0, SAID_TO_ABSTAIN, "abstained")
    if prediction.answer is None:
        return Score(None, NO_ANSWER.reason, "unscored")
    judgment = judge_answer(
        prediction.answer,
        question=question.question,
        answers=question.answers,
        aliases=question.aliases,
        answer_type=question.answer_type,
        values=values,
    )
    value = None if judgment.outcome == "unscored" else float(judgment.outcome == "correct")
    return Score(value, judgment.reason, judgment.outcome)


METRIC = Metric(
    name="correct",
    meaning="the answer asserts the gold answer and no other answer of its template",
    formula="1 if every required element is asserted and no confusable value is, else 0",
    citation="The judgment that GRAMMAR asks of a model (Li et al. 2024, appendix G), made by rules",
    needs=frozenset({"answer", "answers"}),
    rule=rule,
    order=10,
)
