"""The files that people saved, read and put together with what an earlier merge holds."""

from collections.abc import Callable, Sequence
from pathlib import Path

from benchwright.benchmarks.annotations.exports import READERS, Line, read_export
from benchwright.benchmarks.annotations.items import Work
from benchwright.benchmarks.annotations.merge import Merged, merge
from benchwright.benchmarks.annotations.run_items import run_work
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.reports.columns import RunData, in_condition
from benchwright.benchmarks.reports.metrics.human_sample import HumanSample, check_sample, read_samples

Files = Sequence[tuple[str, list[Line]]]
"""Name and lines of each."""


def read_files(kind: str, paths: Sequence[Path]) -> list[tuple[str, list[Line]]]:
    """The lines of files.

    Raises:
        BenchwrightError: a file is named twice, or one of its lines cannot be read.
    """
    if len({path.resolve() for path in paths}) < len(paths):
        raise BenchwrightError("a file is named twice: name each once")
    return [(path.name, READERS[kind](path)) for path in paths]


def merge_files(work: Work, files: Files, result: Path) -> Merged:
    """Puts files together, with what `result` holds of an earlier merge.

    Raises:
        BenchwrightError: one of them is not of this work; see `read_export` and `merge`.
    """
    exports = [read_export(name, lines, work) for name, lines in files]
    before = None
    if result.is_file():
        before = read_export(result.name, READERS[work.kind](result), work)
    return merge(work, exports, before)


def sample_of(run: RunData, files: Files) -> tuple[str, HumanSample]:
    """The sample that files are of.

    Raises:
        BenchwrightError: they are of none of the run's samples, or of two, or the run's answers changed since.
    """
    lines = [line for _, found in files for line in found]
    samples = read_samples(run.folder)
    names: dict[str, str] = {}
    for line in lines:
        names.setdefault(str(line.trace.get("sample")), line.place)
    if not names:
        raise BenchwrightError("the files hold no verdict: save them again once something is judged")
    if len(names) > 1:
        (one, place), (other, second) = list(names.items())[:2]
        raise BenchwrightError(f"{place} is of {one} and {second} of {other}: merge the files of one sample")
    ((name, place),) = names.items()
    if name not in samples:
        there = ", ".join(samples) or "none"
        raise BenchwrightError(
            f"{place}: it is of {name[:80]!r}, and the samples of {run.folder.name} are: {there}; is the file of "
            "another run, or was it not saved by a page of `annotate`?"
        )
    check_sample(in_condition(run, samples[name].drawn_from.condition), name, samples[name])
    return name, samples[name]


def metrics_of(files: Files) -> list[str]:
    """The metrics by which answers were judged, in the order of the files."""
    return list(dict.fromkeys(line.metric for _, lines in files for line in lines if not line.is_of_step))


def work_of_run(run: RunData, name: str, sample: HumanSample) -> Callable[..., Work]:
    """The work of a sample, given the metrics: see `run_work`."""
    shown = in_condition(run, sample.drawn_from.condition)
    return lambda metrics, **options: run_work(shown, name, sample, metrics, **options)
