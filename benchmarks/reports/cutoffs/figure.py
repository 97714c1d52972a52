"""What a cutoff is worth: closed book on each subset, and with the article, for one model or several.

Figure 1 and Table I of the paper on RAG dataset creation: a) random articles, b) created after the cutoff, c) those
questions of them that are about things after it, d) the same with their article. Truthfulness and relevance go from 1
to 5 each, so that their sum goes from 2 to 10. An article's questions are one cluster.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.metrics.steps.article_grades import HIGHEST, LOWEST
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.cutoffs.differences import Comparison, Graded, compare_all
from benchwright.benchmarks.reports.cutoffs.runs import (
    ARTICLE,
    CREATED,
    GRADES,
    POST_CUTOFF,
    RANDOM,
    Answered,
    ModelRuns,
    check_subsets,
)
from benchwright.benchmarks.statistics.intervals import Floats, Ints, Sample, codes_of
from benchwright.benchmarks.statistics.shares import clustered_share

SUMS = range(2 * LOWEST, 2 * HIGHEST + 1)
BY_RULE = "by rule"
MOST = 8
"""Models in one figure."""


@dataclass(frozen=True)
class PartKind:
    """What one of the four parts shows."""

    letter: str
    symbol: str
    """As the paper writes it."""
    title: str
    subsets: tuple[str, ...]
    has_article: bool = False


PARTS = (
    PartKind("a", "Ar", "random articles", (RANDOM,)),
    PartKind("b", "Ad", "created after the cutoff", (CREATED, POST_CUTOFF)),
    PartKind("c", "Af", "about things after the cutoff", (POST_CUTOFF,)),
    PartKind("d", "AfGT", "the questions of c", (POST_CUTOFF,), has_article=True),
)


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval of 95 %; none of fewer than two articles."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class ShareOfSum:
    """How often a sum of both grades occurs."""

    sum: int
    questions: int
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Part:
    """One of the four parts, of one model."""

    part: str
    """Its letter in the paper's figure."""
    symbol: str
    """Its column in the paper's table."""
    title: str
    given: str
    """`closed book`, or with what was read."""
    questions: int
    """All of the release."""
    asked: int
    scored: int
    """Those with both grades; all figures are over them."""
    articles: int
    """That they are about: the clusters."""
    unscored: Mapping[str, int]
    """Reason → questions that were asked and lack a grade."""
    reason: str | None
    """Why nothing is scored."""
    truthfulness: Estimate | None
    relevance: Estimate | None
    sum: Estimate | None
    shares: tuple[ShareOfSum, ...]
    """A sum that is no whole number counts as the nearest."""
    judges: Mapping[str, int]
    """Who graded → questions; `by rule` where no judge did."""

    @property
    def is_sample(self) -> bool:
        """Whether a part of the questions was asked."""
        return 0 < self.asked < self.questions


@dataclass(frozen=True)
class ModelRun:
    """A run that a model's parts are of."""

    system: str
    """As it stood on the command line."""
    name: str
    condition: str
    given: str


@dataclass(frozen=True)
class ModelFigure:
    """The four parts of a model."""

    name: str
    is_built_in: bool
    """The built-in reader, which is no model."""
    is_graded_by_rule: bool
    runs: tuple[ModelRun, ...]
    judges: tuple[str, ...]
    parts: tuple[Part, ...]

    @property
    def is_stub(self) -> bool:
        """Whether no model answered, or none graded: never drawn as if one had."""
        return self.is_built_in or self.is_graded_by_rule

    @property
    def label(self) -> str:
        """What it is called where it is drawn."""
        return f"no model: {self.name}" if self.is_built_in else self.name


@dataclass(frozen=True)
class CutoffFigure:
    """The figure: of a release, one model or several, and tests of what differs."""

    benchmark: str
    version: str
    content_hash: str
    split: str
    built_in_texts: tuple[str, ...]
    """Which texts of the release were written by rules."""
    models: tuple[ModelFigure, ...]
    tests: tuple[Comparison, ...]
    method: str

    @property
    def release(self) -> str:
        """Name, version and the beginning of the content hash."""
        return f"{self.benchmark} {self.version} (content {self.content_hash[:12]}…)"

    @property
    def table(self) -> list[dict[str, object]]:
        """Table I of the paper: a row for each model and grade, a column for each part; null is unscored."""
        return [
            {"model": model.name, "metric": name, **{part.symbol: _value(getattr(part, name)) for part in model.parts}}
            for model in self.models
            for name in GRADES
        ]


METHOD = (
    "Intervals are of 95 % and for this benchmark, of which articles are drawn: Wilson's, with as many observations as "
    "the articles are worth, and of differences Student's. "
    "Tests are of the sum of both grades: of the same questions, sign flips by article; of different ones, a "
    "permutation of articles with the studentised difference. p-values are corrected by Holm for all tests shown."
)


def cutoff_figure(release: Release, models: Sequence[ModelRuns]) -> CutoffFigure:
    """The figure of some models' runs.

    Raises:
        BenchwrightError: the release has no questions of POST_CUTOFF, there are too many models, or a model has no
            answer with both grades.
    """
    if len(models) > MOST:
        raise BenchwrightError(f"a figure shows at most {MOST} models, not {len(models)}: give runs of fewer")
    split = models[0].runs[0].run.settings.questions.split
    questions = _questions(release, split)
    check_subsets(release, {subset for subset, _ in questions.values()})
    drawn, graded = [], {}
    for place, model in enumerate(models):
        found = {kind.letter: _grades(kind, model, questions) for kind in PARTS}
        parts = tuple(_part(kind, found[kind.letter], questions) for kind in PARTS)
        judges = sorted({judge for part in parts for judge in part.judges})
        if not judges:
            why = Counter[str]()
            for part in parts:
                why.update(part.unscored)
            said = f"{why.most_common(1)[0][0]} ({why.most_common(1)[0][1]:,})" if why else "nothing was asked"
            raise BenchwrightError(f"no answer of {model.name} has both grades, so there is nothing to draw: {said}")
        runs = tuple(_run_of(each) for each in model.runs)
        drawn.append(
            ModelFigure(
                model.name,
                model.is_built_in,
                any(each.startswith((BY_RULE, "rule:")) for each in judges),
                runs,
                tuple(judges),
                parts,
            )
        )
        graded |= {(place, letter): each for letter, each in found.items()}
    manifest = release.manifest
    return CutoffFigure(
        benchmark=manifest.name,
        version=manifest.version,
        content_hash=manifest.content_hash,
        split=split,
        built_in_texts=tuple(manifest.built_in_texts),
        models=tuple(drawn),
        tests=tuple(
            compare_all(
                [model.name for model in drawn], graded, {i for i, (s, _) in questions.items() if s == POST_CUTOFF}
            )
        ),
        method=METHOD,
    )


def _value(found: Estimate | None) -> float | None:
    return None if found is None else found.value


def _run_of(answered: Answered) -> ModelRun:
    settings = answered.run.settings
    return ModelRun(settings.system.reference, answered.run.folder.name, answered.condition, answered.given)


def _questions(release: Release, split: str) -> dict[str, tuple[str | None, str]]:
    """Question → subset and article: its first gold document, else its entity, else itself."""
    found: dict[str, tuple[str | None, str]] = {}
    for batch in release.batches("questions", split, ["id", "subset", "documents", "entity"]):
        for row in batch.to_pylist():
            article = next(iter(row["documents"] or ()), None) or row["entity"] or row["id"]
            found[row["id"]] = (row["subset"], article)
    return found


def _grades(kind: PartKind, model: ModelRuns, questions: Mapping[str, tuple[str | None, str]]) -> Graded:
    """What a model's answers to a part's questions were graded."""
    answered = model.article if kind.has_article else model.closed
    if answered is None:
        return Graded(
            {},
            {},
            {},
            {},
            "",
            "no run with the article is given" if kind.has_article else "no closed-book run is given",
        )
    run, wanted = answered.run, kind.subsets
    there: dict[str, dict[str, float]] = {}
    asked: dict[str, str | None] = {}
    judges: dict[str, str] = {}
    for name in GRADES:
        column = run.metrics.index(name) if name in run.metrics else -1
        for row in run.rows(name, answered.condition)[::-1].tolist():
            key = run.questions.ids[run.question[row]]
            if questions.get(key, (None, ""))[0] not in wanted:
                continue
            value = float(run.values[row, column])
            if not run.is_scored[row, column]:
                asked[key] = run.reasons.names[code] if (code := run.reasons.codes[row, column]) >= 0 else "not graded"
            elif not LOWEST <= value <= HIGHEST:
                asked[key] = f"a grade outside {LOWEST} to {HIGHEST}"
            else:
                asked.setdefault(key, None)
                there.setdefault(key, {})[name] = value
                judges[key] = run.judges.names[code] if (code := run.judges.codes[row, column]) >= 0 else BY_RULE
    both = {key: (values[GRADES[0]], values[GRADES[1]]) for key, values in there.items() if len(values) == len(GRADES)}
    lacking = {key: why or "one of both grades is missing" for key, why in asked.items() if key not in both}
    empty = None if asked else "no question of it was asked"
    articles = {key: questions[key][1] for key in both}
    return Graded(both, articles, {key: judges[key] for key in both}, lacking, answered.given, empty)


def _part(kind: PartKind, graded: Graded, questions: Mapping[str, tuple[str | None, str]]) -> Part:
    keys = list(graded.grades)
    total = sum(subset in kind.subsets for subset, _ in questions.values())
    clusters = codes_of([graded.articles[key] for key in keys])
    values = np.array([graded.grades[key] for key in keys], dtype=float).reshape(-1, 2)
    columns = (values[:, 0], values[:, 1], values.sum(axis=1))
    limits = ((LOWEST, HIGHEST), (LOWEST, HIGHEST), (2 * LOWEST, 2 * HIGHEST))
    means = [_estimate(each, clusters, within) for each, within in zip(columns, limits, strict=True)]
    sums = np.array([math.floor(each + 0.5) for each in columns[2]], dtype=int)
    shares = tuple(_share(number, Sample((sums == number).astype(float), clusters)) for number in SUMS) if keys else ()
    unscored = Counter(graded.unscored.values())
    reason = graded.reason
    if reason is None and not keys:
        reason = "; ".join(f"{why} ({count:,})" for why, count in unscored.most_common(3))
    return Part(
        part=kind.letter,
        symbol=kind.symbol,
        title=kind.title,
        given=f"with {graded.given if kind.has_article and graded.given else ARTICLE}"
        if kind.has_article
        else "closed book",
        questions=total,
        asked=len(keys) + len(graded.unscored),
        scored=len(keys),
        articles=len(set(clusters.tolist())),
        unscored=dict(unscored.most_common()),
        reason="the release has no such question" if not total else reason,
        truthfulness=means[0],
        relevance=means[1],
        sum=means[2],
        shares=shares,
        judges=dict(Counter(graded.judges.values()).most_common()),
    )


def _estimate(values: Floats, clusters: Ints, limits: tuple[float, float]) -> Estimate | None:
    """The mean of values within limits."""
    if not len(values):
        return None
    found = clustered_share(Sample(values, clusters), limits=limits)
    if found is None:
        return Estimate(float(values.mean()), None, None)
    return Estimate(found.value, found.low, found.high)


def _share(number: int, outcomes: Sample) -> ShareOfSum:
    value, found = float(outcomes.values.mean()), clustered_share(outcomes)
    low, high = (None, None) if found is None else (found.low, found.high)
    return ShareOfSum(number, int(outcomes.values.sum()), value, low, high)
