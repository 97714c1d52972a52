"""Which pages are articles: one rule for a wiki's API and for its dumps, so that a title has the same fate both ways.

Left out are redirects, disambiguations (pages of surnames and given names and set indexes among them: all of them only
tell things of one name apart), lists by their titles, and what is too short. Where a wiki marks a page itself, as a
redirect or a disambiguation, that counts as well.
"""

import re
from collections.abc import Callable

from benchwright.builders.wiki.pages import Page

SHORTEST = 1000
"""Characters of text that an article has at least, by default."""

NOT_AN_ARTICLE, REDIRECT, DISAMBIGUATION, LIST, SHORT = "not an article", "redirect", "disambiguation", "list", "short"
NOT_WIKITEXT, HIDDEN, DAMAGED = "not wikitext", "hidden", "damaged"
"""Reasons why a page is left out: it is in another namespace, it points on, …; its text has another sha1."""

Accept = Callable[[Page], str | None]
"""A further rule of whoever harvests: why a page is left out, or None."""

_REDIRECT = re.compile(
    r"\s*#\s*(?:redirect(?:ion)?|weiterleitung|redirección|redireccion|rinvia|doorverwijzing|omdirigering|omdiriger|"
    r"przekieruj|patrz|перенаправление|перенапр|redirecionamento|yönlendir|ohjaus|転送|リダイレクト|重定向|넘겨주기|تحويل)\b",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"(?:lists?|ind(?:ex|ices)|outlines?|timelines?|glossar(?:y|ies)) of\b|index to\b|(?:deaths|births) in \w|"
    r".*\(list\)$",
    re.IGNORECASE,
)
_KINDS_OF_DISAMBIGUATION = (
    "airport", "human name", "letter-number", "mathematical", "music", "place name", "school", "station", "taxonomy",
)  # fmt: skip
_DISAMBIGUATIONS = (
    r"disambig(?:uation)?(?: page)?", "disamb", "dab", "hndis(?:ambig)?", "geodis", "numberdis", "mil-?unit-?dis",
    "schooldis", "roaddis", "hospitaldis", "mathdab", "letter-numbercombdisambig",
    r"letter-?(?:number )?combin\w* disamb\w*",
    rf"(?:{'|'.join(_KINDS_OF_DISAMBIGUATION)}) disambiguation",
    "begriffsklärung", "homonymie", "desambiguación", "disambigua",
    "set index(?: article)?", "sia", "ship ?index", "mountain ?index", "road ?index", "lake ?index",
    "surname", "given name",
)  # fmt: skip
"""Names of templates, as patterns; the last two lines are those of set indexes and of names of people."""
_DISAMBIGUATION = re.compile(
    r"\{\{\s*(?:template\s*:\s*)?(?:" + "|".join(_DISAMBIGUATIONS).replace(" ", "[ _]") + ")"
    r"\s*(?:cleanup\s*)?(?:\||\}\})|__DISAMBIG__|\[\[\s*category\s*:\s*[^\]|]*disambiguation[ _]pages",
    re.IGNORECASE,
)
_UNSEEN = re.compile(
    r"<!--.*?-->|<ref\b[^>]*/>|<ref\b[^>]*>.*?</ref\s*>|\[\[\s*(?:category|file|image)\s*:[^\[\]]*\]\]",
    re.IGNORECASE | re.DOTALL,
)


def why_no_article(
    page: Page, shortest: int, *, is_redirect: bool = False, is_disambiguation: bool = False
) -> str | None:
    """Why a page of the article namespace is left out, or None.

    Args:
        page: the page; its creation is not looked at.
        shortest: characters that its text has at least, without comments, references and categories.
        is_redirect: the wiki says that it is one.
        is_disambiguation: likewise.
    """
    if is_redirect or _REDIRECT.match(page.wikitext):
        return REDIRECT
    if is_disambiguation or is_disambiguation_page(page.title, page.wikitext):
        return DISAMBIGUATION
    if is_list(page.title):
        return LIST
    if len(page.wikitext) < shortest or longest_text(page.wikitext) < shortest:
        return SHORT
    return None


def is_disambiguation_page(title: str, wikitext: str) -> bool:
    """Whether a page only tells things of one name apart, as its title, a template or a category says."""
    return title.lower().endswith("(disambiguation)") or _DISAMBIGUATION.search(wikitext) is not None


def is_list(title: str) -> bool:
    """Whether a page is a list (or an index, outline, timeline or glossary), by its title."""
    return _LIST.match(title) is not None


def longest_text(wikitext: str) -> int:
    """More characters than the text can have that people read: without comments, references and categories."""
    return len(_UNSEEN.sub("", wikitext).strip())
