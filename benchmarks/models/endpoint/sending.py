"""One request for a chat completion as its endpoint takes it: what it does not take is left out or asked otherwise."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchwright.benchmarks.models.endpoint.abilities import Abilities, following
from benchwright.benchmarks.models.endpoint.rejections import MODE_PARTS
from benchwright.benchmarks.models.endpoint.structured import MODES, Mode, Shape, asked_for
from benchwright.benchmarks.models.kept.cached_requests import CachedRequests
from benchwright.benchmarks.models.kept.tries import KeptTry
from benchwright.benchmarks.models.money.costs import StepCosts
from benchwright.benchmarks.models.money.tokens import count_request
from benchwright.benchmarks.models.money.usage_notes import Purpose
from benchwright.benchmarks.models.prompts import Prompt, load_prompt
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.benchmarks.models.settings import Endpoint

PATH = "/chat/completions"

Conversation = Sequence[Mapping[str, str]]
"""Messages, with `role` and `content` each."""


@dataclass(frozen=True)
class ToSend:
    """A request, before it is known how its endpoint wants it."""

    conversation: Conversation
    settings: Mapping[str, Any]
    """Such as `temperature` and `max_tokens`."""
    shape: Shape[Any] | None
    mode: Mode | None
    """In which it is asked for where none is proven; None: in the first one."""
    is_first: bool
    """Others wait for what it finds out of its endpoint."""
    item: bytes
    """The key of what is asked for."""
    number: int
    """Of the try at it."""
    key: bytes | None
    """Under which the first version of the program kept the reply to such a try, if it made one."""
    purpose: Purpose


@dataclass(frozen=True)
class Sent:
    """What a request got."""

    made: KeptTry
    mode: Mode
    """In which it was asked for, where it was."""


async def send(requests: CachedRequests, endpoint: Endpoint, request: ToSend, costs: StepCosts) -> Sent:
    """One try at an item.

    Raises:
        ReplyError: there is none.
        StopError: a limit of the run is reached, or no request would go better.
    """
    trial = request.mode
    while True:
        known = requests.abilities.of(endpoint)
        mode = known.mode if known.is_proven or trial is None else trial
        settings, original = _settings(request, known)
        body = {"model": endpoint.model, **_parts(requests, request, mode, known.keeps_schema), **settings}
        purpose = replace(request.purpose, counted=count_request(body))
        try:
            made = await requests.fetch(
                endpoint, request.item, PATH, body, purpose, costs, number=request.number, key=request.key,
                is_first=request.is_first,
            )  # fmt: skip
            if not made.is_kept:
                requests.abilities.took(endpoint, original.values())
            return Sent(made, mode)
        except ReplyError as error:
            if error.rejected in original:
                if not _is_left(requests.abilities.of(endpoint), original[error.rejected], error.rejected):
                    requests.abilities.without(endpoint, original[error.rejected])
            elif request.shape is None or mode == MODES[-1] or not _is_of_mode(error.rejected, known):
                raise
            else:
                requests.abilities.not_taken(endpoint, mode)
                trial = following(mode)


def _settings(request: ToSend, known: Abilities) -> tuple[dict[str, Any], dict[str, str]]:
    """The settings as the endpoint takes them, and how each is called here."""
    original = {known.renamed.get(name, name): name for name in request.settings if name not in known.left_out}
    return {sent: request.settings[name] for sent, name in original.items()}, original


def _is_left(known: Abilities, name: str, sent: str) -> bool:
    """Whether another request has meanwhile found out that a parameter is not taken as it was sent."""
    return name in known.left_out or known.renamed.get(name, name) != sent


def _parts(requests: CachedRequests, request: ToSend, mode: Mode, keeps_schema: bool) -> dict[str, Any]:
    """The messages, and what asks for a structured reply."""
    if request.shape is None:
        return {"messages": request.conversation}
    asked = asked_for(request.shape, mode)
    is_told = mode in ("json_object", "text") or (mode == "json_schema" and not keeps_schema)
    if not is_told:
        return {"messages": request.conversation, **asked}
    *before, last = request.conversation
    schema = json.dumps(request.shape.schema, ensure_ascii=False)
    told = prompt_named(requests, "json_only").fill(schema=schema)
    return {"messages": [*before, {**last, "content": f"{last['content']}\n\n{told.messages[-1]['content']}"}], **asked}


def prompt_named(requests: CachedRequests, name: str) -> Prompt:
    """A prompt, or the one that the user puts in its place."""
    return load_prompt(name, requests.settings.prompts)


def _is_of_mode(rejected: str | None, known: Abilities) -> bool:
    """Whether a request may be rejected for its mode: as it says, or where it does not say why, in a new one."""
    return rejected is not None and (rejected.startswith(MODE_PARTS) or not (rejected or known.is_proven))
