"""From passages to pairs, by rule or by a model, until there are as many as are wanted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from benchwright.benchmarks.models.client import Client
from benchwright.builders.base import Progress
from benchwright.builders.wikieval.material import PairParts, Passage
from benchwright.builders.wikieval.models.asking import count_refused
from benchwright.builders.wikieval.models.by_model import STEPS, ByModel, make_by_model
from benchwright.builders.wikieval.rules.by_rule import pair_by_rule, pool_of
from benchwright.builders.wikieval.rules.facts import NO_OTHER
from benchwright.builders.wikieval.rules.questions import find_facts
from benchwright.builders.wikieval.rules.swaps import Pool
from benchwright.builders.wikieval.sections.candidates import values_of_sections
from benchwright.builders.wikieval.sections.questions import section_facts
from benchwright.builders.wikieval.sources.from_documents import CLAUSE
from benchwright.builders.wikieval.sources.other_pages import OtherPages

NO_QUESTION = "the model's questions could not be used"
NO_CHOICE = "no worse candidate could be made"
_ENOUGH = 20
"""Passages after which a model that gave no question that can be used is asked no further."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """What was made of passages."""

    parts: Sequence[PairParts]
    left_out: Mapping[str, int]
    """Why a passage that was looked at gave no pair → how many."""
    refused: Mapping[str, int]
    """What a model was asked for, and why it is not used → how often."""
    asked: Sequence[str] = ()
    """What a model was asked for."""


def make_pairs(passages: Sequence[Passage], wanted: int, seed: int, client: Client | None, progress: Progress) -> Pairs:
    """The first so many pairs that the passages give, in their order.

    Args:
        passages: with those whose facts take the place of others'.
        wanted: pairs.
        seed: decides what is drawn.
        client: asks the model of the role `writer`; None: rules make all.
        progress: told how many there are.

    Raises:
        StopError: the model cannot be asked any more; the replies that came are kept.
        Estimated: nothing is to be asked.
    """
    if client is None:
        return _by_rule(passages, wanted, seed, progress)
    return _by_model(passages, wanted, seed, client, progress)


def _by_model(passages: Sequence[Passage], wanted: int, seed: int, client: Client, progress: Progress) -> Pairs:
    """As many passages are asked about at once as pairs are lacking: how many are asked does not depend on chance."""
    found: list[PairParts] = []
    made: list[ByModel] = []
    queue = iter(passages)
    progress("pairs", 0, wanted)
    while len(found) < wanted and (some := list(islice(queue, wanted - len(found)))):
        for one in make_by_model(client, some, seed):
            made.append(one)
            if one.parts is not None and one.parts.has_choice:
                found.append(one.parts)
            progress("pairs", len(found), wanted)
        if not found and len(made) >= _ENOUGH:
            break
    asked = frozenset[str]().union(*(one.asked for one in made))
    return Pairs(
        found,
        {NO_QUESTION: len(made) - len(found)} if len(made) > len(found) else {},
        count_refused((each for one in made for each in one.refused), STEPS),
        [step for step in STEPS if step in asked],
    )


def _by_rule(passages: Sequence[Passage], wanted: int, seed: int, progress: Progress) -> Pairs:
    others, pages = _others(passages), OtherPages(passages)
    found: list[PairParts] = []
    left_out, asked_before = Counter[str](), Counter[str]()
    for may_lack in (False, True):  # pairs that lack a candidate are wanted only where there are too few others
        lacking: list[Passage] = []
        for passage in passages:
            if len(found) == wanted:
                break
            parts, reason = pair_by_rule(
                passage,
                seed,
                others=others,
                namesakes=_namesakes(passage),
                other_pages=pages.beside(passage, seed),
                asked_before=asked_before,
                may_lack=may_lack,
            )
            if parts is not None and parts.has_choice:
                found.append(parts)
            elif parts is not None:
                left_out[NO_CHOICE] += 1
            elif reason == NO_OTHER and not may_lack:
                lacking.append(passage)
            else:
                left_out[reason] += 1
            progress("pairs", len(found), wanted)
        passages = lacking
    return Pairs(found, left_out, {})


def _others(passages: Sequence[Passage]) -> Pool:
    """What facts of all passages can be swapped for."""
    if passages and CLAUSE in passages[0].metadata:
        return values_of_sections(fact for passage in passages for fact in section_facts(passage))
    return pool_of(fact for passage in passages for fact in find_facts(passage, _namesakes(passage))[0])


def _namesakes(passage: Passage) -> Sequence[str]:
    return passage.metadata.get("namesakes", ())


def how_made(pairs: Sequence[PairParts]) -> dict[str, int]:
    """`COLUMN by rule`, `COLUMN by model` → pairs, and `no COLUMN` → pairs that lack it."""
    counts = Counter[str]()
    for parts in pairs:
        columns: Mapping[str, Any] = {
            "question": parts.question,
            "answer": parts.answer,
            "ungrounded_answer": parts.ungrounded,
            "poor_answer": parts.poor,
            "context_v2": parts.context_v2,
        }
        counts.update(f"{name} by {one.how}" if one is not None else f"no {name}" for name, one in columns.items())
    return dict(sorted(counts.items()))
