"""One request for a chat completion: of the right shape, in a way that its endpoint supports, else asked once more."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from benchwright.benchmarks.models.cached_requests import CachedRequests
from benchwright.benchmarks.models.costs import price_of
from benchwright.benchmarks.models.keys import request_key
from benchwright.benchmarks.models.prompts import Messages, Prompt, load_prompt
from benchwright.benchmarks.models.responses import (
    INVALID,
    REFUSAL,
    Completion,
    Reply,
    ReplyError,
    Tokens,
    count_tokens,
    read_completion,
    read_tokens,
    shown,
)
from benchwright.benchmarks.models.settings import Endpoint
from benchwright.benchmarks.models.structured import MODES, InvalidReply, Mode, Shape, asked_for, shape

ASKED = 3
"""Times that a reply of the wrong shape is asked for, the first included."""
_OF_MODE = ("response_format", "tools", "tool_choice")
"""Parameters that ask for a structured reply."""


class ChatRequest:
    """One request for a chat completion, with all that it takes to get a reply of the right shape."""

    def __init__(
        self,
        requests: CachedRequests,
        endpoint: Endpoint,
        role: str,
        messages: Messages,
        step: str,
        reply: type[Any] | None,
        samples: int,
        repeat: int,
        parameters: Mapping[str, Any],
    ) -> None:
        self.requests, self.endpoint, self.messages = requests, endpoint, messages
        self.shape: Shape[Any] | None = shape(reply) if reply is not None else None
        self.settings = {**parameters, **({"n": samples} if samples > 1 else {})}
        self.samples, self.repeat = samples, repeat
        self.costs = requests.ledger.costs_of(step, role, endpoint)
        self.taken = Tokens()
        self.is_cached, self.is_counted = True, True
        self.empty = 0
        """Replies that had no text: the next one is another, though the request is the same."""

    async def ask(self) -> Reply[Any]:
        """The reply; see `Client.chat`."""
        conversation: Sequence[Mapping[str, str]] = self.messages.messages
        problem: str | None = None
        raw = ""
        for attempt in range(ASKED):
            body = await self._fetch(conversation)
            completion, problem = self._read(body)
            if completion is not None and completion.refusal is not None and not completion.texts:
                self.costs.refused += 1
                raise ReplyError(REFUSAL, shown(completion.refusal), completion.refusal, self.taken)
            if completion is not None and problem is None:
                try:
                    return self._reply(completion)
                except InvalidReply as error:
                    problem = f"it was cut off at the limit of tokens ({error})" if completion.is_cut else str(error)
            self.costs.invalid += 1
            if completion is None or not completion.texts:
                raw = json.dumps(body, ensure_ascii=False)
                self.empty += 1
            else:
                raw = completion.texts[0]
                conversation = self._again(raw, problem or "", attempt)
        raise ReplyError(INVALID, f"{problem}, {ASKED} times", raw, self.taken)

    def _read(self, body: Mapping[str, Any]) -> tuple[Completion | None, str | None]:
        try:
            return read_completion(body), None
        except InvalidReply as error:
            return None, str(error)

    def _reply(self, completion: Completion) -> Reply[Any]:
        text, *others = completion.texts
        value = self.shape.parse(text) if self.shape else text
        cost = price_of(self.endpoint, self.taken) if self.is_counted else None
        return Reply(text, tuple(others), value, self.taken, cost, self.is_cached, self.messages.sha256)

    def _again(self, raw: str, problem: str, attempt: int) -> list[Mapping[str, str]]:
        """The conversation, with what was wrong with the last reply; nothing of earlier ones."""
        schema = json.dumps(self.shape.schema, ensure_ascii=False) if self.shape else ""
        asked = self._prompt("ask_again").fill(problem=problem, attempt=attempt + 1, schema=schema)
        return [*self.messages.messages, {"role": "assistant", "content": raw}, *asked.messages]

    async def _fetch(self, conversation: Sequence[Mapping[str, str]]) -> Mapping[str, Any]:
        """The body of a reply, asked for in the way that the endpoint supports."""
        logical = {
            "messages": conversation, "settings": self.settings, "repeat": [self.repeat, self.empty],
            "prompt": self.messages.sha256, "schema": self.shape.schema if self.shape else None,
        }  # fmt: skip
        key = request_key(self.endpoint, "/chat/completions", logical)
        expected = Tokens(
            count_tokens([message["content"] for message in conversation]),
            (self.settings.get("max_tokens") or self.messages.output_tokens) * self.samples,
        )
        if self.shape and not self.requests.mode(self.endpoint)[1]:
            async with self.requests.probing(self.endpoint):  # one request finds out for all
                return await self._send(conversation, key, expected)
        return await self._send(conversation, key, expected)

    async def _send(self, conversation: Sequence[Mapping[str, str]], key: bytes, expected: Tokens) -> Mapping[str, Any]:
        mode, is_known = self.requests.mode(self.endpoint) if self.shape else ("text", True)
        while True:
            left_out = self.requests.left_out(self.endpoint)
            settings = {name: value for name, value in self.settings.items() if name not in left_out}
            body = {"model": self.endpoint.model, **self._parts(mode, conversation), **settings}
            try:
                parsed, is_kept = await self.requests.fetch(
                    self.endpoint, key, "/chat/completions", body, expected, self.costs, self.messages.sha256
                )
                break
            except ReplyError as error:
                following = MODES.index(mode) + 1
                if error.rejected in settings:
                    self.requests.leave_out(self.endpoint, error.rejected)
                elif following == len(MODES) or not _is_of_mode(error.rejected, is_known):
                    raise
                else:
                    mode, is_known = MODES[following], False
        if not is_known and not is_kept:
            self.requests.set_mode(self.endpoint, mode)
        self.is_cached = self.is_cached and is_kept
        tokens = read_tokens(parsed)
        self.is_counted = self.is_counted and tokens is not None
        self.taken += tokens or Tokens(calls=1)
        return parsed

    def _parts(self, mode: Mode, conversation: Sequence[Mapping[str, str]]) -> dict[str, Any]:
        if self.shape is None:
            return {"messages": conversation}
        if mode != "text":
            return asked_for(self.shape, mode, conversation)
        *before, last = conversation
        told = self._prompt("json_only").fill(schema=json.dumps(self.shape.schema, ensure_ascii=False))
        return {"messages": [*before, {**last, "content": f"{last['content']}\n\n{told.messages[-1]['content']}"}]}

    def _prompt(self, name: str) -> Prompt:
        return load_prompt(name, self.requests.settings.prompts)


def _is_of_mode(rejected: str | None, is_known: bool) -> bool:
    """Whether a request may be rejected for its mode: as it says, or where it does not say why, in a new one."""
    return rejected is not None and (rejected.startswith(_OF_MODE) or not (rejected or is_known))
