"""What `compare-systems` says of retrievers, and of metrics by whether retrieval was right."""

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchwright.scripts.options.common import progress

if TYPE_CHECKING:
    from benchwright.benchmarks.releases.release import Release


def _files(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for value in values:
        run, _mark, path = value.partition("=")
        if not run or not path:
            raise click.BadParameter(f"{value} names no file of a run: write RUN=FILE", param=option)
        found[run] = Path(path)
    return found


def by_retrieval_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--by-retrieval` and `--human`; the command gets them as `by_retrieval_settings`."""

    @functools.wraps(function)
    def command(**values: Any) -> Any:
        given = {name: values.pop(name) for name in ("by_retrieval", "human")}
        return function(**values, by_retrieval_settings=given)

    command = click.option(
        "--human",
        multiple=True,
        metavar="RUN=FILE",
        callback=_files,
        help="With --by-retrieval: what people said of a run's answers; repeatable.  [default: its human.jsonl]",
    )(command)
    return click.option(
        "--by-retrieval",
        is_flag=True,
        help="Of RUNs: retrievers at 1, 3 and 5 contexts; metrics where retrieval was right and wrong, also against "
        "the baseline; what high and low scores say beside people.",
    )(command)


def tell_by_retrieval(
    by_retrieval_settings: dict[str, Any],
    others: Sequence[str],
    opened: "Callable[[], tuple[Release, list[Path]]]",
    *,
    baseline: str | None,
    output: Path | None,
    runs: Path,
    quiet: bool,
    **asked: Any,
) -> bool:
    """Tells of runs by retrieval where that was asked for, and says whether it was: writes the page, prints its path.

    Args:
        by_retrieval_settings: the options.
        others: the options of other comparisons that were given.
        opened: gives the release and the folders of the runs.
        baseline: the run that others are held against.
        output: where the page goes; None: the folder that the runs are in, or of one run its own.
        runs: the folder of runs.
        quiet: print the page's path alone.
        asked: metrics, condition and mix_judges, as `tables_by_retrieval` takes them.

    Raises:
        UsageError: options of other comparisons were given, or --human without --by-retrieval.
    """
    from benchwright.benchmarks.errors import UsageError

    if not by_retrieval_settings["by_retrieval"]:
        if by_retrieval_settings["human"]:
            raise UsageError("--human is of --by-retrieval: add that, or hold one run against people with score-metric")
        return False
    if others:
        raise UsageError(f"--by-retrieval stands alone: leave out {' and '.join(others)}")
    from benchwright.benchmarks.comparisons.by_retrieval import tables_by_retrieval
    from benchwright.benchmarks.progress import timed
    from benchwright.benchmarks.runs.find import find_run
    from benchwright.cards.compare.within import by_retrieval_text, write_by_retrieval

    release, folders = opened()
    held = None if baseline is None else find_run(baseline, runs)
    human = {find_run(run, runs): path for run, path in by_retrieval_settings["human"].items()}
    with progress(quiet) as update, timed("compared"):
        found = tables_by_retrieval(release, folders, baseline=held, human=human, progress=update, **asked)
    several = runs / release.manifest.name / release.manifest.version
    page = write_by_retrieval(found, output or (several if len(found.runs) > 1 else folders[0]))
    if not quiet:
        click.echo(by_retrieval_text(found), err=True)
    click.echo(page)
    return True
