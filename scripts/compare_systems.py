"""`compare-systems`: which of several systems is better, and what of the difference is chance."""

from pathlib import Path
from typing import Any

import click

from benchwright.scripts.options.common import Command, progress, releases_option, runs_option, shared, start_logging


@click.command("compare-systems", cls=Command, order=50, short_help="Say which systems differ, and by how much.")
@click.argument("given", metavar="RUN RUN...", nargs=-1, required=True)
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="Compare by this, not by all; repeatable.")
@click.option("--condition", help="What the systems were given.  [default: own, else the one that all have]")
@click.option("--release", metavar="RELEASE", help="The release of the runs.  [default: of their name and version]")
@releases_option(", where the release of the runs is.")
@runs_option(", where RUN is NAME[/VERSION]/SYSTEM.")
@shared
def main(
    given: tuple[str, ...],
    metrics: tuple[str, ...],
    condition: str | None,
    release: str | None,
    releases: Path,
    runs: Path,
    verbose: bool,
    quiet: bool,
) -> None:
    """Compare the scores of RUNs, question by question, over the questions that all have.

    A RUN is a folder or NAME[/VERSION]/SYSTEM; all are of one release.
    """
    start_logging(verbose, quiet)
    from benchwright.benchmarks.comparisons.figures import compare_by
    from benchwright.benchmarks.comparisons.read import read_runs
    from benchwright.cards.compare.terminal import terminal_table

    opened, folders = _open(given, release, releases, runs)
    with progress(quiet) as update:
        compared = read_runs(opened, folders, metrics=metrics or None, condition=condition, progress=update)
    click.echo(terminal_table(compared, [compare_by(compared, metric) for metric in compared.metrics]))


def _open(given: tuple[str, ...], reference: str | None, releases: Path, runs: Path) -> tuple[Any, list[Path]]:
    """The release of the runs, and their folders."""
    from benchwright.benchmarks.errors import BenchwrightError
    from benchwright.benchmarks.releases.find import open_release
    from benchwright.benchmarks.runs.find import find_run
    from benchwright.benchmarks.runs.run import read_run

    folders = [find_run(each, runs) for each in given]
    first = read_run(folders[0])
    if first is None:
        raise BenchwrightError(f"{folders[0]} is not a run: it has no run.json")
    return open_release(reference or f"{first.benchmark}@{first.version}", releases), folders


if __name__ == "__main__":
    main()
