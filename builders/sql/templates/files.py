"""Templates as JSON files, in the format that GRAMMAR publishes: written, edited by hand, and read again.

{"sql_templates": {"('company',)": [SQL, …]}, "text_templates_short": {SQL: [TEXT, …]}, "text_templates_long": …}
Those of a release begin with its canary.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import StringConstraints, TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sql import PLACEHOLDER, SqlTemplate
from benchwright.benchmarks.hashing import wording_id
from benchwright.benchmarks.releases.canary import KEY

SQL_KEY = "sql_templates"
TEXT_KEY = "text_templates_"
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


def load_templates(path: Path) -> TemplateFile:
    """Reads a file of templates, or all `*.json` files of a folder.

    Raises:
        BenchwrightError: nothing is there, or something is not as it must be; the message names the place.
    """
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise BenchwrightError(f"the folder {path} holds no *.json file of templates")
    sql: dict[str, None] = {}
    texts: dict[str, dict[str, tuple[str, ...]]] = {}
    places: dict[str, str] = {}
    for file in files:
        content = _read(file)
        for group, statements in _texts(content.get(SQL_KEY, {}), f"{file}: {SQL_KEY}").items():
            for number, statement in enumerate(statements, 1):
                sql[statement] = None
                places.setdefault(statement, f"{file}: {SQL_KEY}[{group!r}], entry {number}")
        for key in content:
            if key in (SQL_KEY, KEY):
                continue
            if not key.startswith(TEXT_KEY):
                raise BenchwrightError(f"{file}: {key!r} is none of {SQL_KEY}, {TEXT_KEY}FORM: correct or delete it")
            form = texts.setdefault(key.removeprefix(TEXT_KEY), {})
            for statement, wordings in _texts(content[key], f"{file}: {key}").items():
                place = f"{file}: {key}[{statement!r}]"
                if statement not in sql:
                    raise BenchwrightError(
                        f"{place} has texts, but {SQL_KEY} does not list this SQL template: add it there"
                    )
                if not wordings:
                    raise BenchwrightError(
                        f"{place} is an empty list: add texts, or delete the entry so that it is worded anew"
                    )
                form[statement] = (*form.get(statement, ()), *wordings)
    if not sql:
        raise BenchwrightError(f"{path} holds no SQL template under {SQL_KEY!r}")
    return TemplateFile(tuple(sql), texts, places)


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
