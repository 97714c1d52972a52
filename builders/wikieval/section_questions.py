"""A question about a section of a document and its grounded answer by rule: a figure or a date is asked for.

A section names no subject as an introduction does. So the sentence stays as it is, what it tells is asked for in its
place, and the question names the section: "According to …, each employee has how many days of leave in a year?".
"""

import itertools
import re
from collections.abc import Iterator, Sequence

from benchwright.benchmarks.grounding.evidence import plain
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.text.dates import MONTHS
from benchwright.benchmarks.text.numbers import SMALL
from benchwright.benchmarks.text.words import STOP_WORDS
from benchwright.builders.wiki.questions.vocabulary import AnswerKind
from benchwright.builders.wikieval.document_passages import BETWEEN_HEADINGS, full_sentences
from benchwright.builders.wikieval.facts import Asked, Fact
from benchwright.builders.wikieval.material import Made, Passage
from benchwright.builders.wikieval.paper_rules import broken_rules

NOTHING = "no sentence has a figure or a date that could be asked for by itself"
_MOST_WORDS = 28
"""Words of a sentence that is asked about, so that two fit into one question."""
_MONTH = "|".join(MONTHS)
_COUNTED = r"[a-z]{2,}[^\Wsu_0-9]s|km|cm|mm|kg|ms|kHz|MHz|GHz|kW|GB|MB"
"""What a number counts: a plural, or the sign of a unit."""
_FORMS: tuple[tuple[str, str, AnswerKind], ...] = (
    (rf"(?<=\bon ){{value}}\d{{1,2}} (?:{_MONTH}) \d{{4}})", "which date", "date"),
    (rf"(?<=\bin ){{value}}(?:{_MONTH}) \d{{4}})", "which month", "date"),
    (r"(?<=\bin ){value}(?:19|20)\d\d)(?=[ .,]|$)", "which year", "date"),
    (r"(?<![\w.,-]){value}\d+(?:\.\d+)? ?(?:%|percent|per cent))(?!\w)", "what percentage", "number"),
    (
        rf"(?<![\w.,-]){{value}}\d{{1,3}}(?:,\d{{3}})+|\d+(?:\.\d+)?)(?= (?:{_COUNTED})\b)",
        "how many",
        "number",
    ),
    (rf"(?i:\b{{value}}{'|'.join(SMALL[2:])}))(?= (?:{_COUNTED})\b)", "how many", "number"),
)
"""What tells a fact, what asks for it in its place, and its kind."""
_AFTER = re.compile(
    r"\b(?:an?|to|and|or|between|clauses?|sections?|tables?|figures?|versions?|steps?|lines?|pages?|parts?|annex|of the"
    r"|these|those|the|both|first|last|next|other|all|one|about|than|same)\s$",
    re.IGNORECASE,
)
"""Words after which a number is a name, one end of a range, or a count of what was told before."""
_UNCLEAR = re.compile(
    r"^(?:it|its|this|that|these|those|they|their|he|she|such|here|there|however|otherwise|therefore|thus|also|but|and"
    r"|or|so|then|both|the (?:other|former|latter|same)|for example|in addition|we|our|you|your|i|my)\b"
    r"|[\[\]{}|<>:;=\"“”?]|\b(?:above|below|following)\b",
    re.IGNORECASE,
)
"""What makes a sentence hard to read without those before it."""


def ask_section(passage: Passage, facts: Sequence[Fact], seed: int) -> tuple[Asked | None, str]:
    """The question of a section, of two facts of two sentences where there are two; else why there is none.

    Args:
        passage: a section of a document.
        facts: those that may be asked for: see `section_facts`.
        seed: decides among the questions that are possible.
    """
    pairs = [pair for pair in itertools.combinations(facts, 2) if _go_together(*pair)]
    ways: list[tuple[Fact, ...]] = sorted(
        [*pairs, *((fact,) for fact in facts)],
        key=lambda way: (-len(way), rank(seed, "wikieval section", passage.text, *(one.question for one in way))),
    )
    reason = NOTHING
    for way in ways:
        question = f"According to {_called(passage)}, {', and '.join(one.asked_next for one in way)}?"
        answer = " ".join(one.statement for one in way)
        if broken := broken_rules(question, answer, passage.text, [one.value for one in way]):
            reason = broken[0]
            continue
        detail = {"facts": [one.as_row() for one in way]}
        return Asked(Made(question, "rule", detail), Made(answer, "rule", detail), way, ""), ""
    return None, reason


def section_facts(passage: Passage) -> tuple[Fact, ...]:
    """The figures and dates that a section's sentences tell, at most one of each sentence."""
    found = []
    for paragraph in passage.text.split("\n\n"):
        for sentence in full_sentences(paragraph):
            if len(sentence.split()) <= _MOST_WORDS and not _UNCLEAR.search(sentence) and sentence.endswith("."):
                found.extend(itertools.islice(_facts(sentence, passage), 1))
    return tuple(found)


def _facts(sentence: str, passage: Passage) -> Iterator[Fact]:
    for pattern, asks, kind in _FORMS:
        for match in re.finditer(pattern.replace("{value}", "(?P<value>"), sentence):
            if _AFTER.search(sentence[: match.start()]) or match.start() == 0:
                continue
            value = match["value"]
            asked = f"{sentence[: match.start()]}{asks}{sentence[match.end() :]}"[:-1]
            if re.search(rf"(?<!\w){re.escape(plain(value))}(?!\w)", plain(asked)):
                continue
            begun = _begun(asked, passage.text)
            whole = f"According to {_called(passage)}, {begun}?"
            yield Fact(whole, begun, value, kind, sentence, sentence, begun)


def _called(passage: Passage) -> str:
    """What a question calls a section: its document's title and its own heading; one of a word with that above it."""
    first, *headings = passage.title.split(BETWEEN_HEADINGS)
    last = headings[-2:] if headings and " " not in headings[-1] else headings[-1:]
    named = ": ".join(filter(None, (first, ", ".join(last))))
    return '"' + re.sub(r"[\"“”?\[\]{}|<>]", "", named) + '"'


def _begun(sentence: str, text: str) -> str:
    """A sentence as it goes on after a comma: a first word that is a name keeps its capital."""
    first = re.match(r"[^\W\d_]+", sentence)
    if first is None:
        return sentence
    small = first[0][:1].lower() + first[0][1:]
    is_common = (small in STOP_WORDS and small not in _NAMES_TOO) or re.search(
        rf"(?<!\w){re.escape(small)}(?!\w)", text
    )
    return small + sentence[first.end() :] if is_common else sentence


_NAMES_TOO = ("may", "us", "will")
"""Function words that are names when they have a capital."""


def _go_together(first: Fact, second: Fact) -> bool:
    """Whether two facts can be asked for in one question: neither tells the other."""
    return (
        first.statement != second.statement
        and plain(first.value) not in plain(second.statement)
        and plain(second.value) not in plain(first.statement)
    )
