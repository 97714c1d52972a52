"""How a document defines a term: entries of its clause of terms, and sentences that define."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from benchwright.benchmarks.text.sentences import COUNTED
from benchwright.builders.documents.sections import Section, Span
from benchwright.builders.documents.tree import Paragraph
from benchwright.builders.telequad.questions.asked import Asked, Specification, Stated
from benchwright.builders.telequad.questions.wordings import quoted, worded

LONGEST = 400
"""Characters of a definition that can be an answer."""
_TERMS = re.compile(
    r"(?:[\d.]+\s+)?(?:(?:basic|general|key) )?(?:terms?|definitions?|terminology|glossary|vocabulary)"
    r"(?:(?: and|,|/)? (?:terms?|definitions?|terminology|abbreviations?|acronyms?|symbols|conventions))*",
    re.IGNORECASE,
)
_LISTS = re.compile(
    r"(?:.*\b(?:abbreviations?|acronyms?|symbols?|conventions?|notations?)|general|overview)", re.IGNORECASE
)
"""Titles beside those of terms."""
_ENTRY = re.compile(r"(?:[-•*o]\s+)?(?P<term>[^:\t\n]{2,80}?)\s*(?::\s+|\s[–—]\s)(?P<meaning>\S.*)", re.DOTALL)
_SENTENCES = (
    re.compile(r"(?:The|A|An) (?P<term>[^,.:;()]{2,60}?) is defined (?:here )?(?:as|to be) (?P<meaning>[^.]\S.*)"),
    re.compile(
        r"The term [\"“'‘](?P<term>[^\"”'’]{2,60})[\"”'’] (?:means|denotes|refers to|is defined as) (?P<meaning>\S.*)"
    ),
    re.compile(
        r"(?:In this (?:document|specification), )?[\"“](?P<term>[^\"”]{2,60})[\"”] (?:means|denotes) (?P<meaning>\S.*)"
    ),
)
_UNDER_TITLE = re.compile(r"The (?P<term>[^,.:;()]{2,60}?) is (?P<meaning>(?:the|a|an) \S.*)")
_SEE = re.compile(
    r"[;,.]? \(?(?:see|cf\.?) (?:(?:also )?(?:clause|section|annex|table|figure|\[|[A-Z]{2,})).*$", re.IGNORECASE
)
_TERM = re.compile(r"\w[\w /().,'’+&-]+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_NO_TERM = re.compile(
    r"(?:note|for|the following|in|if|when|this|these|those|example|it|see|where|such|other|and|or|editor's|at|"
    r"as|with|unless|however|please|all|any|some|additionally|also|here|there)\b.*",
    re.IGNORECASE,
)
_NO_MEANING = re.compile(
    r"(?:see|that|void|as (?:defined|specified|described|given)|(?:defined|specified|described|given) (?:in|by)|"
    r"refer to|the following|tbd|same as|cf\.?)\b.*",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Entry:
    section: int
    term: str
    meaning: Span
    words: str
    around: Span


def definitions(specification: Specification) -> Iterable[Asked]:
    """A question for each term that the document defines in one way."""
    entries: dict[str, list[_Entry]] = {}
    for place, section in enumerate(specification.sections):
        for entry in _entries(place, section):
            entries.setdefault(entry.term.casefold(), []).append(entry)
    for found in entries.values():
        if len({entry.words.casefold() for entry in found}) == 1:
            first = found[0]
            yield Asked(
                pattern="definition",
                wordings=worded("definition", document=specification.called, term=quoted(first.term)),
                context=first.section,
                answers=tuple(entry.meaning for entry in found if entry.section == first.section),
                stated=tuple(Stated(entry.section, entry.around) for entry in found),
                entity=first.term,
                metadata={"clause": specification.sections[first.section].clause.number},
            )


def _entries(place: int, section: Section) -> Iterator[_Entry]:
    is_terms = bool(_TERMS.fullmatch(section.clause.title))
    is_list = _LISTS.fullmatch(section.clause.title)
    if section.path and _TERMS.fullmatch(section.path[-1]) and not is_terms and not is_list:
        yield from _heading(place, section)
    for number, placed in enumerate(section.placed):
        part = placed.part
        if not isinstance(part, Paragraph) or part.kind not in ("paragraph", "list", "definition"):
            continue
        found = None
        if is_terms or part.kind == "definition":
            found = _ENTRY.fullmatch(part.text)
        if found is None:
            found = next((match for form in _SENTENCES if (match := form.match(part.text))), None)
        if found is None and number == 0 and section.clause.title.lower() == "definition":
            found = _UNDER_TITLE.match(part.text)
        if found and (entry := _entry(place, found["term"], part.text, found.start("meaning"), placed.span)):
            yield entry


def _heading(place: int, section: Section) -> Iterator[_Entry]:
    """A clause of its own for each term, as ISO and glossaries have it: its title, then the meaning or a sentence."""
    placed = section.placed[0]
    term = section.clause.title
    if isinstance(placed.part, Paragraph) and placed.part.kind == "paragraph":
        text = placed.part.text
        if text[:1].islower() or term.casefold() in text[: _first_sentence(text)].casefold():
            around = Span(0, placed.span.end)
            if entry := _entry(place, term, text, 0, placed.span, around):
                yield entry


def _entry(place: int, term: str, text: str, start: int, span: Span, around: Span | None = None) -> _Entry | None:
    term = term.strip(" \"“”'‘’*_`")
    end = _first_sentence(text, start)
    words = _SEE.sub("", text[start:end]).rstrip(" .;,")
    is_term = len(term) <= 80 and len(term.split()) <= 8 and _TERM.fullmatch(term) and not _NO_TERM.fullmatch(term)
    if (
        not is_term
        or len(_WORD.findall(words)) < 2
        or not re.match(r"[\"“(]?\w", words)
        or not 8 <= len(words) <= LONGEST
        or words.endswith(":")
        or _NO_MEANING.fullmatch(words)
    ):
        return None
    meaning = Span(span.start + start, span.start + start + len(words))
    return _Entry(place, term, meaning, words, around or span)


def _first_sentence(text: str, start: int = 0) -> int:
    """Where the sentence ends that begins at `start`."""
    return next((start + end for end, _ in COUNTED.breaks(text[start:])), len(text))
