"""What the parts of this builder hand each other: passages, candidates made of them, and the parts of a pair.

A passage is a text of a page or a document with what stands beside it. Of a passage come a question, its answer, and up
to three candidates that were made to be worse than what they are held against (Es et al. 2024, section 4): an answer
that is not grounded, an answer that leaves a part out, and a context that is wider than it need be.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

How = Literal["rule", "model"]
Origin = Literal["linking page", "linked page", "other page", "same document", "other document"]
"""What sentences beside a passage stand in: a page that links to its page, one that its page links to, another page of
the same build; another section of its document or of another one."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A sentence that stands elsewhere and has to do with a passage."""

    sentences: tuple[str, ...]
    """The sentence; or several in their order, where one is understood only after those before it."""
    origin: Origin
    title: str
    """Of the page, or of the section with the headings above it."""
    names_it: bool = False
    """It names the subject of the passage's page."""
    revision: int | None = None
    """Of the page."""
    file: str = ""
    """Of the document."""

    def as_row(self) -> dict[str, str | int]:
        """Where the sentence is from, as provenance tells it."""
        row: dict[str, str | int] = {"from": self.origin, "title": self.title}
        if self.revision is not None:
            row["revision"] = self.revision
        return row | ({"file": self.file} if self.file else {})


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that questions are asked about."""

    title: str
    text: str
    """The introduction of a page, or a section of a document, in full sentences."""
    source: str
    """Where a reader finds it: a URL, or the file's name."""
    neighbours: tuple[Neighbour, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """What only its kind of source knows, such as the revision of a page; JSON values."""


@dataclass(frozen=True, slots=True)
class FoundPassages:
    """Passages, and what a release says of where they are from."""

    passages: Sequence[Passage]
    sources: Sequence[Mapping[str, Any]] = ()
    """As a manifest names them."""
    checks: Mapping[str, Any] = field(default_factory=dict)


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

    @property
    def has_choice(self) -> bool:
        """Whether there is anything to choose between."""
        return any(each is not None for each in (self.ungrounded, self.poor, self.context_v2))
