"""Sentences of contexts that help to answer a question, as a judge copies them out; what is in no context is invented.

The step of context relevance in RAGAS (Es et al. 2024, section 3).
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.metrics.traces import ARITHMETIC, ROWS
from benchwright.benchmarks.text.folding import fold
from benchwright.benchmarks.text.sentences import COUNTED

PROMPT = "judge_relevant_sentences"
MOST = 500
"""Sentences that a reply may hold."""
_NONE = "insufficient information"
"""What judges say in place of an empty list: it is no sentence."""
_QUOTES = "\"'“”‘’«»"


@dataclass(frozen=True)
class RelevantSentences:
    """What the judge replies."""

    sentences: list[str]

    def __post_init__(self) -> None:
        """Refuses a list that has no end."""
        if len(self.sentences) > MOST:
            raise ValueError(f"{len(self.sentences)} sentences; there may be {MOST}")


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a judge copied out of contexts, held against them."""

    relevant: tuple[str, ...]
    """Sentences of the contexts, each as often as it was copied and stands there."""
    invented: tuple[str, ...]
    """What was copied out, as it says, and stands in no context."""
    sentences: int
    """Of all contexts together, at least 1."""

    @property
    def share(self) -> float:
        """Relevant sentences over sentences."""
        return len(self.relevant) / self.sentences


async def extract(question: str, contexts: Sequence[str], tools: Tools) -> Extracted:
    """The sentences that help to answer a question, in one call; the metric must name `PROMPT` in its `uses`.

    Raises:
        ReplyError: there is no reply that could be used.
        StopError: a limit of the run is reached, or no request would go better.
    """
    values = {"question": question, "contexts": list(contexts)}
    reply = await tools.ask(PROMPT, values, reply=RelevantSentences, imagined=RelevantSentences([]))

    found = hold_against(reply.sentences, contexts)

    async def show() -> dict[str, Any]:
        said = f"{len(found.relevant)} of {found.sentences} sentences = {found.share:.3f}"
        rows = [{"sentence": each, "in the contexts": True} for each in found.relevant]
        rows += [{"sentence": each, "in the contexts": False} for each in found.invented]
        return {ARITHMETIC: said, ROWS: rows}

    await tools.step("extracted_sentences", values, show)
    return found


def sentences_of(texts: Sequence[str]) -> list[str]:
    """The sentences of some texts that hold a letter or a figure."""
    return [sentence for text in texts for sentence in _sentences(text)]


def hold_against(copied: Sequence[str], contexts: Sequence[str]) -> Extracted:
    """Finds what was copied in the contexts; white space, accents and the forms of quotes and dashes do not count.

    A stretch of several sentences stands for those that it holds half of, a part of one for that one. A sentence that
    stands in the contexts twice is relevant twice only where it was copied twice.
    """
    texts = [_Folded(_sentences(context)) for context in contexts]
    invented = []
    for said in copied:
        plain = _plain(said)
        if not plain or plain.strip(" .!").lower() == _NONE:
            continue
        if not any(each.mark(plain) for each in texts) and not _marks_again(plain, texts):
            invented.append(said)
    relevant = [each.sentences[place] for each in texts for place in sorted(each.marked)]
    return Extracted(tuple(relevant), tuple(invented), sum(len(each.sentences) for each in texts))


def _marks_again(plain: str, texts: Sequence["_Folded"]) -> bool:
    """Whether what was not found anew was found before, or is found without the quotes around it."""
    bare = plain.strip(_QUOTES)
    return any(each.holds(plain) for each in texts) or (
        bare != plain and bool(bare) and any(each.mark(bare) or each.holds(bare) for each in texts)
    )


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in COUNTED.spans(text) if any(map(str.isalnum, text[start:end]))]


def _plain(text: str) -> str:
    return " ".join(fold(text).split())


@dataclass
class _Folded:
    """The sentences of a context, and which of them were copied."""

    sentences: list[str]
    marked: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        plain = [_plain(each) for each in self.sentences]
        self.text = " ".join(plain)
        self.spans: list[tuple[int, int]] = []
        start = 0
        for each in plain:
            self.spans.append((start, start + len(each)))
            start += len(each) + 1
        self.starts = [start for start, _ in self.spans]

    def holds(self, plain: str) -> bool:
        """Whether a folded text stands in it, not within a word."""
        return self._pattern(plain).search(self.text) is not None

    def mark(self, plain: str) -> bool:
        """Marks the sentences of the first place of a folded text that holds one that is not marked, if there is."""
        for match in self._pattern(plain).finditer(self.text):
            places = self._places(*match.span())
            if not places <= self.marked:
                self.marked |= places
                return True
        return False

    def _pattern(self, plain: str) -> re.Pattern[str]:
        before = "(?<![0-9A-Za-z])" if plain[0].isascii() and plain[0].isalnum() else ""
        after = "(?![0-9A-Za-z])" if plain[-1].isascii() and plain[-1].isalnum() else ""
        return re.compile(before + re.escape(plain) + after)

    def _places(self, start: int, end: int) -> set[int]:
        """The sentences of which a stretch holds half or more; where it does of none, the one that it holds most of."""
        shares: dict[int, float] = {}
        for place in range(max(0, bisect_right(self.starts, start) - 1), bisect_left(self.starts, end)):
            first, last = self.spans[place]
            shares[place] = (min(end, last) - max(start, first)) / (last - first)
        held = {place for place, share in shares.items() if share >= 0.5}
        return held or set(sorted(shares, key=lambda place: -shares[place])[:1])
