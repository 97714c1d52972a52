"""The articles that pages link to: in the order of a page's links, from a dump and from a wiki alike."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from wikis import as_page, running

from benchwright.builders.wiki.backlinks import links_in_dump
from benchwright.builders.wiki.linked_pages import LOOKED_AT, LinkedInDump, linked_on_site, links_of
from benchwright.builders.wiki.own.encyclopedia import encyclopedia
from benchwright.builders.wiki.own.export import write_dumps
from benchwright.builders.wiki.pages import Page
from benchwright.builders.wiki.site.cached_wiki import CachedWiki, open_store


@pytest.mark.parametrize(
    ("wikitext", "titles"),
    [
        ("[[moor  hall]] and [[Lisk_bridge#Towers|its bridge]].", ["Moor hall", "Lisk bridge"]),
        ("{{Infobox|[[Norway]]}} It is in [[Moor]] by the [[Lisk|river Lisk]].", ["Moor", "Lisk", "Norway"]),
        (
            "[[File:A.png|thumb|A]] [[Category:B]] [[:fr:C]] [[#D]] [[My Title]] [[]] [[E|]] [[Alien: F]]",
            ["E", "Alien: F"],
        ),
        ("[[A]] [[a]] [[A|b]] [[ A ]]", ["A"]),
        (" ".join(f"[[Number {number}]]" for number in range(30)), [f"Number {n}" for n in range(LOOKED_AT)]),
        ("[[broken [[A]] [[B\n]] ]]", ["A"]),
        ("", []),
    ],
)
def test_links_that_the_introduction_shows_come_first(wikitext: str, titles: Sequence[str]) -> None:
    assert links_of(as_page(wikitext), "It is in Moor by the river Lisk.") == titles


def test_a_dump_and_a_wiki_lead_to_the_same_articles(tmp_path: Path) -> None:
    exported = encyclopedia(100)
    dump, _ = write_dumps(exported, tmp_path)
    pages = [
        Page(number, one.title, "", 0, "", "", one.revisions[-1].text)
        for number, one in enumerate(exported, 1_000_000)
        if "See also" in one.revisions[-1].text
    ][:30]
    links = {page: links_of(page, "") for page in pages}

    def read(page: Page, article: Page) -> list[str]:
        return [] if "bridge" in article.title else [article.title]

    seen = LinkedInDump(links, read, 300)
    links_in_dump(dump, pages, read, most=1, shortest=300, look_at=seen.look_at)
    by_dump = {number: list(found.values()) for number, found in seen.first(2).items()}
    with running(tmp_path / "wiki", "hundred", exported) as wiki:
        opened = CachedWiki(wiki.open(), open_store(tmp_path / "store"), {"test": 1})
        by_site = {
            number: list(found.values())
            for number, found in linked_on_site(opened, links, read, most=2, shortest=300).items()
        }
    assert by_site == by_dump
    assert sum(map(len, by_dump.values())) > 20 and all(len(found) <= 2 for found in by_dump.values())
    for page in pages:
        titles = [title for (title,) in by_dump[page.id]]
        assert titles == [title for title in links[page] if title in titles]
        assert not any("bridge" in title for title in titles)
