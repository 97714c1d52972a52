"""A system that hands in no contexts has no figure of retrieval: nowhere does that count as a retrieval that failed."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from lighthouses import make_release
from report_cases import Case, make_run
from report_cases import make_release as make_small_release

from benchwright.benchmarks.predictions import Context, Prediction, Usage
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.report import Report, make_report
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.benchmarks.systems.base import Attempt, Opening
from benchwright.benchmarks.systems.opening import open_given
from benchwright.benchmarks.types import Document, Question
from benchwright.cards.report.page import render_report
from benchwright.cards.report.terminal import terminal_table

RETRIEVAL = ("evidence_mrr@5", "evidence_recall@5", "hit@5", "mrr", "ndcg@5", "precision@5", "recall@5")
REASON = "handed in no contexts"


def text_only(question: str) -> str:
    """Right about one lighthouse."""
    return "It is 31 metres tall." if "Gannet" in question else "It is 99 metres tall."


class Finder:
    """Retrieves, and finds nothing about most lighthouses."""

    def retrieve(self, question: str, k: int) -> list[dict[str, str]]:
        return [{"id": "gannet-rock"}] if "Gannet" in question else []

    def answer(self, question: str, *, contexts: Sequence[str] | None = None) -> str:
        return text_only(question)


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return make_release(tmp_path / "releases")


def reported(release: Release, tmp_path: Path, given: Any, *conditions: str) -> Case:
    options = Options(conditions=conditions or ("own",))
    return Case(release, score_system(release, given, output=tmp_path / "runs", name="x", options=options).folder)


def scores(case: Case, metric: str, condition: str = "own") -> list[tuple[float | None, str | None]]:
    found = pq.read_table(case.folder / "scores.parquet").to_pylist()
    return [(row["value"], row["reason"]) for row in found if (row["metric"], row["condition"]) == (metric, condition)]


def plain(report: Report) -> str:
    """What stands on the page, without its sources and settings."""
    page = re.sub(r"(?s)<(script|style|pre).*?</\1>", "", render_report(report))
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_a_system_of_texts_alone(release: Release, tmp_path: Path) -> None:
    case = reported(release, tmp_path, text_only)
    gap = (None, "the question has no gold documents")
    for name in RETRIEVAL[2:]:
        assert scores(case, name) == [(None, REASON)] * 8 + [gap] * 2, name
    for name in RETRIEVAL[:2]:
        assert scores(case, name) == [(None, REASON)] * 8 + [(None, "the question has no evidence")] * 2
    values = case.report()
    for name in RETRIEVAL:
        assert values["metrics"][name]["value"] is None and values["metrics"][name]["reasons"] == {REASON: 8}
    assert values["attribution"]["reason"] == f"not available because the system {REASON}"
    assert values["attribution"]["retrieval"]["value"] is None
    assert values["grammar"]["retrieval_source"] == "none"
    assert {form["retrieval"]["total"] for form in values["grammar"]["forms"].values()} == {0}
    assert values["cost"]["retrievals"] == {"total": None, "known": 0, "of": 10, "reason": "no prediction says"}
    said = f"Unscored by {', '.join(RETRIEVAL)}: {REASON}"
    page, table = plain(case.made()), terminal_table(case.made())
    assert said in page and f"Not available because the system {REASON}." in page and "handed in none" in page
    assert said in re.sub(r"\s+", " ", table)
    rows = [line.split()[0] for line in table.splitlines() if " of " in line]
    assert "correct" in rows and not set(rows) & set(RETRIEVAL)


def test_what_retrieved_and_found_nothing_is_zero(release: Release, tmp_path: Path) -> None:
    case = reported(release, tmp_path, Finder())
    assert [value for value, _ in scores(case, "recall@5")] == [1.0] * 2 + [0.0] * 6 + [None] * 2
    assert [value for value, _ in scores(case, "evidence_recall@5")][:8] == [1.0] * 2 + [0.0] * 6
    values = case.report()
    lost = values["attribution"]["retrieval"]
    assert {name: lost[name] for name in ("value", "count", "total", "reason")} == {
        "value": 1.0,
        "count": 6,
        "total": 6,
        "reason": None,
    }
    assert 0 < lost["low"] < lost["high"] == 1.0
    assert values["cost"]["retrievals"]["total"] == 10
    assert "none were found" in plain(case.made())


@pytest.mark.parametrize("name", ["bm25", "keyword"])
def test_a_baseline_that_finds_nothing_says_so(name: str) -> None:
    documents = {"a": Document("a", "Xylophone", "Quartz jackdaws vow.")}
    answer = open_given(name, Opening(5)).prepare(documents)
    prediction = answer(Attempt(Question("q", "Who won?", documents=("a",))))
    assert isinstance(prediction, Prediction)
    assert (prediction.contexts, prediction.usage.retrievals, prediction.shows_retrieval) == ((), 1, True)


def test_closed_book_has_no_figure_of_retrieval(release: Release, tmp_path: Path) -> None:
    case = reported(release, tmp_path, "closed-book")
    assert {reason for name in RETRIEVAL for _, reason in scores(case, name)[:8]} == {REASON}
    assert case.report()["cost"]["retrievals"] == {"total": 0, "known": 10, "of": 10, "reason": None}


def test_by_condition(release: Release, tmp_path: Path) -> None:
    """Closed book shows nothing; gold passages hold the evidence; where all of it is left out, nothing was found."""
    case = reported(release, tmp_path, Finder(), "own", "closed", "gold", "without-gold")
    first = {name: scores(case, "evidence_recall@5", name)[0] for name in ("own", "closed", "gold", "without-gold")}
    assert first == {"own": (1.0, None), "closed": (None, REASON), "gold": (1.0, None), "without-gold": (0.0, None)}


def test_each_prediction_for_itself(tmp_path: Path) -> None:
    """Shown, not shown, nothing found, failed, and failed with contexts: each counts as what it is."""
    said = [
        Prediction("halden-0", "Perth", contexts=(Context(id="d1"),)),
        Prediction("halden-1", "Perth"),
        Prediction("halden-2", "Perth", usage=Usage(retrievals=1)),
        Prediction("halden-3", None, error="it broke"),
        Prediction("quay-0", None, error="it broke", usage=Usage(retrievals=1)),
        Prediction("quay-1", None, error="it broke", contexts=(Context(id="d2"),)),
        Prediction("quay-2", "Ben Tal"),
    ]
    case = make_run(make_small_release(tmp_path / "release"), tmp_path / "run", said)
    failed, hidden = (None, "the system gave no answer"), (None, REASON)
    expected = [(1.0, None), hidden, (0.0, None), failed, failed, (0.0, None), hidden]
    found = dict(zip([row[0] for row in ids(case)], scores(case, "recall@2"), strict=True))
    assert [found[each.id] for each in said] == expected
    wrong = case.report()["attribution"]["outcomes"]["wrong"]
    assert wrong == {
        "evidence_missing": 1, "evidence_in_part": 0, "evidence_held": 1, "unscored": 2, "total": 4,
        "reasons": {REASON: 2},
    }  # fmt: skip
    assert f"Of 4 wrong answers 2 are left out: {REASON} (2)" in plain(case.made())


def ids(case: Case) -> list[tuple[str]]:
    found = pq.read_table(case.folder / "scores.parquet").to_pylist()
    return [(row["id"],) for row in found if row["metric"] == "recall@2"]


def test_a_run_without_recall_judges_no_retrieval(tmp_path: Path) -> None:
    said = [Prediction(f"halden-{number}", "Oslo", contexts=(Context(id="d1"),)) for number in range(4)]
    case = make_run(make_small_release(tmp_path / "release"), tmp_path / "run", said, ("correct",))
    assert make_report(case.release, case.folder).grammar.forms["short"].retrieval.value is None
