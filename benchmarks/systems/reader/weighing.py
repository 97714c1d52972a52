"""How much the words around a value say of what is asked."""

import re

from benchwright.benchmarks.systems.reader.passages import Sentence, Value
from benchwright.benchmarks.systems.reader.question import Wanted

SAYS, CLOSE = 2.0, 2.0
"""What it counts that a sentence has a word that is asked for, and besides that the word is next to the value."""
_NEAR = 20
"""Characters between a word and a value at which it counts half."""
OWN = 0.5
"""What it counts besides that it is the very word."""
SAID_ABOVE = 0.5
"""What it counts that only the title or a sentence before has the word."""
_FORMER = re.compile(
    r"\b(?:former|formerly|previous|previously|earlier|no longer|used to|instead of|not)\b[^.;,]*$", re.IGNORECASE
)


def says(wanted: Wanted, sentence: Sentence, value: Value) -> float:
    """How much of what is asked the words around a value say."""
    total = 0.0
    for group in wanted.groups:
        distances = [
            max(value.start - end, start - value.end, 0)
            for word, start, end in sentence.places
            if word in group and not value.start <= start < value.end
        ]
        if (sentence.label and not group.isdisjoint(sentence.label)) or (
            value.kind != "phrase" and not group.isdisjoint(value.roots)
        ):
            total += SAYS + CLOSE
        elif distances:
            total += SAYS + CLOSE * _NEAR / (_NEAR + min(distances))
            total += 0.0 if wanted.own.isdisjoint(group & sentence.words) else OWN
        elif any(sentence.above(word) for word in group):
            total += SAID_ABOVE
    return total


def is_former(sentence: Sentence, value: Value) -> bool:
    """Whether a sentence calls a value a former one."""
    return _FORMER.search(sentence.text, max(0, value.start - 60), value.start) is not None
