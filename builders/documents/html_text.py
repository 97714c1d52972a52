"""The text in a page's elements: white space as a browser shows it, `pre` verbatim, line breaks kept."""

import re
from collections.abc import Iterator

from lxml import html

SKIPPED = {"script", "style", "template", "noscript", "head"}
"""Elements whose text is not shown."""
_PICTURES = {"img", "svg", "canvas", "video", "audio", "object", "iframe"}
_LINES = {
    *(
        "address",
        "article",
        "aside",
        "blockquote",
        "caption",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "figcaption",
    ),
    *(
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "ol",
        "p",
        "section",
    ),
    *("summary", "table", "tr", "ul"),
}
CONTROLS = {"option", "optgroup", "select", "button", "label", "textarea", "legend"}
"""Elements within a line that stand apart from what is beside them."""
_PERMALINK = re.compile(r"[¶#§🔗]")
_SPACE = re.compile(r"[ \t\n\r\f\v]+")
"""What a browser shows as one space: a no-break space is none of them."""

Lost = dict[str, int]
"""What is not read, and how often."""


def text_of(element: html.HtmlElement, lost: Lost) -> str:
    """The text of an element: blocks in it are lines."""
    pieces: list[str] = []
    _collect(element, pieces, lost)
    return squeezed("".join(pieces))


def squeezed(text: str) -> str:
    """Without white space beside line breaks and at the ends; `\\v` is a line break, `\\x00…\\x00` stays as it is."""
    pieces = text.split("\x00")
    for at in range(0, len(pieces), 2):
        pieces[at] = re.sub(r" *\n[ \n]*", "\n", re.sub(r" +", " ", pieces[at].replace("\v", "\n")))
    pieces[0] = pieces[0].lstrip()
    pieces[-1] = pieces[-1].rstrip()
    return "".join(pieces).strip("\n")


def shown(text: str | None) -> str:
    """Text between tags as a browser shows it."""
    return _SPACE.sub(" ", (text or "").replace("\x00", ""))


def is_skipped(element: html.HtmlElement, lost: Lost) -> bool:
    """Whether an element has no text to read; pictures are counted."""
    tag = element.tag
    if not isinstance(tag, str) or tag in SKIPPED:
        return True
    if tag in _PICTURES:
        lost["pictures"] = lost.get("pictures", 0) + 1
        return True
    return tag == "a" and bool(_PERMALINK.fullmatch(element.text_content().strip()))


def verbatim(element: html.HtmlElement) -> str:
    """The text of a `pre`."""
    return "".join(_whole(element)).replace("\r\n", "\n").replace("\x00", "").strip("\n")


def _whole(element: html.HtmlElement) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag == "br":
            yield "\n"
        elif isinstance(child.tag, str):
            yield from _whole(child)
        yield child.tail or ""


def _collect(element: html.HtmlElement, pieces: list[str], lost: Lost) -> None:
    if element.tag == "pre":
        pieces += ["\v\x00", verbatim(element), "\x00\v"]
        return
    around = "\v" if element.tag in _LINES else " " if element.tag in CONTROLS else ""
    pieces.append(around + shown(element.text))
    for child in element:
        if child.tag == "br":
            pieces.append("\v")
        elif child.tag in ("td", "th") and child.getprevious() is not None:
            pieces.append(" | ")
            _collect(child, pieces, lost)
        elif not is_skipped(child, lost):
            _collect(child, pieces, lost)
        pieces.append(shown(child.tail))
    pieces.append(around)
