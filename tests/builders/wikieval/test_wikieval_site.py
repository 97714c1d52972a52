"""Builds from a real MediaWiki: what is asked of it, what is kept, and what is wrong with wikis and their pages."""

import json
import os
import re
import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support import Run, in_full
from wikis import CONTACT, FAST, Running, running

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import BuildRequest
from benchwright.builders.wiki import backlinks
from benchwright.builders.wiki.backlinks import linking_ids
from benchwright.builders.wiki.own.encyclopedia import encyclopedia
from benchwright.builders.wiki.own.export import Exported, Revision, write_dumps
from benchwright.builders.wiki.site import connection, listing
from benchwright.builders.wiki.site import harvest as harvesting
from benchwright.builders.wiki.site.cached_wiki import CachedWiki, open_store
from benchwright.builders.wikieval.material import FoundPassages
from benchwright.builders.wikieval.sources.events import OLDER, PERSON, TO_COME, UNDATED
from benchwright.builders.wikieval.sources.pages import NO_INTRODUCTION, NO_LINKS, find_pages
from benchwright.scripts.build_benchmark import main as build_benchmark
from benchwright.scripts.servers.mediawiki.front import Asked, Fault, Front
from benchwright.scripts.servers.mediawiki.wiki import delete_pages
from benchwright.scripts.verify_benchmark import main as verify_benchmark

PAIRS = 6
LINKS = """SELECT target.page_id, pl_from FROM pagelinks
JOIN page target ON target.page_namespace = pl_namespace AND target.page_title = pl_title
JOIN page source ON source.page_id = pl_from
WHERE pl_from_namespace = 0 AND source.page_is_redirect = 0 AND pl_from != target.page_id"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A wiki that no test changes."""
    with running(tmp_path_factory.mktemp("wiki") / "w", "encyclopedia-100", encyclopedia(100)) as wiki:
        yield wiki


@pytest.fixture
def wiki(kept: Running) -> Iterator[Running]:
    """The wiki with a front of the test's own."""
    with Front(kept.front.behind) as front:
        yield Running(kept.code, kept.folder, front)


@pytest.fixture
def changing(tmp_path: Path) -> Iterator[Running]:
    """A wiki that a test may change."""
    with running(tmp_path / "wiki", "encyclopedia-100", encyclopedia(100)) as wiki:
        yield wiki


@pytest.fixture(scope="module")
def undisturbed(kept: Running, tmp_path_factory: pytest.TempPathFactory) -> FoundPassages:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("undisturbed")))
        return find(kept.front.url)


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(connection, "_WAITS", (0.01, 0.02, 0.03, 0.04))
    monkeypatch.setattr("benchwright.builders.wiki.site.rate_limit._FIRST_WAIT", 0.01)


def find(site: str, **settings: Any) -> FoundPassages:
    defaults = {"since": "2022-01-01", "contact": CONTACT, "dump": "", "dump_log": "", "pages": 2}
    values = {**defaults, "requests_per_minute": FAST, "at_once": 1, **settings, "site": site}
    return find_pages(BuildRequest("wikieval", values, 0))


def typed(url: str, *more: str) -> list[str]:
    given = {"site": url, "contact": CONTACT, "pages": PAIRS, "requests_per_minute": FAST}
    return ["wikieval", *(part for name, value in given.items() for part in ("--set", f"{name}={value}")), *more]


@dataclass(frozen=True)
class Made:
    """Two builds by the command, one after the other."""

    first: Release
    second: Release
    said: str
    asked: list[Asked]
    again: int
    """Requests of the second build."""

    def rows(self, config: str, split: str) -> list[dict[str, Any]]:
        """Of the first."""
        return [row for batch in self.first.batches(config, split) for row in batch.to_pylist()]


@pytest.fixture(scope="module")
def made(kept: Running, tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch, Front(kept.front.behind) as front:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        before, said = [0], ""
        for name in ("one", "two"):
            done = CliRunner().invoke(build_benchmark, typed(front.url, "--releases", str(folder / name)))
            assert done.exit_code == 0, done.output
            before.append(len(front.asked))
            said = said or done.stderr
        first, second = (Release.load(folder / name / "wikieval/1.0.0") for name in ("one", "two"))
        return Made(first, second, said, front.asked[:], before[2] - before[1])


def test_the_command_builds_from_a_wiki_and_it_verifies(made: Made) -> None:
    assert made.first.manifest.rows["pairs"] == PAIRS
    done = CliRunner().invoke(verify_benchmark, [str(made.first.folder)])
    assert done.exit_code == 0, done.output
    assert f"proved: {PAIRS} pairs whose first context is their document" in done.output
    assert re.search(r"left out: \d+ pages that were looked at: about what was before the date", made.said)


def test_a_second_build_asks_nothing_and_is_the_same(made: Made) -> None:
    assert made.again == 0
    assert made.second.manifest.content_hash == made.first.manifest.content_hash


def test_revisions_are_pinned_and_authors_named(made: Made, kept: Running) -> None:
    sources = {row["source"] for row in made.rows("pairs", "test")}
    scripts = re.escape(made.first.manifest.sources[0]["uri"].partition("/w/")[0].rpartition(":")[0])
    for row in made.rows("corpus", "corpus"):
        told = json.loads(row["metadata"])
        assert re.fullmatch(rf"{scripts}:\d+/w/index\.php\?oldid={told['revision']}", told["source"])
        assert told["source"] in sources
        assert told["created"] >= "2022-01-01"
        for page in (told, *told["linked_from"]):
            (saved,) = kept.execute("SELECT rev_page FROM revision WHERE rev_id = ?", page["revision"])
            assert saved == (page["id"],)
            assert page["authors"].endswith(f"/w/index.php?curid={page['id']}&action=history")


def test_the_licence_is_that_of_the_wiki(made: Made) -> None:
    assert [each["licence"] for each in made.first.manifest.sources] == ["Creative Commons Attribution 4.0"]
    card = (made.first.folder / "README.md").read_text(encoding="utf-8")
    assert "The data are under `cc-by-4.0`, as the sources say (Creative Commons Attribution 4.0)." in card
    assert "`authors` in the `metadata` of `corpus` leads to who wrote a page" in " ".join(card.split())


def test_what_links_to_pages_is_what_the_wiki_says(made: Made, kept: Running) -> None:
    links = set(kept.execute(LINKS))
    docs = [json.loads(row["metadata"]) for row in made.rows("corpus", "corpus")]
    said = {(doc["id"], other["id"]) for doc in docs for other in doc["linked_from"]}
    assert said <= links
    assert len(said) >= PAIRS
    assert all(doc["linked_from"] or not any(page == doc["id"] for page, _ in links) for doc in docs)


def test_few_requests_are_made(made: Made) -> None:
    """Of 18 pages: what links to them in one request, and the texts of these in another."""
    queries = [dict(asked.query) for asked in made.asked]
    assert sum("linkshere" in query.get("prop", "") for query in queries) == 1
    assert sum("backlinks" in query.get("list", "") for query in queries) == 0
    assert sum(query.get("list") == "recentchanges" for query in queries) == 1
    assert sum("content" in query.get("rvprop", "") for query in queries) <= 4


@pytest.mark.parametrize(("links", "replies"), [(500, 4), (40, 4), (9, 2)])
def test_links_are_found_however_many_replies_they_take(
    wiki: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: int, replies: int
) -> None:
    monkeypatch.setattr(backlinks, "_LINKS", links)
    monkeypatch.setattr(backlinks, "_REPLIES", replies)
    expected: dict[int, list[int]] = {}
    for page, source in sorted(wiki.execute(LINKS)):
        expected.setdefault(page, []).append(source)
    articles = [number for (number,) in wiki.execute("SELECT page_id FROM page WHERE page_namespace = 0 LIMIT 40")]
    found = linking_ids(CachedWiki(wiki.open(), open_store(tmp_path), {}), articles)
    assert found == {page: expected.get(page, [])[: backlinks.LISTED] for page in articles}
    assert any(asked.query.get("list") == "backlinks" for asked in wiki.front.asked) is (links == 9)


def test_recent_edits_come_first_of_the_whole_wiki(wiki: Running) -> None:
    everything = find(wiki.front.url, pages=30)
    few = find(wiki.front.url, pages=1)
    newest = sorted(everything.passages, key=lambda each: each.metadata["edited"], reverse=True)[:3]
    assert {each.title for each in few.passages} == {each.title for each in newest}
    assert few.checks["creations_confirmed"]["found among recent changes"] == 3
    by_links = [bool(each.neighbours) for each in everything.passages]
    assert by_links == sorted(by_links, reverse=True)


def test_a_wiki_without_new_pages(wiki: Running) -> None:
    said = "no page was created since 2026-01-01 and is about what happened since then (none is listed)"
    with pytest.raises(BenchwrightError, match=rf"^{re.escape(f'{wiki.front.url}: {said}')}: give an earlier since$"):
        find(wiki.front.url, since="2026-01-01")


def test_what_one_wiki_says_is_not_taken_for_what_another_does(wiki: Running, kept: Running) -> None:
    """Two addresses, one store."""
    first = find(wiki.front.url)
    before = len(kept.front.asked)
    assert [each.text for each in find(kept.front.url).passages] == [each.text for each in first.passages]
    assert len(kept.front.asked) - before == len(wiki.front.asked)


@pytest.mark.parametrize(("listed", "looked_at"), [(500, 20), (1, 23)])
def test_creations_are_listed_or_looked_at(
    wiki: Running, monkeypatch: pytest.MonkeyPatch, listed: int, looked_at: int
) -> None:
    """Where all creations take few requests, a sample is looked at; else each page that is taken."""
    everything = find(wiki.front.url, pages=30)
    monkeypatch.setattr(harvesting._HarvestInProgress, "_is_small", lambda self: False)
    monkeypatch.setattr(listing, "PER_REQUEST", listed)
    before = len(wiki.front.asked)
    found = find(wiki.front.url, pages=28)
    created = {each.title: each.metadata["created"] for each in everything.passages}
    assert {each.title: each.metadata["created"] for each in found.passages} == created
    assert len(created) == 23
    assert sum(asked.kind == "first" for asked in wiki.front.asked[before:]) == looked_at


@pytest.mark.parametrize("is_refused", [True, False])
def test_where_recent_changes_end_pages_are_drawn(
    changing: Running, caplog: pytest.LogCaptureFixture, is_refused: bool
) -> None:
    everything = find(changing.front.url, pages=30)
    refused = Fault("json", body=json.dumps({"error": {"code": "permissiondenied", "info": "Not for you."}}))
    if is_refused:
        changing.front.spoil = lambda asked: refused if asked.query.get("list") == "recentchanges" else None
    else:
        changing.execute("DELETE FROM recentchanges WHERE rc_timestamp < '20250101000000'")
    found = find(changing.front.url, pages=29)
    assert sorted(each.title for each in found.passages) == sorted(each.title for each in everything.passages)
    listed = found.checks["creations_confirmed"].get("found among recent changes", 0)
    assert listed == 0 if is_refused else 0 < listed < len(found.passages)
    warned = [one.getMessage() for one in caplog.records if "edited last cannot be listed" in one.getMessage()]
    assert len(warned) == is_refused


@pytest.mark.parametrize(
    "fault",
    [
        Fault("status", 429, retry_after="0"),
        Fault("status", 500),
        *in_full(Fault("cut"), Fault("dropped")),
    ],
    ids=lambda fault: f"{fault.kind} {fault.status}",
)
def test_a_busy_wiki_gives_the_same(
    wiki: Running, kept: Running, monkeypatch: pytest.MonkeyPatch, fault: Fault
) -> None:
    monkeypatch.setattr("mwclient.sleep.Sleeper.sleep", lambda self, min_time=0: None)
    undisturbed = find(kept.front.url)
    wiki.front.spoil = lambda asked: fault if asked.number % 5 == 4 else None
    disturbed = find(wiki.front.url)
    assert [each.text for each in disturbed.passages] == [each.text for each in undisturbed.passages]
    assert [each.neighbours for each in disturbed.passages] == [each.neighbours for each in undisturbed.passages]
    assert sum(asked.spoiled for asked in wiki.front.asked) >= 2


def test_a_wiki_that_breaks_while_links_are_asked_for(wiki: Running) -> None:
    """One line, and the next start goes on where it was."""
    wiki.front.spoil = lambda asked: Fault("html") if "linkshere" in asked.query.get("prop", "") else None
    with pytest.raises(BenchwrightError) as raised:
        find(wiki.front.url)
    assert str(raised.value) == f"{wiki.front.url} is not a wiki, or is broken: its api.php does not give JSON"
    wiki.front.spoil = lambda asked: None
    before = len(wiki.front.asked)
    assert len(find(wiki.front.url).passages) == 6
    assert {"linkshere" if "linkshere" in one.query["prop"] else "texts" for one in wiki.front.asked[before:]} == {
        "linkshere", "texts",
    }  # fmt: skip
    assert len(wiki.front.asked) - before <= 4, "links, their texts, titles of linked pages and their texts"


KILLED = """
import os, signal, sys
from benchwright.benchmarks.remote.response_store import ResponseStore
from benchwright.scripts.build_benchmark import main as build_benchmark
put, kept = ResponseStore.put, []
def dying(self, *what, **how):
    put(self, *what, **how)
    kept.append(what)
    if len(kept) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
ResponseStore.put = dying
build_benchmark(sys.argv[2:])
"""


def test_a_killed_build_goes_on(wiki: Running, made: Made, run: Run, tmp_path: Path) -> None:
    command = [*typed(wiki.front.url), "--set", "at_once=1", "--releases", str(tmp_path / "releases")]
    cache = {"XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"]}
    killed = run("-c", KILLED, "12", *command, env=cache)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert len(wiki.front.asked) == 12
    done = CliRunner().invoke(build_benchmark, command)
    assert done.exit_code == 0, done.output
    queries = [json.dumps(dict(asked.query), sort_keys=True) for asked in wiki.front.asked]
    assert len(queries) == len(set(queries)) == len(made.asked)
    release = Release.load(tmp_path / "releases/wikieval/1.0.0")
    assert sorted(row["title"] for batch in release.batches("corpus", "corpus") for row in batch.to_pylist()) == sorted(
        row["title"] for row in made.rows("corpus", "corpus")
    )


DAY = datetime(2024, 3, 4, 5, tzinfo=UTC)
NEWS = "It was opened on 4 May 2022 by Ada Moor. It has 12 rooms and 3 towers. "
TAKEN = {
    "A?b=c&d *e/f, g; h!": "'''A?b''' is a mill with “odd” ''signs'' | pipes. " + NEWS,
    "مرصد الندى": "'''Nada''' is a mill \u202ewhose name is turned\u202c. " + NEWS,
    "Links to itself": "'''Links to itself''' is a mill, which links to [[Links to itself]]. " + NEWS,
    "Open end": "'''Open end''' is a mill. " + NEWS + "\n\n{{Infobox|{{{a|[[File:x|<ref name='\n{| <math>\\frac{1}{",
    "Nothing links here": "'''Nothing links here''' is a mill. " + NEWS,
}
LEFT_OUT = {
    "No words before its list": (NO_INTRODUCTION, "* one\n* two\n\n== History ==\n" + NEWS * 5),
    "Nothing before its heading": (NO_INTRODUCTION, "== History ==\n" + NEWS * 5),
    "Ada Moor": (PERSON, "'''Ada Moor''' (born 4 May 1980) is an Irish painter. " + NEWS),
    "Without a date": (UNDATED, "'''Without a date''' is a mill. It has 12 rooms. It has 3 towers. "),
    "Old mill": (OLDER, "'''Old mill''' is a mill that was opened in 1850. " + NEWS),
    "Mill to come": (TO_COME, "'''Mill to come''' is a mill. It is to be opened in May 2031. It has 3 towers. "),
    "Moor (disambiguation)": ("disambiguation", "'''Moor''' may be:\n* [[Ada Moor]]\n* [[Open end]]"),
    "List of mills": ("list", "There are several mills. " + NEWS),
}
TAIL = "\n\n== Later ==\n" + "Words of no kind. " * 40


def test_pages_of_all_sorts(tmp_path: Path) -> None:
    texts = {**TAKEN, **{title: text for title, (_, text) in LEFT_OUT.items()}}
    names = "".join(f"* [[{title}]]\n" for title in TAKEN if title != "Nothing links here")
    texts["Names of mills"] = f"'''Names of mills''' are many.\n{names}"
    pages = [Exported(title, [Revision(DAY, text + TAIL)]) for title, text in texts.items()]
    pages.append(Exported("Points on", [Revision(DAY, "#REDIRECT [[Nothing links here]]")]))
    pages.append(Exported("Short", [Revision(DAY, "Short. " + NEWS)]))
    with running(tmp_path / "wiki", "mills", pages) as wiki:
        found = find(wiki.front.url, pages=30)
    assert {each.title for each in found.passages} == set(TAKEN)
    assert all(not re.search(r"\[\[|\{\{|'''|<ref", each.text) for each in found.passages)
    linked = {each.title: [other["title"] for other in each.metadata["linked_from"]] for each in found.passages}
    assert linked == {title: [] if title == "Nothing links here" else ["Names of mills"] for title in TAKEN}
    reasons = Counter(reason for reason, _ in LEFT_OUT.values()) + Counter(("redirect", "short"))
    assert found.checks["pages_left_out"] == reasons + Counter({NO_INTRODUCTION: 1})
    assert found.checks["pages_without"] == {NO_LINKS: 1}


def test_pages_that_are_deleted_meanwhile(changing: Running) -> None:
    """One before its text is fetched, one that links to a page before its own is."""
    first = find(changing.front.url, pages=30)
    gone = first.passages[-1].title
    linking = first.passages[0].metadata["linked_from"][0]["title"]
    assert gone != linking
    deleted: list[str] = []

    def delete(asked: Asked) -> None:
        after = {
            gone: "recentchanges" in asked.query.get("list", ""),
            linking: "linkshere" in asked.query.get("prop", ""),
        }
        for title in (title for title, is_time in after.items() if is_time and title not in deleted):
            deleted.append(title)
            delete_pages(changing.code, changing.folder, [title])

    changing.front.before = delete
    second = find(changing.front.url, pages=29)
    assert deleted == [gone, linking]
    assert {each.title for each in second.passages} == {each.title for each in first.passages} - {gone}
    assert linking not in [other["title"] for each in second.passages for other in each.metadata["linked_from"]]


def test_a_german_wiki_and_its_dump_are_refused(tmp_path: Path) -> None:
    pages = encyclopedia(60, "de")
    said = " is written in 'de', and pairs are made of English pages: name another wiki or dump"
    with running(tmp_path / "wiki", "encyclopedia-de-60", pages, "de") as wiki:
        with pytest.raises(UsageError) as raised:
            find(wiki.front.url)
        assert str(raised.value) == wiki.front.url + said
        assert len(wiki.front.asked) == 1
    dump, log = write_dumps(pages, tmp_path, "de")
    with pytest.raises(UsageError, match=f"^Fictopedia{re.escape(said)}$"):
        find("", dump=str(dump), dump_log=str(log))
