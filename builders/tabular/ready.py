"""What a build has at hand before it writes: its source, which column is what, and who reads the rows."""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.naming import check_language
from benchwright.benchmarks.types import Document
from benchwright.builders.base import BuildRequest
from benchwright.builders.tabular.beir import FORM as BEIR
from benchwright.builders.tabular.beir import is_beir, open_beir, read_qrels
from benchwright.builders.tabular.columns import (
    CORPUS,
    QUESTIONS,
    Columns,
    choose_columns,
    listed,
    missing_question,
    parse_columns,
)
from benchwright.builders.tabular.documents import Documents, open_corpus
from benchwright.builders.tabular.files import JSON, LINES, WORDS, files_of, format_of, open_files
from benchwright.builders.tabular.hub import PREFIX, open_hub
from benchwright.builders.tabular.rows import Reader
from benchwright.builders.tabular.squad import FORM as SQUAD
from benchwright.builders.tabular.squad import is_squad, open_squad
from benchwright.builders.tabular.tables import Source

_CHOICES = ("choices", "options", "candidates")
GRADED = "grades above 1, of which is kept that they are relevant"
log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class Ready:
    """A source that was opened; its corpus was read."""

    source: Source
    columns: Columns
    documents: Documents
    reader: Reader


def get_ready(request: BuildRequest, write: Callable[[Iterable[Document]], None]) -> Ready:
    """Opens what `request.parameters` names, says which column is what, and reads the corpus.

    Args:
        request: what is asked for.
        write: where documents go.

    Raises:
        BenchwrightError: something cannot be meant or read.
    """
    parameters = request.parameters
    check_language(parameters["language"])
    said, said_of_corpus = parse_columns(parameters["columns"])
    source = open_source(parameters)
    if parameters["corpus"] and source.corpus is None:
        source = replace(source, corpus=open_corpus(Path(parameters["corpus"]).expanduser()))
    documents = Documents(write)
    if source.corpus is None and said_of_corpus:
        raise UsageError("columns names columns of a corpus, and there is none: add --set corpus=FILE")
    of_corpus = choose_columns(source.corpus, said_of_corpus, CORPUS) if source.corpus is not None else None
    columns = choose_columns(source.questions, said, QUESTIONS, _unguessed(source, said))
    _check(source, columns)
    _tell("questions", source.questions.name, columns)
    if source.corpus is not None and of_corpus is not None:
        _tell("documents", source.corpus.name, of_corpus)
        for count in documents.read(source.corpus, of_corpus):
            request.progress("documents", count, 0)
    qrels, graded = read_qrels(source.qrels) if source.qrels is not None else (None, 0)
    reader = Reader(
        columns, documents, qrels, any_is_right=parameters["several"] == "any", separator=parameters["separator"]
    )
    if source.qrels is not None and graded:
        reader.left_out.detail(GRADED, source.qrels.name, graded)
    if source.corpus is not None:
        reader.left_out.add(source.corpus.left_out)
    return Ready(source, columns, documents, reader)


def open_source(parameters: Mapping[str, Any]) -> Source:
    """What a build is made from.

    Raises:
        BenchwrightError: there is no such thing, or it cannot be read.
    """
    place, form, split = parameters["source"], parameters["format"], parameters["split"]
    if place.startswith(PREFIX):
        return open_hub(place, parameters["config"], split)
    path = Path(place).expanduser()
    if not path.exists():
        raise BenchwrightError(f"there is no file or folder {place}: check the path, or write {PREFIX}NAMESPACE/NAME")
    if not path.is_dir() and not path.is_file():
        raise BenchwrightError(
            f"{place} is neither a file nor a folder: it is read more than once, so save it as a file"
        )
    if path.is_dir() and (form == BEIR or (form == "auto" and is_beir(path))):
        return open_beir(path, split)
    if form == BEIR:
        raise BenchwrightError(f"{place} is no folder: BEIR's is one with corpus.jsonl, queries.jsonl and qrels")
    for name in ("config", "split"):
        if parameters[name]:
            raise UsageError(f"{name} is for datasets on the Hub{' and BEIR' * (name == 'split')}: leave it out")
    if path.is_file() and (form == SQUAD or _looks_like_squad(path, form)):
        return Source("SQuAD", open_squad(path))
    files = files_of(path, form) if path.is_dir() else [path]
    found = format_of(files[0], form)
    if found == SQUAD:
        raise BenchwrightError(f"{place} is a folder: name one file of SQuAD")
    return Source(WORDS[found], open_files(files, found))


def _looks_like_squad(path: Path, form: str) -> bool:
    is_json = format_of(path, form) == JSON and path.suffix.lower() not in LINES
    return form == "auto" and is_json and is_squad(path)


def _unguessed(source: Source, said: Mapping[str, Any]) -> list[str]:
    """What is not guessed: documents without a corpus that has them, passages beside one, and the answer beside a
    column of choices, since it may be a place among them."""
    choices = [name for name in source.questions.columns if name.lower() in _CHOICES]
    if choices and "answer" not in said:
        log.warning(
            "there is a column %s: if one holds the right answer as a text, say so: columns=answer=…", choices[0]
        )
    answer = ["answer"] if choices else []
    if source.corpus is None:
        return answer + ([] if "contexts" in said else ["documents"])
    return [*answer, "contexts", "title", *(["documents"] if source.qrels is not None else [])]


def _check(source: Source, columns: Columns) -> None:
    """Raises UsageError where the columns do not do."""
    if "question" not in columns.of:
        raise UsageError(missing_question(source.questions))
    if source.qrels is not None and "id" not in columns.of:
        raise UsageError(f"no column of {source.questions.name} is the id that qrels name: add --set columns=id=COLUMN")
    if "documents" in columns.of and source.corpus is None and "contexts" not in columns.of:
        raise UsageError(
            f"the column {columns.of['documents']!r} names documents, and there are none: add --set corpus=FILE, or "
            "name the column that holds their texts as contexts"
        )


def _tell(what: str, name: str, columns: Columns) -> None:
    """Says what is read as what: a guess that nobody sees is a fault that nobody finds."""
    told = ", ".join(
        f"{role} = {column}{' (guessed)' if role in columns.guessed else ''}" for role, column in columns.told().items()
    )
    unread = f"; not read: {listed(columns.unread)}" if columns.unread else ""
    log.warning("%s of %s: %s%s", what, name, told, unread)
