"""An attack on the held-out answers of somebody's database: a program that learns from the open ones, secret by secret."""

import hmac
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from music_shop import make_music_shop
from support import ROOT, SHARED, in_full, make_sqlite

from benchwright.benchmarks.releases.guessing import Fact, Guesser, facts, open_facts
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.statistics.paired import PairedComparison, compare_pair
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card

SHARE = 0.3
GAIN = 0.02
"""What learning from the open answers may give at most, beyond the best guess."""
SINGLY = {"library": 3.5 * GAIN, "repeating": 5 * GAIN, "northwind": 2 * GAIN, "music": 2.5 * GAIN}
"""What it gives at least where groups are held out singly: that the attack can find anything at all."""
SETTINGS = {"forms": "short", "wordings": "1", "documents": "none"}
SECRETS = [bytes(range(number, number + 32)) for number in range(8)]
SPELLINGS: tuple[Callable[[str], str], ...] = (
    str.upper,
    lambda name: name.replace(" ", "-"),
    lambda name: name.replace("é", "e"),
    str,
)

Tried = dict[str, list[tuple[bool, bool]]]
"""Group → for each secret with which it was held out, whether the attack was right, and whether the best guess was."""


def repeating(root: Path) -> Path:
    """Clients, and orders that repeat what is known of them beside another spelling of their names."""
    clients, orders = [], []
    for number in range(48):
        name, city = f"Café {chr(65 + number % 24)}{number:02d} Frères", number * 7 % 16
        known = f"'City {city}', 'Country {city // 3}', 'Street {number}'"
        clients.append(f"({number}, '{name}', {known})")
        for place, spell in enumerate(SPELLINGS[: 1 + number % 4]):
            orders.append(f"({10 * number + place}, '{spell(name)}', {known}, {number})")
    return make_sqlite(
        root / "repeating.sqlite",
        f"""
        CREATE TABLE client (client_id INTEGER PRIMARY KEY, name TEXT, city TEXT, country TEXT, street TEXT);
        CREATE TABLE orders (
          order_id INTEGER PRIMARY KEY, ship_name TEXT, ship_city TEXT, ship_country TEXT, ship_street TEXT,
          client_id INTEGER REFERENCES client (client_id));
        INSERT INTO client VALUES {", ".join(clients)};
        INSERT INTO orders VALUES {", ".join(orders)};
        """,
    )


def halves(database: Path, root: Path) -> Iterator[tuple[Release, Release]]:
    """The public and the private half of a build with each secret."""
    for number, secret in enumerate(SECRETS):
        folder, settings = root / str(number), {**SETTINGS, "database": str(database)}
        build_release("grammar", settings, render_card, output=folder, name="made", holdout=SHARE, secret=secret)
        yield Release.load(folder / "made" / "1.0.0"), Release.load(folder / "made-private" / "1.0.0")


def attack(known: Iterable[Fact], held: Iterable[Fact], into: Tried) -> None:
    guesser = Guesser(iter(known))
    for fact in held:
        found = guesser.guess(Fact(fact.group, fact.template, fact.entity)) == fact.answers
        into[fact.group].append((found, guesser.best_guess(fact.template) == fact.answers))


def gain(tried: Tried) -> PairedComparison:
    """Of the attack over the best guess; a group that several secrets hold out is one, with its mean."""
    means = np.array([np.mean(of, axis=0) for of in tried.values()])
    found = compare_pair(means[:, 0], means[:, 1], np.arange(len(means)))
    assert found is not None and found.clusters > 100
    return found


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "northwind" and not SHARED.is_dir():
        pytest.skip("the folder ../shared/data with real data is not there")
    if request.param == "music":
        return make_music_shop(tmp_path / "music.sqlite")
    found = {"library": ROOT / "scripts" / "library", "northwind": SHARED / "sql" / "northwind.sqlite"}
    return repeating(tmp_path) if request.param == "repeating" else found[request.param]


@pytest.mark.parametrize("database", ["repeating", *in_full("library", "northwind", "music")], indirect=True)
def test_open_answers_give_no_more_than_the_best_guess_unless_groups_are_held_out_singly(
    database: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    by_cells: Tried = defaultdict(list)
    singly: Tried = defaultdict(list)
    for secret, (public, private) in zip(SECRETS, halves(database, tmp_path), strict=True):
        known, held = list(open_facts(public)), list(facts(private, "test"))
        attack(known, held, by_cells)
        drawn = {
            fact.group for fact in known + held if hmac.digest(secret, fact.group.encode(), "sha256")[0] < 256 * SHARE
        }
        left = [fact for fact in known + held if fact.group not in drawn]
        attack(left, [fact for fact in known + held if fact.group in drawn], singly)
    found, otherwise = gain(by_cells), gain(singly)
    assert found.low <= 0.0, found
    assert found.value < GAIN, found
    assert otherwise.low > SINGLY[request.node.callspec.params["database"]], otherwise
