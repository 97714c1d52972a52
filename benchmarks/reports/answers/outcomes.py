"""Outcomes: whether each answer is correct, wrong, abstained or unscored."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.metrics.answers.judge import ABSTAINED, UNDECIDED
from benchwright.benchmarks.metrics.base import NO_ANSWER
from benchwright.benchmarks.metrics.correct import DECLINED
from benchwright.benchmarks.predictions import SAID_TO_ABSTAIN
from benchwright.benchmarks.reports.blocks import Tone
from benchwright.benchmarks.reports.columns import Bools, Ints, RunData
from benchwright.benchmarks.reports.prediction_facts import read_predictions
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.reports.share import Share, share
from benchwright.benchmarks.runs.score_table import NO_PREDICTION

OUTCOMES = ("correct", "wrong", "abstained", "unscored")
TONES: Mapping[str, Tone] = {"correct": "good", "wrong": "bad", "abstained": "quiet", "unscored": "faint"}
NO_QUESTIONS = "the run has no questions"
NOT_JUDGED = "no answer was judged by `correct`"
NONE_ANSWERABLE = "no answer to a question that the documents answer was judged"
DECIDE = "verdicts of people or of a model decide them: score again with --judgments FILE"
"""What to do about answers that the rules of `correct` leave undecided."""
ABSTAINING = (SAID_TO_ABSTAIN, ABSTAINED.reason, DECLINED.reason or "")
"""Reasons of `correct` that say that the system abstained, or said of a question without an answer that it has none."""
_UNDECIDED = tuple(judgment.reason for judgment in UNDECIDED)
_NOT_OBSERVED = (NO_PREDICTION, NO_ANSWER.reason or "")
"""Reasons that say that there is no answer, and no abstaining."""
_UNSCORED = OUTCOMES.index("unscored")


@dataclass(frozen=True)
class AttemptOutcomes:
    """The outcome of each attempt of the condition shown, as parallel arrays."""

    question: Ints
    """The question's place in the run."""
    repeat: Ints
    outcome: Ints
    """Place in OUTCOMES."""
    abstained: Bools
    """Also of unanswerable questions, whose outcome is unscored."""
    is_answered: Bools
    """The system answered or abstained: it was asked, and did not fail."""

    @property
    def is_scored(self) -> Bools:
        """Attempts that were judged."""
        return self.outcome != _UNSCORED

    @property
    def first(self) -> Ints:
        """The places of each question's first repeat."""
        order = np.lexsort((self.repeat, self.question))
        _, places = np.unique(self.question[order], return_index=True)
        return order[places]

    @property
    def names(self) -> dict[int, str]:
        """Question → the outcome of its first repeat."""
        places = self.first
        outcomes = zip(self.question[places].tolist(), self.outcome[places].tolist(), strict=True)
        return {question: OUTCOMES[outcome] for question, outcome in outcomes}


@dataclass(frozen=True, slots=True)
class OutcomeCounts:
    """How many answers have each outcome."""

    correct: int
    wrong: int
    abstained: int
    unscored: int
    total: int

    @property
    def parts(self) -> dict[str, int]:
        """Outcome → count."""
        return {name: getattr(self, name) for name in OUTCOMES}


@dataclass(frozen=True, slots=True)
class Decided:
    """How many answers the rules of `correct` decided, of those that they had to read."""

    value: float | None
    count: int
    total: int
    """Answers of the headline's questions that have a gold answer, without those that somebody else judged."""
    undecided: Mapping[str, int]
    """Why answers are not decided → how many: `not understood`, `needs a judge`."""

    @property
    def share(self) -> Share:
        """Without the reasons."""
        return share(self.count, self.total, NOT_JUDGED)


@per_run
def decided_by_rules(run: RunData) -> Decided:
    """What share of the answers of the condition shown the rules of `correct` decided."""
    rows = run.rows("correct", run.shown)
    rows = rows[run.questions.headline[run.question[rows]]]
    if not len(rows):
        return Decided(None, 0, 0, {})
    column = run.metrics.index("correct")
    reasons, by_rule = run.reasons.codes[rows, column], run.judges.codes[rows, column] < 0
    decided = run.is_scored[rows, column] & by_rule & (reasons != _code(run, SAID_TO_ABSTAIN))
    undecided = {name: int((by_rule & (reasons == _code(run, name))).sum()) for name in _UNDECIDED}
    number = int(decided.sum())
    total = number + sum(undecided.values())
    return Decided(
        number / total if total else None, number, total, {name: each for name, each in undecided.items() if each}
    )


def _code(run: RunData, reason: str) -> int:
    """The code of a reason; one that stands nowhere where no attempt has it."""
    return run.reasons.names.index(reason) if reason in run.reasons.names else -2


def abstained_rows(run: RunData, rows: Ints) -> Bools:
    """Which of some attempts `correct` calls abstaining."""
    said = np.zeros(len(rows), dtype=bool)
    for name in ABSTAINING if len(rows) else ():
        said |= run.reasons.codes[rows, run.metrics.index("correct")] == _code(run, name)
    return said


@per_run
def attempt_outcomes(run: RunData) -> AttemptOutcomes:
    """The outcomes that `correct` says, in the condition shown."""
    rows = run.rows("correct", run.shown)
    question, repeat = run.question[rows], run.repeat[rows]
    column = run.metrics.index("correct") if "correct" in run.metrics else 0
    is_scored, right = (
        (run.is_scored[rows, column], run.values[rows, column] > 0.5) if len(rows) else (np.zeros(0, bool),) * 2
    )
    said = abstained_rows(run, rows)
    abstained = read_predictions(run).abstained
    if abstained:
        said |= np.array([pair in abstained for pair in zip(question.tolist(), repeat.tolist(), strict=True)])
    right = right & is_scored
    outcome = np.select([~is_scored, right, said], [_UNSCORED, 0, 2], default=1)
    is_answered = np.ones(len(rows), dtype=bool)
    for name in _NOT_OBSERVED:
        if len(rows):
            is_answered &= run.reasons.codes[rows, column] != _code(run, name)
    return AttemptOutcomes(question, repeat, outcome, said & ~right, is_answered | is_scored | said)


@per_run
def judged_questions(run: RunData) -> dict[int, bool]:
    """Question → whether its first answer is right, of those that were judged, in the release's order."""
    outcomes = attempt_outcomes(run)
    places = outcomes.first
    places = places[outcomes.is_scored[places]]
    right = outcomes.outcome[places] == OUTCOMES.index("correct")
    return dict(zip(outcomes.question[places].tolist(), right.tolist(), strict=True))


def count_outcomes(outcomes: AttemptOutcomes, wanted: Bools) -> OutcomeCounts:
    """How many answers to the wanted questions are correct, wrong, abstained and unscored."""
    counts = np.bincount(outcomes.outcome[wanted[outcomes.question]], minlength=len(OUTCOMES)).tolist()
    return OutcomeCounts(*counts, total=sum(counts))
