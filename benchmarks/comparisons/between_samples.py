"""Samples of two sides of one run: each group in equally many wordings (stratified), or fewer of some (unbalanced).

Li et al. 2024, GRAMMAR, first version, section 4.2: in a stratified sample both sides hold the same groups, and so the
same share of gaps; in an unbalanced one some parts of the database lost questions at random. Draws are hashes of the
seed and of ids: the same run and seed give the same samples.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.statistics.wordings import equal_wordings


@dataclass(frozen=True, slots=True)
class Judged:
    """One judged question of a side."""

    id: str
    group: str
    correct: bool
    right_without_model: bool | None
    """Whether it is right once errors of the language model are removed; None where its retrieval was not judged."""
    part: str | None = None
    """The table that its group asks of, or its template."""


Groups = Mapping[str, Sequence[Judged]]
Sides = tuple[Groups, Groups]
"""Of the first and of the second side: group → its judged questions."""


@dataclass(frozen=True, slots=True)
class LostQuestions:
    """What one part of the database lost in the unbalanced sample."""

    part: str
    first_lost: int
    first_total: int
    second_lost: int
    second_total: int


def by_group(questions: Iterable[Judged]) -> dict[str, list[Judged]]:
    """Questions by their group, in their order."""
    found: dict[str, list[Judged]] = {}
    for question in questions:
        found.setdefault(question.group, []).append(question)
    return found


def several(groups: Groups) -> dict[str, Sequence[Judged]]:
    """The groups with two questions or more: only these have a tag."""
    return {name: questions for name, questions in groups.items() if len(questions) > 1}


def stratified(sides: Sides, seed: int) -> tuple[Sides, int] | None:
    """Both sides with the same groups, each in the same number of wordings; and that number.

    The number is the largest that nine groups in ten of each side have. Sides that share no group, as kinds of
    questions do, keep their own groups. None where a side has no group with two wordings.
    """
    first, second = (several(side) for side in sides)
    if set(sides[0]) & set(sides[1]):
        first, second = ({name: side[name] for name in side if name in other} for side, other in _both(first, second))
    number = equal_wordings([np.array([len(each) for each in side.values()], dtype=int) for side in (first, second)])
    if number is None:
        return None
    enough = [{name for name, questions in side.items() if len(questions) >= number} for side in (first, second)]
    if set(first) & set(second):
        enough = [enough[0] & enough[1]] * 2
    if not all(enough):
        return None
    kept = tuple(
        {name: _drawn(side[name], number, seed) for name in side if name in its}
        for side, its in zip((first, second), enough, strict=True)
    )
    return (kept[0], kept[1]), number


def _both(
    first: dict[str, Sequence[Judged]], second: dict[str, Sequence[Judged]]
) -> tuple[tuple[dict[str, Sequence[Judged]], dict[str, Sequence[Judged]]], ...]:
    return (first, second), (second, first)


def _drawn(questions: Sequence[Judged], number: int, seed: int) -> list[Judged]:
    """So many of a group's questions, in their order."""
    if len(questions) == number:
        return list(questions)
    wanted = {each.id for each in sorted(questions, key=lambda each: rank(seed, "wording", each.id))[:number]}
    return [each for each in questions if each.id in wanted]


def unbalanced(sides: Sides, names: tuple[str, str], seed: int) -> tuple[Sides, str, tuple[LostQuestions, ...]] | None:
    """Both sides after losses; the part that lost nothing; and what the others lost.

    One part of the database, which is drawn, keeps its questions. Of each other a share is drawn for each side, and
    that share of its questions, drawn too, is lost. None where the groups are not of two parts or more.

    Args:
        sides: their groups.
        names: of the sides, which draws depend on: whoever names them the other way round gets the same samples.
        seed: of the draws.
    """
    parts = sorted({each.part for side in sides for group in side.values() for each in group if each.part is not None})
    if len(parts) < 2:
        return None
    whole = min(parts, key=lambda part: rank(seed, "whole", part))
    lost: list[set[str]] = [set(), set()]
    said = []
    for part in parts:
        if part == whole:
            continue
        counts = []
        for place, (side, name) in enumerate(zip(sides, names, strict=True)):
            its = [each.id for group in side.values() for each in group if each.part == part]
            number = round(_share(rank(seed, "share", part, name)) * len(its))
            lost[place].update(sorted(its, key=lambda each: rank(seed, "lost", each, joined_by=" "))[:number])
            counts += [number, len(its)]
        said.append(LostQuestions(part, *counts))
    first, second = (
        by_group(each for group in side.values() for each in group if each.id not in its)
        for side, its in zip(sides, lost, strict=True)
    )
    return (first, second), whole, tuple(said)


def _share(drawn: bytes) -> float:
    """A number from 0 to 1 of a hash."""
    return int.from_bytes(drawn[:8], "big") / 2**64
