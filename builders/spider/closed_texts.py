"""Texts in which names are replaced by fictitious ones, and those that would give a real name away all the same."""

import re
import sqlite3
from collections.abc import Mapping, Set

from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.builders.spider.closed_columns import WORD, Column, closed_words, folded, row_number, texts_of
from benchwright.builders.spider.fictitious import LEAST_PART, Closed, is_address

_LONGEST_RUN = 8


def rewrite(
    connection: sqlite3.Connection,
    columns: list[Column],
    closed: Closed,
    left: Mapping[str, str],
    public: Set[str],
) -> None:
    """Replaces every name in every text; those that are public are left out, and give nothing away."""
    known = frozenset((*closed.names, *left)) - public
    longest = min(_LONGEST_RUN, max((len(name.split()) for name in known), default=1))
    parts = frozenset(part for name in known if len(part := name.replace(" ", "")) >= LEAST_PART)
    people = {column.name for column in columns if column.sort in ("person", "family")}
    surnames = _surnames(connection, [column for column in columns if column.name in people], closed)
    titles = "|".join(closed_words()["titles"])
    alone = re.compile(rf"(?:(?<=\b)(?:{titles})\.? )(\w+)|\b(\w+)(?=['’]s\b)")
    for column in columns:
        is_name = column.sort not in ("text", "kept")
        changed: list[tuple[str | None, int]] = []
        for row, text in texts_of(connection, column):
            key = folded(text)
            if is_name:
                if key in closed.names or key in left:
                    changed.append((closed.names.get(key), row))
                continue
            if column.sort == "kept":
                continue
            made = _replaced(text, closed.in_running_text, longest)
            made = alone.sub(lambda match: _surname(match, surnames), made)
            if _gives_away(made, left.keys() - public, parts, longest):
                closed.taken_out += 1
                changed.append((None, row))
            elif made != text:
                closed.in_texts += 1
                changed.append((made, row))
        name, row_id = quoted(column.name), row_number(connection, column.table)
        connection.executemany(f"UPDATE {quoted(column.table)} SET {name} = ? WHERE {row_id} = ?", changed)


def _surname(match: re.Match[str], surnames: Mapping[str, str]) -> str:
    """A surname after a title or before a possessive, replaced."""
    found = match[1] or match[2]
    return match[0].replace(found, surnames.get(found.casefold(), found))


def _replaced(text: str, names: Mapping[str, str], longest: int) -> str:
    """A text with the names in it replaced, the longest first."""
    words = list(WORD.finditer(text))
    parts, at, first = [], 0, 0
    while first < len(words):
        for last in range(min(len(words), first + longest) - 1, first - 1, -1):
            run = " ".join(word[0].casefold() for word in words[first : last + 1])
            if run in names and not words[first][0][:1].islower():
                shown = text[words[first].start() : words[last].end()]
                parts += [
                    text[at : words[first].start()],
                    names[run].upper() if shown.isupper() and len(shown) > 3 else names[run],
                ]
                at, first = words[last].end(), last
                break
        first += 1
    return "".join([*parts, text[at:]])


def _gives_away(text: str, left: Set[str], parts: frozenset[str], longest: int) -> bool:
    """Whether a text still holds a real name: one that was taken out as whole words, or any within an address."""
    words = WORD.findall(text)
    for first in range(len(words)):
        for last in range(first, min(len(words), first + longest)):
            if " ".join(words[first : last + 1]).casefold() in left and not words[first][:1].islower():
                return True
    for chunk in text.casefold().split():
        if not is_address(chunk):
            continue
        plain = re.sub(r"[\W_]+", "", chunk)[:80]
        if any(plain[i:j] in parts for i in range(len(plain)) for j in range(i + LEAST_PART, len(plain) + 1)):
            return True
    return False


def _surnames(connection: sqlite3.Connection, columns: list[Column], closed: Closed) -> dict[str, str]:
    """Real surname, folded → fictitious one."""
    found = {}
    for column in columns:
        for _, text in texts_of(connection, column):
            key = folded(text)
            made = closed.names.get(key, "")
            if column.sort == "family" and made:
                found[key] = made
            elif column.sort == "person" and " " in made:
                found[key.rpartition(" ")[2]] = made.partition(" ")[2]
    return found
