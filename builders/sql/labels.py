"""Better names for tables and columns than their identifiers give, from a user's TOML file.

[tables]
people = "person"

[columns]
"company.Sales_in_Billion" = "sales in billions of dollars"
"""

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, ConfigDict, TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.columns import column_words

SECTIONS = ("tables", "columns")
_TYPES = {bool: "a boolean", int: "an integer", float: "a number", str: "a text", list: "an array", dict: "a table"}
"""What TOML calls a type; of all others (dates and times) the name is ours too."""


def _words(text: str) -> str:
    label = text.strip()
    if not label or any(sign in label for sign in "[]{}\n\r"):
        raise ValueError(f"the label must be words on one line, without brackets; it is {text!r}")
    return label


def _distinct(labels: dict[str, str]) -> dict[str, str]:
    seen: dict[str, str] = {}
    for key in labels:
        if key.lower() in seen:
            raise ValueError(f'"{key}": the same name as "{seen[key.lower()]}"; keep one of the two')
        seen[key.lower()] = key
    return labels


def _of_columns(labels: dict[str, str]) -> dict[str, str]:
    for key in labels:
        if not all(key.partition(".")):
            raise ValueError(f'"{key}": write it as "table.column"')
    return labels


_Section = Annotated[dict[str, Annotated[str, AfterValidator(_words)]], AfterValidator(_distinct)]


@dataclass(frozen=True)
class _Content:
    """What a file of labels may say."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    tables: _Section = field(default_factory=dict)
    columns: Annotated[_Section, AfterValidator(_of_columns)] = field(default_factory=dict)


_CONTENT = TypeAdapter(_Content)


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
        if path.exists() and not path.is_file():
            raise BenchwrightError(f"{path}: the labels file cannot be read: it is not a file")
        try:
            content = _CONTENT.validate_python(tomllib.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            raise BenchwrightError(f"{path}: there is no such labels file") from None
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise BenchwrightError(f"{path}: the labels file cannot be read: {reason}") from None
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise BenchwrightError(f"{path}: not valid TOML: {' '.join(str(error).split())}") from None
        except ValidationError as error:
            raise BenchwrightError(f"{path}: {_problem(error.errors()[0])}") from None
        return cls(path, content.tables, content.columns)

    def noun(self, table: str) -> str:
        """The singular noun of a table."""
        return _lookup(self.tables, table) or english.noun(table)

    def column(self, table: str, column: str) -> str:
        """The words of a column that is asked for or given."""
        return _lookup(self.columns, f"{table}.{column}") or column_words(self.noun(table), column) or column

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


def _problem(error: Any) -> str:
    """What is wrong with the content of a file, and where, by the first of pydantic's errors."""
    section, *keys = error["loc"]
    place = f'[{section}] "{keys[0]}":' if keys else f"[{section}]"
    match error["type"]:
        case "unexpected_keyword_argument":
            return f"unknown section {place} (a labels file has [tables] and [columns]){_nearest(section, SECTIONS)}"
        case "dict_type":
            return f"{place} must be a table of labels, not {_toml_type(error['input'])}"
        case "string_type" if section == "columns" and isinstance(error["input"], dict):
            column = next(iter(error["input"]), "column")
            return f'{place} a column\'s key stands in quotes: "{keys[0]}.{column}" = "words"'
        case "string_type":
            return f"{place} the label must be a text, not {_toml_type(error['input'])}"
        case _:
            return f"{place} {error['ctx']['error']}"


def _lookup(labels: Mapping[str, str], key: str) -> str | None:
    return next((label for name, label in labels.items() if name.lower() == key.lower()), None)


def _nearest(name: str, known: Iterable[str]) -> str:
    """A suggestion to append to a message, or nothing."""
    lower = {candidate.lower(): candidate for candidate in known}
    found = get_close_matches(name.lower(), lower, n=1)
    return f"; did you mean {lower[found[0]]!r}?" if found else ""


def _toml_type(value: object) -> str:
    return _TYPES.get(type(value), f"a {type(value).__name__}")
