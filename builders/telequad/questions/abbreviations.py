"""What an abbreviation stands for: lists and tables of abbreviations, and words with their initials in brackets."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from benchwright.builders.documents.sections import Placed, Section, Span
from benchwright.builders.documents.tree import Code, Paragraph, Table
from benchwright.builders.telequad.questions.asked import Asked, Specification, Stated
from benchwright.builders.telequad.questions.wordings import worded

_LISTS = re.compile(r"\b(?:abbreviations?|acronyms?)\b", re.IGNORECASE)
_SHORT = r"[A-Za-z0-9][\w/&.+-]{0,15}"
_LINE = re.compile(rf"(?:[-•*o]\s+)?(?P<short>{_SHORT})(?:\t+\s*|\s*:\s+|\s+[-–—=]\s+|\s{{2,}})(?P<full>\S.*\S)")
_IN_BRACKETS = re.compile(r"\((?P<short>[A-Z][A-Z0-9]{1,7})\)")
_REACH = 200
"""Characters before a bracket in which its words are looked for."""
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9'’]*")
_SMALL = {"a", "and", "by", "for", "in", "of", "on", "or", "the", "to", "with"}
_NO_MEANING = re.compile(r"(?:see|void|as defined|defined in|reserved|tbd|n/?a)\b.*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Entry:
    section: int
    short: str
    full: Span
    words: str
    around: Span
    listed: bool


def abbreviations(specification: Specification) -> Iterable[Asked]:
    """A question for each abbreviation that has one meaning in the document."""
    entries: dict[str, list[_Entry]] = {}
    for place, section in enumerate(specification.sections):
        for entry in _entries(place, section):
            entries.setdefault(entry.short, []).append(entry)
    for short, found in entries.items():
        if len({entry.words.casefold() for entry in found}) == 1:
            yield _asked(specification, short, found)


def is_list_of_abbreviations(section: Section) -> bool:
    """Whether a clause is there to list abbreviations."""
    return bool(_LISTS.search(section.clause.title))


def _asked(specification: Specification, short: str, found: list[_Entry]) -> Asked:
    found = sorted(found, key=lambda entry: not entry.listed)
    first = found[0]
    return Asked(
        pattern="abbreviation",
        wordings=worded("abbreviation", document=specification.called, abbreviation=short),
        context=first.section,
        answers=tuple(entry.full for entry in found if entry.section == first.section),
        stated=tuple(Stated(entry.section, entry.around) for entry in found),
        entity=short,
        metadata={"clause": specification.sections[first.section].clause.number},
    )


def _entries(place: int, section: Section) -> Iterator[_Entry]:
    is_list = is_list_of_abbreviations(section)
    for placed in section.placed:
        if isinstance(placed.part, Table):
            if is_list:
                yield from _rows(place, placed, placed.part)
        elif is_list and isinstance(placed.part, Code):
            yield from _lines(place, placed, placed.part.text)
        elif (
            isinstance(placed.part, Paragraph)
            and (is_list or placed.part.kind == "abbreviation")
            and (entry := _line(place, placed.part.text, placed.span.start))
        ):
            yield entry
        if isinstance(placed.part, Paragraph) and placed.part.kind in ("paragraph", "list", "definition"):
            yield from _brackets(place, placed.part.text, placed.span.start)


def _rows(place: int, placed: Placed, table: Table) -> Iterator[_Entry]:
    """A table of two columns under the title of a list of abbreviations."""
    for row, spans in list(zip(table.rows, placed.cells, strict=True))[table.header_rows :]:
        is_entry = len(row) == 2 and re.fullmatch(_SHORT, row[0].text) and not any(cell.repeated for cell in row)
        if is_entry and _means(row[0].text, row[1].text) and "\n" not in row[1].text:
            yield _Entry(place, row[0].text, spans[1], row[1].text, Span(spans[0].start, spans[1].end), True)


def _lines(place: int, placed: Placed, text: str) -> Iterator[_Entry]:
    """A list in columns of characters; an entry that goes on in the next line is left out, for its words are apart."""
    lines = text.split("\n")
    start = placed.span.start
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        indent = len(line) - len(line.lstrip())
        goes_on = bool(following.strip()) and len(following) - len(following.lstrip()) > indent
        if line.strip() and not goes_on and (entry := _line(place, line.strip(), start + indent)):
            yield entry
        start += len(line) + 1


def _line(place: int, text: str, start: int) -> _Entry | None:
    found = _LINE.fullmatch(text)
    if found is None or "\n" in text:
        return None
    end = found.end("full") - (1 if found["full"].endswith((".", ";")) else 0)
    words = text[found.start("full") : end]
    if not _means(found["short"], words):
        return None
    span = Span(start + found.start("full"), start + end)
    return _Entry(place, found["short"], span, words, Span(start, start + len(text)), True)


def _means(short: str, full: str) -> bool:
    """Whether these can be an abbreviation, with capitals or figures, and its words."""
    is_short = any(letter.isupper() or letter.isdigit() for letter in short) and len(short) >= 2
    return is_short and 3 <= len(full) <= 150 and len(full) > len(short) and not _NO_MEANING.fullmatch(full)


def _brackets(place: int, text: str, start: int) -> Iterator[_Entry]:
    """`Frame Error Ratio (FER)`: words whose initials are the letters in brackets after them."""
    for found in _IN_BRACKETS.finditer(text):
        from_here = max(0, found.start() - _REACH)
        begin = _begin_of_words(text[from_here : found.start()], found["short"])
        if begin is not None:
            begin += from_here
            words = text[begin : found.start()].rstrip()
            full = Span(start + begin, start + begin + len(words))
            around = Span(start + begin, start + found.end())
            yield _Entry(place, found["short"], full, words, around, False)


def _begin_of_words(before: str, short: str) -> int | None:
    """Where the words begin that end just before the bracket and whose initials are the abbreviation's letters.

    Small words may stand between them. A word with a hyphen gives an initial for each of its parts.
    """
    if not before.endswith(" ") or any(letter.isdigit() for letter in short):
        return None
    letters = list(short.lower())
    words = list(_WORD.finditer(before))[-2 * len(letters) :]
    end = len(before.rstrip())
    while words and letters:
        word = words.pop()
        if re.fullmatch(r"[ -]*", before[word.end() : end]) is None:
            return None
        end = word.start()
        if word[0][0].lower() == letters[-1]:
            letters.pop()
        elif word[0] not in _SMALL or len(letters) == len(short):
            return None
    return end if not letters and " " in before[end:].strip() else None
