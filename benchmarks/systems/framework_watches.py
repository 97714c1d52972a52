"""What retrievers and models of LangChain and LlamaIndex did while a question was answered, as they report it."""

import sys
from collections.abc import Mapping, Sequence
from contextvars import ContextVar, Token
from functools import cache
from importlib import import_module
from typing import Any

from benchwright.benchmarks.systems.frameworks import fields_of_reply
from benchwright.benchmarks.systems.messages import field_of, tokens_of


class Watch:
    """What was seen while one question was answered."""

    def __init__(self) -> None:
        self.documents: list[Any] = []
        """What the outermost retrievers found, in the order in which they did."""
        self.retrievals = 0
        self.calls = 0
        self.tokens: dict[str, int] = {}
        self.options: dict[str, Any] = {}
        """With what the object is called so that it is seen."""

    def found(self, documents: Sequence[Any]) -> None:
        """A retriever is done."""
        self.retrievals += 1
        self.documents += documents

    def called(self, message: Any) -> None:
        """A model has answered."""
        self.calls += 1
        for name, count in tokens_of(message).items():
            self.tokens[name] = self.tokens.get(name, 0) + count

    def added(self, reply: Any) -> Any:
        """A reply with what was seen, where it does not say it itself."""
        fields = fields_of_reply(reply) if self.retrievals or self.calls else None
        if fields is None:
            return reply
        fields = dict(fields)
        if not fields.get("contexts") and self.retrievals:
            fields["contexts"] = self.documents
        said = fields.get("usage")
        seen = {"calls": self.calls, **self.tokens, "retrievals": self.retrievals}
        usage = {
            **(said if isinstance(said, Mapping) else {}),
            **{name: count for name, count in seen.items() if count},
        }
        return {**fields, "usage": usage}


def langchain_watch(target: Any) -> Watch:
    """Watches an object of LangChain, through a callback; of another one that is alike nothing is seen."""
    watch, runnables = Watch(), sys.modules.get("langchain_core.runnables")
    if runnables is not None and isinstance(target, runnables.Runnable):
        watch.options = {"config": {"callbacks": [_langchain_handler()(watch)]}}
    return watch


@cache
def _langchain_handler() -> Any:
    """The class of a callback that tells a watch what is done; a retriever within another one is part of that."""
    base: Any = import_module("langchain_core.callbacks").BaseCallbackHandler

    class Handler(base):
        run_inline = True

        def __init__(self, watch: Watch) -> None:
            super().__init__()
            self.watch = watch
            self.parents: dict[Any, Any] = {}
            self.retrievers: set[Any] = set()

        def _starts(self, *_: Any, run_id: Any, parent_run_id: Any = None, **__: Any) -> None:
            self.parents[run_id] = parent_run_id

        on_chain_start = on_tool_start = on_llm_start = on_chat_model_start = _starts

        def on_retriever_start(self, *_: Any, run_id: Any, parent_run_id: Any = None, **__: Any) -> None:
            self.parents[run_id] = parent_run_id
            self.retrievers.add(run_id)

        def on_retriever_end(self, documents: Sequence[Any], *, run_id: Any, **_: Any) -> None:
            above = self.parents.get(run_id)
            while above is not None and above not in self.retrievers:
                above = self.parents.get(above)
            if above is None:
                self.watch.found(documents)

        def on_llm_end(self, response: Any, **_: Any) -> None:
            first = next((each for made in response.generations for each in made), None)
            self.watch.called(field_of(first, "message"))

    return Handler


_watched: ContextVar["LlamaIndexWatch | None"] = ContextVar("watched", default=None)


class LlamaIndexWatch(Watch):
    """Watches what is done in a `with` block, and in the tasks that are begun in it."""

    def __init__(self, is_watched: bool) -> None:
        super().__init__()
        self.is_watched = is_watched
        self.within = 0
        """Retrievers that are at work, one within the other."""
        self._tokens: list[Token[LlamaIndexWatch | None]] = []

    def __enter__(self) -> "LlamaIndexWatch":
        self._tokens.append(_watched.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        _watched.reset(self._tokens.pop())


def watch_llama_index() -> bool:
    """Has LlamaIndex tell what it does; false where it is not imported."""
    if "llama_index.core" not in sys.modules:
        return False
    _add_handler()
    return True


@cache
def _add_handler() -> None:
    base: Any = import_module("llama_index.core.instrumentation.event_handlers").BaseEventHandler

    class Handler(base):
        def handle(self, event: Any, **_: Any) -> None:
            watch = _watched.get()
            kind = type(event).__name__
            if watch is None:
                return
            if kind == "RetrievalStartEvent":
                watch.within += 1
            elif kind == "RetrievalEndEvent":
                watch.within -= 1
                if watch.within == 0:
                    watch.found(event.nodes)
            elif kind in ("LLMChatEndEvent", "LLMCompletionEndEvent"):
                watch.called(field_of(event.response, "raw"))

    import_module("llama_index.core.instrumentation").get_dispatcher().add_event_handler(Handler())
