"""GRAMMAR built from a real database server is proved against it again, and tamperings are caught."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from built import copy_release
from databases import DatabaseServers, execute
from sqlalchemy.engine import make_url
from support import COMPANY
from tampering import Copy, Row

from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card

_MORE = (
    "CREATE TABLE ship (name VARCHAR(40) PRIMARY KEY, tons DECIMAL(9, 3), afloat BOOLEAN, launched DATE)",
    "INSERT INTO ship VALUES ('Ane Moe', 10.500, TRUE, '2001-03-04'), ('O''Hara', 7, FALSE, '1999-12-31')",
    "INSERT INTO ship VALUES ('50 % Gull', 3.25, TRUE, '1980-01-02')",
)


@pytest.fixture(scope="module", params=["postgresql", "mariadb"])
def served(
    request: pytest.FixtureRequest, servers: DatabaseServers, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Release, str]:
    """A release, and the URL of its database."""
    script = COMPANY if request.param == "postgresql" else re.sub(r"\bTEXT\b", "VARCHAR(80)", COMPANY)
    statements = [item for item in script.split(";") if item.strip()]
    url = servers.get(request.param).new(*statements, *_MORE).render_as_string(False)
    root = tmp_path_factory.mktemp("server")
    settings = {"database": url, "forms": "short"}
    return build_release("grammar", settings, render_card, output=root, name="served")[0], url


def test_the_release_is_proved(served: tuple[Release, str]) -> None:
    release, url = served
    found = verify_release(release, url)
    checks = release.manifest.checks
    assert found.problems == []
    assert found.reasons.keys() == {"source databases by their bytes"}
    assert found.proved["SQL queries"] == found.proved["records"] == checks["sql_queries"]
    assert found.proved["templates of which no filling is missing"] == checks["sql_templates"]
    rows = Copy(release.folder).read("questions")
    assert {"50 % Gull", "O'Hara"} <= {row["entity"] for row in rows}
    said = {row["entity"]: row["answers"] for row in rows if "afloat" in row["sql"].partition(" FROM ")[0]}
    assert said == {"Ane Moe": ["yes"], "50 % Gull": ["yes"], "O'Hara": ["no"]}


def _of_answer(answer: str, value: str) -> Callable[[Copy], object]:
    return lambda copy: copy.each("questions", lambda row: row.update(answers=[value]), _is_answered(answer))


def _is_answered(answer: str) -> Callable[[Row], bool]:
    return lambda row: row["answers"] == [answer]


@pytest.mark.parametrize(
    ("edit", "wrong"),
    [
        (_of_answer("10.5", "11.5"), r"sql: question .* the query returns '10\.5', the release says '11\.5'"),
        (_of_answer("Oslo", "Bergen"), "sql: question .* the query returns 'Oslo', the release says 'Bergen'"),
        (
            lambda copy: copy.each("questions", lambda row: row.update(hops=1), lambda row: row["hops"] == 2),
            "column: question .* its hops is 1, and must be 2",
        ),
        (
            lambda copy: copy.each("questions", lambda row: row.update(answer_type="set"), _is_answered("Oslo")),
            "column: question .* its answer_type is 'set', and must be 'one'",
        ),
    ],
    ids=["a number", "a text", "hops", "a type"],
)
def test_a_tampering_is_caught(
    served: tuple[Release, str], edit: Callable[[Copy], object], wrong: str, tmp_path: Path
) -> None:
    release, url = served
    copy = Copy(copy_release(release, tmp_path).folder)
    edit(copy)
    copy.seal()
    found = verify_release(copy.release, url).problems
    assert any(re.match(wrong, text) for text in found), found[:5]


def test_rows_that_came_later_are_not_called_a_tampering(served: tuple[Release, str]) -> None:
    """What a server holds today need not be what it held: what was asked is still answered so."""
    release, url = served
    execute(make_url(url), "INSERT INTO ship VALUES ('Late', 1, TRUE, '2020-02-02')")
    try:
        found = verify_release(release, url)
        assert found.problems == []
        assert "is not known to be the same" in found.reasons["templates of which no filling is missing"]
    finally:
        execute(make_url(url), "DELETE FROM ship WHERE name = 'Late'")
