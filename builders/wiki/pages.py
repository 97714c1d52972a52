"""What harvests and readers of wikis hand to each other: pages, articles (their readable text), and whole harvests."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from benchwright.benchmarks.errors import BenchwrightError


@dataclass(frozen=True, slots=True)
class Page:
    """A page at one revision."""

    id: int
    title: str
    created: str
    """When its first revision was saved, ISO 8601 in UTC: `2023-05-04T11:22:33Z`; empty where that was not asked for,
    as of random pages."""
    revision: int
    """The id of the revision that is used."""
    edited: str
    """When that was saved."""
    sha1: str
    """Of its wikitext in UTF-8, 40 hexadecimal digits."""
    wikitext: str = field(repr=False)
    namesakes: tuple[str, ...] = ()
    """Titles of other pages of the wiki that share its name, sorted, as far as they were looked for; at most 20."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of an article under one heading; the introduction has none."""

    heading: str
    level: int
    """0 of the introduction, 2 of a section, 3 of one below it."""
    start: int
    """Offsets into the article's text, end exclusive; the heading's own line is part of it."""
    end: int


@dataclass(frozen=True, slots=True)
class Article:
    """A page's text as people read it."""

    page: Page
    text: str
    sections: tuple[Section, ...]
    left_out: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    """Characters of templates that are not in the text, by the template's name."""

    @property
    def introduction(self) -> str:
        """The text before the first heading."""
        first = self.sections[0]
        return self.text[first.start : first.end]


@dataclass(frozen=True, slots=True)
class Harvest:
    """Pages that were found and accepted, and what became of all others."""

    created_after_cutoff: tuple[Page, ...]
    random: tuple[Page, ...]
    haystack: tuple[Page, ...]
    left_out: Mapping[str, int]
    """Reason → pages that were looked at and left out: redirect, disambiguation, list, short, deleted, moved, …"""
    requests: int
    checks: Mapping[str, int]
    """What was confirmed, with counts."""
    site: Mapping[str, str]
    """name, server, language, licence, generator (MediaWiki's version) as the wiki says."""
    names: Mapping[str, int] = field(default_factory=dict)
    """Of the pages to ask about: how many share their names with others, by where that is seen."""


class NothingNewError(BenchwrightError):
    """No page was created after the cutoff that could be used: why those that were looked at are left out."""

    def __init__(self, said: str, left_out: Mapping[str, int]) -> None:
        super().__init__(said)
        self.left_out = left_out


def hash_wikitext(wikitext: str) -> str:
    """The sha1 of a text as a wiki gives it: 40 hexadecimal digits."""
    return hashlib.sha1(wikitext.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
