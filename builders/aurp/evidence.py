"""Documents and evidence of questions: the spans of the cells that an answer needs, kept while documents go by."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.schemas import EVIDENCE, json_text
from benchwright.benchmarks.types import NO_ANSWER, Document
from benchwright.builders.aurp.document_text import StatedCell
from benchwright.builders.aurp.documents import Cell
from benchwright.builders.aurp.needed_cells import Absence
from benchwright.builders.aurp.select_groups import AskedTemplate
from benchwright.builders.sql.filling.fillings import Fillings

ANSWERABLE = "answerable"


@dataclass(frozen=True, slots=True)
class Span:
    """Where a document states a cell, and in which words."""

    document: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Group:
    """A semantic group: an answer in all its forms, and the cells that it needs."""

    entity: str
    answers: Sequence[str]
    aliases: Sequence[Sequence[str]]
    """The other forms of each answer."""
    cells: Sequence[Cell]
    subset: str | None = None
    """Of the edition of a round."""
    is_lookup: bool = True
    """Whether the last cell states the answer."""
    answerability: str = ANSWERABLE
    """Where nothing that it needs is missing."""
    absence: Absence | None = None
    """Why it has no answer."""


@dataclass(frozen=True)
class Filled:
    """Some fillings of a template in its split, and their semantic groups in the same order."""

    asked: AskedTemplate
    fillings: Fillings
    groups: Sequence[Group]


@dataclass
class Spans:
    """The spans of the cells that questions need; a value that has been superseded is no evidence."""

    found: dict[Cell, list[Span]] = field(default_factory=dict)

    @classmethod
    def wanted(cls, groups: Iterable[Group]) -> "Spans":
        """Nothing found yet."""
        return cls({cell: [] for group in groups for cell in group.cells})

    def see(self, document: Document, stated: Sequence[StatedCell]) -> None:
        """Keeps what a document states of the cells that are needed."""
        for one in stated:
            spans = self.found.get((one.table, one.key, one.column))
            if spans is not None and not one.superseded:
                spans.append(Span(document.id, one.start, one.end, one.value_text))

    def missing(self, group: Group) -> list[int]:
        """The numbers of the facts that no document states: a known gap has some."""
        return [number for number, cell in enumerate(group.cells) if not self.found[cell]]


def columns(groups: Sequence[Group], spans: Spans) -> Mapping[str, pa.Array]:
    """The columns of some groups that follow from the documents, one value a group.

    Raises:
        BenchwrightError: the evidence of an answerable group does not state its answer.
    """
    gaps = [spans.missing(group) for group in groups]
    evidence = [[] if missing else _evidence(group, spans) for group, missing in zip(groups, gaps, strict=True)]
    subsets = [group.subset for group in groups]
    return {
        **({"subset": pa.array(subsets, pa.string())} if any(subsets) else {}),
        "aliases": pa.array([group.aliases for group in groups], pa.list_(pa.list_(pa.string()))),
        "answerability": pa.array(
            ["gap" if missing else group.answerability for group, missing in zip(groups, gaps, strict=True)],
            pa.string(),
        ),
        "documents": pa.array(
            [list(dict.fromkeys(item["document"] for item in items)) for items in evidence], pa.list_(pa.string())
        ),
        "evidence": pa.array(evidence, pa.list_(EVIDENCE)),
        "metadata": pa.array([_metadata(group, gap) for group, gap in zip(groups, gaps, strict=True)], pa.string()),
    }


def _evidence(group: Group, spans: Spans) -> list[dict[str, str | int]]:
    for span in spans.found[group.cells[-1]] if group.is_lookup else ():
        if not states([plain(span.text)], [group.answers[0], *group.aliases[0]]):
            raise BenchwrightError(
                f"document {span.document} states {span.text!r} where the database holds {group.answers[0]!r}: "
                f"{called(group.cells[-1])}"
            )
    return [
        {"document": span.document, "start": span.start, "end": span.end, "fact": number}
        for number, cell in enumerate(group.cells)
        for span in spans.found[cell]
    ]


def _metadata(group: Group, missing: Sequence[int]) -> str | None:
    facts: dict[str, object] = {"facts": [called(cell) for cell in group.cells]}
    facts |= {"not_stated": list(missing)} if missing else {}
    return json_text(facts | ({NO_ANSWER: group.absence.sort} if group.absence else {}))


def called(cell: Cell) -> str:
    """What metadata and messages call a cell."""
    return f"{cell[0]} {cell[1]}, {cell[2]}"
