"""Whether a run may be submitted: whole, of this very release, scored; and what makes of it one that may."""

import shlex
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.judgments import Judgment
from benchwright.benchmarks.predictions import CONDITIONS, OWN
from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.releases.manifest import is_private
from benchwright.benchmarks.releases.release import HELDOUT, TEST, Release
from benchwright.benchmarks.reports.report import REPORT, read_report
from benchwright.benchmarks.runs.plan import Options, Plan, plan_run
from benchwright.benchmarks.runs.run import (
    JUDGMENTS,
    PREDICTIONS,
    RUN,
    SCORES,
    Run,
    StoredPredictions,
    hold_run,
    read_run,
)
from benchwright.benchmarks.runs.score import read_given_judgments
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.runs.uri_file import MAP

_FILES = ("file of predictions", "file of traces")
"""The kinds of systems that cannot be asked."""


@dataclass(frozen=True)
class CheckedRun:
    """A run that may be submitted."""

    folder: Path
    run: Run
    release: Release
    plan: Plan
    """All questions of its split."""
    missing: int
    """Questions that it did not answer in the condition own: neither an answer nor an error is there."""
    failed: int
    """Attempts of which the system gave no answer."""

    @property
    def command(self) -> str:
        """What asks its system what is missing, and scores it."""
        return command_of(self.run, self.folder)

    @cached_property
    def judgments(self) -> Sequence[Judgment]:
        """What was judged; empty where nothing was."""
        path = self.folder / JUDGMENTS
        return read_given_judgments(path, self.plan) if path.is_file() and path.stat().st_size else ()


@dataclass(frozen=True)
class Checked:
    """What is submitted: the run on open questions, and on held-out ones where the release has any."""

    main: CheckedRun
    heldout: CheckedRun | None
    notes: tuple[str, ...] = field(default=())
    """What the submitter should know of it."""


def check_runs(folder: Path, release: Release, heldout: Path | None = None, *, is_partial: bool = False) -> Checked:
    """Looks whether a run may be submitted, and with it the one on held-out questions.

    Args:
        folder: the run's.
        release: what it is of.
        heldout: the folder of the run on the held-out questions; None: looked for beside the run.
        is_partial: questions without an answer are no reason to refuse it.

    Raises:
        BenchwrightError: it may not be; says which command makes of it one that may.
    """
    splits = release.manifest.splits.get("questions", {})
    if TEST not in splits and HELDOUT in splits:  # a round: every answer is held out
        main = _checked(folder, release, HELDOUT, is_partial)
        return Checked(main, None, _notes(main))
    main = _checked(folder, release, TEST, is_partial)
    _check_scored(main)
    has_heldout = HELDOUT in splits
    if not has_heldout and heldout is not None:
        raise BenchwrightError(
            f"{release.manifest.name} {release.manifest.version} has no held-out questions: leave out --heldout"
        )
    if not has_heldout:
        return Checked(main, None, _notes(main))
    beside = heldout or _beside(main)
    if beside is None:
        raise BenchwrightError(
            f"{release.manifest.name} {release.manifest.version} has held-out questions, and {folder} has no answers "
            f"to them: ask them with `{_heldout_command(main)}`, then start this again"
        )
    hidden = _checked(beside, release, HELDOUT, None)
    _check_same(main, hidden)
    return Checked(main, hidden, (*_notes(main), *_notes(hidden)))


def command_of(run: Run, folder: Path, **others: str) -> str:
    """The command that makes a run or goes on with it.

    Args:
        run: what its run.json says.
        folder: its folder.
        others: further options, or other values: name → value.
    """
    options = {"name": folder.name} if folder.name != run.system.name else {}
    if run.questions.split != TEST:
        options["split"] = run.questions.split
    if set(run.conditions) != {OWN}:
        options["conditions"] = ",".join(name for name in CONDITIONS if name in {OWN, *run.conditions})
    if run.questions.repeats > 1:
        options["repeat"] = str(run.questions.repeats)
    if str(root := folder.parent.parent.parent) not in ("runs", "."):
        options["runs"] = str(root)
    parts = ["score-system", f"{run.benchmark}@{run.version}", run.system.reference]
    parts += [part for name, value in {**options, **others}.items() for part in (f"--{name}", value)]
    return shlex.join(parts)


def _checked(folder: Path, release: Release, split: str, is_partial: bool | None) -> CheckedRun:
    """A run that may be submitted. `is_partial`: whether answers may be missing; None: never."""
    run, manifest = read_run(folder), release.manifest
    if run is None:
        raise BenchwrightError(f"{folder} is not a run: it has no {RUN}")
    if is_private(manifest):
        raise BenchwrightError(
            f"{folder} is a run on the private half {manifest.name}: submit one on the public half, "
            f"{(manifest.holdout or {}).get('public')}"
        )
    if run.content_hash != manifest.content_hash or run.benchmark != manifest.name:
        raise BenchwrightError(
            f"{folder} is a run on {run.benchmark} {run.version} (content {run.content_hash[:12]}…), not on "
            f"{manifest.name} {manifest.version} (content {manifest.content_hash[:12]}…): ask the system the questions "
            f"of that release, with --again in place of the old run"
        )
    if run.questions.split != split:
        other = "" if run.questions.split != HELDOUT else ", and give this one with --heldout"
        raise BenchwrightError(
            f"{folder} answers the split {run.questions.split}: submit a run on {split}{other}; "
            f"`{command_of(run, folder, split=split, name='NAME')}` makes one"
        )
    if not (folder / PREDICTIONS).is_file():
        raise BenchwrightError(f"{folder} has no {PREDICTIONS}: ask the system with `{command_of(run, folder)}`")
    plan = plan_run(release, Options(split=split))
    with hold_run(folder), closing(PredictionStore(folder / PREDICTIONS)) as store:
        answered = {name for name, condition, repeat in store.keys if condition == OWN and repeat == 0}
        checked = CheckedRun(folder, run, release, plan, len(plan.split.ids - answered), len(store.failed))
        _check_basis(checked, store)
    if checked.missing and not is_partial:
        how = (
            "; the figures of a few held-out questions would tell their answers"
            if is_partial is None
            else ", or add --partial, which is ranked apart"
        )
        raise BenchwrightError(
            f"{folder} has no answer to {checked.missing:,} of {len(plan.questions):,} questions: {_ask(checked)}{how}"
        )
    if checked.missing == len(plan.questions):
        raise BenchwrightError(f"{folder} has no answer to any question in the condition own: {_ask(checked)}")
    return checked


def _ask(checked: CheckedRun) -> str:
    """What to do for the answers that are missing."""
    if checked.run.system.kind in _FILES:
        return f"put the answers in {checked.run.system.reference} and run `{checked.command}`"
    return f"ask them with `{checked.command}`"


def _check_basis(checked: CheckedRun, store: PredictionStore) -> None:
    """Raises BenchwrightError where predictions, judgments or the program are others than those that were scored."""
    folder, scoring = checked.folder, checked.run.scoring
    if checked.run.questions.split == HELDOUT:
        return
    there = StoredPredictions(len(store), store.size, len(store.failed))
    hashes = [file_sha256(path) if (path := folder / name).is_file() else None for name in (JUDGMENTS, MAP)]
    if scoring.benchwright and scoring.benchwright != version("benchwright"):
        raise BenchwrightError(
            f"{folder} was scored by benchwright {scoring.benchwright}, and this is {version('benchwright')}: score it "
            f"again with `{checked.command}`"
        )
    is_scored = (folder / SCORES).is_file() and (folder / REPORT).is_file()
    if not is_scored or scoring.predictions != there or [scoring.judgments, scoring.uris] != hashes:
        raise BenchwrightError(
            f"{folder} is not scored, or was changed since it was: score it with `{checked.command}`"
        )


def _check_scored(checked: CheckedRun) -> None:
    """Raises BenchwrightError where the report is of other scores."""
    report = read_report(checked.folder)
    if as_json(report.scoring) != as_json(checked.run.scoring):
        raise BenchwrightError(
            f"the report of {checked.folder} is of other scores: make it again with `{checked.command}`"
        )


def _beside(main: CheckedRun) -> Path | None:
    """The one run beside a run that is of the same system on the held-out questions."""
    found = []
    for path in sorted(main.folder.resolve().parent.glob(f"*/{RUN}")):
        try:
            run = read_run(path.parent)
        except BenchwrightError:
            continue
        if run is None or (run.questions.split, run.content_hash) != (HELDOUT, main.run.content_hash):
            continue
        is_named = path.parent.name == _heldout_name(main)
        if is_named or (run.system.kind not in _FILES and _difference(main.run, run) is None):
            found.append((is_named, main.folder.parent / path.parent.name))
    named = [folder for is_named, folder in found if is_named]
    return named[0] if named else found[0][1] if len(found) == 1 else None


def _heldout_name(main: CheckedRun) -> str:
    return f"{main.folder.name}-heldout"


def _heldout_command(main: CheckedRun) -> str:
    options = {"split": HELDOUT, "name": _heldout_name(main)}
    if main.run.system.kind not in _FILES:
        return command_of(main.run, main.folder, **options)
    run = main.run.system.reference
    return command_of(main.run, main.folder, **options).replace(shlex.quote(run), "FILE.jsonl", 1)


def _check_same(main: CheckedRun, hidden: CheckedRun) -> None:
    if main.run.system.kind in _FILES or hidden.run.system.kind in _FILES:
        return  # two files: nobody can say
    if (different := _difference(main.run, hidden.run)) is not None:
        raise BenchwrightError(
            f"{hidden.folder} is not of the system of {main.folder}: {different}; ask this one with "
            f"`{_heldout_command(main)}`"
        )


def _difference(one: Run, other: Run) -> str | None:
    """What tells two systems apart; None where nothing does."""
    if one.system.reference != other.system.reference:
        return f"it asked {other.system.reference}, not {one.system.reference}"
    for name in {**one.system.settings, **other.system.settings}:
        if one.system.settings.get(name) != other.system.settings.get(name):
            return f"its setting {name} is another"
    return None


def _notes(checked: CheckedRun) -> tuple[str, ...]:
    """What the submitter should know."""
    found = []
    where, questions = checked.run.questions.split, len(checked.plan.questions)
    if checked.missing:
        found.append(
            f"{where}: {questions - checked.missing:,} of {questions:,} questions are answered: it is ranked apart"
        )
    if checked.failed:
        count = f"{checked.failed:,} answers are" if checked.failed > 1 else "1 answer is"
        again = "" if checked.run.system.kind in _FILES else f"; `{checked.command}` asks again"
        found.append(f"{where}: {count} missing because the system failed, and counts as not right{again}")
    if checked.run.system.builtin:
        found.append(f"{where}: answered by the built-in reader, which is for trying things out")
    return tuple(found)
