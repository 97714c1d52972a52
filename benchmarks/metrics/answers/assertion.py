"""How an answer stands to a value that it names: whether it asserts it, and as an answer to the question."""

import re
from collections.abc import Sequence
from typing import Literal

from benchwright.benchmarks.metrics.answers import cues
from benchwright.benchmarks.metrics.answers.judged_answer import JudgedAnswer
from benchwright.benchmarks.metrics.answers.mentions import Mention
from benchwright.benchmarks.metrics.answers.values import word_lists
from benchwright.benchmarks.text.folding import value_words

Status = Literal["asserted", "denied", "past", "hedged", "aside"]

_AROUND = 200
"""Characters before and after a value in which others are looked for that somebody else names."""
_NEAR = 40
"""Characters after a value in which its role is looked for."""
_JOINED_ON = re.compile(r"\b(?:and|or)\b")

_NEXT_CANDIDATE = re.compile(
    r"[\s,\"')]*\b(?:or|and/or)\s+(?:perhaps\s+|possibly\s+|maybe\s+)?(?:the\s+|in\s+|a\s+)?(?=[A-Z0-9])"
)
_LAST_CANDIDATE = re.compile(r"[A-Z][\w.'-]*[\"')]*,?\s+or\s+(?:the\s+|in\s+|a\s+)?[\"'(]*$")
_COORDINATED = re.compile(r"[\s,\"')]*(?:or|nor|and)\s+(?:in\s+|the\s+|a\s+|an\s+)*[\"'(]*")
_CONNECTED = re.compile(
    r"[\s,;/()\"'\-]*(?:and|or|nor|also|the|in|a|an|as well as|plus)?(?:\s+(?:the|in|a|an|also|both))*[\s,;/()\"'\-]*"
)


def restates(answer: JudgedAnswer, mention: Mention) -> bool:
    """Whether a gold value stands only inside a longer stretch of the question's own words."""
    if not mention.words or mention.words[0] not in answer.question_lowered:
        return False
    question, empty = answer.question_text.words, word_lists("names")["empty"]
    words, size = answer.words, len(mention.words)
    first = next(index for index, span in enumerate(answer.spans) if span[0] >= mention.start)
    last = first + size
    for place in range(len(question) - size + 1):
        if question[place : place + size] != tuple(words[first:last]):
            continue
        if "or" in question[max(0, place - 2) : place + size + 2]:
            return False
        left = right = 0
        while left < min(first, place) and words[first - left - 1] == question[place - left - 1]:
            left += 1
        while (
            last + right < len(words)
            and place + size + right < len(question)
            and words[last + right] == question[place + size + right]
        ):
            right += 1
        around = [*words[first - left : first], *words[last : last + right]]
        if any(word not in empty for word in around):
            return True
    return False


def in_question(answer: JudgedAnswer, mention: Mention) -> bool:
    """Whether the question names the value in the same words."""
    if not mention.words:
        return answer.lowered[mention.start : mention.end] in answer.question_text.lowered
    if mention.words[0] not in answer.question_text.lowered:
        return False
    question, size = answer.question_text.words, len(mention.words)
    places = (question[place : place + size] for place in range(len(question) - size + 1))
    return any(place == mention.words for place in places)


def is_alias_asked_about(answer: JudgedAnswer, mention: Mention) -> bool:
    """Whether a gold value is named in a form that the question has, and its first form is another: no answer."""
    if not (mention.is_gold and mention.words and in_question(answer, mention)):
        return False
    asked = answer.question_text.said
    firsts = [value_words(element.item[0]) for element in answer.gold.elements if element.key in mention.keys]
    return not any(asked.issuperset(first) for first in firsts)


def statuses_of(answer: JudgedAnswer, mentions: Sequence[Mention]) -> list[Status]:
    """Whether each value is asserted; in order. What "or" or "and" joins to a denied value is denied with it."""
    if not answer.is_cued:
        return ["asserted"] * len(mentions)
    statuses: list[Status] = []
    for number, mention in enumerate(mentions):
        status = _status_of(answer, mention, mentions[number + 1 :])
        if number and statuses[-1] == "denied" and status == "asserted":
            between = answer.lowered[mentions[number - 1].end : mention.start]
            status = "denied" if _COORDINATED.fullmatch(between) else status
        statuses.append(status)
    return statuses


def _status_of(answer: JudgedAnswer, mention: Mention, later: Sequence[Mention]) -> Status:
    lowered = answer.lowered
    clause = answer.clause(mention.start)
    sentence = answer.sentence(mention.start)
    before, after = lowered[clause[0] : mention.start], lowered[mention.end : mention.end + 160]
    if answer.abstains and _is_aside(answer, mention, clause):
        return "aside"
    if answer.is_open:
        return _status_alone(answer, before, after)
    asked = answer.question_text.said
    if cues.is_denied(before, after, asked):
        return "denied"
    if mention.sort != "date" and not answer.question_text.former and cues.is_past(before, after, asked):
        return "past"
    if _is_outdated(answer, mention, before, later):
        return "past"
    if cues.is_hedged(lowered[sentence[0] : mention.start], lowered[mention.end : sentence[1]]):
        return "hedged"
    return "asserted"


def _status_alone(answer: JudgedAnswer, before: str, after: str) -> Status:
    """Where nothing but the gold answer is looked for: only what bears on the value itself changes its sense."""
    asked = answer.question_text.said
    if not answer.question_text.former and cues.is_denied_closely(before, after, asked):
        return "denied"
    if answer.question_text.present and cues.is_past(before, after, asked):
        return "past"
    if cues.is_hedged(before[-_NEAR:], after):
        return "hedged"
    return "asserted"


def _is_aside(answer: JudgedAnswer, mention: Mention, clause: tuple[int, int]) -> bool:
    """Whether an answer that abstains names a value only to say so, or to tell what its sources speak of instead."""
    text = answer.lowered[clause[0] : mention.start] + " " * 4 + answer.lowered[mention.end : clause[1]]
    if cues.abstains(text):
        return True
    if cues.has("aside", answer.lowered[clause[0] : mention.start]):
        return True
    start = answer.sentence(mention.start)[0]
    before = answer.lowered[start : mention.start]
    return cues.has("examples", before) or (cues.has("mentions", before) and _names_another(answer, start, mention))


def _names_another(answer: JudgedAnswer, start: int, mention: Mention) -> bool:
    """Whether a capital word that the question does not have stands in a sentence before a value."""
    places = (place for place, span in enumerate(answer.spans) if start < span[0] < mention.start)
    return any(
        answer.text[answer.spans[place][0]].isupper() and answer.words[place] not in answer.question_text.said
        for place in places
    )


def _is_outdated(answer: JudgedAnswer, mention: Mention, before: str, later: Sequence[Mention]) -> bool:
    """Whether another value is said to hold since."""
    others = [other for other in later if not other.keys & mention.keys]
    if not others:
        return False
    between = answer.lowered[mention.end : others[-1].end + 40]
    if cues.has("corrected", answer.lowered[mention.end : others[0].start]):
        return True
    if mention.sort != "date" and cues.pattern("until_then").match(between):
        return True
    return cues.has("was", before + between[:20]) and cues.has("now", between)


def belongs_elsewhere(answer: JudgedAnswer, mention: Mention, gold: Sequence[Mention]) -> bool:
    """Whether another value is part of what is told around the answer, and not a second answer.

    It is where the question names it, where it is said of the gold value, where it is of another sort of wording, and
    where words between say that it stands in another role. Joined to the gold value by "and", a comma or a line, it is
    a second answer.
    """
    if in_question(answer, mention) and not any(in_question(answer, each) for each in gold):
        return True
    sentence = answer.sentence(mention.start)[0]
    if gold[0].end <= sentence and any(sentence <= each.start < mention.start for each in gold):
        return True
    if _is_of_another_sort(answer, mention, {each.sort for each in gold}):
        return True
    nearest = min(gold, key=lambda each: min(abs(each.start - mention.end), abs(mention.start - each.end)))
    between = answer.lowered[min(nearest.end, mention.end) : max(nearest.start, mention.start)]
    if _CONNECTED.fullmatch(between):
        return mention.sort == "date" and between.strip() in ("-", "to")
    small = mention.sort == "text" and answer.text[mention.start].islower()
    if small and " " not in answer.lowered[mention.start : mention.end] and not answer.text[nearest.start].islower():
        return True
    return _is_in_another_role(answer, mention, nearest)


def _is_of_another_sort(answer: JudgedAnswer, mention: Mention, sorts: set[str]) -> bool:
    """Whether, of countries, one is a nationality or a town and the other the country asked for, or the reverse."""
    if answer.question_text.people:
        return mention.sort in ("name", "place") and "people" in sorts
    return mention.sort in ("people", "place") and "name" in sorts


def _is_in_another_role(answer: JudgedAnswer, mention: Mention, nearest: Mention) -> bool:
    start, end = answer.clause(mention.start)
    if nearest.end <= mention.start:
        start = max(answer.sentence(mention.start)[0], nearest.end)
    else:
        end = min(end, nearest.start)
    before = answer.lowered[start : mention.start]
    after = _JOINED_ON.split(answer.lowered[mention.end : min(end, mention.end + _NEAR)])[0]
    roles = [match for side in (before, after) for match in cues.pattern("context").finditer(" " + side)]
    if any(match.group()[1:6] not in answer.question_text.stems for match in roles):
        return True
    return mention.sort == "date" and cues.pattern("stretch").search(before) is not None


def is_disputed(answer: JudgedAnswer, mention: Mention) -> bool:
    """Whether a sentence tells that some say this and others that."""
    start, end = answer.sentence(mention.start)
    return cues.has("disputed", answer.lowered[max(start, mention.start - _AROUND) : min(end, mention.end + _AROUND)])


def lists_candidates(answer: JudgedAnswer, mention: Mention, gold: Sequence[Mention]) -> bool:
    """Whether "or" joins a gold value to something that is not the gold answer."""
    if "or" not in answer.words:
        return False
    following = _NEXT_CANDIDATE.match(answer.text, mention.end)
    if following is not None and not any(each.start == following.end() for each in gold):
        return True
    preceding = _LAST_CANDIDATE.search(answer.text, max(0, mention.start - 60), mention.start)
    return preceding is not None and not any(
        each.end > preceding.start() and each.start < mention.start for each in gold
    )
