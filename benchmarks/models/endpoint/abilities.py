"""What an endpoint takes and what it does not: learned from its first replies, and remembered with its address.

It is learned anew where everything is asked anew (`--no-cache`), and where the endpoint takes less than it did.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from benchwright.benchmarks.models.endpoint.structured import MODES, Mode
from benchwright.benchmarks.models.settings import Endpoint
from benchwright.benchmarks.remote.response_store import ResponseStore

if TYPE_CHECKING:
    from pydantic import TypeAdapter

log = logging.getLogger("benchwright")
LEARNERS = 3
"""Requests that may fail, one after another, to learn what an endpoint takes; then the others no longer wait."""
OTHER_NAMES = {"max_tokens": "max_completion_tokens"}
"""Parameters that newer models take under another name alone."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What is known of an endpoint."""

    mode: Mode = MODES[0]
    """How it is asked for a structured reply, or first asked so."""
    is_proven: bool = False
    """A reply fitted in that mode: it is the one."""
    keeps_schema: bool = True
    """No whole reply in that mode was of another shape; else the schema is told in words, too."""
    taken: frozenset[str] = frozenset()
    """Parameters with which it has given a reply."""
    left_out: frozenset[str] = frozenset()
    """Parameters that it does not take, such as `temperature` of some models."""
    renamed: Mapping[str, str] = field(default_factory=dict[str, str])
    """Parameter → the name under which it takes it."""
    takes_texts: bool = False
    """It re-ranks, and wants the names of Text Embeddings Inference."""

    @property
    def note(self) -> str:
        """What is kept of it."""
        return _adapter().dump_json(self, exclude_defaults=True).decode()


def read_note(note: str | None) -> Abilities:
    """What was kept of an endpoint, be it by the first version, which kept the mode alone; else nothing."""
    from pydantic import ValidationError

    if note in MODES:
        return Abilities(MODES[MODES.index(note)], is_proven=True)
    try:
        return _adapter().validate_json(note or "{}")
    except ValidationError:
        return Abilities()


@cache
def _adapter() -> "TypeAdapter[Abilities]":
    from pydantic import TypeAdapter

    return TypeAdapter(Abilities)


@dataclass(slots=True)
class Learner:
    """A request that may find out what its endpoint takes."""

    is_first: bool = False
    """It does: others wait for it."""
    is_kept: bool = False
    """Its reply was kept, and shows nothing."""


class EndpointAbilities:
    """What is known of the endpoints of a client. Belongs to one event loop."""

    def __init__(self, store: ResponseStore, *, is_fresh: bool = False) -> None:
        """Args:
        store: where it is kept.
        is_fresh: what is kept does not count: it is learned anew, and kept.
        """
        self._store, self._is_fresh = store, is_fresh
        self._known: dict[str, Abilities] = {}
        self._learning: dict[str, Learner] = {}
        self._changed: dict[str, asyncio.Event] = {}
        """Set when more is known of an endpoint, or its learner has ended."""
        self._failed: dict[str, int] = {}

    def of(self, endpoint: Endpoint) -> Abilities:
        """What is known of an endpoint: of its address and its model, whatever roles it plays."""
        about = _about(endpoint)
        if about not in self._known:
            self._known[about] = Abilities() if self._is_fresh else read_note(self._store.note(about))
        return self._known[about]

    def learn(self, endpoint: Endpoint, **changes: Any) -> None:
        """Remembers fields of `Abilities`.

        Raises:
            StopError: they cannot be kept.
        """
        before = self.of(endpoint)
        after = self._known[_about(endpoint)] = replace(before, **changes)
        if after.note != before.note:
            self._store.set_note(_about(endpoint), after.note)
        self._tell(_about(endpoint))

    @asynccontextmanager
    async def learning(
        self, endpoint: Endpoint, parameters: Collection[str], *, is_structured: bool
    ) -> AsyncIterator[Learner]:
        """Where a reply is asked for: what is not known of an endpoint one request finds out, and the others wait.

        They go on at once when it is known. Where that one fails, the next one finds it out; after a few, all go on.

        Args:
            endpoint: who is asked.
            parameters: those of the request: whether the endpoint takes them must be known.
            is_structured: so must the mode.
        """
        about = _about(endpoint)

        def goes_on() -> bool:
            known = self.of(endpoint)
            is_known = known.is_proven or not is_structured
            is_known = is_known and known.taken | known.left_out >= set(parameters)
            return is_known or self._failed.get(about, 0) >= LEARNERS

        while not goes_on() and about in self._learning:
            await self._changed.setdefault(about, asyncio.Event()).wait()
        if goes_on():
            yield Learner()
            return
        learner = self._learning[about] = Learner(is_first=True)
        try:
            yield learner
        finally:
            del self._learning[about]
            if not goes_on() and not learner.is_kept:
                self._failed[about] = self._failed.get(about, 0) + 1
            self._tell(about)

    def _tell(self, about: str) -> None:
        """Those who wait look again whether they can go on."""
        if changed := self._changed.pop(about, None):
            changed.set()

    def took(self, endpoint: Endpoint, parameters: Collection[str]) -> None:
        """An endpoint has given a reply to a request with these parameters."""
        known = self.of(endpoint)
        if not known.taken >= set(parameters):
            self.learn(endpoint, taken=known.taken | set(parameters))

    def fitted(self, endpoint: Endpoint, mode: Mode) -> None:
        """A reply that was asked for in a mode is of the right shape."""
        if not self.of(endpoint).is_proven:
            self.learn(endpoint, mode=mode, is_proven=True)

    def missed(self, endpoint: Endpoint, mode: Mode) -> bool:
        """A whole reply is of another shape: whether the mode may be taken and ignored, and the next one is tried."""
        known = self.of(endpoint)
        if known.is_proven and mode == known.mode:
            self.learn(endpoint, keeps_schema=False)
        return not known.is_proven

    def not_taken(self, endpoint: Endpoint, mode: Mode) -> None:
        """An endpoint no longer takes a mode: it is found out anew what it takes."""
        known = self.of(endpoint)
        if known.is_proven and mode == known.mode:
            self._failed.pop(_about(endpoint), None)
            self.learn(endpoint, mode=MODES[0], is_proven=False, keeps_schema=True)

    def without(self, endpoint: Endpoint, parameter: str) -> None:
        """An endpoint rejects a parameter: it goes by its other name, or is left out."""
        known = self.of(endpoint)
        other = OTHER_NAMES.get(parameter)
        if other and parameter not in known.renamed:
            self.learn(endpoint, renamed={**known.renamed, parameter: other})
        elif parameter not in known.left_out:
            log.warning("%s does not take %s: it is left out", endpoint.model, parameter)
            self.learn(endpoint, left_out=known.left_out | {parameter})


def following(mode: Mode) -> Mode:
    """The mode that is tried where one is not supported; the last one is followed by itself."""
    return MODES[min(MODES.index(mode) + 1, len(MODES) - 1)]


def _about(endpoint: Endpoint) -> str:
    return f"{endpoint.address} {endpoint.model}"
