"""What several values of the passages say together: the largest, the sum, the average, how many pass a bound.

It is for questions that say so in words of their own ("the highest budget among the projects of X"). It reads what it
is given, a value for each thing that a text ties to what is named, and knows of no other.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.reader.passages import Value, read_passage
from benchwright.benchmarks.systems.reader.question import Wanted, names_in, names_of, wanted_of
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
_COUNTED = re.compile(r"\b(?:how many|number of|count of|count)\b")
_SEVERAL = re.compile(r"\b(?P<noun>[a-z]+s)\s+(?:of|whose|from|in|with|at|for)\b")
_UNITS = frozenset(("metres", "days", "weeks", "months", "years", "tonnes", "dollars", "euros", "pounds", "kilometres"))
_SHARED = re.compile(
    r"\bwhose [a-z ]+? is (?P<value>[a-z][a-z -]*?)(?=\s+and whose\b|\s*[(,:;?.]|\s+(?:is|are|in all|please)\b|$)"
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


def combined(question: str, passages: Sequence[Passage]) -> str | None:
    """What the values say together; None where the question does not ask for that, or no value was found."""
    asked = _read(question)
    if asked is None:
        return None
    found = list(_values(asked, passages))
    if not found:
        return None
    numbers = [number for number, _ in found]
    if asked.how == "count":
        low, high = asked.low, asked.high
        return str(sum((low is None or low <= one) and (high is None or one <= high) for one in numbers))
    if asked.how in ("total", "average"):
        total = sum(numbers, Decimal(0))
        return f"{(total if asked.how == 'total' else total / len(numbers)).quantize(Decimal('0.01')).normalize():,f}"
    choose = max if asked.how in _LARGEST.split("|") else min
    return choose(found, key=lambda one: one[0])[1].text.rstrip(",")


def _read(question: str) -> _Asked | None:
    lowered = question.lower()
    belong = next(filter(None, map(_belonging, _parts(question))), None)
    if belong is None:
        return None
    bounded = _BOUNDED.search(lowered) if _COUNTED.search(lowered) else None
    if bounded:
        wanted = _wanted(bounded["asked"])
        if bounded["how"] is None:
            return _Asked("count", wanted, belong, _decimal(bounded["low"]), _decimal(bounded["high"]))
        bound, step = _decimal(bounded["bound"]), Decimal("0.000001")
        if bounded["how"] in ("above", "after", "over"):
            return _Asked("count", wanted, belong, low=bound + step)
        return _Asked("count", wanted, belong, high=bound - step)
    match = _ASKED.search(lowered)
    return _Asked(match["how"], _wanted(match["asked"]), belong) if match else None


def _parts(question: str) -> Iterator[str]:
    """A question from each word on that names things of which there are several."""
    for match in _SEVERAL.finditer(question):
        if match["noun"] not in _UNITS:
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


def _values(asked: _Asked, passages: Sequence[Passage]) -> Iterator[tuple[Decimal, Value]]:
    """A value of each thing that belongs to what is named: one for a paragraph that names it, else one for a document
    that does so elsewhere, or whose own name stands in a paragraph that does."""
    documents: dict[str, list[Passage]] = {}
    for passage in passages:
        documents.setdefault(passage.document, []).append(passage)
    listed = [said for passage in passages for _, said in _paragraphs(passage) if asked.belong <= said]
    for parts in documents.values():
        found = [
            (value, asked.belong <= said)
            for part in parts
            for paragraph, said in _paragraphs(part)
            if (value := _best(asked, paragraph)) is not None
        ]
        near = [value for value, is_near in found if is_near]
        title = roots(parts[0].title)
        if not near and (
            asked.belong <= title.union(*(roots(part.text) for part in parts)) or _is_listed(parts[0].title, listed)
        ):
            near = [value for value, _ in found[:1]] if len({value.text for value, _ in found}) == 1 else []
        yield from {number: value for value in near if (number := _number(value)) is not None}.items()


def _paragraphs(passage: Passage) -> Iterator[tuple[Passage, frozenset[str]]]:
    """The paragraphs of a passage, with the roots of their words and of its title."""
    title = roots(passage.title)
    for text in re.split(r"\n\s*\n", passage.text):
        yield replace(passage, text=text), title | roots(text)


def _is_listed(title: str, listed: Sequence[frozenset[str]]) -> bool:
    """Whether the longest name in a title stands in one of some paragraphs."""
    name = max((roots(match[0]) for match in names_of(title)), key=len, default=frozenset[str]())
    return bool(name) and any(name <= said for said in listed)


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
    read = parse_number(value.text.rstrip(","))
    return None if read is None else Decimal(str(read.value))
