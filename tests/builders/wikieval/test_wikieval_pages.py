"""Passages from pages: of our own encyclopedia, of its dumps, and of a MediaWiki that serves it."""

import json
import re
import socket
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

import pytest
from click.testing import CliRunner
from wikis import CONTACT, FAST, running

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import BuildRequest, build_release
from benchwright.builders.wiki.own.encyclopedia import encyclopedia
from benchwright.builders.wiki.own.export import write_dumps
from benchwright.builders.wiki.pages import Article, Page, Section
from benchwright.builders.wikieval.contexts.wider_contexts import FEWEST
from benchwright.builders.wikieval.material import Neighbour, Passage
from benchwright.builders.wikieval.sources.events import OLDER
from benchwright.builders.wikieval.sources.introductions import introduction_of, sentences_in
from benchwright.builders.wikieval.sources.pages import NO_LINKS, OWN, find_pages, last_edited_first, read_since
from benchwright.cards.dataset.card import render_card
from benchwright.scripts.build_benchmark import main as build_benchmark


def asked(**settings: Any) -> BuildRequest:
    defaults = {"since": "2022-01-01", "site": "", "contact": "", "dump": "", "dump_log": "", "pages": 2}
    return BuildRequest("wikieval", {**defaults, "requests_per_minute": FAST, "at_once": 3, **settings}, 0)


def said(passage: Passage) -> set[Neighbour]:
    """Its neighbours; a dump numbers revisions anew."""
    return {replace(one, revision=None) for one in passage.neighbours}


def test_our_own_encyclopedia_needs_no_wiki() -> None:
    found = find_pages(asked())
    first = found.passages[0]
    assert len(found.passages) == found.checks["pages_found"] == 6
    assert first.source == first.title
    assert first.text.startswith(("The " + first.title, first.title))
    assert "Place:" not in first.text
    assert found.sources[0]["licence"] == "cc-by-4.0"


def test_no_connection_is_made_where_no_wiki_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*asked: object, **options: object) -> NoReturn:
        raise AssertionError(f"a connection to {asked}")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    done = CliRunner().invoke(build_benchmark, ["wikieval", "--set", "pages=5", "--releases", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert Release.load(tmp_path / "wikieval/1.0.0").manifest.rows["pairs"] == 5


def test_of_a_dump_the_last_edited_pages_are_taken(tmp_path: Path) -> None:
    dump, log = write_dumps(encyclopedia(100), tmp_path)
    everything, few = (find_pages(asked(dump=str(dump), dump_log=str(log), pages=pages)) for pages in (30, 2))
    newest = sorted(everything.passages, key=lambda each: each.metadata["edited"], reverse=True)[:6]
    assert {each.title for each in few.passages} == {each.title for each in newest}


def test_texts_of_a_share_alike_wiki_keep_their_terms(tmp_path: Path) -> None:
    """A dump that says that it is one of Wikipedia's."""
    dump, log = write_dumps(encyclopedia(100), tmp_path)
    text = dump.read_text(encoding="utf-8")
    base = "<base>https://en.wikipedia.org/wiki/Main_Page</base>"
    dump.write_text(text.replace("</sitename>", f"</sitename>{base}", 1), encoding="utf-8")
    given = {"pages": "3", "dump": str(dump), "dump_log": str(log)}
    release, _ = build_release("wikieval", given, render_card, output=tmp_path / "releases")
    assert {each["licence"] for each in release.manifest.sources} == {"Creative Commons Attribution-Share Alike 4.0"}
    rows = [row for batch in release.batches("corpus", "corpus") for row in batch.to_pylist()]
    for told in (json.loads(row["metadata"]) for row in rows):
        assert told["source"] == f"https://en.wikipedia.org/w/index.php?oldid={told['revision']}"
        assert told["authors"] == f"https://en.wikipedia.org/w/index.php?curid={told['id']}&action=history"
    card = " ".join((release.folder / "README.md").read_text(encoding="utf-8").split())
    assert "license: cc-by-sa-4.0" in card
    assert "gives what is made from them under the same licence or a compatible one" in card


def test_pages_are_new_and_about_what_is_new_the_last_edited_first() -> None:
    found = find_pages(asked(pages=30))
    for has_links in (True, False):
        edited = [each.metadata["edited"] for each in found.passages if bool(each.metadata["linked_from"]) is has_links]
        assert edited == sorted(edited, reverse=True)
    by_links = [bool(each.metadata["linked_from"]) for each in found.passages]
    assert by_links == sorted(by_links, reverse=True)
    assert all(each.metadata["created"] >= "2022-01-01" for each in found.passages)
    assert all(max(re.findall(r"\b20\d\d\b", each.text)) >= "2022" for each in found.passages)
    assert found.checks["pages_left_out"][OLDER] > 0


def test_neighbours_are_sentences_of_pages_that_link_to_it() -> None:
    found = find_pages(asked(pages=30))
    linked = [each for each in found.passages if "linking page" in {one.origin for one in each.neighbours}]
    assert found.checks["pages_without"] == {NO_LINKS: len(found.passages) - len(linked)}
    assert len(linked) > 30
    assert all(each.metadata["linked_from"] for each in linked)
    assert not any(one.sentences[-1] in each.text for each in linked for one in each.neighbours)
    assert all(each.title in one.sentences[-1] for each in linked for one in each.neighbours if one.names_it)


def test_where_few_sentences_link_to_a_page_those_of_pages_that_it_links_to_are_kept() -> None:
    for each in find_pages(asked(pages=30)).passages:
        origins = {one.origin for one in each.neighbours}
        near = {text for one in each.neighbours if one.origin == "linking page" for text in one.sentences}
        assert origins <= {"linking page", "linked page"}
        assert ("links_to" in each.metadata) == ("linked page" in origins)
        assert ("linked page" in origins) == (len(near) < FEWEST)
        titles = {one.title for one in each.neighbours if one.origin == "linked page"}
        assert titles == {one["title"] for one in each.metadata.get("links_to", ())}


def test_a_wiki_and_its_dump_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    pages = encyclopedia(100)
    dump, log = write_dumps(pages, tmp_path)
    by_dump = find_pages(asked(dump=str(dump), dump_log=str(log), pages=20))
    with running(tmp_path / "wiki", "hundred", pages) as wiki:
        by_site = find_pages(asked(site=wiki.front.url, contact=CONTACT, pages=20))
        asked_once = wiki.front.asked[:]
        again = find_pages(asked(site=wiki.front.url, contact=CONTACT, pages=20))
        assert wiki.front.asked == asked_once, "what a wiki has said is kept"
    assert again.passages == by_site.passages
    assert [each.title for each in by_site.passages] == [each.title for each in by_dump.passages]
    assert [each.text for each in by_site.passages] == [each.text for each in by_dump.passages]
    assert [said(each) for each in by_site.passages] == [said(each) for each in by_dump.passages]
    first = by_site.passages[0]
    assert first.source.endswith(f"?oldid={first.metadata['revision']}")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"since": "spring"}, "since=spring is no day: give one as 2022-01-01"),
        ({"since": "2999-01-01"}, "since=2999-01-01 is in the future: no page is newer"),
        ({"dump_log": "log.xml"}, "dump_log goes with a dump of the articles: add --set dump=FILE"),
        ({"dump": "a", "site": "b"}, "the pages come from a wiki or from its dump: leave out site or dump"),
    ],
)
def test_what_cannot_be_meant(settings: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(said)}$"):
        find_pages(asked(**settings))


def test_where_nothing_is_new_it_says_what_was_looked_at(tmp_path: Path) -> None:
    said = "no page was created since 2025-09-25 and is about what happened since then (about what was before the date: 1; "
    with pytest.raises(BenchwrightError) as raised:
        find_pages(asked(since="2025-09-25", pages=50))
    assert str(raised.value).startswith(f"{OWN}: {said}")
    assert str(raised.value).endswith("): give an earlier since")
    dump, _ = write_dumps(encyclopedia(30), tmp_path)
    with pytest.raises(BenchwrightError, match=r"dump\.xml: no page was created since 2025-11-01 and is about"):
        find_pages(asked(since="2025-11-01", dump=str(dump), dump_log=str(tmp_path / "log.xml")))


def test_the_last_edited_comes_first() -> None:
    pages = [Page(number, "", "", 0, day, "", "") for number, day in ((3, "2022"), (1, "2024"), (2, "2024"))]
    assert [page.id for page in last_edited_first(pages)] == [1, 2, 3]
    assert read_since("2022-01-01") == date(2022, 1, 1)


@pytest.mark.parametrize(
    ("text", "introduction", "sentences"),
    [
        ("Moor is a town. Dr. E. Vale of St. Orrin rules it.\n\nPlace: Moor\n- A list.",
         "Moor is a town. Dr. E. Vale of St. Orrin rules it.",
         ["Moor is a town.", "Dr. E. Vale of St. Orrin rules it."]),
        ("Place: Moor\nSince: 1999", "", []),
        ("", "", []),
    ],
)  # fmt: skip
def test_an_introduction_is_full_sentences(text: str, introduction: str, sentences: list[str]) -> None:
    page = Page(1, "Moor", "", 0, "", "", "")
    assert introduction_of(Article(page, text, (Section("", 0, 0, len(text)),))) == introduction
    assert sentences_in(text) == sentences
