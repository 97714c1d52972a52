"""Blocks as HTML. Every text is escaped; styles are classes of `templates/report.css`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup, escape

from benchwright.benchmarks.reports.blocks import (
    AnswerList,
    Block,
    Cell,
    Chart,
    Column,
    Definitions,
    Details,
    Facet,
    Figure,
    Finding,
    Inline,
    Interval,
    Link,
    Listing,
    Panel,
    Range,
    SideBySide,
    Span,
    Table,
    Text,
)
from benchwright.benchmarks.reports.format import count, percent
from benchwright.cards.blocks.foreign_text import readable
from benchwright.cards.blocks.spans import figure_note, figure_value, finding_share, parts, plain

ANSWERS = "questions"
"""What links to the AnswerList begin with; a page has one."""
_LONG = 60
"""Characters from which on a row's heading is a text rather than a name."""
_WRAPPED = {
    "plain": Markup("{}"),
    "strong": Markup("<strong>{}</strong>"),
    "soft": Markup('<span class="soft">{}</span>'),
    "code": Markup("<code>{}</code>"),
    "mark": Markup("<mark>{}</mark>"),
}
_TEXTS = {
    "body": Markup("<p>{}</p>\n"),
    "soft": Markup('<p class="soft">{}</p>\n'),
    "small": Markup('<p class="small soft">{}</p>\n'),
    "heading": Markup("<h3>{}</h3>\n"),
    "notice": Markup('<div class="notice" role="note"><p>{}</p></div>\n'),
    "missing": Markup('<p class="unavailable">{}</p>\n'),
    "pre": Markup("<pre><code>{}</code></pre>\n"),
}


_HIGHEST = 7
"""Of a chart's columns, in em."""


def draw(blocks: Iterable[Block]) -> Markup:
    """Blocks below each other; figures that follow each other stand beside each other, and so do findings."""
    found = []
    for row, members in groupby(blocks, key=lambda block: _ROWS.get(type(block))):
        drawn = Markup("").join(_DRAWN[type(block)](block) for block in members)
        found.append(Markup('<div class="{}">\n{}</div>\n').format(row, drawn) if row else drawn)
    return Markup("").join(found)


def inline(text: Inline) -> Markup:
    """A text in a line. What others wrote is set apart, so that its direction of writing is its own."""
    found = []
    for is_foreign, members in groupby(parts(text), key=lambda part: isinstance(part, Span) and part.foreign):
        drawn = Markup("").join(_link(part) if isinstance(part, Link) else _span(part) for part in members)
        found.append(Markup("<bdi>{}</bdi>").format(drawn) if is_foreign else drawn)
    return Markup("").join(found)


def _span(span: Span) -> Markup:
    text = escape(readable(span.text))
    if span.style == "pill":
        return Markup('<span class="pill {}">{}</span>').format(span.tone or "quiet", text)
    if span.style == "key":
        return Markup('<span class="key {}"></span>{}').format(span.tone or "quiet", text)
    return _WRAPPED[span.style].format(text) if span.text else Markup("")


def _link(link: Link) -> Markup:
    """A way to some answers: `templates/report.js` reads what follows the place's name."""
    filters = urlencode([(key, readable(value)) for key, value in link.filters])
    return Markup('<a href="#{}?{}">{}</a>').format(ANSWERS, filters, readable(link.text))


def _text(block: Text) -> Markup:
    return _TEXTS[block.role].format(inline(block.text))


def _figure(block: Figure) -> Markup:
    return Markup(
        '<div class="figure{}"><p class="name">{}</p><p class="value">{}</p>{}<p class="note">{}</p></div>\n'
    ).format(
        " lead" if block.lead else "",
        inline(block.name),
        figure_value(block),
        _interval(Interval(block.value, block.low, block.high, block.range, block.tone)),
        inline(figure_note(block)),
    )


def _interval(cell: Interval) -> Markup:
    """A value and its interval on a scale; nothing where there is no interval."""
    if cell.value is None or cell.low is None or cell.high is None:
        return Markup("")
    low, high, value = (_position(each, cell.range) for each in (cell.low, cell.high, cell.value))
    span = Markup('<i style="left:{:.2f}%;width:{:.2f}%"></i>').format(low, high - low)
    mark = Markup('<b style="left:{:.2f}%"></b>').format(value)
    at = "" if cell.reference is None else f"{_position(cell.reference, cell.range):.2f}"
    line = Markup('<u style="left:{}%"></u>').format(at) if at else ""
    return Markup('<span class="iv {}" aria-hidden="true">{}{}{}</span>').format(cell.tone, line, span, mark)


def _position(value: float, scale: Range) -> float:
    """Where a value lies on its scale, from 0 to 100."""
    low, high = scale
    return 100 * max(0.0, min(1.0, (value - low) / (high - low))) if high > low else 0.0


def _table(block: Table) -> Markup:
    caption = Markup("<caption><span>{}</span></caption>").format(inline(block.caption)) if plain(block.caption) else ""
    head = Markup("").join(
        Markup('<th scope="col"{}>{}</th>').format(_class(_column(column)), inline(column.name))
        for column in block.columns
    )
    rows = Markup("").join(Markup("<tr>{}</tr>\n").format(_row(row, block.columns)) for row in block.rows)
    return Markup(
        '<div class="scroll" role="region" aria-label="{}" tabindex="0">'
        '<table class="{}">{}\n<thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div>\n'
    ).format(readable(plain(block.caption) or "Table"), block.width, caption, head, rows)


def _class(name: str) -> Markup:
    return Markup(' class="{}"').format(name) if name else Markup("")


def _column(column: Column) -> str:
    return "bars" if column.drawn else "text" if column.align == "left" else ""


def _row(row: Sequence[Cell], columns: Sequence[Column]) -> Markup:
    found = []
    for place, (cell, column) in enumerate(zip(row, columns, strict=False)):
        spanned = len(columns) - place if place == len(row) - 1 else 1
        if isinstance(cell, Interval):
            found.append(Markup("<td{}>{}</td>").format(_class(_column(column)), _interval(cell)))
        elif not place:
            long = _class("long" if len(plain(cell)) > _LONG else "")
            found.append(Markup('<th scope="row"{}>{}</th>').format(long, inline(cell)))
        elif spanned > 1:
            found.append(Markup('<td class="text small" colspan="{}">{}</td>').format(spanned, inline(cell)))
        else:
            is_figure = isinstance(cell, str) and column.align == "right"
            found.append(
                Markup("<td{}>{}</td>").format(_class("nowrap" if is_figure else _column(column)), inline(cell))
            )
    return Markup("").join(found)


def _chart(block: Chart) -> Markup:
    if block.style == "cells":
        cells = Markup("").join(
            Markup('<span class="cell {}" title="{}"></span>').format(mark.tone, readable(mark.label)) * mark.value
            for mark in block.marks
        )
        return Markup('<div class="cells" role="img" aria-label="{}">{}</div>\n').format(readable(block.label), cells)
    if block.style == "columns":
        return _columns(block)
    total = sum(mark.value for mark in block.marks) or 1
    said = ", ".join(f"{count(mark.value)} {readable(mark.label)}" for mark in block.marks)
    parts = Markup("").join(
        Markup('<span class="{}" style="width:{:.3f}%"></span>').format(mark.tone, 100 * mark.value / total)
        for mark in block.marks
    )
    items = Markup("").join(
        Markup('<li><span class="key {}"></span>{} {} <span class="soft">({})</span></li>\n').format(
            mark.tone, readable(mark.label), count(mark.value), percent(mark.value / total)
        )
        for mark in block.marks
    )
    return Markup(
        '<div class="bar" role="img" aria-label="{}: {}">{}</div>\n<ul class="legend shares">\n{}</ul>\n'
    ).format(readable(block.label), said, parts, items)


def _columns(block: Chart) -> Markup:
    """A column for each mark, its count above and its label below."""
    highest = max((mark.value for mark in block.marks), default=0) or 1
    said = ", ".join(f"{readable(mark.label)}: {count(mark.value)}" for mark in block.marks)
    drawn = Markup("").join(
        Markup('<li><span class="soft">{}</span><span class="{}" style="height:{:.2f}em"></span>{}</li>\n').format(
            count(mark.value), mark.tone, _HIGHEST * mark.value / highest, readable(mark.label)
        )
        for mark in block.marks
    )
    return Markup('<ul class="columns" role="img" aria-label="{}. {}">\n{}</ul>\n').format(
        readable(block.label), said, drawn
    )


def _listing(block: Listing) -> Markup:
    items = Markup("").join(Markup("<li>{}</li>\n").format(inline(item)) for item in block.items)
    return Markup("<ul{}>\n{}</ul>\n").format(_class("legend" if block.style == "legend" else ""), items)


def _definitions(block: Definitions) -> Markup:
    items = Markup("").join(
        Markup("<dt>{}</dt><dd>{}</dd>\n").format(inline(item.term), inline(item.text)) for item in block.items
    )
    return Markup("<dl>\n{}</dl>\n").format(items)


def _details(block: Details) -> Markup:
    return Markup('<details{}><summary>{}</summary><div class="inside">\n{}</div></details>\n').format(
        Markup(" open") if block.is_open else "", inline(block.summary), draw(block.blocks)
    )


def _side_by_side(block: SideBySide) -> Markup:
    panels = Markup("").join(_panel(panel) for panel in block.panels)
    return Markup('<div class="beside of{}">\n{}</div>\n').format(len(block.panels), panels)


def _panel(panel: Panel) -> Markup:
    title = Markup("<h3>{}</h3>").format(inline(panel.title)) if plain(panel.title) else ""
    return Markup("<div>{}{}</div>\n").format(title, draw(panel.blocks))


def _finding(block: Finding) -> Markup:
    drawn = _interval(Interval(block.share, block.low, block.high, (0.0, 1.0), block.tone))
    notes = Markup("").join(Markup("<li>{}</li>\n").format(inline(note)) for note in block.notes)
    return Markup(
        '<div class="finding"><p class="said"><strong>{} of {}</strong> {} {}.</p>\n'
        '{}<p class="note">{}</p>\n{}{}{}</div>\n'
    ).format(
        count(block.count),
        count(block.total),
        readable(block.of),
        inline(block.text),
        drawn,
        finding_share(block),
        Markup('<p class="advice">{}</p>\n').format(inline(block.advice)) if plain(block.advice) else "",
        Markup('<ul class="small">\n{}</ul>\n').format(notes) if notes else "",
        Markup('<p class="way">{}</p>\n').format(inline(block.link)) if block.link is not None else "",
    )


def _answer_list(block: AnswerList) -> Markup:
    """The list's frame. `cards/report/answer_data.py` brings the rows, and `templates/report.js` draws them."""
    facets = Markup("").join(_facet(facet) for facet in block.facets)
    return Markup(
        '<noscript><p class="unavailable">The list needs JavaScript. The other sections do not; every answer stands in '
        "predictions.jsonl.</p></noscript>\n"
        '<div class="answers" data-total="{}" hidden>\n<div class="filters" role="search" aria-label="Questions">\n'
        '<label class="wide">Search in question, answer, gold answer and id <input type="search" name="text" '
        'autocomplete="off" spellcheck="false"></label>\n{}'
        '<label>Gold document <input type="search" name="document" autocomplete="off" spellcheck="false"></label>\n'
        '<button type="button" class="clear">Clear</button></div>\n'
        '<p class="status" role="status"></p>\n<div class="rows"></div>\n'
        '<p class="pager"><button type="button" class="back">Previous</button> <button type="button" class="on">Next'
        '</button> <span class="soft small page"></span></p>\n</div>\n'
    ).format(block.total, facets)


def _facet(facet: Facet) -> Markup:
    options = Markup("").join(
        Markup('<option value="{}">{} ({})</option>').format(
            readable(value.value), readable(value.label or value.value), count(value.count)
        )
        for value in facet.values
    )
    others = Markup("<option>others ({})</option>").format(count(facet.others)) if facet.others else ""
    return Markup('<label>{} <select name="{}"><option value="">all</option>{}{}</select></label>\n').format(
        readable(facet.label), readable(facet.key), options, others
    )


_ROWS: Mapping[type, str] = {Figure: "figures", Finding: "findings"}
"""Blocks that stand beside each other where they follow each other, with the class of their row."""
_DRAWN: Mapping[type, Callable[[Any], Markup]] = {
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
