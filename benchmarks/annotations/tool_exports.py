"""What people said of pairs in Label Studio or Argilla: their exports as JSON, read as the lines of labels.

Label Studio: *Export*, format JSON or JSON-MIN. Argilla: `dataset.records.to_json(path)`, which tells no draft from
what was submitted. Tasks that nobody annotated, that were skipped, or whose choice was left open, give no line.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchwright.benchmarks.annotations.import_files import ANSWERS, BETTER, NOTE, Format
from benchwright.benchmarks.annotations.pair_items import choices_of_pair, item_id
from benchwright.benchmarks.errors import BenchwrightError

_IMPORTED = "export what was imported from `annotate --format`, as JSON"


def is_tool_export(path: Path) -> bool:
    """Whether a file is such an export: a JSON array, and not lines of objects."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        return file.read(256).lstrip().startswith("[")


def tool_labels(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The labels of an export, each with the place at which it stands.

    Raises:
        BenchwrightError: it is not JSON, or a task is not one of those that were imported, or says what was no choice.
    """
    try:
        tasks = json.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise BenchwrightError(f"{path.name} is not whole JSON ({error}): export it again") from None
    for number, task in enumerate(tasks, start=1):
        place = f"{path.name}, task {number}"
        if not isinstance(task, Mapping):
            raise BenchwrightError(f"{place} is no object: {_IMPORTED}")
        if isinstance(task.get("data"), Mapping):
            yield from _of_label_studio(place, task)
        elif isinstance(task.get("metadata"), Mapping):
            yield from _of_argilla(place, task)
        elif "annotation_id" in task:
            yield from _of_label_studio_rows(place, task)
        else:
            raise BenchwrightError(f"{place} has neither data nor metadata: {_IMPORTED}")


def _of_label_studio(place: str, task: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    if "annotations" not in task:
        raise BenchwrightError(f"{place} has no annotations: export in the format JSON")
    for annotation in _objects(place, task["annotations"]):
        found = {each.get("from_name"): each.get("value") for each in _objects(place, annotation.get("result"))}
        chosen, notes = (
            value.get(part) or [] if isinstance(value := found.get(name), Mapping) else []
            for name, part in ((BETTER, "choices"), (NOTE, "text"))
        )
        if annotation.get("was_cancelled") or not chosen:
            continue
        who = _name(annotation.get("completed_by"))
        yield place, _label(place, "label-studio", task["data"], who, _first(chosen), _together(notes))


def _of_label_studio_rows(place: str, task: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """JSON-MIN: one object for each annotation, with what was said beside the task's data."""
    if task.get(BETTER):
        who, chosen = _name(task.get("annotator")), _first(task[BETTER])
        yield place, _label(place, "label-studio", task, who, chosen, _together(task.get(NOTE)))


def _first(chosen: Any) -> Any:
    return chosen[0] if isinstance(chosen, list) else chosen


def _together(notes: Any) -> Any:
    return " ".join(map(str, notes)) if isinstance(notes, list) else notes


def _name(completed_by: Any) -> str | None:
    """A person's e-mail address where the export has it, else the number of the account."""
    if isinstance(completed_by, Mapping):
        completed_by = completed_by.get("email") or completed_by.get("id")
    return None if completed_by is None else str(completed_by)


def _of_argilla(place: str, task: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    responses = task.get("responses") or {}
    if not isinstance(responses, Mapping):
        raise BenchwrightError(f"{place} has no responses by question: {_IMPORTED}")
    notes = {str(each.get("user_id")): each.get("value") for each in _objects(place, responses.get(NOTE))}
    for each in _objects(place, responses.get(BETTER)):
        who, value = each.get("user_id"), each.get("value")
        if value is not None:
            yield place, _label(place, "argilla", task["metadata"], who, value, notes.get(str(who)))


def _objects(place: str, value: Any) -> list[Mapping[str, Any]]:
    """A list of objects; an empty one where there is nothing."""
    if not isinstance(value or [], list) or not all(isinstance(each, Mapping) for each in value or []):
        raise BenchwrightError(f"{place} has something else where a list of annotations belongs: {_IMPORTED}")
    return value or []


def _label(place: str, format: Format, of: Mapping[str, Any], who: Any, chosen: Any, note: Any) -> dict[str, Any]:
    """A label as a page of ours saves it."""
    lacking = [name for name in ("pair_id", "dimension", "work") if not isinstance(of.get(name), str)]
    if lacking:
        raise BenchwrightError(f"{place} lacks {lacking[0]}: {_IMPORTED}")
    choices = choices_of_pair(format, item_id(of["dimension"], of["pair_id"]))
    names = ANSWERS if format == "argilla" else [each.label for each in choices]
    if chosen not in names:
        raise BenchwrightError(f"{place}: {str(chosen)[:40]!r} was no choice; there were {', '.join(names)}")
    choice = choices[list(names).index(chosen)].name
    return {
        "pair_id": of["pair_id"],
        "dimension": of["dimension"],
        "annotator": None if who is None else str(who),
        "choice": choice,
        "resolved": False,
        "note": note if isinstance(note, str) and note.strip() else None,
        "trace": {"release": of.get("release"), "work": of["work"], "page": format, "choice": choice},
    }
