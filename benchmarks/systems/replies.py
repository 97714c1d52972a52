"""What a system returned, as a prediction: of the right type, of bounded size, and plain JSON."""

import dataclasses
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import OWN, Context, Prediction, read_prediction
from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.systems.frameworks import plain_reply

LONGEST = 100_000
"""Characters of an answer that are kept."""
LONGEST_CONTEXTS = 2_000_000
"""Characters of all contexts of an answer together that are kept."""
MOST_STEPS = 1_000
"""Steps of an answer whose usage is kept."""
_NAME = 200


def to_prediction(
    reply: Any, question: str, condition: str = OWN, repeat: int = 0, *, corpus: Collection[str] = ()
) -> Prediction:
    """A reply as a prediction for the question of that id, whatever key the reply gives itself.

    Args:
        reply: what a system returned: see `Reply`, and `frameworks.py` for what else is taken.
        question: the question's id.
        condition: the attempt's.
        repeat: the attempt's.
        corpus: the ids of the documents, to find them among those that a context bears.

    Raises:
        BenchwrightError: it is nothing, or of the wrong type.
    """
    reply = plain_reply(reply, corpus)
    if reply is None:
        raise BenchwrightError("returned nothing")
    if isinstance(reply, str):
        return _bounded(Prediction(question, _encodable(reply), condition=condition, repeat=repeat))
    if isinstance(reply, Prediction):
        reply = as_json(reply)
    if not isinstance(reply, Mapping):
        raise BenchwrightError(
            f"returned an object of type {type(reply).__name__}: it must be a text, a dict with 'answer', "
            "or a Prediction"
        )
    try:
        text = json.dumps({**reply, "id": question, "condition": condition, "repeat": repeat}, default=_plain)
    except (TypeError, ValueError) as error:
        raise BenchwrightError(f"returned what is no JSON: {error}") from None
    return _bounded(_checked(text))


def to_contexts(found: Iterable[Any], corpus: Collection[str] = ()) -> tuple[Context, ...]:
    """What a system retrieved, the best first, as contexts of a prediction.

    Args:
        found: texts, mappings with `id` and `text`, documents or nodes.
        corpus: the ids of the documents.

    Raises:
        BenchwrightError: one of them is neither a text nor the fields of a context.
    """
    return to_prediction({"answer": "", "contexts": list(found)}, "", corpus=corpus).contexts


def _checked(text: str) -> Prediction:
    try:
        return read_prediction(text, "returned a prediction")
    except BenchwrightError as error:
        raise BenchwrightError(str(error).replace(": correct the line.", "")) from None


def _plain(value: Any) -> Any:
    """Numbers of numpy and the like as Python's, our own objects as their fields."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    to_list = getattr(value, "tolist", None)
    if callable(to_list):
        return to_list()
    raise TypeError(f"an object of type {type(value).__name__}")


def _encodable(text: str) -> str:
    """A text without halves of surrogate pairs, which no file can hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _bounded(prediction: Prediction) -> Prediction:
    """A prediction of a size that a run can hold; what was cut off is said in `error`."""
    said = [prediction.error] if prediction.error else []
    answer = prediction.answer
    if answer is not None and len(answer) > LONGEST:
        said.append(f"the answer was cut: {len(answer):,} characters, {LONGEST:,} are kept")
        prediction = replace(prediction, answer=answer[:LONGEST])
    if any(len(sample) > LONGEST for sample in prediction.samples):
        said.append(f"samples were cut: {LONGEST:,} characters of each are kept")
        prediction = replace(prediction, samples=tuple(sample[:LONGEST] for sample in prediction.samples))
    kept: list[Context] = []
    room = LONGEST_CONTEXTS
    for context in prediction.contexts:
        room -= len(context.text or "") + 100
        if room < 0:
            said.append(f"contexts were left out: {len(kept):,} of {len(prediction.contexts):,} are kept")
            break
        kept.append(context)
    if len(kept) < len(prediction.contexts):
        prediction = replace(prediction, contexts=tuple(kept))
    steps = prediction.usage.steps
    if len(steps) > MOST_STEPS or any(len(each.step) > _NAME or len(each.role or "") > _NAME for each in steps):
        said.append(f"steps were cut: {MOST_STEPS:,} of them are kept, of each name {_NAME} characters")
        short = [replace(each, step=each.step[:_NAME], role=each.role and each.role[:_NAME]) for each in steps]
        prediction = replace(prediction, usage=replace(prediction.usage, steps=tuple(short[:MOST_STEPS])))
    return replace(prediction, error="; ".join(said)) if said else prediction
