"""What the styles of a .docx say: which are headings, notes, captions, code. Names are Word's own and 3GPP's."""

import re
from dataclasses import dataclass
from typing import Literal

from lxml import etree

from benchwright.builders.documents.tree import Kind

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
Role = Kind | Literal["heading", "code", "cell header", "cell note", "contents", "title", "table caption"]
_HEADING = re.compile(r"heading (\d)|h(\d)", re.IGNORECASE)
_ROLES: tuple[tuple[str, Role], ...] = (
    (r"toc \d|toc heading|table of figures|tt", "contents"),
    (r"title|zt", "title"),
    (r"pl|code.*|html preformatted|source code|verbatim.*|macro text", "code"),
    (r"th", "table caption"),
    (r"caption|tf", "caption"),
    (r"tah", "cell header"),
    (r"tan", "cell note"),
    (r"no|nw|note.*|editor'?s note|en", "note"),
    (r"ex", "reference"),
    (r"ew", "abbreviation"),
    (r"b\d|list.*|listparagraph", "list"),
    (r"footnote text|endnote text", "footnote"),
)
LEVELS = tuple("012345678")
"""What `outlineLvl` may say of a heading: 9 is text."""


@dataclass(frozen=True, slots=True)
class Style:
    """What a paragraph's style says of it."""

    role: Role = "paragraph"
    level: int = 0
    """Of a heading."""


def read_styles(root: etree._Element | None) -> dict[str, Style]:
    """The styles of paragraphs by their id; one that says nothing itself is as the one it is based on."""
    if root is None:
        return {}
    found = {style.get(f"{W}styleId", ""): style for style in root.iter(f"{W}style")}
    return {name: _style(name, found) for name in found}


def default_style(root: etree._Element | None) -> str:
    """The id of the style of paragraphs that name none."""
    for style in root.iter(f"{W}style") if root is not None else ():
        if style.get(f"{W}default") in ("1", "true") and style.get(f"{W}type") == "paragraph":
            return style.get(f"{W}styleId", "")
    return ""


def _style(name: str, found: dict[str, etree._Element]) -> Style:
    seen: set[str] = set()
    while name and name in found and name not in seen:
        seen.add(name)
        style = found[name]
        for said in (value_of(style, "name"), name):
            if own := _by_name(said):
                return own
        properties = style.find(f"{W}pPr")
        if properties is not None and (level := value_of(properties, "outlineLvl")) and level in LEVELS:
            return Style("heading", int(level) + 1)
        name = value_of(style, "basedOn")
    return Style()


def _by_name(name: str) -> Style | None:
    if heading := _HEADING.fullmatch(name.strip()):
        level = int(heading[1] or heading[2])
        return Style("heading", 1 if level >= 8 else level)
    for pattern, role in _ROLES:
        if re.fullmatch(pattern, name.strip(), re.IGNORECASE):
            return Style(role)
    return None


def value_of(element: etree._Element, name: str) -> str:
    """What a child of this name says; "" where there is none."""
    child = element.find(W + name)
    return child.get(f"{W}val", "") if child is not None else ""
