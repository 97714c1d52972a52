"""A run that is there: checked against its release, and what it asked as options."""

from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.run import RUN, Run, read_run


def run_on(release: Release, folder: Path) -> Run:
    """What run.json says of a run that can be scored against a release.

    Raises:
        BenchwrightError: the folder holds no run, or one of another release or of an older sort of samples.
    """
    run = read_run(folder)
    if run is None:
        raise BenchwrightError(f"{folder} holds no {RUN}: it is not a run")
    manifest = release.manifest
    if run.content_hash != manifest.content_hash:
        raise BenchwrightError(
            f"{folder} is a run on {run.benchmark} {run.version} (content {run.content_hash[:12]}…), not on "
            f"{manifest.name} {manifest.version} (content {manifest.content_hash[:12]}…): score it against that release"
        )
    if run.questions.is_sampled and run.questions.groups is None:
        raise BenchwrightError(
            f"{folder} holds a sample drawn before samples were of whole groups: ask its system anew with --again"
        )
    return run


def options_of(run: Run, **others: Any) -> Options:
    """The options that ask the questions of a run.

    Args:
        run: that was asked.
        others: fields of `Options` beside those of the questions.
    """
    asked = run.questions
    return Options(
        split=asked.split,
        limit=asked.limit,
        subsets=asked.subsets,
        wordings=asked.wordings,
        seed=asked.seed or 0,
        **others,
    )
