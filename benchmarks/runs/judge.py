"""Language models as metrics: a judge judges each prediction once, and each judgment is written as it arrives."""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import jsonlines
from pydantic_core import to_jsonable_python

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.judgments import Judge, Judgment, judgment_line
from benchwright.benchmarks.metrics import JudgedItem, Metric, PairItem, Score, Tools
from benchwright.benchmarks.metrics.base import failed, on_scale
from benchwright.benchmarks.metrics.tools import EMBEDDER, JUDGE, Steps
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.models.money.samples import decide, imagine
from benchwright.benchmarks.models.responses import ESTIMATED, ReplyError
from benchwright.benchmarks.predictions import Key, Prediction
from benchwright.benchmarks.progress import Progress
from benchwright.benchmarks.runs.plan import Plan
from benchwright.benchmarks.runs.run import JUDGMENTS, PREDICTIONS
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.runs.uri_file import kept_uris

_ANSWER = "It was finished by the company in the autumn of 2019."
"""Stands for an answer that is not there yet."""


@dataclass(frozen=True)
class JudgeTask:
    """A prediction, or two to choose between, and the metrics that it is to be judged by."""

    item: JudgedItem | PairItem
    metrics: tuple[Metric, ...]
    time: int = 0
    """Which time it is that the judge judges it, from 0: it is asked anew for each."""
    candidate: str | None = None
    """What was done to the prediction, where it is not the run's own; or which it is of a pair."""

    @property
    def key(self) -> Key:
        """Of the prediction; two that are compared have the same."""
        return (self.item.first if isinstance(self.item, PairItem) else self.item.prediction).key


def is_judged(client: Client, metric: Metric) -> bool:
    """Whether a metric is judged by a model, and the client has one that can."""
    return (metric.judged is not None or metric.compared is not None) and client.has(metric.role)


def judges_of(client: Client, metrics: Sequence[Metric]) -> dict[str, Judge]:
    """Metric → what its judgments by this client's models are signed with."""
    return {metric.name: _judge(client, metric) for metric in metrics if is_judged(client, metric)}


def _judge(client: Client, metric: Metric) -> Judge:
    """Its version stands for the prompts, and for the embedder or its lack where a metric wants vectors."""
    parts = [client.prompt(name).sha256 for name in metric.uses]
    if EMBEDDER in metric.needs:
        embedder = client.settings.endpoint(EMBEDDER)
        described = {} if embedder is None else embedder.described
        parts.append(f"{described.get('name', '')} {described.get('sha256', '')}")
    version = parts[0] if len(parts) == 1 else hashlib.sha256("".join(parts).encode()).hexdigest()
    return Judge("model", client.settings.endpoints[metric.role].model, version[:12])


def judge_run(
    client: Client,
    folder: Path,
    plan: Plan,
    metrics: Sequence[Metric],
    judgments: Sequence[Judgment],
    progress: Progress,
    times: int = 1,
) -> list[Judgment]:
    """Has a run's predictions judged by the metrics that a model judges.

    Judgments are appended to `judgments.jsonl` as they arrive; what this judge has judged is not judged again, but for
    what its model gave no usable reply to: see `to_be_judged_again`. Where a metric's own code fails the prediction is
    unscored, which is not written, so that the next start tries again.

    Args:
        client: has models; metrics whose role has none are not judged.
        folder: the run's.
        plan: which questions it is about.
        metrics: the judged ones among them are judged.
        judgments: those that there are.
        progress: is told how many are judged.
        times: that each answer is judged in all; the first time counts, the others show how steady the judge is. Where
            only an embedder is asked, once, for it says the same again.

    Returns:
        The new ones.

    Raises:
        StopError: a limit of the run is reached, or the model cannot be asked.
    """
    judged = [metric for metric in metrics if is_judged(client, metric)]
    judges = judges_of(client, judged)
    mine = [each for each in judgments if each.judge == judges.get(each.metric)]
    there = {(each.prediction, each.metric, each.judge_repeat) for each in mine}
    store = PredictionStore(folder / PREDICTIONS)
    matcher = CorpusMatcher(plan.split.documents, kept_uris(folder))
    made: list[Judgment] = []
    try:
        with (folder / JUDGMENTS).open("a", encoding="utf-8") as file:
            writer = jsonlines.Writer(file, flush=True)  # pyright: ignore[reportCallIssue]
            tasks = (each for time in range(times) for each in _tasks(store, plan, judged, there, matcher, time))
            total = len(store) * sum(_times(metric, times) for metric in judged)
            for _, result in client.each(tasks, lambda task: judge_one(client, task, judges)):
                if isinstance(result, ReplyError):
                    continue
                for judgment in result:
                    if judgment.trace:
                        writer.write(judgment_line(judgment))
                    made.append(judgment)
                progress("answers judged", len(made), total)
    finally:
        store.close()
    return made


def _times(metric: Metric, times: int) -> int:
    return times if metric.role == JUDGE else 1


def estimate_judging(
    client: Client, plan: Plan, metrics: Sequence[Metric], predictions: Iterable[Prediction], times: int = 1
) -> None:
    """Goes through what the judge would be asked about predictions, which the client's ledger then has.

    An answer that is only estimated is taken for one of a sentence. Answers that there are tell how long verdicts are,
    where that is to be found out: the first of them.
    """
    judges = judges_of(client, metrics)
    judged = tuple(metric for metric in metrics if metric.name in judges)
    questions = {question.id: question for question in plan.questions}
    tasks = (
        JudgeTask(
            JudgedItem(questions[each.id], _as_answered(each), plan.split.documents),
            tuple(metric for metric in judged if time < _times(metric, times)),
            time,
        )
        for each in predictions
        if each.id in questions and not each.is_unsupported
        for time in range(times)
    )
    there = set[Key]()

    async def estimate(task: JudgeTask) -> list[Judgment]:
        if isinstance(task.item, JudgedItem) and task.item.prediction.answer == _ANSWER:
            imagine()
        else:
            there.add(task.key)
            decide(is_asked=len(there) <= client.settings.estimate_with)
        return await judge_one(client, task, judges)

    with suppress(Estimated):
        for _ in client.each(tasks, estimate):
            pass


def _as_answered(prediction: Prediction) -> Prediction:
    return replace(prediction, answer=_ANSWER, error=None) if prediction.is_failed else prediction


def to_be_judged_again(client: Client, metrics: Sequence[Metric], judgments: Sequence[Judgment]) -> list[Judgment]:
    """The judgments by this client's model that have no value because it gave no usable reply; none to be replayed."""
    if client.settings.replay:
        return []
    judges = judges_of(client, metrics)
    return [each for each in judgments if each.is_without_reply and each.judge == judges.get(each.metric)]


def _tasks(
    store: PredictionStore,
    plan: Plan,
    metrics: Sequence[Metric],
    there: Collection[tuple[Key, str, int]],
    matcher: CorpusMatcher,
    time: int,
) -> Iterator[JudgeTask]:
    """The predictions that are to be judged for a certain time, in stored order."""
    questions = {question.id: question for question in plan.questions}
    for key in store.keys:
        if key in store.failed:
            continue  # there is nothing to judge, and what is judged is not asked again
        missing = tuple(
            metric for metric in metrics if (key, metric.name, time) not in there and time < _times(metric, time + 1)
        )
        prediction = store.read(key) if missing and key[0] in questions else None
        if prediction is None or prediction.is_unsupported:
            continue
        yield JudgeTask(
            JudgedItem(questions[key[0]], readable(prediction, matcher), plan.split.documents), missing, time
        )


def readable(prediction: Prediction, matcher: CorpusMatcher) -> Prediction:
    """A prediction whose contexts are matched to the corpus where only that knows what they say."""
    if all(each.text is not None for each in prediction.contexts):
        return prediction
    return replace(prediction, contexts=matcher.match(prediction.contexts))


async def judge_one(client: Client, task: JudgeTask, judges: Mapping[str, Judge]) -> list[Judgment]:
    """The judgments of a prediction: one metric after the other, so that they share their steps.

    One without a trace is of a metric whose own code failed.

    Raises:
        ReplyError: nothing is asked, only estimated.
    """
    steps, made = Steps(), []
    estimated: ReplyError | None = None
    key = task.key
    for metric in task.metrics:
        tools = Tools(client, steps, metric.name, metric.uses, (metric.name, *map(str, key)), repeat=task.time)
        judgment = Judgment(
            key[0], metric.name, None, key[1], key[2], task.candidate, judges[metric.name], judge_repeat=task.time
        )
        try:
            score = await _judged(metric, task.item, tools)
            if score is None:
                continue
            score = on_scale(score, metric.range)
            value, reason = score.value, score.reason
        except ReplyError as error:
            if error.reason == ESTIMATED:
                estimated = error
                continue
            value, reason = None, str(error)
        except BenchwrightError:
            raise
        except Exception as error:
            made.append(replace(judgment, reason=failed(error).reason))
            continue
        trace = {"steps": [_without_nothing(to_jsonable_python(record)) for record in tools.trace]}
        made.append(replace(judgment, value=value, reason=reason, trace=trace))
    estimated = estimated or steps.estimated
    if estimated is not None:
        raise estimated
    return made


async def _judged(metric: Metric, item: JudgedItem | PairItem, tools: Tools) -> Score | None:
    if isinstance(item, PairItem):
        assert metric.compared is not None, f"{metric.name} is of single predictions"
        return await metric.compared(item, tools)
    assert metric.judged is not None, f"{metric.name} is of pairs, or of rules alone"
    return await metric.judged(item, tools)


def _without_nothing(record: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in record.items() if value is not None}


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
