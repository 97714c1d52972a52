"""The built-in text writer: from a meaning to wordings in six forms, by rules and without a model.

The criteria of short and long texts are those of GRAMMAR's Appendix C: short ones may be fragments, long ones are
complete sentences of at least 30 words that may say who asks and why.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from itertools import islice

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import wording_id
from benchwright.builders.sql.wording.meaning import Meaning
from benchwright.builders.sql.wording.phrases import phrases
from benchwright.builders.sql.wording.skeleton import PLACEHOLDER, distance, skeleton, words_of

FORMS = ("short", "long", "interrogative", "directive", "formal", "casual")
LONG_WORDS = 30
"""The least number of words of a long wording; a placeholder counts as one."""
LONG_DISTANCE = 0.3
"""The least distance of two long wordings of a meaning, over skeletons; those of other forms are only unequal."""


def write(meaning: Meaning, form: str, limit: int | None = 10, vary: str = "") -> tuple[str, ...]:
    """Wordings of a meaning in one form: always the same ones in the same order, each with every placeholder once.

    Args:
        meaning: what is asked.
        form: one of `FORMS`.
        limit: the most wordings.
        vary: what long wordings are mixed by, so that of many meanings not all have the same; nothing: the first ones.

    Raises:
        BenchwrightError: there is no such form.
    """
    if form not in FORMS:
        raise BenchwrightError(f"there is no form {form!r}; the forms are {', '.join(FORMS)}")
    filling = phrases(meaning)
    lists = _frames()[form]
    names = [*filling.traits, *(f"{trait}_more" for trait in filling.traits)]
    frames = [frame for name in names for frame in lists.get(name, ())]
    if vary and form == "long":
        frames.sort(key=lambda frame: wording_id(vary, frame))
    wordings = (frame.format_map(filling.slots) for frame in frames)
    if form == "long":
        wordings = (wording for wording in wordings if count_words(wording) >= LONG_WORDS)
    return tuple(islice(_apart(wordings, words_of(meaning), LONG_DISTANCE if form == "long" else 0), limit))


def _apart(wordings: Iterable[str], words: Iterable[str], least: float) -> Iterator[str]:
    """Without those that are like an earlier one: a column called `record` makes two frames say the same."""
    kept: set[tuple[str, ...]] = set()
    for wording in wordings:
        own = skeleton(wording, words)
        if own not in kept and all(distance(own, other) >= least for other in kept):
            kept.add(own)
            yield wording


def count_words(text: str) -> int:
    """The number of words, where each placeholder is one."""
    return len(PLACEHOLDER.sub("placeholder", text).split())


@cache
def _frames() -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = {}
    for name in ("frames.toml", "truth_frames.toml", "kind_frames.toml", "list_frames.toml"):
        file = resources.files("benchwright.builders.sql.wording") / name
        for form, lists in tomllib.loads(file.read_text(encoding="utf-8")).items():
            found.setdefault(form, {}).update(lists)
    return found
