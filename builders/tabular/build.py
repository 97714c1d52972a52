"""The builder `tabular`: source → columns → rows → questions and documents."""

import heapq
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.types import Question
from benchwright.builders.base import BuildRequest
from benchwright.builders.tabular.hub import PREFIX
from benchwright.builders.tabular.personal import sorts_in, sorts_of_columns, told
from benchwright.builders.tabular.ready import Ready, get_ready
from benchwright.builders.tabular.rows import SORTS, sort_of

VERSION = "1.0.0"
_AT_ONCE = 2_000
_NAMED, _LONGEST = 100, 200
"""Columns that are not read and stand on the card, and how much of a name."""
log = logging.getLogger("benchwright")


def build(request: BuildRequest, writer: ReleaseWriter) -> None:
    """Builds from what `request.parameters` names as `source`: see `benchmarks/specs/tabular.toml`."""
    ready = get_ready(request, writer.documents)
    personal: Counter[str] = Counter()
    counts = _write(request, writer, ready, personal)
    left_out = ready.reader.left_out
    if left_out.rows or left_out.details:
        log.warning("the first that are left out: %s", "; ".join(left_out.told()))
    _note(writer, ready, counts, request.parameters)
    columns = sorts_of_columns(ready.columns.metadata)
    if personal or columns:
        log.warning("questions that look as if they held personal data: %s", told(personal, columns))
        writer.checks |= {"questions_that_look_personal": dict(personal), "columns_that_look_personal": columns}


def settings_to_rebuild(release: Release, given: Mapping[str, str]) -> dict[str, str]:
    """What builds a release again: a dataset on the Hub by its commit; a file must be named by whoever has it."""
    source = str(release.manifest.parameters.get("source", ""))
    return {"source": source} if source.startswith(PREFIX) else {}


def _write(request: BuildRequest, writer: ReleaseWriter, ready: Ready, personal: Counter[str]) -> dict[str, int]:
    """Writes the questions, and counts those that look personal. Returns the other counts."""
    counts: dict[str, int] = dict.fromkeys((*SORTS, "with_documents"), 0)
    waiting: list[Question] = []

    def flush() -> None:
        ready.documents.flush()
        writer.questions(waiting)
        waiting.clear()

    for number, question in enumerate(sampled(ready, request), 1):
        counts[sort_of(question)] += 1
        counts["with_documents"] += bool(question.documents)
        personal.update(sorts_in(question))
        waiting.append(question)
        if len(waiting) == _AT_ONCE:
            flush()
            request.progress("questions", number, 0)
    flush()
    if not any(counts[sort] for sort in SORTS):
        raise BenchwrightError(nothing_asked(ready))
    return counts


def nothing_asked(ready: Ready) -> str:
    """What to say where no row is a question."""
    why = f": {'; '.join(ready.reader.left_out.told())}" if ready.reader.left_out.rows else ""
    name, read = ready.source.questions.name, ready.reader.count
    return f"no row of {name} ({read:,} read) is a question that can be asked{why}"


def sampled(ready: Ready, request: BuildRequest) -> Iterator[Question]:
    """All questions, or as many of them as are wanted, drawn by the seed from their ids, in the source's order."""
    questions: Iterable[Question] = ready.reader.read(ready.source.questions)
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


def _note(writer: ReleaseWriter, ready: Ready, counts: Mapping[str, int], parameters: Mapping[str, Any]) -> None:
    """What the manifest says of it."""
    source, columns, reader = ready.source, ready.columns, ready.reader
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
        "columns_not_read": [name[:_LONGEST] for name in columns.unread[:_NAMED]],
        "rows_left_out": dict(reader.left_out.rows),
        "details_left_out": dict(reader.left_out.details),
    }
