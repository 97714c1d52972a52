"""What a report takes from `predictions.jsonl`: one pass, no text kept."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from benchwright.benchmarks.metrics.answers import cues
from benchwright.benchmarks.predictions import OWN, UNSUPPORTED
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.runs.first_answers import cause_of
from benchwright.benchmarks.runs.run import PREDICTIONS
from benchwright.benchmarks.text.folding import clean, lower

_KINDS_OF_ERRORS = 20
_MESSAGE = 300
AMOUNTS = ("input_tokens", "output_tokens", "calls", "retrievals", "cost")
STEP_AMOUNTS = ("input_tokens", "output_tokens", "calls", "cost")
_KINDS_OF_STEPS, _STEP = 50, 80


@dataclass
class Amount:
    """A total, and of how many predictions it is known."""

    total: float = 0
    known: int = 0


@dataclass
class StepTally:
    """What one step of answers took."""

    answers: int = 0
    amounts: dict[str, Amount] = field(default_factory=lambda: {name: Amount() for name in STEP_AMOUNTS})


@dataclass
class PartTally:
    """What the answers of one condition and subset took."""

    answers: int = 0
    retrieved: int = 0
    """Answers for which was retrieved at least once."""
    amounts: dict[str, Amount] = field(default_factory=lambda: {name: Amount() for name in AMOUNTS})
    tokens: dict[bool, Amount] = field(default_factory=lambda: {True: Amount(), False: Amount()})
    """Whether was retrieved → tokens in and out together, of answers that say both."""
    steps: dict[tuple[str, str], StepTally] = field(default_factory=dict)
    """Step and the role of its model, empty where it has none → what it took, in the order in which they were met."""

    def add(self, said: Mapping[str, float], values: Mapping[str, Any]) -> None:
        """Takes in an answer: its amounts, and its prediction's object."""
        self.answers += 1
        _add_amounts(self.amounts, said)
        retrievals = said.get("retrievals")
        self.retrieved += bool(retrievals)
        if retrievals is not None and "input_tokens" in said:
            amount = self.tokens[retrievals > 0]
            amount.total += said["input_tokens"] + said.get("output_tokens", 0)
            amount.known += 1
        _add_steps(self.steps, values)

    def merge(self, other: "PartTally") -> None:
        """Takes in the answers of another part, without their steps."""
        self.answers += other.answers
        self.retrieved += other.retrieved
        pairs = [(self.amounts[name], amount) for name, amount in other.amounts.items()]
        for mine, theirs in (*pairs, *((self.tokens[key], amount) for key, amount in other.tokens.items())):
            mine.total += theirs.total
            mine.known += theirs.known


@dataclass
class ErrorTally:
    """Errors whose messages have the same first line, but for numbers and what is quoted."""

    message: str
    """That of the first."""
    example: str
    """The id of its question."""
    count: int = 0


@dataclass
class PredictionFacts:
    """The predictions of the run without their texts."""

    count: int = 0
    unreadable: int = 0
    """Lines that are no JSON object with an id."""
    unknown: int = 0
    """Predictions for questions that are not in the run's scores."""
    conditions: dict[str, int] = field(default_factory=dict)
    offsets: dict[tuple[int, int], int] = field(default_factory=dict)
    """Question and repeat → where its line begins, of the condition shown."""
    first: dict[int, int] = field(default_factory=dict)
    """Question → its first repeat, of the condition shown."""
    abstained: set[tuple[int, int]] = field(default_factory=set)
    """Question and repeat, in the condition shown: it was said, or read from the answer of an unanswerable question."""
    contexts: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Question → ids of its contexts, of the condition shown and its first repeat, where the release has no gold."""
    unshown: set[int] = field(default_factory=set)
    """Questions whose retrieval is not known: neither contexts nor that none were found; of the same answers."""
    errors: dict[str, ErrorTally] = field(default_factory=dict)
    """By the cause: see `cause_of`."""
    other_errors: int = 0
    amounts: dict[str, Amount] = field(default_factory=lambda: {name: Amount() for name in AMOUNTS})
    latencies: list[float] = field(default_factory=list)
    parts: dict[tuple[str, int], PartTally] = field(default_factory=dict)
    """Condition and the code of the question's subset → what its answers took."""

    def add_error(self, message: str, question: str) -> None:
        """Counts an error of the system."""
        first = (message.strip().splitlines() or ["(no message)"])[0][:_MESSAGE]
        cause = cause_of(first)
        if cause not in self.errors and len(self.errors) == _KINDS_OF_ERRORS:
            self.other_errors += 1
        else:
            self.errors.setdefault(cause, ErrorTally(first, question)).count += 1


def lines_of(path: Path) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Offset and object of each line that is not blank; None where it is no JSON object."""
    if not path.is_file():
        return
    offset = 0
    with path.open("rb") as file:
        for line in file:
            if not line.isspace():
                yield offset, _object(line)
            offset += len(line)


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        values = from_json(line)
    except ValueError:  # it is stricter than Python about halves of surrogate pairs
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            return None
    return values if isinstance(values, dict) else None


def says_nothing(answer: str) -> bool:
    """Whether an answer says that it is not known, by the rules of `correct`."""
    text = clean(answer)
    lowered = lower(text)
    return cues.says_nothing(lowered) or cues.abstains(cues.without_offers(text, lowered)[1])


@per_run
def read_predictions(run: RunData) -> PredictionFacts:
    """One pass over the run's predictions."""
    facts, questions = PredictionFacts(), run.questions
    unanswerable = questions.answerability.where("unanswerable")
    wants_contexts = not any(questions.gold_documents)
    for offset, values in lines_of(run.folder / PREDICTIONS):
        if values is None or not isinstance(values.get("id"), str):
            facts.unreadable += 1
            continue
        facts.count += 1
        condition = str(values.get("condition") or OWN)
        facts.conditions[condition] = facts.conditions.get(condition, 0) + 1
        said = amounts_of(values)
        _add_amounts(facts.amounts, said)
        if isinstance(latency := values.get("latency"), int | float):
            facts.latencies.append(float(latency))
        if values.get("error") is not None and not str(values["error"]).startswith(UNSUPPORTED):
            facts.add_error(str(values["error"]), values["id"])
        place = questions.index.get(values["id"])
        if place is None:
            facts.unknown += 1
            continue
        facts.parts.setdefault((condition, int(questions.subset.codes[place])), PartTally()).add(said, values)
        if condition == run.shown:
            repeat = int(values.get("repeat") or 0)
            answer = values.get("answer")
            if values.get("abstained") or (unanswerable[place] and isinstance(answer, str) and says_nothing(answer)):
                facts.abstained.add((place, repeat))
            facts.offsets.setdefault((place, repeat), offset)
            if repeat < facts.first.get(place, repeat + 1):
                facts.first[place] = repeat
                facts.unshown.discard(place)
                if not shows_retrieval(values):
                    facts.unshown.add(place)
                if wants_contexts:
                    facts.contexts[place] = _context_ids(values)
    return facts


def shows_retrieval(values: Mapping[str, Any]) -> bool:
    """Whether a prediction's object shows what was retrieved; see `Prediction.shows_retrieval`."""
    usage = values.get("usage")
    return bool(values.get("contexts") or (usage.get("retrievals") if isinstance(usage, dict) else None))


def _context_ids(values: Mapping[str, Any]) -> tuple[str, ...]:
    contexts = values.get("contexts") or ()
    return tuple(str(each["id"]) for each in contexts if isinstance(each, dict) and each.get("id") is not None)


def amounts_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """What a prediction's object says that it took."""
    usage = values.get("usage")
    said = {name: usage[name] for name in usage if name != "cost"} if isinstance(usage, dict) else {}
    if said.get("retrievals") is None and values.get("contexts"):
        said["retrievals"] = 1
    if "cost" in values:
        said["cost"] = values["cost"]
    return {name: value for name, value in said.items() if name in AMOUNTS and isinstance(value, int | float)}


def _add_amounts(amounts: Mapping[str, Amount], said: Mapping[str, float]) -> None:
    for name, value in said.items():
        amounts[name].total += value
        amounts[name].known += 1


def _add_steps(steps: dict[tuple[str, str], StepTally], values: Mapping[str, Any]) -> None:
    """Adds what a prediction's object says of its steps; of very many kinds of steps the first."""
    usage = values.get("usage")
    said = usage.get("steps") if isinstance(usage, dict) else None
    for each in said if isinstance(said, list) else ():
        if not isinstance(each, dict):
            continue
        key = str(each.get("step"))[:_STEP], str(each.get("role") or "")[:_STEP]
        if key not in steps and len(steps) == _KINDS_OF_STEPS:
            continue
        tally = steps.setdefault(key, StepTally())
        tally.answers += 1
        for name in STEP_AMOUNTS:
            if isinstance(amount := each.get(name), int | float):
                tally.amounts[name].total += amount
                tally.amounts[name].known += 1
