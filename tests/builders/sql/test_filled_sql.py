"""The values in an executed query are read in one pass, whatever the template."""

import pytest

from benchwright.builders.sql.proofs.filled import literal_text, sql_pattern, text_pattern


def test_values_and_wordings() -> None:
    pattern = sql_pattern("SELECT a FROM t WHERE b = '[t.B]' AND c = [t.c] AND d = '[T.b]';")
    assert pattern.names == ("t.b", "t.c")
    assert pattern.values("SELECT a FROM t WHERE b = 'O''Neil' AND c = -3.50 AND d = 'O''Neil';") == ("O'Neil", "-3.5")
    assert pattern.values("SELECT a FROM t WHERE b = 'x' AND c = 1 AND d = 'y';") is None
    assert pattern.values("SELECT a FROM t WHERE b = 'x' AND c = 1 AND d = 'x'; --") is None
    assert pattern.values("SELECT a FROM t WHERE b = 'x AND c = 1 AND d = 'x';") is None
    wording = text_pattern("a of [t.b], [T.C] and [t.z]?", pattern.names)
    assert wording.fill(["B", "C"]) == "a of B, C and [t.z]?"


def test_a_template_without_placeholders_has_no_values() -> None:
    assert sql_pattern("SELECT 1").values("SELECT 1") == ()
    assert sql_pattern("SELECT 1").values("SELECT 2") is None


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        ("'a''b'", "a'b"), ("TRUE", "yes"), ("FALSE", "no"), ("7", "7"), ("7.0", "7"), ("1e+16", "10000000000000000"),
        ("1e-05", "0.00001"), ("0.12345678901234567890", "0.1234567890123456789"), ("2020-01-01", "2020-01-01"),
        ("1e999999999", "1e999999999"), ("1_0", "1_0"),
    ],
)  # fmt: skip
def test_literals(literal: str, text: str) -> None:
    assert literal_text(literal) == text


def test_a_hostile_template_does_not_keep_it_busy() -> None:
    """With a pattern that may give back what it took, these would be tried in more ways than there are atoms."""
    pattern = sql_pattern("SELECT a FROM t WHERE " + "".join("[t.a]" for _ in range(2_000)) + "x")
    assert pattern.values("SELECT a FROM t WHERE " + "1" * 50_000) is None
    quotes = sql_pattern("SELECT " + "'[t.a]'" * 500)
    assert quotes.values("SELECT " + "'" * 100_000) is None
