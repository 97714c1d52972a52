"""Proves GRAMMAR's own corpus: every record says what its question and its answer say, and nothing else.

Where the words around the values are of a schema file, they are read from the first record that has them: all others
must say the same words of the same column.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.releases.proofs.base import Material
from benchwright.builders.grammar.records import BETWEEN, asked_words, given_words, record_id, title_words
from benchwright.builders.sql.proofs.rows import ProvenGroup
from benchwright.builders.sql.proofs.templates import ReleaseTemplates
from benchwright.builders.sql.vocabulary import Vocabulary

_Words = tuple[str, tuple[str, ...], str]
"""Before the title's value, before each value that is given, and before the answer."""


class RecordCheck:
    """Looks at the records of groups, which stand in the corpus in the order of the groups."""

    def __init__(self, material: Material, templates: ReleaseTemplates) -> None:
        self._found, self._texts = material.found, material.texts
        manifest = material.release.manifest
        self._vocabulary = None if manifest.parameters.get("schema") else Vocabulary()
        self._corpus = (row for split in material.splits("corpus") for row in material.rows("corpus", split))
        self._next = next(self._corpus, None)
        self._has_records = self._next is not None
        self._words: dict[str, _Words] = {}
        self._of_column: dict[str, str] = {}
        """`table.column`, or `table` → what records call it."""

    def problems(self, group: ProvenGroup) -> Iterator[tuple[str, str]]:
        """What is wrong with a group's record, or with the documents and evidence that its questions name."""
        row, name = group.row, record_id(group.id)
        if row["answerability"] == "unanswerable":
            return  # it has none, and names no documents, which the proof of answers sees
        if (row["documents"] or []) != ([name] if self._has_records else []):
            yield "document", f"its documents are {row['documents']!r:.100}, and must be its record alone, {name}"
        if not self._has_records:
            if row["evidence"]:
                yield "evidence", "it has evidence, and there are no documents"
            return
        record = self._advance(name)
        if record is None:
            yield "document", f"its record {name} is not in the corpus, where it must stand"
        elif group.read is not None:
            yield from self._problems(group, group.read.sql, record)

    def finish(self) -> None:
        """Notes what is no record of any group."""
        while self._next is not None:
            self._skip()

    def _advance(self, name: str) -> dict[str, Any] | None:
        """The record of this id; documents before it that are none are noted."""
        if name not in self._texts:
            return None
        while self._next is not None and self._next["_id"] != name:
            self._skip()
        found, self._next = self._next, next(self._corpus, None)
        return found

    def _skip(self) -> None:
        document = self._next or {}
        self._found.problem("document", f"{document['_id']} is no record of the question whose place it has")
        self._next = next(self._corpus, None)

    def _problems(self, group: ProvenGroup, sql: SqlTemplate, record: dict[str, Any]) -> Iterator[tuple[str, str]]:
        answer = BETWEEN.join(group.answers)
        words = self._words.get(group.template.id)
        if words is None:
            words = self._read(group, sql, record, answer)
            if words is None:
                yield (
                    "document",
                    f"its record {record['_id']} is not its values and its answer: {record['text']!r:.200}",
                )
                return
            self._words[group.template.id] = words
        title, given, asked = words
        entity = group.template.entity(group.values)
        head = "".join(f"{said}: {value}\n" for said, value in zip(given, group.values, strict=True)) + f"{asked}: "
        if record["text"] != head + answer:
            yield (
                "document",
                f"its record {record['_id']} is {record['text']!r:.200}, and must be {head + answer!r:.200}",
            )
        elif record["title"] != f"{title} {entity}" or record["metadata"] is not None:
            yield "document", f"its record {record['_id']} must have the title {title} {entity!r:.100} alone"
        elif list(group.row["evidence"] or ()) != _evidence(str(record["_id"]), len(head), group.answers):
            yield "evidence", "its evidence is not where its record states its answers"
        else:
            self._found.proved["records"] += 1

    def _read(self, group: ProvenGroup, sql: SqlTemplate, record: dict[str, Any], answer: str) -> _Words | None:
        """The words of a template's records: by rule, or those of the first where a schema file words them."""
        if self._vocabulary is not None:
            return (
                title_words(sql, self._vocabulary),
                tuple(given_words(item, self._vocabulary) for item in sql.placeholders),
                asked_words(sql, self._vocabulary),
            )
        text, title = record["text"] or "", record["title"] or ""
        given, at = [], 0
        for value in group.values:
            end = text.find(f": {value}\n", at)
            given.append(text[at:end])
            if end < 0:
                return None
            at = end + len(value) + 3
        asked = text[at:].removesuffix(f": {answer}")
        noun = title.removesuffix(f" {group.template.entity(group.values)}")
        is_read = noun != title and asked != text[at:] and given[0].startswith(f"{noun} ")
        if not is_read or any("\n" in said for said in (*given, asked)) or not self._agree(sql, noun, given, asked):
            return None
        return noun, tuple(given), asked

    def _agree(self, sql: SqlTemplate, noun: str, given: Sequence[str], asked: str) -> bool:
        """Whether what is called here so is called so in all records."""
        first = sql.placeholders[0]
        said = [(first.table, noun)]
        said += [(f"{item.table}.{item.column}", words) for item, words in zip(sql.placeholders, given, strict=True)]
        if len(sql.names) == 1 and sql.names[0]:
            columns = " ".join(item.column for item in sql.names[0])
            said.append((f"{sql.names[0][0].table}.{columns}", asked))
        return all(self._of_column.setdefault(name.lower(), words) == words for name, words in said)


def _evidence(document: str, at: int, answers: Sequence[str]) -> list[dict[str, Any]]:
    spans = []
    for fact, answer in enumerate(answers):
        spans.append({"document": document, "start": at, "end": at + len(answer), "fact": fact})
        at += len(answer) + len(BETWEEN)
    return spans
