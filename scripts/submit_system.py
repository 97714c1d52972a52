"""`submit-system`: offers a run to a leaderboard, as a pull request on the Hub."""

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchwright.scripts.options.common import Command, releases_option, runs_option, shared, start_logging, visible
from benchwright.scripts.options.publishing import endpoint_option, hide_transfers
from benchwright.scripts.options.system import complete_system, system_options

if TYPE_CHECKING:
    from benchwright.cards.leaderboard.hub import BoardRepository


@click.command("submit-system", cls=Command, order=70, short_help="Offer a run to a leaderboard on the Hub.")
@click.argument("run")
@click.option("--leaderboard", "board", metavar="REPO", required=True, help="The leaderboard's repository on the Hub.")
@click.option("--heldout", metavar="RUN", help="The run on the held-out questions.  [default: the one beside RUN]")
@click.option(
    "--contexts/--no-contexts",
    default=None,
    help="Send contexts, or keep them back: retrieval figures are then shown as claimed.  [default: as before; send]",
)
@click.option("--partial", is_flag=True, help="Submit it though questions have no answer; it is ranked apart.")
@click.option("--dry-run", is_flag=True, help="Show what would be sent, and send nothing.")
@click.option(
    "--system",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What there is to say of the system.  [default: system.yaml beside RUN, which keeps what is said]",
)
@system_options
@click.option(
    "--release", metavar="RELEASE", help="What RUN is of.  [default: its local release, else the leaderboard's]"
)
@click.option(
    "--model-repo",
    "model",
    metavar="REPO",
    help="The system is this model on the Hub: propose the result to it too, in .eval_results.",
)
@click.option(
    "--round",
    "of_round",
    metavar="ROUND",
    help="Take part in a round: before it closes a salted hash of RUN's answers goes there, after it the answers.",
)
@endpoint_option
@releases_option(".")
@runs_option(", where RUN is a name.")
@shared
def main(
    run: str,
    board: str,
    heldout: str | None,
    contexts: bool | None,
    partial: bool,
    dry_run: bool,
    file: Path | None,
    said: dict[str, Any],
    usual: dict[str, Any],
    release: str | None,
    model: str | None,
    of_round: str | None,
    endpoint: str | None,
    releases: Path,
    runs: Path,
    verbose: bool,
    quiet: bool,
) -> None:
    """Offer RUN to a leaderboard: check it, and open a pull request with its answers.

    RUN is a folder or NAME[/VERSION]/SYSTEM, of all questions of the split `test`, scored. Where the release has
    held-out questions, a run on these goes with it. The same command again changes the open pull request where the run
    changed, and does nothing where it did not.

    With --round, RUN answers the split `heldout` of the round's edition. What is committed to is kept in RUN/rounds:
    once the round is closed, the same command sends it, within the time that the round says.
    """
    start_logging(verbose, quiet)
    from benchwright.benchmarks.leaderboards.check_run import check_runs
    from benchwright.benchmarks.leaderboards.layout import SYSTEM
    from benchwright.benchmarks.leaderboards.package import sends_contexts, write_package
    from benchwright.benchmarks.leaderboards.system_file import keep_system, told_system
    from benchwright.benchmarks.releases.fetch import default_endpoint
    from benchwright.benchmarks.runs.find import find_run
    from benchwright.cards.leaderboard.hub import BoardRepository
    from benchwright.cards.leaderboard.submit import propose_model_result, release_to_submit, submit_package

    repository = BoardRepository(board, (endpoint or default_endpoint()).rstrip("/"))
    folder = find_run(run, runs)

    def pack(release: Any, place: Path) -> Any:
        checked = check_runs(folder, release, find_run(heldout, runs) if heldout else None, is_partial=partial)
        system = complete_system(said, told_system(folder, file), usual, folder.name, folder / SYSTEM)
        keep_system(folder, system)
        return write_package(checked, system, place, with_contexts=sends_contexts(folder, contexts))

    if of_round is not None:
        if model or heldout or dry_run:
            raise click.UsageError("--round takes RUN alone: leave out --heldout, --model-repo and --dry-run")
        _take_part(repository, of_round, folder, release, releases, pack, quiet)
        return
    opened = release_to_submit(folder, repository, releases, release)
    with tempfile.TemporaryDirectory(prefix="benchwright-") as place:
        package = pack(opened, Path(place))
        if dry_run:
            _show(package, board)
            return
        hide_transfers(quiet)
        done = submit_package(package, repository)
        click.echo(visible(done.url))
        if model:
            click.echo(visible(propose_model_result(package, done, repository, model)))
    number = f" (pull request {done.number})" if done.number is not None else ""
    stays = done.state == "changed" and not sends_contexts(folder, contexts)
    warning = ["what was sent before stays in the history of the pull request"] if stays else []
    _say([*package.notes, *warning, f"{done.place}: {done.state}{number}"], quiet)


def _take_part(
    repository: "BoardRepository",
    name: str,
    run: Path,
    release: str | None,
    releases: Path,
    pack: Callable[[Any, Path], Any],
    quiet: bool,
) -> None:
    """Takes part in a round with a run."""
    from benchwright.benchmarks.releases.find import open_release
    from benchwright.cards.leaderboard.round_submit import edition_of, take_part

    edition = open_release(release, releases) if release else edition_of(repository, name, releases)
    hide_transfers(quiet)
    done = take_part(repository, name, run, lambda place: _say(pack(edition, place).notes, quiet))
    click.echo(visible(done.url))
    _say([f"{name}: {done.what}"], quiet)


def _say(lines: Iterable[str], quiet: bool) -> None:
    """Tells on stderr."""
    for line in () if quiet else lines:
        click.echo(visible(line), err=True)


def _show(package: Any, board: str) -> None:
    """What would be sent: every file with its bytes, the short ones wholly, and a prediction."""
    from benchwright.benchmarks.leaderboards.layout import RUN, SYSTEM

    sizes = {path: file.stat().st_size for path, file in package.files.items()}
    for path, size in sizes.items():
        click.echo(f"{size:>13,}  {visible(path)}")
    click.echo(f"{sum(sizes.values()):>13,}  bytes in {len(sizes):,} files, in a pull request to {board}")
    for name in (SYSTEM, RUN):
        _show_text(name, (package.folder / name).read_text(encoding="utf-8"))
    _show_text("the first prediction", package.first)
    click.echo()
    for note in package.notes:
        click.echo(visible(f"note: {note}"))
    click.echo("nothing was sent")


def _show_text(name: str, text: str) -> None:
    click.echo(f"\n{name}:")
    for line in text.splitlines():
        click.echo(visible(f"    {line}"))


if __name__ == "__main__":
    main()
