"""Rows of a database in an order that hashes decide: the same in every build, and of no other meaning."""

from collections.abc import Iterator, Sequence
from typing import Any

from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.hashing import rank

Row = tuple[Any, ...]
"""Values of some columns, as the database gives them."""


def place_of(template: SqlTemplate, what: str, row: Row) -> bytes:
    """What to order rows by: a hash of a row, another one for each template and for `what` the row is taken for."""
    return rank(0, template.id, what, repr(row), joined_by="\0")


def in_a_circle(template: SqlTemplate, rows: Sequence[Row], given: Row) -> Iterator[Row]:
    """All of some rows, each once, from one that the hash of what is given decides."""
    start = int.from_bytes(place_of(template, "start", given)[:4], "big") % len(rows) if rows else 0
    for place in range(len(rows)):
        yield rows[(start + place) % len(rows)]
