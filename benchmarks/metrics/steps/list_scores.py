"""Scores of answers that are lists: one reading of an answer, by rule, for each of the metrics that compare sets."""

from collections.abc import Callable, Sequence

from benchwright.benchmarks.metrics.answers.judge import NEEDS_JUDGE, NO_VALUES, ask
from benchwright.benchmarks.metrics.answers.judged_answer import Asked
from benchwright.benchmarks.metrics.answers.list_parts import LONGEST
from benchwright.benchmarks.metrics.answers.listed import ListedElements, listed_elements
from benchwright.benchmarks.metrics.base import NO_ANSWER, BatchRule, ReleaseData, Rule, Score, unscored
from benchwright.benchmarks.metrics.batch import each_with_first
from benchwright.benchmarks.metrics.correct import NO_GOLD, UNANSWERABLE, template_values
from benchwright.benchmarks.metrics.steps.answers import says_nothing
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.text.remembering import remembers
from benchwright.benchmarks.types import Question

NO_LIST = unscored("the answer is no list")
_SHOWN = 3

Counted = Callable[[ListedElements], Score]
"""The score of an answer that names elements of a list, or anything else."""
Reading = Callable[[str, Question], ListedElements]
"""What an answer to a question names."""


def list_rule(count: Counted, nothing: Score) -> Rule:
    """Scores answers to questions whose answer is a list; the others are unscored.

    Args:
        count: the score of what an answer names.
        nothing: the score of an answer that abstains, or names nothing at all.
    """

    def prepare(data: ReleaseData) -> BatchRule:
        reading = _reading(data)

        def score(question: Question, prediction: Prediction) -> Score:
            unscored_because = _unscored(question, prediction)
            if unscored_because is not None:
                return unscored_because
            if says_nothing(prediction, question.question):
                return nothing
            answer = prediction.answer or ""
            found = reading(answer, question)
            if found.is_undecided:
                return unscored(NEEDS_JUDGE.reason)
            return _with_note(count(found) if found.named or found.others else nothing, answer)

        return each_with_first(0, score)

    return prepare


def _unscored(question: Question, prediction: Prediction) -> Score | None:
    if question.answerability == "unanswerable":
        return UNANSWERABLE
    if not question.answers:
        return NO_GOLD
    if question.answer_type != "set":
        return NO_LIST
    return NO_ANSWER if prediction.answer is None and not prediction.abstained else None


def _read_with(data: ReleaseData) -> Reading:
    values = template_values(data.questions)
    asked: dict[str, Asked] = {}

    @remembers(characters=2_000_000)
    def named(answer: str, question: str) -> ListedElements:
        return listed_elements(answer, asked[question])

    def read(answer: str, question: Question) -> ListedElements:
        if question.id not in asked:
            there = values.get(question.template or "", NO_VALUES)
            asked[question.id] = ask(question.question, question.answers, question.aliases, question.answer_type, there)
        return named(answer, question.id)

    return read


_kept: list[tuple[ReleaseData, Reading]] = []
"""The last release that was read, for the metrics that score the same answers next."""


def _reading(data: ReleaseData) -> Reading:
    if not _kept or _kept[0][0] is not data:
        _kept[:] = [(data, _read_with(data))]
    return _kept[0][1]


def _with_note(score: Score, answer: str) -> Score:
    if len(answer) <= LONGEST:
        return score
    note = f"the first {LONGEST:,} of {len(answer):,} characters were read"
    return Score(score.value, f"{score.reason}; {note}" if score.reason else note)


def shown(values: Sequence[str]) -> str:
    """The first of some values, and how many more there are."""
    more = f" and {len(values) - _SHOWN:,} more" if len(values) > _SHOWN else ""
    return ", ".join(value[:60] for value in values[:_SHOWN]) + more
