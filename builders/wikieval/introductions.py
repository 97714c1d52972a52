"""What stands in full sentences at the beginning of an article."""

import re

from benchwright.benchmarks.text.sentences import Splitter, ending_dot
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


def span_around(text: str, value: str) -> tuple[int, int] | None:
    """Start and end of the first sentence of a text that holds a value; None where none does."""
    at = text.find(value)
    if not value or at < 0:
        return None
    end = at + len(value)
    return next(((low, high) for low, high in _SENTENCES.spans(text) if low <= at and end <= high), (at, end))
