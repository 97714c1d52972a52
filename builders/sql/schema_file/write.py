"""A schema as a file for a person who knows the data: read aloud, edited, and given back with --set schema=FILE."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from benchwright.builders.sql.joins import role_of
from benchwright.builders.sql.reach import reach
from benchwright.builders.sql.schema import DatabaseSchema, ForeignKey, KeyPath, SchemaColumn, SchemaTable
from benchwright.builders.sql.schema_file.apply import BETWEEN, PERSONAL
from benchwright.builders.sql.schema_file.content import are_words

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_FARTHEST = 2
"""The reach of columns that are asked for wherever a path leads."""
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_WIDEST = 60
"""Characters before a comment that are aligned."""
_HEADER = """
# What Benchwright understood of {source}: read it, correct it, and build with --set schema=FILE.
#
# A table     called       what one row is called: a singular noun
#             kind         entity, or event (what happened, as an order); lookup: a name that others refer to, not
#                          asked about itself; carrier: it stands between a thing and the next, and nobody speaks of it
#                          (an address, the copy of a film); junction: it only ties rows of other tables together
#             named_by     the columns that together say which row is meant; [] asks about no row by its name. A name
#                          that few rows share will do: those rows are left out
#             called_by    what people call a row by where it is the answer, if that is something else
#             ask          false: the table has a part in no question
# Its keys    column = {{to = "table.column", role = "what that row is to this one"}}; false: the key is not followed.
#             Several columns: "a, b" = {{to = "table.a, b", role = "…"}}
# Its columns words        what the column is called
#             ask          whether it is asked for; after # stands why not
#             reach        how many keys away from the thing that is named: 0 is asked of that thing alone (nobody asks
#                          for the birthday of the employee who took an order), 1, or 2, which stands for any
#             format       text, number, boolean (yes or no) or date, where it was taken for something else
#             unit         what its values are in, such as "kg", "$", "minutes", "fraction" (0.15 is 15 %) or
#                          "time of day": answers are accepted with it; "none" where there is none
#             personal     whether it may hold personal data
#
# What you delete is taken as it was found; a list of names that you shorten is as you leave it.
"""


def write_schema(
    schema: DatabaseSchema,
    source: str,
    found: str = "",
    tables: Collection[str] | None = None,
    left_out: Collection[KeyPath] = (),
) -> str:
    """The text of a schema file that changes nothing when it is given back.

    Args:
        schema: what was understood.
        source: of what, for its first line.
        found: how keys were found that the database is said to declare; nothing where it did.
        tables: those that are written; None: all.
        left_out: the paths that nobody asks along.
    """
    names = [name for name in schema.tables if tables is None or name in tables]
    parts = [_HEADER.format(source=_comment(source)).strip(), "\n".join(_top(left_out))]
    parts += ["\n".join(_table(schema, schema.tables[name], found)) for name in names]
    return "\n\n".join(parts) + "\n"


def _top(left_out: Collection[KeyPath]) -> Iterator[str]:
    yield _line("ask_personal = true", "false: no column is asked for that is marked as personal")
    yield ""
    yield "# Keys one after the other, also at the end of a longer path: false is not asked along, true is"
    yield "[paths]"
    readable = (path for path in left_out if not any(BETWEEN in key for key in path))
    yield from (f"{_text(BETWEEN.join(path))} = false" for path in readable)


def _table(schema: DatabaseSchema, table: SchemaTable, found: str) -> Iterator[str]:
    name = _key(table.name)
    yield f"[table.{name}]"
    yield from _words("called", schema.vocabulary.noun(table.name))
    if table.view and not table.ask:
        yield _line("ask = false", "a view; true: its rows are looked into, and asked about")
        return
    yield f"kind = {_text(table.kind)}"
    yield _line(f"named_by = {_list(table.naming)}", _naming(table))
    if table.called_by != table.naming:
        yield f"called_by = {_list(table.called_by)}"
    yield f"ask = {_truth(table.ask)}"
    if table.foreign_keys:
        yield f"[table.{name}.keys]"
        yield from _aligned(
            {_key(", ".join(key.columns)): _key_entry(schema, table, key, found) for key in table.foreign_keys}
        )
    yield f"[table.{name}.columns]"
    yield from _aligned({_key(one.name): _column_entry(schema, table, one) for one in table.columns.values()})


def _naming(table: SchemaTable) -> str:
    """How it was found what names a row."""
    rows = table.measured
    columns = ", ".join(table.naming or table.called_by)
    if rows is None:
        return "" if table.naming else "no column names a row"
    if not rows.rows:
        return "the table is empty: found by name alone"
    if not table.naming:
        return f"{rows.shared:,} of {rows.named:,} rows share their {_comment(columns)}"
    without = f"; {rows.rows - rows.named:,} have none" if rows.named < rows.rows else ""
    if rows.shared:
        return f"nearly unique: {rows.shared:,} of {rows.named:,} rows share theirs and are not asked about{without}"
    return f"unique in {rows.named:,} rows{without}"


def _key_entry(schema: DatabaseSchema, table: SchemaTable, key: ForeignKey, found: str) -> tuple[str, str]:
    role = role_of(key, table.name, schema.vocabulary)
    to = f"to = {_text(f'{key.table}.' + ', '.join(key.targets))}"
    entry = f"{{{', '.join([to, *_words('role', role)])}}}"
    return entry, found if found and key.found == "declared" else key.found


def _column_entry(schema: DatabaseSchema, table: SchemaTable, column: SchemaColumn) -> tuple[str, str]:
    parts = list(_words("words", schema.vocabulary.column(table.name, column.name)))
    parts.append(f"ask = {_truth(column.worth_asking)}")
    if column.worth_asking and not table.names_row(column.name) and (far := reach(table, column)) < _FARTHEST:
        parts.append(f"reach = {far}")
    if column.kind in ("boolean", "date") or column.is_corrected:
        parts.append(f"format = {_text(column.kind)}")
    if column.unit:
        parts.append(f"unit = {_text(column.unit)}")
    notes = [column.why_not] if column.why_not else []
    if column.personal:
        parts.append("personal = true")
        notes = [note for note in notes if note != PERSONAL] + [f"personal: {column.personal}"]
    if not notes and table.names_row(column.name):
        notes.append("names a row")
    if column.note:
        notes.append(column.note)
    return f"{{{', '.join(parts)}}}", "; ".join(notes)


def _aligned(entries: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    """Lines `key = value   # comment`, the equals signs below each other."""
    width = min(max(map(len, entries), default=0), _WIDEST)
    for key, (value, comment) in entries.items():
        yield _line(f"{key.ljust(width)} = {value}", comment)


def _line(text: str, comment: str) -> str:
    return f"{text.ljust(_WIDEST)}  # {comment}" if comment else text


def _words(key: str, words: str) -> Iterator[str]:
    """A key with its words; nothing where an odd name gives words that no question could hold."""
    if are_words(words):
        yield f"{key} = {_text(words)}"


def _list(names: Sequence[str]) -> str:
    return f"[{', '.join(_text(name) for name in names)}]"


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _text(text: str) -> str:
    """A TOML text on one line, whatever is in it."""
    return '"' + "".join(_ESCAPES.get(sign) or (sign if sign.isprintable() else _escaped(sign)) for sign in text) + '"'


def _escaped(sign: str) -> str:
    code = ord(sign)
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def _comment(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)
