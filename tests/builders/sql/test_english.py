"""Identifiers to words, number, articles and kinds of value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.columns import column_words
from benchwright.builders.sql.wording.meaning import ValueKind


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("Graduation_College", "graduation college"),
        ("JobTitle", "job title"),
        ("SupervisorOrManager", "supervisor or manager"),
        ("Sales_in_Billion", "sales in billions"),
        ("Market_Value_in_Billion", "market value in billions"),
        ("height_in_cm", "height in cm"),
        ("HTTPServer", "HTTP server"),
        ("START_DATE", "start date"),
        ("ADDRESS2", "address 2"),
        ("address2", "address 2"),
        ("q1_sales", "Q1 sales"),
        ("CO2_Emission", "CO2 emission"),
        ("2nd_manager", "2nd manager"),
        ("client_id", "client ID"),
        ("ceo", "CEO"),
        ("dob", "date of birth"),
        ("order-items", "order items"),
        ("Größe", "größe"),
        ("%", ""),
    ],
)
def test_words(identifier: str, words: str) -> None:
    assert english.words(identifier) == words


@given(st.text(max_size=30))
def test_words_are_single_spaced_and_have_no_punctuation(identifier: str) -> None:
    words = english.words(identifier)
    assert words == " ".join(words.split())
    assert all(sign.isalnum() or sign == " " for sign in words)


@pytest.mark.parametrize(
    ("table", "noun"),
    [
        ("People", "person"),
        ("people", "person"),
        ("company", "company"),
        ("Companies", "company"),
        ("order_items", "order item"),
        ("tbl_addresses", "address"),
        ("Statuses", "status"),
        ("Buses", "bus"),
        ("children", "child"),
        ("series", "series"),
        ("headquarters", "headquarters"),
        ("staff", "staff member"),
        ("singer_in_concert", "singer in concert"),
        ("%", "%"),
    ],
)
def test_nouns_of_tables(table: str, noun: str) -> None:
    assert english.noun(table) == noun


@pytest.mark.parametrize(
    ("column", "role"),
    [
        ("client_id", "client"),
        ("People_ID", "person"),
        ("ProjectDirector", "project director"),
        ("SupervisorOrManager", "supervisor or manager"),
        ("manager_name", "manager"),
        ("status_id", "status"),
        ("managed_by", "manager"),
        ("reports_to_id", "manager"),
        ("ShipVia", "shipper"),
        ("id", "ID"),
        ("%", "%"),
    ],
)
def test_roles_of_foreign_keys(column: str, role: str) -> None:
    assert english.role(column) == role


@pytest.mark.parametrize(
    "phrase",
    ["sales in billions", "profits", "total assets", "hours per week", "people", "children", "years of service"],
)
def test_plural_phrases(phrase: str) -> None:
    assert english.is_plural(phrase)


@pytest.mark.parametrize(
    "phrase",
    ["headquarters", "status", "email address", "number of rooms", "business", "data", "gas", "analysis", "GPS", ""],
)
def test_singular_phrases(phrase: str) -> None:
    assert not english.is_plural(phrase)


def test_singular_and_plural_are_inverse_for_common_nouns() -> None:
    for word in ("company", "address", "box", "city", "day", "person", "child", "series", "headquarters", "class"):
        assert english.singular(english.plural(word)) == word
        assert english.singular(word) == word


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("employment record", "an employment record"),
        ("hour log", "an hour log"),
        ("university record", "a university record"),
        ("supply record", "a supply record"),
    ],
)
def test_articles(phrase: str, expected: str) -> None:
    assert english.with_article(phrase) == expected


def test_join() -> None:
    assert [english.join(["a", "b", "c"][:count]) for count in range(4)] == ["", "a", "a and b", "a, b and c"]


@pytest.mark.parametrize(
    ("phrase", "sql_type", "kind"),
    [
        ("project manager", "", "person"),
        ("supervisor or manager", "TEXT", "person"),
        ("people", "", "person"),
        ("author", "VARCHAR(80)", "person"),
        ("manager", "INTEGER", "number"),
        ("manager email", "", "text"),
        ("headquarters", "", "place"),
        ("country of origin", "", "place"),
        ("client", "", "organisation"),
        ("graduation college", "", "organisation"),
        ("start date", "TEXT", "date"),
        ("date of birth", "", "date"),
        ("opened", "DATETIME", "date"),
        ("grid", "POINT", "text"),
        ("age", "", "number"),
        ("floor", "BIGINT", "number"),
        ("price", "DECIMAL(8, 2)", "number"),
        ("is active", "INTEGER", "boolean"),
        ("insured", "BOOLEAN", "boolean"),
        ("industry", "TEXT", "text"),
        ("", "", "text"),
    ],
)
def test_kinds_of_values(phrase: str, sql_type: str, kind: ValueKind) -> None:
    assert english.value_kind(phrase, sql_type) == kind


@pytest.mark.parametrize(
    ("kind", "phrase", "word"),
    [
        ("person", "project manager", "who"),
        ("organisation", "client", "who"),
        ("organisation", "graduation college", "what"),
        ("place", "headquarters", "what"),
        ("text", "status", "what"),
    ],
)
def test_question_words(kind: ValueKind, phrase: str, word: str) -> None:
    assert english.question_word(kind, phrase) == word


@pytest.mark.parametrize(
    ("noun", "column", "words"),
    [
        ("employee", "Title", "job title"),
        ("film", "Title", "title"),
        ("supplier", "ContactTitle", "job title of the contact"),
        ("order", "ShipCity", "ship-to city"),
        ("order", "ShippedDate", "shipped date"),
        ("customer", "fax", "fax number"),
        ("film", "minutes", "duration in minutes"),
        ("doctor", "hired_on", "hiring date"),
        ("ticket", "escalated_at", "escalated date"),
        ("passenger", "passport_no", "passport number"),
        ("meeting", "look_at", "look at"),
    ],
)
def test_words_of_columns(noun: str, column: str, words: str) -> None:
    assert column_words(noun, column) == words
