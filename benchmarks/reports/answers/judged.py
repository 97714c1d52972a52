"""How the answers of a run were judged: the judgments that count, with the steps that each stands on."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.benchmarks.judgments import Judgment, judge_name, parse_judgment
from benchwright.benchmarks.metrics.traces import Step, trace_of
from benchwright.benchmarks.predictions import OWN
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.runs.run import JUDGMENTS

Attempt = tuple[int, int]
"""A question's place in the run, and a repeat."""


@dataclass(frozen=True, slots=True)
class JudgedScore:
    """One score of an answer that a judge gave in steps."""

    metric: str
    value: float | None
    reason: str | None
    judge: str
    """The judge's name."""
    steps: tuple[Step, ...]


class TracedJudgments:
    """The judgments of the condition shown that have steps, by the judges whose verdicts count, read one by one."""

    def __init__(self, run: RunData) -> None:
        self._metrics = {name: place for place, name in enumerate(run.settings.scoring.metrics)}
        self._offsets: dict[Attempt, list[tuple[int, int]]] = {}
        path = run.folder / JUDGMENTS
        self._file = path.open("rb") if path.is_file() else None
        if self._file is not None:
            self._find(run)

    def _find(self, run: RunData) -> None:
        """Where the judgments of each attempt stand."""
        assert self._file is not None
        judges, seen, offset = run.settings.scoring.judges, set[tuple[Attempt, str]](), 0
        for line in self._file:
            start, offset = offset, offset + len(line)
            if b'"steps"' not in line:
                continue
            values = _values(line)
            place = run.questions.index.get(str(values.get("id")))
            metric = str(values.get("metric"))
            if place is None or metric not in self._metrics or (values.get("condition") or OWN) != run.shown:
                continue
            attempt = place, int(values.get("repeat") or 0)
            is_taken = _judge(values) in judges.get(metric, ()) and not values.get("candidate")
            if is_taken and not values.get("judge_repeat") and (attempt, metric) not in seen:
                seen.add((attempt, metric))
                self._offsets.setdefault(attempt, []).append((self._metrics[metric], start))

    def read(self, attempt: Attempt) -> tuple[JudgedScore, ...]:
        """How an answer was judged, in the order of the run's metrics."""
        found: list[JudgedScore] = []
        for _, offset in sorted(self._offsets.get(attempt, ())):
            assert self._file is not None
            self._file.seek(offset)
            judgment = parse_judgment(self._file.readline())
            if judgment is not None:
                found.append(judged_score(judgment))
        return tuple(found)

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()


def judged_score(judgment: Judgment) -> JudgedScore:
    """A judgment with its steps read."""
    name = judge_name(str(judgment.judge))
    return JudgedScore(judgment.metric, judgment.score, judgment.why, name, trace_of(judgment))


def judgments_of(folder: Path, question: str) -> list[Judgment]:
    """All judgments of the answers to one question of a run, as they stand in its file.

    Args:
        folder: the run's.
        question: its id.
    """
    path = folder / JUDGMENTS
    if not path.is_file():
        return []
    wanted = json.dumps(question).encode(), json.dumps(question, ensure_ascii=False).encode()
    with path.open("rb") as file:
        read = (parse_judgment(line) for line in file if any(each in line for each in wanted))
        return [each for each in read if each is not None and each.id == question]


def _values(line: bytes) -> Mapping[str, Any]:
    with suppress(ValueError, RecursionError):
        values = json.loads(line)
        if isinstance(values, dict):
            return values
    return {}


def _judge(values: Mapping[str, Any]) -> str:
    judge = values.get("judge")
    parts = [judge.get(name) for name in ("kind", "name", "version")] if isinstance(judge, Mapping) else []
    return ":".join(str(each) for each in parts if each)
