"""The questions that two releases with other answers have in common, and how each of two runs was asked them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchwright.benchmarks.comparisons.read import names_of
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.predictions import OWN
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import Ints, RunData
from benchwright.benchmarks.types import KEPT


@dataclass(frozen=True, slots=True)
class SharedQuestions:
    """The questions that can be answered in both releases and were asked in both runs."""

    runs: tuple[RunData, RunData]
    names: tuple[str, ...]
    """Of the runs, for people."""
    condition: str
    """What the system was given."""
    ids: tuple[str, ...]
    places: tuple[Ints, Ints]
    """In the questions of each run."""
    clusters: Ints


def asked_again(releases: tuple[Release, Release], folders: tuple[Path, Path]) -> set[str] | None:
    """The ids of the questions of the first release that a round asks again; None where both releases ask the same.

    Raises:
        BenchwrightError: they have the same content, or ask what is neither the same nor a round.
    """
    first, second = (release.manifest for release in releases)
    names = [f"{each.name} {each.version} (content {each.content_hash[:12]}…)" for each in (first, second)]
    if first.content_hash == second.content_hash:
        raise BenchwrightError(
            f"{folders[0]} and {folders[1]} are both on {names[0]}: --counterfactual compares a run on the published "
            "release with one on the same built with another --seed"
        )
    ids = [_ids(release) for release in releases]
    kept = ids[0] & _ids(releases[1], KEPT)
    if ids[0] != ids[1] and kept:
        return kept
    if ids[0] != ids[1]:
        lacking = [len(own - other) for own, other in (ids, ids[::-1])]
        raise BenchwrightError(
            f"{names[0]} and {names[1]} do not ask the same ({lacking[0]:,} questions only in the first, "
            f"{lacking[1]:,} only in the second): --counterfactual needs equal ids, as of two --seed of one benchmark "
            "with all other parameters alike"
        )
    return None


def shared_questions(
    first: RunData, second: RunData, wanted: set[str] | None = None, condition: str | None = None
) -> SharedQuestions:
    """The questions that both runs were asked.

    Args:
        first: the run on the published release.
        second: the one on the fresh release.
        wanted: the ids that count; None: all.
        condition: what the system was given; None: its own retrieval, else the one that both have.

    Raises:
        UsageError: a run lacks the condition.
        BenchwrightError: no question can be answered in both.
    """
    condition, names = _condition((first, second), condition), names_of((first.folder, second.folder))
    ids = [
        each for each in first.questions.ids if each in second.questions.index and (wanted is None or each in wanted)
    ]
    places = tuple(np.array([run.questions.index[each] for each in ids], dtype=int) for run in (first, second))
    kept = first.questions.headline[places[0]] & second.questions.headline[places[1]]
    if not kept.any():
        raise BenchwrightError(
            f"{names[0]} and {names[1]} have no question in common that can be answered in both releases: "
            "score the system on the same questions of both, with the same --limit"
        )
    own, other = places[0][kept], places[1][kept]
    return SharedQuestions(
        runs=(first, second),
        names=tuple(names),
        condition=condition,
        ids=tuple(first.questions.ids[place] for place in own),
        places=(own, other),
        clusters=first.questions.clusters[own],
    )


def _ids(release: Release, subset: str | None = None) -> set[str]:
    """The ids of all questions, or of those of a subset."""
    return {
        each
        for split in release.manifest.splits.get("questions", {})
        for batch in release.batches("questions", split, ["id", "subset"])
        for each, own in zip(batch.column("id").to_pylist(), batch.column("subset").to_pylist(), strict=True)
        if subset is None or own == subset
    }


def _condition(runs: tuple[RunData, RunData], wanted: str | None) -> str:
    conditions = [list(run.condition.names) for run in runs]
    both = [name for name in conditions[0] if name in conditions[1]]
    if wanted is not None:
        for run, there in zip(runs, conditions, strict=True):
            if wanted not in there:
                raise UsageError(f"{run.folder} has no condition {wanted!r}: there is {', '.join(there)}")
        return wanted
    if OWN in both or len(both) == 1:
        return OWN if OWN in both else both[0]
    if both:
        raise UsageError(f"the runs have several conditions in common ({', '.join(both)}): choose a --condition")
    raise BenchwrightError(
        f"{runs[0].folder} and {runs[1].folder} have no condition in common: score the system in the same one"
    )
