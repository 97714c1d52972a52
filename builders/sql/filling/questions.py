"""From fillings to rows of the config `questions`: every wording of every filling, made column by column."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.grounding.sql import PLACEHOLDER, SqlTemplate
from benchwright.benchmarks.grounding.values import literal_array
from benchwright.benchmarks.hashing import group_id, wording_id
from benchwright.benchmarks.schemas import QUESTIONS, json_text
from benchwright.benchmarks.types import YES_NO
from benchwright.builders.sql.filling.fillings import Fillings

CONTRAST = "contrast"
"""Key of a question's metadata: the id of the wording that it says in its form."""


@dataclass(frozen=True)
class WordedTemplate:
    """A SQL template with the wordings that are used, and what its questions have in common."""

    sql: SqlTemplate
    wordings: tuple[tuple[str, str], ...]
    """Form and text, in the order in which the questions of a group are stored."""
    kind: str
    hops: int
    contrast: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Form and text → the id of what it and its counterparts in other forms say; nothing where there are none."""


def group_ids(builder: str, template: SqlTemplate, fillings: Fillings) -> pa.Array:
    """The id of each filling's semantic group."""
    rows = zip(*(column.to_pylist() for column in fillings.texts), strict=True)
    return pa.array([group_id(builder, template.id, row) for row in rows], pa.string())


def entities(template: SqlTemplate, fillings: Fillings) -> pa.Array:
    """What the questions of each filling are about: its first value, with those that follow it of the same table."""
    count = entity_width([item.table.lower() for item in template.placeholders], template.declared)
    return fillings.texts[0] if count == 1 else pc.binary_join_element_wise(*fillings.texts[:count], " ")


def entity_width(tables: Sequence[str], kind: str) -> int:
    """How many values at the beginning name what questions are about, given the table of each.

    Where a yes or no is asked of one thing, the last value is what is asked about it.
    """
    count = count_first(tables)
    return count - 1 if kind == YES_NO and 1 < count == len(tables) else count


def count_first(tables: Sequence[str]) -> int:
    """How many at the beginning are the same as the first."""
    return next((number for number, table in enumerate(tables) if table != tables[0]), len(tables))


def question_rows(
    worded: WordedTemplate, fillings: Fillings, groups: pa.Array, own: Mapping[str, pa.Array] | None = None
) -> pa.RecordBatch:
    """All questions of some fillings, group by group.

    What is the same for all wordings of a group, or for all questions, is a dictionary array: neither this function nor
    the Parquet writer copies it.

    Args:
        worded: the template and its wordings.
        fillings: n fillings with their answers.
        groups: their `group_ids`.
        own: columns that the builder knows better, with one value a filling, such as `documents` or `answerability`.
    """
    count, wordings = len(fillings), worded.wordings
    group = np.repeat(np.arange(count, dtype=np.int32), len(wordings))
    wording = np.tile(np.arange(len(wordings), dtype=np.int32), count)
    ids = pa.array([wording_id(form, text) for form, text in wordings])
    forms = list(dict.fromkeys(form for form, _ in wordings))
    form_of = np.array([forms.index(form) for form, _ in wordings], dtype=np.int32)
    columns: dict[str, pa.Array] = {
        "id": pc.binary_join_element_wise(groups.take(pa.array(group)), ids.take(pa.array(wording)), "-"),
        "question": _fill_wordings(worded, fillings, group, wording),
        "answers": _repeat_lists(fillings.answers, group),
        "aliases": _no_aliases(fillings.answers, group),
        "answer_type": _repeat(pa.array(fillings.answer_types), group),
        "answerability": _same("answerable", len(group)),
        "group": _repeat(groups, group),
        "form": _repeat(pa.array(forms), form_of[wording]),
        "template": _same(worded.sql.id, len(group)),
        "entity": _repeat(entities(worded.sql, fillings), group),
        "kind": _same(worded.kind, len(group)),
        "hops": pa.array(np.full(len(group), worded.hops, dtype=np.int32)),
        "sql": _repeat(executed_sql(worded.sql, fillings), group),
    }
    for name, array in (own or {}).items():
        repeatable = pa.types.is_string(array.type) and not array.null_count
        columns[name] = _repeat(array, group) if repeatable else array.take(pa.array(group))
    if any(said in worded.contrast for said in wordings):
        columns["metadata"] = _marked(columns.get("metadata"), worded, wording)
    schema = QUESTIONS.resolve(columns)
    arrays = [columns[item.name] if item.name in columns else _nothing(item.type, len(group)) for item in schema]
    return pa.RecordBatch.from_arrays(arrays, names=schema.names)


def _fill_wordings(worded: WordedTemplate, fillings: Fillings, group: np.ndarray, wording: np.ndarray) -> pa.Array:
    """The text of each question."""
    numbers = {(p.table.lower(), p.column.lower()): i for i, p in enumerate(worded.sql.placeholders)}
    filled = []
    for _, text in worded.wordings:
        parts: list[str | pa.Array] = []
        last = 0
        for match in PLACEHOLDER.finditer(text):
            parts += [
                text[last : match.start()],
                fillings.texts[numbers[match.group(1).lower(), match.group(2).lower()]],
            ]
            last = match.end()
        filled.append(pc.binary_join_element_wise(*parts, text[last:], ""))
    by_wording = pa.concat_arrays(filled)
    return by_wording.take(pa.array(wording * len(fillings) + group))


def _marked(metadata: pa.Array | None, worded: WordedTemplate, wording: np.ndarray) -> pa.Array:
    """Metadata of questions, with the mark of those that have counterparts: its key sorts before those of builders."""
    marks = [worded.contrast.get(said) for said in worded.wordings]
    alone = pa.array([json_text({CONTRAST: mark}) if mark else None for mark in marks], pa.string())
    alone = alone.dictionary_encode().take(pa.array(wording))
    if metadata is None:
        return alone
    alone = alone.cast(pa.string())
    texts = metadata.cast(pa.string())
    joined = pc.binary_join_element_wise(
        pc.utf8_slice_codeunits(alone, 0, -1), pc.utf8_slice_codeunits(texts, 1), ",", null_handling="emit_null"
    )
    return pc.coalesce(joined, alone, texts)


def executed_sql(template: SqlTemplate, fillings: Fillings) -> pa.Array:
    """The SQL of each filling, with its values as literals."""
    literals = [literal_array(values, texts) for values, texts in zip(fillings.values, fillings.texts, strict=True)]
    pieces, cuts = template.pieces
    parts: list[str | pa.Array] = [pieces[0]]
    for cut, piece in zip(cuts, pieces[1:], strict=True):
        parts += [literals[cut], piece]
    return pc.binary_join_element_wise(*parts, "")


def _repeat(values: pa.Array, index: np.ndarray) -> pa.Array:
    """Texts by their number. Each is in the dictionary once: else the Parquet writer's bytes differ from run to run."""
    encoded = values.dictionary_encode()
    return pa.DictionaryArray.from_arrays(encoded.indices.take(pa.array(index)), encoded.dictionary)


def _same(value: str, count: int) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(count, dtype=np.int32)), pa.array([value]))


def _repeat_lists(lists: pa.ListArray, group: np.ndarray) -> pa.Array:
    """Lists of texts, repeated; their items become a dictionary array."""
    return pa.ListArray.from_arrays(lists.offsets, lists.values.dictionary_encode()).take(pa.array(group))


def _no_aliases(answers: pa.ListArray, group: np.ndarray) -> pa.Array:
    """For each answer an empty list."""
    counts = pc.list_value_length(answers).to_numpy(zero_copy_only=False)[group]
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    inner = pa.ListArray.from_arrays(pa.array(np.zeros(offsets[-1] + 1, dtype=np.int32)), pa.array([], pa.string()))
    return pa.ListArray.from_arrays(pa.array(offsets), inner)


def _nothing(kind: pa.DataType, count: int) -> pa.Array:
    """Empty lists, or nulls."""
    if pa.types.is_list(kind):
        return pa.ListArray.from_arrays(pa.array(np.zeros(count + 1, dtype=np.int32)), pa.array([], kind.value_type))
    return pa.nulls(count, kind)
