"""Every kind of block as HTML, Markdown and in a terminal: what it says, and that hostile texts stay texts."""

import re
from html.parser import HTMLParser
from io import StringIO

import pytest
from rich.console import Console

from benchwright.benchmarks.reports.blocks import (
    AnswerList,
    Block,
    Chart,
    Column,
    Definition,
    Definitions,
    Details,
    Facet,
    FacetValue,
    Figure,
    Finding,
    Interval,
    Link,
    Listing,
    Mark,
    Panel,
    SideBySide,
    Span,
    Table,
    Text,
    foreign,
    soft,
    strong,
)
from benchwright.cards.blocks import html, markdown, terminal

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7*7 }}|`](javascript:x)\x1b[31m\u202e"


def blocks_of(text: str) -> dict[str, Block]:
    """Every kind of block, with a text wherever it may have one."""
    styled = (text, Span(text, "pill", "bad"), Span(text, "key", "good"), strong(text), soft(text), foreign(text))
    cells = ((text, foreign(text), Interval(0.5, 0.4, 0.6)), (styled, text))
    table = Table(styled, (Column(text), Column(foreign(text), "left"), Column(text, drawn=True)), cells)
    return {
        **{f"text {role}": Text(styled, role) for role in ("body", "soft", "small", "heading", "notice", "missing")},
        "text pre": Text((Span(text, "code"), Span(text, "mark", foreign=True)), "pre"),
        "figure": Figure(styled, 0.25, 0.1, 0.5, 3, 4, styled),
        "table": table,
        "shares": Chart("shares", text, (Mark(text, "good", 3), Mark(text, "bad", 1))),
        "cells": Chart("cells", text, (Mark(text, "mixed", 3),)),
        "listing": Listing((styled, text)),
        "legend": Listing((styled,), "legend"),
        "definitions": Definitions((Definition(text, styled),)),
        "details": Details(styled, (table, Text(text))),
        "link": Text((Link(text, (("cause", text), (text, "3"))), text)),
        "finding": Finding(3, 4, text, 0.75, styled, 0.5, 0.9, (styled, text), styled, Link(text, (("form", text),))),
        "answer list": AnswerList(4, (Facet(text, text, (FacetValue(text, 3, text), FacetValue(text, 1)), others=2),)),
        "side by side": SideBySide((Panel(text, (Text(text),)), Panel(styled, (table,)))),
    }


class Tags(HTMLParser):
    """The elements and attributes of a fragment."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(str(text))
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "input":
            self.open.append(tag)
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def in_terminal(*blocks: Block) -> str:
    console = Console(file=StringIO(), width=100)
    terminal.draw(console, blocks)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("name", blocks_of(""))
def test_hostile_texts_stay_texts(name: str) -> None:
    block = blocks_of(EVIL)[name]
    page = Tags(html.draw([block]))
    assert not page.tags & {"script", "img"} and not any(each.startswith("on") for each in page.attributes)
    written = markdown.draw([block])
    said = written if name != "text pre" else ""  # in a block of code nothing is markup
    assert not re.search(r"<script|<img|(?<!\\)\]\(javascript|(?<!\\)`", said)
    shown = in_terminal(block)
    if name != "cells":
        assert "<script>alert(1)</script>" in page.text
    for drawn in (html.draw([block]), written, shown):
        assert "\x1b" not in drawn and "\u202e" not in drawn, drawn


def test_a_figure() -> None:
    share = Figure("Correct", 0.5, 0.25, 0.75, 4, 5, "scored 4 of 5", lead=True)
    assert markdown.draw([share]) == "**Correct**: 50.0 % (25.0 to 75.0 · scored 4 of 5)\n"
    assert in_terminal(share) == "Correct: 50.0 % (25.0 to 75.0 · scored 4 of 5)\n"
    drawn = html.draw([share, Figure("Answers", 1234, range=(0, 2000)), Figure("Grade", 3.5, range=(1.0, 5.0))])
    assert drawn.count('class="figures"') == 1 and drawn.count('class="figure lead"') == 1
    assert '<i style="left:25.00%;width:50.00%"></i><b style="left:50.00%"></b>' in drawn
    assert re.findall('class="value">([^<]*)<', drawn) == ["50.0 %", "1,234", "3.50"]


def test_a_table() -> None:
    columns = (Column("form"), Column("correct"), Column("0 to 100 %", drawn=True), Column("why", "left"))
    rows = (("short", "50.0 %", Interval(0.5, 0.4, 0.6), soft("two | of four")), ("long", soft("not judged")))
    table = Table("By form", columns, rows)
    assert markdown.draw([table]).splitlines() == [
        "**By form**",
        "",
        "| form | correct | why |",
        "| --- | ---: | --- |",
        "| short | 50.0 % | two \\| of four |",
        "| long | not judged |  |",
    ]
    drawn = html.draw([table])
    assert '<td class="bars"><span class="iv good"' in drawn and '<td class="nowrap">50.0 %</td>' in drawn
    assert '<td class="text small" colspan="3"><span class="soft">not judged</span></td>' in drawn
    assert "bars" not in in_terminal(table) and "two | of four" in in_terminal(table)


def test_a_name_is_not_folded_within_a_word_where_other_columns_can_give_room() -> None:
    names = ("figure", "interrogative", "short", "success", "difference", "95 % interval", "p", "higher")
    row = ("accuracy, stratified, modular", "58.00 %", "61.00 %", "Yes", "+0.120", "-0.010 to 0.240", "0.012", names[1])
    shown = in_terminal(Table("", tuple(map(Column, names)), (row,))).splitlines()
    head = "figure        interrogative     short   success   difference      interval       p          higher"
    cells = "accuracy,           58.00 %   61.00 %       Yes       +0.120     -0.010 to   0.012   interrogative"
    assert (shown[2].strip(), shown[4].strip()) == (head, cells)


def test_a_finding() -> None:
    block = Finding(
        30,
        42,
        "lost answers",
        30 / 42,
        "had a part",
        0.5,
        0.9,
        ("note",),
        "Do this.",
        Link("Look", (("cause", "x y"),)),
    )
    said = "30 of 42 lost answers had a part (71.4 %, 95 % interval 50.0 to 90.0)."
    assert markdown.draw([block]) == f"- {said}\n  - note\n  - **Do this.**\n"
    drawn = html.draw([block, block])
    assert drawn.count('<div class="findings">') == 1 and drawn.count('<div class="finding">') == 2
    assert "<strong>30 of 42</strong> lost answers had a part." in drawn
    assert '<a href="#questions?cause=x+y">Look</a>' in drawn


def test_charts_are_said_in_words() -> None:
    chart = Chart("shares", "Outcomes", (Mark("correct", "good", 3), Mark("wrong", "bad", 1)))
    assert markdown.draw([chart]) == "Outcomes: correct 3 (75.0 %), wrong 1 (25.0 %)\n" == in_terminal(chart)
    assert 'aria-label="Outcomes: 3 correct, 1 wrong"' in html.draw([chart])
    cells = Chart("cells", "4 groups", (Mark("2 of 2 right", "good", 3), Mark("0 of 2 right", "bad", 1)))
    assert html.draw([cells]).count('class="cell good" title="2 of 2 right"') == 3
    assert in_terminal(cells) == "4 groups\n"


def test_what_others_wrote_keeps_its_direction_in_one_piece() -> None:
    drawn = html.inline(
        (foreign("before "), Span("mark", "mark", foreign=True), foreign(" after"), " by ", foreign("d1"))
    )
    assert drawn == "<bdi>before <mark>mark</mark> after</bdi> by <bdi>d1</bdi>"
