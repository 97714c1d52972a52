"""Names of people as answers give them: fuller, shorter, with initials, with a slip of the pen."""

import functools
import re
from collections.abc import Sequence

from rapidfuzz.distance import OSA, Indel, Levenshtein

from benchwright.benchmarks.metrics.answers.judged_answer import JudgedAnswer
from benchwright.benchmarks.metrics.answers.mentions import Mention
from benchwright.benchmarks.metrics.answers.values import word_lists
from benchwright.benchmarks.text.folding import words
from benchwright.benchmarks.text.variants import roman_value
from benchwright.benchmarks.text.words import STOP_WORDS

_MOST_GIVEN = 5
"""Words before a last name that may belong to it."""


def is_slip(word: str, wanted: str) -> bool:
    """One letter more or less, or two exchanged: "Sara", "Micheal"; another letter is another word."""
    return (
        word[0] == wanted[0]
        and min(len(word), len(wanted)) > 2
        and (Indel.distance(word, wanted) <= 1 or (OSA.distance(word, wanted) == 1 and sorted(word) == sorted(wanted)))
    )


_SOUNDS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        ("tsch|tch|ch|tj", "c"), ("sch|sh", "s"), ("ph|v|w", "f"), ("[jy]|ie|ei", "i"), ("kh|ck|k|q", "k"), ("th", "t"),
        ("ts|tz|z", "s"), ("ae", "e"), ("oe", "o"), ("ou|ue", "u"), (r"(.)\1", r"\1"), ("ii+", "i"), ("h", ""),
    )
)  # fmt: skip
_LONG = 7
"""Letters from which two spellings of a sound are one name: shorter ones have neighbours."""


@functools.lru_cache(maxsize=20_000)
def _sound(word: str) -> str:
    for pattern, sound in _SOUNDS:
        word = pattern.sub(sound, word)
    return word


def sounds_alike(word: str, wanted: str) -> bool:
    """A slip, or a long name in another transcription: "Dostojewski", "Dostoevsky"."""
    if is_slip(word, wanted):
        return True
    if min(len(word), len(wanted)) < _LONG or not wanted.isalpha() or abs(len(word) - len(wanted)) > 4:
        return False
    return Levenshtein.distance(_sound(word), _sound(wanted)) <= 1


def given_names(answer: JudgedAnswer, place: int) -> tuple[int, list[str]]:
    """Where a name that ends before the word at a place begins, and its words: capitals with nothing between them."""
    lists, first = word_lists("names"), place
    while first and place - first < _MOST_GIVEN:
        start, end = answer.spans[first - 1]
        between = answer.text[end : answer.spans[first][0]]
        small = answer.words[first - 1] in lists["particles"]
        if between.strip(" .\"'-") or "\n" in between or not (answer.text[start].isupper() or small):
            break
        if between.startswith(".") and end - start > 2 and answer.words[first - 1] not in lists["titles"]:
            break
        first -= 1
    return first, list(answer.words[first:place])


def is_person_named(answer: JudgedAnswer, place: int, given: Sequence[str]) -> int | None:
    """Where a name begins whose last word stands at a place, if it may be that of a person with these given names.

    Alone, after a title, or after any of the given names, their initial, or words of the question; another given name
    is another person.
    """
    lists = word_lists("names")
    if answer.has_capitals:
        if answer.text[answer.spans[place][0]].islower():
            return None
        first, said = given_names(answer, place)
    else:
        first = place - 1 if place and answer.words[place - 1] not in lists["joining"] else place
        first, said = (first, list(answer.words[first:place])) if place < 4 else (place, [])
        if not said and place + 1 < len(answer.words) and answer.words[place + 1] not in STOP_WORDS:
            return None
        if len(said) == 1 and not any(_may_be_same(said[0], each) for each in given):
            return None
    following = answer.text[answer.spans[place][1] :][:2]
    if following[:1] == " " and following[1:].isupper() and answer.has_capitals:
        return None
    if place + 1 < len(answer.words) and answer.words[place + 1] in lists["kin"]:
        return None
    asked = answer.question_text.words
    known = lists["titles"] | lists["ranks"] | lists["particles"]
    own = [word for word in said if word not in known and word not in asked]
    starts = any(start == answer.spans[first][0] for start in answer.sentences)
    if own and starts and own[0] in lists["openings"]:
        own = own[1:]
    if not own:
        return place if answer.question_text.person or said else None
    return first if any(_may_be_same(word, each) for word in own for each in given) else None


def _may_be_same(word: str, given: str) -> bool:
    if 1 in (len(word), len(given)):
        return word[0] == given[0]
    if word == given or is_slip(word, given):
        return True
    return min(len(word), len(given)) > 2 and (_is_short(word, given) or _sound(word) == _sound(given))


def _is_short(word: str, given: str) -> bool:
    """Whether one is the other's beginning: "Alex" for "Alexander"."""
    return word.startswith(given) or given.startswith(word)


def initials(answer: JudgedAnswer, wording: str) -> list[tuple[int, int]] | None:
    """Where an answer has the initials of a name of several words, or the words of gold initials: "UCLA"."""
    joining = word_lists("names")["joining"]
    if wording.isupper() and wording.isalpha() and 3 <= len(wording) <= 6:
        capital = [
            (place, word)
            for place, word in enumerate(answer.words)
            if word not in joining and answer.text[answer.spans[place][0]].isupper()
        ]
        size = len(wording)
        for first in range(len(capital) - size + 1):
            window = capital[first : first + size]
            if "".join(word[0] for _, word in window) == wording.lower() and window[-1][0] - window[0][0] < 2 * size:
                return [(window[0][0], window[-1][0] + 1)]
        return None
    name = [word for word in words(wording.lower()) if word not in joining]
    if len(name) < 3 or not all(part[:1].isupper() for part in wording.split() if part.lower() not in joining):
        return None
    short = "".join(word[0] for word in name)
    for place, word in enumerate(answer.words):
        if word == short and answer.text[slice(*answer.spans[place])].isupper():
            return [(place, place + 1)]
    return None


def is_longer_name(answer: JudgedAnswer, mention: Mention) -> bool:
    """Whether a person's name goes on after a gold value: "Martin Luther King" for "Martin Luther"."""
    if not (mention.is_gold and len(mention.words) > 1 and answer.has_capitals and answer.question_text.person):
        return False
    after = answer.text[mention.end : mention.end + 2]
    if after[:1] != " " or not after[1:].isupper():
        return False
    following = next((place for place, span in enumerate(answer.spans) if span[0] == mention.end + 1), None)
    if following is None or len(answer.words[following]) < 3:
        return False
    return answer.words[following] not in answer.gold.words and roman_value(answer.words[following]) is None


def is_relative(answer: JudgedAnswer, mention: Mention) -> bool:
    """Whether a mention is an accepted last name after another given name: "Edsel Ford" for "Henry Ford"."""
    if not (mention.is_gold and len(mention.words) == 1 and answer.has_capitals):
        return False
    first = next(place for place, span in enumerate(answer.spans) if span[0] == mention.start)
    following = answer.words[first + 1] if first + 1 < len(answer.words) else ""
    if not given_names(answer, first)[1] and following not in word_lists("names")["kin"]:
        return False
    for element in answer.gold.elements:
        if (
            element.key in mention.keys
            and len(name := words(element.item[0].lower())) > 1
            and name[-1] == mention.words[0]
        ):
            return is_person_named(answer, first, name[:-1]) is None
    return False
