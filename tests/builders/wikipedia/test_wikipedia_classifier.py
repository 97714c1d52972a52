"""Whether an article is about things after the cutoff: by the dates in it, and by a model over real HTTP."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.builders.wiki.pages import Article, Page
from benchwright.builders.wiki.questions.dates import find_dates
from benchwright.builders.wiki.text.page import read_article
from benchwright.builders.wikipedia.classifier import (
    BY_DATES,
    LONGEST,
    Agreement,
    RecencyVerdict,
    classify_by_dates,
    classify_by_model,
    compare,
)
from benchwright.scripts.servers.openai.server import OpenAIServer

CUTOFF = date(2021, 10, 1)


def article(text: str, number: int = 1, title: str = "Foo") -> Article:
    return read_article(Page(number, title, "2023-01-01T00:00:00Z", 1, "2023-01-01T00:00:00Z", "0" * 40, text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("born July 3, 1971 or 21 June 1924", [("July 3, 1971", "1971-07-03", "1971-07-03"), ("21 June 1924", "1924-06-21", "1924-06-21")]),
        ("8–12 March 2023 and 31 June 2020", [("8–12 March 2023", "2023-03-08", "2023-03-12")]),
        ("May 2022, Feb. 2020", [("May 2022", "2022-05-01", "2022-05-31"), ("Feb. 2020", "2020-02-01", "2020-02-29")]),
        ("in the 2020s, the 19th century", [("2020s", "2020-01-01", "2029-12-31"), ("19th century", "1801-01-01", "1900-12-31")]),
        ("the 2021–22 season, 1999/2000", [("2021–22", "2021-01-01", "2022-12-31"), ("1999/2000", "1999-01-01", "2000-12-31")]),
        ("spring 2022; December 2024", [("spring 2022", "2022-03-01", "2022-05-31"), ("December 2024", "2024-12-01", "2024-12-31")]),
        ("between 8 and 12 March 2023", [("12 March 2023", "2023-03-08", "2023-03-12")]),
        ("from 31 to 2 June 2023", [("2 June 2023", "2023-06-02", "2023-06-02")]),
        ("2023-05-04", [("2023-05-04", "2023-05-04", "2023-05-04")]),
        ("2022 people, $2022, 2,022, 1999-2020-3, last year, 2030x", []),
        ("In 2022, 2021.", [("2022", "2022-01-01", "2022-12-31"), ("2021", "2021-01-01", "2021-12-31")]),
    ],
)  # fmt: skip
def test_dates(text: str, found: list[tuple[str, str, str]]) -> None:
    assert [(text[each.start : each.end], str(each.first), str(each.last)) for each in find_dates(text)] == found


def test_how_much_of_a_date_is_after() -> None:
    year, decade, before, after = find_dates("2021, 2020s, 30 September 2021, 1 October 2021")
    assert year.after(CUTOFF) == 92 / 365
    assert round(decade.after(CUTOFF), 3) == 0.825
    assert (before.after(CUTOFF), after.after(CUTOFF)) == (0.0, 1.0)


def test_by_dates() -> None:
    text = (
        "Foo is a 2022 film. It was shot in 2019.\n== Release ==\nIt was shown in 2018. It was shown in 2017. It ended."
    )
    verdict = classify_by_dates(article(text), CUTOFF)
    assert verdict == RecencyVerdict(1, False, "38% of its dated sentences are after", BY_DATES, 3 / 8)
    verdict = classify_by_dates(article(text.replace("2018", "2018 and 2023")), CUTOFF)
    assert verdict == RecencyVerdict(1, True, "50% of its dated sentences are after", BY_DATES, 4 / 8)
    born = classify_by_dates(article("Foo (born 3 May 1990) is a writer. She wrote Bar in 2022."), CUTOFF)
    assert (born.is_recent, born.share) == (True, 1.0)
    assert classify_by_dates(article("Foo is a thing."), CUTOFF) == RecencyVerdict(
        1, False, "there is no date in the text", BY_DATES
    )


def test_agreement() -> None:
    found = compare([True, True, False, False, None, True], [True, False, False, True, True, True])
    assert found == Agreement(both_yes=2, both_no=1, only_first=1, only_second=1, undecided=1)
    assert found.figures() == {
        "both_yes": 2, "both_no": 1, "only_first": 1, "only_second": 1, "undecided": 1,
        "accuracy": 0.6, "precision": 0.6667, "recall": 0.6667, "kappa": 0.1667,
    }  # fmt: skip
    assert compare([], []).figures()["kappa"] is None
    assert compare([True], [True]).kappa is None


def test_agreement_with_real_labels(shared: Path) -> None:
    lines = (shared / "wikipedia_created_after_2021-10.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    said = [classify_by_dates(article(row["text"], title=row["title"]), CUTOFF).is_recent for row in rows]
    labels = [row["post_cutoff"] for row in rows]
    assert compare(said, labels) == Agreement(both_yes=214, both_no=545, only_first=23, only_second=36)
    tuned, other = compare(said[::2], labels[::2]), compare(said[1::2], labels[1::2])
    assert (tuned.figures()["accuracy"], other.figures()["accuracy"]) == (0.934, 0.9218)
    assert (tuned.figures()["kappa"], other.figures()["kappa"]) == (0.8427, 0.8123)


def test_by_a_model(tmp_path: Path) -> None:
    def reply(body: Mapping[str, Any]) -> Any:
        asked = body["messages"][-1]["content"]
        if any("Title: Odd" in message["content"] for message in body["messages"]):
            return "I cannot say"
        return {"reason": " It came out in 2022. ", "is_mostly_after_cutoff": "2022" in asked.partition("Title")[2]}

    articles = [article("New in 2022.", 1), article("Old.", 2), article("Odd.", 3, "Odd"), article("x " * 9_000, 4)]
    with OpenAIServer(reply) as server:
        settings = ModelSettings({"writer": Endpoint("stand-in", server.url)}, cache=tmp_path / "replies.sqlite")
        with Client(settings) as client:
            verdicts = list(classify_by_model(client, articles, CUTOFF))
    assert verdicts[0] == RecencyVerdict(1, True, "It came out in 2022.", "stand-in")
    assert [verdict.is_recent for verdict in verdicts] == [True, False, None, False]
    assert verdicts[2].reason.startswith("no usable reply: invalid reply")
    first = next(each.body for each in server.requests if "New in 2022" in each.body["messages"][-1]["content"])
    assert first["messages"][-1]["content"] == "Date: 1 October 2021\n\nTitle: Foo\nNew in 2022."
    assert first["temperature"] == 0
    long = next(each.body for each in server.requests if "x x x" in each.body["messages"][-1]["content"])
    shown = long["messages"][-1]["content"].partition("Foo\n")[2]
    assert shown == ("x " * 9_000)[:LONGEST].strip() + "\n(The rest of the article is left out.)"
