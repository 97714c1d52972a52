"""Runs read beside each other: paired by id, what one lacks named, what cannot be compared refused."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from report_cases import QUESTIONS, begin_run, make_release, write_rows

from benchwright.benchmarks.comparisons.compared import NOT_ASKED
from benchwright.benchmarks.comparisons.comparison import compare_runs
from benchwright.benchmarks.comparisons.judges import without_mixed_judges
from benchwright.benchmarks.comparisons.read import read_runs
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.judgments import COMPUTED
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.run import SCORES, read_run, write_run
from benchwright.benchmarks.runs.score_table import SCHEMA

Row = tuple[str, str, float | None, str | None]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return make_release(tmp_path_factory.mktemp("release") / "small")


def scored(release: Release, folder: Path, rows: Sequence[Row]) -> Path:
    begin_run(release, folder, len(QUESTIONS))
    write_rows(folder, rows)
    return folder


def with_scores(folder: Path, rows: Sequence[tuple[str, str, int, str, float | None, str | None, str | None]]) -> None:
    columns = zip(*rows, strict=True)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, SCHEMA, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=SCHEMA), folder / SCORES)


def test_questions_are_paired_by_id_and_what_is_lacking_has_a_reason(release: Release, tmp_path: Path) -> None:
    one = scored(release, tmp_path / "one", [
        ("halden-0", "correct", 1.0, None),
        ("halden-1", "correct", 0.0, None),
        ("quay-0", "correct", None, "no prediction"),
        ("quay-1", "correct", 1.0, None),
    ])  # fmt: skip
    two = scored(release, tmp_path / "two", [
        ("quay-1", "correct", 0.0, None),
        ("quay-0", "correct", 1.0, None),
        ("halden-1", "correct", 1.0, None),
        ("corvane-0", "correct", 1.0, None),
        ("elsewhere-0", "correct", 1.0, None),
    ])  # fmt: skip
    compared = read_runs(release, [one, two])
    assert compared.names == ("one", "two")
    assert compared.questions.ids == ("halden-0", "halden-1", "quay-0", "quay-1", "corvane-0")
    correct = compared.scored["correct"]
    assert correct.values.tolist() == [[1, 0], [0, 1], [0, 1], [1, 0], [0, 1]]
    assert correct.values.dtype == np.float32
    assert correct.is_scored.tolist() == [[True, False], [True, True], [False, True], [True, True], [False, True]]
    assert compared.common("correct").tolist() == [False, True, False, True, False]
    headline = compared.questions.headline
    assert headline.tolist() == [True, True, True, True, False]  # Corvane is a known gap
    assert correct.why_unscored(0, headline) == {"no prediction": 1}
    assert correct.why_unscored(1, headline) == {NOT_ASKED: 1}
    assert [run.unknown_scores for run in compared.runs] == [0, 1]
    assert correct.judges == ((COMPUTED,), (COMPUTED,))


def test_a_question_counts_once_whatever_its_repeats(release: Release, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    begin_run(release, one, 2)
    begin_run(release, two, 2)
    with_scores(one, [
        ("halden-0", "own", 0, "correct", 1.0, None, None),
        ("halden-0", "own", 1, "correct", 0.0, None, None),
        ("halden-0", "own", 2, "correct", None, "timeout", None),
        ("halden-0", "closed", 0, "correct", 1.0, None, None),
        ("halden-1", "own", 0, "correct", 1.0, None, "human:Ann"),
    ])  # fmt: skip
    with_scores(two, [
        ("halden-0", "own", 0, "correct", 0.0, None, None),
        ("halden-0", "own", 0, "correct", 1.0, None, None),
        ("halden-1", "own", 0, "correct", None, None, None),
    ])  # fmt: skip
    compared = read_runs(release, [one, two])
    correct = compared.scored["correct"]
    assert correct.values.tolist() == [[0.5, 0], [1, 0]]  # of two scores of one attempt the first stands
    assert [run.repeats for run in compared.runs] == [3, 1]
    assert compared.runs[0].conditions == ("own", "closed")
    assert correct.judges == ((COMPUTED, "human:Ann"), (COMPUTED,))
    assert correct.why_unscored(1, compared.questions.headline) == {"no reason given": 1}
    assert read_runs(release, [one, two], condition="own").condition == "own"
    with pytest.raises(UsageError, match=r"two has no condition 'closed': there is own"):
        read_runs(release, [one, two], condition="closed")


def test_judges_who_share_the_questions_otherwise_are_refused(release: Release, tmp_path: Path) -> None:
    """Three runs of the same two judges: the third has a question of each's that the other judged in the first two."""
    ann, bo = "human:Ann", "human:Bo"
    shared = {"one": (ann, bo, None, ann), "two": (ann, bo, ann, None), "three": (None, ann, ann, bo)}
    folders = []
    for name, judges in shared.items():
        begin_run(release, tmp_path / name, 4)
        with_scores(tmp_path / name, [
            (question, "own", 0, "correct", 1.0, None, judge)
            for question, judge in zip(("halden-0", "halden-1", "quay-0", "quay-1"), judges, strict=True)
        ])  # fmt: skip
        folders.append(tmp_path / name)
    alike = read_runs(release, folders[:2])
    assert alike.scored["correct"].judges == ((COMPUTED, ann, bo), (COMPUTED, ann, bo))
    assert alike.scored["correct"].judged_apart is None  # what rules decided in one is held against no judge
    assert without_mixed_judges(alike, named=True) == (alike, ())
    apart = read_runs(release, folders)
    found = apart.scored["correct"].judged_apart
    assert found is not None and (found.runs, found.question, found.judges) == ((0, 2), 1, ((bo,), (ann,)))
    assert apart.of_runs([2, 0], "correct").scored["correct"].judged_apart == replace(found, runs=(1, 0))
    assert apart.of_runs([1, 2], "correct").scored["correct"].judged_apart is None
    with pytest.raises(BenchwrightError) as caught:
        without_mixed_judges(apart, named=True)
    assert str(caught.value) == (
        "correct: question halden-1 is judged by human:Bo in one and judged by human:Ann in three, so that a "
        "difference may be the judges': have both judged alike, or compare them all the same with --mix-judges"
    )
    notes = compare_runs(release, folders, mix_judges=True).notes
    assert notes[-1].endswith("; question halden-1 is judged by human:Bo in one and judged by human:Ann in three")


def test_several_judges_of_one_question_are_one(release: Release, tmp_path: Path) -> None:
    """Repeats of a question that both judged, in another order; and one that only one of them judged in the other."""
    ann, bo = "human:Ann", "human:Bo"
    shared = {"one": (ann, bo, ann), "two": (bo, ann, ann), "three": (ann, ann, bo)}
    rows = (("halden-0", 0), ("halden-0", 1), ("halden-1", 0))
    for name, judges in shared.items():
        begin_run(release, tmp_path / name, 2)
        with_scores(tmp_path / name, [
            (*row[:1], "own", row[1], "correct", 1.0, None, judge) for row, judge in zip(rows, judges, strict=True)])  # fmt: skip
    assert read_runs(release, [tmp_path / "one", tmp_path / "two"]).scored["correct"].judged_apart is None
    found = read_runs(release, [tmp_path / "one", tmp_path / "three"]).scored["correct"].judged_apart
    assert found is not None and (found.question, found.judges) == (0, ((ann, bo), (ann,)))


def test_metrics_are_those_of_all_runs_the_primary_one_first(release: Release, tmp_path: Path) -> None:
    rows = [("halden-0", name, 1.0, None) for name in ("mrr", "recall@10", "recall@5", "correct", "token_f1")]
    one, two = scored(release, tmp_path / "one", rows), scored(release, tmp_path / "two", rows[:-1])
    assert read_runs(release, [one, two]).metrics == ("correct", "mrr", "recall@5", "recall@10")
    run = read_run(one)
    assert run is not None
    write_run(one, replace(run, scoring=replace(run.scoring, primary="mrr")))
    assert read_runs(release, [one, two]).metrics == ("mrr", "correct", "recall@5", "recall@10")
    assert read_runs(release, [one, two], metrics=["recall@5", "mrr", "mrr"]).metrics == ("recall@5", "mrr")
    with pytest.raises(UsageError, match="two has no metric 'token_f1': there is mrr, recall@10, recall@5, correct"):
        read_runs(release, [one, two], metrics=["token_f1"])
    three = scored(release, tmp_path / "three", [("halden-0", "rouge_l", 1.0, None)])
    with pytest.raises(BenchwrightError, match="the runs have no metric in common"):
        read_runs(release, [one, three])


def test_runs_that_cannot_be_compared_are_refused(release: Release, tmp_path: Path) -> None:
    rows: list[Row] = [("halden-0", "correct", 1.0, None)]
    one = scored(release, tmp_path / "one", rows)
    with pytest.raises(UsageError, match="a comparison is of two runs or more: name another RUN"):
        read_runs(release, [one])
    with pytest.raises(UsageError, match="the run one is given twice: name it once"):
        read_runs(release, [one, tmp_path / "two" / ".." / "one"])
    with pytest.raises(BenchwrightError, match=r"nothing holds no run.json: it is not a scored run"):
        read_runs(release, [one, tmp_path / "nothing"])
    other = scored(release, tmp_path / "other", rows)
    run = read_run(other)
    assert run is not None
    write_run(other, replace(run, content_hash="f" * 64))
    own = release.manifest.content_hash[:12]
    message = rf"other is a run on small 1.0.0 \(content f{{12}}…\), and \S+one is on small 1.0.0 \(content {own}…\): "
    with pytest.raises(BenchwrightError, match=message):
        read_runs(release, [one, other])
    write_run(other, replace(run, version="1.1.0"))
    with pytest.raises(BenchwrightError, match=r"other is a run on small 1.1.0 .* and \S+one is on small 1.0.0"):
        read_runs(release, [other, one])
    write_run(other, replace(run, questions=replace(run.questions, split="dev")))
    with pytest.raises(BenchwrightError, match=r"one of the split 'test' and .*other of the split 'dev' have no"):
        read_runs(release, [one, other])
    (other / SCORES).write_bytes(b"no Parquet")
    write_run(other, run)
    with pytest.raises(BenchwrightError, match=r"other/scores.parquet cannot be read \(.*\): score the system again"):
        read_runs(release, [one, other])


def test_runs_of_one_folder_name_are_told_apart(release: Release, tmp_path: Path) -> None:
    rows: list[Row] = [("halden-0", "correct", 1.0, None)]
    folders = [scored(release, tmp_path / place / "rag", rows) for place in ("monday", "friday")]
    folders.append(scored(release, tmp_path / "monday" / "bm25", rows))
    assert read_runs(release, folders).names == ("monday/rag", "friday/rag", "bm25")


def test_runs_without_their_own_retrieval_share_another_condition(release: Release, tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two", tmp_path / "three"]
    for folder, conditions in zip(folders, (["closed", "gold"], ["gold"], ["closed"]), strict=True):
        begin_run(release, folder, 1)
        with_scores(folder, [("halden-0", each, 0, "correct", 1.0, None, None) for each in conditions])
    assert read_runs(release, folders[:2]).condition == "gold"
    with pytest.raises(
        BenchwrightError, match=r"no condition in common \(one: closed, gold; two: gold; three: closed\)"
    ):
        read_runs(release, folders)
