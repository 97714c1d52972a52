"""What pages saved, one JSON object a line, checked against what was asked.

Of a run's answers a line is a judgment, of a release's pairs a label. Either has a `trace` that says what it is of:

    {"id": "…", "metric": "correct", "condition": "own", "repeat": 0, "value": 1, "reason": "a note",
     "judge": {"kind": "human", "name": "Ada"},
     "trace": {"sample": "sample-1", "work": "0123456789abcdef", "page": "sample-1-ada", "choice": "right"}}

A file that `--merge` wrote is read too: its lines hold in `said` what each person said. Labels may come from elsewhere:
lines without a `trace`, whose `choice` is `first`, `second`, `tie` or the name of the column that was chosen.
"""

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from benchwright.benchmarks.annotations.items import Item, Task, Work
from benchwright.benchmarks.annotations.tool_exports import is_tool_export, tool_labels
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.judgments import STEP, judgments_in
from benchwright.benchmarks.records import BadLine, problem_of, read_records
from benchwright.benchmarks.releases.pairs import choice_of

_KEPT = ("first", "is_blind", "wrong_rows")
"""Of a line's trace what is kept beside the verdict."""
_NOT_OURS = "it was not saved by a page of `annotate`: compare it with score-metric --human instead"


@dataclass(frozen=True, slots=True)
class Said:
    """What one person said to one task."""

    item: str
    task: str
    annotator: str
    choice: str
    note: str | None = None
    page: str = ""
    """Empty: it comes from elsewhere, and does not say which version it is of."""
    is_final: bool = False
    """It was said on a page that resolves what others were divided about."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """What the page says of it besides: the first choice, where that was another, and whether the judge was hidden."""

    @property
    def key(self) -> tuple[str, str]:
        """Item and task."""
        return self.item, self.task


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file, before it is known what it is of."""

    place: str
    key: tuple[Any, ...]
    """The fields that name its task."""
    metric: str
    annotator: str | None
    value: float | str | None
    note: str | None
    trace: Mapping[str, Any]

    @property
    def is_of_step(self) -> bool:
        """Whether it is of a judge's step."""
        return isinstance(self.key[-1], str) and self.key[-1].startswith(STEP)


@dataclass(frozen=True, slots=True)
class Export:
    """What one file says."""

    name: str
    said: tuple[Said, ...]
    lost_steps: int = 0
    """Verdicts on steps that the run's judgments no longer hold: they are left out."""
    repeated: int = 0
    """Verdicts that a line before says too: they count once."""


@dataclass(frozen=True)
class _Label:
    pair_id: str
    dimension: str
    choice: str | None
    annotator: str | None = None
    resolved: bool | None = None
    note: str | None = None
    trace: Mapping[str, Any] = field(default_factory=dict)


@cache
def _labels() -> TypeAdapter[_Label]:
    return TypeAdapter(_Label)


def judgment_lines(path: Path) -> list[Line]:
    """The lines of a file of judgments.

    Raises:
        BenchwrightError: a line is no judgment.
    """
    return [
        Line(
            place,
            (each.id, each.condition, each.repeat, each.metric, each.candidate),
            each.metric,
            each.judge.name,
            each.value,
            each.reason,
            each.trace,
        )
        for place, each in judgments_in(path)
    ]


def label_lines(path: Path) -> list[Line]:
    """The lines of a file of labels.

    Raises:
        BenchwrightError: there is no such file, or a line is no label.
    """
    if not path.is_file():
        raise BenchwrightError(f"there is no file {path}: check the path")
    if is_tool_export(path):
        return [_label_line(place, _labels().validate_python(values)) for place, values in tool_labels(path)]
    found = []
    for number, each in read_records(path, lambda line: _labels().validate_json(line, strict=True)):
        place = f"{path.name}, line {number}"
        if isinstance(each, BadLine):
            what = problem_of(each.error) if isinstance(each.error, ValidationError) else "not JSON"
            why = (
                "was it saved by a page of a release?"
                if what.endswith("field required")
                else "the line may be cut off: save the page's file again"
            )
            raise BenchwrightError(f"{place}: {what}; {why}")
        line = _label_line(place, each)
        found.append(line if each.trace else _from_elsewhere(line, each))
    if len({_has_page(line) for line in found}) > 1:
        odd = next(line for line in found if _has_page(line) != _has_page(found[0]))
        has = "has" if _has_page(odd) else "lacks"
        raise BenchwrightError(f"{odd.place} {has} the trace of a page, unlike the lines before it: {_EDITED}")
    return found


def _label_line(place: str, label: _Label) -> Line:
    key = (label.pair_id, label.dimension)
    return Line(place, key, label.dimension, label.annotator, label.choice, label.note, label.trace)


def _from_elsewhere(line: Line, label: _Label) -> Line:
    """A label that no page saved, as if one had: only its pair shows what it is of."""
    choice = choice_of(label.dimension, label.choice)
    if not (label.annotator or "").strip():
        raise BenchwrightError(f"{line.place}: no annotator: name who says this of {_shown(line.key)}")
    if choice is None:
        raise BenchwrightError(
            f"{line.place}: {str(label.choice)[:40]!r} is no choice for {_shown(line.key)}: write first, second or "
            "tie, or leave the line out"
        )
    trace = {"page": "", "choice": choice, **({"final": True} if label.resolved else {})}
    return replace(line, value=choice, trace=trace)


def _has_page(line: Line) -> bool:
    """Whether a page saved it, or an earlier merge."""
    return "work" in line.trace or line.trace.get("page") != ""


def line_key(work: Work, task: Task) -> tuple[Any, ...]:
    """The fields of a line that name a task."""
    if work.kind == "release":
        return task.line["pair_id"], task.line["dimension"]
    names = ("id", "condition", "repeat", "metric")
    return (*(task.line[name] for name in names), task.line.get("candidate"))


def read_export(name: str, lines: list[Line], work: Work) -> Export:
    """What a file says, checked.

    Args:
        name: of the file, for messages.
        lines: that it has.
        work: what was asked; it may be without texts.

    Raises:
        BenchwrightError: a line is of another run, sample or release, of what was not asked, or says what cannot be
            said; or one person says two things of one task.
    """
    tasks = {line_key(work, task): (item, task) for item in work.items for task in item.tasks}
    found: dict[tuple[str, str, str, bool], Said] = {}
    lost = repeated = 0
    for line in lines:
        if work.kind == "run" or _has_page(line):
            _refuse_other_work(line, work)
        known = tasks.get(line.key)
        if known is None:
            if not line.is_of_step:
                raise BenchwrightError(f"{line.place}: {_shown(line.key)} was not asked in {work.name}: {_EDITED}")
            lost += 1
            continue
        for said in _said(line, *known):
            key = (*said.key, said.annotator.casefold(), said.is_final)
            other = found.setdefault(key, said)
            repeated += other is not said
            if other.choice != said.choice:
                raise BenchwrightError(
                    f"{line.place}: {said.annotator} says {said.choice} of {_shown(line.key)}, and {other.choice} in "
                    "a line before it: keep one"
                )
    if not lines:
        raise BenchwrightError(f"{name} holds no verdict: save the page's file again once something is judged")
    return Export(name, tuple(found.values()), lost, repeated)


_EDITED = "was the page or its file edited?"


def _refuse_other_work(line: Line, work: Work) -> None:
    stamp = line.trace.get("work")
    if stamp is None:
        raise BenchwrightError(f"{line.place}: no trace.work: {_NOT_OURS}")
    if stamp != work.hash:
        named = line.trace.get("sample") or line.trace.get("release")
        of = str(named or "something else")[:80]
        its, ours = f"{of} ({str(stamp)[:16]})", f"{work.name} ({work.hash})"
        if work.kind == "run":
            ours = f"{work.name} of {work.title} ({work.hash})"
            raise BenchwrightError(f"{line.place}: this is of {its}, not of {ours}: is it of another run?")
        what = (
            "it was made with other content under the same version: name the release that the page was made of"
            if of == work.name
            else f"name the version that it is of, as {of.replace(' ', '@') if named else 'NAME@VERSION'}"
        )
        raise BenchwrightError(f"{line.place}: this is of {its}, not of {ours}: {what}")


def _said(line: Line, item: Item, task: Task) -> Iterator[Said]:
    """What people say in a line: one, or in a file that was merged several."""
    several = line.trace.get("said")
    if not isinstance(several, list):
        yield _one(line, item, task, line.annotator, line.trace, line.note)
        choice = task.choice(line.trace.get("choice"))
        if choice is not None and choice.value != line.value:
            raise BenchwrightError(
                f"{line.place}: it says {line.value!r} of {_shown(line.key)}, and that {choice.name} was chosen, which "
                f"is {choice.value!r}: {_EDITED}"
            )
        return
    for each in several:
        if not isinstance(each, Mapping):
            raise BenchwrightError(f"{line.place}: what people said in trace.said must be objects: {_EDITED}")
        yield _one(line, item, task, each.get("annotator"), each, each.get("note"))


def _one(line: Line, item: Item, task: Task, annotator: Any, trace: Mapping[str, Any], note: Any) -> Said:
    name = " ".join(unicodedata.normalize("NFC", str(annotator or "")).split())
    if not name:
        raise BenchwrightError(f"{line.place}: nobody is named who said it: {_EDITED}")
    choice = task.choice(trace.get("choice"))
    if choice is None:
        chosen, there = str(trace.get("choice"))[:40], ", ".join(each.name for each in task.choices)
        raise BenchwrightError(
            f"{line.place}: {chosen!r} was no choice for {_shown(line.key)}; there were {there}: {_EDITED}"
        )
    more = {key: trace[key] for key in _KEPT if key in trace}
    said_note = note if isinstance(note, str) and note.strip() else None
    return Said(
        item.id, task.id, name, choice.name, said_note, str(trace.get("page", "")), trace.get("final") is True, more
    )


def _shown(key: tuple[Any, ...]) -> str:
    return " ".join(str(part) for part in key if part is not None)[:160]


READERS: Mapping[str, Callable[[Path], list[Line]]] = {"run": judgment_lines, "release": label_lines}
"""Kind of work → what reads its files."""
