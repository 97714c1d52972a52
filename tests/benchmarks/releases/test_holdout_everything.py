"""With a share of 1 every answer is held out: the public release has documents, questions and commitments alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from holdouts import build, load_halves, rows

from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release


@pytest.fixture(scope="module")
def all_held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Release, Release]]:
    root: Path = tmp_path_factory.mktemp("everything")
    build(root, {"size": "10", "wordings": "1", "forms": "short", "groups": "60"}, holdout=1.0, secret=bytes(range(32)))
    yield load_halves(root)


def test_nothing_of_any_split_is_open(all_held: tuple[Release, Release]) -> None:
    public, private = all_held
    assert set(public.manifest.splits["questions"]) == {"heldout"}
    assert set(private.manifest.splits["questions"]) == {"test", "dev"}
    held, told = rows(public, "heldout"), rows(private, "test")
    assert [row["id"] for row in held] == [row["id"] for row in told]
    assert {row["answers"] is None and row["evidence"] is None and row["kind"] is None for row in held} == {True}
    section = public.manifest.holdout or {}
    assert (section["share"], section["share_held_out"], section["groups_given_away"]) == (1.0, 1.0, 0)
    assert section["recovered"]["open_answers"]["answerable"] == 0.0


def test_both_halves_are_proved(all_held: tuple[Release, Release]) -> None:
    public, private = all_held
    assert verify_release(public).problems == []
    found = verify_release(private)
    assert found.problems == []
    assert found.proved["commitments"] == private.manifest.splits["questions"]["test"]
