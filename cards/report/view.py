"""What the page of a report shows of `report.json`: which columns, and cells in the order in which they are drawn."""

from collections.abc import Mapping, Sequence
from typing import Any

TAG_WORDS = {"robust": "robust", "non-robust": "non-robust", "gap": "gap"}
TAG_MEANINGS = {
    "robust": "every wording was answered rightly",
    "non-robust": "some wordings were, others were not",
    "gap": "no wording was answered rightly",
}
OUTCOMES = ("correct", "wrong", "abstained", "unscored")
_RETRIEVAL = ("evidence_recall", "recall", "hit")
_SLICE_METRICS = 3


def slice_metrics(metrics: Mapping[str, Any]) -> list[str]:
    """The metrics that tables of slices show: the first (`correct`, where it is), and one or two of retrieval."""
    if not metrics:
        return []
    chosen = ["correct" if "correct" in metrics else next(iter(metrics))]
    for base in _RETRIEVAL:
        cuts = [name for name in metrics if name.startswith(f"{base}@")]
        if cuts and len(chosen) < _SLICE_METRICS:
            chosen.append(cuts[-1])
    return chosen


def primary_metric(metrics: Mapping[str, Any]) -> str | None:
    """The metric that the headline names."""
    return next(iter(slice_metrics(metrics)), None)


def unscored(metrics: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Why metrics are unscored, those with the same reasons together: `every metric` where it is the same for all."""
    found: list[dict[str, Any]] = []
    for name, entry in metrics.items():
        same = next((each for each in found if each["reasons"] == entry["reasons"]), None)
        if same is not None:
            same["metrics"].append(name)
        elif entry["reasons"]:
            found.append({"metrics": [name], "reasons": entry["reasons"]})
    if len(found) == 1 and len(found[0]["metrics"]) == len(metrics) > 1:
        found[0]["metrics"] = ["every metric"]
    return found


def outcome_parts(counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """The parts of a bar of outcomes, with their share of the width."""
    total = counts.get("total") or 0
    return [
        {"name": name, "count": counts[name], "width": 100 * counts[name] / total}
        for name in OUTCOMES
        if total and counts.get(name)
    ]


def _share_right(row: Mapping[str, Any]) -> float:
    cells = row["cells"]
    return sum(cell["correct"] / cell["total"] for cell in cells) / len(cells) if cells else 0.0


def _best_first(cells: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(cells, key=lambda cell: (-cell["correct"] / cell["total"], cell["known_gap"]))


def picture(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The cells of the picture by hops, templates that went best first and within them the best groups first."""
    panels: dict[Any, list[Mapping[str, Any]]] = {}
    for row in rows:
        panels.setdefault(row["hops"], []).append(row)
    found = []
    for hops, members in panels.items():
        ordered = sorted(members, key=_share_right, reverse=True)
        tags = {tag: sum(row["counts"][tag] for row in members) for tag in TAG_WORDS}
        found.append(
            {
                "hops": hops,
                "rows": [{**row, "cells": _best_first(row["cells"])} for row in ordered],
                "counts": tags | {"total": sum(tags.values())},
                "shown": sum(len(row["cells"]) for row in members),
            }
        )
    return found
