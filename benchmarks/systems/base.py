"""What a system is: something that takes a question and returns an answer; and what a kind of systems is."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.grounding.stating import NeededFact, states_any
from benchwright.benchmarks.grounding.uris import UriMap
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.predictions import CONDITIONS, OWN, UNSUPPORTED, Context, Prediction
from benchwright.benchmarks.registry import Kind, instance_of
from benchwright.benchmarks.releases.offsets import JOIN
from benchwright.benchmarks.types import Document, Question

Reply = object
"""What a system may return: its answer, the fields of a prediction, a prediction, or what a framework gives (see
`frameworks.py`): whatever can be read is."""


class RagSystem(Protocol):
    """An object that can be scored. A function `answer(question)` alone can be, too.

    More is used where it is there. Everything may be synchronous or asynchronous, but `index`:

    `answer(question, *, contexts=None)`
        can be put in the conditions `closed` and `gold`: `contexts` is None to retrieve oneself, empty for a closed
        book, or a list of texts to read and nothing else.
    `retrieve(question, k)`
        returns the best k contexts, the best first: texts, or mappings with `id` and `text`. With it the report knows
        what was retrieved, and with `contexts` the condition `without-gold` is possible.
    `index(documents)`
        is called once before the first question, with a list of mappings of `id`, `title` and `text`.
    `settings`
        a mapping of what the answers depend on, for run.json: where it changes, it is another run.
    """

    def answer(self, question: str) -> Reply | Awaitable[Reply]:
        """The answer to a question."""
        ...


@dataclass(frozen=True, slots=True)
class Attempt:
    """A question under one condition, in one repeat: what a system is asked."""

    question: Question
    condition: str = OWN
    repeat: int = 0
    contexts: tuple[Passage, ...] | None = None
    """None: retrieve yourself; empty: closed book; else read these and nothing else."""
    without: frozenset[str] = frozenset()
    """Ids of documents that must not be read, whatever is retrieved."""
    needed: tuple[NeededFact, ...] = ()
    """What texts that are from no document of the corpus must not state, where there are documents that must not be
    read."""

    def may_read(self, context: Context) -> bool:
        """Whether a context that is matched to the corpus may be read; of one from elsewhere its text decides."""
        if context.source in self.without:
            return False
        return context.document is not None or not context.text or not states_any(context.text, self.needed)


Answerer = Callable[[Attempt], Reply | Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Sampling:
    """Further answers that are wanted to a question which was answered."""

    attempt: Attempt
    prediction: Prediction
    """Its answer."""
    count: int
    """How many."""


Sampler = Callable[[Sampling], Awaitable[Prediction]]
"""Further answers: the first as the prediction's answer, the others as its samples; fewer than asked for where some
failed, of which the error says why."""

Retrieved = Sequence[tuple[Passage, float | None]]
"""Passages and their scores, the best first."""


class UnsupportedError(BenchwrightError):
    """A system cannot be put in a condition; its text says why."""

    def __init__(self, why: str) -> None:
        super().__init__(UNSUPPORTED + why)


def check_texts(documents: Mapping[str, Document], reference: str) -> None:
    """Raises BenchwrightError where documents are to be handed over of which a release of offsets has no text."""
    missing = sum(document.text is None for document in documents.values())
    if missing:
        raise BenchwrightError(
            f"{reference} reads the texts of documents, and {missing:,} of {len(documents):,} have none here: "
            f"join them first, {JOIN}"
        )


def _nothing() -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class ReadLine:
    """What a place of a file that somebody's program wrote comes to: a prediction, or why none."""

    place: str
    """For messages: `line 7`."""
    prediction: bytes | None = None
    """One JSON object."""
    problem: str | None = None
    """Why nothing could be read there."""
    unmatched: str | None = None
    """What was asked there, where that is no question of the split."""


@dataclass(frozen=True, slots=True)
class System:
    """A system that can be asked, whatever it was given as."""

    name: str
    """Names the folder of its runs."""
    kind: str
    """As what it was given, in words: "Python object"."""
    reference: str
    """As it stood on the command line."""
    description: str
    prepare: Callable[[Mapping[str, Document]], Answerer]
    """Given the corpus, once: how to ask it."""
    search: Callable[[Mapping[str, Document], int], Answerer] | None = None
    """Given the corpus and a number of passages, after `prepare`: how its search alone finds as many for the text of an
    attempt's question; the prediction has no answer. None where its search cannot be asked alone."""
    sample: Callable[[Mapping[str, Document]], Sampler] | None = None
    """Given the corpus: how its model is asked for further answers at temperature 1 that read what the answer read.
    None where it can only be asked again."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What its answers depend on; a run whose settings are others is another run."""
    unsupported: Mapping[str, str] = field(default_factory=dict)
    """Condition that it cannot be put in → why."""
    is_async: bool = False
    workers: int | None = None
    """Questions that it is asked at once where nothing is said."""
    keeps_time: bool = False
    """It has a time limit of its own for each of its requests."""
    is_builtin: bool = False
    """A baseline with the built-in reader: for trying things out."""
    source: str | None = None
    """The SHA-256 of its module's file, where there is one."""
    predictions: Path | None = None
    """A file of what it said: it cannot be asked any more."""
    read: Callable[[Sequence[Question]], Iterator[ReadLine]] | None = None
    """How that file is read, given the questions of the split; None: a prediction a line."""
    close: Callable[[], Sequence[str]] = _nothing
    """Ends what it has running, once; returns what was odd about it, as lines."""

    @property
    def conditions(self) -> tuple[str, ...]:
        """Those that it can be put in."""
        return tuple(condition for condition in CONDITIONS if condition not in self.unsupported)


@dataclass(frozen=True, slots=True)
class Opening:
    """With what a system is opened, besides its reference."""

    k: int = 5
    """Contexts that it reads, where that is ours to say."""
    client: Client | None = None
    """Asks models, where one is named."""
    timeout: float = 60.0
    """Seconds that an answer may take, for systems that keep time themselves."""
    retries: int = 3
    """Times that a request which failed is sent again, at most."""
    workers: int | None = None
    """Questions that are asked at once, where that was said."""
    uris: UriMap | None = None
    """What a company calls the documents, to find them among what it retrieves."""
    columns: str | None = None
    """Which column of a table is what, where that was said: `question=Prompt,answer=Reply`."""


def _no_names() -> tuple[str, ...]:
    return ()


def _no_models(reference: str) -> tuple[str, ...]:
    return ()


def _no_hint(reference: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class SystemKind:
    """A kind of systems: which references mean one, and how it is opened."""

    name: str
    matches: Callable[[str], bool]
    """Whether a reference means one of this kind."""
    open: Callable[[str, Opening], System]
    order: int = 50
    """The kind of the lowest order that matches is taken: names 10, prefixes 20, module:object 90."""
    form: str | None = None
    """How its references are written: `module:object`; None where each has a name of its own."""
    names: Callable[[], Sequence[str]] = _no_names
    """The references that there are, where each is a name."""
    models: Callable[[str], tuple[str, ...]] = _no_models
    """Models that a reference names, as `--model` takes them: `system=gpt-4o`."""
    hint: Callable[[str], str | None] = _no_hint
    """What was probably meant by a reference that means nothing."""


SYSTEM_KINDS = Kind(
    "kind of systems",
    "benchwright.systems",
    instance_of(SystemKind),
    package="benchwright.benchmarks.systems",
    attribute="KIND",
    name_of=lambda kind: kind.name,
)
