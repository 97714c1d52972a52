"""Texts without the marks of HTML and Markdown: what a reader sees of a chunk."""

import html
import re

_WITHIN = re.compile(
    r"</?(?:a|abbr|b|bdi|cite|code|em|i|kbd|mark|q|s|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]{0,300})?>",
    re.IGNORECASE,
)
"""Tags that may stand within a word."""
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>|<!--.{0,300}?-->", re.DOTALL)
_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\([^()\s]{0,500}\)")
_MARKS = str.maketrans({**dict.fromkeys("*`~", ""), **dict.fromkeys("_#|", " ")})


def without_markup(text: str) -> str:
    """A text without tags, entities, addresses of links and signs of emphasis; spaces may stand in their place."""
    if "<" in text:
        text = _TAG.sub(" ", _WITHIN.sub("", text))
    if "&" in text:
        text = html.unescape(text)
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    return text.translate(_MARKS)
