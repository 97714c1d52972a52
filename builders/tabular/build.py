"""The builder `tabular`: source → columns → rows → questions and documents."""

import heapq
import logging
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.naming import check_language
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.types import Question
from benchwright.builders.base import BuildRequest
from benchwright.builders.tabular.beir import FORM as BEIR
from benchwright.builders.tabular.beir import is_beir, open_beir, read_qrels
from benchwright.builders.tabular.columns import (
    CORPUS,
    QUESTIONS,
    Columns,
    choose_columns,
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

VERSION = "1.0.0"
_AT_ONCE = 2_000
log = logging.getLogger("benchwright")


def build(request: BuildRequest, writer: ReleaseWriter) -> None:
    """Builds from what `request.parameters` names as `source`: see `benchmarks/specs/tabular.toml`."""
    parameters = request.parameters
    check_language(parameters["language"])
    said, said_of_corpus = parse_columns(parameters["columns"])
    source = open_source(parameters)
    if parameters["corpus"] and source.corpus is None:
        source = Source(
            source.form, source.questions, open_corpus(Path(parameters["corpus"]).expanduser()), None, source.facts
        )
    documents = Documents(writer)
    if source.corpus is not None:
        of_corpus = choose_columns(source.corpus, said_of_corpus, CORPUS)
        _tell("documents", source.corpus.name, of_corpus)
        for count in documents.read(source.corpus, of_corpus):
            request.progress("documents", count, 0)
    elif said_of_corpus:
        raise UsageError("columns names columns of a corpus, and there is none: add --set corpus=FILE")
    columns = choose_columns(source.questions, said, QUESTIONS, _unguessed(source, said))
    _check(source, columns)
    _tell("questions", source.questions.name, columns)
    qrels, graded = read_qrels(source.qrels) if source.qrels is not None else (None, 0)
    reader = Reader(
        columns, documents, qrels, any_is_right=parameters["several"] == "any", separator=parameters["separator"]
    )
    if graded:
        reader.left_out.detail("grades above 1, of which is kept that they are relevant", source.qrels.name, graded)  # pyright: ignore[reportOptionalMemberAccess]
    counts = _write(request, writer, documents, reader, source)
    if reader.left_out.rows or reader.left_out.details:
        log.warning("the first that are left out: %s", "; ".join(reader.left_out.told()))
    _note(writer, source, columns, reader, counts, parameters)


def settings_to_rebuild(release: Release, given: Mapping[str, str]) -> dict[str, str]:
    """What builds a release again: a dataset on the Hub by its commit; a file must be named by whoever has it."""
    source = str(release.manifest.parameters.get("source", ""))
    return {"source": source} if source.startswith(PREFIX) else {}


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
    """What is not guessed: documents without a corpus that has them, and passages beside one."""
    if source.corpus is None:
        return [] if "contexts" in said else ["documents"]
    return ["contexts", "title", *(["documents"] if source.qrels is not None else [])]


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
    unread = f"; not read: {', '.join(columns.unread)}" if columns.unread else ""
    log.warning("%s of %s: %s%s", what, name, told, unread)


def _write(
    request: BuildRequest, writer: ReleaseWriter, documents: Documents, reader: Reader, source: Source
) -> dict[str, int]:
    """Writes the questions. Returns their counts."""
    counts = dict.fromkeys(("with_answers", "without_answers", "unanswerable", "with_documents"), 0)
    waiting: list[Question] = []

    def flush() -> None:
        documents.flush()
        writer.questions(waiting)
        waiting.clear()

    for number, question in enumerate(_sampled(reader.read(source.questions), request), 1):
        sort = (
            "unanswerable"
            if question.answerability == "unanswerable"
            else ("with_answers" if question.answers else "without_answers")
        )
        counts[sort] += 1
        counts["with_documents"] += bool(question.documents)
        waiting.append(question)
        if len(waiting) == _AT_ONCE:
            flush()
            request.progress("questions", number, 0)
    flush()
    if not any(counts[sort] for sort in ("with_answers", "without_answers", "unanswerable")):
        why = f": {'; '.join(reader.left_out.told())}" if reader.left_out.rows else ""
        raise BenchwrightError(
            f"no row of {source.questions.name} ({reader.count:,} read) is a question that can be asked{why}"
        )
    return counts


def _sampled(questions: Iterable[Question], request: BuildRequest) -> Iterator[Question]:
    """All questions, or as many of them as are wanted, drawn by the seed from their ids, in the source's order."""
    wanted = request.parameters["questions"]
    if not wanted:
        yield from questions
        return
    kept: list[tuple[int, int, Question]] = []
    for number, question in enumerate(questions):
        place = -int.from_bytes(rank(request.seed, "tabular", question.id), "big")
        if len(kept) < wanted:
            heapq.heappush(kept, (place, number, question))
        elif place > kept[0][0]:
            heapq.heapreplace(kept, (place, number, question))
    yield from (question for _, _, question in sorted(kept, key=lambda each: each[1]))


def _note(
    writer: ReleaseWriter,
    source: Source,
    columns: Columns,
    reader: Reader,
    counts: Mapping[str, int],
    parameters: Mapping[str, Any],
) -> None:
    """What the manifest says of it."""
    tables = (source.questions, source.corpus, source.qrels)
    found = [dict(each) for table in tables if table is not None for each in table.sources]
    writer.sources.extend(each for number, each in enumerate(found) if each not in found[:number])
    writer.parameters |= {"columns": parameters["columns"], "separator": parameters["separator"], **source.facts}
    writer.checks |= {
        "source_form": source.form,
        "rows_read": reader.count,
        **{f"questions_{name}": count for name, count in counts.items()},
        "columns_read": columns.told(),
        "columns_guessed": sorted(columns.guessed),
        "columns_not_read": list(columns.unread),
        "rows_left_out": dict(reader.left_out.rows),
        "details_left_out": dict(reader.left_out.details),
    }
