"""Whether a question's answer can be guessed from how it names its subject, without knowing anything."""

import re

from benchwright.benchmarks.text.folding import fold
from benchwright.builders.wiki.questions.peoples import nations
from benchwright.builders.wiki.questions.vocabulary import AnswerKind, listed

GUESSABLE = "the subject's name tells the answer"
_WORD = re.compile(r"[^\W_]+")
_LIVED = re.compile(r"\((?:born|died)? ?[12]\d{3}")
_FAMOUS = re.compile(r"\b(?:Olympics?|Paralympics?|(?:Winter|Summer) Games|FIFA World Cup|UEFA Euro)\b")
_IN_PLACE = re.compile(r" (?:in|near) (?:the )?[A-Z]")
_FEW = ("one", "two", "three", "1", "2", "3")
_SHORTEST = 4
"""Letters that two words must share to be relatives."""


def is_guessable(question: str, title: str, answer: str, kind: AnswerKind) -> bool:
    """Whether a title, or what a question adds to it, says the main words of an answer, or words of one stem with them.

    Args:
        question: as it is asked.
        title: of the article, with its qualifier.
        answer: of a place its first part counts, up to a comma.
        kind: dates and numbers are told by equal words alone.
    """
    if kind == "date" and question.endswith((" born?", " die?")) and _LIVED.search(question):
        return True
    if kind == "number" and answer.lower() in _FEW:
        return True
    if kind == "place" and question.startswith("Where is ") and ("," in title or _IN_PLACE.search(question)):
        return True  # "Leighton, Alabama" is in Alabama, "Mount Ada in Ohio" in Ohio
    if kind in ("date", "number"):
        if kind == "date" and _FAMOUS.search(question):
            return True  # a well-known event that is held in few years
        said = set(_plain(title)) | set(_plain(question))
        return all(word in said for word in _plain(answer))
    main = answer.partition(",")[0] if kind == "place" else answer
    answered = [word for word in _plain(main) if word not in listed("generic")]
    if not answered:
        return True
    if kind == "place" and all(word in nations() for word in answered):
        return True  # a whole country: the sound of a name tells it
    named = {*_plain(title), *_plain(" ".join(re.findall(r"(?<!^)\b[^\W\d_a-z][\w’'-]*", question)))}
    if len(squashed := "".join(_plain(main))) >= _SHORTEST and squashed in "".join(_plain(title)):
        return True
    initials = "".join(word[0] for word in _plain(main))
    if len(initials) > 2 and initials in named:
        return True
    return any(_are_relatives(one, other) for one in answered for other in named - listed("generic"))


def _are_relatives(one: str, other: str) -> bool:
    """Whether two words are the same or share a stem: forsteri and Forster, Pakistan and Pakistani."""
    if one == other:
        return True
    known = nations()
    if one in known and known.get(other) == known[one]:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) < _SHORTEST:
        return False
    shared = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return shared >= _SHORTEST and shared >= len(short) - 2 and len(long) - shared <= 5


def _plain(text: str) -> list[str]:
    return _WORD.findall(fold(text).lower())
