"""A Hub for tests: enough of the Hugging Face Hub's protocol for its own clients to publish to and to load from.

    with Hub(folder, users={"alice": "hf_alice", "bob": "hf_bob"}) as hub:
        HfApi(endpoint=hub.url, token="hf_alice").create_repo("alice/aurp", repo_type="dataset")

Contents lie on disk and are read and written in pieces. Uploads work over LFS and over Xet (which needs a shared disk),
downloads over HTTP. Not there: downloads over Xet, the dataset viewer, Croissant, leaderboards, access requests,
webhooks, git itself. What it answers follows the clients' source and the Hub's documentation, not the Hub's own source:
see the module of each subject beside this one.
"""

import re
import socket
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import TracebackType

from benchwright.scripts.servers.hub import api as hub_api
from benchwright.scripts.servers.hub import community as hub_community
from benchwright.scripts.servers.hub import files as hub_files
from benchwright.scripts.servers.hub import lfs as hub_lfs
from benchwright.scripts.servers.hub import pages as hub_pages
from benchwright.scripts.servers.hub import xet as hub_xet
from benchwright.scripts.servers.hub.accounts import Accounts, Token
from benchwright.scripts.servers.hub.errors import Refused, no_repository
from benchwright.scripts.servers.hub.faults import Faults, Kind, Received
from benchwright.scripts.servers.hub.http import Body, Headers, Reply, Request, Routes, as_error, make_handler
from benchwright.scripts.servers.hub.lfs import Upload
from benchwright.scripts.servers.hub.repository import CLOCK, Repository, Store
from benchwright.scripts.servers.hub.xet import Xet

__all__ = ["Hub", "Kind", "Received", "Refused", "Repository", "Token"]

USERS: Mapping[str, str] = {"alice": "hf_alice", "bob": "hf_bob"}
_ROUTES = Routes()
for _part in (hub_api, hub_files, hub_lfs, hub_xet, hub_community, hub_pages):
    _ROUTES.include(_part.ROUTES)
_OF_A_REPOSITORY = re.compile(r"/api/(model|dataset|space)s/([^/]+(?:/[^/]+)?).*|/.+/resolve/.+")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128


class Hub:
    """A Hub on a port of this machine.

    Args:
        folder: Where everything lies; what an earlier one left there is found again.
        users: Name → token with the role `write`.
        tokens: More tokens, as `{"hf_bob_read": Token("bob", role="read")}`.
        organisations: Name → members, who all may write.
        page_size: Items on a page of any list; as many as the Hub has, if not given.
        part_size: Bytes above which an LFS file is uploaded in parts of so many.
        xet: Whether uploads over Xet are taken; without, clients that have hf_xet need HF_HUB_DISABLE_XET=1.
        port: 0 takes a free one.
        log: Is told each request in a line.
    """

    def __init__(
        self,
        folder: Path,
        users: Mapping[str, str] = USERS,
        tokens: Mapping[str, Token] | None = None,
        organisations: Mapping[str, Sequence[str]] | None = None,
        page_size: int | None = None,
        part_size: int | None = None,
        xet: bool = True,
        port: int = 0,
        log: Callable[[str], None] | None = None,
    ) -> None:
        self.store = Store(folder)
        self.accounts = Accounts(users, tokens or {}, organisations or {})
        self.page_size = page_size
        self.part_size = part_size
        self.log = log
        self.faults = Faults()
        self.xet = Xet(folder / "xet", xet)
        self.uploads: dict[str, Upload] = {}
        self.connections: set[socket.socket] = set()
        self.errors: list[str] = []
        """Tracebacks of this Hub's own mistakes: a test that ends well leaves none."""
        self._server = _Server(("127.0.0.1", port), make_handler(self))  # pyright: ignore[reportArgumentType]  (the same class, by two paths)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "Hub":
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        for connection in list(self.connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.xet.clear()
        CLOCK.ahead = 0.0

    @property
    def requests(self) -> list[Received]:
        """What was asked so far, without what clients ask of their own accord (telemetry, a list of agents)."""
        return self.faults.received

    def wait(self, seconds: float) -> None:
        """Puts the Hub's clock forward: what happens from now on happened so much later."""
        CLOCK.ahead += seconds

    def fail_at(self, n: int, kind: Kind) -> None:
        """Makes the `n`-th request from now, from 0, fail."""
        self.faults.plan(n, kind)

    @property
    def fault_for(self) -> Callable[[Received], Kind | None] | None:
        """Decides of every request whether, and how, it fails."""
        return self.faults.chosen

    @fault_for.setter
    def fault_for(self, chosen: Callable[[Received], Kind | None] | None) -> None:
        self.faults.chosen = chosen

    def repository(self, kind: str, repo_id: str) -> Repository:
        """A repository, to look at: `kind` is model, dataset or space.

        Raises:
            KeyError: There is none.
        """
        found = self.store.get(kind, repo_id)
        if found is None:
            raise KeyError(f"{kind} {repo_id}")
        return found

    def answer(
        self,
        method: str,
        path: str,
        query: Mapping[str, list[str]],
        headers: Headers,
        body: Body,
        caller: Token | None,
    ) -> Reply:
        """What a request is answered with."""
        found = _ROUTES.find(method, path)
        try:
            if found is None:
                if method == "OPTIONS":
                    return Reply(headers={"Access-Control-Allow-Headers": "*", "Access-Control-Allow-Methods": "*"})
                raise self._nothing_at(method, path, caller)
            handler, parts = found
            return handler(self, Request(method, parts, query, headers, body, caller))  # pyright: ignore[reportArgumentType]  (the same class, by two paths)
        except (Refused, ConnectionError):
            raise
        except Exception:
            self.errors.append(traceback.format_exc())
            return as_error(Refused(500, f"A mistake in the test Hub: {traceback.format_exc(limit=-1)}"))

    def _nothing_at(self, method: str, path: str, caller: Token | None) -> Refused:
        """What an address without a handler is answered with; a name without a namespace is no repository here."""
        match = _OF_A_REPOSITORY.fullmatch(path)
        repository = self.store.get(match[1], match[2]) if match and match[1] else None
        if match and (repository is None or not self.accounts.may_see(caller, repository)):
            return no_repository(caller is not None)
        return Refused(404, f"This Hub has nothing at {method} {path}")
