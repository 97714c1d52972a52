"""What a cutoff is worth: closed book on each subset, and with the article.

Figure 1 of the paper on RAG dataset creation: a) random articles, b) created after the cutoff, c) those of them that
are mostly about things after it, d) the same with their article. Truthfulness and relevance go from 1 to 5 each, so
that their sum goes from 2 to 10.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.run import SCORES
from benchwright.benchmarks.runs.score_system import score_system

RANDOM, CREATED, POST_CUTOFF = "random", "created_after_cutoff", "post_cutoff"
METRICS = ("correct", "truthfulness", "relevance")
PARTS = (
    ("a", "closed book, random articles", "closed-book", (RANDOM,)),
    ("b", "closed book, created after the cutoff", "closed-book", (CREATED, POST_CUTOFF)),
    ("c", "closed book, mostly about things after the cutoff", "closed-book", (POST_CUTOFF,)),
    ("d", "the same questions, with the article", "gold-documents", (POST_CUTOFF,)),
)
"""Letter, what it is, the baseline, and the subsets of its questions: what is post-cutoff was created after it too."""


@dataclass(frozen=True)
class Part:
    """One of the four figures."""

    part: str
    """Its letter in the paper's figure."""
    title: str
    system: str
    questions: int
    """All of the part; `scored` of them have both grades."""
    scored: int
    means: Mapping[str, float | None]
    """Metric → mean over what is scored."""
    sums: Mapping[int, int]
    """Truthfulness plus relevance, rounded → questions."""
    judges: Mapping[str, int]
    """Who graded → grades; `by rule` where no model was named."""


def cutoff_figure(
    release: Release,
    output: Path,
    client: Client | None,
    limit: int | None = None,
    progress: Progress = silent,
) -> tuple[Part, ...]:
    """Runs both baselines where they have not been run, and gives the four parts.

    Raises:
        BenchwrightError: the release has no such subsets, or a run fails.
    """
    subsets = _subsets(release)
    if POST_CUTOFF not in subsets.values():
        raise BenchwrightError(f"{release.manifest.name} has no questions of the subset {POST_CUTOFF}: build wikipedia")
    options = Options(limit=limit, metrics=METRICS)
    runs = {
        system: score_system(release, system, output=output, options=options, client=client, progress=progress).folder
        for system in dict.fromkeys(system for _, _, system, _ in PARTS)
    }
    grades = {system: _grades(folder) for system, folder in runs.items()}
    return tuple(
        _part(letter, title, system, [key for key, subset in subsets.items() if subset in wanted], grades[system])
        for letter, title, system, wanted in PARTS
    )


def _subsets(release: Release) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for batch in release.batches("questions", "test", ["id", "subset"]):
        for row in batch.to_pylist():
            found[row["id"]] = row["subset"]
    return found


Grades = Mapping[str, Mapping[str, tuple[float | None, str]]]


def _grades(folder: Path) -> Grades:
    """Question → metric → value and judge."""
    found: dict[str, dict[str, tuple[float | None, str]]] = {}
    for row in pq.ParquetFile(folder / SCORES).read(columns=["id", "metric", "value", "judge"]).to_pylist():
        found.setdefault(row["id"], {})[row["metric"]] = (row["value"], row["judge"] or "by rule")
    return found


def _part(letter: str, title: str, system: str, ids: Sequence[str], grades: Grades) -> Part:
    asked = [grades[key] for key in ids if key in grades]
    both = [
        (row["truthfulness"][0], row["relevance"][0])
        for row in asked
        if row["truthfulness"][0] is not None and row["relevance"][0] is not None
    ]
    means: dict[str, float | None] = {}
    for name in METRICS:
        values = [value for row in asked if (value := row[name][0]) is not None]
        means[name] = sum(values) / len(values) if values else None
    sums = Counter(round((first or 0) + (second or 0)) for first, second in both)
    judges = Counter(row["truthfulness"][1] for row in asked)
    return Part(letter, title, system, len(asked), len(both), means, {n: sums[n] for n in range(2, 11)}, dict(judges))
