"""What one clause comes to as an answer to a question of yes or no: by the words that both share, and by denials.

No grammar is parsed. A clause answers where it says of the question's subject, or of a pronoun, all that the question
says of it; with denials counted, that is yes or no. Where more or anything else could be meant, it answers nothing.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.benchmarks.metrics.answers import cues
from benchwright.benchmarks.metrics.answers.boolean_question import (
    Asked,
    Token,
    data,
    holds,
    irregular,
    place_words,
    plain_words,
    positive,
    stem,
    word_set,
)

_NOT_YET = re.compile(r"((?:\bnot|n't)\b.*) (?:until|before) (?:\w+ ){0,2}\d{4}\b")
_INSTEAD = re.compile(r"\b(?:instead of|rather than|as opposed to|apart from|other than) [^,;.]*")
_IS_TO = re.compile(r"\b(?:is|are|was|were) (?:not )?to (?:be|have)\b")
_ARTICLES = frozenset(("a", "an", "the", "any"))
_BEING = frozenset(("is", "are", "was", "were", "be", "been", "being"))
_FINITE = _BEING - {"be", "been", "being"} | {"has", "have", "had", "does", "do", "did"}
_COUNTED = frozenset(("any", "anyone", "anybody", "some", "a", "an"))
_NUMERALS = frozenset(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"))
_RELATIONS = frozenset(map(stem, ("before", "after", "above", "below", "under", "over", "more", "less", "fewer")))


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause beside a question, up to the comma after what both share."""

    asked: Asked
    tokens: tuple[Token, ...]
    verb: int
    """Where its verb stands; the number of tokens where it has none."""
    shared: tuple[int, ...]
    """Where words of the question stand."""

    @property
    def before(self) -> tuple[Token, ...]:
        """What stands before its verb."""
        return self.tokens[: self.verb]

    @property
    def names_subject(self) -> bool:
        """Whether a word of the question stands before its verb."""
        return any(token.at is not None for token in self.before)

    @property
    def lacking(self) -> list[int]:
        """Places of the question's words that it has not."""
        there = {self.tokens[number].at for number in self.shared}
        return [place for place in range(len(self.asked.stems)) if place not in there]

    def has(self, *wanted: str) -> bool:
        """Whether one of the words is in it."""
        return any(token.word in wanted for token in self.tokens)


def meaning(asked: Asked, text: str) -> bool | None:
    """What a lowered clause says to a question: yes, no, or nothing."""
    text = _INSTEAD.sub(" ", cues.pattern("not_denied").sub(" ", f" {text}"))
    if asked.auxiliary in word_set("present"):
        text = _NOT_YET.sub(r"\1", text)
    clause = read_clause(asked, text)
    if not clause.shared or clause.verb == len(clause.tokens) or _IS_TO.search(text) or _says_otherwise(clause):
        return None
    denials = _denials(clause)
    if denials is None or not (denials or _is_enough(clause)):
        return None
    is_negative = denials % 2 == 1
    is_swapped = _is_swapped(clause)
    if is_swapped is None or (is_swapped and is_negative and not any(token.is_opposite for token in clause.tokens)):
        return None
    is_negative ^= is_swapped
    return is_negative == asked.is_negative if _is_complete(clause, is_negative=is_negative) else None


def read_clause(asked: Asked, text: str) -> Clause:
    """A lowered clause beside a question."""
    found, end = list[str](), 0
    for part in text.split(", "):
        there = plain_words(part)
        found += there
        if any(token.at is not None for token in place_words(asked, there)):
            end = len(found)
    tokens = tuple(place_words(asked, found)[:end])
    shared = tuple(number for number, token in enumerate(tokens) if token.at is not None)
    return Clause(asked, tokens, _verb(asked, tokens, shared), shared)


def _verb(asked: Asked, tokens: Sequence[Token], shared: Sequence[int]) -> int:
    """An auxiliary, else the question's verb in another form, else a denial, else the last word that is shared."""
    for number, token in enumerate(tokens):
        if token.is_auxiliary or (token.is_function and holds(asked, token.word)):
            return number
    if not asked.is_having:
        for number in shared:
            if tokens[number].at and tokens[number].word not in asked.surface:
                return number
    denial = next((number for number, token in enumerate(tokens) if token.is_denial), None)
    if denial is not None:
        return denial
    return shared[-1] if shared and not asked.is_having else len(tokens)


def _says_otherwise(clause: Clause) -> bool:
    """Whether a clause hedges, speaks of another time, of somebody else, or of two things."""
    blocking = word_set("blocking") - clause.asked.surface
    if any(token.at is None and token.word in blocking for token in clause.tokens):
        return True
    finite = [number for number, token in enumerate(clause.tokens) if positive(token.word) in _FINITE]
    between = [clause.tokens[first + 1 : last] for first, last in itertools.pairwise(finite)]
    if any(not token.is_function for part in between for token in part):
        return True
    return _is_of_another_time(clause) or not _is_of_the_subject(clause)


def _is_of_another_time(clause: Clause) -> bool:
    """Whether a clause speaks of what was, may be or should be, and the question of what is."""
    asked, modals = clause.asked, data()["words"]["modals"]
    said = {positive(token.word) for token in clause.tokens} & modals.keys() - asked.surface
    if asked.auxiliary and any(
        each not in modals.get(asked.auxiliary, ()) and asked.auxiliary not in modals[each] for each in said
    ):
        return True
    if asked.auxiliary not in word_set("present"):
        return False
    verb = clause.tokens[clause.verb]
    if positive(verb.word) in word_set("past"):
        following = next((token.word for token in clause.tokens[clause.verb + 1 :] if token.is_extra), "")
        return following not in word_set("findings")
    return asked.auxiliary in ("do", "does") and verb.at is not None and _is_past(verb.word)


def _is_past(word: str) -> bool:
    if word in irregular():
        return not word.endswith(("s", "ing"))
    return word.endswith("ed") and not word.endswith("eed")


def _is_of_the_subject(clause: Clause) -> bool:
    """Whether a clause speaks of the question's subject, or of what a pronoun stands for, and of nobody else."""
    extra = [token.word for token in clause.before if token.is_extra]
    if not _COUNTED.isdisjoint(clause.asked.surface):
        extra = [word for word in extra if not word.isdigit() and word not in _NUMERALS]
    return not extra


def _is_enough(clause: Clause) -> bool:
    """Whether one shared word may answer: after an auxiliary, as a pronoun's verb, or where there is no other."""
    if len(clause.shared) > 1 or len(clause.asked.stems) == 1:
        return True
    verb = clause.tokens[clause.verb]
    if verb.is_auxiliary:
        return True
    is_last = verb.at == len(clause.asked.stems) - 1 and not any(token.is_extra for token in clause.tokens)
    return is_last and any(token.word in word_set("pronouns") for token in clause.before)


def _denials(clause: Clause) -> int | None:
    """How many denials a clause holds of what was asked; None where that is not clear."""
    opposites = [token for token in clause.tokens if token.is_opposite]
    count = len(opposites)
    for number, token in enumerate(clause.tokens):
        if not token.is_denial:
            continue
        following = next((place for place in clause.shared if place > number), None)
        is_determiner = token.word in word_set("determiners")
        if following is None:
            if is_determiner or token.word == "nor":
                continue
            return None
        between = clause.tokens[number + 1 : following]
        if is_determiner:
            joined = any(each.is_function for each in between[:-1])
            ends_joined = bool(between) and between[-1].is_function and between[-1].word not in _ARTICLES
            if len(between) > 2 or joined or ends_joined:
                return None
        elif sum(each.is_extra for each in between) > 2:
            return None
        count += 1
    return None if count > 1 and any(token.is_contrary for token in opposites) else count


def _is_swapped(clause: Clause) -> bool | None:
    """Whether a clause compares the other way round; None where another order makes it say something else."""
    asked, tokens = clause.asked, clause.tokens
    places = {tokens[number].at: number for number in clause.shared}
    once = (place for place, each in enumerate(asked.stems) if asked.stems.count(each) == 1 and place in places)
    first = next(once, None)
    if first is None or places[first] < max(clause.verb, 1) or asked.is_impersonal or not clause.names_subject:
        return False
    if asked.auxiliary not in _BEING and any(positive(token.word) in _BEING for token in tokens):
        is_passive = clause.has("by", "from", "in") if 0 in places else not clause.has("by")
        return False if is_passive else None
    if "than" in asked.surface and clause.has("than"):
        return True
    return False if clause.has("there") or clause.has("by") != ("by" in asked.surface) else None


def _is_complete(clause: Clause, *, is_negative: bool) -> bool:
    """Whether a clause holds all of what was asked, but for what a pronoun stands for or what goes without saying."""
    asked, tokens, last = clause.asked, clause.tokens, clause.shared[-1]
    said = [tokens[number].at or 0 for number in clause.shared if number >= clause.verb]
    if not said or any(_belongs_to_another(clause, number) for number in clause.shared if number > clause.verb):
        return False
    lacking = clause.lacking
    if not asked.is_impersonal:
        if _may_lack_the_verb(clause, [place for place in lacking if place < min(said)]):
            return False
        lacking = [place for place in lacking if place > min(said)]
    lacking = [place for place in lacking if not _goes_without(clause, place, is_negative=is_negative)]
    after = list(itertools.takewhile(lambda token: token.word not in ("nor", "or"), tokens[last + 1 :]))
    has_more = any(token.is_extra for token in after)
    if is_negative and any(token.is_extra and token.word not in word_set("harmless") for token in after):
        return False
    if not lacking:
        return is_negative or not _modifies(clause)
    if any(asked.stems[place] in _RELATIONS and place + 1 not in lacking for place in lacking):
        return False
    if any(token.word in word_set("objects") for token in tokens[max(clause.verb, last) :]):
        return not has_more
    if asked.is_impersonal and any(token.word == "there" for token in clause.before):
        return not any(token.is_extra for token in tokens)
    return (is_negative or "than" in asked.surface) and not has_more


def _may_lack_the_verb(clause: Clause, lacking: Sequence[int]) -> bool:
    """Whether what a clause lacks could be more than the subject, and another verb stands in its place."""
    if len(lacking) < (1 if clause.names_subject else 2):
        return False
    first = next(number for number in clause.shared if number >= clause.verb)
    between = clause.tokens[clause.verb : first]
    return any(token.is_extra and not token.word.endswith("ly") for token in between)


def _modifies(clause: Clause) -> bool:
    """Whether the last word shared says what the next one is of: "a basement window", "by Marta Holm's brother"."""
    following = clause.tokens[clause.shared[-1] + 1 : clause.shared[-1] + 2]
    if not following or not (clause.asked.is_having or clause.has("by")):
        return False
    word = following[0].word
    return following[0].is_extra and not word.endswith("ly") and word not in word_set("harmless")


def _goes_without(clause: Clause, place: int, *, is_negative: bool) -> bool:
    """Whether a word that a clause lacks modifies one that it has, or is an alternative of one."""
    asked, lacking = clause.asked, clause.lacking
    if place in asked.alternatives and not is_negative and not asked.alternatives.issubset(lacking):
        return True
    if place not in asked.modifiers or place + 1 in lacking or asked.stems[place].isdigit():
        return False
    number = next(number for number in clause.shared if clause.tokens[number].at == place + 1)
    return number == 0 or not clause.tokens[number - 1].is_extra


def _belongs_to_another(clause: Clause, number: int) -> bool:
    """Whether another noun stands before a word, which only says what that is of: "a plan for a basement"."""
    tokens, place = clause.tokens, number - 1
    while place > 0 and tokens[place].is_function and tokens[place].word not in word_set("relating"):
        place -= 1
    if place < 1 or tokens[place].word not in word_set("relating") or not tokens[place - 1].is_extra:
        return False
    noun = tokens[place - 1].word
    verbs = {token.word for token in tokens[:place] if token.word in word_set("auxiliaries")}
    is_participle = noun.endswith(("ed", "en", "ing")) or noun in irregular()
    return bool(verbs) and verbs <= _BEING | {"have", "has", "had"} and not is_participle
