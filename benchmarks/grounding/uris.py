"""Which document of the corpus a URI means, or an id of a company's own: from a file of both, or from a template.

A URI is looked for as it is written, then in plainer and plainer forms, until one form means one document: without what
never matters (case of the host, %-escapes, `http` or `https`, a last slash, the order of the query), then without its
fragment, then without its query.
"""

import json
import re
import unicodedata
from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.text.csv_files import read_csv_file

PLACE = "{id}"
"""Where a template has the document's id."""
_MARK = "xbenchwrightidx"
"""In its place while a template is made plain: what no rule for URIs changes."""
_URI_NAMES = ("uri", "url", "source", "link", "chunk", "chunk_id", "context")
_DOCUMENT_NAMES = ("document", "document_id", "doc", "doc_id", "corpus_id", "corpus-id", "_id", "id")
_DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21}

Forms = tuple[str, str, str, str]
"""A URI as it is written, and its plain forms: whole, without fragment, without fragment and query."""


def forms_of(uri: str) -> Forms:
    """The forms in which a URI is looked for; what is none, such as an id or a path, has forms too."""
    text = unicodedata.normalize("NFC", uri.strip()).replace("\\", "/")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:  # brackets that hold no address, a port that is no number
        return uri, text, text, text
    scheme = "" if parts.scheme in ("http", "https") else parts.scheme
    place = "" if port is None or port == _DEFAULT_PORTS.get(parts.scheme) else f":{port}"
    path = unicodedata.normalize("NFC", unquote(parts.path))
    base = f"{scheme}:{_readable(host)}{place}{path.rstrip('/')}"
    query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True))) or unquote(parts.query)
    whole = f"{base}?{query}" if query else base
    return uri, f"{whole}#{unquote(parts.fragment)}" if parts.fragment else whole, whole, base


def _readable(host: str) -> str:
    """A host's name with its letters, also where they are written in ASCII."""
    try:
        return host.encode("ascii").decode("idna").lower()
    except UnicodeError:
        return host.lower()


@dataclass
class UriMap:
    """URIs, or ids of a company's own, and the documents that they mean."""

    documents: Mapping[str, str] = field(default_factory=dict)
    """As they were given → the corpus' id."""
    template: str | None = None
    """A URI with `{id}` for the corpus' id."""
    unknown: int = 0
    """Entries that were left out: they name no document of the corpus."""
    _levels: tuple[dict[str, str | None], ...] = field(init=False, repr=False)
    _pattern: re.Pattern[str] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._levels = ({}, {}, {}, {})
        for uri, document in self.documents.items():
            for level, form in zip(self._levels, forms_of(uri), strict=True):
                level[form] = document if level.get(form, document) == document else None
        self._pattern = None if self.template is None else _pattern(self.template)

    def document_of(self, uri: str, corpus: Collection[str]) -> str | None:
        """The document that a URI means; None where it means none, or several."""
        forms = forms_of(uri)
        for level, form in zip(self._levels, forms, strict=True):
            if (document := level.get(form)) is not None:
                return document
        matches = () if self._pattern is None else map(self._pattern.fullmatch, forms[1:])
        return next((match[1] for match in matches if match is not None and match[1] in corpus), None)

    def lines(self) -> Iterator[dict[str, str]]:
        """What a run keeps of it, as the objects of JSON lines."""
        if self.template is not None:
            yield {"template": self.template}
        for uri, document in self.documents.items():
            yield {"uri": uri, "document": document}


def _pattern(template: str) -> re.Pattern[str]:
    """Of a template's plain form, whose place for the id is a group, and further ones the same again."""
    plain = re.escape(forms_of(template.replace(PLACE, _MARK))[1])
    return re.compile(plain.replace(_MARK, "(.+)", 1).replace(_MARK, r"\1"), re.DOTALL)


def read_uris(given: str | Path | Mapping[str, str], corpus: Collection[str]) -> UriMap:
    """What a file, a template or a mapping says.

    Args:
        given: a file of URIs and ids of documents (CSV, TSV, JSON lines, one JSON object), a template such as
            `https://wiki.example/{id}.html`, or URI → id.
        corpus: the ids of the documents.

    Raises:
        UsageError: there is no such file, and it is no template.
        BenchwrightError: a line is not as it must be, names two documents for one URI, or none names a document of the
            corpus.
    """
    if isinstance(given, Mapping):
        pairs, where = [(str(uri), str(document), "the mapping") for uri, document in given.items()], "the mapping"
    elif PLACE in str(given) and not Path(given).is_file():
        return UriMap(template=str(given))
    elif not Path(given).is_file():
        raise UsageError(
            f"{given} is no file, and no template: give a file with a URI and a document's id in each line, or a URI "
            f"with {PLACE} in place of the id"
        )
    else:
        pairs, where = list(_pairs(Path(given), corpus)), Path(given).name
    return _checked(pairs, where, corpus)


def _checked(pairs: Iterable[tuple[str, str, str]], where: str, corpus: Collection[str]) -> UriMap:
    """Of URI, document and line of each entry, those that name a document of the corpus."""
    found: dict[str, str] = {}
    unknown: list[str] = []
    for uri, document, line in pairs:
        if document not in corpus:
            unknown.append(document)
        elif found.setdefault(uri, document) != document:
            raise BenchwrightError(f"{line}: {uri!r} is {document!r} here and {found[uri]!r} before: keep one of them")
    if not found:
        example = next(iter(corpus), None)
        such = "the corpus has no documents" if example is None else f"their ids are such as {example!r}"
        first = next(iter(unknown), None)
        named = f"none of its {len(unknown):,} lines names a document of the corpus, the first {first!r}"
        raise BenchwrightError(f"{where}: {named if unknown else 'it holds no URI'}; {such}")
    return UriMap(found, unknown=len(unknown))


def _pairs(path: Path, corpus: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """URI, document and line of each entry of a file.

    Raises:
        BenchwrightError: a line has not both.
    """
    try:
        with path.open("rb") as file:
            is_json = file.read(1000).removeprefix(BOM_UTF8).lstrip().startswith(b"{")
        if not is_json:
            yield from _of_table(path, corpus)
            return
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BenchwrightError(f"{path.name}: not UTF-8 at byte {error.start + 1}: save the file as UTF-8") from None
    except OSError as error:
        raise BenchwrightError(f"{path} cannot be read: {error.strerror or error}") from None
    yield from _of_json(text, path.name)


def _of_json(text: str, name: str) -> Iterator[tuple[str, str, str]]:
    """The entries of JSON lines, or of one object that maps URIs to documents."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, dict) and not _named(whole, _DOCUMENT_NAMES):
        for uri, document in whole.items():
            yield uri, str(document), name
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        try:
            values: Any = json.loads(line)
        except (ValueError, RecursionError):
            raise BenchwrightError(f'{where}: not JSON: write {{"uri": …, "document": …}}') from None
        fields = values if isinstance(values, dict) else {}
        uri, document = _named(fields, _URI_NAMES), _named(fields, _DOCUMENT_NAMES)
        if uri is None or document is None:
            raise BenchwrightError(f'{where}: it needs both of a URI and a document: write {{"uri": …, "document": …}}')
        yield uri, document, where


def _named(fields: Mapping[str, Any], names: Iterable[str]) -> str | None:
    return next((str(fields[name]) for name in names if isinstance(fields.get(name), str | int)), None)


def _of_table(path: Path, corpus: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """The entries of a table: two columns, or those that its first line names."""
    columns = 0, 1
    is_first = True
    for number, row in read_csv_file(path).rows():
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        if is_first:
            is_first = False
            named = _columns(cells, corpus)
            if named is not None:
                columns = named
                continue
        where = f"{path.name}, line {number}"
        if len(cells) <= max(columns) or not cells[columns[0]] or not cells[columns[1]]:
            raise BenchwrightError(f"{where}: it needs a URI and a document's id: write them in two columns")
        yield cells[columns[0]], cells[columns[1]], where


def _columns(cells: list[str], corpus: Collection[str]) -> tuple[int, int] | None:
    """The columns of URI and document that a first line names; None where it is an entry itself."""
    lowered = [cell.lower().replace(" ", "_") for cell in cells]
    uri = next((lowered.index(name) for name in _URI_NAMES if name in lowered), None)
    taken = [each if place != uri else "" for place, each in enumerate(lowered)]
    document = next((taken.index(name) for name in _DOCUMENT_NAMES if name in taken), None)
    if uri is None and document is not None and len(cells) == 2:
        uri = 1 - document
    if document is None and uri is not None and len(cells) == 2:
        document = 1 - uri
    if uri is None or document is None or any(cell in corpus for cell in cells):
        return None
    return uri, document
