"""Measures what looking at a submission takes: 40,000 predictions with ten contexts and their texts.

    python -m benchwright.scripts.measure.submissions [--quick]

The submission is made as submit-system makes it, of a run on a part of Aurp, and is looked at in a process of its own,
as publish-leaderboard does: what was handed in is checked, unpacked, scored and held against its report. The time is
the processor's, so that other work on the machine counts little; the memory is that of the largest process.
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

import click

from benchwright.scripts.measure.scoring import CONTEXTS, REPEATS, build, elsewhere, taken, write_file


@click.command()
@click.option("--quick", is_flag=True, help="Small sizes, to see that the program works.")
def main(quick: bool) -> None:
    """Measure the verification of a submission and print what was found."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        release = elsewhere(build, root, quick)
        questions = 100 if quick else 10_000
        lines = elsewhere(write_file, root, release, questions, with_text=True)
        command = [sys.executable, "-m", "benchwright.scripts.score_system", str(release), str(lines)]
        taken([*command, "--limit", str(questions), "--runs", str(root / "runs"), "--name", "made"])
        submission = elsewhere(pack, root, release)
        size = sum(path.stat().st_size for path in submission.iterdir())
        passed, worked, memory = elsewhere(verify, root, release, submission)
        click.echo(
            f"a submission of {questions * REPEATS:,} predictions with {CONTEXTS} contexts and their texts "
            f"({lines.stat().st_size / 1e6:,.0f} MB of JSON, {size / 1e6:,.1f} MB handed in): looked at in "
            f"{worked:.1f} s of the processor ({passed:.1f} s passed), {memory:,.0f} MB"
        )


def pack(root: Path, release: Path) -> Path:
    """The run as it is submitted."""
    from benchwright.benchmarks.leaderboards.check_run import check_runs
    from benchwright.benchmarks.leaderboards.package import write_package
    from benchwright.benchmarks.leaderboards.system_file import SystemFile
    from benchwright.benchmarks.releases.release import Release

    folder = root / "submission"
    folder.mkdir()
    checked = check_runs(root / "runs" / "aurp" / "1.0.0" / "made", Release.load(release), is_partial=True)
    write_package(checked, SystemFile("Made", ("Nobody",), "open source", "none"), folder)
    return folder


def verify(root: Path, release: Path, submission: Path) -> tuple[float, float, float]:
    """Looks at it: seconds that passed, seconds of the processor, and megabytes at the most.

    Raises:
        ClickException: it is refused.
    """
    from benchwright.benchmarks.leaderboards.apart import verify_apart
    from benchwright.benchmarks.leaderboards.layout import Place
    from benchwright.benchmarks.leaderboards.verify import Basis, PullRequest
    from benchwright.benchmarks.releases.release import Release

    pull = PullRequest(1, "0" * 40, "nobody", "2026-01-01T00:00:00Z")
    began = time.monotonic()
    found = verify_apart(
        submission, Place("aurp", "1.0.0", "made"), pull, Basis(Release.load(release)), work=root / "work"
    )
    passed, used = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if not found.verdict.accepted:
        raise click.ClickException(f"it is refused: {found.verdict.reasons}")
    return passed, used.ru_utime + used.ru_stime, used.ru_maxrss / 1_024


if __name__ == "__main__":
    main()
