"""Names of people, companies and places that nobody bears: made of syllables, checked against lists of real ones."""

import re
from collections import defaultdict
from functools import cache
from typing import Any

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.aurp.cues import cues
from benchwright.builders.aurp.draws import Draw

_AWKWARD = re.compile(
    r"[aeiou]{3}|[^aeiou]{4}|(.)\1\1|[^aeiou]{3}$|vv|kk|uw|wu|quu|iu|io[aeu]|th[aeiou]+th|([rlnmsvtkdz])[aeiou]+\2"
    r"|r[^aeiou]?[aeiou]+r|[lr]m[lrn]|[nl]d[lmnw]|[ts]k[a-z]*sk|rn[lmnw]|lv[lmnw]|v[^aeiou]|[^aeiou]v[^aeiou]"
)
_ATTEMPTS = 400


@cache
def parts() -> dict[str, Any]:
    """What names are made of: `names.toml`."""
    return read_toml(__package__, "names.toml")


@cache
def blocklist() -> frozenset[str]:
    """Common real given names, family names and companies, in lower case."""
    return frozenset(word for words in read_toml(__package__, "blocklist.toml").values() for word in words.split())


def _shortened(word: str) -> set[str]:
    """The word and all words that lack one of its letters: two words one edit apart share one of these."""
    return {word, *(word[:i] + word[i + 1 :] for i in range(len(word)))}


@cache
def _blocked() -> frozenset[str]:
    return frozenset(short for word in blocklist() for short in _shortened(word))


def _is_cue(word: str) -> bool:
    """Whether a word begins as those by which a sentence speaks of a column: "Deskane" of desks."""
    return any(pattern.match(word) for pattern in cues().values())


class Words:
    """Makes words: of one kind no two are one edit apart, and within one group no two are two edits apart."""

    def __init__(self, names_seed: int) -> None:
        self._draw = Draw("names", names_seed)
        self._may_be_cues = names_seed == 0
        """Those of the published Aurp stay as they are: of them a test says that no sentence is misread."""
        self._near: defaultdict[str, set[str]] = defaultdict(set)
        self._given: list[str] = []
        self._near_in_group: defaultdict[str, set[str]] = defaultdict(set)

    def anew(self, names_seed: int) -> None:
        """Draws from another seed from now on; what was made stays taken, but for given names, which are made anew."""
        self._draw, self._given, self._may_be_cues = Draw("names", names_seed), [], False

    def make(self, ending: str, group: str = "") -> str:
        """A new capitalised word with an ending of this kind ("place", "family", "given", "company").

        Raises BenchwrightError when no further word can be found that is far enough from the others.
        """
        taken = self._near[ending]
        for _ in range(_ATTEMPTS):
            word = self._attempt(ending)
            near = _shortened(word)
            if (
                not taken.isdisjoint(near)
                or not _blocked().isdisjoint(near)
                or (not self._may_be_cues and _is_cue(word))
            ):
                continue
            if group:
                wide = {shorter for short in near for shorter in _shortened(short)}
                if not self._near_in_group[group].isdisjoint(wide):
                    continue
                self._near_in_group[group] |= wide
            taken |= near
            return word.capitalize()
        raise BenchwrightError(f"no further {ending} name can be made that is unlike those taken: lower the size")

    def given(self, count: int) -> list[str]:
        """Given names; the same ones are borne by people of every table."""
        while len(self._given) < count:
            self._given.append(self.make("given"))
        return self._given[:count]

    def _attempt(self, ending: str) -> str:
        known, draw = parts(), self._draw
        while True:
            onset = draw.pick(known["onsets"])
            coda = draw.pick(known["clusters" if len(onset) < 2 and draw.chance(0.4) else "codas"])
            word = onset + draw.pick(known["vowels"]) + coda
            if ending != "given" and len(word) < 5 and draw.chance(0.35):
                word += draw.pick(known["vowels"]) + draw.pick(known["codas"])
            word += draw.pick(known["endings"][ending])
            if 5 <= len(word) <= 9 and not _AWKWARD.search(word) and not any(rude in word for rude in known["rude"]):
                return word


def people(words: Words, count: int, names_seed: int, table: str, namesakes: int = 0) -> list[str]:
    """Full names, all different but for `namesakes` rows that repeat the name of an earlier row."""
    draw = Draw("people", names_seed, table)
    given = words.given(min(180, 24 + count // 4))
    names: list[str] = []
    for _ in range(count - namesakes):
        first = draw.pick(given)
        names.append(f"{first} {words.make('family', first)}")
    repeated = draw.shuffled(range(1, len(names)))[:namesakes]
    return names + [names[row] for row in repeated]


def companies(words: Words, count: int, names_seed: int, table: str) -> list[str]:
    """Names of companies, with the suffixes of the table ("client", "supplier")."""
    draw = Draw("companies", names_seed, table)
    names: list[str] = []
    for _ in range(count):
        suffix = draw.pick(parts()[table]["suffixes"])
        first = words.make("company", suffix)
        names.append(f"{first} & {words.make('family', first)}" if draw.chance(0.2) else f"{first} {suffix}")
    return names


def offices(words: Words, count: int, names_seed: int) -> list[str]:
    """Names of the buildings that hold the offices."""
    draw = Draw("offices", names_seed)
    nouns = [draw.pick(parts()["office"]["nouns"]) for _ in range(count)]
    return [f"{words.make('place', noun)} {noun}" for noun in nouns]


def projects(words: Words, count: int, names_seed: int, sisters: float) -> list[str]:
    """Names of projects; about the share `sisters` of them come in pairs such as "… Phase I" and "… Phase II"."""
    draw = Draw("projects", names_seed)
    known = parts()["project"]
    names: list[str] = []
    while len(names) < count:
        noun = draw.pick(known["nouns"])
        name = f"{words.make('place', noun)} {noun}"
        if draw.chance(0.15):
            name = f"{draw.pick(known['prefixes'])} {name}"
        if len(names) + 1 < count and draw.chance(sisters / 2):
            names += [f"{name} {end}" for end in draw.pick(known["sisters"])]
        else:
            names.append(name)
    return draw.shuffled(names)
