"""Whether a sentence says by itself what it is about, or leans on those before it; in English.

It leans on them where it begins with a pronoun, with a word that joins sentences, with a time or place that was told
before ("in that year"), with "the film" where nothing says which, or with a noun that is no name ("Filming began").
"""

import functools
import re
from collections.abc import Sequence

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.text.dates import MONTHS
from benchwright.benchmarks.text.folding import fold
from benchwright.benchmarks.text.words import words

_LEAD = re.compile(
    r"(?:In|On|At|By|Since|After|Before|During|Until|From|For|As of|Under|With|Following|Throughout|Around|Near)\b"
    r" (?P<told>[^,;.]{1,60}?)(?:, (?=\S)|(?<=\d) (?=(?:the|an?|its|his|her|their|he|she|it|they)\b))"
)
"""A time or a place before what a sentence is about."""
_LEADS = 3
_ASIDE = re.compile(
    r"(?:In|On|At|By|Since|After|Before|During|Until|From|For|As|Under|With|Following|When|While|Although|Though|If"
    r"|Because|Despite|Unlike|Like|Along|Among|Besides|Between|Born|To)\b"
)
"""What a sentence begins with before it names its subject."""
_THE = re.compile(r"[Tt]he (?=[a-z\d])")
_BESIDE_A_NAME = re.compile(r"[Tt]he (?:[\w'’-]+ )?[^\W\d_a-z]")
_OF_A_NAME = re.compile(
    r"[Tt]he (?P<nouns>(?:[\w-]+ ){1,3})(?:of|between) (?:(?:the|an?) )?(?:[a-z-]+ )?(?:\d+ )?[^\W\d_a-z]"
)
"""What a mention with "the" is told by: a name beside it, or one after "of"."""
_NOUNS = 3
_BARE = re.compile(r"(?P<noun>[^\W\d_a-z][a-z]+) (?P<verb>[a-z]+)")
_PERSONAL = re.compile(r"\b(?:he|she|it|they|his|her|its|their|them|him)\b")
_MONTH = "|".join(MONTHS)
_TOLD_BEFORE = re.compile(rf"(?<!^)\b(?:(?!(?:{_MONTH})\b)[^\W\d_a-z]\w|(?:an?|one) [a-z]|\d+ [a-z])")
"""A name, or a thing that is told of for the first time."""


def leans(sentence: str, names: str | None = None) -> bool:
    """Whether a sentence is understood only after another one.

    Args:
        sentence: a full sentence.
        names: a text that uses the names of the sentence, such as the title and the text of its article: a noun that it
            begins with is a name where this begins with it or has it with a capital within a sentence. None: such nouns
            are not looked at.
    """
    is_bare = names is not None and _begins_with_a_noun(sentence, names)
    return is_bare or is_joined(sentence) or bool(_mentioned(sentence))


def leans_only_on(sentence: str, introduced: str) -> bool:
    """Whether a sentence that leans on others is understood after one that introduces what it mentions: "The film"."""
    if is_joined(sentence):
        return False
    nouns = set(words(fold(introduced)))
    return any(word in nouns for word in _mentioned(sentence))


def mentions(sentence: str, noun: str) -> bool:
    """Whether a sentence speaks of "the NOUN", and nothing after it says which."""
    return (
        bool(noun) and re.search(rf"\b[Tt]he {re.escape(noun)}(?!\w)(?! (?:of|that|which|who)\b)", sentence) is not None
    )


def is_joined(sentence: str) -> bool:
    """Whether it begins with a pronoun or what joins sentences, or speaks of somebody before it has named anybody."""
    said = fold(sentence).lower().lstrip("\"'“‘([")
    told, rest = _parts(sentence)
    openings = [words(said)[:1], words(fold(rest))[:1]]
    if any(not first or first[0] in _listed("pronouns") | _listed("connectives") for first in openings):
        return True
    if any(re.match(rf"(?:{_connecting()})\b", each) for each in (said, rest)) or "also" in words(said)[:6]:
        return True
    for each in told:
        if set(words(each)) & (_listed("pronouns") | _listed("pointing")) or (_THE.match(each) and not _is_told(each)):
            return True
    personal = _PERSONAL.search(rest) if _ASIDE.match(rest) else None
    return personal is not None and _TOLD_BEFORE.search(rest, 0, personal.start()) is None


def _mentioned(sentence: str) -> Sequence[str]:
    """The first words after the "the" that a sentence begins with, where nothing in it says which one that is."""
    _, rest = _parts(sentence)
    if not _THE.match(rest) or _is_told(rest):
        return ()
    return [word.removesuffix("s").rstrip("'’") if "'" in word or "’" in word else word for word in rest.split()[1:]][
        :_NOUNS
    ]


def _is_told(mention: str) -> bool:
    """Whether a mention with "the" is told by a name: "the band Queen", "the roof of Moor Hall"."""
    if _BESIDE_A_NAME.match(mention):
        return True
    match = _OF_A_NAME.match(mention)
    return match is not None and not set(match["nouns"].split()) & _listed("no_nouns")


def _begins_with_a_noun(sentence: str, names: str) -> bool:
    """Whether it begins with a bare noun and a verb, and the noun is no name."""
    match = _BARE.match(_parts(sentence)[1])
    if match is None or not (match["verb"] in _listed("verbs") or match["verb"].endswith("ed")):
        return False
    return re.search(rf"(?:^|(?<=[\w,] )){match['noun']}\b", names) is None


def _parts(sentence: str) -> tuple[list[str], str]:
    """The times and places before what a sentence is about, and the rest."""
    told: list[str] = []
    rest = sentence
    while len(told) < _LEADS and (lead := _LEAD.match(rest)):
        told.append(lead["told"])
        rest = rest[lead.end() :]
    return told, rest


@functools.cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(read_toml(__package__, "leaning.toml")[name].split())


@functools.cache
def _connecting() -> str:
    return "|".join(read_toml(__package__, "leaning.toml")["connecting"])
