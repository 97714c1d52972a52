"""How a function or an object of somebody's is called, in each condition."""

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.predictions import CLOSED, GOLD, WITHOUT_GOLD, Context, Prediction
from benchwright.benchmarks.systems.base import Answerer, Attempt, Opening, Reply, check_texts
from benchwright.benchmarks.systems.framework_objects import FrameworkObject, framework_object
from benchwright.benchmarks.systems.frameworks import with_stream
from benchwright.benchmarks.systems.replies import to_contexts, to_prediction
from benchwright.benchmarks.systems.streams import async_stream, read_stream
from benchwright.benchmarks.types import Document

_FURTHEST = 16
"""Times k: so far down is looked for contexts in place of those that must not be read."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class Callables:
    """What a function or an object offers; each may return an awaitable."""

    reference: str
    answer: Callable[..., Reply | Awaitable[Reply]]
    retrieve: Callable[[str, int], Any] | None
    index: Callable[[Sequence[Mapping[str, str]]], object] | None
    takes_contexts: bool
    is_async: bool
    """Whether `answer` is a coroutine function."""
    what: str = "its answer()"
    """What is called, in words."""

    @property
    def accepts(self) -> list[str]:
        """What it can do beyond answering a question, for run.json."""
        offered = {"contexts": self.takes_contexts, "index": self.index, "retrieve": self.retrieve}
        return [name for name, there in offered.items() if there]

    @property
    def unsupported(self) -> dict[str, str]:
        """Condition that it cannot be put in → why."""
        if not self.takes_contexts:
            return dict.fromkeys((CLOSED, GOLD, WITHOUT_GOLD), f"{self.what} takes no contexts")
        return {} if self.retrieve is not None else {WITHOUT_GOLD: "it has no retrieve(question, k)"}


def callables_of(reference: str, target: Any) -> Callables:
    """What a function, or an object with `answer`, offers.

    Objects of LangChain, LlamaIndex and Haystack are asked as they are: see `framework_objects.py`.

    Raises:
        BenchwrightError: it cannot be asked a question.
    """
    answer: Any = getattr(target, "answer", None)
    framework: FrameworkObject | None = None
    if answer is None or not callable(answer):
        is_runnable = hasattr(target, "get_input_schema")  # LangChain's, of which older ones could also be called
        if not inspect.ismodule(target) and (is_runnable or not callable(target)):
            framework = framework_object(reference, target)
        answer = target if framework is None else framework.answer
    if not callable(answer):
        what = "a module" if inspect.ismodule(target) else f"an object of type {type(target).__name__}"
        raise BenchwrightError(
            f"the system {reference} cannot be asked: it is {what}; "
            f"name a function answer(question), an object that has one, or one of LangChain, LlamaIndex or Haystack"
        )
    takes_contexts = _check_signature(reference, answer)
    is_ours = getattr(target, "answer", None) == answer
    others = {
        name: found for name in ("retrieve", "index") if is_ours and callable(found := getattr(target, name, None))
    }
    called: Callable[..., Any] = answer
    what = Callables.what if framework is None else framework.what
    return Callables(
        reference, called, others.get("retrieve"), others.get("index"), takes_contexts, _is_async(answer), what
    )


def _is_async(answer: Any) -> bool:
    """Whether a function, or an object that is called, is a coroutine function or an asynchronous generator."""
    functions = (answer, getattr(answer, "__call__", None))  # noqa: B004
    return any(inspect.iscoroutinefunction(each) or inspect.isasyncgenfunction(each) for each in functions)


def _check_signature(reference: str, answer: Callable[..., Any]) -> bool:
    """Whether an answer accepts contexts. Raises BenchwrightError where it cannot be given a question alone."""
    try:
        signature = inspect.signature(answer)
    except (TypeError, ValueError):
        return False
    try:
        signature.bind("question")
    except TypeError as error:
        raise BenchwrightError(
            f"the system {reference} cannot be asked: {error}; it must take one argument, answer(question)"
        ) from None
    return "contexts" in signature.parameters


def prepare(called: Callables, opening: Opening, documents: Mapping[str, Document]) -> Answerer:
    """Hands over the corpus where it is wanted, and returns how to ask.

    Raises:
        BenchwrightError: the system failed to take the corpus in, or the corpus has no texts.
    """
    if called.index is not None:
        check_texts(documents, called.reference)
        try:
            called.index([{"id": each.id, "title": each.title, "text": each.body} for each in documents.values()])
        except Exception as error:
            raise BenchwrightError(
                f"the system {called.reference} failed in index(documents): {type(error).__name__}: {error}"
            ) from error
    caller = _Caller(called, opening.k, CorpusMatcher(documents, opening.uris))
    return caller.ask if called.is_async else lambda attempt: run_now(caller.ask(attempt))


def prepare_search(called: Callables, opening: Opening, documents: Mapping[str, Document], number: int) -> Answerer:
    """How the search of a system is asked alone: for so many passages, once the corpus was handed over."""
    caller = _Caller(called, number, CorpusMatcher(documents, opening.uris))
    return caller.search if called.is_async else lambda attempt: run_now(caller.search(attempt))


def _found_nothing(reply: Any, prediction: Prediction) -> bool:
    """Whether a reply says that its answer was read from nothing: that it retrieved, and a list of contexts, empty."""
    return bool(
        prediction.usage.retrievals
        and isinstance(reply, Mapping)
        and any(
            isinstance(contexts := cast(Mapping[str, Any], reply).get(name), list | tuple) and not contexts
            for name in ("contexts", "context")
        )
    )


@dataclass
class _Caller:
    """One way for synchronous and asynchronous systems: of the former, nothing is waited for."""

    called: Callables
    k: int
    matcher: CorpusMatcher

    async def ask(self, attempt: Attempt) -> Reply:
        """Asks the question with what its condition gives; which contexts that were is in the prediction."""
        question = attempt.question
        texts, contexts = await self._given(attempt)
        if self.called.takes_contexts:
            returned = self.called.answer(question.question, contexts=None if texts is None else list(texts))
        else:
            returned = self.called.answer(question.question)
        reply = await self._streamed(await self._resolved(returned))
        prediction = to_prediction(reply, question.id, corpus=self.matcher.documents)
        if prediction.contexts or (
            texts is None and (self.called.retrieve is None or _found_nothing(reply, prediction))
        ):
            return prediction
        if texts is None:
            contexts = await self._retrieve(question.question, self.k)
        usage = prediction.usage
        if usage.retrievals is None:  # the condition gave the contexts, or they were retrieved here, if only none
            usage = replace(usage, retrievals=int(attempt.contexts is None))
        return replace(prediction, contexts=tuple(contexts), usage=usage)

    async def search(self, attempt: Attempt) -> Prediction:
        """Retrieves for the question, and does not ask it."""
        contexts = await self._retrieve(attempt.question.question, self.k)
        return Prediction(attempt.question.id, None, abstained=True, condition=attempt.condition, contexts=contexts)

    async def _streamed(self, reply: Any) -> Any:
        """What was returned; of an asynchronous stream, with what it gives."""
        stream = async_stream(reply)
        if stream is None:
            return reply
        return with_stream(reply, await self._resolved(read_stream(stream)))

    async def _given(self, attempt: Attempt) -> tuple[Sequence[str] | None, Sequence[Context]]:
        """The texts that a condition gives, None for the system's own; and the contexts that they are."""
        if attempt.without:
            contexts = await self._without(attempt)
            return [context.text or "" for context in contexts], contexts
        if attempt.contexts is None:
            return None, ()
        contexts = [
            Context(id=each.document, start=each.start, end=each.end, text=each.text) for each in attempt.contexts
        ]
        return [titled(passage) for passage in attempt.contexts], contexts

    async def _without(self, attempt: Attempt) -> list[Context]:
        """The best k that it retrieves of no document that is left out: asked for more while that leaves fewer."""
        wanted = self.k
        while True:
            found = await self._retrieve(attempt.question.question, wanted)
            matched = zip(found, self.matcher.match(found), strict=True)
            kept = [context for context, match in matched if attempt.may_read(match)]
            if len(kept) >= self.k or len(found) < wanted or wanted >= _FURTHEST * self.k:
                return kept[: self.k]
            wanted *= 2

    async def _retrieve(self, question: str, k: int) -> tuple[Context, ...]:
        assert self.called.retrieve is not None
        found: Iterable[Any] = await self._resolved(self.called.retrieve(question, k))
        return to_contexts(found, self.matcher.documents)

    async def _resolved(self, value: Any) -> Any:
        """What was returned, or what its awaitable gives; a system that is not asynchronous has no loop to wait in."""
        if not inspect.isawaitable(value):
            return value
        return await value if self.called.is_async else wait_for(value)


_own = threading.local()
"""Of each thread the loop that it waits in: connections that a system keeps belong to their loop."""


def wait_for(value: Awaitable[Result]) -> Result:
    """What an awaitable gives, in the loop of this thread."""

    async def wait() -> Result:
        return await value

    if not hasattr(_own, "runner"):
        _own.runner = asyncio.Runner()
    return _own.runner.run(wait())


def run_now(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine that waits for nothing, without a loop: somebody's code may run one of its own."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    raise RuntimeError("a synchronous system waited for something")


def titled(passage: Passage) -> str:
    """A passage under its document's title: out of its place, it often does not say what it is about."""
    return f"{passage.title}\n{passage.text}" if passage.title else passage.text
