"""The files that come of people's verdicts: judgments of a run, which `score-metric --human` takes, or labels."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchwright.benchmarks.annotations.exports import Said
from benchwright.benchmarks.annotations.items import UNCLEAR, Item, Work
from benchwright.benchmarks.annotations.merge import Merged, Verdict
from benchwright.benchmarks.annotations.pair_items import TIE
from benchwright.benchmarks.schemas import LABELS


def write_result(merged: Merged, path: Path) -> None:
    """Writes all that was said, in one step."""
    _write(_judgments(merged) if merged.work.kind == "run" else _labels(merged), path)


def _write(lines: Iterable[Mapping[str, Any]], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}")
    with part.open("w", encoding="utf-8", errors="replace") as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    part.replace(path)


def _judgments(merged: Merged) -> Iterator[dict[str, Any]]:
    """A judgment of each task, signed by all who judged: several people are one judge of a merged file."""
    name = ", ".join(sorted(merged.done)) or ", ".join(sorted({s.annotator for v in merged.verdicts for s in v.said}))
    for verdict in merged.verdicts:
        line = dict(verdict.task.line)
        trace = {
            **line.pop("trace", {}),
            "sample": merged.work.name,
            "work": merged.work.hash,
            "how": verdict.how,
            "choice": verdict.choice,
            "said": [_said(each) for each in verdict.said],
        }
        choice = verdict.task.choice(verdict.choice)
        yield {
            **line,
            "judge": {"kind": "human", "name": name},
            "value": None if choice is None else choice.value,
            "reason": _reason(verdict),
            "trace": trace,
        }


def _reason(verdict: Verdict) -> str | None:
    if verdict.how == "divided":
        return "divided: " + ", ".join(f"{each.annotator} {each.choice}" for each in verdict.said)
    if verdict.choice == UNCLEAR:
        return UNCLEAR
    return "; ".join(f"{each.annotator}: {each.note}" for each in verdict.said if each.note) or None


def _labels(merged: Merged) -> Iterator[dict[str, Any]]:
    """A label of each person; it is resolved where it was said of what others were divided about."""
    trace = {"release": merged.work.name, "work": merged.work.hash}
    for verdict in merged.verdicts:
        line = verdict.task.line
        for said in verdict.said:
            values = _said(said)
            more = {key: value for key, value in values.items() if key not in ("annotator", "note")}
            yield {
                **line,
                "annotator": said.annotator,
                "choice": said.choice,
                "resolved": said.is_final,
                **({"note": said.note} if said.note else {}),
                "trace": {**trace, **more},
            }


def label_rows(merged: Merged) -> list[dict[str, Any]]:
    """What was said, as rows of the config `labels`."""
    names = LABELS.columns.names
    return [{name: line[name] for name in names} for line in _labels(merged)]


def write_disputes(merged: Merged, work: Work, path: Path) -> None:
    """Writes what is to be settled for a discussion, one JSON object a line, in one step.

    A line has the texts and what each person said. With `annotator` and `choice` filled in, it is a label that settles
    the matter, and may be merged.

    Args:
        merged: what was said.
        work: the same work, with its texts.
        path: of the file.
    """
    items = {item.id: item for item in work.items}
    _write((_dispute(each, items[each.item]) for each in merged.disputed), path)


def _dispute(verdict: Verdict, item: Item) -> dict[str, Any]:
    said = [{"annotator": each.annotator, "choice": each.choice, "note": each.note} for each in verdict.said]
    texts: dict[str, str] = {}
    letters = {choice.label[0]: choice.name for choice in verdict.task.choices if choice.name != TIE}
    for shown in item.texts:
        name = letters[shown.title] if shown.role == "candidate" else shown.title.lower()
        text = "".join(stretch for stretch, _ in shown.text)
        texts[name] = f"{texts[name]}\n\n{text}" if name in texts else text
    return {
        **verdict.task.line,
        "annotator": None,
        "choice": None,
        "resolved": True,
        "note": None,
        **texts,
        "said": said,
    }


def _said(said: Said) -> dict[str, Any]:
    values = {
        "annotator": said.annotator,
        "choice": said.choice,
        "page": said.page,
        "note": said.note,
        "final": said.is_final or None,
        **said.more,
    }
    return {key: value for key, value in values.items() if value is not None}
