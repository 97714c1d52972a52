"""Table 4 of GRAMMAR's second version as a comparison: what a model's own knowledge adds to a database's coverage.

The run with retrieval and the one without documents are two conditions of one run, or two runs on one release.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.benchmarks.comparisons.read import check_same_release
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import CLOSED, OWN
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.answers.shown_texts import question_texts
from benchwright.benchmarks.reports.columns import RunData, load_run
from benchwright.benchmarks.reports.failures.leakage import (
    NOT_BOTH,
    BothWays,
    FormLeakage,
    both_ways,
    leakage_by_form,
    leakage_of,
)
from benchwright.benchmarks.runs.run import PREDICTIONS
from benchwright.benchmarks.runs.store import stored_predictions

ALL = "all forms"


@dataclass(frozen=True, slots=True)
class OpenGroup:
    """A group of one form of which the model alone answers a wording rightly."""

    group: str
    form: str
    question: str
    """Its first wording."""
    wordings: int
    """That were judged with and without documents."""
    right_alone: int
    """Of these, without any document."""
    right: int
    """With the system's own retrieval."""


@dataclass(frozen=True, slots=True)
class LeakedGroups:
    """Database accuracy with and without open groups. As JSON it is `leakage.json`, whose schema is
    `leakage.schema.json` beside this module; shares go from 0 to 1."""

    benchmark: str
    version: str
    content_hash: str
    run: str
    system: str
    """As it stood on the command line."""
    closed_run: str
    """The run without documents; the same where it is a condition of one run."""
    closed_system: str
    forms: tuple[FormLeakage, ...]
    """Over all forms, where there are several, and within each: groups are tagged within one form."""
    groups: tuple[OpenGroup, ...]
    """The open groups."""
    left_out: int
    """Groups, within their form, of which fewer than two wordings were judged with and without documents."""
    notes: tuple[str, ...]
    built_in: tuple[str, ...]
    """What of answers and texts was made by rules, which are for trying things out."""


def find_leakage(release: Release, folder: Path, closed: Path | None = None) -> LeakedGroups:
    """Table 4 of a run.

    Args:
        release: what the runs are of.
        folder: the run with retrieval.
        closed: the run without documents; None: the same run's condition `closed`.

    Raises:
        BenchwrightError: a run cannot be read or is of another release, none was asked without documents, or no group
            was judged both ways.
    """
    folders = [folder] if closed is None else [folder, closed]
    runs = [load_run(release, each) for each in folders]
    check_same_release(release, folders, [each.settings for each in runs])
    run, alone = runs[0], runs[-1]
    own = run.first_values("correct", OWN)
    if not own:
        raise BenchwrightError(
            f"{folder.name} has no judged answer with its own retrieval: score it with --conditions own,closed"
        )
    by_id = {alone.questions.ids[place]: value for place, value in _without_documents(alone, is_own=closed is None)}
    index = run.questions.index
    values = {index[name]: value for name, value in by_id.items() if name in index}
    found = both_ways(run.questions, own, values)
    if not found:
        raise BenchwrightError(f"{folder.name}: Table 4 is not available because {NOT_BOTH}")
    forms = leakage_by_form(found)
    if len(forms) > 1:
        forms = (leakage_of(ALL, found), *forms)
    systems = [each.settings.system for each in runs]
    return LeakedGroups(
        benchmark=release.manifest.name,
        version=release.manifest.version,
        content_hash=release.manifest.content_hash,
        run=folder.resolve().name,
        system=systems[0].reference,
        closed_run=folders[-1].resolve().name,
        closed_system=systems[-1].reference,
        forms=forms,
        groups=_open_groups(run, found),
        left_out=_asked(run) - len(found),
        notes=tuple(_notes(runs)),
        built_in=(*(("reader",) if any(each.builtin for each in systems) else ()), *release.manifest.built_in_texts),
    )


def _without_documents(run: RunData, *, is_own: bool) -> list[tuple[int, float]]:
    """Question → `correct` without documents: in the condition `closed`, or of a system that retrieves nothing."""
    name = run.folder.name
    if CLOSED in run.condition.names:
        found = run.first_values("correct", CLOSED)
        if not found:
            raise BenchwrightError(
                f"{name}: no answer without documents was judged, so that nothing tells what is open"
            )
        return list(found.items())
    if is_own:
        raise BenchwrightError(
            f"{name} was not asked without documents: score it with --conditions own,closed, or name a second RUN that "
            "was"
        )
    if _retrieves(run.folder):
        raise BenchwrightError(
            f"{name} retrieves and was not asked without documents: score it with --conditions closed, or name a run "
            "of the language model alone"
        )
    return list(run.first_values("correct", OWN).items())


def _retrieves(folder: Path) -> bool:
    """Whether an answer came with contexts, or says that something was looked up."""
    if not (folder / PREDICTIONS).is_file():
        raise BenchwrightError(
            f"{folder} holds no {PREDICTIONS}, so that nothing tells whether it retrieves: score it with "
            "--conditions closed"
        )
    return any(each.shows_retrieval for each in stored_predictions(folder / PREDICTIONS))


def _asked(run: RunData) -> int:
    """Groups within their form that were asked with the system's own retrieval."""
    questions = run.questions
    asked = set(run.question[run.condition.where(OWN)].tolist())
    return len(
        {
            (questions.form.at(place), questions.group.at(place))
            for place in asked
            if questions.group.at(place) is not None
        }
    )


def _open_groups(run: RunData, groups: list[BothWays]) -> tuple[OpenGroup, ...]:
    kept = [group for group in groups if group.is_open]
    texts = question_texts(run, [group.questions[0] for group in kept])
    return tuple(
        OpenGroup(
            group=group.group,
            form=group.form,
            question=texts[group.questions[0]].question if group.questions[0] in texts else "",
            wordings=len(group.questions),
            right_alone=group.right_alone,
            right=group.right,
        )
        for group in kept
    )


def _notes(runs: list[RunData]) -> list[str]:
    """What may make a difference of its own."""
    first, last = runs[0].settings, runs[-1].settings
    found = []
    if first.system.reference != last.system.reference:
        found.append(
            f"the runs are of {first.system.reference} and {last.system.reference}: make sure that both are of one "
            "language model"
        )
    if CLOSED not in runs[-1].condition.names:
        found.append(
            f"{runs[-1].folder.name} was not asked without documents and shows no retrieval: make sure that it is of "
            "the language model alone"
        )
    if first.scoring.benchwright != last.scoring.benchwright:
        found.append(
            f"the runs were scored by benchwright {first.scoring.benchwright} and {last.scoring.benchwright}: score "
            "both again"
        )
    return found


def leakage_schema() -> dict[str, Any]:
    """The JSON Schema of `leakage.json`."""
    from pydantic import TypeAdapter

    return TypeAdapter(LeakedGroups).json_schema(mode="serialization")
