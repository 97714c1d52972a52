"""Reads the runs that are compared."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchwright.benchmarks.comparisons.compared import Compared, ComparedRun
from benchwright.benchmarks.comparisons.score_files import ScoreFiles, ScoreReader
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import read_questions
from benchwright.benchmarks.runs.run import RUN, SCORES, Run, read_run

_CELLS = 20_000_000
"""Scores that are held of all metrics together, where none was named: some 100 MB."""
_MOST = 3
"""Metrics that are held where that is too many."""
_LEADING = ("evidence_recall", "recall", "hit")


def with_baseline(folders: Sequence[Path], baseline: Path | None) -> tuple[list[Path], int | None]:
    """The runs, with the baseline before them where it is not among them, and its place."""
    if baseline is None:
        return list(folders), None
    place = next((place for place, each in enumerate(folders) if each.resolve() == baseline.resolve()), None)
    return (list(folders), place) if place is not None else ([baseline, *folders], 0)


def read_runs(
    release: Release,
    folders: Sequence[Path],
    *,
    metrics: Sequence[str] | None = None,
    condition: str | None = None,
    progress: Progress = silent,
) -> Compared:
    """Reads the scores of runs. What is paired is paired by the question's id, never by its place in a file.

    500 runs of 40,000 questions take 0.1 GB for each metric.

    Args:
        release: what all runs are of.
        folders: those of the runs, in the order in which they are compared.
        metrics: the names of what is compared; None: what all runs have, or of very many runs what leads.
        condition: what the systems were given; None: their own retrieval where all have that, else the one condition
            that all have.
        progress: is told how many runs are read.

    Raises:
        UsageError: there are fewer than two runs, one is given twice, or no run has the condition or a metric.
        BenchwrightError: a run is not scored, cannot be read, is of another release or split than the others, or the
            runs have no metric or condition in common.
    """
    if len(folders) < 2:
        raise UsageError("a comparison is of two runs or more: name another RUN")
    settings = settings_of(release, folders)
    files = ScoreFiles(folders)
    shown = files.common_condition(condition)
    primary = next((run.scoring.primary for run in settings if run.scoring.primary), None)
    common = files.common_metrics(metrics, primary)
    compared, left_out = common, ()
    if metrics is None and len(common) * len(folders) * len(files.ids) > _CELLS:
        compared = _leading(common)
        left_out = tuple(name for name in common if name not in compared)
    questions = read_questions(release, files.ids)
    reader = ScoreReader(questions, compared, shown, len(folders))
    for place, folder in enumerate(folders):
        reader.add(place, folder)
        progress("runs read", place + 1, len(folders))
    runs = tuple(
        ComparedRun(name, folder, run, *files.found[place], reader.repeats[place], reader.unknown[place])
        for place, (name, folder, run) in enumerate(zip(names_of(folders), folders, settings, strict=True))
    )
    return Compared(release, runs, shown, questions, reader.scored(), left_out)


def settings_of(release: Release, folders: Sequence[Path]) -> list[Run]:
    """What each run's run.json says, of runs that may be compared.

    Raises:
        UsageError: one is given twice.
        BenchwrightError: a run is not scored, or is of another release or split than the others.
    """
    twice = [folder for folder, number in Counter(folder.resolve() for folder in folders).items() if number > 1]
    if twice:
        raise UsageError(f"the run {twice[0].name} is given twice: name it once")
    found = []
    for folder in folders:
        run = read_run(folder)
        if run is None or not (folder / SCORES).is_file():
            lacking = RUN if run is None else SCORES
            raise BenchwrightError(f"{folder} holds no {lacking}: it is not a scored run; score the system again")
        found.append(run)
    check_same_release(release, folders, found)
    splits = {run.questions.split: folder for run, folder in zip(found, folders, strict=True)}
    if len(splits) > 1:
        said = " and ".join(f"{folder} of the split {split!r}" for split, folder in list(splits.items())[:2])
        raise BenchwrightError(f"{said} have no question in common: compare runs of one split")
    return found


def check_same_release(release: Release, folders: Sequence[Path], settings: Sequence[Run]) -> None:
    """Raises BenchwrightError where a run is not of the release, which names both runs, or the run and the release."""
    manifest = release.manifest
    wanted = manifest.name, manifest.version, manifest.content_hash
    which = [(run.benchmark, run.version, run.content_hash) for run in settings]
    for folder, own in zip(folders, which, strict=True):
        if own == wanted:
            continue
        same = next((other for other, its in zip(folders, which, strict=True) if its == wanted), None)
        against = f"{same} is on {_said(wanted)}" if same is not None else f"the release is {_said(wanted)}"
        raise BenchwrightError(
            f"{folder} is a run on {_said(own)}, and {against}: "
            "only runs on the same questions can be compared; score the system on the same release"
        )


def _said(release: tuple[str, str, str]) -> str:
    name, version, content_hash = release
    return f"{name} {version} (content {content_hash[:12]}…)"


def names_of(folders: Sequence[Path]) -> list[str]:
    """What runs are called: their folders' names, with as many of the folders above as tell them apart."""
    parts = [folder.resolve().parts for folder in folders]
    names = ["/".join(each[-1:]) for each in parts]
    for depth in range(2, max(map(len, parts)) + 1):
        counted = Counter(names)
        if max(counted.values()) == 1:
            break
        names = [
            "/".join(each[-depth:]) if counted[name] > 1 else name for name, each in zip(names, parts, strict=True)
        ]
    return names


def _leading(metrics: Sequence[str]) -> tuple[str, ...]:
    """The first metric, and of each kind of finding documents the one with the largest cut-off."""
    found = list(metrics[:1])
    for base in _LEADING:
        found += [name for name in metrics if name.startswith(f"{base}@") and name not in found][-1:]
    return tuple(found[:_MOST])
