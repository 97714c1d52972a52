"""The page of a leaderboard: self-contained, and harmless whatever texts it is given."""

import base64
import hashlib
import json
import re
from dataclasses import replace

import pytest
from test_report_html import Page

from benchwright.benchmarks.leaderboards.verdict import Figure
from benchwright.cards.leaderboard.card import render_board_card
from benchwright.cards.leaderboard.page import render_page
from benchwright.scripts.maintain.table_library import PACKAGES
from benchwright.scripts.measure.made_standings import made_standings


@pytest.fixture(scope="module")
def html() -> str:
    return render_page(*made_standings(24), endpoint="https://huggingface.co/")


def hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_page_asks_for_nothing_elsewhere_and_runs_its_own_script_alone(html: str) -> None:
    page = Page(html)
    policy = dict(each.strip().split(" ", 1) for each in (page.all("meta")[2]["content"] or "").split(";"))
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.S)
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.S)
    assert policy == {
        "default-src": "'none'",
        "script-src": hashed(script),
        "style-src": hashed(style),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert "\r" not in html and page.all("link") == page.all("img") == page.all("iframe") == []
    assert [each for _, attributes in page.found for each in attributes if each in ("src", "style", "srcset")] == []
    assert "eval(" not in script and "Function(" not in script and "innerHTML" not in script
    assert all((each["href"] or "").startswith("#") for each in page.all("a"))


def test_it_says_where_publishing_was_tried(html: str) -> None:
    assert "Publishing was tried on the test Hub that benchwright ships, not on huggingface.co." in html
    card = render_board_card(made_standings(3, older=0)[0], "https://huggingface.co")
    assert "Its way of publishing and verifying was tried on the test Hub that comes with it." in card


def test_a_page_of_500_systems_has_less_than_3_megabytes() -> None:
    assert len(render_page(*made_standings(500, older=0)).encode()) < 3_000_000


def test_the_table_library_is_named_with_version_and_licence(html: str) -> None:
    for package, version in PACKAGES.items():
        assert f"/*! {package} {version}\n\nMIT License\n" in html


def test_the_card_marks_what_the_judge_of_its_table_found() -> None:
    standings, _ = made_standings(3, older=0)
    table = standings.tables[0]
    figures = {
        "correct": Figure(0.5, None, None, 9, 9, "verified"),
        "correct model:m:v1": Figure(0.5, None, None, 9, 9, "claimed", judge="model:m:v1"),
    }
    one = replace(table.standings[0], figures=figures)
    tables = (replace(table, judge="model:m:v1", standings=(one,), separated=((),)),)
    card = render_board_card(replace(standings, tables=tables), "https://huggingface.co")
    (row,) = [line for line in card.splitlines() if one.system.name in line]
    assert row.split(" | ")[-1].startswith("claimed")


def test_the_data_of_the_page_are_the_standings(html: str) -> None:
    standings, _ = made_standings(24)
    (text,) = re.findall(r'<script type="application/json" id="data">([^<]*)</script>', html)
    data = json.loads(text)
    assert len(data["systems"]) == 24 and data["address"] == "https://huggingface.co/datasets/example/rag-leaderboard"
    assert [(each["version"], each["part"]) for each in data["tables"]] == [
        ("1.1.0", "test"), ("1.1.0", "heldout"), ("1.0.0", "test"), ("1.0.0", "heldout"),
    ]  # fmt: skip
    for table, said in zip(standings.tables, data["tables"], strict=True):
        assert [data["systems"][row[0]]["name"] for row in said["rows"]] == [
            each.system.name for each in table.standings
        ]
        bits, width = base64.b64decode(said["separated"]), (said["ranked"] + 7) // 8
        found = [
            tuple(at for at in range(said["ranked"]) if bits[row * width + at // 8] >> at % 8 & 1)
            for row in range(said["ranked"])
        ]
        assert tuple(found) == table.separated
