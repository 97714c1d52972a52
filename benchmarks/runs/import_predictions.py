"""Predictions made elsewhere become those of a run: checked as a whole, then copied; bad lines are named."""

import codecs
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from benchwright.benchmarks.collector import settled_memory
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.prediction_fields import PredictionFields, fields_of, key_of, plain_fields
from benchwright.benchmarks.predictions import OWN, UNSUPPORTED, Key, Prediction, read_as_written
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.rows import ReleaseSplit
from benchwright.benchmarks.runs.ask import Asked, only_failures
from benchwright.benchmarks.runs.plan import Plan
from benchwright.benchmarks.runs.run import BadLines, Run, read_run, write_run
from benchwright.benchmarks.runs.store import PredictionStore, StoredLines, prediction_line, stored_predictions
from benchwright.benchmarks.systems.base import ReadLine
from benchwright.benchmarks.types import Question

_REASONS = 5
"""Bad lines whose reasons are kept."""
_WANTED = "write one JSON object a line, with 'id' and 'answer'"


Reader = Callable[[Sequence[Question]], Iterator[ReadLine]]
"""Reads a file that is not of a prediction a line, given the questions of the split."""


def take_over(
    source: Path, folder: Path, target: Path, run: Run, wanted: Run, plan: Plan, read: Reader | None = None
) -> tuple[Run, StoredLines | None]:
    """Makes a file of predictions those of a run, unless that was done already.

    Args:
        source: the file.
        folder: the run's.
        target: the run's predictions.
        run: what run.json says; with other settings of the system where an earlier state of the file was taken over.
        wanted: what it is to say.
        plan: what is wanted.
        read: how the file is read; None: a prediction a line.

    Returns:
        What run.json says now, and the lines of predictions that were taken over just now; None where none was.

    Raises:
        BenchwrightError: the file is not as it must be, see `copy_predictions`.
    """
    if target.is_file() and run.system.settings == wanted.system.settings:
        return run, None
    part = target.with_name(f".{target.name}")
    lines, bad, unmatched = copy_predictions(source, part, plan.split, read)
    run = replace(run, counts=replace(run.counts, bad_lines=bad, unmatched=unmatched))
    write_run(folder, run)  # before and after: a start that is stopped between is made up for by the next
    part.replace(target)
    run = replace(run, system=wanted.system)
    write_run(folder, run)
    return run, lines


def complete(store: PredictionStore, plan: Plan, source: str) -> Asked:
    """Counts what was taken over; a condition that is wanted and not there is unsupported: nobody can be asked.

    Args:
        store: the run's predictions.
        plan: what is wanted.
        source: the name of the file that they are from.

    Raises:
        BenchwrightError: there is no answer.
    """
    if (failure := only_failures(store)) is not None:
        raise BenchwrightError(
            f"{source} holds no answer, but {len(store.failed):,} errors: {failure}; put the answers in it"
        )
    there = {condition for _, condition, _ in store.keys}
    count = len(store)
    for name, condition, repeat in plan.keys:
        if condition != OWN and condition not in there:
            error = f"{UNSUPPORTED}the file has no prediction in this condition"
            store.append(Prediction(name, None, condition=condition, repeat=repeat, error=error))
    return Asked(0, count) if store.is_checked else Asked(count, 0)


def corrects(source: Path, target: Path, plan: Plan, read: Reader | None = None) -> bool:
    """Whether a file holds every answer that was taken over from an earlier state of it, each as it was.

    Then what differs is what had failed, was a bad line, or was not there.

    Raises:
        BenchwrightError: the file is not as it must be, see `copy_predictions`.
    """
    if not target.is_file():
        return True
    part = target.with_name(f".new-{target.name}")
    try:
        copy_predictions(source, part, plan.split, read)
        now = {each.key: hash(each) for each in stored_predictions(part)}
    finally:
        part.unlink(missing_ok=True)
    before = (each for each in stored_predictions(target) if not each.is_failed and not each.is_unsupported)
    return all(now.get(each.key) == hash(each) for each in before)


def check_origin(path: Path, manifest: Manifest, folder: Path) -> None:
    """Refuses predictions whose own run.json, beside them, names another release, and those of the run itself.

    Answers to the public half of a release with held-out questions are scored against the private one.

    Raises:
        BenchwrightError: it does.
    """
    if path.resolve().parent == folder.resolve():
        raise BenchwrightError(f"{path} is the run's own file, which it would replace: give this run another --name")
    try:
        there = read_run(path.parent)
    except BenchwrightError:
        return
    if there is None:
        return
    found = (there.benchmark, there.version, there.content_hash)
    half = manifest.holdout or {}
    public = (half.get("public"), manifest.version, half.get("public_content_hash"))
    if found not in ((manifest.name, manifest.version, manifest.content_hash), public):
        raise BenchwrightError(
            f"{path} answers {found[0]} {found[1]} (content {str(found[2])[:12]}…), not {manifest.name} "
            f"{manifest.version} (content {manifest.content_hash[:12]}…): score it against that release"
        )


@dataclass
class _Found:
    """What the lines of a file of predictions are."""

    lines: StoredLines = field(default_factory=StoredLines)
    """As they were written."""
    seen: dict[Key, str] = field(default_factory=dict)
    """The line of each."""
    unknown: list[tuple[str, str]] = field(default_factory=list)
    """Place and id."""
    repeated: list[tuple[str, str]] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)
    """The first reasons."""
    bad_lines: int = 0
    unmatched: list[str] = field(default_factory=list)
    """What the first traces asked that are of no question."""
    unmatched_lines: int = 0

    def note_bad(self, reason: str) -> None:
        """A place that holds no prediction."""
        self.bad_lines += 1
        if len(self.bad) < _REASONS:
            self.bad.append(reason)

    def note_unmatched(self, what: str) -> None:
        """A trace of no question."""
        self.unmatched_lines += 1
        if len(self.unmatched) < _REASONS:
            self.unmatched.append(what)


def copy_predictions(
    path: Path, target: Path, split: ReleaseSplit, read: Reader | None = None
) -> tuple[StoredLines, BadLines, BadLines]:
    """Copies the predictions of a file as a run keeps them; says which lines are none, and which traces of no question.

    Of two lines of one key the later counts where the earlier says that there is no answer.

    Args:
        path: the file.
        target: where they go.
        split: the questions that may be answered.
        read: how the file is read; None: a prediction a line.

    Raises:
        BenchwrightError: a line answers an unknown question, or one that was answered before; or there is none.
    """
    found = _Found()
    with target.open("wb") as copied, settled_memory():
        for each in _lines(path) if read is None else read(split.questions):
            if each.prediction is not None:
                _copy_line(each.prediction, each.place, split.ids, found, copied)
            elif each.unmatched is not None:
                found.note_unmatched(f"{each.place}: {each.unmatched}")
            else:
                found.note_bad(f"{each.place}: {each.problem}")
    try:
        _refuse(path, split, found)
    except BenchwrightError:
        target.unlink()
        raise
    bad = BadLines(found.bad_lines, tuple(found.bad))
    return found.lines, bad, BadLines(found.unmatched_lines, tuple(found.unmatched))


def _lines(path: Path) -> Iterator[ReadLine]:
    """The lines of a file that has a prediction in each."""
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            line = raw.removeprefix(codecs.BOM_UTF8).rstrip()  # of an editor that marks files
            if line:
                yield ReadLine(f"line {number}", line)


def _copy_line(line: bytes, place: str, ids: Collection[str], found: _Found, copied: IO[bytes]) -> None:
    """Copies a prediction, or notes why not."""
    try:
        fields, kept = _stored_form(line, place)
    except BenchwrightError as error:
        found.note_bad(str(error))
        return
    key = key_of(fields)
    if key[0] not in ids:
        found.unknown.append((place, key[0]))
    elif key in found.seen and key not in found.lines.failed:
        found.repeated.append((place, key[0]))
    else:
        found.seen[key] = place
        kept = kept.strip() + b"\n"
        copied.write(kept)
        found.lines.add(key, fields, len(kept))


def _stored_form(line: bytes, place: str) -> tuple[PredictionFields, bytes]:
    """The prediction in a line, and the line as a run keeps it.

    Raises:
        BenchwrightError: the line is no prediction.
    """
    plain = plain_fields(line)
    if plain is not None:
        return plain, line
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BenchwrightError(f"{place}: not UTF-8 at byte {error.start + 1}: save the file as UTF-8") from None
    prediction, is_plain = read_as_written(text, place)
    return fields_of(prediction), line if is_plain else prediction_line(prediction).encode("utf-8", "replace")


def _refuse(path: Path, split: ReleaseSplit, found: _Found) -> None:
    """Raises BenchwrightError where a file must not be taken over: see `copy_predictions`."""
    if found.unknown:
        place, name = found.unknown[0]
        other = split.split_of(name)
        hint = f"it is of the split {other}: use --split {other}" if other else "is the file of another release?"
        more = _more(found.unknown)
        raise BenchwrightError(f"{path.name}, {place}: no question {name!r} in {split.where}{more}; {hint}")
    if found.repeated:
        place, name = found.repeated[0]
        first = next(before for key, before in found.seen.items() if key[0] == name)
        raise BenchwrightError(
            f"{path.name}, {place}: a second prediction for {name!r}, after {first}{_more(found.repeated)}: "
            "keep one, or number them with 'repeat'"
        )
    if not found.seen:
        raise BenchwrightError(f"{path.name} holds no prediction: {_what_it_is(path, found)}")


def _more(lines: list[tuple[str, str]]) -> str:
    return f" (and {len(lines) - 1:,} more lines like it)" if len(lines) > 1 else ""


def _what_it_is(path: Path, found: _Found) -> str:
    """What a file without any prediction seems to be, and what to do."""
    if found.unmatched_lines:
        return f"none of its {found.unmatched_lines:,} traces asks a question of it; the first, {found.unmatched[0]}"
    if not found.bad_lines:
        return _WANTED
    with path.open("rb") as file:
        start = file.read(4096)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or start.count(0) > len(start) // 4:
        return "it is UTF-16: save it as UTF-8"
    text = start.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    first = text.partition("\n")[0].strip()
    if text.startswith("["):
        return f"it is one JSON array: {_WANTED}"
    if first == "{":
        return f"its objects go over several lines: {_WANTED}"
    if not text.startswith("{") and re.search(r"[,;\t]", first) and re.search(r"\b(id|answer)\b", first.lower()):
        return f"it looks like a table (CSV): {_WANTED}"
    of = "its only line is bad" if found.bad_lines == 1 else f"all of its {found.bad_lines:,} lines are bad"
    return f"{of}; {found.bad[0]}"
