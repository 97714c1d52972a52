"""Wikis for tests: a real MediaWiki, with something before it that counts requests and spoils them."""

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from support import lacking

from benchwright.builders.wiki.own.export import Exported
from benchwright.builders.wiki.pages import Harvest, Page
from benchwright.builders.wiki.site.cached_wiki import open_store
from benchwright.builders.wiki.site.connection import Wiki, open_wiki
from benchwright.builders.wiki.site.harvest import HarvestRequest, harvest
from benchwright.scripts.servers.mediawiki.front import Front
from benchwright.scripts.servers.mediawiki.wiki import Missing, cached_wiki, find_code, serving, temporary_home

CONTACT = "tester@example.org"
CUTOFF = datetime(2021, 10, 1, tzinfo=UTC)
FAST = 1_000_000
"""Requests a minute."""


def as_page(wikitext: str, title: str = "My Title") -> Page:
    """A page that holds this."""
    return Page(7, title, "2023-05-04T11:22:33Z", 70, "2023-05-05T00:00:00Z", "0" * 40, wikitext)


@dataclass(frozen=True)
class Running:
    """A wiki that is served."""

    code: Path
    folder: Path
    front: Front

    @property
    def database(self) -> Path:
        """Where all is kept."""
        return self.folder / "data" / "wiki.sqlite"

    def execute(self, statement: str, *values: Any) -> list[Any]:
        """Changes or reads the database behind the wiki's back."""
        connection = sqlite3.connect(self.database, timeout=30)
        with connection:
            rows = connection.execute(statement, values).fetchall()
        connection.close()
        return rows

    def open(self, **options: Any) -> Wiki:
        """The wiki, asked as fast as it can."""
        return open_wiki(self.front.url, CONTACT, **{"requests_per_minute": FAST, **options})

    def harvest(self, store: Path, at_once: int = 3, **wanted: Any) -> Harvest:
        """Pages, by default all that there are."""
        request = HarvestRequest(**{"cutoff": CUTOFF, "articles": 10_000, "random": 0, **wanted})
        return harvest(self.open(at_once=at_once), request, open_store(store))


@contextlib.contextmanager
def running(
    folder: Path, name: str, pages: Sequence[Exported], language: str = "en", **environment: str
) -> Iterator[Running]:
    """Serves a copy of a wiki of these pages from a folder. Without PHP or MediaWiki the test is skipped."""
    try:
        home = temporary_home()
        code = find_code(home)
        shutil.copytree(cached_wiki(home, name, pages, language), folder, symlinks=True)
        with serving(code, folder, environment=environment) as address, Front(address) as front:
            yield Running(code, folder, front)
    except Missing as error:
        lacking(str(error))
