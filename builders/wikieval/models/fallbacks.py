"""What rules make of a model's answer where the model gave no worse candidate that can be used.

The answer that is not grounded is the model's own with its facts swapped; the incomplete one is the model's own with a
part cut off. What rules cannot do well is left undone: such a pair lacks the candidate.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.text.numbers import SMALL
from benchwright.benchmarks.text.sentences import COUNTED
from benchwright.builders.wiki.questions.dates import find_dates
from benchwright.builders.wikieval.contexts.leaning import is_joined
from benchwright.builders.wikieval.material import Made, Passage
from benchwright.builders.wikieval.models.candidate_checks import (
    incomplete_problem,
    told,
    ungrounded_problem,
)
from benchwright.builders.wikieval.rules.facts import Fact
from benchwright.builders.wikieval.rules.questions import find_facts
from benchwright.builders.wikieval.rules.swaps import swap
from benchwright.builders.wikieval.sections.questions import section_facts
from benchwright.builders.wikieval.sources.from_documents import CLAUSE

_NUMBER = re.compile(
    r"(?<![\w.,/-])(?<!\d\s)(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w/-]|,\d|\s\d)"
    rf"|(?<![\w-])(?:{'|'.join(SMALL[2:])})(?= [a-z])"
)
_AFTER_NAME = re.compile(r"\b(?!About |Around |Some |Over |Nearly |At |In |With )[A-Z][\w’'-]*\s$")
"""Before a number that belongs to a name: "Apollo 11"."""
_CLAUSE = r"(?P<kept>.+),? and (?P<cut>[a-z]\S*(?: \S+){2,})\."
_FORMS = (
    r"(?P<kept>.+?),? (?:on|in|at|for|by|from|with|since|during|at a cost of)(?: (?:the|an?|about|around))? {value}"
    r"(?: [a-z]+){0,2}\.",
    r"(?:On|In|At) {value}, (?P<kept>.+)\.",
)
"""An answer of one sentence and what is kept of it: without its last clause, or without what it says of one fact."""


def swap_facts(question: str, answer: str, passage: Passage, seed: int) -> Made | None:
    """An answer with its facts swapped for others of their kinds, so that it is no longer grounded.

    The detail has `swapped`, as where rules make all; None where no fact of the answer can be swapped.

    Args:
        question: whose own names and figures stay as they are.
        answer: grounded in the passage.
        passage: states nothing of what is put in.
        seed: decides among the values.
    """
    found = answer_facts(question, answer, passage)
    usable = [fact for fact in found if swap([fact], passage.text, seed) is not None]
    values = swap(usable, passage.text, seed) if usable else None
    if values is None:
        return None
    text = answer
    swapped: list[dict[str, str]] = []
    for fact, value in sorted(zip(usable, values, strict=True), key=lambda one: _place(one[0], answer), reverse=True):
        start, end = _place(fact, answer)
        put = value if start else value[:1].upper() + value[1:]
        text = f"{text[:start]}{put}{text[end:]}"
        swapped.insert(0, {"from": fact.value, "to": put})
    return None if ungrounded_problem(text, answer, question, passage) else Made(text, "rule", {"swapped": swapped})


def cut_short(question: str, answer: str, passage: Passage, seed: int) -> Made | None:
    """An answer without one of the parts that it tells, where what is left still reads as an answer to the others.

    The detail has `left_out`, the fact that is no longer told; None where nothing can be cut so.
    """
    values = [fact.value for fact in answer_facts(question, answer, passage)]
    ways = sorted(set(_cuts(answer, values)), key=lambda way: rank(seed, "wikieval cut", question, *way))
    for text, left_out in ways:
        stands_alone = is_joined(answer) or not is_joined(text)
        tells_another = told(text, question, passage.title) and stands_alone
        if tells_another and not incomplete_problem(text, left_out, answer, question, passage):
            return Made(text, "rule", {"left_out": left_out})
    return None


def answer_facts(question: str, answer: str, passage: Passage) -> list[Fact]:
    """The facts of a passage that an answer tells and its question does not, and its other dates and figures."""
    is_section = CLAUSE in passage.metadata
    stated = section_facts(passage) if is_section else find_facts(passage, passage.metadata.get("namesakes", ()))[0]
    dates = [answer[one.start : one.end] for one in find_dates(answer)]
    numbers = [
        one[0] for one in _NUMBER.finditer(answer) if one[0].isalpha() or not _AFTER_NAME.search(answer[: one.start()])
    ]
    named = [fact for fact in sorted(stated, key=lambda fact: -len(fact.value)) if fact.kind not in ("date", "number")]
    found: list[Fact] = []
    taken: list[tuple[int, int]] = []
    for fact in (
        *(Fact(question, question, value, "date", answer, "", "") for value in dates),
        # What is put in its place stands after the words of the answer, and not of the passage.
        *(replace(fact, statement=answer, follows="") for fact in named),
        *(Fact(question, question, value, "number", answer, "", "") for value in numbers),
    ):
        if len(re.findall(_whole(fact.value), answer)) != 1 or states([plain(question)], [fact.value]):
            continue
        start, end = _place(fact, answer)
        if all(end <= first or last <= start for first, last in taken):
            found.append(fact)
            taken.append((start, end))
    return found


def _whole(value: str) -> str:
    return rf"(?<!\w){re.escape(value)}(?!\w)"


def _place(fact: Fact, answer: str) -> tuple[int, int]:
    """Where an answer states a fact."""
    match = re.search(_whole(fact.value), answer)
    return match.span() if match else (0, 0)


def _cuts(answer: str, values: Sequence[str]) -> Iterator[tuple[str, str]]:
    """An answer without a sentence, without its last clause, or without what it says of one fact; and that fact."""
    sentences = [answer[slice(*span)] for span in COUNTED.spans(answer)]
    if len(sentences) > 1:
        for place in range(len(sentences)):
            yield from _missing(" ".join([*sentences[:place], *sentences[place + 1 :]]), values)
    elif clause := re.fullmatch(_CLAUSE, answer):
        yield from _missing(
            f"{clause['kept']}.", [value for value in values if states([plain(clause["cut"])], [value])]
        )
    else:
        for value, form in itertools.product(values, _FORMS):
            if match := re.fullmatch(form.replace("{value}", re.escape(value)), answer):
                yield from _missing(f"{match['kept'][:1].upper()}{match['kept'][1:]}.", [value])


def _missing(text: str, values: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What is left of an answer, with the first of some values that it does not state."""
    yield from itertools.islice(((text, value) for value in values if not states([plain(text)], [value])), 1)
