"""By which words people ask for a column, a table or whoever plays a role: those of the schema and others like them.

Words are compared by their stems, phrases of several words as one token: `how tall`, `come from`.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

from benchwright.benchmarks.data_files import read_toml, read_words
from benchwright.builders.sql.wording import english

_FILE = "lexicon.toml"
_WORDS = read_words(__package__, _FILE, "words")
_TOKEN = re.compile(r"\x00|[^\W\d_]+(?:['’][^\W\d_]+)?|[A-Z]+\d*|\d+|[.?!;:,()–—]")
_AGENT = re.compile(r"(.+(?:er|or))s?$")
_ENDINGS = {"s": "is", "re": "are", "ll": "will", "ve": "have", "d": "did", "m": "am"}
PLACE = "\x00"
"""Stands for a placeholder."""


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of an English word, in lower case: of `taught` that of `teach`, of `qty` that of `quantity`.

    Who does something keeps the ending.
    """
    lower = _abbreviations().get(word.lower(), word.lower())
    lower = _irregular().get(lower, lower)
    if len(lower) > 4 and (found := _AGENT.match(lower)):
        return found[1]
    return _stemmer().stemWord(lower)


@cache
def _abbreviations() -> dict[str, str]:
    return read_toml(__package__, _FILE)["abbreviations"]


def is_irregular(word: str) -> bool:
    """Whether a word is a form of an irregular verb: `built`."""
    return word.lower() in _irregular()


@cache
def _irregular() -> dict[str, str]:
    """Form of an irregular verb → its first form."""
    forms = read_toml(__package__, _FILE)["irregular"]
    return {form: verb for verb, said in forms.items() for form in said.split()}


def own_words(phrase: str) -> frozenset[str]:
    """The tokens of the words of a phrase themselves."""
    return frozenset(map(stem, re.findall(r"[^\W_]+", phrase)))


def deeds(phrase: str) -> frozenset[str]:
    """The tokens of what somebody does who is called so, for any verb: `produc` of a film producer."""
    return deed(phrase.split()[-1]) if phrase else frozenset()


def is_sufferer(word: str) -> bool:
    """Whether a word is for somebody to whom something is done: a dedicatee, a trainee."""
    return len(word) > 6 and word.lower().endswith("ee") and word.lower() not in words_called("no_sufferers")


@lru_cache(maxsize=20_000)
def deed(word: str) -> frozenset[str]:
    """The stems of a verb from which a word for a person, a thing or a place is made."""
    found = _AGENT.match(word.lower())
    root = found[1][:-2] if found and len(found[1]) > 5 else ""
    root = word.lower()[:-2] if is_sufferer(word) else root
    if not root:
        return frozenset()
    short = root[:-1] if root[-1] == root[-2] else root
    return frozenset({root, short, stem(root), stem(f"{root}e")})


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


def tokens(text: str) -> list[str]:
    """The tokens of a text: stems, phrases of the lexicon, `PLACE` for placeholders, and marks."""
    found: list[str] = []
    for part in _TOKEN.findall(text):
        word, _, ending = part.lower().replace("’", "'").partition("'")
        if word.endswith("n") and ending == "t":
            found += [stem(word[:-1]) if word not in ("can", "won", "shan") else word, "not"]
        elif ending and ending in _ENDINGS and not (ending == "s" and not _may_contract(word)):
            found += [stem(word), stem(_ENDINGS[ending])]
        else:
            found.append(stem(word) if word[:1].isalpha() else part)
    return _merged(found)


def _may_contract(word: str) -> bool:
    return word in {"who", "what", "where", "when", "how", "it", "that", "there", "he", "she", "here", "let", "why"}


def _merged(parts: Sequence[str]) -> list[str]:
    """Tokens with phrases of the lexicon made one, the longest first."""
    found: list[str] = []
    start = 0
    while start < len(parts):
        for size in range(min(5, len(parts) - start), 1, -1):
            phrase = "_".join(parts[start : start + size])
            if phrase in _phrases():
                found.append(phrase)
                start += size
                break
        else:
            found.append(parts[start])
            start += 1
    return found


def spread(there: Iterable[str]) -> frozenset[str]:
    """The tokens of a text, those of phrases also one by one."""
    found = set(there)
    return frozenset(found.union(*(token.split("_") for token in found if "_" in token and token[:4] != "how_")))


@cache
def _phrases() -> frozenset[str]:
    tables = read_toml(__package__, _FILE)
    lists = [tables[name] for name in ("same", "kinds", "heads", "agents")]
    texts = [word for table in lists for said in table.values() for word in said.split()]
    texts += [word for said in _WORDS.values() for word in said]
    return frozenset(_token(word) for word in texts if "_" in word) | {"how_mani", "how_much", "how_larg", "how_big"}


def _token(word: str) -> str:
    return "_".join(stem(part) for part in word.split("_"))


@cache
def _table(name: str) -> dict[str, frozenset[str]]:
    found = read_toml(__package__, _FILE)[name]
    return {" ".join(map(stem, key.split())): frozenset(map(_token, said.split())) for key, said in found.items()}


@cache
def known_tokens() -> frozenset[str]:
    """The tokens of all words that the lexicon has."""
    tables = read_toml(__package__, _FILE)
    lists = [tables[name] for name in ("same", "kinds", "heads", "agents", "irregular")]
    texts = [text for table in lists for key, said in table.items() for text in (*key.split(), *said.split())]
    return frozenset(map(_token, texts)).union(*map(words_called, _WORDS))


@cache
def words_called(name: str) -> frozenset[str]:
    """The tokens of one of the lexicon's lists of words."""
    return frozenset(map(_token, _WORDS[name]))


@lru_cache(maxsize=20_000)
def same(phrase: str) -> frozenset[str]:
    """The tokens that say what some words say: themselves, what the lexicon has for them as a whole, else for each."""
    parts = [stem(part) for part in re.findall(r"[^\W_]+", phrase)]
    whole = " ".join(parts)
    found = {*parts, *_merged(parts)}.union(*map(deed, re.findall(r"[^\W_]+", phrase)))
    table = _table("same")
    if whole in table:
        return frozenset(found | table[whole])
    for size in range(min(4, len(parts)), 0, -1):
        for start in range(len(parts) - size + 1):
            found |= table.get(" ".join(parts[start : start + size]), frozenset())
    return frozenset(found)


@lru_cache(maxsize=20_000)
def asks_for(kind: str, phrase: str) -> frozenset[str]:
    """Tokens that stand for a kind of value and for the last word of a column: `when` of a date."""
    head = stem(english.head_word(phrase))
    last = stem(phrase.split()[-1]) if phrase else ""
    heads = _table("heads")
    return _table("kinds").get(stem(kind), frozenset()) | heads.get(head, frozenset()) | heads.get(last, frozenset())


@lru_cache(maxsize=20_000)
def done_by(role: str) -> frozenset[str]:
    """The verbs of whoever plays a role: `write` of an author."""
    parts = [stem(part) for part in role.split()]
    table = _table("agents")
    found = set(table.get(" ".join(parts), frozenset()))
    for part in parts:
        found |= table.get(part, frozenset())
    return frozenset(found)


def all_of(phrases: Iterable[str]) -> frozenset[str]:
    """The tokens of several phrases."""
    return frozenset(token for phrase in phrases for token in same(phrase))
