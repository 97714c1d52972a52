"""The edition of a round: half of its names are a public edition's, everything else is drawn anew and proved."""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from built import Built
from tampering import RELEASES, Tampering, check_caught

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.aurp.editions import make_cast, public_names, read_names_of
from benchwright.builders.aurp.generate import make_world
from benchwright.builders.aurp.names import parts
from benchwright.builders.aurp.sizes import sizes
from benchwright.builders.aurp.world import World
from benchwright.builders.base import build_release
from benchwright.builders.rebuild import Given, rebuild
from benchwright.cards.dataset.card import render_card

SECRET = int.from_bytes(b"the secret of a round, 256 bits.", "big")
TABLES = ("office", "employee", "client_contact", "client", "supplier", "project", "work_package")


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(seed=SECRET, names_seed=SECRET + 1, names_of=0)


@pytest.fixture(scope="module")
def edition(built: Built) -> Release:
    return RELEASES["round"](built)


def rows(release: Release, config: str, split: str) -> list[dict[str, Any]]:
    return [row for batch in release.batches(config, split) for row in batch.to_pylist()]


def test_half_of_the_names_of_each_table_are_kept(world: World) -> None:
    public = {row.name for table in TABLES for row in make_world().rows(table)}
    assert world.public_names == public
    kept = {table: sum(row.name in public for row in world.rows(table)) for table in TABLES}
    assert kept == {
        "office": 5,
        "employee": 75,
        "client_contact": 20,
        "client": 20,
        "supplier": 15,
        "project": 60,
        "work_package": 144,
    }
    assert len(world.work_package) == 296
    assert world.employee[0].name not in [row.name for row in world.employee[1:]]


def test_sisters_and_namesakes_are_kept_together(world: World) -> None:
    names = [row.name for row in world.project]
    for one, other in ((" Phase I", " Phase II"), (" East", " West"), (" North", " South"), (" Stage 1", " Stage 2")):
        assert {name.removesuffix(one) for name in names if name.endswith(one)} == {
            name.removesuffix(other) for name in names if name.endswith(other)
        }
    people = Counter(row.name for row in world.employee)
    assert sum(count - 1 for count in people.values()) == 3


def test_fresh_names_are_unlike_all_public_ones() -> None:
    round_, public = make_cast(sizes(), SECRET, 0), make_cast(sizes(), 0)
    kept, taken = public.every_name(), {name.split()[-1] for name in public.employee}
    fresh = [name.split()[-1] for name in round_.employee if name not in kept]
    assert len(fresh) == 75 and taken.isdisjoint(fresh)


def test_the_edition_is_proved(edition: Release) -> None:
    found = verify_release(edition)
    assert not found.problems
    assert found.proved["documents that are what their id says"] == edition.manifest.rows["corpus"]
    assert found.proved["questions with all their facts"] == edition.manifest.rows["questions"]
    assert list(edition.manifest.splits["questions"]) == ["test"]
    rebuild(edition, found, Given({}, render_card))
    assert not found.problems and found.proved["content hash, built again"] == 1


def test_subsets_are_what_the_names_are(edition: Release) -> None:
    public = public_names(edition.manifest.parameters)
    assert public is not None
    questions = rows(edition, "questions", "test")
    made = {"kept": public, "fresh": {row["entity"] for row in questions} - public}
    assert {row["subset"] for row in questions} == {"kept", "fresh"}
    given = {"Aurp", *parts()["departments"]["names"]}
    for row in questions:
        assert row["entity"] in made[row["subset"]] or row["entity"] in given, row["question"]
    counts = Counter(row["subset"] for row in questions)
    assert edition.manifest.checks["questions_per_subset"] == dict(counts)


def test_ids_and_order_of_documents_say_nothing(edition: Release) -> None:
    ids = [row["_id"] for row in rows(edition, "corpus", "corpus")]
    assert ids == sorted(ids) and len(set(ids)) == len(ids)
    assert all(id_.startswith("document-") and len(id_) == 25 for id_ in ids)
    kinds = [json.loads(row["metadata"])["kind"] for row in rows(edition, "corpus", "corpus")]
    assert sum(one != other for one, other in pairwise(kinds)) > len(kinds) / 2


def change_first(found: list[dict[str, Any]]) -> None:
    """Says of a kept group that its names are fresh."""
    group = next(row["group"] for row in found if row["subset"] == "kept")
    for row in found:
        if row["group"] == group:
            row["subset"] = "fresh"


def swap_ids(found: list[dict[str, Any]]) -> None:
    """Gives the first report of a project the id of the second, as somebody may who forges which one came later."""
    reports: dict[str, list[dict[str, Any]]] = {}
    for row in found:
        about = json.loads(row["metadata"])
        if about["kind"] == "project report":
            reports.setdefault(about["entity"], []).append(row)
    one, other = next(both for both in reports.values() if len(both) == 2)
    one["_id"], other["_id"] = other["_id"], one["_id"]


def name_another(found: list[dict[str, Any]]) -> None:
    """Says that a page is one of another employee's."""
    pages = [row for row in found if json.loads(row["metadata"])["kind"] == "employee page"]
    pages[0]["metadata"] = pages[1]["metadata"]


CASES = [
    Tampering("the subset of a group", "round", lambda copy: copy.rows("questions", change_first), "facts: question "),
    Tampering("ids of two reports", "round", lambda copy: copy.rows("corpus", swap_ids), "statement: document-"),
    Tampering("whom a page is of", "round", lambda copy: copy.rows("corpus", name_another), "document: document-"),
    Tampering(
        "the public edition",
        "round",
        lambda copy: copy.manifest(lambda told: told["parameters"].update(names_of="1")),
        "facts: question .*: its subset is kept",
    ),
    Tampering(
        "that it is a round",
        "round",
        lambda copy: copy.manifest(lambda told: told["parameters"].update(names_of="")),
        "split: question ",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_what_was_changed_comes_up(case: Tampering, built: Built, tmp_path: Path) -> None:
    check_caught(case, True, built, tmp_path)


@pytest.mark.parametrize("text", ["x", "-1", "²", "1.5", " 0"])
def test_what_is_no_public_edition(text: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        build_release("aurp", {"names_of": text, "size": "10"}, render_card, output=tmp_path)
    assert str(caught.value) == f"names_of={text} is not possible: give the names_seed of a public edition, such as 0"


def test_an_edition_keeps_no_names_of_its_own() -> None:
    with pytest.raises(UsageError) as caught:
        read_names_of("3", 3)
    assert "names_of=3 is this edition's own names_seed" in str(caught.value)
