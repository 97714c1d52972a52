"""`compare-systems`: which of several systems is better, and what of the difference is chance."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from benchwright.scripts.options.by_retrieval import by_retrieval_options, tell_by_retrieval
from benchwright.scripts.options.common import (
    Command,
    is_on_command_line,
    printable,
    progress,
    releases_option,
    runs_option,
    shared,
    start_logging,
)
from benchwright.scripts.options.gating import decide_gates, end_with, gate_options, read_gates, write_summary
from benchwright.scripts.options.within import tell_of_one, within_options


@click.command("compare-systems", cls=Command, order=50, short_help="Say which systems differ, and by how much.")
@click.argument("given", metavar="RUN RUN...", nargs=-1, required=True)
@click.option(
    "--baseline",
    metavar="RUN",
    help="Hold the others against this run; it is compared too.  [default for gates and --by-retrieval: the first RUN]",
)
@click.option(
    "--metric", "metrics", multiple=True, metavar="NAME", help="Compare by this, the first leads; repeatable."
)
@click.option(
    "--condition", metavar="NAME", help="What the systems were given.  [default: own, else the one that all have]"
)
@click.option("--mix-judges", is_flag=True, help="Compare scores of different judges all the same.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Where compare.html and compare.json go.  [default: ROOT/NAME/VERSION, of the runs; of one run its folder]",
)
@click.option(
    "--counterfactual",
    is_flag=True,
    help="Of one system: RUN on a published release, RUN on the same questions with another --seed.",
)
@within_options
@by_retrieval_options
@click.option(
    "--release", metavar="RELEASE", help="The release of the runs.  [default: that of their name and version]"
)
@releases_option(", where the release of the runs is.")
@runs_option(", where RUN is NAME[/VERSION]/SYSTEM.")
@gate_options
@shared
def main(
    given: tuple[str, ...],
    baseline: str | None,
    metrics: tuple[str, ...],
    condition: str | None,
    mix_judges: bool,
    output: Path | None,
    counterfactual: bool,
    within_settings: dict[str, Any],
    by_retrieval_settings: dict[str, Any],
    release: str | None,
    releases: Path,
    runs: Path,
    gate_settings: dict[str, Any],
    verbose: bool,
    quiet: bool,
) -> None:
    """Compare the scores of RUNs, question by question, over the questions that all have a score of.

    A RUN is a folder or NAME[/VERSION]/SYSTEM; all are of one release. Says which are separated and which are not,
    over all pairs at once; writes compare.html, with the answers to what they differ on side by side, and compare.json.
    Prints the page's path.

    With --gate it decides whether RUNs may take the baseline's place: 0 all passed, 3 one failed, 4 one is
    inconclusive, for which it says how many groups would decide.

    With --between it holds two forms of one RUN against each other: accuracy and robustness, unbalanced and stratified,
    with and without errors of the language model, and a test of pairs beside them.

    With --leakage it says how accurate the retrieval database is with and without the questions that the language model
    answers without any document.

    With --by-retrieval it says how accurate retrievers are, what metrics give where retrieval was right and where it
    was wrong, and how often people call answers with high scores right and those with low ones wrong.

    With --counterfactual it says what a system knows by heart: how much better it answers a published release than one
    that asks the same and has other answers.
    """
    start_logging(verbose, quiet)
    asked: dict[str, Any] = {"metrics": metrics, "condition": condition, "mix_judges": mix_judges}
    of_several = {"--baseline": baseline, "--metric": metrics, "--mix-judges": mix_judges}
    of_one = {
        "--between": within_settings["between"],
        "--leakage": within_settings["leakage"],
        "--seed": is_on_command_line("seed"),
    }
    others = {
        "--counterfactual": counterfactual,
        "--gate": gate_settings["gates"],
        "--junit": gate_settings["junit"],
        "--summary": gate_settings["summary"],
    }

    def open_given() -> tuple[Any, list[Path]]:
        return _open(given, release, releases, runs)

    if tell_by_retrieval(
        by_retrieval_settings,
        [name for name, value in {**of_one, **others}.items() if value],
        open_given,
        baseline=baseline,
        output=output,
        runs=runs,
        quiet=quiet,
        **asked,
    ):
        return
    if tell_of_one(
        within_settings,
        [name for name, value in {**of_several, **others}.items() if value],
        open_given,
        condition=condition,
        output=output,
        quiet=quiet,
    ):
        return
    if counterfactual:
        if baseline or release or any(gate_settings.values()):
            raise _alone()
        _compare_seeds(given, asked, output, releases, runs, quiet)
        return
    from benchwright.benchmarks.runs.find import find_run

    gates = read_gates(gate_settings)
    opened, folders = _open(given, release, releases, runs)
    held = None if baseline is None else find_run(baseline, runs)
    if gates:
        held = held or folders[0]
        with progress(quiet) as update:
            results = decide_gates(gates, gate_settings, opened, folders, held, progress=update, **asked)
    else:
        results = []
    comparison = _compare(opened, folders, held, asked, results, quiet)
    write_summary(gate_settings, opened, results, comparison)
    if comparison is not None:
        _show(comparison, output or runs / opened.manifest.name / opened.manifest.version, quiet)
    if gates:
        end_with(results, told=comparison is not None and not quiet)


def _compare(
    release: Any, folders: list[Path], held: Path | None, asked: dict[str, Any], results: list[Any], quiet: bool
) -> Any:
    """The comparison; None where gates decided of runs that have nothing in common, which is said."""
    from benchwright.benchmarks.comparisons.comparison import compare_runs
    from benchwright.benchmarks.errors import BenchwrightError
    from benchwright.benchmarks.progress import timed

    try:
        with progress(quiet) as update, timed("compared"):
            comparison = compare_runs(release, folders, baseline=held, progress=update, **asked)
    except BenchwrightError as error:
        if not results:
            raise
        click.echo(printable(f"no page: {error}"), err=True)
        return None
    return replace(comparison, gates=tuple(results))


def _show(comparison: Any, folder: Path, quiet: bool) -> None:
    """Writes the page, and prints its path and the table."""
    from benchwright.benchmarks.progress import timed
    from benchwright.cards.compare.page import write_comparison
    from benchwright.cards.compare.terminal import terminal_table

    with timed("page"):
        page = write_comparison(comparison, folder)
    if not quiet:
        click.echo(terminal_table(comparison), err=True)
    click.echo(page)


def _alone() -> Exception:
    from benchwright.benchmarks.errors import UsageError

    return UsageError("--counterfactual is of two RUNs on two releases: leave out --baseline, --release and gates")


def _compare_seeds(
    given: tuple[str, ...], asked: dict[str, Any], output: Path | None, releases: Path, runs: Path, quiet: bool
) -> None:
    """Writes what a system knows by heart, and prints the page's path and the table."""
    from benchwright.benchmarks.comparisons.counterfactual import compare_seeds
    from benchwright.benchmarks.comparisons.counterfactual_words import counterfactual_blocks
    from benchwright.cards.compare.page import write_counterfactual
    from benchwright.cards.report.terminal import terminal_text

    if len(given) != 2:
        raise _alone()
    (one, first), (two, second) = (_open((each,), None, releases, runs) for each in given)
    found = compare_seeds((one, two), (first[0], second[0]), **asked)
    page = write_counterfactual(found, output or runs / two.manifest.name / two.manifest.version)
    if not quiet:
        click.echo(terminal_text(counterfactual_blocks(found)), err=True)
    click.echo(page)


def _open(given: tuple[str, ...], reference: str | None, releases: Path, runs: Path) -> tuple[Any, list[Path]]:
    """The release of the runs, and their folders."""
    from benchwright.benchmarks.runs.find import find_run, release_of

    folders = [find_run(each, runs) for each in given]
    return release_of(folders[0], releases, reference), folders


if __name__ == "__main__":
    main()
