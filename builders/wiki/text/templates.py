"""Templates as text: dates, numbers with units, foreign words, lists, infoboxes; what is not known is dropped."""

import functools
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from typing import Any

from benchwright.benchmarks.text.dates import MONTHS

INFOBOX_START, INFOBOX_END = "\ue001", "\ue002"
"""Marks around the lines of an infobox, so that they can be put after the introduction."""

Named = Mapping[str, str]
Handler = Callable[[str, Sequence[str], Named], str]

_BETWEEN = ("-", "–", "to", "and", "or", "by", "x", "×", "+/-", "±", "and(-)")
_ITEM = re.compile(r"\s*\n[\s*#:;]*")
_LABELS = (("_type", "_name"), ("_title", "_name"), ("blank_name", "blank_info"), ("label", "data"))
_KEPT_STEM = re.compile(r"[^a-z]")


@functools.cache
def tables() -> dict[str, Any]:
    """What `text_templates.toml` says."""
    return tomllib.loads(
        resources.files("benchwright.builders.wiki.text").joinpath("templates.toml").read_text(encoding="utf-8")
    )


def one_line(text: str) -> str:
    """A text of several lines or items as one line, with commas."""
    text = text.strip()
    return _ITEM.sub(", ", text.lstrip("*#:; ")).strip(" ,") if "\n" in text else text.lstrip("*#; ").strip()


def render_template(arguments: Sequence[str]) -> str:
    """A template's text, from its name and arguments, which are text already; nothing for an unknown one."""
    name = arguments[0].strip().replace("_", " ").lower()
    handler = _handlers().get(name)
    if handler is None:
        handler = _by_beginning(name)
        if handler is None:
            return ""
    return handler(name, *_split(arguments[1:]))


def _split(arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Arguments without and with a name."""
    plain: list[str] = []
    named: dict[str, str] = {}
    for argument in arguments:
        key, equals, value = argument.partition("=")
        key = key.strip()
        if not equals:
            plain.append(argument.strip())
        elif key.isdigit() and 0 < int(key[:4]) <= 99:
            while len(plain) < int(key):
                plain.append("")
            plain[int(key) - 1] = value.strip()
        else:
            named[key.lower()] = value.strip()
    return plain, named


def _by_beginning(name: str) -> Handler | None:
    if name == "infobox" or name.startswith(tuple(tables()["infobox"]["names"])):
        return _infobox
    if name.startswith("lang-"):
        return _lang_of_name
    if name.startswith("#") or ":" in name:
        return _function(name)
    return _track_listing if name in ("track listing", "tracklist", "tracklisting") else None


def _function(name: str) -> Handler | None:
    """Parser functions that are only a way of writing."""
    function, _, value = name.partition(":")
    return (lambda _name, _plain, _named: value.strip()) if function in ("formatnum", "lc", "uc", "ucfirst") else None


def _first(name: str, plain: Sequence[str], named: Named) -> str:
    return plain[0] if plain else named.get("text") or named.get("content") or named.get("quote") or ""


def _second(name: str, plain: Sequence[str], named: Named) -> str:
    return plain[1] if len(plain) > 1 else ""


def _last(name: str, plain: Sequence[str], named: Named) -> str:
    return plain[-1] if plain else ""


def _list(name: str, plain: Sequence[str], named: Named) -> str:
    return ", ".join(item for part in plain if (item := one_line(part)))


def _joined(name: str, plain: Sequence[str], named: Named) -> str:
    return " ".join(part for part in plain[:2] if part)


def _cell(name: str, plain: Sequence[str], named: Named) -> str:
    return plain[0] if plain and plain[0] else tables()["cells"][name]


def _literal(name: str, plain: Sequence[str], named: Named) -> str:
    return tables()["literal"][name]


def _before(name: str, plain: Sequence[str], named: Named) -> str:
    if not plain or not plain[0]:
        return ""
    return tables()["before"][name] + (_date(plain[:3], named) if name == "as of" else plain[0])


def _language(code: str, text: str) -> str:
    name = tables()["languages"].get(code.partition("-")[0])
    return f"{name}: {text}" if name and text else text


def _langx(name: str, plain: Sequence[str], named: Named) -> str:
    return _language(plain[0], plain[1]) if len(plain) > 1 else ""


def _lang_of_name(name: str, plain: Sequence[str], named: Named) -> str:
    return _language(name.removeprefix("lang-"), plain[0] if plain else "")


def _date(numbers: Sequence[str], named: Named) -> str:
    """Year, month and day, as far as they are given; what is no number stays as it is."""
    year, month, day = (*numbers, "", "", "")[:3]
    if not month:
        return year
    if month.isdecimal():
        month = MONTHS[int(month) - 1] if 0 < int(month) <= 12 else ""
    if not day.isdecimal():
        return f"{month} {year}".strip()
    day = str(int(day))
    return f"{day} {month} {year}" if named.get("df", "")[:1] in ("y", "1") else f"{month} {day}, {year}"


def _dates(name: str, plain: Sequence[str], named: Named) -> str:
    """One date; of a film or game several, each with the place that follows it."""
    dates: list[list[str]] = []
    places: dict[int, str] = {}
    for part in plain:
        if part.isdecimal():
            if not dates or len(part) == 4 or len(dates[-1]) == 3:
                dates.append([])
            dates[-1].append(part)
        elif part and not dates:
            return part
        elif part:
            places.setdefault(len(dates) - 1, part)
    most = tables()["dates"][name]
    if most <= 2:
        return " to ".join(_date(date, named) for date in dates[:most])
    told = ((_date(date, named), places.get(number)) for number, date in enumerate(dates[:most]))
    return ", ".join(f"{date} ({place})" if place else date for date, place in told)


def _convert(name: str, plain: Sequence[str], named: Named) -> str:
    """The quantity as its writer gave it, without the conversion."""
    units = tables()["units"]
    if len(plain) > 3 and plain[1] in _BETWEEN:
        joint = "–" if plain[1] in ("-", "–") else f" {plain[1]} "
        return f"{plain[0]}{joint}{plain[2]} {units.get(plain[3], plain[3])}"
    return f"{plain[0]} {units.get(plain[1], plain[1])}" if len(plain) > 1 else _first(name, plain, named)


def _value(name: str, plain: Sequence[str], named: Named) -> str:
    unit = named.get("u") or named.get("ul") or ""
    return f"{plain[0]} {unit}".strip() if plain else ""


def _height(name: str, plain: Sequence[str], named: Named) -> str:
    metric = [f"{named[unit]} {unit}" for unit in ("m", "cm") if unit in named]
    imperial = [f"{named[unit]} {unit}" for unit in ("ft", "in") if unit in named]
    return (metric or [" ".join(imperial)])[0]


def _fraction(name: str, plain: Sequence[str], named: Named) -> str:
    return f"{plain[0]} {'/'.join(plain[1:])}" if len(plain) == 3 else "/".join(plain)


def _flag(name: str, plain: Sequence[str], named: Named) -> str:
    return _country(plain[0]) if plain else ""


def _athlete(name: str, plain: Sequence[str], named: Named) -> str:
    return f"{plain[0]} ({_country(plain[1])})" if len(plain) > 1 else _first(name, plain, named)


@functools.cache
def _country(code: str) -> str:
    if len(code) != 3 or not code.isupper():
        return code
    if code in tables()["codes"]:
        return tables()["codes"][code]
    import pycountry

    found = pycountry.countries.get(alpha_3=code)
    return getattr(found, "common_name", found.name) if found else code


def _track_listing(name: str, plain: Sequence[str], named: Named) -> str:
    """A line for each track."""
    lines = [named[key] for key in ("headline",) if named.get(key)]
    for number in range(1, 100):
        title = named.get(f"title{number}")
        if not title:
            break
        length = named.get(f"length{number}")
        lines.append(f"{number}. {one_line(title)}" + (f" ({length})" if length else ""))
    return "\n\n" + "\n".join(lines) + "\n\n" if lines else ""


def _infobox(name: str, plain: Sequence[str], named: Named) -> str:
    """ "Label: value" a line; numbered parameters that belong together share one."""
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
            parts = [(_label(key.rstrip("0123456789")), one_line(value))]
        lines.append("; ".join(f"{label}: {text}" for label, text in parts if label and text))
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


@functools.cache
def _handlers() -> dict[str, Handler]:
    told = tables()
    found: dict[str, Handler] = {}
    for kind, handler in (
        ("first", _first),
        ("second", _second),
        ("last", _last),
        ("list", _list),
        ("joined", _joined),
    ):
        found |= dict.fromkeys(told[kind], handler)
    for kind, handler in (("cells", _cell), ("literal", _literal), ("before", _before), ("dates", _dates)):
        found |= dict.fromkeys(told[kind], handler)
    for names, handler in (
        (("convert", "cvt", "conv"), _convert),
        (("val", "gaps", "nts", "number"), _value),
        (("height",), _height),
        (("frac", "sfrac", "fraction"), _fraction),
        (("flag", "flagcountry", "flagu", "fb", "fbw", "country", "flag country", "flagteam", "flagioc"), _flag),
        (("flagathlete", "flagiocathlete", "flagmedalist", "flagiocmedalist"), _athlete),
        (("langx",), _langx),
    ):
        found |= dict.fromkeys(names, handler)
    return found
