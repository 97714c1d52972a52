"""What people are asked about the pairs of a release: in each dimension, which of two answers or contexts is better.

The dimensions and who is compared are those of WikiEval (RAGAS, section 4): of faithfulness an answer with the source
and one without, of answer relevance an answer and a poor one, of context relevance the context and one with more in it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.annotations.items import Choice, Item, Shown, Task, Work
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.releases.release import Release

FIRST, SECOND, TIE = "first", "second", "tie"
"""The words of `choice` in the config `labels`: which of a dimension's two columns."""
_CONFIG = "pairs"


@dataclass(frozen=True, slots=True)
class Compared:
    """A dimension: what is asked, of which two columns, and what stands beside them to read."""

    dimension: str
    ask: str
    first: str
    second: str
    read: str | None = None


DIMENSIONS = (
    Compared(
        "faithfulness",
        "Which answer says only what the source says?",
        "answer",
        "ungrounded_answer",
        "source",
    ),
    Compared(
        "answer_relevance",
        "Which answer speaks to the question, whole and without what was not asked?",
        "answer",
        "poor_answer",
    ),
    Compared(
        "context_relevance",
        "Which context holds what the question needs, and little else?",
        "context_v1",
        "context_v2",
    ),
)


def pair_work(release: Release, page: str = "", *, has_texts: bool = True) -> Work:
    """The pairs of a release as items, one for each dimension of which both sides are there.

    Args:
        release: with the config `pairs`.
        page: its name, on which depends who stands on the left.
        has_texts: False: only the tasks, to check what was said.

    Raises:
        BenchwrightError: the release has no pairs.
    """
    manifest = release.manifest
    name = f"{manifest.name} {manifest.version}"
    if not manifest.splits.get(_CONFIG):
        raise BenchwrightError(f"{name} has no config `pairs`: there is nothing to choose between")
    items, groups = [], {}
    for row in _rows(release):
        for compared in DIMENSIONS:
            if not (row[compared.first] and row[compared.second]):
                continue
            item = _item(row, compared, page, has_texts)
            items.append(item)
            groups[item.id] = str(row["id"])
    if not items:
        raise BenchwrightError(f"no pair of {name} has two answers or contexts: there is nothing to choose between")
    return Work("release", name, name, manifest.content_hash[:16], tuple(items), groups)


def _rows(release: Release) -> Iterator[Mapping[str, Any]]:
    for split in release.manifest.splits[_CONFIG]:
        for batch in release.batches(_CONFIG, split):
            yield from batch.to_pylist()


def _item(row: Mapping[str, Any], compared: Compared, page: str, has_texts: bool) -> Item:
    name = f"{row['id']} {compared.dimension}"
    sides = [(FIRST, compared.first), (SECOND, compared.second)]
    if rank("annotate", "sides", page, name)[0] % 2:
        sides.reverse()
    choices = (
        *(Choice(said, f"{letter} is better", said) for (said, _), letter in zip(sides, "AB", strict=True)),
        Choice(TIE, "No difference", TIE),
    )
    task = Task(compared.dimension, compared.ask, choices, {"pair_id": str(row["id"]), "dimension": compared.dimension})
    if not has_texts:
        return Item(name, (task,))
    texts = [Shown("Question", "question", ((row["question"] or "", False),))]
    if compared.read is not None:
        texts.append(Shown("Source", "context", ((row[compared.read] or "", False),), "open"))
    for (_, column), letter in zip(sides, "AB", strict=True):
        texts.append(Shown(letter, "candidate", ((_text(row[column]), False),)))
    return Item(name, (task,), tuple(texts))


def _text(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "\n\n".join(value)
