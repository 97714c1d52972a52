"""Whose failure an answer is, by conditions: the published decision table of `decisions.toml`, applied to a run.

Something was replaced: the system's own contexts by none and by the gold passages. One answer in each condition says
what happened, run-to-run noise included; causes of single questions need several.
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.predictions import CLOSED, CONDITIONS, GOLD, OWN, UNSUPPORTED
from benchwright.benchmarks.reports.answers.outcomes import OUTCOMES, attempt_outcomes
from benchwright.benchmarks.reports.columns import Bools, Ints, RunData
from benchwright.benchmarks.reports.failures.causes import attempt_causes, code_of
from benchwright.benchmarks.reports.failures.chance import closed_chance
from benchwright.benchmarks.reports.section import per_run

LEAST_REPEATS = 3
"""Of fewer answers to a question in a condition nothing is said of it alone: see `others_allowed`."""
FACTS = ("documents", "own", "closed", "gold", "contexts")
"""What a row may depend on."""
UNKNOWN, VARIES = "unknown", "varies"
_UNSEEN = {
    "closed": "not known, as nothing was judged closed book",
    "gold": "not known, as no such answer with the gold passages was judged",
    "contexts": "not known, as nothing says what its own contexts held",
}
"""Of facts that may be unknown: what is said of decisions that depend on them."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What an answer may be; see `decisions.toml`."""

    key: str
    name: str
    says: str
    """What it means."""
    advice: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: what it depends on, and what it decides."""

    facts: Mapping[str, str]
    """Of FACTS, those that it depends on → the state that they must be in."""
    decision: str
    why: str
    """Why it is undetermined."""
    learn: str
    """What would tell."""


@cache
def decision_texts() -> tuple[Decision, ...]:
    """All decisions, in the order in which they are shown."""
    return tuple(Decision(**each) for each in read_toml(__package__, "decisions.toml")["decisions"])


@cache
def table_rows() -> tuple[Row, ...]:
    """The rows, in their order: the first that fits decides."""
    found = []
    for each in read_toml(__package__, "decisions.toml")["rows"]:
        facts = {name: each[name] for name in FACTS if name in each}
        found.append(Row(facts, each["decision"], each.get("why", ""), each.get("learn", "")))
    return tuple(found)


def place_of(key: str) -> int:
    """A decision's place in `decision_texts`."""
    return [each.key for each in decision_texts()].index(key)


def decide(states: Mapping[str, np.ndarray]) -> Ints:
    """The row of the table that decides each of some answers.

    Args:
        states: each of FACTS → the state of each answer: one of those that `decisions.toml` names, or `varies`.
    """
    found = np.full(len(states["own"]), -1)
    for place, row in enumerate(table_rows()):
        fits = found < 0
        for name, state in row.facts.items():
            fits &= states[name] == state
        found[fits] = place
    return found


def why_unseen(states: Mapping[str, np.ndarray], key: str) -> str | None:
    """Why it was not seen whether any answer has a decision, of which none has it; None where it was.

    It was not where some fact that decides is unknown of each answer that is else as the decision's rows want it.
    """
    found: str | None = None
    for row in table_rows():
        if row.decision != key:
            continue
        may = states["documents"] == row.facts.get("documents", "states")
        may &= states["own"] == row.facts.get("own", states["own"])
        if not may.any():
            continue
        wanted = [name for name in _UNSEEN if row.facts.get(name, UNKNOWN) != UNKNOWN]
        why = next((_UNSEEN[name] for name in wanted if (states[name][may] == UNKNOWN).all()), None)
        if why is None:
            return None
        found = why
    return found


@dataclass(frozen=True)
class Decisions:
    """What was decided, as parallel arrays: of single answers, or of whole questions."""

    question: Ints
    """Place in the run."""
    repeat: Ints
    """Of a question as a whole 0."""
    row: Ints
    """Place in `table_rows`."""
    abstained: Bools
    """Of a question as a whole: in any repeat."""
    states: Mapping[str, np.ndarray]
    """Each of FACTS → the state of each."""
    unjudged: int = 0
    """Answers, or questions, that have a gold answer and were not judged."""

    @property
    def code(self) -> Ints:
        """Places in `decision_texts`."""
        by_row = np.array([place_of(row.decision) for row in table_rows()])
        return by_row[self.row]

    @property
    def undetermined(self) -> list[tuple[Row, int]]:
        """The rows that decide nothing with how many they are, the most first."""
        counts = Counter(row for row in self.row.tolist() if table_rows()[row].decision == "undetermined")
        return [(table_rows()[row], number) for row, number in counts.most_common()]


def why_observational(run: RunData) -> str | None:
    """Why nothing is decided by conditions; None where it is."""
    if run.shown != OWN:
        return "the system was not asked with its own retrieval (condition own)"
    return why_unknown(run, GOLD)


def why_unknown(run: RunData, condition: str) -> str | None:
    """Why no answer was judged in a condition; None where one was."""
    if condition not in run.condition.names:
        return f"the system was not asked in the condition {condition}: add --conditions {','.join(CONDITIONS)}"
    rows = run.rows("correct", condition)
    if not len(rows):
        return f"no answer was judged by `correct` in the condition {condition}"
    column = run.metrics.index("correct")
    if run.is_scored[rows, column].any():
        return None
    names = Counter(run.reasons.names[code] for code in run.reasons.codes[rows, column].tolist() if code >= 0)
    most = names.most_common(1)[0][0] if names else "no reason is given"
    if most.startswith(UNSUPPORTED):
        return f"the system cannot be put in the condition {condition}: {most.removeprefix(UNSUPPORTED)}"
    return f"no answer was judged in the condition {condition}: {most}"


@per_run
def answer_decisions(run: RunData) -> Decisions:
    """What was decided of each judged answer of the system's own condition, with the other conditions' same repeats."""
    outcomes = attempt_outcomes(run)
    unanswerable = run.questions.answerability.where("unanswerable")[outcomes.question]
    places = np.flatnonzero(outcomes.is_scored & ~unanswerable)
    question, repeat = outcomes.question[places], outcomes.repeat[places]
    states = {
        "documents": np.where(run.questions.answerability.where("gap")[question], "lack it", "states").astype(object),
        "own": _right(outcomes.outcome[places] == OUTCOMES.index("correct")),
        "closed": _closed(run, question, repeat),
        "gold": _in_condition(run, GOLD, question, repeat),
        "contexts": _contexts(run)[places],
    }
    row = decide(states)
    unjudged = int((~outcomes.is_scored & ~unanswerable).sum())
    return Decisions(question, repeat, row, outcomes.abstained[places], states, unjudged)


@per_run
def question_decisions(run: RunData) -> Decisions | None:
    """What was decided of each question that was asked often enough in own and gold; None where none was.

    A fact that differs between too many of its repeats varies, and only rows that do not depend on it can decide.
    """
    single = answer_decisions(run)
    codes, of, counts = np.unique(single.question, return_inverse=True, return_counts=True)
    gold, times = _repeated(run, GOLD, codes)
    gaps = run.questions.answerability.where("gap")[codes]
    kept = (counts >= LEAST_REPEATS) & (gaps | (times >= LEAST_REPEATS) | (times == 0))
    if not kept.any():
        return None
    closed, times = _repeated(run, CLOSED, codes)
    closed[times < LEAST_REPEATS] = UNKNOWN
    states = {name: _mostly(single.states[name], of, len(codes)) for name in ("documents", "own", "contexts")}
    states |= {"gold": gold, "closed": _remembered(run, closed, codes)}
    states = {name: values[kept] for name, values in states.items()}
    abstained = np.bincount(of, weights=single.abstained, minlength=len(codes)) > 0
    rows, left_out = decide(states), int((~kept).sum())
    return Decisions(codes[kept], np.zeros(len(rows), int), rows, abstained[kept], states, left_out)


def _repeated(run: RunData, condition: str, questions: Ints) -> tuple[np.ndarray, Ints]:
    """Whether some questions are mostly right in a condition, and how often each was judged there."""
    rows = run.rows("correct", condition)
    rows = rows[run.is_scored[rows, run.metrics.index("correct")]] if len(rows) else rows
    size = len(run.questions.ids)
    right = _right(run.values[rows, run.metrics.index("correct")] > 0.5) if len(rows) else np.empty(0, dtype=object)
    states, times = _mostly(right, run.question[rows], size), np.bincount(run.question[rows], minlength=size)
    states[times == 0] = UNKNOWN
    return states[questions], times[questions]


def _mostly(values: np.ndarray, of: Ints, number: int) -> np.ndarray:
    """The state of nearly all answers of each question, else that it varies."""
    total = np.bincount(of, minlength=number)
    allowed = np.array([others_allowed(count) for count in range(int(total.max(initial=0)) + 1)])[total]
    found = np.full(number, VARIES, dtype=object)
    for state in set(values.tolist()):
        found[total - np.bincount(of, weights=values == state, minlength=number) <= allowed] = state
    return found


@cache
def others_allowed(repeats: int) -> int:
    """How many of so many answers to one question may be otherwise for it to count as mostly so.

    The most such that a coin would be so one-sided in a quarter of cases at the most: none of 3 to 5, one of 6 to 8;
    less than 0 of fewer than 3.
    """
    allowed, ways = -1, 0
    while True:
        ways += math.comb(repeats, allowed + 1)
        if 8 * ways > 2**repeats:
            return allowed
        allowed += 1


def _right(is_right: Bools) -> np.ndarray:
    return np.where(is_right, "right", "not right").astype(object)


def _in_condition(run: RunData, condition: str, question: Ints, repeat: Ints) -> np.ndarray:
    """Whether each attempt's question is right in another condition: in the same repeat, else in its first."""
    found = np.full(len(question), UNKNOWN, dtype=object)
    rows = run.rows("correct", condition)
    if not len(rows):
        return found
    column = run.metrics.index("correct")
    rows = rows[run.is_scored[rows, column]]
    pairs = zip(run.question[rows].tolist(), run.repeat[rows].tolist(), strict=True)
    known = dict(zip(pairs, (run.values[rows, column] > 0.5).tolist(), strict=True))
    first: dict[int, bool] = {}
    for (place, _), right in sorted(known.items(), reverse=True):
        first[place] = right
    for at, (place, number) in enumerate(zip(question.tolist(), repeat.tolist(), strict=True)):
        right = known.get((place, number), first.get(place))
        if right is not None:
            found[at] = "right" if right else "not right"
    return found


def _closed(run: RunData, question: Ints, repeat: Ints) -> np.ndarray:
    """The same without any document: right is from memory, or by chance."""
    return _remembered(run, _in_condition(run, CLOSED, question, repeat), question)


def _remembered(run: RunData, closed: np.ndarray, question: Ints) -> np.ndarray:
    """What is right without any document, as right from memory or by chance."""
    right = closed == "right"
    if right.any():
        closed[right] = np.where(closed_chance(run).is_above[question[right]], "from memory", "by chance")
    return closed


def _contexts(run: RunData) -> np.ndarray:
    """Whether the contexts of each attempt held what was needed."""
    found = attempt_causes(run)
    states = np.full(len(found.held), UNKNOWN, dtype=object)
    if found.basis is None:
        return states
    enough = found.held >= 1 if found.basis.kind == "evidence" else found.held > 0
    states[~np.isnan(found.held)] = "lacked"
    states[enough | (found.code == code_of("ranked-low"))] = "held"
    return states


@per_run
def decisions_of_questions(run: RunData) -> dict[int, int]:
    """Question → place of its decision in `decision_texts`, of those that were asked often enough."""
    found = None if why_observational(run) else question_decisions(run)
    return {} if found is None else dict(zip(found.question.tolist(), found.code.tolist(), strict=True))
