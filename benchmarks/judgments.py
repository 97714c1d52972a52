"""What judges and people said of predictions: one JSON object a line, in `judgments.jsonl` and in files made elsewhere.

    {"id": "…", "metric": "correct", "value": 1, "condition": "own", "repeat": 0, "candidate": null,
     "judge": {"kind": "human", "name": "Ann", "version": "2"}, "judge_repeat": 0, "reason": "…", "trace": {}}

Only `id`, `metric` and `value` are required. No two judgments share id, condition, repeat, metric, candidate, judge and
judge_repeat: several judges may lie in one file, and `chosen_judges` says whose verdicts are taken.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import OWN, SAID_TO_ABSTAIN, Key
from benchwright.benchmarks.records import BadLine, read_records

UNNAMED = "not named"
"""What a judge is called who is not named."""
STEP = "step:"
"""The beginning of the `candidate` of a verdict on a judge's step: the step's name and a hash follow."""
COMPUTED = "computed by rules"
"""What stands for the judge of a score that nobody judged."""
_WORDS = {
    **dict.fromkeys(("correct", "right", "yes", "true"), 1.0),
    **dict.fromkeys(("wrong", "incorrect", "no", "false", "abstained"), 0.0),
}
_KINDS = ("human", "model", "rule")
"""The kinds of judges, the one that is believed first first."""


def _value(value: object) -> object:
    if value is None or isinstance(value, bool) or (isinstance(value, str) and value.strip().lower() in _WORDS):
        return value
    if isinstance(value, int | float) and math.isfinite(value):
        return float(value)
    raise ValueError("no verdict")


@dataclass(frozen=True, slots=True)
class Judge:
    """Who judged."""

    kind: str | None = None
    """human, model or rule."""
    name: str | None = None
    version: str | None = None
    """Of a model, the first 12 hexadecimal digits of its prompts' SHA-256."""

    def __str__(self) -> str:
        return ":".join(part for part in (self.kind, self.name, self.version) if part) or UNNAMED


def _judge(value: object) -> object:
    if not isinstance(value, Mapping):
        return Judge() if value is None else value
    return Judge(*(str(value[name]) if value.get(name) else None for name in ("kind", "name", "version")))


def _or_default(default: object) -> Callable[[object], object]:
    return lambda value: default if value is None else value


def judge_name(judge: str) -> str:
    """A judge as scores name it, in words: `model:gpt-4o:0123456789ab` is gpt-4o, `human:Ann:2` is Ann (human)."""
    kind, _, rest = judge.partition(":")
    if kind not in _KINDS or not rest:
        return judge
    name = rest.rpartition(":")[0] or rest
    return name if kind == "model" else f"{name} ({kind})"


@dataclass(frozen=True, slots=True)
class Judgment:
    """What one judge said of one prediction by one metric."""

    id: str
    """The question's."""
    metric: str
    value: Annotated[float | str | bool | None, BeforeValidator(_value)]
    """As it was said: a number, a word such as "correct", or null."""
    condition: Annotated[str, BeforeValidator(_or_default(OWN))] = OWN
    repeat: Annotated[int, BeforeValidator(_or_default(0))] = 0
    candidate: str | None = None
    """Which of several answers to the question, where pairs are judged."""
    judge: Annotated[Judge, BeforeValidator(_judge)] = Judge()
    judge_repeat: Annotated[int, BeforeValidator(_or_default(0))] = 0
    reason: str | None = None
    trace: Annotated[Mapping[str, Any], BeforeValidator(_or_default({}))] = field(default_factory=dict)
    """The steps that it stands on: of a model, its replies word for word."""

    @property
    def prediction(self) -> Key:
        """The key of the prediction."""
        return self.id, self.condition, self.repeat

    @property
    def key(self) -> tuple[str | int | None, ...]:
        """What no two judgments share."""
        return (*self.prediction, self.metric, self.candidate, str(self.judge), self.judge_repeat)

    @property
    def score(self) -> float | None:
        """The value as a number."""
        if isinstance(self.value, str):
            return _WORDS[self.value.strip().lower()]
        return None if self.value is None else float(self.value)

    @property
    def is_of_step(self) -> bool:
        """Whether it is of a step of another judge, and not of an answer: right or wrong, on no metric's scale."""
        return self.candidate is not None and self.candidate.startswith(STEP)

    @property
    def is_without_reply(self) -> bool:
        """Whether there is no value, and a step of the model that judged has no reply that could be used."""
        steps = self.trace.get("steps")
        each_step = steps if isinstance(steps, list) else ()
        return self.value is None and any(isinstance(step, Mapping) and step.get("error") for step in each_step)

    @property
    def why(self) -> str | None:
        """The reason of the score."""
        if self.metric == "correct" and str(self.value).strip().lower() == "abstained":
            return SAID_TO_ABSTAIN
        return self.reason or ("the judge gave no value" if self.value is None else None)


@cache
def _adapter() -> TypeAdapter[Judgment]:
    return TypeAdapter(Judgment)


def read_judgments(
    path: Path, ids: Collection[str], where: str, is_metric: Callable[[str], bool], metrics: Sequence[str]
) -> list[Judgment]:
    """The judgments of a file, in its order.

    Args:
        path: the file.
        ids: the questions that may be judged.
        where: what the ids are of: for messages.
        is_metric: whether there is a metric of a name.
        metrics: the names that there are: for messages.

    Raises:
        BenchwrightError: a line is no judgment, or names an unknown question or metric, or judges what was judged.
    """
    found: dict[tuple[object, ...], Judgment] = {}
    unknown: dict[str, list[str]] = {"question": [], "metric": []}
    for place, judgment in judgments_in(path):
        if judgment.id not in ids:
            unknown["question"].append(f"{place}: no question {judgment.id!r} in {where}")
        elif not is_metric(judgment.metric):
            unknown["metric"].append(f"{place}: no metric {judgment.metric!r}")
        elif judgment.key in found:
            raise BenchwrightError(f"{place}: a second judgment of {judgment.metric} for {judgment.id!r}: keep one")
        else:
            found[judgment.key] = judgment
    for kind, problems in unknown.items():
        if problems:
            more = f" (and {len(problems) - 1:,} more lines like it)" if len(problems) > 1 else ""
            known = (
                f": there are {', '.join(metrics)}" if kind == "metric" else ": are they of another release or split?"
            )
            raise BenchwrightError(f"{problems[0]}{more}{known}")
    if not found:
        raise BenchwrightError(f"{path.name} holds no judgment: write one JSON object a line: id, metric and value")
    return list(found.values())


def judgments_in(path: Path) -> Iterator[tuple[str, Judgment]]:
    """The judgments of a file, each with its place: the file's name and the line.

    Raises:
        BenchwrightError: there is no such file, or a line is no judgment.
    """
    if not path.is_file():
        raise BenchwrightError(f"there is no file of judgments {path}: check the path")
    for number, judgment in read_records(path, lambda line: _adapter().validate_json(line, strict=True)):
        place = f"{path.name}, line {number}"
        if isinstance(judgment, BadLine):
            raise BenchwrightError(f"{place}: {_problem(judgment.error)}")
        yield place, judgment


def parse_judgment(line: bytes) -> Judgment | None:
    """The judgment of a line of a run's own file; None where it is none."""
    try:
        return _adapter().validate_json(line, strict=True)
    except ValidationError:
        return None


def stored_judgments(path: Path) -> Iterator[Judgment]:
    """The judgments of a run's own file, one at a time. Lines were checked when they came; what is none is left out."""
    for _, judgment in read_records(path, lambda line: _adapter().validate_json(line, strict=True)):
        if isinstance(judgment, Judgment):
            yield judgment


def _problem(error: BaseException | None) -> str:
    """What is wrong with a line."""
    if not isinstance(error, ValidationError):
        return "not JSON: the line may be cut off; write it anew or delete it"
    problem = error.errors(include_url=False)[0]
    name = str(problem["loc"][0]) if problem["loc"] else ""
    if problem["type"] == "json_invalid":
        return "not JSON: the line may be cut off; write it anew or delete it"
    if not name or problem["type"] == "missing" or (name in ("id", "metric") and problem["input"] is None):
        return "a judgment needs 'id', 'metric' and 'value'"
    if name == "value":
        shown = json.dumps(problem["input"])[:40]
        return f"'value' must be a number, null or one of {', '.join(_WORDS)}, and is {shown}"
    if name == "judge":
        return "'judge' must be an object with kind, name and version"
    return f"{name!r} must be {_SORTS.get(name, 'a text')}"


_SORTS = {"repeat": "a whole number", "judge_repeat": "a whole number", "trace": "an object"}


Verdicts = Mapping[Key, Mapping[str, Judgment]]
"""Key of a prediction → metric → the judgment that is taken."""


def chosen_judges(
    judgments: Sequence[Judgment],
    given: Collection[tuple[str, str]] = (),
    own: Collection[tuple[str, str]] = (),
    before: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, tuple[str, ...]]:
    """Whose verdicts are taken: metric → judges, the first one's before the next one's.

    It is one judge, but where several were given together, who may have divided the work. Of several, in this order:
    those that were given with `--judgments`; the judge of this run's client; those that were taken before; people, then
    models, then rules, then who is not named, of these the one with the most verdicts, else the first by name.

    Args:
        judgments: all that there are; those on steps count for nobody.
        given: metric and judge of what was given with `--judgments` just now.
        own: metric and judge of what this run's client judges.
        before: as this returned when the run was scored last.
    """
    judgments = [each for each in judgments if not each.is_of_step]
    counts = Counter((each.metric, str(each.judge)) for each in judgments)
    kinds = {str(each.judge): each.judge.kind for each in judgments}

    def place(pair: tuple[str, str]) -> tuple[int, int, str]:
        kind = kinds[pair[1]]
        return _KINDS.index(kind) if kind in _KINDS else len(_KINDS), -counts[pair], pair[1]

    chosen: dict[str, tuple[str, ...]] = {}
    for metric in dict.fromkeys(each.metric for each in judgments):
        there = [judge for name, judge in sorted(counts, key=place) if name == metric]
        taken = (before or {}).get(metric, ())
        chosen[metric] = (
            tuple(judge for judge in there if (metric, judge) in given)
            or tuple(judge for judge in there if (metric, judge) in own)
            or tuple(judge for judge in there if judge in taken)
            or (there[0],)
        )
    return chosen


def verdicts_of(judgments: Iterable[Judgment], chosen: Mapping[str, Sequence[str]]) -> Verdicts:
    """The judgments of the chosen judges, the first of each for a metric and prediction; without candidates'."""
    ranked = [
        (chosen[each.metric].index(str(each.judge)), each.judge_repeat, place, each)
        for place, each in enumerate(judgments)
        if each.candidate is None and str(each.judge) in chosen.get(each.metric, ())
    ]
    found: dict[Key, dict[str, Judgment]] = {}
    for _, _, _, judgment in sorted(ranked, key=lambda each: each[:3]):
        found.setdefault(judgment.prediction, {}).setdefault(judgment.metric, judgment)
    return found


def judgment_line(judgment: Judgment) -> dict[str, Any]:
    """A judgment as the object of its line, without the fields that say nothing."""
    judge = {name: value for name in ("kind", "name", "version") if (value := getattr(judgment.judge, name))}
    line = {
        "id": judgment.id,
        "metric": judgment.metric,
        "condition": judgment.condition,
        "repeat": judgment.repeat,
        "candidate": judgment.candidate,
        "judge": judge or None,
        "judge_repeat": judgment.judge_repeat or None,
        "value": judgment.value,
        "reason": judgment.reason,
        "trace": dict(judgment.trace) or None,
    }
    return {name: value for name, value in line.items() if value is not None or name == "value"}
