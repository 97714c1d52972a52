"""`annotate`: pages on which people judge a run's answers and the steps of its judge, or the pairs of a release."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchwright.scripts.options.annotations import (
    check_next,
    finish,
    parent_of_labelled,
    say_pages,
    write_imports,
    write_next,
)
from benchwright.scripts.options.common import (
    Command,
    is_on_command_line,
    releases_option,
    runs_option,
    shared,
    start_logging,
)

if TYPE_CHECKING:
    from benchwright.benchmarks.annotations.import_files import Format
    from benchwright.benchmarks.annotations.merge import Merged
    from benchwright.benchmarks.releases.release import Release
    from benchwright.benchmarks.reports.columns import RunData


def _names(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in value.split(",")) if value else ()


@click.command("annotate", cls=Command, order=65, short_help="Let people judge answers, or choose between pairs.")
@click.argument("reference", metavar="RUN|RELEASE")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--pages", type=click.IntRange(1, 100), help="For so many people: each judges all.  [default: 1]")
@click.option("--annotators", metavar="NAMES", callback=_names, help="Whose pages they are: Ada,Ben.")
@click.option(
    "--sample",
    type=click.IntRange(1, 100_000),
    default=120,
    show_default=True,
    metavar="GROUPS",
    help="Semantic groups that are drawn, one answer of each; calibrated scores take 100 with a verdict.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Of the sample; of pairs, of their order and sides."
)
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help="By which answers are judged; repeatable.  [default: correct]",
)
@click.option("--condition", metavar="NAME", help="What the system was given.  [default: own, else the first]")
@click.option("--merge", "is_merged", is_flag=True, help="Put FILES, which pages saved, together.")
@click.option(
    "--resolve",
    is_flag=True,
    help="With --merge: also make a page with what is to be settled.",
)
@click.option(
    "--format",
    "format",
    type=click.Choice(("label-studio", "argilla")),
    help="Of a release: files for this program to import, instead of pages; --pages says for how many people.",
)
@click.option(
    "--next",
    "next_version",
    metavar="VERSION",
    help="With --merge, of a release: also make its next version, such as 1.1.0, with the labels.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Folder of the pages; with --merge the file of verdicts.  [default: with the run]",
)
@click.option("--release", metavar="RELEASE", help="The release of the run.  [default: of its name and version]")
@releases_option(", where the release of the run is.")
@runs_option(", where RUN is NAME[/VERSION]/SYSTEM.")
@shared
def main(
    reference: str,
    files: tuple[Path, ...],
    pages: int | None,
    annotators: tuple[str, ...],
    sample: int,
    seed: int,
    metrics: tuple[str, ...],
    condition: str | None,
    is_merged: bool,
    resolve: bool,
    format: "Format | None",
    next_version: str | None,
    output: Path | None,
    release: str | None,
    releases: Path,
    runs: Path,
    verbose: bool,
    quiet: bool,
) -> None:
    """Make pages on which people judge a random sample of a run's answers, and each step of the judge over them.

    A page is one file that opens in a browser, offline; it keeps what was said, and saves it as a file. --merge FILES
    puts these together, says how far people agree, and writes what `score-metric --human` takes. Of a RELEASE with
    pairs people say which of two is better, and labels come of it, which --next writes into the release's next version.
    Prints the paths of what it wrote.
    """
    start_logging(verbose, quiet)
    from benchwright.benchmarks.errors import UsageError
    from benchwright.benchmarks.reports.metrics.truth import read_scored
    from benchwright.benchmarks.reports.pairs.rated import pairs_folder
    from benchwright.benchmarks.runs.find import find_run, find_run_or_release, release_of

    if is_merged and not files:
        raise UsageError("--merge needs the files that pages saved: annotate RUN --merge ada.jsonl ben.jsonl")
    if (files or resolve) and not is_merged:
        raise UsageError("files are merged, and disputes resolved, with --merge: annotate RUN --merge ada.jsonl")
    if next_version is not None and not is_merged:
        raise UsageError("--next writes labels that are merged: annotate RELEASE --merge ada.jsonl --next 1.1.0")
    if format is not None and annotators:
        raise UsageError("--format takes no --annotators: the program knows who annotates")
    drawn = [name for name in ("pages", "sample", "seed", "metrics", "condition", "format") if is_on_command_line(name)]
    if is_merged and drawn:
        option = drawn[0].removesuffix("s") if drawn[0] == "metrics" else drawn[0]
        raise UsageError(f"--merge takes no --{option}: the files say what they are of")
    found = find_run(reference, runs) if release is not None else find_run_or_release(reference, runs, releases)
    if isinstance(found, Path):
        if next_version is not None or format is not None:
            option = "--next" if next_version is not None else "--format"
            raise UsageError(f"{option} is of releases with pairs, and this is a run")
        run = read_scored(release_of(found, releases, release), found, condition)
        if is_merged:
            _merge_run(run, files, annotators, resolve, output, quiet)
        else:
            _make_run_pages(run, sample, seed, metrics or ("correct",), pages, annotators, output, quiet)
        return
    if metrics or condition:
        raise UsageError("--metric and --condition are of runs, and this is a release")
    if is_on_command_line("sample"):
        raise UsageError("--sample is of runs, and this is a release: people are asked about all of its pairs")
    if format is not None and is_on_command_line("seed"):
        raise UsageError("--format takes no --seed: what comes back would be read with other sides")
    home = pairs_folder(found, runs)
    if next_version is not None:
        check_next(found, next_version)
    if is_merged:
        merged = _merge_release(found, files, annotators, resolve, home, output, quiet)
        if next_version is not None:
            write_next(found, merged, next_version, releases, quiet)
    elif format is not None:
        write_imports(found, format, pages or 2, output or home / "annotate", quiet)
    else:
        _make_release_pages(found, pages, annotators, seed, home, output, quiet)


def _make_run_pages(
    run: "RunData",
    size: int,
    seed: int,
    metrics: Sequence[str],
    pages: int | None,
    annotators: Sequence[str],
    output: Path | None,
    quiet: bool,
) -> None:
    from benchwright.benchmarks.annotations.run_items import run_work
    from benchwright.benchmarks.reports.metrics.human_sample import draw_sample, write_sample
    from benchwright.cards.annotate.pages import FOLDER, pages_for, write_pages

    drawn = draw_sample(run, size, seed)
    metrics = list(dict.fromkeys(metrics))
    pages_for("", pages, annotators)
    run_work(run, "", drawn, metrics, has_texts=False)
    name = write_sample(run.folder, drawn)
    work = run_work(run, name, drawn, metrics)
    written = write_pages(lambda _: work, output or run.folder / FOLDER, pages_for(name, pages, annotators))
    groups = drawn.drawn_from.groups
    note = f"{name}: {len(drawn.answers):,} of {drawn.drawn_from.answers:,} answers, of {groups:,} semantic groups"
    if len(drawn.answers) < size:
        note += f" ({size:,} were asked for)"
    say_pages(work, written, note, run.release, quiet)


def _make_release_pages(
    release: "Release",
    pages: int | None,
    annotators: Sequence[str],
    seed: int,
    home: Path,
    output: Path | None,
    quiet: bool,
) -> None:
    from benchwright.benchmarks.annotations.pair_items import pair_work
    from benchwright.cards.annotate.pages import FOLDER, pages_for, write_pages

    work = pair_work(release, has_texts=False)
    written = write_pages(
        lambda page: pair_work(release, page), output or home / FOLDER, pages_for("pairs", pages, annotators, seed)
    )
    pairs = len({item.tasks[0].line["pair_id"] for item in work.items})
    say_pages(work, written, f"{len(work.items):,} choices of {pairs:,} pairs", release, quiet)
    if (parent := parent_of_labelled(release)) is not None and not quiet:
        click.echo(
            f"{work.name} has labels already: to add to them, annotate {parent}; what comes of these pages is for "
            "score-metric --human",
            err=True,
        )


def _merge_run(
    run: "RunData", files: Sequence[Path], annotators: Sequence[str], resolve: bool, output: Path | None, quiet: bool
) -> None:
    from benchwright.benchmarks.annotations.files import merge_files, metrics_of, read_files, sample_of, work_of_run
    from benchwright.cards.annotate.pages import FOLDER

    found = read_files("run", files)
    name, sample = sample_of(run, found)
    number = name.removeprefix("sample-")
    result = output or run.folder / ("human.jsonl" if number == "1" else f"human-{number}.jsonl")
    before = read_files("run", [result]) if result.is_file() else []
    make, metrics = work_of_run(run, name, sample), metrics_of([*found, *before])
    merged = merge_files(make(metrics, has_texts=False), found, result)
    finish(merged, lambda: make(metrics), result, run.folder / FOLDER, name, annotators, resolve, quiet)


def _merge_release(
    release: "Release",
    files: Sequence[Path],
    annotators: Sequence[str],
    resolve: bool,
    home: Path,
    output: Path | None,
    quiet: bool,
) -> "Merged":
    from benchwright.benchmarks.annotations.files import merge_files, read_files
    from benchwright.benchmarks.annotations.pair_items import pair_work
    from benchwright.cards.annotate.pages import FOLDER

    result = output or home / "labels.jsonl"
    merged = merge_files(pair_work(release, has_texts=False), read_files("release", files), result)
    finish(merged, lambda: pair_work(release), result, home / FOLDER, "pairs", annotators, resolve, quiet)
    return merged


if __name__ == "__main__":
    main()
