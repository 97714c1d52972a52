"""What tests of leaderboards share: submissions that are right, and a leaderboard on a Hub of the test's."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import report_cases
from board_cases import BOARD
from hub_cases import skip_waiting, start_hub
from submission_cases import Submitted, make_submission
from submissions import SYSTEM, answers, asked, make_halves, make_run

from benchwright.benchmarks.leaderboards.check_run import check_runs
from benchwright.benchmarks.leaderboards.package import write_package
from benchwright.benchmarks.releases.release import Release
from benchwright.cards.hub.publish import Target, publish
from benchwright.cards.leaderboard.create import NewBoard, create_board
from benchwright.cards.leaderboard.hub import BoardRepository
from benchwright.scripts.servers.hub.server import Hub


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Submitted:
    """The run of the reports' tests on the release `small`, submitted. Nothing in its folders is to be changed."""
    root = tmp_path_factory.mktemp("small")
    return make_submission(report_cases.make_release(root / "small" / "1.0.0"), root)


@pytest.fixture(scope="session")
def halves(tmp_path_factory: pytest.TempPathFactory) -> tuple[Release, Release]:
    """The public and the private half of the release `lights`. Nothing in them is to be changed."""
    return make_halves(tmp_path_factory.mktemp("halves") / "releases")


@pytest.fixture(scope="session")
def sent(halves: tuple[Release, Release], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a submission to `lights` that answers everything with one height, held-out questions too."""
    root, public = tmp_path_factory.mktemp("sent"), halves[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        folder = make_run(public, Path(), answers(31, *asked(public, "test")), "lamp")
        held = make_run(public, Path(), answers(31, *asked(public, "heldout")), "lamp-heldout", split="heldout")
        (root / "package").mkdir()
        return write_package(check_runs(folder, public, held), SYSTEM, root / "package").folder


@pytest.fixture
def hub(small: Submitted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """With a leaderboard of alice's that ranks her benchmark `small`; nothing is submitted."""
    skip_waiting(monkeypatch)
    with start_hub(tmp_path, monkeypatch) as hub:
        publish(small.release, Target("alice/small", public=True), None)
        create_board(BoardRepository(BOARD), NewBoard(["alice/small"], "Small", public=True))
        yield hub
