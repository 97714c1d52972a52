"""`openai-rag:MODEL`: an OpenAI-compatible endpoint that is a RAG system itself: it is sent the question alone."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.endpoint.structured import InvalidReply
from benchwright.benchmarks.models.endpoint.transport import NotServedError
from benchwright.benchmarks.models.responses import ReplyError, Tokens, WholeReply
from benchwright.benchmarks.predictions import CLOSED, GOLD, WITHOUT_GOLD
from benchwright.benchmarks.systems.base import Answerer, Attempt, Opening, System, SystemKind
from benchwright.benchmarks.systems.citations import CitedCount, answer_of
from benchwright.benchmarks.systems.language_model import ROLE, STEP, client_of, model_slug, named_model
from benchwright.benchmarks.types import Document

PREFIX = "openai-rag:"
_RETRIEVES = "the endpoint retrieves itself, and is sent the question alone"
_PATHS = ("/chat/completions", "/responses")


def open_endpoint(reference: str, opening: Opening) -> System:
    """The endpoint of a client's role `system`, as a RAG system.

    Raises:
        UsageError: there is no client that has one.
    """
    client = client_of(reference, opening)
    described = client.settings.endpoints[ROLE].described
    endpoint = _Endpoint(client)
    return System(
        name=model_slug(f"openai-rag-{described['name']}"),
        kind="OpenAI-compatible endpoint that retrieves",
        reference=reference,
        description=f"the endpoint's {described['name']}, sent the question alone; contexts are what its replies show",
        prepare=endpoint.prepare,
        settings={"model": described["name"], **{name: each for name, each in described.items() if name != "name"}},
        unsupported=dict.fromkeys((str(CLOSED), str(GOLD), str(WITHOUT_GOLD)), _RETRIEVES),
        is_async=True,
        workers=client.settings.at_once,
        keeps_time=True,
        close=endpoint.close,
    )


class _Endpoint:
    """Asks an endpoint in the way that it takes: as a chat or as a response, streamed where it only streams."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._path, self._stream = _PATHS[0], False
        self._cited = CitedCount()

    def prepare(self, documents: Mapping[str, Document]) -> Answerer:
        """How it is asked; it has a corpus of its own."""
        return self.answer

    async def answer(self, attempt: Attempt) -> Mapping[str, Any]:
        """The fields of a prediction.

        Raises:
            BenchwrightError: there is no answer.
        """
        try:
            reply = await self._reply(attempt.question.question, attempt.repeat)
        except ReplyError as error:
            return {"answer": None, "usage": _usage(error.tokens), "cost": error.cost, "error": str(error)}
        usage = _usage(reply.tokens)
        fields = {"answer": answer_of(reply.body), "usage": usage, "cost": reply.cost, "cut_off": reply.is_cut}
        contexts = self._cited.contexts(reply.body)
        return fields if contexts is None else {**fields, "contexts": contexts, "usage": {**usage, "retrievals": 1}}

    async def _reply(self, question: str, repeat: int) -> WholeReply:
        missing: NotServedError | None = None
        while True:
            path, stream = self._path, self._stream
            try:
                return await self._client.ask_whole(
                    ROLE, path, _request(path, question, stream), step=STEP, repeat=repeat, check=_check
                )
            except NotServedError as error:
                if path == _PATHS[-1]:
                    raise missing or error from None
                self._path, missing = _PATHS[-1], error
            except ReplyError as error:
                if error.rejected is None or stream or "stream" not in str(error).lower():
                    raise
                self._stream = True

    def close(self) -> Sequence[str]:
        """Says how many answers show only what they cite."""
        return self._cited.said


def _usage(tokens: Tokens) -> dict[str, int]:
    return {"input_tokens": tokens.input, "output_tokens": tokens.output, "calls": tokens.calls}


def _check(body: Mapping[str, Any]) -> None:
    """Raises InvalidReply where a reply holds no answer."""
    try:
        answer_of(body)
    except BenchwrightError as error:
        raise InvalidReply(str(error)) from None


def _request(path: str, question: str, stream: bool) -> dict[str, Any]:
    """The question alone: no prompt, no temperature."""
    asked = {"messages": [{"role": "user", "content": question}]} if path == _PATHS[0] else {"input": question}
    return {**asked, **({"stream": True} if stream else {})}


KIND = SystemKind(
    name="openai-rag",
    matches=lambda reference: reference.startswith(PREFIX),
    open=open_endpoint,
    order=20,
    form=f"{PREFIX}MODEL",
    models=lambda reference: (f"{ROLE}={named_model(reference, PREFIX)}",),
)
