"""An answer taken apart into statements: one call where it is short, one for each piece where it is long.

The first step of faithfulness in RAGAS (Es et al. 2024, section 3) and of what else looks at each thing an answer says.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.benchmarks.metrics.base import unscored
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.text.sentences import PROSE

PROMPT = "judge_statements"
PIECE = 6_000
"""Characters of an answer that one call reads."""
PIECES = 6
"""Of one answer that are read."""
MOST = 200
"""Statements that a piece may have: more are no reply to it."""
NO_STATEMENT = unscored("the answer makes no statement")


@dataclass(frozen=True)
class Statements:
    """What the judge replies: each thing that the answer says."""

    statements: list[str]

    def __post_init__(self) -> None:
        """Refuses a list that has no end."""
        if len(self.statements) > MOST:
            raise ValueError(f"{len(self.statements)} statements; there may be {MOST}")


@dataclass(frozen=True, slots=True)
class Stated:
    """The statements of an answer."""

    pieces: tuple[tuple[str, ...], ...]
    """Those of each piece that makes new ones, in order: of an answer of up to 6,000 characters there is one piece."""
    note: str | None = None
    """What was not read, for the reason of a score; None: nothing."""

    @property
    def all(self) -> tuple[str, ...]:
        """Those of all pieces."""
        return tuple(each for piece in self.pieces for each in piece)


async def statements_of(question: str, answer: str, tools: Tools) -> Stated:
    """What an answer says, statement by statement; the metric must name `PROMPT` in its `uses`.

    A call for each 6,000 characters of the answer, at most 6; what comes after is not read, which the note says.

    Raises:
        ReplyError: there is no reply that could be used.
        StopError: a limit of the run is reached, or no request would go better.
    """
    parts = list(pieces_of(answer))
    found: list[tuple[str, ...]] = []
    for part in parts[:PIECES]:
        values = {"question": question, "answer": part}
        reply = await tools.ask(PROMPT, values, reply=Statements, imagined=_IMAGINED)
        lines = dict.fromkeys(" ".join(each.split()) for each in reply.statements)
        if kept := tuple(line for line in lines if line and not any(line in earlier for earlier in found)):
            found.append(kept)
    read = sum(map(len, parts[:PIECES]))
    note = f"the first {read:,} of {len(answer):,} characters of the answer were read" if len(parts) > PIECES else None
    return Stated(tuple(found), note)


def pieces_of(answer: str) -> Iterator[str]:
    """An answer in pieces of at most 6,000 characters that end with a sentence, if one ends in their second half.

    Together they are the answer.
    """
    starts = [*PROSE.starts(answer)[1:], len(answer)] if len(answer) > PIECE else []
    start, at = 0, 0
    while len(answer) - start > PIECE:
        end = 0
        while starts[at] <= start + PIECE:
            end, at = starts[at], at + 1
        if end <= start + PIECE // 2:
            end = start + PIECE
        yield answer[start:end]
        start = end
    if start < len(answer):
        yield answer[start:]


_IMAGINED = Statements(["It was finished by the company.", "It was finished in the autumn of 2019."])
"""Stands for the reply where calls are only estimated."""
