"""The checker by rule: compares the words of a wording with the words of the schema, and refuses what names another
column, another relation or direction, or adds a condition.

What is asked for has to be said, as has each relation on the way. A word that neither the schema nor the lexicon knows
is no reason to refuse where a wording names what is asked for in the schema's own words, or in others that no other
column shares.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.grounding.sql import PLACEHOLDER
from benchwright.builders.sql.wording.asking import (
    LOOSE,
    asked_for_another,
    counted,
    evidence_of,
    other_called,
    two_things,
)
from benchwright.builders.sql.wording.directions import direction_problems, said_apart, said_back, swapped
from benchwright.builders.sql.wording.lexicon import PLACE, spread, stem, tokens, words_called
from benchwright.builders.sql.wording.sense import Other, Sense
from benchwright.builders.sql.wording.slips import spelled
from benchwright.builders.sql.wording.text_checks import Problem
from benchwright.builders.sql.wording.zones import ARTICLES, BE, DO, MARKS, PREPOSITIONS, around, near, places_of

_BEHIND = re.compile(rf"{PLACE}[^.,;:!?{PLACE}]*")
"""A placeholder with the clause behind it."""
_DATED = frozenset(map(stem, ("when", "year", "date", "day", "time", "month", "since", "old", "age", "till", "until")))
"""Without one of them nobody asks for a date: `the shipyard that built X` is no year."""


def twin_problem(sense: Sense, wording: str, form: str) -> Problem | None:
    """Why a wording does not ask for what a template selects; None where nothing speaks against it.

    Args:
        sense: what the template asks.
        wording: with its placeholders.
        form: one of the six forms.
    """
    text = PLACEHOLDER.sub(f" {PLACE} ", wording)
    for pattern in _harmless():
        text = pattern.sub(" ", text)
    names = (sense.own | sense.noun).union(*(one.own for one in sense.relations))
    others = frozenset().union(*(one.own for one in sense.others))
    there = spelled(tokens(text), names, others, slips=form in ("casual", "short"))
    problem = next(_problems(sense, there, text, form), None) or (swapped(wording) if form != "short" else None)
    return problem and replace(problem, detail=_as_written(problem.detail, text))


def _as_written(detail: str, text: str) -> str:
    """A detail with the words of a text in place of their stems."""
    words = {stem(word): word for word in re.findall(r"[\w-]+", text)}
    return " ".join(words.get(part, part) for part in detail.split(" "))


def _harmless() -> tuple[re.Pattern[str], ...]:
    return _patterns("harmless")


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(text, re.IGNORECASE) for text in read_toml(__package__, "lexicon.toml")[name]["said"])


def _problems(sense: Sense, there: Sequence[str], text: str, form: str) -> Iterator[Problem]:
    evidence = evidence_of(sense, there, form)
    if not evidence:
        yield Problem("does not ask for what the SQL template selects", _nearest(sense, there))
        return
    present = spread(there)
    for relation in sense.relations:
        if relation.cues and not (relation.cues & present or said_apart(relation, there) or said_back(relation, there)):
            yield Problem("leaves out a relation", relation.role)
    if any(not one & present for one in sense.each):
        yield Problem("does not ask for what the SQL template selects", "all of it")
    for tokens_given in sense.given:
        if not tokens_given & present:
            yield Problem("does not say what the placeholder stands for")
    yield from asked_for_another(sense, there, form, evidence)
    yield from counted(sense, there, text)
    clause = " ".join(_BEHIND.findall(text)) if form == "long" else text
    patterns = _patterns("then") if form == "long" else (*_patterns("turning"), *_patterns("then"))
    if turned := next((found for one in patterns if (found := one.search(clause))), None):
        yield Problem("says what turns the question", turned[0])
    yield from direction_problems(sense, there, text, form)
    yield from two_things(sense, there, form, evidence)
    yield from _said_beside(sense, there, form, evidence)


def _said_beside(sense: Sense, there: Sequence[str], form: str, evidence: frozenset[str]) -> Iterator[Problem]:
    """What a wording names beside what is asked and given."""
    present = spread(there)
    wanted = [
        {PLACE},
        evidence & sense.telling or evidence,
        *(item.telling & item.cues & present or item.cues for item in sense.relations),
    ]
    inside = near(there, wanted) if form == "long" else around(there, places_of(there, wanted))
    plain, turning = words_called("plain"), words_called("turning")
    is_sure = bool(evidence & sense.telling - sense.on_the_way)
    is_dated = bool(_DATED & present)
    is_clear = all(item.telling & present for item in sense.relations if item.cues and item.is_contested)
    is_told = all(item.telling & present for item in sense.relations if item.cues)
    known = sense.licensed | plain | MARKS | {PLACE, "s"}
    if any(said_back(relation, there) for relation in sense.relations):
        known |= words_called("converse")
    for place, token in enumerate(there):
        if token in known or ("_" in token and set(token.split("_")) <= known):
            continue
        is_inside = place in inside
        if token in turning or _is_superlative(token):
            if is_inside or form != "long":
                yield Problem("says what turns the question", token)
        elif is_inside or form != "long":
            other, is_own = other_called(sense, token)
            if _is_kind(sense, there, place, other) or (is_sure and other and other.is_date and not is_dated):
                continue
            if token in sense.rivals and is_inside:
                yield Problem("names something else", token.replace("_", " "))
            elif other is None:
                is_narrower = _is_part(sense, there, place) or _is_condition(sense, there, place, form)
                if is_inside and (is_narrower or not (is_sure and is_clear)):
                    yield Problem("says more than the SQL template", token.replace("_", " "))
            elif is_own and not (other.is_beside and not _is_owner(there, place)):
                if is_inside or form not in LOOSE or stem(other.said.split()[-1]) == token:
                    yield Problem("names something else", other.said)
            elif (
                not is_own
                and is_inside
                and not (is_sure and is_told and (not sense.asks_entity or sense.noun <= present))
            ):
                yield Problem("names something else", other.said)


def _nearest(sense: Sense, there: Sequence[str]) -> str:
    present = set(there) - words_called("plain")
    named = ((one, (one.own | one.alike) & present) for one in sense.others)
    others = [(len(found), one.said) for one, found in named if found]
    return f"but rather for {max(others)[1]}" if others else ""


def _is_kind(sense: Sense, there: Sequence[str], place: int, other: Other | None) -> bool:
    """Whether a noun says of what sort the given is: the ferry X, the concert hall X."""
    after = there[place + 1 : place + 3]
    is_noun = place > 0 and there[place - 1] in ARTICLES | PREPOSITIONS
    if other is None and is_noun and after[:1] == [PLACE]:
        return True
    return (
        is_noun
        and len(after) > 1
        and after[0] in sense.given_nouns
        and after[1] in MARKS | {PLACE}
        and not sense.relations
    )


def _is_owner(there: Sequence[str], place: int) -> bool:
    """Whether what is asked may be of a noun, or the noun may do something: not in `who admitted the patient`."""
    before = [token for token in there[max(0, place - 3) : place] if token not in ARTICLES]
    after = there[place + 1] if place + 1 < len(there) else "."
    has_article = place > 0 and there[place - 1] in ARTICLES
    leads = PREPOSITIONS | BE | DO | MARKS | {"which", "name", "and", "or", PLACE}
    return not has_article or not before or before[-1] in leads or after in ("s", PLACE)


def _is_part(sense: Sense, there: Sequence[str], place: int) -> bool:
    """Whether a noun is a part of what is given: the frame around a picture."""
    after = [token for token in there[place + 1 : place + 4] if token not in ARTICLES]
    return len(after) > 1 and after[0] in ("of", "around") and after[1] in sense.given_nouns


def _is_condition(sense: Sense, there: Sequence[str], place: int, form: str) -> bool:
    """Whether an unknown word narrows what is asked: right before it, or behind a preposition at the end."""
    before = there[place - 1] if place else ""
    after = there[place + 1] if place + 1 < len(there) else "."
    if before in ARTICLES | {"which", "what", "s"} and after in sense.telling and not sense.asks_entity:
        return True
    if form in LOOSE:
        return False
    lead = [token for token in there[max(0, place - 3) : place] if token not in ARTICLES]
    rest = set(there[place + 1 :])
    is_last = not rest & (sense.telling | {PLACE} | frozenset().union(*(one.cues for one in sense.relations)))
    return is_last and bool(lead) and lead[-1].rpartition("_")[2] in PREPOSITIONS


def _is_superlative(token: str) -> bool:
    return len(token) > 5 and token.endswith("est") and token not in words_called("no_superlatives")
