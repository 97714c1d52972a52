"""The steps of a judge that people look at: each prompt that it was asked with, and its reply as lines and rows."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from benchwright.benchmarks.annotations.items import ShownStep
from benchwright.benchmarks.hashing import json_digest, short_hash
from benchwright.benchmarks.judgments import STEP, Judgment, judge_name
from benchwright.benchmarks.metrics.traces import Step, trace_of

_LONG = 20_000
"""Characters of a line or cell."""
_ROWS = 400


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """A step in which a model was asked, and the metrics that stand on it."""

    name: str
    hash: str
    """Of what it was given and what came of it: where a judge says something else, it is another step."""
    prompt: str
    judge: str
    shown: ShownStep

    @property
    def candidate(self) -> str:
        """What a judgment of the step has in its field `candidate`."""
        return f"{STEP}{self.name}:{self.hash}"


def steps_of(judgments: Mapping[str, Judgment]) -> list[JudgedStep]:
    """The steps of one prediction's judgments, by metric; each once, in the order in which they were made.

    Only where a model was asked and replied, for there is nothing to judge in what rules made of it.
    """
    found: dict[tuple[str, str], JudgedStep] = {}
    for metric, judgment in judgments.items():
        read = trace_of(judgment)
        outcome = _outcome(metric, judgment, read)
        records = judgment.trace.get("steps")
        following = (*read[1:], None)
        for record, step, then in zip(records if isinstance(records, list) else (), read, following, strict=False):
            if step.kind != "asked":
                continue
            judge = judge_name(str(judgment.judge))
            key = step.title, _hash(record, judge)
            if (there := found.get(key)) is not None:
                shown = there.shown
                more = replace(shown, metrics=(*shown.metrics, metric), outcomes=(*shown.outcomes, outcome))
                found[key] = replace(there, shown=more)
            else:
                found[key] = JudgedStep(
                    *key, str(step.prompt), judge, _shown(_named(step, then), metric, judge, outcome)
                )
    return list(found.values())


def _hash(record: Mapping[str, Any], judge: str) -> str:
    """Names a step. Its judge's version is of the prompts of a whole metric, so that it is no part of this."""
    output = record.get("output", record.get("raw"))
    return short_hash([str(record.get("inputs")), str(record.get("prompt")), judge, json_digest(output)])


def title_of(step: str) -> str:
    """A step's name in words: `judge_statements` is Statements."""
    return step.removeprefix("judge_").replace("_", " ").strip().capitalize() or step


def _named(step: Step, following: Step | None) -> Step:
    """Verdicts that say by numbers alone what they are on, as the rows of the next step, which names it."""
    if following is None or following.kind != "derived" or not following.rows:
        return step
    is_of_same = len(following.rows) == len(step.rows) and "explanation" in step.columns
    if "reason" not in step.columns and not is_of_same:
        return step
    named = following.columns[0]
    if named in step.columns or f"{named}s" in step.columns:
        return step
    return replace(step, lines=(), columns=following.columns, rows=following.rows)


def _shown(step: Step, metric: str, judge: str, outcome: str) -> ShownStep:
    lines = step.lines if step.lines or step.rows else (step.raw or "an empty reply",)
    numbers = [str(number) for number in range(1, len(step.rows) + 1)]
    kept = [place for place in range(len(step.columns)) if [row[place] for row in step.rows] != numbers]
    return ShownStep(
        title_of(step.title),
        (metric,),
        judge,
        tuple(map(_cut, lines)),
        tuple(step.columns[place] for place in kept),
        tuple(tuple(_cut(row[place]) for place in kept) for row in step.rows[:_ROWS]),
        (outcome,),
        max(0, len(step.rows) - _ROWS),
    )


def _outcome(metric: str, judgment: Judgment, steps: tuple[Step, ...]) -> str:
    """What became of the steps: the score, and how it came about."""
    value = "unscored" if judgment.score is None else f"{judgment.score:.4g}"
    how = [step.arithmetic for step in steps if step.arithmetic] or ([judgment.reason] if judgment.reason else [])
    return _cut(": ".join([f"{metric} {value}", "; ".join(how)] if how else [f"{metric} {value}"]))


def _cut(text: Any) -> str:
    said = str(text)
    return said if len(said) <= _LONG else f"{said[:_LONG]}… ({len(said) - _LONG:,} more characters)"
