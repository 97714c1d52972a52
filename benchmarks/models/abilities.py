"""What an endpoint takes and what it does not: learned from its first replies, and remembered with its address."""

import asyncio
import logging

from benchwright.benchmarks.models.settings import Endpoint
from benchwright.benchmarks.models.structured import MODES, Mode
from benchwright.benchmarks.remote.response_store import ResponseStore

log = logging.getLogger("benchwright")


class Abilities:
    """What is known of the endpoints of a client. Belongs to one event loop."""

    def __init__(self, store: ResponseStore) -> None:
        self._store = store
        self._modes: dict[Endpoint, Mode] = {}
        self._probing: dict[Endpoint, asyncio.Lock] = {}
        self._left_out: dict[Endpoint, frozenset[str]] = {}
        self.takes_texts: set[Endpoint] = set()
        """Those that re-rank and want the names of Text Embeddings Inference."""

    def mode(self, endpoint: Endpoint) -> tuple[Mode, bool]:
        """How an endpoint is asked for a structured reply, and whether it is known to support that."""
        if endpoint not in self._modes:
            known = self._store.note(f"{endpoint.base_url} {endpoint.model}")
            if known not in MODES:
                return MODES[0], False
            self._modes[endpoint] = MODES[MODES.index(known)]
        return self._modes[endpoint], True

    def probing(self, endpoint: Endpoint) -> asyncio.Lock:
        """Held while it is found out what an endpoint supports."""
        return self._probing.setdefault(endpoint, asyncio.Lock())

    def set_mode(self, endpoint: Endpoint, mode: Mode) -> None:
        """Remembers what an endpoint supports."""
        self._modes[endpoint] = mode
        self._store.set_note(f"{endpoint.base_url} {endpoint.model}", mode)

    def left_out(self, endpoint: Endpoint) -> frozenset[str]:
        """Parameters that an endpoint does not take, such as `temperature` of some models."""
        return self._left_out.get(endpoint, frozenset())

    def leave_out(self, endpoint: Endpoint, parameter: str) -> None:
        """Remembers that an endpoint does not take a parameter."""
        if parameter not in self.left_out(endpoint):
            log.warning("%s does not take %s: it is left out", endpoint.model, parameter)
        self._left_out[endpoint] = self.left_out(endpoint) | {parameter}
