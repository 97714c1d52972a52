"""What a question of yes or no asks, and which of its words another text shares."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.metrics.answers.judged_answer import read_question
from benchwright.benchmarks.text.folding import words

_ENDING = re.compile(r"(?:ies|ied|ing|(?<!e)ed|es|s|e)$")
_FREE_OF = re.compile(r"\bfree (?:of|from)\b")
_FREE = re.compile(r"\b(\w+)[- ]free\b")
_HAVING = frozenset(("has", "have", "had", "there", "without"))
_MAY = re.compile(r"(?:(?<=\d )|(?<=\d(?:st|nd|rd|th) )|(?<=\b(?:in|of|on|by) ))may\b|\bmay(?=,? \d)")
"""The month, and no modal verb."""
_SENTENCE = re.compile(r"(?<=[.?!:])\s+")
_WHETHER = re.compile(
    r"\b(?:whether(?: or not)?|(?:tell|know|say|confirm|check|wonder|wondering|see|verify|clarify|determine|find out"
    r"|state|indicate|me|us|sure) if) ([^.?!]+)"
)
_SIGN = re.compile(
    r"([;:](?= )|,(?= (?:and|as|because|before|but|can|do|for|given|help|if|in|may|or|please|since|so|then|to|what"
    r"|while)\b))|,(?= )"
)
"""What may end a clause; in a group, what surely does."""
_ENTRY = re.compile(r"\b(?:entry|value|field|column|attribute|heading)(?: under| of| for| called)? '([^']{2,60})'")
_POSITIVE = {"can't": "can", "cannot": "can", "won't": "will", "shan't": "shall"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question of yes or no says: yes stands for it, no for its denial."""

    stems: tuple[str, ...]
    """Its content words in order, in the form that is compared."""
    surface: frozenset[str]
    """All its words as they are."""
    known: frozenset[str]
    """Stems of all its other words."""
    auxiliary: str
    """The auxiliary verb that it begins with or has, without its n't; empty where it has none."""
    is_negative: bool
    """It asks whether something is not so; "Isn't it …?" does not."""
    is_having: bool
    """It asks what something has, or what there is: "have" is none of the content words."""
    is_impersonal: bool
    """"Is there …?", "Is it safe to …?", or no auxiliary: order says nothing."""
    alternatives: frozenset[int]
    """Places of words that "or" joins."""
    modifiers: frozenset[int]
    """Places of words that stand right before another content word."""

    def shares(self, found: Sequence[str]) -> bool:
        """Whether some word of a text is one of its content words."""
        return any(stem(word) in self.stems for word in found)


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a clause beside the question."""

    word: str
    at: int | None
    """Place of the question's content word that it stands for, itself or its opposite."""
    is_function: bool
    """It names nothing: an article, a preposition, an auxiliary, a denial."""
    is_opposite: bool = False
    is_contrary: bool = False
    """An opposite whose denial is not the question's word: what is not short need not be tall."""

    @property
    def is_extra(self) -> bool:
        """A content word that the question has not."""
        return self.at is None and not self.is_function

    @property
    def is_denial(self) -> bool:
        """It denies what follows it."""
        return self.is_function and is_denial(self.word)

    @property
    def is_auxiliary(self) -> bool:
        """A form of "be", "have" or "do", or a modal verb."""
        return self.word in word_set("auxiliaries") or self.word.endswith("n't")


def data() -> dict[str, dict[str, Any]]:
    """The tables of boolean.toml."""
    return read_toml(__package__, "boolean.toml")


@functools.cache
def word_set(name: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(data()["words"][name])


@functools.cache
def irregular() -> dict[str, str]:
    """Irregular form → the form that is compared."""
    return {form: base for base, forms in data()["stems"].items() for form in forms.split()}


@functools.lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """What the forms of a word and its British and American spelling share."""
    word = irregular().get(word, word)
    if word.isdigit() or len(word) < 4:
        return word
    short = _ENDING.sub("", word)
    if word.endswith(("ies", "ied")):
        short = word[:-3] + "y"
    elif word.endswith(("ss", "us", "is")) or len(short) < 3:
        short = word
    if len(short) > 3 and short[-1] == short[-2]:
        short = short[:-1]
    short = short.removesuffix("e").replace("z", "s").replace("our", "or")
    return f"{short[:-1]}er" if short.endswith("tr") else short


def is_denial(word: str) -> bool:
    """Whether a word denies what follows it."""
    return word.endswith("n't") or word in word_set("negators") or word in word_set("determiners")


def positive(auxiliary: str) -> str:
    """An auxiliary without its denial."""
    return _POSITIVE.get(auxiliary, auxiliary.removesuffix("n't"))


def plain_words(text: str) -> list[str]:
    """The words of a lowered text, with one word for what several say."""
    text = text.replace("no longer", "never").replace("no one", "nobody")
    if "may" in text:
        text = _MAY.sub("month", text)
    if "free" in text:
        text = _FREE.sub(r"without \1", _FREE_OF.sub("without", text))
    contracted = data()["words"]["contractions"]
    return [contracted.get(word, word) for word in words(text)]


def _is_function(word: str) -> bool:
    return word in word_set("function") or word in word_set("auxiliaries") or is_denial(word)


@functools.cache
def _directives() -> re.Pattern[str]:
    return re.compile(rf"^(?:{'|'.join(data()['question']['directives'])})[\s,:]+")


@functools.cache
def _tags() -> re.Pattern[str]:
    return re.compile("|".join(data()["question"]["tags"]))


@functools.lru_cache(maxsize=1_024)
def read_asked(question: str) -> Asked:
    """What a question says. What only leads to it or stands behind it is left out."""
    lowered = read_question(question).lowered.strip()
    found = plain_words(_tags().sub("", _asked_part(lowered)))
    surface, auxiliary = frozenset(found), ""
    if found and positive(found[0]) in word_set("auxiliaries"):
        auxiliary = positive(found.pop(0))
        if len(found) > 1 and found[0] == "not":
            found.pop(0)
    else:
        auxiliary = next((positive(word) for word in found[1:] if positive(word) in word_set("auxiliaries")), "")
    stems: list[str] = []
    alternatives, modifiers = set[int](), set[int]()
    for word, following in zip_longest(found, found[1:], fillvalue="the"):
        if not _is_function(word):
            if not _is_function(following):
                modifiers.add(len(stems))
            stems.append(stem(word))
        elif word == "or" and stems:
            alternatives |= {len(stems) - 1, len(stems)}
    return Asked(
        stems=tuple(stems),
        surface=surface,
        known=frozenset(map(stem, plain_words(lowered))) - {*stems},
        auxiliary=auxiliary,
        is_negative=sum(map(is_denial, found)) % 2 == 1,
        is_having=not _HAVING.isdisjoint(found),
        is_impersonal=not auxiliary or found[:1] in (["there"], ["it"]),
        alternatives=frozenset(alternatives),
        modifiers=frozenset(modifiers),
    )


def _asked_part(lowered: str) -> str:
    """Of all that is said around a question, what asks: the name in quotes of an entry, else a sentence that begins
    with a verb, else what follows "whether"; else all of it."""
    if named := _ENTRY.findall(lowered):
        return named[-1]
    sentences = [_without_directives(sentence) for sentence in _SENTENCE.split(lowered)]
    for sentence in reversed(sentences):
        first = plain_words(sentence)[:1]
        if first and positive(first[0]) in word_set("auxiliaries"):
            return sentence
    after = _WHETHER.findall(lowered)
    return _first_clause(after[-1]) if after else _without_directives(lowered)


def _first_clause(text: str) -> str:
    """A text up to the sign behind which it says why it is asked; signs within names are passed over."""
    for match in _SIGN.finditer(text):
        clause = text[: match.start()]
        if match[1] or any(positive(word) in word_set("auxiliaries") for word in plain_words(clause)):
            return clause
    return text


def _without_directives(text: str) -> str:
    text = text.strip().strip("\"'")
    while match := _directives().match(text):
        text = text[match.end() :]
    return text


def place_words(asked: Asked, found: Sequence[str]) -> list[Token]:
    """Each word of a clause beside the question's word that it stands for: the same, or its opposite."""
    used = set[int]()
    tokens = list[Token]()
    for word in found:
        token = _same(asked, word, used) or _opposite(asked, word, used)
        if token is None or token.at is None:
            is_function = word in word_set("objects") or _is_function(word) or holds(asked, word)
            token = Token(word, None, is_function=is_function or stem(word) in asked.known)
        else:
            used.add(token.at)
        tokens.append(token)
    return tokens


def holds(asked: Asked, word: str) -> bool:
    """Whether a word says no more than "have", in answer to what something has."""
    return asked.is_having and word in word_set("holding")


def _same(asked: Asked, word: str, used: set[int]) -> Token | None:
    if is_denial(word):
        return None
    own = stem(word)
    places = (place for place, each in enumerate(asked.stems) if each == own and place not in used)
    return next((Token(word, place, is_function=False) for place in places), None)


def _opposite(asked: Asked, word: str, used: set[int]) -> Token | None:
    own = stem(word)
    against = _opposites().get(own, {})
    for place, each in enumerate(asked.stems):
        if place in used:
            continue
        if each in against:
            return Token(word, place, is_function=False, is_opposite=True, is_contrary=against[each])
        shorter, longer = sorted((own, each), key=len)
        if len(shorter) > 2 and longer in (f"un{shorter}", f"non{shorter}"):
            return Token(word, place, is_function=False, is_opposite=True)
    return None


@functools.cache
def _opposites() -> dict[str, dict[str, bool]]:
    """Stem → stems of its opposites, and whether they are contraries."""
    found: dict[str, dict[str, bool]] = {}
    for name, pairs in data()["opposites"].items():
        for pair in pairs:
            first, second = map(stem, pair.split())
            found.setdefault(first, {})[second] = name == "contraries"
            found.setdefault(second, {})[first] = name == "contraries"
    return found
