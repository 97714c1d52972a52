"""Months, numbers in words, slugs and ranks: one of each."""

import re

import pytest

from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.text.dates import MONTH, MONTHS, SHORT_MONTHS, month_number
from benchwright.benchmarks.text.numbers import SMALL, TENS
from benchwright.benchmarks.text.slugs import slug


def test_months() -> None:
    assert (len(MONTHS), MONTHS[0], SHORT_MONTHS[8]) == (12, "January", "Sept")
    assert [month_number(name) for name in (*MONTHS, *SHORT_MONTHS)] == [*range(1, 13)] * 2
    assert month_number("SEP.") == 9
    with pytest.raises(KeyError):
        month_number("Moon")
    written = "Sep. Sept September Mayor may Marches Jul"
    assert re.findall(MONTH, written) == ["Sep.", "Sept", "September", "Jul"]


def test_numbers_in_words() -> None:
    assert (len(SMALL), SMALL[0], SMALL[12], SMALL[19]) == (20, "zero", "twelve", "nineteen")
    assert TENS == ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


@pytest.mark.parametrize(
    ("text", "keeps", "expected"),
    [
        ("My RAG (v2)", "", "my-rag-v2"),
        ("meta/Llama-3.1_8B:free", "._-", "meta-llama-3.1_8b-free"),
        ("meta/Llama-3.1_8B:free", "", "meta-llama-3-1-8b-free"),
        ("..é..", "._-", "none"),
        ("---", "", "none"),
    ],
)
def test_slugs(text: str, keeps: str, expected: str) -> None:
    assert slug(text, "none", keeps) == expected


def test_ranks_keep_their_bytes() -> None:
    """What a seed drew once it must always draw: these bytes are part of releases that exist."""
    assert rank(0, "q1").hex() == "8d92e2a727135e6d"
    assert rank(1, "t", 0, "'x'", joined_by="\0").hex() == "49045647caddca0f"
    assert rank(7, "random", 12, joined_by=":", algorithm="sha256").hex()[:16] == "61efe13d848a08f5"


def test_ranks_tell_parts_apart_where_nothing_joins_them() -> None:
    assert rank("a", "bc") != rank("ab", "c")
    assert rank("a", "bc", joined_by="") == rank("ab", "c", joined_by="")
