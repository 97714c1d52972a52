"""The worse candidates of a question about a section: a fact swapped for one of another section, a part left out."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.text.words import content_words
from benchwright.builders.wikieval.contexts.wider_contexts import widen
from benchwright.builders.wikieval.material import Made, Neighbour, PairParts, Passage
from benchwright.builders.wikieval.rules.facts import NO_OTHER, Asked, Fact
from benchwright.builders.wikieval.rules.incomplete import make_incomplete
from benchwright.builders.wikieval.rules.swaps import Pool, swap
from benchwright.builders.wikieval.sections.main_clauses import read_clause, section_words
from benchwright.builders.wikieval.sections.questions import NOTHING, UNCLEAR, ask_section, section_facts
from benchwright.builders.wikieval.sources.document_passages import BETWEEN_PARAGRAPHS, full_sentences

ASKED_BEFORE = "what its sentences tell was asked of another section"
_ALIKE = 0.34
"""The share of the words of the shorter of two values that they share when they may say the same."""
_DANGLING = re.compile(r"\b(?:\w+ing|determine|check|indicate|show|say|specify|decide|see|know|which|whether)$")
"""An end after which more is expected."""
_TOLD = 0.6
"""The share of the words of a question or of its answer that a sentence has when it may answer."""
_CUT = re.compile(
    r",? (?:that|which|who|whose|where|for|by|with|when|if|unless|because|so that|without|after|before)\b"
)


def pair_of_section(
    passage: Passage,
    seed: int,
    others: Pool,
    other_pages: Sequence[Neighbour] = (),
    asked_before: Counter[str] | None = None,
    may_lack: bool = False,
) -> tuple[PairParts | None, str]:
    """The parts of a pair of a section of a document; else why there is none.

    Args:
        passage: a section of a document.
        seed: decides what is asked for, what is swapped and what is left out.
        others: see `values_of_sections`.
        other_pages: sentences of other sections, for a context whose own neighbours are too few.
        asked_before: how often each sort was asked of other sections; see `ask_section`.
        may_lack: whether a pair may come without an ungrounded answer, where no other value can take a fact's place.
    """
    before = Counter[str]() if asked_before is None else asked_before
    facts = section_facts(passage)
    new = [fact for fact in facts if not before[fact.asked_next]]
    if facts and not new:
        return None, ASKED_BEFORE
    usable = [fact for fact in new if swap_section([fact], passage, seed, others) is not None]
    if not usable and not (facts and may_lack):
        return None, NO_OTHER if facts else NOTHING
    asked, reason = _ask(passage, usable or new, seed, before)
    if asked is None:
        return None, reason
    before.update(name for fact in asked.facts for name in (fact.asked, fact.asked_next))
    ungrounded = make_ungrounded_section(asked, passage, seed, others)
    poor = cut_short(asked, passage, seed)
    near = replace(passage, neighbours=tuple(_that_tell_nothing(passage.neighbours, asked)))
    far = tuple(_that_tell_nothing(other_pages, asked))
    widened = widen(near, asked.question.text, [fact.value for fact in asked.facts], seed, others=far)
    return PairParts(passage, asked.question, asked.answer, ungrounded, poor, widened), ""


def _ask(passage: Passage, facts: Sequence[Fact], seed: int, before: Counter[str]) -> tuple[Asked | None, str]:
    """The first question whose answer can leave a part out; where there is none, the first of all."""
    first, reason = ask_section(passage, facts, seed, before)
    asked = first
    while asked is not None:
        if cut_short(asked, passage, seed) is not None:
            return asked, ""
        facts = [fact for fact in facts if fact not in asked.facts]
        asked, _ = ask_section(passage, facts, seed, before)
    return first, reason


def values_of_sections(facts: Iterable[Fact]) -> Pool:
    """What can be put in the place of a fact: the values of its sort; figures and dates are moved, not taken."""
    found: dict[str, dict[str, None]] = {}
    for fact in facts:
        if fact.kind == "name":
            found.setdefault(fact.asked, {})[fact.value] = None
    return {sort: tuple(values) for sort, values in found.items()}


def make_ungrounded_section(asked: Asked, passage: Passage, seed: int, others: Pool) -> Made | None:
    """The answer with every fact swapped; None where a fact has no other of its sort."""
    values = swap_section(asked.facts, passage, seed, others)
    if values is None:
        return None
    swapped = [{"from": fact.value, "to": value} for fact, value in zip(asked.facts, values, strict=True)]
    return Made(swapped_section(asked, values), "rule", {"swapped": swapped})


def swapped_section(asked: Asked, values: Sequence[str]) -> str:
    """The answer with other values in the place of its facts'."""
    return " ".join(_swapped(fact, value) for fact, value in zip(asked.facts, values, strict=True))


def swap_section(facts: Sequence[Fact], passage: Passage, seed: int, others: Pool) -> tuple[str, ...] | None:
    """Other values for the facts of an answer, in their order; None where one of them has no other of its sort."""
    found: list[str] = []
    for fact in facts:
        if fact.kind == "name":
            ways = _others(fact, passage, seed, others)
        else:
            moved = swap([fact], passage.text, seed)
            ways = iter(() if moved is None else moved)
        value = next((way for way in ways if way not in found), None)
        if value is None:
            return None
        found.append(value)
    return tuple(found)


def cut_short(asked: Asked, passage: Passage, seed: int) -> Made | None:
    """An answer that leaves a part out: one of two facts, the end of one, or a sentence that tells something else.

    None where a section has none. The detail is that of `make_incomplete`.
    """
    fact, *others = asked.facts
    if others:
        return make_incomplete(asked, seed)
    detail = {"left_out": [fact.question], "kept": list[str]()}
    for match in _CUT.finditer(fact.value):
        said = re.sub(r",? (?:and|or)$", "", fact.value[: match.start()])
        is_whole = said.count("(") == said.count(")") and not _DANGLING.search(said) and len(content_words(said)) >= 2
        if fact.kind == "name" and is_whole and fact.statement.endswith(f"{fact.value}."):
            return Made(f"{fact.statement.removesuffix(f'{fact.value}.')}{said}.", "rule", detail)
    own = [each for text in passage.text.split(BETWEEN_PARAGRAPHS) for each in full_sentences(text)]
    apart = [each for each in own if each != fact.statement and not states([plain(each)], [fact.value])]
    clear = [
        each
        for each in apart
        if not UNCLEAR.search(each)
        and read_clause(each) is not None
        and not {*re.findall(r"[a-z]+", each.lower())} & section_words("pointing")
    ]
    if not clear:
        return None
    return Made(min(clear, key=lambda each: rank(seed, "beside", asked.question.text, each)), "rule", detail)


def _swapped(fact: Fact, value: str) -> str:
    pattern = rf"(?<!\w){re.escape(fact.value)}(?!\w)"
    return re.sub(pattern, lambda _: value, fact.statement, count=1)


def _others(fact: Fact, passage: Passage, seed: int, others: Pool) -> Iterator[str]:
    """The values of the same sort that a section does not state, first those that have to do with it."""
    own, near = set(content_words(fact.value)), set(content_words(passage.text))
    held = plain(passage.text)
    length = len(fact.value.split())

    def order(value: str) -> tuple[int, bytes]:
        return -min(2, len(set(content_words(value)) & near - own)), rank(seed, "swap", fact.question, value)

    alike = [value for sort, values in others.items() if _group(sort) == _group(fact.asked) for value in values]
    for value in (*sorted(others.get(fact.asked, ()), key=order), *sorted(alike, key=order)):
        said = set(content_words(value))
        is_alike = not said or len(said & own) > _ALIKE * min(len(said), len(own))
        if not is_alike and 0.4 <= len(value.split()) / length <= 2.5 and not states([held], [value]):
            yield value


def _group(sort: str) -> str:
    """Sorts whose values can stand in each other's places where a folder has too few of one."""
    first = sort.split()[0]
    if first in ("can", "may", "will", "must", "should", "shall", "told"):
        return "actions"
    return first if first in ("is", "are") else sort


def _that_tell_nothing(neighbours: Iterable[Neighbour], asked: Asked) -> Iterator[Neighbour]:
    """The neighbours that do not speak of what is asked for: they could answer in other words."""
    told = [set(content_words(text)) for fact in asked.facts for text in (fact.asked_next, fact.value)]
    for neighbour in neighbours:
        said = [set(content_words(sentence)) for sentence in neighbour.sentences]
        if not any(len(words & each) > _TOLD * len(each) for words in said for each in told if each):
            yield neighbour
