"""What people call the rows of a table by: found in the names of columns, and in what is unique in the data."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchwright.benchmarks.data_files import read_words
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.builders.sql.wording import english

if TYPE_CHECKING:
    from benchwright.builders.sql.schema import SchemaColumn

_MOST_COUNTED = 1_000_000
"""Rows among which a name must be unique: of a longer table, the first."""
_SIGNS = frozenset("[].'")
_LEAST_NAMED = 0.5
"""The least share of rows that have a name at all."""
NEARLY = 0.95
"""The least share of named rows whose name no other row has: of them the others are left out."""


_WORDS = read_words(__package__, "naming.toml")
_NAMES = _WORDS["names"]
_FIRST_NAMES = _WORDS["first_names"]
_LAST_NAMES = _WORDS["last_names"]
_NO_NAMES = _WORDS["no_names"]
_CODES = _WORDS["codes"]
_OTHER_CODES = _WORDS["other_codes"]
_NUMBERED = _WORDS["numbered"]
_NEVER_NAMES = _WORDS["never_names"]


@dataclass(frozen=True)
class NamedRows:
    """How well some columns tell the rows of a table apart."""

    rows: int
    """That were looked at."""
    named: int
    """Of them, those with a value in each of the columns."""
    alone: int
    """Of those, the ones that share their values with no other row."""

    @property
    def shared(self) -> int:
        """Rows that are called what another one is called."""
        return self.named - self.alone

    @property
    def is_unique(self) -> bool:
        """Whether no two rows have the same values, and most have some."""
        return not self.shared and self._is_common

    @property
    def is_nearly_unique(self) -> bool:
        """Whether so few rows share their values that the others can be asked about."""
        return self.alone >= NEARLY * self.named and self._is_common

    @property
    def _is_common(self) -> bool:
        return self.named >= _LEAST_NAMED * self.rows


@dataclass(frozen=True)
class Naming:
    """What rows of a table are called by."""

    unique: tuple[str, ...]
    """The columns that together say which row is meant, in the order in which people say them; or nothing."""
    called_by: tuple[str, ...]
    """The columns that people call a row by, whether or not another is called so too."""
    measured: NamedRows | None = None
    """How well they tell rows apart: what is unique, else what rows are called by. None: they are no columns of
    theirs."""


def find_naming(
    database: Database,
    table: str,
    columns: "Mapping[str, SchemaColumn]",
    primary: Sequence[str],
    foreign: Collection[str],
) -> Naming:
    """What the rows of a table are called by. An empty table is taken at its columns' names.

    Raises:
        BenchwrightError: the database refuses to count.
    """
    if not can_be_given(table, ()):
        return Naming((), ())
    noun = english.noun(table).lower()
    texts = {
        name: english.words(name).lower()
        for name, column in columns.items()
        if column.kind == "text" and column.worth_asking and name not in foreign
    }
    names = [name for name in dict.fromkeys(_names(noun, texts, columns)) if can_be_given(table, name)]
    called_by = next(iter(names), ())
    others = [name for name in _codes(noun, columns, primary, foreign) if can_be_given(table, name)]
    texts_alone = [] if names else [(text,) for text in _any_texts(texts, primary) if can_be_given(table, (text,))]
    measured: dict[tuple[str, ...], NamedRows] = {}

    def measure(candidate: tuple[str, ...]) -> NamedRows:
        if candidate not in measured:
            measured[candidate] = measure_names(database, table, candidate, is_key=candidate == tuple(primary))
        return measured[candidate]

    for name in names:
        if measure(name).is_unique or not measure(name).rows:
            return Naming(name, called_by, measure(name))
        if measure(name).is_nearly_unique:
            longer = (other for other in names if set(name) < set(other) and measure(other).is_unique)
            best = next(longer, name)
            return Naming(best, called_by, measure(best))
    for number, candidate in enumerate([*others, *texts_alone]):
        found = measure(candidate)
        if found.is_unique and (found.rows or number < len(others) or candidate == tuple(primary)):
            return Naming(candidate, called_by or candidate, found)
    return Naming((), called_by, measured.get(called_by))


def can_be_given(table: str, columns: Iterable[str]) -> bool:
    """Whether columns of a table can stand in a template's placeholders, which are written `'[table.column]'`."""
    return not any(_SIGNS & set(name) for name in (table, *columns))


def _names(noun: str, texts: Mapping[str, str], columns: "Mapping[str, SchemaColumn]") -> Iterator[tuple[str, ...]]:
    """Names and titles, first and last names, and what is named after its kind: the likeliest first."""
    own = {noun, noun.rpartition(" ")[2]}
    pair = _pair(texts)
    is_person = bool(pair) or english.value_kind(noun) == "person"
    exact = _NAMES | {f"{word} name" for word in own} | {noun}
    yield from ((name,) for name, words in texts.items() if words in exact)
    if pair:
        yield pair
    titles = {"title"} | {f"{word} title" for word in own}
    for name, words in texts.items():
        if words in titles and not is_person:
            yield (name,)
            yield from ((name, year) for year in columns if english.words(year).lower().endswith("year"))
    for name, words in texts.items():
        before, _, last = words.rpartition(" ")
        if last == "name" and words not in exact and not _NO_NAMES & set(before.split()):
            yield (name,)
    for name, words in texts.items():
        if words.endswith(" title") and words not in titles and not is_person and "job" not in words.split():
            before = words.split()[0]
            if before not in _NO_NAMES:
                yield (name,)


def _pair(texts: Mapping[str, str]) -> tuple[str, ...]:
    """The columns of a first and a last name."""
    first = next((name for name, words in texts.items() if words in _FIRST_NAMES), None)
    last = next((name for name, words in texts.items() if words in _LAST_NAMES), None)
    return (first, last) if first and last else ()


def _codes(
    noun: str, columns: "Mapping[str, SchemaColumn]", primary: Sequence[str], foreign: Collection[str]
) -> Iterator[tuple[str, ...]]:
    """Codes and numbers of a row's own, what describes it in a word or two, and the number it is known by."""
    own = {noun, noun.rpartition(" ")[2]}
    for name, column in columns.items():
        words = english.words(name).lower()
        before, _, last = words.rpartition(" ")
        if name in foreign or column.kind not in ("text", "number"):
            continue
        if (last in _CODES and not _OTHER_CODES & set(before.split())) or (
            words in {f"{word} description" for word in own} and column.worth_asking
        ):
            yield (name,)
    if len(primary) == 1 and noun.rpartition(" ")[2] in _NUMBERED and primary[0] not in foreign:
        yield (primary[0],)


def _any_texts(texts: Mapping[str, str], primary: Sequence[str]) -> Iterator[str]:
    """Texts of which no two may be the same: the key first."""
    if len(primary) == 1 and primary[0] in texts:
        yield primary[0]
    for name, words in texts.items():
        parts = set(words.split())
        if name not in primary and words.rpartition(" ")[2] not in _NEVER_NAMES and not parts & {"name", "title"}:
            yield name


def measure_names(database: Database, table: str, columns: Sequence[str], *, is_key: bool = False) -> NamedRows:
    """How well some columns tell the rows of a table apart; of a very long one, its first rows.

    Args:
        database: that is asked.
        table: its table.
        columns: of the table.
        is_key: whether they are the primary key, of which no two can be the same.

    Raises:
        BenchwrightError: the database refuses to count.
    """
    names = ", ".join(quoted(column) for column in columns)
    known = " AND ".join(f"{quoted(column)} IS NOT NULL" for column in columns)
    some = f"(SELECT {names} FROM {quoted(table)} LIMIT {_MOST_COUNTED}) AS some_rows"
    [[rows]] = database.all(f"SELECT COUNT(*) FROM {some}")
    if is_key:
        return NamedRows(int(rows), int(rows), int(rows))
    counted = f"SELECT COUNT(*) AS times FROM {some} WHERE {known} GROUP BY {names}"
    alone = "SUM(CASE WHEN times = 1 THEN 1 ELSE 0 END)"
    [[named, single]] = database.all(f"SELECT SUM(times), {alone} FROM ({counted}) AS counted")
    return NamedRows(int(rows), int(named or 0), int(single or 0))
