"""Language models as metrics: each prediction is judged once, and each judgment is written as it arrives."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.judgments import Verdict, Verdicts
from benchwright.benchmarks.metrics import Metric, Score, find_metric
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import Reply, ReplyError
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.rows import ReleaseSplit
from benchwright.benchmarks.runs.run import JUDGMENTS, PREDICTIONS
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.types import Question

JUDGE = "judge"
TEMPERATURE = 0.0

Key = tuple[str, str, int]
Item = tuple[Key, Metric, Mapping[str, Any]]


def judge_run(
    client: Client,
    folder: Path,
    questions: Sequence[Question],
    split: ReleaseSplit,
    metrics: Sequence[str],
    verdicts: Verdicts,
    progress: Any,
) -> Verdicts:
    """Has a run's predictions judged by every metric among those named that a model judges.

    Judgments are appended to `judgments.jsonl` as they arrive; what stands there is not judged again.

    Returns:
        The verdicts that were there, and the new ones.

    Raises:
        BenchwrightError: another judge has begun.
        StopError: a limit of the run is reached, or the model cannot be asked.
    """
    judged = [metric for metric in (find_metric(name) for name in dict.fromkeys(metrics)) if metric.judging is not None]
    if not judged:
        return verdicts
    found: dict[Key, dict[str, Verdict]] = {key: dict(each) for key, each in verdicts.items()}
    judges = {metric.name: _judge(client, metric) for metric in judged}
    _check_judges(found, judges, folder)
    store = PredictionStore(folder / PREDICTIONS)
    try:
        items, total = _missing(store, questions, judged, split, found), len(store) * len(judged)
        with (folder / JUDGMENTS).open("a", encoding="utf-8") as file:
            for done, (item, outcome) in enumerate(client.each(items, lambda item: _ask(client, item)), start=1):
                key, metric, _ = item
                line = _judgment(key, metric, judges[metric.name], outcome)
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
                file.flush()
                name = ":".join(judges[metric.name].values())
                found.setdefault(key, {})[metric.name] = Verdict(line["value"], line["reason"], name)
                progress("answers judged", done, total)
    finally:
        store.close()
    return found


def drop_cut_line(path: Path) -> None:
    """Cuts off a last line that was not written to its end, and ends one that only lacks its line break."""
    data = path.read_bytes()
    start = data.rfind(b"\n") + 1
    if start == len(data):
        return
    with path.open("r+b") as file:
        try:
            json.loads(data[start:])
            file.seek(0, 2)
            file.write(b"\n")
        except ValueError:
            file.truncate(start)


def _judge(client: Client, metric: Metric) -> dict[str, str]:
    assert metric.judging is not None
    (described,) = client.described(JUDGE, [metric.judging.prompt])
    return {"kind": "model", "name": str(described["name"]), "version": str(described["prompt_sha256"])[:12]}


def _check_judges(
    found: Mapping[Key, Mapping[str, Verdict]], judges: Mapping[str, Mapping[str, str]], at: Path
) -> None:
    for verdicts in found.values():
        for name, verdict in verdicts.items():
            wanted = ":".join(judges[name].values()) if name in judges else verdict.judge
            if verdict.judge != wanted and verdict.judge.startswith("model:"):
                raise BenchwrightError(
                    f"{at} was judged by {verdict.judge}, not by {wanted}: give this run a --name of its own, or "
                    "replace that one with --again"
                )


def _missing(
    store: PredictionStore,
    questions: Sequence[Question],
    metrics: Sequence[Metric],
    split: ReleaseSplit,
    found: Mapping[Key, Mapping[str, Verdict]],
) -> Iterator[Item]:
    """What is to be judged, with what the judge is shown."""
    asked = {question.id: question for question in questions}
    for key in store.keys:
        question = asked.get(key[0])
        prediction = store.read(key) if question is not None else None
        if question is None or prediction is None:
            continue
        for metric in metrics:
            if metric.name not in found.get(key, {}):
                values = _values(metric, question, prediction, split)
                if not isinstance(values, Score):
                    yield key, metric, values


def _values(
    metric: Metric, question: Question, prediction: Prediction, split: ReleaseSplit
) -> Mapping[str, Any] | Score:
    assert metric.judging is not None
    return metric.judging.values(question, prediction, split.documents)


async def _ask(client: Client, item: Item) -> Reply[Any]:
    _, metric, values = item
    judging = metric.judging
    assert judging is not None
    messages = client.prompt(judging.prompt).fill(**values)
    return await client.chat(JUDGE, messages, step="judging", reply=judging.reply, temperature=TEMPERATURE)


def _judgment(key: Key, metric: Metric, judge: Mapping[str, str], outcome: Reply[Any] | ReplyError) -> dict[str, Any]:
    """A judgment as a line of `judgments.jsonl`."""
    assert metric.judging is not None
    line: dict[str, Any] = {"id": key[0], "metric": metric.name, "condition": key[1], "repeat": key[2], "judge": judge}
    if isinstance(outcome, ReplyError):
        return {**line, "value": None, "reason": str(outcome), "trace": {"raw": outcome.raw}}
    value, reason = metric.judging.read(outcome.value)
    return {**line, "value": value, "reason": reason, "trace": {"raw": outcome.text}}
