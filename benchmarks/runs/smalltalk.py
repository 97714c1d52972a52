"""Small talk, asked beside a benchmark: how a system treats what needs no documents, and what that takes.

The texts are in `smalltalk.toml`. What is said to them lies in a file of its own beside the run's predictions, so that
no figure of the benchmark can count it.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.hashing import short_hash
from benchwright.benchmarks.predictions import Key, Prediction
from benchwright.benchmarks.runs.run import SMALLTALK
from benchwright.benchmarks.runs.store import PredictionStore, settled_keys
from benchwright.benchmarks.systems.base import Attempt
from benchwright.benchmarks.types import Question


@cache
def smalltalk() -> Mapping[str, Question]:
    """Id → text; `subset` is its kind: `chit-chat` or `generic`."""
    kinds = read_toml("benchwright.benchmarks", "smalltalk.toml")
    texts = [
        Question(f"smalltalk-{short_hash([text], 6)}", text, subset=kind)
        for kind, listed in kinds.items()
        for text in listed
    ]
    return {text.id: text for text in texts}


class SmalltalkStore:
    """What a system said to small talk, in its run's folder; of one process at a time."""

    def __init__(self, folder: Path) -> None:
        """Opens the file of a run's folder, which may be missing.

        Raises:
            BenchwrightError: a line of it is no prediction.
        """
        self._store = PredictionStore(folder / SMALLTALK)

    @property
    def missing(self) -> list[Attempt]:
        """What is still to be asked."""
        return [each for each in _attempts() if not self._store.is_settled(_key_of(each))]

    def takes(self, prediction: Prediction) -> bool:
        """Keeps a prediction, where it is of small talk."""
        if prediction.id not in smalltalk():
            return False
        self._store.append(prediction)
        return True

    @property
    def counts(self) -> tuple[int, int]:
        """Answers that there are, and failures."""
        return self._store.answers, len(self._store.failed)

    def close(self) -> None:
        """Closes the file."""
        self._store.clear()
        self._store.close()


def missing_smalltalk(folder: Path | None) -> list[Attempt]:
    """What would be asked of a run whose folder may be missing, or of a new one; nothing is written."""
    settled = set[Key]() if folder is None else settled_keys(folder / SMALLTALK)
    return [each for each in _attempts() if _key_of(each) not in settled]


def _attempts() -> list[Attempt]:
    """Each text once, with the system's own retrieval."""
    return [Attempt(text) for text in smalltalk().values()]


def _key_of(attempt: Attempt) -> Key:
    """The key of an attempt's prediction."""
    return attempt.question.id, attempt.condition, attempt.repeat
