"""What a pull request is about, told from the paths that it changes alone: nothing of it is downloaded yet."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.board import Board
from benchwright.benchmarks.leaderboards.layout import SUBMISSIONS, Place
from benchwright.benchmarks.leaderboards.limits import check_sizes
from benchwright.benchmarks.leaderboards.refusal import RefusedError, quoted
from benchwright.benchmarks.leaderboards.system_file import is_slug
from benchwright.benchmarks.naming import check_version

MOST_CHANGES = 1_000
"""Paths of a pull request that are looked at."""
_LOOKALIKE = read_toml(__package__, "lookalikes.toml")
_LETTERS = str.maketrans({sign: plain for plain, signs in _LOOKALIKE["letters"].items() for sign in signs})
_PAIRS: Mapping[str, str] = _LOOKALIKE["pairs"]
_LEFT_OUT = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Changed:
    """A path that differs between a pull request's revision and what it was begun from."""

    path: str
    """As the Hub has it: any text."""
    size: int = 0
    """Bytes at the pull request's revision."""
    is_deleted: bool = False
    is_file: bool = True
    """False for a link, or whatever else is no file."""


@dataclass(frozen=True)
class Taken:
    """A submission that is there already."""

    place: Place
    submitter: str
    name: str = ""
    """As its system is shown."""


def receive(
    changed: Sequence[Changed],
    *,
    board: Board,
    submitter: str,
    taken: Iterable[Taken] = (),
    present: Mapping[str, int] | None = None,
) -> Place:
    """The one place that a pull request changes.

    Args:
        changed: all that differs.
        board: what is ranked.
        submitter: the user who opened it, as the Hub says.
        taken: the submissions that are there.
        present: name → bytes of each file in the submission's folder at the revision; None: of what is changed.

    Raises:
        RefusedError: it changes anything else, or its place is another's or cannot be one.
    """
    place = _place(changed)
    entry = board.benchmarks.get(place.benchmark)
    if entry is None:
        there = ", ".join(board.benchmarks) or "none"
        raise RefusedError(f"the benchmark {quoted(place.benchmark)} is not ranked here: there are {there}")
    if entry.versions and place.version not in entry.versions:
        there = ", ".join(entry.versions)
        raise RefusedError(f"{place.benchmark} {place.version} is not ranked here: there are {there}")
    inside = {each.path.removeprefix(f"{place.folder}/"): each.size for each in changed if not each.is_deleted}
    check_sizes(inside if present is None else present)
    check_place(place, submitter, taken)
    return place


def check_place(place: Place, submitter: str, taken: Iterable[Taken]) -> None:
    """Looks whether a place is free, or the submitter's own.

    Raises:
        RefusedError: another has it, or one that is easily taken for it.
    """
    mine = lookalike(place.system)
    for other in taken:
        if other.submitter == submitter or other.place.benchmark != place.benchmark:
            continue
        if other.place.system == place.system:
            raise RefusedError(
                f"the name {place.system} is that of a system of {other.submitter}: choose another with --name"
            )
        if lookalike(other.place.system) == mine:
            raise RefusedError(
                f"the name {place.system} is easily taken for {other.place.system}, a system of {other.submitter}: "
                "choose another with --name"
            )


def check_shown_name(name: str, submitter: str, place: Place, taken: Iterable[Taken]) -> None:
    """The same for the name that is shown, which may have any letters.

    Raises:
        RefusedError: as `check_place`.
    """
    mine = lookalike(name)
    if not mine:
        raise RefusedError(f"the name {quoted(name)} has no letter or figure: give another in system.yaml")
    for other in taken:
        is_others = other.submitter != submitter and other.place.benchmark == place.benchmark
        if is_others and mine in (lookalike(other.name), lookalike(other.place.system)):
            raise RefusedError(
                f"the name {quoted(name)} is easily taken for {quoted(other.name or other.place.system)}, a system of "
                f"{other.submitter}: give another in system.yaml"
            )


def lookalike(name: str) -> str:
    """What names that are easily taken for one another have in common."""
    folded = unicodedata.normalize("NFKD", name).casefold().translate(_LETTERS)
    folded = "".join(sign for sign in folded if not unicodedata.combining(sign))
    folded = _LEFT_OUT.sub("", folded)
    for pair, one in _PAIRS.items():
        folded = folded.replace(pair, one)
    return folded


def _place(changed: Sequence[Changed]) -> Place:
    """The place that all paths are in.

    Raises:
        RefusedError: there is none, or one path is in none.
    """
    if not changed:
        raise RefusedError("it changes nothing: make the submission with submit-system")
    if len(changed) > MOST_CHANGES:
        raise RefusedError(f"it changes {len(changed):,} files: a submission has seven at the most")
    places = {_place_of(each.path) for each in changed}
    if len(places) > 1:
        shown = sorted(map(str, places))
        raise RefusedError(
            f"it changes more than one submission ({shown[0]}, {shown[1]}): open a pull request for each"
        )
    odd = next((each for each in changed if not each.is_file), None)
    if odd is not None:
        raise RefusedError(f"{quoted(odd.path)} is not a file: a submission has files alone")
    place = places.pop()
    if all(each.is_deleted for each in changed):
        raise RefusedError(f"it deletes {place}: ask the maintainers to take a submission away")
    return place


def _place_of(path: str) -> Place:
    parts = path.split("/")
    if len(parts) != 5 or parts[0] != SUBMISSIONS:
        raise RefusedError(
            f"it changes {quoted(path)}: a pull request may change {SUBMISSIONS}/BENCHMARK/VERSION/SYSTEM/ alone"
        )
    _, benchmark, version, system, _ = parts
    for name, what in ((benchmark, "benchmark"), (system, "system")):
        if not is_slug(name):
            raise RefusedError(
                f"{quoted(name)} cannot be a {what}'s name: it has up to 64 of a-z, 0-9, '.', '_' and '-', and begins "
                "with a letter or figure"
            )
    try:
        check_version(version)
    except BenchwrightError:
        raise RefusedError(f"{quoted(version)} is not a version: it has three numbers, such as 1.0.0") from None
    return Place(benchmark, version, system)
