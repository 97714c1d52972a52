"""Runs from Python: score a system, read what lies in a run's folder, compare systems."""

import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import OWN, Prediction
from benchwright.benchmarks.progress import Progress
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.report import read_report
from benchwright.benchmarks.runs.find import find_run, release_of
from benchwright.benchmarks.runs.run import PREDICTIONS, SCORES
from benchwright.benchmarks.runs.store import stored_predictions
from benchwright.benchmarks.systems.base import RagSystem, Reply
from benchwright.progress import told
from benchwright.releases import RELEASES, load_release

if TYPE_CHECKING:
    import pyarrow

    from benchwright.cards.compare.notebook import ShownComparison
    from benchwright.cards.report.notebook import ShownReport

log = logging.getLogger("benchwright")

RUNS = Path("runs")


@dataclass(frozen=True)
class Run:
    """What a system said to a release's questions, and what came of it: a folder."""

    folder: Path

    @property
    def report(self) -> "ShownReport":
        """The aggregate of the scores: metrics with intervals and denominators, outcomes, slices, …, and sections.

        It shows itself in a notebook, and `to_markdown()` writes it as Markdown.

        Raises:
            BenchwrightError: there is none, or it cannot be read.
        """
        from benchwright.cards.report.notebook import ShownReport

        return read_report(self.folder, ShownReport)

    def _repr_html_(self) -> str:
        """The report in short, as notebooks show it."""
        return self.report._repr_html_()

    @property
    def page(self) -> Path:
        """The report to be opened in a browser, `report.html`."""
        return self.folder / "report.html"

    @property
    def scores(self) -> "pyarrow.Table":
        """One row for each prediction and metric: id, condition, repeat, metric, value (null: unscored), reason, judge.

        Raises:
            BenchwrightError: there are none, or they cannot be read.
        """
        from pyarrow import ArrowException
        from pyarrow.parquet import read_table

        path = self.folder / SCORES
        try:
            return read_table(path)
        except (OSError, ArrowException) as error:
            raise BenchwrightError(f"{path} cannot be read: {error}; score the system again") from None

    def predictions(self) -> Iterator[Prediction]:
        """What the system said, one by one, in the order in which it was said; of what was asked again, the last.

        Raises:
            BenchwrightError: the file is missing, or a line of it is no prediction.
        """
        path = self.folder / PREDICTIONS
        if not path.is_file():
            raise BenchwrightError(f"{path} is not there: score the system again")
        yield from stored_predictions(path)


def score_system(
    release: Release | str | Path,
    system: str | RagSystem | Callable[..., Reply | Awaitable[Reply]],
    *,
    releases: str | Path = RELEASES,
    runs: str | Path = RUNS,
    name: str | None = None,
    split: str = "test",
    subsets: Sequence[str] = (),
    conditions: Sequence[str] = (OWN,),
    metrics: Sequence[str] = (),
    k: int = 5,
    limit: int | None = None,
    wordings: int | None = None,
    with_smalltalk: bool = False,
    uris: str | Path | Mapping[str, str] | None = None,
    timeout: float = 60.0,
    retries: int = 3,
    workers: int | None = None,
    repeat: int = 1,
    samples: int = 0,
    repeat_judge: int = 1,
    probe: bool = False,
    judgments: str | Path | None = None,
    columns: str | None = None,
    again: bool = False,
    models: Sequence[str] = (),
    base_url: str | Sequence[str] | None = None,
    max_cost: float | None = None,
    progress: bool | Progress = False,
) -> Run:
    """Asks a system a release's questions, scores its answers and reports on them, as `score-system` does.

    The run lies in RUNS/NAME/VERSION/SYSTEM; what was answered there by an earlier call is not asked again,
    what failed is.

    Args:
        release: the release, or a reference to it as `load_release` takes it.
        system: a function `answer(question)`, an object with one (see `System`), a chain with `invoke`, a query engine
            with `query`, or a reference as on the command line: a baseline's name, "openai:MODEL", "openai-rag:MODEL",
            "module:object", "command:PROGRAM" and its arguments, "http://…" of a service, "FILE.toml" that describes
            one, "FILE.jsonl" of predictions, "FILE.csv" or a file of OpenTelemetry's spans.
        releases: the folder of releases, where a name is looked for.
        runs: the folder of runs.
        name: the run's name; None: the system's.
        split: the questions that are asked.
        subsets: of them only those of these parts of the benchmark, as its card names them; none: all.
        conditions: what the system is given: own, closed, gold, without-gold.
        metrics: names; none: all that the release and the predictions have what is needed for.
        k: contexts read and looked at.
        limit: ask at most so many questions: a seeded sample of whole groups of wordings.
        wordings: of each group, ask at most so many wordings in each form; None: all, or with a limit 2, or as many as
            fit for all groups.
        with_smalltalk: ask 100 greetings and generic questions beside; they are in no figure but what they took.
        uris: which document a URI or an own id of a context means: a file of both (CSV or JSON lines), a template
            such as "https://wiki.example/{id}.html", or a mapping; None: as an earlier call said.
        timeout: seconds that an answer may take.
        retries: times that a request to an HTTP service is sent again, at most, where it fails.
        workers: questions asked at once; None: 1, of an asynchronous system 8.
        repeat: times that each question is asked; a later call with more asks those that are new.
        samples: further answers to each question that are asked for beside the answer, of a model at temperature 1; a
            later call with more asks for those that are lacking.
        repeat_judge: times that a model judges each answer in all: the first counts, the others show how steady it is.
        probe: where contexts lack evidence, ask a system with `retrieve` for more and for the evidence's words: the
            report then tells a search that misses, a ranking and an index apart.
        judgments: a file of verdicts made elsewhere, used instead of computed scores.
        columns: which column of a table of traces is what, "question=Prompt,answer=Reply"; None: by their names.
        again: forget an earlier run of the same name.
        models: language models, `NAME` or `ROLE=NAME`, such as "judge=gpt-4o" or "embedder=./folder".
        base_url: their OpenAI-compatible endpoint, or several, `ROLE=URL`; None: `$OPENAI_BASE_URL`, else OpenAI's.
        max_cost: US dollars, before more of which are spent it stops.
        progress: True writes how far it is on one line of stderr, below a notebook's cell too; a function is told what
            is done, how much of it, and of how much (0: not known).

    Raises:
        UsageError: there is no such system, metric or condition.
        BenchwrightError: the system cannot be made, its first answers all failed in the same way, it gave no answer at
            all, or the folder holds another run. What it raises at some questions is no error of this function: that
            is counted in the report, and those questions are asked again by the next call.
    """
    from benchwright.benchmarks.runs import score_system as scoring
    from benchwright.benchmarks.runs.plan import Options
    from benchwright.benchmarks.systems.opening import models_of
    from benchwright.cards.report.page import report_run
    from benchwright.clients import client_for

    opened = release if isinstance(release, Release) else load_release(release, releases=releases)
    options = Options(
        split=split,
        subsets=tuple(subsets),
        k=k,
        conditions=tuple(conditions),
        metrics=tuple(metrics),
        limit=limit,
        wordings=wordings,
        with_smalltalk=with_smalltalk,
        uris=uris,
        timeout=timeout,
        retries=retries,
        workers=workers,
        repeat=repeat,
        samples=samples,
        repeat_judge=repeat_judge,
        probe=probe,
        judgments=None if judgments is None else Path(judgments),
        columns=columns,
        again=again,
    )
    named = (*models, *(models_of(system) if isinstance(system, str) else ()))
    with client_for(named, base_url, max_cost) as client, told(progress) as update:
        scored = scoring.score_system(
            opened, system, output=Path(runs), name=name, options=options, client=client, progress=update
        )
        report_run(opened, scored.folder)
    for warning in scored.warnings:
        log.warning("%s", warning)
    return Run(scored.folder)


def read_run(reference: str | Path, *, runs: str | Path = RUNS) -> Run:
    """A run by reference: a folder, or NAME/SYSTEM (of the newest version that it was asked) or NAME/VERSION/SYSTEM.

    Raises:
        BenchwrightError: there is none.
    """
    return Run(find_run(str(reference), Path(runs)))


def compare_systems(
    *compared: Run | str | Path,
    baseline: Run | str | Path | None = None,
    gates: Sequence[str] = (),
    metrics: Sequence[str] = (),
    condition: str | None = None,
    mix_judges: bool = False,
    output: str | Path | None = None,
    release: Release | str | Path | None = None,
    releases: str | Path = RELEASES,
    runs: str | Path = RUNS,
) -> "ShownComparison":
    """Says which of several systems differ, question by question over those that all have a score of.

    Of the result, `leading` has the systems by the metric that leads, the best first, and the differences of all pairs.
    It shows itself in a notebook, and `to_markdown()` writes it as Markdown.

    Args:
        compared: two runs or more, or references to them as `read_run` takes them.
        baseline: the run that others are held against; it is compared too. With gates the first run, where it is None.
        gates: what is asked of the others, such as `correct>=-0.02`; `gates` of the result says what passed.
        metrics: what they are compared by, the first leads; none: all that they have in common.
        condition: what the systems were given; None: own, else the one that all have.
        mix_judges: compare scores of different judges all the same.
        output: the folder that `compare.html` and `compare.json` are written to; None: nothing is written.
        release: the release of the runs, or a reference to it; None: that of their name and version.
        releases: the folder of releases, where a name is looked for.
        runs: the folder of runs.

    Raises:
        UsageError: there are fewer than two runs, one is given twice, one lacks a metric or the condition, or a gate
            cannot be meant.
        BenchwrightError: a run is not scored, is of another release, was judged by others, or has no question in common
            with the rest.
    """
    from benchwright.benchmarks.comparisons.comparison import compare_runs
    from benchwright.benchmarks.comparisons.gate import gate_folders, parse_gate
    from benchwright.benchmarks.errors import UsageError
    from benchwright.cards.compare.notebook import shown
    from benchwright.cards.compare.page import write_comparison

    given = [parse_gate(text) for text in gates]
    folders = [folder_of(each, runs) for each in compared]
    held = None if baseline is None else folder_of(baseline, runs)
    if not folders:
        raise UsageError("a comparison is of two runs or more: name them")
    opened = opened_release(folders[0], release, releases)
    held = folders[0] if given and held is None else held
    found = compare_runs(opened, folders, metrics=metrics, condition=condition, baseline=held, mix_judges=mix_judges)
    if given:
        _, decided = gate_folders(opened, folders, given, baseline=held, condition=condition, mix_judges=mix_judges)
        found = replace(found, gates=tuple(decided))
    if output is not None:
        write_comparison(found, Path(output))
    return shown(found)


def folder_of(run: Run | str | Path, runs: str | Path) -> Path:
    """The folder of a run, or of a reference to one as `read_run` takes it."""
    return run.folder if isinstance(run, Run) else find_run(str(run), Path(runs))


def opened_release(folder: Path, release: Release | str | Path | None, releases: str | Path) -> Release:
    """The release that a run in a folder is of: the one that is named, else that of its name and version."""
    if isinstance(release, Release):
        return release
    return release_of(folder, Path(releases), None if release is None else str(release))
