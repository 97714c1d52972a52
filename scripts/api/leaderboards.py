"""Leaderboards from Python: offer a run, keep a board."""

import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from benchwright.benchmarks.progress import Progress
from benchwright.benchmarks.runs.find import find_run
from benchwright.progress import told
from benchwright.releases import RELEASES
from benchwright.runs import RUNS, Run

if TYPE_CHECKING:
    from benchwright.cards.leaderboard.publish import Kept
    from benchwright.cards.leaderboard.submit import Submitted


def submit_system(
    run: Run | str | Path,
    leaderboard: str,
    system: Mapping[str, Any] | None = None,
    *,
    heldout: Run | str | Path | None = None,
    contexts: bool | None = None,
    partial: bool = False,
    release: str | Path | None = None,
    model_repo: str | None = None,
    releases: str | Path = RELEASES,
    runs: str | Path = RUNS,
    endpoint: str | None = None,
    token: str | None = None,
) -> "Submitted":
    """Offers a run to a leaderboard, as `submit-system` does: checks it, and opens a pull request with its answers.

    Args:
        run: of all questions of the split `test`, scored.
        leaderboard: its repository on the Hub.
        system: what there is to say of the system, by the keys of `system.yaml`, which is kept beside the run; what
            stands there already need not be said again.
        heldout: the run on the held-out questions, where the release has any; None: the one beside the run.
        contexts: whether the contexts are sent; without them retrieval figures are shown as claimed. None: as was said
            for this run before, else they are.
        partial: questions without an answer are no reason to refuse it.
        release: what the run is of; None: its local release, else the leaderboard's.
        model_repo: the system is this model on the Hub: the result is proposed to it too.
        releases: the folder of releases.
        runs: the folder of runs, where a run is named.
        endpoint: the Hub; None: `HF_ENDPOINT`, else the Hub.
        token: None: the one that the user is logged in with.

    Returns:
        The address and the number of the pull request, and whether it was opened, changed or open already.

    Raises:
        BenchwrightError: the run may not be submitted, says which command makes of it one that may; the leaderboard
            does not rank it; or the Hub fails.
    """
    from benchwright.benchmarks.leaderboards.check_run import check_runs
    from benchwright.benchmarks.leaderboards.package import sends_contexts, write_package
    from benchwright.benchmarks.leaderboards.system_file import keep_system, system_file, told_system
    from benchwright.benchmarks.releases.fetch import default_endpoint
    from benchwright.cards.leaderboard.hub import BoardRepository
    from benchwright.cards.leaderboard.submit import propose_model_result, release_to_submit, submit_package

    folder = _folder(run, Path(runs))
    repository = BoardRepository(leaderboard, (endpoint or default_endpoint()).rstrip("/"), token)
    opened = release_to_submit(folder, repository, Path(releases), None if release is None else str(release))
    beside = None if heldout is None else _folder(heldout, Path(runs))
    checked = check_runs(folder, opened, beside, is_partial=partial)
    said = system_file({**told_system(folder), **(system or {})}, "the system")
    keep_system(folder, said)
    with tempfile.TemporaryDirectory(prefix="benchwright-") as place:
        package = write_package(checked, said, Path(place), with_contexts=sends_contexts(folder, contexts))
        done = submit_package(package, repository)
        if model_repo is not None:
            propose_model_result(package, done, repository, model_repo)
    return done


def publish_leaderboard(
    leaderboard: str,
    *,
    create: bool = False,
    benchmarks: Sequence[str] = (),
    title: str | None = None,
    organisers: Sequence[str] = (),
    public: bool = False,
    accept: Collection[int] | Literal["all"] | None = None,
    check: bool = False,
    rescore: bool = False,
    private: Sequence[str | Path] = (),
    releases: str | Path = RELEASES,
    endpoint: str | None = None,
    token: str | None = None,
    progress: bool | Progress = False,
) -> "Kept":
    """Keeps a leaderboard, as `publish-leaderboard` does: verifies what was submitted, takes what is right, ranks all.

    Args:
        leaderboard: its repository on the Hub.
        create: make it, or add to what it ranks, and look at nothing.
        benchmarks: with `create`, the releases on the Hub that are ranked, `NAMESPACE/NAME[@VERSION]`.
        title: with `create`, its title.
        organisers: with `create`, further users whose systems are marked as the organisers'.
        public: with `create`, whether new repositories are public.
        accept: the pull requests that are looked at alone, and are taken in though they are flagged; "all": every one;
            None: every one, and one that is flagged waits.
        check: only look, and change nothing.
        rescore: score all submissions again from their predictions instead.
        private: private halves of releases with held-out answers.
        releases: the folder of releases, where a private half lies that is not named.
        endpoint: the Hub; None: `HF_ENDPOINT`, else the Hub.
        token: None: the one that the user is logged in with.
        progress: whether to say on stderr how far it is, or who is told.

    Returns:
        What came of each pull request, where the leaderboard is, and its commit.

    Raises:
        UsageError: it is new and nothing is to be ranked, or there is no such pull request.
        BenchwrightError: it is no leaderboard, a release cannot be had, or the Hub fails.
    """
    from benchwright.benchmarks.releases.fetch import default_endpoint
    from benchwright.cards.leaderboard.create import NewBoard, create_board
    from benchwright.cards.leaderboard.hub import BoardRepository
    from benchwright.cards.leaderboard.publish import Keeping, Kept, keep_board

    repository = BoardRepository(leaderboard, (endpoint or default_endpoint()).rstrip("/"), token)
    if create:
        return Kept((), create_board(repository, NewBoard(benchmarks, title, organisers, public)))
    how = Keeping(accept, check, rescore, [str(each) for each in private], Path(releases))
    with told(progress) as tell:
        return keep_board(repository, how, tell)


def _folder(run: Run | str | Path, runs: Path) -> Path:
    return run.folder if isinstance(run, Run) else find_run(str(run), runs)
