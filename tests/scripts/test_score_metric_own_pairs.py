"""`score-metric RELEASE` with metrics of a user's own that are wrong on purpose: none comes out well."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from pairs import labels, make_release, pairs

from benchwright.benchmarks import registry
from benchwright.scripts.score_metric import main

KIT = """
from hashlib import sha256

from benchwright import Metric, Score
from benchwright.benchmarks.metrics.base import each


def metric(name, score, *needs):
    rule = each(lambda question, prediction: Score(float(score(prediction))))
    return Metric(name, name, name, "nobody", frozenset(needs), rule=rule)


def read(prediction):
    return " ".join(context.text for context in prediction.contexts)


def unsaid(prediction):
    words = prediction.answer.rstrip(".").split()
    return sum(word not in read(prediction) for word in words) / len(words)


ALIKE = metric("alike", lambda _: 1, "answer", "contexts")
GUESS = metric("guess", lambda one: sha256((one.id + one.answer + read(one)).encode()).digest()[0] / 255, "answer", "contexts")
UNSAID = metric("unsaid", unsaid, "answer")
LONGER = metric("longer", lambda one: len(read(one)) / 1e6, "contexts")
"""
POINTS = "[benchwright.metrics]\n" + "".join(
    f"{name} = wrong_on_purpose:{name.upper()}\n" for name in ("alike", "guess", "unsaid", "longer")
)


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package of the user's with four metrics."""
    (tmp_path / "wrong_on_purpose.py").write_text(KIT)
    (tmp_path / "wrong-1.dist-info").mkdir()
    (tmp_path / "wrong-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: wrong\nVersion: 1\n")
    (tmp_path / "wrong-1.dist-info/entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_states", {})
    registry._entry_points.cache_clear()
    yield
    registry._entry_points.cache_clear()
    sys.modules.pop("wrong_on_purpose", None)


@pytest.mark.usefixtures("kit")
def test_metrics_that_are_wrong_on_purpose(tmp_path: Path) -> None:
    """Twelve pairs, of which two people chose the first each time: all alike is one half, a guess is not told from it,
    and who prefers what is not in the source, or the longer context, is below it; ours is above."""
    make_release(tmp_path / "releases", pairs(), labels(pairs()))

    def run(*arguments: str) -> tuple[Result, dict[str, Any]]:
        roots = ("--releases", str(tmp_path / "releases"), "--runs", str(tmp_path / "runs"))
        result = CliRunner().invoke(
            main, ["mills", "alike", "guess", "unsaid", "longer", "faithfulness", *arguments, *roots]
        )
        return result, json.loads((tmp_path / "runs/mills/1.0.0/pairs/score-metric.json").read_text("utf-8"))

    result, found = run()
    assert result.exit_code == 0, result.output
    values = {row["name"]: {name: cell["value"] for name, cell in row["cells"].items()} for row in found["rows"]}
    assert values["alike"] == dict.fromkeys(("faithfulness", "answer_relevance", "context_relevance"), 0.5)
    assert values["unsaid"] == {"faithfulness": 0.0, "answer_relevance": 0.0}
    assert values["longer"] == {"context_relevance": 0.0} and values["ragas"] == {"faithfulness": 1.0}
    assert all(0.2 < value < 0.8 for value in values["guess"].values()) and len(values["guess"]) == 3
    said = " ".join(result.stderr.split())
    assert (
        "Below chance, so that the metric prefers the other candidate: in faithfulness unsaid; in answer relevance "
        "unsaid; in context relevance longer." in said
    )
    assert (
        "Not told from chance (0.50): in faithfulness alike, guess; in answer relevance alike, guess; in context "
        "relevance alike, guess." in said
    )
    assert "ragas less unsaid" in said or "unsaid less ragas" in said
    _, drawn = run("--coin", "7")
    (alike,) = [row["cells"] for row in drawn["rows"] if row["name"] == "alike"]
    assert {cell["ties"] for cell in alike.values()} == {12} and len({cell["value"] for cell in alike.values()}) > 1
    assert all(0.2 < cell["value"] < 0.8 for cell in alike.values()), "a coin, and no half"
