"""A run on disk: what was asked of which system, what it said, and what came of it.

ROOT/NAME/VERSION/SYSTEM/
  run.json              what was asked of what, with which settings
  predictions.jsonl     one answer a line
  judgments.jsonl       what judges and people said, where any did
  smalltalk.jsonl       what it said to small talk, where it was asked
  map.jsonl             which documents URIs mean, where that was given
  scores.parquet  report.json  report.html
"""

import fcntl
import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import OWN
from benchwright.benchmarks.records import problem_of
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.store import has_answers
from benchwright.benchmarks.runs.uri_file import MAP

RUN, PREDICTIONS, JUDGMENTS, SCORES = "run.json", "predictions.jsonl", "judgments.jsonl", "scores.parquet"
SMALLTALK = "smalltalk.jsonl"
INJECTIONS = "injections"
"""The folder of what a judge said of answers that tell it what to say."""
REPORTS = ("report.json", "report.html")

LIBRARIES = ("benchwright", "numpy", "pyarrow", "rapidfuzz", "pycountry", "bm25s")


@dataclass(frozen=True)
class RunSystem:
    """What was asked."""

    name: str
    reference: str
    """As it stood on the command line."""
    description: str
    kind: str = "unknown"
    """As what it was given, in words: "Python object"."""
    builtin: bool = False
    """A baseline with the built-in reader."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What its answers depend on."""
    source: str | None = None
    """The SHA-256 of its module's file, where there is one."""


@dataclass(frozen=True)
class RunQuestions:
    """Which questions were asked."""

    split: str
    count: int
    limit: int | None = None
    """Of a sample."""
    seed: int | None = None
    """Of a sample."""
    wordings: int | None = None
    """Of a sample: of a group in each form at the most, where that was asked for."""
    groups: int | None = None
    """Semantic groups that they are of; None in runs that drew single questions, made before groups were drawn."""
    subsets: tuple[str, ...] = ()
    """The parts of the benchmark that they are of; none: all."""
    repeats: int = 1
    """Times that each was asked, as of the last scoring."""

    @property
    def is_sampled(self) -> bool:
        """Whether a part of the questions was asked."""
        return self.limit is not None or self.wordings is not None


@dataclass(frozen=True)
class ContextCounts:
    """Contexts by how they were matched to the corpus; without those that a condition gave."""

    id: int = 0
    uri: int = 0
    text: int = 0
    foreign: int = 0


@dataclass(frozen=True)
class BadLines:
    """Lines of a file of predictions that are none, and were left out."""

    count: int = 0
    first: tuple[str, ...] = ()
    """Number and reason of the first few: `line 7: not JSON (…)`."""


@dataclass(frozen=True)
class RunCounts:
    """What the predictions hold, once they are scored."""

    predictions: int = 0
    missing: int = 0
    """Attempts without a prediction."""
    errors: int = 0
    unsupported: int = 0
    """Attempts of which the system could not be put in the condition."""
    cut: int = 0
    """Predictions that were too long, in part: their error says what was cut."""
    cut_off: int = 0
    """Answers that ended at the limit of tokens, as their system says; they are scored as they stand."""
    contexts: ContextCounts = ContextCounts()
    bad_lines: BadLines = BadLines()
    unmatched: BadLines = BadLines()
    """Traces of which no question of the split was asked."""

    @property
    def cut_off_told(self) -> str | None:
        """Says how many answers ended at the limit of tokens; None where none did."""
        answers = self.predictions - self.errors - self.unsupported
        if not self.cut_off:
            return None
        share = f"{self.cut_off / answers:.1%}".replace(".0%", "%").replace("%", " %")
        ended = "answer ended" if answers == 1 else "answers ended"
        return (
            f"{self.cut_off:,} of {answers:,} {ended} at the limit of tokens ({share}): "
            f"{'it is scored as it stands' if self.cut_off == 1 else 'they are scored as they stand'}"
        )


@dataclass(frozen=True)
class StoredPredictions:
    """How much stands in predictions.jsonl."""

    count: int = 0
    bytes: int = 0
    failed: int = 0
    """Those that may be asked again: fewer of them are other predictions, whatever their bytes."""


@dataclass(frozen=True)
class RunSamples:
    """Further answers that were asked for beside each answer."""

    count: int
    """To each question."""
    temperature: float | None = None
    """Of the model, which read what the answer read; None: the system was asked again, as it is."""


@dataclass(frozen=True)
class ScoringBasis:
    """What scores were computed from: where it is the same, they are up to date."""

    metrics: tuple[str, ...] = ()
    primary: str | None = None
    """The one of them that leads, as the benchmark's spec says; None where it is not scored."""
    predictions: StoredPredictions = StoredPredictions()
    judgments: str | None = None
    """The SHA-256 of judgments.jsonl."""
    judges: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Metric → the judges whose verdicts were taken."""
    uris: str | None = None
    """The SHA-256 of map.jsonl."""
    questions: int = 0
    benchwright: str = ""


@dataclass(frozen=True)
class Run:
    """What `run.json` says."""

    benchmark: str
    version: str
    content_hash: str
    system: RunSystem
    questions: RunQuestions
    conditions: tuple[str, ...] = (OWN,)
    libraries: Mapping[str, str] = field(default_factory=dict)
    """Name → version, as the run was begun."""
    counts: RunCounts = RunCounts()
    scoring: ScoringBasis = ScoringBasis()
    samples: RunSamples | None = None


@cache
def _adapter() -> TypeAdapter[Run]:
    return TypeAdapter(Run)


def library_versions() -> dict[str, str]:
    """The versions of Python and of what answers and scores may depend on."""
    found = {"python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def read_run(folder: Path) -> Run | None:
    """What a folder's run.json says; None where there is none.

    Raises:
        BenchwrightError: it cannot be read.
    """
    path = folder / RUN
    try:
        return _adapter().validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        what = problem_of(error) if isinstance(error, ValidationError) else str(error)
        raise BenchwrightError(f"{path} cannot be read: {what}; start the run anew with --again") from None


def write_run(folder: Path, run: Run) -> None:
    """Writes run.json in one step."""
    text = json.dumps(asdict(run), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    part = folder / f".{RUN}"
    part.write_text(text, encoding="utf-8")
    part.replace(folder / RUN)


@contextmanager
def hold_run(folder: Path, instead: str = "give a --name") -> Iterator[None]:
    """Holds a run's folder for one process.

    Args:
        folder: the run's.
        instead: what else can be done where another process holds it: for the message.

    Raises:
        BenchwrightError: another process holds it.
    """
    held = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BenchwrightError(f"{folder} is being written by another process: wait for it, or {instead}") from None
        yield
    finally:
        os.close(held)


@contextmanager
def open_run(
    folder: Path, wanted: Run, *, again: bool = False, corrects: Callable[[], bool] | None = None
) -> Iterator[Run]:
    """Holds a run's folder for one process: made where it is new, gone on with where it is the same run.

    Another run takes the place of one in which nothing was answered. Yields run.json as it is now.

    Args:
        folder: the run's.
        wanted: the run that is to be there.
        again: forget an earlier run.
        corrects: whether all answers that are there stay though the system's settings are others; then they are left
            as they were, for the caller to change.

    Raises:
        BenchwrightError: the folder holds another run, something else, or is held by another process.
    """
    if not (folder / RUN).is_file() and folder.is_dir() and any(folder.iterdir()):
        raise BenchwrightError(f"{folder} is there and is not a run: choose another --name or --runs")
    folder.mkdir(parents=True, exist_ok=True)
    with hold_run(folder):
        there = None if again else read_run(folder)
        changed = _difference(there, wanted, corrects) if there is not None else None
        is_other = there is not None and (changed is not None or there.system.source != wanted.system.source)
        if there is None or (is_other and not has_answers(folder / PREDICTIONS)):
            for name in (PREDICTIONS, JUDGMENTS, SMALLTALK, MAP, SCORES, *REPORTS):
                (folder / name).unlink(missing_ok=True)
            there = wanted
        elif changed is not None:
            raise BenchwrightError(
                f"{folder} is another run: {changed}; give this one a --name of its own, "
                "or replace that one with --again"
            )
        else:  # the repeats are those that were scored, until more are
            there = replace(there, questions=replace(wanted.questions, repeats=there.questions.repeats))
        write_run(folder, there)
        yield there


def _difference(there: Run, wanted: Run, corrects: Callable[[], bool] | None) -> str | None:
    """What two runs differ in so that their answers must not be mixed; None where nothing is."""
    if (there.benchmark, there.version) != (wanted.benchmark, wanted.version):
        return f"of {there.benchmark} {there.version}, not of {wanted.benchmark} {wanted.version}"
    if there.content_hash != wanted.content_hash:
        return f"its release {there.benchmark} {there.version} had other content ({there.content_hash[:12]}…)"
    if there.system.reference != wanted.system.reference:
        return f"its system was {there.system.reference}, not {wanted.system.reference}"
    before, now = there.questions, wanted.questions
    if before.split != now.split:
        return f"its split was {before.split!r}, not {now.split!r}"
    if there.system.settings != wanted.system.settings and not (corrects is not None and corrects()):
        return f"its settings {_changed(there.system.settings, wanted.system.settings)}"
    if (wider := _subsets_problem(before, now)) is not None:
        return wider
    if now.limit is not None and (before.limit is None or before.limit > now.limit):
        return f"it is of {before.count:,} questions, not of {now.count:,}"
    if before.is_sampled and now.is_sampled:
        if before.seed != now.seed:
            return f"its sample was of seed {before.seed}, not {now.seed}"
        if before.groups is None:
            return "its sample was drawn before samples were of whole groups"
    if not _may_grow(before, now):
        return f"of a group it asked {_wordings(before)}, not {_wordings(now)}"
    return None


def _subsets_problem(before: RunQuestions, now: RunQuestions) -> str | None:
    """Why the questions of other subsets cannot be gone on with; None where they can: a whole run may gain subsets."""
    if set(before.subsets) == set(now.subsets):
        return None
    holds_all = not now.subsets or (before.subsets and set(before.subsets) < set(now.subsets))
    if holds_all and not before.is_sampled and not now.is_sampled:
        return None
    return f"it asked {_of_subsets(before)}, not {_of_subsets(now)}"


def _of_subsets(questions: RunQuestions) -> str:
    """The subsets of a run, in words."""
    names = " and ".join(questions.subsets)
    which = f"only {names}" if names else "all subsets"
    return f"a sample of {which}" if questions.is_sampled else which


def _may_grow(before: RunQuestions, now: RunQuestions) -> bool:
    """Whether the wordings that are asked now hold those that were asked before."""
    if before.wordings == now.wordings:
        return True
    if now.limit is not None:
        return False
    return now.wordings is None or (before.wordings is not None and before.wordings < now.wordings)


def _wordings(questions: RunQuestions) -> str:
    """How many wordings of a group a run asks, in words."""
    if questions.wordings is not None:
        return f"{questions.wordings} wording{'s' if questions.wordings > 1 else ''} a form"
    return "all wordings" if questions.limit is None else "as many wordings as the limit allows"


def _changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return "were " + ", ".join(f"{name}={_shown(before.get(name))}, not {_shown(now.get(name))}" for name in names)


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 40 else text[:12] + "…"


def run_folder(root: Path, release: Release, name: str) -> Path:
    """Where the run of a system on a release lies."""
    return root / release.manifest.name / release.manifest.version / name
