"""Which elements of a gold answer an answer states, however long it is and whatever else it says."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from benchwright.benchmarks.metrics.answers import cues
from benchwright.benchmarks.metrics.answers.answer_text import read_answer_text
from benchwright.benchmarks.metrics.answers.answer_words import AnswerWords
from benchwright.benchmarks.metrics.answers.assertion import (
    Status,
    is_alias_asked_about,
    is_disputed,
    lists_candidates,
    restates,
    statuses_of,
)
from benchwright.benchmarks.metrics.answers.judged_answer import Asked, JudgedAnswer, beside
from benchwright.benchmarks.metrics.answers.mentions import Mention, find_mentions
from benchwright.benchmarks.metrics.answers.names import is_longer_name, is_relative
from benchwright.benchmarks.metrics.answers.near_matches import near_mentions
from benchwright.benchmarks.metrics.answers.other_words import in_other_words
from benchwright.benchmarks.metrics.answers.passing import is_in_passing
from benchwright.benchmarks.text.sentences import PROSE

Stated = Literal["full", "partial", "none"]
"""An element is asserted; named without being committed to, as a candidate or with a hedge; or neither."""

LONGEST = 400_000
"""Characters of an answer that are read."""
_SHORT, _PIECE = 300, 1_500
"""Characters of an answer that is read as one that names nothing else, and of a stretch that is read by itself."""


@dataclass(frozen=True, slots=True)
class StatedElements:
    """How an answer stands to each element."""

    found: Mapping[str, Stated]
    """Key of an element (see `Gold`) → how far it is stated."""
    undecided: frozenset[str]
    """Keys of elements that no rule finds, where the answer may give one of them in words that no rule knows."""


def stated_elements(answer: str, asked: Asked, *, is_alone: bool = False) -> StatedElements:
    """How far an answer states each element of a gold answer, read by the rules of `correct`.

    Other values beside an element take nothing from it: this is what an answer holds, and not whether it is right.
    Of more than 400,000 characters the first are read.

    Args:
        answer: what the system said.
        asked: the question and its gold answer.
        is_alone: a good answer names nothing but the gold answer, which in an answer of up to 300 characters does not
            count where it stands only in passing, after another name.
    """
    found: dict[str, Stated] = dict.fromkeys(asked.gold.keys, "none")
    undecided = False
    is_alone = is_alone and len(answer) <= _SHORT
    for piece in _pieces(answer[:LONGEST]):
        judged = beside(read_answer_text(piece), asked)
        mentions, is_undecided = _mentions(judged)
        undecided |= is_undecided
        for mention, how in _how(judged, mentions, is_alone=is_alone):
            for key in mention.keys & asked.gold.keys:
                if found[key] == "none" or how == "full":
                    found[key] = how
    missing = frozenset(key for key, how in found.items() if how == "none")
    return StatedElements(found, missing if undecided else frozenset())


def _pieces(answer: str) -> Iterator[str]:
    """An answer in pieces that end where a sentence does, if one ends in time: cues of one say nothing of another."""
    if len(answer) <= _PIECE:
        yield answer
        return
    start = end = 0
    for following in (*PROSE.starts(answer)[1:], len(answer)):
        if following - start > _PIECE and end > start:
            yield answer[start:end]
            start = end
        while following - start > _PIECE:
            cut = max(answer.rfind(",", start, start + _PIECE) + 1, answer.rfind("\n", start, start + _PIECE) + 1)
            cut = cut if cut > start else start + _PIECE
            yield answer[start:cut]
            start = cut
        end = following
    if start < len(answer):
        yield answer[start:]


def _mentions(judged: JudgedAnswer) -> tuple[list[Mention], bool]:
    """The gold values that an answer names; and whether one that it does not name may be paraphrased."""
    mentions = [each for each in find_mentions(judged) if not (each.is_gold and restates(judged, each))]
    if not any(each.is_gold for each in mentions):
        if judged.answer_text.says_nothing:
            return [], False
        near = [each for each in near_mentions(judged) if not restates(judged, each)]
        mentions = sorted([*mentions, *near], key=lambda each: each.start)
    if not judged.is_open:
        return mentions, False
    others = (is_relative, is_longer_name, is_alias_asked_about)
    mentions = [each for each in mentions if not any(is_other(judged, each) for is_other in others)]
    named = {key for each in mentions for key in each.keys}
    missing = [element for element in judged.gold.elements if element.key not in named]
    if not missing:
        return mentions, False
    found = in_other_words(judged, AnswerWords(judged), missing)
    is_undecided = found.is_undecided and not judged.abstains
    return sorted([*mentions, *found.mentions], key=lambda each: each.start), is_undecided


def _how(judged: JudgedAnswer, mentions: Sequence[Mention], *, is_alone: bool) -> Iterator[tuple[Mention, Stated]]:
    """Each gold value that an answer names, and how it stands to it."""
    gold = [each for each in mentions if each.is_gold]
    is_cued = bool(gold) and judged.is_cued
    unsure = is_cued and (cues.has("unsure", judged.lowered) or is_disputed(judged, gold[0]))
    is_single = is_alone and judged.is_open and len(judged.gold.elements) == 1 and bool(gold)
    passing = is_single and is_in_passing(judged, AnswerWords(judged), gold[0])
    for mention, status in zip(mentions, statuses_of(judged, mentions), strict=True):
        if mention.is_gold:
            yield (
                mention,
                _stated(status, is_candidate=unsure or lists_candidates(judged, mention, gold), is_aside=passing),
            )


def _stated(status: Status, *, is_candidate: bool, is_aside: bool) -> Stated:
    if status == "hedged" or (status == "asserted" and is_candidate):
        return "partial"
    return "full" if status == "asserted" and not is_aside else "none"
