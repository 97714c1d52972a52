"""Which questions a reader is given with their gold documents: a seeded draw of semantic groups, from the files."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.metrics.answers.values import Values
from benchwright.benchmarks.metrics.correct import template_values
from benchwright.benchmarks.releases.readable_figures import Asked
from benchwright.benchmarks.releases.release import HELDOUT, TEST, Release
from benchwright.benchmarks.releases.rows import read_metadata, read_question
from benchwright.benchmarks.schemas import CORPUS, DEFAULT_CONFIG, QUESTIONS
from benchwright.benchmarks.systems.conditions import gold_passages, whole_document
from benchwright.benchmarks.types import Document, Question

GROUPS = 300
"""Semantic groups that are drawn where nothing is said."""
ALL, NONE = "all", "none"
LONGEST = 100_000
"""Characters of gold documents that a reader is given whole; of longer ones it gets the passages with the evidence."""
_NOTHING = {"sql": None, "metadata": None}
"""Columns of which nothing is asked, so that they are not read."""
_NO_TEXT = "the release does not hold the text of every gold document"
_TOO_LONG = f"the gold documents have more than {LONGEST:,} characters, and no evidence says where to read"


@dataclass(frozen=True)
class Item:
    """A question and what its reader is given."""

    question: Question
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class Drawn:
    """What is asked."""

    items: Sequence[Item]
    asked: Asked
    values: Mapping[str, Values]
    """Template → the answers that one of its own could be confused with, as of the metric `correct`."""


def parse_wanted(text: str) -> str:
    """The groups that are wanted as `Asked.wanted` says them: a number, `all` or `none`; empty: GROUPS.

    Raises:
        UsageError: it is none of these.
    """
    said = text.strip().lower() or str(GROUPS)
    if said in (ALL, NONE):
        return said
    if not (said.isascii() and said.isdecimal() and len(said) < 10):
        raise UsageError(f"readable={text} is not possible: give a number of semantic groups, all, or none")
    return str(int(said)) if int(said) else NONE


def draw(release: Release, wanted: str) -> Drawn | None:
    """Draws answerable groups that name their documents, of each one wording, or all wordings of all groups.

    Args:
        release: a release, of which the split `test` is read, else the first that is not held out.
        wanted: as `parse_wanted` gives it.

    Returns:
        None where nothing can be asked: the release has no documents, no such question, or `none` is wanted.
    """
    splits = [split for split in release.manifest.splits.get(DEFAULT_CONFIG, {}) if split != HELDOUT]
    if wanted == NONE or not splits or not release.manifest.rows.get(CORPUS.name):
        return None
    split = TEST if TEST in splits else splits[0]
    groups = _groups(release, split)
    order = sorted(groups, key=lambda group: rank("readable", group))
    kept = order if wanted == ALL else order[: int(wanted)]
    questions = _questions(release, split, kept, is_all=wanted == ALL)
    documents = _documents(release, questions)
    items, left_out = list[Item](), Counter[str]()
    for question in questions:
        passages = _given(question, documents)
        if isinstance(passages, str):
            left_out[passages] += 1
        else:
            items.append(Item(question, passages))
    if not items:
        return None
    drawn = {item.question.group or item.question.id for item in items}
    asked = Asked(split, wanted, len(items), len(drawn), len(groups), dict(left_out))
    return Drawn(items, asked, _values(release, split, items))


def _groups(release: Release, split: str) -> list[str]:
    """The groups that are answerable, have an answer and name a document."""
    found: dict[str, None] = {}
    for batch in release.batches(DEFAULT_CONFIG, split, ["id", "group", "answerability", "answers", "documents"]):
        is_other = pc.is_in(batch.column("answerability"), pa.array(["gap", "unanswerable"]))
        lengths = [pc.fill_null(pc.list_value_length(batch.column(name)), 0) for name in ("answers", "documents")]
        is_asked = pc.and_(pc.invert(is_other), pc.and_(*(pc.greater(length, 0) for length in lengths)))
        found |= dict.fromkeys(pc.unique(_group(batch).filter(is_asked)).to_pylist())
    return list(found)


def _group(batch: pa.RecordBatch) -> pa.Array:
    return pc.coalesce(batch.column("group"), batch.column("id"))


def _questions(release: Release, split: str, groups: Sequence[str], *, is_all: bool) -> list[Question]:
    """The questions of some groups, in stored order: of each the one wording that is drawn, or all."""
    known: dict[str, str] = {}
    chosen: set[str] | None = None if is_all else _wordings(release, split, groups)
    wanted = pa.array(groups if chosen is None else sorted(chosen), pa.string())
    found: list[Question] = []
    columns = [name for name in QUESTIONS.columns.names if name not in _NOTHING]
    for batch in release.batches(DEFAULT_CONFIG, split, columns):
        rows = batch.filter(pc.is_in(_group(batch) if chosen is None else batch.column("id"), wanted))
        found += [read_question({**row, **_NOTHING}, known) for row in rows.to_pylist()]
    return found


def _wordings(release: Release, split: str, groups: Sequence[str]) -> set[str]:
    """The id of one wording of each group: any of them with the same chance."""
    first: dict[str, tuple[bytes, str]] = {}
    wanted = pa.array(groups, pa.string())
    for batch in release.batches(DEFAULT_CONFIG, split, ["id", "group"]):
        rows = batch.filter(pc.is_in(_group(batch), wanted))
        for name, group in zip(rows.column("id").to_pylist(), _group(rows).to_pylist(), strict=True):
            place = (rank("readable", name), name)
            first[group] = min(first.get(group, place), place)
    return {name for _, name in first.values()}


def _documents(release: Release, questions: Sequence[Question]) -> dict[str, Document]:
    """The gold documents of some questions."""
    wanted = pa.array(sorted({name for question in questions for name in question.documents}), pa.string())
    found: dict[str, Document] = {}
    for split in release.manifest.splits.get(CORPUS.name, {}):
        for batch in release.batches(CORPUS.name, split):
            for row in batch.filter(pc.is_in(batch.column("_id"), wanted)).to_pylist():
                metadata = read_metadata(row["metadata"])
                found[row["_id"]] = Document(row["_id"], row["title"] or "", row["text"], metadata)
    return found


def _given(question: Question, documents: Mapping[str, Document]) -> tuple[Passage, ...] | str:
    """What a reader of a question is given, or why it is not asked."""
    named = [documents[name] for name in question.documents if name in documents]
    if len(named) < len(question.documents) or any(document.text is None for document in named):
        return _NO_TEXT
    if sum(len(document.body) for document in named) <= LONGEST:
        return tuple(map(whole_document, named))
    return tuple(gold_passages(question, documents)) if question.evidence else _TOO_LONG


def _values(release: Release, split: str, items: Sequence[Item]) -> Mapping[str, Values]:
    """The answers of the templates that are asked, of all their groups."""
    templates = pa.array(sorted({item.question.template for item in items if item.question.template}), pa.string())
    if not len(templates):
        return {}
    seen: dict[str, Question] = {}
    for batch in release.batches(DEFAULT_CONFIG, split, ["id", "group", "template", "answers", "aliases"]):
        rows = batch.filter(pc.is_in(batch.column("template"), templates))
        places = {group: at for at, group in enumerate(_group(rows).to_pylist()) if group not in seen}
        for group, row in zip(places, rows.take(pa.array(list(places.values()), pa.int64())).to_pylist(), strict=True):
            aliases = tuple(tuple(each or ()) for each in row["aliases"] or ())
            seen[group] = Question(row["id"], "", tuple(row["answers"] or ()), aliases, template=row["template"])
    return template_values(seen.values())
