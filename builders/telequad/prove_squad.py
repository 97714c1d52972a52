"""Whether a question and its row of the config `squad` say the same of the same section."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchwright.benchmarks.grounding.evidence import plain
from benchwright.benchmarks.releases.proofs.base import Text


def squad_problems(row: Mapping[str, Any], squad: Mapping[str, Any], context: str, section: Text) -> Iterator[str]:
    """What does not go together.

    Args:
        row: of the config `questions`.
        squad: of the config `squad`, of the same id.
        context: the id of the document that is its context.
        section: that document; where its text is not here, what needs none is looked at.
    """
    if squad["question"] != row["question"]:
        yield "squad asks it in other words"
    if squad["context"] is not None and section.text is not None and squad["context"] != section.text:
        yield f"its context in squad is not the text of {context}"
    if squad["context"] is None and squad.get("document") != context:
        yield f"its row of squad names another document than {context}"
    if squad["context"] is None and section.text is not None:
        yield f"its row of squad has no context, and the text of {context} is here"
    answers = squad["answers"] or {}
    texts, starts = list(answers.get("text") or ()), list(answers.get("answer_start") or ())
    if len(texts) != len(starts):
        yield f"squad has {len(texts)} answers and {len(starts)} places of them"
        return
    if not row["answers"]:
        if texts:
            yield "it has no answer, and squad has one"
        return
    if not texts:
        yield "it has an answer, and squad has none"
        return
    yield from _answer_problems(row, context, section.text, list(zip(starts, texts, strict=True)))


def _answer_problems(
    row: Mapping[str, Any], context: str, text: str | None, places: Sequence[tuple[int, str]]
) -> Iterator[str]:
    accepted = {plain(each) for each in (*row["answers"], *(other for many in row["aliases"] or () for other in many))}
    if plain(places[0][1]) != plain(row["answers"][0]):
        yield "its first answer in squad is not the one in questions"
    for start, answer in places:
        if plain(answer) not in accepted:
            yield f"squad accepts {answer[:80]!r}, and questions do not"
        if text is not None and text[start : start + len(answer)] != answer:
            yield f"its answer {answer[:80]!r} does not stand at {start} of its context"
    spans = [(each["start"], each["end"]) for each in row["evidence"] or () if each["document"] == context]
    if not any(start <= at and at + len(answer) <= end for at, answer in places for start, end in spans):
        yield "its evidence does not hold the place of any answer"
