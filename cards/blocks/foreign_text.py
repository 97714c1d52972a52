"""Texts of others, made harmless for any page or terminal: what cannot be seen, or reverses what follows, is shown."""

import re

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")


def readable(text: object) -> str:
    """A text with � for control characters, lone surrogates and direction overrides."""
    said = str(text)
    return said if said.isprintable() else _BIDI.sub("\ufffd", _UNSAFE.sub("\ufffd", said))
