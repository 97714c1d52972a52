"""The steps of a judge as a person reads them: each reply of a model as rows, verdicts beside what they are of."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchwright.benchmarks.annotations.items import STEP, ShownRow, ShownStep
from benchwright.benchmarks.judgments import Judgment, judge_name

_LONG = 20_000
"""Characters of a row."""
_ROWS = 400
_TEXTS = ("statement", "sentence", "claim", "nugget", "question", "text")
"""Fields that name what a row is of; the others say something of it."""


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """A step in which a model was asked, and the metrics that stand on it."""

    name: str
    inputs: str
    """The hash of its inputs, with which the name tells it from the other steps of a prediction."""
    prompt: str | None
    judge: str
    shown: ShownStep

    @property
    def candidate(self) -> str:
        """What a judgment of the step has in its field `candidate`."""
        return f"{STEP}{self.name}:{self.inputs}"


def steps_of(judgments: Mapping[str, Judgment]) -> list[JudgedStep]:
    """The steps of one prediction's judgments, by metric; each once, in the order in which they were made.

    Only where a model was asked and replied, for there is nothing to judge in what rules made of it.
    """
    found: dict[tuple[str, str], JudgedStep] = {}
    for metric, judgment in judgments.items():
        before: list[Sequence[str]] = []
        for step in _traced(judgment):
            name, inputs, output = str(step.get("step")), str(step.get("inputs")), step.get("output")
            if step.get("prompt") is None or step.get("error") is not None:
                continue
            there = found.get((name, inputs))
            outcome = _outcome(metric, judgment)
            if there is not None:
                shown = there.shown
                more = replace(shown, metrics=(*shown.metrics, metric), outcome=f"{shown.outcome}; {outcome}")
                found[name, inputs] = replace(there, shown=more)
                continue
            rows = tuple(_rows(output if output is not None else step.get("raw"), before))[:_ROWS]
            before.append([row.text for row in rows])
            judge = judge_name(str(judgment.judge))
            shown = ShownStep(title_of(name), (metric,), judge, rows, outcome)
            prompt = str(step["prompt"])
            found[name, inputs] = JudgedStep(name, inputs, prompt, judge, shown)
    return list(found.values())


def title_of(step: str) -> str:
    """A step's name in words: `judge_statements` is Statements."""
    return step.removeprefix("judge_").replace("_", " ").strip().capitalize() or step


def _traced(judgment: Judgment) -> Iterator[Mapping[str, Any]]:
    steps = judgment.trace.get("steps")
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, Mapping):
            yield step


def _outcome(metric: str, judgment: Judgment) -> str:
    value = "unscored" if judgment.score is None else f"{judgment.score:.4g}"
    return f"{metric} {value}" + (f": {judgment.reason}" if judgment.reason else "")


def _rows(output: Any, before: Sequence[Sequence[str]]) -> Iterator[ShownRow]:
    """What a reply says, part by part.

    Args:
        output: the reply as JSON.
        before: the texts of the rows of earlier steps, of which verdicts may only have the numbers.
    """
    if isinstance(output, Mapping):
        for name, value in output.items():
            if isinstance(value, list):
                yield from _listed(_words(name), value, before)
            else:
                yield ShownRow(_words(name), _text(value))
    elif isinstance(output, list):
        yield from _listed("", output, before)
    else:
        yield ShownRow("reply", _text(output))


def _listed(name: str, values: Sequence[Any], before: Sequence[Sequence[str]]) -> Iterator[ShownRow]:
    if not values:
        yield ShownRow(name, "none")
    texts = next((each for each in reversed(before) if len(each) == len(values)), None)
    for place, value in enumerate(values):
        label = f"{name} {place + 1}".strip()
        if not isinstance(value, Mapping):
            yield ShownRow(label, _text(value))
            continue
        said = {_words(key): _text(part) for key, part in value.items()}
        number = value.get("number")
        of = next((said.pop(key) for key in _TEXTS if key in said), None)
        if of is None and texts is not None:
            at = number - 1 if isinstance(number, int) and 0 < number <= len(texts) else place
            of = texts[at]
        said.pop("number", None)
        more = "; ".join(f"{key}: {part}" for key, part in said.items())
        yield ShownRow(label, of, more) if of is not None else ShownRow(label, more)


def _words(name: object) -> str:
    return str(name).replace("_", " ")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    said = value if isinstance(value, str) else "none" if value is None else json.dumps(value, ensure_ascii=False)
    return said if len(said) <= _LONG else f"{said[:_LONG]}… ({len(said) - _LONG:,} more characters)"
