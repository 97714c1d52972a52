"""A question about a section of a document and its grounded answer by rule: the answer is one or two of its sentences.

A section names no subject as an introduction does. So the question names the section: "According to "Staff handbook:
Holidays", how many days of leave does each employee have in a year?".
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from benchwright.benchmarks.grounding.evidence import plain
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.text.words import content_words, stem
from benchwright.builders.wikieval.material import Made, Passage
from benchwright.builders.wikieval.rules.facts import Asked, Fact
from benchwright.builders.wikieval.rules.paper_rules import broken_rules
from benchwright.builders.wikieval.sections.figures import figures
from benchwright.builders.wikieval.sections.found import Found
from benchwright.builders.wikieval.sections.main_clauses import read_clause, section_words
from benchwright.builders.wikieval.sections.statements import instructions, is_sensible, statements
from benchwright.builders.wikieval.sources.document_passages import BETWEEN_HEADINGS, BETWEEN_PARAGRAPHS, full_sentences

NOTHING = "no sentence tells by itself what could be asked for"
_NEGATED = re.compile(r"\b(?:not|cannot|never)\b|n[’']t\b")
_LESS = ("can", "will", "may", "have")
"""Sorts of questions that are asked where there is no other: "what can … do"."""
_MOST_WORDS = 32
"""Words of a sentence that is asked about, so that two fit into one question."""
_MOST_ASKED = 20
"""Words of a question without its section."""
UNCLEAR = re.compile(
    r"^(?:it|its|this|that|these|those|they|their|he|she|such|here|there|however|otherwise|therefore|thus|also|but|and"
    r"|or|so|then|both|the (?:other|former|latter|same)"
    r"|for example|for instance|in addition|we|our|your|i|my|let[’']s"
    r"|(?:with|in|by|for|on|to|of|from) (?:it|this|that|these|them)"
    r"|note|remember|recall|first|next|finally|now|again|instead|similarly)\b"
    r"|[\[\]{}|<>:;=\"“”?*…]|\b(?:above|below|following)\b",
    re.IGNORECASE,
)
"""What makes a sentence hard to read without those before it."""


def ask_section(
    passage: Passage, facts: Sequence[Fact], seed: int, asked_before: Counter[str] | None = None
) -> tuple[Asked | None, str]:
    """The question of a section, of two facts of two sentences where there are two; else why there is none.

    Args:
        passage: a section of a document.
        facts: those that may be asked for: see `section_facts`.
        seed: decides among the questions that are possible.
        asked_before: how often each sort was asked of other sections: what was asked least comes first.
    """
    before = Counter[str]() if asked_before is None else asked_before
    pairs = [pair for pair in itertools.combinations(facts, 2) if _go_together(*pair)]
    ways: list[tuple[Fact, ...]] = sorted(
        [*pairs, *((fact,) for fact in facts)],
        key=lambda way: (
            -len(way),
            sum(one.asked in _LESS for one in way),
            sum(before[one.asked] for one in way),
            rank(seed, "wikieval section", passage.text, *(one.question for one in way)),
        ),
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
    """What a section's sentences tell, in the order of its text."""
    found: dict[str, Fact] = {}
    for paragraph in passage.text.split(BETWEEN_PARAGRAPHS):
        for sentence in full_sentences(paragraph):
            if len(sentence.split()) <= _MOST_WORDS and not UNCLEAR.search(sentence) and sentence.endswith("."):
                for one in _found(sentence, passage):
                    whole = f"According to {_called(passage)}, {one.asked}?"
                    found.setdefault(
                        one.asked,
                        Fact(
                            question=whole,
                            asked=one.sort,
                            value=one.value,
                            kind=one.kind,
                            statement=sentence,
                            follows=sentence,
                            asked_next=one.asked,
                        ),
                    )
    return tuple(found.values())


def _found(sentence: str, passage: Passage) -> Iterator[Found]:
    clause = read_clause(sentence)
    found: Iterable[Found] = ()
    if clause is None:
        found = instructions(sentence)
    elif _NEGATED.search(f"{clause.verb} {clause.rest[:20]}") is None:
        inside = clause.inside(passage.text)
        is_named = _is_named(clause.subject, passage.title)
        found = itertools.chain(figures(sentence, inside), statements(sentence, inside) if is_named else ())
    for one in found:
        is_once = len(re.findall(rf"(?<!\w){re.escape(one.value)}(?!\w)", sentence)) == 1
        is_told = re.search(rf"(?<!\w){re.escape(plain(one.value))}(?!\w)", plain(one.asked)) is not None
        if is_once and not is_told and len(one.asked.split()) <= _MOST_ASKED and is_sensible(one):
            yield one


def _is_named(subject: str, title: str) -> bool:
    """Whether a subject is more than "the function", which the sentences before it tell; a title tells it too."""
    bare = re.fullmatch(r"[Tt]he (?:optional |new |resulting )?([a-z]+)", subject)
    return bare is None or bare[1] not in section_words("vague") or stem(bare[1]) in content_words(title)


def _called(passage: Passage) -> str:
    """What a question calls a section: its document's title and its own heading; one of a word with that above it."""
    first, *headings = passage.title.split(BETWEEN_HEADINGS)
    last = headings[-2:] if headings and " " not in headings[-1] else headings[-1:]
    last = [each for each in last if plain(each) not in plain(first)]
    named = ": ".join(filter(None, (first, ", ".join(last))))
    named = re.sub(r"(?<=\w)\([^()]*\)", "()", named)
    return '"' + " ".join(re.sub(r"[\"“”?\[\]{}|<>]|[^\S ]", " ", named).split()) + '"'


def _go_together(first: Fact, second: Fact) -> bool:
    """Whether two facts can be asked for in one question: they are of two sorts, and neither tells the other."""
    return (
        first.asked != second.asked
        and first.statement != second.statement
        and plain(first.value) not in plain(f"{second.statement} {second.asked_next}")
        and plain(second.value) not in plain(f"{first.statement} {first.asked_next}")
    )
