"""The files that come of people's verdicts: judgments of a run, which `score-metric --human` takes, or labels."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchwright.benchmarks.annotations.exports import Said
from benchwright.benchmarks.annotations.items import UNCLEAR
from benchwright.benchmarks.annotations.merge import Merged, Verdict


def write_result(merged: Merged, path: Path) -> None:
    """Writes all that was said, in one step."""
    lines = _judgments(merged) if merged.work.kind == "run" else _labels(merged)
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
