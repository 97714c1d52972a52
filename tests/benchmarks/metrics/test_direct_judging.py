"""GPT Score and GPT Ranking: what the judge is shown, how often it is asked, and replies that are none."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from judging import item, judge_all
from model_clients import KEY

from benchwright.benchmarks.metrics import JudgedItem, Metric, PairItem, Score, Tools, find_metric
from benchwright.benchmarks.metrics.tools import Steps
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.types import DIMENSIONS, Dimension, Question
from benchwright.scripts.servers.openai.server import OpenAIServer

FENCE = re.compile(r"<text ([0-9a-f]{8})>\n(.*?)\n</text \1>", re.DOTALL)
ASKED = Question("q", "When was the mill at Orrin built?")
READ = (Context(text="It was built in 1874."), Context(text="It has four floors."))


def predicted(answer: str | None = "In 1874.", contexts: Sequence[Context] = READ, **more: Any) -> JudgedItem:
    return JudgedItem(ASKED, Prediction("q", answer, contexts=tuple(contexts), **more), {})


def judged(metric: str, items: Sequence[JudgedItem], reply: Any, folder: Path) -> tuple[list[Any], list[list[str]]]:
    """What a metric says, and the texts within the fences of each last message."""
    found, bodies = judge_all([find_metric(metric)], items, lambda body: reply, folder)
    return [said for (said,) in found], [
        [text for _, text in FENCE.findall(body["messages"][-1]["content"])] for body in bodies
    ]


@pytest.mark.parametrize(
    ("dimension", "shown"),
    [
        ("faithfulness", ["It was built in 1874.", "It has four floors.", ASKED.question, "In 1874."]),
        ("answer_relevance", [ASKED.question, "In 1874."]),
        ("context_relevance", ["It was built in 1874.", "It has four floors.", ASKED.question]),
    ],
)
def test_a_score_takes_one_call_and_shows_what_it_is_about(dimension: str, shown: list[str], tmp_path: Path) -> None:
    found, texts = judged(f"gpt_score_{dimension}", [predicted()], {"reason": "So.", "score": 7}, tmp_path)
    assert found == [Score(7.0, "So.")] and texts == [shown]


def test_what_cannot_be_scored_is_not_asked(tmp_path: Path) -> None:
    lacking = {
        "faithfulness": [predicted(None, error="it failed"), predicted(" "), predicted(None, abstained=True),
                         predicted(contexts=())],
        "answer_relevance": [predicted(None, error="it failed"), predicted(None, abstained=True)],
        "context_relevance": [predicted(contexts=()), predicted(contexts=[Context(id="nowhere")])],
    }  # fmt: skip
    said = {
        dimension: judged(f"gpt_score_{dimension}", items, {"reason": "So.", "score": 7}, tmp_path)
        for dimension, items in lacking.items()
    }
    assert all(not texts for _, texts in said.values())
    assert [[score.reason for score in found] for found, _ in said.values()] == [
        ["the system gave no answer", "the system gave no answer", "said to abstain", "handed in no contexts"],
        ["the system gave no answer", "said to abstain"],
        ["handed in no contexts", "no context has a text, and the corpus does not hold them"],
    ]
    assert all(score.value is None for found, _ in said.values() for score in found)


@pytest.mark.parametrize("score", [11, -1, 7.5, "7/10", True, None, "seven", [7], 1e9])
def test_a_score_off_the_scale_is_asked_for_anew_and_never_a_score(score: object, tmp_path: Path) -> None:
    (found,), texts = judged("gpt_score_answer_relevance", [predicted()], {"reason": "So.", "score": score}, tmp_path)
    assert isinstance(found, ReplyError) and found.reason == "invalid reply" and len(texts) == 3


@pytest.mark.parametrize("grade", [True, 0, 6, 4.5, "5/5", None])
def test_what_is_no_grade_is_asked_for_anew_and_never_a_grade(grade: object, tmp_path: Path) -> None:
    reply = {"reason": "So.", "truthfulness": 4, "relevance": grade}
    ((found,),), bodies = judge_all([find_metric("truthfulness")], [item()], lambda body: reply, tmp_path)
    assert isinstance(found, ReplyError) and found.reason == "invalid reply" and len(bodies) == 3


def test_long_texts_are_cut_and_the_reason_says_so(tmp_path: Path) -> None:
    long = predicted("word " * 50_000, [Context(text="fact " * 20_000)])
    (found,), (texts,) = judged("gpt_score_faithfulness", [long], {"reason": "So.", "score": 0}, tmp_path)
    assert found == Score(
        0.0,
        "So.; the first 60,000 of 250,000 characters of the answer were read; "
        "the first 60,000 of 100,000 characters of the contexts were read",
    )
    assert max(map(len, texts)) < 60_010


def compare(items: Sequence[tuple[Metric, PairItem]], reply: Callable[[Any], Any], folder: Path) -> Any:
    """What metrics of pairs say, and the requests."""
    with OpenAIServer(reply) as server:
        settings = ModelSettings({"judge": Endpoint("scripted", server.url, KEY, None)}, cache=folder / "c.sqlite")

        async def choose(asked: tuple[Metric, PairItem]) -> Score:
            metric, pair = asked
            assert metric.compared is not None
            return await metric.compared(pair, Tools(client, Steps(), metric.name, metric.uses, (metric.name,)))

        with Client(settings) as client:
            found = [result for _, result in client.each(items, choose)]
        return found, [request.body for request in server.requests]


def both(dimension: Dimension, first: JudgedItem, second: JudgedItem) -> tuple[Metric, PairItem]:
    pair = PairItem(dimension, first.question, first.prediction, second.prediction, first.documents)
    return find_metric(f"gpt_ranking_{dimension}"), pair


def test_a_choice_is_of_the_candidates_in_the_order_in_which_they_are_shown(tmp_path: Path) -> None:
    one, other = predicted("In 1874."), predicted("In 1900.", [Context(text="Rivers flow.")])
    asked = [both(dimension, one, other) for dimension in DIMENSIONS]
    asked += [(metric, pair.swapped) for metric, pair in asked]
    found, bodies = compare(asked, lambda body: {"reason": "So.", "better": 1}, tmp_path)
    assert found == [Score(1.0, "So.")] * 6 and len(bodies) == 6, "one call an order"
    texts = [[text for _, text in FENCE.findall(body["messages"][-1]["content"])] for body in bodies]
    shown = [ASKED.question, "In 1874.", "In 1900."]
    passages = [context.text for context in READ]
    wanted = [
        [*passages, *shown], shown, [ASKED.question, *passages, "Rivers flow."],
        ["Rivers flow.", shown[0], shown[2], shown[1]], [shown[0], shown[2], shown[1]],
        [ASKED.question, "Rivers flow.", *passages],
    ]  # fmt: skip
    assert sorted(texts) == sorted(wanted)
    second, _ = compare(asked[:1], lambda body: {"reason": "So.", "better": 2}, tmp_path / "..")
    assert second == [Score(0.0, "So.")]


@pytest.mark.parametrize("better", [0, 3, "first", None, True, 1.5, [1]])
def test_a_choice_of_neither_is_asked_for_anew(better: object, tmp_path: Path) -> None:
    pair = both("answer_relevance", predicted(), predicted("In 1900."))
    (found,), bodies = compare([pair], lambda body: {"reason": "Alike.", "better": better}, tmp_path)
    assert isinstance(found, ReplyError) and len(bodies) == 3


def test_a_pair_with_an_empty_side_is_not_asked(tmp_path: Path) -> None:
    whole, silent, bare = predicted(), predicted(None, error="it failed"), predicted(contexts=())
    asked = [both("faithfulness", whole, silent), both("answer_relevance", silent, whole),
             both("context_relevance", whole, bare), both("faithfulness", bare, whole)]  # fmt: skip
    found, bodies = compare(asked, lambda body: {"reason": "So.", "better": 1}, tmp_path)
    assert not bodies and [score.reason for score in found] == [
        "the system gave no answer", "the system gave no answer", "handed in no contexts", "handed in no contexts"
    ]  # fmt: skip
