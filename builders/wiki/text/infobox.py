"""Infoboxes as lines: `Label: value`."""

import functools
import re
from collections import Counter
from collections.abc import Mapping

from benchwright.builders.wiki.text.lists import INFOBOX_END, INFOBOX_START, one_line, tables
from benchwright.builders.wiki.text.records import count_left_out, is_readable

Named = Mapping[str, str]

_LABELS = (("_type", "_name"), ("_title", "_name"), ("blank_name", "blank_info"), ("label", "data"))
_KEPT_STEM = re.compile(r"[\W\d_]")
_OF_THE_PAGE = ("name", "title")
"""Parameters that say what the page's title says."""
_NUMBERED_LABEL = re.compile(r"label\d{1,3}")


def render_infobox(name: str, named: Named, left_out: Counter[str]) -> str:
    """ "Label: value" a line; numbered parameters that belong together share one.

    The characters of readable values that are not told are added to `left_out`.
    """
    lines: list[str] = []
    told = set[str]()
    together = _together(named)
    for key, value in named.items():
        if not value or key in told:
            continue
        if INFOBOX_START in value:
            before, _, rest = value.partition(INFOBOX_START)
            lines += [line for line in rest.partition(INFOBOX_END)[0].split("\n") if line]
            value = before.strip()
        other = _value_of(key, named)
        keys = together.get(key, [])
        if other:
            told.add(other)
            parts = [(one_line(value).rstrip(":"), one_line(named[other]))]
        elif len(keys) > 1:
            told.update(keys)
            parts = [(_label(each.rstrip("0123456789")), one_line(named[each])) for each in keys]
        else:
            parts = [("" if _NUMBERED_LABEL.fullmatch(key) else _label(key.rstrip("0123456789")), one_line(value))]
        lines.append("; ".join(f"{label}: {text}" for label, text in parts if label and text))
        for label, text in parts:
            if not label and key not in _OF_THE_PAGE and is_readable(text):
                count_left_out(left_out, name, len(text))
    return INFOBOX_START + "\n".join(line for line in lines if line) + INFOBOX_END


def _value_of(key: str, named: Named) -> str:
    """The parameter whose label this one holds: `leader_title` is the label of `leader_name`."""
    for label, value in _LABELS:
        if label in key and (other := key.replace(label, value)) in named:
            return other
    return ""


def _together(named: Named) -> dict[str, list[str]]:
    """Each parameter that ends in a number, with all of that number: `years1`, `clubs1`."""
    groups: dict[str, list[str]] = {}
    values = {_value_of(key, named) for key in named if "_t" in key or "label" in key or "blank" in key}
    for key in named:
        number = key[len(key.rstrip("0123456789")) :]
        if number and len(number) < 3 and key not in values and not _value_of(key, named):
            groups.setdefault(number, []).append(key)
    return {key: keys for keys in groups.values() for key in keys}


@functools.lru_cache(maxsize=20_000)
def _label(key: str) -> str:
    """What a parameter is called; nothing for one that is not for reading."""
    table = tables()["infobox"]
    if key in table["labels"]:
        return table["labels"][key]
    words = key.replace("-", "_").replace(" ", "_").strip("_").split("_")
    first, last = _KEPT_STEM.sub("", words[0]), _KEPT_STEM.sub("", words[-1])
    skipped = table["skipped"]
    if not first or first in skipped or last in skipped or first.startswith(("image", "pattern", "pushpin", "caption")):
        return ""
    return " ".join(words).capitalize()
