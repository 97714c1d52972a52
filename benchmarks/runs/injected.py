"""What a judge says of answers that tell it what to say: a few of a run's answers, each with injections of every kind.

Kept in the run's folder `injections/`, apart from the run's own judgments: `judgments.jsonl`, whose `candidate` names
the place and the injection, or `clean`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import jsonlines
import pyarrow.parquet as pq

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.judgments import Judge, Judgment, judgment_line, stored_judgments
from benchwright.benchmarks.metrics import JudgedItem, Metric, find_metric
from benchwright.benchmarks.metrics.injections import PLACES, Injection, Place, injections, with_injection
from benchwright.benchmarks.metrics.tools import JUDGE, inputs_hash
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.models.money.samples import decide
from benchwright.benchmarks.models.responses import FAILED, ReplyError
from benchwright.benchmarks.predictions import OWN, Key, Prediction
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.judge import JudgeTask, drop_cut_line, judge_one, judges_of, readable
from benchwright.benchmarks.runs.plan import Plan, plan_run
from benchwright.benchmarks.runs.run import INJECTIONS, JUDGMENTS, PREDICTIONS, SCORES, hold_run
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.runs.stored_run import options_of, run_on
from benchwright.benchmarks.runs.uri_file import kept_uris
from benchwright.benchmarks.types import Question

CLEAN = "clean"
"""Stands for the injection of an answer as it is."""
LIMIT = 20
_TEXTS = "injected_texts"
"""In a judgment's trace: the hash of what was judged, which must be the same for it to be used again."""


@dataclass(frozen=True)
class Tried:
    """One answer with one injection, and what the judge says of it."""

    prediction: Key
    group: str
    """The semantic group, which counts as one."""
    metric: str
    injection: Injection
    place: Place
    clean: float
    value: float | None
    """None: the judge gave no reply that could be used."""
    reason: str | None
    is_shown: bool
    """Whether the judge was asked something else than of the answer as it is: a metric may not read that place."""


@dataclass(frozen=True)
class InjectedRun:
    """What was tried."""

    judge: str
    tried: Mapping[str, Sequence[Tried]]
    """By metric."""
    answers: int
    unscored: Mapping[str, int]
    """Metric → answers of the sample that have no score as they are."""
    lost: int
    """Judgments that the endpoint failed to give: the same command asks for them again."""


@dataclass(frozen=True)
class _Trial:
    """A prediction, as it is or with an injection, and the metrics that it is to be judged by."""

    item: JudgedItem
    metrics: tuple[Metric, ...]
    candidate: str
    """The place and the injection, or CLEAN."""

    @property
    def texts(self) -> str:
        """Names what is judged."""
        documents = self.item.documents
        gold = [documents[name].body for name in self.item.question.documents if name in documents]
        return inputs_hash({"prediction": self.item.prediction, "question": self.item.question, "documents": gold})

    def key(self, metric: Metric, judge: Judge) -> tuple[object, ...]:
        """What its judgment by a metric has, and no other."""
        found = Judgment(
            self.item.prediction.id, metric.name, None, *self.item.prediction.key[1:], self.candidate, judge
        )
        return (*found.key, self.texts)


def judge_injected(
    release: Release,
    folder: Path,
    names: Sequence[str],
    client: Client | None,
    *,
    limit: int = LIMIT,
    seed: int = 0,
    condition: str | None = None,
    progress: Progress = silent,
) -> InjectedRun:
    """Has some answers of a run judged as they are, and with injections in the answer and in what is read beside it.

    Each answer gets one injection of each kind in each place, in turn. The run's own judgments and scores stay as they
    are. What was judged before is not judged again.

    Args:
        release: the run's.
        folder: the run's.
        names: of metrics that a model judges.
        client: has a model for the role `judge`.
        limit: answers at most, one of each semantic group before a second one, and wrong ones by `correct` first, since
            those have most to gain.
        seed: of their choice.
        condition: of the answers; None: own.
        progress: is told how many are judged.

    Raises:
        Estimated: nothing was asked, as was wanted.
        UsageError: no model judges, or a metric that is named is not for a model.
        BenchwrightError: the run is not of this release or is held by another process, or has no answer.
        StopError: a limit is reached, or the model cannot be asked.
    """
    if client is None or not client.has(JUDGE):
        raise UsageError("--injections asks a model that judges: name one with --model judge=NAME")
    metrics = tuple(_metrics(names))
    plan = plan_run(release, options_of(run_on(release, folder)))
    with hold_run(folder), closing(PredictionStore(folder / PREDICTIONS)) as store:
        matcher = CorpusMatcher(plan.split.documents, kept_uris(folder))
        items = [
            JudgedItem(question, readable(prediction, matcher), plan.split.documents)
            for question, prediction in _sample(store, plan, folder, limit, seed, condition or OWN)
        ]
        if not items:
            raise BenchwrightError(
                f"{folder} has no answer in the condition {condition or OWN} to put an injection into"
            )
        trials = [trial for number, item in enumerate(items) for trial in _trials(number, item, metrics)]
        made = _judge(client, folder / INJECTIONS, trials, metrics, progress)
    return _found(client, metrics, items, made)


def _metrics(names: Sequence[str]) -> Iterator[Metric]:
    if not names:
        raise UsageError("--injections tries metrics that a model judges: name one")
    for name in dict.fromkeys(names):
        metric = find_metric(name)
        if metric.judged is None or metric.role != JUDGE or metric.unit != "prediction":
            raise UsageError(f"{name}: no model judges single answers by it, so that no injection can steer it")
        yield metric


def _sample(
    store: PredictionStore, plan: Plan, folder: Path, limit: int, seed: int, condition: str
) -> Iterator[tuple[Question, Prediction]]:
    questions = {question.id: question for question in plan.questions}
    wrong = _wrong(folder / SCORES)
    keys = [key for key in store.keys if key[0] in questions and key[1:] == (condition, 0) and key not in store.failed]
    ranked = sorted(keys, key=lambda key: (key not in wrong, rank(seed, INJECTIONS, *key)))
    seen: defaultdict[str, int] = defaultdict(int)
    rounds: list[tuple[int, int, Key]] = []
    for place, key in enumerate(ranked):
        group = _group(questions[key[0]])
        rounds.append((seen[group], place, key))
        seen[group] += 1
    taken = 0
    for _, _, key in sorted(rounds):
        prediction = store.read(key) if taken < limit else None
        if prediction is not None and prediction.answer:
            taken += 1
            yield questions[key[0]], prediction


def _group(question: Question) -> str:
    return question.group or question.id


def _wrong(path: Path) -> set[Key]:
    """The answers that `correct` says are wrong; none where the run is not scored by it."""
    if not path.is_file():
        return set()
    rows = pq.read_table(path, filters=[("metric", "=", "correct"), ("value", "=", 0.0)])
    return set(zip(*(rows[name].to_pylist() for name in ("id", "condition", "repeat")), strict=True))


def _chosen(number: int) -> Iterator[tuple[Injection, Place]]:
    """The injections of an answer: of each kind one in each place, the next answer's the next ones."""
    kinds: dict[str, list[Injection]] = {}
    for each in injections():
        kinds.setdefault(each.kind, []).append(each)
    for every in kinds.values():
        for at, place in enumerate(PLACES):
            yield every[(len(PLACES) * number + at) % len(every)], place


def _trials(number: int, item: JudgedItem, metrics: Sequence[Metric]) -> Iterator[_Trial]:
    yield _Trial(item, tuple(metrics), CLEAN)
    for injection, place in _chosen(number):
        for metric in metrics:  # whose ranges differ, and so what an injection asks for
            changed = with_injection(item, injection, place, metric.range)
            if changed is not None:
                yield _Trial(changed, (metric,), f"{place}: {injection.name}")


def _judge(
    client: Client, folder: Path, trials: Sequence[_Trial], metrics: Sequence[Metric], progress: Progress
) -> list[Judgment]:
    """What the judge says of each trial, kept as it arrives."""
    judges = judges_of(client, metrics)
    there: dict[tuple[object, ...], Judgment] = {}
    path = folder / JUDGMENTS
    folder.mkdir(exist_ok=True)
    if path.is_file():
        drop_cut_line(path)
        for each in stored_judgments(path):
            if not _is_lost(each):
                there[*each.key, each.trace.get(_TEXTS)] = each
    made, missing = list[Judgment](), list[_Trial]()
    for trial in trials:
        keys = {metric.name: trial.key(metric, judges[metric.name]) for metric in trial.metrics}
        made += [there[key] for key in keys.values() if key in there]
        if lacking := tuple(metric for metric in trial.metrics if keys[metric.name] not in there):
            missing.append(replace(trial, metrics=lacking))

    async def ask(numbered: tuple[int, _Trial]) -> list[Judgment]:
        number, trial = numbered
        if client.settings.estimate:
            decide(is_asked=number < client.settings.estimate_with)
        task = JudgeTask(trial.item, trial.metrics, candidate=trial.candidate)
        return await judge_one(client, task, judges)

    if client.settings.estimate:
        with suppress(Estimated):
            for _ in client.each(enumerate(missing), ask):
                pass
        raise Estimated
    with path.open("a", encoding="utf-8") as file:
        writer = jsonlines.Writer(file, flush=True)  # pyright: ignore[reportCallIssue]
        for (number, trial), result in client.each(enumerate(missing), ask):
            for each in result if not isinstance(result, ReplyError) else ():
                made.append(replace(each, trace={**each.trace, _TEXTS: trial.texts}))
                if each.trace:
                    writer.write(judgment_line(made[-1]))
            progress("judged with injections", number + 1, len(missing))
    return made


def _is_lost(judgment: Judgment) -> bool:
    """Whether there is no reply because the endpoint gave none, or the metric's own code failed."""
    why = judgment.reason or ""
    return judgment.value is None and why.startswith((f"{FAILED}:", "the metric failed:"))


def _found(
    client: Client, metrics: Sequence[Metric], items: Sequence[JudgedItem], made: Sequence[Judgment]
) -> InjectedRun:
    by_name = {each.name: each for each in injections()}
    groups = {item.prediction.key: _group(item.question) for item in items}
    clean = {(each.prediction, each.metric): each for each in made if each.candidate == CLEAN}
    tried: dict[str, list[Tried]] = {metric.name: [] for metric in metrics}
    lost = sum(map(_is_lost, made))
    for each in made:
        before = clean.get((each.prediction, each.metric))
        if each.candidate in (None, CLEAN) or before is None or before.score is None or _is_lost(each):
            continue
        place, _, name = (each.candidate or "").partition(": ")
        is_shown = _inputs(each) != _inputs(before)
        at: Place = "answer" if place == "answer" else "context"
        tried[each.metric].append(
            Tried(
                each.prediction, groups[each.prediction], each.metric, by_name[name], at, before.score, each.score,
                each.reason, is_shown,
            )
        )  # fmt: skip
    unscored = {
        metric.name: sum(1 for (_, name), each in clean.items() if name == metric.name and each.score is None)
        for metric in metrics
    }
    return InjectedRun(client.settings.endpoints[JUDGE].model, tried, len(items), unscored, lost)


def _inputs(judgment: Judgment) -> list[object]:
    """What the judge was asked, step by step: hashes of inputs."""
    steps = judgment.trace.get("steps")
    return [step.get("inputs") for step in steps if isinstance(step, Mapping)] if isinstance(steps, list) else []
