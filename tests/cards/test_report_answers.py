"""Every question of a run in its page: the data, and the list that a browser makes of them."""

import base64
import gzip
import json
import random
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from report_cases import DOCUMENTS, PREDICTIONS_MADE, QUESTIONS, Case, make_release, make_run
from test_report_html import EVIL, Page, hostile_case

from benchwright.benchmarks.predictions import Context
from benchwright.benchmarks.reports.answers.details import mark
from benchwright.benchmarks.reports.answers.every import MOST_VALUES
from benchwright.benchmarks.reports.blocks import AnswerList
from benchwright.benchmarks.reports.report import read_report
from benchwright.cards.report import answer_data
from benchwright.cards.report.page import render_report
from benchwright.scripts.measure.report_page import Browser, browser


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = tmp_path_factory.mktemp("answers")
    return make_run(make_release(folder / "release"), folder / "run", PREDICTIONS_MADE)


@pytest.fixture(scope="module")
def path(case: Case) -> Path:
    return case.page()


def blocks(html: str, kind: str) -> list[Any]:
    """What the blocks of a kind hold."""
    found = re.findall(rf'<script type="application/octet-stream" data-{kind}="(\d+)">([^<]*)</script>', html)
    return [json.loads(gzip.decompress(base64.b64decode(text))) for _, text in found]


@pytest.fixture(scope="module")
def chromium(chromium_path: str) -> Iterator[Browser]:
    with browser(chromium_path) as driven:
        yield driven


def browsed(chromium: Browser, path: Path, **filters: str) -> Page:
    """The page as a browser has it after its script ran, with the list filtered by its address."""
    chromium.call("Page.navigate", url="about:blank")
    chromium.call("Page.navigate", url=f"{path.as_uri()}#questions?{urlencode(filters)}")
    for _ in range(600):
        if chromium.value(SHOWN):
            return Page(chromium.value("document.documentElement.outerHTML"))
        time.sleep(0.05)
    raise TimeoutError(chromium.value("document.querySelector('.status')?.textContent"))


SHOWN = """/[0-9] questions$/.test(document.querySelector(".status")?.textContent ?? "")
  && ![...document.querySelectorAll(".rows > details[open]")].some((row) => !row.querySelector(".beside"))"""


def test_the_page_holds_every_question_with_its_texts(case: Case, path: Path) -> None:
    html = path.read_text("utf-8")
    (index,), (details,) = blocks(html, "index"), blocks(html, "details")
    assert index["id"] == [each.id for each in QUESTIONS]
    assert index["question"] == [each.question for each in QUESTIONS]
    assert index["gold"][:2] == ["Oslo", "Oslo"] and index["answer"][1] == "It is in Oslo."
    assert [index["names"][place] for place in index["documents"][8]] == ["d3"]
    listed = next(each for each in read_report(case.folder).sections if each.id == "questions").blocks[1]
    assert isinstance(listed, AnswerList) and listed.total == 18
    facets = {each.key: each for each in listed.facets}
    assert list(facets) == ["outcome", "cause", "verdict", "answerability", "form", "hops", "template"]
    for key, codes in index["codes"].items():
        counted = {each.value: codes.count(place) for place, each in enumerate(facets[key].values)}
        assert counted == {each.value: each.count for each in facets[key].values}
    assert {each.value: each.count for each in facets["hops"].values} == {"1": 14, "2": 4}
    assert [each.label for each in facets["template"].values] == [
        "Wording 0 of what halden asks? – office",
        "Wording 0 of what quay asks? – manager",
    ]
    row = details["rows"][0]
    assert row["verdict"] == "names the gold answer and no other value"
    assert row["evidence"] == [["d1", 0]]
    assert row["contexts"] == [["d1", 0, 1, 0], ["d2", 1, 0, 0]]
    evidence = DOCUMENTS[0].body[QUESTIONS[0].evidence[0].start : QUESTIONS[0].evidence[0].end]
    assert details["texts"][0] == [DOCUMENTS[0].body.removesuffix(f"{evidence}."), [evidence], "."]
    assert details["rows"][11]["error"] == "TimeoutError: no answer within 60 s\nand a second line"


def test_a_page_without_its_run_says_so(case: Case) -> None:
    html = render_report(case.made())
    assert blocks(html, "answers") == [] and "this page was made without its answers" in html


def test_repeats_are_rows_of_their_own(tmp_path: Path) -> None:
    said = [*PREDICTIONS_MADE, *(replace(each, repeat=1) for each in PREDICTIONS_MADE[:4])]
    case = make_run(make_release(tmp_path / "release"), tmp_path / "run", said)
    (index,) = blocks(case.page().read_text("utf-8"), "index")
    assert len(index["id"]) == 18 + 4 and index["id"][:2] == ["halden-0", "halden-0"] and index["repeat"][:2] == [0, 1]
    assert index["answer"][:4] == ["Oslo", "Oslo", "It is in Oslo.", "It is in Oslo."]


def test_rare_values_are_counted_together(tmp_path: Path) -> None:
    questions = [replace(QUESTIONS[0], id=f"q{n}", group=None, template=f"t{n:03}") for n in range(MOST_VALUES + 5)]
    case = make_run(make_release(tmp_path / "release", questions), tmp_path / "run", (), ("correct",))
    html = case.page().read_text("utf-8")
    assert "<option>others (5)</option>" in html
    assert max(blocks(html, "index")[0]["codes"]["template"]) == MOST_VALUES


def test_contexts_are_cut_where_the_page_would_be_too_large(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(1)
    said = [replace(each, contexts=(Context("d1", draw.randbytes(5_000).hex()),)) for each in PREDICTIONS_MADE]
    run = make_run(case.release, tmp_path / "run", said)

    def lengths() -> list[int]:
        html = run.page().read_text("utf-8")
        assert len(blocks(html, "index")[0]["id"]) == 18
        texts = blocks(html, "details")[0]["texts"]
        return [blocks(html, "answers")[0]["length"], max(len(text) for each in texts for text in each)]

    assert lengths() == [700, 700]
    monkeypatch.setattr(answer_data, "BUDGET", 5_000)
    assert lengths()[0] == 200
    monkeypatch.setattr(answer_data, "BUDGET", 0)
    assert lengths()[0] == 0


def test_marks_are_seen_also_where_a_text_is_cut() -> None:
    assert mark("abcdef", [(2, 4)], 10) == (("ab", False), ("cd", True), ("ef", False))
    assert mark("abcdef", [(1, 3), (2, 4)], 10) == (("a", False), ("bc", True), ("d", True), ("ef", False))
    text = "x" * 50 + "HERE" + "y" * 50
    assert mark(text, [(50, 54)], 12) == (
        ("…", False), ("x" * 4, False), ("HERE", True), ("y" * 4, False), ("… (46 more characters)", False),
    )  # fmt: skip
    assert mark("short", [], 3) == (("sho", False), ("… (2 more characters)", False))


@pytest.mark.parametrize(
    ("filters", "said", "questions"),
    [
        ({}, "18 questions", 18),
        ({"outcome": "wrong"}, "4 of 18 questions", 4),
        ({"cause": "not-found"}, "2 of 18 questions", 2),
        ({"cause": "misread", "hops": "2", "template": "manager"}, "1 of 18 questions", 1),
        ({"form": "long", "text": "HALDEN asks"}, "2 of 18 questions", 2),
        ({"text": "ben tal"}, "2 of 18 questions", 2),
        ({"document": "D3"}, "4 of 18 questions", 4),
        ({"text": "no such words"}, "0 of 18 questions", 0),
    ],
)
def test_in_a_browser_questions_are_searched_and_filtered(
    chromium: Browser, path: Path, filters: dict[str, str], said: str, questions: int
) -> None:
    page = browsed(chromium, path, **filters)
    assert f" {said} " in page.text
    assert page.text.count("– answered") + page.text.count("– no answer") == questions


def test_in_a_browser_a_question_has_an_address_that_opens_it(chromium: Browser, path: Path) -> None:
    text = browsed(chromium, path, text="quay-0").text
    assert "GoldAda Moor" in text and "Causemisread" in text and "names another value" in text
    assert "1. d3holds evidence" in text


def test_in_a_browser_hostile_answers_stay_texts(chromium: Browser, tmp_path: Path) -> None:
    page = browsed(chromium, hostile_case(tmp_path).page(), text="quay-0")
    opened = page.text.split("All questions")[-1]
    assert opened.count(EVIL) >= 4 and "1 of 18 questions" in opened
    assert page.all("img") == [] and not re.search("[\u202a-\u202e\u2066-\u2069]", opened)
