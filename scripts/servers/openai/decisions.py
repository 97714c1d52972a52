"""Decisions by one switch, without a model: on, but after a courtesy, or after an answer that knows something."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

COURTEOUS = "You are welcome. What would you like to know?"
"""What a courtesy gets."""
_WORDS = """
a again all am and are as bye did do evening fine good goodbye got great have hello hey hi how i is it lol me meet
morning much never mind nice night no now of okay ok please see so sorry thank thanks that the there thx to today
tomorrow very weekend well what's wonderful yes you your
"""
_COURTESIES = frozenset(_WORDS.split())
"""Words of which a text is made that asks for nothing."""


def is_courtesy(text: str) -> bool:
    """Whether a text asks for nothing: a greeting, thanks, a smile."""
    return bool(text.strip()) and _COURTESIES.issuperset(re.findall(r"[\w']+", text.lower()))


def switch_of(schema: Mapping[str, Any]) -> str:
    """The name of an object's only property, where that is true or false; else nothing."""
    properties = schema.get("properties", {})
    return next(
        (name for name, kind in properties.items() if kind.get("type") == "boolean" and len(properties) == 1), ""
    )


def turns_on(user: str, said: Sequence[str], unknown: str) -> bool:
    """Whether the switch is on.

    Args:
        user: the last message of the user.
        said: what the assistant said before.
        unknown: how it says that it does not know.
    """
    if said:
        return not said[-1].strip() or unknown.rstrip(".") in said[-1]
    return not is_courtesy(user)
