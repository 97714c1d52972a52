"""Records that say what is asked as a whole: their line is the answer, and a line that says less or otherwise is not."""

import pytest

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.reader.extract import read_passages
from benchwright.benchmarks.systems.reader.stated import stated

RECORD = {
    "count": "customer region: NM\nnumber of customers: 4",
    "bound": "customer name: NM\nnumber of orders, freight above 20: 12",
    "span": "customer name: NM\nnumber of orders, freight from 20 to 50: 3",
    "day": "customer name: NM\nnumber of orders, order date below 1998-01-01: 7",
    "largest": "customer name: NM\nhighest order date of orders: 1998-04-10",
    "average": "customer name: NM\naverage unit price of products: 28.73",
    "first": "customer name: NM\nproduct product name, first by number of units in stock from above: Mozzarella",
    "list": "customer name: NM\nproduct product name: Alder Jam; Birch Syrup",
    "so": "customer name: NM\ncustomer city: Taos\nis it so: no",
    "so too": "customer name: NM\ncustomer phone number: 26.47\nis it so: no",
}


def passages(*names: str) -> list[Passage]:
    texts = [RECORD[name] for name in names]
    return [Passage(f"d{n}", "customer NM", 0, len(text), text) for n, text in enumerate(texts)]


def read(question: str, *names: str) -> str:
    return read_passages(question, passages(*names))


@pytest.mark.parametrize(
    ("name", "question", "answer"),
    [
        ("count", "how many customers are in region NM?", "4"),
        ("count", "to fill in: number of customers whose region is NM", "4"),
        ("count", "customers whose region is NM, total count", "4"),
        ("bound", "At the stand-up on Monday nobody knew the number of orders of the customer NM with a freight above 20.", "12"),
        ("span", "number of orders of customer NM whose freight is from 20 to 50, anyone?", "3"),
        ("day", "orders of customer NM with an order date before 1 January 1998: how many?", "7"),
        ("largest", "what's the latest order date for orders of customer NM?", "1998-04-10"),
        ("average", "average unit price of products of customer NM (rounded to two decimals)", "28.73"),
        ("first", "name of the product of customer NM with the largest number of units in stock, anyone?", "Mozzarella"),
        ("list", "list of products of customer NM?", "Alder Jam; Birch Syrup"),
        ("so", "is the city of the customer NM Taos?", "no"),
        ("so too", "is the phone number of the customer NM 26.47?", "no"),
    ],
)  # fmt: skip
def test_a_line_that_says_all_is_the_answer(name: str, question: str, answer: str) -> None:
    assert read(question, name) == answer


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("bound", "how many customers are in region NM?"),
        ("day", "orders of customer NM with an order date before 1 January 1997: how many?"),
        ("largest", "what's the earliest order date for orders of customer NM?"),
        ("first", "which product of customer NM has the smallest unit price?"),
        ("list", "list of suppliers of customer NM?"),
        ("count", "how many customers are in region WA?"),
    ],
)
def test_a_line_that_says_otherwise_is_not(name: str, question: str) -> None:
    assert stated(question, passages(name)) is None


def test_the_line_that_says_most_counts_and_telephones_are_whole() -> None:
    question = "number of orders of customer NM with a freight above 20?"
    assert read(question, "count", "bound") == "12"
    text = "customer name: NM\ncustomer phone: (100) 555-4822"
    assert (
        read_passages("phone number of customer NM", [Passage("d", "customer NM", 0, len(text), text)])
        == "(100) 555-4822"
    )


@pytest.mark.parametrize(
    "question",
    [
        "I have stumbled over the city of the customer NM, which it states in two ways; what is correct?",
        "Does anything in the system say what the city is in the case of the customer NM, and if so, what?",
    ],
)
def test_what_asks_for_a_value_is_no_question_of_yes_or_no(question: str) -> None:
    text = "customer name: NM\ncustomer city: Taos"
    assert read_passages(question, [Passage("d", "customer NM", 0, len(text), text)]) not in ("Yes", "No")
