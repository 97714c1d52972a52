"""Whether what a sentence tells happened once, so that "when" and "who" have one answer.

A clause must name its occasion, and no other sentence of the article may tell the same of another time.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchwright.builders.wiki.questions.dates import Dated, find_dates
from benchwright.builders.wiki.questions.vocabulary import is_listed, listed, verbs

NOT_ALONE = "it may have happened more than once"
UNNAMED = "it refers to something that it does not name"
OTHERWISE = "another sentence tells it with another date"
FINER = "another sentence tells its date more precisely"
SEVERAL = "another sentence may give another answer"
_WORD = re.compile(r"[^\W_][\w’'-]*")
_DEFINITE = re.compile(r"\b(?P<of>the|his|her|its|their|both|several|many|some|all|each|every) (?P<then>[^,;]*)")
_OTHER_TEAM = re.compile(r"['’]s? (?:reserves?|first|second|youth|senior|academy|under-\d+)(?: team| squad| side|$)")
_LINKS = frozenset(
    [
        "of",
        "for",
        "in",
        "at",
        "with",
        "as",
        "from",
        "on",
        "by",
        "against",
        "to",
        "into",
        "over",
        "between",
        "under",
        "and",
    ]
)
_LEADING_ON = ("of", "for", "in", "at", "as", "on", "with", "from")
_MOST_ALIKE = 40
"""An article in which so many dated sentences have one verb tells it of many times."""


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence that is compared with others."""

    start: int
    is_bound: bool
    """It speaks of the article's subject."""
    names: frozenset[str]
    words: frozenset[str]
    dates: tuple[Dated, ...]


@dataclass(frozen=True)
class Telling:
    """The sentences of an article by the verbs in them."""

    by_verb: dict[str, list[Told]] = field(default_factory=lambda: defaultdict(list))
    schooled: set[int] = field(default_factory=set)
    """Where the sentences begin that name a school or a university."""

    def add(self, start: int, text: str, is_bound: bool) -> None:
        """Adds a sentence."""
        said = _WORD.findall(text)
        if any(word[:1].isupper() and word.lower() in listed("schools") for word in said):
            self.schooled.add(start)
        forms = verbs().base_of
        bases = {forms[word.lower()] for word in said if word.lower() in forms}
        if not bases:
            return
        told = Told(start, is_bound, names_in(text), frozenset(word.lower() for word in said), tuple(find_dates(text)))
        for base in bases:
            self.by_verb[base].append(told)

    def others(self, base: str, start: int) -> Iterator[Told]:
        """The sentences with a verb, but for the one that begins there."""
        return (told for told in self.by_verb.get(base, ()) if told.start != start)

    def is_told_otherwise(self, base: str, clause: str, start: int, answer: str) -> str:
        """Why a date may not be the only one, or not the most precise one, of what a clause tells."""
        own = find_dates(answer)
        if len(own) != 1:
            return ""
        day, names = own[0], names_in(clause)
        if len(self.by_verb.get(base, ())) > _MOST_ALIKE:
            return NOT_ALONE
        for told in self.others(base, start):
            shared = len(names & told.names)
            if (names and shared * 2 < len(names) + (len(names) > 1)) or (not names and not told.is_bound):
                continue
            dates = [each for each in told.dates if each.precision in ("day", "month", "year")]
            if any(_is_finer(each, day) for each in dates):
                return FINER
            if dates and not any(each.first <= day.first and day.last <= each.last for each in dates):
                return OTHERWISE
        return ""

    def is_alone(self, bases: Sequence[str], start: int, year: str) -> bool:
        """Whether no other sentence about the subject has one of some verbs, or none with a year in it.

        Of studies none may name a school, either.
        """
        if "study" in bases and not year and self.schooled - {start}:
            return False
        for base in bases:
            for told in self.others(base, start):
                if not year or not told.dates or any(str(each.first.year) == year for each in told.dates):
                    return False
        return True


def names_in(text: str) -> frozenset[str]:
    """The capitalised words of a stretch, in small letters."""
    return frozenset(word.lower() for word in _WORD.findall(text) if word[:1].isupper())


def is_shortened(clause: str, before: str) -> bool:
    """Whether a clause has a name of one word that was part of a longer one before it: "Mary", "the Galaxy".

    Args:
        clause: what is said of a subject, without the subject.
        before: the article's text up to it.
    """
    for word in _lone_names(clause):
        said = re.escape(word)
        longer = rf"\b[^\W\d_a-z][\w'’.-]+ {said}\b|\b{said},? (?:of |de )?[^\W\d_a-z][\w'’-]+"
        if re.search(longer, before):
            return True
    return False


def _lone_names(clause: str) -> Iterator[str]:
    """The capitalised words that have none beside them."""
    said = [word.removesuffix("'s").removesuffix("’s") for word in clause.split()]
    capital = [False, *(word[:1].isupper() for word in said), False, False]
    for place, word in enumerate(said, start=1):
        follows = capital[place + 1] or (said[place : place + 1] in (["of"], ["de"]) and capital[place + 2])
        if capital[place] and not capital[place - 1] and not follows and len(word) > 2:
            yield word


def vague_reference(clause: str) -> str:
    """Why a clause cannot stand alone: it has "the event", "his team", "several films", and nothing names them."""
    if _OTHER_TEAM.search(clause):
        return UNNAMED
    for match in _DEFINITE.finditer(clause):
        following = match["then"].split()
        if not following:
            return UNNAMED
        if match["of"] in ("both", "several", "many", "some", "all", "each", "every"):
            return UNNAMED
        if _names_something(following):
            continue
        return UNNAMED
    return ""


def _names_something(following: list[str]) -> bool:
    """Whether what follows "the" is named: it holds a capital, or goes on to one by "of", "for", "in"."""
    noun: list[str] = []
    for word in following:
        if word[:1].isupper() or word[:1].isdigit():
            return True
        if word in _LINKS:
            break
        noun.append(word)
    if set(noun) & listed("known_definites"):
        return True
    after = following[len(noun) :]
    return any(word[:1].isupper() for word in after) and after[0] in _LEADING_ON


def clause_problem(base: str, rest: str, *, is_passive: bool, is_work: bool) -> str:
    """Why what a verb and its rest tell may have happened more than once, as far as they say.

    Args:
        base: the verb.
        rest: what follows it, without the date.
        is_passive: it was done to the subject.
        is_work: the subject is a film, a song, a book, which is released once.
    """
    if reason := vague_reference(rest):
        return reason
    has_name = any(word[:1].isupper() for word in rest.split())
    if is_listed(base, "activities") and not (" first " in rest and has_name):
        return NOT_ALONE
    if set(rest.split()) & listed("tallies"):
        return NOT_ALONE
    if is_listed(base, "once_bases"):
        if base in ("release", "publish", "issue", "broadcast") and not (is_passive and is_work) and not has_name:
            return NOT_ALONE
        return ""
    if base in listed("opponents") and not re.search(r" (?:in|at|as|for) .*[A-Z]", rest):
        return NOT_ALONE
    if set(rest.split()) & listed("once_objects") or (not rest and base in ("open", "close", "end", "begin")):
        return ""
    return "" if has_name else NOT_ALONE


def _is_finer(one: Dated, other: Dated) -> bool:
    return other.first <= one.first and one.last <= other.last and (one.first, one.last) != (other.first, other.last)
