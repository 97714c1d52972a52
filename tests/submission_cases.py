"""Submissions of hand-made runs, in the folders that a leaderboard has of them."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import report_cases

from benchwright.benchmarks.leaderboards.layout import PREDICTIONS, REPORT, RUN, SYSTEM, Place
from benchwright.benchmarks.leaderboards.predictions_table import write_predictions_table
from benchwright.benchmarks.leaderboards.receive import Taken
from benchwright.benchmarks.leaderboards.verify import Basis, PullRequest, Verified, verify_submission
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.report import make_report
from benchwright.benchmarks.runs.run import PREDICTIONS as RUN_PREDICTIONS
from benchwright.benchmarks.runs.score import score_run
from benchwright.benchmarks.runs.store import PredictionStore, stored_predictions

PLACE = Place("small", "1.0.0", "my-rag")
PULL = PullRequest(7, "a" * 40, "ann", "2026-11-23T02:00:00Z")
SAID = "name: My RAG\nauthors: [Ann Moor]\nopenness: open source\nretriever: BM25\n"


@dataclass(frozen=True)
class Submitted:
    """A release, and a folder with a submission to it."""

    release: Release
    folder: Path
    run: Path

    def verify(self, work: Path, taken: Sequence[Taken] = (), versions: Sequence[Release] = ()) -> Verified:
        """What comes of it."""
        return verify_submission(
            self.folder, PLACE, PULL, Basis(self.release, versions=versions), work=work, taken=taken
        )


def make_submission(
    release: Release,
    root: Path,
    predictions: Sequence[Prediction] = report_cases.PREDICTIONS_MADE,
    *,
    with_contexts: bool = True,
    judgments: Path | None = None,
    metrics: Sequence[str] = (),
) -> Submitted:
    """A run with these predictions, scored and reported by the harness, and what is submitted of it."""
    run, folder = root / "run", root / "submission"
    report_cases.begin_run(release, run, release.manifest.splits["questions"]["test"])
    store = PredictionStore(run / RUN_PREDICTIONS)
    for prediction in predictions:
        store.append(prediction)
    store.close()
    score_run(release, run, judgments=judgments, metrics=metrics)
    make_report(release, run)
    pack(run, folder, with_contexts=with_contexts)
    return Submitted(release, folder, run)


def pack(run: Path, folder: Path, *, with_contexts: bool = True) -> None:
    """What is submitted of a run that is reported."""
    folder.mkdir()
    said = stored_predictions(run / RUN_PREDICTIONS)
    write_predictions_table(folder / f"{PREDICTIONS}.parquet", said, with_contexts=with_contexts)
    for name in (RUN, REPORT, "judgments.jsonl"):
        if (run / name).is_file():
            shutil.copyfile(run / name, folder / name)
    (folder / SYSTEM).write_text(SAID)
