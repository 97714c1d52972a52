"""A run on disk: what was asked of which system, and its answers, appended as they arrive.

ROOT/NAME/VERSION/SYSTEM/
  run.json              what was asked of what, with which settings
  predictions.jsonl     one answer a line
  judgments.jsonl       verdicts made elsewhere, where there are any
  scores.parquet  report.json  report.html
"""

import fcntl
import json
import os
import platform
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import Prediction, parse_prediction
from benchwright.benchmarks.releases.release import Release

RUN, PREDICTIONS, JUDGMENTS, SCORES = "run.json", "predictions.jsonl", "judgments.jsonl", "scores.parquet"
REPORTS = ("report.json", "report.html")

LIBRARIES = ("benchwright", "numpy", "pyarrow", "rapidfuzz", "pycountry", "bm25s")

Key = tuple[str, str, int]


@dataclass(frozen=True)
class Run:
    """What `run.json` says."""

    benchmark: str
    version: str
    content_hash: str
    system: Mapping[str, Any]
    """name, reference, description, builtin, settings, source."""
    questions: Mapping[str, Any]
    """split; limit and seed of a sample, else null; how many."""
    conditions: tuple[str, ...] = ("own",)
    libraries: Mapping[str, str] = field(default_factory=dict)
    """Name → version, as the run was begun."""
    counts: Mapping[str, Any] = field(default_factory=dict)
    """Of the answers and their contexts, once they are scored."""
    scoring: Mapping[str, Any] = field(default_factory=dict)
    """What the scores were computed from; empty before."""


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
        data = json.loads(path.read_text(encoding="utf-8"))
        data["conditions"] = tuple(data["conditions"])
        return Run(**{key: value for key, value in data.items() if key in Run.__dataclass_fields__})
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise BenchwrightError(f"{path} cannot be read: {error}; start the run anew with --again") from None


def write_run(folder: Path, run: Run) -> None:
    """Writes run.json in one step."""
    text = json.dumps(asdict(run), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    part = folder / f".{RUN}"
    part.write_text(text, encoding="utf-8")
    part.replace(folder / RUN)


@contextmanager
def open_run(folder: Path, wanted: Run, *, again: bool = False) -> Iterator[Run]:
    """Holds a run's folder for one process: made where it is new, gone on with where it is the same run.

    Yields run.json as it is now.

    Raises:
        BenchwrightError: the folder holds another run, something else, or is held by another process.
    """
    if not (folder / RUN).is_file() and folder.is_dir() and any(folder.iterdir()):
        raise BenchwrightError(f"{folder} is there and is not a run: choose another --name or --output")
    folder.mkdir(parents=True, exist_ok=True)
    held = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BenchwrightError(
                f"{folder} is being written by another process: wait for it, or give a --name"
            ) from None
        there = None if again else read_run(folder)
        if there is None:
            for name in (PREDICTIONS, JUDGMENTS, SCORES, *REPORTS):
                (folder / name).unlink(missing_ok=True)
            there = wanted
        elif changed := _difference(there, wanted):
            raise BenchwrightError(
                f"{folder} is another run: {changed}; give this one a --name of its own, "
                "or replace that one with --again"
            )
        elif there.questions != wanted.questions:
            there = replace(there, questions=wanted.questions)
        write_run(folder, there)
        yield there
    finally:
        os.close(held)


def _difference(there: Run, wanted: Run) -> str | None:
    """What two runs differ in so that their answers must not be mixed; None where nothing is."""
    if (there.benchmark, there.version) != (wanted.benchmark, wanted.version):
        return f"of {there.benchmark} {there.version}, not of {wanted.benchmark} {wanted.version}"
    if there.content_hash != wanted.content_hash:
        return f"its release {there.benchmark} {there.version} had other content ({there.content_hash[:12]}…)"
    for name in ("reference", "settings"):
        if there.system[name] != wanted.system[name]:
            what = "system" if name == "reference" else "settings"
            return f"its {what} {_changed(there.system[name], wanted.system[name])}"
    before, now = there.questions, wanted.questions
    if before["split"] != now["split"]:
        return f"its split was {before['split']!r}, not {now['split']!r}"
    if now["limit"] is not None and (before["limit"] is None or before["limit"] > now["limit"]):
        return f"it is of {before['count']:,} questions, not of {now['count']:,}"
    if before["limit"] is not None and now["limit"] is not None and before["seed"] != now["seed"]:
        return f"its sample was of seed {before['seed']}, not {now['seed']}"
    return None


def _changed(before: Any, now: Any) -> str:
    if not (isinstance(before, Mapping) and isinstance(now, Mapping)):
        return f"was {before}, not {now}"
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return "were " + ", ".join(f"{name}={_shown(before.get(name))}, not {_shown(now.get(name))}" for name in names)


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 40 else text[:12] + "…"


def prediction_line(prediction: Prediction) -> str:
    """A prediction as one line of JSON, without the fields that hold nothing."""
    values = asdict(prediction)
    values["contexts"] = [
        {key: value for key, value in each.items() if value is not None and key != "document"}
        for each in values["contexts"]
    ]
    values["usage"] = {key: value for key, value in values["usage"].items() if value}
    kept = {key: value for key, value in values.items() if value not in (None, (), [], {})}
    required = {"id": prediction.id, "answer": prediction.answer, "abstained": prediction.abstained}
    required |= {"condition": prediction.condition, "repeat": prediction.repeat}
    return json.dumps({**required, **kept}, ensure_ascii=False, separators=(",", ":"))


class PredictionStore:
    """The predictions of a run: appended one by one, read by key. A cut-off last line is dropped when it is opened."""

    def __init__(self, path: Path) -> None:
        """Opens a file of predictions, which may be missing.

        Raises:
            BenchwrightError: a line is no prediction, or one stands there twice.
        """
        self.path = path
        self._offsets: dict[Key, tuple[int, int]] = {}
        self._file = path.open("a+b")
        self._end = self._read_keys()

    def _read_keys(self) -> int:
        self._file.seek(0)
        end = 0
        for number, line in enumerate(self._file, start=1):
            if not line.endswith(b"\n"):
                self._file.truncate(end)
                break
            key = _key_of(line, number, self.path)
            if key in self._offsets:
                raise BenchwrightError(
                    f"{self.path}, line {number}: a second answer to {key[0]!r}: delete one of them, or use --again"
                )
            self._offsets[key] = (end, number)
            end += len(line)
        return end

    def __contains__(self, key: Key) -> bool:
        return key in self._offsets

    def __len__(self) -> int:
        return len(self._offsets)

    @property
    def keys(self) -> Iterator[Key]:
        """Id, condition and repeat of every prediction, in stored order."""
        return iter(self._offsets)

    @property
    def size(self) -> int:
        """Bytes of all lines."""
        return self._end

    def append(self, prediction: Prediction) -> None:
        """Writes a prediction, so that it outlives the process."""
        line = prediction_line(prediction).encode("utf-8", "replace") + b"\n"
        self._file.write(line)
        self._file.flush()
        self._offsets[prediction.key] = (self._end, len(self._offsets) + 1)
        self._end += len(line)

    def read(self, key: Key) -> Prediction | None:
        """The prediction of a key; None where there is none."""
        place = self._offsets.get(key)
        if place is None:
            return None
        self._file.seek(place[0])
        return parse_prediction(
            self._file.readline().decode("utf-8", "replace"), number=place[1], source=str(self.path)
        )

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def _key_of(line: bytes, number: int, path: Path) -> Key:
    try:
        values = json.loads(line)
        return str(values["id"]), values.get("condition") or "own", values.get("repeat") or 0
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BenchwrightError(f"{path}, line {number}: not a prediction: delete the line, or use --again") from None


def run_folder(root: Path, release: Release, name: str) -> Path:
    """Where the run of a system on a release lies."""
    return root / release.manifest.name / release.manifest.version / name
