"""`score-metric`: how far the scores of a run can be believed."""

from pathlib import Path
from typing import Any

import click

from benchwright.scripts.options.common import Command, progress, releases_option, runs_option, shared, start_logging
from benchwright.scripts.options.models import model_options, open_client, show_spending, timeout_option
from benchwright.scripts.options.pair_ratings import rate_pairs_of


def _limits(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, float]:
    found: dict[str, float] = {}
    for value in values:
        name, equals, number = value.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            equals = ""
        if not equals or not name or found[name] != found[name]:
            raise click.BadParameter(f"{value} is no limit: write METRIC=NUMBER, as in faithfulness=0.7", param=option)
    return found


@click.command("score-metric", cls=Command, order=60, short_help="Say how far the scores of a run can be believed.")
@click.argument("run", metavar="RUN|RELEASE")
@click.argument("metrics", metavar="[METRIC]...", nargs=-1)
@click.option("--truth", default="correct", show_default=True, metavar="METRIC", help="What metrics are held against.")
@click.option(
    "--human",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Verdicts of people, compared with the run's scores and never used instead. Those on a sample that annotate "
    "drew also calibrate the run's means. Of a release, labels of its pairs that count instead of its own.",
)
@click.option("--judge", metavar="NAME", help="Of several who judged in that file, take this one.")
@click.option("--mix-judges", is_flag=True, help="Put several judges of one metric together.")
@click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    metavar="METRIC=VALUE",
    callback=_limits,
    help="Above it a metric calls an answer right; repeatable.  [default: half-way up its range]",
)
@click.option(
    "--above",
    multiple=True,
    metavar="METRIC=VALUE",
    callback=_limits,
    help="Above it a score is high; repeatable.  [default: 0.7 of its range]",
)
@click.option(
    "--below",
    multiple=True,
    metavar="METRIC=VALUE",
    callback=_limits,
    help="Below it a score is low; repeatable.  [default: 0.3 of its range]",
)
@click.option("--baseline", metavar="RUN", help="Test what differs from this run, where retrieval was right and wrong.")
@click.option(
    "--repeat-judge",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    metavar="N",
    help="Times that the model judges each answer in all: the first counts, the others show how steady it is.",
)
@click.option(
    "--injections",
    is_flag=True,
    help="Try the judge instead: some answers with texts that tell it what to say, and how far scores move.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Answers that are tried with --injections, at most.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the choice of these answers.")
@click.option(
    "--trace",
    metavar="QUESTION",
    help="Print how the answer to this question, by its id, was judged step by step; with -v the model's replies, too.",
)
@click.option("--condition", metavar="NAME", help="What the system was given.  [default: own, else the first]")
@click.option(
    "--coin",
    type=int,
    metavar="SEED",
    help="Of a release: break ties by a coin of this seed, instead of one half each.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Where JSON and page are.  [default: the run's; of a release RUNS/NAME/VERSION/pairs]",
)
@click.option("--release", metavar="RELEASE", help="The release of the run.  [default: of its name and version]")
@releases_option(", where the release of the run is.")
@runs_option(", where RUN is NAME[/VERSION]/SYSTEM.")
@timeout_option
@model_options
@shared
def main(
    run: str,
    metrics: tuple[str, ...],
    truth: str,
    human: Path | None,
    judge: str | None,
    mix_judges: bool,
    thresholds: dict[str, float],
    above: dict[str, float],
    below: dict[str, float],
    baseline: str | None,
    repeat_judge: int,
    injections: bool,
    limit: int,
    seed: int,
    trace: str | None,
    condition: str | None,
    coin: int | None,
    output: Path | None,
    release: str | None,
    releases: Path,
    runs: Path,
    timeout: float,
    model_settings: dict[str, Any],
    verbose: bool,
    quiet: bool,
) -> None:
    """Hold each METRIC against the truth, in a RUN, or against what people chose of the pairs of a RELEASE.

    A RUN is a folder or NAME[/VERSION]/SYSTEM. The truth is `correct`, or what people said of the same answers in
    --human FILE, one JSON object a line: id, metric and value. Without a METRIC, all metrics of answers are rated that
    the run is scored by. A METRIC that is named and not scored yet is scored first: with --model judge=NAME by that
    model, as far as it has not judged the answers, else by rule. Prints the page's path, which score-metric.json is
    beside. With --injections, the judge of each METRIC is tried instead, and the path of the figures is printed.

    A RELEASE with `pairs` is a folder or NAME[@VERSION]. Each METRIC scores both candidates of a pair, or chooses
    between them, and the share of pairs of which it prefers what people chose is printed: by `labels`, or in --human
    FILE. Without a METRIC, those of RAGAS, gpt_score and gpt_ranking are, as far as they can be scored.
    """
    start_logging(verbose, quiet)
    from benchwright.benchmarks.errors import UsageError
    from benchwright.benchmarks.releases.release import Release
    from benchwright.benchmarks.reports.metrics.beforehand import refuse_beforehand, to_be_scored
    from benchwright.benchmarks.reports.metrics.blocks import brief
    from benchwright.benchmarks.reports.metrics.scale import Asked
    from benchwright.benchmarks.reports.metrics.truth import rate_metrics, read_scored
    from benchwright.benchmarks.reports.pairs.rated import pairs_folder
    from benchwright.benchmarks.runs.find import find_run, find_run_or_release, release_of
    from benchwright.benchmarks.runs.score_named import score_named
    from benchwright.cards.report.metric_page import write_ratings
    from benchwright.cards.report.page import report_run
    from benchwright.cards.report.terminal import terminal_text
    from benchwright.cards.report.trace_text import question_text, trace_text

    if injections and (human or baseline or repeat_judge > 1):
        raise UsageError("--injections tries the judge alone: leave out --human, --baseline and --repeat-judge")
    asked = Asked(metrics, truth, human, judge, mix_judges, thresholds, above, below)
    folder = find_run(run, runs) if release is not None else find_run_or_release(run, runs, releases)
    if trace is not None:
        where = (output or pairs_folder(folder, runs)) if isinstance(folder, Release) else folder
        told = trace_text(where, trace, metrics, with_replies=verbose)
        if not isinstance(folder, Release):
            told = f"{question_text(release_of(folder, releases, release), folder, trace)}\n\n{told}"
        click.echo(told)
        return
    if isinstance(folder, Release):
        where = output or pairs_folder(folder, runs)
        rate_pairs_of(folder, metrics, coin, human, where, timeout, model_settings, quiet)
        return
    if coin is not None:
        raise UsageError(f"--coin breaks the ties of a release's pairs, and {run} is a run: leave it out")
    opened = release_of(folder, releases, release)
    with open_client(model_settings, timeout, ("score-metric", folder.resolve(), *metrics)) as client:
        if injections:
            _try_injections(opened, folder, metrics, client, limit, seed, condition, output, quiet)
            return
        held = None if baseline is None else _read(baseline, release, releases, runs)
        if client is not None:
            refuse_beforehand(read_scored(opened, folder, condition), asked)
        with progress(quiet, client) as update:
            is_rescored = score_named(opened, folder, to_be_scored(asked), client, update, repeat_judge)
        if is_rescored:
            report_run(opened, folder)
        read = read_scored(opened, folder, condition)
        found = rate_metrics(read, asked, held)
        click.echo(write_ratings(found, output or read.folder))
        if not quiet:
            click.echo(terminal_text(brief(found)), err=True)
        show_spending(client, quiet)


def _try_injections(
    release: Any,
    folder: Path,
    metrics: tuple[str, ...],
    client: Any,
    limit: int,
    seed: int,
    condition: str | None,
    output: Path | None,
    quiet: bool,
) -> None:
    """`--injections`: how far texts that tell the judge what to say move it."""
    from benchwright.benchmarks.reports.metrics.injection_figures import NAME, injection_blocks, rate_injections
    from benchwright.benchmarks.runs.injected import judge_injected
    from benchwright.benchmarks.runs.run import INJECTIONS
    from benchwright.benchmarks.runs.stored_run import run_on
    from benchwright.cards.report.metric_page import write_json
    from benchwright.cards.report.terminal import terminal_text

    with progress(quiet, client) as update:
        tried = judge_injected(
            release, folder, metrics, client, limit=limit, seed=seed, condition=condition, progress=update
        )
    found = rate_injections(run_on(release, folder), tried, limit=limit, seed=seed)
    click.echo(write_json(found, (output or folder / INJECTIONS) / NAME))
    if not quiet:
        click.echo(terminal_text(injection_blocks(found)), err=True)
    show_spending(client, quiet)


def _read(reference: str, release: str | None, releases: Path, runs: Path) -> Any:
    """A run with its scores."""
    from benchwright.benchmarks.reports.metrics.truth import read_scored
    from benchwright.benchmarks.runs.find import find_run, release_of

    folder = find_run(reference, runs)
    return read_scored(release_of(folder, releases, release), folder)


if __name__ == "__main__":
    main()
