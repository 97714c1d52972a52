"""Whether what is right without any document is right more often than by chance.

Chance is taken from the benchmark's own answers: whoever always gives the most frequent answer to a template is right
that often. Yes/no questions and questions of few answers have much of it.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.predictions import CLOSED
from benchwright.benchmarks.releases.release import HELDOUT
from benchwright.benchmarks.reports.columns import Bools, Floats, Ints, RunData
from benchwright.benchmarks.reports.outcomes import abstained_rows
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.schemas import DEFAULT_CONFIG
from benchwright.benchmarks.statistics.tests import holm

LEAST_GROUPS = 5
"""A template of fewer groups shares its chance with the others of its type of answers."""
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Pool:
    """Questions that have their chance in common: those of a template, else of a type of answers."""

    name: str
    chance: float
    """The share of semantic groups that have the most frequent answer."""
    groups: int
    """Semantic groups that were answered without any document, and not by abstaining."""
    right: float
    """How many of them are right, each group counting as the share of its answers."""
    p: float
    """That so many are right by chance, corrected for the number of pools (Holm)."""

    @property
    def is_above(self) -> bool:
        """Whether more are right than by chance."""
        return self.p < LEVEL


@dataclass(frozen=True)
class Chance:
    """What the most frequent answers would get, and where the model alone is better."""

    pools: tuple[Pool, ...]
    of_question: Ints
    """Each question's place in `pools`; -1 of one without a gold answer."""

    @property
    def values(self) -> Floats:
        """Each question's chance; NaN of one without a gold answer."""
        return np.array([*(pool.chance for pool in self.pools), np.nan])[self.of_question]

    @property
    def is_above(self) -> Bools:
        """The questions of pools that are right more often than by chance."""
        return np.array([*(pool.is_above for pool in self.pools), False], dtype=bool)[self.of_question]


@per_run
def closed_chance(run: RunData) -> Chance:
    """The chance of each question of the run, tested against its closed book."""
    golds, of_question = _golds(run)
    names = sorted({name for name in of_question if name is not None})
    places = {name: place for place, name in enumerate(names)}
    codes = np.array([-1 if name is None else places[name] for name in of_question], dtype=np.int64)
    tried = [_tried(run, codes == place) for place in range(len(names))]
    chances = [max(golds[name].values()) / golds[name].total() for name in names]
    p_values = [_binomial_tail(right, groups, chance) for chance, (groups, right) in zip(chances, tried, strict=True)]
    corrected = _corrected(p_values, [groups for groups, _ in tried])
    pools = zip(names, chances, tried, corrected, strict=True)
    return Chance(tuple(Pool(name, chance, groups, right, p) for name, chance, (groups, right), p in pools), codes)


def _corrected(p_values: list[float], groups: list[int]) -> list[float]:
    """Corrected for the number of pools that were answered at all."""
    there = [place for place, number in enumerate(groups) if number]
    found = dict(zip(there, holm([p_values[place] for place in there]), strict=True))
    return [found.get(place, 1.0) for place in range(len(p_values))]


def _golds(run: RunData) -> tuple[Mapping[str, Counter[tuple[str, ...]]], list[str | None]]:
    """Of each pool how often there is each gold answer, a group counting once; and the pool of each question."""
    by_template: defaultdict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    types: dict[str, str] = {}
    mine: list[tuple[str, str] | None] = [None] * len(run.questions.ids)
    columns = ["id", "template", "group", "answers", "answer_type"]
    for split in run.release.manifest.splits.get(DEFAULT_CONFIG, {}):
        if split == HELDOUT:
            continue
        for batch in run.release.batches(DEFAULT_CONFIG, split, columns):
            for row in batch.to_pylist():
                if not row["answers"]:
                    continue
                kind = f"{row['answer_type'] or 'one'} answers"
                template = row["template"] or kind
                group = row["group"] or row["id"]
                by_template[template].setdefault(group, tuple(sorted(answer.casefold() for answer in row["answers"])))
                types[group] = kind
                place = run.questions.index.get(row["id"])
                if place is not None:
                    mine[place] = template, kind
    small = {template for template, groups in by_template.items() if len(groups) < LEAST_GROUPS}
    found: defaultdict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for template, groups in by_template.items():
        for group, gold in groups.items():
            found[types[group] if template in small else template][gold] += 1
    return found, [None if each is None else each[1] if each[0] in small else each[0] for each in mine]


def _tried(run: RunData, wanted: Bools) -> tuple[int, float]:
    """Of the wanted questions the groups that were answered without any document, and how many of them are right."""
    rows = run.rows("correct", CLOSED)
    if not len(rows):
        return 0, 0.0
    column = run.metrics.index("correct")
    rows = rows[run.is_scored[rows, column] & wanted[run.question[rows]] & ~abstained_rows(run, rows)]
    if not len(rows):
        return 0, 0.0
    _, codes = np.unique(run.clusters[rows], return_inverse=True)
    right = np.bincount(codes, weights=run.values[rows, column] > 0.5) / np.bincount(codes)
    return len(right), float(right.sum())


def _binomial_tail(right: float, groups: int, chance: float) -> float:
    """The chance that so many whole groups or more are right, where each is with this chance."""
    from scipy.special import bdtrc

    whole = int(right + 1e-9)
    return 1.0 if not whole else float(bdtrc(whole - 1, groups, chance))
