"""What of a corpus a system's contexts are: by id, else by text; what is neither is foreign."""

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from benchwright.benchmarks.prediction_fields import ContextFields
from benchwright.benchmarks.predictions import Context
from benchwright.benchmarks.types import Document

_WORD = re.compile(r"\w+")
_WINDOW = 6
"""Words whose run identifies a text."""
_EVERY = 4
"""Of so many windows one is kept: those whose hash it divides, so that corpus and context keep the same ones."""
_SHARE = 0.5
"""The share of a context's windows that must be a document's."""
_SHORTEST = 20
"""Characters that a text without such a window must have."""
_REMEMBERED = 50_000


def _windows(text: str) -> Iterator[int]:
    """Hashes of the windows that are kept; a short text may have none."""
    words = _WORD.findall(text.casefold())
    hashes = [
        zlib.crc32(" ".join(words[first : first + _WINDOW]).encode("utf-8", "replace"))
        for first in range(max(1, len(words) - _WINDOW + 1))
    ]
    return (value for value in hashes if value % _EVERY == 0)


def _whole(document: Document) -> str:
    """A document as chunkers often write it: with its title."""
    return f"{document.title}\n{document.text}"


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


@dataclass
class CorpusMatcher:
    """Finds the document of a context, and its offsets where its text stands there word for word."""

    documents: Mapping[str, Document]
    counts: Counter[str] = field(default_factory=Counter)
    """How many contexts were matched by `id`, by `text`, and are `foreign`."""
    _index: dict[int, tuple[str, ...]] | None = None
    _found: dict[str, str | None] = field(default_factory=dict)

    def match(self, contexts: Sequence[Context]) -> tuple[Context, ...]:
        """The contexts, each with the document that it is from where it is from the corpus."""
        fields: list[ContextFields] = [
            {"id": each.id, "text": each.text, "start": each.start, "end": each.end, "score": each.score}
            for each in contexts
        ]
        return tuple(map(self.placed, self.documents_of(fields), fields))

    def documents_of(self, contexts: Sequence[ContextFields]) -> list[str | None]:
        """The document that each context is from, None where it is foreign. Counts them."""
        known, ids = self.documents, [each.get("id") for each in contexts]
        by_id = sum(map(known.__contains__, ids))
        if by_id:
            self.counts["id"] += by_id
        if by_id == len(ids):
            return ids
        pairs = zip(ids, contexts, strict=True)
        return [name if name in known else self._counted(each.get("text")) for name, each in pairs]

    def placed(self, document: str | None, fields: ContextFields) -> Context:
        """A context of a document, with its offsets where its text stands there word for word."""
        text, start, end = fields.get("text"), fields.get("start"), fields.get("end")
        if document is not None and start is None and text is not None:
            at = self.documents[document].body.find(text)
            if at >= 0:
                start, end = at, at + len(text)
        return Context(fields.get("id"), text, document, start, end, fields.get("score"))

    def _counted(self, text: str | None) -> str | None:
        document = None if text is None else self._by_text(text)
        self.counts["foreign" if document is None else "text"] += 1
        return document

    def _by_text(self, text: str) -> str | None:
        if text not in self._found:
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            self._found[text] = self._search(text)
        return self._found[text]

    def _search(self, text: str) -> str | None:
        index, votes, windows = self._windows_of_corpus(), Counter[str](), 0
        for window in _windows(text):
            windows += 1
            votes.update(index.get(window, ()))
        if votes:
            best, count = max(votes.items(), key=lambda item: item[1])
            return best if count >= _SHARE * windows else None
        return self._containing(text) if not windows else None

    def _containing(self, text: str) -> str | None:
        """The document that holds a text of which no window is kept."""
        wanted = _plain(text)
        if len(wanted) < _SHORTEST:
            return None
        return next((name for name, each in self.documents.items() if wanted in _plain(_whole(each))), None)

    def _windows_of_corpus(self) -> dict[int, tuple[str, ...]]:
        if self._index is None:
            self._index = {}
            for name, document in self.documents.items():
                for window in set(_windows(_whole(document))):
                    self._index[window] = (*self._index.get(window, ()), name)
        return self._index
