"""Every common type of a server is asked about, executed again and copied, or left out and counted."""

from pathlib import Path

import pytest
from databases import DatabaseServers

from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card

_POSTGRESQL = (
    "CREATE TYPE mood AS ENUM ('calm', 'loud')",
    "CREATE DOMAIN grade AS TEXT CHECK (LENGTH(VALUE) < 3)",
    "CREATE DOMAIN truth AS BOOLEAN",
    """CREATE TABLE band (name TEXT PRIMARY KEY, seat UUID, made TIMESTAMP, seen TIMESTAMPTZ, opens TIME, lasts INTERVAL,
    facts JSONB, tags TEXT[], exact NUMERIC(30, 10), free NUMERIC, great BIGINT, small SMALLINT, short CHAR(5), feels mood,
    logo BYTEA, single REAL, address INET,
    fulltext TSVECTOR, place POINT, doc XML, until DATE, born DATE, mark grade, sold truth)""",
    """INSERT INTO band VALUES ('Odd', '11111111-2222-3333-4444-555555555555', '2001-02-03 04:05:06',
    '2001-02-03 04:05:06+00', '08:30', '1 day', '{"a": 1}', '{x,y}', 12345678901234567890.0123456789, 1.50,
    9223372036854775807, 3, 'ab', 'calm', '\\x00ff', 1.1, '127.0.0.1',
    'a fat cat', '(1,2)', '<a/>', 'infinity', '0044-03-15 BC', 'A', TRUE)""",
    "INSERT INTO band (name, exact, single) VALUES ('Even', 0.5, 'NaN')",
)
_MARIADB = (
    "SET sql_mode = ''",
    """CREATE TABLE band (name VARCHAR(40) PRIMARY KEY, made DATETIME, seen TIMESTAMP NULL, opens TIME, facts JSON,
    exact DECIMAL(30, 10), free DECIMAL(12, 4), great BIGINT UNSIGNED, small SMALLINT, short CHAR(5),
    feels ENUM('calm', 'loud'), logo BLOB, single FLOAT, since YEAR, flags BIT(4), stars TINYINT(1), lasts TIME, behind TIME,
    never DATE, shape GEOMETRY)""",
    """INSERT INTO band VALUES ('Odd', '2001-02-03 04:05:06', '2001-02-03 04:05:06', '08:30', '{"a": 1}',
    12345678901234567890.0123456789, 1.50, 18446744073709551615, 3, 'ab', 'calm', x'00ff', 1.1, 1999, b'1010', 5,
    '34:05:06', '-00:30:00', '0000-00-00', POINT(1, 2))""",
    "INSERT INTO band (name, exact, stars) VALUES ('Even', 0.5, 1)",
)


_BOTH = {
    "made": ["2001-02-03 04:05:06"],
    "opens": ["08:30:00"],
    "exact": ["12345678901234567890.0123456789"],
    "free": ["1.5"],
    "small": ["3"],
    "feels": ["calm"],
    "single": ["1.1"],
}
_OF_POSTGRESQL = {
    "seen": ["2001-02-03 04:05:06+00:00"],
    "great": ["9223372036854775807"],
    "short": ["ab   "],
    "born": ["0044-03-15 BC"],
    "mark": ["A"],
    "sold": ["yes"],
}
_OF_MARIADB = {
    "seen": ["2001-02-03 04:05:06"],
    "great": ["18446744073709551615"],
    "short": ["ab"],
    "since": ["1999"],
    "stars": ["5"],
    "lasts": ["34:05:06"],
    "behind": ["-00:30:00"],
    "facts": ['{"a": 1}'],  # its JSON is a text
}


@pytest.mark.parametrize("ship", ["touched", "all"])
@pytest.mark.parametrize(
    ("dialect", "statements", "expected"),
    [("postgresql", _POSTGRESQL, _OF_POSTGRESQL), ("mariadb", _MARIADB, _OF_MARIADB)],
    ids=["postgresql", "mariadb"],
)
def test_types(
    dialect: str,
    statements: tuple[str, ...],
    expected: dict[str, list[str]],
    ship: str,
    servers: DatabaseServers,
    tmp_path: Path,
) -> None:
    place = servers.get(dialect).new(*statements).render_as_string(False)
    settings = {"database": place, "forms": "short", "ship": ship}
    release = build_release("grammar", settings, render_card, output=tmp_path, name="band")[0]
    asked = {
        row["sql"].split()[1].strip('"'): row["answers"]
        for batch in release.batches("questions", "test")
        for row in batch.to_pylist()
        if row["entity"] == "Odd"
    }
    assert asked == expected | _BOTH
    for given in (place, None):
        found = verify_release(release, given)
        assert found.problems == []
        assert found.proved["SQL queries"] == release.manifest.checks["sql_queries"]
