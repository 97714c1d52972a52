"""Columns that nobody asks for, for only programs read them: identifiers, hashes, paths, sizes in bytes, when a row was
written, lengths in milliseconds, what stands before a name on an envelope."""

import re
from collections.abc import Collection
from typing import Any

from benchwright.benchmarks.data_files import read_words

_WORDS = read_words(__package__, "technical.toml")
_LAST = _WORDS["last"]
_FIRST = _WORDS["first"]
_WHOLE = _WORDS["whole"]
_FURTHER_LINES = re.compile(r"(?:addr|address|line|street)_[2-9]")
"""Of an address, which nobody asks for alone."""
_FILE = re.compile(r"^#|#.*#|^[/\\][^ ]|^[A-Za-z]:\\|^\w+://\S+\.(?:bmp|gif|jpe?g|png|svg|webp)$", re.IGNORECASE)
"""What is stored as a path, as a program's hyperlink, or leads to a picture."""


def words_of(name: str) -> list[str]:
    """The parts of an identifier in lower case: `People_ID` and `peopleId` are people, id."""
    return re.findall(r"[^\W\d_]+|\d+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower())


def is_technical(name: str, values: Collection[Any]) -> bool:
    """Whether only programs read a column, by its name or by most of its values."""
    words = words_of(name)
    if not words or words[-1] in _LAST or words[0] in _FIRST or "_".join(words) in _WHOLE:
        return True
    if _FURTHER_LINES.fullmatch("_".join(words[-2:])):
        return True
    texts = [value for value in values if isinstance(value, str) and value]
    return len(texts) > 1 and sum(bool(_FILE.search(text)) for text in texts) * 2 > len(texts)
