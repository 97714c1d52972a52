"""Texts without the marks of HTML and Markdown: what a reader sees of a chunk."""

import html
import re

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>|<!--.{0,300}?-->", re.DOTALL)
_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\([^()\s]{0,500}\)")
_MARKS = str.maketrans(dict.fromkeys("*_`~#|", " "))


def without_markup(text: str) -> str:
    """A text without tags, entities, addresses of links and signs of emphasis; spaces may stand in their place."""
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "&" in text:
        text = html.unescape(text)
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    return text.translate(_MARKS)
