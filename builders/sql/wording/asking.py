"""Whether a wording asks for what a template selects: names it, with a question word that fits, and nothing else."""

import itertools
import re
from collections.abc import Iterator, Sequence

from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.lexicon import PLACE, own_words, spread, stem, words_called
from benchwright.builders.sql.wording.sense import COMMON, GENERIC, Other, Sense
from benchwright.builders.sql.wording.text_checks import Problem
from benchwright.builders.sql.wording.zones import ARTICLES, BE, DO, ENDS, MARKS, PREPOSITIONS, near

LOOSE = frozenset({"long", "formal", "casual"})
"""Forms that may talk of other things around what they ask."""
_QUESTION_WORDS = frozenset({"when", "where", "who", "whom", "whi"})
_CALLED = {"place": "where", "person": "who"} | dict.fromkeys(("date", "day", "year", "time", "month", "hour"), "when")
"""Noun → the question word that it stands for: the place in which."""
_UNITS = frozenset(map(stem, english.UNITS))
_MEASURES = frozenset({"how_high", "how_low", "how_larg", "how_big", "how_great"})
"""With which one may ask for any amount."""


def evidence_of(sense: Sense, there: Sequence[str], form: str) -> frozenset[str]:
    """The tokens of a wording that say what is asked for and not another column of its table."""
    found: set[str] = set()
    present = set(there) | (spread(there) & (sense.telling if sense.asks_entity else sense.own))
    if form == "long":
        present &= spread(_in_question(there))
    present |= {one for one in sense.telling if any(is_tail(token, one) for token in present)}
    if {"where", "from"} <= present:
        present.add("come_from")
    if sense.own <= present and not sense.asks_entity and not sense.own <= sense.on_the_way:
        return sense.own
    for token in sense.asked & present:
        if token in words_called("asking") and token not in sense.own | sense.kinds | sense.verbs:
            continue
        if token in sense.on_the_way and not (sense.kinds - GENERIC - sense.on_the_way) & present:
            continue
        if token in sense.own and not sense.asks_entity and _is_of_another(sense, there, token):
            continue
        is_deed = token in sense.verbs
        rivals = [
            kinds
            for name, said, kinds in sense.siblings
            if token in (own_words(name) if is_deed or token in sense.own else said) and not sense.asks_entity
        ]
        if token in GENERIC and not (len(sense.asked) <= len(GENERIC & sense.asked)):
            continue
        if all((sense.kinds - kinds) & present for kinds in rivals):
            found.add(token)
    return frozenset(found)


def is_tail(token: str, word: str) -> bool:
    """Whether a token is the noun at the end of a compound: the yard of a shipyard."""
    return len(token) > 3 and len(word) > len(token) + 2 and word.endswith(token) and "_" not in word


def _in_question(there: Sequence[str]) -> list[str]:
    """The sentences of a long wording that ask something or name what is given."""
    sentences: list[list[str]] = [[]]
    for token in there:
        sentences[-1].append(token)
        if token in ENDS:
            sentences.append([])
    asking = words_called("asking") | {PLACE, "?"}
    return [token for sentence in sentences if asking & set(sentence) for token in sentence]


def _is_of_another(sense: Sense, there: Sequence[str], token: str) -> bool:
    """Whether a word of a column stands only before nouns that nobody knows: the blood of `blood pressure`."""
    known = sense.licensed | COMMON | words_called("turning") | words_called("prepositions") | MARKS | {PLACE, "s"}
    after = [there[place + 1] for place, one in enumerate(there[:-1]) if one == token]
    return bool(after) and not known & set(after) and there[-1] != token


def other_called(sense: Sense, token: str) -> tuple[Other | None, bool]:
    """What else of the schema a token names, and whether in its own words."""
    parts = {token, *token.split("_")} if token[:4] != "how_" else {token}
    found = next((other for other in sense.others if parts & other.own), None)
    return (found, True) if found else (next((other for other in sense.others if token in other.alike), None), False)


def asked_for_another(sense: Sense, there: Sequence[str], form: str, evidence: frozenset[str]) -> Iterator[Problem]:
    """A question word, or the noun after it, that does not fit what is asked."""
    plain, licensed = words_called("plain") | words_called("turning"), sense.asked | sense.kinds
    inside = near(there, [{PLACE}, evidence]) if form == "long" else range(len(there))
    is_asked = False
    is_sure = bool(evidence & sense.telling)
    for place, token in enumerate(there):
        if token in ENDS:
            is_asked = False
        is_asked = is_asked or token in sense.telling
        if place not in inside:
            continue
        before = there[place - 1] if place else ","
        after = there[place + 1 : place + 6]
        if token in _QUESTION_WORDS and not is_asked:
            is_relative = before in sense.licensed or before not in plain | MARKS
            is_lead = token == "who" and any(set(after) & one.telling for one in sense.relations)
            rest = there[place + 1 :]
            is_put_anew = form in LOOSE and any(one in ("which", "what", "where", "when") for one in rest)
            is_led_on = (is_lead and "and" in rest and form in ("directive", *LOOSE)) or (is_put_anew and "," in rest)
            if not is_relative and not _fits(sense, token, after) and not (is_led_on and evidence & set(rest)):
                yield Problem("asks with another question word", token)
            is_asked = True
        elif token in _CALLED and not is_asked and form != "long" and _leads_clause(there, place):
            if _CALLED[token] not in sense.asked | sense.kinds and token not in sense.licensed:
                yield Problem("asks for another thing", token)
        elif token.startswith("how_"):
            if token not in licensed and not (token in _MEASURES and sense.kind == "number"):
                yield Problem("asks with another question word", token.replace("_", " "))
            is_unit = set(after[:1]) & _UNITS - licensed
            if token == "how_mani" and is_unit:
                yield Problem("asks how many", after[0])
            if token == "how_mani" and sense.is_amount and set(after[:1]) & sense.own - _UNITS:
                yield Problem("asks how many", after[0])
            if token == "how_mani" and not (sense.counts and (is_sure or set(after[:1]) & (licensed | plain))):
                yield Problem("asks how many", " ".join(after[:1]))
            is_asked = True
        elif token in ("which", "what"):
            is_of = token == "which" and before in PREPOSITIONS and place > 1 and there[place - 2] not in MARKS
            known = licensed
            if form in ("directive", *LOOSE):
                known = licensed.union(*(one.licensed for one in sense.relations))
            focus = list(itertools.takewhile(lambda one: one not in plain | MARKS | {PLACE, "s"}, after))
            is_other = focus and not is_of and not is_asked and not set(focus) & known
            if is_other and not (is_sure and not any(other_called(sense, one)[0] for one in focus)):
                yield Problem("asks for another thing", focus[-1])
            is_asked = is_asked or not is_of


def _leads_clause(there: Sequence[str], place: int) -> bool:
    """Whether a noun is what is asked for: `the place in which`."""
    after = [token for token in there[place + 1 : place + 3] if token not in PREPOSITIONS]
    return bool(after) and after[0] in ("which", "where", "when", "who", "whom", "that")


def _fits(sense: Sense, word: str, after: Sequence[str]) -> bool:
    """Whether a question word asks for a value of the kind; of a text `who` may, where the wording calls it so."""
    asks = word.replace("whom", "who")
    if asks != "who" or sense.kind != "text" or sense.asks_entity:
        return asks in sense.asked | sense.kinds
    called = [one for one in after if one not in ARTICLES]
    if called[:1] and called[0] in BE | DO:
        return "who" in sense.asked | sense.kinds or bool(set(called) & sense.telling)
    is_role = "as" in called and bool(set(called) & sense.own)
    return is_role or bool(set(called) & sense.verbs) or bool(set(called[:1]) & sense.telling)


def counted(sense: Sense, there: Sequence[str], text: str) -> Iterator[Problem]:
    """The number of what is not counted: `the number of founders`."""
    if sense.kind == "number" or "number" in sense.own:
        return
    if found := re.search(r"\bnumber of (?:the |its |all )?(\w+s)\b", text, re.IGNORECASE):
        yield Problem("asks how many", found[1])


def two_things(sense: Sense, there: Sequence[str], form: str, evidence: frozenset[str]) -> Iterator[Problem]:
    """What is asked and something else, joined by `and`."""
    for place, token in enumerate(there):
        if token not in ("and", "as_well_as", "plus"):
            continue
        start = max((one for one in range(place) if there[one] in ENDS), default=-1) + 1
        end = next((one for one in range(place, len(there)) if there[one] in ENDS), len(there))
        if evidence & set(there[start:end]) and (other := _joined(sense, there, form, evidence, start, place)):
            yield Problem("asks two things", other)


def _joined(
    sense: Sense, there: Sequence[str], form: str, evidence: frozenset[str], start: int, place: int
) -> str | None:
    """What else is asked by an `and` at a place of a sentence that starts at another."""
    following = there[place + 1 : place + 6]
    after = [one for one in itertools.takewhile(lambda one: one not in MARKS, following) if one not in ARTICLES][:3]
    before = [one for one in there[start:place] if one not in ARTICLES][-1:]
    if not after or not before:
        return None
    has_article = following[0] in ARTICLES
    known = sense.licensed | words_called("plain") | words_called("turning") | MARKS | {PLACE, "s"}
    common = {"name", "number", "date", "year", "address", "amount", "day", "month", "reason"} - sense.own
    siblings = {one for said, _, _ in sense.siblings for one in own_words(said)} - sense.own - COMMON
    if evidence & set(before):
        is_noun = after[0] not in known and (len(after) < 2 or after[1] in MARKS | {"of", "for", "in", "at", PLACE})
        if is_noun or siblings & set(after[:2]):
            return after[0]
    is_second = bool(evidence & set(after[:2]))
    if is_second and (before[0] in siblings | common or (before[0] not in known and place > start + 1)):
        return before[0]
    is_whose = form != "long" and following[0] in ("his", "her", "their", "it")
    if (is_whose and after[0] not in sense.licensed) or (has_article and after[0] in common):
        return after[0]
    is_joined = evidence & set(itertools.takewhile(lambda one: one not in MARKS, reversed(there[:place])))
    named = [other for one in after for other, is_own in [other_called(sense, one)] if other and is_own]
    return named[0].said if named and has_article and is_joined and form == "long" else None
