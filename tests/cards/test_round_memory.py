"""The memorisation gap of a system: its scores on the public edition held against those on what a round asks again."""

from dataclasses import replace
from pathlib import Path

import pytest
from report_cases import make_release, make_run

from benchwright.benchmarks.leaderboards.board import Board, BoardBenchmark
from benchwright.benchmarks.leaderboards.layout import Place
from benchwright.benchmarks.leaderboards.rounds.memorisation import ScoredEdition, memorisation_gap
from benchwright.benchmarks.leaderboards.stored import AcceptedSubmission, State
from benchwright.benchmarks.leaderboards.system_file import SystemFile
from benchwright.benchmarks.leaderboards.verdict import Verdict
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.runs.run import SCORES
from benchwright.benchmarks.types import Question
from benchwright.cards.leaderboard.hub import BoardRepository
from benchwright.cards.leaderboard.releases import BoardReleases
from benchwright.cards.leaderboard.round_memory import InRound, memorisation_gaps

GROUPS = 24


def questions(answers: str) -> list[Question]:
    """Two wordings of each group; of the first, a known gap."""
    return [
        Question(f"q{group}-{each}", f"Where is number {group}, {each}?", (f"{answers}{group}",), answer_type="one",
                 group=f"g{group}", template="t", answerability="gap" if group == 0 else "answerable")
        for group in range(GROUPS) for each in range(2)
    ]  # fmt: skip


@pytest.fixture(scope="module")
def editions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ScoredEdition]:
    """The public edition answered from memory, and a round: by the same memory, and read."""
    folder = tmp_path_factory.mktemp("editions")
    public = questions("Oslo ")
    asked = [
        replace(each, subset="kept") if number < GROUPS else replace(each, id=f"new-{each.id}", subset="fresh")
        for number, each in enumerate(questions("Turin "))
    ]
    told = {"published": public, "remembers": asked, "reads": asked, "fails": asked}
    found = {}
    for name, rows in told.items():
        release = make_release(folder / name / "small", rows, seed=int(name != "published"))
        city = "Turin " if name in ("reads", "fails") else "Oslo "
        said = [Prediction(each.id, f"{city}{each.group[1:] if each.group else ''}") for each in rows]
        if name == "fails":
            said[4] = Prediction(rows[4].id, None, error="TimeoutError")
        found[name] = ScoredEdition(
            release, make_run(release, folder / "runs" / name, said, ("correct",)).folder / SCORES
        )
    return found


def test_who_remembers_has_a_gap(editions: dict[str, ScoredEdition]) -> None:
    gap = memorisation_gap(editions["published"], editions["remembers"], "correct")
    assert gap is not None
    assert (gap.first, gap.second, gap.clusters, gap.separated) == (1.0, 0.0, 11, True)
    assert gap.low > 0.5


def test_who_reads_has_none_and_an_error_counts_as_wrong(editions: dict[str, ScoredEdition]) -> None:
    gap = memorisation_gap(editions["published"], editions["reads"], "correct")
    assert gap is not None and (gap.value, gap.separated) == (0.0, False)
    failed = memorisation_gap(editions["published"], editions["fails"], "correct")
    assert failed is not None and failed.value == pytest.approx(1 / 22)


def test_what_has_nothing_in_common_has_no_gap(editions: dict[str, ScoredEdition]) -> None:
    assert memorisation_gap(editions["published"], editions["published"], "correct") is None
    assert memorisation_gap(editions["published"], editions["reads"], "token_f1") is None


def test_a_systems_public_scores_are_found_by_submitter_and_name(
    editions: dict[str, ScoredEdition], tmp_path: Path
) -> None:
    """Of bob's system its newest version; somebody else's of the same name, and one without scores, are not his."""
    old, new = (stored("rag", "bob", version, editions["published"].scores) for version in ("0.9.0", "1.0.0"))
    others = [stored("rag", "carol", "1.1.0", editions["published"].scores), stored("other", "bob", "1.2.0", None)]
    board = Board("Small", {"small": BoardBenchmark("alice/small")})
    state = State(tmp_path, board, (old, new, *others))
    key = "small", "1.0.0"
    releases = BoardReleases(
        BoardRepository("alice/board", "http://localhost:9"), _open={key: editions["published"].release}
    )
    edition = editions["remembers"]
    systems = [
        InRound("rag", "bob", False, edition.scores),
        InRound("rag", "dave", False, edition.scores),
        InRound("other", "bob", False, edition.scores),
    ]
    gaps = memorisation_gaps(state, releases, "small", edition.release, systems[:1] + systems[2:], "correct")
    assert {name: gap.value for name, gap in gaps.items()} == {"rag": 1.0}
    assert memorisation_gaps(state, releases, "small", edition.release, systems[1:2], "correct") == {}


def stored(system: str, submitter: str, version: str, scores: Path | None) -> AcceptedSubmission:
    """What a leaderboard has of a system."""
    said = SystemFile(system, (submitter,), "closed", "words")
    verdict = Verdict("small", version, system, "0" * 64, submitter, 1, "0" * 40, "2026-11-23T00:00:00Z", True)
    return AcceptedSubmission(Place("small", version, system), Path("none"), said, verdict, scores)
