"""The values that a sentence holds: dates, numbers with units, names, places, and phrases after a verb."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.benchmarks.systems.reader.kinds import find_typed
from benchwright.benchmarks.systems.reader.vocabulary import Kind
from benchwright.benchmarks.text.countries import is_wider_place
from benchwright.benchmarks.text.folding import value_words
from benchwright.benchmarks.text.words import STOP_WORDS, root

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?"
)
_DATE = re.compile(
    rf"\b(?:\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH},? \d{{4}}|"
    rf"{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}|\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}}|{_MONTH} \d{{4}})\b"
)
_SCALE = r"(?:\s?(?:thousand|million|billion|trillion|[kmb]n?)\b)?"
_MONEY = re.compile(
    rf"(?:(?:US\s?)?[$€£¥]|\b(?:USD|EUR|GBP|JPY)\b)\s?\d[\d,]*(?:\.\d+)?{_SCALE}"
    rf"|\b\d[\d,]*(?:\.\d+)?{_SCALE}\s(?:US |Australian |Canadian )?(?:dollars|euros?|pounds|yen)\b"
    r"|\b\d[\d,]*(?:\.\d+)?\s(?:thousand|million|billion)\b"
)
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<figure>\+\d{1,3}(?:[ -]?\d{2,4}){1,5}|\d(?:[\d,]*\d)?(?:\.\d+)?(?:[ -]\d{3,4}(?!\d)){0,4})"
    r"(?:\s?(?P<percent>%)|[\s-](?P<unit>[A-Za-z]+[²³]?(?: (?:metres?|meters?|feet))?))?"
)
_NUMBER_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    r"eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?)\b"
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_CAPITAL = r"[A-ZÀ-Þ][\w’'-]*"
_NAME = re.compile(rf"{_CAPITAL}(?:(?: | & | of | of the | de | van | von )(?={_CAPITAL}){_CAPITAL})*")
_VERB = re.compile(r"\s+(?:is|was|has|leads|manages|directs|runs)\b")
_LIST = re.compile(r",? and |, ")
_LABEL = re.compile(r"^[\s*•-]*(?P<cue>[A-Za-z][^:.!?]{1,60}?)\s*[:=]\s+(?P<value>\S.*)$", re.DOTALL)
_ARTICLE = r"(?:the|an?|our|its|his|her)\b"
_STOP = (
    r"(?=[.,;:!?()]|\s+(?:and|which|who|where|but|for|by|with|to|at|on|as|in|that|about|from|into|through|after|before|"
    r"since|until|is|are|was|were|has)\b|$)"
)
_VALUE = rf"(?P<value>[^,;:.!?()\s][^,;:!?()]*?(?: and [a-z]+(?=[.,;:!?)]|$))?){_STOP}"
_SORT = re.compile(rf"\b(?:is|are|was|were|as)(?:,[^,]*,)?\s+(?:an?\s+|the\s+)?{_VALUE}")
_APPOSED = re.compile(
    r",\s+(?:an?|the|its)\s+(?P<value>[a-z][^,;:.!?()]*?)"
    r"(?=[,.;:!?]|\s+(?:we|who|which|that|for|in|of|at|by|on|from|with|to|under|behind)\b|\s\w+ed\b|$)"
)
_ASIDE = re.compile(
    r"(?:^|,\s+)(?![Aa]s\s)(?:an?\s+|the\s+)?(?P<value>[^,;:.!?()]{3,40}?)(?=,|\s(?:is|are|was)\s(?:the|its|their|his|her)\b)"
)
_PHRASE = re.compile(
    r"\b(?:be|been|means|has|have|had|holds|uses?|used|chose|needs?|offers|says|about|into|through|"
    r"under|on|in|at|by|with|to|from|for|of|a|an|the|it|them)\b\s+"
    rf"(?:(?:an?|the|its|their|his|her|our)\s+)?{_VALUE}"
)
_NO_PHRASE = re.compile(
    r"[a-z]+ed$|[a-z]+ed (?!\w+$)|(?:bought|let|made|built|known|held|kept|led|paid|sent|run)\b|"
    r"(?:.* )?(?:is|are|was|were|has|have|had|go|goes|takes?|be)\b|been\b|(?:record|file)$"
)
_IDIOM = (
    r"(?:\w+ )?(?:order|use|place|charge|hand|progress|force|need|time|line|touch|danger|part|print|stock|shape|"
    r"condition)\b"
)
_FIELD = re.compile(
    r"\b(?:is|are|was|works?|active|operates?|deals|trades?|specialis\w+) in "
    rf"(?!{_IDIOM}|{_ARTICLE})(?=[a-z]){_VALUE}"
)
"""What somebody is in: a trade."""
_IN = re.compile(rf" in (?!{_ARTICLE})(?:(?P<named>{_CAPITAL}(?: (?:(?:and|of|&) )?{_CAPITAL})*)|(?=[a-z]){_VALUE})")
"""What follows a title: a field, or by its name a department."""
_TO = re.compile(r"\s*(?:(?:and|to|until|till|through)(?:\s+the)?|[–—-])\s*")
_CUT = re.compile(r"[.,:]\d")
_TRIMMED = " \t\n.,;:!?\"'“”‘’()*"
_LONGEST = 6
"""Words of a phrase."""

_NOTHING = frozenset[str]()
_START, _END = frozenset(("start",)), frozenset(("end",))
_TRADE = frozenset((root("industry"), root("trade"), root("business"), root("field"), root("specialism")))
_UNIT = frozenset((root("department"),))
_SAYS: dict[Kind, frozenset[str]] = {
    "role": frozenset((root("title"), root("position"), root("role"))),
    "degree": frozenset((root("degree"), root("qualification"))),
    "time": frozenset((root("time"), root("hours"))),
}


@dataclass(frozen=True, slots=True)
class Span:
    """A value in a sentence."""

    kind: Kind
    text: str
    start: int
    end: int
    label: str | None = None
    """What stands before the colon of its line."""
    unit: str | None = None
    list: int = -1
    """The number of the list of names that it stands in."""
    implied: frozenset[str] = _NOTHING
    """Roots of words that its form or its place says: a degree is a degree, in "from X to Y" X is the start."""


def find_spans(sentence: str) -> Iterator[Span]:
    """All values of a sentence; one stretch may be of several kinds."""
    label = _LABEL.match(sentence)
    first = label.start("value") if label else 0
    cue = label.group("cue") if label else None
    taken: list[tuple[int, int]] = []
    yield from _dates(sentence, first, cue, taken)
    for match in _MONEY.finditer(sentence, first):
        taken.append(match.span())
        yield Span("money", _trim(match.group()), *match.span(), cue)
    typed = list(find_typed(sentence))
    for kind, start, end in typed:
        if start >= first:
            yield Span(kind, _trim(sentence[start:end]), start, end, cue, implied=_SAYS[kind])
        if kind == "role" and (field := _IN.match(sentence, end)):
            group = "named" if field.group("named") else "value"
            kind, implied = ("name", _UNIT) if group == "named" else ("phrase", _TRADE)
            yield Span(kind, field.group(group), *field.span(group), implied=implied)
    yield from _numbers(sentence, first, cue, taken)
    taken += [(start, end) for _, start, end in typed]
    yield from _names(sentence, first, cue, taken)
    if label:
        yield Span("phrase", _trim(label.group("value")), *label.span("value"), cue)
    else:
        yield from _phrases(sentence)


def _phrases(sentence: str) -> Iterator[Span]:
    phrases: tuple[tuple[Kind, re.Pattern[str], frozenset[str]], ...] = (
        ("sort", _SORT, _NOTHING),
        ("sort", _APPOSED, _NOTHING),
        ("phrase", _FIELD, _TRADE),
        ("phrase", _PHRASE, _NOTHING),
        ("phrase", _ASIDE, _NOTHING),
    )
    for kind, pattern, implied in phrases:
        for match in pattern.finditer(sentence):
            text = _trim(match.group("value"))
            is_cut = text[-1:].isdigit() and _CUT.match(sentence, match.end("value"))
            if text and len(text.split()) <= _LONGEST and not is_cut and not _NO_PHRASE.match(text):
                yield Span(kind, text, *match.span("value"), implied=implied)


def _dates(sentence: str, first: int, cue: str | None, taken: list[tuple[int, int]]) -> Iterator[Span]:
    """Dates; of "from X to Y" X is a start and Y an end."""
    found = [match.span() for match in _DATE.finditer(sentence, first)]
    taken += found
    is_range = [bool(_TO.fullmatch(sentence[end:start])) for (_, end), (start, _) in itertools.pairwise(found)]
    for index, (start, end) in enumerate(found):
        begins = index < len(is_range) and is_range[index]
        ends = index > 0 and is_range[index - 1]
        implied = _START if begins else _END if ends else _NOTHING
        yield Span("date", _trim(sentence[start:end]), start, end, cue, implied=implied)


def _numbers(sentence: str, first: int, cue: str | None, taken: list[tuple[int, int]]) -> Iterator[Span]:
    for match in _NUMBER_WORD.finditer(sentence, first):
        yield Span("number", match.group(), *match.span(), cue)
    for match in _NUMBER.finditer(sentence, first):
        if not _is_free(match.span(), taken):
            continue
        figure, unit = match.group("figure"), match.group("percent") or match.group("unit")
        if unit is None or unit.lower() in STOP_WORDS:
            kind: Kind = "year" if _YEAR.fullmatch(figure) else "number"
            yield Span(kind, figure, *match.span("figure"), cue)
        else:
            yield Span("number", match.group(), *match.span(), cue, unit.lower())


def _names(sentence: str, first: int, cue: str | None, taken: list[tuple[int, int]]) -> Iterator[Span]:
    """Names, those that stand together in a list, and places: a name, a comma and a country or state."""
    found = [
        _proper(match.span(), sentence) for match in _NAME.finditer(sentence, first) if _is_free(match.span(), taken)
    ]
    number, skip = 0, -1
    for index, (start, end) in enumerate(found):
        following = found[index + 1] if index + 1 < len(found) else None
        if index and not _LIST.fullmatch(sentence[found[index - 1][1] : start]):
            number += 1
        if (
            following
            and sentence[end : following[0]] == ", "
            and is_wider_place(value_words(sentence[slice(*following)]))
        ):
            yield Span("place", sentence[start : following[1]], start, following[1], cue)
            skip = index + 1
        if index == skip:
            continue
        if text := _name(sentence, start, end, first):
            yield Span("name", text, start, end, cue, list=number)
        if following and sentence[end : following[0]] == " and ":
            yield Span("name", sentence[start : following[1]], start, following[1], cue, list=number)


def _proper(span: tuple[int, int], sentence: str) -> tuple[int, int]:
    """A name without the function word that begins its sentence."""
    head, space, _ = sentence[slice(*span)].partition(" ")
    return (span[0] + len(head) + 1, span[1]) if space and span[0] == 0 and head.lower() in STOP_WORDS else span


def _is_free(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    return all(span[1] <= start or end <= span[0] for start, end in taken)


def _name(sentence: str, start: int, end: int, first: int) -> str | None:
    """A name, unless it is a word that is a capital only because it begins a sentence."""
    text = sentence[start:end]
    if start == first == 0 and " " not in text and not _VERB.match(sentence, end):
        return None
    return _trim(re.sub(r"[’']s$", "", text)) or None


def _trim(text: str) -> str:
    return text.strip(_TRIMMED)
