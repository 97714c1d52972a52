"""`leaderboard.yaml`: what a leaderboard ranks, and who keeps it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.plain_yaml import read_plain, write_plain
from benchwright.benchmarks.naming import check_name, check_version
from benchwright.benchmarks.records import Strict, as_json
from benchwright.benchmarks.validation import in_one_line

FORMAT = 1
_REPOSITORY = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}", re.ASCII)
_USER = re.compile(r"[\w.-]{1,96}", re.ASCII)
_TITLE = 200
"""Characters."""


@dataclass(frozen=True)
class BoardBenchmark(Strict):
    """A benchmark that is ranked, each of its versions apart."""

    repository: str
    """On the Hub."""
    versions: tuple[str, ...] = ()
    """Those that are taken; none: every one."""
    metric: str | None = None
    """What ranks; None: the spec's primary metric."""
    judges: Mapping[str, str] = field(default_factory=dict)
    """Metric → the one judge, with its version, whose verdicts are ranked; none: each judge apart."""


@dataclass(frozen=True)
class Board(Strict):
    """What `leaderboard.yaml` says."""

    title: str
    benchmarks: Mapping[str, BoardBenchmark]
    """By name."""
    organisers: tuple[str, ...] = ()
    """Users of the Hub whose submissions are marked as the organisers'."""
    contact: str = ""
    format: int = FORMAT


def read_board(data: bytes, name: str = "leaderboard.yaml") -> Board:
    """The board that a file describes.

    Args:
        data: the file.
        name: what it is called in an error.

    Raises:
        BenchwrightError: it is no plain YAML, a newer program made it, or it says what no board can be.
    """
    values = read_plain(data, name)
    made = values.get("format", FORMAT) if isinstance(values, dict) else FORMAT
    if isinstance(made, int) and made > FORMAT:
        raise BenchwrightError(f"{name} has the format {made}, which a newer benchwright made: install that")
    try:
        board = _adapter().validate_python(values)
        _check(board)
    except ValidationError as error:
        raise BenchwrightError(f"{name}: {in_one_line(error, _KNOWN)}") from None
    except BenchwrightError as error:
        raise BenchwrightError(f"{name}: {error}") from None
    return board


def board_text(board: Board) -> str:
    """`leaderboard.yaml` of a board; `read_board` reads it back."""
    benchmarks = {name: _said(as_json(each)) for name, each in sorted(board.benchmarks.items())}
    content = {**_said(as_json(board)), "title": board.title, "benchmarks": benchmarks, "format": board.format}
    return write_plain(content)


def _said(values: dict[str, Any]) -> dict[str, Any]:
    """Without what is left at nothing."""
    return {key: value for key, value in values.items() if value not in (None, "", [], {})}


@cache
def _adapter() -> TypeAdapter[Board]:
    return TypeAdapter(Board)


_KNOWN = {
    "": ("title", "benchmarks", "organisers", "contact", "format"),
    "benchmarks.*": ("repository", "versions", "metric", "judges"),
}


def _check(board: Board) -> None:
    if not board.title.strip() or len(board.title) > _TITLE:
        raise BenchwrightError(f"title: give one of at most {_TITLE} letters")
    for name, benchmark in board.benchmarks.items():
        check_name(name, "benchmark")
        if not _REPOSITORY.fullmatch(benchmark.repository):
            raise BenchwrightError(f"benchmarks.{name}.repository: {benchmark.repository!r:.100} is no NAMESPACE/NAME")
        for version in benchmark.versions:
            check_version(version)
    for user in board.organisers:
        if not _USER.fullmatch(user):
            raise BenchwrightError(f"organisers: {user!r:.100} can be no user of the Hub")
