"""Whether what is right without any document is right more often than by chance.

Chance is taken from the benchmark's own answers: whoever always gives the most frequent answer to a template is right
that often. Yes/no questions and questions of few answers have much of it. What is tested are the answers of a template,
or, where few of its groups were answered, of all such templates with much the same chance. A right answer where more
are right than by chance counts as known; some of them are lucky all the same, and how many is said.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.predictions import CLOSED
from benchwright.benchmarks.releases.release import HELDOUT
from benchwright.benchmarks.reports.answers.outcomes import abstained_rows
from benchwright.benchmarks.reports.columns import Bools, Floats, Ints, RunData
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.schemas import DEFAULT_CONFIG
from benchwright.benchmarks.statistics.tests import holm

LEAST_GROUPS = 5
"""A template of fewer groups in the release shares its chance with the others of its type of answers."""
LEAST_TESTED = 20
"""A template of which fewer groups were answered is tested with others of much the same chance."""
BANDS = (0.1, 0.35, 1.0)
"""Up to which chances templates are tested together."""
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Pool:
    """Questions that are tested together: those of a template, or of templates with much the same chance."""

    name: str
    chance: float
    """The share of groups that would be right by the most frequent answer to each template, of those answered."""
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

    @property
    def lucky(self) -> float:
        """The share of the right answers that chance alone would give to those who do not know: (1 - k) c / r, of which
        k is the share that is known, from r = k + (1 - k) c."""
        share = self.right / self.groups if self.groups else 0.0
        if share <= 0 or self.chance >= 1:
            return 1.0
        known = max(0.0, (share - self.chance) / (1 - self.chance))
        return min(1.0, (1 - known) * self.chance / share)


@dataclass(frozen=True)
class Chance:
    """What the most frequent answers would get, and where the model alone is better."""

    values: Floats
    """Each question's chance; NaN of one without a gold answer."""
    pools: tuple[Pool, ...]
    """Those of which any was answered."""
    of_question: Ints
    """Each question's place in `pools`; -1 of one in none."""

    @property
    def is_above(self) -> Bools:
        """The questions of pools that are right more often than by chance."""
        return np.array([*(pool.is_above for pool in self.pools), False], dtype=bool)[self.of_question]

    @property
    def lucky(self) -> Floats:
        """The share of right answers that are lucky in each question's pool."""
        return np.array([*(pool.lucky for pool in self.pools), 1.0])[self.of_question]


@per_run
def closed_chance(run: RunData) -> Chance:
    """The chance of each question of the run, tested against its closed book."""
    golds, names = _golds(run)
    most = {name: max(found.values()) / found.total() for name, found in golds.items()}
    values = np.array([np.nan if name is None else most[name] for name in names])
    answered = _answered(run)
    there = Counter(names[question] for question, _ in answered.values())
    pool_names = [None if name is None else _pool(name, most[name], there[name]) for name in names]
    by_pool: dict[str, list[tuple[float, float]]] = {}
    for question, right in answered.values():
        pool = pool_names[question]
        if pool is not None:
            by_pool.setdefault(pool, []).append((right, float(values[question])))
    ordered = sorted(by_pool)
    tails = [
        _tail(sum(right for right, _ in by_pool[name]), [chance for _, chance in by_pool[name]]) for name in ordered
    ]
    pools = tuple(
        Pool(
            name=name,
            chance=float(np.mean([chance for _, chance in by_pool[name]])),
            groups=len(by_pool[name]),
            right=sum(right for right, _ in by_pool[name]),
            p=p,
        )
        for name, p in zip(ordered, holm(tails), strict=True)
    )
    places = {name: place for place, name in enumerate(ordered)}
    of_question = np.array([-1 if name is None else places.get(name, -1) for name in pool_names], dtype=np.int64)
    return Chance(values, pools, of_question)


def _pool(name: str, chance: float, answered: int) -> str:
    """Where a question is tested: with its template's, else with those of much the same chance."""
    if answered >= LEAST_TESTED:
        return name
    return f"chance up to {next(100 * limit for limit in BANDS if chance <= limit):.0f} %"


def _answered(run: RunData) -> dict[int, tuple[int, float]]:
    """The groups that were answered without any document: a question of each, and the share of its answers that are
    right."""
    rows = run.rows("correct", CLOSED)
    if not len(rows):
        return {}
    column = run.metrics.index("correct")
    rows = rows[run.is_scored[rows, column] & ~abstained_rows(run, rows)]
    found: dict[int, list[float]] = {}
    first: dict[int, int] = {}
    triples = zip(
        run.clusters[rows].tolist(), run.question[rows].tolist(), run.values[rows, column].tolist(), strict=True
    )
    for cluster, question, value in triples:
        found.setdefault(cluster, []).append(float(value > 0.5))
        first.setdefault(cluster, question)
    return {cluster: (first[cluster], sum(each) / len(each)) for cluster, each in found.items()}


def _golds(run: RunData) -> tuple[Mapping[str, Counter[tuple[str, ...]]], list[str | None]]:
    """Of each template how often there is each gold answer, a group counting once; and the template of each question.

    What stands for a template that has few groups, and for questions without one, is their type of answers.
    """
    by_template: defaultdict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    types: dict[str, str] = {}
    mine: list[tuple[str, str] | None] = [None] * len(run.questions.ids)
    columns = ["id", "template", "group", "answers", "answer_type"]
    for split in run.release.manifest.splits.get(DEFAULT_CONFIG, {}):
        for batch in run.release.batches(DEFAULT_CONFIG, split, columns) if split != HELDOUT else ():
            for row in batch.to_pylist():
                if not row["answers"]:
                    continue
                kind = f"{row['answer_type'] or 'one'} answers"
                template, group = row["template"] or kind, row["group"] or row["id"]
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


def _tail(right: float, chances: Sequence[float]) -> float:
    """The chance that so many whole groups or more are right, where each is with a chance of its own."""
    from scipy.stats import binom

    whole = int(right + 1e-9)
    if not whole:
        return 1.0
    mass = np.ones(1)
    for chance, number in Counter(chances).items():
        mass = np.convolve(mass, binom.pmf(np.arange(number + 1), number, chance))
    return min(1.0, float(mass[whole:].sum()))
