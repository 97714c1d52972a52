"""The page of a report: whole, self-contained, accessible, and harmless whatever texts it is given."""

import json
import re
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from report_cases import DOCUMENTS, PREDICTIONS_MADE, QUESTIONS, Case, begin_run, make_release, make_run, write_rows

from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.reports.blocks import cut
from benchwright.benchmarks.reports.format import count, interval, money, of, p_value, percent, seconds, signed
from benchwright.benchmarks.reports.report import read_report
from benchwright.benchmarks.reports.share import share
from benchwright.benchmarks.types import Question
from benchwright.cards.blocks.foreign_text import readable
from benchwright.cards.report.page import render_report
from benchwright.cards.report.terminal import terminal_table

VOID = {"meta", "br", "link", "img", "input", "hr", "source"}
SECTIONS = [
    "headline", "diagnosis", "causes", "metrics", "outcomes", "consistency", "coverage", "slices", "groups", "questions", "worst",
    "attribution", "retrieval-split", "grammar", "noise", "tests", "cost", "reproduce",
]  # fmt: skip
EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'>{{ 7*7 }}"
ODD = "\u202eright to left\u2066 \u0645\u0631\u062d\u0628\u0627 \x00\x1b[31m\x07"


class Page(HTMLParser):
    """The elements of a page, with a check that each is closed where it was opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag in ("td", "th"):
            self.texts.append(" ")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "script"} & set(self.open):
            self.texts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())


def run_by_browsers(page: Page) -> list[dict[str, str | None]]:
    """The scripts that are no blocks of data."""
    return [attributes for attributes in page.all("script") if attributes.get("type") != "application/octet-stream"]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = tmp_path_factory.mktemp("page")
    return make_run(
        make_release(folder / "release", texts={"wordings": {"rule": 2}, "documents": {"rule": 3}}),
        folder / "run",
        builtin=True,
    )


@pytest.fixture(scope="module")
def html(case: Case) -> str:
    return case.page().read_text("utf-8")


def hostile_case(folder: Path) -> Case:
    """A run in which every text that somebody else writes is hostile."""
    documents = [replace(document, title=EVIL, text=document.body + EVIL + ODD) for document in DOCUMENTS]
    questions = [
        replace(
            each,
            question=EVIL + each.question + ODD,
            form=f"{EVIL}{each.form}",
            kind=EVIL,
            subset=ODD,
            template=each.template and EVIL,
        )
        for each in QUESTIONS
    ]
    contexts = (Context(id=EVIL, text=EVIL + "y" * 100_000), Context(id="d3", text=documents[2].text))
    said = [
        replace(each, answer=each.answer and EVIL + ODD + "x" * 10_000_000, contexts=contexts)
        if each.id == "quay-0"
        else replace(
            each, answer=each.answer and EVIL + each.answer, error=each.error and EVIL + ODD, contexts=contexts
        )
        for each in PREDICTIONS_MADE
    ]
    release = make_release(folder / "release", questions, documents)
    return make_run(release, folder / "run", said, name=EVIL, description=EVIL + ODD, settings={EVIL: EVIL})


def test_sections_tables_and_headings(html: str) -> None:
    page = Page(html)
    ids = [attributes["id"] for attributes in page.all("section")]
    assert ids == SECTIONS
    links = [attributes["href"] or "" for attributes in page.all("a")][1:]
    assert links[: len(SECTIONS)] == [f"#{name}" for name in SECTIONS]
    assert all(link.startswith("#questions?cause=") for link in links[len(SECTIONS) :])
    assert len(page.all("table")) == len(page.all("caption")) >= 10
    assert all(attributes.get("scope") in ("col", "row") for attributes in page.all("th"))
    images = [attributes for _, attributes in page.found if attributes.get("role") == "img"]
    assert len(images) == 3 and all(attributes.get("aria-label") for attributes in images)


def test_what_it_says(html: str) -> None:
    text = Page(html).text
    for said in (
        "my-rag on small 1.0.0",
        "Built-in reader, wordings, documents.",
        "63.6 %",
        "5.7 to 100.0 · scored 11 of 12",
        "correct 7 (58.3 %)",
        "Unscored by correct, exact_match: the system gave no answer (1); by evidence_recall@2, recall@2: handed in no contexts (1); the system gave no answer (1).",
        "1 of 4 gap questions (25.0 %) were answered rightly though no document states the answer.",
        "would get 33.3 % right (1.3 of 4)",
        "The manager of Quay Wall is Ada Moor.",
        "Retrieval is judged by gold documents: every one of them was retrieved (recall@2 is 1).",
        "R ranks no systems.",
        "1 × TimeoutError: no answer within 60 s for example quay-3",
        "Tokens in unknown 0 of 18",
        "All 12 questions have the same kind: lookup.",
    ):
        assert said in text, said


def test_nothing_is_fetched_and_only_our_script_may_run(html: str) -> None:
    page = Page(html)
    for tag, attributes in page.found:
        assert "src" not in attributes and tag != "link" and not any(name.startswith("on") for name in attributes)
        assert (attributes.get("href") or "#").startswith("#")
    assert not re.search(r"url\(|@import|https?://", html)
    policy = next(each["content"] for each in page.all("meta") if each.get("http-equiv"))
    assert policy is not None and policy.startswith("default-src 'none'; ") and "script-src 'sha256-" in policy
    assert len(run_by_browsers(page)) == 1


def test_light_dark_narrow_and_print_are_looked_after(html: str) -> None:
    for rule in ("prefers-color-scheme: dark", "@media print", "max-width: 44rem", "color-scheme: light dark"):
        assert rule in html
    assert 'name="viewport"' in html and '<html lang="en">' in html


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    case = hostile_case(tmp_path)
    html = case.page().read_text("utf-8")
    report, page = read_report(case.folder), Page(html)
    assert len(run_by_browsers(page)) == 1 and page.all("img") == []
    assert "<script>alert(1)</script>" in page.text and "{{ 7*7 }}" in page.text
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", html)
    assert f"{len(EVIL + ODD) + 10_000_000 - 600:,} more characters" in page.text
    assert len(html) < 450_000
    assert [attributes["id"] for attributes in page.all("section")] == SECTIONS
    table = terminal_table(report)
    assert "\x1b" not in table and "\u202e" not in table


def test_a_lone_surrogate_in_an_answer(case: Case, tmp_path: Path) -> None:
    copy = make_run(case.release, tmp_path / "run", PREDICTIONS_MADE[:8])
    with (copy.folder / "predictions.jsonl").open("a") as file:
        file.write('{"id": "quay-0", "answer": "\\ud800 Ben", "contexts": [{"text": "\\udfff"}]}\n')
    write_rows(copy.folder, [("quay-0", "correct", 0.0, "names another value")])
    report = copy.made()
    assert as_json(report) == json.loads((copy.folder / "report.json").read_text("utf-8"))
    assert read_report(copy.folder).groups.worst[0].questions[0].answer == "? Ben"
    assert "? Ben" in Page(copy.page().read_text("utf-8")).text


def test_an_empty_run(tmp_path: Path) -> None:
    release = make_release(tmp_path / "release")
    begin_run(release, tmp_path / "run", 0)
    write_rows(tmp_path / "run", [])
    report = Case(release, tmp_path / "run").made()
    text = Page(render_report(report)).text
    assert "Metrics are not available because nothing was scored." in text
    assert text.count("Not available because no answer was judged by `correct`.") == 2
    assert "None in 0 predictions." in text
    assert "my-rag (Python object) · 0 questions" in terminal_table(report)


def test_one_question_and_a_release_without_groups(tmp_path: Path) -> None:
    one = make_run(make_release(tmp_path / "one", QUESTIONS[:1]), tmp_path / "run1", PREDICTIONS_MADE[:1])
    page = Page(render_report(one.made()))
    text = page.text
    without = [name for name in SECTIONS if name not in ("consistency", "groups", "grammar", "retrieval-split")]
    assert [attributes["id"] for attributes in page.all("section")] == without
    assert not re.search("robust|two wordings|GRAMMAR", text + terminal_table(one.made()), re.IGNORECASE)
    assert "No question that the corpus can answer was answered wrongly." in text
    bare = make_release(tmp_path / "bare", [Question("a", "Why?", ("x",), answer_type="one")], ())
    report = make_run(bare, tmp_path / "run2", [Prediction("a", "y")], ("correct",)).made()
    text = Page(render_report(report)).text
    assert text.count("Not available because the release's questions have no semantic groups.") == 2
    assert "Not available because no evidence recall was scored." in text
    assert "0.0 %" in terminal_table(report)


def test_the_same_report_gives_the_same_page(case: Case, html: str) -> None:
    again = read_report(case.folder)
    assert again == case.made() and render_report(again) == render_report(case.made())
    assert case.page().read_text("utf-8") == html


def test_the_terminal_table_is_plain_and_fits(case: Case) -> None:
    table = terminal_table(case.made())
    lines = table.splitlines()
    assert max(map(len, lines)) <= 100 and "\x1b" not in table
    rows = [re.sub(r"\s{2,}", " | ", line.strip()) for line in lines]
    assert "correct | 63.6 % | 5.7 to 100.0 | 11 of 12" in rows
    assert "known gaps guessed right | 25.0 % | – | 1 of 4" in rows
    assert "form short | 66.7 % | 6.3 to 100.0 | 2 | 0 | 6 of 6" in rows
    assert "short | 0.6250 | 0.8333 | 0.7143 | 1 / 1 / 2" in rows


def test_how_figures_are_written() -> None:
    assert [percent(None), percent(0.5), percent(1 / 3)] == ["–", "50.0 %", "33.3 %"]
    assert interval(0.1, 0.25) == "10.0 to 25.0" and interval(None, None) == "–"
    assert interval(0.1, 4, (1.0, 5.0)) == "0.10 to 4.00"
    assert [signed(0.012), signed(-0.5)] == ["+1.2", "−50.0"]
    assert [count(None), count(12345)] == ["unknown", "12,345"]
    assert of(share(1234, 5678)) == "1,234 of 5,678" and of(share(1.25, 4)) == "1.2 of 4"
    assert [p_value(0.0004), p_value(0.04), p_value(None)] == ["< 0.001", "0.040", "–"]
    assert [seconds(None), seconds(0.0123), seconds(1.5), seconds(600)] == ["unknown", "12.3 ms", "1.50 s", "10.0 min"]
    assert [money(None), money(1234.5), money(0.0005)] == ["unknown", "$1,234.50", "$0.00050"]
    assert readable("a\x00b\u202ec\nd\te") == "a\ufffdb\ufffdc\nd\te"
    assert cut("x" * 30, 10) == "x" * 10 + "… (20 more characters)"


def test_in_a_browser_no_foreign_script_runs_and_ours_does(tmp_path: Path, chromium_path: str) -> None:
    case = hostile_case(tmp_path)
    page = case.page()
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    flags += ["--disable-component-update", "--disable-sync", f"--user-data-dir={tmp_path / 'browser'}", "--dump-dom"]
    done = subprocess.run(
        [chromium_path, *flags, page.as_uri()], capture_output=True, text=True, timeout=120, check=True
    )
    dom = Page(done.stdout)
    assert all("hidden" not in attributes for attributes in dom.all("button")) and len(dom.all("button")) == 5
    assert len(run_by_browsers(dom)) == 1 and dom.all("img") == []
