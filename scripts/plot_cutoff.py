"""`plot-cutoff`: what a cutoff is worth, as a figure, tables and tests."""

from pathlib import Path
from typing import Any

import click

from benchwright.scripts.options.common import (
    Command,
    fail,
    progress,
    releases_option,
    runs_option,
    shared,
    start_logging,
)
from benchwright.scripts.options.models import model_options, open_client, show_spending, timeout_option


@click.command("plot-cutoff", cls=Command, order=90, short_help="Draw what a cutoff is worth to a closed-book model.")
@click.argument("release")
@click.argument("given", metavar="[RUN]...", nargs=-1)
@click.option("--name", help="What the figure's files, and the runs that are asked for it, are called by.")
@click.option("--limit", type=click.IntRange(min=1), help="Ask at most so many questions, a seeded sample.")
@click.option("--again", is_flag=True, help="Forget the earlier runs that were asked for this figure.")
@releases_option(", where RELEASE is a name.")
@runs_option("; the figure is in ROOT/NAME/VERSION.", "--output")
@model_options
@timeout_option
@shared
def main(
    release: str,
    given: tuple[str, ...],
    name: str | None,
    limit: int | None,
    again: bool,
    releases: Path,
    runs: Path,
    model_settings: dict[str, Any],
    timeout: float,
    verbose: bool,
    quiet: bool,
) -> None:
    """Draw how a model answers a wikipedia RELEASE closed book on each subset, and with the article.

    Without a RUN, --model system=NAME is asked, closed book the questions of the subsets random, created_after_cutoff
    and post_cutoff, with the article those of post_cutoff, and nothing else; --model judge=NAME grades truthfulness and
    relevance from 1 to 5. Without a model rules do, for trying it out.

    With RUNs nothing is asked: they are drawn, one model or several in one figure. A RUN is a folder or
    NAME[/VERSION]/SYSTEM: of closed-book or openai:MODEL, of gold-documents, or of any system with --conditions
    closed,gold. Runs of the same model belong together. RELEASE may be left out before them.

    Writes cutoff-MODEL.svg, .png, .html and .json for each model, and of several cutoff.svg and so on; prints the SVG.
    """
    start_logging(verbose, quiet)
    from benchwright.benchmarks.reports.cutoffs.runs import ask_runs, read_models

    opened, folders = _open(release, given, releases, runs)
    if folders and (limit is not None or again):
        from benchwright.benchmarks.errors import UsageError

        raise UsageError("RUNs are drawn as they are and nothing is asked: leave out --limit and --again")
    where = runs / opened.manifest.name / opened.manifest.version
    if folders:
        _write(opened, read_models(opened, folders), where, name, quiet)
        return
    with open_client(model_settings, timeout) as client:
        try:
            with progress(quiet, client) as update:
                folders = ask_runs(opened, runs, client, name=name, limit=limit, again=again, progress=update)
        except KeyboardInterrupt:
            if client is not None:
                raise
            fail("stopped; the answers so far are kept: the same command goes on from there", 130)
        _write(opened, read_models(opened, folders), where, name, quiet)
        show_spending(client, quiet)


def _open(release: str, given: tuple[str, ...], releases: Path, runs: Path) -> tuple[Any, list[Path]]:
    """The release, and the folders of the runs; where the first argument is a run, its release."""
    from benchwright.benchmarks.errors import BenchwrightError
    from benchwright.benchmarks.releases.find import open_release
    from benchwright.benchmarks.runs.find import find_run, release_of

    try:
        first = find_run(release, runs)
    except BenchwrightError:
        name, slash, _ = release.partition("/")
        if slash and (runs / name).is_dir():
            raise
        return open_release(release, releases), [find_run(each, runs) for each in given]
    return release_of(first, releases), [first, *(find_run(each, runs) for each in given)]


def _write(release: Any, models: Any, folder: Path, name: str | None, quiet: bool) -> None:
    """Writes the figure of each model, and that of several; prints the file of the last, and its means and tests."""
    from benchwright.benchmarks.reports.cutoffs.blocks import brief
    from benchwright.benchmarks.reports.cutoffs.figure import cutoff_figure
    from benchwright.benchmarks.reports.cutoffs.runs import file_name
    from benchwright.cards.report.cutoff_page import write_figure
    from benchwright.cards.report.terminal import terminal_text

    figure = cutoff_figure(release, models)
    alone = (
        {file_name(name or models[0].name): figure}
        if len(models) == 1
        else {
            file_name(f"{name}-{model.name}" if name else model.name): cutoff_figure(release, [model])
            for model in models
        }
    )
    drawn = [write_figure(each, folder, f"cutoff-{called}") for called, each in alone.items()]
    if len(models) > 1:
        drawn.append(write_figure(figure, folder, f"cutoff-{file_name(name)}" if name else "cutoff"))
    click.echo(drawn[-1])
    if not quiet:
        click.echo(terminal_text(brief(figure)), err=True)


if __name__ == "__main__":
    main()
