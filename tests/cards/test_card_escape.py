"""Texts of others on a card: whatever they hold, they are shown as they are and break nothing."""

import html
import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from card_cases import LIGHTS
from huggingface_hub import DatasetCard
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from benchwright.benchmarks.catalogue import load_spec
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.types import Document, Question
from benchwright.cards.blocks.markdown_text import code, escape, fenced, one_line, table_cell
from benchwright.cards.dataset.card import render_card

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
HOSTILE = [
    "a\n---\nlicense: mit\n---\n# Mine",
    "x | y || z \\| w \\",
    "<script>alert(1)</script> <img src=x onerror=y> <!-- ",
    "`one` ``two`` ```three",
    "![see](http://x.example/y.png) [here](javascript:z) [a]: b",
    "*bold* **b** _it_ __u__ ~~gone~~ ~s~ snake_case 2*3*4",
    "&lt;b&gt; &amp; &#x41; AT&T",
    "{{ 7 * 7 }} {% raw %} $$x$$ : - 'q' \"q\"",
    "\u202egnp.exe \x00\x1b[31m \u2028 next\rline\ttab",
    "# title\n\n- item\n> quote\n1. one\n| a | b |\n|---|---|",
]
PLAIN = "harmless"
SAID = ("maintainer", "maintenance", "errata", "personal_data")
"""What a builder may be told for the card alone."""


def tokens(text: str) -> list[Token]:
    return MARKDOWN.parse(text)


def shown(token: Token) -> str:
    """What a reader sees of a line."""
    return "".join(
        html.unescape(part.content) if part.type == "text_special" else part.content
        for part in token.children or []
        if part.type in ("text", "code_inline", "text_special")
    )


def cells(text: str) -> list[str]:
    found = tokens(text)
    return [shown(found[place + 1]) for place, token in enumerate(found) if token.type == "td_open"]


@given(st.text(max_size=80))
@example("\\|").via("a bar after a backslash")
@example("a_ _b").via("underscores at the ends of words")
@example("<a").via("half a tag")
def test_any_text_stays_one_cell(text: str) -> None:
    line = one_line(text)
    assert cells(f"| a | b |\n|---|---|\n| {table_cell(text)} | end |") == [line, "end"]


@given(st.text(max_size=80))
def test_any_text_is_shown_as_it_is_in_a_line(text: str) -> None:
    (inline,) = [token for token in tokens(f"It says: {escape(text)} (end)") if token.type == "inline"]
    assert shown(inline) == f"It says: {one_line(text)} (end)"


@given(st.text(max_size=80))
def test_any_text_is_shown_as_code(text: str) -> None:
    found = cells(f"| a | b |\n|---|---|\n| {code(text)} | end |")
    assert found == [one_line(text) or "(empty)", "end"]


@pytest.mark.parametrize("text", ["a", "```\nx\n```", "````", "```` ```", ""])
def test_any_text_stays_in_its_block(text: str) -> None:
    (fence,) = tokens(fenced(text, "bibtex"))
    assert (fence.type, fence.content.strip()) == ("fence", text.strip())


def test_cells_stay_cells() -> None:
    assert table_cell("a|b\n<script> \\ c") == "a\\|b &lt;script&gt; \\\\ c"
    assert table_cell("x" * 300) == "x" * 199 + "…"
    assert table_cell("snake_case costs $1.2 million & more") == "snake_case costs $1.2 million & more"
    assert code("sqlite:///a_b.sqlite") == "`sqlite:///a_b.sqlite`"
    assert code("a|b") == "<code>a&#124;b</code>"


def card_with(folder: Path, bad: str) -> str:
    """The card of a release that says `bad` wherever somebody else's text may be."""
    folder.mkdir(parents=True)
    writer = ReleaseWriter(folder)
    writer.documents([Document("d1", bad, bad)])
    writer.questions(
        [Question("q1", bad, (bad, bad), ((), ()), "set", "answerable", group="g", form=bad, template=bad, entity=bad)]
    )
    writer.checks = {bad: {bad: 1}, "fillings_left_out": {bad: 2}, "text_templates_by_model": 3}
    writer.sources = [{"uri": bad, "revision": bad, "sha256": bad, "licence": bad, "rows_shipped": bad}]
    writer.models = [{"role": "writer", "name": bad, "prompt": bad, "prompt_sha256": bad}]
    facts = {
        "builder": "lights",
        "builder_version": bad,
        "seed": 0,
        "canary": bad,
        "parameters": {bad: bad, **dict.fromkeys(SAID, bad)},
    }
    manifest = replace(writer.finish(name="lights", version="1.0.0", **facts), content_hash="0" * 64)
    spec = replace(LIGHTS, tags=(bad,), title=bad, checks=load_spec("grammar").checks)
    spec = replace(spec, parameters={name: load_spec("grammar").parameters[name] for name in SAID})
    return render_card(manifest, spec, Release(folder, manifest).folder)


@pytest.mark.parametrize("bad", HOSTILE)
def test_a_hostile_text_changes_no_page(bad: str, tmp_path: Path) -> None:
    card, plain = card_with(tmp_path / "a", bad), card_with(tmp_path / "b", PLAIN)
    data, harmless = (DatasetCard(text).data.to_dict() for text in (card, plain))
    assert list(data) == list(harmless)
    assert (data["license"], data["pretty_name"]) == ("cc0-1.0", one_line(bad))
    assert data["tags"] == ["benchwright", "benchmark", one_line(bad)]
    assert data["configs"][0]["data_files"] == [{"split": "test", "path": "questions/test-*.parquet"}]
    assert card.count("\n---\n") == plain.count("\n---\n") == 1
    assert yaml.safe_load(card.split("\n---\n")[0].removeprefix("---\n")) == data
    pages = [tokens(text.split("\n---\n", 1)[1]) for text in (card, plain)]
    assert [(one.type, one.tag) for one in pages[0]] == [(one.type, one.tag) for one in pages[1]]
    allowed = {"text", "text_special", "softbreak", "code_inline", "strong_open", "strong_close", "em_open", "em_close"}
    for one, other in zip(*pages, strict=True):
        strong = [
            [part.type for part in token.children or [] if part.type[:2] in ("em", "st")] for token in (one, other)
        ]
        assert strong[0] == strong[1], one.content
        for part in one.children or []:
            assert part.type in allowed or part.content in ("<code>", "</code>"), part
        expected = shown(other).replace(PLAIN, one_line(bad))
        # spaces apart: names of checks are shown with spaces, and a list of answers has them between its elements
        assert re.sub(r"[\s_]", "", shown(one)) == re.sub(r"[\s_]", "", expected)
    assert not re.search("[\x00-\x08\u202a-\u202e]", card)
