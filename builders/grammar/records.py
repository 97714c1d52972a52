"""A corpus for a database that has none: one short record per executed query, which states what it asks and its answer.

A record holds nothing that the question and its answer do not hold already. It is for trying a benchmark out, or for
measuring how a system deals with plain records; a system with documents of its own does not need it.
"""

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.grounding.sql import Placeholder, SqlTemplate
from benchwright.benchmarks.schemas import CORPUS, EVIDENCE
from benchwright.builders.sql.filling.fillings import Fillings
from benchwright.builders.sql.filling.questions import entities
from benchwright.builders.sql.kinds.steps.said import IS_SO, reckoned_words
from benchwright.builders.sql.vocabulary import Vocabulary

BETWEEN = "; "
"""Between the elements of an answer."""
_ID = "record"


def write_records(
    template: SqlTemplate, fillings: Fillings, groups: pa.Array, vocabulary: Vocabulary
) -> tuple[pa.RecordBatch, dict[str, pa.Array]]:
    """The records of some fillings, and the columns `documents` and `evidence` of their questions.

    Args:
        template: the SQL template.
        fillings: n fillings.
        groups: the ids of their semantic groups.
        vocabulary: the words for tables and columns.
    """
    ids = pc.binary_join_element_wise(_ID, groups, "-")
    given: list[str | pa.Array] = []
    for item, texts in zip(template.placeholders, fillings.texts, strict=True):
        given += [f"{given_words(item, vocabulary)}: ", texts, "\n"]
    head = pc.binary_join_element_wise(*given, f"{asked_words(template, vocabulary)}: ", "")
    text = pc.binary_join_element_wise(head, pc.binary_join(fillings.answers, BETWEEN), "")
    title = pc.binary_join_element_wise(f"{title_words(template, vocabulary)} ", entities(template, fillings), "")
    corpus = pa.RecordBatch.from_arrays([ids, title, text, pa.nulls(len(ids), pa.string())], schema=CORPUS.columns)
    own = {
        "documents": pa.ListArray.from_arrays(pa.array(np.arange(len(ids) + 1, dtype=np.int32)), ids),
        "evidence": _evidence(head, fillings.answers, ids),
    }
    return corpus, own


def record_id(group: str) -> str:
    """The id of a group's record."""
    return f"{_ID}-{group}"


def title_words(template: SqlTemplate, vocabulary: Vocabulary) -> str:
    """What stands in a record's title before the first value."""
    return vocabulary.noun(template.placeholders[0].table)


def given_words(item: Placeholder, vocabulary: Vocabulary) -> str:
    """What a record calls a value that is given, such as `client name`."""
    return f"{vocabulary.noun(item.table)} {vocabulary.column(item.table, item.column)}"


def asked_words(template: SqlTemplate, vocabulary: Vocabulary) -> str:
    """What a record calls the answer, such as `client city`, or `total freight of orders` where it is no lookup."""
    if template.declared and (template.aggregates or template.ranked or template.conditions_sql):
        return reckoned_words(template, vocabulary)
    names = []
    for columns, sql, is_predicate in zip(template.names, template.selected_sql, template.predicates, strict=True):
        noun = vocabulary.noun(columns[0].table) if columns else ""
        words = "name" if len(columns) > 1 else "".join(vocabulary.column(one.table, one.column) for one in columns)
        names.append(f"{noun} {words}" if columns else IS_SO if is_predicate else sql)
    return " and ".join(names)


def _evidence(head: pa.Array, answers: pa.ListArray, ids: pa.Array) -> pa.ListArray:
    """One span for each element of each answer; every element is a fact of its own."""
    counts = pc.list_value_length(answers).to_numpy(zero_copy_only=False)
    edges = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    row = np.repeat(np.arange(len(counts)), counts)
    sizes = pc.utf8_length(answers.flatten()).to_numpy(zero_copy_only=False).astype(np.int64)
    before = np.concatenate([[0], np.cumsum(sizes + len(BETWEEN))])
    start = pc.utf8_length(head).to_numpy(zero_copy_only=False)[row] + before[:-1] - before[edges[:-1]][row]
    fact = np.arange(len(row)) - edges[:-1][row]
    fields = [
        ids.take(pa.array(row)),
        pa.array(start.astype(np.int32)),
        pa.array((start + sizes).astype(np.int32)),
        pa.array(fact.astype(np.int32)),
    ]
    return pa.ListArray.from_arrays(pa.array(edges), pa.StructArray.from_arrays(fields, fields=list(EVIDENCE)))
