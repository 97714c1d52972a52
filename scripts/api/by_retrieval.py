"""Runs from Python by retrieval: retrievers, metrics where retrieval was right and wrong, and metrics beside people."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchwright.benchmarks.releases.release import Release
from benchwright.releases import RELEASES
from benchwright.runs import RUNS, Run, folder_of, opened_release

if TYPE_CHECKING:
    from benchwright.benchmarks.comparisons.by_retrieval import ByRetrieval


def compare_by_retrieval(
    *compared: Run | str | Path,
    baseline: Run | str | Path | None = None,
    metrics: Sequence[str] = (),
    condition: str | None = None,
    human: Mapping[str | Path, str | Path] | None = None,
    mix_judges: bool = False,
    output: str | Path | None = None,
    release: Release | str | Path | None = None,
    releases: str | Path = RELEASES,
    runs: str | Path = RUNS,
) -> "ByRetrieval":
    """Tables 1 to 4 of the paper on RAG metrics in the telecom domain, as `compare-systems RUN... --by-retrieval` does.

    Of the result, `retrievers` has how often each finds what is needed at 1, 3 and 5 contexts, with tests;
    `by_retrieval` the metrics where retrieval was right and where it was wrong; `against` what differs from the
    baseline; `believed` how often people call answers with high scores right, and those with low ones wrong.

    Args:
        compared: the runs, or references to them as `read_run` takes them.
        baseline: the run that the others are held against; None: the first.
        metrics: of the second table; none: the six of the paper.
        condition: what the systems were given; None: own, else the one that all have.
        human: run → file with what people said of its answers; of a run that is not named its `human.jsonl`.
        mix_judges: compare scores of different judges, and put several people who judged together.
        output: the folder that `by-retrieval.html` and `by-retrieval.json` are written to; None: nothing is written.
        release: the release of the runs, or a reference to it; None: that of their name and version.
        releases: the folder of releases, where a name is looked for.
        runs: the folder of runs.

    Raises:
        UsageError: no run is given, one is given twice or lacks the condition, or a metric is unknown.
        BenchwrightError: a run is not scored or of another release, or verdicts are not of its answers.
    """
    from benchwright.benchmarks.comparisons.by_retrieval import tables_by_retrieval
    from benchwright.benchmarks.errors import UsageError
    from benchwright.cards.compare.within import write_by_retrieval

    if not compared:
        raise UsageError('name a run: compare_by_retrieval("aurp/bm25")')
    folders = [folder_of(each, runs) for each in compared]
    found = tables_by_retrieval(
        opened_release(folders[0], release, releases),
        folders,
        metrics=metrics,
        condition=condition,
        baseline=None if baseline is None else folder_of(baseline, runs),
        human={folder_of(run, runs): Path(file) for run, file in (human or {}).items()},
        mix_judges=mix_judges,
    )
    if output is not None:
        write_by_retrieval(found, Path(output))
    return found
