"""What a system is: something that takes a question and returns an answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.types import Document, Question

Reply = str | Mapping[str, Any] | Prediction
"""What a system may return: its answer, the fields of a prediction, or a prediction."""
Answerer = Callable[[Question], Any]
"""Returns a reply, or an awaitable of one."""


class RagSystem(Protocol):
    """What `module:object` must offer. It may also have the methods below, and `settings`, a mapping for run.json."""

    def answer(self, question: str) -> Reply:
        """The answer to a question; may be a coroutine function, and may accept `contexts`.

        `contexts` is None to retrieve oneself, empty for a closed book, or a list of texts to read.
        """
        ...


class IndexingSystem(Protocol):
    """A system that wants the corpus before the first question."""

    def index(self, documents: Sequence[Mapping[str, str]]) -> None:
        """Takes in all documents, each with `id`, `title` and `text`."""
        ...


class RetrievingSystem(Protocol):
    """A system that shows what it retrieves."""

    def retrieve(self, question: str, k: int) -> Sequence[str | Mapping[str, Any] | Context]:
        """The best k contexts of a question, the best first."""
        ...


@dataclass(frozen=True, slots=True)
class System:
    """A system that can be asked, whatever it was given as."""

    name: str
    """Names the folder of its runs."""
    reference: str
    """As it stood on the command line."""
    description: str
    prepare: Callable[[Mapping[str, Document]], Answerer]
    """Given the corpus, once: how to ask it."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What its answers depend on; a run whose settings are others is another run."""
    is_async: bool = False
    workers: int | None = None
    """Questions that it is asked at once where nothing is said."""
    keeps_time: bool = False
    """It has a time limit of its own for each of its requests."""
    is_builtin: bool = False
    """A baseline with the built-in reader: for trying things out."""
    source: str | None = None
    """The SHA-256 of its module's file, where there is one."""
