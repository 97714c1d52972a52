"""Pages as MediaWiki's export format writes them, with the log of their creation."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from xml.sax.saxutils import escape

NAMESPACES = {"Talk": 1, "User": 2, "Template": 10, "Category": 14, "Draft": 118}
_HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="{language}">\n'
    "<siteinfo><sitename>Fictopedia</sitename><dbname>fict</dbname><case>first-letter</case></siteinfo>\n"
)


@dataclass(frozen=True, slots=True)
class Revision:
    """A text of a page."""

    time: datetime
    text: str
    user: str = "Writer"


@dataclass(frozen=True, slots=True)
class Exported:
    """A page with its revisions, oldest first."""

    title: str
    revisions: Sequence[Revision]
    begun: str = ""
    """Its first title, if that was another."""
    logged: bool = True
    """Whether the log of creations has it."""
    deleted: bool = False
    """Whether it is deleted after the import."""
    property: str = ""
    """A property that an extension gives a page."""


def namespace_of(title: str) -> tuple[int, str]:
    """A title's namespace, and the title as the database has it."""
    prefix, colon, rest = title.partition(":")
    number = NAMESPACES.get(prefix, 0) if colon else 0
    name = rest if number else title
    return number, (name[:1].upper() + name[1:]).replace(" ", "_")


def write_export(pages: Iterable[Exported], path: Path, language: str = "en") -> None:
    """An export of pages; the importer numbers pages and revisions in this order."""
    logs = []
    with path.open("w", encoding="utf-8") as file:
        file.write(_HEAD.format(language=language))
        revision_id = 0
        for page_id, page in enumerate(pages, 1):
            number, _ = namespace_of(page.title)
            file.write(f"<page><title>{escape(page.title)}</title><ns>{number}</ns><id>{page_id}</id>\n")
            parent = ""
            for revision in page.revisions:
                revision_id += 1
                file.write(_revision(revision_id, parent, revision))
                parent = f"<parentid>{revision_id}</parentid>"
            file.write("</page>\n")
            if page.logged:
                logs.append(_log(len(logs) + 1, page))
        file.writelines(logs)
        file.write("</mediawiki>\n")


def mend_log(database: Path, pages: Iterable[Exported]) -> None:
    """Gives the entries of the log the ids of their pages, and pages their properties: importing leaves both out."""
    connection = sqlite3.connect(database)
    with connection:
        for page in pages:
            row = connection.execute(
                "SELECT page_id FROM page WHERE page_namespace = ? AND page_title = ?", namespace_of(page.title)
            ).fetchone()
            if row is None:
                continue
            number, title = namespace_of(page.begun or page.title)
            connection.execute(
                "UPDATE logging SET log_page = ? WHERE log_type = 'create' AND log_namespace = ? AND log_title = ? "
                "AND log_timestamp = ?",
                (row[0], number, title, f"{page.revisions[0].time.astimezone(UTC):%Y%m%d%H%M%S}"),
            )
            if page.property:
                connection.execute(
                    "INSERT OR REPLACE INTO page_props (pp_page, pp_propname, pp_value) VALUES (?, ?, '')",
                    (row[0], page.property),
                )
    connection.close()


def forget_creations(database: Path, titles: Iterable[str]) -> None:
    """Takes from the log that pages were created."""
    connection = sqlite3.connect(database)
    with connection:
        for number, title in map(namespace_of, titles):
            connection.execute(
                "DELETE FROM logging WHERE log_type = 'create' AND log_namespace = ? AND log_title = ?", (number, title)
            )
    connection.close()


def write_dumps(pages: Iterable[Exported], folder: Path, language: str = "en") -> tuple[Path, Path]:
    """The two dumps of a wiki with these pages, `dump.xml` of its articles and `log.xml` of its creations."""
    made = folder / "dump.xml", folder / "log.xml"
    write_export(pages, made[0], language)
    whole = made[0].read_text(encoding="utf-8")
    for path, other in zip(made, ("logitem", "page"), strict=True):
        path.write_text(re.sub(rf"<{other}>.*?</{other}>\s*", "", whole, flags=re.DOTALL), encoding="utf-8")
    return made


def read_articles(path: Path) -> list[Exported]:
    """Articles from lines of JSON with title, text and created; a plain text becomes a page's wikitext."""
    pages = []
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        time = datetime.fromisoformat(record["created"])
        pages.append(Exported(record["title"], [Revision(time, record["text"], "Wikipedia")]))
    return sorted(pages, key=lambda page: page.revisions[0].time)


def _revision(number: int, parent: str, revision: Revision) -> str:
    text = escape(revision.text)
    return (
        f"<revision><id>{number}</id>{parent}<timestamp>{_time(revision.time)}</timestamp>"
        f"<contributor><username>{escape(revision.user)}</username><id>0</id></contributor>"
        "<model>wikitext</model><format>text/x-wiki</format>"
        f'<text bytes="{len(revision.text.encode())}" xml:space="preserve">{text}</text></revision>\n'
    )


def _log(number: int, page: Exported) -> str:
    first = page.revisions[0]
    return (
        f"<logitem><id>{number}</id><timestamp>{_time(first.time)}</timestamp>"
        f"<contributor><username>{escape(first.user)}</username><id>0</id></contributor><comment></comment>"
        f"<type>create</type><action>create</action><logtitle>{escape(page.begun or page.title)}</logtitle>"
        '<params xml:space="preserve">a:0:{}</params></logitem>\n'
    )


def _time(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
