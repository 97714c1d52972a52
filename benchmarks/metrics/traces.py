"""The trace of a judgment as a person follows it: steps in order, what was asked, and what came out as lines and rows.

Any metric's trace is read, by what its outputs look like. A step derived by a metric (`tools.step`) is shown best as

    {"arithmetic": "3 of 4 statements supported = 0.75", "rows": [{"statement": "…", "verdict": "…", "reason": "…"}, …]}

where `arithmetic` says how the score came about, and each row is one thing that was judged.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from benchwright.benchmarks.judgments import Judgment

Kind = Literal["asked", "vectors", "derived", "failed"]
"""A prompt that a model was asked with, texts made into vectors, what the metric made of it, or a step that failed."""
ARITHMETIC, ROWS = "arithmetic", "rows"
_HEAD = 12
"""Hexadecimal digits of a prompt's SHA-256."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a judgment. Texts are as they came, of any length, and may be anybody's."""

    kind: Kind
    title: str
    """The prompt's name, or the step's."""
    prompt: str | None = None
    """The first 12 hexadecimal digits of the prompt's SHA-256, where a model was asked."""
    lines: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    """Each as long as `columns`: statements, sentences or questions with what was said of each."""
    arithmetic: str | None = None
    """How the score came about."""
    raw: str | None = None
    """The model's reply, word for word."""
    thinking: str | None = None
    error: str | None = None


def trace_of(judgment: Judgment) -> tuple[Step, ...]:
    """The steps of a judgment, in order; none where it has no trace."""
    return read_trace(judgment.trace)


def read_trace(trace: Mapping[str, Any]) -> tuple[Step, ...]:
    """The steps of a trace in order. What is no step of ours is shown as it stands.

    Verdicts that only say which statement they are of stand beside the statements of an earlier step, in their order.
    """
    steps = trace.get("steps")
    if not isinstance(steps, list):
        return (Step("derived", "trace", lines=tuple(_lines(trace))),) if trace else ()
    return tuple(_with_listed(steps))


def _step(record: Any) -> Step:
    if not isinstance(record, Mapping):
        return Step("derived", "step", lines=(_shown(record),))
    title, prompt = _text(record.get("step")) or "step", _text(record.get("prompt"))
    error, output = _text(record.get("error")), record.get("output")
    kind: Kind = "failed" if error else "asked" if prompt else "vectors" if title == "embed" else "derived"
    step = Step(
        kind,
        title,
        prompt[:_HEAD] if prompt else None,
        raw=_text(record.get("raw")),
        thinking=_text(record.get("thinking")),
        error=error,
    )
    if kind == "vectors" and isinstance(output, Mapping) and isinstance(output.get("shape"), list):
        return replace(step, lines=(f"{' × '.join(map(str, output['shape']))}: texts × numbers of a vector",))
    return step if output is None else _with_output(step, output)


def _with_output(step: Step, output: Any) -> Step:
    """A step with its output as lines and rows."""
    if isinstance(output, list):
        columns, rows = _table(step.title.rpartition(":")[2], output)
        return replace(step, columns=columns, rows=rows)
    if not isinstance(output, Mapping):
        return replace(step, lines=(_shown(output),))
    lists = {str(name): each for name, each in output.items() if isinstance(each, list)}
    rest = {str(name): each for name, each in output.items() if not isinstance(each, list)}
    arithmetic = rest.pop(ARITHMETIC, None)
    columns, rows = _tables(lists)
    shown = [f"{name}: none" for name, each in lists.items() if not each]
    if not rows:
        shown = [f"{name}: {_shown(each)}" for name, each in lists.items()]
    return replace(
        step,
        lines=(*_lines(rest), *shown),
        columns=columns,
        rows=rows,
        arithmetic=None if arithmetic is None else _shown(arithmetic),
    )


def _tables(lists: Mapping[str, list[Any]]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Lists as one table: those of one length side by side, of others one below the other with their names."""
    filled = {name: each for name, each in lists.items() if each}
    tables = {name: _table(name, each) for name, each in filled.items()}
    if not tables:
        return (), ()
    if len({len(rows) for _, rows in tables.values()}) == 1:
        columns = tuple(column for each, _ in tables.values() for column in each)
        parts = zip(*(rows for _, rows in tables.values()), strict=True)
        return columns, tuple(tuple(cell for row in parts_of_row for cell in row) for parts_of_row in parts)
    rows = [(name, "; ".join(row)) for name, (_, found) in tables.items() for row in found]
    return ("", "text"), tuple(rows)


def _table(name: str, values: Sequence[Any]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """A list as a table: of objects their fields, of anything else one column of its name.

    A first field that only numbers the objects is left out, and they are put in that order.
    """
    if values and all(isinstance(each, Mapping) for each in values):
        columns = tuple(dict.fromkeys(str(key) for each in values for key in each))
        first = columns[0] if columns else ""
        if len(columns) > 1 and _numbers([each.get(first) for each in values]):
            values, columns = sorted(values, key=lambda each: each[first]), columns[1:]
        rows = (tuple(_shown(each[column]) if column in each else "" for column in columns) for each in values)
        return columns, tuple(rows)
    return (name,), tuple((_shown(each),) for each in values)


def _numbers(values: Sequence[Any]) -> bool:
    """Whether values are 1, 2, 3 and so on, in whatever order."""
    return all(type(each) is int for each in values) and sorted(values) == list(range(1, len(values) + 1))


def _with_listed(records: Sequence[Any]) -> Iterator[Step]:
    """Steps, those with verdicts with the texts beside them that a step before listed.

    Where several list texts, as for the pieces of a long answer, the first verdicts are on the first of them and so on,
    if as many steps have verdicts, each on as many texts. Else what verdicts are on cannot be told: they stand alone.
    """
    steps = [_step(each) for each in records]
    asked = [place for place, each in enumerate(steps) if each.kind == "asked" and each.rows]
    lists = [place for place in asked if _lists_texts(records[place]["output"])]
    verdicts = [place for place in asked if place not in lists]
    fit = [len(steps[place].rows) for place in lists] == [len(steps[place].rows) for place in verdicts]
    for place, step in enumerate(steps):
        listed = None
        if place in verdicts and (fit or len(lists) == 1):
            listed = lists[verdicts.index(place) if fit else 0]
        yield step if listed is None or listed > place else _beside(step, steps[listed])


def _lists_texts(output: Any) -> bool:
    """Whether a reply is one list of texts."""
    lists = [output] if isinstance(output, list) else [each for each in output.values() if isinstance(each, list)]
    return len(lists) == 1 and all(isinstance(each, str) for each in lists[0])


def _beside(step: Step, listed: Step) -> Step:
    """A step whose rows are verdicts, with what they are on, if that is as much and does not stand there already."""
    if len(listed.columns) != 1 or len(listed.rows) != len(step.rows) or listed.columns[0] in step.columns:
        return step
    texts = zip(listed.rows, step.rows, strict=True)
    return replace(step, columns=(*listed.columns, *step.columns), rows=tuple((*text, *row) for text, row in texts))


def _lines(values: Mapping[str, Any]) -> list[str]:
    return [f"{name}: {_shown(each)}" for name, each in values.items() if each is not None]


def _shown(value: Any) -> str:
    """A value as text: a number as short as it is, an object as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return json.dumps(value, ensure_ascii=False)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
