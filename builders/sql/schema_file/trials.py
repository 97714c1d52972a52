"""What a schema file says anew, tried on the rows of its database."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.builders.sql.booleans import holds_truths
from benchwright.builders.sql.joins import equation
from benchwright.builders.sql.naming import NEARLY, NamedRows, measure_names
from benchwright.builders.sql.schema import ForeignKey, SchemaTable
from benchwright.builders.sql.schema_file.content import SchemaFile

log = logging.getLogger("benchwright")

_MOST_LOST = 0.5
"""The largest share of a key's values that may be missing where it is to lead."""


@dataclass(frozen=True)
class Trials:
    """Refuses what the rows contradict."""

    file: SchemaFile
    database: Database

    def boolean(self, table: str, column: str, place: Sequence[str]) -> None:
        """Raises BenchwrightError where a column holds more than yes and no."""
        if not holds_truths(self.database, table, column):
            raise self.file.refuse(
                (*place, "format"), "a boolean is yes or no, and other values are there: leave it out"
            )

    def key(self, table: str, key: ForeignKey, place: Sequence[str]) -> None:
        """Raises BenchwrightError where the data say that no key is what the file calls one."""
        try:
            lost, total, twice = _match(self.database, table, key)
        except BenchwrightError as error:
            raise self.file.refuse(place, f"the two sides cannot be compared: {error}") from None
        target = f"{key.table}.{', '.join(key.targets)}"
        if twice:
            raise self.file.refuse(place, f"a key leads to one row, and several rows have the same {target}")
        if total and lost > _MOST_LOST * total:
            found = f"{total - lost:,}" if lost < total else "none"
            are = "are" if lost < total else "is"
            raise self.file.refuse(place, f"{found} of its {total:,} values {are} in {target}")
        if lost:
            told = "%s: %s: %s of its %s values are not in %s, and nothing is asked along it of their rows"
            log.warning(told, self.file.path, ".".join(place), f"{lost:,}", f"{total:,}", target)

    def naming(self, table: SchemaTable, columns: tuple[str, ...], place: Sequence[str]) -> NamedRows:
        """How well names tell rows apart. Raises BenchwrightError where they do not."""
        measured = measure_names(self.database, table.name, columns, is_key=columns == table.primary_key)
        if measured.named and measured.alone < NEARLY * measured.named:
            raise self.file.refuse(
                place,
                f"{measured.shared:,} of {measured.named:,} rows have the same {', '.join(columns)} as another, and a "
                "name must say which row is meant: add a column, choose others, or write [] to ask about none by name",
            )
        return measured


def _match(database: Database, table: str, key: ForeignKey) -> tuple[int, int, int]:
    """Distinct values of a key that its target has not, all of them, and the target's values that several rows have."""
    own, other = [", ".join(quoted(column) for column in columns) for columns in (key.columns, key.targets)]
    is_known = " AND ".join(f"{quoted(column)} IS NOT NULL" for column in key.columns)
    is_there = " AND ".join(f"{quoted(column)} IS NOT NULL" for column in key.targets)
    mine = f"SELECT DISTINCT {own} FROM {quoted(table)} WHERE {is_known}"
    [[total]] = database.all(f"SELECT COUNT(*) FROM ({mine}) AS mine")
    theirs = f"SELECT {other}, COUNT(*) AS times FROM {quoted(key.table)} WHERE {is_there} GROUP BY {other}"
    [[matched, twice]] = database.all(
        f"SELECT COUNT(*), SUM(CASE WHEN theirs.times > 1 THEN 1 ELSE 0 END) FROM ({mine}) AS mine "
        f"JOIN ({theirs}) AS theirs ON {equation(key, 'mine', 'theirs')}"
    )
    return int(total) - int(matched), int(total), int(twice or 0)
