"""When the fact of a question came to be, and the subset that follows from it."""

from datetime import date

import pytest

from benchwright.builders.wiki.pages import Article, Page
from benchwright.builders.wiki.questions.article_questions import ArticleQuestion
from benchwright.builders.wiki.questions.fact_dates import FactDate, date_fact, is_after, place_in_time
from benchwright.builders.wiki.text.page import read_article
from benchwright.builders.wikipedia.rows import subset_of

CUTOFF = date(2021, 10, 1)


def article(text: str, title: str) -> Article:
    return read_article(Page(1, title, "2023-01-01T00:00:00Z", 1, "2023-06-05T00:00:00Z", "0" * 40, text))


def dated(text: str, title: str, sentence: str, answer: str, kind: str = "name") -> tuple[str, str] | None:
    """The date of a fact, and where it was read."""
    about = article(text, title)
    start = about.text.index(sentence)
    found = date_fact(about, start, start + len(sentence), answer, kind)
    return (found.as_text(), found.read_from) if found else None


@pytest.mark.parametrize(
    ("text", "title", "sentence", "answer", "kind", "expected"),
    [
        # A date that is asked for is the fact's own, whatever else the sentence tells.
        ("Holm is a band. It was founded in 1992 and left Oslo in 2022.", "Holm", "It was founded in 1992 and left Oslo in 2022.", "1992", "date", ("1992-01-01/1992-12-31", "answer")),
        ("Holm is a band. It broke up on 4 May 2022.", "Holm", "It broke up on 4 May 2022.", "4 May 2022", "date", ("2022-05-04", "answer")),
        # Else all dates of its sentence, but births.
        ("Ada Moor (born 3 May 1980) won the Vik Cup in 2022.", "Ada Moor", "Ada Moor (born 3 May 1980) won the Vik Cup in 2022.", "Vik Cup", "name", ("2022-01-01/2022-12-31", "sentence")),
        ("Ada Moor is a runner. She won the Vik Cup in 2022, as in 2019.", "Ada Moor", "She won the Vik Cup in 2022, as in 2019.", "Vik Cup", "name", ("2019-01-01/2022-12-31", "sentence")),
        ("Ada Moor is a runner. She won the 2021 Vik Cup on 6 December 2021.", "Ada Moor", "She won the 2021 Vik Cup on 6 December 2021.", "Vik Cup", "name", ("2021-12-06", "sentence")),
        ("Ada Moor is a runner. She won the Vik Cup of 2021 in 2021 and May 2022.", "Ada Moor", "She won the Vik Cup of 2021 in 2021 and May 2022.", "Vik Cup", "name", ("2021-01-01/2022-05-31", "sentence")),
        # Else its section, or the nearest above it that has a date.
        ("Ada Moor is a runner.\n== 2022 season ==\nShe won the Vik Cup.", "Ada Moor", "She won the Vik Cup.", "Vik Cup", "name", ("2022-01-01/2022-12-31", "section")),
        ("Ada Moor is a runner.\n== 2022 ==\n=== Cups ===\nShe won the Vik Cup.", "Ada Moor", "She won the Vik Cup.", "Vik Cup", "name", ("2022-01-01/2022-12-31", "section")),
        ("Ada Moor is a runner.\n== 2022 ==\nA.\n== Life ==\nShe won the Vik Cup.", "Ada Moor", "She won the Vik Cup.", "Vik Cup", "name", None),
        ("Ada Moor is a runner.\n== 2022–present ==\nShe won the Vik Cup.", "Ada Moor", "She won the Vik Cup.", "Vik Cup", "name", ("2022-01-01/2023-06-05", "section")),
        # Else, of a thing, from its beginning on.
        ("The Tide is a 2022 film. Gil Hart wrote the music.", "The Tide", "Gil Hart wrote the music.", "Gil Hart", "person", ("2022-01-01/2023-06-05", "article")),
        ("The Tide is a film released in March 2022. Gil Hart wrote the music.", "The Tide", "Gil Hart wrote the music.", "Gil Hart", "person", ("2022-03-01/2023-06-05", "article")),
        ("The Vik Open was a tennis tournament held on 3 May 2022. The venue was Vik Hall.", "Vik Open", "The venue was Vik Hall.", "Vik Hall", "name", ("2022-05-03/2023-06-05", "article")),
        ("The 2022 Vik Open was a tennis tournament. The venue was Vik Hall.", "2022 Vik Open", "The venue was Vik Hall.", "Vik Hall", "name", ("2022-01-01/2023-06-05", "article")),
        # Of a person, of a place with some date, and of what is older than its first date, nothing.
        ("Ada Moor is a 2022 champion runner. Her school was Holm College.", "Ada Moor", "Her school was Holm College.", "Holm College", "name", None),
        ("Vik is a village that had 30 inhabitants in 2022. Its church is Holm Kirk.", "Vik", "Its church is Holm Kirk.", "Holm Kirk", "name", None),
        ("The Tide is a film released in 2022, made of scenes of 1990. Gil Hart wrote the music.", "The Tide", "Gil Hart wrote the music.", "Gil Hart", "person", None),
        ("The Tide is a film. Gil Hart wrote the music.", "The Tide", "Gil Hart wrote the music.", "Gil Hart", "person", None),
    ],
)  # fmt: skip
def test_where_a_date_is_read(
    text: str, title: str, sentence: str, answer: str, kind: str, expected: tuple[str, str] | None
) -> None:
    assert dated(text, title, sentence, answer, kind) == expected


def test_before_and_after() -> None:
    assert FactDate(CUTOFF, CUTOFF, "answer").as_text() == "2021-10-01"
    told = {"2021-10-01": "after", "2021-09-30": "before", "2021-01-01/2021-12-31": "around", None: "unknown"}
    assert {text: place_in_time(text, CUTOFF) for text in told} == told
    assert [is_after(text, CUTOFF) for text in told] == [True, False, False, False]


def test_only_facts_after_the_cutoff_are_post_cutoff() -> None:
    def of(fact_date: str | None, article: str) -> str:
        asked = ArticleQuestion(1, "Who?", "Ada", (), "person", 0, 3, "rule", fact_date, "sentence")
        return subset_of(asked, article, CUTOFF)

    assert of("2021-10-01/2022-01-01", "post_cutoff") == "post_cutoff"
    for text in ("2021-09-30", "2021-01-01/2021-12-31", None):
        assert of(text, "post_cutoff") == "created_after_cutoff"
    assert of("2022-01-01", "created_after_cutoff") == "created_after_cutoff"
    assert of("2022-01-01", "random") == "random"
