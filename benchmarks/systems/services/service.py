"""A service behind HTTP, asked: questions with or without contexts, and what it retrieves."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.models.endpoint.streamed import whole_of_chunks
from benchwright.benchmarks.models.responses import encodable, read_tokens, shown
from benchwright.benchmarks.secrecy import HIDDEN
from benchwright.benchmarks.systems.base import UnsupportedError
from benchwright.benchmarks.systems.citations import CitedCount, answer_of, is_of_openai
from benchwright.benchmarks.systems.frameworks import plain_reply
from benchwright.benchmarks.systems.services.bodies import Events, read_body
from benchwright.benchmarks.systems.services.connection import Connection, Request
from benchwright.benchmarks.systems.services.expressions import Expression, Reader, shown_value
from benchwright.benchmarks.systems.services.templates import filled, filled_address

TAKES = "takes_contexts"
"""The key of a reply by which a service without a description says that it read the contexts that it was given."""
_IGNORES = f'its reply does not say that it read the contexts it was given, by "{TAKES}": true'
_TEXTS = {"data", "token", "delta", "text", "chunk", "content", "answer", "message_delta"}
"""Names of events that are parts of an answer."""
_SAID = {"answer", "abstained", "error"}
_SHORTEST_SECRET = 12
"""Characters: what is shorter may be a word of an answer."""


@dataclass(frozen=True)
class Template:
    """A request, with placeholders."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    request: Any = None
    form: Mapping[str, Any] | None = None

    def fill(self, question: str, contexts: Sequence[str] | None, k: int) -> Request:
        """The request of a question."""

        def values(template: Any) -> Any:
            return filled(template, question, contexts, k)

        headers, body = {name: values(value) for name, value in self.headers.items()}, None
        if self.request is not None:
            body = encodable(json.dumps(values(self.request), ensure_ascii=False)).encode()
            headers = {"Content-Type": "application/json", **headers}
        elif self.form is not None:
            body = urlencode(values(dict(self.form)), doseq=True, errors="replace").encode()
            headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        url = filled_address(self.url, question, k)
        return Request(self.method, url, headers, _pairs(values(dict(self.parameters))), body)


def _pairs(values: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Parameters of an address; of a list each member."""
    return tuple(
        (name, encodable(str(each)) if not isinstance(each, bool) else str(each).lower())
        for name, value in values.items()
        for each in (value if isinstance(value, list | tuple) else [value])
    )


@dataclass
class Service:
    """A service: how it is asked, and how its replies are read."""

    connection: Connection
    asking: Template
    k: int
    """Contexts that it is asked for, where what is sent says so."""
    giving: Template | None = None
    """What is sent with contexts; None: it takes none."""
    reader: Reader | None = None
    """None: its reply is a prediction, that of an OpenAI-compatible endpoint, or what else is plain."""
    is_described: bool = False
    """Somebody says that it reads the contexts that it is given; else its replies must."""
    searching: tuple[Template, Expression] | None = None
    secrets: frozenset[str] = frozenset()
    """Values that no answer may show, should the service repeat them."""
    _ignores_contexts: bool = False
    _cited: CitedCount = field(default_factory=CitedCount)

    async def answer(self, question: str, *, contexts: Sequence[str] | None = None) -> Any:
        """The reply to a question, as a prediction's fields, or what is read as such.

        Raises:
            BenchwrightError: there is none.
            UnsupportedError: it was given contexts, and does not say that it read them.
        """
        if contexts is not None and self._ignores_contexts:
            raise UnsupportedError(_IGNORES)
        template = self.asking if contexts is None or self.giving is None else self.giving
        reply, seconds = await self._ask(template.fill(question, contexts, self.k))
        if self.reader is not None:
            return {"latency": seconds, **self.reader.read(reply)}
        says_so = self.is_described or (isinstance(reply, Mapping) and reply.get(TAKES) is True)
        if contexts is not None and not says_so:
            self._ignores_contexts = True
            raise UnsupportedError(_IGNORES)
        return self._plain(reply, seconds)

    async def retrieve(self, question: str, k: int) -> list[Any]:
        """The best k contexts that the service finds.

        Raises:
            BenchwrightError: there is no reply, or it holds no contexts.
        """
        assert self.searching is not None
        template, expression = self.searching
        reply, _ = await self._ask(template.fill(question, None, k))
        found = Reader({"contexts": expression}).contexts(reply)
        if found is None:
            raise BenchwrightError(expression.never_found or f"{expression.where} finds nothing in its reply")
        return found[:k]

    async def _ask(self, request: Request) -> tuple[Any, float]:
        received = await self.connection.send(request)
        body = received.body
        for secret in self.secrets:
            if len(secret) >= _SHORTEST_SECRET and secret.encode() in body:
                body = body.replace(secret.encode(), HIDDEN.encode())
        return read_body(body, received.content_type), round(received.seconds, 4)

    def close(self) -> list[str]:
        """What is to be said once all was asked: how many requests were sent again, and why."""
        again = self.connection.sent_again
        why = ", ".join(f"{count:,} ({sort})" for sort, count in again.most_common())
        return [*([f"requests that were sent again: {why}"] if again else []), *self._cited.said]

    def _plain(self, reply: Any, seconds: float) -> Any:
        """A reply that is read as it is, with the time that it took.

        Raises:
            BenchwrightError: no answer is found in it.
        """
        if isinstance(reply, Events):
            chunks = [each for each in reply.events if isinstance(each, Mapping)]
            whole = whole_of_chunks(chunks) if len(chunks) == len(reply.events) else None
            if whole is None:
                return filter(None, map(_chunk, reply.events))
            reply = whole
        if isinstance(reply, str):
            return {"answer": reply, "latency": seconds}
        if not isinstance(reply, Mapping):
            return reply
        error = reply.get("error")
        if isinstance(error, Mapping):
            return {**reply, "error": shown(str(error.get("message") or json.dumps(error, ensure_ascii=False)))}
        if _SAID & reply.keys():
            return {"latency": seconds, **reply}
        if is_of_openai(reply):
            return {"latency": seconds, **self._of_openai(reply)}
        read = plain_reply(reply)
        if not (isinstance(read, str) or _SAID & read.keys()):
            raise BenchwrightError(f"returned no 'answer': {shown_value(reply)}; a FILE.toml can say where it stands")
        return {"latency": seconds, **reply}

    def _of_openai(self, reply: Mapping[str, Any]) -> Mapping[str, Any]:
        """The fields of a reply that is a chat completion or a response, with what it cites."""
        tokens, contexts = read_tokens(reply), self._cited.contexts(reply)
        usage = {"input_tokens": tokens.input, "output_tokens": tokens.output} if tokens else {}
        if contexts is None:
            return {"answer": answer_of(reply), "usage": usage}
        return {"answer": answer_of(reply), "contexts": contexts, "usage": {**usage, "retrievals": 1}}


def _chunk(event: Any) -> Any:
    """An event as a part of an answer: of one with a name and a text, the text if it is named as such; else nothing."""
    if not isinstance(event, Mapping) or event.keys() != {"event", "data"}:
        return event
    return event["data"] if event["event"] in _TEXTS and isinstance(event["data"], str) else None
