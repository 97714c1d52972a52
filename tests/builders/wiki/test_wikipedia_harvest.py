"""Harvesting from a real MediaWiki: which pages, pinned to what, and how many requests that takes."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from support import in_full
from wikis import CUTOFF, Running, running

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.wiki.own.encyclopedia import encyclopedia
from benchwright.builders.wiki.own.export import Exported, Revision, read_articles
from benchwright.builders.wiki.page_rules import longest_text
from benchwright.builders.wiki.pages import Page
from benchwright.builders.wiki.seeded_order import draw_ids, draw_slots, in_order
from benchwright.builders.wiki.site import harvest as harvesting
from benchwright.builders.wiki.site.cached_wiki import open_store
from benchwright.builders.wiki.site.harvest import HarvestRequest, harvest
from benchwright.builders.wiki.site.pinned import VanishedError, fetch_pinned, pin, read_pin
from benchwright.scripts.servers.mediawiki.front import Asked
from benchwright.scripts.servers.mediawiki.wiki import delete_pages, edit_page, move_pages

PAGES = encyclopedia(100)


def is_article(page: Exported) -> bool:
    """An article by how it was made, not by the rules under test."""
    return page.revisions[-1].text.startswith("{{Infobox thing|")


ARTICLES = {page.title: page for page in PAGES if is_article(page)}
NEW = {title for title, page in ARTICLES.items() if page.revisions[0].time >= CUTOFF}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A wiki that no test changes."""
    with running(tmp_path_factory.mktemp("wiki") / "w", "encyclopedia-100", PAGES) as wiki:
        yield wiki


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Running]:
    """A wiki that a test may change."""
    with running(tmp_path / "wiki", "encyclopedia-100", PAGES) as wiki:
        yield wiki


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A wiki of 2,000 articles."""
    with running(tmp_path_factory.mktemp("wiki") / "w", "large", encyclopedia(2000)) as wiki:
        yield wiki


def titles(pages: tuple[Page, ...]) -> set[str]:
    return {page.title for page in pages}


def zulu(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def test_everything_since_the_cutoff(kept: Running, tmp_path: Path) -> None:
    found = kept.harvest(tmp_path)
    assert titles(found.created_after_cutoff) == NEW
    assert len(NEW) == 59
    assert found.left_out == {
        "deleted": 2, "disambiguation": 2, "draft": 1, "list": 3, "redirect": 8, "short": 7, "user page": 1,
    }  # fmt: skip
    assert found.checks == {
        "confirmed by the list of revisions": 59,
        "created after the cutoff": 59,
        "first revisions looked at": 20,
        "listed since the cutoff": 83,
        "renamed since they were begun": 3,
    }
    for page in found.created_after_cutoff:
        made = ARTICLES[page.title].revisions
        assert (page.created, page.edited) == (zulu(made[0].time), zulu(made[-1].time))
        assert page.wikitext == made[-1].text.strip()
        assert page.sha1 == hashlib.sha1(page.wikitext.encode()).hexdigest()
        assert kept.execute("SELECT page_latest FROM page WHERE page_id = ?", page.id) == [(page.revision,)]
    assert found.site["name"] == "Fictopedia"
    assert found.site["licence_url"] == "https://creativecommons.org/licenses/by/4.0/"
    assert found.site["generator"].startswith("MediaWiki 1.39.")
    assert found.site["history"].endswith("/w/index.php?curid={id}&action=history")


def test_the_log_and_the_revisions_list_the_same(kept: Running, tmp_path: Path) -> None:
    by_log = kept.harvest(tmp_path, listing="log")
    by_revisions = kept.harvest(tmp_path, listing="revisions")
    assert set(by_log.created_after_cutoff) == set(by_revisions.created_after_cutoff)
    assert by_log.created_after_cutoff == by_revisions.created_after_cutoff


@pytest.mark.parametrize("gone", ["", "WHERE log_timestamp < '20231001000000'"], ids=["no log", "a late log"])
def test_where_no_log_reaches_back_revisions_are_listed(own: Running, tmp_path: Path, gone: str) -> None:
    own.execute(f"DELETE FROM logging {gone}")
    found = own.harvest(tmp_path / "store")
    assert titles(found.created_after_cutoff) == NEW
    assert own.front.counts()["revisions"] == 1


def test_until_bounds_the_harvest(kept: Running, tmp_path: Path) -> None:
    until = datetime(2023, 1, 1, tzinfo=UTC)
    found = kept.harvest(tmp_path, until=until)
    assert titles(found.created_after_cutoff) == {t for t in NEW if ARTICLES[t].revisions[0].time < until}


def test_three_kinds_of_pages_are_disjoint(kept: Running, tmp_path: Path) -> None:
    found = kept.harvest(tmp_path, articles=20, random=25, haystack=1000)
    created, random, haystack = found.created_after_cutoff, found.random, found.haystack
    assert (len(created), len(random), len(haystack)) == (20, 25, 55)
    assert titles(created) | titles(random) | titles(haystack) == set(ARTICLES)
    assert 8 <= len([page for page in random if page.title in NEW]) <= 20
    assert kept.harvest(tmp_path, articles=20, random=25, haystack=1000) == found


def test_a_seed_draws_its_own_sample(kept: Running, tmp_path: Path) -> None:
    samples = [kept.harvest(tmp_path / name, articles=15, seed=seed) for name, seed in (("a", 1), ("b", 1), ("c", 2))]
    first, again, other = (titles(sample.created_after_cutoff) for sample in samples)
    assert first == again
    assert len(first & other) < 10
    more = kept.harvest(tmp_path / "d", articles=30, seed=1)
    assert [page.title for page in more.created_after_cutoff[:15]] == [p.title for p in samples[0].created_after_cutoff]


def test_each_page_is_drawn_as_often_as_any_other() -> None:
    drawn = Counter(key for seed in range(2000) for key in in_order(seed, "created", range(60))[:15])
    assert len(drawn) == 60
    assert min(drawn.values()) >= 420 and max(drawn.values()) <= 580  # 500 each, within four deviations
    assert sorted(draw_ids(3, "random", 500)) == list(range(1, 501))
    many = draw_ids(3, "random", 300_000)
    assert len({next(many) for _ in range(5000)}) == 5000


def test_spans_of_time_leave_no_gap() -> None:
    start, end = datetime(2021, 10, 1, tzinfo=UTC), datetime(2022, 3, 1, tzinfo=UTC)
    slots = sorted(draw_slots(5, start, end, (end - start) / 7.5))
    assert (slots[0][0], slots[-1][1], len(slots)) == (start, end, 8)
    assert all(one[1] == following[0] for one, following in pairwise(slots))


@pytest.mark.parametrize("listing", ["log", *in_full("revisions")])
def test_of_a_long_list_spans_are_drawn(large: Running, tmp_path: Path, listing: str) -> None:
    whole = large.harvest(tmp_path, listing=listing)
    before = len(large.front.asked)
    found = large.harvest(tmp_path, listing=listing, whole=1, articles=200, random=60)
    asked = large.front.counts(before)
    assert titles(found.created_after_cutoff) < titles(whole.created_after_cutoff)
    assert (len(found.created_after_cutoff), len(found.random)) == (200, 60)
    assert len({page.created[:4] for page in found.created_after_cutoff}) >= 3
    assert found.checks["drawn by the wiki, without the seed"] == 1
    assert 2 <= asked["random"] <= 5
    assert large.harvest(tmp_path, listing=listing, whole=1, articles=200, random=60) == found
    # Taken together, the spans hold exactly what the whole list holds
    everything = large.harvest(tmp_path, listing=listing, whole=1)
    assert titles(everything.created_after_cutoff) == titles(whole.created_after_cutoff)


@pytest.mark.parametrize(
    ("wanted", "most"),
    [
        ({"articles": 1000, "random": 0}, 30),
        ({"articles": 300, "random": 300, "haystack": 10_000}, 33),
        *in_full(({"articles": 300, "random": 300}, 35), ({"articles": 300, "random": 0}, 40)),
    ],
    ids=str,
)
def test_requests_for_a_thousand_pages(large: Running, tmp_path: Path, wanted: dict[str, int], most: int) -> None:
    before = len(large.front.asked)
    found = large.harvest(tmp_path, **wanted)
    asked = large.front.counts(before)
    accepted = len(found.created_after_cutoff) + len(found.random) + len(found.haystack)
    assert accepted == min(sum(wanted.values()), 2000)
    assert found.requests == sum(asked.values())
    assert 20 <= asked.pop("first") <= 22
    assert 5 <= asked.pop("names") <= 8, "all titles of so small a wiki, and where bare names lead"
    assert sum(asked.values()) / accepted * 1000 <= most


def test_pages_are_deleted_and_moved_between_listing_and_fetching(own: Running, tmp_path: Path) -> None:
    one, two, three = sorted(NEW)[:3]
    done = []

    def change(asked: Asked) -> None:
        if asked.kind == "content" and not done:
            done.append(True)
            delete_pages(own.code, own.folder, [one])
            move_pages(own.code, own.folder, [(two, "Another name"), (three, f"Draft:{three}")])

    own.front.before = change
    found = own.harvest(tmp_path / "store", at_once=1)
    assert titles(found.created_after_cutoff) == NEW - {one, two, three} | {"Another name"}
    assert (found.left_out["deleted"], found.left_out["moved"]) == (3, 1)
    assert found.checks["renamed since they were begun"] == 4


def test_what_the_log_does_not_know_is_found(own: Running, tmp_path: Path) -> None:
    gone, hidden = (title.replace(" ", "_") for title in sorted(NEW)[:2])
    own.execute("DELETE FROM logging WHERE log_type = 'create' AND log_title = ?", gone)
    own.execute("UPDATE logging SET log_deleted = 1 WHERE log_type = 'create' AND log_title = ?", hidden)
    found = own.harvest(tmp_path / "store")
    assert titles(found.created_after_cutoff) == NEW
    assert found.checks["not in the log"] == 2
    assert found.left_out["hidden"] == 1


FIRST_OF = """UPDATE revision SET rev_timestamp = '20180101000000' WHERE rev_parent_id = 0
AND rev_page = (SELECT page_id FROM page WHERE page_namespace = 0 AND page_title = ?)"""


@pytest.mark.parametrize("small", [True, False], ids=["by revisions", "by ids"])
def test_an_old_page_that_the_log_calls_new_is_left_out(
    own: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: bool
) -> None:
    monkeypatch.setattr(harvesting._HarvestInProgress, "_is_small", lambda self: small)
    old = sorted(NEW)[:30]
    for title in old:
        own.execute(FIRST_OF, title.replace(" ", "_"))
    found = own.harvest(tmp_path / "store")
    assert titles(found.created_after_cutoff) == NEW - set(old)
    assert found.left_out["older"] == 30


def test_a_rule_of_the_caller_counts(kept: Running, tmp_path: Path) -> None:
    request = HarvestRequest(CUTOFF, articles=10, random=5)
    found = harvest(
        kept.open(), request, open_store(tmp_path), accept=lambda page: "no ship" if "ship" not in page.title else None
    )
    assert len(found.created_after_cutoff) == 6
    assert all(page.title.endswith("ship") for page in found.created_after_cutoff + found.random)
    assert found.left_out["no ship"] > 50


def test_pinned_pages_come_back_as_they_were(own: Running, tmp_path: Path) -> None:
    found = own.harvest(tmp_path / "store", random=20)
    pages = found.created_after_cutoff + found.random
    edit_page(own.code, own.folder, pages[0].title, "Something else.")
    move_pages(own.code, own.folder, [(pages[1].title, "Renamed")])
    pins = [read_pin(json.loads(json.dumps({name: getattr(pin(p), name) for name in pin(p).__slots__}))) for p in pages]
    before = len(own.front.asked)
    assert fetch_pinned(own.open(), pins, open_store(tmp_path / "other")) == pages
    assert own.front.counts(before) == {"pinned": 2}
    fetch_pinned(own.open(), pins, open_store(tmp_path / "other"))
    assert len(own.front.asked) == before + 2


def test_vanished_revisions_are_named(own: Running, tmp_path: Path) -> None:
    pages = own.harvest(tmp_path / "store", articles=12).created_after_cutoff
    delete_pages(own.code, own.folder, [pages[3].title])
    edit_page(own.code, own.folder, pages[5].title, "Nothing is hidden of the newest revision.")
    own.execute("UPDATE revision SET rev_deleted = 1 WHERE rev_id = ?", pages[5].revision)
    pins = [pin(page) for page in pages]
    pins[7] = replace(pins[7], sha1="0" * 40)
    with pytest.raises(VanishedError) as raised:
        fetch_pinned(own.open(), pins, open_store(tmp_path / "other"))
    assert [(one.pin.title, one.why) for one in raised.value.vanished] == [
        (pages[3].title, "deleted"), (pages[5].title, "hidden"), (pages[7].title, "changed"),
    ]  # fmt: skip
    assert raised.value.pages == tuple(page for i, page in enumerate(pages) if i not in (3, 5, 7))
    assert str(raised.value) == (
        f"3 of 12 pinned revisions are gone from {own.front.url}: {pages[3].title} (revision {pages[3].revision}: deleted), "
        f"{pages[5].title} (revision {pages[5].revision}: hidden), {pages[7].title} (revision {pages[7].revision}: changed); "
        "the release cannot be built again as it was: build a new version without them"
    )


BROKEN = "{{Infobox|{{{a|[[File:x|<ref name='\n== {| Heading ==\n|-\n<math>\\frac{1}{</nowiki> [[Category: '''''"
ODD = [
    Exported(title, [Revision(datetime(2022, 1, 1 + i, tzinfo=UTC), text)])
    for i, (title, text) in enumerate(
        [
            *((f"Huge {i}", f"'''Huge {i}''' is long. " + "A line about nothing at all, and then one more. " * 42_000) for i in range(6)),
            ("Broken", BROKEN + " and words" * 200),
            ("Łódź – 東京 (ships & trams)", "Words of any kind. " * 80),
            ("مرصد الندى", "Text that is \u202eturned\u202c around. " * 60),
            ("🜂🜂 \"quoted\" 'titles' + 100% = ½", "Words of any kind. " * 80),
            ("A?b=c&d *e/f, g; h!", "Words of any kind. " * 80),
            ("Nearly short", "x" * 999 + "<ref>" + "y" * 500 + "</ref><!-- " + "z" * 500 + " -->"),
            ("Just long enough", "x" * 1000),
            ("Set index", "words " * 300 + "{{ Disambig }}"),
            ("A redirect that the parser does not see", " \n#redirect [[Broken]]"),
            ("Outline of everything", "words " * 300),
        ]
    )
]  # fmt: skip


def test_pages_of_all_sorts(tmp_path: Path) -> None:
    with running(tmp_path / "wiki", "odd", ODD) as wiki:
        found = wiki.harvest(tmp_path / "store")
        again = fetch_pinned(
            wiki.open(), [pin(page) for page in found.created_after_cutoff], open_store(tmp_path / "s2")
        )
        counts = wiki.front.counts()
    accepted = {page.title.replace("_", " "): page for page in found.created_after_cutoff}
    assert set(accepted) == {page.title for page in ODD[:11]} | {"Just long enough"}
    assert {page.title: page.wikitext for page in found.created_after_cutoff} == {
        page.title: page.revisions[0].text for page in ODD if page.title in accepted
    }
    assert found.left_out == {"disambiguation": 1, "list": 1, "redirect": 1, "short": 1}
    assert counts["content"] >= 2  # eight megabytes are the most that a reply holds
    assert again == found.created_after_cutoff


def test_what_cannot_be_seen_does_not_count() -> None:
    assert longest_text("ab<ref>cd</ref> <ref name=x />e<!-- f\n -->g[[Category:h]][[File:i.png|j]]") == len("ab eg")
    assert longest_text("<ref>never closed and [[Category:") == len("<ref>never closed and [[Category:")


def test_real_articles(shared: Path, tmp_path: Path) -> None:
    pages = read_articles(shared / "wikipedia_created_after_2021-10.jsonl")
    created = {page.title: zulu(page.revisions[0].time) for page in pages}
    with running(tmp_path / "wiki", "real", pages) as wiki:
        found = wiki.harvest(tmp_path / "store")
        asked = wiki.front.counts()
    harvested = {page.title: page for page in found.created_after_cutoff}
    assert len(pages) == 818
    assert len(harvested) + sum(found.left_out.values()) == 818
    assert all(created[title] == page.created for title, page in harvested.items())
    asked.pop("first")
    assert sum(asked.values()) <= 0.04 * len(harvested)


def test_nothing_since_the_cutoff_is_an_error(kept: Running, tmp_path: Path) -> None:
    with pytest.raises(BenchwrightError) as raised:
        kept.harvest(tmp_path, cutoff=datetime(2025, 12, 1, tzinfo=UTC), until=datetime(2026, 1, 1, tzinfo=UTC))
    assert str(raised.value) == (
        f"Fictopedia ({kept.front.url}) has no article that was created from 2025-12-01T00:00:00Z to 2026-01-01T00:00:00Z; "
        "nothing is listed: give an earlier cutoff, or a later until (by default the beginning of this day, in UTC)"
    )
