"""Which values something can have: ranges, defaults, limits and figures that a sentence states."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from benchwright.builders.documents.sections import Span
from benchwright.builders.documents.tree import Clause, Code, Paragraph
from benchwright.builders.telequad.questions.asked import Asked, Specification, Stated
from benchwright.builders.telequad.questions.quantities import (
    END,
    NUMBER,
    base_forms,
    forms,
    in_sentence,
    is_known_anywhere,
    is_quantity,
    is_range,
    is_subject,
    is_time,
    span_of_values,
    value,
)
from benchwright.builders.telequad.questions.sentences import Sentence, blocks
from benchwright.builders.telequad.questions.tables import says_nothing
from benchwright.builders.telequad.questions.wordings import worded

_ABOUT = re.compile(
    r"(?P<subject>The (?:[\w/-]+ ){1,6}?)(?:is|gives|identifies|carries|contains|indicates|holds|has|specifies|"
    r"describes|lists|provides|defines|allows|enables|represents)\b"
)
_ITS = rf"\b[Ii]ts (?P<property>[a-z]+(?: [a-z]+){{0,2}}) is (?P<value>{span_of_values()}|{value()}){END}"
_DEFAULT_LINE = re.compile(
    r"(?:Default(?: value)?: |The default(?: value)? is )"
    rf"(?P<value>{value()}|[\"'][^\"']+[\"']|[^\s,;\"']*[^\s,;\"'.])\.?"
)
_IDENTIFIER = re.compile(r"(?=.+[._\-A-Z0-9/])[\w./:-]+")
_ASN1_TYPE = re.compile(
    rf"^(?P<subject>[A-Z][\w-]*) *::= *INTEGER *\((?P<value>{NUMBER} *\.\. *{NUMBER})\)", re.MULTILINE
)
_ASN1_VALUE = re.compile(rf"^(?P<subject>[a-z][\w-]*) +INTEGER *::= *(?P<value>{NUMBER}) *(?:--.*)?$", re.MULTILINE)
_GIVEN = {"subject", "value", "end"}


@dataclass(frozen=True, slots=True)
class _Found:
    """A value that is stated."""

    frames: str
    thing: str
    section: int
    value: Span
    around: Span
    values: Mapping[str, str] = field(default_factory=dict)
    """What else the frames say."""


def ranges(specification: Specification) -> Iterable[Asked]:
    """A question for each thing of which the document states one value of a sort."""
    stated: dict[tuple[str, ...], list[_Found]] = {}
    titles = Counter(section.clause.title for section in specification.sections)
    for found in _all(specification):
        if where := _where(specification, found, titles):
            key = (found.frames, found.thing.casefold(), where, *sorted(found.values.values()))
            stated.setdefault(key, []).append(found)
    for (_, _, where, *_), each in stated.items():
        if len({_text(specification, found).casefold() for found in each}) == 1:
            yield _asked(specification, where, each)


def _asked(specification: Specification, where: str, found: list[_Found]) -> Asked:
    first = found[0]
    return Asked(
        pattern="range",
        wordings=worded(first.frames, document=where, thing=first.thing, **first.values),
        context=first.section,
        answers=tuple(dict.fromkeys(each.value for each in found if each.section == first.section)),
        stated=tuple(dict.fromkeys(Stated(each.section, each.around) for each in found)),
        asks=_asks(first),
        entity=first.thing,
        aliases=tuple(_as_from_to(_text(specification, first))) if first.frames == "range_values" else (),
        metadata={"clause": _clause(specification, first).number},
    )


def _asks(found: _Found) -> str:
    """`values`, `default`; of a value its name: `length` of "the length of the Cause information element"."""
    what = found.frames.removeprefix("range_")
    return re.sub(r"^the ", "", found.thing.partition(" of ")[0]) if what == "value" and " of " in found.thing else what


def _as_from_to(text: str) -> Iterator[str]:
    """`1..240` and `1 and 240` as `1 to 240`."""
    if (other := re.sub(r" and | ?\.\.\.? ?| ?[–—] ?|(?<=\d)-(?=\d)", " to ", text)) != text:
        yield other


def _where(specification: Specification, found: _Found, titles: Mapping[str, int]) -> str:
    """The document, or the clause of it where the thing has no name of its own; "" where that clause has none."""
    title = _clause(specification, found).title
    if is_known_anywhere(found.thing) or found.thing == title:
        return specification.called
    if not title or titles[title] > 1 or len(title) > 80 or '"' in title:
        return ""
    return f'the section "{title}" of {specification.called}'


def _all(specification: Specification) -> Iterator[_Found]:
    for block in blocks(specification):
        about = None
        for sentence in (*block.sentences, *block.items):
            yield from _of_sentence(sentence)
            if about and sentence.text.startswith("Its "):
                yield from _of_its(sentence, about)
            else:
                about = sentence
    for place, section in enumerate(specification.sections):
        for placed in section.placed:
            if isinstance(placed.part, Code):
                yield from _of_code(place, placed.part.text, placed.span.start)
            elif isinstance(placed.part, Paragraph):
                yield from _of_default(section.clause.title, place, placed.part, placed.span)


def _of_sentence(sentence: Sentence) -> Iterator[_Found]:
    """What the first form that reads the sentence finds in it."""
    if not any(map(str.isdigit, sentence.text)):
        return
    for frames, patterns in forms().items():
        for pattern in patterns:
            found = pattern.match(sentence.text)
            if found and is_subject(found["subject"]) and (frames != "range_value" or is_quantity(found["subject"])):
                thing = in_sentence(found["subject"])
                if frames == "range_values":
                    thing = re.sub(r"^the (?:coded )?values? of (?=\w)", "", thing)
                values = {name: text for name, text in found.groupdict().items() if name not in _GIVEN}
                if "verb_s" in values:
                    values["verb"] = base_forms()[values["verb_s"]]
                if "modal" in values:
                    values["modal"] = values["modal"].lower()
                if frames == "range_long":
                    thing = f"the {'duration' if is_time(found['value']) else 'length'} of {thing}"
                    frames = "range_value"
                if is_range(found["value"]):
                    yield _found(frames, thing, sentence, found, **values)
                return


def _found(frames: str, thing: str, sentence: Sentence, found: re.Match[str], **values: str) -> _Found:
    span = sentence.part(found.start("value"), found.end("value"))
    return _Found(frames, thing, sentence.section, span, sentence.span, values)


def _of_its(sentence: Sentence, before: Sentence) -> Iterator[_Found]:
    """`The LINK REQUEST message is sent ... Its length is 8 octets.`"""
    about = _ABOUT.match(before.text)
    if about and is_subject(about["subject"].strip()):
        around = Span(before.span.start, sentence.span.end)
        for found in re.finditer(_ITS, sentence.text):
            thing = f"the {found['property']} of {in_sentence(about['subject'].strip())}"
            yield replace(_found("range_value", thing, sentence, found), around=around)


def _of_code(place: int, text: str, start: int) -> Iterator[_Found]:
    """ASN.1: ranges of integers, and constants."""
    for form, frames, sort in ((_ASN1_TYPE, "range_values", "type"), (_ASN1_VALUE, "range_value", "constant")):
        for found in form.finditer(text):
            span = Span(start + found.start("value"), start + found.end("value"))
            around = Span(start + found.start(), start + found.end())
            name = f"the ASN.1 {sort} {found['subject']}"
            yield _Found(frames, name if sort == "type" else f"the value of {name}", place, span, around)


def _of_default(heading: str, place: int, part: Paragraph, span: Span) -> Iterator[_Found]:
    """`Default: 10` under the heading that is the name of an option."""
    title = heading
    found = _DEFAULT_LINE.fullmatch(part.text)
    if found and _IDENTIFIER.fullmatch(title) and not says_nothing(found["value"]):
        answer = Span(span.start + found.start("value"), span.start + found.end("value"))
        yield _Found("range_default", title, place, answer, span)


def _text(specification: Specification, found: _Found) -> str:
    return specification.sections[found.section].text[found.value.start : found.value.end]


def _clause(specification: Specification, found: _Found) -> Clause:
    return specification.sections[found.section].clause
