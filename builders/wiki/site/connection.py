"""A wiki that can be asked: its address, who asks, and errors that say in one line what is wrong with it."""

import logging
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

import mwclient
import requests
from mwclient import errors as mw

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.builders.wiki.site.rate_limit import CountedRateLimit, LimitedAdapter

log = logging.getLogger("benchwright")

OLDEST = (1, 32)
"""The first MediaWiki with a log of creations and with slots."""
MAXLAG = 5
"""Seconds that a wiki's copies of its database may lag behind before it sends us away."""
_TIMES = 6
"""How often a busy wiki is asked again."""
_WAITS = (0.5, 1.0, 2.0, 4.0)
"""Seconds before asking again after a broken connection or a broken reply."""
_READ_ONLY = (5.0, 10.0, 20.0, 40.0, 60.0, 60.0)
"""Seconds before a wiki that is read-only, as while its database is mended, is asked again."""
_RATE_LIMITED = 10.0
"""Seconds of rest where a wiki says that we are too fast without saying how long."""
_MINUTE = 60.0
_TIMEOUT = (10, 60)
"""Seconds to connect, and between two bytes."""
_EMAIL = re.compile(r"[\w.+%-]+@[\w-]+(\.[\w-]+)+", re.ASCII)
_URL = re.compile(r"https?://[\w.-]+\.[a-z]{2,}(:\d+)?(/[\w./~%#?=&+:@-]*)?", re.ASCII | re.IGNORECASE)
_EXAMPLE = re.compile(r"(^|[@./])example\.(org|com|net)($|[:/])|\.example($|[:/])", re.IGNORECASE)
_HERE = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class About:
    """What a wiki says of itself."""

    name: str
    server: str
    article_path: str
    """Where pages are read; `$1` is the title's place."""
    script: str
    """The address of `index.php`."""
    language: str
    licence: str
    licence_url: str
    generator: str
    articles: int
    edits: int
    namespaces: Mapping[int, str] = field(repr=False)

    def as_site(self) -> dict[str, str]:
        """What a harvest keeps of it. `history` gives the authors of a page: `{id}` is the place of its id."""
        return {
            "name": self.name,
            "server": self.server,
            "language": self.language,
            "licence": self.licence,
            "licence_url": self.licence_url,
            "generator": self.generator,
            "history": f"{self.script}?curid={{id}}&action=history",
        }


class RefusedError(BenchwrightError):
    """A wiki is there and does not answer this kind of query: it is forbidden or switched off, and stays so."""


class Wiki:
    """A wiki's API. Threads may share it."""

    def __init__(self, address: str, site: mwclient.Site, rate: CountedRateLimit, at_once: int, language: str) -> None:
        self.address = address
        """Of the folder that holds `api.php`, with a slash at its end."""
        self.at_once = at_once
        self.language = language
        self.rate = rate
        self._site = site
        self._known = threading.Event()
        """Whether it ever gave a reply: until then, nothing is waited for long."""

    def ask(self, **parameters: str | int) -> dict[str, Any]:
        """The reply to one query. Raises BenchwrightError where there is none."""
        waits = iter(_WAITS if self._known.is_set() else _WAITS[:2])
        rests = iter(_READ_ONLY)
        while True:
            try:
                reply = self._site.get("query", formatversion=2, maxlag=MAXLAG, retry_on_error=False, **parameters)
                if "query" not in reply and "batchcomplete" not in reply:
                    raise _StrangeReplyError
                self._known.set()
                return reply
            except _ReadOnlyError as error:
                self._known.set()
                rest = next(rests, None)
                if rest is None:
                    raise self._explained(error) from error
                log.warning("the wiki is read-only (%s): waiting %.0f s", error, rest)
                self.rate.pause(rest)
            except _BROKEN as error:
                wait = next(waits, None)
                if wait is None or not self._may_pass(error):
                    raise self._explained(error) from error
                log.info("a broken reply from %s, asking again: %s", self.address, type(error).__name__)
                time.sleep(wait)
            except mw.APIError as error:
                if error.code != "ratelimited" or next(waits, None) is None:
                    raise self._explained(error) from error
                self.rate.pause(_RATE_LIMITED)
            except (requests.RequestException, mw.MwClientError, ValueError) as error:
                raise self._explained(error) from error

    def _may_pass(self, error: Exception) -> bool:
        """Whether a broken reply may be followed by a good one."""
        if isinstance(error, _StrangeReplyError):
            return self._known.is_set()
        return not isinstance(error, requests.exceptions.SSLError) and not _is_page(error)

    def was_answered(self) -> None:
        """Notes that it replied at an earlier start, so that it is a wiki."""
        self._known.set()

    def _explained(self, error: Exception) -> BenchwrightError:
        reply = getattr(error, "response", None)
        is_forbidden = isinstance(reply, requests.Response) and reply.status_code in (401, 403)
        is_refused = is_forbidden or (isinstance(error, mw.APIError) and not _PASSING.fullmatch(str(error.code)))
        return (RefusedError if is_refused else BenchwrightError)(_explain(self.address, error, self._known.is_set()))


class _StrangeReplyError(Exception):
    """JSON that is no reply to a query, such as `{}`."""


class _ReadOnlyError(Exception):
    """A wiki that says why it takes no requests for a while."""


class _Site(mwclient.Site):
    """mwclient's site, which forgets why a wiki is read-only and fails in several ways at replies that are none."""

    def handle_api_result(self, info: Any, kwargs: Any = None, sleeper: Any = None) -> bool:
        """Whether a reply holds no error that is to be waited for."""
        if not isinstance(info, dict) or not isinstance(error := info.get("error", {}), dict):
            raise _StrangeReplyError
        if error.get("code") == "readonly":
            raise _ReadOnlyError(_in_a_line(error.get("readonlyreason") or error.get("info") or "no reason given"))
        try:
            return super().handle_api_result(info, kwargs, sleeper)
        except (AttributeError, KeyError, TypeError) as error:
            raise _StrangeReplyError from error


def _in_a_line(said: object) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in str(said)).split())[:200]


_PASSING = re.compile(r"ratelimited|readonly|maxlag|internal_api_error_.*")
"""Codes of errors that pass: a later start goes on."""
_BROKEN = (
    _StrangeReplyError,
    requests.exceptions.ConnectionError,
    requests.exceptions.Timeout,
    requests.exceptions.ChunkedEncodingError,
    requests.exceptions.ContentDecodingError,
    mw.InvalidResponse,
)


def open_wiki(
    site: str,
    contact: str,
    *,
    language: str = "",
    requests_per_minute: int = 200,
    at_once: int = 3,
) -> Wiki:
    """A wiki by its host (`en.wikipedia.org`) or address (`http://127.0.0.1:8095/w/`); nothing is asked of it yet.

    `language` is what the wiki must say that it is written in; empty: anything. `contact` is an e-mail or web address
    of whoever runs this: a wiki's operators write there if something goes wrong.
    Raises UsageError.
    """
    scheme, host, path = _read_address(site)
    if requests_per_minute < 1 or at_once < 1:
        raise UsageError("a wiki must be asked at least once a minute, by one at once")
    session = requests.Session()
    session.headers["User-Agent"] = _name(check_contact(contact, host))
    rate = CountedRateLimit(requests_per_minute, _MINUTE)
    adapter = LimitedAdapter(rate, at_once, _TIMES)
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    logging.getLogger("mwclient").setLevel(logging.ERROR)  # it would print each repetition
    client = _Site(
        host, path=path, scheme=scheme, pool=session, do_init=False, max_retries=_TIMES, retry_timeout=1,
        connection_options={"timeout": _TIMEOUT}, wait_callback=lambda *_: log.info("the wiki lags behind: waiting"),
    )  # fmt: skip
    return Wiki(f"{scheme}://{host}{path}", client, rate, at_once, language)


def check_contact(contact: str, host: str = "") -> str:
    """The contact, if people can be reached by it. An invented one is good enough for a wiki on this machine."""
    contact = contact.strip()
    wanted = "give --set contact=YOU@YOUR-DOMAIN, or your web page: a wiki's operators must be able to reach you"
    if not contact:
        raise UsageError(f"the contact is missing: {wanted}")
    if not (_EMAIL.fullmatch(contact) or _URL.fullmatch(contact)):
        raise UsageError(f"the contact {contact!r} is neither an e-mail nor a web address: {wanted}")
    if _EXAMPLE.search(contact) and host and host.rsplit(":", 1)[0] not in _HERE:
        raise UsageError(f"the contact {contact!r} is nobody's: {wanted}")
    return contact


def about(wiki: Wiki, reply: Mapping[str, Any]) -> About:
    """What a wiki's reply to `ABOUT` says. Raises BenchwrightError where it cannot be harvested."""
    query = reply.get("query", {})
    general = query.get("general", {})
    generator = str(general.get("generator", ""))
    found = re.match(r"MediaWiki (\d+)\.(\d+)", generator)
    if not found:
        raise BenchwrightError(f"{wiki.address} is not a MediaWiki: it calls itself {generator or 'nothing'!r}")
    if (int(found[1]), int(found[2])) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise BenchwrightError(
            f"{wiki.address} runs {generator}, which is too old: pages' creation and content are read as from "
            f"MediaWiki {oldest}"
        )
    language = str(general.get("lang", ""))
    check_same_language(wiki.address, language, wiki.language)
    server = str(general.get("server", ""))
    server = f"https:{server}" if server.startswith("//") else server
    rights, statistics = query.get("rightsinfo", {}), query.get("statistics", {})
    return About(
        name=str(general.get("sitename", "")),
        server=server,
        article_path=server + str(general.get("articlepath", "/wiki/$1")),
        script=server + str(general.get("script", "/w/index.php")),
        language=language,
        licence=str(rights.get("text", "")),
        licence_url=str(rights.get("url", "")),
        generator=generator,
        articles=int(statistics.get("articles", 0)),
        edits=int(statistics.get("edits", 0)),
        namespaces={int(n["id"]): str(n.get("canonical", n.get("name", ""))) for n in query["namespaces"].values()},
    )


def check_same_language(place: str, said: str, wanted: str) -> None:
    """Raises BenchwrightError where a wiki or its dump says that it is written in another language than is wanted."""
    if wanted and said.split("-")[0].lower() != wanted.split("-")[0].lower():
        raise BenchwrightError(
            f"{place} is written in {said!r}, not {wanted!r}: give another --set site or dump, or leave language out"
        )


ABOUT: Mapping[str, str] = {"meta": "siteinfo", "siprop": "general|namespaces|statistics|rightsinfo"}
"""The query that `about` reads."""


def _name(contact: str) -> str:
    client = f"mwclient/{version('mwclient')} requests/{version('requests')}"
    return f"benchwright/{version('benchwright')} ({contact}) {client}"


def _read_address(site: str) -> tuple[str, str, str]:
    """Scheme, host with its port, and the folder of `api.php`."""
    wrong = UsageError(
        f"{_without_user(site)!r} is no address of a wiki: give a host such as en.wikipedia.org, or the folder of its "
        "api.php such as http://127.0.0.1:8095/w/"
    )
    given = site.strip()
    try:
        parts = urlsplit(given if "://" in given else f"https://{given}")
        port = parts.port
    except ValueError:
        raise wrong from None
    if parts.scheme not in ("http", "https") or not re.fullmatch(r"[\w.-]+|[\da-f:]+", parts.hostname or ""):
        raise wrong
    if parts.username or parts.password or parts.query or parts.fragment or re.search(r"\s", given):
        raise wrong
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    path = re.sub(r"(api|index)\.php$", "", parts.path) or "/w/"
    path = "/w/" if path == "/" and "://" not in given else path
    return parts.scheme, f"{host}:{port}" if port else host, path if path.endswith("/") else f"{path}/"


def _without_user(site: str) -> str:
    """An address as it may be told: without the name and password that somebody wrote into it."""
    before, at, after = site.rpartition("@")
    scheme, sign, _ = before.partition("://")
    return f"{scheme}{sign}…@{after}" if at and sign else f"…@{after}" if at else site


def _is_page(error: Exception) -> bool:
    """Whether a reply is a whole page for people, so that asking again gives the same."""
    return isinstance(error, mw.InvalidResponse) and "</html>" in str(error.args[0] if error.args else "").lower()


def _explain(address: str, error: Exception, is_known: bool) -> str:
    """What is wrong with a wiki, and what to do, in a line. `is_known`: it has replied before."""
    reply = getattr(error, "response", None)
    status = reply.status_code if isinstance(reply, requests.Response) else 0
    detail = " ".join(str(error).split())[:200]
    match error:
        case _StrangeReplyError() if is_known:
            return f"{address} gives empty or strange replies: start again later; what has arrived is kept"
        case _StrangeReplyError():
            return f"{address} is not a wiki: its api.php gives something else"
        case _ReadOnlyError():
            return f"{address} stays read-only ({detail}): start again later; what has arrived is kept"
        case mw.APIError(code="readapidenied"):
            return f"{address} is closed: only people who are logged in may read it"
        case mw.APIError():
            return f"{address} refuses a request ({error.code}): {' '.join(str(error.info).split())[:200]}"
        case mw.MaximumRetriesExceeded():
            return f"{address} lags behind and sends us away: start again later; what has arrived is kept"
        case mw.APIDisabledError():
            return f"{address} is closed: its API is switched off"
        case requests.exceptions.SSLError():
            return f"{address} cannot be trusted, its certificate or encryption is not in order: {detail}"
        case requests.exceptions.RetryError():
            return f"{address} is too busy: asked {_TIMES + 1} times; start again later, what has arrived is kept"
        case requests.exceptions.HTTPError() if status in (401, 403):
            return f"{address} refuses us (HTTP {status}): it is closed, or does not like the contact that was given"
        case requests.exceptions.HTTPError():
            return f"there is no wiki at {address}: HTTP {status}; give the folder of its api.php with --set site"
        case requests.exceptions.Timeout():
            return f"{address} does not answer in time: start again later; what has arrived is kept"
        case requests.exceptions.ChunkedEncodingError() | requests.exceptions.ContentDecodingError():
            return f"{address} breaks off its replies: start again later; what has arrived is kept"
        case requests.exceptions.ConnectionError():
            return f"{address} is not reached: it is down, or the address is wrong (what has arrived is kept)"
        case mw.InvalidResponse():
            return f"{address} is not a wiki, or is broken: its api.php does not give JSON"
        case _:
            return f"{address} is not a wiki: its api.php gives something else ({type(error).__name__})"
