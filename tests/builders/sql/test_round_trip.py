"""What a checker is shown: the right SQL template among others, and nothing in how it is written that tells it."""

import re
from pathlib import Path

import pytest
from clubs import CLUB
from support import make_sqlite

from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.grounding.sql import parse_template
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.wording.round_trip import Check, alternatives


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT town FROM club WHERE name = '[club.name]'",
        """select "TOWN" from "club" where club.name = '[club.name]';""",
        "SELECT c.town FROM player JOIN club AS c ON player.club_id = c.club_id WHERE player.name = '[player.name]';",
    ],
)
def test_the_right_one_is_written_as_the_others_are(tmp_path: Path, sql: str) -> None:
    with open_database(f"sqlite:///{make_sqlite(tmp_path / 'club.sqlite', CLUB)}") as database:
        schema = reflect(database)
    template = parse_template(sql, schema.names, schema.dialect)
    others = [other.text.rstrip("; ") for other in alternatives(template, schema)]
    check = Check.of("Where is it?", template, others, [], schema.dialect)
    assert check.right in check.choices
    assert 2 <= len(check.choices) <= 6
    shapes = {re.sub(r"^SELECT \w+\.\w+ FROM ", "SELECT … FROM ", choice) for choice in check.choices}
    assert len(shapes) == 1, check.choices
    assert all('"' not in choice and choice.startswith("SELECT ") for choice in check.choices)
