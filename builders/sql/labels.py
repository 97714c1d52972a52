"""Better names for tables and columns than their identifiers give, from a user's TOML file.

[tables]
people = "person"

[columns]
"company.Sales_in_Billion" = "sales in billions of dollars"
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Self

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.sql.wording import english

SECTIONS = ("tables", "columns")


@dataclass(frozen=True, slots=True)
class Labels:
    """What tables and columns are called; where the file says nothing, `english` does."""

    path: Path | None = None
    """The file that the labels came from, for messages."""
    tables: Mapping[str, str] = field(default_factory=dict)
    """Table as the file writes it → singular noun."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """`table.column` as the file writes it → words."""

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Reads a TOML file. Raises BenchwrightError if it is missing, not TOML, or says anything else than labels."""
        path = Path(path)
        content = _read(path)
        for section in content:
            if section not in SECTIONS:
                raise BenchwrightError(
                    f"{path}: unknown section [{section}] (a labels file has [tables] and [columns])"
                    f"{_nearest(section, SECTIONS)}"
                )
        tables, columns = (_section(path, name, content.get(name, {})) for name in SECTIONS)
        for key in columns:
            if not all(key.partition(".")):
                raise BenchwrightError(f'{path}: [columns] "{key}": write it as "table.column"')
        return cls(path, tables, columns)

    def noun(self, table: str) -> str:
        """The singular noun of a table."""
        return _lookup(self.tables, table) or english.noun(table)

    def column(self, table: str, column: str) -> str:
        """The words of a column that is asked for or given."""
        return _lookup(self.columns, f"{table}.{column}") or english.words(column) or column

    def role(self, table: str, column: str) -> str:
        """The role that a foreign key's column names."""
        return _lookup(self.columns, f"{table}.{column}") or english.role(column)

    def check(self, tables: Mapping[str, Collection[str]]) -> None:
        """Raises BenchwrightError if a label names a table or column that is not in the schema (table → columns)."""
        known = {table.lower(): table for table in tables}
        for label in self.tables:
            if label.lower() not in known:
                self._refuse("tables", label, f"there is no table {label!r}", label, tables)
        for label in self.columns:
            owner = max((table for table in known if label.lower().startswith(f"{table}.")), key=len, default=None)
            if owner is None:
                name = label.partition(".")[0]
                self._refuse("columns", label, f"there is no table {name!r}", name, tables)
                continue
            table, column = known[owner], label[len(owner) + 1 :]
            if column.lower() not in {name.lower() for name in tables[table]}:
                self._refuse("columns", label, f"table {table!r} has no column {column!r}", column, tables[table])

    def _refuse(self, section: str, label: str, problem: str, name: str, known: Iterable[str]) -> None:
        place = f"{self.path}: " if self.path else ""
        raise BenchwrightError(f'{place}[{section}] "{label}": {problem}{_nearest(name, known)}')


def _read(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BenchwrightError(f"{path}: there is no such labels file") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BenchwrightError(f"{path}: the labels file cannot be read: {reason}") from None
    except tomllib.TOMLDecodeError as error:
        raise BenchwrightError(f"{path}: not valid TOML: {' '.join(str(error).split())}") from None


def _section(path: Path, name: str, content: object) -> dict[str, str]:
    if not isinstance(content, dict):
        raise BenchwrightError(f"{path}: [{name}] must be a table of labels, not {_toml_type(content)}")
    labels: dict[str, str] = {}
    seen: dict[str, str] = {}
    for key, value in content.items():
        place = f'{path}: [{name}] "{key}"'
        if isinstance(value, dict) and name == "columns":
            column = next(iter(value), "column")
            raise BenchwrightError(f'{place}: a column\'s key stands in quotes: "{key}.{column}" = "words"')
        if not isinstance(value, str):
            raise BenchwrightError(f"{place}: the label must be a text, not {_toml_type(value)}")
        label = value.strip()
        if not label or any(sign in label for sign in "[]{}\n\r"):
            raise BenchwrightError(f"{place}: the label must be words on one line, without brackets; it is {value!r}")
        if key.lower() in seen:
            raise BenchwrightError(f'{place}: the same name as "{seen[key.lower()]}"; keep one of the two')
        seen[key.lower()] = key
        labels[key] = label
    return labels


def _lookup(labels: Mapping[str, str], key: str) -> str | None:
    return next((label for name, label in labels.items() if name.lower() == key.lower()), None)


def _nearest(name: str, known: Iterable[str]) -> str:
    """A suggestion to append to a message, or nothing."""
    lower = {candidate.lower(): candidate for candidate in known}
    found = get_close_matches(name.lower(), lower, n=1)
    return f"; did you mean {lower[found[0]]!r}?" if found else ""


def _toml_type(value: object) -> str:
    names = {bool: "a boolean", int: "an integer", float: "a number", str: "a text", list: "an array", dict: "a table"}
    return names.get(type(value), f"a {type(value).__name__}")
