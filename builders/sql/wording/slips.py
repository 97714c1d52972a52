"""Words of a wording that are a word of the schema in another spelling: with a slip of the hand, or spelled out where
an identifier abbreviates."""

from collections.abc import Collection, Sequence
from functools import cache

from benchwright.builders.sql.wording.lexicon import known_tokens

_SHORTEST = 5
"""The least letters of a word that is read in spite of a slip: shorter ones are too near to each other."""


def spelled(there: Sequence[str], words: Collection[str], others: Collection[str], *, slips: bool) -> list[str]:
    """The tokens of a wording, with those that only a spelling keeps apart from the schema's words in these.

    Args:
        there: the tokens of the wording.
        words: the tokens of the schema's words for what is asked, given and on the way.
        others: tokens that name something else, which are left as they are.
        slips: whether slips of the hand are forgiven.
    """
    here = frozenset(there)
    wanted = sorted(word for word in words if word.isalpha() and word not in here)
    return [
        token if len(token) < _SHORTEST or token in words else _spelled(token, wanted, others, slips) for token in there
    ]


def _spelled(token: str, wanted: Sequence[str], others: Collection[str], slips: bool) -> str:
    if token in others or not token.isalpha():
        return token
    for word in wanted:
        if word not in known_tokens() and is_abbreviation(word, token):
            return word
        if slips and token not in known_tokens() and is_slip(token, word):
            return word
    return token


@cache
def is_abbreviation(short: str, word: str) -> bool:
    """Whether a fragment of an identifier stands for a word: its first four letters, or its consonants."""
    if not 3 <= len(short) <= 5 or len(word) < len(short) + 2 or short[0] != word[0]:
        return False
    if word.startswith(short):
        return len(short) > 3
    letters = iter(word)
    return not set(short[1:]) & set("aeiou") and all(letter in letters for letter in short)


@cache
def is_slip(token: str, word: str) -> bool:
    """Whether a word lacks a letter, doubles one, or has two that changed places."""
    if min(len(token), len(word)) < _SHORTEST or token[0] != word[0] or abs(len(token) - len(word)) > 1:
        return False
    place = next((at for at, (one, other) in enumerate(zip(token, word, strict=False)) if one != other), None)
    if place is None:
        return len(token) < len(word) or token[-2] == token[-1]
    if len(token) < len(word):
        return token[place:] == word[place + 1 :]
    if len(token) > len(word):
        return token[place] == token[place - 1] and token[place + 1 :] == word[place:]
    return token[place : place + 2] == word[place : place + 2][::-1] and token[place + 2 :] == word[place + 2 :]
