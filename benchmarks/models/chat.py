"""One chat completion: asked for again while its reply is not of the right shape."""

import json
from collections.abc import Mapping
from typing import Any

from benchwright.benchmarks.models.abilities import following
from benchwright.benchmarks.models.cached_requests import CachedRequests
from benchwright.benchmarks.models.costs import price_of
from benchwright.benchmarks.models.keys import request_key
from benchwright.benchmarks.models.prompts import Messages
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
from benchwright.benchmarks.models.sending import PATH, Conversation, Sent, ToSend, prompt_named, send
from benchwright.benchmarks.models.settings import Endpoint
from benchwright.benchmarks.models.structured import InvalidReply, Mode, Shape, shape

ASKED = 3
"""Times that a reply of the wrong shape is asked for, the first included."""


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
        self.mode: Mode | None = None
        """In which the reply is asked for where it is not known in which its endpoint gives one; None: in the first."""
        self.taken = Tokens()
        self.is_cached, self.is_counted = True, True
        self.empty = 0
        """Replies that had no text: the next one is another, though the request is the same."""

    async def ask(self) -> Reply[Any]:
        """The reply; see `Client.chat`."""
        settings = self.requests.settings
        if self.shape is None or settings.replay or settings.estimate:
            return await self._ask()
        async with self.requests.abilities.learning(self.endpoint) as learner:
            reply = await self._ask()
            learner.is_kept = reply.is_cached
            return reply

    async def _ask(self) -> Reply[Any]:
        conversation: Conversation = self.messages.messages
        problem: str | None = None
        raw = ""
        for attempt in range(ASKED):
            sent = await self._fetch(conversation)
            completion, problem = self._read(sent.body)
            if completion is not None and completion.refusal is not None and not completion.texts:
                self.costs.refused += 1
                raise ReplyError(REFUSAL, shown(completion.refusal), completion.refusal, self.taken)
            if completion is not None and problem is None:
                try:
                    reply = self._reply(completion)
                    self._learn(sent, completion, fits=True)
                    return reply
                except InvalidReply as error:
                    self._learn(sent, completion, fits=False)
                    problem = f"it was cut off at the limit of tokens ({error})" if completion.is_cut else str(error)
            self.costs.invalid += 1
            if completion is None or not completion.texts:
                raw = json.dumps(sent.body, ensure_ascii=False)
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

    def _learn(self, sent: Sent, completion: Completion, *, fits: bool) -> None:
        """Remembers what a reply shows of its endpoint; one that was kept may be of another day."""
        if sent.is_kept or self.shape is None:
            return
        if fits:
            self.requests.abilities.fitted(self.endpoint, sent.mode)
        elif not completion.is_cut and self.requests.abilities.missed(self.endpoint, sent.mode):
            self.mode = following(sent.mode)

    def _again(self, raw: str, problem: str, attempt: int) -> list[Mapping[str, str]]:
        """The conversation, with what was wrong with the last reply; nothing of earlier ones."""
        schema = json.dumps(self.shape.schema, ensure_ascii=False) if self.shape else ""
        asked = prompt_named(self.requests, "ask_again").fill(problem=problem, attempt=attempt + 1, schema=schema)
        return [*self.messages.messages, {"role": "assistant", "content": raw}, *asked.messages]

    async def _fetch(self, conversation: Conversation) -> Sent:
        """A reply, asked for in the way that the endpoint supports."""
        logical = {
            "messages": conversation, "settings": self.settings, "repeat": [self.repeat, self.empty],
            "prompt": self.messages.sha256, "schema": self.shape.schema if self.shape else None,
        }  # fmt: skip
        expected = Tokens(
            count_tokens([message["content"] for message in conversation]),
            (self.settings.get("max_tokens") or self.messages.output_tokens) * self.samples,
        )
        key = request_key(self.endpoint, PATH, logical)
        request = ToSend(conversation, self.settings, self.shape, self.mode, key, expected, self.messages.sha256)
        sent = await send(self.requests, self.endpoint, request, self.costs)
        self.is_cached = self.is_cached and sent.is_kept
        tokens = read_tokens(sent.body)
        self.is_counted = self.is_counted and tokens is not None
        self.taken += tokens or Tokens(calls=1)
        return sent
