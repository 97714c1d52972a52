"""What a system said to few questions: its file of predictions is streamed, and only their lines are read."""

import re
from collections.abc import Collection
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import Prediction, read_prediction

_ID = re.compile(rb'\s*\{\s*"id"\s*:\s*"((?:[^"\\]|\\.)*)"')
"""How the harness begins a line; a file from elsewhere may begin it otherwise."""


def read_said(path: Path, ids: Collection[str], condition: str) -> dict[str, Prediction]:
    """The first repeat's prediction of each of these questions in a condition; a missing file has none.

    Of two lines of one attempt the one with an answer counts: an attempt that failed was asked again. A line that is no
    prediction is passed over, as a run that was scored has named it.
    """
    found: dict[str, Prediction] = {}
    plain = {id.encode() for id in ids}
    if not path.is_file():
        return found
    with path.open("rb") as file:
        for line in file:
            begun = _ID.match(line)
            if begun is not None and b"\\" not in begun[1] and begun[1] not in plain:
                continue
            try:
                prediction = read_prediction(line, path.name)
            except BenchwrightError:
                continue
            if prediction.id not in ids or prediction.condition != condition:
                continue
            before = found.get(prediction.id)
            is_first = before is None or prediction.repeat < before.repeat
            if is_first or (before is not None and prediction.repeat == before.repeat and before.is_failed):
                found[prediction.id] = prediction
    return found
