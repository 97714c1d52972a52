"""What the parts of this builder hand each other: passages, candidates made of them, and the parts of a pair.

A passage is a text of a page or a document with what stands beside it. Of a passage come a question, its answer, and up
to three candidates that were made to be worse than what they are held against (Es et al. 2024, section 4): an answer
that is not grounded, an answer that leaves a part out, and a context that is wider than it need be.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

How = Literal["rule", "model"]


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that questions are asked about."""

    title: str
    text: str
    """The introduction of a page, or a section of a document, in full sentences."""
    source: str
    """Where a reader finds it: a URL, or the file's name."""
    neighbours: tuple[str, ...] = ()
    """Sentences that stand elsewhere and have to do with it: of pages that link to it, or of sister sections."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """What only its kind of source knows, such as the revision of a page; JSON values."""


@dataclass(frozen=True, slots=True)
class Made:
    """A candidate, and how it was made."""

    text: str
    how: How
    detail: Mapping[str, Any] = field(default_factory=dict)
    """What makes the preference known, such as the facts that were swapped; JSON values."""


@dataclass(frozen=True, slots=True)
class MadeContext:
    """A context in parts, and how it was made."""

    texts: tuple[str, ...]
    how: How
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PairParts:
    """All that a row of `pairs` is made of. None: such a candidate could not be made, and its dimension is lacking."""

    passage: Passage
    question: Made
    answer: Made
    ungrounded: Made | None = None
    poor: Made | None = None
    context_v2: MadeContext | None = None
