"""What a table says regularly: what its columns are called, and what makes each of its rows the only one."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from benchwright.benchmarks.data_files import read_words
from benchwright.builders.documents.sections import Placed, Section
from benchwright.builders.documents.tree import Cell, Table
from benchwright.builders.telequad.questions.abbreviations import is_list_of_abbreviations
from benchwright.builders.telequad.questions.asked import Specification

WIDEST = 14
"""Columns of a table that has a key; wider ones are matrices or drawings."""
LONGEST_KEY = 60
"""Characters of what a row is called."""
_CAPTION = re.compile(
    r"(?:Table|TABLE|Tab\.)\s+(?P<number>(?:[A-Z]|[IVX]+|\d[\w.]*)(?:[.–-]\w+)*)(?:\s*[:.–—-]\s*|\s+)(?P<text>\S.*)",
    re.DOTALL,
)
_NOT_ASKED = re.compile(
    r"\b(?:histor(?:y|ies)|revisions?|contents|references|bibliography|authors?|contributors|change ?log|changes|"
    r"acknowledge?ments|document control|approvals?|index)\b",
    re.IGNORECASE,
)
_HISTORY = re.compile(r"changes?|change (?:history|description|log)|revisions?|coverage", re.IGNORECASE)
"""Headers of tables about the document itself."""
_UNIT = re.compile(r"(?P<name>.*\S)\s*[(\[](?:in )?(?P<unit>[^\s()\[\]]{1,12})[)\]]")
_CODE = re.compile(
    r"(?:0x[0-9A-Fa-f]+|[01]{4,}[Bb]?|'[0-9A-Fa-f]+'H|[-+±]?\d[\d.,:/ ]*|[\d\s.,/–-]+"
    r"|\d[\d., ]*\s*(?:to|-|–|\.\.)\s*\d[\d., ]*)"
)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    place: int
    header: str
    """What its header rows say, as far as no other column says the same; "" where that is nothing."""
    name: str
    """As it stands in a sentence after "the", without its unit."""
    unit: str
    """What the header has in brackets: "ms"."""
    is_noun: bool
    """Whether "What is the ... of ...?" can be asked."""
    is_prose: bool
    """Whether its cells describe the row."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table that can be asked for its cells."""

    section: int
    placed: Placed
    table: Table
    called: str
    """What questions call it: `table "Timers"`, `table 8.1-1`, `table in the section "Ports"`."""
    columns: tuple[Column, ...]
    keys: tuple[int, ...]
    """Places of the columns that make a row the only one."""
    rows: tuple[int, ...]
    """Places of the rows that no other one has the key of."""

    def row_called(self, row: int) -> str:
        """What questions call a row: `timer T101`, `class S1 and condition calm`."""
        return " and ".join(_called(self.columns[key], self.table.rows[row][key].text) for key in self.keys)

    def key(self, row: int) -> str:
        """The texts of the key's cells."""
        return ", ".join(self.table.rows[row][key].text for key in self.keys)


def grids(specification: Specification) -> Iterator[Grid]:
    """The tables of a document whose rows have a key, with what no two of them are called."""
    words = {word for section in specification.sections for word in _WORD.findall(section.text)}
    tables = [
        (place, placed, placed.part)
        for place, section in enumerate(specification.sections)
        for placed in section.placed
        if isinstance(placed.part, Table)
    ]
    captions = Counter(_caption(table)[1].casefold() for _, _, table in tables)
    titles = Counter(section.clause.title.casefold() for section in specification.sections)
    inside = Counter(place for place, _, _ in tables)
    for place, placed, table in tables:
        section = specification.sections[place]
        called = _table_called(section, table, captions, titles, alone=inside[place] == 1)
        if called and _is_asked(section, table):
            columns = tuple(_columns(table, words))
            if found := _keys(table, columns):
                yield Grid(place, placed, table, called, columns, *found)


def says_nothing(text: str) -> bool:
    """Whether a cell has no text that can be an answer: empty, a dash, a mark, "yes"."""
    bare = text.strip(" .*†‡()").lower()
    return (
        not any(map(str.isalnum, bare)) or bare in _words()["empty"] or (len(bare) < 3 and not re.search(r"\d", bare))
    )


@cache
def _words() -> dict[str, frozenset[str]]:
    return read_words(__package__, "tables.toml")


def _caption(table: Table) -> tuple[str, str]:
    """The number and the text of a caption."""
    text = " ".join(table.caption.split())
    found = _CAPTION.fullmatch(text)
    return (found["number"], found["text"].rstrip(".")) if found else ("", text.rstrip("."))


def _table_called(section: Section, table: Table, captions: Counter[str], titles: Counter[str], alone: bool) -> str:
    number, caption = _caption(table)
    caption = caption.replace('"', "'")
    title, clause = section.clause.title.replace('"', "'").strip(), section.clause.number
    if caption and captions[_caption(table)[1].casefold()] == 1 and len(caption) <= 120:
        return f'table "{caption}"'
    if number:
        return f"table {number}"
    if not alone or caption:
        return ""
    if title and titles[section.clause.title.casefold()] == 1 and len(title) <= 100:
        return f'table in the section "{title}"'
    return f"table in section {clause}" if clause else ""


def _is_asked(section: Section, table: Table) -> bool:
    """Whether a table is for looking up: not a drawing, a history, a list of references or of contents."""
    around = (section.clause.title, _caption(table)[1], *section.path[-1:])
    heads = table.header_rows
    return (
        0 < heads <= 3
        and len(table.rows) - heads >= 2
        and 2 <= len(table.rows[0]) <= WIDEST
        and not any(_NOT_ASKED.search(text) for text in around)
        and not is_list_of_abbreviations(section)
        and all(
            len(cell.text) <= 60 and not _HISTORY.fullmatch(cell.text) for row in table.rows[:heads] for cell in row
        )
    )


def _columns(table: Table, words: set[str]) -> Iterator[Column]:
    heads = table.rows[: table.header_rows]
    stacks = [
        list(dict.fromkeys(" ".join(row[place].text.split()) for row in heads if row[place].text.strip()))
        for place in range(len(heads[0]))
    ]
    last = Counter(stack[-1].casefold() if stack else "" for stack in stacks)
    whole = Counter(tuple(stack) for stack in stacks)
    for place, stack in enumerate(stacks):
        if not stack or whole[tuple(stack)] > 1:
            yield Column(place, "", "", "", False, False)
            continue
        unique = last[stack[-1].casefold()] == 1
        header = stack[-1] if unique else ", ".join(stack)
        found = _UNIT.fullmatch(header)
        bare, unit = (found["name"], found["unit"]) if found else (header, "")
        if len(stack) == 2 and bare.lower() in _words()["degrees"] and stack[0].lower() in _words()["nouns"]:
            bare = f"{bare} {stack[0]}"
        name = _lowered(bare, words)
        end = name.split()[-1].lower()
        is_noun = (
            (end in _words()["nouns"] or _singular(end) != end)
            and len(name.split()) <= 5
            and re.fullmatch(r"[\w /'’-]+", name) is not None
        )
        yield Column(place, header, name, unit, is_noun, name.lower() in _words()["prose"])


def _lowered(text: str, words: set[str]) -> str:
    """With small first letters where the document, or the list of usual headers, writes the word so."""
    usual = _words()["nouns"] | _words()["modifiers"] | _words()["degrees"] | _words()["prose"]

    def lower(found: re.Match[str]) -> str:
        word, small = found[0], found[0].lower()
        if word.istitle() and (small in words or small in usual or _singular(small) in usual):
            return small
        return small if word.isupper() and len(word) > 2 and small in usual else word

    return _WORD.sub(lower, text)


def _keys(table: Table, columns: Sequence[Column]) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
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
    keys = {row: tuple(" ".join(table.rows[row][place].text.split()).casefold() for place in key) for row in body}
    counts = Counter(keys.values())
    return tuple(row for row in body if counts[keys[row]] == 1 and not any(map(_is_nameless, keys[row])))


def _names_rows(table: Table, body: Sequence[int], place: int) -> bool:
    """Whether rows are called by this column: by names, beside nothing but codes and groups."""
    said = [row for row in body if not _is_nameless(table.rows[row][place].text)]
    return (
        len(said) >= max(2, 0.6 * len(body))
        and _share(table, said, place, _is_name) >= 0.8
        and all(_share(table, body, left, _is_code) >= 0.8 or _is_grouped(table, body, left) for left in range(place))
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
    return not any(map(str.isalnum, text)) or text.strip(" .*").lower() in _words()["nameless"]


def _is_name(text: str) -> bool:
    """Whether it can name a row: it has letters, is no code and no sentence."""
    return (
        (1 < len(text) <= LONGEST_KEY or re.fullmatch("[A-Z]", text) is not None)
        and any(map(str.isalpha, text))
        and _CODE.fullmatch(text) is None
        and len(text.split()) <= 6
        and '"' not in text
        and "\n" not in text
        and not text.endswith((".", ":"))
        and not _is_nameless(text)
    )


def _is_code(text: str) -> bool:
    return _CODE.fullmatch(text.strip()) is not None


def _is_short(text: str) -> bool:
    return _is_code(text) or _is_name(text)


def _called(column: Column, text: str) -> str:
    """The column's name and the cell: `timer T101`, `the message "LINK REQUEST"`, or the cell alone."""
    key = " ".join(text.split())
    name = _singular(column.name)
    is_noun = name.split()[-1:] != [] and name.split()[-1].lower() in _words()["nouns"]
    if name and key.lower().startswith(f"{name.lower()} "):
        return key
    is_unsaid = name.lower() in _words()["names"] or not is_noun or len(name.split()) > 3
    if not name or (is_unsaid and not _is_code(key)):
        return key if _is_sign(key) else f'"{key}"'
    unit = f" {column.unit}" if column.unit and _is_code(key) else ""
    return f"{name} {key}{unit}" if _is_sign(key) or _is_code(key) else f'the {name} "{key}"'


def _is_sign(text: str) -> bool:
    """Whether it can only be a name: one word with a figure or a capital after its first letter, or one letter."""
    return " " not in text and (any(not letter.islower() for letter in text[1:]) or len(text) == 1)


def _singular(name: str) -> str:
    """A header in the plural, such as "Options", as it names one row."""
    return (
        name[:-1]
        if name.endswith("s") and name[:-1].split()[-1:] and name[:-1].split()[-1].lower() in _words()["nouns"]
        else name
    )


def is_asked_column(column: Column) -> bool:
    """Whether somebody would ask for what stands in the column."""
    words = [word.lower() for word in _WORD.findall(column.header)]
    return bool(words) and words[-1] not in _words()["unasked"]
