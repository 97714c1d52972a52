"""Probes of a search: asked for many more passages, and for the words of the evidence, where contexts lack evidence.

They tell apart what looks the same from the outside: a search that misses, a ranking that puts what was found too far
down, and an index that lacks it. A system is probed that has `retrieve(question, k)`; no model is asked to answer.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.metrics.evidence_recall import evidence_recall
from benchwright.benchmarks.predictions import OWN, Context, Prediction
from benchwright.benchmarks.progress import Progress
from benchwright.benchmarks.runs.plan import Options, Plan
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.runs.uri_file import kept_uris
from benchwright.benchmarks.runs.workers import Worker, ask_all
from benchwright.benchmarks.systems.base import Attempt, System
from benchwright.benchmarks.types import Document, Evidence, Question

PROBES = "probes.jsonl"
MOST = 300
"""Questions that are probed, at the most."""
_LOOKED = 4_000
"""Answers that are looked at for such, at the most."""
_TIMES, _LEAST = 10, 50
"""So many times k passages are asked for, and so many at least."""
_WORDS = 80
"""Characters around evidence that are searched for as its words, on either side and within its line."""

Search = Literal["deeper", "words"]


@dataclass(frozen=True, slots=True)
class Probe:
    """What one search found, of the documents that state what the question needs."""

    id: str
    """The question's."""
    search: Search
    """deeper: the question, for many more passages; words: the words around the evidence."""
    asked: int
    """Passages that were asked for."""
    returned: int
    found: tuple[tuple[int, Context], ...]
    """Rank, from 1, and context of those from such documents."""


def probe_run(
    path: Path, store: PredictionStore, plan: Plan, system: System, worker: Worker, options: Options, progress: Progress
) -> tuple[str, ...]:
    """Probes the search of a system where its contexts lack evidence, and keeps what it finds.

    What was probed before is not asked again. Searches that failed are left out. Returns what is to be said of it.
    """
    if system.search is None:
        return (f"{system.reference} cannot be probed: it has no retrieve(question, k)",)
    known = {(probe.id, probe.search) for probe in read_probes(path)}
    documents, number = plan.split.documents, max(_LEAST, _TIMES * options.k)
    matcher = CorpusMatcher(documents, kept_uris(path.parent))
    missed = list(_missed(store, plan, matcher))
    attempts = [
        each
        for question in missed
        for each in _attempts(question, documents)
        if (each.question.id, each.condition) not in known
    ]
    if not attempts:
        return ()
    search = system.search
    answer = worker.call(lambda: search(documents, number))
    by_id = {question.id: question for question in missed}
    predictions = ask_all(
        answer, attempts, worker=worker, is_async=system.is_async, workers=options.workers, timeout=options.timeout
    )
    done, failures = 0, list[str]()
    with closing(predictions), path.open("a", encoding="utf-8") as file:
        for prediction in predictions:
            done += 1
            progress("searches probed", done, len(attempts))
            if prediction.error is None or prediction.contexts:
                file.write(_line(prediction, by_id[prediction.id], number, matcher))
            else:
                failures.append(prediction.error)
    if not failures:
        return ()
    return (f"{len(failures):,} of {done:,} probes of the search failed: {failures[0]}",)


def _missed(store: PredictionStore, plan: Plan, matcher: CorpusMatcher) -> Iterator[Question]:
    """Questions whose contexts lack evidence, of groups drawn evenly: one wording in each form of a group."""
    asked = [question for question in plan.questions if question.evidence]
    groups = {group: number for number, group in enumerate(dict.fromkeys(each.group or each.id for each in asked))}
    every = -(-len(asked) // _LOOKED)
    left = MOST
    for question in asked:
        if groups[question.group or question.id] % every:
            continue
        prediction = store.read((question.id, OWN, 0))
        if prediction is None or not prediction.shows_retrieval or not left:
            continue
        matched = replace(prediction, contexts=matcher.match(prediction.contexts))
        recall = evidence_recall(question, matched, len(matched.contexts), matcher.documents)
        if recall.value is not None and recall.value < 1:
            left -= 1
            yield question


def _attempts(question: Question, documents: Mapping[str, Document]) -> Iterator[Attempt]:
    yield Attempt(question, "deeper")
    item = next((each for each in question.evidence if each.document in documents), None)
    if item is not None and (words := words_around(documents[item.document].body, item)):
        yield Attempt(replace(question, question=words), "words")


def words_around(text: str, item: Evidence) -> str:
    """What stands around a stretch of evidence, in its line, from a whole word to a whole word."""
    before, after = text[max(0, item.start - _WORDS) : item.start], text[item.end : item.end + _WORDS]
    if len(before) == _WORDS:
        before = before.partition(" ")[2]
    if len(after) == _WORDS:
        after = after.rpartition(" ")[0]
    return (before.rpartition("\n")[2] + text[item.start : item.end] + after.partition("\n")[0]).strip()


def _line(prediction: Prediction, question: Question, asked: int, matcher: CorpusMatcher) -> str:
    wanted = {*question.documents, *(item.document for item in question.evidence)}
    found = [
        {"rank": rank, "id": context.id, "text": context.text, "start": context.start, "end": context.end}
        for rank, context in enumerate(matcher.match(prediction.contexts), start=1)
        if context.document in wanted
    ]
    values = {"id": prediction.id, "search": prediction.condition, "asked": asked, "returned": len(prediction.contexts)}
    return json.dumps({**values, "found": found}, ensure_ascii=False, separators=(",", ":")) + "\n"


def read_probes(path: Path) -> Sequence[Probe]:
    """The probes of a run; of a line that was cut off nothing."""
    found = []
    for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
        try:
            values: dict[str, Any] = json.loads(line)
            contexts = tuple(
                (each["rank"], Context(each["id"], each["text"], start=each["start"], end=each["end"]))
                for each in values["found"]
            )
            found.append(Probe(values["id"], values["search"], values["asked"], values["returned"], contexts))
        except (ValueError, KeyError, TypeError):
            continue
    return found
