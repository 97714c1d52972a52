"""The outcome of a free-text answer against a short factual gold answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from benchwright.benchmarks.metrics.answers import cues
from benchwright.benchmarks.metrics.answers.answer_text import read_answer_text
from benchwright.benchmarks.metrics.answers.answer_words import AnswerWords
from benchwright.benchmarks.metrics.answers.assertion import (
    Status,
    belongs_elsewhere,
    in_question,
    is_alias_asked_about,
    is_disputed,
    lists_candidates,
    restates,
    statuses_of,
)
from benchwright.benchmarks.metrics.answers.boolean import parse_boolean, read_boolean
from benchwright.benchmarks.metrics.answers.gold import Element, read_gold
from benchwright.benchmarks.metrics.answers.judged_answer import Asked, JudgedAnswer, asked_with, beside
from benchwright.benchmarks.metrics.answers.mentions import Mention, find_mentions
from benchwright.benchmarks.metrics.answers.names import is_longer_name, is_relative
from benchwright.benchmarks.metrics.answers.near_matches import near_mentions
from benchwright.benchmarks.metrics.answers.other_words import in_other_words
from benchwright.benchmarks.metrics.answers.passing import is_in_passing
from benchwright.benchmarks.metrics.answers.values import Values
from benchwright.benchmarks.types import AnswerType

Outcome = Literal["correct", "wrong", "abstained", "unscored"]


@dataclass(frozen=True, slots=True)
class AnswerJudgment:
    """What an answer is, and the rule that said so."""

    outcome: Outcome
    reason: str


CORRECT = AnswerJudgment("correct", "names the gold answer and no other value")
EMPTY = AnswerJudgment("wrong", "the answer is empty")
NO_GOLD = AnswerJudgment("unscored", "the question has no gold answer")
ABSTAINED = AnswerJudgment("abstained", "says that the answer is not known")
NOT_FOUND = AnswerJudgment("wrong", "does not name the gold answer")
INCOMPLETE = AnswerJudgment("wrong", "names only a part of the gold answer")
OTHER = AnswerJudgment("wrong", "names another value")
BESIDES = AnswerJudgment("wrong", "names another value besides the gold answer")
DENIED = AnswerJudgment("wrong", "names the gold answer only to deny it or date it back")
HEDGED = AnswerJudgment("wrong", "does not commit itself to the gold answer")
CANDIDATES = AnswerJudgment("wrong", "lists candidates")
RESTATED = AnswerJudgment("wrong", "names the gold answer only in the question's words")

NOT_UNDERSTOOD = AnswerJudgment("unscored", "not understood")
NEEDS_JUDGE = AnswerJudgment("unscored", "needs a judge")
UNDECIDED = (NOT_UNDERSTOOD, NEEDS_JUDGE)
"""What the rules leave to a judge: the answer was given, and they cannot tell what it says."""

AGREES = AnswerJudgment("correct", "says the same")
OPPOSES = AnswerJudgment("wrong", "says the opposite")

IN_PASSING = AnswerJudgment("wrong", "names the gold answer only in passing, after another one")

NO_VALUES = Values()


def _weigh(answer: JudgedAnswer, mentions: Sequence[Mention]) -> AnswerJudgment | None:
    """The outcome that the values named decide, or none where no gold value and no other is asserted."""
    if not mentions:
        return None
    if not answer.is_cued and all(mention.is_gold for mention in mentions):  # half of all answers
        return CORRECT if answer.gold.keys.issubset(key for each in mentions for key in each.keys) else INCOMPLETE
    stated = list(zip(mentions, statuses_of(answer, mentions), strict=True))
    gold = [mention for mention, status in stated if mention.is_gold and status == "asserted"]
    others = [(mention, status) for mention, status in stated if not mention.is_gold]
    if not gold:
        return _without_gold(answer, stated)
    for mention, status in others:
        candidate = status == "asserted" or (status == "hedged" and mention.start > gold[0].start)
        if candidate and not belongs_elsewhere(answer, mention, gold):
            return BESIDES
    if not answer.gold.keys.issubset(key for mention in gold for key in mention.keys):
        return INCOMPLETE
    if not answer.is_cued:
        return CORRECT
    if cues.has("unsure", answer.lowered):
        return HEDGED
    every = [mention for mention in mentions if mention.is_gold]
    if any(lists_candidates(answer, mention, every) for mention in gold):
        return CANDIDATES
    return CORRECT


def _without_gold(answer: JudgedAnswer, stated: Sequence[tuple[Mention, Status]]) -> AnswerJudgment | None:
    asserted = [
        mention
        for mention, status in stated
        if not mention.is_gold and status in ("asserted", "hedged") and not in_question(answer, mention)
    ]
    if asserted:
        return OTHER
    reasons = {status for mention, status in stated if mention.is_gold}
    if answer.abstains and reasons <= {"aside", "denied"}:
        return None
    for status, judgment in (("hedged", HEDGED), ("denied", DENIED), ("past", DENIED)):
        if status in reasons:
            return judgment
    return None


def _judge_boolean(lowered: str, question: str, wanted: bool) -> AnswerJudgment:
    said = read_boolean(lowered, question)
    if said is None:
        return NOT_UNDERSTOOD
    if said in ("yes", "no"):
        return AGREES if (said == "yes") == wanted else OPPOSES
    return HEDGED if said == "hedged" else ABSTAINED


def judge_answer(
    answer: str,
    *,
    question: str,
    answers: tuple[str, ...],
    aliases: tuple[tuple[str, ...], ...] = (),
    answer_type: AnswerType = "one",
    values: Values = NO_VALUES,
) -> AnswerJudgment:
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
    An empty answer is wrong here: whether it was meant as abstaining, only the caller knows. One that the rules cannot
    read is unscored.
    """
    if answer_type == "none" or not answers:
        return NO_GOLD
    return judge_asked(answer, ask(question, answers, aliases, answer_type, values))


def ask(
    question: str,
    answers: tuple[str, ...],
    aliases: tuple[tuple[str, ...], ...],
    answer_type: AnswerType,
    values: Values,
) -> Asked:
    """A question, read once for any number of answers; see `judge_answer`."""
    wanted = parse_boolean(answers[0]) if answer_type == "boolean" else None
    return asked_with(question, read_gold(answers, aliases), values, wanted)


def judge_asked(answer: str, asked: Asked) -> AnswerJudgment:
    """Judge an answer to a question that was read; see `judge_answer`."""
    if not answer.strip():
        return EMPTY
    text = read_answer_text(answer)
    if asked.wanted is not None:
        return _judge_boolean(text.lowered, asked.question, asked.wanted)
    return judge_beside(beside(text, asked))


def judge_beside(judged: JudgedAnswer) -> AnswerJudgment:
    """The outcome of an answer beside its question, its gold answer and the values that it could be confused with."""
    named = find_mentions(judged)
    mentions = [mention for mention in named if not (mention.is_gold and restates(judged, mention))] if named else named
    if not mentions or not any(mention.is_gold for mention in mentions):
        if judged.answer_text.says_nothing:
            return ABSTAINED
        if near := near_mentions(judged):
            near = [mention for mention in near if not restates(judged, mention)]
            mentions = sorted([*mentions, *near], key=lambda mention: mention.start)
    decided = _judge_alone(judged, mentions) if judged.is_open else _weigh(judged, mentions)
    if decided is not None:
        return decided
    if judged.abstains:
        return ABSTAINED
    return RESTATED if len(mentions) < len(named) else NOT_FOUND


def _judge_alone(judged: JudgedAnswer, mentions: Sequence[Mention]) -> AnswerJudgment | None:
    """The outcome where nothing but the gold answer is looked for, which may then be given in other words."""
    words = AnswerWords(judged)
    others = (is_relative, is_longer_name, is_alias_asked_about)
    mentions = [each for each in mentions if not any(is_other(judged, each) for is_other in others)]
    is_undecided = False
    if missing := _missing(judged, mentions):
        found = in_other_words(judged, words, missing)
        mentions = sorted([*mentions, *found.mentions], key=lambda mention: mention.start)
        is_undecided = found.is_undecided
    decided = _weigh(judged, mentions)
    if decided == CORRECT:
        return _beyond(judged, words, mentions)
    if is_undecided and decided in (None, INCOMPLETE) and not judged.abstains:
        return NEEDS_JUDGE
    return decided


def _beyond(judged: JudgedAnswer, words: AnswerWords, mentions: Sequence[Mention]) -> AnswerJudgment:
    """The outcome of an answer that names the gold answer and nothing that is known to be another one."""
    first = min((mention for mention in mentions if mention.is_gold), key=lambda mention: mention.start)
    if judged.is_cued and is_disputed(judged, first):
        return CANDIDATES
    return IN_PASSING if len(judged.gold.elements) == 1 and is_in_passing(judged, words, first) else CORRECT


def _missing(judged: JudgedAnswer, mentions: Sequence[Mention]) -> list[Element]:
    """The elements of the gold answer that no mention names."""
    named = {key for mention in mentions for key in mention.keys}
    return [element for element in judged.gold.elements if element.key not in named]
