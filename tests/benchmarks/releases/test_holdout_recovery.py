"""An attack on held-out answers with the public half, the code and the ids of the documents, which it does not read."""

import hmac
import json
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from holdouts import build, load_halves, rows

from benchwright.benchmarks.releases.guessing import Answer, Fact, Guesser
from benchwright.benchmarks.releases.recovered import recovered
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.statistics.paired import compare_pair
from benchwright.builders.aurp.generate import rounded
from benchwright.builders.aurp.read_documents import lookups_of, read_answers
from benchwright.builders.aurp.schema import STANDARD, Lookup

_PLACE = re.compile(r"(office|department|employee|client|supplier)-(\d+)$")
_FACT = re.compile(r"(\w+) (\d+), (\w+)")

Cell = tuple[str, int, str]


class Attack:
    """What follows from open rows: every cell that one states, joined along references, and rules of the generator."""

    def __init__(self, public: Release, known: Iterable[dict[str, Any]]) -> None:
        known = list(known)
        self.lookups = lookups_of(public)
        self.guesser = Guesser(iter([as_fact(row) for row in known]))
        self.keys: dict[tuple[str, str], int] = {}
        self.employees = 0
        for document in rows(public, "corpus", "corpus"):
            if match := _PLACE.match(document["_id"]):
                self.keys[match[1], json.loads(document["metadata"])["entity"]] = int(match[2])
                self.employees += match[1] == "employee"
            elif match := re.match(r"project-report-(\d+)", document["_id"]):
                self.keys["project", json.loads(document["metadata"])["entity"]] = int(match[1])
        self.cells: dict[Cell, str | int] = {}
        for row in known:
            self._learn(row)
        self.names = {(table, key): name for (table, name), key in self.keys.items()}

    def _learn(self, row: dict[str, Any]) -> None:
        found = [_FACT.fullmatch(fact) for fact in json.loads(row["metadata"])["facts"]]
        cells: list[Cell] = [(match[1], int(match[2]), match[3]) for match in found if match]
        self.keys[cells[0][0], row["entity"]] = cells[0][1]
        for cell, after in pairwise(cells):
            self.cells[cell] = after[1]
        self.cells[cells[-1]] = row["answers"][0]

    def answer(self, fact: Fact) -> Answer:
        lookup = self.lookups[fact.template]
        found = self._walk(lookup, fact.entity)
        return self.guesser.guess(fact) if found is None else (found,)

    def _walk(self, lookup: Lookup, entity: str) -> str | None:
        table, key = lookup.table, self.keys.get((lookup.table, entity))
        for step in (*lookup.path, *([lookup.column] if lookup.column != "name" else [])):
            if key is None:
                return None
            column = STANDARD.table(table).column(step)
            value = self.cells.get((table, key, step), self._by_rule(table, key, step, entity))
            if value is None or not column.references:
                return None if value is None else str(value)
            table, key = (
                column.references,
                value if isinstance(value, int) else self.keys.get((column.references, value)),
            )
        return None if key is None else self.names.get((table, key))

    def _by_rule(self, table: str, key: int, column: str, entity: str) -> str | int | None:
        """What the code of the generator says of a cell, given others."""

        def known(name: str) -> int | None:
            value = self.cells.get((table, key, name))
            return None if value is None else int(value)

        budget, desks, floor = known("budget_usd"), known("desks"), known("floor_area_m2")
        if (table, column) == ("company", "employees"):
            return self.employees
        if (table, column) == ("company", "chief_executive_id"):
            return 1
        if (table, column) == ("work_package", "project_id"):
            whole = [name for of, name in self.keys if of == "project" and entity.startswith(f"{name} ")]
            return self.keys["project", max(whole, key=len)] if whole else None
        if (table, column) == ("client", "contact_id"):
            used = {value for (of, _, name), value in self.cells.items() if (of, name) == ("client", "contact_id")}
            left = sorted(
                key for (of, name), key in self.keys.items() if of == "client_contact" and not used & {key, name}
            )
            return left[0] if left else None
        if column == "desks" and floor:
            return round((floor - 20) / 12.5)
        if column == "floor_area_m2" and desks:
            return 12 * desks + 20
        if budget is None:
            return None
        rules = {"peak_workforce": max(9, int((budget / 1e6) ** 0.75 * 9)), "steel_t": rounded(budget / 1e6 * 32 + 17)}
        return rules.get(column)


def as_fact(row: dict[str, Any]) -> Fact:
    return Fact(row["group"], row["template"], row["entity"], tuple(row["answers"]))


def groups(release: Release, *splits: str) -> list[dict[str, Any]]:
    return list({row["group"]: row for split in splits for row in rows(release, split)}.values())


def shares(attack: Attack, held: Sequence[dict[str, Any]]) -> tuple[np.ndarray, np.ndarray]:
    """For each held-out group, whether the attack is right, and whether the best guess is."""
    right = [attack.answer(as_fact(row)) == tuple(row["answers"]) for row in held]
    guessed = [attack.guesser.best_guess(row["template"]) == tuple(row["answers"]) for row in held]
    return np.array(right, dtype=float), np.array(guessed, dtype=float)


@pytest.fixture(scope="module")
def dense(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Release, Release]]:
    """Builds with secrets of their own, in which everything is asked, so that much follows from much."""
    made = []
    for number, share in enumerate((0.3, 0.17, 0.3)):
        root, secret = tmp_path_factory.mktemp(f"dense{number}"), bytes(range(number, number + 32))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                "benchwright.benchmarks.releases.holdout.secrets.token_bytes", lambda size, it=secret: it[:size]
            )
            build(root, {"size": "30", "groups": "0", "wordings": "1", "forms": "short"}, holdout=share)
        made.append(load_halves(root))
    return made


def test_without_reading_nothing_comes_out_but_the_best_guess(
    dense: list[tuple[Release, Release]], halves: tuple[Release, Release]
) -> None:
    right: dict[str, list[np.ndarray]] = {"answerable": [], "gap": []}
    guessed: dict[str, list[np.ndarray]] = {"answerable": [], "gap": []}
    cells: dict[str, list[tuple[int, str]]] = {"answerable": [], "gap": []}
    """Of which each answer is one: the director of a project is asked for of all its packages."""
    for number, (public, private) in enumerate([*dense, halves]):
        attack = Attack(public, groups(public, "test", "dev"))
        for kind in right:
            held = [row for row in groups(private, "test") if row["answerability"] == kind]
            found = shares(attack, held)
            right[kind].append(found[0])
            guessed[kind].append(found[1])
            cells[kind] += [(number, json.loads(row["metadata"])["facts"][-1]) for row in held]
    for kind in right:
        mine, best = np.concatenate(right[kind]), np.concatenate(guessed[kind])
        clusters = np.unique([f"{number} {cell}" for number, cell in cells[kind]], return_inverse=True)[1]
        assert len(set(clusters.tolist())) > 80
        gain = compare_pair(mine, best, clusters)
        assert gain is not None
        assert gain.low <= 0.0, (kind, mine.mean(), best.mean(), gain)
        assert gain.value < 0.02, (kind, mine.mean(), best.mean(), gain)


def test_the_same_attack_recovers_groups_that_are_held_out_singly(dense: list[tuple[Release, Release]]) -> None:
    for public, private in dense:
        of_test = groups(public, "test") + groups(private, "test")
        single = {row["group"] for row in of_test if hmac.digest(b"singly", row["group"].encode(), "sha256")[0] < 77}
        everything = of_test + groups(public, "dev") + groups(private, "dev")
        attack = Attack(public, [row for row in everything if row["group"] not in single])
        for kind in ("answerable", "gap"):
            held = [row for row in of_test if row["group"] in single and row["answerability"] == kind]
            right, guessed = shares(attack, held)
            assert right.mean() > guessed.mean() + 0.2, kind


def test_what_came_out_is_on_the_card_as_it_was_measured(halves: tuple[Release, Release]) -> None:
    public, private = halves
    told = (public.manifest.holdout or {})["recovered"]
    assert told == recovered(public, private, read_answers)
    assert told["reading"]["answerable"] > 0.6 > told["open_answers"]["answerable"] + 0.4
    assert told["reading"]["gap"] < told["best_guess"]["gap"] + 0.1
    card = (public.folder / "README.md").read_text(encoding="utf-8")
    for words, program in (
        ("the most frequent open answer of the template", "best_guess"),
        ("by a program", "reading"),
    ):
        line = next(line for line in card.splitlines() if line.startswith("| ") and words in line)
        assert line.endswith(f"| {told[program]['answerable']:.0%} | {told[program]['gap']:.0%} |".replace("%", " %"))
