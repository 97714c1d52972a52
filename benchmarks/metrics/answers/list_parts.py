"""The parts of an answer that lists things: items of bullets, columns of tables, JSON, and the prose beside them."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

LONGEST = 400_000
"""Characters of an answer that are read."""
MOST = 5_000
"""Items of an answer that are read."""
_FENCE = re.compile(r"^[ \t]*```[^\n]*$", re.MULTILINE)
_BULLET = re.compile(r"(?P<indent>[ \t]*)(?:[-*+•–·]|\(?(?:\d{1,4}|[a-z])[.)])[ \t]+(?P<text>\S.*)")
_RULE = re.compile(r"\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?")
_REFUSING = re.compile(
    r"\b(?:not|none|never|neither|except|excluding|excluded|without|no longer|other than|unlike)\b|n't\b", re.IGNORECASE
)
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of a table."""

    columns: tuple[tuple[str, ...], ...]
    """Each its cells that hold anything."""
    may_have_head: bool
    """Nothing tells whether the first row is its head; else there is none among the cells."""


@dataclass(frozen=True, slots=True)
class ListParts:
    """What an answer is made of."""

    prose: tuple[str, ...]
    """Stretches of running text."""
    items: tuple[str, ...]
    """Each bullet and each text of a JSON list."""
    tables: tuple[Table, ...]


def list_parts(answer: str) -> ListParts:
    """An answer in parts. A list that a line before it says not to be the answer ("Not among them:") is left out."""
    text = _FENCE.sub("", answer[:LONGEST]).strip()
    found = _of_json(text)
    return found if found is not None else _of_lines(text.splitlines())


def is_refusing(text: str) -> bool:
    """Whether a text has a word that denies something."""
    return _REFUSING.search(text) is not None


def _of_json(text: str) -> ListParts | None:
    """The parts of a text that is JSON, but perhaps for a sentence before it; None where it is none."""
    starts = [place for place in (text.find("["), text.find("{")) if place >= 0]
    if not starts or text[-1:] not in ("]", "}"):
        return None
    first = min(starts)
    try:
        value = json.loads(text[first:])
    except (ValueError, RecursionError):
        return None
    prose, items, tables = list[str](), list[str](), list[Table]()
    _walk(value, prose, items, tables, 0)
    return ListParts(tuple(prose), tuple(items[:MOST]), tuple(tables))


def _walk(value: Any, prose: list[str], items: list[str], tables: list[Table], depth: int) -> None:
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        parts = _of_lines(value.splitlines())
        prose += parts.prose
        items += parts.items
        tables += parts.tables
    elif isinstance(value, dict):
        flags = [str(key) for key, flag in value.items() if flag is True]
        if flags and all(isinstance(flag, bool) for flag in value.values()):
            items += flags
            return
        for entry in value.values():
            _walk(entry, prose, items, tables, depth + 1)
    elif isinstance(value, list):
        rows = [entry for entry in value if isinstance(entry, dict)]
        if rows:
            names = dict.fromkeys(name for row in rows for name in row)
            columns = [tuple(_scalar(row[name]) for row in rows[:MOST] if _scalar(row.get(name))) for name in names]
            tables.append(Table(tuple(column for column in columns if column), False))
        for entry in value:
            if isinstance(entry, list):
                _walk(entry, prose, items, tables, depth + 1)
            elif _scalar(entry):
                items.append(_scalar(entry))
    elif _scalar(value):
        prose.append(_scalar(value))


def _scalar(value: Any) -> str:
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _of_lines(lines: Sequence[str]) -> ListParts:
    prose, items, tables = list[str](), list[str](), list[Table]()
    heading = ""
    for kind, block in _blocks(lines):
        if kind == "prose":
            prose.append("\n".join(block))
            last = next((line for line in reversed(block) if line.strip()), "")
            heading = last if last.rstrip(" *_").endswith(":") else ""
            continue
        if not (heading and is_refusing(heading)):
            if kind == "table":
                tables.append(_table(block))
            else:
                items += block[: MOST - len(items)]
        heading = ""
    return ListParts(tuple(part for part in prose if part.strip()), tuple(items), tuple(tables))


def _blocks(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Lines of one sort together: prose, bullets (their texts), rows of a table."""
    kind, block, indent = "prose", list[str](), 0
    for line in lines:
        if not line.strip() and kind != "prose":
            continue
        cells = "\t" in line.strip() or line.strip().count("|") > 1 or (kind == "table" and "|" in line)
        bullet = None if cells else _BULLET.match(line)
        now = "table" if cells else "bullets" if bullet else "prose"
        if now == "prose" and kind == "bullets" and line[:1] in (" ", "\t"):
            continue  # a bullet's next line tells of it
        if now != kind:
            if block:
                yield kind, block
            kind, block = now, []
            indent = len(bullet["indent"].expandtabs()) if bullet else 0
        if bullet is None:
            block.append(line)
        elif len(bullet["indent"].expandtabs()) <= indent + 1:
            block.append(bullet["text"])
    if block:
        yield kind, block


def _table(rows: Sequence[str]) -> Table:
    """A table, without its head where a rule below it says that it has one."""
    has_rule = any(_RULE.fullmatch(row.strip()) for row in rows[:3])
    cells = [_cells(row) for row in rows[: MOST + 2] if not _RULE.fullmatch(row.strip())]
    body = cells[1:] if has_rule else cells
    width = max(map(len, body), default=0)
    columns = (tuple(row[place] for row in body if len(row) > place and row[place]) for place in range(width))
    return Table(tuple(column for column in columns if column), not has_rule)


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in (row.split("\t") if "\t" in row.strip() else row.strip().strip("|").split("|"))]
