"""Parser functions whose outcome the text itself decides: `{{#if:…}}`, `{{#switch:…}}`, `{{formatnum:…}}`."""

import re
from collections.abc import Callable, Sequence

_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?")


def render_function(arguments: Sequence[str]) -> str | None:
    """What `{{function:value|…}}` gives; None where a wiki is needed to tell, or there is no such function."""
    name, _, value = arguments[0].partition(":")
    function = _FUNCTIONS.get(name.strip().lower())
    return function([value.strip(), *(argument.strip() for argument in arguments[1:])]) if function else None


def _at(values: Sequence[str], place: int) -> str:
    return values[place] if place < len(values) else ""


def _if(values: Sequence[str]) -> str:
    return _at(values, 1 if values[0] else 2)


def _ifeq(values: Sequence[str]) -> str:
    return _at(values, 2 if _is_same(values[0], _at(values, 1)) else 3)


def _is_same(one: str, other: str) -> bool:
    both_numbers = _NUMBER.fullmatch(one) and _NUMBER.fullmatch(other)
    return float(one) == float(other) if both_numbers else one == other


def _iferror(values: Sequence[str]) -> str:
    """A text holds no error of the wiki's."""
    return values[2] if len(values) > 2 else values[0]


def _switch(values: Sequence[str]) -> str:
    """The value of the first case that is the same; cases without a value share the next one's."""
    fallback, falls = "", False
    for place, case in enumerate(values[1:], start=2):
        key, equals, value = case.partition("=")
        if not equals:
            if place == len(values):
                return case  # the last one without a name is the default
            falls = falls or _is_same(values[0], case)
        elif falls or _is_same(values[0], key.strip()):
            return value.strip()
        elif key.strip() == "#default":
            fallback = value.strip()
    return fallback


def _plural(values: Sequence[str]) -> str:
    return _at(values, 1) if values[0] == "1" or len(values) < 3 else values[2]


_FUNCTIONS: dict[str, Callable[[Sequence[str]], str]] = {
    "#if": _if,
    "#ifeq": _ifeq,
    "#iferror": _iferror,
    "#switch": _switch,
    "#formatdate": lambda values: values[0],
    "#dateformat": lambda values: values[0],
    "formatnum": lambda values: values[0],
    "plural": _plural,
    "lc": lambda values: values[0].lower(),
    "uc": lambda values: values[0].upper(),
    "lcfirst": lambda values: values[0][:1].lower() + values[0][1:],
    "ucfirst": lambda values: values[0][:1].upper() + values[0][1:],
}
