"""Wikitext without its markup, in one pass: each template, link and table becomes text when it closes.

The scanner keeps a stack and never looks back, so that a page takes time in proportion to its length, however broken it
is: what is never closed loses its braces and keeps its paragraphs.

Two libraries were measured beside it, mwparserfromhell and wikitextparser. On 22 hard pages it lost 12 of the texts
that readers see, knowing fewer templates then, and each of them 45, as they drop templates by design; marks were left
in 1, 8 and 11 places. It read 2.4 to 3.2 MB a second of CPU time, they 0.15 to 0.40 and 0.46 to 0.64. Telling what no
list knows leaves it 0.94 of that speed on an encyclopedia's pages, and 0.46 on pages of nothing but such templates.
"""

import functools
import html
import re
from collections import Counter

from benchwright.builders.wiki.text.lists import EQUALS, INFOBOX_END, INFOBOX_START, LINE, PIPE, tables
from benchwright.builders.wiki.text.records import Place
from benchwright.builders.wiki.text.tables import render_table
from benchwright.builders.wiki.text.templates import render_template

_TOKEN = re.compile(r"(^[ \t:*]*+\{\|(?!\})|^[ \t]*+\|\}(?!\})|\{\{|\}\}|\[\[|\]\]|\|)", re.MULTILINE)
_DEEPEST = 60
"""Open templates, links and tables; more than MediaWiki expands."""
_PLAIN_LINK = re.compile(r"\[\[([^\[\]|{}<>\n:]{1,300})(?:\|([^\[\]|{}\n]{1,500}))?\]\]")
_PARAMETER = re.compile(r"\{\{\{([^{}|\n]{0,100})(?:\|([^{}|]{0,500}))?\}\}\}")
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_OPEN_COMMENT = re.compile(r"<!--[^\n]*+")
_REMOVED = (
    "ref", "references", "gallery", "timeline", "score", "templatestyles", "imagemap", "graph", "mapframe", "maplink",
    "indicator", "style", "script", "inputbox", "hiero", "noinclude", "section", "categorytree", "dynamicpagelist",
)  # fmt: skip
_LITERAL = ("nowiki", "pre", "syntaxhighlight", "source", "math", "chem", "ce")
_TAG = re.compile(rf"<(/?)({'|'.join((*_REMOVED, *_LITERAL))})\b([^<>]*+)>", re.IGNORECASE)
_HIDDEN = {ord(sign): 0xE010 + number for number, sign in enumerate("{}[]|'=*#:;<>&!-_ \n")}
_SHOWN = {code: chr(sign) for sign, code in _HIDDEN.items()}
_PRIVATE = re.compile("[\ue000-\ue0ff]")
_BREAK = re.compile(r"<br[^<>]*+>|</?(?:p|div|li|tr|blockquote|center|poem|ul|ol|dd|dl|dt)\b[^<>]*+>", re.IGNORECASE)
_ANY_TAG = re.compile(r"</?[a-zA-Z][^<>]*+>")
_EXTERNAL = re.compile(r"\[(?:https?:|ftp:|//|mailto:)[^\s\[\]<>]*+([^\[\]\n]*+)\]", re.IGNORECASE)
_QUOTES = re.compile(r"'{2,}")
_MAGIC = re.compile(r"__[A-Z]{3,30}__")
_VARIANT = re.compile(r"-\{(?:[a-zA-Z\-;]{1,20}\|)?([^{}\n]{0,200})\}-")
_LONGEST_LINK = 1_000


@functools.cache
def _namespaces() -> frozenset[str]:
    """Names before a colon whose links are no text: files, categories, in several languages."""
    return frozenset(tables()["namespaces"])


def remove_markup(wikitext: str, title: str, left_out: Counter[str]) -> str:
    """The text of a page; headings, lists and paragraphs are still as in wikitext, as are marks of infoboxes and lines.

    The characters of templates that are not told are added to `left_out`, by the template's name.
    """
    text = wikitext.replace("\r\n", "\n") if "\r" in wikitext else wikitext
    if not text.isascii():
        text = _PRIVATE.sub("", text)
    text = _without_tags(_without_comments(text))
    if "{{{" in text:
        text = _PARAMETER.sub(lambda match: match[2] or "", text)
    text = _PLAIN_LINK.sub(_plain_link, text)
    text = _Scanner(title, left_out).scan(text)
    if "-{" in text:
        text = _VARIANT.sub(r"\1", text)
    if "''" in text:
        text = _QUOTES.sub(_unquoted, text)
    if "[" in text:
        text = _EXTERNAL.sub(lambda match: match[1].strip(), text)
    if "<" in text:
        text = _ANY_TAG.sub("", _BREAK.sub("\n", text))
    if "__" in text:
        text = _MAGIC.sub("", text)
    return html.unescape(text).replace("\u00a0", " ") if "&" in text else text.replace("\u00a0", " ")


def _plain_link(match: re.Match[str]) -> str:
    text = match[2] or match[1]
    return text.replace("=", EQUALS) if "=" in text else text


def show_literals(text: str) -> str:
    """A text with what `nowiki` and its like had protected."""
    return text if text.isascii() else text.translate(_SHOWN)


def _without_comments(text: str) -> str:
    if "<!--" not in text:
        return text
    end = text.rfind("-->") + 3
    closed = _COMMENT.sub(lambda match: "\n" if _fills_line(match) else "", text[:end]) if end > 2 else ""
    return closed + _OPEN_COMMENT.sub("", text[max(end, 0) if end > 2 else 0 :])


def _fills_line(match: re.Match[str]) -> bool:
    """Whether a comment ends a line that holds something else."""
    return match.group().endswith("\n") and match.start() > 0 and match.string[match.start() - 1] != "\n"


def _without_tags(text: str) -> str:
    """A text without references and the like, and with what `nowiki` protects hidden from all that follows."""
    if "<" not in text:
        return text
    tags = list(_TAG.finditer(text))
    following: dict[str, int] = {}
    closing = dict[int, int]()
    for number in range(len(tags) - 1, -1, -1):
        slash, name = tags[number][1], tags[number][2].lower()
        if not slash and not tags[number][3].endswith("/"):
            closing[number] = following.get(name, -1)
            # A reference that opens before the last one has closed was left open itself.
            if name == "ref":
                following[name] = -1
        elif slash:
            following[name] = number
    found, at = list[str](), 0
    for number, tag in enumerate(tags):
        if tag.start() < at:
            continue
        found.append(text[at : tag.start()])
        at = tag.end()
        last = closing.get(number, -1)
        if last >= 0:
            if tag[2].lower() in _LITERAL:
                found.append(text[at : tags[last].start()].translate(_HIDDEN))
            at = tags[last].end()
    found.append(text[at:])
    return "".join(found)


def _unquoted(match: re.Match[str]) -> str:
    """Two to five quotes are italic and bold, of four one is an apostrophe (`L''''Est'''`), as beyond five."""
    count = len(match[0])
    return "'" * (1 if count == 4 else max(count - 5, 0))


class _Scanner:
    """The stack: each entry is what opened it, its arguments so far, and the pieces of the last one.

    What is text already holds no `=` in an argument and no `|` in a table, so that both part only what they part on the
    page: other signs stand for them until all is read.
    """

    def __init__(self, title: str, left_out: Counter[str]) -> None:
        self._title = title
        self._left_out = left_out
        self._root: list[str] = []
        self._stack: list[tuple[str, list[str], list[str]]] = []

    def scan(self, text: str) -> str:
        pieces = _TOKEN.split(text)
        self._root.append(pieces[0])
        stack, root, skipped = self._stack, self._root, 0
        for position in range(1, len(pieces), 2):
            token, after = pieces[position], pieces[position + 1]
            if token == "|":
                if not stack or stack[-1][0] == "{|":
                    (stack[-1][2] if stack else root).append("|")
                else:
                    _, arguments, current = stack[-1]
                    arguments.append("".join(current))
                    current.clear()
            elif token == "{{" or token == "[[" or token.endswith("{|"):
                if len(stack) < _DEEPEST:
                    stack.append((token[-2:], [], []))
                else:
                    skipped += 1
            elif skipped:
                skipped -= 1
            else:
                self._close(token, after)
            if after:
                if stack and "\n==" in after:
                    before, mark, after = after.partition("\n==")
                    stack[-1][2].append(before)
                    self._leave(0)
                    after = mark + after
                (stack[-1][2] if stack else root).append(after)
        self._leave(0)
        return "".join(root)

    def _close(self, token: str, after: str) -> None:
        stack = self._stack
        opener = "{{" if token == "}}" else "[[" if token == "]]" else "{|"
        if not stack or stack[-1][0] != opener:
            if opener == "[[":
                return
            depth = next((depth for depth in range(len(stack) - 1, -1, -1) if stack[depth][0] == opener), -1)
            if depth < 0:
                return
            self._leave(depth + 1)
        _, arguments, current = stack.pop()
        arguments.append("".join(current))
        parent, pieces = (stack[-1][0], stack[-1][2]) if stack else ("", self._root)
        text = self._rendered(opener, arguments, parent, pieces, after)
        if not text:
            return
        if parent == "{{":
            if "=" in text:
                text = text.replace("=", EQUALS)
        elif parent == "{|" and text != "|" and not text.endswith("|-\n"):
            text = text.replace("|", PIPE).replace("\n", LINE)
        pieces.append(text)

    def _leave(self, depth: int) -> None:
        """Ends all above a depth that were never closed."""
        stack = self._stack
        while len(stack) > depth:
            opener, arguments, current = stack.pop()
            text = _left(opener, arguments, current)
            if text:
                (stack[-1][2] if stack else self._root).append(text)

    def _rendered(self, opener: str, arguments: list[str], parent: str, pieces: list[str], after: str) -> str:
        if opener == "{|":
            return _table(arguments[0])
        if opener == "[[":
            return _link(arguments)
        if any("<" in argument for argument in arguments):
            arguments = [_BREAK.sub("\n", argument) for argument in arguments]
        name = arguments[0].strip()
        if name in ("PAGENAME", "FULLPAGENAME", "SUBJECTPAGENAME"):
            return self._title
        return render_template(arguments, self._left_out, lambda: _place(parent, pieces, after))


def _place(parent: str, pieces: list[str], after: str) -> Place:
    """Where a template stands, by what is before and after it: alone on its line, or among words."""
    ends = not (rest := after.lstrip(" ")) or rest[0] == "\n"
    if parent == "[[" or not ends:
        return "words"
    before = pieces[-1].rstrip(" ") if pieces else ""
    if parent == "{{" and (not before or (len(pieces) == 1 and before[-1] == "=")):
        return "value"
    if before and not before.endswith(("\n", LINE, INFOBOX_END, "*", "#")):
        return "words"
    return "cell" if parent == "{|" else "line"


def _table(source: str) -> str:
    """A table's lines; infoboxes that stand in it follow."""
    boxes = list[str]()
    if INFOBOX_START in source:
        first, *parts = source.split(INFOBOX_START)
        outside = [first]
        for part in parts:
            inside, _, after = part.partition(INFOBOX_END)
            boxes.append(INFOBOX_START + inside.replace(LINE, "\n") + INFOBOX_END)
            outside.append(after)
        source = "".join(outside)
    text = render_table(_ANY_TAG.sub("", _BREAK.sub(LINE, source)) if "<" in source else source)
    return text + "".join(boxes)


def _left(opener: str, arguments: list[str], current: list[str]) -> str:
    """What is kept of what was never closed: a link's words, and what follows the lines of a template or table."""
    arguments.append("".join(current))
    if opener == "[[":
        return "|".join(arguments)
    last = arguments[-1]
    if opener == "{|":
        row = max(last.rfind("\n|"), last.rfind("\n!"), 0)
        end = last.find("\n\n", row)
        return _table(last) if end < 0 else _table(last[:end]) + last[end:]
    kept = [argument.partition("\n\n")[2] for argument in arguments[:-1]]
    return "\n\n".join(["", *(part for part in (*kept, last.partition("\n")[2]) if part)])


def _link(arguments: list[str]) -> str:
    """A link as its text; nothing for files, categories and other languages."""
    target = arguments[0].strip()
    namespace, colon, _ = target.partition(":")
    if colon and namespace:
        space = namespace.strip().lower()
        if space in _namespaces() or (space == namespace and len(space) in (2, 3) and len(arguments) == 1):
            return ""
    if len(arguments) == 1:
        if "|" not in target:
            return target.removeprefix(":")
        arguments = target.split("|")  # of {{!}}
        target = arguments[0].strip()
    text = "|".join(arguments[1:])
    if len(text) > _LONGEST_LINK or "\n\n" in text:
        return f"{target}|{text}"
    return text or _piped(target)


def _piped(target: str) -> str:
    """`[[Oslo (city)|]]`: the target without namespace and parenthesis."""
    return re.sub(r"\s*\([^()]*\)$", "", target.rpartition(":")[2])
