"""Agents that decide whether to retrieve, as in "RAG dataset creation and boolean agent", section IV.

deciding_first       one decision, then an answer: from passages where it is to retrieve, else from what the model knows
answering_first      an answer from what the model knows, then the decision whether more information would better it

The decision is a reply of one switch, true or false, in the way that the endpoint supports: by a JSON Schema, or a call
of a function that is forced. The model of the role `decision` decides, by default the system's own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.prompts import Messages
from benchwright.benchmarks.models.responses import ESTIMATED, Reply, ReplyError
from benchwright.benchmarks.predictions import Context, Prediction, StepUsage, Usage
from benchwright.benchmarks.systems.base import Attempt, Opening, Retrieved
from benchwright.benchmarks.systems.baseline import Agent, Baseline, Retrieve
from benchwright.benchmarks.systems.baselines import naive_rag
from benchwright.benchmarks.systems.language_model import (
    CLOSED_BOOK,
    FROM_CONTEXTS,
    ROLE,
    STEP,
    TEMPERATURE,
    as_contexts,
    model_settings,
    why_no_reply,
)

DECISION = "decision"
"""The role that decides."""
DECISIONS, FIRST_ANSWERS = "decisions", "first answers"
"""Steps, in accounts and in a prediction's usage, beside `answers`."""
AFTER_ANSWER = "decide_after_answer"


@dataclass(frozen=True)
class Decision:
    """Whether the database is to be searched."""

    retrieve: bool


def deciding_first(prompt: str) -> Agent:
    """An agent that decides by a prompt, and then answers."""

    async def answer(client: Client, attempt: Attempt, retrieve: Retrieve) -> Prediction:
        answering = _Answering(client, attempt, retrieve)
        try:
            if await answering.decide(client.prompt(prompt).fill(question=answering.question)):
                return answering.said(await answering.read())
            return answering.said(await answering.recall(STEP))
        except ReplyError as error:
            return answering.failed(error)

    return answer


async def answering_first(client: Client, attempt: Attempt, retrieve: Retrieve) -> Prediction:
    """An agent that answers from what it knows, and then decides whether to retrieve and answer anew."""
    answering = _Answering(client, attempt, retrieve)
    try:
        first = await answering.recall(FIRST_ANSWERS)
        told = client.prompt(AFTER_ANSWER).fill(question=answering.question, answer=first.text)
        return answering.said(await answering.read() if await answering.decide(told) else first)
    except ReplyError as error:
        return answering.failed(error)


def agent_baseline(agent: Agent, prompt: str, how: str) -> Baseline:
    """A baseline whose model decides whether to retrieve as naive RAG does.

    Args:
        agent: how it decides.
        prompt: the name of the prompt that it decides by.
        how: the same in words.
    """

    searching = naive_rag.BASELINE

    def settings(opening: Opening) -> Mapping[str, Any]:
        return {**searching.settings(opening), **_decision_settings(opening, prompt)}

    return replace(
        searching,
        what=f"retrieves {{k}} chunks as naive-rag does, by {{vectors}}, where its model decides so: {how}",
        settings=settings,
        agent=agent,
    )


def _decision_settings(opening: Opening, prompt: str) -> Mapping[str, Any]:
    """Who decides, and how; nothing without a model."""
    client = opening.client
    if client is None or not client.has(ROLE):
        return {}
    who = model_settings(client, prompt, DECISION)
    return {f"decision_{name}": value for name, value in who.items() if name != "temperature"}


@dataclass(frozen=True)
class _Answer:
    """An answer, as it was given."""

    text: str = ""
    is_cut: bool = False
    """It ended at the limit of tokens."""


@dataclass
class _Answering:
    """An answer in the making: what was asked for it, and what that took."""

    client: Client
    attempt: Attempt
    retrieve: Retrieve
    steps: list[StepUsage] = field(default_factory=list)
    contexts: tuple[Context, ...] = ()
    retrievals: int = 0
    step: str = ""
    """What it is at."""
    is_estimate: ReplyError | None = None
    """Nothing is asked: what would be is counted, as if each decision were to retrieve."""

    @property
    def question(self) -> str:
        return self.attempt.question.question

    async def decide(self, messages: Messages) -> bool:
        """Whether to retrieve."""
        reply = await self._ask(DECISION, DECISIONS, messages, Decision)
        return reply is None or reply.value.retrieve

    async def recall(self, step: str) -> _Answer:
        """The answer from what the model knows."""
        reply = await self._ask(ROLE, step, self.client.prompt(CLOSED_BOOK).fill(question=self.question))
        return _Answer() if reply is None else _Answer(reply.text.strip(), reply.is_cut)

    async def read(self) -> _Answer:
        """The answer from what is retrieved."""
        retrieved: Retrieved = ()
        self.step = "retrieval"
        try:
            retrieved = await self.retrieve(self.attempt)
        except ReplyError as error:
            if error.reason != ESTIMATED:
                raise
        self.retrievals += 1
        self.contexts = as_contexts(retrieved)
        told = self.client.prompt(FROM_CONTEXTS).fill(
            question=self.question, passages=[passage for passage, _ in retrieved]
        )
        reply = await self._ask(ROLE, STEP, told)
        return _Answer() if reply is None else _Answer(reply.text.strip(), reply.is_cut)

    async def _ask(
        self, role: str, step: str, messages: Messages, kind: type[Decision] | None = None
    ) -> Reply[Any] | None:
        """A reply; None where nothing is asked.

        Raises:
            ReplyError: there is none that could be used; what it took is kept.
        """
        self.step = step
        asked: dict[str, Any] = {"step": step, "repeat": self.attempt.repeat, "temperature": TEMPERATURE}
        try:
            reply: Reply[Any] = await self.client.chat(role, messages, reply=kind, **asked)
        except ReplyError as error:
            if error.reason == ESTIMATED:
                self.is_estimate = error
                return None
            tokens = error.tokens
            self.steps.append(StepUsage(step, role, tokens.input, tokens.output, tokens.calls, error.cost))
            raise
        tokens = reply.tokens
        self.steps.append(StepUsage(step, role, tokens.input, tokens.output, tokens.calls, reply.cost))
        return reply

    def said(self, answer: _Answer) -> Prediction:
        """The prediction of an answer."""
        if self.is_estimate is not None:
            return self.failed(self.is_estimate)
        return Prediction(
            self.attempt.question.id,
            answer.text,
            contexts=self.contexts,
            usage=self._usage,
            cost=self._cost,
            cut_off=answer.is_cut,
        )

    def failed(self, error: ReplyError) -> Prediction:
        """The prediction where a step had no reply."""
        why = f"{self.step}: {why_no_reply(error)}"
        return Prediction(
            self.attempt.question.id, None, contexts=self.contexts, usage=self._usage, cost=self._cost, error=why
        )

    @property
    def _cost(self) -> float | None:
        """In US dollars, of all steps; None where that of one is not known."""
        known = [each.cost for each in self.steps if each.cost is not None]
        return sum(known) if len(known) == len(self.steps) else None

    @property
    def _usage(self) -> Usage:
        return usage_of(self.steps, self.retrievals)


def usage_of(steps: Sequence[StepUsage], retrievals: int) -> Usage:
    """What several steps took together."""
    tokens = sum(each.input_tokens for each in steps), sum(each.output_tokens for each in steps)
    return Usage(*tokens, sum(each.calls for each in steps), retrievals, tuple(steps))
