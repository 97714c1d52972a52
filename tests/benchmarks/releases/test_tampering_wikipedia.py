"""What somebody changed in articles, their metadata or the questions about them is found, also when sealed again."""

from pathlib import Path

import pytest
from built import Built, wikipedia_release
from tampering import RELEASES, Tampering, check_caught, raw_and_sealed
from tampering_wikipedia import CASES, MODEL

from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card


@pytest.mark.parametrize(("case", "sealed"), raw_and_sealed(CASES))
def test_it_is_caught(
    case: Tampering, sealed: bool, built: Built, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    check_caught(case, sealed, built, tmp_path, to_the_end=bool(request.config.getoption("--full")))


def test_all_that_was_asked_by_rule_is_proved(built: Built) -> None:
    release = wikipedia_release(built, questions=2)
    found = verify_release(release)
    rows = release.manifest.rows
    assert found.problems == []
    assert found.proved["questions that follow from their articles"] == rows["questions"] > 20
    assert found.proved["questions that the seed draws"] == rows["questions"]
    assert found.proved["articles whose metadata agrees with the cutoff"] == rows["corpus"] == 80


def test_what_a_model_asked_is_checked_and_its_choice_is_not(built: Built) -> None:
    release = RELEASES[MODEL](built)
    found = verify_release(release)
    assert found.problems == []
    assert found.proved["questions that follow from their articles"] == release.manifest.rows["questions"] > 3
    assert (
        found.unchecked["whether articles have the questions that the seed draws"] == release.manifest.rows["questions"]
    )


def test_halves_of_articles_hold(tmp_path: Path, built: Built) -> None:
    dumps = wikipedia_release(built, questions=2).folder.parents[2] / "wiki-dumps"
    settings = {"dump": str(dumps / "dump.xml"), "dump_log": str(dumps / "log.xml"), "cutoff": "2021-10-01"}
    settings |= {"articles": "40", "random": "20", "questions": "2"}
    public, _ = build_release("wikipedia", settings, render_card, output=tmp_path, holdout=0.2)
    private = Release.load(tmp_path / "wikipedia-private" / public.manifest.version)
    for half in (public, private):
        found = verify_release(half)
        assert found.problems == []
        assert found.proved["questions that follow from their articles"] > 0
        assert found.unchecked["whether articles have the questions that the seed draws"] > 0
