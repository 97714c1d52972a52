"""What is asked of the documents of a build: all that the patterns give, and of it what the quotas choose."""

import pickle
from array import array
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.hashing import short_hash
from benchwright.builders.base import Progress
from benchwright.builders.telequad.offsets import QUOTES, Quotes
from benchwright.builders.telequad.questions.asked import Asked, Pattern, Specification
from benchwright.builders.telequad.questions.patterns import PATTERNS
from benchwright.builders.telequad.quotas import Candidate, Quotas, choose
from benchwright.builders.telequad.reading import ReadDocuments
from benchwright.builders.telequad.rows import group_of, wrong_with

TWICE = "asked before in the same words, with the same answer"
OTHERWISE = "asked in the same words with another answer"
BEYOND = "beyond the quotas of groups, documents and clauses"
TRAINED = "of training, whose section stands word for word in a document of the test"
"""Why groups are not asked."""


@dataclass
class Found:
    """What the patterns gave."""

    folder: Path
    """Where it waits."""
    candidates: list[Candidate] = field(default_factory=list)
    """Of each document no more than the quotas would choose if it were the only one."""
    texts: list["array[int]"] = field(default_factory=list)
    """Of each document a hash of the words of each section."""
    given: Counter[str] = field(default_factory=Counter)
    """Pattern → semantic groups that it gave."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Why groups are not asked → how many."""

    def groups(self, place: int, chosen: Collection[str]) -> Sequence[tuple[str, Asked]]:
        """The chosen groups of the document at a place, with their ids, in the order of patterns and document."""
        with (self.folder / f"asked-{place}").open("rb") as file:
            return [each for each in pickle.load(file) if each[0] in chosen]


def parse_patterns(text: str) -> Mapping[str, Pattern]:
    """The patterns that a list names, in the order of PATTERNS; all of them where it is empty.

    Raises:
        UsageError: there is none of a name.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in PATTERNS:
            raise UsageError(f"patterns={text}: there is no pattern {name!r}: choose from {', '.join(PATTERNS)}")
    return {name: pattern for name, pattern in PATTERNS.items() if not names or name in names}


def ask_all(
    read: ReadDocuments,
    patterns: Mapping[str, Pattern],
    folder: Path,
    progress: Progress,
    quotas: Quotas,
    seed: int,
    most_quoted: int = 0,
) -> Found:
    """Asks each document for all that the patterns can ask, one document in memory at a time.

    Args:
        read: the documents.
        patterns: what is asked about.
        folder: an empty one, for what waits.
        progress: told how many documents were asked.
        quotas: what is chosen of each document.
        seed: decides what is.
        most_quoted: words in a row that a question or an answer may have of its document; 0: any number.
    """
    found = Found(folder)
    for place in range(len(read.documents)):
        progress("questions", place, len(read.documents))
        specification = read.specification(place)
        asked = _quoting_little(specification, _unambiguous(specification, patterns, found), most_quoted, found)
        texts = array("Q", (_words(section.text) for section in specification.sections))
        given = [Candidate(place, each.pattern, group, each.context, texts[each.context]) for group, each in asked]
        kept = choose(given, quotas, seed)
        found.left_out[BEYOND] += len(given) - len(kept)
        found.candidates += kept
        found.texts.append(texts)
        groups = {each.group for each in kept}
        with (folder / f"asked-{place}").open("wb") as file:
            pickle.dump([each for each in asked if each[0] in groups], file, protocol=pickle.HIGHEST_PROTOCOL)
    progress("questions", len(read.documents), len(read.documents))
    return found


def chosen_groups(found: Found, training: Collection[int], quotas: Quotas, seed: int) -> list[Candidate]:
    """The groups that the quotas choose; counts the others.

    Args:
        found: what there is.
        training: places of the documents whose questions are for training: none is asked whose section stands in
            another document, word for word.
        quotas: of all documents together.
        seed: decides what is chosen.
    """
    tested = {text for place, texts in enumerate(found.texts) if place not in training for text in texts}
    fit = [each for each in found.candidates if each.document not in training or each.text not in tested]
    found.left_out[TRAINED] += len(found.candidates) - len(fit)
    chosen = choose(fit, quotas, seed)
    found.left_out[BEYOND] += len(fit) - len(chosen)
    return chosen


def _unambiguous(
    specification: Specification, patterns: Mapping[str, Pattern], found: Found
) -> list[tuple[str, Asked]]:
    """The groups of a document whose words mean one question with one answer."""
    kept: list[tuple[str, Asked] | None] = []
    places: dict[str, int] = {}
    for pattern in patterns.values():
        for asked in pattern(specification):
            found.given[asked.pattern] += 1
            if wrong := wrong_with(specification, asked):
                found.left_out[wrong] += 1
                continue
            words = {" ".join(text.casefold().split()) for texts in asked.wordings.values() for text in texts}
            before = {places[each] for each in words if each in places}
            same = [kept[each] for each in before]
            if before:
                answer = _answer(specification, asked)
                is_same = all(each is not None and _answer(specification, each[1]) == answer for each in same)
                found.left_out[TWICE if is_same else OTHERWISE] += 1
                if not is_same:
                    found.left_out[OTHERWISE] += sum(each is not None for each in same)
                    for each in before:
                        kept[each] = None
                    places |= dict.fromkeys(words, min(before))
                continue
            places |= dict.fromkeys(words, len(kept))
            kept.append((group_of(specification, asked), asked))
    return [each for each in kept if each is not None]


def _quoting_little(
    specification: Specification, groups: list[tuple[str, Asked]], most: int, found: Found
) -> list[tuple[str, Asked]]:
    """The groups that quote no more of the document than may be; counts the others."""
    if not most:
        return groups
    quotes, kept = Quotes.of(specification, most), []
    for group, asked in groups:
        section = specification.sections[asked.context]
        is_named_by_heading = not section.clause.number and quotes.is_long(section.clause.heading)
        within = None if is_named_by_heading else quotes.within(asked, section.text)
        if within is None:
            found.left_out[QUOTES] += 1
        else:
            kept.append((group, within))
    return kept


def _words(text: str) -> int:
    return int(short_hash([" ".join(text.split())]), 16)


def _answer(specification: Specification, asked: Asked) -> str:
    text = specification.sections[asked.context].text
    return " ".join(text[asked.answers[0].start : asked.answers[0].end].split()).casefold() if asked.answers else ""
