"""What the rows of a table are called, and which of them a name is of alone."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from benchwright.builders.documents.tree import Cell, Table
from benchwright.builders.telequad.questions.headers import Column, singular, table_words, without_notes

LONGEST_KEY = 60
"""Characters of what a row is called."""
_CODE = re.compile(
    r"(?:0x[0-9A-Fa-f]+|[01]{4,}[Bb]?|'[0-9A-Fa-f]+'H|[-+±]?\d[\d.,:/ ]*|[\d\s.,/–-]+"
    r"|\d[\d., ]*\s*(?:to|-|–|\.\.)\s*\d[\d., ]*)"
)


def read_keys(table: Table, columns: Sequence[Column]) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The columns that name a row, and the rows that they name alone."""
    body = [row for row in range(table.header_rows, len(table.rows)) if not _is_heading(table.rows[row])]
    if len(body) < 2:
        return None
    first = [column.place for column in columns[:3] if column.header or not column.place]
    named = [place for place in first if _names_rows(table, body, place)]
    coded = [0] if columns[0].header and _share(table, body, 0, _is_code) == 1 else []
    for place in (*named, *coded):
        rows = _only(table, body, (place,))
        if len(rows) == sum(not _is_nameless(table.rows[row][place].text) for row in body):
            return (place,), rows
    short = [place for place in first if columns[place].header and _share(table, body, place, _is_short) == 1]
    for key in (tuple(short[:2]), tuple(short)):
        if (
            1 < len(key) < len(columns)
            and _is_grouped(table, body, key[0])
            and len(_only(table, body, key)) == len(body)
        ):
            return key, tuple(body)
    if named and (rows := _only(table, body, (named[0],))):
        return (named[0],), rows
    return None


def _only(table: Table, body: Sequence[int], key: tuple[int, ...]) -> tuple[int, ...]:
    """The rows whose key says something and is no other row's."""
    keys = {row: tuple(key_of(table.rows[row][place]).casefold() for place in key) for row in body}
    counts = Counter(keys.values())
    return tuple(row for row in body if counts[keys[row]] == 1 and not any(map(_is_nameless, keys[row])))


def key_of(cell: Cell) -> str:
    """The text of a cell that is a key, in one line and without the notes that it refers to."""
    return without_notes(" ".join(cell.text.split()))


def _names_rows(table: Table, body: Sequence[int], place: int) -> bool:
    """Whether rows are called by this column: by names, beside nothing but codes and groups."""
    said = [row for row in body if not _is_nameless(table.rows[row][place].text)]
    return (
        len(said) >= max(2, 0.6 * len(body))
        and _share(table, said, place, _is_name) >= 0.8
        and all(_share(table, body, left, _is_mark) >= 0.8 or _is_grouped(table, body, left) for left in range(place))
    )


def _is_grouped(table: Table, body: Sequence[int], place: int) -> bool:
    """Whether rows share the cells of a column."""
    return len({table.rows[row][place].text for row in body}) <= 0.6 * len(body)


def _share(table: Table, body: Sequence[int], place: int, holds: Callable[[str], bool]) -> float:
    return sum(holds(table.rows[row][place].text) for row in body) / len(body)


def _is_heading(row: tuple[Cell, ...]) -> bool:
    """Whether it is one cell over all columns: a heading of the rows below."""
    return len({cell.text for cell in row}) == 1 or all(not cell.text.strip() for cell in row[1:])


def _is_nameless(text: str) -> bool:
    """Whether a cell cannot name a row: empty, a dash, or "reserved"."""
    return not any(map(str.isalnum, text)) or text.strip(" .*").lower() in table_words()["nameless"]


def _is_name(text: str) -> bool:
    """Whether it can name a row: it has letters, is no code and no sentence."""
    return (
        (1 < len(text) <= LONGEST_KEY or re.fullmatch("[A-Z]", text) is not None)
        and any(map(str.isalpha, text))
        and not _is_code(text)
        and len(text.split()) <= 6
        and '"' not in text
        and "\n" not in text
        and not text.endswith((".", ":"))
        and not _is_nameless(text)
    )


def _is_code(text: str) -> bool:
    return len(text) <= LONGEST_KEY and _CODE.fullmatch(text.strip()) is not None


def _is_mark(text: str) -> bool:
    """Whether it is a code, empty, or as short as the code of an information element: `2C`."""
    return _is_code(text) or len(text) <= 2


def _is_short(text: str) -> bool:
    return _is_code(text) or _is_name(text)


def row_called(column: Column, key: str) -> str:
    """The column's name and the cell: `timer T101`, `the message "LINK REQUEST"`, or the cell alone."""
    name = singular(column.name)
    if name.split()[:-1] and name.split()[-1] == "name" and name.split()[-2].lower() in table_words()["nouns"]:
        name = name.removesuffix(" name")
    is_noun = name.split()[-1:] != [] and name.split()[-1].lower() in table_words()["nouns"]
    if name and key.lower().startswith(f"{name.lower()} "):
        return key
    is_unsaid = name.lower() in table_words()["names"] or not is_noun or len(name.split()) > 3
    if not name or (is_unsaid and not _is_code(key)):
        return key if _is_sign(key) else f'"{key}"'
    unit = f" {column.unit}" if column.unit and _is_code(key) else ""
    return f"{name} {key}{unit}" if _is_sign(key) or _is_code(key) else f'the {name} "{key}"'


def _is_sign(text: str) -> bool:
    """Whether it can only be a name: one word with a figure or a capital after its first letter, or one letter."""
    return " " not in text and (any(not letter.islower() for letter in text[1:]) or len(text) == 1)
