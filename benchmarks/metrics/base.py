"""What a metric is: what it computes, what it needs, and how it scores predictions: by rule, by a judge, or either."""

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import DIMENSIONS, Dimension, Document, Question

Need = Literal[
    "answer", "answers", "contexts", "documents", "evidence", "lists", "samples", "closed", "judge", "embedder", "pairs"
]
"""What there must be: an answer and contexts of the system; gold answers, documents and evidence of a question; answers
that are lists; several samples of an answer; the condition `closed`; a model that judges, one that embeds; pairs of
candidates."""
Unit = Literal["prediction", "pair"]
"""What one score is of."""


@dataclass(frozen=True, slots=True)
class Score:
    """A metric's value for one prediction, or why there is none: never NaN."""

    value: float | None
    reason: str | None = None
    """Why it is unscored; of a value, the rule that decided where one did."""
    outcome: str | None = None
    """Of `correct`: correct, wrong, abstained or unscored."""

    @property
    def is_scored(self) -> bool:
        """Whether there is a value."""
        return self.value is not None


def unscored(reason: str) -> Score:
    """No value, and why."""
    return Score(None, reason)


def failed(error: Exception) -> Score:
    """Unscored because the metric's own code raised."""
    return unscored(f"the metric failed: {type(error).__name__}: {' '.join(str(error).split())[:200]}")


def finite(score: Score) -> Score:
    """The score, or unscored where its value is no finite number."""
    if score.value is not None and not math.isfinite(score.value):
        return unscored("the metric gave no finite number")
    return score


def on_scale(score: Score, limits: tuple[float, float]) -> Score:
    """The score, or unscored where its value is no finite number, or beyond the lowest or the highest of its metric."""
    score, (low, high) = finite(score), limits
    if score.value is not None and not low <= score.value <= high:
        return unscored(f"the metric gave {score.value:g}, and goes from {low:g} to {high:g}")
    return score


NO_ANSWERS = unscored("the question has no gold answer")
NO_DOCUMENTS = unscored("the question has no gold documents")
NO_EVIDENCE = unscored("the question has no evidence")
NO_ANSWER = unscored("the system gave no answer")
NO_CONTEXTS = unscored("handed in no contexts")
"""Of what needs contexts: nobody knows what such a system retrieved. Where it says that it did retrieve, it found
nothing, which is scored; see `Prediction.shows_retrieval`."""


@dataclass(frozen=True, slots=True)
class ReleaseData:
    """What a metric may prepare itself from: the questions of a release and the texts of its corpus."""

    questions: Sequence[Question] = ()
    documents: Mapping[str, Document] = field(default_factory=dict)


BatchRule = Callable[[Sequence[Question], Sequence[Prediction]], Sequence[Score]]
"""The scores of some predictions, each beside its question: three sequences of one length."""
Rule = Callable[[ReleaseData], BatchRule]
"""Given a release, once: how its predictions are scored, many at a time."""


def each(score: Callable[[Question, Prediction], Score]) -> Rule:
    """The rule of a metric that scores one prediction after the other and needs nothing else of a release."""
    return lambda data: each_of(score)


def each_of(score: Callable[[Question, Prediction], Score]) -> BatchRule:
    """Scores many predictions, one after the other."""
    return lambda questions, predictions: [score(*pair) for pair in zip(questions, predictions, strict=True)]


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """A prediction as a judge may see it."""

    question: Question
    prediction: Prediction
    documents: Mapping[str, Document]
    """The corpus by id."""


Judged = Callable[[JudgedItem, Tools], Awaitable[Score | None]]
"""How a model judges one prediction, in as many calls as it takes; None where that is not for a judge but the rule."""


@dataclass(frozen=True, slots=True)
class PairItem:
    """Two candidates as a judge may see them, in the order in which it is shown them."""

    dimension: Dimension
    """What they differ in."""
    question: Question
    first: Prediction
    second: Prediction
    documents: Mapping[str, Document]
    """The corpus by id."""

    @property
    def swapped(self) -> "PairItem":
        """The same candidates in the other order."""
        return replace(self, first=self.second, second=self.first)


Compared = Callable[[PairItem, Tools], Awaitable[Score]]
"""How a model chooses between two candidates in the order in which they are shown: 1 for the first, 0 for the second.
Who wants both orders asks twice, with `PairItem.swapped`."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: a module here or of another package, which has it as METRIC.

    Whether a run is scored by it where none is named, `needs`, `by_default` and `default_with` say. A judged metric
    that also has a rule, its twin, is scored by that where no model is named for its role. One of the unit `pair` has
    `compared` instead, and chooses between the candidates of a release's pairs.

    Raises:
        ValueError: it has neither a rule nor a judge; or what it has is not of its unit.
    """

    name: str
    meaning: str
    """What it says, in half a sentence."""
    formula: str
    citation: str
    needs: frozenset[Need]
    rule: Rule | None = None
    judged: Judged | None = None
    uses: tuple[str, ...] = ()
    """Prompts that `judged` asks with, another package's as `PACKAGE:NAME`. Who asks the same shares the call."""
    unit: Unit = "prediction"
    higher_is_better: bool = True
    range: tuple[float, float] = (0.0, 1.0)
    """The lowest and the highest value that there can be."""
    order: int = 100
    """Where it stands among the metrics that are scored by default."""
    by_default: bool = True
    """Whether it is scored where none is named and all that it needs is there; else only where it is named."""
    default_with: str = ""
    """The config of releases that it is scored on by default all the same."""
    compared: Compared | None = None
    """Of the unit `pair`: how a model chooses between two candidates."""

    def __post_init__(self) -> None:
        if self.rule is None and self.judged is None and self.compared is None:
            raise ValueError(f"the metric {self.name} has neither a rule nor a judge")
        if (self.compared is not None) != (self.unit == "pair") or (self.compared and (self.rule or self.judged)):
            raise ValueError(
                f"the metric {self.name}: of the unit pair, and of no other, a metric has `compared` alone"
            )

    @property
    def dimension(self) -> Dimension | None:
        """The dimension of pairs that its name ends with, the only one that it is tried on; None: it is on all."""
        return next((each for each in DIMENSIONS if self.name == each or self.name.endswith(f"_{each}")), None)

    @property
    def role(self) -> Literal["judge", "embedder"]:
        """Whose model judges it: the judge's, or the embedder's where it needs that one alone."""
        return "embedder" if "embedder" in self.needs and "judge" not in self.needs else "judge"

    def score(self, question: Question, prediction: Prediction) -> Score:
        """The score by rule of one prediction without a release: nothing to confuse the answer with, no corpus.

        Raises:
            ValueError: only a judge can score it.
        """
        if self.rule is None:
            raise ValueError(f"{self.name} is scored by a judge only")
        return self.rule(ReleaseData((question,)))([question], [prediction])[0]


@dataclass(frozen=True, slots=True)
class MetricAt:
    """A metric for each cut-off: `recall@k`."""

    base: str
    """Its name before the `@`."""
    at: Callable[[int], Metric]
    """The metric at a cut-off, from 1."""

    @property
    def name(self) -> str:
        """The name of all of them."""
        return f"{self.base}@k"
