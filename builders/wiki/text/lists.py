"""What the data files say of templates, marks between the steps of reading, and what all of the steps need."""

import functools
import re
import tomllib
from importlib import resources
from typing import Any

INFOBOX_START, INFOBOX_END = "\ue001", "\ue002"
"""Marks around the lines of an infobox, so that they can be put after the introduction."""
LINE = "\ue003"
"""A mark where a line ends or begins; several of them, and a line's end beside them, are one."""
EQUALS, PIPE = "\ue016", "\ue014"
"""Stand for `=` and `|` in what is text already, where arguments or cells are still to be told apart."""

_ITEM = re.compile(r"\s*\n[\s*#:;]*")


@functools.cache
def tables() -> dict[str, Any]:
    """What `templates.toml` says."""
    return _read("templates.toml")


@functools.cache
def records() -> dict[str, Any]:
    """What `records.toml` says."""
    return _read("records.toml")


def _read(name: str) -> dict[str, Any]:
    file = resources.files("benchwright.builders.wiki.text").joinpath(name)
    return tomllib.loads(file.read_text(encoding="utf-8"))


def one_line(text: str) -> str:
    """A text of several lines or items as one line, with commas."""
    text = (text.replace(LINE, "\n") if LINE in text else text).strip()
    return _ITEM.sub(", ", text.lstrip("*#:; ")).strip(" ,") if "\n" in text else text.lstrip("*#; ").strip()


@functools.cache
def country(code: str) -> str:
    """A country by its code of three letters; anything else as it is."""
    if len(code) != 3 or not code.isupper():
        return code
    if code in tables()["codes"]:
        return tables()["codes"][code]
    import pycountry

    found = pycountry.countries.get(alpha_3=code)
    return getattr(found, "common_name", found.name) if found else code
