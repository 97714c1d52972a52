"""What a report takes from `predictions.jsonl` and `judgments.jsonl`: one pass over each, no text kept."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchwright.benchmarks.metrics.answers import cues
from benchwright.benchmarks.predictions import UNSUPPORTED
from benchwright.benchmarks.reports.columns import OWN, Questions, RunData
from benchwright.benchmarks.runs.run import JUDGMENTS, PREDICTIONS
from benchwright.benchmarks.text.folding import clean, lower

_KINDS_OF_ERRORS = 20
_MESSAGE = 300
_TRUE_WORDS = {"true", "yes", "1", "right", "correct"}
AMOUNTS = ("input_tokens", "output_tokens", "calls", "retrievals", "cost")


@dataclass
class Amount:
    """A total, and of how many predictions it is known."""

    total: float = 0
    known: int = 0


@dataclass
class PredictionFacts:
    """The predictions of the run without their texts."""

    count: int = 0
    unreadable: int = 0
    """Lines that are no JSON object with an id."""
    unknown: int = 0
    """Predictions for questions that are not in the run's scores."""
    conditions: dict[str, int] = field(default_factory=dict)
    offsets: dict[int, int] = field(default_factory=dict)
    """Question → where its line begins, of the condition shown and its first repeat."""
    abstained: set[tuple[int, int]] = field(default_factory=set)
    """Question and repeat, in the condition shown: it was said, or read from the answer of an unanswerable question."""
    contexts: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Question → ids of its contexts, of the condition shown and its first repeat, where the release has no gold."""
    errors: dict[str, dict[str, Any]] = field(default_factory=dict)
    """First line of the message → count and the id of the first question."""
    other_errors: int = 0
    amounts: dict[str, Amount] = field(default_factory=lambda: {name: Amount() for name in AMOUNTS})
    latencies: list[float] = field(default_factory=list)

    def add_error(self, message: str, question: str) -> None:
        """Counts an error of the system."""
        kind = (message.strip().splitlines() or ["(no message)"])[0][:_MESSAGE]
        if kind not in self.errors and len(self.errors) == _KINDS_OF_ERRORS:
            self.other_errors += 1
        else:
            self.errors.setdefault(kind, {"count": 0, "example": question})["count"] += 1


def lines_of(path: Path) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Offset and object of each line that is not blank; None where it is no JSON object."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        offset = 0
        for line in file:
            if line.strip():
                yield offset, _object(line)
            offset += len(line)


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def says_nothing(answer: str) -> bool:
    """Whether an answer says that it is not known, by the rules of `correct`."""
    text = clean(answer)
    lowered = lower(text)
    return cues.says_nothing(lowered) or cues.abstains(cues.without_offers(text, lowered)[1])


def read_predictions(run: RunData) -> PredictionFacts:
    """One pass over the run's predictions."""
    facts, questions = PredictionFacts(), run.questions
    unanswerable = questions.columns["answerability"].where("unanswerable")
    wants_contexts = not any(questions.documents)
    repeats: dict[int, int] = {}
    for offset, values in lines_of(run.folder / PREDICTIONS):
        if values is None or not isinstance(values.get("id"), str):
            facts.unreadable += 1
            continue
        facts.count += 1
        condition = str(values.get("condition") or OWN)
        facts.conditions[condition] = facts.conditions.get(condition, 0) + 1
        _add_amounts(facts, values)
        if values.get("error") is not None and not str(values["error"]).startswith(UNSUPPORTED):
            facts.add_error(str(values["error"]), values["id"])
        place = questions.index.get(values["id"])
        if place is None:
            facts.unknown += 1
        elif condition == run.condition:
            repeat = int(values.get("repeat") or 0)
            answer = values.get("answer")
            if values.get("abstained") or (unanswerable[place] and isinstance(answer, str) and says_nothing(answer)):
                facts.abstained.add((place, repeat))
            if repeat < repeats.get(place, repeat + 1):
                repeats[place], facts.offsets[place] = repeat, offset
                if wants_contexts:
                    facts.contexts[place] = _context_ids(values)
    return facts


def _context_ids(values: Mapping[str, Any]) -> tuple[str, ...]:
    contexts = values.get("contexts") or ()
    return tuple(str(each["id"]) for each in contexts if isinstance(each, dict) and each.get("id") is not None)


def _add_amounts(facts: PredictionFacts, values: Mapping[str, Any]) -> None:
    usage = values.get("usage")
    said = {**(usage if isinstance(usage, dict) else {}), "cost": values.get("cost")}
    if said.get("retrievals") is None:
        said["retrievals"] = int(bool(values.get("contexts")))
    for name, amount in facts.amounts.items():
        value = said.get(name)
        if isinstance(value, int | float):
            amount.total += value
            amount.known += 1
    if isinstance(values.get("latency"), int | float):
        facts.latencies.append(float(values["latency"]))


def supplied_judgments(run: RunData, metric: str) -> dict[int, bool]:
    """Question → verdict, of judgments that were supplied for a metric in the condition shown, the first of each.

    A metric of the same name among the scores stands for them where `judgments.jsonl` has none.
    """
    found: dict[int, bool] = {}
    for _, values in lines_of(run.folder / JUDGMENTS):
        if values is None or values.get("metric") != metric or str(values.get("condition") or OWN) != run.condition:
            continue
        place, verdict = run.questions.index.get(str(values.get("id"))), as_verdict(values.get("value"))
        if place is not None and verdict is not None:
            found.setdefault(place, verdict)
    if not found:
        scores = run.scores
        for row in scores.rows(metric, run.condition):
            if not np.isnan(scores.value[row]):
                found.setdefault(int(scores.question[row]), bool(scores.value[row] > 0.5))
    return found


def as_verdict(value: Any) -> bool | None:
    """A judgment's value as yes or no; None where there is none."""
    if isinstance(value, str):
        return value.strip().lower() in _TRUE_WORDS
    return value > 0.5 if isinstance(value, int | float) else None


def cost_section(facts: PredictionFacts) -> dict[str, Any]:
    """Totals of what the run took. What no prediction says is null and never zero."""
    found: dict[str, Any] = {}
    for name, amount in facts.amounts.items():
        silent = name in ("input_tokens", "output_tokens", "cost") and not amount.total
        known = 0 if silent else amount.known
        found[name] = {"total": amount.total if known else None, "known": known, "of": facts.count}
        if not known:
            found[name]["reason"] = "no prediction says"
    seconds = np.array(sorted(facts.latencies))
    found["latency"] = {"known": len(seconds), "of": facts.count, "unit": "seconds"}
    for name in ("total", "mean", "median", "p95"):
        found["latency"][name] = None
    if len(seconds):
        median, p95 = np.quantile(seconds, [0.5, 0.95])
        found["latency"] |= {
            "total": float(seconds.sum()),
            "mean": float(seconds.mean()),
            "median": float(median),
            "p95": float(p95),
        }
    else:
        found["latency"]["reason"] = "no prediction says"
    return found


def error_section(facts: PredictionFacts, questions: Questions, scores_unknown: int) -> dict[str, Any]:
    """The system's errors by message, and what of the files could not be used."""
    kinds = [{"message": message, **found} for message, found in facts.errors.items()]
    return {
        "count": sum(kind["count"] for kind in kinds) + facts.other_errors,
        "kinds": sorted(kinds, key=lambda kind: -kind["count"]),
        "of_other_kinds": facts.other_errors,
        "predictions": facts.count,
        "questions": len(questions.ids),
        "questions_without_prediction": len(questions.ids) - len(facts.offsets),
        "predictions_for_unknown_questions": facts.unknown,
        "scores_for_unknown_questions": scores_unknown,
        "unreadable_lines": facts.unreadable,
    }
