"""The outcome of a free-text answer against a short factual gold answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from benchwright.benchmarks.metrics.answers import cues
from benchwright.benchmarks.metrics.answers.answer_text import Said, read_said
from benchwright.benchmarks.metrics.answers.assertion import (
    Status,
    belongs_elsewhere,
    in_question,
    lists_candidates,
    restates,
    statuses_of,
)
from benchwright.benchmarks.metrics.answers.boolean import parse_boolean, read_boolean
from benchwright.benchmarks.metrics.answers.judged_answer import Reading, indexes_of, read_answer
from benchwright.benchmarks.metrics.answers.mentions import Mention, find_mentions
from benchwright.benchmarks.metrics.answers.near_matches import near_mentions
from benchwright.benchmarks.metrics.answers.values import Gold, Hit, Values, read_gold, scan, word_lists
from benchwright.benchmarks.types import AnswerType

Outcome = Literal["correct", "wrong", "abstained", "unscored"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an answer is, and the rule that said so."""

    outcome: Outcome
    reason: str


CORRECT = Judgement("correct", "names the gold answer and no other value")
EMPTY = Judgement("wrong", "the answer is empty")
NO_GOLD = Judgement("unscored", "the question has no gold answer")
ABSTAINED = Judgement("abstained", "says that the answer is not known")
NOT_FOUND = Judgement("wrong", "does not name the gold answer")
INCOMPLETE = Judgement("wrong", "names only a part of the gold answer")
OTHER = Judgement("wrong", "names another value")
BESIDES = Judgement("wrong", "names another value besides the gold answer")
DENIED = Judgement("wrong", "names the gold answer only to deny it or date it back")
HEDGED = Judgement("wrong", "does not commit itself to the gold answer")
CANDIDATES = Judgement("wrong", "lists candidates")
RESTATED = Judgement("wrong", "names the gold answer only in the question's words")

NO_VALUES = Values()


def _weigh(reading: Reading, mentions: Sequence[Mention]) -> Judgement | None:
    """The outcome that the values named decide, or none where no gold value and no other is asserted."""
    told = list(zip(mentions, statuses_of(reading, mentions), strict=True))
    gold = [mention for mention, status in told if mention.is_gold and status == "asserted"]
    others = [(mention, status) for mention, status in told if not mention.is_gold]
    if not gold:
        return _without_gold(reading, told)
    for mention, status in others:
        candidate = status == "asserted" or (status == "hedged" and mention.start > gold[0].start)
        if candidate and not belongs_elsewhere(reading, mention, gold):
            return BESIDES
    if not reading.gold.keys.issubset(key for mention in gold for key in mention.keys):
        return INCOMPLETE
    if not reading.is_cued:
        return CORRECT
    if cues.has("unsure", reading.lowered):
        return HEDGED
    every = [mention for mention in mentions if mention.is_gold]
    if any(lists_candidates(reading, mention, every) for mention in gold):
        return CANDIDATES
    return CORRECT


def _without_gold(reading: Reading, told: Sequence[tuple[Mention, Status]]) -> Judgement | None:
    asserted = [
        mention
        for mention, status in told
        if not mention.is_gold and status in ("asserted", "hedged") and not in_question(reading, mention)
    ]
    if asserted:
        return OTHER
    reasons = {status for mention, status in told if mention.is_gold}
    if reading.abstains and reasons <= {"aside", "denied"}:
        return None
    for status, judgement in (("hedged", HEDGED), ("denied", DENIED), ("past", DENIED)):
        if status in reasons:
            return judgement
    return None


def _judge_plainly(said: Said, question: str, gold: Gold, values: Values) -> Judgement | None:
    """The outcome of an answer that needs no closer look: what `judge_closely` would say, or none.

    It names nothing that could be the gold answer, or it names that alone and no word in it could change its sense.
    """
    typed = values.dates or values.numbers or gold.values.dates or gold.values.numbers
    if typed and said.has_figures:
        return None
    hits = scan(said.words, *indexes_of(gold, values))
    if not any(hit.form.keys & gold.keys for hit in hits):
        if (hits and said.is_cued) or gold.countries or typed or any(part in said.lowered for part in gold.beginnings):
            return None
        if hits:
            return OTHER
        abstained = said.says_nothing or (said.is_cued and said.kept.abstains)
        return ABSTAINED if abstained else NOT_FOUND
    return CORRECT if not said.is_cued and _is_plain(said, question, gold, hits) else None


def _is_plain(said: Said, question: str, gold: Gold, hits: Sequence[Hit]) -> bool:
    """Whether nothing but gold values is named, with no word next to one that could make another value of it."""
    changes, asked = word_lists("changes"), question.lower()
    text, lowered, found = said.text, said.lowered, said.words
    named: set[str] = set()
    for hit in hits:
        form = hit.form
        if not form.keys <= gold.keys or form.exact or form.words[0] in asked or (form.capital and "," in lowered):
            return False
        if hit.first and found[hit.first - 1] in changes["before"]:
            return False
        if hit.last < len(found) and (found[hit.last] in changes["after"] or found[hit.last] == "a"):
            return False
        if form.capital and form.words[0].capitalize() not in text and form.words[0].upper() not in text:
            return False
        named |= form.keys
    return named == gold.keys and "-" not in lowered and _no_school(found, hits[-1].last)


def _no_school(found: Sequence[str], last: int) -> bool:
    return word_lists("changes")["schools"].isdisjoint(found[last + 1 : last + 3])


def _judge_boolean(lowered: str, wanted: bool) -> Judgement:
    said = read_boolean(lowered)
    if said is None:
        hedges = cues.has("hedged_before", lowered)
        return ABSTAINED if cues.says_nothing(lowered) or (cues.abstains(lowered) and not hedges) else NOT_FOUND
    if cues.has("unsure", lowered) or cues.is_hedged(lowered[:200], ""):
        return HEDGED
    return Judgement("correct", "says the same") if said == wanted else Judgement("wrong", "says the opposite")


def judge_answer(
    answer: str,
    *,
    question: str,
    answers: tuple[str, ...],
    aliases: tuple[tuple[str, ...], ...] = (),
    answer_type: AnswerType = "one",
    values: Values = NO_VALUES,
) -> Judgement:
    """Judge a free-text answer against short factual gold answers, by rules.

    Args:
        answer: what the system said; of more than 20,000 characters the first 20,000 are judged.
        question: its wording; what it names does not count as an answer.
        answers: the required elements: one, or all members of a set.
        aliases: other accepted forms, parallel to `answers`.
        answer_type: one, set, boolean, or none, which is unscored.
        values: the other answers of the template, from `prepare_values`; empty, nothing can be confused.

    Every required element must be asserted, and no other value of the template besides. A value is not asserted where
    it is denied, dated back, hedged, only repeats the question, or stands in a sentence that says nothing is known.
    An empty answer is wrong here: whether it was meant as abstaining, only the caller knows.
    """
    if answer_type == "none" or not answers:
        return NO_GOLD
    if not answer.strip():
        return EMPTY
    said = read_said(answer)
    wanted = parse_boolean(answers[0]) if answer_type == "boolean" else None
    if wanted is not None:
        return _judge_boolean(said.lowered, wanted)
    gold = read_gold(answers, aliases)
    return _judge_plainly(said, question, gold, values) or _judge_by_every_rule(said, question, gold, values)


def judge_closely(
    text: str, lowered: str, question: str, gold: Gold, values: Values, *, is_cued: bool | None = None
) -> Judgement:
    """The outcome of a cleaned and lowered answer, by every rule; `is_cued` is for tests."""
    return _judge_by_every_rule(Said(text, lowered), question, gold, values, is_cued)


def _judge_by_every_rule(
    said: Said, question: str, gold: Gold, values: Values, is_cued: bool | None = None
) -> Judgement:
    reading = read_answer(said, question, gold, values, is_cued=is_cued)
    named = find_mentions(reading)
    mentions = [mention for mention in named if not (mention.is_gold and restates(reading, mention))]
    if not any(mention.is_gold for mention in mentions):
        if said.says_nothing:
            return ABSTAINED
        near = [mention for mention in near_mentions(reading) if not restates(reading, mention)]
        mentions = sorted([*mentions, *near], key=lambda mention: mention.start) if near else mentions
    decided = _weigh(reading, mentions) if mentions else None
    if decided is not None:
        return decided
    if reading.abstains:
        return ABSTAINED
    return RESTATED if len(mentions) < len(named) else NOT_FOUND
