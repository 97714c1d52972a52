"""Questions that a specification does not answer, in the words of those that it does.

They ask about a name that it does not have, about a value that it does not give, or take for granted what is not so.
Each is asked only where a rule finds that no sentence, row or line of code could answer it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from benchwright.benchmarks.types import FALSE_PREMISE, MADE_NAME, NULL
from benchwright.builders.telequad.questions.abbreviations import abbreviations
from benchwright.builders.telequad.questions.asked import Asked, Specification
from benchwright.builders.telequad.questions.cells import cell_wordings
from benchwright.builders.telequad.questions.definitions import definitions
from benchwright.builders.telequad.questions.names import Name, Names, is_empty
from benchwright.builders.telequad.questions.quantities import is_known_anywhere
from benchwright.builders.telequad.questions.ranges import ranges
from benchwright.builders.telequad.questions.tables import grids, is_asked_column, says_nothing
from benchwright.builders.telequad.questions.wordings import quoted, worded

_Each = TypeVar("_Each")
PATTERN = "unanswerable"
_FEWEST = 3
"""Names of a sort that a document must have before another one could be taken for one of them."""
_TERM = re.compile(r"[a-z]+(?: [a-z]+)+")
_SHORT = re.compile(r"[A-Z]{3,5}")
_READS_AS_A_WORD = re.compile(r"[AEIOUY]|(.)\1\1")
_OF_ALL = re.compile(
    r"\b(?:all|each|every|any|other|unless)\b.*\b(?:parameter|field|value|element|IE|setting|attribute|variable|option|"
    r"integer|counter|item|entry|entries|others?)s?\b(?<!default values)(?<!default value)",
    re.IGNORECASE,
)
"""In a sentence about defaults: it may be about things that it does not name."""
_DEFAULT = re.compile(r"default|initial", re.IGNORECASE)
_LIMIT = re.compile(r"\b(?:minimum|maximum|lowest|highest)\b", re.IGNORECASE)
_SHARE = 2
"""One made name for as many of the document's own."""


def unanswerable(specification: Specification) -> Iterator[Asked]:
    """The questions of a specification that have no answer in it, sort by sort."""
    names = Names(specification)
    yield from _made_timers(names)
    yield from _made_messages(names)
    yield from _made_abbreviations(names)
    yield from _made_terms(names)
    yield from _no_defaults(names)
    yield from _empty_cells(names)
    yield from _false_premises(names, names.timers, "start timer {name}")
    yield from _false_premises(names, names.messages, "send the {name} {noun}")


def _made_timers(names: Names) -> Iterator[Asked]:
    known = names.timers
    families = Counter(re.sub(r"\d", "", timer.name) for timer in known)
    for family, count in families.items():
        if count < _FEWEST:
            continue
        own = [timer for timer in known if re.sub(r"\d", "", timer.name) == family]
        numbers = [re.sub(r"\D", "", timer.name) for timer in own]
        last = max(numbers, key=int)
        place = names.listing([timer.name for timer in own])
        made = (f"{family}{int(last) + step:0{len(last)}}" for step in range(1, 100))
        for name in _new(made, len(own), names.is_new):
            frames = worded("requirement_actor", document=names.called, modal=names.modal, action=f"start timer {name}")
            yield _no_answer(names, frames, place, MADE_NAME, name)


def _made_messages(names: Names) -> Iterator[Asked]:
    known = names.messages
    for noun in dict.fromkeys(message.noun for message in known):
        own = [message for message in known if message.noun == noun]
        place = names.listing([message.name for message in own])
        made = _recombined([message.name for message in own])
        for name in _new(made, len(own), names.is_new):
            action = f"send the {name} {noun}"
            frames = worded("requirement_actor", document=names.called, modal=names.modal, action=action)
            yield _no_answer(names, frames, place, MADE_NAME, name)


def _made_abbreviations(names: Names) -> Iterator[Asked]:
    known = list(abbreviations(names.specification))
    short = [asked.entity for asked in known if _SHORT.fullmatch(asked.entity)]
    place = _usual(known)
    mixed = (first[:-1] + second[-1] for first, second in _pairs(short))
    made = (name for name in mixed if not _READS_AS_A_WORD.search(name))
    for name in _new(made, len(short), names.is_no_word):
        frames = worded("abbreviation", document=names.called, abbreviation=name)
        yield _no_answer(names, frames, place, MADE_NAME, name)


def _made_terms(names: Names) -> Iterator[Asked]:
    known = list(definitions(names.specification))
    terms = [asked.entity for asked in known if _TERM.fullmatch(asked.entity)]
    place = _usual(known)
    for name in _new(_recombined(terms), len(terms), names.is_new):
        frames = worded("definition", document=names.called, term=quoted(name))
        yield _no_answer(names, frames, place, MADE_NAME, name)


def _no_defaults(names: Names) -> Iterator[Asked]:
    """The default value of a thing whose range or limit alone is stated, where other things have one."""
    defaults = [line for line in names.lines if _DEFAULT.search(line)]
    if not defaults or any(_OF_ALL.search(line) for line in defaults):
        return
    for thing, section in list(_limited(names.specification))[::_SHARE]:
        own = re.sub(r"^(?:the|an?|each|any|every|counter|timer) | (?:IE|field|parameter|attribute)$", "", thing)
        if not any(names.has_together(own, word) for word in ("default", "initial")):
            frames = worded("range_default", document=names.called, thing=thing)
            yield _no_answer(names, frames, section, NULL, thing)


def _limited(specification: Specification) -> Iterator[tuple[str, int]]:
    """What a sentence gives a range of values for, or a table a lowest or highest one; and the section."""
    for asked in ranges(specification):
        is_asked = asked.asks == "values" and is_known_anywhere(asked.entity)
        if is_asked and "ASN.1" not in asked.entity:
            yield asked.entity, asked.context
    for grid in grids(specification):
        if len(grid.keys) == 1 and any(_LIMIT.search(column.header) for column in grid.columns):
            for row in grid.rows:
                if re.fullmatch(r"[A-Z]+\d+", grid.key(row)):
                    yield grid.row_called(row), grid.section


def _empty_cells(names: Names) -> Iterator[Asked]:
    """A cell with nothing in it, under a header under which most rows have something."""
    for grid in grids(names.specification):
        for column in grid.columns:
            texts = [grid.table.rows[row][column.place].text for row in grid.rows]
            is_value = is_asked_column(column) and (column.is_noun or column.is_prose) and column.place not in grid.keys
            if not is_value or 2 * sum(map(says_nothing, texts)) >= len(texts):
                continue
            for row, text in zip(grid.rows, texts, strict=True):
                is_asked = is_empty(text) and not grid.table.rows[row][column.place].repeated
                if is_asked and not names.has_together(grid.key(row), column.name):
                    frames = cell_wordings(names.specification, grid, row, column)
                    yield _no_answer(names, frames, grid.section, NULL, grid.key(row))


def _false_premises(names: Names, known: Sequence[Name], action: str) -> Iterator[Asked]:
    """When somebody sends what others send to it, or starts the timer that they start then.

    An entity that a message never goes to may be another name of the one that sends it.
    """
    for each in known:
        others = [who for who in sorted(each.to) if each.by and who not in each.by and not names.does(who, each.name)]
        if not others:
            continue
        who = others[0]
        frames = worded(
            "requirement_condition",
            document=names.called,
            subject=f"the {who}",
            modal=names.modal,
            action=action.format(name=each.name, noun=each.noun),
        )
        yield _no_answer(names, frames, each.section, FALSE_PREMISE, each.name)


def _no_answer(names: Names, frames: Mapping[str, tuple[str, ...]], section: int, sort: str, entity: str) -> Asked:
    clause = names.specification.sections[section].clause.number
    return Asked(PATTERN, frames, section, entity=entity, no_answer=sort, metadata={"clause": clause})


def _new(made: Iterable[str], own: int, is_new: Callable[[str], bool]) -> Iterator[str]:
    """As many of the made names as are wanted, none of which the document has."""
    done: set[str] = set()
    wanted = (own + _SHARE - 1) // _SHARE if own >= _FEWEST else 0
    for name in made if wanted else ():
        if name not in done and is_new(name):
            done.add(name)
            yield name
        if len(done) == wanted:
            return


def _recombined(known: Sequence[str]) -> Iterator[str]:
    """Names of the first words of one and the last word of another."""
    several = [name.split(" ") for name in known if " " in name]
    for first, second in _pairs(several):
        words = (*first[:-1], second[-1])
        if first[-1] != second[-1] and len(set(words)) == len(words):
            yield " ".join(words)


def _pairs(known: Sequence[_Each]) -> Iterator[tuple[_Each, _Each]]:
    """Each with the next, then each with the one after the next, and so on."""
    for step in range(1, len(known)):
        for place in range(len(known)):
            yield known[place], known[(place + step) % len(known)]


def _usual(known: Sequence[Asked]) -> int:
    """The section where most such questions are answered."""
    return Counter(asked.context for asked in known).most_common(1)[0][0] if known else 0
