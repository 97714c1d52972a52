"""A harvest that is disturbed: by a busy or broken wiki, and by its own end; and how it asks."""

import json
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support import Run, Start, in_full
from wikis import CONTACT, CUTOFF, Running, running

from benchwright.benchmarks.errors import BenchwrightError, StopError
from benchwright.builders.wiki.own.encyclopedia import encyclopedia
from benchwright.builders.wiki.pages import Harvest
from benchwright.builders.wiki.site import connection
from benchwright.builders.wiki.site.cached_wiki import open_store
from benchwright.builders.wiki.site.harvest import HarvestRequest, harvest
from benchwright.builders.wiki.site.rate_limit import CountedRateLimit
from benchwright.scripts.servers.mediawiki.front import Asked, Fault, Front

WANTED: dict[str, Any] = {"articles": 150, "random": 150, "haystack": 200}


REASON = "The database is being mended until noon"
READ_ONLY = Fault(
    "json",
    body=json.dumps({
        "error": {
            "code": "readonly", "info": "The wiki is currently in read-only mode.", "readonlyreason": f"{REASON}.\n",
        }
    }),
)  # fmt: skip


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("wiki") / "w", "medium", encyclopedia(500)) as wiki:
        yield wiki


@pytest.fixture
def wiki(served: Running) -> Iterator[Running]:
    """The wiki with a front of the test's own."""
    with Front(served.front.behind) as front:
        yield Running(served.code, served.folder, front)


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_WAITS", (0.01, 0.02, 0.03, 0.04))
    monkeypatch.setattr(connection, "_READ_ONLY", (0.01, 0.02))


def pages(found: Harvest) -> tuple[object, ...]:
    return found.created_after_cutoff, found.random, found.haystack, found.left_out, found.checks


@pytest.fixture(scope="module")
def undisturbed(served: Running, tmp_path_factory: pytest.TempPathFactory) -> Harvest:
    return served.harvest(tmp_path_factory.mktemp("store"), **WANTED)


def each(every: int, *faults: Fault) -> Callable[[Asked], Fault | None]:
    """Spoils every so manieth request, the faults in turn."""
    return lambda asked: faults[asked.number // every % len(faults)] if asked.number % every == every - 1 else None


@pytest.mark.parametrize(
    "fault",
    [
        Fault("status", 429, retry_after="1"),
        Fault("status", 503),
        Fault("cut"),
        Fault("json", body='{"query": [1]}'),
        READ_ONLY,
        *in_full(
            Fault("status", 500, retry_after="0"),
            Fault("status", 502),
            Fault("dropped"),
            Fault("slow", seconds=0.3),
            Fault("json"),
            Fault("json", body="[]"),
        ),
    ],
    ids=lambda fault: f"{fault.kind} {fault.status} {fault.retry_after} {fault.body[:14]}",
)
def test_a_disturbed_harvest_is_the_same(wiki: Running, undisturbed: Harvest, tmp_path: Path, fault: Fault) -> None:
    wiki.front.spoil = each(9, fault)
    found = wiki.harvest(tmp_path, **WANTED)
    assert pages(found) == pages(undisturbed)
    assert found.requests == len(wiki.front.asked)
    spoiled = len([asked for asked in wiki.front.asked if asked.spoiled])
    assert found.requests == undisturbed.requests + spoiled
    assert fault.kind == "slow" or spoiled >= 4


def test_while_the_wiki_rests_nobody_asks(wiki: Running, tmp_path: Path) -> None:
    wiki.front.plan(
        *[None] * 6, Fault("status", 429, retry_after="2"), None, None, None, Fault("status", 503, retry_after="1")
    )
    wiki.harvest(tmp_path, **WANTED)
    asked = wiki.front.asked
    for spoiled, seconds in (
        (next(a for a in asked if a.status == 429), 2),
        (next(a for a in asked if a.status == 503), 1),
    ):
        during = [a for a in asked if spoiled.ended + 0.1 < a.begun < spoiled.ended + seconds - 0.1]
        assert during == []


def test_a_long_rest_stops_the_work(wiki: Running, tmp_path: Path) -> None:
    wiki.front.plan(*[None] * 8, *[Fault("status", 429, retry_after="3600")] * 9)
    with pytest.raises(StopError) as raised:
        wiki.harvest(tmp_path, **WANTED)
    assert str(raised.value) == (
        "the wiki asks for 3600 seconds of rest (HTTP 429): start again after that; what has arrived is kept"
    )
    wiki.front.plan()
    assert wiki.harvest(tmp_path, **WANTED).requests == len([a for a in wiki.front.asked if not a.spoiled])


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (
            Fault("status", 503, retry_after="0"),
            "is too busy: asked 7 times; start again later, what has arrived is kept",
        ),
        (Fault("dropped"), "is not reached: it is down, or the address is wrong (what has arrived is kept)"),
        (Fault("json"), "gives empty or strange replies: start again later; what has arrived is kept"),
        (READ_ONLY, f"stays read-only ({REASON}.): start again later; what has arrived is kept"),
        *in_full(
            (Fault("cut"), "breaks off its replies: start again later; what has arrived is kept"),
            (Fault("html"), "is not a wiki, or is broken: its api.php does not give JSON"),
            (Fault("status", 403), "refuses us (HTTP 403): it is closed, or does not like the contact that was given"),
        ),
    ],
    ids=lambda value: value.kind if isinstance(value, Fault) else "",
)
def test_a_wiki_that_stays_broken(
    wiki: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Fault, message: str
) -> None:
    monkeypatch.setattr("benchwright.builders.wiki.site.rate_limit._FIRST_WAIT", 0.01)
    wiki.front.spoil = lambda asked: fault if asked.number >= 6 else None
    with pytest.raises(BenchwrightError) as raised:
        wiki.harvest(tmp_path, at_once=1, **WANTED)
    assert str(raised.value) == f"{wiki.front.url} {message}"
    good = 6
    wiki.front.spoil = lambda asked: None
    before = len(wiki.front.asked)
    found = wiki.harvest(tmp_path, **WANTED)
    assert found.requests == good + len(wiki.front.asked) - before


def test_a_read_only_wiki_is_waited_for_and_its_reason_told(
    wiki: Running, undisturbed: Harvest, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    wiki.front.plan(READ_ONLY, READ_ONLY, None, None, READ_ONLY)
    assert pages(wiki.harvest(tmp_path, **WANTED)) == pages(undisturbed)
    told = [record.getMessage() for record in caplog.records if "read-only" in record.getMessage()]
    assert told == [f"the wiki is read-only ({REASON}.): waiting 0 s"] * 3


def test_how_long_a_read_only_wiki_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert sum(connection._READ_ONLY) == 195
    assert len(connection._READ_ONLY) == connection._TIMES


def test_an_empty_reply_after_a_restart_is_a_fault_too(wiki: Running, tmp_path: Path) -> None:
    """What was kept at the first start shows that it is a wiki."""
    wiki.front.spoil = lambda asked: Fault("dropped") if asked.number >= 6 else None
    with pytest.raises(BenchwrightError, match="is not reached"):
        wiki.harvest(tmp_path, at_once=1, **WANTED)
    wiki.front.spoil = lambda asked: Fault("json")
    with pytest.raises(BenchwrightError, match="gives empty or strange replies: start again later"):
        wiki.harvest(tmp_path, at_once=1, **WANTED)


def test_lag_is_waited_for(wiki: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real wiki that says it lags: with -2 as the most, it always does."""
    opened = wiki.open()
    monkeypatch.setattr(connection, "MAXLAG", -2)
    opened._site.sleepers.max_retries = 1
    started = time.monotonic()
    with pytest.raises(BenchwrightError, match="lags behind and sends us away: start again later"):
        harvest(opened, HarvestRequest(CUTOFF), open_store(tmp_path))
    assert time.monotonic() - started >= 5  # as the wiki's Retry-After says
    assert len(wiki.front.asked) == 2


PROGRAM = """
import json, os, signal, sys
from datetime import UTC, datetime
from benchwright.benchmarks.remote.response_store import ResponseStore
from benchwright.builders.wiki.site.connection import open_wiki
from benchwright.builders.wiki.site.harvest import HarvestRequest, harvest
from pathlib import Path
url, folder, at_once, dies, wanted = sys.argv[1:]
kept = []
class Dying(ResponseStore):
    def put(self, *what, **how):
        super().put(*what, **how)
        kept.append(what)
        if len(kept) == int(dies):
            os.kill(os.getpid(), signal.SIGKILL)
wiki = open_wiki(url, "tester@example.org", requests_per_minute=1000000, at_once=int(at_once))
store = Dying(Path(folder) / "wiki-replies.sqlite", elsewhere="", compresses=True)
found = harvest(wiki, HarvestRequest(datetime(2021, 10, 1, tzinfo=UTC), **json.loads(wanted)), store)
print(json.dumps([[page.id for page in found.created_after_cutoff + found.random + found.haystack], found.requests]))
"""


def program(wiki: Running, folder: Path, at_once: int, dies: int) -> list[str]:
    """A process that harvests, and kills itself after so many replies that are new."""
    return ["-c", PROGRAM, wiki.front.url, str(folder), str(at_once), str(dies), json.dumps(WANTED)]


def asked_twice(asked: list[Asked]) -> int:
    queries = [json.dumps(dict(one.query), sort_keys=True) for one in asked if one.status == 200]
    return len(queries) - len(set(queries))


def test_after_a_kill_nothing_is_fetched_twice(wiki: Running, undisturbed: Harvest, run: Run, tmp_path: Path) -> None:
    """Killed after each few replies, in all its steps, and started again until it ends."""
    starts = 0
    for dies in (1, 1, 1, 2, 1, 3, 2, 5, 7, 9, 0):
        done = run(*program(wiki, tmp_path, 1, dies))
        starts += 1
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
    assert starts >= 8
    ids, requests = json.loads(done.stdout)
    assert ids == [page.id for page in undisturbed.created_after_cutoff + undisturbed.random + undisturbed.haystack]
    assert asked_twice(wiki.front.asked) == 0
    assert requests == len(wiki.front.asked) == undisturbed.requests


@pytest.mark.parametrize("seconds", [0.3, *in_full(0.05, 0.5)])
def test_killed_at_any_moment_only_what_was_under_way_is_lost(
    wiki: Running, run: Run, start: Start, tmp_path: Path, seconds: float
) -> None:
    wiki.front.spoil = lambda asked: Fault("slow", seconds=0.05)
    process = start(*program(wiki, tmp_path, 3, 0))
    while len(wiki.front.asked) < 2:
        time.sleep(0.01)
    time.sleep(seconds)
    process.kill()
    process.wait()
    before = len(wiki.front.asked)
    assert run(*program(wiki, tmp_path, 3, 0)).returncode == 0
    assert before >= 2
    assert asked_twice(wiki.front.asked) <= 3


def test_no_more_requests_than_allowed(wiki: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """12 requests in each minute, which is made one of a second."""
    monkeypatch.setattr(connection, "_MINUTE", 1.0)
    opened = wiki.open(requests_per_minute=12)
    left, take = set[float](), opened.rate.take

    def noted(tokens: int = 0) -> float:
        seconds = take(tokens)
        with opened.rate._lock:
            left.update(opened.rate._sent)
        return seconds

    monkeypatch.setattr(opened.rate, "take", noted)
    wiki.front.spoil = each(10, Fault("status", 503, retry_after="0"), Fault("cut"))
    found = harvest(opened, HarvestRequest(CUTOFF, **WANTED), open_store(tmp_path))
    times = sorted(left)  # when they left: until a request is seen it takes a busy machine now more, now less
    assert found.requests == len(wiki.front.asked) == len(times) >= 36
    assert min(later - first for first, later in zip(times, times[12:], strict=False)) >= 1.0


@pytest.mark.parametrize("most", [1, 3])
def test_no_more_at_once_than_allowed(wiki: Running, tmp_path: Path, most: int) -> None:
    inside, seen, lock, are_all = [0], [0], threading.Lock(), threading.Event()

    def before(_: Asked) -> None:
        """A moment for others to come in, until as many were inside as may be."""
        with lock:
            inside[0] += 1
            seen.append(inside[0])
            if inside[0] >= most:
                are_all.set()
        are_all.wait(0.3)
        time.sleep(0.005)
        with lock:
            inside[0] -= 1

    wiki.front.before = before
    wiki.harvest(tmp_path, at_once=most, **WANTED)
    assert max(seen) == most


def test_who_asks_and_how(wiki: Running, tmp_path: Path) -> None:
    wiki.harvest(tmp_path, articles=20)
    agents = {asked.agent for asked in wiki.front.asked}
    assert len(agents) == 1
    assert agents.pop().startswith(f"benchwright/0.1.0 ({CONTACT}) mwclient/")
    assert {asked.query["maxlag"] for asked in wiki.front.asked} == {"5"}


def test_the_limit_counts_by_thread() -> None:
    rate = CountedRateLimit(5, 60.0)
    for _ in range(3):
        rate.wait()
    other = threading.Thread(target=rate.wait)
    other.start()
    other.join()
    assert rate.sent_by_this_thread == 3
    assert rate.take() == 0 < rate.take()


def test_a_store_belongs_to_a_request(wiki: Running, tmp_path: Path) -> None:
    wiki.harvest(tmp_path, articles=20)
    before = len(wiki.front.asked)
    wiki.harvest(tmp_path, articles=20)
    assert len(wiki.front.asked) == before
    wiki.harvest(tmp_path, articles=20, seed=1)
    assert len(wiki.front.asked) > before
    connected = sqlite3.connect(tmp_path / "wiki-replies.sqlite")
    assert connected.execute("SELECT DISTINCT model FROM replies").fetchall() == [(wiki.front.url,)]
    assert len(connected.execute("SELECT DISTINCT prompt FROM replies").fetchall()) == 2
    connected.close()


def test_a_damaged_store_is_an_error(wiki: Running, tmp_path: Path) -> None:
    path = tmp_path / "wiki-replies.sqlite"
    path.write_bytes(b"no database at all, but long enough to be looked at" * 100)
    with pytest.raises(BenchwrightError) as raised:
        wiki.harvest(tmp_path, articles=20)
    assert str(raised.value) == (
        f"the kept replies {path} are damaged or no such file (file is not a database): move the file away, or name "
        "another folder in XDG_CACHE_HOME"
    )
    (tmp_path / "file").touch()
    with pytest.raises(BenchwrightError, match=r"replies cannot be kept in .*/file/folder/wiki-replies.sqlite: "):
        open_store(tmp_path / "file" / "folder")


def test_a_reply_that_is_damaged_is_an_error(wiki: Running, tmp_path: Path) -> None:
    wiki.harvest(tmp_path, articles=20)
    connected = sqlite3.connect(tmp_path / "wiki-replies.sqlite")
    connected.execute("UPDATE replies SET body = CAST('nothing compressed' AS BLOB)")
    connected.commit()
    connected.close()
    with pytest.raises(StopError, match=r"are damaged or no such file .*incorrect header check"):
        wiki.harvest(tmp_path, articles=20)
