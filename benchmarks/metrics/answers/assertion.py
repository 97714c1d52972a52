"""How an answer stands to a value that it names: whether it asserts it, and as an answer to the question."""

import re
from collections.abc import Sequence
from typing import Literal

from benchwright.benchmarks.metrics.answers import cues
from benchwright.benchmarks.metrics.answers.judged_answer import Reading
from benchwright.benchmarks.metrics.answers.mentions import Mention
from benchwright.benchmarks.metrics.answers.values import word_lists

Status = Literal["asserted", "denied", "past", "hedged", "aside"]

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


def restates(reading: Reading, mention: Mention) -> bool:
    """Whether a gold value stands only inside a longer stretch of the question's own words."""
    if not mention.words or mention.words[0] not in reading.question_lowered:
        return False
    question, empty = reading.asked.words, word_lists("names")["empty"]
    answer, size = reading.words, len(mention.words)
    first = next(index for index, span in enumerate(reading.spans) if span[0] >= mention.start)
    last = first + size
    for place in range(len(question) - size + 1):
        if question[place : place + size] != tuple(answer[first:last]):
            continue
        if "or" in question[max(0, place - 2) : place + size + 2]:
            return False
        left = right = 0
        while left < min(first, place) and answer[first - left - 1] == question[place - left - 1]:
            left += 1
        while (
            last + right < len(answer)
            and place + size + right < len(question)
            and answer[last + right] == question[place + size + right]
        ):
            right += 1
        around = [*answer[first - left : first], *answer[last : last + right]]
        if any(word not in empty for word in around):
            return True
    return False


def in_question(reading: Reading, mention: Mention) -> bool:
    """Whether the question names the value in the same words."""
    if not mention.words:
        return reading.lowered[mention.start : mention.end] in reading.asked.lowered
    if mention.words[0] not in reading.asked.lowered:
        return False
    question, size = reading.asked.words, len(mention.words)
    places = (question[place : place + size] for place in range(len(question) - size + 1))
    return any(place == mention.words for place in places)


def statuses_of(reading: Reading, mentions: Sequence[Mention]) -> list[Status]:
    """Whether each value is asserted; in order. What "or" or "and" joins to a denied value is denied with it."""
    if not reading.is_cued:
        return ["asserted"] * len(mentions)
    statuses: list[Status] = []
    for number, mention in enumerate(mentions):
        status = _status_of(reading, mention, mentions[number + 1 :])
        if number and statuses[-1] == "denied" and status == "asserted":
            between = reading.lowered[mentions[number - 1].end : mention.start]
            status = "denied" if _COORDINATED.fullmatch(between) else status
        statuses.append(status)
    return statuses


def _status_of(reading: Reading, mention: Mention, later: Sequence[Mention]) -> Status:
    lowered = reading.lowered
    clause = reading.clause(mention.start)
    sentence = reading.sentence(mention.start)
    before, after = lowered[clause[0] : mention.start], lowered[mention.end : mention.end + 160]
    if reading.abstains and _is_aside(reading, mention, clause):
        return "aside"
    if cues.is_denied(before, after):
        return "denied"
    if mention.sort != "date" and cues.is_past(before, after):
        return "past"
    if _is_outdated(reading, mention, before, later):
        return "past"
    if cues.is_hedged(lowered[sentence[0] : mention.start], lowered[mention.end : sentence[1]]):
        return "hedged"
    return "asserted"


def _is_aside(reading: Reading, mention: Mention, clause: tuple[int, int]) -> bool:
    """Whether an answer that abstains names a value only to say so, or to tell what its sources speak of instead."""
    text = reading.lowered[clause[0] : mention.start] + " " * 4 + reading.lowered[mention.end : clause[1]]
    if cues.abstains(text):
        return True
    if cues.has("aside", reading.lowered[clause[0] : mention.start]):
        return True
    sentence = reading.sentence(mention.start)
    return cues.has("examples", reading.lowered[sentence[0] : mention.start])


def _is_outdated(reading: Reading, mention: Mention, before: str, later: Sequence[Mention]) -> bool:
    """Whether another value is said to hold since."""
    others = [other for other in later if not other.keys & mention.keys]
    if not others:
        return False
    between = reading.lowered[mention.end : others[-1].end + 40]
    if cues.has("corrected", reading.lowered[mention.end : others[0].start]):
        return True
    if mention.sort != "date" and cues.pattern("until_then").match(between):
        return True
    return cues.has("was", before + between[:20]) and cues.has("now", between)


def belongs_elsewhere(reading: Reading, mention: Mention, gold: Sequence[Mention]) -> bool:
    """Whether another value is part of what is told around the answer, and not a second answer.

    It is where the question names it, where it is said of the gold value, where it is of another sort of wording, and
    where words between say that it stands in another role. Joined to the gold value by "and", a comma or a line, it is
    a second answer.
    """
    if in_question(reading, mention) and not any(in_question(reading, each) for each in gold):
        return True
    sentence = reading.sentence(mention.start)[0]
    if gold[0].end <= sentence and any(sentence <= each.start < mention.start for each in gold):
        return True
    if _is_of_another_sort(reading, mention, {each.sort for each in gold}):
        return True
    nearest = min(gold, key=lambda each: min(abs(each.start - mention.end), abs(mention.start - each.end)))
    between = reading.lowered[min(nearest.end, mention.end) : max(nearest.start, mention.start)]
    if _CONNECTED.fullmatch(between):
        return mention.sort == "date" and between.strip() in ("-", "to")
    small = mention.sort == "text" and reading.text[mention.start].islower()
    if small and " " not in reading.lowered[mention.start : mention.end] and not reading.text[nearest.start].islower():
        return True
    return _is_in_another_role(reading, mention, nearest)


def _is_of_another_sort(reading: Reading, mention: Mention, sorts: set[str]) -> bool:
    """Whether, of countries, one is a nationality or a town and the other the country asked for, or the reverse."""
    if reading.asked.people:
        return mention.sort in ("name", "place") and "people" in sorts
    return mention.sort in ("people", "place") and "name" in sorts


def _is_in_another_role(reading: Reading, mention: Mention, nearest: Mention) -> bool:
    start, end = reading.clause(mention.start)
    if nearest.end <= mention.start:
        start = max(reading.sentence(mention.start)[0], nearest.end)
    else:
        end = min(end, nearest.start)
    before = reading.lowered[start : mention.start]
    after = _JOINED_ON.split(reading.lowered[mention.end : min(end, mention.end + _NEAR)])[0]
    told = [match for side in (before, after) for match in cues.pattern("context").finditer(" " + side)]
    if any(match.group()[1:6] not in reading.asked.stems for match in told):
        return True
    return mention.sort == "date" and cues.pattern("stretch").search(before) is not None


def lists_candidates(reading: Reading, mention: Mention, gold: Sequence[Mention]) -> bool:
    """Whether "or" joins a gold value to something that is not the gold answer."""
    if "or" not in reading.words:
        return False
    following = _NEXT_CANDIDATE.match(reading.text, mention.end)
    if following is not None and not any(each.start == following.end() for each in gold):
        return True
    preceding = _LAST_CANDIDATE.search(reading.text, max(0, mention.start - 60), mention.start)
    return preceding is not None and not any(
        each.end > preceding.start() and each.start < mention.start for each in gold
    )
