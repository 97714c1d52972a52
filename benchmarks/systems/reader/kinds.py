"""Values that their own form gives away: a title, a degree, a time of the week."""

import functools
import re
from collections.abc import Iterator

from benchwright.benchmarks.systems.reader.vocabulary import Kind, listed

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|daily"
_PART = r"mornings?|afternoons?|evenings?|nights?|noon|midday|lunchtimes?"
_CLOCK = r"\d{1,2}(?:[.:]\d{2})?(?:\s?[ap]\.?m\.?|\so['’]clock)?"
_HOUR = rf"(?:{_CLOCK}|noon|midday|midnight|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_TIME = re.compile(
    rf"\b(?:(?:every|each|first|last|second|third|other)\s+)*(?:{_DAY})(?:(?:\s+(?:to|and|or|till)\s+|,\s+)(?:{_DAY}))*"
    rf"(?:\s+(?:{_PART}))?(?:,?\s+(?:after|before|between|from|until|at)\s+{_HOUR}(?:\s+(?:and|to|until|till)\s+{_HOUR})?|"
    rf",?\s+{_CLOCK}\s*(?:to|and|until|till|–|-)\s*{_CLOCK})?"
    rf"|\b(?:in the|every)\s+(?:{_PART})|\b(?:from|between)\s+{_CLOCK}\s+(?:to|and|until|till)\s+{_CLOCK}",
    re.IGNORECASE,
)
_LITTLE = "[Tt]he|An?|As|[Oo]ur|[Ii]ts|[Tt]heir|[Hh]is|[Hh]er|by|to|an?|with|for|and|in|of|at|on|who|has|is|was|as|from"
_CAPITAL = r"[A-Z][\w’'-]*"
_SMALL = r"(?!(?:the|an?|our|this|and|of|from|in|at|is|was|with|which|who|by|on|for|to)\b)[a-z][\w’'-]*"
_FIELD = rf"(?:{_CAPITAL}(?: (?:(?:and|of) )?{_CAPITAL})*|{_SMALL}(?: {_SMALL})?)"
_DEGREE = re.compile(
    r"\b(?:[BM](?:Sc|A|Eng|Ed|Arch|BA|Phil)|Ph\.?D|LL[BM]|MD|D(?:Phil|Sc|Eng)|"
    r"[Dd]iploma|(?:[Bb]achelor|[Mm]aster|[Dd]octor)(?:['’]s(?: degree)?)?|[Dd]octorate)"
    rf"(?: (?:of|in) {_FIELD})+(?: with honours)?"
)
_BARE_DEGREE = re.compile(r"\b(?:BSc|MSc|BEng|MEng|MBA|PhD|LLB|LLM|MD|DPhil)\b")


@functools.cache
def _role() -> re.Pattern[str]:
    """A title: ranks, or words with capitals, before an occupation, and what it is over ("head of finance")."""
    held = "|".join(sorted(listed("occupations")))
    qualified = rf"(?:(?!(?:{_LITTLE})\b)[A-Za-z][\w-]+)"
    capitals = "|".join(sorted(word.capitalize() for word in listed("occupations")))
    over = r" of (?!the\b|an?\b|our\b)\w+(?: and \w+)?"
    ranks = "|".join(sorted(listed("ranks")))
    return re.compile(
        rf"(?:(?:(?<![\w’'])(?:an?|the|[Aa]s|is|was|says|reads|our|its|their|of)|[:,])\s+(?:an?\s+|the\s+)?)"
        rf"(?P<said>(?:{held}|{capitals}){over}|(?:{qualified} ){{0,3}}(?:{held}|{capitals}))(?![\w’'-])"
        rf"|(?P<bare>(?:\b(?!(?:{_LITTLE})\b)[A-Z][\w-]+ )+(?:{capitals})|(?:{capitals}){over})(?![\w’'-])"
        rf"|\b(?P<rank>(?:(?:{ranks}) )+(?:{held}))(?![\w’'-])"
    )


def is_role(text: str) -> bool:
    """Whether a text ends as a title does."""
    return text.rpartition(" ")[2].lower() in listed("occupations")


def find_typed(sentence: str) -> Iterator[tuple[Kind, int, int]]:
    """Titles, degrees and times of a sentence."""
    for match in _TIME.finditer(sentence):
        yield "time", *match.span()
    spans = [match.span() for match in _DEGREE.finditer(sentence)]
    for start, end in spans or [match.span() for match in _BARE_DEGREE.finditer(sentence)]:
        yield "degree", start, end
    for match in _role().finditer(sentence):
        group = match.lastgroup or "said"
        yield "role", *match.span(group)
