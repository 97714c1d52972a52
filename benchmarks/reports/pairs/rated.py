"""Metrics scored on a release's pairs and held against what people chose: the whole of `score-metric RELEASE`."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.metrics import Metric
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.pairs import read_pairs
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.pairs.agreement import PairRatings, rate_pairs
from benchwright.benchmarks.runs.pairs.candidates import PairsOfRelease, decided, fits
from benchwright.benchmarks.runs.pairs.judging import judge_pairs
from benchwright.benchmarks.runs.pairs.metrics import pair_metrics
from benchwright.benchmarks.runs.pairs.scoring import score_candidates
from benchwright.benchmarks.types import DIMENSIONS, Dimension

FOLDER = "pairs"


def rate_release(
    release: Release,
    names: Sequence[str],
    folder: Path,
    client: Client | None = None,
    coin: int | None = None,
    human: Path | None = None,
    progress: Progress = silent,
) -> PairRatings:
    """Scores a release's pairs by metrics and holds them against what people chose; judgments are kept in a folder.

    Args:
        release: has pairs, and labels unless its first candidates are the better ones.
        names: of metrics; none: those of the paper's Table 1, as far as they can be scored.
        folder: where judgments are kept, and found again.
        client: judges; None: metrics are scored by rule.
        coin: the seed of a coin that breaks ties; None: a tie counts one half.
        human: a file of labels that count instead of the release's.
        progress: is told how many candidates are judged.

    Raises:
        Estimated: nothing was asked, as was wanted.
        UsageError: a metric cannot be scored, or no model judges any of them.
        BenchwrightError: the release has no pairs that people chose from, or the folder is of others.
        StopError: a limit is reached, or the model cannot be asked.
    """
    pairs = PairsOfRelease(release, read_pairs(release, human))
    found, others = pair_metrics(names, client)
    metrics = _on_labels(pairs, found, names)
    judgments = judge_pairs(pairs, metrics, folder, client, progress)
    rated = rate_pairs(pairs, metrics, score_candidates(pairs, metrics, judgments), coin)
    return replace(rated, need_model=tuple(metric.name for metric in others))


def _on_labels(pairs: PairsOfRelease, metrics: Sequence[Metric], names: Sequence[str]) -> list[Metric]:
    """The metrics of dimensions that people chose in; one that is named and of another is refused."""
    counts: Counter[Dimension] = Counter(each.dimension for each in decided(pairs.found))
    kept = [metric for metric in metrics if any(fits(metric, dimension) for dimension in counts)]
    for metric in metrics:
        if metric.name in names and metric not in kept:
            tried = " or ".join(dimension for dimension in DIMENSIONS if fits(metric, dimension))
            there = ", ".join(f"{dimension} ({number:,})" for dimension, number in counts.items())
            manifest = pairs.release.manifest
            raise UsageError(
                f"{metric.name}: of no pair of {manifest.name} {manifest.version} is it known which candidate is "
                f"better in {tried}: there is {there}"
            )
    return kept


def pairs_folder(release: Release, runs: Path) -> Path:
    """Where judgments and ratings of a release's pairs are: RUNS/NAME/VERSION/pairs."""
    return runs / release.manifest.name / release.manifest.version / FOLDER
