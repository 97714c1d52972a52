"""A sentence of a document as words before, subject, verb and rest, so that it can be turned into a question.

It is read by lists of words (`sections.toml`), not by grammar: what is not clear is left alone.
"""

import functools
import itertools
import re
from dataclasses import dataclass, replace

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.text.words import STOP_WORDS, stem
from benchwright.builders.wiki.questions.vocabulary import verbs

_WORD = re.compile(r"[^\s]+")
_OPENING = re.compile(
    r"(?!at (?:most|least)\b|up to\b|in (?:fact|general|addition)\b)"
    r"(?!as (?:you|we|it|mentioned|shown|described|noted|stated|a result)\b)"
    r"(?:if|when|whenever|while|because|although|though|before|after|once|unless|as|since|until|for|in|on|at|by|with"
    r"|during|under|within|from|without|inside|outside|among|along|besides|despite|per|through|up|using|to)\b",
    re.IGNORECASE,
)
"""A word with which something begins that stands before the subject."""
_BROKEN_SUBJECT = re.compile(
    r"[,;:()\"“”?!—–]|\b(?:that|which|who|whose|where|because|if|when|while|not|to|but|than|as|how|why|whether)\b"
)
_BEFORE_A_VERB = re.compile(
    r"\b(?:the|an?|of|to|and|or|for|in|its|their|your|no|each|every|any|with|by|from|on|as)$", re.I
)
_NEW_CLAUSE = re.compile(
    r"[,;:]|\b(?:that|which|who|whose|and|but|or|when|if|because|while|where|as|how|what|whether)\b"
)
_MOST_SUBJECT, _MOST_BEFORE = 9, 14
"""Words of a subject, and of what stands before it."""
HEDGE = re.compile(
    r"^(?:at (?:most|least)|up to|about|around|approximately|more than|less than|fewer than|over|nearly|almost"
    r"|a (?:maximum|minimum|total) of) ",
    re.IGNORECASE,
)
_PLURALS = ("we", "you", "people", "employees")


@dataclass(frozen=True, slots=True)
class MainClause:
    """The parts of a sentence, as they stand in it; without the full stop."""

    before: str
    """What stands before the subject: "If the key is missing"; mostly nothing."""
    subject: str
    verb: str
    """The first finite verb: an auxiliary, or one that is known."""
    base: str
    """Of a verb that is no auxiliary, its base form."""
    rest: str

    @property
    def helper(self) -> str:
        """What stands before the subject of a question: "is", "does"."""
        if not self.base:
            return self.verb
        if self.verb == self.base:
            return "do"
        return "did" if self.verb in verbs().base_of_past else "does"

    def asked(self, rest: str) -> str:
        """ "does each employee have …": the clause as it goes on after what asks."""
        return " ".join(filter(None, (self.helper, self.subject, self.base, rest.strip())))

    def inside(self, text: str) -> "MainClause":
        """The same, as it stands inside a sentence: see `in_sentence`."""
        return replace(self, before=in_sentence(self.before, text), subject=in_sentence(self.subject, text))


@functools.cache
def section_words(name: str) -> frozenset[str]:
    """A set of words of `sections.toml`."""
    return frozenset(read_toml(__package__, "sections.toml")[name].split())


def read_clause(sentence: str) -> MainClause | None:
    """The parts of a sentence; None where they are not clear."""
    text = sentence.removesuffix(".")
    before = ""
    if _OPENING.match(text):
        before, comma, text = text.partition(", ")
        if not comma or len(before.split()) > _MOST_BEFORE:
            return None
    found = list(_WORD.finditer(text))
    for place, match in enumerate(found[1 : _MOST_SUBJECT + 1], 1):
        subject = text[: match.start()].rstrip()
        if _BROKEN_SUBJECT.search(HEDGE.sub("", subject)):
            return None
        word = match[0]
        base = "" if word in section_words("auxiliaries") else _base(word, subject)
        is_verb = word in section_words("auxiliaries") or (base and not _is_noun(text[match.end() :], subject))
        if base and is_verb and _has_another(text[match.end() :]):
            return None
        if word in ("has", "have", "had") and place + 1 < len(found) and _is_participle(found[place + 1][0]):
            base, is_verb = "", True
        if is_verb:
            return MainClause(before, subject, word, base, text[match.end() :].strip()) if is_clear(subject) else None
    return None


def is_clear(subject: str) -> bool:
    """Whether a subject names something by itself."""
    said = re.findall(r"[\w'’-]+", subject.lower())
    is_cut = len(said) > 1 and {*said} & {"you", "we", "it", "they", "i"}
    if (
        not said
        or said[0] in ("and", "or", "but", "then", "so")
        or is_cut
        or {*said} & section_words("pointing")
        or said[0] in section_words("pronouns")
    ):
        return False
    head = re.split(r"\b(?:of|in|on|for|with|from|to|by|at|inside|within)\b", HEDGE.sub("", subject).lower())[0]
    words = [word for word in re.findall(r"[\w'’-]+", head) if word not in ("the", "a", "an")]
    is_empty = (
        not words
        or words[0] in ("first", "second", "third", "last", "next", "same")
        or words[-1] in section_words("empty_subjects")
        or words[-1].endswith("ly")
    )
    return not is_empty and (len("".join(words)) > 1 or words[0].isdigit())


def in_sentence(text: str, around: str = "") -> str:
    """Words as they stand inside a sentence: a first word in small letters where it is no name.

    Args:
        text: words from a sentence's beginning.
        around: a text that tells by its other sentences how the word is written.
    """
    first = re.match(r"[A-Z][a-z]*(?![\w.-])", text)
    if first is None or first[0] in ("I", "May", "Will", "US"):
        return text
    small = first[0].lower()
    if re.match(r" [A-Z][a-z]", text[first.end() :]) and small not in STOP_WORDS and not _OPENING.match(text):
        return text
    if small in STOP_WORDS or small in _OPENERS or _OPENING.match(text):
        return text[:1].lower() + text[1:]
    is_name = re.search(rf"[\w,>:] {first[0]}\b", around) is not None
    is_word = re.search(rf"(?<![\w.-]){re.escape(stem(small))}(?:s|es)?(?![\w-])", around) is not None
    is_described = re.match(r" [a-z]", text[first.end() :]) is not None
    is_small = is_word or (not is_name and (is_described or stem(small) != small))
    return text[:1].lower() + text[1:] if is_small else text


_OPENERS = ("every", "either", "neither", "another", "two", "three", "four")


def _base(word: str, subject: str) -> str:
    """The base form of a verb that fits its subject; nothing where it is no verb that is known."""
    known = section_words("verbs")
    last = re.split(r"\W+", subject.lower().strip())[-1]
    head = re.split(r" (?:of|in|on|for|with|from|to|by|at|inside|within) ", subject.lower())[0].split()[-1]
    is_plural = last in _PLURALS or (head.endswith("s") and not head.endswith(("ss", "us", "is")))
    if word in known:
        return word if is_plural else ""
    if word in verbs().base_of_past:
        return verbs().base_of_past[word]
    if is_plural:
        return ""
    if word == "has":
        return "have"
    for base in (word.removesuffix("s"), word.removesuffix("es"), f"{word.removesuffix('ies')}y"):
        if base != word and base in known and word.endswith("s"):
            return base
    return ""


def _is_noun(after: str, subject: str) -> bool:
    """Whether what looks like a verb is a noun or a participle, since an auxiliary follows in the same clause."""
    if _BEFORE_A_VERB.search(subject):
        return True
    clause = _NEW_CLAUSE.split(after, maxsplit=1)[0].split()
    is_followed = bool(clause) and clause[0] in ("the", "a", "an", "your", "its", "their", "all", "any")
    return not is_followed and any(word in section_words("auxiliaries") or word == "has" for word in clause)


def _has_another(after: str) -> bool:
    """Whether another word of the clause, soon after, could be the verb as well."""
    clause = _NEW_CLAUSE.split(after, maxsplit=1)[0].split()
    return any(
        re.search(r"[^s]s$", word)
        and word.removesuffix("s") in section_words("verbs")
        and not _BEFORE_A_VERB.search(past)
        for past, word in itertools.pairwise(clause[:4])
    )


def _is_participle(word: str) -> bool:
    return word in ("been", "already", "become") or word in verbs().base_of_past or word.endswith("ed")
