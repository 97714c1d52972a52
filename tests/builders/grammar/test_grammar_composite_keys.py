"""Foreign keys of several columns are followed, as those of one are: halls and singers that a region numbers itself."""

import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from databases import DatabaseServers

from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema import ForeignKey
from benchwright.cards.dataset.card import render_card

_HALLS = """
CREATE TABLE region (code VARCHAR(9) PRIMARY KEY, name VARCHAR(40), capital VARCHAR(40));
CREATE TABLE hall (region_code VARCHAR(9) REFERENCES region (code), hall_no INTEGER, name VARCHAR(40), seats INTEGER,
  PRIMARY KEY (region_code, hall_no));
CREATE TABLE singer (region_code VARCHAR(9) REFERENCES region (code), singer_no INTEGER, name VARCHAR(40),
  voice VARCHAR(20), mentor_no INTEGER, PRIMARY KEY (region_code, singer_no),
  FOREIGN KEY (region_code, mentor_no) REFERENCES singer (region_code, singer_no));
CREATE TABLE concert (region_code VARCHAR(9) REFERENCES region (code), concert_no INTEGER, title VARCHAR(40),
  hall_no INTEGER, PRIMARY KEY (region_code, concert_no),
  FOREIGN KEY (region_code, hall_no) REFERENCES hall (region_code, hall_no));
CREATE TABLE performance (region_code VARCHAR(9), concert_no INTEGER, singer_no INTEGER, part VARCHAR(20),
  PRIMARY KEY (region_code, concert_no, singer_no),
  FOREIGN KEY (region_code, concert_no) REFERENCES concert (region_code, concert_no),
  FOREIGN KEY (region_code, singer_no) REFERENCES singer (region_code, singer_no));
INSERT INTO region VALUES ('N', 'Northmark', 'Halden'), ('S', 'Southmark', 'Corve');
INSERT INTO hall VALUES ('N', 1, 'Old Rink', 300), ('S', 1, 'Glass House', 900), ('S', 2, 'The Barn', 120);
INSERT INTO singer VALUES ('N', 1, 'Ada Moor', 'alto', NULL), ('S', 1, 'Ben Tal', 'bass', NULL),
  ('S', 2, 'Cy Orr', 'tenor', 1), ('N', 2, 'Dee Lund', 'soprano', 1);
INSERT INTO concert VALUES ('N', 1, 'First Frost', 1), ('S', 1, 'Harvest', 2), ('S', 2, 'Summer Night', 1);
INSERT INTO performance VALUES ('N', 1, 1, 'lead'), ('S', 1, 1, 'lead'), ('S', 1, 2, 'choir'), ('S', 2, 2, 'lead');
"""


def _build(root: Path, place: str) -> Release:
    settings = {"database": place, "groups": 0, "commonest": 1}
    release = build_release("grammar", settings, render_card, output=root, name="halls")[0]
    found = verify_release(release, place)
    assert found.problems == []
    assert found.proved["SQL queries"] == release.manifest.checks["sql_queries"]
    return release


def _rows(release: Release) -> list[dict[str, Any]]:
    return [row for batch in release.batches("questions", "test") for row in batch.to_pylist()]


@pytest.fixture(scope="module")
def from_sqlite(tmp_path_factory: pytest.TempPathFactory) -> tuple[Release, str]:
    """The release, and the URL of its database."""
    folder = tmp_path_factory.mktemp("sqlite")
    with sqlite3.connect(folder / "halls.sqlite") as connection:
        connection.executescript(_HALLS)
    url = f"sqlite:///{folder / 'halls.sqlite'}"
    return _build(folder / "releases", url), url


def test_a_key_of_two_columns_is_one_hop(from_sqlite: tuple[Release, str]) -> None:
    release, url = from_sqlite
    with open_database(url) as database:
        tables = reflect(database).tables
    two = ("region_code", "hall_no")
    assert ForeignKey(two, "hall", two) in tables["concert"].foreign_keys
    assert [table.name for table in tables.values() if table.associative] == ["performance"]
    found = {(row["sql"].partition(" FROM ")[0], row["entity"], row["hops"]): row["answers"] for row in _rows(release)}
    assert found["SELECT hall.seats", "Harvest", 2] == ["120"]
    assert found["SELECT singer_2.voice", "Cy Orr", 2] == ["bass"]  # the mentor of the same number in another region
    assert found["SELECT region.capital", "Summer Night", 2] == ["Corve"]
    assert {"SELECT concert.region_code", "SELECT singer_2.region_code"}.isdisjoint(asked for asked, _, _ in found)


def test_what_it_leads_to_is_called_by_its_own_column_or_its_table(from_sqlite: tuple[Release, str]) -> None:
    texts = [row["question"] for row in _rows(from_sqlite[0])]
    assert any(re.search(r"\bhall of (the )?concert Harvest\b", text, re.IGNORECASE) for text in texts), texts[:40]
    assert any(re.search(r"\bmentor of (the )?singer Cy Orr\b", text, re.IGNORECASE) for text in texts)
    assert not any(re.search(r"hall no\b|singer number|_", text) for text in texts)


@pytest.mark.parametrize("dialect", ["postgresql", "mariadb"])
def test_servers_make_the_same(
    dialect: str, servers: DatabaseServers, from_sqlite: tuple[Release, str], tmp_path: Path
) -> None:
    statements = [item for item in _HALLS.split(";") if item.strip()]
    url = servers.get(dialect).new(*statements).render_as_string(False)
    assert _build(tmp_path, url).content_hash() == from_sqlite[0].content_hash()
