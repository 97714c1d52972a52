"""The steps of a form's rule: each makes of a text one that differs in a single respect; placeholders stay as they are.

A step gives None where a text cannot be changed so.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sql import PLACEHOLDER
from benchwright.benchmarks.hashing import rank
from benchwright.builders.sql.wording.lexicon import known_tokens, stem

Step = Callable[["Text"], str | None]
_PARTS = re.compile(r"(\[[^\[\]]+\])")
_WORD = re.compile(r"[A-Za-z]+")
_SHORTEST = 4
"""The least letters of a word that is misspelt."""
_MOST = 20
"""The most slips of a text that a file may ask for."""
_ENTRIES = 200
"""The most entries of a list or a table of a step."""
_LONGEST = 300
"""The most characters of one."""
_SLOTS = 4
"""The most slots of a sentence that is built anew."""
_SLOT = re.compile(r"\{([a-z]{1,20})\}")
_ENDS = ".?!…:;, "
_PRONOUN = re.compile(r"I\b")


@dataclass(frozen=True)
class Text:
    """A text on its way through the steps of a rule."""

    text: str
    number: int
    """Its place among the texts of its template, which chooses among frames."""
    seed: str
    """What slips are drawn by, besides the text."""
    words: frozenset[str]
    """What tables and columns are called: no slip makes one of them of another word."""


def read_step(name: str, value: Any) -> Step:
    """The step that one entry of a rule stands for.

    Raises:
        BenchwrightError: there is no such step, or its value is not as it must be; the message has no place.
    """
    if name not in STEPS:
        raise BenchwrightError(f"there is no step {name!r}: choose from {', '.join(STEPS)}")
    return STEPS[name](value)


def _typos(value: Any) -> Step:
    """So many slips of the hand: two letters swapped, one left out or one doubled, each in a word of its own."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST:
        raise BenchwrightError(f"typos must be a whole number from 1 to {_MOST}")

    def step(given: Text) -> str | None:
        words = {part.lower() for phrase in given.words for part in phrase.split()}
        parts = _PARTS.split(given.text)
        places = [
            (number, match)
            for number, part in enumerate(parts)
            if not number % 2
            for match in _WORD.finditer(part)
            if len(match[0]) >= _SHORTEST
        ]
        places.sort(key=lambda place: rank(0, given.seed, given.text, f"{place[0]} {place[1].start()}", joined_by="\0"))
        slips: list[tuple[int, re.Match[str], str]] = []
        for number, match in places:
            if len(slips) < value and (found := _slip(match[0], f"{given.seed}\0{given.text}", words)):
                slips.append((number, match, found))
        for number, match, found in sorted(slips, key=lambda slip: (slip[0], -slip[1].start())):
            parts[number] = parts[number][: match.start()] + found + parts[number][match.end() :]
        return "".join(parts) if slips else None

    return step


def _slip(word: str, seed: str, words: frozenset[str] | set[str]) -> str | None:
    """A word with one slip behind its first letter, which is no word that is known; None where there is none."""
    inner = range(1, len(word))
    found = [word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in inner[:-1] if word[at] != word[at + 1]]
    found += [word[:at] + word[at + 1 :] for at in inner[:-1] if word[at] != word[at - 1]]
    found += [word[:at] + word[at] + word[at:] for at in inner if word[at] not in (word[at - 1], word[at + 1 : at + 2])]
    known = known_tokens()
    new = [one for one in found if one != word and one.lower() not in words and stem(one.lower()) not in known]
    return min(new, key=lambda one: rank(0, seed, word, one, joined_by="\0"), default=None)


def _prefix(value: Any) -> Step:
    """A beginning: of a list, that of the text's number."""
    beginnings = _texts("prefix", value)

    def step(given: Text) -> str:
        return beginnings[given.number % len(beginnings)] + _uncapitalised(given.text)

    return step


def _suffix(value: Any) -> Step:
    """An end in place of the last marks: of a list, that of the text's number."""
    ends = _texts("suffix", value)

    def step(given: Text) -> str:
        return given.text.rstrip(_ENDS) + ends[given.number % len(ends)]

    return step


def _replace(value: Any) -> Step:
    """Words or phrases by others, those of several words first."""
    if not isinstance(value, dict) or not value or len(value) > _ENTRIES:
        raise BenchwrightError(f"replace must be a table of 1 to {_ENTRIES} words and what stands for them")
    table = {key.lower(): text for key, text in value.items()}
    for key, text in table.items():
        _check("replace", key)
        _check("replace", text, may_be_empty=True)
    pattern = _any_of(list(table))

    def put(match: re.Match[str]) -> str:
        text = table[match[0].lower()]
        return text[:1].upper() + text[1:] if match[0][0].isupper() and match[0] != "I" else text

    return lambda given: _tidy(_outside(given.text, lambda part: pattern.sub(put, part)))


def _without(value: Any) -> Step:
    """Words left out, such as articles, but not inside what tables and columns are called: `units on order`."""
    left_out = _texts("without", value)

    def step(given: Text) -> str:
        names = {name.lower() for name in given.words if " " in name}
        pattern = _any_of([*left_out, *names])

        def change(match: re.Match[str]) -> str:
            return match[0] if match[0].lower() in names else ""

        return _tidy(_outside(given.text, lambda part: pattern.sub(change, part)))

    return step


def _lower(value: Any) -> Step:
    """All in small letters."""
    _is_true("lower", value)
    return lambda given: _outside(given.text, str.lower)


def _no_marks(value: Any) -> Step:
    """Without marks, but those inside words, and without what a mark ties to a placeholder."""
    _is_true("no_marks", value)

    def change(part: str) -> str:
        return re.sub(r"[.,:;?!…“”\"]|['’](?!\w)|(?<!\w)['’]", " ", re.sub(r"^['’]s\b", "", part))

    return lambda given: _tidy(_outside(given.text, change))


def _rewrite(value: Any) -> Step:
    """Sentences built anew: a table of how they are and how they become, where {slots} stand for the rest.

    The first that fits is used; of a list, the one of the text's number.
    """
    if not isinstance(value, dict) or not value or len(value) > _ENTRIES:
        raise BenchwrightError(f"rewrite must be a table of 1 to {_ENTRIES} sentences and what they become")
    table = [(_sentence(was), _becomes(was, becomes)) for was, becomes in value.items()]

    def step(given: Text) -> str | None:
        for pattern, becomes in table:
            if match := pattern.fullmatch(given.text):
                slots = {
                    name: _uncapitalised(text) if match.start(name) == 0 else text
                    for name, text in match.groupdict().items()
                }
                text = becomes[given.number % len(becomes)].format_map(slots)
                return text[:1].upper() + text[1:]
        return None

    return step


def _sentence(was: str) -> re.Pattern[str]:
    """What a sentence with slots matches."""
    _check("rewrite", was)
    slots = _slots(was)
    if not slots or len(slots) > _SLOTS or len(slots) != len(set(slots)):
        raise BenchwrightError(f"rewrite: {was!r:.60} must have 1 to {_SLOTS} {{slots}}, each once")
    parts = _SLOT.split(was)
    return re.compile(
        "".join(f"(?P<{part}>.+?)" if number % 2 else re.escape(part) for number, part in enumerate(parts)), re.DOTALL
    )


def _becomes(was: str, value: Any) -> tuple[str, ...]:
    """What a sentence becomes: each with the same slots."""
    found = _texts("rewrite", value)
    for text in found:
        if sorted(_slots(text)) != sorted(_slots(was)):
            raise BenchwrightError(f"rewrite: {text!r:.60} must have the slots of {was!r:.60}, each once")
    return found


def _slots(text: str) -> list[str]:
    """The names of the slots of a text, whose braces hold nothing else."""
    if re.search(r"[{}]", _SLOT.sub("", text)):
        raise BenchwrightError(f"rewrite: a slot of {text!r:.60} must be a word of a to z in braces, such as {{fact}}")
    return _SLOT.findall(text)


def _uncapitalised(text: str) -> str:
    """A text that no longer begins a sentence."""
    keeps = text.startswith("[") or _PRONOUN.match(text)
    return text if keeps else text[:1].lower() + text[1:]


STEPS: Mapping[str, Callable[[Any], Step]] = {
    "typos": _typos,
    "prefix": _prefix,
    "suffix": _suffix,
    "replace": _replace,
    "without": _without,
    "lower": _lower,
    "no_marks": _no_marks,
    "rewrite": _rewrite,
}
"""Name in a file → what reads its value."""
MISSPELLING = frozenset({"typos"})
"""Steps behind which words are no longer words: what a text says is looked at before them."""


def _outside(text: str, change: Callable[[str], str]) -> str:
    """A text with what is outside its placeholders changed."""
    return "".join(part if number % 2 else change(part) for number, part in enumerate(_PARTS.split(text)))


def _tidy(text: str) -> str:
    """Without the blanks that words left behind, and with a capital where there was one."""
    return re.sub(r"\s+([,.:;?!])", r"\1", " ".join(text.split())).lstrip(",.:;?! ")


def _any_of(words: Sequence[str]) -> re.Pattern[str]:
    said = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<![\w'’-])(?:{said})(?![\w'’-])", re.IGNORECASE)


def _texts(name: str, value: Any) -> tuple[str, ...]:
    """A text, or a list of some."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts or len(texts) > _ENTRIES:
        raise BenchwrightError(f"{name} must be a text or a list of 1 to {_ENTRIES} texts")
    for text in texts:
        _check(name, text)
    return tuple(texts)


def _check(name: str, text: Any, *, may_be_empty: bool = False) -> None:
    if not isinstance(text, str) or not (text.strip() or may_be_empty) or len(text) > _LONGEST:
        raise BenchwrightError(f"{name} must hold texts of 1 to {_LONGEST} characters, and has {text!r:.60}")
    if not text.isprintable() or PLACEHOLDER.search(text) or "[" in text or "]" in text:
        raise BenchwrightError(f"{name} must hold texts on one line without square brackets, and has {text!r:.60}")


def _is_true(name: str, value: Any) -> None:
    if value is not True:
        raise BenchwrightError(f"{name} must be true, or be left out")
