"""What of a corpus a system's contexts are: by id, else by URI, else by text; what is none of these is foreign."""

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from benchwright.benchmarks.grounding.locating import Locator, Span
from benchwright.benchmarks.grounding.uris import UriMap
from benchwright.benchmarks.prediction_fields import ContextFields
from benchwright.benchmarks.predictions import Context
from benchwright.benchmarks.text.markup import without_markup
from benchwright.benchmarks.types import Document

_WORD = re.compile(r"\w+")
_WINDOW = 6
"""Words whose run identifies a text."""
_EVERY = 4
"""Of so many windows one is kept: those whose hash it divides, so that corpus and context keep the same ones."""
_SHARE = 0.5
"""The share of a context's windows that must be a document's."""
_WHOLE, _ENOUGH = 0.8, 4
"""Or, of a context longer than the document: the share of the document's windows that it must hold, and how many."""
_SHORTEST = 20
"""Characters that a text without such a window must have."""
_ALIKE = 50
"""Documents that hold as much of a context are looked at word for word."""
_REMEMBERED = 50_000


def _windows(text: str) -> Iterator[int]:
    """Hashes of the windows that are kept; a short text may have none."""
    words = _WORD.findall(text.casefold())
    if not words:
        return iter(())
    hashes = [
        zlib.crc32(" ".join(words[first : first + _WINDOW]).encode("utf-8", "replace"))
        for first in range(max(1, len(words) - _WINDOW + 1))
    ]
    return (value for value in hashes if value % _EVERY == 0)


def _whole(document: Document) -> str:
    """A document as chunkers often write it: with its title."""
    return f"{document.title}\n{document.body}"


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


@dataclass
class CorpusMatcher:
    """Finds the document of a context, and its offsets where its text stands there, word for word or decorated."""

    documents: Mapping[str, Document]
    uris: UriMap | None = None
    """What a company calls the documents."""
    counts: Counter[str] = field(default_factory=Counter)
    """How many contexts were matched by `id`, by `uri`, by `text`, and are `foreign`."""
    _index: dict[int, list[str]] | None = None
    _sizes: Counter[str] = field(default_factory=Counter)
    """Windows of each document."""
    _found: dict[tuple[int, int], str | None] = field(default_factory=dict)
    """By length and hash: the texts themselves would fill the memory."""
    _named: dict[str, str | None] = field(default_factory=dict)
    _places: dict[tuple[str, int], Span | None] = field(default_factory=dict)
    _locator: Locator = field(default_factory=Locator)

    def match(self, contexts: Sequence[Context]) -> tuple[Context, ...]:
        """The contexts, each with the document that it is from where it is from the corpus."""
        fields: list[ContextFields] = [
            {
                "id": each.id,
                "uri": each.uri,
                "text": each.text,
                "start": each.start,
                "end": each.end,
                "score": each.score,
            }
            for each in contexts
        ]
        return tuple(map(self.placed, self.documents_of(fields), fields))

    def documents_of(self, contexts: Sequence[ContextFields], *, is_counted: bool = True) -> list[str | None]:
        """The document that each context is from, None where it is foreign. Counts them, unless they were given."""
        known, ids = self.documents, [each.get("id") for each in contexts]
        by_id = sum(map(known.__contains__, ids))
        counts = self.counts if is_counted else Counter[str]()
        if by_id:
            counts["id"] += by_id
        if by_id == len(ids):
            return ids
        pairs = zip(ids, contexts, strict=True)
        return [name if name in known else self._counted(each, counts) for name, each in pairs]

    def placed(self, document: str | None, fields: ContextFields) -> Context:
        """A context of a document, with its offsets where its text stands there; see `Locator` for what is taken."""
        text, start, end = fields.get("text"), fields.get("start"), fields.get("end")
        if document is not None and start is None and text is not None:
            at = self.documents[document].body.find(text)
            span = (at, at + len(text)) if at >= 0 else self._located(text, document)
            if span is not None:
                start, end = span
        return Context(fields.get("id"), text, document, start, end, fields.get("score"), fields.get("uri"))

    def _located(self, text: str, document: str) -> Span | None:
        key = document, hash(text)
        if key not in self._places:
            if len(self._places) >= _REMEMBERED:
                self._places.clear()
            self._places[key] = self._locator.locate(text, self.documents[document])
        return self._places[key]

    def _counted(self, fields: ContextFields, counts: Counter[str]) -> str | None:
        """The document of a context whose id is none of the corpus."""
        text, names = fields.get("text"), (fields.get("uri"), fields.get("id"))
        document, how = next(filter(None, (self._by_uri(name) for name in names if name)), None), "uri"
        if document is None and text is not None:
            document, how = self._by_text(text), "text"
        counts["foreign" if document is None else how] += 1
        return document

    def _by_uri(self, name: str) -> str | None:
        """The document that a URI, or an id of a company's own, means."""
        if name in self.documents:
            return name
        if self.uris is None:
            return None
        if name not in self._named:
            if len(self._named) >= _REMEMBERED:
                self._named.clear()
            self._named[name] = self.uris.document_of(name, self.documents)
        return self._named[name]

    def _by_text(self, text: str) -> str | None:
        key = len(text), hash(text)
        if key not in self._found:
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            self._found[key] = self._search(text)
        return self._found[key]

    def _search(self, text: str) -> str | None:
        """The document of a text, as it is written, else without the marks of HTML and Markdown."""
        found, plain = self._voted(text), without_markup(text)
        return self._voted(plain) if found is None and plain != text else found

    def _voted(self, text: str) -> str | None:
        index, votes = self._windows_of_corpus(), Counter[str]()
        windows = set(_windows(text))
        for window in windows:
            votes.update(index.get(window, ()))
        if not votes:
            return self._containing(text) if not windows else None
        most = max(votes.values())
        alike = [name for name, count in votes.items() if count == most]
        best = alike[0]
        if len(alike) > 1:  # near-duplicates: the one that has it word for word
            best = next((name for name in alike[:_ALIKE] if text in self.documents[name].body), best)
        is_part = most >= _SHARE * len(windows)
        return best if is_part or (most >= _ENOUGH and most >= _WHOLE * self._sizes[best]) else None

    def _containing(self, text: str) -> str | None:
        """The document that holds a text of which no window is kept."""
        wanted = _plain(text)
        if len(wanted) < _SHORTEST:
            return None
        return next((name for name, each in self.documents.items() if wanted in _plain(_whole(each))), None)

    def _windows_of_corpus(self) -> dict[int, list[str]]:
        if self._index is None:
            self._index = {}
            for name, document in self.documents.items():
                windows = set(_windows(_whole(document)))
                self._sizes[name] = len(windows)
                for window in windows:
                    self._index.setdefault(window, []).append(name)
        return self._index
