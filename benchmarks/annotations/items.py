"""What a person is shown and asked: items of texts and tasks, the same for answers of a run and for pairs of a release.

Work   all of it: what pages are made of      Item   one answer, or one pair in one dimension
Task   a question and its choices             Shown  a text to read; ShownStep: a step of a judge, with its rows
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from benchwright.benchmarks.hashing import rank

Stretch = tuple[str, bool]
"""A stretch of a text, and whether it is evidence."""
Role = Literal["question", "gold", "answer", "evidence", "context", "candidate"]
"""What a text is: `gold` and `evidence` may be hidden until the answer is judged, candidates stand side by side."""
Tone = Literal["good", "bad", "quiet"]
UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that a person may say."""

    name: str
    """As it is kept: right, wrong, 4, first."""
    label: str
    """As it stands on the page."""
    value: float | str | None
    """What the judgment or label says; None: nothing can be said."""
    tone: Tone = "quiet"


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A step of a judge."""

    title: str
    metrics: tuple[str, ...]
    """That stand on it."""
    judge: str
    lines: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    """Statements, verdicts, sentences: each may be marked as the one that is wrong."""
    outcomes: tuple[str, ...] = ()
    """What became of it: the score of each metric, and how it came about."""
    more_rows: int = 0
    """That are left out."""


@dataclass(frozen=True, slots=True)
class Task:
    """A question to the person."""

    id: str
    """Names it within its item."""
    ask: str
    choices: tuple[Choice, ...]
    line: Mapping[str, Any]
    """What is kept of a verdict, but for the verdict and who gave it."""
    step: ShownStep | None = None
    """That it is about: it is asked once the item's other tasks are done."""
    said: tuple[str, ...] = ()
    """What others said to it, where it is to be resolved."""
    topic: str = ""
    """What it is about, in a word or two: it changes from one task to the next."""
    meaning: str = ""
    """What the topic stands for."""

    def choice(self, name: object) -> Choice | None:
        """The choice of a name."""
        return next((each for each in self.choices if each.name == name), None)


@dataclass(frozen=True, slots=True)
class Shown:
    """A text to read."""

    title: str
    role: Role
    text: tuple[Stretch, ...]
    note: str = ""
    """What is said of it, such as that it holds evidence."""
    tone: Tone = "quiet"
    """Of the note."""


@dataclass(frozen=True, slots=True)
class Item:
    """One answer, or one pair in one dimension."""

    id: str
    tasks: tuple[Task, ...]
    texts: tuple[Shown, ...] = ()
    """Empty where only the tasks are wanted, to check what was said."""
    about: str = ""
    """The question of a pair, by which a person knows it in a list."""


@dataclass(frozen=True, slots=True)
class Work:
    """All that a sample or a release gives people to do."""

    kind: Literal["run", "release"]
    title: str
    """What it is of."""
    name: str
    """Of the sample, or of the release and its version."""
    hash: str
    """What tells it from other work, 16 hexadecimal digits: verdicts come back with it."""
    items: tuple[Item, ...]
    groups: Mapping[str, str] = field(default_factory=dict)
    """Item → what it shares with others: intervals count these as draws."""
    notes: tuple[str, ...] = ()
    """What is to be known of it, in sentences: what was cut, which steps there are not."""

    guide: tuple[tuple[str, str], ...] = ()
    """What a person is to know before beginning: a title, and what it stands for."""

    @property
    def tasks(self) -> int:
        """How many questions there are to answer."""
        return sum(len(item.tasks) for item in self.items)


def in_order(items: Sequence[Item], page: str) -> list[Item]:
    """The items in the order of a page: by hash, so that no two pages go the same way."""
    return sorted(items, key=lambda item: (rank("annotate", page, item.id), item.id))


RIGHT, WRONG = Choice("right", "Right", 1.0, "good"), Choice("wrong", "Wrong", 0.0, "bad")
CANNOT_TELL = Choice(UNCLEAR, "Unclear", None)
STEP_CHOICES = (Choice("right", "Right", "right", "good"), Choice("wrong", "Wrong", "wrong", "bad"), CANNOT_TELL)
"""Words and no numbers: a verdict on a step is on no metric's scale."""
