"""Watches the first answers of a start: a system that fails at all of them in the same way is stopped.

Once the first have failed, the next are taken from elsewhere, or one is asked that was answered before: so one sort of
questions that a system cannot answer stops nothing.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.predictions import Key, Prediction

FIRST = 5
"""Answers that must all have failed."""
SURE = 3
"""So many are enough where more would say nothing new, or cost minutes."""


@dataclass(frozen=True)
class _Cause:
    """A sort of failures, and what to do."""

    pattern: re.Pattern[str]
    """What the message begins with or holds."""
    advice: str
    enough: int = FIRST


_CAUSES = (
    _Cause(
        re.compile(r"(ImportError|ModuleNotFoundError|SyntaxError|IndentationError|NameError)\b"),
        "install what is missing or correct its program",
        SURE,
    ),
    _Cause(
        re.compile(r"no answer within "),
        "see whether what it calls is running, or give it more time with --timeout",
        SURE,
    ),
    _Cause(
        re.compile(
            r".*(connect|refused|unreachable|timed? ?out|name resolution|getaddrinfo|\b50[234]\b)", re.IGNORECASE
        ),
        "see whether what it calls is running and can be reached",
    ),
    _Cause(
        re.compile(r".*(\b40[13]\b|api.?key|authenti|credential|permission|forbidden)", re.IGNORECASE),
        "check its key and what that allows",
    ),
    _Cause(re.compile(r"returned "), "correct what it returns"),
)
_ANY = _Cause(re.compile(""), "correct it")
_VARYING = re.compile(r"'[^']*'|\"[^\"]*\"|\b0x[0-9a-f]+|\b[0-9a-f-]{8,}\b|\d+", re.IGNORECASE)
"""What differs in messages of the same failure: what is quoted, addresses, ids, numbers."""


def cause_of(message: str, question: str = "") -> str:
    """An error's message without what differs from question to question."""
    text = " ".join(message.split())
    asked = " ".join(question.split())
    return _VARYING.sub("…", text.replace(asked, "…") if asked else text)


def advice_on(message: str) -> str:
    """What to do about an error, in words."""
    return _kind_of(message).advice


def _kind_of(message: str) -> _Cause:
    return next((cause for cause in _CAUSES if cause.pattern.match(message)), _ANY)


def spread_when(keys: Sequence[Key], is_wanted: Callable[[], bool], far: set[Key]) -> Iterator[Key]:
    """Keys in their order; while it is wanted, from all over those of the first repeat and condition.

    Args:
        keys: repeat by repeat, condition by condition.
        is_wanted: is asked before each.
        far: is given those that were taken out of order.
    """
    same = sum(key[1:] == keys[0][1:] for key in keys) if keys else 0
    taken, front, jumps = set[int](), 0, 0
    for _ in keys:
        while front in taken:
            front += 1
        place = front
        if is_wanted() and front < same:
            jumps += 1
            wanted = int(_halving(jumps) * same)
            place = next((each for each in range(wanted, same) if each not in taken), front)
            far.add(keys[place])
        taken.add(place)
        yield keys[place]


def _halving(number: int) -> float:
    """The number-th of 1/2, 1/4, 3/4, 1/8, 5/8, …: van der Corput's sequence, which fills an interval evenly."""
    digits = f"{number:b}"[::-1]
    return int(digits, 2) / 2 ** len(digits)


class FirstAnswers:
    """The answers of a start, until one of them is none of a failure like the others."""

    def __init__(self, system: str, kept: int) -> None:
        """Begins to watch.

        Args:
            system: what it is called.
            kept: answers of earlier starts: with them, it is not stopped before it has failed at one of those, too.
        """
        self.system, self.kept = system, kept
        self.far: set[Key] = set()
        """Questions from elsewhere."""
        self.wants_control = False
        """Whether a question that was answered before is to be asked, to see whether it is the system that fails."""
        self._watching = True
        self._failures: list[Prediction] = []
        self._cause: str | None = None

    @property
    def wants_others(self) -> bool:
        """Whether questions from elsewhere are to be asked, to see whether it is the system that fails."""
        return self._watching and not self.kept and len(self._failures) > 1

    def see(self, prediction: Prediction, question: str) -> None:
        """Takes an answer in.

        Raises:
            StopError: it is one of too many failures.
        """
        if not self._watching or prediction.is_unsupported:
            return
        cause = cause_of(prediction.error or "", question)
        if not prediction.is_failed or (self._failures and cause != self._cause):
            self._watching = self.wants_control = False
            return
        self._cause = cause
        self._failures.append(prediction)
        enough = _kind_of(prediction.error or "").enough
        if len(self._failures) < enough:
            return
        if self.kept:
            self.wants_control = True
        elif sum(each.key in self.far for each in self._failures) >= enough // 2:
            raise self._stopped("")

    def see_control(self, prediction: Prediction) -> None:
        """Takes in what came of a question that was answered before.

        Raises:
            StopError: it failed, too.
        """
        if prediction.is_failed and self._watching:
            raise self._stopped(", and one that it had answered before")
        self._watching = self.wants_control = False

    def _stopped(self, also: str) -> StopError:
        message = self._failures[0].error or "no answer"
        kept = f"; the {self.kept:,} answers of before are kept" if self.kept else ""
        return StopError(
            f"{self.system} failed at each of its first {len(self._failures)} questions{also}, in the same way: "
            f"{message}; {advice_on(message)}, and start it again: what failed is asked again{kept}"
        )
