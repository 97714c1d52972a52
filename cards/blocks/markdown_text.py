"""Texts of others in Markdown: whatever they hold, they are shown as they are and break no table, list or page."""

import re
import unicodedata

_SPECIAL = re.compile(r"[\\`*\[\]~|]|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown would act on. An underscore between letters or digits stays one."""
_ENTITIES = (("<", "&lt;"), (">", "&gt;"), ("$$", "&#36;&#36;"))
_JOINERS = "\u200c\u200d"
"""Cannot be seen, and change how the letters beside them look."""
_CALLS = re.compile(r"(?<!\w)@(?=\w)|\b(?:https?|ftp):(?=//)|\bwww(?=\.\w)|\bmailto(?=:)", re.IGNORECASE)
"""What the Hub makes something of in a comment, after the text was escaped."""
_PLAIN_CODE = re.compile(r"[^`|\\<>&\n]+")


def one_line(text: str) -> str:
    """A text on one line, without characters that cannot be seen: controls, and marks that reverse what follows."""
    words = " ".join(text.split())
    seen = (mark for mark in words if mark in _JOINERS or unicodedata.category(mark) not in ("Cc", "Cf", "Cs"))
    return " ".join("".join(seen).split())


def escape(text: str) -> str:
    """A text as Markdown that shows it, for the middle of a line."""
    line = re.sub(r"&(?=#?\w+;)", "&amp;", one_line(text))
    line = _SPECIAL.sub(lambda match: "\\" + match[0], line)
    for mark, shown in _ENTITIES:
        line = line.replace(mark, shown)
    return line


def unlinked(text: str) -> str:
    """As `escape`, for what is published in somebody's name: no user is called by it, and no address is made a link."""
    return _CALLS.sub(lambda match: f"{match[0]}\N{WORD JOINER}", escape(text))


def table_cell(text: str, limit: int = 200) -> str:
    """A text for a table: `escape`, and no longer than `limit` characters."""
    line = one_line(text)
    return escape(line if len(line) <= limit else line[: limit - 1] + "…")


def code(text: object) -> str:
    """A text as code, in a line or in a table. HTML with entities stands in where backticks would not hold it."""
    line = one_line(str(text))
    if not line:
        return "(empty)"
    if _PLAIN_CODE.fullmatch(line) and line == line.strip():
        return f"`{line}`"
    return f"<code>{entities(line)}</code>"


def entities(text: str) -> str:
    """A text on one line as HTML within Markdown: whatever either of them acts on is an entity."""
    return re.sub(r"[^\w .,:;/+=()-]|_", lambda match: f"&#{ord(match[0])};", one_line(text))


def fenced(text: str, language: str = "") -> str:
    """A text of several lines as a block of code, however many backticks it holds."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.strip()}\n{fence}"
