"""Blocks as Markdown, for a comment or a file. Every text is escaped; what is only a picture is said in words."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from benchwright.benchmarks.reports.blocks import (
    AnswerList,
    Block,
    Chart,
    Definitions,
    Details,
    Figure,
    Finding,
    Inline,
    Listing,
    Section,
    SideBySide,
    Span,
    Table,
    Text,
)
from benchwright.benchmarks.reports.format import count, percent
from benchwright.cards.blocks.foreign_text import readable
from benchwright.cards.blocks.markdown_text import code, entities, escape, fenced
from benchwright.cards.blocks.spans import figure_note, figure_value, finding_said, plain, spans, written_table

_CELL = 300
"""Characters of a text in a table."""
_TEXTS = {
    "body": "{}",
    "soft": "{}",
    "small": "{}",
    "heading": "### {}",
    "notice": "> {}",
    "missing": "*{}*",
}


def draw_section(section: Section) -> str:
    """A section under its heading."""
    return f"## {escape(section.title)}\n\n{draw(section.blocks)}"


def draw(blocks: Iterable[Block]) -> str:
    """Blocks below each other, an empty line between them; ends with a line break."""
    return "".join(f"{drawn}\n\n" for block in blocks if (drawn := _DRAWN[type(block)](block))).rstrip("\n") + "\n"


def inline(text: Inline) -> str:
    """A text in a line; what styles begin and end with stays outside of them."""
    return "".join(_span(span) for span in spans(text))


def _span(span: Span) -> str:
    said = span.text.strip()
    if span.style == "key" or not said:
        return escape(span.text) if said else " " * bool(span.text)
    shown = code(said) if span.style == "code" else escape(said)
    if span.style in ("strong", "mark", "pill"):
        shown = f"**{shown}**"
    before, after = span.text[:1].isspace(), span.text[-1:].isspace() or span.style == "pill"
    return " " * before + shown + " " * after


def _text(block: Text) -> str:
    if block.role == "pre":
        return fenced(readable(plain(block.text)))
    shown = inline(block.text).strip()
    return _TEXTS[block.role].format(shown) if shown else ""


def _figure(block: Figure) -> str:
    note = inline(figure_note(block))
    return f"**{inline(block.name)}**: {figure_value(block)}" + (f" ({note})" if note else "")


def _table(block: Table) -> str:
    head, rows = written_table(block)
    aligned = [column for column in block.columns if not column.drawn]
    marks = ["---" if not place or column.align == "left" else "---:" for place, column in enumerate(aligned)]
    lines = [f"**{inline(block.caption).strip()}**", ""] if plain(block.caption) else []
    lines += [_line([inline(name) for name in head]), _line(marks)]
    return "\n".join([*lines, *(_line([_cell(cell) for cell in row]) for row in rows)])


def _cell(text: Inline) -> str:
    whole = plain(text)
    return inline(text) if len(whole) <= _CELL else escape(whole[: _CELL - 1] + "…")


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.strip() for cell in cells)} |"


def _chart(block: Chart) -> str:
    if block.style == "cells":
        return escape(block.label)
    total = sum(mark.value for mark in block.marks) or 1
    parts = (f"{mark.label} {count(mark.value)} ({percent(mark.value / total)})" for mark in block.marks)
    return escape(f"{block.label}: {', '.join(parts)}")


def _listing(block: Listing) -> str:
    return "\n".join(f"- {inline(item).strip()}" for item in block.items)


def _definitions(block: Definitions) -> str:
    return "\n".join(f"- **{inline(item.term).strip()}**: {inline(item.text).strip()}" for item in block.items)


def _details(block: Details) -> str:
    return f"<details><summary>{entities(plain(block.summary))}</summary>\n\n{draw(block.blocks)}\n</details>"


def _side_by_side(block: SideBySide) -> str:
    panels = ((inline(panel.title).strip(), draw(panel.blocks).strip()) for panel in block.panels)
    return "\n\n".join(f"**{title}**\n\n{drawn}" if title else drawn for title, drawn in panels)


def _finding(block: Finding) -> str:
    lines = [f"- {inline(finding_said(block))}", *(f"  - {inline(note).strip()}" for note in block.notes)]
    return "\n".join([*lines, *([f"  - **{inline(block.advice)}**"] if plain(block.advice) else [])])


def _answer_list(block: AnswerList) -> str:
    return f"All {count(block.total)} answers are in report.html."


_DRAWN: Mapping[type, Callable[[Any], str]] = {
    Text: _text,
    Figure: _figure,
    Table: _table,
    Chart: _chart,
    Listing: _listing,
    Definitions: _definitions,
    Details: _details,
    SideBySide: _side_by_side,
    Finding: _finding,
    AnswerList: _answer_list,
}
