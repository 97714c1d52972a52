"""What maintainers found in a submission: kept in `verdicts/`, the base of the ranking."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Mark = Literal["verified", "claimed"]
"""Computed again by the maintainers from the predictions; or as the submitter says."""


@dataclass(frozen=True)
class Figure:
    """A metric of a part."""

    value: float | None
    """None: nothing is scored."""
    low: float | None
    high: float | None
    """Of 95 %, for this benchmark."""
    scored: int
    total: int
    mark: Mark
    claimed: float | None = None
    """What the submitter's report says."""
    judge: str | None = None
    """Who judged, with its version; None: computed by rule."""


HELDOUT_DECIMALS = 3
"""Of figures of held-out questions: from all sixteen of one mean of a metric of words, who chose the lengths of answers
reads which of many are right."""


def told(value: float | None) -> float | None:
    """A figure of held-out questions as it is told."""
    return None if value is None else round(value, HELDOUT_DECIMALS)


def figure_name(metric: str, judge: str | None) -> str:
    """What a figure is called among those of a part: its metric, and who judged where somebody did."""
    return metric if judge is None else f"{metric} {judge}"


@dataclass(frozen=True)
class Part:
    """The open questions of a submission, or the held-out ones."""

    split: str
    """`test` or `heldout`."""
    questions: int
    """That the part has, each in its first repeat; they are answered, failed or missing."""
    answered: int
    """Abstentions too."""
    abstained: int
    """Of those that are answered."""
    failed: int
    """The system's errors: they count as not right."""
    missing: int
    """No prediction is handed in: the submission is ranked apart."""
    figures: Mapping[str, Figure]
    """By `figure_name`: as a report has them, over the questions of the headline; of no part that nobody has scored."""


@dataclass(frozen=True)
class Costs:
    """What an answer took in the mean, over those that say it; None: none says."""

    input_tokens: float | None = None
    output_tokens: float | None = None
    cost: float | None = None
    """US dollars."""
    latency: float | None = None
    """Seconds."""
    retrievals: float | None = None


@dataclass(frozen=True)
class Verdict:
    """What was found, of exactly one revision of a pull request."""

    benchmark: str
    version: str
    system: str
    content_hash: str
    """Of the release."""
    submitter: str
    """A user of the Hub, as the Hub says."""
    number: int
    """Of the pull request."""
    revision: str
    """The commit that was looked at."""
    submitted: str
    """When, as the Hub says; ISO 8601."""
    accepted: bool
    reasons: tuple[str, ...] = ()
    """Why it was refused."""
    flags: tuple[str, ...] = ()
    """What readers should know of one that was accepted."""
    is_organisers: bool = False
    parts: tuple[Part, ...] = ()
    costs: Costs = Costs()
    has_contexts: bool = False
    """Whether the retrieval figures could be computed again."""
    has_built_in_reader: bool = False
    """Whether a program of rules answered, which is for trying things out; as its run says."""
    built_in_texts: tuple[str, ...] = ()
    """The sorts of text of its benchmark of which rules wrote all or some."""
    scored_by: str = ""
    """The version of benchwright."""
    sha256: Mapping[str, str] = field(default_factory=dict)
    """File of the submission → its hash."""
    sketch: tuple[str, ...] = ()
    """Of its answers to open questions that are not the gold ones: what tells two submissions of the same answers."""
    round: str | None = None
    heldout_sent: int = 0
    """Revisions of the system with answers to held-out questions that were accepted, this one too: the figures of each
    tell a little of the gold answers."""
    format: int = 1
