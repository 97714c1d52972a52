"""Requests that got no response: whether there was no connection, it broke, or nothing came in time."""

import asyncio
import contextlib
import socket
import ssl
from urllib.parse import urlsplit

from benchwright.benchmarks.models.endpoint.http_errors import RequestFailure
from benchwright.benchmarks.models.responses import shown
from benchwright.benchmarks.models.settings import Endpoint

_STARTING = 2
"""Times that a connection may be refused: the server may be about to start."""
_HANDSHAKE = 5.0
"""Seconds that a server may take to show that it speaks TLS."""


LATE = RequestFailure("no answer within the time limit", again=True, most=2, state="timed_out")
"""A request whose answer was not there in time, or not all of it."""


async def failure_of_connection(endpoint: Endpoint, error: Exception, *, has_answered: bool) -> RequestFailure:
    """What an error of the SDK or of its transport means.

    Args:
        endpoint: who was asked.
        error: what was raised.
        has_answered: the endpoint has answered before, so that its address is right.
    """
    import aiohttp
    import httpx2
    import openai

    from benchwright.benchmarks.models.endpoint.bounded import PackedOtherwiseError, TooLargeError

    url, chain = endpoint.address, _chain(error)
    if any(isinstance(each, httpx2.ReadTimeout) for each in chain):
        return LATE
    for each in chain:
        if isinstance(each, TooLargeError | PackedOtherwiseError):
            return RequestFailure(str(each), again=True, most=2)
    for each in reversed(chain):  # from the reason to what the transport made of it
        if isinstance(each, ssl.SSLCertVerificationError):
            return _final(
                f"the certificate of {url} is not trusted ({_reason(each)})",
                "check the address, or name the file of its authority in SSL_CERT_FILE",
            )
    if not has_answered:
        for each in reversed(chain):
            if isinstance(each, aiohttp.ClientHttpProxyError):
                return _final(
                    f"{url} cannot be reached: the proxy answered {each.status} {each.message}".rstrip(),
                    "check HTTPS_PROXY, or name the host in NO_PROXY",
                )
            if isinstance(each, aiohttp.ClientProxyConnectionError):
                return _final(
                    f"{url} cannot be reached: the proxy at {each.host}:{each.port} gives no connection",
                    "check HTTP_PROXY and HTTPS_PROXY, or name the host in NO_PROXY",
                )
            if isinstance(each, socket.gaierror):
                return _final(
                    f"{url} cannot be reached: the name {urlsplit(url).hostname} is not found ({each.strerror})",
                    "check --base-url and the network",
                )
            if isinstance(each, ssl.SSLError):
                return _final(
                    f"{url} cannot be reached: what listens there does not speak TLS ({_reason(each)})",
                    "give the address with http://",
                )
        if not any(isinstance(each, aiohttp.ClientConnectorError) for each in chain) and await _speaks_tls(url):
            return _final(f"{url} cannot be reached: what listens there speaks TLS", "give the address with https://")
        if isinstance(error, aiohttp.ClientResponseError):
            return _final(f"{url} cannot be reached: what listens there does not speak HTTP", "check --base-url")
    what = "no connection" if any(isinstance(each, aiohttp.ClientConnectorError) for each in chain) else None
    if what is None and isinstance(error, openai.APITimeoutError) and not _is_broken(chain):
        what = "no connection in time"
    most = _STARTING if what and not has_answered else None
    text = f"{what or 'the connection failed'}: {_cause(chain)}"
    return RequestFailure(text, again=True, most=most, state="lost")


def _final(text: str, advice: str) -> RequestFailure:
    return RequestFailure(text, advice, is_fatal=True, state="lost")


def _chain(error: BaseException) -> list[BaseException]:
    """An error and what it came of."""
    found: list[BaseException] = []
    inner: BaseException | None = error
    while inner is not None and inner not in found:
        found.append(inner)
        inner = inner.__cause__ or inner.__context__
    return found


def _is_broken(chain: list[BaseException]) -> bool:
    """Whether there was a connection, which the other side ended."""
    import aiohttp

    return any(isinstance(each, aiohttp.ServerDisconnectedError | ConnectionResetError) for each in chain)


def _reason(error: ssl.SSLError) -> str:
    """What is wrong with a certificate or a handshake, in words."""
    said = getattr(error, "verify_message", "") or (error.reason or str(error)).replace("_", " ").lower()
    return shown(said)


def _cause(chain: list[BaseException]) -> str:
    """The innermost reason that has words."""
    said = [str(each) for each in chain if str(each)]
    return shown(said[-1]) if said else type(chain[-1]).__name__


async def _speaks_tls(url: str) -> bool:
    """Whether a server whose address begins with http:// wants to be asked with https://."""
    parts = urlsplit(url)
    if parts.scheme != "http":
        return False
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with contextlib.suppress(OSError, TimeoutError):  # which ssl's errors are
        async with asyncio.timeout(_HANDSHAKE):
            _, writer = await asyncio.open_connection(parts.hostname, parts.port or 80, ssl=context)
            writer.close()
            return True
    return False
