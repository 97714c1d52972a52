"""Predictions made elsewhere become those of a run: checked as a whole, then copied."""

import codecs
from collections.abc import Callable, Collection
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import OWN, UNSUPPORTED, Key, Prediction, parse_prediction
from benchwright.benchmarks.records import BadLine, read_records
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.runs.ask import Asked
from benchwright.benchmarks.runs.plan import Plan
from benchwright.benchmarks.runs.run import read_run
from benchwright.benchmarks.runs.store import PredictionStore


def import_predictions(source: Path, target: Path, plan: Plan) -> Asked:
    """Takes over a file of predictions, unless that was done already.

    A condition that is wanted and of which the file has nothing is unsupported: nobody can be asked any more.

    Raises:
        BenchwrightError: the file is not as it must be; see `check_predictions`.
    """
    split, asked = plan.split, 0
    if not target.is_file():
        asked = check_predictions(source, split.ids, split.split_of, split.where)
        copy_predictions(source, target)
    store = PredictionStore(target)
    try:
        there = {condition for _, condition, _ in store.keys}
        reused = 0 if asked else len(store)
        for name, condition, repeat in plan.keys:
            if condition != OWN and condition not in there:
                error = f"{UNSUPPORTED}the file has no prediction in this condition"
                store.append(Prediction(name, None, condition=condition, repeat=repeat, error=error))
        return Asked(reused, asked)
    finally:
        store.close()


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


def check_predictions(path: Path, ids: Collection[str], split_of: Callable[[str], str | None], where: str) -> int:
    """Reads a whole file of predictions, and counts them.

    Args:
        path: the file.
        ids: the questions that may be answered.
        split_of: the split that another question is of: for the message.
        where: what the ids are of: for the message.

    Raises:
        BenchwrightError: a line is no prediction, answers an unknown question, or one that was answered before; or
            there is none.
    """
    seen: dict[Key, int] = {}
    unknown: list[tuple[int, str]] = []
    repeated: list[tuple[int, str]] = []
    for number, line in read_records(path, str):
        if isinstance(line, BadLine):
            place = getattr(line.error, "start", 0) + 1
            raise BenchwrightError(f"{path.name}, line {number}: not UTF-8 at byte {place}: save the file as UTF-8")
        key = parse_prediction(line, number=number, source=path.name).key
        if key[0] not in ids:
            unknown.append((number, key[0]))
        elif key in seen:
            repeated.append((number, key[0]))
        seen.setdefault(key, number)
    if unknown:
        number, name = unknown[0]
        split = split_of(name)
        hint = f"it is of the split {split}: use --split {split}" if split else "is the file of another release?"
        raise BenchwrightError(f"{path.name}, line {number}: no question {name!r} in {where}{_more(unknown)}; {hint}")
    if repeated:
        number, name = repeated[0]
        first = next(line for key, line in seen.items() if key[0] == name)
        raise BenchwrightError(
            f"{path.name}, line {number}: a second prediction for {name!r}, after line {first}{_more(repeated)}: "
            "keep one, or number them with 'repeat'"
        )
    if not seen:
        raise BenchwrightError(f"{path.name} holds no prediction: write one JSON object a line, with 'id' and 'answer'")
    return len(seen)


def copy_predictions(path: Path, target: Path) -> None:
    """Copies the lines of a checked file to a run's predictions, in one step."""
    part = target.with_name(f".{target.name}")
    with path.open("rb") as source, part.open("wb") as copied:
        for line in source:
            if stripped := line.strip().removeprefix(codecs.BOM_UTF8):
                copied.write(stripped + b"\n")
    part.replace(target)


def _more(lines: list[tuple[int, str]]) -> str:
    return f" (and {len(lines) - 1:,} more lines like it)" if len(lines) > 1 else ""
