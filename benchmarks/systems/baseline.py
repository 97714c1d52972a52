"""The baselines as systems: what one retrieves is in `systems.baselines`; the built-in reader or a model answers."""

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.predictions import GOLD, Prediction, StepUsage, Usage
from benchwright.benchmarks.registry import Kind, find, instance_of, names
from benchwright.benchmarks.systems.base import Answerer, Attempt, Opening, Retrieved, System, SystemKind, check_texts
from benchwright.benchmarks.systems.language_model import (
    CLOSED_BOOK,
    FROM_CONTEXTS,
    ROLE,
    STEP,
    as_contexts,
    ask_model,
    model_settings,
    model_slug,
)
from benchwright.benchmarks.systems.reranking import MORE, RERANKER, SUFFIXES, Reranker, open_reranker
from benchwright.benchmarks.systems.sampling import model_sampler
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


def open_baseline(reference: str, opening: Opening) -> System:
    """The baseline of a name: with a client that has a model for the role `system`, that model answers.

    Raises:
        UsageError: what stands behind a plus sign is no re-ranker, or there is nothing that could be re-ranked.
    """
    name, plus, suffix = reference.partition("+")
    baseline, client = find(BASELINES, name), opening.client
    reranker = open_reranker(suffix, opening) if plus else None
    if reranker is not None and "k" not in baseline.settings(opening):
        raise UsageError(f"{reference}: {name} retrieves nothing that could be put in another order")
    chosen = _Chosen(reference, baseline, reranker, opening)
    return _with_model(client, chosen) if client is not None and client.has(ROLE) else _with_reader(chosen)


@dataclass(frozen=True)
class _Chosen:
    """A baseline with what it is opened with."""

    reference: str
    baseline: Baseline
    reranker: Reranker | None
    opening: Opening

    @property
    def retrieving(self) -> Opening:
        """How it retrieves: more than is read, where that is re-ranked."""
        return self.opening if self.reranker is None else replace(self.opening, k=MORE * self.opening.k)

    @property
    def asked(self) -> list[str]:
        """The models that are asked for what is retrieved."""
        client = self.opening.client
        found = [client.settings.endpoint(role) for role in self.baseline.asks] if client is not None else []
        return [endpoint.model for endpoint in found if endpoint is not None]

    @property
    def name(self) -> str:
        """Names its runs, with the models that are asked for what is retrieved and read."""
        own = [self.reranker.model] if self.reranker is not None and self.reranker.role == RERANKER else []
        asked = [*self.asked, *(model for model in own if model is not None)]
        return model_slug("-".join((self.reference, *asked))) if asked or self.reranker else self.reference

    @property
    def what(self) -> str:
        """What it does, in words."""
        asked = self.asked
        vectors = f"vectors of the model {asked[0]}" if asked else "vectors of hashed words, built in and no model"
        what = self.baseline.what.format(k=self.retrieving.k, vectors=vectors)
        return f"{what}; {self.reranker.what}, and reads the first {self.opening.k}" if self.reranker else what

    @property
    def settings(self) -> dict[str, Any]:
        """What its answers depend on, besides who answers."""
        return {**self.baseline.settings(self.opening), **(self.reranker.settings if self.reranker else {})}

    def search(self, documents: Mapping[str, Document]) -> "_Search":
        """How it finds what is read.

        Raises:
            BenchwrightError: the corpus has no texts.
        """
        if not self.baseline.is_closed_book:
            check_texts(documents, self.reference)
        return _Search(self.baseline.retriever(documents, self.retrieving), self.reranker, self.opening.k)


@dataclass(frozen=True)
class _Search:
    """Finds what is read for an attempt."""

    retriever: Retriever
    reranker: Reranker | None
    k: int

    async def passages(self, attempt: Attempt, taken: list[StepUsage]) -> Retrieved | None:
        """What is read: the passages that the condition gives, else those that are retrieved; None for a closed book.

        What re-ranking took is added to `taken`.
        """
        if attempt.contexts is not None:
            return [(passage, None) for passage in attempt.contexts] or None
        found = self.retriever(attempt)
        found = await found if inspect.isawaitable(found) else found
        if not found or self.reranker is None:
            return found
        better, usage = await self.reranker.rerank(attempt, found)
        taken.extend([usage] if usage is not None else [])
        return better[: self.k]


def _with_reader(chosen: _Chosen) -> System:
    """A baseline that the built-in reader answers for."""
    baseline = chosen.baseline
    is_async = bool(chosen.asked) or (chosen.reranker is not None and chosen.reranker.model is not None)

    def prepare(documents: Mapping[str, Document]) -> Answerer:
        search = chosen.search(documents)

        async def answer(attempt: Attempt) -> Prediction:
            taken = list[StepUsage]()
            return _counting(_read(attempt, await search.passages(attempt, taken)), taken)

        return answer if is_async else lambda attempt: _at_once(answer(attempt))

    answers = "the built-in extractive reader, a program of rules and no language model, answers from it"
    if baseline.agent is not None:
        answers += ", and knows nothing by itself: it always retrieves"
    return System(
        name=chosen.name,
        kind="baseline",
        reference=chosen.reference,
        description=f"{chosen.what} and, without a model, always says that it does not know"
        if baseline.is_closed_book
        else f"{chosen.what}; {answers}",
        prepare=prepare,
        settings={} if baseline.is_closed_book else {"reader": READER, **chosen.settings},
        unsupported=baseline.unsupported,
        is_async=is_async,
        is_builtin=True,
    )


def _at_once(answer: Coroutine[Any, Any, Prediction]) -> Prediction:
    """The result of a coroutine that waits for nothing, without an event loop."""
    try:
        answer.send(None)
    except StopIteration as ended:
        return ended.value
    raise RuntimeError("a retriever waits for something and does not say that it asks a model")


def _with_model(client: Client, chosen: _Chosen) -> System:
    """A baseline that a model answers for."""
    baseline = chosen.baseline

    def prepare(documents: Mapping[str, Document]) -> Answerer:
        search = chosen.search(documents)

        async def answer(attempt: Attempt) -> Prediction:
            taken = list[StepUsage]()

            async def retrieve(attempt: Attempt) -> Retrieved:
                return await search.passages(attempt, taken) or []

            if baseline.agent is not None and attempt.contexts is None:
                return _counting(await baseline.agent(client, attempt, retrieve), taken)
            passages = await search.passages(attempt, taken)
            return _counting(await ask_model(client, attempt, passages, retrievals=_retrievals(attempt)), taken)

        return answer

    model = client.settings.endpoints[ROLE].model
    closed = {} if baseline.is_closed_book else {"closed_prompt": client.prompt(CLOSED_BOOK).sha256}
    prompt = CLOSED_BOOK if baseline.is_closed_book else FROM_CONTEXTS
    return System(
        name=model_slug(f"{chosen.name}-{model}"),
        kind="baseline with a language model",
        reference=chosen.reference,
        description=f"{chosen.what}; the model {model} answers",
        prepare=prepare,
        sample=model_sampler(client),
        settings={**model_settings(client, prompt), **closed, **chosen.settings},
        unsupported=baseline.unsupported,
        is_async=True,
        workers=client.settings.at_once,
        keeps_time=True,
    )


def _counting(prediction: Prediction, taken: Sequence[StepUsage]) -> Prediction:
    """A prediction with what was taken besides."""
    if not taken:
        return prediction
    usage = prediction.usage
    answering = (StepUsage(STEP, ROLE, usage.input_tokens, usage.output_tokens, usage.calls, prediction.cost),)
    own = usage.steps or (answering if usage.calls else ())
    steps = (*own[:-1], *taken, *own[-1:])  # before the answer that was read from it
    costs = [step.cost for step in steps]
    return replace(
        prediction,
        usage=Usage(
            sum(step.input_tokens for step in steps),
            sum(step.output_tokens for step in steps),
            sum(step.calls for step in steps),
            usage.retrievals,
            steps,
        ),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
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


def _is_meant(reference: str) -> bool:
    name, plus, suffix = reference.partition("+")
    return name in names(BASELINES) and (not plus or suffix in SUFFIXES)


def _hint(reference: str) -> str | None:
    name, plus, _ = reference.partition("+")
    return f"re-rank as {' or '.join(f'{name}+{each}' for each in SUFFIXES)}" if plus and _is_meant(name) else None


KIND = SystemKind(
    name="baseline",
    matches=_is_meant,
    open=open_baseline,
    order=10,
    names=lambda: names(BASELINES),
    hint=_hint,
)
