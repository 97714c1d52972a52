"""A kind of systems: `parrot:WORD` answers every question with the word and the question."""

from collections.abc import Mapping

from benchwright.benchmarks.systems.base import Answerer, Attempt, Opening, System, SystemKind
from benchwright.benchmarks.types import Document

PREFIX = "parrot:"


def open_parrot(reference: str, opening: Opening) -> System:
    """The parrot that says a word."""
    word = reference.removeprefix(PREFIX)

    def prepare(documents: Mapping[str, Document]) -> Answerer:
        def answer(attempt: Attempt) -> str:
            return f"{word}: {attempt.question.question}"

        return answer

    return System(
        name=f"parrot-{word.lower()}", kind="Parrot", reference=reference, description=f"says {word}", prepare=prepare
    )


KIND = SystemKind("parrot", lambda reference: reference.startswith(PREFIX), open_parrot, order=20, form="parrot:WORD")
