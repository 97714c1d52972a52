"""Numbers, dates and countries as answers state them."""

import pytest

from benchwright.benchmarks.metrics.answers.values import kind_of, prepare_values, scan
from benchwright.benchmarks.text.countries import parse_country, states
from benchwright.benchmarks.text.dates import covers, find_dates, parse_date
from benchwright.benchmarks.text.folding import clean, value_words
from benchwright.benchmarks.text.numbers import find_numbers, parse_number


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("4,200,000", 4.2e6, ""),
        ("4.2 million", 4.2e6, ""),
        ("$4.2m", 4.2e6, "dollars"),
        ("€3bn", 3e9, "euros"),
        ("twenty-seven", 27, ""),
        ("one hundred and five", 105, ""),
        ("two million three hundred thousand", 2.3e6, ""),
        ("15%", 15, "percent"),
        ("15 per cent", 15, "percent"),
        ("2 years", 2, "calendar"),
        ("two and a half years", 2.5, "calendar"),
        ("a year", 1, "calendar"),
        ("2 years and 6 months", 2.5, "calendar"),
        ("-5", -5, ""),
        (".5", 0.5, ""),
        ("5 km", 5, "length"),
        ("120 square metres", 120, "area"),
        ("a dozen", None, ""),
        ("dozen", 12, ""),
        ("Level 3", None, ""),
        ("1st", None, ""),
        ("3 documents", None, ""),
        ("", None, ""),
        ("v1.2.3", None, ""),
    ],
)
def test_numbers(text: str, value: float | None, dimension: str) -> None:
    number = parse_number(text)
    assert (number and (number.value, number.dimension)) == (None if value is None else (value, dimension))


def test_numbers_within_a_text() -> None:
    found = find_numbers("of 3 reports (the 2nd from 2020), 1,250 people earn us$4.5 million in 12 months.")
    assert [(number.value, number.dimension, number.noun) for number in found] == [
        (3, "", "reports"),
        (2020, "", ""),
        (1250, "", "people"),
        (4.5e6, "dollars", "in"),
        (12, "calendar", ""),
    ]


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("2022-09-01", ((2022, 9, 1),)),
        ("2022-09-01T00:00:00Z", ((2022, 9, 1),)),
        ("2022-09-01 00:00:00", ((2022, 9, 1),)),
        ("1st of September, 2022", ((2022, 9, 1),)),
        ("Sept. 1, 2022", ((2022, 9, 1),)),
        ("the 1 Sep 22", None),
        ("1-Sep-22", ((2022, 9, 1),)),
        ("first of September 2022", ((2022, 9, 1),)),
        ("September twenty-first, 2022", ((2022, 9, 21),)),
        ("01/09/2022", ((2022, 9, 1), (2022, 1, 9))),
        ("13/09/2022", ((2022, 9, 13),)),
        ("09.13.2022", ((2022, 9, 13),)),
        ("1/1/22", ((2022, 1, 1),)),
        ("Monday, 3 May 2021", ((2021, 5, 3),)),
        ("May 2021", ((2021, 5, 0),)),
        ("2021-05", ((2021, 5, 0),)),
        ("20220901", ((2022, 9, 1),)),
        ("31/02/2022", None),
        ("2022", None),
        ("29 February 2024", ((2024, 2, 29),)),
        ("29 February 2023", None),
        ("12. März 2022", ((2022, 3, 12),)),
        ("1er mai 2022", ((2022, 5, 1),)),
        ("12 de marzo de 2022", ((2022, 3, 12),)),
        ("2022年3月12日", ((2022, 3, 12),)),
        ("soon", None),
    ],
)
def test_dates(text: str, readings: tuple[tuple[int, int, int], ...] | None) -> None:
    date = parse_date(text)
    assert (date and date.readings) == readings


def test_the_number_of_a_day_is_none_of_a_list() -> None:
    assert clean("12. März 2022") == "12. Marz 2022"
    assert clean("12. Marzipan") == "Marzipan"
    assert clean("1. May Holm") == "May Holm"
    assert clean("ガス") != clean("カス")


def test_dates_within_a_text() -> None:
    text = "it may run from may 5, 2021 to 01.06.2022; the review of march 2020 had 12 pages."
    assert [date.readings for date in find_dates(text)] == [
        ((2021, 5, 5),),
        ((2022, 6, 1), (2022, 1, 6)),
        ((2020, 3, 0),),
    ]


def test_a_more_exact_date_covers_a_less_exact_one() -> None:
    assert covers((2021, 3, 15), (2021, 3, 0)) and not covers((2021, 3, 0), (2021, 3, 15))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("USA", "US"),
        ("the United States", "US"),
        ("American", "US"),
        ("U.S.", "US"),
        ("UK", "GB"),
        ("British", "GB"),
        ("United Kindom", "GB"),
        ("Holland", "NL"),
        ("Dutch", "NL"),
        ("Russian Federation", "RU"),
        ("Viet Nam", "VN"),
        ("Vietnam", "VN"),
        ("Türkiye", "TR"),
        ("Turkey", "TR"),
        ("South Korea", "KR"),
        ("Korean", "KR"),
        ("Côte d'Ivoire", "CI"),
        ("Niger", "NE"),
        ("Nigeria", "NG"),
        ("Austria", "AT"),
        ("Australia", "AU"),
        ("Iran", "IR"),
        ("Virginia", None),
        ("Banking", None),
        ("us", None),
        ("", None),
    ],
)
def test_countries(text: str, code: str | None) -> None:
    assert parse_country(text) == code


def test_states_come_with_their_postal_codes() -> None:
    assert (
        states()["ca"] == ("california",)
        and states()["nsw"] == ("new", "south", "wales")
        and states()["on"] == ("ontario",)
    )


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ("2022-09-01", "date:2022-09-01"),
        ("September 1, 2022", "date:2022-09-01"),
        ("27", "number:27 "),
        ("twenty-seven", "number:27 "),
        ("USA", "country:US"),
        ("United States", "country:US"),
        ("The Smith & Sons Co.", "text:smith and sons co"),
    ],
)
def test_one_key_for_every_form_of_a_value(value: str, key: str) -> None:
    assert kind_of(value)[0] == key


def test_a_form_that_two_values_share_is_left_out() -> None:
    index = prepare_values([("Apex Ltd", ()), ("Apex GmbH", ()), ("Acme Inc.", ())]).index
    assert [hit.form.words for hit in scan(["apex", "and", "acme"], index)] == [("acme",)]


def test_the_longest_form_is_found() -> None:
    index = prepare_values([("Oil and gas", ()), ("Oil and gas equipment", ()), ("Gas", ())]).index
    found = scan(["oil", "and", "gas", "equipment", "or", "oil", "and", "gas", "or", "gas"], index)
    assert [" ".join(hit.form.words) for hit in found] == ["oil and gas equipment", "oil and gas", "gas"]


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("**Émile Zola’s** [1] _book_", "Emile Zola   book "),
        ("[Acme](http://a.b/c) & Co", "Acme  and  Co"),
        ("1. Banking", "Banking"),
        ("in the US", "in the USA"),
        ("a—b", "a - b"),
        ("Wisconsin–Stevens", "Wisconsin-Stevens"),
        ("2.", "2."),
        ("Ørsted 【4†source】", "Orsted "),
    ],
)
def test_cleaning(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_the_words_of_a_value() -> None:
    assert value_words("The Smith & Sons Co.") == ("smith", "and", "sons", "co")
