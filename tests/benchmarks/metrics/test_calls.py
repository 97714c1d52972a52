"""How many calls each judged metric takes for an answer, as its documentation says, alone and with others; and that its
trace holds them."""

import asyncio
import inspect
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from judged_items import Judging, judging
from judging import item, judged_metrics, valid

from benchwright.benchmarks.metrics import Metric, Tools
from benchwright.benchmarks.metrics.base import PairItem
from benchwright.benchmarks.metrics.tools import Steps

GUIDES = Path(__file__).parents[3] / "cards" / "guides"
CALLS = {
    "faithfulness": (2, 0), "answer_relevance": (1, 1), "context_relevance": (1, 0), "answer_similarity": (0, 1),
    "factual_correctness": (1, 0), "answer_correctness": (1, 1), "semantic_match": (1, 0), "selfcheck": (1, 0),
    "ragas_fact": (2, 0), "truthfulness": (1, 0), "relevance": (1, 0),
    "nugget_recall": (1, 0), "nugget_recall_weighted": (1, 0), "citation_precision": (1, 0), "citation_recall": (1, 0),
    "gpt_score_faithfulness": (1, 0), "gpt_score_answer_relevance": (1, 0), "gpt_score_context_relevance": (1, 0),
    "gpt_ranking_faithfulness": (2, 0), "gpt_ranking_answer_relevance": (2, 0), "gpt_ranking_context_relevance": (2, 0),
}  # fmt: skip
"""Metric → calls of a judge and requests of vectors: for an answer, or for a pair."""
NUMBERS = {"no": 0, "one": 1, "two": 2}
IN_TABLES = {"judged-metrics.md": 10, "true-answer.md": 3}
"""Guide → metrics whose calls it lists."""


def metric_of(name: str) -> Metric:
    return next(each for each in judged_metrics() if each.name == name)


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judging]:
    with judging(tmp_path_factory.mktemp("calls"), valid, roles=("judge", "embedder")) as found:
        yield found


def score(judge: Judging, metric: Metric, steps: Steps, case: int) -> Tools:
    """Judges an answer with two contexts, four samples and a true answer, or a pair of two such in both orders."""
    given = item(case)
    tools = Tools(judge.client, steps, metric.name, metric.uses, (metric.name, "q"))
    if metric.judged is not None:
        found = asyncio.run(metric.judged(given, tools))  # type: ignore[arg-type]
        assert found is not None and found.value is not None, f"{metric.name} is judged: {found}"
        return tools
    assert metric.compared is not None and metric.dimension is not None
    other = item(case + 1)
    for one, two in ((given.prediction, other.prediction), (other.prediction, given.prediction)):
        pair = PairItem(metric.dimension, given.question, one, two, given.documents)
        asyncio.run(metric.compared(pair, tools))  # type: ignore[arg-type]
    return tools


def sent(judge: Judging, before: int) -> tuple[list[Any], list[Any]]:
    """What a judge was asked, and what was to be embedded."""
    bodies = [request.body for request in judge.server.requests[before:]]
    return [each for each in bodies if "messages" in each], [each for each in bodies if "input" in each]


def test_each_judged_metric_is_in_the_table() -> None:
    assert {metric.name for metric in judged_metrics()} == CALLS.keys()


@pytest.mark.parametrize("name", CALLS)
def test_calls_are_those_that_the_docstring_says(judge: Judging, name: str) -> None:
    metric, before = metric_of(name), len(judge.server.requests)
    said: list[Any] = []
    judge.reply = lambda body: said.append(valid(body)) or said[-1]
    tools = score(judge, metric, Steps(), 2 * list(CALLS).index(name))
    asked, embedded = sent(judge, before)
    assert (len(asked), len(embedded)) == CALLS[name]
    way = metric.judged or metric.compared
    module = next(each for each in sys.modules.values() if getattr(each, "METRIC", None) is metric)
    told = " ".join(f"{inspect.getdoc(module)} {inspect.getdoc(way)} {metric.formula}".lower().split())
    found = re.search(r"\b(no|one|two) calls?\b", told)
    assert found is not None and NUMBERS[found[1]] == CALLS[name][0], told
    assert ("one of vectors" in told or "one request of vectors" in told) == bool(CALLS[name][1]), told
    steps = [step for step in tools.trace if step.prompt is not None]
    assert [(step.prompt, json.loads(step.raw or ""), step.error) for step in steps] == [
        (judge.client.prompt(step.step).sha256, reply, None) for step, reply in zip(steps, said, strict=True)
    ], "each call with the hash of its prompt and what was said, word for word"
    assert all(step.output for step in steps) and set(metric.uses) == {step.step for step in steps}
    assert ["embed" in step.step for step in tools.trace].count(True) == len(embedded)


def test_together_they_ask_nothing_twice(judge: Judging) -> None:
    """An answer judged by all: six metrics of RAGAS take five calls, and what others share with them costs none."""
    steps, before = Steps(), len(judge.server.requests)
    single = [metric for metric in judged_metrics() if metric.unit == "prediction"]
    for metric in single:
        score(judge, metric, steps, 1_000)
    asked, embedded = sent(judge, before)
    prompts = {prompt for metric in single for prompt in metric.uses}
    assert len(asked) == len(prompts) == len({json.dumps(each) for each in asked}) and len(embedded) == 2
    ragas = {prompt for name in list(CALLS)[:6] for prompt in metric_of(name).uses}
    assert len(ragas) == 5


@pytest.mark.parametrize("guide", IN_TABLES)
def test_the_guides_list_them(guide: str) -> None:
    found, column, last = dict[str, str](), -1, ""
    for line in (GUIDES / guide).read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if line.startswith("| metric |"):
            column = next((place for place, cell in enumerate(cells) if cell.startswith("calls")), -1)
        elif not line.startswith("|"):
            column = -1
        elif column > 0 and (name := cells[0].strip("`")) in CALLS:
            last = cells[column] if len(cells) > column and cells[column] else last
            found[name] = last
    assert len(found) == IN_TABLES[guide], found
    for name, told in found.items():
        calls, vectors = CALLS[name]
        assert told.startswith(f"{calls or vectors}") and ("of vectors" in told) == bool(vectors), f"{name}: {told}"
