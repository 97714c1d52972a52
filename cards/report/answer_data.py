"""The answers of a run as data within the page: compressed JSON in blocks that no browser runs, read when wanted.

A block of `index` has what is searched and filtered of 2,000 answers, a block of `details` the texts of 100. Each is
JSON, compressed by gzip and written in base64, in a `<script>` of a type that is none of a script's: a page that is
sent alone has everything, its policy on scripts stays as strict as it is, and no text can become markup.
"""

import base64
import gzip
import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import IO, Any

from benchwright.benchmarks.metrics.traces import Step
from benchwright.benchmarks.reports.answers.details import DetailedAnswer, DetailedContext, Stretch, detailed_answers
from benchwright.benchmarks.reports.answers.every import Answers, run_answers
from benchwright.benchmarks.reports.answers.judged import JudgedScore
from benchwright.benchmarks.reports.blocks import cut
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.runs.run import JUDGMENTS, PREDICTIONS
from benchwright.cards.blocks.foreign_text import readable

INDEXED, DETAILED = 2_000, 100
"""Answers of a block; the first is a multiple of the second."""
LENGTHS = (700, 400, 200, 100, 0)
"""Characters of each context: the first length with which the page stays within its budget."""
BUDGET = 24_000_000
"""Bytes of all blocks, in base64; a few more where the sample that it is judged by is smaller than the rest."""
_SAMPLED = 10
"""Blocks that are made to see how large all would be."""
_CELL, _ROWS = 400, 40
"""Characters of a text and rows of a table in a step of a judgment."""
_QUESTION, _ANSWER, _GOLD = 300, 160, 160
"""Characters in the index: what is searched, and seen before an answer is opened."""


def write_answers(run: RunData, file: IO[bytes]) -> None:
    """Writes the blocks, a few answers in memory at a time; with shorter contexts where they would be too large."""
    answers, length = run_answers(run), _length(run)
    index: list[DetailedAnswer] = []
    file.write(_block("answers", 0, {"details": DETAILED, "index": INDEXED, "length": length}))
    details = detailed_answers(run, length)
    while found := list(islice(details, DETAILED)):
        file.write(_block("details", found[0].row, _details(found, answers)))
        index += [_shortened(each) for each in found]
        if len(index) >= INDEXED:
            file.write(_block("index", index[0].row, _index(index, answers)))
            index = []
    if index:
        file.write(_block("index", index[0].row, _index(index, answers)))


def _length(run: RunData) -> int:
    """How many characters of each context the page has room for, judged by blocks that are spread over the run."""
    files = [path for name in (PREDICTIONS, JUDGMENTS) if (path := run.folder / name).is_file()]
    if sum(path.stat().st_size for path in files) <= BUDGET:
        return LENGTHS[0]
    answers = run_answers(run)
    number = -(-len(answers.question) // DETAILED)
    sampled = sorted({number * place // _SAMPLED for place in range(_SAMPLED)})
    rows = {row for block in sampled for row in range(block * DETAILED, (block + 1) * DETAILED)}
    for length in LENGTHS:
        details, size = detailed_answers(run, length, rows), 0
        while found := list(islice(details, DETAILED)):
            size += len(_block("details", 0, _details(found, answers)))
            size += len(_block("index", 0, _index([_shortened(each) for each in found], answers)))
        if size * number <= BUDGET * len(sampled):
            return length
    return LENGTHS[-1]


def _block(kind: str, first: int, values: Any) -> bytes:
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    packed = gzip.compress(text.encode("utf-8", "replace"), compresslevel=6, mtime=0)
    head = f'<script type="application/octet-stream" data-{kind}="{first}">'
    return head.encode() + base64.b64encode(packed) + b"</script>\n"


def _shortened(answer: DetailedAnswer) -> DetailedAnswer:
    """What the index keeps."""
    said = None if answer.answer is None else answer.answer[: _ANSWER + 1]
    return replace(answer, question=answer.question[: _QUESTION + 1], answer=said, contexts=(), evidence=(), judged=())


def _index(found: Sequence[DetailedAnswer], answers: Answers) -> dict[str, Any]:
    """Columns: question, gold answer, answer, id, places of gold documents in `names`, codes of the facets, repeats."""
    rows = slice(found[0].row, found[-1].row + 1)
    names: dict[str, int] = {}
    documents = [[names.setdefault(name, len(names)) for name in each.documents] for each in found]
    values: dict[str, Any] = {
        "question": [_short(each.question, _QUESTION) for each in found],
        "gold": [_short(_gold(each), _GOLD) for each in found],
        "answer": [None if each.answer is None else _short(each.answer, _ANSWER) for each in found],
        "id": [readable(each.id) for each in found],
        "documents": documents,
        "names": [readable(name) for name in names],
        "codes": {key: codes[rows].tolist() for key, codes in answers.codes.items()},
    }
    if answers.repeat.any():
        values["repeat"] = answers.repeat[rows].tolist()
    return values


def _gold(answer: DetailedAnswer) -> str:
    return "; ".join(answer.gold)


def _short(text: str, length: int) -> str:
    return readable(text if len(text) <= length else f"{text[:length]}…")


class _Texts:
    """The texts of a block, each once: contexts of questions that belong together are often the same."""

    def __init__(self) -> None:
        self._places: dict[tuple[Stretch, ...], int] = {}

    def place(self, text: tuple[Stretch, ...] | None) -> int:
        """Where a text stands; -1 where there is none."""
        return -1 if text is None else self._places.setdefault(text, len(self._places))

    def written(self) -> list[list[str | list[str]]]:
        """Each as its stretches, evidence in a list of its own."""
        return [
            [[readable(said)] if is_evidence else readable(said) for said, is_evidence in text] for text in self._places
        ]


def _details(found: Sequence[DetailedAnswer], answers: Answers) -> dict[str, Any]:
    texts = _Texts()
    rows = [_row(each, texts, answers.verdict.at(each.row)) for each in found]
    return {"texts": texts.written(), "rows": rows}


def _row(answer: DetailedAnswer, texts: _Texts, verdict: str | None) -> dict[str, Any]:
    """What the index lacks of an answer."""
    values: dict[str, Any] = {
        "question": readable(answer.question) if len(answer.question) > _QUESTION else None,
        "gold": readable(_gold(answer)) if len(_gold(answer)) > _GOLD else None,
        "answer": readable(answer.answer) if answer.answer is not None and len(answer.answer) > _ANSWER else None,
        "verdict": None if verdict is None else readable(cut(verdict, 300)),
        "error": None if answer.error is None else readable(answer.error),
        "evidence": [[readable(document), texts.place(text or None)] for document, text in answer.evidence],
        "contexts": [_context(each, texts) for each in answer.contexts],
        "judged": [_judged(each) for each in answer.judged],
        "more": answer.more_contexts,
        "evidence_in_more": answer.evidence_in_more,
    }
    return {key: value for key, value in values.items() if value}


def _context(context: DetailedContext, texts: _Texts) -> list[Any]:
    """Id, place of the text, whether it holds evidence (null where the question has none), whether it is foreign."""
    held = None if context.holds_evidence is None else int(context.holds_evidence)
    name = None if context.id is None else readable(context.id)
    return [name, texts.place(context.text), held, int(context.is_foreign)]


def _judged(score: JudgedScore) -> list[Any]:
    """Metric, value, reason, judge, and the steps."""
    value = None if score.value is None else f"{score.value:.3g}"
    reason = None if score.reason is None else readable(cut(score.reason, _CELL))
    return [readable(score.metric), value, reason, readable(score.judge), [_step(each) for each in score.steps]]


def _step(step: Step) -> dict[str, Any]:
    """One step, without what it lacks; its longest texts are cut."""
    rows = [[readable(cut(cell, _CELL)) for cell in row] for row in step.rows[:_ROWS]]
    values: dict[str, Any] = {
        "title": readable(step.title),
        "prompt": step.prompt,
        "lines": [readable(cut(line, _CELL)) for line in step.lines],
        "columns": [readable(name) for name in step.columns],
        "rows": rows,
        "more": len(step.rows) - len(rows),
        "arithmetic": None if step.arithmetic is None else readable(cut(step.arithmetic, _CELL)),
        "error": None if step.error is None else readable(cut(step.error, _CELL)),
    }
    return {key: value for key, value in values.items() if value}
