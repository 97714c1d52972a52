"""The parts of pairs by a model: a question, its answer and worse candidates, each checked by rule (Es et al. 2024).

A model of the role `writer` is asked about one passage at a time: for a question, for its answer from the passage, for
an answer without the passage, for an incomplete answer and, where no sentence beside the passage fits, for such ones.
What the rules refuse is asked for once more, with the reasons. A question whose answer is refused is not used either;
a candidate that is refused twice is made by rule where that can be done (`fallbacks`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.builders.wikieval.contexts.wider_contexts import NEAR, mix, sentences_wanted, widen
from benchwright.builders.wikieval.contexts.wider_sentences import REPEATED, new_sentence_problem
from benchwright.builders.wikieval.material import Made, MadeContext, PairParts, Passage
from benchwright.builders.wikieval.models import candidate_checks as checks
from benchwright.builders.wikieval.models.asking import NO_REPLY, Asking, Refused, Told
from benchwright.builders.wikieval.models.fallbacks import cut_short, swap_facts

STEPS = QUESTION, ANSWER, UNGROUNDED, INCOMPLETE, WIDENED = (
    "question",
    "answer",
    "ungrounded",
    "incomplete",
    "widened",
)
"""What is asked for."""
NO_SENTENCE = "no sentence is proposed"
_LONGEST = 12_000
"""Characters of a passage that a model is shown."""
_MOST_READ = 50
"""Sentences of one reply that are looked at."""
_FINAL = (checks.GROUNDED,)
"""What asking again would turn into something else: a model that knows the answer would be told to give a wrong one."""
_IMAGINED = 100
"""Characters of an answer that an estimate imagines."""


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
class ByModel:
    """What a model made of a passage."""

    passage: Passage
    parts: PairParts | None
    """None: there is no question that can be used, with its answer."""
    refused: tuple[Refused, ...]
    asked: frozenset[str]
    """The steps that the model was asked for."""


@dataclass(frozen=True)
class _Order:
    """A passage, and how the model is asked about it."""

    passage: Passage
    seed: int
    asking: Asking

    async def make(self) -> ByModel:
        """Asks for all parts, one after the other.

        Raises:
            ReplyError: the endpoint gave no answer, or some of it was only estimated.
        """
        found = await self.asking.tried(QUESTION, self._question)
        parts = None if found is None else await self._candidates(*found)
        if self.asking.estimated is not None:
            raise self.asking.estimated
        return ByModel(self.passage, parts, tuple(self.asking.refused), frozenset(self.asking.asked))

    async def _candidates(self, question: str, answer: str) -> PairParts:
        passage, seed, asking = self.passage, self.seed, self.asking
        ungrounded = await asking.tried(UNGROUNDED, partial(self._ungrounded, question, answer), _FINAL)
        poor = await asking.tried(INCOMPLETE, partial(self._incomplete, question, answer))
        context = widen(passage, question, [answer], seed, origins=NEAR)
        if context is None:
            context = await asking.tried(WIDENED, partial(self._widened, question, answer))
        context = context or widen(passage, question, [answer], seed)
        ungrounded = ungrounded or swap_facts(question, answer, passage, seed)
        poor = poor or cut_short(question, answer, passage, seed)
        return PairParts(passage, self._made(question), self._made(answer), ungrounded, poor, context)

    async def _question(self, told: Told, number: int) -> tuple[str, str] | None:
        asking, imagined = self.asking, Question(self._imagined)
        question = _line((await asking.chat(QUESTION, imagined, number, **self._shown, refused=told)).question)
        if asking.refuses(QUESTION, question, checks.question_problem(question, self.passage), number):
            return None
        try:
            reply = await asking.chat(ANSWER, self._an_answer, 0, **self._shown, question=question)
        except ReplyError as error:
            if error.is_lost:
                raise
            asking.refuses(QUESTION, question, f"{NO_REPLY} to it: {error.reason}", number)
            return None
        answer = _line(reply.answer)
        if asking.refuses(QUESTION, question, checks.answer_problem(answer, question, self.passage), number):
            return None
        return question, answer

    async def _ungrounded(self, question: str, answer: str, told: Told, number: int) -> Made | None:
        reply = await self.asking.chat(UNGROUNDED, self._an_answer, number, question=question, refused=told)
        candidate = _line(reply.answer)
        problem = checks.ungrounded_problem(candidate, answer, question, self.passage)
        return None if self.asking.refuses(UNGROUNDED, candidate, problem, number) else self._made(candidate)

    async def _incomplete(self, question: str, answer: str, told: Told, number: int) -> Made | None:
        imagined = Incomplete(answer, answer)
        reply = await self.asking.chat(INCOMPLETE, imagined, number, question=question, answer=answer, refused=told)
        poor, left_out = _line(reply.answer), _line(reply.left_out)
        problem = checks.incomplete_problem(poor, left_out, answer, question, self.passage)
        return None if self.asking.refuses(INCOMPLETE, poor, problem, number) else self._made(poor, left_out=left_out)

    async def _widened(self, question: str, answer: str, told: Told, number: int) -> MadeContext | None:
        count = sentences_wanted(self.passage)
        reply = await self.asking.chat(
            WIDENED, Sentences(()), number, **self._shown, question=question, count=count, refused=told
        )
        added: list[str] = []
        for text in reply.sentences[:_MOST_READ]:
            sentence = _line(text)
            problem = new_sentence_problem(sentence, [answer], question, self.passage)
            problem = problem or (REPEATED if sentence in added else "")
            if not self.asking.refuses(WIDENED, sentence, problem, number) and len(added) < count:
                added.append(sentence)
        if not reply.sentences:
            self.asking.refuses(WIDENED, "", NO_SENTENCE, number)
        if not added:
            return None
        return mix(self.passage, [(each,) for each in added], self.seed, "model", {"model": self.asking.model})

    @property
    def _shown(self) -> dict[str, str]:
        return {"title": self.passage.title, "text": self.passage.text[:_LONGEST]}

    @property
    def _imagined(self) -> str:
        """A question for estimates, which is another for each passage: what is asked twice counts once."""
        return f"What is said of {self.passage.title} in {self.passage.source}?"

    @property
    def _an_answer(self) -> Answer:
        return Answer(self.passage.text[:_IMAGINED])

    def _made(self, text: str, **detail: str) -> Made:
        return Made(text, "model", {"model": self.asking.model, **detail})


def make_by_model(client: Client, passages: Iterable[Passage], seed: int) -> Iterator[ByModel]:
    """What a model makes of each passage, in their order; several are asked about at once.

    Args:
        client: asks the model of the role `writer`, at temperature 1, with the first 12,000 characters of a passage.
        passages: taken as they are needed. Where a sentence of the neighbours fits, none is asked for.
        seed: decides which sentences widen a context, and where they stand, and what rules make instead.

    Raises:
        StopError: nothing that follows would go better; the replies that came are kept.
        Estimated: after the last passage, where nothing is to be asked.
    """
    orders = (_Order(passage, seed, Asking(client, passage.source)) for passage in passages)
    for order, result in client.each(orders, _Order.make, must_answer=True):
        if isinstance(result, ReplyError):  # it is only estimated
            result = ByModel(order.passage, None, (), frozenset())
        yield result


def _line(text: str) -> str:
    return " ".join(text.split())
