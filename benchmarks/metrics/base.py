"""What a metric is: what it computes, what it needs, and how it scores one prediction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Document, Question

Need = Literal["answer", "answers", "contexts", "documents", "evidence"]
"""What a prediction or a question must have: an answer; gold answers, contexts, gold documents, gold evidence."""


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


NO_ANSWERS = unscored("the question has no gold answer")
NO_DOCUMENTS = unscored("the question has no gold documents")
NO_EVIDENCE = unscored("the question has no evidence")
NO_ANSWER = unscored("the system gave no answer")


@dataclass(frozen=True, slots=True)
class Material:
    """What a metric may prepare itself from: the questions of a release and the texts of its corpus."""

    questions: Sequence[Question] = ()
    documents: Mapping[str, Document] = field(default_factory=dict)


Scorer = Callable[[Question, Prediction], Score]


@dataclass(frozen=True, slots=True)
class Judging:
    """How a language model judges a prediction, where one is named for the role `judge`.

    Metrics with the same prompt and values share one call.
    """

    prompt: str
    """The name of its prompt."""
    reply: type
    """A frozen dataclass that the reply must fit."""
    values: Callable[[Question, Prediction, Mapping[str, Document]], Mapping[str, Any] | Score]
    """What the prompt is filled with, or why the prediction is not judged."""
    read: Callable[[Any], tuple[float, str]]
    """The value and the reason of a reply."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric."""

    name: str
    meaning: str
    formula: str
    citation: str
    needs: frozenset[Need]
    prepare: Callable[[Material], Scorer]
    """Given a release, once: how to score each of its predictions."""
    higher_is_better: bool = True
    range: tuple[float, float] = (0.0, 1.0)
    """The lowest and the highest value that there can be."""
    judging: Judging | None = None
    """How a model judges it; `prepare` is then the twin by rule, which is used where none is named."""

    def score(self, question: Question, prediction: Prediction) -> Score:
        """The score of one prediction where no release is at hand: nothing to confuse the answer with, no corpus."""
        return self.prepare(Material((question,)))(question, prediction)


def plain(scorer: Scorer) -> Callable[[Material], Scorer]:
    """The preparation of a metric that needs none."""
    return lambda material: scorer
