"""One run from Python: two forms held against each other, and what the language model knew by itself."""

from pathlib import Path
from typing import TYPE_CHECKING

from benchwright.benchmarks.releases.release import Release
from benchwright.releases import RELEASES
from benchwright.runs import RUNS, Run, folder_of, opened_release

if TYPE_CHECKING:
    from benchwright.benchmarks.comparisons.between import Between
    from benchwright.benchmarks.comparisons.leakage import LeakedGroups


def compare_between(
    run: Run | str | Path,
    between: str,
    *,
    seed: int = 0,
    condition: str | None = None,
    output: str | Path | None = None,
    release: Release | str | Path | None = None,
    releases: str | Path = RELEASES,
    runs: str | Path = RUNS,
) -> "Between":
    """Holds two forms of one run against each other, as `compare-systems RUN --between form=short,long` does.

    Of the result, `rows` are those of Table 2 of GRAMMAR's first version: accuracy and robustness, unbalanced and
    stratified, with and without errors of the language model, each with a test of pairs.

    Args:
        run: the run, or a reference to it as `read_run` takes it.
        between: a column (form, kind, subset, hops, facts, documents) and two of its values; the first is expected to
            be the robust one.
        seed: of the samples.
        condition: what the system was given; None: own, else the first that it was asked in.
        output: the folder that `between.html` and `between.json` are written to; None: nothing is written.
        release: the release of the run, or a reference to it; None: that of its name and version.
        releases: the folder of releases, where a name is looked for.
        runs: the folder of runs.

    Raises:
        UsageError: `between` names no such column or values, or nothing was asked in the condition.
        BenchwrightError: the run is not scored, is of another release, or has no judged question of a value.
    """
    from benchwright.benchmarks.comparisons.between import compare_between as compare
    from benchwright.cards.compare.within import write_between

    folder = folder_of(run, runs)
    found = compare(opened_release(folder, release, releases), folder, between, seed=seed, condition=condition)
    if output is not None:
        write_between(found, Path(output))
    return found


def find_leakage(
    run: Run | str | Path,
    closed: Run | str | Path | None = None,
    *,
    output: str | Path | None = None,
    release: Release | str | Path | None = None,
    releases: str | Path = RELEASES,
    runs: str | Path = RUNS,
) -> "LeakedGroups":
    """Says what the language model knew by itself, as `compare-systems RUN --leakage` does.

    Of the result, `forms` has the accuracy of the retrieval database with and without open-domain groups (Table 4 of
    GRAMMAR's second version), and `groups` those groups.

    Args:
        run: the run with retrieval, or a reference to it as `read_run` takes it.
        closed: the run without documents; None: the condition `closed` of the same run.
        output: the folder that `leakage.html` and `leakage.json` are written to; None: nothing is written.
        release: the release of the runs, or a reference to it; None: that of their name and version.
        releases: the folder of releases, where a name is looked for.
        runs: the folder of runs.

    Raises:
        BenchwrightError: a run is not scored or of another release, none was asked without documents, or no group was
            judged both ways.
    """
    from benchwright.benchmarks.comparisons.leakage import find_leakage as find
    from benchwright.cards.compare.within import write_leakage

    folder = folder_of(run, runs)
    alone = None if closed is None else folder_of(closed, runs)
    found = find(opened_release(folder, release, releases), folder, alone)
    if output is not None:
        write_leakage(found, Path(output))
    return found
