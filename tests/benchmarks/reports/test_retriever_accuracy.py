"""Retriever accuracy at 1, 3 and 5 contexts: of one run, and of runs compared by two-tailed paired tests."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from lighthouses import make_release
from report_cases import DOCUMENTS, make_run
from report_cases import make_release as small_release
from scipy import stats

from benchwright.benchmarks.comparisons.blocks import comparison_sections
from benchwright.benchmarks.comparisons.comparison import Comparison, compare_runs
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.reports.blocks import Table, Text
from benchwright.benchmarks.reports.columns import load_run
from benchwright.benchmarks.reports.metrics.retriever_accuracy import cuts_of, ranking_metric, retriever_accuracy
from benchwright.benchmarks.reports.section import Content
from benchwright.benchmarks.reports.sections.retriever import SECTION
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.benchmarks.types import Question

RANKS: dict[str, Sequence[int]] = {
    "far": (1, 1, 2, 3, 4, 5, 6, 0),
    "near": (1, 1, 1, 1, 1, 1, 2, 2),
    "none": (),
}
"""Run → of each question that can be answered the context that states the answer; 0: none does."""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return make_release(tmp_path_factory.mktemp("releases"))


@pytest.fixture(scope="module")
def runs(release: Release, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("runs")
    asked = [each for each in load_questions(release, "test") if each.evidence]
    found: dict[str, Path] = {}
    for name, ranks in RANKS.items():
        lines = []
        for place, question in enumerate(asked):
            rank = ranks[place] if ranks else 0
            contexts: list[dict[str, Any]] = [{"id": "elsewhere", "text": "nothing"}] * (7 if ranks else 0)
            if rank:
                evidence = question.evidence[0]
                contexts[rank - 1] = {"id": evidence.document, "start": evidence.start, "end": evidence.end}
            lines.append(json.dumps({"id": question.id, "answer": "x", "contexts": contexts}))
        path = root / f"{name}.jsonl"
        path.write_text("\n".join(lines))
        found[name] = score_system(release, str(path), output=root, options=Options()).folder
    return found


def test_the_accuracy_of_a_run(release: Release, runs: dict[str, Path]) -> None:
    run = load_run(release, runs["far"])
    found = retriever_accuracy(run)
    assert found is not None
    assert (found.by, found.questions) == ("evidence_mrr@5", 8)
    assert [(each.k, each.value) for each in found.at] == [(1, 0.25), (3, 0.5), (5, 0.75)]
    assert all(each.low is not None and each.high is not None for each in found.at)
    content = SECTION.compute(run)
    table = next(block for block in content.blocks if isinstance(block, Table))  # type: ignore[union-attr]
    assert [row[:2] for row in table.rows] == [("1", "25.0 %"), ("3", "50.0 %"), ("5", "75.0 %")]


def test_a_run_that_shows_no_retrieval_has_none(release: Release, runs: dict[str, Path]) -> None:
    run = load_run(release, runs["none"])
    assert retriever_accuracy(run) is None and not SECTION.applies(run)


def test_what_it_is_read_from() -> None:
    assert ranking_metric(["correct", "mrr", "evidence_mrr@3", "evidence_mrr@10"]) == "evidence_mrr@10"
    assert ranking_metric(["correct", "mrr"]) == "mrr", "by documents, where the release has no evidence"
    assert ranking_metric(["correct", "hit@5"]) is None
    assert (cuts_of("evidence_mrr@3"), cuts_of("evidence_mrr@10"), cuts_of("mrr")) == ((1, 3), (1, 3, 5), (1, 3, 5))


@pytest.fixture(scope="module")
def comparison(release: Release, runs: dict[str, Path]) -> Comparison:
    return compare_runs(release, [runs["far"], runs["near"]])


def test_two_retrievers_are_tested_in_pairs(comparison: Comparison) -> None:
    found = comparison.retrievers
    assert found is not None
    assert (found.by, found.questions) == ("evidence_mrr@5", 8)
    assert {each.run: [at.value for at in each.at] for each in found.runs} == {
        "far": [0.25, 0.5, 0.75],
        "near": [0.75, 1.0, 1.0],
    }
    at_1, at_3, at_5 = found.differences
    assert [(each.run, each.reference, each.k, each.value) for each in found.differences] == [
        ("near", "far", 1, 0.5),
        ("near", "far", 3, 0.5),
        ("near", "far", 5, 0.25),
    ]
    groups = {1: ([1, 1, 1, 0], [1, 0, 0, 0]), 3: ([1, 1, 1, 1], [1, 1, 0, 0]), 5: ([1, 1, 1, 1], [1, 1, 1, 0])}
    for each in (at_1, at_3, at_5):
        assert each.p_t == pytest.approx(stats.ttest_rel(*groups[each.k]).pvalue), "two-tailed, of means of groups"
        assert not each.separated and each.confidence == pytest.approx(1 - 0.05 / 3)


def test_the_page_shows_them(comparison: Comparison) -> None:
    section = next(each for each in comparison_sections(comparison) if each.id == "retrievers")
    accuracy, differences = (block for block in section.blocks if isinstance(block, Table))
    assert [row[1:] for row in accuracy.rows] == [("25.0 %", "50.0 %", "75.0 %"), ("75.0 %", "100.0 %", "100.0 %")]
    assert [row[1:3] for row in differences.rows] == [("1", "+50.0"), ("3", "+50.0"), ("5", "+25.0")]


def test_runs_without_a_common_figure(release: Release, runs: dict[str, Path]) -> None:
    assert compare_runs(release, [runs["far"], runs["none"]]).retrievers is None


def test_by_documents_k_is_of_documents(tmp_path: Path) -> None:
    """Five contexts of one document before one of the gold document: the second document, though the sixth context."""
    question = Question(
        "q", "Where is it?", ("Oslo",), answer_type="one", documents=("d1",), answerability="answerable"
    )
    contexts = (*[Context("d2", DOCUMENTS[1].text)] * 5, Context("d1", DOCUMENTS[0].text))
    made = small_release(tmp_path / "release", [question])
    case = make_run(made, tmp_path / "run", [Prediction("q", "Oslo", contexts=contexts)], ("correct", "mrr"))
    run = load_run(made, case.folder)
    found = retriever_accuracy(run)
    assert found is not None
    assert (found.by, [(each.k, each.value) for each in found.at]) == ("mrr", [(1, 0.0), (3, 1.0), (5, 1.0)])
    content = SECTION.compute(run)
    assert isinstance(content, Content)
    said = content.blocks[0]
    assert isinstance(said, Text) and "among the first k documents that contexts are of, of 1 answer" in str(said.text)
