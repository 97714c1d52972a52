"""When the fact of a model's question came to be; and attempts to bring an old fact into `post_cutoff`."""

from datetime import date
from typing import Any

import pytest

from benchwright.builders.wiki.pages import Article, Page
from benchwright.builders.wiki.text.page import read_article
from benchwright.builders.wikipedia.proposal_dates import read_happened
from benchwright.builders.wikipedia.proposals import Proposal, read_proposals
from benchwright.builders.wikipedia.rows import subset_of

CUTOFF = date(2021, 10, 1)
HALL = (
    "Norrin Hall is a concert hall in Holm.\n"
    "The hall, built in 1931 by Ada Moor, was opened again in 2022. Ben Tal painted its ceiling. "
    "The first concert after that was conducted by Cy Orr in March 2022. Its organ was made by Di Fenn. "
    "It has 2022 seats. Di Fenn repaired the organ in 2023.\n"
    "== 2022 season ==\nEva Gil sang there first.\n"
    "== Staff ==\nThe porter is called Finn Hale."
)


def hall(text: str = HALL, title: str = "Norrin Hall") -> Article:
    return read_article(Page(5, title, "2022-01-01T00:00:00Z", 1, "2024-01-01T00:00:00Z", "0" * 40, text))


def outcome(question: str, answer: str, quote: str, happened: str, text: str = HALL) -> tuple[Any, ...]:
    """Why a proposal is refused; else the date of its fact, where it was read, and the subset of its question."""
    asked, refused = read_proposals(hall(text), [Proposal(question, answer, quote, happened)], 1, "a-model")
    if refused:
        return (refused[0].reason,)
    return asked[0].fact_date, asked[0].dated_by, subset_of(asked[0], "post_cutoff", CUTOFF)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("", []),
        ("2022-05-04", ["2022-05-04", "2022-05-04"]),
        ("2024-02", ["2024-02-01", "2024-02-29"]),
        ("2021-12", ["2021-12-01", "2021-12-31"]),
        ("2022", ["2022-01-01", "2022-12-31"]),
        ("2021-11/2022-02", ["2021-11-01", "2021-11-30", "2022-02-01", "2022-02-28"]),
    ],
)
def test_what_a_model_says_of_a_date(text: str, days: list[str]) -> None:
    assert [str(day) for period in read_happened(text) for day in period] == days


@pytest.mark.parametrize(
    "text",
    [
        "May 2022",
        "2022-13",
        "2022-02-30",
        "2022/",
        "/",
        "2022/2021",
        "2020/2021/2022",
        "0000",
        "9999-12",
        "٢٠٢٢",
        "2022 ",
    ],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read_happened(text)
    told = outcome(
        "Who conducted first in Norrin Hall?", "Cy Orr", "was conducted by Cy Orr", text.replace("2022 ", "2022.")
    )
    assert told == ("its date is none",)


def test_a_new_fact_of_which_both_tell_the_date() -> None:
    told = ("Who conducted the first concert after Norrin Hall was opened again?", "Cy Orr", "was conducted by Cy Orr")
    for happened in ("2022-03", "2022", "2022-03-05", "2022-03/2022-04", "2022-01/2022-03"):
        wanted = ("2022-03-01/2022-03-31", "sentence", "post_cutoff")
        assert outcome(*told, happened) == (wanted if "/" not in happened else ("its date is not that of the quote",))
    assert outcome(*told, "2022-03/2022-03-20") == wanted
    assert outcome(*told, "") == (None, "", "created_after_cutoff")
    sang = ("Who was the first to sing in Norrin Hall?", "Eva Gil", "Eva Gil sang there first.")
    assert outcome(*sang, "2022") == ("2022-01-01/2022-12-31", "section", "post_cutoff")
    year = ("When was the organ of Norrin Hall repaired?", "2023", "Di Fenn repaired the organ in 2023.")
    assert outcome(*year, "2023-04") == ("2023-01-01/2023-12-31", "answer", "post_cutoff")


@pytest.mark.parametrize(
    ("attempt", "wanted"),
    [
        (("Who painted the ceiling of Norrin Hall?", "Ben Tal", "Ben Tal painted its ceiling.", "2022"),
         ("2022-01-01/2022-12-31", "model", "created_after_cutoff")),
        (("Who painted the ceiling of Norrin Hall?", "Ben Tal", "Ben Tal painted its ceiling.", "2024"),
         (None, "", "created_after_cutoff")),
        (("Who painted the ceiling of Norrin Hall?", "Ben Tal", "Ben Tal painted its ceiling.", "2022/2024"),
         (None, "", "created_after_cutoff")),
        (("Who made the organ of Norrin Hall?", "Di Fenn", "Its organ was made by Di Fenn.", "2023"),
         ("2023-01-01/2023-12-31", "model", "created_after_cutoff")),
        (("Who made the organ of Norrin Hall?", "Di Fenn", "Its organ was made by Di Fenn. It has 2022 seats. Di Fenn repaired the organ in 2023.", "2023"),
         ("2023-01-01/2023-12-31", "model", "created_after_cutoff")),
        (("Who painted the ceiling of Norrin Hall?", "Ben Tal", "Ben Tal painted its ceiling. The first concert after that was conducted by Cy Orr in March 2022.", "2022-03"),
         ("2022-03-01/2022-03-31", "model", "created_after_cutoff")),
        (("Who built Norrin Hall?", "Ada Moor", "by Ada Moor, was opened again in 2022.", "2022"),
         ("1931-01-01/2022-12-31", "sentence", "created_after_cutoff")),
        (("Who built Norrin Hall?", "Ada Moor", "by Ada Moor, was opened again in 2022.", "2023"),
         ("its date is not that of the quote",)),
        (("When was Norrin Hall built?", "1931", "The hall, built in 1931 by Ada Moor, was opened again in 2022.", "2022"),
         ("its date is not that of the quote",)),
        (("When was Norrin Hall built?", "1931", "The hall, built in 1931 by Ada Moor, was opened again in 2022.", "1900/2030"),
         ("its date is not that of the quote",)),
        (("How many seats does Norrin Hall have?", "2022", "It has 2022 seats.", "2022"),
         ("2022-01-01/2022-12-31", "model", "created_after_cutoff")),
        (("What is the porter of Norrin Hall called?", "Finn Hale", "The porter is called Finn Hale.", "2022-01/2023"),
         (None, "", "created_after_cutoff")),
        (("Who made the organ of Norrin Hall?", "Di Fenn", "Di Fenn repaired the organ in 2023.", "2023"),
         ("another sentence answers it rather",)),
        (("Who made the organ of Norrin Hall?", "Di Fenn", "Di Fenn", "2023"),
         ("the quote stands there more than once",)),
        (("Who made the organ of Norrin Hall?", "Di Fenn", "organ was made by Di Fenn", "2023"),
         ("2023-01-01/2023-12-31", "model", "created_after_cutoff")),
        (("Who was the first to sing in Norrin Hall?", "Eva Gil", "Eva Gil sang there first.", "1931"),
         ("its date is not that of its section or article",)),
    ],
)  # fmt: skip
def test_an_old_fact_that_is_said_to_be_new(attempt: tuple[str, str, str, str], wanted: tuple[Any, ...]) -> None:
    """Trimmed quotes, two sentences, another sentence with the same answer, dates of something else, a number as a year."""
    assert outcome(*attempt) == wanted


def test_what_remains_possible() -> None:
    """As the docstring says: a clause about something older in a sentence of one date, and a model that errs or lies."""
    text = "Norrin Hall is a concert hall in Holm. In 2022 the hall, designed by Ada Moor, was opened again."
    told = "Who designed Norrin Hall?", "Ada Moor", "designed by Ada Moor", "2022"
    assert outcome(*told, text) == ("2022-01-01/2022-12-31", "sentence", "post_cutoff")
    assert outcome(*told[:3], "1931", text) == ("its date is not that of the quote",)


def test_another_language() -> None:
    """Dates and years are those of the language; what cannot be read in it is dated by the model alone."""
    text = (
        "Die Halle Norrin ist ein Konzertsaal in Holm. Im März 2022 dirigierte dort Cy Orr das erste Konzert. "
        "Sie hat 2022 Plätze. Die Orgel baute Di Fenn."
    )
    told = Proposal(
        "Wer dirigierte das erste Konzert in der Halle Norrin?", "Cy Orr", "dirigierte dort Cy Orr", "2022-03"
    )
    seats = Proposal("Wie viele Plätze hat die Halle Norrin?", "2022", "Sie hat 2022 Plätze.", "2022")
    organ = Proposal("Wer baute die Orgel der Halle Norrin?", "Di Fenn", "Die Orgel baute Di Fenn.", "2022-03")
    asked, refused = read_proposals(hall(text, "Halle Norrin"), [told, seats, organ], 3, "a-model", language="de")
    assert refused == []
    assert [(one.fact_date, one.dated_by, one.answer_kind) for one in asked] == [
        ("2022-03-01/2022-03-31", "sentence", "name"),
        ("2022-01-01/2022-12-31", "model", "number"),
        ("2022-03-01/2022-03-31", "model", "name"),
    ]
