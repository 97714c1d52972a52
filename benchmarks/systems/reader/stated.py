"""What a line of a record says as it was asked: "number of orders, freight above 20: 12", "is it so: yes".

A line whose label needs no word that the question does not have, in a passage whose title it names, has the answer
whole: nothing has to be reckoned from it. Only labels that say how their value came to be are read so, and lists; the
others are weighed against what stands in sentences, by `extract`.
"""

import re
from collections.abc import Collection, Sequence

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.reader.passages import read_passage
from benchwright.benchmarks.systems.reader.vocabulary import roots
from benchwright.benchmarks.text.dates import find_dates
from benchwright.benchmarks.text.words import content_words, root, words

_LINE = re.compile(r"[\s*•-]*(?P<label>[A-Za-z][^:]{1,140}?):\s+(?P<value>\S.*)", re.DOTALL)
_SO = re.compile(r"(?:is|whether) (?:it|this) (?:is )?so", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_HIGH, _LOW = (
    ("highest", "latest", "largest", "greatest", "most"),
    ("lowest", "earliest", "smallest", "least", "fewest"),
)
_SAYS: dict[str, Collection[str]] = {
    "number": ("number", "many", "count"),
    "total": ("total", "sum"),
    "average": ("average", "mean"),
    "highest": _HIGH,
    "lowest": _LOW,
    "first": (*_HIGH, *_LOW),
    "second": ("second",),
}
"""What a label says of how its value came to be → the words that ask for it."""
_BOUNDS: dict[str, Collection[str]] = {
    "above": ("above", "over", "after", "more", *_HIGH),
    "below": ("below", "under", "before", "less", *_LOW),
}
_UNASKED = frozenset(map(root, ("name", "id", "company")))
"""What a label may say besides: that its value is a name."""
_LIST = "; "
_MOST = 1_000
"""More words than a label has: what says whether all above it is so counts before what is above it."""


def stated(question: str, passages: Sequence[Passage]) -> str | None:
    """The value of the line that says most of what is asked; None where no label is of this sort."""
    asked, said = roots(question), frozenset(words(question))
    best: tuple[int, str] | None = None
    for passage in passages:
        if not roots(passage.title) <= asked:
            continue
        for sentence in read_passage(passage).sentences:
            line = _LINE.fullmatch(sentence.text)
            much = _says(line["label"], line["value"], question, asked, said) if line else 0
            if line and much and (best is None or much > best[0]):
                best = much, line["value"].rstrip()
    return None if best is None else best[1]


def _says(label: str, value: str, question: str, asked: frozenset[str], said: frozenset[str]) -> int:
    """How many words a label has, all of which the question has; 0 where it lacks one."""
    if _SO.fullmatch(label) and value.lower() in ("yes", "no"):
        return _MOST
    days = {date.readings for date in find_dates(label.lower())}
    if not days <= {date.readings for date in find_dates(question.lower())}:
        return 0
    told = content_words(_DATE.sub(" ", label))
    if _SAYS.keys().isdisjoint(told) and _LIST not in value:
        return 0
    for word in told:
        ways = _SAYS.get(word) or _BOUNDS.get(word)
        if said.isdisjoint(ways) if ways else root(word) not in asked | _UNASKED:
            return 0
    return len(told) if asked & {root(word) for word in told} else 0
