"""`score-system`: asks a system a release's questions, scores its answers and reports on them."""

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import click

from benchwright.scripts.options.common import (
    Command,
    Seconds,
    fail,
    printable,
    progress,
    releases_option,
    runs_option,
    shared,
    start_logging,
)
from benchwright.scripts.options.models import model_options, open_client, show_spending


def _names(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))


@click.command(
    "score-system", cls=Command, order=40, short_help="Ask a system the questions, score its answers, report."
)
@click.argument("release")
@click.argument("system")
@click.option("--name", help="The run's name.  [default: the system's]")
@click.option("--split", default="test", show_default=True, help="The questions that are asked.")
@click.option(
    "--subset",
    "subsets",
    multiple=True,
    metavar="NAME",
    help="Ask only this part of the benchmark, as its card names it; repeatable.",
)
@click.option(
    "--conditions",
    default="own",
    show_default=True,
    metavar="LIST",
    callback=_names,
    help="What it is given: own, closed, gold, without-gold; with commas.",
)
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="Score this, not all that fits; repeatable.")
@click.option("-k", type=click.IntRange(1, 1000), default=5, show_default=True, help="Contexts read and looked at.")
@click.option(
    "--timeout",
    type=Seconds(),
    default=60.0,
    show_default=True,
    help="Seconds that an answer may take.",
)
@click.option(
    "--retries",
    type=click.IntRange(0, 20),
    default=3,
    show_default=True,
    help="Times that a request to an HTTP service is sent again where it fails.",
)
@click.option("--workers", type=click.IntRange(1, 256), help="Questions asked at once.  [default: 1; async: 8]")
@click.option(
    "--repeat",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="Times that each question is asked: tells noise from run to run and noise of wordings apart.",
)
@click.option(
    "--samples",
    type=click.IntRange(0, 100),
    default=0,
    show_default=True,
    metavar="N",
    help="Ask for so many further answers to each question, of a model at temperature 1: what selfcheck compares.",
)
@click.option(
    "--repeat-judge",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    metavar="N",
    help="Times that the model judges each answer in all: the first counts, the others show how steady it is.",
)
@click.option(
    "--probe",
    is_flag=True,
    help="Where contexts lack evidence, ask the search for more and for the evidence's words: tells search, ranking, "
    "index apart. For systems with retrieve(question, k).",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help="Ask at most so many questions: a seeded sample of whole groups of wordings.",
)
@click.option(
    "--wordings",
    type=click.IntRange(min=1),
    help="Of each group, ask at most so many wordings in each form.  "
    "[default: all; with --limit: 2, or as many as fit for all groups]",
)
@click.option(
    "--with-smalltalk",
    is_flag=True,
    help="Ask 100 greetings and generic questions beside, unscored: what does it take where nothing is to be found?",
)
@click.option(
    "--map",
    "uris",
    metavar="FILE|TEMPLATE",
    help="Which document a context's URI or own id means: a CSV or JSONL file of both, or 'https://wiki.example/{id}.html'.",
)
@click.option(
    "--judgments",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Verdicts made elsewhere, used instead of computed scores.",
)
@click.option(
    "--columns",
    metavar="PAIRS",
    help="Which column of FILE.csv is what: question=COLUMN,answer=COLUMN,contexts=COLUMN, ….  [default: by name]",
)
@click.option("--again", is_flag=True, help="Forget an earlier run of the same name.")
@releases_option(", where RELEASE is a name.")
@runs_option("; this one is in ROOT/NAME/VERSION/SYSTEM.", "--output")
@model_options
@shared
def main(
    release: str,
    system: str,
    name: str | None,
    split: str,
    subsets: tuple[str, ...],
    conditions: tuple[str, ...],
    metrics: tuple[str, ...],
    k: int,
    timeout: float,
    retries: int,
    workers: int | None,
    repeat: int,
    samples: int,
    repeat_judge: int,
    probe: bool,
    limit: int | None,
    wordings: int | None,
    with_smalltalk: bool,
    uris: str | None,
    judgments: Path | None,
    columns: str | None,
    again: bool,
    releases: Path,
    runs: Path,
    model_settings: dict[str, Any],
    verbose: bool,
    quiet: bool,
) -> None:
    """Ask SYSTEM the questions of RELEASE, score its answers, and report which it fails and why.

    RELEASE is a folder or the name of a local release. SYSTEM is one of these:

    \b
    module:object        a function answer(question), an object that has one, a chain, a query engine
    http://ADDRESS       a service that takes {"question": …} and returns a prediction
    FILE.toml            any other HTTP service, described
    "command:PROGRAM …"  a program in any language that reads and prints JSON lines
    openai-rag:MODEL     an OpenAI-compatible endpoint that retrieves
    openai:MODEL         an OpenAI-compatible endpoint, without any passage
    FILE.jsonl           predictions made elsewhere
    a baseline           closed-book, keyword, entity-names, bm25, dense, naive-rag, gold-documents, oracle, …;
                         any that searches also re-ranked: bm25+rerank

    A baseline answers with --model system=NAME, else by built-in rules. Prints the run's folder. A start that was
    stopped goes on with the same command, which also asks again what failed.
    """
    start_logging(verbose, quiet)
    from benchwright.benchmarks.progress import timed
    from benchwright.benchmarks.releases.find import open_release
    from benchwright.benchmarks.runs.plan import Options
    from benchwright.benchmarks.runs.score_system import score_system
    from benchwright.benchmarks.systems.opening import models_of
    from benchwright.cards.report.page import report_run

    options = Options(
        split=split,
        k=k,
        conditions=conditions,
        metrics=metrics,
        limit=limit,
        subsets=subsets,
        wordings=wordings,
        with_smalltalk=with_smalltalk,
        timeout=timeout,
        retries=retries,
        workers=workers,
        repeat=repeat,
        samples=samples,
        repeat_judge=repeat_judge,
        uris=uris,
        probe=probe,
        judgments=judgments,
        columns=columns,
        again=again,
    )
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # module:object may lie in the working folder
    opened = open_release(release, releases)
    model_settings["models"] = (*model_settings["models"], *models_of(system))
    made = ("score-system", opened.folder.resolve(), system, name, runs.resolve())
    with open_client(model_settings, timeout, made) as client:
        try:
            with progress(quiet, client) as update, redirect_stdout(sys.stderr):  # what the system prints
                scored = score_system(
                    opened, system, output=runs, name=name, options=options, client=client, progress=update
                )
            with timed("report made"):
                report = report_run(opened, scored.folder)
        except KeyboardInterrupt:
            if client is not None:
                raise
            fail("stopped; the answers so far are kept: the same command goes on from there", 130)
        _show(scored, report, client, quiet)


def _show(scored: Any, report: Any, client: Any, quiet: bool) -> None:
    from benchwright.cards.report.terminal import terminal_table

    click.echo(scored.folder)
    if not quiet:
        click.echo(terminal_table(report), err=True)
        for line in scored.summary:
            click.echo(line, err=True)
    show_spending(client, quiet)
    for warning in scored.warnings:
        click.echo(f"warning: {printable(warning)}", err=True)


if __name__ == "__main__":
    main()
