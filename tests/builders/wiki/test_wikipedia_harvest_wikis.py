"""Wikis that cannot be harvested, and requests that cannot be meant: one line that says what is wrong."""

import json
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from wikis import CONTACT, CUTOFF, running

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.builders.wiki.own.encyclopedia import encyclopedia
from benchwright.builders.wiki.site import connection
from benchwright.builders.wiki.site.cached_wiki import open_store
from benchwright.builders.wiki.site.connection import check_contact, open_wiki
from benchwright.builders.wiki.site.harvest import HarvestRequest, harvest
from benchwright.builders.wiki.site.pinned import read_pin
from benchwright.scripts.servers.mediawiki.wiki import free_port

Answering = Callable[[int, str, str], str]


@pytest.fixture
def answering() -> Iterator[Answering]:
    """Starts a server that gives one answer to everything: its address."""
    servers: list[HTTPServer] = []

    def start(status: int, kind: str, body: str) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing is printed."""

        server = HTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return f"http://127.0.0.1:{server.server_address[1]}/w/"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_WAITS", (0.01, 0.02, 0.03, 0.04))


def failure(address: str, folder: Path, **options: Any) -> str:
    with pytest.raises(BenchwrightError) as raised:
        harvest(open_wiki(address, CONTACT, language="en", **options), HarvestRequest(CUTOFF), open_store(folder))
    assert "\n" not in str(raised.value)
    assert str(raised.value).startswith(f"{address} ") or str(raised.value).endswith("--set site")
    return str(raised.value).replace(f"{address} ", "").replace(address, "")


def described(generator: str, language: str = "en") -> str:
    general = {"generator": generator, "lang": language}
    return json.dumps({"batchcomplete": True, "query": {"general": general, "namespaces": {}}})


HTML = "<!doctype html><html><body>Welcome</body></html>"
ANSWERS = {
    "html": (200, "text/html", HTML, "is not a wiki, or is broken: its api.php does not give JSON"),
    "not found": (404, "text/html", HTML, "there is no wiki at : HTTP 404; give the folder of its api.php with --set site"),
    "gone": (410, "text/html", HTML, "there is no wiki at : HTTP 410; give the folder of its api.php with --set site"),
    "refused": (403, "text/html", HTML, "refuses us (HTTP 403): it is closed, or does not like the contact that was given"),
    "login": (401, "text/html", HTML, "refuses us (HTTP 401): it is closed, or does not like the contact that was given"),
    "other json": (200, "application/json", '{"hello": "world"}', "is not a wiki: its api.php gives something else"),
    "a list": (200, "application/json", "[1, 2]", "is not a wiki: its api.php gives something else"),
    "a number": (200, "application/json", "3", "is not a wiki: its api.php gives something else"),
    "null": (200, "application/json", "null", "is not a wiki: its api.php gives something else"),
    "nothing": (200, "text/plain", "", "is not a wiki, or is broken: its api.php does not give JSON"),
    "query of another kind": (200, "application/json", '{"query": [1]}', "is not a wiki: its api.php gives something else"),
    "an empty query": (200, "application/json", '{"query": {}}', "is not a MediaWiki: it calls itself 'nothing'"),
    "another wiki": (200, "application/json", described("DokuWiki 9"), "is not a MediaWiki: it calls itself 'DokuWiki 9'"),
    "ancient": (
        200, "application/json", described("MediaWiki 1.31.16"),
        "runs MediaWiki 1.31.16, which is too old: pages' creation and content are read as from MediaWiki 1.32",
    ),
    "another language": (
        200, "application/json", described("MediaWiki 1.45.0-wmf.5", "de-at"),
        "is written in 'de-at', not 'en': give another --set site or dump, or leave language out",
    ),
    "an API that is off": (200, "text/plain", "MediaWiki API is not enabled for this site.", "is closed: its API is switched off"),
    "an error": (
        200, "application/json", '{"error": {"code": "internal_api_error_X", "info": "Caught\\nsomething"}}',
        "refuses a request (internal_api_error_X): Caught something",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_what_is_no_wiki_for_us(answering: Answering, tmp_path: Path, name: str) -> None:
    status, kind, body, message = ANSWERS[name]
    assert failure(answering(status, kind, body), tmp_path) == message


def test_a_wiki_that_is_down(tmp_path: Path) -> None:
    address = f"http://127.0.0.1:{free_port()}/w/"
    assert (
        failure(address, tmp_path) == "is not reached: it is down, or the address is wrong (what has arrived is kept)"
    )


def test_a_wiki_whose_encryption_is_not_in_order(answering: Answering, tmp_path: Path) -> None:
    address = answering(200, "text/html", HTML).replace("http:", "https:")
    assert failure(address, tmp_path).startswith("cannot be trusted, its certificate or encryption is not in order: ")


def test_a_closed_wiki(tmp_path: Path) -> None:
    with running(tmp_path / "wiki", "encyclopedia-100", encyclopedia(100), MW_CLOSED="1") as wiki:
        assert failure(wiki.front.url, tmp_path) == "is closed: only people who are logged in may read it"


@pytest.mark.parametrize(
    ("site", "address"),
    [
        ("en.wikipedia.org", "https://en.wikipedia.org/w/"),
        (" https://en.wikipedia.org/w/api.php ", "https://en.wikipedia.org/w/"),
        ("http://127.0.0.1:8095/w/", "http://127.0.0.1:8095/w/"),
        ("http://127.0.0.1:8095/w", "http://127.0.0.1:8095/w/"),
        ("wiki.example.com/", "https://wiki.example.com/w/"),
        ("https://wiki.example.com/", "https://wiki.example.com/"),
        ("localhost:8095/mediawiki/index.php", "https://localhost:8095/mediawiki/"),
        ("http://[::1]:8095/w/", "http://[::1]:8095/w/"),
    ],
)
def test_addresses(site: str, address: str) -> None:
    assert open_wiki(site, "me@operator.net").address == address


@pytest.mark.parametrize(
    "site",
    [
        "",
        "en wikipedia",
        "ftp://wiki.net/",
        "http://",
        "https://me:pass@wiki.net/w/",
        "http://wiki.net:99999/",
        "w?x=1",
    ],
)
def test_wrong_addresses(site: str) -> None:
    with pytest.raises(
        UsageError, match=r"is no address of a wiki: give a host such as en\.wikipedia\.org, or the folder"
    ):
        open_wiki(site, "me@operator.net")


@pytest.mark.parametrize(
    "contact",
    ["me@operator.net", "first.last+wiki@uni.ac.uk", "https://operator.net/bots", "http://operator.net:8080/~me?a=b"],
)
def test_contacts(contact: str) -> None:
    assert check_contact(f" {contact} ", "en.wikipedia.org") == contact


REACH = "give --set contact=YOU@YOUR-DOMAIN, or your web page: a wiki's operators must be able to reach you"


@pytest.mark.parametrize(
    ("contact", "message"),
    [
        ("", f"the contact is missing: {REACH}"),
        ("  ", f"the contact is missing: {REACH}"),
        ("me", f"the contact 'me' is neither an e-mail nor a web address: {REACH}"),
        ("me@localhost", f"the contact 'me@localhost' is neither an e-mail nor a web address: {REACH}"),
        ("a@b.net\r\nX: y", f"the contact 'a@b.net\\r\\nX: y' is neither an e-mail nor a web address: {REACH}"),
        ("a@b.net) evil", f"the contact 'a@b.net) evil' is neither an e-mail nor a web address: {REACH}"),
        ("you@example.org", f"the contact 'you@example.org' is nobody's: {REACH}"),
        ("https://www.example.com/me", f"the contact 'https://www.example.com/me' is nobody's: {REACH}"),
    ],
)
def test_wrong_contacts(contact: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        open_wiki("en.wikipedia.org", contact)
    assert str(raised.value) == message


def test_on_this_machine_any_contact_will_do() -> None:
    open_wiki("http://127.0.0.1:8095/w/", "you@example.org")
    open_wiki("http://localhost/w/", "you@example.org")


FUTURE = datetime.now(UTC) + timedelta(days=3)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (HarvestRequest(FUTURE), f"the cutoff {FUTURE:%Y-%m-%d} is in the future: no page is newer"),
        (HarvestRequest(CUTOFF, until=CUTOFF), "no page can be newer than 2021-10-01T00:00:00Z and older than 2021-10-01T00:00:00Z"),
        (HarvestRequest(CUTOFF, articles=-1), "articles must not be negative"),
        (HarvestRequest(CUTOFF, articles=0, random=0), "no page is asked for: give articles, random or haystack"),
    ],
    ids=["future", "empty span", "negative", "nothing"],
)  # fmt: skip
def test_requests_that_cannot_be_meant(tmp_path: Path, request_: HarvestRequest, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        harvest(open_wiki("http://127.0.0.1:9/w/", CONTACT), request_, open_store(tmp_path))
    assert str(raised.value).startswith(message)


def test_a_pin_that_is_not_whole() -> None:
    with pytest.raises(BenchwrightError, match=r"a pinned page is not whole \(KeyError: 'title'\)"):
        read_pin({"id": 3})
