"""The columns of every config of a release, as Arrow schemas, and rows of our types turned into Arrow batches."""

import json
from collections.abc import Mapping, Sequence

import pyarrow as pa

from benchwright.benchmarks.types import Document, Qrel, Question

EVIDENCE = pa.struct([("document", pa.string()), ("start", pa.int32()), ("end", pa.int32()), ("fact", pa.int32())])

SCHEMAS: Mapping[str, pa.Schema] = {
    "questions": pa.schema(
        [
            ("id", pa.string()),
            ("question", pa.string()),
            ("answers", pa.list_(pa.string())),
            ("aliases", pa.list_(pa.list_(pa.string()))),
            ("answer_type", pa.string()),
            ("answerability", pa.string()),
            ("group", pa.string()),
            ("form", pa.string()),
            ("template", pa.string()),
            ("entity", pa.string()),
            ("kind", pa.string()),
            ("hops", pa.int32()),
            ("subset", pa.string()),
            ("documents", pa.list_(pa.string())),
            ("evidence", pa.list_(EVIDENCE)),
            ("sql", pa.string()),
            ("metadata", pa.string()),
        ]
    ),
    "corpus": pa.schema(
        [("_id", pa.string()), ("title", pa.string()), ("text", pa.string()), ("metadata", pa.string())]
    ),
    "queries": pa.schema([("_id", pa.string()), ("text", pa.string())]),
    "qrels": pa.schema([("query-id", pa.string()), ("corpus-id", pa.string()), ("score", pa.int32())]),
}
"""Config → schema. Every release holds these four; annotated and TeleQuAD-style benchmarks add their own."""

DEFAULT_CONFIG = "questions"


def json_text(value: Mapping[str, object]) -> str | None:
    """A mapping as compact JSON with sorted keys; None for an empty one."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")) if value else None


def question_batch(rows: Sequence[Question]) -> pa.RecordBatch:
    """Questions as one batch with the schema of the config `questions`."""
    return pa.RecordBatch.from_pylist(
        [
            {
                "id": row.id,
                "question": row.question,
                "answers": row.answers,
                "aliases": row.aliases or ((),) * len(row.answers),
                "answer_type": row.answer_type,
                "answerability": row.answerability,
                "group": row.group,
                "form": row.form,
                "template": row.template,
                "entity": row.entity,
                "kind": row.kind,
                "hops": row.hops,
                "subset": row.subset,
                "documents": row.documents,
                "evidence": [
                    {"document": item.document, "start": item.start, "end": item.end, "fact": item.fact}
                    for item in row.evidence
                ],
                "sql": row.sql,
                "metadata": json_text(row.metadata),
            }
            for row in rows
        ],
        schema=SCHEMAS["questions"],
    )


def document_batch(rows: Sequence[Document]) -> pa.RecordBatch:
    """Documents as one batch with the schema of the config `corpus`."""
    return pa.RecordBatch.from_pylist(
        [{"_id": row.id, "title": row.title, "text": row.text, "metadata": json_text(row.metadata)} for row in rows],
        schema=SCHEMAS["corpus"],
    )


def qrel_batch(rows: Sequence[Qrel]) -> pa.RecordBatch:
    """Qrels as one batch with the schema of the config `qrels`."""
    return pa.RecordBatch.from_pylist(
        [{"query-id": row.question, "corpus-id": row.document, "score": row.score} for row in rows],
        schema=SCHEMAS["qrels"],
    )
