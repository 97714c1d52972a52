"""Reading a repository of a Hub that may be anybody's: its answers choose no path, no size, and no host that gets a
token.

`huggingface_hub` joins commits and ETags that a server sends to folders of its cache, and reads answers of any length.
Here files are named by the manifest, which was checked, read up to the size that it names and compared with its hash; a
server that does not end is left after a time that goes with the size.
"""

import hashlib
import json
import logging
import os
import re
import shutil
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urljoin, urlsplit

from benchwright.benchmarks.releases.hub_answers import HubError, is_of_network

LARGEST_LISTING = 50_000_000
"""Bytes that the Hub's answer about a repository may have."""
SECONDS = 60.0
"""How long an answer may take beside the time for its bytes, and how long there may be silence within it."""
_SLOWEST = 10_000
"""Bytes in a second with which the time for them is reckoned."""
_TRIES = 4
_LONGEST_WAIT = 60
_REDIRECTS = 5
_AT_ONCE = 4
_PIECE = 1 << 16
_COMMIT = re.compile(r"[0-9a-f]{40}")
_NEXT = re.compile(r'<([^<>]{1,2000})>; *rel="next"')

log = logging.getLogger("benchwright")
T = TypeVar("T")


@dataclass(frozen=True)
class Wanted:
    """A file of a repository."""

    path: str
    bytes: int
    """How many it has; at most, where the hash is not known."""
    sha256: str | None = None


@dataclass(frozen=True)
class HubReader:
    """A repository of data on a Hub, which is only read."""

    repo_id: str
    endpoint: str
    token: str | None = field(default=None, repr=False)
    """None: the one that the user is logged in with."""
    stop: threading.Event = field(default_factory=threading.Event)
    """Once it is set, whatever is on its way ends."""

    def look(self, revision: str) -> tuple[str, Sequence[str]]:
        """The commit of a revision, and the paths in it as the Hub has them, which may be any texts.

        Raises:
            HubError: there is none, the Hub cannot be reached, or it answers with anything else.
        """
        url = f"{self.endpoint}/api/datasets/{self.repo_id}/revision/{quote(revision, safe='')}"
        text = self._ask(lambda clock: self._read(url, LARGEST_LISTING, clock))
        try:
            said = json.loads(text)
            commit, paths = said["sha"], [each["rfilename"] for each in said.get("siblings") or ()]
        except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
            raise self._no_hub("not in its JSON") from None
        if not isinstance(commit, str) or not _COMMIT.fullmatch(commit):
            raise self._no_hub("with a commit that is none")
        if not all(isinstance(path, str) for path in paths):
            raise self._no_hub("not in its JSON")
        return commit, paths

    def pages(self, what: str, most: int = LARGEST_LISTING) -> Iterator[Any]:
        """What the Hub lists of the repository, page after page; each is asked for when it is wanted.

        Args:
            what: address below that of the repository, such as `commits/main`.
            most: bytes that a page may have.

        Raises:
            HubError: as `look`.
        """
        url: str | None = f"{self.endpoint}/api/datasets/{self.repo_id}/{what}"
        while url is not None:
            told: dict[str, str] = {}
            text = self._ask(partial(self._read, url, most, told=told))
            try:
                yield json.loads(text)
            except (ValueError, RecursionError):
                raise self._no_hub("not in its JSON") from None
            url = self._following(url, told.get("link", ""))

    def _following(self, url: str, link: str) -> str | None:
        """The next page, which is on the Hub too; None after the last."""
        found = _NEXT.search(link)
        if found is None:
            return None
        there = self._next(url, found[1])
        if _origin(there) != _origin(self.endpoint):
            raise self._no_hub("with a list that goes on elsewhere")
        return there

    def read(self, revision: str, path: str, most: int) -> bytes:
        """The content of a small file.

        Raises:
            HubError: it is not there, has more bytes, or as `look`.
        """
        return self._ask(lambda clock: self._read(self._url(revision, path), most, clock))

    def fetch(self, commit: str, files: Sequence[Wanted], folder: Path, told: Callable[[int], object]) -> None:
        """Writes files into a folder, each whole or not at all.

        Args:
            commit: of the repository.
            files: paths that stay in the folder.
            folder: there already.
            told: is given how many bytes have come, as they come, from several threads; below 0 what comes again.

        Raises:
            HubError: one is not there, is not what the manifest says, or as `look`.
            OSError: it cannot be written.
        """
        one = replace(self, stop=threading.Event())
        waiting, failed = deque(files), deque[BaseException]()
        parts = Path(tempfile.mkdtemp(dir=folder, prefix=".parts-"))

        def work() -> None:
            while waiting and not one.stop.is_set():
                with suppress(IndexError):
                    write = partial(one._write, commit, waiting.popleft(), parts, folder, told)
                    try:
                        one._ask(write)
                    except BaseException as error:
                        failed.append(error)
                        one.stop.set()

        threads = [threading.Thread(target=work, daemon=True) for _ in range(min(_AT_ONCE, len(files)))]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            one.stop.set()
            shutil.rmtree(parts, ignore_errors=True)
        if failed:
            raise failed[0]

    def _write(
        self,
        commit: str,
        wanted: Wanted,
        parts: Path,
        folder: Path,
        told: Callable[[int], object],
        clock: "_Clock",
    ) -> None:
        handle, name = tempfile.mkstemp(dir=parts)
        digest, size = hashlib.sha256(), 0
        try:
            with os.fdopen(handle, "wb") as file:
                for piece in self._pieces(self._url(commit, wanted.path), wanted.bytes, clock):
                    digest.update(piece)
                    size += file.write(piece)
                    told(len(piece))
        except BaseException:
            told(-size)
            raise
        if wanted.sha256 is not None and (size, digest.hexdigest()) != (wanted.bytes, wanted.sha256):
            raise self._other(wanted.path, "is not what its manifest names")
        target = folder / wanted.path
        target.parent.mkdir(parents=True, exist_ok=True)
        Path(name).chmod(0o644)
        Path(name).replace(target)

    def _url(self, revision: str, path: str) -> str:
        return f"{self.endpoint}/datasets/{self.repo_id}/resolve/{quote(revision, safe='')}/{quote(path)}"

    def _read(self, url: str, most: int, clock: "_Clock", told: dict[str, str] | None = None) -> bytes:
        return b"".join(self._pieces(url, most, clock, told))

    def _pieces(self, url: str, most: int, clock: "_Clock", told: dict[str, str] | None = None) -> Iterator[bytes]:
        """The body of an answer as it was sent, up to a size, in time; its headers go into `told`, in lower case."""
        size = 0
        with self._answer(url) as response:
            if told is not None:
                told.update({name.lower(): text for name, text in response.headers.items()})
            length = response.headers.get("Content-Length") or ""
            if length.isdecimal() and int(length) > most:
                raise self._too_much(url, most)
            for piece in response.iter_raw(_PIECE):
                size += len(piece)
                clock.received += len(piece)
                if size > most:
                    raise self._too_much(url, most)
                if clock.is_over():
                    raise TimeoutError
                yield piece

    @contextmanager
    def _answer(self, url: str) -> Iterator[Any]:
        """A right answer, after redirects; the token goes to the Hub alone."""
        from huggingface_hub.utils import build_hf_headers, get_session

        given = build_hf_headers(token=self.token, library_name="benchwright")
        headers = {name.lower(): text for name, text in given.items()}
        headers["accept-encoding"] = "identity"
        for _ in range(_REDIRECTS + 1):
            if _origin(url) != _origin(self.endpoint):
                headers.pop("authorization", None)
            asked = get_session().stream("GET", url, headers=headers, follow_redirects=False, timeout=SECONDS)
            with asked as response:
                if response.status_code not in (301, 302, 303, 307, 308):
                    self._check(response)
                    yield response
                    return
                url = self._next(url, response.headers.get("Location") or "")
        raise self._no_hub("with one redirect after the other")

    def _next(self, url: str, location: str) -> str:
        with suppress(ValueError):
            there = urljoin(url, location)
            now, then = urlsplit(url), urlsplit(there)
            if location and then.hostname and then.port != 0 and then.scheme in ("https", now.scheme):
                return there
        raise self._no_hub("with a redirect to no address")

    def _check(self, response: Any) -> None:
        """Raises unless it is the content that was asked for, as it is."""
        headers, status = response.headers, response.status_code
        if status == 200 and headers.get("Content-Encoding", "identity") == "identity":
            return
        if status < 400:
            raise self._no_hub("packed, though it was not asked to" if status == 200 else f"with {status}")
        raise HubError.of_answer(status, headers)

    def _no_hub(self, how: str) -> HubError:
        return HubError(f"{self.endpoint} does not answer like a Hub ({how}): check HF_ENDPOINT", 200)

    def _other(self, path: str, what: str) -> HubError:
        return HubError(f"{path[:200]} of {self.repo_id} on the Hub {what}: it is to be published again", 200)

    def _too_much(self, url: str, most: int) -> HubError:
        path = urlsplit(url).path.partition("/resolve/")[2].partition("/")[2]
        more = f"more than {most:,} bytes"
        return self._other(path, f"has {more}, and may not") if path else self._no_hub(f"with {more}")

    def _ask(self, ask: Callable[["_Clock"], T]) -> T:
        """Asks until there is an answer: a few times where that may help."""
        for number in range(1, _TRIES + 1):
            try:
                return _in_time(ask, _Clock(self.stop))
            except Exception as error:
                found = _as_hub_error(error)
                if found is None:
                    raise
                wait = 2 ** (number - 1) if found.retry_after is None else found.retry_after
                if number == _TRIES or not found.may_pass or wait > _LONGEST_WAIT or self.stop.is_set():
                    raise found from None
            log.info("the Hub does not answer (%s): asking again", found)
            time.sleep(wait)
        raise AssertionError("the last try returns or raises")


class _Clock:
    """Whether an answer takes too long for what came of it, or is to end."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop, self._began = stop, time.monotonic()
        self.received = 0
        """Bytes."""

    def is_over(self) -> bool:
        """Whether to leave it."""
        return self._stop.is_set() or time.monotonic() > self._began + SECONDS + self.received / _SLOWEST


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"https": 443, "http": 80}.get(parts.scheme)


def _as_hub_error(error: Exception) -> HubError | None:
    """What failed between the Hub and here; None for anything else."""
    if isinstance(error, HubError):
        return error
    if isinstance(error, TimeoutError):
        return HubError("it takes too long to answer", may_pass=False)
    if not is_of_network(error):
        return None
    said = next(iter(str(error).splitlines()), "") or type(error).__name__
    is_away = type(error).__name__ in ("ConnectError", "ProxyError", "OfflineModeIsEnabled")
    return HubError(said, is_away=is_away, may_pass=not is_away)


def _in_time(ask: Callable[[_Clock], T], clock: _Clock) -> T:
    """What a call returns. One that does not end is left to a thread of its own: headers can come a byte at a time, and
    the client waits anew for each.

    Raises:
        TimeoutError: it did not end in time, or was stopped.
    """
    found: list[T] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            found.append(ask(clock))
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while thread.is_alive() and not clock.is_over():
        thread.join(0.1)
    if failed:
        raise failed[0]
    if not found:
        raise TimeoutError
    return found[0]
