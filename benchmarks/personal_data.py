"""What a column may hold about people, by the words of its name: a reason to look, and no more than that."""

import re
from collections.abc import Iterable
from itertools import pairwise

from benchwright.benchmarks.data_files import read_toml

_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_]+")


def sorts_of_personal_data() -> dict[str, list[str]]:
    """Sort of personal data → the words that say it: `personal_data.toml`."""
    return read_toml(__package__, "personal_data.toml")


def is_named(column: str, words: Iterable[str]) -> bool:
    """Whether a column's name has one of these words, or two that make one."""
    parts = [part.lower() for part in _PARTS.findall(column.rpartition(".")[2])]
    there = {*parts, *(first + second for first, second in pairwise(parts)), "".join(parts)}
    return any(word.replace(" ", "") in there for word in words)
