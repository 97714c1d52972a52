"""Templates as JSON files, in the format that GRAMMAR publishes: written, edited by hand, and read again.

{"sql_templates": {"('company',)": [SQL, …]}, "text_templates_short": {SQL: [TEXT, …]}, "text_templates_long": …}
Templates of kinds that were asked for by name stand under "kinds" too: {"count": [SQL, …]}. Those of a release begin
with its canary.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import StringConstraints, TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sql import PLACEHOLDER, SqlTemplate
from benchwright.benchmarks.hashing import wording_id
from benchwright.benchmarks.releases.canary import KEY

SQL_KEY = "sql_templates"
TEXT_KEY = "text_templates_"
KINDS_KEY = "kinds"
_Texts = list[Annotated[str, StringConstraints(pattern=r"\S")]]
_TEXTS = TypeAdapter(dict[str, _Texts])
"""What stands under each of these keys: SQL templates by their tables, and wordings by their SQL template."""


@dataclass(frozen=True)
class TemplateFile:
    """What files of templates hold: SQL templates, and their wordings per form."""

    sql: tuple[str, ...]
    texts: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Form → SQL template → wordings."""
    places: Mapping[str, str]
    """SQL template → where it stands, for messages."""
    notes: Sequence[str] = ()
    """What of the files is not used, or is to be worded anew; to be told."""
    emptied: frozenset[tuple[str, str]] = frozenset()
    """Form and SQL template of each empty list that is to be filled again."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """SQL template → kind, of those that are said to be of one."""


@dataclass
class _Reading:
    """What files of templates hold, as far as they are read."""

    refill: bool
    sql: dict[str, None] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    texts: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    text_places: dict[str, str] = field(default_factory=dict)
    """SQL template → where its texts stand first."""
    emptied: dict[tuple[str, str], str] = field(default_factory=dict)
    """Form and SQL template → where its empty list stands."""
    kinds: dict[str, str] = field(default_factory=dict)


def load_templates(path: Path, refill: bool = False) -> TemplateFile:
    """Reads a file of templates, or all `*.json` files of a folder.

    Texts of a SQL template that is not listed (any more) are left out and noted. An empty list of texts is refused, or
    noted as one to be filled again.

    Raises:
        BenchwrightError: nothing is there, or something is not as it must be; the message names the place.
    """
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise BenchwrightError(f"the folder {path} holds no *.json file of templates")
    reading = _Reading(refill)
    for file in files:
        _read_one(file, reading)
    if not reading.sql:
        raise BenchwrightError(f"{path} holds no SQL template under {SQL_KEY!r}")
    notes = _left_out(reading)
    for (form, statement), place in reading.emptied.items():
        if statement in reading.sql and not reading.texts[form].get(statement):
            notes.append(f"{place} is an empty list: its texts are written anew")
    texts = {
        form: {sql: own for sql, own in found.items() if sql in reading.sql} for form, found in reading.texts.items()
    }
    return TemplateFile(tuple(reading.sql), texts, reading.places, notes, frozenset(reading.emptied), reading.kinds)


def _read_one(file: Path, reading: _Reading) -> None:
    content = _read(file)
    for group, statements in _texts(content.get(SQL_KEY, {}), f"{file}: {SQL_KEY}").items():
        for number, statement in enumerate(statements, 1):
            reading.sql[statement] = None
            reading.places.setdefault(statement, f"{file}: {SQL_KEY}[{group!r}], entry {number}")
    reading.kinds.update(read_kinds(_texts(content.get(KINDS_KEY, {}), f"{file}: {KINDS_KEY}"), str(file)))
    for key in content:
        if key in (SQL_KEY, KINDS_KEY, KEY):
            continue
        if not key.startswith(TEXT_KEY):
            raise BenchwrightError(f"{file}: {key!r} is none of {SQL_KEY}, {TEXT_KEY}FORM: correct or delete it")
        name = key.removeprefix(TEXT_KEY)
        form = reading.texts.setdefault(name, {})
        for statement, wordings in _texts(content[key], f"{file}: {key}").items():
            place = f"{file}: {key}[{statement!r}]"
            reading.text_places.setdefault(statement, place)
            if wordings:
                form[statement] = (*form.get(statement, ()), *wordings)
            elif reading.refill:
                reading.emptied[name, statement] = place
            else:
                raise BenchwrightError(
                    f"{place} is an empty list: add texts, have them written anew with --set emptied=refill, or delete "
                    f"the SQL template under {SQL_KEY}"
                )


def read_kinds(listed: Mapping[str, Sequence[str]], place: str) -> dict[str, str]:
    """SQL template → kind, of what a file lists under `kinds`.

    Raises:
        BenchwrightError: there is no such kind, or a SQL template is of two.
    """
    from benchwright.builders.sql.kinds import all_kinds  # it makes templates itself

    found: dict[str, str] = {}
    for kind, statements in listed.items():
        if kind not in all_kinds():
            there = ", ".join(all_kinds())
            raise BenchwrightError(
                f"{place}: {KINDS_KEY} names {kind!r}, and the kinds are {there}: correct or delete it"
            )
        for statement in statements:
            if found.setdefault(statement, kind) != kind:
                raise BenchwrightError(
                    f"{place}: {KINDS_KEY} lists {statement!r} as {found[statement]} and as {kind}: delete one"
                )
    return found


def _left_out(reading: _Reading) -> list[str]:
    """A line for each SQL template that has texts and is not listed."""
    notes = []
    for statement, place in reading.text_places.items():
        if statement in reading.sql:
            continue
        counts = {form: len(found[statement]) for form, found in reading.texts.items() if statement in found}
        shown = " and ".join(f"{count} {form}" for form, count in counts.items()) or "no"
        notes.append(f"{place}: {SQL_KEY} does not list this SQL template, so it is left out with its {shown} texts")
    return notes


def check_texts(template: SqlTemplate, form: str, wordings: Sequence[str], place: str) -> None:
    """Checks that every wording holds exactly the placeholders of its SQL template.

    Raises:
        BenchwrightError: one does not, or two are the same.
    """
    wanted = {(item.table.lower(), item.column.lower()) for item in template.placeholders}
    seen: dict[str, int] = {}
    for number, wording in enumerate(wordings, 1):
        where = f"{place}, {form} text {number}"
        there = {(table.lower(), column.lower()) for table, column in PLACEHOLDER.findall(wording)}
        for table, column in sorted(wanted - there):
            raise BenchwrightError(f"{where} lacks the placeholder [{table}.{column}]: {wording!r}")
        for table, column in sorted(there - wanted):
            raise BenchwrightError(f"{where} has [{table}.{column}], which its SQL template has not: {wording!r}")
        same = seen.setdefault(wording_id(form, wording), number)
        if same != number:
            raise BenchwrightError(f"{where} is the same as text {same}: {wording!r}")


def published_format(
    templates: Sequence[SqlTemplate], texts: Mapping[str, Mapping[str, Sequence[str]]]
) -> dict[str, Any]:
    """Templates as the content of a file; `load_templates` reads it again."""
    groups: dict[str, list[str]] = {}
    for template in templates:
        groups.setdefault(tables_key(template), []).append(template.text)
    content: dict[str, Any] = {SQL_KEY: groups}
    kinds: dict[str, list[str]] = {}
    for template in templates:
        if template.declared:
            kinds.setdefault(template.declared, []).append(template.text)
    if kinds:
        content[KINDS_KEY] = kinds
    for form, wordings in texts.items():
        content[f"{TEXT_KEY}{form}"] = {template.text: list(wordings[template.text]) for template in templates}
    return content


def tables_key(template: SqlTemplate) -> str:
    """What a file lists a SQL template under: its tables, as GRAMMAR writes them."""
    return repr(tuple(dict.fromkeys(template.tables.values())))


def _read(file: Path) -> dict[str, Any]:
    if file.exists() and not file.is_file():
        raise BenchwrightError(f"{file} is not a file: give a file of templates, or a folder of such")
    try:
        content = json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=_without_repeats)
    except FileNotFoundError:
        raise BenchwrightError(f"there is no file of templates {file}") from None
    except UnicodeDecodeError:
        raise BenchwrightError(f"{file} is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise BenchwrightError(f"{file}, line {error.lineno}, column {error.colno}: {error.msg}") from None
    except OSError as error:
        raise BenchwrightError(f"{file} cannot be read: {error.strerror}") from None
    except RecursionError:
        raise BenchwrightError(f"{file} cannot be read: its lists or objects are nested too deeply") from None
    except _RepeatedName as error:
        raise BenchwrightError(
            f"{file}: the name {str(error)!r} stands there twice in one object: join the two"
        ) from None
    if not isinstance(content, dict):
        raise BenchwrightError(f"{file} {_NO_OBJECT}")
    return content


class _RepeatedName(Exception):
    """Of two values of one name, JSON would keep the last."""


def _without_repeats(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _RepeatedName(next(name for name in names if names.count(name) > 1))
    return found


_NO_OBJECT = "must be an object, with names before its values"


def _texts(value: Any, place: str) -> dict[str, list[str]]:
    """Lists of texts by their names.

    Raises:
        BenchwrightError: it is something else; the message says where.
    """
    try:
        return _TEXTS.validate_python(value)
    except ValidationError as error:
        at = error.errors()[0]["loc"]
    if not at:
        raise BenchwrightError(f"{place} {_NO_OBJECT}")
    if len(at) == 1:
        raise BenchwrightError(f"{place}[{at[0]!r}] must be a list of texts")
    raise BenchwrightError(f"{place}[{at[0]!r}], entry {int(at[1]) + 1} must be a text that is not empty")
