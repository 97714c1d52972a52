"""Whether words of a duty can be asked about, and where one action ends: by the words of `duties.toml`."""

import re

from benchwright.benchmarks.data_files import read_words

WORD = re.compile(r"[\w'’\-]+")
_WORDS = read_words(__package__, "duties.toml")
_AND = re.compile(r",? and |, ")
_RELATIVE = re.compile(r"\b(?:that|which|who|whose)\b")
_CONJUNCTIONS = ("if", "when", "whenever", "once", "while", "after")
_NEGATIONS = frozenset(("no", "not", "never", "none", "without", "cannot"))
_AND_MAY = re.compile(r"\b(?:and|or|but)\b.*\b(?:may|can|will|would|might)\b", re.IGNORECASE)
_AND_IF = re.compile(r",(?: and| or)?,? (?:if|when|unless|where)\b")
_LONGEST_SUBJECT, _LONGEST = 14, 40
"""Words of a subject, and of an action or a condition."""


def split(action: str, start: int = 0) -> list[tuple[int, int]]:
    """Where each single action of "stop timer T1, enter the IDLE state and send X" stands.

    The whole, where a part does not begin with a verb that is known: "and" may join two things as well as two actions.
    """
    cuts = [
        (match.start(), match.end())
        for match in _AND.finditer(action)
        if first_word(action[match.end() :]) in _WORDS["actions"]
    ]
    ends = [begin for begin, _ in cuts] + [len(action)]
    begins = [0] + [end for _, end in cuts]
    parts = [action[begin:end] for begin, end in zip(begins, ends, strict=True)]
    if first_word(action) not in _WORDS["actions"] or any(re.search(r",| and | or ", part) for part in parts):
        return [(start, start + len(action))]
    return [(start + begin, start + end) for begin, end in zip(begins, ends, strict=True)]


def first_word(text: str) -> str:
    """The first word."""
    match = WORD.match(text)
    return match[0] if match else ""


def starts_with_action(text: str) -> bool:
    """Whether words begin as an action does: with a verb that is known."""
    return first_word(text) in _WORDS["actions"]


def is_act(action: str) -> bool:
    """Whether only somebody who acts can do it, as sending is and containing is not."""
    return first_word(action) in _WORDS["acts"]


def small(text: str, words: frozenset[str]) -> str:
    """The text with its first word in small letters, where the document writes the word so."""
    first = first_word(text)
    lower = first.lower()
    return lower + text[len(first) :] if first.istitle() and (lower in words or len(lower) < 2) else text


def inside(condition: str) -> str:
    """A condition that began a sentence as it stands inside one: "Upon" is "upon"."""
    return condition[0].lower() + condition[1:]


def is_clear(text: str, negated: bool = False) -> bool:
    """Whether it can stand in a question: not too long, no word that points elsewhere, no negation.

    Args:
        text: a subject, an action or a condition.
        negated: whether "no" and "not" are accepted, as they are in a condition.
    """
    found = set(WORD.findall(re.sub(r"\bother than\b", "", text.lower()))) - (_NEGATIONS if negated else set())
    clear = not _WORDS["unclear"].intersection(found) and "that case" not in text.lower()
    return clear and len(WORD.findall(text)) <= _LONGEST


def is_subject(text: str) -> bool:
    """Whether words are one noun with what belongs to it: no verb before a "that"."""
    said = WORD.findall(_RELATIVE.split(text)[0].lower())
    return (
        is_clear(text, negated=_RELATIVE.search(text) is not None)
        and len(WORD.findall(text)) <= _LONGEST_SUBJECT
        and first_word(text).lower() not in _WORDS["no_subjects"]
        and not _WORDS["verbs"].intersection(said)
        and re.match(r"[a-z]+(?:ed|ing) ", text) is None
        and re.search(r"\b(?:they|it|you|we|there|that|i)['’]", text, re.IGNORECASE) is None
    )


def is_whole(condition: str) -> bool:
    """Whether a condition is a clause with a subject of its own, or a thing that happens: not "if possible"."""
    words = condition.split()
    if words[0] not in _CONJUNCTIONS:
        return len(words) > 1
    return len(words) > 3 and re.fullmatch(r"\w+(?:ing|ed)", words[1]) is None and words[1] not in _WORDS["reduced"]


def is_action(text: str) -> bool:
    """Whether words can be an answer: all that is to be done, with nothing that is told elsewhere."""
    found = WORD.findall(text.lower())
    barred = _WORDS["pointing"] | _WORDS["negative"]
    return (
        1 < len(found) <= _LONGEST
        and not barred.intersection(found)
        and found[0] != "only"
        and "do so" not in text.lower()
        and found[-1] not in _WORDS["cut"]
        and text.count("(") == text.count(")")
        and _AND_MAY.search(text) is None
        and _AND_IF.search(text) is None
    )
