"""How alike texts are in meaning: the cosine of their vectors where a model embeds, else of their counts of words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from benchwright.benchmarks.metrics.lexical import word_cosine
from benchwright.benchmarks.metrics.steps.long_texts import with_notes
from benchwright.benchmarks.metrics.tools import EMBEDDER, Tools

LONGEST = 8_000
"""Characters of each text that are compared: models that embed read about as much."""


@dataclass(frozen=True, slots=True)
class Similarities:
    """How alike one text is to each of some others."""

    cosines: tuple[float, ...]
    """Of vectors from -1 to 1, of words from 0."""
    by: Literal["vectors", "words"]
    """What was compared: words where no model embeds."""
    note: str | None = None
    """What was not read, for the reason of a score; None: nothing."""

    @property
    def counted(self) -> tuple[float, ...]:
        """The cosines as they count: what lies below 0 is as unlike as can be, 0; what rounding brought over 1 is 1."""
        return tuple(min(1.0, max(0.0, each)) for each in self.cosines)

    @property
    def said(self) -> str | None:
        """How they were found, for the reason of a score; None: by vectors, and nothing is to be said."""
        below = sum(each < 0 for each in self.cosines)
        counted = f"{below} of {len(self.cosines)} cosines below 0 count as 0" if below else None
        return with_notes("lexical: no model embeds" if self.by == "words" else None, counted, self.note)


async def similarities(text: str, others: Sequence[str], tools: Tools) -> Similarities:
    """How alike a text is to each of some others, from the first 8,000 characters of each; one request.

    Raises:
        ReplyError: there is no reply that could be used.
        StopError: a limit of the run is reached, or no request would go better.
    """
    read = [each[:LONGEST] for each in (text, *others)]
    is_cut = any(len(each) > LONGEST for each in (text, *others))
    note = f"the first {LONGEST:,} characters were compared" if is_cut else None
    by = "vectors" if tools.client.has(EMBEDDER) else "words"
    vectors = await tools.embed(read) if by == "vectors" else None

    async def compare() -> Similarities:
        if vectors is None:
            return Similarities(tuple(word_cosine(read[0], each) for each in read[1:]), "words", note)
        return Similarities(tuple(float(each) for each in vectors[1:] @ vectors[0]), "vectors", note)

    return await tools.step("similarities", {"texts": read, "by": by}, compare)
