"""Whether the rows of a release go together, watched while they are written: nothing is read or held twice.

Of ids, references, answers and documents only hashes of 64 bits are held, each once for a run of rows that share it: 8
bytes a question, 16 a semantic group, 12 a document and a span. What is found here is a suspicion; the proofs
(`proofs/verify.py`) then say in words what is wrong, so that two texts with one hash accuse nobody.
"""

from array import array
from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.hashing import hash_texts
from benchwright.benchmarks.releases.commitments import PUBLIC_COLUMNS
from benchwright.benchmarks.releases.fact_dates import date_problem
from benchwright.benchmarks.releases.release import HELDOUT
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.schemas import ConfigSchema

_MIX = np.uint64(0x9E3779B97F4A7C15)
_UNKNOWN_LENGTH = np.iinfo(np.int32).max


class Integrity:
    """What was seen of a release's rows so far."""

    def __init__(self) -> None:
        self._suspicious = False
        self._ids: dict[str, _Hashes] = {}
        """Config → its ids."""
        self._references: dict[str, _Hashes] = {}
        """Config → ids of it that other rows name."""
        self._documents, self._lengths = _Hashes(), array("i")
        self._spans, self._ends = _Hashes(), array("i")
        self._groups, self._answers = _Hashes(), _Hashes()

    def see(self, config: ConfigSchema, split: str, batch: pa.RecordBatch) -> None:
        """Takes in rows that are written."""
        hashed = None
        if config.id is not None and config.name != "queries":
            hashed = hash_texts(batch.column(config.id))
            self._ids.setdefault(config.name, _Hashes()).add(hashed)
            self._suspicious |= _has_empty(batch.column(config.id))
        if config.name == "corpus" and hashed is not None:
            self._documents.add(hashed)
            self._lengths.frombytes(_text_lengths(batch).tobytes())
        elif config.name == "questions":
            self._see_questions(split, batch)
        elif config.name != "qrels":  # they follow from the questions, which were looked at
            for column, target in config.references.items():
                self._references.setdefault(target, _Hashes()).add(hash_texts(batch.column(column)))

    def _see_questions(self, split: str, batch: pa.RecordBatch) -> None:
        self._suspicious |= _has_empty(batch.column("question"))
        if split == HELDOUT:
            secret = [name for name in batch.schema.names if name not in PUBLIC_COLUMNS and name != "metadata"]
            self._suspicious |= any(_holds_anything(batch.column(name)) for name in secret)
            return
        answers = batch.column("answers")
        counts = _lengths(answers)
        self._suspicious |= _shape_is_wrong(batch, counts)
        groups = hash_texts(batch.column("group"))
        self._see_groups(groups, _hash_lists(answers, counts), batch.column("group"))
        self._see_documents(batch)

    def _see_groups(self, groups: np.ndarray, answers: np.ndarray, column: pa.Array) -> None:
        if column.null_count:
            there = column.is_valid().to_numpy(zero_copy_only=False)
            groups, answers = groups[there], answers[there]
        first = _first_of_runs(groups, answers)
        self._groups.add(groups[first])
        self._answers.add(answers[first])

    def _see_documents(self, batch: pa.RecordBatch) -> None:
        named, counts = hash_texts(batch.column("documents").flatten()), _lengths(batch.column("documents"))
        self._references.setdefault("corpus", _Hashes()).add(named[_first_of_runs(named)])
        evidence = batch.column("evidence")
        spans = evidence.flatten()
        if not len(spans):
            return
        documents, starts, ends = (spans.field(name) for name in ("document", "start", "end"))
        start, end = (_numbers(values) for values in (starts, ends))
        self._suspicious |= bool(spans.null_count or (start < 0).any() or (end <= start).any())
        hashed = hash_texts(documents)
        first = _first_of_runs(hashed, end)
        self._spans.add(hashed[first])
        self._ends.frombytes(end[first].tobytes())
        self._suspicious |= not _are_named(hashed, _lengths(evidence), named, counts)

    def is_suspicious(self) -> bool:
        """Whether something may be wrong. Called once, when all rows were seen."""
        return (
            self._suspicious
            or any(hashes.repeat() for hashes in self._ids.values())
            or any(not self._is_there(target, hashes) for target, hashes in self._references.items())
            or self._spans_leave_their_texts()
            or self._groups_disagree()
        )

    def _is_there(self, target: str, hashes: "_Hashes") -> bool:
        ids = self._ids.get(target, _Hashes()).sorted()
        wanted = hashes.values()
        if not len(wanted):
            return True
        if not len(ids):
            return False
        return bool((ids[np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)] == wanted).all())

    def _spans_leave_their_texts(self) -> bool:
        wanted, ends = self._spans.values(), np.frombuffer(self._ends, dtype=np.int32)
        if not len(wanted):
            return False
        known, lengths = self._documents.values(), np.frombuffer(self._lengths, dtype=np.int32)
        if not len(known):
            return True
        order = np.argsort(known, kind="stable")
        known, lengths = known[order], lengths[order]
        place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        return bool(((known[place] != wanted) | (ends > lengths[place])).any())

    def _groups_disagree(self) -> bool:
        groups, answers = self._groups.values(), self._answers.values()
        order = np.argsort(groups, kind="stable")
        groups, answers = groups[order], answers[order]
        return bool(((groups[1:] == groups[:-1]) & (answers[1:] != answers[:-1])).any())


class _Hashes:
    """A growing list of hashes, 8 bytes each."""

    def __init__(self) -> None:
        self._held = array("Q")

    def add(self, hashes: np.ndarray) -> None:
        self._held.frombytes(np.ascontiguousarray(hashes, dtype=np.uint64).tobytes())

    def values(self) -> np.ndarray:
        return np.frombuffer(self._held, dtype=np.uint64)

    def sorted(self) -> np.ndarray:
        """The hashes in order; the order in which they came is lost, and no memory is taken."""
        values = self.values()
        values.sort()
        return values

    def repeat(self) -> bool:
        values = self.sorted()
        return bool((values[1:] == values[:-1]).any())


def _shape_is_wrong(batch: pa.RecordBatch, answers: np.ndarray) -> bool:
    """Whether an answer, an alias, an answer type or a date does not go with the rest of its row; see
    `proofs/answers.py`."""
    aliases, kind, state = (batch.column(name) for name in ("aliases", "answer_type", "answerability"))
    given = aliases.is_valid().to_numpy(zero_copy_only=False)
    wrong = given & (_lengths(aliases) != answers)
    wrong |= _is_in(kind, ["one", "boolean"]) & (answers != 1)
    wrong |= _is_in(state, ["answerable", "gap"]) & (answers == 0)
    named = (_lengths(batch.column("documents")) > 0) | (_lengths(batch.column("evidence")) > 0)
    wrong |= _is_in(state, ["gap", "unanswerable"]) & named
    if "fact_date" in batch.schema.names:
        dates = batch.column("fact_date").unique().to_pylist()
        return bool(wrong.any()) or any(text is not None and date_problem(text) for text in dates)
    return bool(wrong.any())


def _is_in(column: pa.Array, values: list[str]) -> np.ndarray:
    """Whether each value is one of a few. Of a dictionary array only the dictionary is looked at."""
    if pa.types.is_dictionary(column.type):
        of_dictionary = _is_in(column.dictionary, values)
        taken = column.indices.fill_null(len(of_dictionary)).to_numpy(zero_copy_only=False)
        return np.append(of_dictionary, False)[taken]
    return pc.is_in(column, value_set=pa.array(values)).to_numpy(zero_copy_only=False)


def _are_named(spans: np.ndarray, per_row: np.ndarray, documents: np.ndarray, documents_per_row: np.ndarray) -> bool:
    """Whether every span is in one of its row's documents."""
    if np.array_equal(per_row, documents_per_row) and np.array_equal(spans, documents):
        return True
    with np.errstate(over="ignore"):
        rows = np.arange(len(per_row), dtype=np.uint64) * _MIX
        wanted = spans ^ np.repeat(rows, per_row)
        there = documents ^ np.repeat(rows, documents_per_row)
    return bool(np.isin(wanted, there).all())


def _hash_lists(lists: pa.Array, counts: np.ndarray) -> np.ndarray:
    """A hash of each list of texts, whatever their order."""
    items = hash_texts(lists.flatten())
    with np.errstate(over="ignore"):
        items = (items ^ (items >> np.uint64(29))) * _MIX
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(items, dtype=np.uint64)])
        ends = np.cumsum(counts)
        return (sums[ends] - sums[ends - counts]) ^ (counts.astype(np.uint64) * _MIX)


def _first_of_runs(*columns: np.ndarray) -> np.ndarray:
    """Which rows differ from the row before in any column."""
    first = np.ones(len(columns[0]), dtype=bool)
    if len(first) > 1:
        first[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return first


def _lengths(lists: pa.Array) -> np.ndarray:
    return pc.list_value_length(lists).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)


def _numbers(values: pa.Array) -> np.ndarray:
    return values.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)


def _has_empty(texts: pa.Array) -> bool:
    """Whether a text is missing or empty."""
    if pa.types.is_dictionary(texts.type):
        return bool(texts.null_count) or _has_empty(texts.dictionary)
    return bool(texts.null_count) or pc.min(pc.binary_length(texts)).as_py() == 0


def _holds_anything(column: pa.Array) -> bool:
    """Whether a column holds more than nulls and empty lists."""
    if pa.types.is_list(column.type):
        return bool(_lengths(column).any())
    return column.null_count < len(column)


def _text_lengths(batch: pa.RecordBatch) -> np.ndarray:
    """The length of each document's text, in characters; of one whose text is not there, the length that is told."""
    texts = batch.column("text")
    lengths = pc.utf8_length(texts).fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
    if texts.null_count:
        for place in np.flatnonzero(lengths < 0):
            told: Mapping[str, object] = read_metadata(batch.column("metadata")[int(place)].as_py())
            length = told.get("text_length")
            lengths[place] = length if isinstance(length, int) and 0 <= length < _UNKNOWN_LENGTH else _UNKNOWN_LENGTH
    return lengths
