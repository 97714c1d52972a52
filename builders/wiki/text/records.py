"""Templates that no list knows, as lines: who, what and which number stay together, and layout goes.

A squad's player, an episode, a candidate are told as `Name: Ben Tal; Position: midfielder; Country: Norway`. What is
prose stays as it is. What is neither is left out, and its characters are counted by the template's name.
"""

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from benchwright.builders.wiki.text.lists import INFOBOX_START, LINE, PIPE, country, one_line, records

Place = Literal["line", "cell", "value", "words"]
"""Where a template stands: alone on its line, alone on a line of a table, as all of an argument, or among words."""


@dataclass(frozen=True, slots=True)
class _Field:
    """A named value."""

    key: str
    """As it stands; empty of one that belongs to no number."""
    label: str
    value: str


UNREAD = "notes, links and upkeep"
"""What templates are counted as that are not for reading, as sources, hatnotes and maps."""
OTHERS = "other templates"
_MOST_NAMES = 200
"""Templates that are counted by name on one page."""

_NAME = re.compile(r"[\w .\-/()#+'’]+")
_LONGEST_NAME = 40
_COUNTED_NAME = re.compile(r"[\w .\-/()#+'’:&!]{1,60}")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NUMBERED = re.compile(r"(.*?)(\d{1,3})(\D*)")
_LETTERED = re.compile(r"(\w{1,20})_([A-Z][A-Z0-9]{1,5})")
_TEXTS = ("text", "content", "quote", "quotation")
"""Arguments that hold what a template is there to show."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{8,}")
_LONGEST_TOKEN = 120
_NO_TEXT = re.compile(
    r"(?:https?:)?//\S+|www\.\S+|[^\n]+\.(?:svg|png|jpe?g|gif|webp|tiff?|og[gav]|webm|wav|mp3|mid|pdf|djvu)|#[\da-f]{3,8}"
    r"|[\d.]+\s?(?:px|em|rem|ex|pt)|(?:\d+x)\d+px|[a-z]{1,4}\d{5,}|[\w-]+\s?:\s?[\w#%., -]+;.*|[\W_]*",
    re.IGNORECASE,
)  # fmt: skip
_PROSE, _OWN_LINE = 4, 9
"""Words from which on an argument without a name is prose, and one with a name stands on a line of its own."""


def render_record(name: str, arguments: Sequence[str], place: Callable[[], Place], left_out: Counter[str]) -> str:
    """What is for reading in a template, from its arguments, which are text already but for their `=`.

    Args:
        name: in lower case.
        arguments: the name as it stands, and what follows it.
        place: says where it stands. Among words only prose is kept, as a list of labels would break the sentence.
        left_out: characters of arguments that are left out, by template; added to.
    """
    if len(arguments) == 1:
        return ""
    special = records()["special"].get(name)
    plain, named = _split(arguments[1:])
    if special is None and (_is_unread(name[:80]) or ("reason" in named and "date" in named)):
        left_out[UNREAD] += sum(map(len, plain)) + sum(map(len, named.values()))
        return ""
    plain = [value if is_readable(value) else "" for value in plain]
    named = {key: value for key, value in named.items() if is_readable(value)}
    fields, blocks = _told(plain, named, special or {})
    is_told = special is not None or (len(fields) > 1 and any(_WORD.search(field.value) for field in fields))
    lines, kept, where = list[str](), sum(map(len, blocks)), place()
    if fields and is_told and where != "words":
        joint = ", " if where == "value" else "; "
        lines = list(_lines(fields, named, joint))
        kept += sum(len(field.value) for field in fields)
        if special and (begins := special.get("begins")):
            lines[0] = f"{begins}{joint}{lines[0]}"
    if where == "value" and not lines and not blocks and not named and len(plain) == 1 and _WORD.search(plain[0]):
        return plain[0]
    count_left_out(left_out, name, sum(map(len, plain)) + sum(map(len, named.values())) - kept)
    return _placed([*lines, *blocks], where)


def count_left_out(left_out: Counter[str], name: str, characters: int) -> None:
    """Adds characters of a template that were left out."""
    if characters > 0:
        known = _COUNTED_NAME.fullmatch(name) and (name in left_out or len(left_out) < _MOST_NAMES)
        left_out[name if known else OTHERS] += characters


def is_readable(value: str) -> bool:
    """Whether a value is for people: no address, file, colour, width, id or switch."""
    if len(value) > _LONGEST_TOKEN:
        return " " in value or not value.isascii()
    return not _NO_TEXT.fullmatch(value) and value not in _flags()


def _told(plain: Sequence[str], named: Mapping[str, str], special: Mapping[str, Any]) -> tuple[list[_Field], list[str]]:
    """What stands on lines with labels, and what stands by itself."""
    fields: list[_Field] = []
    blocks: list[str] = []
    labels: Sequence[str] = special.get("plain", ())
    if pairs := special.get("pairs"):
        fields += [
            _Field("", f"{pairs} {of}", value) for of, value in zip(plain[::2], plain[1::2], strict=False) if value
        ]
        plain = ()
    for number, value in enumerate(plain):
        if number < len(labels):
            if labels[number] and value:
                fields.append(_Field("", labels[number], _spelled(labels[number], value)))
        elif _is_block(value) or _is_prose(value, _PROSE):
            blocks.append(value)
    matches, sides, taken = _matches(named)
    fields += matches
    only = special.get("named")
    for key, value in named.items():
        if key in taken or (only is not None and key not in only):
            continue
        label = special.get("labels", {}).get(key) or _label(key)
        if key.lower() in _TEXTS or (label and (_is_block(value) or _is_prose(value, _OWN_LINE))):
            blocks.append(value)
        elif label:
            side = sides.get(key[-1])
            label = f"{_label(key[:-1])} of {side}" if side else label
            fields.append(_Field("" if side else key, label, _spelled(key, one_line(value))))
    return fields, blocks


def _matches(named: Mapping[str, str]) -> tuple[list[_Field], dict[str, str], set[str]]:
    """Who played whom, as one; the two sides by their numbers; and the arguments that were told so."""
    for joined in records()["together"]:
        keys = joined["keys"]
        values = [one_line(named.get(key, "")) for key in keys]
        if all(values):
            sides = {key[-1]: value for key, value in zip(keys, values, strict=True) if key[-1].isdigit()}
            return [_Field("", joined["label"], " ".join(values))], sides, set(keys)
    return [], {}, set()


def _lines(fields: Sequence[_Field], named: Mapping[str, str], joint: str) -> Iterator[str]:
    """Fields as lines; those of one number or of one code, if they are several, on a line of their own."""
    found = [_member(field.key) if field.key else None for field in fields]
    sizes = Counter(member[:2] for member in found if member)
    stems = {member[2] for member in found if member and sizes[member[:2]] > 1}
    groups: dict[tuple[str, str], list[str]] = {}
    first: list[str] = []
    codes = {member[1] for member in found if member and not member[1].isdigit()}
    for field, member in zip(fields, found, strict=True):
        if field.value in codes:
            continue
        if member and member[2] in stems:
            label = _label(member[2]) or field.label
            groups.setdefault(member[:2], []).append(f"{label}: {field.value}")
        else:
            first.append(f"{field.label}: {field.value}")
    if first:
        yield joint.join(first)
    for (before, _), told in groups.items():
        begins = named.get(before, before)
        yield joint.join([begins, *told] if begins else told)


@functools.lru_cache(maxsize=20_000)
def _member(key: str) -> tuple[str, str, str] | None:
    """What a key with a number or a code belongs to, and its stem: `RD1-team2`, `rev1score`, `win_VIK`."""
    if match := _NUMBERED.fullmatch(key):
        before, _, stem = match[1].rpartition("-") if any(map(str.isdigit, match[1])) else ("", "", match[1])
        return before, match[2], f"{stem} {match[3]}".strip()
    if match := _LETTERED.fullmatch(key):
        return "", match[2], match[1]
    return None


def _placed(parts: Sequence[str], place: Place) -> str:
    if not parts:
        return ""
    if place == "words":
        return " ".join(parts)
    if place == "value":
        return ", ".join(parts) if not any(map(_is_block, parts)) else LINE.join(parts)
    if place == "line":
        return LINE + LINE.join(parts) + LINE
    rows = (f"\n|-\n| colspan=60 | {one_line(part).replace('|', PIPE)}" for part in parts)
    return "".join(rows) + "\n|-\n"


def _split(arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Arguments without and with a name. What is too long for a name before `=` is none."""
    plain: list[str] = []
    named: dict[str, str] = {}
    for argument in arguments:
        key, equals, value = argument.partition("=")
        key = key.strip()
        if not equals or len(key) > _LONGEST_NAME or not _is_name(key):
            plain.append(argument.strip())
        elif key.isdigit() and len(key) < 3:
            plain.append(value.strip())
        else:
            named[key] = value.strip()
    return plain, named


def _is_block(value: str) -> bool:
    """Whether a value has lines of its own: of templates inside it, or of a list."""
    return LINE in value or INFOBOX_START in value or "\n*" in value or (value[:1] == "*" and "\n" in value)


def _is_prose(value: str, words: int) -> bool:
    start = value[:400]
    return bool(_UNSPACED.search(start)) or (len(_WORD.findall(start)) >= words and is_readable(value))


def _spelled(key: str, value: str) -> str:
    """A code in full."""
    codes = _codes(key)
    if codes is None:
        return value
    return codes.get(value, value) if codes else country(value)


@functools.lru_cache(maxsize=20_000)
def _codes(key: str) -> Mapping[str, str] | None:
    """What the values under a name may be short for: countries where nothing is listed; None: nothing."""
    return records()["codes"].get(key.lower().rstrip("0123456789"))


@functools.lru_cache(maxsize=20_000)
def _is_name(key: str) -> bool:
    return _NAME.fullmatch(key) is not None


@functools.lru_cache(maxsize=20_000)
def _label(key: str) -> str:
    """What an argument is called; nothing for one that is not for reading."""
    words = _CAMEL.sub(" ", key).replace("_", " ").replace("-", " ").lower().split()
    if not words:
        return ""
    stems = [word.rstrip("0123456789") or word for word in words]
    layout = _layout()
    if stems[0] in layout or stems[-1] in layout or " ".join(stems) in layout:
        return ""
    labels = records()["labels"]
    plain = " ".join(words)
    if plain in labels:
        return labels[plain]
    stem = plain.rstrip("0123456789 ")
    number = plain[len(stem) :].strip()
    label = labels.get(stem) or (stem[:1].upper() + stem[1:])
    return f"{label} {number}".strip()


@functools.cache
def _layout() -> frozenset[str]:
    return frozenset(records()["layout"]["words"])


@functools.cache
def _flags() -> frozenset[str]:
    return frozenset(records()["layout"]["flags"])


@functools.lru_cache(maxsize=20_000)
def _is_unread(name: str) -> bool:
    told = records()["unread"]
    return name in told["names"] or name.startswith(tuple(told["beginnings"])) or name.endswith(tuple(told["endings"]))
