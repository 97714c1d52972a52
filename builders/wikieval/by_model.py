"""The parts of pairs by a model: a question, its answer and worse candidates, each checked by rule (Es et al. 2024).

A model of the role `writer` is asked about one passage at a time: for a question, for its answer from the passage, for
an answer without the passage, for an incomplete answer and, where no sentence beside the passage fits, for such ones.
What the rules refuse is asked for once more, with the reasons. A question whose answer is refused is not used either;
a candidate that is refused twice is made by rule of the model's answer, where that can be done (`fallbacks`).
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import ESTIMATED, ReplyError, shown
from benchwright.builders.wikieval import candidate_checks as checks
from benchwright.builders.wikieval.fallbacks import cut_short, swap_facts
from benchwright.builders.wikieval.material import Made, MadeContext, PairParts, Passage
from benchwright.builders.wikieval.wider_contexts import NEAR, mix, sentences_wanted, widen
from benchwright.builders.wikieval.wider_sentences import REPEATED, new_sentence_problem

ROLE = "writer"
PROMPTS = ("wikieval_question", "wikieval_answer", "wikieval_ungrounded", "wikieval_incomplete", "wikieval_widened")
QUESTION, ANSWER, UNGROUNDED, INCOMPLETE, WIDENED = (name.removeprefix("wikieval_") for name in PROMPTS)
"""What is asked for: the names of the steps."""
TEMPERATURE = 1.0
NO_REPLY, NO_SENTENCE = "no usable reply", "no sentence is proposed"
_ROUNDS = 2
_LONGEST = 12_000
"""Characters of a passage that a model is shown."""
_MOST_READ = 50
"""Sentences of one reply that are looked at."""
_FINAL = frozenset((checks.GROUNDED,))
"""What asking again would turn into something else: a model that knows the answer would be told to give a wrong one."""

_IMAGINED = 100
"""Characters of an answer that an estimate imagines."""

T = TypeVar("T")
Told = list[dict[str, str]]
"""What was refused before, and why."""


@dataclass(frozen=True)
class Question:
    """The shape of a reply with a question."""

    question: str


@dataclass(frozen=True)
class Answer:
    """The shape of a reply with an answer."""

    answer: str


@dataclass(frozen=True)
class Incomplete:
    """The shape of a reply with an incomplete answer."""

    answer: str
    left_out: str


@dataclass(frozen=True)
class Sentences:
    """The shape of a reply with sentences to widen a context."""

    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Refused:
    """Something of a model that is not used."""

    source: str
    """Of its passage."""
    step: str
    """What was asked for."""
    text: str
    reason: str
    round: int
    """1, or 2 where it came when the model was asked again."""


@dataclass(frozen=True)
class ByModel:
    """What a model made of a passage."""

    passage: Passage
    parts: PairParts | None
    """None: there is no question that can be used, with its answer."""
    refused: tuple[Refused, ...]


@dataclass
class _Order:
    """What a model is asked about one passage, and what was refused of it."""

    client: Client
    passage: Passage
    seed: int
    refused: list[Refused] = field(default_factory=list)

    async def ask(self) -> ByModel:
        """Asks for all parts, one after the other.

        Raises:
            ReplyError: the endpoint gave no answer, or some of it was only estimated.
        """
        try:
            found = await self._tried(QUESTION, self._question)
        except ReplyError as error:
            if error.reason == ESTIMATED:  # what follows from it is told too
                await self._candidates(self._imagined, self.passage.text[:_IMAGINED])
            raise
        parts = None if found is None else await self._candidates(*found)
        return ByModel(self.passage, parts, tuple(self.refused))

    async def _candidates(self, question: str, answer: str) -> PairParts:
        asked: dict[str, Callable[[Told, int], Awaitable[Any]]] = {
            UNGROUNDED: partial(self._ungrounded, question),
            INCOMPLETE: partial(self._incomplete, question, answer),
        }
        context = widen(self.passage, question, [answer], self.seed, origins=NEAR)
        if context is None:
            asked[WIDENED] = partial(self._widened, question, answer)
        found: dict[str, Any] = {}
        estimated: ReplyError | None = None
        for step, ask in asked.items():
            try:
                found[step] = await self._tried(step, ask)
            except ReplyError as error:
                if error.reason != ESTIMATED:
                    raise
                estimated = error
        if estimated is not None:
            raise estimated
        ungrounded = found[UNGROUNDED] or swap_facts(question, answer, self.passage, self.seed)
        poor = found[INCOMPLETE] or cut_short(question, answer, self.passage, self.seed)
        context = context or found[WIDENED]
        return PairParts(self.passage, self._made(question), self._made(answer), ungrounded, poor, context)

    async def _tried(self, step: str, ask: Callable[[Told, int], Awaitable[T | None]]) -> T | None:
        """What can be used of at most two replies; None where nothing can."""
        for number in range(_ROUNDS):
            before = len(self.refused)
            told = [_told(one) for one in self.refused if one.step == step and one.text]
            try:
                found = await ask(told, number)
            except ReplyError as error:
                if error.is_lost or error.reason == ESTIMATED:
                    raise
                self._refuse(step, error.raw, f"{NO_REPLY}: {error.reason}", number)
                continue
            if found is not None or any(one.reason in _FINAL for one in self.refused[before:]):
                return found
        return None

    async def _question(self, told: Told, number: int) -> tuple[str, str] | None:
        try:
            reply = await self._chat(QUESTION, Question, number, **self._shown, refused=told)
        except ReplyError as error:
            if error.reason == ESTIMATED:  # its answer is told too
                await self._answer(self._imagined)
            raise
        question = _line(reply.question)
        if problem := checks.question_problem(question, self.passage):
            self._refuse(QUESTION, question, problem, number)
            return None
        answer = await self._answer(question)
        if problem := checks.answer_problem(answer, question, self.passage):
            self._refuse(QUESTION, question, problem, number)
            return None
        return question, answer

    async def _answer(self, question: str) -> str:
        return _line((await self._chat(ANSWER, Answer, 0, **self._shown, question=question)).answer)

    async def _ungrounded(self, question: str, told: Told, number: int) -> Made | None:
        answer = _line((await self._chat(UNGROUNDED, Answer, number, question=question, refused=told)).answer)
        if problem := checks.ungrounded_problem(answer, question, self.passage):
            self._refuse(UNGROUNDED, answer, problem, number)
            return None
        return self._made(answer)

    async def _incomplete(self, question: str, answer: str, told: Told, number: int) -> Made | None:
        reply = await self._chat(INCOMPLETE, Incomplete, number, question=question, answer=answer, refused=told)
        poor, left_out = _line(reply.answer), _line(reply.left_out)
        if problem := checks.incomplete_problem(poor, left_out, answer, question, self.passage):
            self._refuse(INCOMPLETE, poor, problem, number)
            return None
        return self._made(poor, left_out=left_out)

    async def _widened(self, question: str, answer: str, told: Told, number: int) -> MadeContext | None:
        count = sentences_wanted(self.passage)
        reply = await self._chat(
            WIDENED, Sentences, number, **self._shown, question=question, count=count, refused=told
        )
        added: list[str] = []
        for text in reply.sentences[:_MOST_READ]:
            sentence = _line(text)
            problem = new_sentence_problem(sentence, [answer], question, self.passage)
            if problem or sentence in added:
                self._refuse(WIDENED, sentence, problem or REPEATED, number)
            elif len(added) < count:
                added.append(sentence)
        if not reply.sentences:
            self._refuse(WIDENED, "", NO_SENTENCE, number)
        if not added:
            return None
        return mix(self.passage, [(each,) for each in added], self.seed, "model", {"model": self._model})

    async def _chat(self, step: str, reply: type[T], repeat: int, **values: Any) -> T:
        messages = self.client.prompt(f"wikieval_{step}").fill(**values)
        found = await self.client.chat(ROLE, messages, step=step, reply=reply, repeat=repeat, temperature=TEMPERATURE)
        return found.value

    @property
    def _shown(self) -> dict[str, str]:
        return {"title": self.passage.title, "text": self.passage.text[:_LONGEST]}

    @property
    def _imagined(self) -> str:
        """A question for estimates, which is another for each passage: what is asked twice counts once."""
        return f"What is said of {self.passage.title} in {self.passage.source}?"

    @property
    def _model(self) -> str:
        return self.client.settings.endpoints[ROLE].model

    def _made(self, text: str, **detail: str) -> Made:
        return Made(text, "model", {"model": self._model, **detail})

    def _refuse(self, step: str, text: str, reason: str, number: int) -> None:
        self.refused.append(Refused(self.passage.source, step, shown(text), reason, number + 1))


def make_by_model(client: Client, passages: Iterable[Passage], seed: int) -> Iterator[ByModel]:
    """What a model makes of each passage, in their order; several are asked about at once.

    Args:
        client: asks the model of the role `writer`, at temperature 1, with the first 12,000 characters of a passage.
        passages: taken as they are needed. Where a sentence of the neighbours fits, none is asked for.
        seed: decides which sentences widen a context, and where they stand.

    Raises:
        StopError: nothing that follows would go better; the replies that came are kept.
        Estimated: after the last passage, where nothing is to be asked.
    """
    orders = (_Order(client, passage, seed) for passage in passages)
    for order, result in client.each(orders, _Order.ask, must_answer=True):
        yield ByModel(order.passage, None, tuple(order.refused)) if isinstance(result, ReplyError) else result


def count_refused(found: Iterable[ByModel]) -> dict[str, dict[str, int]]:
    """What was asked for → reason → how often something of the model was not used for it, for the manifest."""
    counts = Counter((one.step, one.reason) for each in found for one in each.refused)
    steps = [step for step in (QUESTION, UNGROUNDED, INCOMPLETE, WIDENED) if any(step == at for at, _ in counts)]
    return {step: {reason: counts[step, reason] for at, reason in sorted(counts) if at == step} for step in steps}


def _told(one: Refused) -> dict[str, str]:
    return {"text": shown(one.text), "reason": one.reason}


def _line(text: str) -> str:
    return " ".join(text.split())
