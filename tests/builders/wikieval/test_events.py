"""Which pages are about what happened since a date."""

import json
from datetime import date
from pathlib import Path

import pytest

from benchwright.builders.wiki.pages import Article, Page, Section
from benchwright.builders.wikieval.sources.events import OLDER, PERSON, TO_COME, UNDATED, why_not_since
from benchwright.builders.wikieval.sources.introductions import sentences_in

SINCE = date(2022, 1, 1)


def why(title: str, text: str, edited: str = "2024-03-04T05:06:07Z", since: date = SINCE) -> str | None:
    page = Page(1, title, "", 1, edited, "", "")
    return why_not_since(Article(page, text, (Section("", 0, 0, len(text)),)), text, since)


@pytest.mark.parametrize(
    ("title", "text", "reason"),
    [
        ("Holm storm", "The Holm storm was a storm that crossed the coast on 22 June 2022. It hurt 37 people.", None),
        (
            "Holm storm",
            "The Holm storm was a storm that crossed the coast on 22 June 1976. It returned in 2023.",
            OLDER,
        ),
        ("2023 Holm Open", "The Holm Open was a tournament. It was first held in 1950.", None),
        ("2021–22 Holm season", "The season was the tenth of Holm. It ended in May 2022.", OLDER),
        ("Slow Tide", "Slow Tide is an album by Ada Moor. It was released on 30 September 2022.", None),
        ("Slow Tide", "Slow Tide is a film of 2023 that is based on a book of 2016. It is long.", OLDER),
        ("Ada Moor", "Ada Moor (born 12 July 1995) is an Irish painter. She won the Holm Prize in 2022.", PERSON),
        ("Ada Moor", "Ada Moor is an Irish painter. She won the Holm Prize in 2022.", PERSON),
        ("Moor Group", "The Moor Group (born of a strike) is a union. It was founded in March 2023.", None),
        ("Holm Cup", "The Holm Cup will be a tournament. It is to be held in May 2031.", TO_COME),
        ("Holm Cup", "The Holm Cup is a tournament. It is held at Holm.", UNDATED),
        ("Holm Cup", "", UNDATED),
        ("Holm bridge", "Holm bridge crosses the Wend. It was opened in the 2020s.", OLDER),
    ],
)
def test_what_it_is_about_came_to_be_since(title: str, text: str, reason: str | None) -> None:
    assert why(title, text) == reason


def test_of_the_year_of_the_date_only_what_lies_after_it() -> None:
    text = "The Holm storm crossed the coast on 22 June 2022. It hurt 37 people."
    assert why("Holm storm", text, since=date(2022, 6, 22)) is None
    assert why("Holm storm", text, since=date(2022, 6, 23)) == OLDER
    assert why("Holm storm", text, edited="2022-06-21T23:59:59Z") == TO_COME


def test_real_articles(shared: Path) -> None:
    """Of those that this takes, nearly all are also said to be mostly about events after September 2021."""
    taken = []
    for line in (shared / "wikipedia_created_after_2021-10.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        introduction = row["text"].partition("\n\n\n==")[0].strip()
        is_taken = row["created"] >= "2022-01-01" and len(sentences_in(introduction)) >= 2
        if is_taken and why(row["title"], introduction) is None:
            taken.append(row["post_cutoff"])
    assert len(taken) > 80
    assert sum(taken) / len(taken) > 0.97
