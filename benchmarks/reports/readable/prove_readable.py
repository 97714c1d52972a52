"""The share read is what the built-in reader reads again; of a model, what rules make of the answers that are kept."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.progress import silent
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.releases.readable_figures import CHECK, FILE, Readable, read_readable, without_said
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.readable.asked import Drawn, draw, parse_wanted
from benchwright.benchmarks.reports.readable.measure import judged
from benchwright.benchmarks.reports.readable.readers import read_items, reader_of

PROVED = "answers from gold documents, read again"
JUDGED = "a model's answers from gold documents, judged again"
_ASKED = "what a model answered from the gold documents"


def check(material: Material) -> None:
    """Reads again what the built-in reader was given, and compares everything that file and manifest say of it."""
    release, found = material.release, material.found
    told = release.manifest.checks.get(CHECK)
    try:
        said = read_readable(release.folder)
    except BenchwrightError as error:
        found.problem("readable", str(error))
        return
    if said is None:
        if told is not None:
            found.problem("readable", f"the manifest's checks tell {CHECK}, and there is no {FILE}")
        return
    if told != said.counts:
        found.problem("readable", f"the manifest's checks tell of {CHECK} {_first(told, said.counts)}")
        return
    found.told.discard(CHECK)
    if found.problems:
        found.leave(PROVED, said.asked.questions, "other things are wrong, which it rests on")
        return
    ours = reader_of(None)
    if said.reader.version != ours.version:
        reason = f"benchwright {said.reader.version} read and judged them, and {ours.version} is installed"
        found.leave(PROVED, said.asked.questions, reason)
        return
    try:
        again = _again(release, said)
    except BenchwrightError as error:
        found.problem("readable", f"{FILE}: {error}")
        return
    if again != said:
        found.problem("readable", f"{FILE} says {_difference(said, again)}")
        return
    found.proved[JUDGED if said.right_answers or said.reader.kind == "model" else PROVED] += said.asked.questions
    if said.reader.kind == "model":
        reason = f"that {said.reader.name} said it: --readable --model reader={said.reader.name} asks it"
        found.leave(_ASKED, said.asked.questions, reason)


def _again(release: Release, said: Readable) -> Readable | None:
    """What the file must say."""
    drawn = draw(release, parse_wanted(said.asked.wanted))
    if drawn is None:
        return None
    if said.reader.kind == "rule":
        found = judged(release, drawn, reader_of(None), read_items(drawn.items, None, silent))
        return without_said(found) if release.manifest.holdout else found
    return replace(judged(release, drawn, said.reader, _kept(drawn, said)), right_answers=said.right_answers)


def _kept(drawn: Drawn, said: Readable) -> list[Prediction]:
    """What a model said, as the file has it.

    Raises:
        BenchwrightError: it lacks an answer.
    """
    failed = {failure.id: failure for failure in said.failures}
    found: list[Prediction] = []
    for name in (item.question.id for item in drawn.items):
        if name in said.right_answers:
            found.append(Prediction(name, said.right_answers[name]))
        elif name in failed:
            failure = failed[name]
            found.append(Prediction(name, failure.said, error=failure.why if failure.said is None else None))
        else:
            raise BenchwrightError(f"it has no answer to the question {name}")
    return found


def _difference(said: Readable, again: Readable | None) -> str:
    if again is None:
        return "what a reader answered, and there is nothing to ask"
    if said.counts != again.counts:
        return _first(said.counts, again.counts)
    return "the share that is read again, and other answers, parts or reasons"


def _first(one: Any, other: Mapping[str, Any]) -> str:
    """The first value that differs."""
    one = one if isinstance(one, Mapping) else {}
    name = next((name for name in (*other, *one) if one.get(name) != other.get(name)), "it")
    return f"{name} {one.get(name)!r:.80}, and read again it is {other.get(name)!r:.80}"


PROOF = Proof("readable", "the share of questions answered from gold documents is read again", 104, whole=check)
"""Handed to `verify_release` by whoever may read and judge: the commands and the Python API."""
