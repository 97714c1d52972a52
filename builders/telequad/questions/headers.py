"""What the columns of a table are called."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from benchwright.benchmarks.data_files import read_words
from benchwright.builders.documents.tree import Table

_UNIT = re.compile(
    r"(?P<name>.*\S)\s*[(\[](?!e?s\))(?:in )?(?P<unit>[^\s()\[\]=]{1,12})[)\]]|(?P<alone>.*\S)\s+[(\[]s[)\]]"
)
_NOTES = re.compile(r"\s*\(?\bN(?:OTE|ote)s?\s*\d+(?:(?:,| and|, and)\s*(?:N(?:OTE|ote)\s*)?\d+)*\)?\s*$")
WORD = re.compile(r"[^\W\d_]+")


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


@cache
def table_words() -> dict[str, frozenset[str]]:
    """The sets of words of `tables.toml`."""
    return read_words(__package__, "tables.toml")


def read_columns(table: Table, words: set[str]) -> Iterator[Column]:
    """The columns by their header rows; `words` are all words of the document, which say what is no name."""
    heads = table.rows[: table.header_rows]
    stacks = [
        list(
            dict.fromkeys(without_notes(" ".join(row[place].text.split())) for row in heads if row[place].text.strip())
        )
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
        bare, unit = (found["name"] or found["alone"], found["unit"] or "s") if found else (header, "")
        if len(stack) == 2 and bare.lower() in table_words()["degrees"] and stack[0].lower() in table_words()["nouns"]:
            bare = f"{bare} {stack[0]}"
        name = _lowered(bare, words)
        end = name.split()[-1].lower()
        begins = name.split()[0].lower() in table_words()["degrees"] or name.lower().startswith("number of ")
        is_noun = (
            (begins or end in table_words()["nouns"])
            and len(name.split()) <= 6
            and not {word.lower() for word in name.split()} & table_words()["clauses"]
            and re.fullmatch(r"[\w /'’-]+", name) is not None
        )
        yield Column(place, header, name, unit, is_noun, name.lower() in table_words()["prose"])


def without_notes(text: str) -> str:
    """A cell without the notes that it ends with: `100 ms (NOTE 11, NOTE 13)`."""
    return _NOTES.sub("", text) or text


def _lowered(text: str, words: set[str]) -> str:
    """With small first letters where the document, or the list of usual headers, writes the word so."""
    usual = table_words()["nouns"] | table_words()["modifiers"] | table_words()["degrees"] | table_words()["prose"]

    def lower(found: re.Match[str]) -> str:
        word, small = found[0], found[0].lower()
        if word.istitle() and (small in words or small in usual or singular(small) in usual):
            return small
        return small if word.isupper() and len(word) > 2 and small in usual else word

    return WORD.sub(lower, text)


def singular(name: str) -> str:
    """A header in the plural, such as "Options", as it names one row."""
    return (
        name[:-1]
        if name.endswith("s") and name[:-1].split()[-1:] and name[:-1].split()[-1].lower() in table_words()["nouns"]
        else name
    )
