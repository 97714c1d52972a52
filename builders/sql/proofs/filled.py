"""The values in an executed query, read in one pass from left to right, and wordings filled with them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from benchwright.benchmarks.grounding.sql import IN_SQL, PLACEHOLDER
from benchwright.benchmarks.grounding.values import NO, YES, to_text
from benchwright.builders.sql.filling.questions import entity_width

_LITERAL = re.compile(r"'[^']*+(?:''[^']*+)*+'|[-+.\w]++")
"""A text in quotes, or a number, TRUE or FALSE. It never gives back what it took, so that reading is linear."""
_NUMBER = re.compile(r"[-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?")


@dataclass(frozen=True)
class Pattern:
    """A text cut at its placeholders."""

    pieces: tuple[str, ...]
    """n + 1 of them."""
    numbers: tuple[int, ...]
    """For each of the n cuts the number of its placeholder."""
    names: tuple[str, ...]
    """What each number stands for, `table.column` in lower case, in order of first appearance."""

    def values(self, sql: str) -> tuple[str, ...] | None:
        """The texts of the values that a query was filled with; None where it is not this template, filled."""
        literals = self.literals(sql)
        return None if literals is None else tuple(literal_text(literal) for literal in literals)

    def literals(self, sql: str) -> tuple[str, ...] | None:
        """The same as they are written there."""
        at, found = 0, [""] * len(self.names)
        for piece, number in zip(self.pieces, self.numbers, strict=False):
            literal = _LITERAL.match(sql, at + len(piece)) if sql.startswith(piece, at) else None
            if literal is None:
                return None
            if found[number] and literal_text(found[number]) != literal_text(literal[0]):
                return None
            found[number] = found[number] or literal[0]
            at = literal.end()
        return tuple(found) if sql[at:] == self.pieces[-1] else None

    def entity(self, values: Sequence[str], kind: str) -> str:
        """What questions of a kind are about: the first value, with those that follow it of the same table."""
        tables = [name.partition(".")[0] for name in self.names]
        return " ".join(values[: entity_width(tables, kind)])

    def fill(self, values: Sequence[str]) -> str:
        """The text with values in the place of its placeholders."""
        filled = [self.pieces[0]]
        for number, piece in zip(self.numbers, self.pieces[1:], strict=True):
            filled += (values[number], piece)
        return "".join(filled)


def sql_pattern(sql: str) -> Pattern:
    """A SQL template, cut at its placeholders and the quotes around them."""
    pieces, numbers, names, last = [], [], dict[str, int](), 0
    for match in IN_SQL.finditer(sql):
        pieces.append(sql[last : match.start()])
        name = f"{match.group(1) or match.group(3)}.{match.group(2) or match.group(4)}".lower()
        numbers.append(names.setdefault(name, len(names)))
        last = match.end()
    return Pattern((*pieces, sql[last:]), tuple(numbers), tuple(names))


def text_pattern(text: str, names: Sequence[str]) -> Pattern:
    """A wording, cut at those of its placeholders that its SQL template has too."""
    pieces, numbers, last = [], [], 0
    for match in PLACEHOLDER.finditer(text):
        name = f"{match.group(1)}.{match.group(2)}".lower()
        if name in names:
            pieces.append(text[last : match.start()])
            numbers.append(names.index(name))
            last = match.end()
    return Pattern((*pieces, text[last:]), tuple(numbers), tuple(names))


def literal_text(literal: str) -> str:
    """The text that a literal of an executed query stands for in questions."""
    if literal.startswith("'"):
        return literal[1:-1].replace("''", "'")
    if literal in ("TRUE", "FALSE"):
        return YES if literal == "TRUE" else NO
    return to_text(Decimal(literal)) if _NUMBER.fullmatch(literal) else literal
