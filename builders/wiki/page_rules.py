"""Which pages are articles: one rule for a wiki's API and its dumps, so that a title has the same fate both ways.

Left out are redirects, disambiguations (pages of surnames and given names and set indexes among them: all of them only
tell things of one name apart), lists (discographies, "Deaths in …" and their like among them), years and days, and what
is too short. What titles, templates and lines tell it, in English, German, French, Spanish and Japanese, stands in
`page_rules.toml`.

Marks of the wiki's own count both ways. A redirect is marked in the API and in dumps. A disambiguation is marked in
the API alone; of a dump, the templates that mark are learned: those whose own page holds `__DISAMBIG__`, and redirects
to them. One case is left in which the two differ: a page whose mark comes from a template inside another one, or from
one that the dump lacks, where neither title, template, category nor line says so. Of the 213 pages that the tests send
both ways, one is such a page, made for it.
"""

import functools
import re
import tomllib
from collections.abc import Callable, Collection
from importlib import resources

from benchwright.builders.wiki.pages import Page
from benchwright.builders.wiki.text.lists import tables

SHORTEST = 1000
"""Characters of text that an article has at least, by default."""

NOT_AN_ARTICLE, REDIRECT, DISAMBIGUATION = "not an article", "redirect", "disambiguation"
LIST, YEAR, SHORT = "list", "year", "short"
NOT_WIKITEXT, HIDDEN, DAMAGED = "not wikitext", "hidden", "damaged"
"""Reasons why a page is left out: it is in another namespace, it points on, …; its text has another sha1."""

Accept = Callable[[Page], str | None]
"""A further rule of whoever harvests: why a page is left out, or None."""

_REDIRECT = re.compile(
    r"\s*#\s*(?:redirect(?:ion)?|weiterleitung|redirección|redireccion|rinvia|doorverwijzing|omdirigering|omdiriger|"
    r"przekieruj|patrz|перенаправление|перенапр|redirecionamento|yönlendir|ohjaus|転送|リダイレクト|重定向|넘겨주기|تحويل)\b",
    re.IGNORECASE,
)
_QUALIFIED = re.compile(r"(.+?)[ _]?[(（]([^()（）]+)[)）]")
_REFERENCE = re.compile(r"<ref\b([^<>]*+)>|</ref\s*+>", re.IGNORECASE)
_SPACED = re.compile(r"\[\[\s*+([^\[\]:|\n]{1,40}+):[^\[\]]*+\]\]")
_MARK = "__DISAMBIG__"
_TEMPLATE = re.compile(r"\{\{\s*+([^{}|<>\[\]#\n]{1,100})(?:\n|\||\}\})")
_CATEGORY = re.compile(
    r"\[\[\s*+(?:category|kategorie|catégorie|categoría)\s*+:\s*+([^\]|\[\n]{1,200}+)[|\]]", re.IGNORECASE
)
_TARGET = re.compile(r"\[\[\s*[^\]|:]{1,40}:\s*([^\]|#]{1,200}?)\s*(?:[#|][^\]]*)?\]\]")
_BEFORE_LIST = re.compile(r"[:：。][ \t]*+\n\s*+[*=]")
_LEAD = 3_000
"""Characters in which a page must say that it tells things apart, where it does so in words."""


def why_no_article(page: Page, shortest: int, *, is_redirect: bool = False) -> str | None:
    """Why a page of the article namespace is left out, or None.

    What else a wiki marks as a disambiguation is asked last, after `Accept`, as a dump tells it only at its end.

    Args:
        page: the page; its creation is not looked at.
        shortest: characters that its text has at least, without comments, references and categories.
        is_redirect: the wiki says that it is one.
    """
    if is_redirect or _REDIRECT.match(page.wikitext):
        return REDIRECT
    if is_disambiguation_page(page.title, page.wikitext):
        return DISAMBIGUATION
    if is_list(page.title):
        return LIST
    if is_year(page.title):
        return YEAR
    if len(page.wikitext) < shortest or longest_text(page.wikitext) < shortest:
        return SHORT
    return None


def is_disambiguation_page(title: str, wikitext: str) -> bool:
    """Whether a page only tells things of one name apart: as its title, a template, a category or a line of it says."""
    if _qualifier(title) in _words("names"):
        return True
    if _is_marked(wikitext) and _is_marked(_without(_without(wikitext, "<!--", "-->"), "<nowiki>", "</nowiki>")):
        return True
    return _says_so(wikitext[:_LEAD]) and _is_mostly_listed(wikitext)


def is_list(title: str) -> bool:
    """Whether a page is a list (an index, a timeline, a discography, the dead of a year), by its title."""
    qualifier = _qualifier(title)
    return qualifier in _words("listed") or (
        not _is_work(qualifier) and _patterns("lists").fullmatch(title) is not None
    )


def is_year(title: str) -> bool:
    """Whether a page is about a year, a decade, a century or a day, by its title: `1987`, `2021 in film`, `May 5`."""
    return _patterns("years").fullmatch(title) is not None


def longest_text(wikitext: str) -> int:
    """More characters than the text can have that people read: without comments, references and categories."""
    text = _without_references(_without(wikitext, "<!--", "-->"))
    return len(_SPACED.sub(lambda match: "" if match[1].strip().lower() in _spaces() else match[0], text).strip())


def _says_so(lead: str) -> bool:
    """Whether a line before a list says that a name means several things."""
    for end in _BEFORE_LIST.finditer(lead):
        line = lead[lead.rfind("\n", 0, end.start()) + 1 : end.start()].strip()
        if line[:1] not in tuple("*#{|!=") and _forms().fullmatch(line):
            return True
    return False


def _is_mostly_listed(wikitext: str) -> bool:
    """Whether at least half of the lines that hold text are items of lists."""
    lines = [line[0] for line in _without(wikitext, "<!--", "-->").split("\n") if line and line[0] not in "={|}[_<"]
    return 2 * sum(sign in "*#" for sign in lines) >= len(lines)


class MarkingTemplates:
    """Templates of a dump whose own pages mark what uses them as a disambiguation, and redirects to them."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._redirects: dict[str, str] = {}

    def look_at(self, title: str, wikitext: str) -> None:
        """Takes a page of the namespace of templates."""
        name = _template_name(title.partition(":")[2])
        if _MARK in wikitext and _MARK in _used(wikitext):
            self._names.add(name)
        elif _REDIRECT.match(wikitext) and (target := _TARGET.search(wikitext[:500])):
            self._redirects[name] = _template_name(target[1])

    def mark(self, wikitext: str) -> bool:
        """Whether a page uses one of them, once all of the dump was looked at."""
        return bool(self._names) and any(self._is_marking(found) for found in _TEMPLATE.findall(wikitext))

    def _is_marking(self, name: str) -> bool:
        name = _template_name(name)
        return self._redirects.get(name, name) in self._names


def _template_name(name: str) -> str:
    """A template's name as a wiki knows it: the first letter is a capital."""
    name = " ".join(name.replace("_", " ").split())
    return name[:1].upper() + name[1:]


def _qualifier(title: str) -> str:
    """What stands in brackets after a title, in lower case."""
    match = _QUALIFIED.fullmatch(title)
    return match[2].strip().lower() if match else ""


def _is_work(qualifier: str) -> bool:
    """Whether a qualifier is of a work or a thing: `album`, `2019 film`, `Ada Moor song`."""
    return bool(qualifier) and any(
        qualifier == work or qualifier.endswith((f" {work}", f"の{work}")) for work in _words("works")
    )


@functools.cache
def _told() -> dict[str, list[str]]:
    file = resources.files("benchwright.builders.wiki").joinpath("page_rules.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


@functools.cache
def _words(kind: str) -> Collection[str]:
    return frozenset(_told()[kind])


@functools.cache
def _patterns(kind: str) -> re.Pattern[str]:
    """Titles of a kind: of a list in any case, with something in brackets after it or nothing."""
    titles = "|".join(_told()[kind])
    if kind == "years":
        return re.compile(titles)
    return re.compile(rf"(?:{titles})(?: ?[(（][^()（）]*[)）])?", re.IGNORECASE)


def _is_marked(wikitext: str) -> bool:
    """Whether a template, a category or the wiki's own word marks a page as a disambiguation."""
    if _MARK in wikitext or any(_tells_apart(name) for name in {name.rstrip() for name in _TEMPLATE.findall(wikitext)}):
        return True
    return any(_categories().fullmatch(name) for name in _CATEGORY.findall(wikitext))


@functools.lru_cache(maxsize=20_000)
def _tells_apart(template: str) -> bool:
    return _templates().fullmatch(template) is not None


@functools.cache
def _templates() -> re.Pattern[str]:
    names = "|".join(_told()["templates"]).replace(" ", "[ _]")
    return re.compile(rf"(?:(?:template|vorlage|modèle|plantilla)\s*:\s*)?(?:{names})(?:\s*cleanup)?", re.IGNORECASE)


@functools.cache
def _categories() -> re.Pattern[str]:
    return re.compile("|".join(_told()["categories"]), re.IGNORECASE)


@functools.cache
def _forms() -> re.Pattern[str]:
    return re.compile("|".join(_told()["forms"]))


@functools.cache
def _spaces() -> Collection[str]:
    """Namespaces whose links are no text: files and categories."""
    return frozenset(tables()["namespaces"]) - {"template", "module"}


def _used(template: str) -> str:
    """What a template gives to the pages that use it."""
    for opener, closer in (("<!--", "-->"), ("<nowiki>", "</nowiki>"), ("<noinclude>", "</noinclude>")):
        template = _without(template, opener, closer)
    return template


def _without(text: str, opener: str, closer: str) -> str:
    """A text without what stands between two signs; one that is never closed stays."""
    kept, at = list[str](), 0
    while (start := text.find(opener, at)) >= 0 and (end := text.find(closer, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(closer)
    return "".join([*kept, text[at:]]) if kept else text


def _without_references(text: str) -> str:
    kept, at, opened = list[str](), 0, -1
    for tag in _REFERENCE.finditer(text):
        if tag[1] is None:
            if opened >= 0:
                kept.append(text[at:opened])
                at, opened = tag.end(), -1
        elif opened < 0 and tag[1].endswith("/"):
            kept.append(text[at : tag.start()])
            at = tag.end()
        elif opened < 0:
            opened = tag.start()
    return "".join([*kept, text[at:]]) if kept else text
