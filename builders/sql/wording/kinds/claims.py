"""Whether a wording asks for yes or no about the value that its template compares, and denies nothing."""

import re

from benchwright.builders.sql.wording.kinds.operations import patterns
from benchwright.builders.sql.wording.kinds.sense import KindSense
from benchwright.builders.sql.wording.text_checks import Problem
from benchwright.builders.sql.wording.yes_or_no import asked_for_yes_or_no

_MARK = "\x00"


def without_claim(sense: KindSense, wording: str, form: str) -> tuple[str, Problem | None]:
    """A wording of yes or no without the value that it says; why not where it asks for something else, or denies.

    Args:
        sense: what the template asks.
        wording: with its placeholders.
        form: one of the six forms.
    """
    text = wording
    for placeholder in sense.claimed:
        text = re.sub(re.escape(placeholder), _MARK, text, flags=re.IGNORECASE)
    text = re.sub(rf"{_MARK}(?:\s*{_MARK})+", _MARK, text)
    bare = re.sub(r"\[[^\[\]]*\]", _MARK, text)
    is_asked = asked_for_yes_or_no(bare, form if form not in ("long", "directive", "short") else "casual")
    is_asked = is_asked or (form == "short" and bare.rstrip().endswith("?"))
    if not is_asked and not any(one.search(bare) for one in patterns("claims", "asked")):
        return text, Problem("does not ask for yes or no")
    for pattern in patterns("claims", "allowed"):
        text = pattern.sub(" ", text)
    sentence = _asking(text)
    whole = next((part for part in re.split(r"(?<=[.?!])\s+", text) if _MARK in part), text)
    if found := re.search(r"\bor\b", whole):
        return text, Problem("asks for something else than yes or no", found[0])
    for pattern in patterns("claims", "turned"):
        if found := pattern.search(sentence):
            return text, Problem("turns yes into no", found[0])
    for pattern in patterns("claims", "question"):
        if found := pattern.search(sentence):
            return text, Problem("asks for something else than yes or no", found[0].strip())
    text = re.sub(r"\bif\b", " whether ", text, flags=re.IGNORECASE)
    return re.sub(rf"['\"‘“]?{_MARK}['\"’”]?", " ", text), None


def premise_problem(wording: str) -> Problem | None:
    """Whether a wording doubts what an unanswerable question takes for granted."""
    bare = re.sub(r"\[[^\[\]]*\]", _MARK, wording)
    for pattern in patterns("premise", "doubted"):
        if found := pattern.search(bare):
            return Problem("doubts what it asks about", found[0])
    return None


def _asking(text: str) -> str:
    """What is claimed, with the verb before it and without what is said around it."""
    sentence = next((part for part in re.split(r"(?<=[.?!])\s+", text) if _MARK in part), text)
    last = max(found.end() for found in re.finditer(rf"{_MARK}|\[[^\[\]]*\]", sentence))
    rest = re.split(r"[,;:–—?!.]|\b(?:because|since|as|so|before|and|but)\b", sentence[last:], maxsplit=1)[0]
    said = sentence[:last] + rest
    return re.split(r"\b(?:whether|if)\b", said, flags=re.IGNORECASE)[-1] if _asks_whether(said) else said


def _asks_whether(said: str) -> bool:
    """Whether `whether` stands before all that is named."""
    first = min(found.start() for found in re.finditer(rf"{_MARK}|\[[^\[\]]*\]", said))
    found = list(re.finditer(r"\b(?:whether|if)\b", said, re.IGNORECASE))
    return bool(found) and (found[-1].start() < first or _MARK in said[found[-1].end() :])
