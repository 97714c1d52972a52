"""One chat completion: asked for again while its reply is not of the right shape."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from benchwright.benchmarks.models.endpoint.abilities import following
from benchwright.benchmarks.models.endpoint.sending import PATH, Conversation, Sent, ToSend, prompt_named, send
from benchwright.benchmarks.models.endpoint.structured import InvalidReply, Mode, Shape, shape
from benchwright.benchmarks.models.kept.cached_requests import CachedRequests
from benchwright.benchmarks.models.kept.keys import request_key
from benchwright.benchmarks.models.kept.tries import KeptTry
from benchwright.benchmarks.models.money.costs import price_of
from benchwright.benchmarks.models.money.samples import is_asked
from benchwright.benchmarks.models.money.usage_notes import Purpose
from benchwright.benchmarks.models.prompts import Messages
from benchwright.benchmarks.models.responses import (
    INVALID,
    REFUSAL,
    Completion,
    Reply,
    ReplyError,
    Tokens,
    read_completion,
    read_tokens,
    shown,
    was_cut,
)
from benchwright.benchmarks.models.settings import Endpoint
from benchwright.benchmarks.models.waiting import took

ASKED = 3
"""Times that a reply of the wrong shape is asked for, the first included."""
SAID_AGAIN = 20_000
"""Characters of a reply of the wrong shape that the model is shown when it is asked again."""


class ChatRequest:
    """One request for a chat completion, with all that it takes to get a reply of the right shape.

    The tries at it are gone through in their order, those of earlier starts first. They come in rounds: a round ends
    with a reply that can be used, a refusal, or as many unusable replies as may be asked for. The last round counts;
    where it gave nothing that could be used, a later start begins another.
    """

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
        limit = parameters.get("max_tokens") or messages.output_tokens
        self.purpose = Purpose(
            step, messages.prompt, messages.sha256, min(limit, messages.output_tokens) * samples,
            messages.second_attempts, is_further=role == "writer" and repeat > 0,
        )  # fmt: skip
        self.item = self._key(messages.messages, 0)
        self.outcome: Reply[Any] | ReplyError | None = None
        """Of the last round that has ended."""
        self.tries = 0
        self.taken, self.is_counted, self.is_cached = Tokens(), True, True
        """Of the tries since the last that could be used."""
        self.is_first = False
        """It finds out what its endpoint takes, and others wait for that."""
        self.mode: Mode | None = None
        """In which the reply is asked for where it is not known in which its endpoint gives one; None: in the first."""
        self._begin()

    def _begin(self) -> None:
        """Begins a round."""
        self.conversation: Conversation = self.messages.messages
        self.attempt, self.room = 0, 1
        self.empty = 0
        """Replies that had no text: the next one is another, though the request is the same."""

    async def ask(self) -> Reply[Any]:
        """The reply; see `Client.chat`."""
        try:
            reply = await self._go_on()
        except ReplyError as error:
            self.requests.ended(self.item, error)
            raise
        self.requests.ended(self.item, None)
        return reply

    async def _go_on(self) -> Reply[Any]:
        """What the kept tries have come to, or come to with further ones."""
        for each in self.requests.tries(self.item):
            self._judge(each)
        settings = self.requests.settings
        if settings.fresh:
            self._begin()
        elif self.outcome is not None and not self.attempt and self._is_last():
            return self._result()
        if settings.replay or (settings.estimate and not is_asked()):
            return await self._ask()
        is_structured = self.shape is not None
        abilities = self.requests.abilities
        async with abilities.learning(self.endpoint, self.settings, is_structured=is_structured) as learner:
            self.is_first = learner.is_first
            reply = await self._ask()
            learner.is_kept = reply.is_cached
            return reply

    async def _ask(self) -> Reply[Any]:
        """What comes of further tries."""
        while True:
            try:
                sent = await self._fetch()
            except ReplyError as error:
                error.tokens = self.taken
                error.cost = None if error.may_be_billed else self._cost
                raise
            self._judge(sent.made, sent.mode)
            if not self.attempt and self._is_last():
                return self._result(is_reused=sent.made.is_kept)

    def _is_last(self) -> bool:
        """Whether this start asks no more after a round with this end."""
        is_usable = isinstance(self.outcome, Reply)
        return is_usable or self.requests.settings.replay or self.requests.was_asked(self.item)

    def _result(self, *, is_reused: bool = True) -> Reply[Any]:
        if isinstance(self.outcome, Reply):
            self.costs.reused += is_reused
            took(self.outcome.latency)
            return self.outcome
        raise self.outcome or ReplyError(INVALID, "there is none")

    def _judge(self, made: KeptTry, mode: Mode | None = None) -> None:
        """Takes up a try, of which the mode is known if it is new: `attempt` is 0 where it has ended a round."""
        if isinstance(self.outcome, Reply) and not self.attempt:
            self.taken, self.is_counted, self.is_cached = Tokens(), True, True
        tokens = read_tokens(made.body)
        self.taken += tokens or Tokens(calls=1)
        self.is_counted = self.is_counted and tokens is not None
        self.is_cached = self.is_cached and made.is_kept
        self.tries = made.number + 1
        self.attempt += 1
        completion, problem = self._read(made.body)
        if completion is not None and completion.refusal is not None and not completion.texts:
            self._count(made, "refused")
            self._end(ReplyError(REFUSAL, shown(completion.refusal), completion.refusal, self.taken, cost=self._cost))
            return
        if completion is not None and problem is None:
            try:
                reply = self._reply(completion, made)
                self._learn(made, mode, completion, fits=True)
                self._count(made, "usable")
                self._end(reply)
                return
            except InvalidReply as error:
                self._learn(made, mode, completion, fits=False)
                said = shown(str(error))
                problem = f"it was cut off at the limit of tokens ({said})" if completion.is_cut else said
        self._count(made, "cut" if was_cut(made.body) else "invalid")
        if completion is None or not completion.texts:
            raw = json.dumps(made.body, ensure_ascii=False)
            self.empty += 1
        else:
            raw = completion.texts[0]
            self.conversation = self._again(raw, problem or "")
        if was_cut(made.body):
            self.room *= 2
        if self.attempt == ASKED:
            self._end(ReplyError(INVALID, f"{problem}, {ASKED} times", raw, self.taken, cost=self._cost))

    def _end(self, outcome: Reply[Any] | ReplyError) -> None:
        self.outcome = outcome
        self._begin()

    def _count(self, made: KeptTry, state: Literal["usable", "refused", "invalid", "cut"]) -> None:
        if state != "usable":
            self.requests.note_fault(self.item, made, state)
        if not made.is_kept:
            setattr(self.costs, state, getattr(self.costs, state) + 1)

    def _read(self, body: Mapping[str, Any]) -> tuple[Completion | None, str | None]:
        try:
            return read_completion(body, self.shape.name if self.shape else None), None
        except InvalidReply as error:
            return None, str(error)

    def _reply(self, completion: Completion, made: KeptTry) -> Reply[Any]:
        text, *others = completion.texts
        value = self.shape.parse(text) if self.shape else text
        return Reply(
            text, tuple(others), value, self.taken, self._cost, self.is_cached, self.messages.sha256, made.latency,
            completion.is_cut, completion.thinking,
        )  # fmt: skip

    @property
    def _cost(self) -> float | None:
        """In US dollars, of what was taken; None where the price or the tokens are not known."""
        return price_of(self.endpoint, self.taken) if self.is_counted else None

    def _learn(self, made: KeptTry, mode: Mode | None, completion: Completion, *, fits: bool) -> None:
        """Remembers what a reply shows of its endpoint; one that was kept may be of another day."""
        if made.is_kept or mode is None or self.shape is None:
            return
        if fits:
            self.requests.abilities.fitted(self.endpoint, mode)
        elif not completion.is_cut and self.requests.abilities.missed(self.endpoint, mode):
            self.mode = following(mode)

    def _again(self, raw: str, problem: str) -> list[Mapping[str, str]]:
        """The conversation, with what was wrong with the last reply; nothing of earlier ones."""
        schema = json.dumps(self.shape.schema, ensure_ascii=False) if self.shape else ""
        asked = prompt_named(self.requests, "ask_again").fill(problem=problem, attempt=self.attempt, schema=schema)
        said = raw if len(raw) <= SAID_AGAIN else f"{raw[:SAID_AGAIN]} […]"
        return [*self.messages.messages, {"role": "assistant", "content": said}, *asked.messages]

    def _key(self, conversation: Conversation, empty: int) -> bytes:
        """The key under which the first version of the program kept the reply to a conversation."""
        logical = {
            "messages": conversation, "settings": self.settings, "repeat": [self.repeat, empty],
            "prompt": self.messages.sha256, "schema": self.shape.schema if self.shape else None,
        }  # fmt: skip
        return request_key(self.endpoint, PATH, logical)

    async def _fetch(self) -> Sent:
        """The next try, asked for in the way that the endpoint supports."""
        limit = self.settings.get("max_tokens")
        settings = self.settings if limit is None else {**self.settings, "max_tokens": limit * self.room}
        is_first_round = self.tries == self.attempt
        key = self._key(self.conversation, self.empty) if is_first_round else None
        request = ToSend(
            self.conversation, settings, self.shape, self.mode, self.is_first, self.item, self.tries, key,
            replace(self.purpose, is_further=self.purpose.is_further or self.tries > 0),
        )  # fmt: skip
        return await send(self.requests, self.endpoint, request, self.costs)
