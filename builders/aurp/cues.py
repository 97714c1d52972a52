"""The words by which a sentence speaks of a column: `cues.toml`, and what `vocabulary.toml` calls it."""

import re
from collections.abc import Sequence
from functools import cache

from benchwright.benchmarks.data_files import read_toml


@cache
def cues() -> dict[str, re.Pattern[str]]:
    """Column of the standard schema → words of which a sentence that speaks of it holds one."""
    words: dict[str, list[str]] = {column: list(told) for column, told in read_toml(__package__, "cues.toml").items()}
    for name, label in read_toml(__package__, "vocabulary.toml")["columns"].items():
        words[name.partition(".")[2]].append(label.partition(" in ")[0].replace("“", "").replace("”", ""))

    def pattern(told: Sequence[str]) -> re.Pattern[str]:
        return re.compile("|".join(rf"\b{re.escape(word)}" for word in told), re.IGNORECASE)

    return {column: pattern(told) for column, told in words.items()}
