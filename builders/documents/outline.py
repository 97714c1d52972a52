"""Headings and parts, as a reader meets them, to the tree of clauses."""

import re
from dataclasses import dataclass, field, replace

from benchwright.builders.documents.tree import Clause, Code, Document, Kind, Paragraph, Part, Table

_ANNEX = re.compile(
    r"(?:Annex|Appendix|ANNEX|APPENDIX)\s+([A-Z]{1,2}|\d+)\b\s*(?:\([^)]*\))?\s*[.:–—-]?\s*(.*)", re.DOTALL
)
_NUMBER = re.compile(
    r"((?:\d{1,3}[A-Za-z]{0,2}|[A-Z]{1,2}(?=\.\d))(?:\.\d+[A-Za-z]{0,2}|\.[A-Z](?=[.\s]))*)([.)]?)(\s+)(\S.*)",
    re.DOTALL,
)
_WORD = re.compile(r"[A-Za-z0-9.]*[A-Za-z0-9]")
_TERMS = re.compile(r"\b(definitions?|terms?|terminology)\b", re.IGNORECASE)
_ABBREVIATIONS = re.compile(r"\b(abbreviations?|acronyms?)\b", re.IGNORECASE)
_TERM = re.compile(r"[^:\n\t]{1,100}:\s+\S")
_SHORT_FORM = re.compile(r"\S[^\t\n]{0,30}\t+\s*\S")
TABLE_CAPTION = re.compile(r"(?:Table|TABLE|Tab\.) ?(?:[A-Z]\.?)?\d[\w.-]*?\s*[:.–—-]\s+\S.{1,120}")
"""A paragraph beside a table that is its caption, where the file marks none."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a heading says."""

    number: str
    title: str
    level: int | None
    """By its number: one more than its dots; None where it has no number."""


def read_heading(text: str) -> Heading:
    """The number and title of a heading's text.

    The number is what the text literally begins with: `5.2.1<TAB>Title`, `A.1  Title`, `Annex B (normative): Title`.
    `5A<TAB>Title` has one; `5G networks` and `2024 in figures` have none.
    """
    text = text.strip()
    if annex := _ANNEX.fullmatch(text):
        return Heading(annex[1], _one_line(annex[2]), 1)
    if (numbered := _NUMBER.fullmatch(text)) and (
        numbered[1].isdecimal() or "." in numbered[1] or numbered[2] or numbered[3] != " "
    ):
        return Heading(numbered[1], _one_line(numbered[4]), numbered[1].count(".") + 1)
    return Heading("", _one_line(text), None)


def kind_by_text(text: str, clause: str, kind: Kind = "paragraph") -> Kind:
    """What a paragraph is by its first word and the title of the clause it stands in, where its style says no more."""
    if kind != "paragraph":
        return kind
    if text.startswith(("NOTE", "Editor's note", "Editor's Note", "Editor’s note", "Editor’s Note", "Note:", "Note ")):
        return "note"
    if text.startswith(("EXAMPLE", "Example:", "Example ")):
        return "example"
    if _ABBREVIATIONS.search(clause) and _SHORT_FORM.match(text):
        return "abbreviation"
    if _TERMS.search(clause) and _TERM.match(text):
        return "definition"
    return kind


@dataclass
class _Draft:
    number: str
    title: str
    heading: str
    level: int
    place: str
    parts: list[Part] = field(default_factory=list)
    children: list["_Draft"] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    code_place: str = ""


class Outline:
    """Grows a document's tree from what a reader meets, in order."""

    def __init__(self) -> None:
        self._roots: list[_Draft] = []
        self._open: list[_Draft] = []
        self._unread: dict[str, int] = {}

    @property
    def title(self) -> str:
        """The title of the clause that parts go to."""
        return self._open[-1].title if self._open else ""

    @property
    def last(self) -> Part | None:
        """The last part of the clause that parts go to."""
        return self._open[-1].parts[-1] if self._open and self._open[-1].parts else None

    def heading(self, text: str, level: int, place: str, marker: str = "") -> None:
        """Begins a clause. The level is the style's: that of a number with dots comes before it.

        `marker` is a number that stands apart from the text; in one without dots the style's level counts.
        """
        if not text.strip():
            return
        whole = marker + text.strip()
        found = read_heading(whole)
        if marker.strip() and not found.number:
            found = Heading(
                _WORD.findall(marker)[-1].rstrip(".") if _WORD.search(marker) else "", _one_line(text), level
            )
        elif marker.strip() and found.number.isdecimal() and not _ANNEX.match(whole):
            found = replace(found, level=level)
        self._close_code()
        draft = _Draft(found.number, found.title, _one_line(whole), max(1, found.level or level), place)
        while self._open and (self._open[-1].level >= draft.level or not self._open[-1].level):
            self._open.pop()
        (self._open[-1].children if self._open else self._roots).append(draft)
        self._open.append(draft)

    def paragraph(self, text: str, place: str, kind: Kind = "paragraph") -> None:
        """Adds a paragraph; an empty one is none."""
        if text := text.strip():
            self.add(Paragraph(text, kind_by_text(text, self.title, kind), place))

    def code(self, line: str, place: str) -> None:
        """Adds lines of code: those that follow each other are one."""
        draft = self._draft()
        draft.code_place = draft.code_place if draft.code else place
        draft.code.append(line)

    def flush(self) -> None:
        """Ends the code that is open: what follows is another part."""
        self._close_code()

    def add(self, part: Part) -> None:
        """Adds a part to the clause that is open."""
        self._close_code()
        self._draft().parts.append(part)

    def table(self, table: Table) -> None:
        """Adds a table. Where it has no caption, the paragraph before it is its caption if it begins as one does."""
        before = self.last
        if not table.caption and isinstance(before, Paragraph) and TABLE_CAPTION.fullmatch(before.text):
            self._open[-1].parts.pop()
            table = replace(table, caption=before.text)
        self.add(table)

    def replace_last(self, part: Part) -> None:
        """Gives the last part another form, where more is known of it."""
        self._open[-1].parts[-1] = part

    def not_read(self, what: str, count: int = 1) -> None:
        """Counts what is left out."""
        self._unread[what] = self._unread.get(what, 0) + count

    def finish(self, name: str, title: str = "") -> Document:
        """The document."""
        self._close_code()
        unread = tuple(f"{what}: {count:,}" for what, count in self._unread.items() if count)
        clauses = tuple(_freeze(draft) for draft in self._roots)
        numberless = next((clause.heading for clause in clauses if clause.heading), "")
        return Document(name, title.strip() or numberless or name, clauses, unread)

    def _draft(self) -> _Draft:
        if not self._open:
            draft = _Draft("", "", "", 0, "beginning")
            self._roots.append(draft)
            self._open.append(draft)
        return self._open[-1]

    def _close_code(self) -> None:
        if self._open and (draft := self._open[-1]).code:
            text = "\n".join(draft.code).strip("\n")
            if text.strip():
                draft.parts.append(Code(text, draft.code_place))
            draft.code.clear()


def _freeze(draft: _Draft) -> Clause:
    children = tuple(_freeze(child) for child in draft.children)
    return Clause(draft.number, draft.title, draft.heading, draft.level, tuple(draft.parts), children, draft.place)


def _one_line(text: str) -> str:
    return " ".join(text.split())
