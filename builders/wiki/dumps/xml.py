"""The XML that MediaWiki exports (0.10 and 0.11), read in bounded memory: pages with their last revision, log entries.

The parser is expat itself: a page is held, never a file. mwxml, the library for this, was measured beside it: a dump
of 100,000 pages (463 MB, and 27 MB of log) took it 19.0 and 21.8 s of CPU time against our 4.6 and 4.9, and it fails on
the log of a wiki that was imported.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Literal
from xml.parsers import expat

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.wiki.dumps.files import find_parts, read_pieces

Kind = Literal["page", "logitem"]
VERSIONS = ("0.10", "0.11")
_HOLDS = {"page": "pages", "logitem": "log entries"}
_WANTED = {"page": "pages-articles", "logitem": "pages-logging"}
_FIELDS = {
    "page": frozenset(("title", "ns", "id")),
    "logitem": frozenset(("timestamp", "type", "action", "logtitle", "params")),
    "siteinfo": frozenset(("sitename", "dbname", "base", "generator")),
    "revision": frozenset(("id", "parentid", "timestamp", "sha1", "model")),
}
_BUFFER = 1 << 16


@dataclass(slots=True)
class DumpSite:
    """What a dump says of its wiki."""

    language: str
    fields: dict[str, str] = field(default_factory=dict)
    """sitename, dbname, base, generator."""
    namespaces: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class RawRevision:
    """The last revision of a page."""

    id: int
    saved: str
    sha1: str
    """In hexadecimal digits; empty if it is not given."""
    model: str
    text: str | None
    """None: the dump has none, or it is hidden."""
    is_hidden: bool


@dataclass(slots=True)
class RawPage:
    """A page of a dump."""

    id: int
    title: str
    namespace: int
    is_redirect: bool
    revision: RawRevision
    oldest: str
    """When the oldest revision in the dump was saved."""
    is_from_start: bool
    """Whether that is the page's first one."""
    revisions: int
    """How many are in the dump."""


@dataclass(slots=True)
class LogEntry:
    """An entry of a wiki's log. Hidden ones have no title."""

    time: str
    kind: str
    """Type and action: `create/create`."""
    title: str
    parameters: str


Item = RawPage | LogEntry


class Dump:
    """A dump of pages or of the log, in one file or in parts. It is read once for each `read()`."""

    def __init__(self, path: Path | str, kind: Kind) -> None:
        self.kind: Kind = kind
        self.parts = find_parts(path)
        self.site: DumpSite | None = None
        """Known when the first item was read."""

    def read(self) -> Iterator[Item]:
        """Everything in the dump, in its order. Raises BenchwrightError where a file is not what it should be."""
        for part in self.parts:
            reader = _DumpFile(part, self.kind)
            self.site = self.site or reader.site
            for piece in chain(read_pieces(part), (b"",)):
                reader.feed(piece, is_last=not piece)
                self._check(reader)
                yield from reader.items
                reader.items.clear()

    def _check(self, reader: "_DumpFile") -> None:
        name, first = reader.site.fields.get("dbname"), self.site.fields.get("dbname") if self.site else None
        if reader.items and name != first:
            raise BenchwrightError(
                f"{reader.path} is of another wiki ({name}) than {self.parts[0]} ({first}): keep the dumps of each in "
                "a folder of its own"
            )


Progress = Callable[[str, int, int], None]
"""Is told what is done, how much, and of how much (0: unknown)."""


class _DumpFile:
    """One file: what expat tells becomes items."""

    def __init__(self, path: Path, kind: Kind) -> None:
        self.path, self.kind = path, kind
        self.site = DumpSite("")
        self.items: list[Item] = []
        self._depth = 0
        self._has_root = False
        self._record = ""
        """page, logitem or siteinfo, while inside one."""
        self._fields: dict[str, str] = {}
        self._revision: dict[str, str] | None = None
        self._last: RawRevision | None = None
        self._oldest, self._is_from_start, self._is_redirect, self._revisions = "", False, False, 0
        self._pieces: list[str] = []
        self._target: dict[str, str] | None = None
        """Where the text of the open element goes; None: nowhere."""
        self._key: int | None = None
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.buffer_size = _BUFFER
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._parser = parser

    def feed(self, piece: bytes, is_last: bool = False) -> None:
        """Reads on. Raises BenchwrightError."""
        try:
            self._parser.Parse(piece, is_last)
        except expat.ExpatError as error:
            why = f"{expat.ErrorString(error.code)}, line {error.lineno}"
            if not self._has_root:
                raise BenchwrightError(f"{self.path} is not XML ({why}): {self._give()}") from error
            what = "is cut off" if is_last else "is damaged"
            raise BenchwrightError(f"{self.path} {what} ({why}): fetch it again") from error
        except (KeyError, ValueError) as error:
            what = f"without {error.args[0]}" if isinstance(error, KeyError) else f"with {error}"
            line = self._parser.CurrentLineNumber
            raise BenchwrightError(
                f"{self.path} is damaged (a {self._record} {what}, line {line}): fetch it again"
            ) from error

    def _give(self) -> str:
        return f"give the file of a MediaWiki's dump that is called {_WANTED[self.kind]}"

    def _refuse_doctype(self, *_: object) -> None:
        raise BenchwrightError(f"{self.path} is not a dump of a MediaWiki: {self._give()}")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth = depth = self._depth + 1
        if depth == 4:
            if self._revision is not None:
                if name == "text":
                    self._start_text(attributes)
                elif name in _FIELDS["revision"]:
                    self._collect(self._revision)
            elif name == "namespace":
                self._key = _number(attributes["key"])
                self._collect({})
        elif depth == 3:
            if name in _FIELDS.get(self._record, ()):
                self._collect(self._fields)
            elif name == "revision" and self._record == "page":
                self._revision = {}
            elif name == "redirect":
                self._is_redirect = True
        elif depth == 2:
            self._start_record(name)
        elif depth == 1:
            self._start_root(name, attributes)

    def _start_root(self, name: str, attributes: dict[str, str]) -> None:
        if name != "mediawiki":
            raise BenchwrightError(f"{self.path} is not a dump of a MediaWiki but <{name}>: {self._give()}")
        version = attributes.get("version", "")
        if version not in VERSIONS:
            raise BenchwrightError(
                f"{self.path} is written in export format {version or 'unknown'}, and only {' and '.join(VERSIONS)} "
                "can be read: fetch a dump of a newer date"
            )
        self._has_root = True
        self.site.language = attributes.get("xml:lang", "")

    def _start_record(self, name: str) -> None:
        if name not in _FIELDS:
            return
        if name != self.kind and name in _HOLDS:
            raise BenchwrightError(
                f"{self.path} holds {_HOLDS[name]} where {_HOLDS[self.kind]} are wanted: {self._give()}, and check "
                "that the two are not swapped"
            )
        self._record, self._fields = name, self.site.fields if name == "siteinfo" else {}
        self._last, self._oldest, self._is_from_start, self._is_redirect = None, "", False, False
        self._revisions = 0

    def _start_text(self, attributes: dict[str, str]) -> None:
        revision = self._revision
        assert revision is not None
        if "sha1" in attributes:
            revision["text sha1"] = attributes["sha1"]
        if "deleted" in attributes:
            revision["hidden"] = ""
        revision["size"] = attributes.get("bytes", "0")
        if self._fields["ns"] == "10" or (self._fields["ns"] == "0" and not self._is_redirect):
            self._collect(revision)

    def _collect(self, target: dict[str, str]) -> None:
        self._target, self._pieces = target, []
        self._parser.CharacterDataHandler = self._pieces.append

    def _end(self, name: str) -> None:
        depth = self._depth
        self._depth = depth - 1
        if self._target is not None:
            self._target[name] = "".join(self._pieces)
            self._target = None
            self._parser.CharacterDataHandler = None
            if self._key is not None:
                self.site.namespaces[self._key], self._key = "".join(self._pieces), None
        elif depth == 3 and name == "revision" and self._revision is not None:
            self._end_revision(self._revision)
            self._revision = None
        elif depth == 2:
            if self._record == "page" and self._last is not None:
                self._end_page(self._last)
            elif self._record == "logitem":
                self._end_entry()
            self._record = ""

    def _end_revision(self, fields: dict[str, str]) -> None:
        """Keeps the last revision by time, as files are not in the order of time where pages were imported."""
        saved = _time(fields["timestamp"])
        self._revisions += 1
        if not self._oldest or saved < self._oldest:
            self._oldest, self._is_from_start = saved, fields.get("parentid", "0") == "0"
        if self._last is None or saved >= self._last.saved:
            text = fields.get("text")
            if not text and fields.get("size", "0") != "0":
                text = None
            sha1 = fields.get("text sha1") or fields.get("sha1")
            digits = f"{_number(sha1, 36):040x}" if sha1 else ""
            model = fields.get("model", "wikitext")
            self._last = RawRevision(_number(fields["id"]), saved, digits, model, text, "hidden" in fields)

    def _end_page(self, last: RawRevision) -> None:
        fields = self._fields
        self.items.append(
            RawPage(
                _number(fields["id"]), fields["title"], _number(fields["ns"]), self._is_redirect, last, self._oldest,
                self._is_from_start, self._revisions,
            )
        )  # fmt: skip

    def _end_entry(self) -> None:
        fields = self._fields
        kind = f"{fields['type']}/{fields['action']}"
        self.items.append(
            LogEntry(_time(fields["timestamp"]), kind, fields.get("logtitle", ""), fields.get("params", ""))
        )


def _number(text: str, base: int = 10) -> int:
    try:
        return int(text, base)
    except ValueError:
        raise ValueError(f"the number {text[:40]!r}") from None


def _time(text: str) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"the time {text[:40]!r}") from None
    return text
