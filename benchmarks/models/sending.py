"""One request for a chat completion as its endpoint takes it: what it does not take is left out or asked otherwise."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.models.cached_requests import CachedRequests
from benchwright.benchmarks.models.costs import StepCosts
from benchwright.benchmarks.models.prompts import Prompt, load_prompt
from benchwright.benchmarks.models.responses import ReplyError, Tokens
from benchwright.benchmarks.models.settings import Endpoint
from benchwright.benchmarks.models.structured import MODES, Mode, Shape, asked_for

PATH = "/chat/completions"
_OF_MODE = ("response_format", "tools", "tool_choice")
"""Parameters that ask for a structured reply."""

Conversation = Sequence[Mapping[str, str]]
"""Messages, with `role` and `content` each."""


@dataclass(frozen=True)
class ToSend:
    """A request, before it is known how its endpoint wants it."""

    conversation: Conversation
    settings: Mapping[str, Any]
    """Such as `temperature` and `max_tokens`."""
    shape: Shape[Any] | None
    key: bytes
    """Under which its reply is kept."""
    expected: Tokens
    prompt: str
    """SHA-256 of the prompt."""


async def send(
    requests: CachedRequests, endpoint: Endpoint, request: ToSend, costs: StepCosts
) -> tuple[Mapping[str, Any], bool]:
    """The body of a reply, and whether it was kept.

    Raises:
        ReplyError: there is none.
        StopError: a limit of the run is reached, or no request would go better.
    """
    if request.shape and not requests.abilities.mode(endpoint)[1]:
        async with requests.abilities.probing(endpoint):  # one request finds out for all
            return await _send(requests, endpoint, request, costs)
    return await _send(requests, endpoint, request, costs)


async def _send(
    requests: CachedRequests, endpoint: Endpoint, request: ToSend, costs: StepCosts
) -> tuple[Mapping[str, Any], bool]:
    abilities = requests.abilities
    mode, is_known = abilities.mode(endpoint) if request.shape else ("text", True)
    while True:
        left_out = abilities.left_out(endpoint)
        settings = {name: value for name, value in request.settings.items() if name not in left_out}
        body = {"model": endpoint.model, **_parts(requests, request, mode), **settings}
        try:
            parsed, is_kept = await requests.fetch(
                endpoint, request.key, PATH, body, request.expected, costs, request.prompt
            )
            break
        except ReplyError as error:
            following = MODES.index(mode) + 1
            if error.rejected in settings:
                abilities.leave_out(endpoint, error.rejected)
            elif following == len(MODES) or not _is_of_mode(error.rejected, is_known):
                raise
            else:
                mode, is_known = MODES[following], False
    if not is_known and not is_kept:
        abilities.set_mode(endpoint, mode)
    return parsed, is_kept


def _parts(requests: CachedRequests, request: ToSend, mode: Mode) -> dict[str, Any]:
    """The messages, and what asks for a structured reply."""
    if request.shape is None:
        return {"messages": request.conversation}
    if mode != "text":
        return asked_for(request.shape, mode, request.conversation)
    *before, last = request.conversation
    schema = json.dumps(request.shape.schema, ensure_ascii=False)
    told = prompt_named(requests, "json_only").fill(schema=schema)
    return {"messages": [*before, {**last, "content": f"{last['content']}\n\n{told.messages[-1]['content']}"}]}


def prompt_named(requests: CachedRequests, name: str) -> Prompt:
    """A prompt, or the one that the user puts in its place."""
    return load_prompt(name, requests.settings.prompts)


def _is_of_mode(rejected: str | None, is_known: bool) -> bool:
    """Whether a request may be rejected for its mode: as it says, or where it does not say why, in a new one."""
    return rejected is not None and (rejected.startswith(_OF_MODE) or not (rejected or is_known))
