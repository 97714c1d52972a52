"""Verdicts made elsewhere, which replace the computed scores."""

import json
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.metrics import all_metrics, find_metric
from benchwright.benchmarks.predictions import SAID_TO_ABSTAIN

JUDGED = (
    "retrieved", "faithfulness", "answer_relevance", "context_relevance", "answer_similarity", "factual_correctness",
    "answer_correctness", "truthfulness", "relevance",
)  # fmt: skip
"""Metrics that are judged and not computed."""
_WORDS = {
    **dict.fromkeys(("correct", "right", "yes", "true"), 1.0),
    **dict.fromkeys(("wrong", "incorrect", "no", "false", "abstained"), 0.0),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge said of one prediction by one metric."""

    value: float | None
    reason: str | None
    judge: str
    """`kind:name:version`, as far as it was said."""


Verdicts = Mapping[tuple[str, str, int], Mapping[str, Verdict]]
"""Key of a prediction → metric → verdict."""


def read_verdicts(path: Path, ids: Collection[str], where: str) -> Verdicts:
    """The judgments of a file: one JSON object a line, of which `id`, `metric` and `value` are required.

    Args:
        path: the file.
        ids: the questions that may be judged.
        where: what the ids are of: for messages.

    Raises:
        BenchwrightError: a line is no judgment, or names an unknown question or metric, or judges what was judged.
    """
    if not path.is_file():
        raise BenchwrightError(f"there is no file of judgments {path}: check the path")
    found: dict[tuple[str, str, int], dict[str, Verdict]] = {}
    is_known = _known_metrics()
    unknown: dict[str, list[str]] = {"question": [], "metric": []}
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            place = f"{path.name}, line {number}"
            key, metric, verdict = _judgment(line, place)
            if key[0] not in ids:
                unknown["question"].append(f"{place}: no question {key[0]!r} in {where}")
            elif not is_known(metric):
                unknown["metric"].append(f"{place}: no metric {metric!r}")
            elif metric in found.setdefault(key, {}):
                raise BenchwrightError(f"{place}: a second judgment of {metric} for {key[0]!r}: keep one")
            else:
                found[key][metric] = verdict
    for kind, problems in unknown.items():
        if problems:
            more = f" (and {len(problems) - 1:,} more lines like it)" if len(problems) > 1 else ""
            known = f": there are {', '.join([*all_metrics(), *JUDGED])}" if kind == "metric" else ""
            raise BenchwrightError(f"{problems[0]}{more}{known or ': are they of another release or split?'}")
    if not found:
        raise BenchwrightError(f"{path.name} holds no judgment: write one JSON object a line: id, metric and value")
    return found


def _known_metrics() -> Callable[[str], bool]:
    checked: dict[str, bool] = dict.fromkeys(JUDGED, True)

    def is_known(name: str) -> bool:
        if name not in checked:
            try:
                find_metric(name)
                checked[name] = True
            except BenchwrightError:
                checked[name] = False
        return checked[name]

    return is_known


def _judgment(line: bytes, place: str) -> tuple[tuple[str, str, int], str, Verdict]:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        raise BenchwrightError(f"{place}: not JSON: the line may be cut off; write it anew or delete it") from None
    if not isinstance(values, dict) or not {"id", "metric", "value"} <= values.keys():
        raise BenchwrightError(f"{place}: a judgment needs 'id', 'metric' and 'value'")
    for name, sort in (("id", str), ("metric", str), ("condition", str), ("repeat", int), ("reason", str)):
        if values.get(name) is not None and (not isinstance(values[name], sort) or isinstance(values[name], bool)):
            raise BenchwrightError(f"{place}: {name!r} must be a {'text' if sort is str else 'whole number'}")
    if values["id"] is None or values["metric"] is None:
        raise BenchwrightError(f"{place}: a judgment needs 'id', 'metric' and 'value'")
    value = _value(values["value"], place)
    reason = values.get("reason") or ("the judge gave no value" if value is None else None)
    if values["metric"] == "correct" and str(values["value"]).strip().lower() == "abstained":
        reason = SAID_TO_ABSTAIN
    key = (values["id"], values.get("condition") or "own", values.get("repeat") or 0)
    return key, values["metric"], Verdict(value, reason, _judge(values.get("judge"), place))


def _value(value: Any, place: str) -> float | None:
    if isinstance(value, str) and value.strip().lower() in _WORDS:
        return _WORDS[value.strip().lower()]
    if value is None or (isinstance(value, int | float) and math.isfinite(value)):
        return None if value is None else float(value)
    shown = json.dumps(value)[:40]
    raise BenchwrightError(f"{place}: 'value' must be a number, null or one of {', '.join(_WORDS)}, and is {shown}")


def _judge(judge: Any, place: str) -> str:
    if judge is None:
        return "not named"
    if not isinstance(judge, dict):
        raise BenchwrightError(f"{place}: 'judge' must be an object with kind, name and version")
    return ":".join(str(judge[name]) for name in ("kind", "name", "version") if judge.get(name)) or "not named"
