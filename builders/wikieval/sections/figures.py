"""What a sentence of a document tells in figures: how many, how much, when; asked for at the head of a question."""

import re
from collections.abc import Iterator

from benchwright.benchmarks.text.dates import MONTHS
from benchwright.benchmarks.text.numbers import SMALL
from benchwright.builders.wiki.questions.vocabulary import AnswerKind
from benchwright.builders.wikieval.sections.found import Found
from benchwright.builders.wikieval.sections.main_clauses import HEDGE, MainClause, section_words

_MONTH = "|".join(MONTHS)
_DATE = re.compile(
    rf"\b(?P<preposition>on|in|since|by|until) (?P<value>\d{{1,2}} (?:{_MONTH}) \d{{4}}"
    rf"|(?:{_MONTH}) (?:\d{{1,2}}, )?\d{{4}}"
    r"|(?:19|20)\d\d)(?![\w-]|[.,]\d)"
)
_FIGURE = r"(?<![\w.,$€£#/-])(?P<value>(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)"
_COUNTED = re.compile(
    rf"{_FIGURE}|(?i:{'|'.join(SMALL[2:])})) (?P<unit>(?:[a-z]+(?:ing|al|ed|ive) )?"
    r"(?:[a-z]{2,}[^\Wsu_0-9]s|km|cm|mm|kg|ms|kHz|MHz|GHz|kW|kB|KB|GB|MB|TB|KiB|MiB|GiB)"
    r"(?: of (?![a-z]+ing)[a-z]{3,}(?= |$))?)\b"
)
_PERCENTAGE = re.compile(
    rf"{_FIGURE} ?(?:%|percent|per cent))(?!\w)(?P<unit>(?: of (?:the |all )?[a-z]{{3,}}(?: [a-z]+s)?)?)"
)
_HEDGE = re.compile(
    r"(?:^| )(?P<hedge>at (?:most|least)|up to|about|around|approximately|roughly|more than|less than|fewer than|over"
    r"|exactly|only|nearly|almost|a (?:maximum|minimum|total) of)$"
)
_PREPOSITION = re.compile(r"(?:^| )(?P<preposition>within|after|for|in|by|at|with|to|from|over|on|during|every)$")
_RANGE = re.compile(r"^ ?(?:to|or|and|-|–|out of)(?: |$)")
_BETWEEN = re.compile(r"\b(?:between|than|from|both|an?|these|those|other|next|first|last|all|the|clauses?|versions?)$")
_LONG = re.compile(r" (?P<how>long|wide|high|deep|thick|old|apart|away|tall)\b")
_MOST_BEFORE = 4
"""Words between the verb and a figure."""


def figures(sentence: str, clause: MainClause) -> Iterator[Found]:
    """The figures and dates of a sentence that can be asked for."""
    for match in _DATE.finditer(clause.rest):
        yield from _when(sentence, clause, match)
    for pattern, asks in ((_PERCENTAGE, "what percentage"), (_COUNTED, "how many")):
        for match in pattern.finditer(clause.rest):
            yield from _how_many(sentence, clause, match, asks)
        said = HEDGE.match(clause.subject)
        match = pattern.match(clause.subject, said.end() if said else 0)
        if match and match.end() == len(clause.subject) and not _is_spoken(match):
            hedge = said[0].lower() if said else ""
            yield from _found(sentence, f"{hedge}{asks}{_unit(match)} {clause.verb} {clause.rest}", match, clause)


def _when(sentence: str, clause: MainClause, match: re.Match[str]) -> Iterator[Found]:
    before, after = clause.rest[: match.start()].strip(), clause.rest[match.end() :]
    preposition = match["preposition"]
    if (after and not after.startswith((" ", ","))) or _RANGE.match(after) or after.startswith(","):
        return
    asks = "when" if preposition in ("on", "in") else f"{preposition} when"
    yield from _found(sentence, f"{asks} {clause.asked(f'{before}{after}')}", match, clause, "date")


def _how_many(sentence: str, clause: MainClause, match: re.Match[str], asks: str) -> Iterator[Found]:
    before, after = clause.rest[: match.start()].strip(), clause.rest[match.end() :]
    if _RANGE.match(after) or after.startswith(" of ") or _is_spoken(match):
        return
    hedge = ""
    if said := _HEDGE.search(before):
        hedge, before = said["hedge"].replace("only", "").replace("exactly", ""), before[: said.start()]
    preposition = ""
    if said := _PREPOSITION.search(before):
        preposition, before = said["preposition"], before[: said.start()]
    elif before.split()[-1:] and not _takes_object(before, clause):
        return
    if _BETWEEN.search(before) or before[-1:].isdigit() or len(before.split()) > _MOST_BEFORE or "," in before:
        return
    head = " ".join(filter(None, (preposition, hedge, asks)))
    if clause.verb in ("is", "are", "was", "were") and not before and not preposition:
        if long := _LONG.match(after):
            asked = f"{head}{_unit(match)} {long['how']} {clause.verb} {clause.subject}{after[long.end() :]}"
            yield from _found(sentence, asked, match, clause)
        return
    yield from _found(sentence, f"{head}{_unit(match)} {clause.asked(before + after)}", match, clause)


def _is_spoken(match: re.Match[str]) -> bool:
    """Whether what is counted is not looked up: "in two ways"."""
    return bool({*match["unit"].split(" of ")[0].split()[-1:]} & section_words("not_counted"))


def _takes_object(before: str, clause: MainClause) -> bool:
    """Whether a figure after these words is what the verb is about: "hold" of "can hold 20 bytes"."""
    words = before.split()
    is_modal = not clause.base and clause.verb not in ("is", "are", "was", "were", "has", "have", "had")
    return (is_modal and len(words) == 1) or words[-1] in ("been", "be")


def _unit(match: re.Match[str]) -> str:
    return f" {unit}" if (unit := match["unit"].strip()) else ""


def _found(
    sentence: str, asked: str, match: re.Match[str], clause: MainClause, kind: AnswerKind = "number"
) -> Iterator[Found]:
    before = f" {clause.before}" if clause.before else ""
    if match["value"] not in ("100%", "100 %", "100 percent"):
        yield Found(sentence, f"{asked.strip()}{before}", match["value"], kind, kind)
