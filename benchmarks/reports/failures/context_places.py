"""Where contexts stand in their documents, and whether a stretch of evidence is in them, cut or altered."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.predictions import Context
from benchwright.benchmarks.reports.answers.words import plain
from benchwright.benchmarks.text.remembering import remembers
from benchwright.benchmarks.types import Document, Evidence

_AROUND = 25
"""Characters beside a stretch of evidence by which its place is known in another version of the text."""
_LEAST = 8
"""Of them, at least so many."""
_EDGE = 30
"""Characters by which the beginning of a stretch is found in a context."""
_HEADER = 120
"""Characters that a first line may have to be a title that a chunker put there."""
_WORDS = 3_000
"""Of a context with more, the place in its document is not looked for once more."""
_LONG = 25
"""Characters from which on a stretch of evidence is known wherever it stands."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A context beside its document."""

    context: Context
    document: Document | None
    start: int | None
    """Where it stands there, word for word; None where it does not."""
    end: int | None
    lead: int
    """Characters of the context before that, such as a title."""


class Places:
    """Where contexts stand in their documents: looked for once each."""

    def __init__(self, matcher: CorpusMatcher) -> None:
        self._matcher, self.documents = matcher, matcher.documents
        self._located = remembers(characters=10_000_000)(self._locate)
        self.plain = remembers(characters=10_000_000)(plain)
        self._squeezed = remembers(characters=10_000_000)(lambda body: " ".join(body.split()))

    def matched(self, contexts: Sequence[Context]) -> list[Placed]:
        """Contexts as they were handed in, each beside its document."""
        return [self.of(context) for context in self._matcher.match(contexts)]

    def of(self, context: Context) -> Placed:
        """A context beside the document that it was matched to."""
        document = self.documents.get(context.document) if context.document is not None else None
        if document is None:
            return Placed(context, None, None, None, 0)
        if context.text is None:
            start, end = context.start or 0, document.length if context.end is None else context.end
            return Placed(context, document, start, end, 0)
        start, end, lead = self._located(context.text, document.id)
        if start is None and context.start is not None and context.end is not None:
            stands = document.body[context.start : context.end]
            if stands in context.text or self.plain(stands) in self.plain(context.text):
                start, end, lead = context.start, context.end, max(0, context.text.find(stands[:_EDGE]))
        return Placed(context, document, start, end, lead)

    def _locate(self, text: str, name: str) -> tuple[int | None, int | None, int]:
        """Where a text stands in a document but for its white space: as it is, or after a title in its first line."""
        body, after = self.documents[name].body, text.find("\n") + 1
        if after > _HEADER:
            after = 0
        for lead in dict.fromkeys((0, after)):
            piece = text[lead:].strip()
            start = body.find(piece) if piece else -1
            if start >= 0:
                return start, start + len(piece), text.find(piece, lead)
        words = text[after:].split()
        if not 0 < len(words) < _WORDS or " ".join(words) not in self._squeezed(body):
            return None, None, 0
        found = re.search(r"\s+".join(map(re.escape, words)), body)
        return (found.start(), found.end(), after) if found else (None, None, 0)

    def end_of(self, placed: Placed, item: Evidence) -> int | None:
        """Characters of a context up to the end of a stretch of evidence that it holds; None where it holds it not."""
        text, document = placed.context.text, self.documents.get(item.document)
        if placed.document is not None and placed.start is not None and placed.end is not None:
            if placed.document.id != item.document or not (placed.start <= item.start and item.end <= placed.end):
                return None
            return placed.lead + item.end - placed.start
        if text is None or document is None or document.text is None:
            return None
        value = document.body[item.start : item.end]
        if len(value) < _LONG and placed.document is not None and placed.document.id != item.document:
            return None
        at = self.plain(text).find(self.plain(value))
        if at < 0 or (len(value) < _LONG and not self._is_there(text, document, item)):
            return None
        return max(0, text.casefold().find(value.casefold())) + len(value)

    def _is_there(self, text: str, document: Document, item: Evidence) -> bool:
        """Whether a short value stands in a text for what it stands for in the document: beside the same words."""
        before, after = self._beside(document, item)
        whole, value = self.plain(text), self.plain(document.body[item.start : item.end])
        wanted = [f"{part} {value}" for part in (before,) if part] + [f"{value} {part}" for part in (after,) if part]
        return any(each in whole for each in wanted) or (not before and not after)

    def _beside(self, document: Document, item: Evidence) -> tuple[str, str]:
        """The words before and after a stretch of evidence; none where too few characters stand there."""
        before = document.body[max(0, item.start - _AROUND) : item.start].rpartition("\n")[2]
        after = document.body[item.end : item.end + _AROUND].partition("\n")[0]
        if item.start > _AROUND and len(before) == _AROUND:
            before = before.partition(" ")[2]
        if len(after) == _AROUND:
            after = after.rpartition(" ")[0]
        return self._within(before, before.rpartition(". ")[2]), self._within(after, after.partition(". ")[0])

    def _within(self, text: str, in_sentence: str) -> str:
        """The words of a text that belong to the same sentence, where they are enough; else all of them."""
        short, whole = self.plain(in_sentence), self.plain(text)
        return short if len(short) >= _LEAST else whole if len(whole) >= _LEAST else ""

    def is_cut(self, placed: Placed, item: Evidence) -> bool:
        """Whether a context begins or ends within a stretch of evidence."""
        if placed.document is None or placed.document.id != item.document:
            return False
        if placed.start is None or placed.end is None:
            return False
        inside = placed.start < item.end and item.start < placed.end
        return inside and not (placed.start <= item.start and item.end <= placed.end)

    def is_altered(self, placed: Placed, item: Evidence) -> bool:
        """Whether a context has what stands beside the evidence, and something else in its place."""
        if (
            placed.document is None
            or placed.document.id != item.document
            or placed.start is not None
            or not placed.context.text
        ):
            return False
        body, whole = placed.document.body, self.plain(placed.context.text)
        value = self.plain(body[item.start : item.end])
        before = self.plain(body[max(0, item.start - _AROUND) : item.start].rpartition("\n")[2].rpartition(". ")[2])
        after = self.plain(body[item.end : item.end + _AROUND].partition("\n")[0].partition(". ")[0])
        if len(before) >= _LEAST and before in whole:
            rests = [rest.strip() for rest in whole.split(before)[1:]]
            return all(len(rest) > max(3, len(value) // 2) and not rest.startswith(value) for rest in rests)
        if len(before) < _LEAST <= len(after) and after in whole:
            rests = [rest.strip() for rest in whole.split(after)[:-1]]
            return all(len(rest) > max(3, len(value) // 2) and not rest.endswith(value) for rest in rests)
        return False

    def text_of(self, placed: Placed) -> str:
        """What a context says: of one without a text, what stands there in its document."""
        if placed.context.text is not None:
            return placed.context.text
        return placed.document.body[placed.start : placed.end] if placed.document is not None else ""
