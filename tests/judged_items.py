"""Judges single predictions by a metric over real HTTP, with replies that a test writes."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model_clients import KEY

from benchwright.benchmarks.metrics import JudgedItem, Metric, Score, Tools
from benchwright.benchmarks.metrics.tools import Steps
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Document, Question
from benchwright.scripts.servers.openai.server import OpenAIServer


@dataclass
class Judging:
    """A client whose judge says what `reply` makes of a request's body."""

    client: Client
    server: OpenAIServer
    reply: Callable[[Any], Any]

    def judge(
        self,
        metric: Metric,
        question: Question,
        prediction: Prediction,
        documents: Mapping[str, Document] | None = None,
        steps: Steps | None = None,
    ) -> tuple[Score, Tools]:
        """The score of a prediction, unscored with the error where no reply could be used; and the tools with the trace."""
        assert metric.judged is not None
        item = JudgedItem(question, prediction, documents or {})
        tools = Tools(self.client, steps or Steps(), metric.name, metric.uses, (metric.name, prediction.id, "own", "0"))
        try:
            score = asyncio.run(metric.judged(item, tools))  # type: ignore[arg-type]
        except ReplyError as error:
            return Score(None, str(error)), tools
        assert score is not None
        return score, tools


@contextmanager
def judging(
    folder: Path, reply: Callable[[Any], Any] | None = None, roles: Sequence[str] = ("judge",)
) -> Iterator[Judging]:
    """A judge for a test, or for a module of tests that set `reply` as they go; replies are kept in a folder.

    Args:
        folder: of the kept replies.
        reply: what is said to a request's body.
        roles: which the scripted model plays: the embedder's, too, where that is wanted.
    """
    found: list[Judging] = []
    with OpenAIServer(lambda body: found[0].reply(body)) as server:
        endpoints = dict.fromkeys(roles, Endpoint("scripted", server.url, KEY, None))
        settings = ModelSettings(endpoints, cache=folder / "kept.sqlite")
        with Client(settings) as client:
            found.append(Judging(client, server, reply or (lambda body: "")))
            yield found[0]


def shown_last(body: Any) -> str:
    """The last message of a request."""
    return body["messages"][-1]["content"]
