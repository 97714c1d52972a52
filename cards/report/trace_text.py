"""How one question's answers were judged, as text that a person follows in a terminal: steps, verdicts, arithmetic."""

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow.parquet as pq

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.judgments import Judgment, judge_name
from benchwright.benchmarks.metrics.traces import Step, trace_of
from benchwright.benchmarks.predictions import OWN, Context
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.answers.judged import judgments_of
from benchwright.benchmarks.reports.blocks import cut
from benchwright.benchmarks.runs.run import PREDICTIONS, SCORES
from benchwright.benchmarks.runs.store import stored_predictions
from benchwright.benchmarks.schemas import DEFAULT_CONFIG
from benchwright.cards.blocks.foreign_text import readable

WIDTH = 100
_CELL, _RAW = 1_000, 20_000
"""Characters of a text in a table, and of a model's reply."""
_CONTEXTS = 20
"""Contexts of an answer that are shown."""


def trace_text(folder: Path, question: str, metrics: Sequence[str] = (), *, with_replies: bool = False) -> str:
    """The judgments of the answers to a question, one below the other, each with its steps; then scores by rule.

    Args:
        folder: the run's.
        question: its id.
        metrics: names; none: all.
        with_replies: the model's replies, word for word, and its thoughts, too.

    Raises:
        BenchwrightError: no score is of this question, or none by these metrics.
    """
    found = judgments_of(folder, question)
    computed = list(_computed(folder, question))
    there = dict.fromkeys([*(each.metric for each in found), *(metric for metric, _ in computed)])
    if not there:
        raise BenchwrightError(f"{folder} has no score of {question!r}: give the id of one of its questions")
    if metrics and there.keys().isdisjoint(metrics):
        raise BenchwrightError(f"{question!r} was scored by {', '.join(there)}, and not by {', '.join(metrics)}")
    parts = [
        "\n".join(_judgment(each, with_replies=with_replies)) for each in found if not metrics or each.metric in metrics
    ]
    lines = [line for metric, line in computed if not metrics or metric in metrics]
    if lines:
        parts.append("\n".join(["By rule:", *(each for line in lines for each in _wrapped(line, "  "))]))
    return "\n\n".join(parts)


def _computed(folder: Path, question: str) -> Iterator[tuple[str, str]]:
    """The scores of a question that nobody judged: metric, and a line."""
    path = folder / SCORES
    if not path.is_file():
        return
    for row in pq.read_table(path, filters=[("id", "=", question)]).to_pylist():
        if row["judge"] is None:
            value = "unscored" if row["value"] is None else f"{row['value']:.4g}"
            reason = f" – {row['reason']}" if row["reason"] else ""
            yield row["metric"], f"{row['metric']}: {value}{_where(row['condition'], row['repeat'])}{reason}"


def _where(condition: str, repeat: int, *others: str) -> str:
    """Which of several answers to a question a score is of; empty for the usual one."""
    named = [condition] if condition != OWN else []
    named += [f"repeat {repeat}"] if repeat else []
    named += [each for each in others if each]
    return f" ({', '.join(named)})" if named else ""


def question_text(release: Release, folder: Path, question: str) -> str:
    """A question of a run, its gold answer, what the system said and retrieved, and samples; empty if none is such.

    Args:
        release: the run's.
        folder: the run's.
        question: its id.
    """
    lines: list[str] = []
    for split in release.manifest.splits.get(DEFAULT_CONFIG, {}):
        for batch in release.batches(DEFAULT_CONFIG, split, ["id", "question", "answers"]):
            for row in batch.filter(pc.equal(batch.column("id"), question)).to_pylist():
                lines += _wrapped(f"Question: {cut(row['question'] or '', _CELL)}", "")
                lines += _wrapped(f"Gold: {cut('; '.join(row['answers'] or ()) or '–', _CELL)}", "")
    for prediction in stored_predictions(folder / PREDICTIONS) if lines else ():
        if prediction.id == question:
            repeat = f", repeat {prediction.repeat}" if prediction.repeat else ""
            said = "said to abstain" if prediction.abstained else prediction.answer or prediction.error or ""
            lines += _wrapped(f"Answer ({prediction.condition}{repeat}): {cut(said, _CELL)}", "")
            for number, sample in enumerate(prediction.samples, start=1):
                lines += _wrapped(f"  Sample {number}: {cut(sample, _CELL)}", "")
            lines += _retrieved(prediction.contexts or ())
    return "\n".join(lines)


def _retrieved(contexts: Sequence[Context]) -> Iterator[str]:
    """The contexts that were handed in, with the numbers that a judge sees."""
    for number, each in enumerate(contexts[:_CONTEXTS], start=1):
        name = f" ({each.id})" if each.id and each.text else ""
        yield from _wrapped(f"{number}{name}: {cut(each.text or each.id or '–', _CELL)}", "  Context ")
    if len(contexts) > _CONTEXTS:
        yield f"  and {len(contexts) - _CONTEXTS} more contexts"


def _judgment(judgment: Judgment, *, with_replies: bool) -> Iterator[str]:
    said = "unscored" if judgment.score is None else f"{judgment.score:.4g}"
    where = _where(
        judgment.condition,
        judgment.repeat,
        f"answer {judgment.candidate}" if judgment.candidate else "",
        f"judged again, {judgment.judge_repeat}" if judgment.judge_repeat else "",
    )
    yield _plain(f"{judgment.metric}: {said}{where}, by {judge_name(str(judgment.judge))}")
    steps = trace_of(judgment)
    if judgment.why and all(step.arithmetic != judgment.why for step in steps):
        yield from _wrapped(judgment.why, "  ")
    if not steps:
        yield "  no steps are kept of it"
    for number, step in enumerate(steps, start=1):
        earlier = (place for place, each in enumerate(steps[: number - 1], start=1) if each.rows == step.rows)
        before = next(earlier, None) if step.rows else None
        yield from _step(number, step, before, with_replies=with_replies)


def _step(number: int, step: Step, before: int | None, *, with_replies: bool) -> Iterator[str]:
    """A step; where one before it has the same rows, its number stands in their place."""
    yield _plain(f"  {number}. {step.title}{f' (prompt {step.prompt})' if step.prompt else ''}")
    for line in step.lines:
        yield from _wrapped(line, "     ")
    if before is not None:
        yield f"     of the rows of step {before}:"
    else:
        yield from _table(step)
    if step.arithmetic:
        yield from _wrapped(f"= {step.arithmetic}", "     ")
    if step.error:
        yield from _wrapped(f"error: {step.error}", "     ")
    if with_replies:
        for name, text in (("thoughts", step.thinking), ("reply", step.raw)):
            if text:
                yield f"     {name}:"
                yield from _wrapped(cut(text, _RAW), "       ")


def _table(step: Step) -> Iterator[str]:
    """The rows one below the other: the first text, and beneath it what was said of it."""
    for number, row in enumerate(step.rows, start=1):
        cells = [(name, cut(cell, _CELL)) for name, cell in zip(step.columns, row, strict=True) if cell]
        opening = f"     {number}) "
        for place, (name, cell) in enumerate(cells):
            is_text = not name or (not place and name == step.columns[0])
            yield from _wrapped(cell if is_text else f"{name}: {cell}", opening if not place else " " * len(opening))


def _wrapped(text: str, opening: str) -> Iterator[str]:
    """A text in lines of at most 100 characters, the further ones below its beginning."""
    indent = " " * len(opening)
    for line in _plain(text).splitlines() or [""]:
        yield from textwrap.wrap(
            line, WIDTH, initial_indent=opening, subsequent_indent=indent, drop_whitespace=True
        ) or [opening.rstrip()]
        opening = indent


def _plain(text: str) -> str:
    return readable(text)
