"""Words of peoples and countries."""

import functools

from benchwright.builders.wiki.questions.vocabulary import words


@functools.cache
def nations() -> dict[str, str]:
    """Word of a people or a country, in small letters → the country's first word."""
    found = {}
    for line in words()["nations"]["words"].strip().split("\n"):
        names = line.lower().split()
        found |= dict.fromkeys(names, names[0])
    return found


def is_people(word: str) -> bool:
    """Whether a word is that of a people or a country: Norwegian, Norway."""
    return word.lower() in nations()
