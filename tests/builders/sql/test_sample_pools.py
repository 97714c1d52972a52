"""The values that a sample draws from depend on the values and the seed alone, and are few however many there are."""

import sqlite3
from pathlib import Path

from benchwright.benchmarks.grounding.database import open_database
from benchwright.builders.sql.filling.pools import Pool, Pools


def pool_of(path: Path, names: list[str | None], seed: int = 0, size: int = 500) -> Pool:
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE person (name TEXT)")
    connection.executemany("INSERT INTO person VALUES (?)", [(name,) for name in names])
    connection.commit()
    connection.close()
    with open_database(f"sqlite:///{path}") as database:
        return Pools(database, seed, size).of("person", ["name"])


def test_few_values_are_all_there(tmp_path: Path) -> None:
    pool = pool_of(tmp_path / "d.sqlite", ["Ada", "Bob", None, "Ada", "Cy"])
    assert (sorted(pool.values), pool.count) == ([("Ada",), ("Bob",), ("Cy",)], 3)


def test_many_values_are_thinned_by_seed_and_not_by_order(tmp_path: Path) -> None:
    names: list[str | None] = [f"Person {i}" for i in range(30_000)]
    pool = pool_of(tmp_path / "d.sqlite", names)
    assert not pool.is_whole
    assert 200 <= len(pool.values) <= 500
    assert 24_000 <= pool.count <= 36_000
    turned = pool_of(tmp_path / "d.sqlite", [*names[::-1], *names[:9]])
    assert (sorted(turned.values), turned.count) == (sorted(pool.values), pool.count)
    other = pool_of(tmp_path / "d.sqlite", names, seed=1)
    assert len(set(other.values) & set(pool.values)) < len(pool.values) / 2
