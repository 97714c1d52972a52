"""Objects of LangChain, LlamaIndex and Haystack as systems: how each is asked a question, as it is.

    LangChain    `invoke` of a Runnable or a graph of LangGraph: the question itself, or under the key that takes it;
                 `ainvoke` where it has asynchronous parts alone
    LlamaIndex   `query` of a query engine; `chat` of a chat engine, which forgets what was said before each question;
                 `run` of a workflow or an agent; `aquery` and `achat` where there is nothing else
    Haystack     `run` of a pipeline or of a component, with the question in each input that takes one

What their retrievers found on the way is kept, where the reply does not say it: see `framework_watches.py`. Nothing is
imported but modules that such an object has been made with.
"""

import threading
import typing
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.systems.framework_watches import LlamaIndexWatch, langchain_watch, watch_llama_index

_QUESTION = (
    "question", "query", "user_query", "user_question", "input", "user_input", "user_msg", "message", "prompt", "text",
)  # fmt: skip
"""Names of inputs that take a question, the plainest first."""
_OPTIONAL = _QUESTION[:4]
"""Of them those that are given it also where they need not be given anything."""
_MESSAGES = "messages"
_HISTORY = ("chat_history", "history")
"""Inputs that are empty in the first turn of a conversation."""
_WANTS_ASYNC = ("synchronous", "coroutine", "async")

Inputs = Mapping[str, Mapping[str, Any]]
"""Of each component of a pipeline its open inputs: the type of each, and whether it must be given."""


@dataclass(frozen=True)
class FrameworkObject:
    """An object of a framework that can be asked."""

    what: str
    """In words: "a chain of LangChain"."""
    answer: Callable[[str], Any]
    """May return an awaitable, or be a coroutine function."""


def framework_object(reference: str, target: Any) -> FrameworkObject | None:
    """How an object of a framework is asked; None where it is none.

    Raises:
        BenchwrightError: it wants what is no question.
    """
    names = ("invoke", "ainvoke", "query", "chat", "reset", "run", "aquery", "achat")
    has = {name for name in names if _can(target, name)}
    if {"invoke", "ainvoke"} & has:
        return FrameworkObject("a chain of LangChain", _of_chain(reference, target))
    if "query" in has:
        return _of_llama_index("a query engine of LlamaIndex", target.query)
    if {"chat", "reset"} <= has:
        return _of_llama_index("a chat engine of LlamaIndex", _forgetful(target))
    if "run" in has and _can(target, "inputs"):
        return FrameworkObject("a pipeline of Haystack", _of_pipeline(reference, target))
    if "run" in has and hasattr(target, "__haystack_input__"):
        return FrameworkObject("a component of Haystack", _of_component(reference, target))
    if "run" in has and _can(target, "_get_steps"):
        return _of_llama_index("a workflow of LlamaIndex", _of_workflow(target))
    if (asynchronous := next((name for name in ("aquery", "achat") if name in has), None)) is not None:
        return _of_llama_index("an engine of LlamaIndex", _later(getattr(target, asynchronous)))
    if "run" in has:
        _refuse(reference, "run() is of no framework that is known", "it")
    return None


def _can(target: Any, name: str) -> bool:
    return callable(getattr(target, name, None))


def _refuse(reference: str, why: str, what: str = "it with them") -> NoReturn:
    raise BenchwrightError(
        f"the system {reference} cannot be asked: its {why}; name a function answer(question) that calls {what} and "
        "returns its result"
    )


def _of_chain(reference: str, target: Any) -> Callable[[str], Any]:
    """`invoke`, with the question where it belongs; once a part is found to be asynchronous, `ainvoke`."""
    is_graph = hasattr(getattr(target, "builder", None), "input_schema")
    given = _graph_input(reference, target) if is_graph else _chain_input(reference, target)
    is_asynchronous = not _can(target, "invoke")

    async def later(question: str) -> Any:
        watch = langchain_watch(target)
        return watch.added(await target.ainvoke(given(question), **watch.options))

    def answer(question: str) -> Any:
        nonlocal is_asynchronous
        if not is_asynchronous:
            watch = langchain_watch(target)
            try:
                return watch.added(target.invoke(given(question), **watch.options))
            except (TypeError, NotImplementedError) as error:
                if not (_can(target, "ainvoke") and any(word in str(error).lower() for word in _WANTS_ASYNC)):
                    raise
            is_asynchronous = True
        return later(question)

    return answer


def _chain_input(reference: str, target: Any) -> Callable[[str], Any]:
    """What a chain is given: the question itself, or with the keys that it wants."""
    describe = getattr(target, "get_input_jsonschema", None)
    try:
        schema: Any = describe() if callable(describe) else {}
    except Exception:  # a chain that cannot describe itself may still answer
        schema = {}
    wanted = schema.get("required", []) if isinstance(schema, Mapping) and schema.get("type") == "object" else []
    if not wanted or "root" in wanted:
        return lambda question: question
    empty = {name: _empty(schema, name) for name in wanted if name in _HISTORY}
    others = [name for name in wanted if name not in empty]
    if len(others) != 1:
        _refuse(reference, f"invoke() wants {' and '.join(map(str, wanted))}")
    name = others[0]
    return lambda question: {**empty, name: _messages(question) if name == _MESSAGES else question}


def _empty(schema: Mapping[str, Any], name: str) -> Any:
    return "" if schema.get("properties", {}).get(name, {}).get("type") == "string" else []


def _graph_input(reference: str, target: Any) -> Callable[[str], Any]:
    """What a graph is given: a message, or the question in the part of its state that takes one."""
    try:
        names = list(typing.get_type_hints(target.builder.input_schema))
    except (AttributeError, TypeError, NameError):
        names = []
    if _MESSAGES in names:
        return lambda question: {_MESSAGES: _messages(question)}
    name = next((name for name in _QUESTION if name in names), None)
    if name is None:
        _refuse(reference, f"graph's state has no question, but {', '.join(names) or 'nothing that is named'}")
    return lambda question: {name: question}


def _messages(question: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": question}]


def _of_llama_index(what: str, ask: Callable[[str], Any]) -> FrameworkObject:
    watched = watch_llama_index()

    async def finished(reply: Awaitable[Any], watch: LlamaIndexWatch) -> Any:
        with watch:
            return watch.added(await reply)

    def answer(question: str) -> Any:
        watch = LlamaIndexWatch(watched)
        with watch:
            reply = ask(question)
            return finished(reply, watch) if isinstance(reply, Awaitable) else watch.added(reply)

    async def later(question: str) -> Any:
        with LlamaIndexWatch(watched) as watch:
            return watch.added(await ask(question))

    return FrameworkObject(what, later if isinstance(ask, _Later) else answer)


@dataclass(frozen=True)
class _Later:
    """What must be called in a loop that runs."""

    call: Callable[[str], Any]

    def __call__(self, question: str) -> Any:
        return self.call(question)


def _later(call: Callable[[str], Any]) -> _Later:
    return _Later(call)


def _forgetful(target: Any) -> Callable[[str], Any]:
    """`chat` of an engine that remembers: one question at a time, and nothing of what was said before."""
    lock = threading.Lock()

    def ask(question: str) -> Any:
        with lock:
            target.reset()
            return target.chat(question)

    return ask


def _of_workflow(target: Any) -> _Later:
    """`run` of a workflow: its first event has the question under all plain names, of an agent under its own."""
    import inspect

    start = getattr(target, "start_event_class", None)
    fields = [name for name in _QUESTION if name in getattr(start, "model_fields", {})]
    parameters = inspect.signature(target.run).parameters
    named = [name for name in _QUESTION if name in parameters]
    names = named[:1] or fields or list(_QUESTION)
    return _Later(lambda question: target.run(**dict.fromkeys(names, question)))


def _of_pipeline(reference: str, target: Any) -> Callable[[str], Any]:
    """`run` of a pipeline, with what its parts found on the way."""
    given = _pipeline_input(reference, target.inputs())
    outputs = target.outputs(include_components_with_connected_outputs=True)
    finding = {name for name, found in outputs.items() if "documents" in found}
    order = _in_order(target)

    def answer(question: str) -> Any:
        reply = target.run(given(question), include_outputs_from=finding)
        return {name: reply[name] for name in sorted(reply, key=lambda name: order.get(name, 0))}

    return answer


def _in_order(target: Any) -> dict[str, int]:
    """Component → its place, so that what is read stands after what was found first."""
    graph = target.graph
    try:
        names: Iterable[str] = import_module("networkx").topological_sort(graph)
        return {name: place for place, name in enumerate(names)}
    except Exception:  # a pipeline with a loop has no such order
        return {name: place for place, name in enumerate(graph.nodes)}


def _of_component(reference: str, target: Any) -> Callable[[str], Any]:
    """`run` of a component that is a system by itself: an agent, or a pipeline that was made one component."""
    sockets = getattr(target.__haystack_input__, "_sockets_dict", {})
    inputs = {name: {"type": each.type, "is_mandatory": each.is_mandatory} for name, each in sockets.items()}
    given = _pipeline_input(reference, {"": inputs})
    return lambda question: target.run(**given(question)[""])


def _pipeline_input(reference: str, inputs: Inputs) -> Callable[[str], dict[str, dict[str, Any]]]:
    """What a pipeline is given: the question in each input that takes one.

    Raises:
        BenchwrightError: an input that must be given takes none, or no input does.
    """
    places: list[tuple[str, str, bool]] = []
    others: list[str] = []
    for component, named in inputs.items():
        for name, about in named.items():
            takes = _takes(name, about)
            if takes is not None:
                places.append((component, name, takes == _MESSAGES))
            elif about.get("is_mandatory"):
                others.append(f"{component}.{name}".lstrip("."))
    if others:
        _refuse(reference, f"run() wants {' and '.join(others)}, which takes no question")
    if not places:
        names = [f"{component}.{name}".lstrip(".") for component, named in inputs.items() for name in named]
        _refuse(reference, f"run() has no input that takes a question, but {', '.join(names) or 'none'}")

    def given(question: str) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for component, name, is_message in places:
            found.setdefault(component, {})[name] = [_chat_message(question)] if is_message else question
        return found

    return given


def _takes(name: str, about: Mapping[str, Any]) -> str | None:
    """How an input takes a question: as a text, as messages, or not at all."""
    kinds = typing.get_args(about.get("type")) or (about.get("type"),)
    is_mandatory = bool(about.get("is_mandatory"))
    if name == _MESSAGES and is_mandatory:
        return _MESSAGES
    names = _QUESTION if is_mandatory else _OPTIONAL
    return "text" if name in names and (str in kinds or Any in kinds) else None


def _chat_message(question: str) -> Any:
    return import_module("haystack.dataclasses").ChatMessage.from_user(question)
