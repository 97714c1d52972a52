"""`compare-systems`: which of several systems is better, and what of the difference is chance."""

from pathlib import Path
from typing import Any

import click

from benchwright.scripts.options.common import Command, progress, releases_option, runs_option, shared, start_logging


@click.command("compare-systems", cls=Command, order=50, short_help="Say which systems differ, and by how much.")
@click.argument("given", metavar="RUN RUN...", nargs=-1, required=True)
@click.option("--baseline", metavar="RUN", help="Hold the others against this run; it is compared too.")
@click.option(
    "--metric", "metrics", multiple=True, metavar="NAME", help="Compare by this, the first leads; repeatable."
)
@click.option("--condition", help="What the systems were given.  [default: own, else the one that all have]")
@click.option("--mix-judges", is_flag=True, help="Compare scores of different judges all the same.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Where compare.html and compare.json go.  [default: ROOT/NAME/VERSION, of the runs]",
)
@click.option(
    "--release", metavar="RELEASE", help="The release of the runs.  [default: that of their name and version]"
)
@releases_option(", where the release of the runs is.")
@runs_option(", where RUN is NAME[/VERSION]/SYSTEM.")
@shared
def main(
    given: tuple[str, ...],
    baseline: str | None,
    metrics: tuple[str, ...],
    condition: str | None,
    mix_judges: bool,
    output: Path | None,
    release: str | None,
    releases: Path,
    runs: Path,
    verbose: bool,
    quiet: bool,
) -> None:
    """Compare the scores of RUNs, question by question, over the questions that all have a score of.

    A RUN is a folder or NAME[/VERSION]/SYSTEM; all are of one release. Says which are separated and which are not,
    over all pairs at once; writes compare.html, with the answers to what they differ on side by side, and compare.json.
    Prints the page's path.
    """
    start_logging(verbose, quiet)
    from benchwright.benchmarks.comparisons.comparison import compare_runs
    from benchwright.benchmarks.progress import timed
    from benchwright.benchmarks.runs.find import find_run
    from benchwright.cards.compare.page import write_comparison
    from benchwright.cards.compare.terminal import terminal_table

    opened, folders = _open(given, release, releases, runs)
    with progress(quiet) as update, timed("compared"):
        comparison = compare_runs(
            opened,
            folders,
            metrics=metrics,
            condition=condition,
            baseline=None if baseline is None else find_run(baseline, runs),
            mix_judges=mix_judges,
            progress=update,
        )
    with timed("page"):
        page = write_comparison(comparison, output or runs / opened.manifest.name / opened.manifest.version)
    if not quiet:
        click.echo(terminal_table(comparison), err=True)
    click.echo(page)


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
