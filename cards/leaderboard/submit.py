"""A submission becomes a pull request. Safe to repeat: the one that is open is found, and changed where the run was."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.board import Board, BoardBenchmark, read_board
from benchwright.benchmarks.leaderboards.layout import BOARD, REPORT, Place
from benchwright.benchmarks.leaderboards.package import Package
from benchwright.benchmarks.leaderboards.plain_yaml import MOST_BYTES
from benchwright.benchmarks.leaderboards.receive import Taken, check_place
from benchwright.benchmarks.leaderboards.stored import read_verdict
from benchwright.benchmarks.releases.find import open_release
from benchwright.benchmarks.releases.hub_answers import HubError
from benchwright.benchmarks.releases.manifest import MANIFEST
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.find import release_of
from benchwright.benchmarks.runs.run import read_run
from benchwright.cards.hub.errors import explained
from benchwright.cards.hub.evaluation import Result, propose_result
from benchwright.cards.leaderboard.hub import DATASET, BoardRepository, Tree, key_of

State = Literal["opened", "changed", "open already", "on the leaderboard already"]
"""`changed`: a pull request of the submitter was open, and holds the run as it is now."""
_MOST_VERDICT = 1_000_000


@dataclass(frozen=True)
class Submitted:
    """What a start did."""

    url: str
    """Of the pull request, else of the leaderboard."""
    state: State
    number: int | None
    """Of the pull request."""
    place: Place


def find_board(repository: BoardRepository) -> Board:
    """What a repository ranks.

    Raises:
        BenchwrightError: it is no leaderboard, or the Hub fails.
    """
    with explained(repository.repo_id, repository.endpoint, "--leaderboard"):
        try:
            data = repository.reader.read("main", BOARD, MOST_BYTES)
        except HubError as error:
            if error.status != 404 or error.code == "RepoNotFound":
                raise
            raise BenchwrightError(f"{repository.repo_id} is no leaderboard: it has no {BOARD}") from None
        return read_board(data)


def ranked_benchmark(board: Board, repo_id: str, name: str, version: str) -> BoardBenchmark:
    """What a leaderboard says of a benchmark.

    Raises:
        BenchwrightError: it does not rank it, or not this version.
    """
    entry = board.benchmarks.get(name)
    if entry is None:
        there = ", ".join(board.benchmarks) or "none"
        raise BenchwrightError(f"{repo_id} does not rank the benchmark {name}: there are {there}")
    if entry.versions and version not in entry.versions:
        raise BenchwrightError(
            f"{repo_id} does not rank {name} {version}: there are {', '.join(entry.versions)}; score the system on one"
        )
    return entry


def release_to_submit(folder: Path, repository: BoardRepository, root: Path, reference: str | None = None) -> Release:
    """The release that a run is of: the local one, else the one that the leaderboard names.

    Args:
        folder: the run's.
        repository: the leaderboard's.
        root: the folder of releases.
        reference: which release it is, as `open_release` takes it; None: that of the run's benchmark and version.

    Raises:
        BenchwrightError: the folder is no run, or there is no such release.
    """
    run = read_run(folder)
    if run is None or reference is not None:
        return release_of(folder, root, reference)
    if (root / run.benchmark / run.version / MANIFEST).is_file():
        return open_release(f"{run.benchmark}@{run.version}", root)
    board = find_board(repository)
    entry = ranked_benchmark(board, repository.repo_id, run.benchmark, run.version)
    return open_release(f"{entry.repository}@v{run.version}", root)


def submit_package(package: Package, repository: BoardRepository) -> Submitted:
    """Opens a pull request with a submission, or changes the one that is open.

    Raises:
        BenchwrightError: the leaderboard does not rank its benchmark, the place is another's, or the Hub fails.
    """
    place, board = package.place, find_board(repository)
    ranked_benchmark(board, repository.repo_id, place.benchmark, place.version)
    with explained(repository.repo_id, repository.endpoint, "--leaderboard"):
        head = repository.head()
        tree = repository.tree(head)
        _check_free(repository, tree, head, place)
        if _is_same(tree, package):
            url = f"{repository.endpoint}/datasets/{repository.repo_id}"
            return Submitted(url, "on the leaderboard already", None, place)
        for each in _own_open(repository, _title(place)):
            revision = each.git_reference
            there = repository.tree(revision)
            if _is_same(there, package):
                return Submitted(each.url, "open already", each.num, place)
            _change(repository, revision, package, there)
            return Submitted(each.url, "changed", each.num, place)
        done = repository.api.create_commit(
            repository.repo_id,
            _added(package),
            commit_message=_title(place),
            commit_description=_description(package),
            repo_type=DATASET,
            create_pr=True,
        )
        return Submitted(done.pr_url, "opened", done.pr_num, place)


def propose_model_result(package: Package, done: Submitted, repository: BoardRepository, model: str) -> str:
    """Proposes what a submission claims to a model's repository, as the Hub's own evaluation result; gives the address.

    Args:
        package: what was submitted.
        done: where to.
        repository: the leaderboard.
        model: `NAMESPACE/NAME` of the model.

    Raises:
        BenchwrightError: nothing leads in the submission's report, or the Hub fails.
    """
    report = json.loads((package.folder / REPORT).read_bytes())
    place, board = package.place, find_board(repository)
    entry = ranked_benchmark(board, repository.repo_id, place.benchmark, place.version)
    metric = entry.metric or report["scoring"]["primary"]
    value = report["metrics"].get(metric, {}).get("value")
    if value is None:
        raise BenchwrightError(f"the run has no value of {metric or 'a primary metric'}: leave out --model-repo")
    with explained(model, repository.endpoint, "--model-repo"):
        refs = repository.api.list_repo_refs(entry.repository, repo_type=DATASET)
        tagged = {ref.name: ref.target_commit for ref in refs.tags}
        system = package.system
        result = Result(
            dataset=entry.repository,
            revision=tagged.get(f"v{place.version}"),
            metric=metric,
            value=value,
            source=done.url,
            source_name=board.title,
            user=repository.user,
            notes=f"{metric} of {system.name}, as claimed; retriever: {system.retriever}",
        )
        return propose_result(repository.api, model, f"{place.benchmark}-{place.system}", result)


def _title(place: Place) -> str:
    return f"Submit {place}"


def _description(package: Package) -> str:
    shown = "".join(each if each.isalnum() or each in " -_,()/" else " " for each in package.system.name)
    return (
        f"{shown.strip()}, on {package.place.benchmark} {package.place.version}. Made with submit-system; the "
        "maintainers of this leaderboard score the predictions again, and say here what they found."
    )


def _check_free(repository: BoardRepository, tree: Tree, head: str, place: Place) -> None:
    """Raises BenchwrightError where the place is another's. What looks like another's name maintainers find."""
    file = tree.get(place.verdict)
    if file is None or file.size > _MOST_VERDICT:
        return
    path = repository.keep(head, [file])[file.path]
    verdict = read_verdict(path.read_bytes(), place.verdict)
    check_place(place, repository.user, [Taken(place, verdict.submitter)])


def _is_same(tree: Tree, package: Package) -> bool:
    """Whether a revision holds exactly the files of a submission in its folder."""
    there = {path: file for path, file in tree.items() if path.startswith(f"{package.place.folder}/")}
    files = package.files
    return there.keys() == files.keys() and all(
        file.size == files[path].stat().st_size and file.key == key_of(files[path], is_large=file.is_large)
        for path, file in there.items()
    )


def _own_open(repository: BoardRepository, title: str) -> list[Any]:
    """The open pull requests of this user with a title, the newest first."""
    found = repository.api.get_repo_discussions(
        repository.repo_id,
        repo_type=DATASET,
        author=repository.user,
        discussion_type="pull_request",
        discussion_status="open",
    )
    return sorted((each for each in found if each.title == title), key=lambda each: -each.num)


def _added(package: Package) -> list[Any]:
    from huggingface_hub import CommitOperationAdd

    return [CommitOperationAdd(path, str(source)) for path, source in package.files.items()]


def _change(repository: BoardRepository, revision: str, package: Package, there: Mapping[str, object]) -> None:
    """Puts the files of a submission on a pull request in the place of those that it has."""
    from huggingface_hub import CommitOperationDelete

    folder, files = f"{package.place.folder}/", package.files
    gone = [path for path in there if path.startswith(folder) and path not in files]
    repository.api.create_commit(
        repository.repo_id,
        [*_added(package), *(CommitOperationDelete(path) for path in gone)],
        commit_message=f"{_title(package.place)} again",
        repo_type=DATASET,
        revision=revision,
    )
