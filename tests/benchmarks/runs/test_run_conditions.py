"""Runs in several conditions: what is asked, what is kept, what is counted; and scoring a run without its system."""

import json
import socket
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from lighthouses import make_release
from support import ROOT

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.reports.report import make_report
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.run import read_run
from benchwright.benchmarks.runs.score import score_run
from benchwright.benchmarks.runs.score_system import Scored, score_system
from benchwright.benchmarks.types import Document

ALL = ("own", "closed", "gold", "without-gold")


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Release:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "toy_systems"))
    return make_release(tmp_path / "releases")


def score(release: Release, system: Any, **options: Any) -> Scored:
    return score_system(release, system, output=Path("runs"), name="mine", options=Options(**options))


def rows(folder: Path, metric: str = "correct") -> dict[str, list[tuple[float | None, str | None]]]:
    """Condition → value and reason of each question."""
    found: dict[str, list[tuple[float | None, str | None]]] = {}
    for row in pq.read_table(folder / "scores.parquet").to_pylist():
        if row["metric"] == metric:
            found.setdefault(row["condition"], []).append((row["value"], row["reason"]))
    return found


def test_a_second_condition_asks_only_what_is_new(release: Release) -> None:
    assert (score(release, "bm25").asked, score(release, "bm25").reused) == (10, 10)
    more = score(release, "bm25", conditions=("own", "closed"))
    assert (more.asked, more.reused, more.counts.predictions) == (10, 10, 20)
    again = score(release, "bm25", conditions=("own",))
    assert (again.asked, again.reused, again.is_rescored) == (0, 10, False)
    run = read_run(more.folder)
    assert run is not None and run.conditions == ("own", "closed") and run.system.kind == "baseline"


def test_the_conditions_in_scores_and_report(release: Release) -> None:
    scored = score(release, "bm25", conditions=ALL)
    values = {name: [value for value, _ in each] for name, each in rows(scored.folder).items()}
    assert list(values) == ["own", "closed", "gold", "without-gold"]
    assert values["own"][:8] == values["gold"][:8] == [1.0] * 8
    assert values["closed"] == [0.0] * 10
    assert values["without-gold"] == [0.0] * 8 + [None] * 2
    reasons = [reason for _, reason in rows(scored.folder)["gold"]][8:]
    assert reasons == ["unsupported: the question has no gold documents"] * 2
    assert (scored.counts.unsupported, scored.counts.errors, scored.asked) == (4, 0, 36)
    assert not any("without-gold" in line for line in scored.summary)
    assert "4 attempts are unsupported, by the system or the question: unscored" in scored.summary
    report = make_report(release, scored.folder)
    shown = {name: each.metrics["correct"].value for name, each in report.conditions.items()}
    assert shown == {"own": 1.0, "closed": 0.0, "gold": 1.0, "without-gold": 0.0}
    assert report.counts.unsupported == 4 and report.errors.kinds == ()


def test_documents_beside_the_gold_ones_are_left_out_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "Heights: Gannet Rock 31 m, Sable Point 24 m."
    release = make_release(tmp_path / "releases", more=[Document("heights", "Heights", text)])
    scored = score(release, "bm25", conditions=("own", "without-gold"), k=2)
    said = "for 4 answers, documents that state what is needed were left out beside those that the release names"
    assert f"without-gold: {said}" in scored.summary
    lines = [json.loads(line) for line in (scored.folder / "predictions.jsonl").read_text().splitlines()]
    read = {(line["condition"], line["id"]): [each["id"] for each in line.get("contexts", ())] for line in lines}
    first = load_questions(release, "test")[0].id
    assert "heights" in read["own", first] and "heights" not in read["without-gold", first]


def test_what_a_system_cannot_be_put_in_is_kept_and_not_asked_again(release: Release) -> None:
    scored = score(release, "toys:answer", conditions=ALL)
    assert (scored.asked, scored.counts.unsupported, scored.counts.predictions) == (10, 30, 40)
    assert rows(scored.folder)["gold"] == [(None, "unsupported: its answer() takes no contexts")] * 10
    again = score(release, "toys:answer", conditions=ALL)
    assert (again.asked, again.reused, again.is_rescored) == (0, 40, False)
    lines = [json.loads(line) for line in (scored.folder / "predictions.jsonl").read_text().splitlines()]
    assert {line["error"] for line in lines if line["condition"] == "closed"} == {
        "unsupported: its answer() takes no contexts"
    }


def test_a_file_has_the_conditions_that_it_has(release: Release) -> None:
    first = score(release, "toys:answer", conditions=("own",))
    Path("their.jsonl").write_bytes((first.folder / "predictions.jsonl").read_bytes())
    scored = score_system(release, "their.jsonl", output=Path("runs"), options=Options(conditions=("own", "gold")))
    assert (scored.asked, scored.counts.unsupported) == (10, 10)
    assert {reason for _, reason in rows(scored.folder)["gold"]} == {
        "unsupported: the file has no prediction in this condition"
    }


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        (("own", "golden"), "there is no condition 'golden': choose from own, closed, gold, without-gold"),
        ((), "no condition is named: choose from own, closed, gold, without-gold"),
    ],
)
def test_conditions_that_there_are_not(conditions: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError) as error:
        Options(conditions=conditions)
    assert str(error.value) == message


def test_a_run_is_scored_without_its_system_and_without_a_network(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fleeting.py").write_text("def answer(question): return 'It is 31 metres tall.'")
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = score(release, "fleeting:answer", limit=6).folder
    before = (folder / "scores.parquet").read_bytes()
    (tmp_path / "fleeting.py").unlink()
    monkeypatch.setattr(socket, "socket", lambda *_, **__: pytest.fail("the network was used"))
    assert score_run(release, folder).is_rescored is False
    (folder / "scores.parquet").unlink()
    scored = score_run(release, folder)
    assert scored.is_rescored and scored.run.counts.predictions == 6
    assert (folder / "scores.parquet").read_bytes() == before
    assert score_run(release, folder, metrics=("mrr",)).run.scoring.metrics == ("mrr",)


def test_runs_that_cannot_be_scored(release: Release, tmp_path: Path) -> None:
    with pytest.raises(BenchwrightError, match=r"empty holds no run\.json: it is not a run"):
        score_run(release, tmp_path / "empty")
    folder = score(release, "closed-book").folder
    other = make_release(tmp_path / "other", taller=1)
    hashes = [each.manifest.content_hash[:12] for each in (release, other)]
    with pytest.raises(BenchwrightError) as error:
        score_run(other, folder)
    assert str(error.value) == (
        f"{folder} is a run on lights 1.0.0 (content {hashes[0]}…), not on lights 1.0.0 (content {hashes[1]}…): "
        "score it against that release"
    )
