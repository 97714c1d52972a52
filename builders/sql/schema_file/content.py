"""What a schema file may say, read and checked for its shape: which of it fits a database, `apply` knows."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, StrictBool, StrictStr, TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.sql.schema import TableKind
from benchwright.builders.sql.units import NO_UNIT, named_unit

Format = Literal["text", "number", "boolean", "date"]

LARGEST = 20_000_000
"""Bytes that are read."""
LONGEST = 200
"""Characters that words may have."""
_TYPES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "a table",
}
"""What TOML calls a type; of all others (dates and times) the name is ours too."""
_WANTED = {
    "bool_type": "must be true or false",
    "string_type": "must be a text in quotes",
    "list_type": 'must be a list of texts such as ["first_name", "last_name"]',
    "tuple_type": 'must be a list of texts such as ["first_name", "last_name"]',
    "dict_type": "must be a table",
    "dataclass_type": "must be a table in braces, such as {{{}}}",
}
_STRICT = ConfigDict(extra="forbid")


def are_words(text: str) -> bool:
    """Whether a text can stand in a question and in its template."""
    return bool(text.strip()) and text.isprintable() and len(text) <= LONGEST and not set(text) & set("[]{}")


def _words(text: str) -> str:
    words = text.strip()
    if not are_words(words):
        raise ValueError(f"must be words on one line, up to {LONGEST} characters, without brackets; it is {text:.40}")
    return words


def _distinct(entries: Mapping[str, Any]) -> Mapping[str, Any]:
    seen: dict[str, str] = {}
    for name in entries:
        other = seen.setdefault(name.lower(), name)
        if other != name:
            raise ValueError(f"{name!r} is the same name as {other!r}: keep one of the two")
    return entries


def _key(value: Any) -> Any:
    """A key as a text alone, or `false` for one that is not to be followed."""
    if value is False:
        return {"to": ""}
    if isinstance(value, str):
        value = {"to": value}
    if isinstance(value, dict) and "to" in value and value["to"] == "":
        raise ValueError('must be "table.column", or false where the key is not to be followed')
    return value


def _unit(text: str) -> str:
    return named_unit(_words(text)) if text.strip() else NO_UNIT


Words = Annotated[StrictStr, AfterValidator(_words)]
Unit = Annotated[StrictStr, AfterValidator(_unit)]


@dataclass(frozen=True)
class ColumnEntry:
    """A line of [table.NAME.columns]; what is None is as it was found."""

    __pydantic_config__ = _STRICT
    words: Words | None = None
    ask: StrictBool | None = None
    reach: Literal[0, 1, 2] | None = None
    format: Format | None = None
    unit: Unit | None = None
    personal: StrictBool | None = None


@dataclass(frozen=True)
class KeyEntry:
    """A line of [table.NAME.keys]."""

    __pydantic_config__ = _STRICT
    to: StrictStr
    """`table.column`; empty where the key is not to be followed."""
    role: Words | None = None


@dataclass(frozen=True)
class TableEntry:
    """What is said under [table.NAME]; what is None is as it was found."""

    __pydantic_config__ = _STRICT
    called: Words | None = None
    kind: TableKind | None = None
    named_by: tuple[StrictStr, ...] | None = None
    called_by: tuple[StrictStr, ...] | None = None
    ask: StrictBool | None = None
    keys: Annotated[
        Mapping[str, Annotated[KeyEntry, BeforeValidator(_key)]], AfterValidator(_distinct)
    ] = field(default_factory=dict)  # fmt: skip
    columns: Annotated[Mapping[str, ColumnEntry], AfterValidator(_distinct)] = field(default_factory=dict)


@dataclass(frozen=True)
class _Content:
    __pydantic_config__ = _STRICT
    ask_personal: StrictBool = True
    paths: Mapping[str, StrictBool] = field(default_factory=dict)
    table: Annotated[Mapping[str, TableEntry], AfterValidator(_distinct)] = field(default_factory=dict)


@dataclass(frozen=True)
class SchemaFile:
    """What a person says of a database, beside or against what was found."""

    path: Path
    tables: Mapping[str, TableEntry]
    paths: Mapping[str, bool]
    ask_personal: bool

    def refuse(self, keys: Iterable[str], problem: str) -> BenchwrightError:
        """The error about what stands under some keys."""
        return BenchwrightError(f"{self.path}: {_place(keys)}: {problem}")


_CONTENT: TypeAdapter[_Content] = TypeAdapter(_Content)
_DEPTHS: Mapping[int, type] = {1: _Content, 3: TableEntry}


def read_schema_file(path: Path) -> SchemaFile:
    """Reads a schema file.

    Raises:
        BenchwrightError: it is missing, too large, no TOML, a file of labels, or says what no schema file can say; the
            message names the file, the place in it, and what to do.
    """
    if path.exists() and not path.is_file():
        raise BenchwrightError(f"{path}: the schema file cannot be read: it is not a file")
    try:
        if path.stat().st_size > LARGEST:
            raise BenchwrightError(f"{path}: the schema file is not read: it has more than {LARGEST:,} bytes")
        raw = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise BenchwrightError(f"{path}: there is no such schema file; --draft-schema {path} writes one") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BenchwrightError(f"{path}: the schema file cannot be read: {reason}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BenchwrightError(f"{path}: not valid TOML: {' '.join(str(error).split())}") from None
    if "table" not in raw and {"tables", "columns"} & set(raw):
        raise BenchwrightError(
            f"{path}: this is a file of labels, which the schema file has replaced: write one with --draft-schema "
            "FILE, and put the labels there, as called and words"
        )
    try:
        content = _CONTENT.validate_python(raw)
    except (ValidationError, RecursionError) as error:
        found = error.errors()[0] if isinstance(error, ValidationError) else None
        raise BenchwrightError(f"{path}: {_problem(found) if found else 'it is nested too deep'}") from None
    return SchemaFile(path, content.table, content.paths, content.ask_personal)


def suggestion(name: str, known: Iterable[str]) -> str:
    """A suggestion to append to a message, or nothing."""
    lower = {candidate.lower(): candidate for candidate in known}
    found = get_close_matches(name.lower(), lower, n=1)
    return f"; did you mean {lower[found[0]]!r}?" if found else ""


def _problem(error: Any) -> str:
    """What is wrong with the content of a file, and where, by the first of pydantic's errors."""
    loc = [str(part) for part in error["loc"]]
    place, kind, value = f"{_place(loc)}: ", error["type"], error["input"]
    if kind == "unexpected_keyword_argument":
        known = [item.name for item in fields(_owner(loc))]
        return f"{place}there is no such key: it can be {', '.join(known)}{suggestion(loc[-1], known)}"
    if kind == "missing":
        return f'{place}is missing: write it as {loc[-2]} = "table.column"'
    if kind == "literal_error":
        choices = error["ctx"]["expected"].replace("'", "").replace(" or ", ", ").split(", ")
        return f"{place}must be one of {', '.join(choices)}; it is {value!r:.40}{suggestion(str(value), choices)}"
    if kind in _WANTED:
        inside = ", ".join(f"{item.name} = …" for item in fields(_owner(loc, whole=True))) if "class" in kind else ""
        return f"{place}{_WANTED[kind].format(inside)}, not {_toml_type(value)}"
    return f"{place}{error['ctx']['error'] if 'error' in error.get('ctx', {}) else error['msg']}"


def _owner(loc: list[str], *, whole: bool = False) -> type:
    """What a key stands in; whole: what stands under it."""
    depth = len(loc) + 1 if whole else len(loc)
    if depth in _DEPTHS:
        return _DEPTHS[depth]
    return KeyEntry if loc[2:3] == ["keys"] else ColumnEntry


def _place(keys: Iterable[str]) -> str:
    """Keys as they stand in the file: a table's in brackets, then the line."""
    shown = [key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else f'"{key}"' for key in keys]
    if shown[:1] == ["paths"] and len(shown) > 1:
        return f"[paths] {'.'.join(shown[1:])}"
    if shown[:1] == ["table"] and len(shown) > 2:
        deep = 3 if len(shown) > 3 and shown[2] in ("keys", "columns") else 2
        return f"[{'.'.join(shown[:deep])}] {'.'.join(shown[deep:])}"
    return f"[{'.'.join(shown)}]" if shown[:1] in (["table"], ["paths"]) else ".".join(shown)


def _toml_type(value: object) -> str:
    return _TYPES.get(type(value), f"a {type(value).__name__}")
