"""Yes and no."""

import re

from benchwright.benchmarks.metrics.answers import cues
from benchwright.benchmarks.text.sentences import stretch_at

_YES = (
    "yes|yeah|yep|yup|true|correct|right|indeed|affirmative|absolutely|certainly|definitely|of course|sure"
    "|that is right|that is correct|it does|it is|they do"
)
_NO = "no|nope|nah|false|incorrect|wrong|negative|not at all|not really|never|it does not|it doesn't|it is not"
_NO_OPENING = r"\b(?!\s+(?:information|mention|data|evidence|one|longer|more|context|details?|records?))"
_OPENING = re.compile(
    r"[\s\"'(]*(?:answer\s*[:=]\s*|the answer is[:\s]+|well,?\s+)?"
    rf"(?:(?P<yes>(?:{_YES})(?!\s+not\b|n't))|(?P<no>{_NO})){_NO_OPENING}"
)
_CLOSING = re.compile(
    r"\b(?:answer|conclusion|result)(?: to [^.]*?)? (?:is|would be)[:\s]+[\"']?(?:(?P<yes>yes|true)|(?P<no>no|false))\b"
)
_NEGATION = re.compile(r"\b(?:not|never|no longer|cannot|neither|nor|no)\b|n't\b|\b(?:false|incorrect|untrue|wrong)\b")
_BOTH = re.compile(r"\byes and no\b|\byes or no\b|\bneither yes\b")
_MEANINGS = {"yes": True, "y": True, "true": True, "1": True, "no": False, "n": False, "false": False, "0": False}


def parse_boolean(value: str) -> bool | None:
    """What a gold answer of yes or no means, or nothing."""
    return _MEANINGS.get(value.strip().lower())


def says_both(lowered: str) -> bool:
    """Whether a lowered answer says yes and no in one breath."""
    return _BOTH.search(lowered) is not None


def read_boolean(lowered: str) -> bool | None:
    """What a cleaned, lowered answer says: yes, no, or nothing that is either.

    A conclusion ("so the answer is no") goes before an opening word, an opening word before the sense of a statement,
    which is no where its first sentence holds a negation. An answer that hedges or says both says nothing.
    """
    opening_sentence = lowered[slice(*stretch_at(cues.sentence_starts(lowered), len(lowered), 0))]
    opening = _OPENING.match(lowered)
    closing = _CLOSING.search(lowered)
    if says_both(lowered):
        return None
    if closing is not None:
        return closing.group("yes") is not None
    if opening is not None:
        corrected = cues.pattern("corrected").search(lowered, opening.end())
        later = _OPENING.match(lowered, corrected.end() + 1) if corrected else None
        return (later or opening).group("yes") is not None
    if cues.is_hedged(opening_sentence, "") or cues.abstains(lowered) or opening_sentence.rstrip().endswith("?"):
        return None
    return None if len(lowered.split()) < 2 else _NEGATION.search(opening_sentence) is None
