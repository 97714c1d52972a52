"""An attacker on a round who has the public edition: this code, its seeds, its answers, gaps and documents.

It keeps a table of all that it knows of a name and looks it up again. What it gains is told as a z score against what a
table of other names would give; the same is measured where only the facts are drawn anew, as another `--seed` does, so
that the measures are known to see.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import pytest

from benchwright.benchmarks.types import Document
from benchwright.builders.aurp.documents import documents, gap_cells
from benchwright.builders.aurp.generate import make_world
from benchwright.builders.aurp.schema import STANDARD
from benchwright.builders.aurp.world import World

SECRET = int.from_bytes(b"another secret of a round: hush!", "big")
SIZE = 60
CHANCE, SEEN = 3.0, 5.0
"""A z score of chance is nearer to 0 than the one; what helps an attacker is beyond the other."""
Cell = tuple[str, str, str]


@dataclass(frozen=True)
class Edition:
    """All that a table can hold of an edition."""

    values: Mapping[Cell, str | int]
    gaps: frozenset[Cell]
    revised: frozenset[Cell]
    documents: Mapping[tuple[str, str], list[Document]]
    """Kind and entity → what is about it."""
    ids: frozenset[str]
    mates: frozenset[frozenset[str]]
    """Pairs of contacts on one sheet."""


def look(world: World) -> Edition:
    """Reads an edition."""
    name = {table.name: {row.id: row.name for row in world.rows(table.name)} for table in STANDARD.tables}
    values: dict[Cell, str | int] = {}
    for table in STANDARD.tables:
        for row in world.rows(table.name):
            for column in table.columns:
                value = getattr(row, column.name)
                if column.kind not in ("key", "name") and not column.fixed and value is not None:
                    shown = name[column.references][value] if column.references else value
                    values[table.name, row.name, column.name] = shown
    about: defaultdict[tuple[str, str], list[Document]] = defaultdict(list)
    sheets: defaultdict[str, set[str]] = defaultdict(set)
    ids = set()
    for document, cells in documents(world):
        ids.add(document.id)
        about[document.metadata["kind"], document.metadata["entity"]].append(document)
        if document.metadata["kind"] == "contact directory":
            sheets[document.id] |= {name[one.table][int(one.key)] for one in cells}
    return Edition(
        values,
        frozenset((table, name[table][int(key)], column) for table, key, column in gap_cells(world)),
        frozenset((one.table, name[one.table][one.key], one.column) for one in world.superseded),
        about,
        frozenset(ids),
        frozenset(frozenset(pair) for sheet in sheets.values() for pair in combinations(sorted(sheet), 2)),
    )


@pytest.fixture(scope="module")
def public() -> Edition:
    return look(make_world(SIZE))


@pytest.fixture(scope="module")
def gains(public: Edition) -> dict[str, dict[str, float]]:
    """What a table of the public edition gains on a round, and on the same names with other facts."""
    worlds = {
        "round": make_world(SIZE, seed=SECRET, names_seed=SECRET + 1, names_of=0),
        "other facts": make_world(SIZE, seed=1),
    }
    return {name: gained(public, look(world)) for name, world in worlds.items()}


def z(tries: Iterable[tuple[bool, float]]) -> float:
    """How far hits are above their chances."""
    found = list(tries)
    spread = sum(chance * (1 - chance) for _, chance in found)
    return sum(hit - chance for hit, chance in found) / math.sqrt(spread)


def told(known: frozenset[object], there: frozenset[object], asked: Iterable[object]) -> float:
    """Whether what is so in the public edition is so again."""
    both = list(asked)
    share = sum(one in there for one in both) / len(both)
    return z((one in there, share) for one in both if one in known)


def gained(public: Edition, other: Edition) -> dict[str, float]:
    both = [cell for cell in other.values if cell in public.values and cell[0] not in ("company", "department")]
    columns: defaultdict[tuple[str, str], Counter[str | int]] = defaultdict(Counter)
    for cell in both:
        columns[cell[0], cell[2]][public.values[cell]] += 1

    def chance(cell: Cell) -> float:
        counts = columns[cell[0], cell[2]]
        return counts[other.values[cell]] / counts.total()

    projects = [cell for cell in both if cell[2] in ("end_on", "budget_usd", "manager_id") and cell[0] == "project"]
    people = sorted({cell[1] for cell in both if cell[0] == "client_contact"})
    reports = [entity for kind, entity in other.documents if kind == "project report" and (kind, entity) in public.documents]  # fmt: skip
    twice, again = (
        frozenset(entity for entity in reports if len(each.documents["project report", entity]) > 1)
        for each in (public, other)
    )
    return {
        "gaps": told(public.gaps, other.gaps, both),
        "what a report revises": told(public.revised, other.revised, projects),
        "second reports": told(twice, again, reports),
        "contacts on one sheet": told(public.mates, other.mates, map(frozenset, combinations(people, 2))),
        "words": alike(public, other, reports),
        "answers": z((public.values[cell] == other.values[cell], chance(cell)) for cell in both),
    }


def alike(public: Edition, other: Edition, reports: list[str]) -> float:
    """Whether a report is more like the public one of its project than like those of the next project."""

    def words(edition: Edition, entity: str) -> set[str]:
        text = " ".join(document.body for document in edition.documents["project report", entity])
        return set(re.findall(r"\b[a-z]{3,} [a-z]{3,} [a-z]{3,}\b", text.replace(entity, "")))

    old = {entity: words(public, entity) for entity in reports}
    new = {entity: words(other, entity) for entity in reports}
    more = [
        len(old[entity] & new[entity]) / len(new[entity]) - len(old[entity] & new[rival]) / len(new[rival])
        for entity, rival in zip(reports, [*reports[1:], reports[0]], strict=True)
    ]
    mean = sum(more) / len(more)
    return mean / math.sqrt(sum((each - mean) ** 2 for each in more) / len(more) ** 2)


def test_a_table_gains_nothing_on_a_round(gains: dict[str, dict[str, float]]) -> None:
    assert {name: round(gain, 1) for name, gain in gains["round"].items() if abs(gain) >= CHANCE} == {}


def test_the_same_table_knows_nearly_all_where_only_facts_are_new(gains: dict[str, dict[str, float]]) -> None:
    seen = {name for name, gain in gains["other facts"].items() if gain > SEEN}
    assert seen == {"gaps", "what a report revises", "second reports", "contacts on one sheet", "words"}
    assert abs(gains["other facts"]["answers"]) < CHANCE


def test_no_document_of_a_round_has_a_public_id(public: Edition) -> None:
    world = make_world(SIZE, seed=SECRET, names_seed=SECRET + 1, names_of=0)
    again = make_world(SIZE, seed=SECRET, names_seed=SECRET + 2, names_of=0)
    first, second = ({document.id for document, _ in documents(each)} for each in (world, again))
    assert first.isdisjoint(public.ids) and first.isdisjoint(second)


def test_nothing_is_known_of_fresh_names(public: Edition) -> None:
    world = make_world(SIZE, seed=SECRET, names_seed=SECRET + 1, names_of=0)
    assert world.public_names is not None
    fresh = {row.name for table in STANDARD.tables for row in world.rows(table.name)} - world.public_names
    fresh -= {"Aurp", *(row.name for row in world.department)}
    assert len(fresh) == 181
    known = {cell[1] for cell in public.values} | {str(value) for value in public.values.values()}
    assert fresh.isdisjoint(known)
