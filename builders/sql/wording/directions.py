"""Whether a wording says a relation the other way round: asks for the pupil where the teacher is selected."""

import itertools
import re
from collections.abc import Iterator, Sequence

from benchwright.benchmarks.grounding.sql import PLACEHOLDER
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.lexicon import PLACE, is_irregular, stem, words_called
from benchwright.builders.sql.wording.sense import Relation, Sense
from benchwright.builders.sql.wording.text_checks import Problem
from benchwright.builders.sql.wording.zones import BE, DO, MARKS, PREPOSITIONS

_ARTICLES = frozenset({"the", "a", "an", "this", "that"})
_DO = DO | {"will"}
_AGENTSBEHIND = frozenset({"who", "whom", "which", "what", "whose", *MARKS})
"""What follows a `by` that asks for whoever did something."""
_ENDS_OF_NOUNS = frozenset({"of", "to", "for"})
_REDUCED = frozenset({"is", "was", "are", "were", "has", "had", "did", "doe", "belong", "work", "play", "live", "run"})
"""Verbs of a clause without `that`: the label [band.name] are on."""


def direction_problems(sense: Sense, there: Sequence[str], text: str, form: str) -> Iterator[Problem]:
    """Each way in which a wording turns a relation round.

    Args:
        sense: what the template asks.
        there: the tokens of the wording.
        text: the wording, with `PLACE` for placeholders.
        form: one of the six forms.
    """
    yield from _typed(sense, there, text, form)
    nouns = "|".join(map(re.escape, sorted(_given_kinds(sense))))
    nouns = nouns and f"(?:{nouns})s?"
    if nouns and (
        found := re.search(
            rf"\b(?:which|what)\s+({nouns})\s+(?:does|did|do|is|was|has|had)\s+(?:the\s+\w+\s+)?{PLACE}", text, re.I
        )
    ):
        yield Problem("turns a relation round", found[1])
    if not sense.asks_entity and re.search(
        rf"\b(?:is|was|are|were)\s+['\"‘“]?{PLACE}['\"’”]?\s+(?:the|an?)\s+(\w+)", text
    ):
        found = re.search(rf"{PLACE}['\"’”]?\s+(?:the|an?)\s+(\w+)", text)
        if found and stem(found[1]) in sense.own:
            yield Problem("turns a relation round", found[1])
    for relation in sense.relations:
        if relation.is_turned is not _is_turned(sense, relation, there) and (relation.from_given or relation.is_turned):
            yield Problem("turns a relation round", relation.role)


def _given_kinds(sense: Sense) -> frozenset[str]:
    """What kinds of things are given and not also asked for: `which vessel does X command` asks for what is given."""
    told = sense.asked | sense.own
    told = told.union(*(one.licensed for one in sense.relations if one.from_given and one.is_among_alike))
    return frozenset(one for one in sense.nouns if stem(one) in sense.given_nouns - told)


def swapped(wording: str) -> Problem | None:
    """A placeholder behind the noun of another one: `the recipe [ingredient.name]`."""
    tables = {
        found[1]: {stem(english.singular(part)) for part in english.words(found[1]).split()[-1:]}
        for found in PLACEHOLDER.finditer(wording)
    }
    for found in re.finditer(rf"(\w+)\s+['\"‘“]?(?={PLACEHOLDER.pattern})", wording):
        noun = stem(english.singular(found[1].lower()))
        for table, own in tables.items():
            if noun in own and table != found[2] and noun not in tables[found[2]]:
                return Problem("takes the placeholder for something else", found[1])
    return None


def said_apart(relation: Relation, there: Sequence[str]) -> bool:
    """Whether a relation is said by a verb and a preposition that stand apart: `learn conducting from`."""
    for cue in relation.cues:
        verb, _, behind = cue.partition("_")
        if behind in PREPOSITIONS and verb in there and behind in there[there.index(verb) + 1 : there.index(verb) + 5]:
            return True
    return False


def said_back(relation: Relation, there: Sequence[str]) -> bool:
    """Whether a relation is said from its other side: the conductor whose pupil X was."""
    converse = words_called("converse") - relation.own
    for place, token in enumerate(there):
        if not relation.is_among_alike or token != PLACE:
            continue
        before = [one for one in there[max(0, place - 4) : place] if one not in _ARTICLES]
        after = [one for one in there[place + 1 : place + 5] if one not in _ARTICLES]
        if (
            after[:1]
            and after[0] in BE
            and (("whose" in before and before[-1] in converse) or set(after[1:2]) & converse)
        ):
            return True
    return False


def _typed(sense: Sense, there: Sequence[str], text: str, form: str) -> Iterator[Problem]:
    """A noun right before a placeholder that stands for something else."""
    for match in re.finditer(rf"([\w-]+)\s+['\"‘“]?\s*{PLACE}\s*['\"’”]?\s*([\w-]*)", text):
        word = match[1].lower()
        singular = english.singular(word)
        if not {word, singular} & sense.nouns or stem(singular) in sense.given_nouns:
            continue
        is_asked = form == "short" and stem(word) in sense.asked
        lead = text[: match.start()].rstrip().rpartition(" ")[2].lower()
        is_asked = is_asked and lead not in ("of", "for", "by")
        if lead in ("which", "what") and stem(word) in sense.own and match[2] and match[2].lower() not in sense.nouns:
            continue
        is_clause = stem(match[2]) in _REDUCED and not _DO & set(there[: there.index(PLACE)])
        is_verb = word.endswith("ed") or is_irregular(word) or word in english.PREPOSITIONS
        on_the_way = sense.on_the_way.union(*(one.own for one in sense.relations))
        is_asked = is_asked or (
            form == "short" and stem(word) in on_the_way - sense.noun and stem(lead) not in MARKS | {"of", "the"}
        )
        if not (is_asked or is_clause or is_verb):
            yield Problem("takes the placeholder for something else", word)


def _is_turned(sense: Sense, relation: Relation, there: Sequence[str]) -> bool:
    verbs = relation.verbs
    last = stem(relation.role.split()[-1])
    is_behind = last in english.PREPOSITIONS - {"by"} or last == "into"
    nouns = set[str]() if is_behind else {last}
    own = {stem(relation.role.split()[0])} if is_behind else set[str]()
    telling = relation.own - sense.given_nouns
    is_told_back = relation.role.rpartition(" ")[2] in english.PREPOSITIONS
    converse = words_called("converse") - relation.own
    there = [one for number, one in enumerate(there) if one != PLACE or there[number - 1 : number] != [PLACE]]
    for place, token in enumerate(there):
        if relation.is_among_alike and token == "s" and converse & set(there[place + 1 : place + 2]):
            return True
        if token == "by" and place > 1 and there[place - 1] in verbs | relation.own and there[place - 2] in BE:
            after = there[place + 1] if place + 1 < len(there) else "."
            subject = there[place - 3] if place > 2 else ""
            if after not in _AGENTSBEHIND and subject in ("who", "which", "that"):
                return True
        if token != PLACE:
            continue
        before = [one for one in there[max(0, place - 4) : place] if one not in _ARTICLES]
        after = [one for one in there[place + 1 : place + 6] if one not in _ARTICLES and one not in {"its", "their"}]
        lead = list(before)
        while lead and lead[-1] in sense.given_nouns:
            del lead[-1]
        verb = lead[-1] if lead else ""
        if before[-1:] and before[-1] in BE and "whose" in before and nouns & set(before):
            return True
        following = after[:3]
        size = len(relation.role.split())
        if following[:1] != ["s"] and verb in BE and nouns & set(following[:size]):
            return True
        if (
            relation.is_among_alike
            and not is_told_back
            and after[:1] != ["s"]
            and telling & set(_role_of_given(verb, after)[:size])
        ):
            return True
        if relation.is_among_alike and _is_said_of_given(relation, before, following):
            return True
        if verb in _DO and following and following[0] in verbs and "by" not in after[:3]:
            return True
        if relation.is_among_alike and verb in _DO and _is_deed(following):
            return True
        is_next = bool(relation.own & words_called("converse"))
        if relation.is_among_alike and verb in words_called("followed") and not (is_told_back or is_next):
            return True
        if verb == "by" and len(lead) > 1 and lead[-2] in verbs | relation.own:
            return True
        if "report_to" in (verb, *before[-1:]) or (verb in _DO and following[:1] == ["as"] and nouns & set(following)):
            return True
        if own & set(before) and verb in ("of", "to", last):
            return True
    return False


def _role_of_given(verb: str, following: Sequence[str]) -> Sequence[str]:
    """What is said to be the role of what is given: `is X the backup`, `X was the backup`, `X serves as the backup`."""
    if verb in BE:
        return following
    if following[:1] and following[0] in _DO:
        return ()
    if following[:1] and following[0] in BE:
        return following[1:]
    return following[following.index("as") + 1 :] if "as" in following else ()


def _is_said_of_given(relation: Relation, before: Sequence[str], following: Sequence[str]) -> bool:
    """Whether what is given does what the role does, has a pupil, or is said to be somebody's teacher."""
    converse, harmless = words_called("converse") - relation.own, words_called("suffered") | words_called("plain")
    deed = following[0] if following else ""
    is_whom = before[-1:] in (["who"], ["whom"], ["that"])
    if (is_whom and deed in relation.own) or (
        {"whose", "whos"} & set(before[-3:]) and deed in BE and relation.own & set(before[-2:])
    ):
        return True
    if (
        deed in (relation.verbs | relation.cues) - converse - relation.own
        and not {deed, deed.partition("_")[0]} & harmless
    ):
        return True
    rest = list(itertools.dropwhile(lambda one: one not in ("of", "to"), reversed(before)))
    if before[-2:] and {"of", "to"} & set(before[-2:]) and converse & set(rest[1:2]):
        return True
    return (
        before[-1:] != []
        and before[-1] in BE
        and {"whose", "whos"} & set(before) != set()
        and bool(relation.own & set(before))
    )


def _is_deed(following: Sequence[str]) -> bool:
    """Whether what is given does something that the role does not suffer: whom did [artist.name] influence."""
    known = words_called("plain") | words_called("suffered") | MARKS | {"s"} | _ENDS_OF_NOUNS
    return bool(following) and following[0].partition("_")[0] not in known
