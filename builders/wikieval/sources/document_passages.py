"""The sections of a document as passages: paragraphs in full sentences, of a length that people read at once."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.text.sentences import COUNTED
from benchwright.builders.documents.outline import read_heading
from benchwright.builders.documents.sections import Section, sections
from benchwright.builders.documents.tree import Clause, Document, Paragraph

SHORTEST, LONGEST = 25, 250
"""Words of a passage. An introduction of an encyclopedia's page is about as long."""
FEWEST = 2
"""Sentences of a passage: what says one thing gives no answer that could leave a part out."""
FEWEST_WORDS = 4
"""Words of a paragraph; what has fewer is mostly a heading or a cell."""
SHORT = f"sections of fewer than {SHORTEST} words or {FEWEST} sentences"
BROKEN = "paragraphs that are no full sentences"
_CUT = f"sentences of more than {LONGEST} words"
BETWEEN_PARAGRAPHS = "\n\n"
BETWEEN_HEADINGS = " > "
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of Thai, Lao, Burmese, Khmer, Japanese and Chinese."""
_SENTENCE = re.compile(r"[\"'“„‘«(\[]*[^\Wa-z_].*[.!?…。！？।॥۔؟][\"'”“’»)\]]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A passage with what tells where it stands."""

    document: str
    title: str
    """The document's title and the headings above it."""
    sentences: tuple[str, ...]
    text: str
    clause: str
    """The number of its section, else its heading."""
    place: str
    parent: tuple[str, ...]
    """Headings of the clauses around its section."""
    part: int
    """Which stretch of its section it is, from 1."""


def stretches(document: Document, left_out: Counter[str]) -> Iterator[Stretch]:
    """The passages of a document in its order.

    Headings, lists, tables, notes and code are no passages: they are read with what stands around them.

    Args:
        document: as it was read.
        left_out: counts what was passed over, by why.
    """
    for section in sections(document):
        paragraphs = list(_paragraphs(section, left_out))
        pieces = [piece for piece in _pieces(paragraphs, left_out) if _is_long_enough(piece)]
        if not pieces:
            left_out[SHORT] += 1
        for part, piece in enumerate(pieces, 1):
            yield _stretch(document, section, piece, part)


def full_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a paragraph, white space between words made one space; none where one is not a full sentence."""
    line = " ".join(text.split())
    found = tuple(line[start:end] for start, end in COUNTED.spans(line))
    return found if _words(line) >= FEWEST_WORDS and all(map(_SENTENCE.fullmatch, found)) else ()


def _paragraphs(section: Section, left_out: Counter[str]) -> Iterator[tuple[str, ...]]:
    for part in section.clause.parts:
        if isinstance(part, Paragraph) and part.kind == "paragraph":
            if found := full_sentences(part.text):
                yield found
            else:
                left_out[BROKEN] += 1


def _pieces(paragraphs: Sequence[tuple[str, ...]], left_out: Counter[str]) -> Iterator[list[list[str]]]:
    """Paragraphs one after the other, up to the longest; one that is longer by itself is cut after a sentence."""
    piece: list[list[str]] = []
    size = 0
    for paragraph in paragraphs:
        whole = sum(map(_words, paragraph))
        if piece and size + min(whole, LONGEST) > LONGEST:
            yield piece
            piece, size = [], 0
        piece.append([])
        for sentence in paragraph:
            if _words(sentence) > LONGEST:
                left_out[_CUT] += 1
                continue
            if size + _words(sentence) > LONGEST:
                yield piece
                piece, size = [[]], 0
            piece[-1].append(sentence)
            size += _words(sentence)
    if piece:
        yield piece


def _is_long_enough(piece: Sequence[Sequence[str]]) -> bool:
    found = [sentence for paragraph in piece for sentence in paragraph]
    return len(found) >= FEWEST and sum(map(_words, found)) >= SHORTEST


def _words(text: str) -> int:
    """Words between spaces; of scripts that have none, about two characters are a word."""
    return max(len(text.split()), len(_UNSPACED.findall(text)) // 2)


def _stretch(document: Document, section: Section, piece: Sequence[Sequence[str]], part: int) -> Stretch:
    headings = [read_heading(heading).title for heading in (*section.path, section.clause.heading)]
    around = dict.fromkeys([document.title.strip(), *headings])
    return Stretch(
        document=document.name,
        title=BETWEEN_HEADINGS.join(filter(None, around)),
        sentences=tuple(sentence for paragraph in piece for sentence in paragraph),
        text=BETWEEN_PARAGRAPHS.join(" ".join(paragraph) for paragraph in piece if paragraph),
        clause=_name_of(section.clause),
        place=section.clause.place,
        parent=section.path,
        part=part,
    )


def _name_of(clause: Clause) -> str:
    return clause.number or clause.heading
