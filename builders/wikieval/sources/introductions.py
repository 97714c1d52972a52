"""What stands in full sentences at the beginning of an article."""

import re

from benchwright.benchmarks.text.sentences import Splitter, ending_dot
from benchwright.benchmarks.text.words import content_words
from benchwright.builders.wiki.pages import Article

_ABBREVIATIONS = (
    "mr", "mrs", "ms", "dr", "st", "mt", "jr", "sr", "vs", "no", "inc", "ltd", "co", "corp", "gen", "col", "lt", "sgt",
    "prof", "rev", "hon", "u.s", "u.k", "e.g", "i.e", "approx", "c", "ca",
)  # fmt: skip
_INITIAL = "[A-Z]"
_SENTENCES = Splitter(f"(?:{ending_dot(_ABBREVIATIONS, before=[_INITIAL])}|[!?])")
_FULL = re.compile(r"[\"'“‘(\[]*[^\Wa-z_].*[.!?][\"'”’)\]]*", re.DOTALL)
_FEWEST = 4
"""Words of a sentence."""


def sentences_in(text: str) -> list[str]:
    """The full sentences of a text, in order: lines of lists and of infoboxes are none."""
    found = []
    for line in text.split("\n"):
        line = line.strip()
        if line.startswith("- ") or not _FULL.fullmatch(line):
            continue
        found += [line[start:end] for start, end in _SENTENCES.spans(line)]
    return [each for each in found if len(each.split()) >= _FEWEST]


def introduction_of(article: Article) -> str:
    """The paragraphs of an article's introduction that are full sentences; empty where there is none."""
    lines = (line.strip() for line in article.introduction.split("\n"))
    return "\n".join(line for line in lines if not line.startswith("- ") and _FULL.fullmatch(line))


def span_stating(text: str, value: str, question: str) -> tuple[int, int] | None:
    """Start and end of the sentence of a text that states a value, of several the one nearest to what asks for it.

    A value counts as a word or words of its own: 12 does not stand in 2012. None where no sentence has it.
    """
    asked = set(content_words(question))
    found: dict[tuple[int, int], int] = {}
    spans = _SENTENCES.spans(text)
    for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text) if value else ():
        at, end = match.span()
        span = next(((low, high) for low, high in spans if low <= at and end <= high), (at, end))
        found.setdefault(span, len(asked.intersection(content_words(text[slice(*span)]))))
    return max(found, key=lambda span: found[span], default=None)
