"""The lost answers of a run, and the module that each one alone points to: several of them are told apart later."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.reports.answers.signs import Sign
from benchwright.benchmarks.reports.failures.probes import Probed


@dataclass
class LostAnswers:
    """The lost answers of a run, and what may be used to tell whose they are."""

    signs: Sequence[Sign]
    clusters: np.ndarray
    forms: Sequence[str | None]
    golds: Sequence[tuple[str, ...]]
    """Of each sign, what is right."""
    gold_right: Mapping[int, bool]
    """Question → whether it is right with the gold passages."""
    probes: Mapping[int, Probed]
    module: list[str]
    """Of each sign; empty where it is not lost, or not told yet."""
    notes: dict[str, list[str]]

    def places(self, wanted: Callable[[Sign], bool]) -> list[int]:
        """Of the signs."""
        return [place for place, sign in enumerate(self.signs) if wanted(sign)]

    def open(self, *keys: str) -> list[int]:
        """The places of the signs that have one of these modules now."""
        return [place for place, key in enumerate(self.module) if key in keys]

    def lay(self, places: Sequence[int], key: str, note: str = "") -> None:
        """Gives signs their module."""
        for place in places:
            self.module[place] = key
        if note and places:
            self.notes.setdefault(key, []).append(note)


def first_module(sign: Sign) -> str:
    """The module that an answer alone points to; several of them are told apart later."""
    if sign.outcome == "correct":
        return ""
    if sign.outcome == "failed":
        return "errors"
    if not sign.shows or not sign.facts:
        return "unseen"
    return _of_reading(sign) if sign.is_held else _of_miss(sign)


def _of_miss(sign: Sign) -> str:
    if not sign.count:
        return "empty"
    if sign.foreign == sign.count:
        return "foreign"
    if sign.is_altered:
        return "stale"
    if sign.is_cut:
        return "chunking"
    if sign.count > 1 and sign.distinct <= sign.count / 2:
        return "duplicates"
    return "passage" if sign.is_document_found else "retrieval"


def _of_reading(sign: Sign) -> str:
    if sign.outcome == "abstained":
        return "shy"
    if sign.is_copied:
        return "copies"
    if sign.is_near:
        return "output"
    return "misreads" if sign.is_grounded else "ignores"


def is_unplaced(case: LostAnswers, places: Sequence[int]) -> bool:
    """Whether most contexts of answers are too short to say whether they are from the corpus."""
    signs = [case.signs[place] for place in places]
    return sum(sign.unplaced for sign in signs) > sum(sign.count for sign in signs) / 2
