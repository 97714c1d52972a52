"""The sentences of an answer with what each of them cites: what citations are scored on.

A sentence is one of prose, an item of a list, or a row of a table. Headings, rules, the heads of tables, the line that
leads a list in, code and the list of sources at the end are none. A citation belongs to the sentence that it stands in
or right after; a line of nothing but citations belongs to the sentence before it, and what the line cites that leads a
list in, to each item that cites nothing itself.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.metrics.steps.citation_marks import Cited, Mark, find_marks
from benchwright.benchmarks.predictions import Context
from benchwright.benchmarks.text.markup import without_markup
from benchwright.benchmarks.text.sentences import COUNTED

LONGEST = 400_000
"""Characters of an answer that are read."""
_FENCE = re.compile(r"```|~~~")
_HEADING = re.compile(r"#{1,6}\s|(?:[-*_=]\s*){3,}$|\*\*[^*]{1,80}\*\*:?$")
_RULER = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$")
_BULLET = re.compile(r"(?:>\s*)*(?:[-*+•‣–]\s+(?:\[[ xX]\]\s+)?|\(?(?:\d{1,3}|[a-z])[.)]\s+)?")
_SOURCES = re.compile(
    r"(?:#{1,6}\s*)?[*_]*(?:sources?|references?|bibliography|citations?|footnotes?|works cited|notes)[*_]*:?[*_]*$",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"(?:[-*+•]\s+)?(?:\[\^?(?P<square>\d{1,3})\]:?|(?P<plain>\d{1,3})[.)])\s*(?P<rest>\S.*)$")
_FOOTNOTE = re.compile(r"\[\^?\d{1,3}\]:\s*\S")
_COLON = re.compile(r":[*_]*(?:\s*[\[【][^\[\]【】]{1,40}[\]】])*$")
_WORD = re.compile(r"[^\W_]+")
_LABELS = frozenset(["source", "sources", "reference", "references", "citation", "citations", "see", "and", "from"])
"""Words of a line that holds nothing but citations."""


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence without the marks of its citations, and what they point to."""

    text: str
    contexts: tuple[int | None, ...] = ()
    """Places of the contexts that it cites, from 0, each once; None: a citation that points to nothing."""
    written: tuple[str, ...] = ()
    """The marks as they stand in the answer."""


def cited_sentences(answer: str, contexts: Sequence[Context]) -> list[CitedSentence]:
    """The sentences of an answer in order, with what each cites; of more than 400,000 characters those of the first.

    Args:
        answer: as the system gave it.
        contexts: of its prediction, in their order.
    """
    body, listed = _without_sources(_lines(answer[:LONGEST]), Cited(contexts))
    cited = Cited(contexts, listed)
    found: list[CitedSentence] = []
    for line, leading in _content(body):
        lead = [each for each in _of_line(leading, cited) if each.written] if leading else []
        for sentence in _of_line(line, cited):
            if lead and not sentence.written:
                sentence = _joined(sentence, lead[-1])
            if any(match.group().lower() not in _LABELS for match in _WORD.finditer(sentence.text)):
                found.append(sentence)
            elif found and sentence.written:
                found[-1] = _joined(found[-1], sentence)
    return found


def _lines(answer: str) -> list[str]:
    """The lines that hold anything, without the white space around them; of JSON its texts."""
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    inner = lines[1:-1] if len(lines) > 2 and _FENCE.match(lines[0]) and _FENCE.match(lines[-1]) else lines
    text = "\n".join(inner)
    if text[:1] in ("{", "["):
        with suppress(ValueError, RecursionError):
            return [line.strip() for each in _texts(json.loads(text)) for line in each.splitlines() if line.strip()]
    return lines


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)


def _without_sources(lines: Sequence[str], cited: Cited) -> tuple[list[str], dict[int, int | None]]:
    """The lines without the answer's own list of sources; and which context each number of that list names."""
    body: list[str] = []
    listed: dict[int, int | None] = {}
    is_list = False
    for line in lines:
        entry = _ENTRY.match(line)
        if _SOURCES.match(line) and body:
            is_list = True
            continue
        if entry is not None and (is_list or _FOOTNOTE.match(line) or (body and _is_name(entry, cited))):
            place = _place_in(entry["rest"], cited)
            if place is not None:
                listed[int(entry["square"] or entry["plain"])] = place
        elif not (is_list and line[:1] in "-*+•"):
            is_list = False
            body.append(line)
    return body, listed


def _is_name(entry: re.Match[str], cited: Cited) -> bool:
    """Whether `[2] client-0010` is an entry though no heading says that sources are listed."""
    return entry["square"] is not None and entry["rest"].strip(".*_`<>").casefold() in cited.names


def _place_in(text: str, cited: Cited) -> int | None:
    """The context that an entry of a list of sources names."""
    lowered = text.casefold().strip(".*_`<>")
    if lowered in cited.names:
        return cited.names[lowered]
    words = (word.strip(".") for word in re.split(r"[\s,;()\[\]<>\"“”]+", lowered))
    return next((cited.names[word] for word in words if word in cited.names), None)


def _content(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The lines that state something, without the signs of lists and tables; and of an item the line that leads in."""
    kept = _without_code(lines)
    leading = ""
    for number, line in enumerate(kept):
        following = kept[number + 1] if number + 1 < len(kept) else ""
        is_ruler = _RULER.match(line) is not None and ("|" in line or number > 0)
        is_head = "|" in line and "|" in following and _RULER.match(following) is not None
        bullet = _BULLET.match(line)
        is_item = line.startswith("|") or bool(bullet and bullet.group())
        leads_in = _leads_in(line, following)
        leading = line if leads_in else leading if is_item else ""
        if is_ruler or is_head or leads_in or (_HEADING.match(line) and len(kept) > 1):
            continue
        if line.startswith("|"):
            line = ", ".join(cell.strip() for cell in line.strip("|").split("|") if cell.strip())
        yield (line[bullet.end() :] if bullet is not None else line), leading


def _leads_in(line: str, following: str) -> bool:
    """Whether a line ends with a colon, and perhaps citations after it, before a list or a table."""
    bullet = _BULLET.match(following)
    return _COLON.search(line) is not None and (following[:1] == "|" or bool(bullet and bullet.group()))


def _without_code(lines: Sequence[str]) -> list[str]:
    """The lines outside fences; where nothing is, those inside."""
    kept: list[str] = []
    is_code = False
    for line in lines:
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code:
            kept.append(line)
    return kept or [line for line in lines if not _FENCE.match(line)]


def _of_line(line: str, cited: Cited) -> Iterator[CitedSentence]:
    """The sentences of one line, with the citations that stand in each or right after it."""
    marks = find_marks(line, cited)
    plain, places = _without_marks(line, marks)
    spans = COUNTED.spans(plain)
    if not spans:
        if marks:
            yield _sentence("", marks)
        return
    starts = [start for start, _ in spans]
    owned: list[list[Mark]] = [[] for _ in spans]
    for mark, place in zip(marks, places, strict=True):
        owned[max(0, bisect_left(starts, place) - 1)].append(mark)
    for (start, end), its in zip(spans, owned, strict=True):
        yield _sentence(plain[start:end], its)


def _without_marks(line: str, marks: Sequence[Mark]) -> tuple[str, list[int]]:
    """A line without the marks, and where each would stand in it."""
    parts: list[str] = []
    places: list[int] = []
    at = size = 0
    for mark in marks:
        parts += [line[at : mark.start], mark.keeps]
        size += mark.start - at + len(mark.keeps)
        places.append(size)
        at = mark.end
    parts.append(line[at:])
    return "".join(parts), places


def _sentence(text: str, marks: Sequence[Mark]) -> CitedSentence:
    contexts: list[int | None] = []
    for place in (place for mark in marks for place in mark.contexts):
        if place is None or place not in contexts:
            contexts.append(place)
    plain = re.sub(r"\s+([.,;:!?])", r"\1", " ".join(without_markup(text).split()))
    return CitedSentence(plain, tuple(contexts), tuple(mark.written for mark in marks))


def _joined(sentence: CitedSentence, more: CitedSentence) -> CitedSentence:
    new = [place for place in more.contexts if place is None or place not in sentence.contexts]
    return CitedSentence(sentence.text, (*sentence.contexts, *new), (*sentence.written, *more.written))
