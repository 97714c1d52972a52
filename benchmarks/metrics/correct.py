"""Whether a free-text answer is right, by rules."""

import functools
from collections.abc import Iterable, Mapping

from benchwright.benchmarks.metrics.answers.declining import declines
from benchwright.benchmarks.metrics.answers.judge import NO_VALUES, NOT_UNDERSTOOD, AnswerJudgment, ask, judge_asked
from benchwright.benchmarks.metrics.answers.judged_answer import Asked
from benchwright.benchmarks.metrics.answers.stated_value import StatedValues, stated_values
from benchwright.benchmarks.metrics.answers.values import Item, Values, prepare_values
from benchwright.benchmarks.metrics.base import NO_ANSWER, BatchRule, Metric, ReleaseData, Score
from benchwright.benchmarks.metrics.batch import each_with_first
from benchwright.benchmarks.predictions import SAID_TO_ABSTAIN, Prediction
from benchwright.benchmarks.types import Question

UNANSWERABLE = Score(None, "the question is unanswerable", "unscored")
DECLINED = Score(None, "the question is unanswerable, and the answer says so", "unscored")
NO_GOLD = Score(None, "the question has no gold answer", "unscored")
ABSTAINED = Score(0.0, SAID_TO_ABSTAIN, "abstained")
FAILED = Score(None, NO_ANSWER.reason, "unscored")


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
    read: dict[str, Asked] = {}
    stated = stated_values(data.questions)

    def score(question: Question, prediction: Prediction) -> Score:
        unscored = _unscored(question, prediction)
        if unscored is not None:
            return unscored
        asked = read.get(question.id)
        if asked is None:
            asked = read[question.id] = _ask(question, values.get(question.template or "", NO_VALUES))
        score = _score(prediction, asked)
        return _by_value(question, prediction, asked, stated) or score if score is _UNREAD else score

    return each_with_first(0, score)


def correct(question: Question, prediction: Prediction, values: Values = NO_VALUES) -> Score:
    """1 or 0 with the outcome correct, wrong or abstained; or unscored.

    Unanswerable questions and questions without a gold answer are unscored, and answers that the rules cannot read,
    which are never wrong: a judge decides them. On a known gap the true answer is right and abstaining is 0. Without a
    template nothing can be confused, and only the answer itself is looked at.
    """
    return _unscored(question, prediction) or _score(prediction, _ask(question, values))


def _unscored(question: Question, prediction: Prediction) -> Score | None:
    if question.answerability == "unanswerable":
        is_declined = prediction.answer is not None and declines(prediction.answer, question.question)
        return DECLINED if is_declined else UNANSWERABLE
    return NO_GOLD if not question.answers or question.answer_type == "none" else None


def _ask(question: Question, values: Values) -> Asked:
    return ask(question.question, question.answers, question.aliases, question.answer_type, values)


def _score(prediction: Prediction, asked: Asked) -> Score:
    if prediction.abstained:
        return ABSTAINED
    if prediction.answer is None:
        return FAILED
    return _score_of(judge_asked(prediction.answer, asked))


def _by_value(question: Question, prediction: Prediction, asked: Asked, stated: StatedValues) -> Score | None:
    """The score of an answer that gives a value instead of yes or no; None where that is not sure either."""
    if asked.wanted is None or prediction.answer is None:
        return None
    judged = stated.judge(question, prediction.answer, asked.wanted)
    return None if judged is None else _score_of(judged)


@functools.cache
def _score_of(judgment: AnswerJudgment) -> Score:
    if judgment.outcome == "unscored":
        return Score(None, judgment.reason, "unscored")
    return Score(float(judgment.outcome == "correct"), judgment.reason, judgment.outcome)


_UNREAD = _score_of(NOT_UNDERSTOOD)

METRIC = Metric(
    name="correct",
    meaning="the answer asserts the gold answer and no other answer of its template",
    formula="1 if every required element is asserted and no confusable value is, else 0",
    citation="The judgment that GRAMMAR asks of a model (Li et al. 2024, appendix G), made by rules",
    needs=frozenset({"answer", "answers"}),
    rule=rule,
    order=10,
)
