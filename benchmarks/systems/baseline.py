"""The baselines as systems: what one retrieves is in `systems.baselines`; the built-in reader or a model answers."""

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.predictions import GOLD, Prediction, Usage
from benchwright.benchmarks.registry import Kind, find, instance_of, names
from benchwright.benchmarks.systems.base import Answerer, Attempt, Opening, Retrieved, System, SystemKind
from benchwright.benchmarks.systems.language_model import (
    CLOSED_BOOK,
    FROM_CONTEXTS,
    ROLE,
    as_contexts,
    ask_model,
    model_settings,
    model_slug,
)
from benchwright.benchmarks.types import Document

Retriever = Callable[[Attempt], Retrieved | Awaitable[Retrieved | None] | None]
"""What is read for an attempt of which the condition does not say it; None for a closed book. Asynchronous where a
model is asked for it."""

Retrieve = Callable[[Attempt], Awaitable[Retrieved]]
"""A retriever as an agent calls it, as often as it likes."""

Agent = Callable[[Client, Attempt, Retrieve], Awaitable[Prediction]]
"""A model that decides what becomes of a question: given a client with a model for the role `system`, the attempt and
how to retrieve. The prediction says the tokens and calls of all that the agent asked, and how often it retrieved."""

READER = "extractive"


def _no_settings(opening: Opening) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Baseline:
    """A way to retrieve, for comparison; its name is its module's."""

    what: str
    """What it does, with `{k}` for the number of contexts and `{vectors}` for whose vectors it compares."""
    retriever: Callable[[Mapping[str, Document], Opening], Retriever]
    """Given the corpus and with what it is opened, once: how it retrieves."""
    settings: Callable[[Opening], Mapping[str, Any]] = _no_settings
    """What its answers depend on, given with what it is opened."""
    unsupported: Mapping[str, str] = field(default_factory=dict)
    """Condition that it cannot be put in → why."""
    asks: tuple[str, ...] = ()
    """Roles whose models its retriever asks, where there are such."""
    agent: Agent | None = None
    """Takes the place of "retrieve, then read", where a model answers and the condition leaves it to the system what is
    read. The built-in reader, which knows nothing by itself, always retrieves."""

    @property
    def is_closed_book(self) -> bool:
        """Whether it never reads a passage."""
        return GOLD in self.unsupported


BASELINES = Kind(
    "baseline",
    "benchwright.baselines",
    instance_of(Baseline),
    package="benchwright.benchmarks.systems.baselines",
    attribute="BASELINE",
)


def open_baseline(name: str, opening: Opening) -> System:
    """The baseline of a name: with a client that has a model for the role `system`, that model answers."""
    baseline, client = find(BASELINES, name), opening.client
    if client is not None and client.has(ROLE):
        return _with_model(client, name, baseline, opening)
    return _with_reader(name, baseline, opening)


async def _passages(attempt: Attempt, retriever: Retriever) -> Retrieved | None:
    """What is read: the passages that the condition gives, else those that are retrieved; None for a closed book."""
    if attempt.contexts is not None:
        return [(passage, None) for passage in attempt.contexts] or None
    found = retriever(attempt)
    return await found if inspect.isawaitable(found) else found


def _with_reader(name: str, baseline: Baseline, opening: Opening) -> System:
    """A baseline that the built-in reader answers for."""
    is_async = bool(_asked(baseline, opening))

    def prepare(documents: Mapping[str, Document]) -> Answerer:
        retriever = baseline.retriever(documents, opening)

        async def answer(attempt: Attempt) -> Prediction:
            return _read(attempt, await _passages(attempt, retriever))

        return answer if is_async else lambda attempt: _at_once(answer(attempt))

    answers = "the built-in extractive reader, a program of rules and no language model, answers from it"
    if baseline.agent is not None:
        answers += ", and knows nothing by itself: it always retrieves"
    what = _what(baseline, opening)
    return System(
        name=_run_name(name, baseline, opening),
        kind="baseline",
        reference=name,
        description=f"{what} and, without a model, always says that it does not know"
        if baseline.is_closed_book
        else f"{what}; {answers}",
        prepare=prepare,
        settings={} if baseline.is_closed_book else {"reader": READER, **baseline.settings(opening)},
        unsupported=baseline.unsupported,
        is_async=is_async,
        is_builtin=True,
    )


def _asked(baseline: Baseline, opening: Opening) -> list[str]:
    """The models that are asked for what is retrieved."""
    found = [opening.client.settings.endpoint(role) for role in baseline.asks] if opening.client is not None else []
    return [endpoint.model for endpoint in found if endpoint is not None]


def _run_name(name: str, baseline: Baseline, opening: Opening) -> str:
    """That of a baseline with the models that are asked for what is retrieved."""
    asked = _asked(baseline, opening)
    return model_slug("-".join((name, *asked))) if asked else name


def _what(baseline: Baseline, opening: Opening) -> str:
    """What a baseline does, in words."""
    asked = _asked(baseline, opening)
    vectors = f"vectors of the model {asked[0]}" if asked else "vectors of hashed words, built in and no model"
    return baseline.what.format(k=opening.k, vectors=vectors)


def _at_once(answer: Coroutine[Any, Any, Prediction]) -> Prediction:
    """The result of a coroutine that waits for nothing, without an event loop."""
    try:
        answer.send(None)
    except StopIteration as ended:
        return ended.value
    raise RuntimeError("a retriever waits for something and does not say that it asks a model")


def _with_model(client: Client, name: str, baseline: Baseline, opening: Opening) -> System:
    """A baseline that a model answers for."""

    def prepare(documents: Mapping[str, Document]) -> Answerer:
        retriever = baseline.retriever(documents, opening)

        async def retrieve(attempt: Attempt) -> Retrieved:
            return await _passages(attempt, retriever) or []

        async def answer(attempt: Attempt) -> Prediction:
            if baseline.agent is not None and attempt.contexts is None:
                return await baseline.agent(client, attempt, retrieve)
            passages = await _passages(attempt, retriever)
            return await ask_model(client, attempt, passages, retrievals=_retrievals(attempt))

        return answer

    model = client.settings.endpoints[ROLE].model
    closed = {} if baseline.is_closed_book else {"closed_prompt": client.prompt(CLOSED_BOOK).sha256}
    prompt = CLOSED_BOOK if baseline.is_closed_book else FROM_CONTEXTS
    return System(
        name=model_slug(f"{_run_name(name, baseline, opening)}-{model}"),
        kind="baseline with a language model",
        reference=name,
        description=f"{_what(baseline, opening)}; the model {model} answers",
        prepare=prepare,
        settings={**model_settings(client, prompt), **closed, **baseline.settings(opening)},
        unsupported=baseline.unsupported,
        is_async=True,
        workers=client.settings.at_once,
        keeps_time=True,
    )


def _read(attempt: Attempt, passages: Retrieved | None) -> Prediction:
    """What the built-in reader says."""
    from benchwright.benchmarks.systems.reader.extract import UNKNOWN, read_passages

    question = attempt.question
    if passages is None:
        return Prediction(question.id, UNKNOWN, usage=Usage(retrievals=0))
    answer = read_passages(question.question, [passage for passage, _ in passages])
    return Prediction(question.id, answer, contexts=as_contexts(passages), usage=Usage(retrievals=_retrievals(attempt)))


def _retrievals(attempt: Attempt) -> int:
    """0 where the condition gives the passages. That it says 1 makes finding nothing a result, and no silence."""
    return int(attempt.contexts is None)


KIND = SystemKind(
    name="baseline",
    matches=lambda reference: reference in names(BASELINES),
    open=open_baseline,
    order=10,
    names=lambda: names(BASELINES),
)
