"""Addresses of endpoints: checked, taken apart into base and query, and shown without the secrets in the query."""

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.secrecy import HIDDEN, is_secret_name, keep_secret

_PATHS = ("/chat/completions", "/responses", "/embeddings", "/rerank")
"""What an address may end with where it was copied whole."""
_AZURE = (".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com")
_VERSION = "api-version"
_RANDOM = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w.~+/=-]{20,}")
"""What a value of a query looks like that nobody has chosen as a name."""
_EXAMPLE = "http://127.0.0.1:8080/v1"
_SECRET_NAMES = ("code", "sig", "signature")


def checked_address(url: str, key_name: str) -> str:
    """An address as it is used: without an ending slash or path of a request; the secrets of its query are kept.

    Raises:
        UsageError: it is none, or holds credentials, whose place is the variable `key_name`.
    """
    if "@" in url.partition("//")[2].partition("/")[0]:
        raise UsageError(f"a --base-url must hold no credentials: put the key in {key_name}")
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        is_address = parts.scheme in ("http", "https") and bool(host) and parts.port != 0 and " " not in host
        host.encode("idna")
    except ValueError:  # of a port that is none, half an IPv6 address, or a name with an empty or too long part
        is_address = False
    if not is_address or not url.isprintable():
        raise UsageError(f"{_unsaid(url)!r} is not the address of an endpoint: give one such as {_EXAMPLE}")
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    path = next((path.removesuffix(ending) for ending in _PATHS if path.endswith(ending)), path)
    for name, value in parse_qsl(parts.query):
        if _is_secret(name, value):
            keep_secret(value)
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


def _unsaid(url: str) -> str:
    """What was given as an address, without what may be a password: before the last `@`, and in a query."""
    before, mark, rest = url.replace("%40", "@").rpartition("@")
    rest = rest.partition("?")[0]
    return f"{HIDDEN}{mark}{rest}" if before else rest


def base_of(address: str) -> str:
    """An address without its query, which goes after the path of a request."""
    return urlunsplit((*urlsplit(address)[:3], "", ""))


def query_of(address: str) -> Mapping[str, str]:
    """The query of an address."""
    return dict(parse_qsl(urlsplit(address).query, keep_blank_values=True))


def shown_address(address: str) -> str:
    """An address without what looks like a secret in its query."""
    parts = urlsplit(address)
    values = parse_qsl(parts.query, keep_blank_values=True)
    if not any(_is_secret(*pair) for pair in values):
        return address
    shown = "&".join(f"{name}={HIDDEN if _is_secret(name, value) else value}" for name, value in values)
    return urlunsplit((*parts[:3], shown, ""))


def is_azure(address: str) -> bool:
    """Whether an endpoint is asked as Azure's are: with a version in the query, or at one of its hosts."""
    return (urlsplit(address).hostname or "").endswith(_AZURE) or _VERSION in query_of(address)


def key_headers(address: str, key: str | None) -> Mapping[str, str] | None:
    """The header of a key where it is not `Authorization: Bearer`: Azure's, but for its tokens of Entra."""
    if not key or not is_azure(address) or (key.startswith("eyJ") and key.count(".") == 2):
        return None
    return {"api-key": key}


def _is_secret(name: str, value: str) -> bool:
    return value not in ("", HIDDEN) and (
        is_secret_name(name)
        or name.lower() in _SECRET_NAMES
        or (not name.lower().endswith("version") and _RANDOM.fullmatch(value) is not None)
    )
