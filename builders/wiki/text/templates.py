"""Templates as text: dates, numbers with units, foreign words, lists; and what no list knows, by its form."""

import functools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from benchwright.benchmarks.text.dates import MONTHS
from benchwright.builders.wiki.text.functions import render_function
from benchwright.builders.wiki.text.infobox import render_infobox
from benchwright.builders.wiki.text.lists import LINE, country, one_line, tables
from benchwright.builders.wiki.text.records import Place, render_record

Named = Mapping[str, str]
Handler = Callable[[str, Sequence[str], Named], str]

_BETWEEN = ("-", "–", "to", "and", "or", "by", "x", "×", "+/-", "±", "and(-)")
_SAME_AS = ("template:", "subst:", "safesubst:", "msg:", "vorlage:", "modèle:", "plantilla:")
"""What may stand before a template's name."""
_ENDED = {
    "d.": "widowed",
    "died": "widowed",
    "wid": "widowed",
    "sep": "separated",
    "ann": "annulled",
    "div": "divorced",
}
"""How a marriage ended, by how `end=` begins."""


def render_template(arguments: Sequence[str], left_out: Counter[str], place: Callable[[], Place]) -> str:
    """A template's text, from its name and arguments, which are text already but for their `=`.

    `left_out` counts the characters that are not told, by template. `place` says where it stands.
    """
    name = arguments[0].strip().replace("_", " ").lower()
    if name.startswith(_SAME_AS):
        name = name.partition(":")[2].strip()
    handler = _handlers().get(name)
    if handler is not None:
        return handler(name, *_split(arguments[1:]))
    if name.startswith("lang-"):
        return _lang_of_name(name, *_split(arguments[1:]))
    if name == "infobox" or name.startswith(_infoboxes()):
        return render_infobox(name, _split(arguments[1:])[1], left_out)
    if ":" in name and (text := render_function(arguments)) is not None:
        return text
    return render_record(name, arguments, place, left_out)


@functools.cache
def _infoboxes() -> tuple[str, ...]:
    return tuple(tables()["infobox"]["names"])


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
    if plain and plain[0] and name == '"':
        return f'"{plain[0]}"'
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
    if len(plain) > 2 and not plain[1].isdecimal() and plain[0].isdecimal() and len(plain[0]) < 3:
        return " ".join(plain[:3])  # {{date|5|mai|1990}}
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
    if name == "birth date and age2" and len(dates) > 1:
        dates = dates[1:]  # the first is the day on which the age is told
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
    return country(plain[0]) if plain else ""


def _athlete(name: str, plain: Sequence[str], named: Named) -> str:
    return f"{plain[0]} ({country(plain[1])})" if len(plain) > 1 else _first(name, plain, named)


def _goals(name: str, plain: Sequence[str], named: Named) -> str:
    """Minutes of goals, each with a note or none."""
    pairs = zip(plain[::2], [*plain[1::2], ""], strict=False)
    return ", ".join(f"{minute}'" + (f" ({note})" if note else "") for minute, note in pairs if minute)


def _duration(name: str, plain: Sequence[str], named: Named) -> str:
    if plain and ":" in plain[0]:
        return plain[0]
    hours, minutes, seconds = ([*plain, "", "", ""][:3]) if plain else [named.get(key, "") for key in "hms"]
    parts = [part for part in (hours, minutes or "0", seconds or "0") if part]
    return ":".join([parts[0], *(part.rjust(2, "0") for part in parts[1:])])


def _resized(name: str, plain: Sequence[str], named: Named) -> str:
    return plain[1] if len(plain) > 1 else _first(name, plain, named)


def _age(name: str, plain: Sequence[str], named: Named) -> str:
    """Years between two dates; nothing where the second one is today."""
    if len(plain) < 6 or not all(part.isdecimal() for part in plain[:6]):
        return ""
    begun, ended = ([int(part[:6]) for part in each] for each in (plain[:3], plain[3:6]))
    return str(ended[0] - begun[0] - (ended[1:] < begun[1:]))


def _glued(name: str, plain: Sequence[str], named: Named) -> str:
    return "".join(plain)


def _releases(name: str, plain: Sequence[str], named: Named) -> str:
    """Dates, each with the region before it."""
    pairs = zip(plain[::2], plain[1::2], strict=False)
    return " " + ", ".join(f"{day} ({region})" if region else day for region, day in pairs if day) + LINE


def _power(name: str, plain: Sequence[str], named: Named) -> str:
    return f"×10^{plain[0]}" if plain and plain[0] else "e"


def _east_asian(name: str, plain: Sequence[str], named: Named) -> str:
    """A name in its writing, and how that is read."""
    language = "Chinese" if name == "zh" else "Korean"
    written = next(
        (named[key] for key in ("c", "s", "t", "hangul", "hanja") if named.get(key)), _first(name, plain, {})
    )
    read = next((named[key] for key in ("p", "rr", "mr", "w") if named.get(key)), "")
    return f"{language}: {written}" + (f", {read}" if read else "") if written else read


def _nihongo(name: str, plain: Sequence[str], named: Named) -> str:
    """A word, then its Japanese writing and reading in brackets."""
    words = [part for part in (*plain[:3], named.get("extra", "")) if part]
    return f"{words[0]} ({', '.join(words[1:])})" if len(words) > 1 else "".join(words)


def _century(name: str, plain: Sequence[str], named: Named) -> str:
    """French: `{{s-|XX|e}}`."""
    return f"{''.join(plain[:2])} siècle" if plain and plain[0] else ""


def _marriage(name: str, plain: Sequence[str], named: Named) -> str:
    """Who was married, and from when to when."""
    spouse, begun, ended = (*map(one_line, plain), "", "", "")[:3]
    reason = (named.get("end") or named.get("reason") or "").lower()
    how = next((told for sign, told in _ENDED.items() if reason.startswith(sign)), reason)
    if how and (ended or begun):
        times = "; ".join(part for part in (f"married {begun}" if begun else "", f"{how} {ended}".strip()) if part)
    else:
        times = f"married {begun}–{ended}" if begun and ended else f"married {begun}" if begun else ""
    return (f"{spouse} ({times})" if times else spouse) + LINE


def _track_listing(name: str, plain: Sequence[str], named: Named) -> str:
    """A line for each track."""
    lines = [named[key] for key in ("headline",) if named.get(key)]
    for number in range(1, 100):
        title = named.get(f"title{number}")
        if not title:
            break
        length, note = (named.get(f"{key}{number}") for key in ("length", "note"))
        told = f"{number}. {one_line(title)}" + (f" ({note})" if note else "") + (f" ({length})" if length else "")
        people = ((key, named.get(f"{key}{number}")) for key in ("writer", "lyrics", "music", "extra"))
        told += "".join(f"; {_extra(key, named)}: {one_line(who)}" for key, who in people if who)
        lines.append(told)
    return "\n\n" + "\n".join(lines) + "\n\n" if lines else ""


def _extra(key: str, named: Named) -> str:
    """What a further column of tracks is called."""
    return named.get("extra_column") or "extra" if key == "extra" else key


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
        (("val", "nts", "number"), _value),
        (("height",), _height),
        (("frac", "sfrac", "fraction"), _fraction),
        (tuple(told["flags"]), _flag),
        (("flagathlete", "flagiocathlete", "flagmedalist", "flagiocmedalist"), _athlete),
        (("langx",), _langx),
        (("marriage", "married"), _marriage),
        (("track listing", "tracklist", "tracklisting"), _track_listing),
        (("goal",), _goals),
        (("duration",), _duration),
        (("resize", "font size", "fontsize"), _resized),
        (("age", "age in years and days"), _age),
        (("chem", "chem2", "chem/link", "gaps"), _glued),
        (("vgrelease", "video game release", "vgrelease new"), _releases),
        (("e", "e-sp"), _power),
        (("zh", "korean", "ko-hhrm"), _east_asian),
        (("nihongo", "nihongo2", "nihongo3"), _nihongo),
        (("s", "s-", "siècle", "s mini", "s mini-"), _century),
        (("rating", "ratings", "stars"), _fraction),
    ):
        found |= dict.fromkeys(names, handler)
    return found
