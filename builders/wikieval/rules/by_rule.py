"""The parts of a pair by rule alone: every candidate is worse than what it is held against by construction."""

from collections import Counter
from collections.abc import Iterable, Sequence

from benchwright.builders.wikieval.contexts.wider_contexts import widen
from benchwright.builders.wikieval.material import Neighbour, PairParts, Passage
from benchwright.builders.wikieval.rules.facts import NO_OTHER, Fact
from benchwright.builders.wikieval.rules.incomplete import make_incomplete
from benchwright.builders.wikieval.rules.questions import ask, find_facts
from benchwright.builders.wikieval.rules.swaps import Pool, has_the, swap
from benchwright.builders.wikieval.rules.ungrounded import make_ungrounded
from benchwright.builders.wikieval.sections.candidates import pair_of_section
from benchwright.builders.wikieval.sources.from_documents import CLAUSE


def pair_by_rule(
    passage: Passage,
    seed: int,
    *,
    others: Pool | None = None,
    namesakes: Sequence[str] = (),
    other_pages: Sequence[Neighbour] = (),
    asked_before: Counter[str] | None = None,
    may_lack: bool = False,
) -> tuple[PairParts | None, str]:
    """The parts of a pair of a passage; else why there is none.

    Args:
        passage: a text whose title names its subject, or a section of a document.
        seed: decides which facts are asked for, what they are swapped for, and what is left out.
        others: the answers of other pages: see `pool_of`.
        namesakes: titles of other pages that share its name, from which the question must tell it apart.
        other_pages: sentences of other pages, for a context whose own neighbours are too few.
        asked_before: how often each kind of fact was asked of other pages; see `ask`.
        may_lack: whether a pair may come without an ungrounded answer, where no other fact can take a fact's place.
    """
    if CLAUSE in passage.metadata:
        return pair_of_section(passage, seed, others or {}, other_pages, asked_before, may_lack)
    facts, reason = find_facts(passage, namesakes)
    if not facts:
        return None, reason
    usable = [fact for fact in facts if swap([fact], passage.text, seed, others) is not None]
    if not usable and not may_lack:
        return None, NO_OTHER
    asked, reason = ask(passage, usable or facts, seed, asked_before)
    if asked is None:
        return None, reason
    ungrounded = make_ungrounded(asked, passage, seed, others)
    poor = make_incomplete(asked, seed)
    told = [fact.value for fact in asked.facts]
    widened = widen(passage, asked.question.text, told, seed, others=other_pages)
    return PairParts(passage, asked.question, asked.answer, ungrounded, poor, widened), ""


def pool_of(facts: Iterable[Fact]) -> Pool:
    """The answers to each kind of question, of the facts of all pages; dates and numbers are moved, not taken."""
    found: dict[str, list[str]] = {}
    for fact in facts:
        if fact.kind not in ("date", "number"):
            article = "the " if has_the(fact) else ""
            found.setdefault(fact.asked, []).append(article + fact.value)
    return found
