"""Requests to a service: several at once over kept connections, sent again where that can help, and counted."""

import asyncio
import os
import random
import re
import ssl
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from benchwright.benchmarks.errors import BenchwrightError, StopError
from benchwright.benchmarks.models.endpoint.http_errors import LONGEST_PAUSE, retry_after
from benchwright.benchmarks.models.endpoint.rate_limit import EndpointLimit
from benchwright.benchmarks.models.responses import shown
from benchwright.benchmarks.systems.services.bodies import decoded

if TYPE_CHECKING:
    import aiohttp

TRIES_AT_LIMIT = 12
"""How often a request is sent, at most, to a service that only says that it is asked too much."""
LONGEST_BODY = 64 * 2**20
"""Bytes of a body, unpacked, that are read."""
_REDIRECTS = 5
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 5.0
"""Seconds before the second try, four times as many before each further one; a random part is taken off."""
LOST = 10
"""Requests in a row for which nobody was there, after which the run stops; more where more are on their way at once."""
_ABSENT = ("no connection", "answered 503")
"""Failures that say nothing of the question."""
_NOT_AGAIN = (501, 505)
"""Errors of a server that stay as they are."""


@dataclass(frozen=True)
class Request:
    """What is sent."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    parameters: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None


@dataclass(frozen=True)
class Received:
    """What came back, with a status that is no error."""

    status: int
    content_type: str
    body: bytes
    seconds: float
    """That the last try took."""


@dataclass(frozen=True)
class _Failure:
    """A try that failed."""

    text: str
    again: bool = False
    """Another try may go better."""
    sort: str = ""
    """As it is counted: "answered 503"."""
    is_limit: bool = False
    pause: float | None = None
    """Seconds that the service asks to wait."""


class Connection:
    """Sends requests. Belongs to the event loop of its first request, and is closed when that ends its tasks."""

    def __init__(self, timeout: float, retries: int, at_once: int) -> None:
        """Nothing is opened before the first request.

        Args:
            timeout: seconds that a request may take, its body included.
            retries: how often a request is sent again, at most, where the service fails.
            at_once: requests on their way, at most; fewer after the service has said that these are too many.
        """
        self._timeout, self._retries, self._at_once = timeout, retries, at_once
        self._session: aiohttp.ClientSession | None = None
        self._limit: EndpointLimit | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._proxies: dict[str, str | None] = {}
        """Scheme, host and port → the proxy that is between."""
        self._lost = 0
        """Requests in a row for which nobody was there."""
        self.sent_again: Counter[str] = Counter()
        """Why requests were sent again → how often."""

    async def send(self, request: Request) -> Received:
        """Sends a request until it is answered, or until another try is not worth it.

        Raises:
            BenchwrightError: it has no answer; the text says what came instead.
            StopError: nobody has been there for many requests in a row.
        """
        tried = 0
        while True:
            found = await self._permitted(request)
            if isinstance(found, Received):
                self._lost = 0
                return found
            tried += 1
            most = TRIES_AT_LIMIT if found.is_limit and self._retries else self._retries + 1
            if not found.again or tried >= most:
                raise self._given_up(found, tried)
            self.sent_again[found.sort] += 1
            if found.pause is None:
                pause = min(_FIRST_PAUSE * 4 ** (tried - 1), _LONGEST_PAUSE)
                await asyncio.sleep(pause * (0.5 + random.random() / 2))
            elif not found.is_limit:
                await asyncio.sleep(found.pause)

    def _given_up(self, failure: _Failure, tried: int) -> BenchwrightError:
        """The error of a request that failed for good; where all do for want of a service, that of the run."""
        text = failure.text + (f" ({tried} times)" if tried > 1 else "")
        self._lost = self._lost + 1 if failure.sort in _ABSENT else 0
        if self._lost < max(LOST, 2 * self._at_once):
            return BenchwrightError(text)
        return StopError(
            f"{self._lost:,} requests in a row failed: {text}; what came before is kept, start again later"
        )

    async def _permitted(self, request: Request) -> Received | _Failure:
        if self._limit is None:
            self._limit = EndpointLimit(self._at_once)
        async with self._limit.permit(0) as permit:
            found = await self._try(request)
            if isinstance(found, Received):
                self._limit.succeeded()
            elif found.is_limit:
                self._limit.refused(permit, found.pause)
            return found

    async def _try(self, request: Request) -> Received | _Failure:
        """What came of a request, in which redirects to the same host are followed."""
        import aiohttp

        started = time.perf_counter()
        try:
            async with asyncio.timeout(self._timeout):
                for _ in range(_REDIRECTS):
                    status, headers, body = await self._exchange(request)
                    place = headers.get("Location")
                    if status not in (301, 302, 303, 307, 308) or place is None:
                        return self._judged(status, headers, body, time.perf_counter() - started)
                    following = _redirected(request, status, place)
                    if isinstance(following, _Failure):
                        return following
                    request = following
            return _Failure(f"{_origin(request.url)} redirects more than {_REDIRECTS} times")
        except TimeoutError:
            return _Failure(f"no answer within {self._timeout:g} s")
        except aiohttp.ClientSSLError as error:
            said = f"cannot connect to {_origin(request.url)}: {_words(error)}"
            is_unknown = isinstance(error, aiohttp.ClientConnectorCertificateError)
            return _Failure(said + ("; SSL_CERT_FILE may name your own authority's certificate" if is_unknown else ""))
        except aiohttp.ClientConnectorError as error:
            proxy = self._proxy(request.url)
            through = f" through the proxy {_origin(proxy)}" if proxy is not None else ""
            said = f"cannot connect to {_origin(request.url)}{through}: {_words(error)}"
            return _Failure(said, True, "no connection")
        except aiohttp.ClientPayloadError as error:
            if "encoding" in str(error):
                return _Failure(f"returned a body that cannot be unpacked: {_words(error)}")
            return _Failure("the connection broke before the body was whole", True, "the connection broke")
        except aiohttp.ClientConnectionError as error:
            return _Failure(f"the connection broke: {_words(error)}", True, "the connection broke")
        except aiohttp.ClientError as error:  # such as what is left over of a reply that said too little of its length
            said = f"{_origin(request.url)} answers with what is no HTTP: {_words(error)}"
            return _Failure(said, True, "answered what is no HTTP")

    async def _exchange(self, request: Request) -> tuple[int, Mapping[str, str], bytes]:
        session = self._opened(request.url.lower().startswith("https"))
        async with session.request(
            request.method,
            request.url,
            headers=request.headers,
            params=request.parameters or None,
            data=request.body,
            allow_redirects=False,
            proxy=self._proxy(request.url),
        ) as response:
            parts, length = list[bytes](), 0
            async for part in response.content.iter_any():
                parts.append(part)
                length += len(part)
                if length > LONGEST_BODY:
                    response.close()
                    raise BenchwrightError(f"returned more than {LONGEST_BODY // 2**20} MB")
            return response.status, response.headers, b"".join(parts)

    def _opened(self, is_secure: bool) -> "aiohttp.ClientSession":
        """One session for all requests, without cookies: no question may know of the one before."""
        if self._session is None:
            import aiohttp

            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, ssl=ssl.create_default_context() if is_secure else True),
                timeout=aiohttp.ClientTimeout(total=None),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": "benchwright"},
                max_line_size=2**16,
                max_field_size=2**16,
            )
            self._keeper = asyncio.create_task(self._keep(self._session))
        return self._session

    def _proxy(self, url: str) -> str | None:
        """The proxy that the environment names for an address; none for this machine's own."""
        origin = _origin(url)
        if origin not in self._proxies:
            from urllib.request import getproxies, proxy_bypass

            parts = urlsplit(url)
            host = parts.hostname or ""
            is_here = host == "localhost" or host.startswith("127.") or host == "::1"
            self._proxies[origin] = None if is_here or proxy_bypass(host) else getproxies().get(parts.scheme)
        return self._proxies[origin]

    def _judged(self, status: int, headers: Mapping[str, str], body: bytes, seconds: float) -> Received | _Failure:
        """A response, or the failure that its status says."""
        content_type = headers.get("Content-Type", "")
        if 200 <= status < 300:
            return Received(status, content_type, body, seconds)
        said = shown(_plain(decoded(body, content_type))).rstrip(". ")
        text = f"the service answered {status}" + (f": {said}" if said else "")
        is_limit = status == 429
        if not (is_limit or status in (408, 425) or (status >= 500 and status not in _NOT_AGAIN)):
            return _Failure(text)
        pause = retry_after({"retry-after": headers.get("Retry-After", "")})
        if pause is not None and pause > LONGEST_PAUSE:
            return _Failure(f"{text}; it asks to wait {pause:,.0f} s")
        return _Failure(text, True, f"answered {status}", is_limit, pause)

    async def _keep(self, session: "aiohttp.ClientSession") -> None:
        """Closes all connections when the event loop ends what runs in it."""
        try:
            await asyncio.Event().wait()
        finally:
            self._session = self._limit = None  # what asks next does so in a loop of its own
            await session.close()


def _redirected(request: Request, status: int, place: str) -> Request | _Failure:
    """Where a redirect leads: on the same host, as headers may hold secrets."""
    try:
        url = urljoin(request.url, place)
        old, new = urlsplit(request.url), urlsplit(url)
    except ValueError:  # half an IPv6 address
        return _Failure(f"{_origin(request.url)} redirects to what is no address: {shown(place)}")
    if new.hostname != old.hostname or (old.scheme, new.scheme) == ("https", "http"):
        return _Failure(f"{_origin(request.url)} redirects to {_origin(url)}: give the address where it ends")
    if status == 303 or (status in (301, 302) and request.method not in ("POST", "GET", "PUT", "HEAD")):
        return Request("GET", url, request.headers)
    return Request(request.method, url, request.headers, (), request.body)


def _origin(url: str) -> str:
    """The scheme, host and port of an address, which hold no secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _plain(text: str) -> str:
    """An error page without its tags, scripts and styles."""
    if not text.lstrip().startswith("<"):
        return text
    return re.sub(r"<[^>]*>", " ", re.sub(r"(?is)<(script|style)\b.*?</\1>", " ", text))


def _words(error: BaseException) -> str:
    """What is wrong, in the words of the innermost error of the system."""
    inner: Any = getattr(error, "os_error", None) or getattr(error, "certificate_error", None) or error
    if isinstance(inner, ssl.SSLError):
        said = getattr(inner, "verify_message", None) or inner.reason or str(inner)
        return "it answers without TLS: write http://" if said == "WRONG_VERSION_NUMBER" else shown(said)
    number, message = getattr(inner, "errno", None), getattr(inner, "message", None)
    if isinstance(number, int) and number > 0:
        return shown(os.strerror(number))
    said = message if isinstance(message, str) and message else str(inner)
    return shown(re.sub(r"^\d+, message:\s+", "", said).strip().partition("\n")[0].rstrip(": ")) or type(error).__name__
