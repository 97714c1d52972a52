"""Replies that no reader made of its contexts: the same to different questions, or with one word in place of values."""

from collections import Counter

from benchwright.benchmarks.reports.failures.lost_answers import LostAnswers
from benchwright.benchmarks.reports.format import number_of, percent

_LEAST = 15
"""Answers, from which on what they have in common is a sign."""
_GROUPS = 10
"""Groups that get the same reply, from which on it is nobody's answer to any of them."""
_GOLDS = 5
"""Different gold answers that these have."""
_USUAL = 0.5
"""Of answers that say what stands in no context, so many must have the same strange word."""
_RIGHT = 0.02
"""Of right answers, so many may have it."""
_SHOWN = 80
"""Characters of a reply that are shown."""


def tell_canned(case: LostAnswers) -> None:
    """What was put in the place of answers, which says the same whatever is asked."""
    _tell_replies(case)
    _tell_words(case)


def _tell_replies(case: LostAnswers) -> None:
    replies: dict[str, list[int]] = {}
    for place in case.open("ignores", "unseen", "empty"):
        if case.signs[place].outcome == "wrong" and case.signs[place].said:
            replies.setdefault(case.signs[place].said, []).append(place)
    for said, places in sorted(replies.items(), key=lambda each: -len(each[1])):
        groups = {int(case.clusters[place]) for place in places}
        golds = {case.golds[place] for place in places}
        if any(character.isdigit() for character in said) and any(_is_number(gold) for gold in golds):
            continue  # a number may be the wrong one for many questions
        if len(places) >= _LEAST and len(groups) >= _GROUPS and len(golds) >= _GOLDS:
            shown = said if len(said) <= _SHOWN else f"{said[: _SHOWN - 1]}…"
            case.lay(places, "canned", f"{number_of(len(groups), 'different question')} got the reply “{shown}”")


def _is_number(gold: tuple[str, ...]) -> bool:
    return len(gold) == 1 and any(character.isdigit() for character in gold[0])


def _tell_words(case: LostAnswers) -> None:
    mine = case.open("ignores")
    counts = Counter(word for place in mine for word in case.signs[place].words)
    right = [sign.words for sign in case.signs if sign.outcome == "correct"]
    for word, number in counts.most_common(5):
        among = sum(word in words for words in right) / max(1, len(right))
        if number >= max(_LEAST, _USUAL * len(mine)) and among <= _RIGHT:
            of_these, of_right = percent(number / len(mine)), percent(among)
            note = f"“{word}” stands in {of_these} of these answers, and in {of_right} of right ones"
            case.lay([place for place in mine if word in case.signs[place].words], "output", note)
            return
