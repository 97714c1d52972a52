"""The configs of a release: what columns each has, as Arrow schemas, and rows of our types turned into Arrow batches.

Every release holds `questions`, `corpus`, `queries` and `qrels`, as far as it has rows of them. `pairs` and `labels`
are those of annotated benchmarks, `squad` and `triplets` those of TeleQuAD-style ones. A builder declares further ones
in its module's attribute CONFIGS, other packages by entry points `benchwright.configs`: a `ConfigSchema` each.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.registry import Kind, instance_of
from benchwright.benchmarks.types import Document, Question

_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class ConfigSchema:
    """A config: rows of one sort."""

    name: str
    columns: pa.Schema
    description: str
    """What a row is, as the card says it: "documents"."""
    id: str | None = None
    """The column that names a row; no value is there twice in all splits."""
    references: Mapping[str, str] = field(default_factory=dict)
    """Column → the config whose ids it holds. Where questions are held out, rows that name one go where it goes."""
    has_splits: bool = True
    """False: all rows are in one split, called as the config."""
    optional: frozenset[str] = frozenset()
    """Columns that are written and hashed only where a builder gives them; elsewhere they are null."""
    numbered: str | None = None
    """The beginning of a column's name, `negative_`, of which there may be `negative_2`, `negative_3` and so on."""

    def __post_init__(self) -> None:
        names = set(self.columns.names)
        unknown = {*self.references, *self.optional, *([self.id] if self.id else [])} - names
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} cannot be a config's name: use lower-case letters, digits and '_'")
        if unknown or len(names) != len(self.columns):
            raise ValueError(f"the config {self.name} has no column {min(unknown, default='twice')!r}")

    def resolve(self, given: Collection[str]) -> pa.Schema:
        """The schema of rows that have the given columns: of the optional and the numbered ones only those."""
        found = [item for item in self.columns if item.name not in self.optional or item.name in given]
        if self.numbered is not None:
            kind = self.columns.field(f"{self.numbered}1").type
            number = 2
            while f"{self.numbered}{number}" in given:
                found.append(pa.field(f"{self.numbered}{number}", kind))
                number += 1
        return pa.schema(found)


EVIDENCE = pa.struct([("document", pa.string()), ("start", pa.int32()), ("end", pa.int32()), ("fact", pa.int32())])
_TEXTS = pa.list_(pa.string())

QUESTIONS = ConfigSchema(
    "questions",
    pa.schema(
        [
            ("id", pa.string()),
            ("question", pa.string()),
            ("answers", _TEXTS),
            ("aliases", pa.list_(_TEXTS)),
            ("answer_type", pa.string()),
            ("answerability", pa.string()),
            ("group", pa.string()),
            ("form", pa.string()),
            ("template", pa.string()),
            ("entity", pa.string()),
            ("kind", pa.string()),
            ("hops", pa.int32()),
            ("subset", pa.string()),
            ("documents", _TEXTS),
            ("evidence", pa.list_(EVIDENCE)),
            ("sql", pa.string()),
            ("fact_date", pa.string()),
            ("metadata", pa.string()),
        ]
    ),
    "questions, answers and evidence",
    id="id",
    optional=frozenset({"fact_date"}),
)
CORPUS = ConfigSchema(
    "corpus",
    pa.schema([("_id", pa.string()), ("title", pa.string()), ("text", pa.string()), ("metadata", pa.string())]),
    "documents",
    id="_id",
    has_splits=False,
)
QUERIES = ConfigSchema(
    "queries", pa.schema([("_id", pa.string()), ("text", pa.string())]), "ids and wordings alone", id="_id"
)
QRELS = ConfigSchema(
    "qrels",
    pa.schema([("query-id", pa.string()), ("corpus-id", pa.string()), ("score", pa.int32())]),
    "which document answers which question",
    references={"query-id": "questions", "corpus-id": "corpus"},
)
PAIRS = ConfigSchema(
    "pairs",
    pa.schema(
        [
            ("id", pa.string()),
            ("question", pa.string()),
            ("source", pa.string()),
            ("answer", pa.string()),
            ("ungrounded_answer", pa.string()),
            ("poor_answer", pa.string()),
            ("context_v1", _TEXTS),
            ("context_v2", _TEXTS),
            ("provenance", pa.string()),
        ]
    ),
    "two answers and two contexts to choose from",
    id="id",
    optional=frozenset({"provenance"}),  # column → how it was made, as JSON: of pairs that a builder made
)
LABELS = ConfigSchema(
    "labels",
    pa.schema(
        [
            ("pair_id", pa.string()),
            ("dimension", pa.string()),
            ("annotator", pa.string()),
            ("choice", pa.string()),
            ("resolved", pa.bool_()),
        ]
    ),
    "what people chose of the pairs",
    references={"pair_id": "pairs"},
)
SQUAD = ConfigSchema(
    "squad",
    pa.schema(
        [
            ("id", pa.string()),
            ("title", pa.string()),
            ("context", pa.string()),
            ("question", pa.string()),
            ("answers", pa.struct([("text", _TEXTS), ("answer_start", pa.list_(pa.int32()))])),
            ("document", pa.string()),
        ]
    ),
    "questions with their passages, as SQuAD 2.0",
    id="id",
    optional=frozenset({"document"}),  # whose text the context is, in a release of offsets
)
TRIPLETS = ConfigSchema(
    "triplets",
    pa.schema([("anchor", pa.string()), ("positive", pa.string()), ("negative_1", pa.string())]),
    "a text, one that goes with it, and some that do not",
    numbered="negative_",
)
TRIPLET_DOCUMENTS = ConfigSchema(
    "triplet_documents",
    pa.schema([("anchor", pa.string()), ("positive", pa.string()), ("negative_1", pa.string())]),
    "triplets that name documents by their ids, as the texts are not here",
    references={"positive": "corpus", "negative_1": "corpus"},
    numbered="negative_",
)
CELLS = ConfigSchema(
    "cells",
    pa.schema([("group", pa.string()), ("cells", _TEXTS), ("drawn", _TEXTS)]),
    "which cells each semantic group of both halves needs, and which of them were drawn",
    has_splits=False,
)

DEFAULT_CONFIG = QUESTIONS.name
CONFIGS = (QUESTIONS, CORPUS, QUERIES, QRELS, PAIRS, LABELS, SQUAD, TRIPLETS, TRIPLET_DOCUMENTS, CELLS)
"""The configs that every program of this package knows, in the order in which they are shown."""
BASIC = ("questions", "corpus", "queries", "qrels")
"""The configs that `ReleaseWriter.questions` and `ReleaseWriter.documents` write."""
CONFIG_KIND = Kind(
    "config",
    "benchwright.configs",
    instance_of(ConfigSchema),
    package="benchwright.benchmarks.schemas",
    attribute="CONFIGS",
    name_of=lambda config: config.name,
)


def triplets(negatives: int) -> ConfigSchema:
    """The config `triplets` with so many negatives, for a builder to declare: its rows must then have just these."""
    names = ["anchor", "positive", *(f"negative_{number}" for number in range(1, negatives + 1))]
    return ConfigSchema(TRIPLETS.name, pa.schema([(name, pa.string()) for name in names]), TRIPLETS.description)


def in_order(configs: Iterable[str]) -> list[str]:
    """Names of configs as they are shown: those that this package knows in their order, then the others by name."""
    places = {config.name: place for place, config in enumerate(CONFIGS)}
    return sorted(configs, key=lambda name: (places.get(name, len(places)), name))


def json_text(value: Mapping[str, object]) -> str | None:
    """A mapping as compact JSON with sorted keys; None for an empty one."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")) if value else None


def question_batch(rows: Sequence[Question], schema: pa.Schema) -> pa.RecordBatch:
    """Questions as one batch.

    Args:
        rows: the questions.
        schema: of the config `questions`, with the optional columns that are wanted.

    Raises:
        BenchwrightError: a question gives an optional column that is not wanted.
    """
    if "fact_date" not in schema.names:
        dated = next((row.id for row in rows if row.fact_date is not None), None)
        if dated is not None:
            raise BenchwrightError(
                f"question {dated} has a fact_date, and the builder did not announce the column: it must call "
                "writer.with_columns('fact_date') before the first question"
            )
    columns = [
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
            "fact_date": row.fact_date,
            "metadata": json_text(row.metadata),
        }
        for row in rows
    ]
    return pa.RecordBatch.from_pylist(columns, schema=schema)


def document_batch(rows: Sequence[Document]) -> pa.RecordBatch:
    """Documents as one batch with the schema of the config `corpus`."""
    return pa.RecordBatch.from_pylist(
        [{"_id": row.id, "title": row.title, "text": row.text, "metadata": json_text(row.metadata)} for row in rows],
        schema=CORPUS.columns,
    )
