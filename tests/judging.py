"""Every judged metric of the registry, asked on its own by a scripted judge: for tests that all of them must pass."""

import itertools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lighthouses import HEIGHTS, lighthouse, questions
from model_clients import KEY

from benchwright.benchmarks.metrics import JudgedItem, Metric, Score, Tools, find_metric, metric_names
from benchwright.benchmarks.metrics.base import PairItem
from benchwright.benchmarks.metrics.tools import Steps
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.scripts.servers.openai.server import OpenAIServer
from benchwright.scripts.servers.openai.stand_in import instance, schema_told, texts, wanted

ANSWER = "Sable Point is 24 metres tall [1]. It was built of granite by masons."


def judged_metrics() -> list[Metric]:
    """The metrics by which a model judges answers, or chooses between two candidates."""
    found = [find_metric(name) for name in metric_names() if "@" not in name]
    return [metric for metric in found if metric.judged is not None or metric.compared is not None]


def item(case: int = 0) -> JudgedItem:
    """An answer about a lighthouse, with two contexts, four samples and the gold document, all of which name the case."""
    mark = f" (case-{case})"
    pages = [replace(page, text=page.body + mark) for page in (lighthouse(*pair) for pair in HEIGHTS.items())]
    documents = {page.id: page for page in pages}
    contexts = tuple(Context(name, documents[name].text, name) for name in ("sable-point", "old-hook"))
    question = questions("Sable Point", 24)[1]
    question = replace(question, question=question.question + mark, answers=(f"24 metres{mark}",), aliases=((),))
    samples = (f"It is 24 metres tall{mark}.",) * 4
    return JudgedItem(question, Prediction(question.id, ANSWER + mark, contexts=contexts, samples=samples), documents)


def case_of(body: Mapping[str, Any]) -> int:
    """Which case a request is of."""
    found = re.findall(r"case-(\d+)", json.dumps(body["messages"]))
    return int(found[-1])


def schema_of(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Of the reply, wherever a request states it."""
    told = (schema_told(text) for text in texts(body, "user"))
    return wanted(body).schema or next(filter(None, told), None) or {"type": "object"}


def valid(body: Mapping[str, Any], mark: str = "text") -> Any:
    """A reply of the shape that is asked for, whatever it says; each text in it has the mark.

    Of as many verdicts as the end of the request asks for, else of two.
    """
    asked = " ".join(texts(body)[-1].split())
    counts: list[str] = re.findall(r"(\d+|three)(?: of them,| checks, in| points, in| questions that)", asked)
    count = int(counts[-1].replace("three", "3")) if counts else 2
    numbered = (f"This is {mark} {number} of case-{case_of(body)}." for number in itertools.count(1))
    return instance(schema_of(body), numbered, items=count)


def by_prompts(metrics: Sequence[Metric]) -> list[tuple[Metric, ...]]:
    """The metrics in parts that ask with the same prompts, and so share their calls."""
    parts: dict[tuple[str, ...], list[Metric]] = {}
    for metric in metrics:
        parts.setdefault(metric.uses, []).append(metric)
    return [tuple(part) for part in parts.values()]


Said = Score | ReplyError | None


def judge_all(
    metrics: Sequence[Metric], items: Sequence[JudgedItem], reply: Callable[[Any], Any], folder: Path
) -> tuple[list[list[Said]], list[Any]]:
    """What each metric says of each prediction, and the requests that were sent for it. Nothing is shared between
    predictions, also where they are the same."""
    with OpenAIServer(reply) as server:
        endpoint = Endpoint("scripted", server.url, KEY, None)
        settings = ModelSettings({"judge": endpoint, "embedder": endpoint}, cache=folder / "kept.sqlite")

        async def judge(numbered: tuple[int, JudgedItem]) -> list[Said]:
            number, prediction = numbered
            steps, said = Steps(), list[Said]()
            for metric in metrics:
                tools = Tools(client, steps, metric.name, metric.uses, (metric.name, str(number)), repeat=number)
                try:
                    said.append(await _said(metric, prediction, tools))
                except ReplyError as error:
                    said.append(error)
            return said

        with Client(settings) as client:
            found = [result for _, result in client.each(enumerate(items), judge)]
        assert not any(isinstance(each, ReplyError) for each in found)
        return [each for each in found if isinstance(each, list)], [
            request.body for request in server.requests if "messages" in request.body
        ]


async def _said(metric: Metric, item: JudgedItem, tools: Tools) -> Score | None:
    if metric.judged is not None:
        return await metric.judged(item, tools)
    assert metric.compared is not None and metric.dimension is not None
    other = replace(item.prediction, answer="It is white.", contexts=item.prediction.contexts[1:])
    pair = PairItem(metric.dimension, item.question, item.prediction, other, item.documents)
    return await metric.compared(pair, tools)
