"""Pages that share a name, looked for in a real MediaWiki and in its dump."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from support import in_full
from wikis import CUTOFF, Running, running

from benchwright.builders.wiki.dumps.harvest import harvest_dump
from benchwright.builders.wiki.dumps.titles import PackedTitles
from benchwright.builders.wiki.own.encyclopedia import encyclopedia
from benchwright.builders.wiki.own.export import Exported, Revision, write_dumps
from benchwright.builders.wiki.pages import Harvest
from benchwright.builders.wiki.site import namesakes
from benchwright.builders.wiki.site.cached_wiki import open_store
from benchwright.builders.wiki.site.harvest import HarvestRequest, harvest
from benchwright.builders.wiki.site.pinned import fetch_pinned, pin
from benchwright.scripts.servers.mediawiki.front import Asked, Fault

PROSE = "It lies by the river, and nobody has measured it since. [[Tarrow]] is not far. " * 16
LONGEST = "Ł" + "é" * 126 + "x"
"""255 bytes."""


def apart(*titles: str) -> str:
    return "May be:\n" + "".join(f"* [[{title}]]\n" for title in titles) + "{{Disambiguation}}"


NEW = {
    "Orla Venn (footballer)": PROSE,
    "Orla Venn (engineer)": PROSE,
    "Mira Sol": "{{about|a singer||Mira Sol (ship)|her house|Sol House}}\n" + PROSE,
    "Tarrow": PROSE,
    "Karn Ode": PROSE,
    "Lune": "{{For|the ship|Lune (ship)}}\n" + PROSE,
    "Bex (band)": PROSE,
    "Dov (band)": PROSE,
    "Emm (band)": PROSE,
    "Fay Orr (poet)": PROSE,
    "🜂 Io": PROSE,
    "A?b=c&d *e/f, g; h!": PROSE,
    LONGEST: PROSE,
    "US": PROSE,
    "IPond": PROSE,
    "Jösé Gar": PROSE,
    "Petra Lind": PROSE,
    "Alone in this": PROSE,
}
"""Created after the cutoff: asked about."""
OLD = {
    "Template:Disambiguation": "''One name.''<includeonly>[[Category:Disambiguation pages]]</includeonly>",
    "Orla Venn": apart("Orla Venn (footballer)", "Orla Venn (engineer)", "Orla Venn (pilot)", "Orla J. Venn"),
    "Orla J. Venn": PROSE,
    "Orla Venn (pilot)": "Short.",
    "Mira Sol (ship)": PROSE,
    "Sol House": PROSE,
    "Tarrow, Ohio": PROSE,
    "Tarrow Street": PROSE,
    "Karn Ode (song)": PROSE,
    "Bex": "#REDIRECT [[Bex (band)]]",
    "Dov": "#REDIRECT [[Sol House]]",
    "Emm": "#REDIRECT [[Emm one]]",
    "Emm one": "#REDIRECT [[Emm (river)]]",
    "Emm (river)": PROSE,
    "🜂 Io (song)": PROSE,
    "A?b=c&d *e/f, g; h! (film)": PROSE,
    "US (band)": PROSE,
    "USS Arrow": PROSE,
    "IPond (film)": PROSE,
    "Jösé Gar (disambiguation)": apart("Jösé Gar", "Jose Gar", "Jose Gar (red)", "Gar"),
    "Jose Gar": PROSE,
    "Petra Lind (disambiguation)": apart("Petra Lind", "Petra J. Lind"),
    "Petra J. Lind": PROSE,
}
SHARED = {
    "Orla Venn (footballer)": ("Orla J. Venn", "Orla Venn", "Orla Venn (engineer)", "Orla Venn (pilot)"),
    "Orla Venn (engineer)": ("Orla J. Venn", "Orla Venn", "Orla Venn (footballer)", "Orla Venn (pilot)"),
    "Mira Sol": ("Mira Sol (ship)",),
    "Tarrow": ("Tarrow, Ohio",),
    "Karn Ode": ("Karn Ode (song)",),
    "Lune": (),
    "Bex (band)": (),
    "Dov (band)": ("Dov",),
    "Emm (band)": ("Emm (river)",),
    "Fay Orr (poet)": (),
    "🜂 Io": ("🜂 Io (song)",),
    "A?b=c&d *e/f, g; h!": ("A?b=c&d *e/f, g; h! (film)",),
    LONGEST: (),
    "US": ("US (band)",),
    "IPond": ("IPond (film)",),
    "Jösé Gar": ("Jose Gar", "Jösé Gar (disambiguation)"),
    "Petra Lind": ("Petra J. Lind", "Petra Lind (disambiguation)"),
    "Alone in this": (),
}


def exported(title: str, text: str, year: int, *, deleted: bool = False) -> Exported:
    told = "disambiguation" if title == "Orla Venn" else ""
    return Exported(title, [Revision(datetime(year, 1, 1, tzinfo=UTC), text)], deleted=deleted, property=told)


GONE = exported("Fay Orr", PROSE, 2016, deleted=True)
PAGES = [
    *(exported(title, text, 2015) for title, text in OLD.items()),
    GONE,
    *(exported(title, text, 2022) for title, text in NEW.items()),
]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("wiki") / "w", "names", PAGES) as wiki:
        yield wiki


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A wiki of 2,000 articles."""
    with running(tmp_path_factory.mktemp("wiki") / "w", "large", encyclopedia(2000)) as wiki:
        yield wiki


@pytest.fixture
def as_if_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every wiki has more titles than can be listed."""
    monkeypatch.setattr(namesakes, "PER_REQUEST", 1 / 1000)


def found_in(harvest: Harvest) -> dict[str, tuple[str, ...]]:
    return {page.title: page.namesakes for page in (*harvest.created_after_cutoff, *harvest.random)}


def from_dump(folder: Path, **wanted: Any) -> Harvest:
    articles, log = write_dumps([page for page in PAGES if not page.deleted], folder)
    return harvest_dump(log, articles, cutoff=CUTOFF.date(), **{"articles": 100, "random": 0, **wanted})


def test_a_small_wiki_lists_its_titles(kept: Running, tmp_path: Path) -> None:
    before = len(kept.front.asked)
    found = kept.harvest(tmp_path)
    assert found_in(found) == SHARED
    assert found.names == {"pages": 18, "shared": 13, "by_hatnote": 1, "by_corpus": 2, "by_wiki": 10}
    assert kept.front.counts(before)["names"] == 2
    assert found.requests == len(kept.front.asked) - before


def test_of_a_large_wiki_titles_are_asked_for(kept: Running, tmp_path: Path, as_if_large: None) -> None:
    before = len(kept.front.asked)
    found = kept.harvest(tmp_path)
    assert found_in(found) == SHARED
    assert found.names == {"pages": 18, "shared": 13, "by_hatnote": 1, "by_corpus": 2, "by_wiki": 10}
    asked = [each.query for each in kept.front.asked[before:] if each.kind == "names"]
    assert [query.get("list") or query.get("generator") or "titles" for query in asked] == [
        "titles", "links", *["allpages"] * 6,
    ]  # fmt: skip
    begun = sorted(query[name] for query in asked[2:] for name in ("apfrom", "gapfrom") if name in query)
    assert begun == [
        "A?b=c&d *e/f, g; h!,", "Alone in this,", "Bex,", "Fay Orr,", "IPond,", "Karn Ode,", "Lune,", "Tarrow,",
        "US (", "US,", "🜂 Io,",
    ], "names that nothing shares so far; of the longest title no other can begin with it"  # fmt: skip
    assert len({str(query) for query in asked}) == len(asked)


def test_a_dump_tells_the_same_but_where_redirects_lead(kept: Running, tmp_path: Path) -> None:
    found = from_dump(tmp_path)
    assert found_in(found) == {**SHARED, "Dov (band)": ()}
    assert found.names == {"pages": 18, "shared": 12, "by_hatnote": 1, "by_corpus": 2, "by_wiki": 9}


def test_the_haystack_is_not_looked_for_and_is_looked_at(kept: Running, tmp_path: Path) -> None:
    found = kept.harvest(tmp_path / "api", articles=5, random=3, haystack=100)
    for harvested in (found, from_dump(tmp_path, articles=5, random=3, haystack=100)):
        assert len(harvested.haystack) > 15
        assert all(page.namesakes == () for page in harvested.haystack)
        assert harvested.names["pages"] == 8
        told = {title: others for title, others in found_in(harvested).items() if title in {*NEW} - {"Dov (band)"}}
        assert len(told) >= 5
        assert told == {title: SHARED[title] for title in told}


def test_namesakes_are_pinned(kept: Running, tmp_path: Path) -> None:
    pages = kept.harvest(tmp_path / "one").created_after_cutoff
    before = len(kept.front.asked)
    assert fetch_pinned(kept.open(), [pin(page) for page in pages], open_store(tmp_path / "two")) == pages
    assert kept.front.counts(before) == {"pinned": 1}


def refuses(asked: Asked) -> Fault | None:
    return Fault("status", 403) if asked.query.get("list") == "allpages" else None


def test_what_the_wiki_refuses_is_left_out_and_counted(
    kept: Running, tmp_path: Path, as_if_large: None, caplog: pytest.LogCaptureFixture
) -> None:
    kept.front.spoil = refuses
    try:
        found = kept.harvest(tmp_path)
    finally:
        kept.front.spoil = lambda asked: None
    alone = {"Tarrow", "Karn Ode", "🜂 Io", "A?b=c&d *e/f, g; h!", "US", "IPond"}
    assert found_in(found) == {**SHARED, **dict.fromkeys(alone, ())}
    assert found.names == {
        "pages": 18, "shared": 7, "by_hatnote": 1, "by_corpus": 2, "by_wiki": 4, "not_looked_for": 10,
    }  # fmt: skip
    assert "10 names are not looked for, as the wiki refuses it: " in caplog.text
    assert kept.harvest(tmp_path).names["shared"] == 13, "what was refused is asked for again, once it is allowed"


def test_a_wiki_that_refuses_its_list_of_titles(kept: Running, tmp_path: Path) -> None:
    kept.front.spoil = refuses
    try:
        found = kept.harvest(tmp_path)
    finally:
        kept.front.spoil = lambda asked: None
    assert (found.names["shared"], found.names["not_looked_for"]) == (7, 10)


@pytest.mark.parametrize("at", [2, 7, 12])
def test_a_search_that_was_stopped_goes_on(kept: Running, tmp_path: Path, as_if_large: None, at: int) -> None:
    whole = kept.harvest(tmp_path / "whole")
    done: list[int] = []

    def stop(what: str, count: int, total: int) -> None:
        if what == "names looked for":
            done.append(count)
            if len(done) > 1 and count >= at:
                raise KeyboardInterrupt

    request = HarvestRequest(cutoff=CUTOFF, articles=10_000, random=0)
    store = open_store(tmp_path / "stopped")
    before = len(kept.front.asked)
    with pytest.raises(KeyboardInterrupt):
        harvest(kept.open(at_once=1), request, store, progress=stop)
    assert kept.harvest(tmp_path / "stopped") == whole
    asked = [tuple(sorted(each.query.items())) for each in kept.front.asked[before:]]
    assert len(asked) == len(set(asked)) == whole.requests
    assert done[0] == 0 and done == sorted(done)


def test_the_progress_is_told(kept: Running, tmp_path: Path, as_if_large: None) -> None:
    told: list[tuple[int, int]] = []

    def note(what: str, done: int, total: int) -> None:
        if what == "names looked for":
            told.append((done, total))

    harvest(kept.open(), HarvestRequest(CUTOFF, articles=100, random=0), open_store(tmp_path), progress=note)
    assert (told[0], told[-1]) == ((0, 18), (18, 18))
    assert len(told) == 8


@pytest.mark.parametrize(("articles", "most"), [(300, 170), *in_full((100, 60), (1000, 540))])
def test_requests_where_titles_cannot_be_listed(
    large: Running, tmp_path: Path, as_if_large: None, articles: int, most: int
) -> None:
    before = len(large.front.asked)
    found = large.harvest(tmp_path, articles=articles)
    asked = large.front.counts(before)["names"]
    assert found.names["pages"] == articles
    assert articles / 3 < asked <= most
    listed = [title for title, others in found_in(found).items() if others]
    assert len(listed) == found.names["shared"] > articles / 20


def test_the_same_names_are_shared_however_a_large_wiki_is_asked(
    large: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_list = found_in(large.harvest(tmp_path / "list", articles=300))
    monkeypatch.setattr(namesakes, "PER_REQUEST", 1 / 1000)
    one_by_one = found_in(large.harvest(tmp_path / "each", articles=300))
    assert {title for title, others in by_list.items() if others} == {t for t, others in one_by_one.items() if others}
    assert all(set(others) <= set(by_list[title]) for title, others in one_by_one.items())


def test_a_list_that_is_longer_than_the_wiki_says_is_left(
    large: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_list = found_in(large.harvest(tmp_path / "list", articles=100))
    monkeypatch.setattr(namesakes, "_MORE", 0)
    before = len(large.front.asked)
    found = found_in(large.harvest(tmp_path / "left", articles=100))
    assert {title for title, others in found.items() if others} == {t for t, others in by_list.items() if others}
    asked = [each.query for each in large.front.asked[before:] if each.kind == "names"]
    assert len([query for query in asked if query.get("list") == "allpages" and "apfrom" not in query]) == 1
    assert len([query for query in asked if "apfrom" in query]) > 40


def test_packed_titles_come_back_in_their_order() -> None:
    titles = PackedTitles()
    told = [f"Title {number} – Łódź 🜂" for number in range(20_000)]
    for title in told:
        titles.add(title)
    assert list(titles) == told
    assert list(PackedTitles()) == []
