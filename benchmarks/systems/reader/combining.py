"""What several sentences say together: the largest value and whose it is, the sum, the average, how many pass a bound,
and what all belongs to a thing.

It is for questions that say so in words of their own ("the highest budget among the projects of X"). It reads what it
is given, a value for each thing that a text ties to what is named, and knows of no other.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.reader.passages import Value, read_passage
from benchwright.benchmarks.systems.reader.question import LONGEST, Wanted, names_in, names_of, wanted_of
from benchwright.benchmarks.systems.reader.vocabulary import roots
from benchwright.benchmarks.systems.reader.weighing import SAYS, is_former, says
from benchwright.benchmarks.text.numbers import parse_number
from benchwright.benchmarks.text.words import root

_LARGEST = "highest|largest|greatest|latest"
_SMALLEST = "lowest|smallest|earliest"
_ASKED = re.compile(
    rf"\b(?P<how>{_LARGEST}|{_SMALLEST}|total|average)\s+(?P<asked>[a-z]+(?: [a-z]+)*?)(?:\s+in (?:us )?[a-z]+)?"
    r"(?:\s*\([^()]*\))?(?=\s*[,:;?.]|\s+(?:among|of|over|for|wanted|on|please|is)\b|$)"
)
_BOUNDED = re.compile(
    r"\b(?:whose|with an?|have an?|has an?)\s+(?P<asked>[a-z]+(?: [a-z]+)*?)(?:\s+in (?:us )?[a-z]+)?"
    r"(?:\s+(?:is|are))?\s+"
    r"(?:(?P<how>above|below|after|before|over|under)\s+(?P<bound>\d[\d,.]*\d|\d)"
    r"|(?:from|between)\s+(?P<low>\d[\d,.]*\d|\d)\s+(?:to|and)\s+(?P<high>\d[\d,.]*\d|\d))"
)
_RANKED = re.compile(
    rf"(?<!\bme )\b(?:with|has|have) the (?P<second>second[- ])?(?P<how>{_LARGEST}|{_SMALLEST})\s+"
    r"(?P<asked>[a-z]+(?: [a-z]+)*?)"
    r"(?:\s+in (?:us )?[a-z]+)?(?=\s*[,:;?.]|\s+(?:among|of|is|please)\b|$)"
)
_COUNTED = re.compile(r"\b(?:how many|number of|count of|count)\b")
_LISTED = re.compile(
    r"\b(?:list|names) of\b|\ball (?:of )?(?:the )?(?!of\b|them\b)[a-z]+|\beach one\b|\bname (?:all|each|every)\b"
    r"|: (?:which|who)\?|\ball(?: of them)?\??\s*$"
)
_MANY_WHOSE = re.compile(r"\b(?:how many|number of|count of|count)\s+[a-z ]*[a-z]s whose\b|^[a-z ]+s whose\b")
_SEVERAL = re.compile(r"\b(?P<noun>[a-z]+s)\s+(?:of|whose|from|in|with|at|for)\b")
_ONE = re.compile(r"\b(?P<noun>[a-z]+)\s+(?:of the|of|whose|from)\b")
_UNITS = frozenset(("metres", "days", "weeks", "months", "years", "tonnes", "dollars", "euros", "pounds", "kilometres"))
_CODE = re.compile(r"^(?:USD|EUR|GBP|JPY)\s?")
_SHARED = re.compile(
    r"\bwhose [a-z ]+? is (?P<value>[a-z][a-z -]*?)"
    r"(?=\s+and whose\b|\s*[(,:;?.]|\s+(?:is|are|has|with|in all|please)\b|$)"
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question of several values."""

    how: str
    wanted: Wanted
    belong: frozenset[str]
    """The roots of what names that to which the values belong."""
    low: Decimal | None = None
    high: Decimal | None = None
    place: int | None = None
    """Where what has the value is asked for: 0 for the first, 1 for the second."""


@dataclass(frozen=True, slots=True)
class _Found:
    """The value of a thing."""

    number: Decimal
    text: str
    thing: str


def combined(question: str, passages: Sequence[Passage]) -> str | None:
    """What the values say together; None where the question does not ask for that, or no value was found."""
    asked = _read(question)
    if asked is None:
        return None
    if asked.how in ("list", "tally"):
        things = _belong(asked, passages)
        return (", ".join(things) if asked.how == "list" else str(len(things))) if things else None
    found = list(_values(asked, passages))
    if not found:
        return None
    numbers = [one.number for one in found]
    if asked.how == "count":
        low, high = asked.low, asked.high
        return str(sum((low is None or low <= one) and (high is None or one <= high) for one in numbers))
    if asked.how in ("total", "average"):
        total = sum(numbers, Decimal(0))
        return f"{(total if asked.how == 'total' else total / len(numbers)).quantize(Decimal('0.01')).normalize():,f}"
    ordered = sorted(found, key=lambda one: one.number, reverse=asked.how in _LARGEST.split("|"))
    if asked.place is None:
        return ordered[0].text
    return ordered[asked.place].thing if asked.place < len(ordered) else None


def _read(question: str) -> _Asked | None:
    if len(question) > LONGEST:
        return None
    lowered = question.lower()
    ranked = _RANKED.search(lowered)
    belong = next(filter(None, map(_belonging, _parts(question, _ONE if ranked else _SEVERAL))), None)
    if belong is None:
        return None
    if ranked:
        return _Asked(ranked["how"], _wanted(ranked["asked"]), belong, place=1 if ranked["second"] else 0)
    bounded = _BOUNDED.search(lowered) if _COUNTED.search(lowered) else None
    if bounded:
        wanted = _wanted(bounded["asked"])
        if bounded["how"] is None:
            return _Asked("count", wanted, belong, _decimal(bounded["low"]), _decimal(bounded["high"]))
        bound, step = _decimal(bounded["bound"]), Decimal("0.000001")
        if bounded["how"] in ("above", "after", "over"):
            return _Asked("count", wanted, belong, low=bound + step)
        return _Asked("count", wanted, belong, high=bound - step)
    if match := _ASKED.search(lowered):
        return _Asked(match["how"], _wanted(match["asked"]), belong)
    if _COUNTED.search(lowered) or "total count" in lowered:  # of one thing a text may state the number
        return _Asked("tally", _wanted(""), belong) if _MANY_WHOSE.search(lowered) else None
    return _Asked("list", _wanted(""), belong) if _LISTED.search(lowered) else None


def _parts(question: str, noun: re.Pattern[str]) -> Iterator[str]:
    """A question from each word on that names things that belong to something."""
    for match in noun.finditer(question):
        if match["noun"] not in _UNITS and match["noun"] != "name":
            yield question[match.start() :]


def _belonging(part: str) -> frozenset[str]:
    """The roots of what things belong to: a name, or a value that they share."""
    shared = _SHARED.search(part)
    return names_in(part) or (roots(shared["value"]) if shared else frozenset[str]())


def _wanted(asked: str) -> Wanted:
    """What is looked for in each paragraph: "valued at" says a value, too."""
    wanted = wanted_of(asked)
    verbs = {root(word): root(f"{word}d") for word in asked.split() if word.endswith("e")}
    groups = (group | {verb for word, verb in verbs.items() if word in group} for group in wanted.groups)
    return replace(wanted, groups=tuple(groups))


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


def _belong(asked: _Asked, passages: Sequence[Passage]) -> dict[str, None]:
    """The things of whose paragraphs each names what they belong to."""
    return {
        name: None
        for passage in passages
        for paragraph, said in _paragraphs(passage)
        if asked.belong <= said and (name := _thing(paragraph)) and not roots(name) <= asked.belong
    }


def _values(asked: _Asked, passages: Sequence[Passage]) -> Iterator[_Found]:
    """A value of each thing that belongs to what is named: one for a paragraph that names it, else one for a document
    that does so elsewhere, or whose own name stands in a paragraph that does."""
    documents: dict[str, list[Passage]] = {}
    for passage in passages:
        documents.setdefault(passage.document, []).append(passage)
    listed = [said for passage in passages for _, said in _paragraphs(passage) if asked.belong <= said]
    for parts in documents.values():
        found = [
            (_Found(number, value.text.rstrip(","), _thing(paragraph)), asked.belong <= said)
            for part in parts
            for paragraph, said in _paragraphs(part)
            if (value := _best(asked, paragraph)) is not None and (number := _number(value)) is not None
        ]
        near = [one for one, is_near in found if is_near]
        title = roots(parts[0].title)
        if not near and (
            asked.belong <= title.union(*(roots(part.text) for part in parts)) or _is_listed(parts[0].title, listed)
        ):
            near = [one for one, _ in found[:1]] if len({one.number for one, _ in found}) == 1 else []
        yield from {one.number: one for one in near}.values()


def _paragraphs(passage: Passage) -> Iterator[tuple[Passage, frozenset[str]]]:
    """The paragraphs of a passage, with the roots of their words and of its title."""
    title = roots(passage.title)
    for text in re.split(r"\n\s*\n", passage.text):
        yield replace(passage, text=text), title | roots(text)


def _is_listed(title: str, listed: Sequence[frozenset[str]]) -> bool:
    """Whether the name in a title stands in one of some paragraphs."""
    name = roots(_longest_name(title))
    return bool(name) and any(name <= said for said in listed)


def _longest_name(text: str) -> str:
    return max((match[0] for match in names_of(text)), key=lambda name: len(roots(name)), default="")


def _thing(paragraph: Passage) -> str:
    """What a paragraph is about: the name in its title, or the first one in it that has this name and more."""
    name = _longest_name(paragraph.title)
    longer = (match[0][max(0, match[0].find(name)) :] for match in names_of(paragraph.text))
    return next((one for one in longer if roots(name) < roots(one)), name)


def _best(asked: _Asked, paragraph: Passage) -> Value | None:
    best: tuple[float, Value] | None = None
    for sentence in read_passage(paragraph).sentences:
        for value in sentence.values:
            if value.kind in asked.wanted.kinds and value.roots.isdisjoint(asked.belong):
                score = says(asked.wanted, sentence, value)
                if score >= SAYS and not is_former(sentence, value) and (best is None or score > best[0]):
                    best = score, value
    return best[1] if best else None


def _number(value: Value) -> Decimal | None:
    read = parse_number(_CODE.sub("", value.text.rstrip(",")))
    return None if read is None else Decimal(str(read.value))
