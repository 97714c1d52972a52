"""The attempts that bring further answers: one of a model of ours, of another system one for each."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from benchwright.benchmarks.predictions import GOLD, Key, Prediction
from benchwright.benchmarks.runs.ask import attempts_of
from benchwright.benchmarks.runs.plan import Plan
from benchwright.benchmarks.systems.base import Answerer, Attempt, Sampler, Sampling, System
from benchwright.benchmarks.systems.sampling import REPEATS, passage_of


@dataclass
class OpenAnswer:
    """An answer of which samples are on their way."""

    prediction: Prediction
    attempt: Attempt
    """As it was asked for."""
    left: int
    """Replies that are awaited."""
    texts: list[str] = field(default_factory=list[str])
    """That have come."""


class SampleAttempts(Iterator[Attempt]):
    """The attempts, one after the other; one that is to be made once more comes next, also after the last.

    Each has a repeat of its own, so that it shares no kept reply.
    """

    def __init__(
        self, lacking: Sequence[Key], read: Callable[[Key], Prediction], plan: Plan, system: System, count: int
    ) -> None:
        """Args:
        lacking: the answers that lack samples.
        read: gives the prediction of a key.
        plan: their questions.
        system: who is asked.
        count: samples that each answer is to have.
        """
        self.open: dict[Key, OpenAnswer] = {}
        """The answers that are being asked about."""
        self._documents = plan.split.documents
        self._answered = attempts_of(lacking, {each.id: each for each in plan.questions}, self._documents, None, [])
        self._read, self._system, self._count = read, system, count
        self._next: deque[Attempt] = deque()
        self._takes_contexts = GOLD not in system.unsupported
        self._given: set[Key] = set()
        """Attempts that were given contexts which the answer was not."""

    def __next__(self) -> Attempt:
        if not self._next:
            attempt = next(self._answered)
            key = attempt.question.id, attempt.condition, attempt.repeat
            prediction = self._read(key)
            self._next += self._attempts(attempt, prediction)
            self.open[key] = OpenAnswer(prediction, attempt, len(self._next))
        return self._next.popleft()

    def _attempts(self, attempt: Attempt, prediction: Prediction) -> Iterator[Attempt]:
        """Those that give an answer its samples."""
        if self._system.sample is not None:
            yield attempt
            return
        is_given = False
        if self._takes_contexts and attempt.contexts is None and prediction.contexts:
            passages = [passage_of(each, self._documents) for each in prediction.contexts]
            if None not in passages:
                own = {} if self._system.is_builtin else {"title": ""}  # what it found stands as it found it
                attempt = replace(
                    attempt, contexts=tuple(replace(each, **own) for each in passages if each is not None)
                )
                is_given = True
        for number in range(len(prediction.samples), self._count):
            repeat = REPEATS * (number + 1) + attempt.repeat
            if is_given:
                self._given.add((attempt.question.id, attempt.condition, repeat))
            yield replace(attempt, repeat=repeat)

    def asks_again(self, reply: Prediction) -> bool:
        """Whether an attempt is made once more, as the answer was, since the system takes no contexts.

        Of some systems, such as a service over HTTP, only their reply says so.
        """
        was_given = reply.key in self._given
        self._given.discard(reply.key)
        if not (was_given and reply.is_unsupported):
            return False
        self._takes_contexts = False
        self._next.append(replace(self.open[key_of(reply)].attempt, repeat=reply.repeat))
        return True

    def sampled_by(self, sample: Sampler) -> Answerer:
        """How a model of ours is asked for all samples of an answer at once."""

        async def answer(attempt: Attempt) -> Prediction:
            prediction = self.open[attempt.question.id, attempt.condition, attempt.repeat].prediction
            return await sample(Sampling(attempt, prediction, self._count - len(prediction.samples)))

        return answer


def key_of(reply: Prediction) -> Key:
    """The key of the answer that a reply brings samples to."""
    return reply.id, reply.condition, reply.repeat % REPEATS
