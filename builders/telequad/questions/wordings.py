"""Wordings of a question: the frames of `wordings.toml`, filled in."""

import re
import string
from collections.abc import Mapping
from functools import cache

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.errors import BenchwrightError

FORMS = ("short", "long", "interrogative")
_DOUBLED = re.compile(r"\b(the|a|an) (?:the|a|an) ", re.IGNORECASE)


def worded(frames: str, **values: str) -> Mapping[str, tuple[str, ...]]:
    """The wordings of one question by form, each once and in the order of the file.

    Args:
        frames: a table of `wordings.toml`: a pattern or a variety of one.
        **values: what the frames' placeholders stand for; one that no frame uses is passed over.

    Raises:
        BenchwrightError: there is no such table, or a frame has a placeholder without a value.
    """
    return {
        form: tuple(dict.fromkeys(_fill(template, frames, values) for template in templates))
        for form, templates in _frames(frames).items()
    }


def quoted(name: str) -> str:
    """A name as it stands in a question: in quotes unless it is one word."""
    return f'"{name}"' if " " in name and not name.startswith('"') else name


@cache
def _frames(name: str) -> Mapping[str, tuple[str, ...]]:
    tables = read_toml(__package__, "wordings.toml")
    if name not in tables:
        raise BenchwrightError(f"wordings.toml has no table {name!r}: it has {', '.join(tables)}")
    return {form: tuple(tables[name][form]) for form in FORMS}


def _fill(frame: str, name: str, values: Mapping[str, str]) -> str:
    missing = {field for _, field, _, _ in string.Formatter().parse(frame) if field} - values.keys()
    if missing:
        raise BenchwrightError(f"A frame of {name!r} in wordings.toml needs {', '.join(sorted(missing))}: {frame}")
    text = _DOUBLED.sub(r"\1 ", " ".join(frame.format_map(values).split()))
    begins = re.match(r"[a-z]+\b", frame)
    return text[0].upper() + text[1:] if begins and frame.endswith((".", "?")) else text
