"""Submissions that are what they say: scored again from their predictions, to the same figures."""

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import report_cases
from hostile_submissions import SCRIPTS
from submission_cases import Submitted, make_submission, pack

from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.leaderboards.predictions_table import write_predictions_table
from benchwright.benchmarks.leaderboards.verdict import Costs, figure_name
from benchwright.benchmarks.leaderboards.verify import Basis, rescore_submission
from benchwright.benchmarks.records import as_json


def test_figures_are_computed_again_and_marked(small: Submitted, tmp_path: Path) -> None:
    found = small.verify(tmp_path)
    verdict = found.verdict
    assert verdict.accepted and verdict.reasons == ()
    (part,) = verdict.parts
    assert (part.questions, part.answered, part.abstained, part.failed, part.missing) == (18, 17, 4, 1, 0)
    correct = part.figures["correct"]
    assert (correct.value, correct.claimed, correct.scored, correct.total) == (7 / 11, 7 / 11, 11, 12)
    assert {figure.mark for figure in part.figures.values()} == {"verified"}
    assert verdict.costs == Costs(latency=2.5, retrievals=1.0)
    assert verdict.has_contexts and verdict.content_hash == small.release.manifest.content_hash
    table = small.folder / "predictions.parquet"
    assert verdict.sha256["predictions.parquet"] == hashlib.sha256(table.read_bytes()).hexdigest()
    assert found.scores == tmp_path / "scores.parquet" and found.heldout_scores is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scores.parquet"]
    assert set(pq.read_table(found.scores).column("id").to_pylist()) == {each.id for each in report_cases.QUESTIONS}


def test_without_contexts_what_needs_them_is_claimed(small: Submitted, tmp_path: Path) -> None:
    folder = tmp_path / "submission"
    pack(small.run, folder, with_contexts=False)
    verdict = Submitted(small.release, folder, small.run).verify(tmp_path / "work").verdict
    assert verdict.accepted and not verdict.has_contexts
    figures = verdict.parts[0].figures
    marks = {name: figure.mark for name, figure in figures.items()}
    assert {name for name, mark in marks.items() if mark == "verified"} == {
        "correct",
        "exact_match",
        "rouge_l",
        "token_f1",
    }
    recall = figures["evidence_recall@5"]
    assert (recall.value, recall.claimed, recall.low, recall.scored) == (0.8, 0.8, None, 10)


def test_predictions_may_be_lines_of_json(small: Submitted, tmp_path: Path) -> None:
    folder = tmp_path / "submission"
    pack(small.run, folder)
    (folder / "predictions.parquet").unlink()
    shutil.copyfile(small.run / "predictions.jsonl", folder / "predictions.jsonl")
    found = Submitted(small.release, folder, small.run).verify(tmp_path / "lines").verdict
    assert found.accepted, found.reasons
    assert found.parts == small.verify(tmp_path / "table").verdict.parts


def test_verdicts_of_judges_stand_beside_the_rules_and_are_claimed(small: Submitted, tmp_path: Path) -> None:
    judge = {"kind": "model", "name": "<b>m</b>", "version": "v1"}
    lines = [{"id": "quay-0", "metric": "correct", "value": 1, "judge": judge}]
    lines += [{"id": f"halden-{n}", "metric": "faithfulness", "value": n / 4, "judge": judge} for n in range(4)]
    (tmp_path / "said.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    made = make_submission(small.release, tmp_path, judgments=tmp_path / "said.jsonl")
    found = made.verify(tmp_path / "work")
    assert found.verdict.accepted, found.verdict.reasons
    figures, who = found.verdict.parts[0].figures, "model:<b>m</b>:v1"
    assert (figures["correct"].value, figures["correct"].claimed, figures["correct"].mark) == (7 / 11, None, "verified")
    judged = figures[figure_name("correct", who)]
    assert (judged.value, judged.claimed, judged.mark, judged.judge) == (8 / 11, 8 / 11, "claimed", who)
    faithful = figures[figure_name("faithfulness", who)]
    assert (faithful.value, faithful.scored, faithful.mark) == (0.375, 4, "claimed")
    assert "faithfulness" not in figures
    table = pq.read_table(found.scores).to_pylist()
    said = [(row["value"], row["judge"]) for row in table if (row["id"], row["metric"]) == ("quay-0", "correct")]
    assert said == [(0.0, None), (1.0, who)]


def test_a_part_of_the_questions_is_taken_and_counted(small: Submitted, tmp_path: Path) -> None:
    kept = [each for each in report_cases.PREDICTIONS_MADE if each.id.startswith(("halden", "corvane"))]
    verdict = make_submission(small.release, tmp_path, kept).verify(tmp_path / "work").verdict
    (part,) = verdict.parts
    assert verdict.accepted
    assert (part.questions, part.answered, part.failed, part.missing) == (18, 8, 0, 10)
    assert (part.figures["correct"].scored, part.figures["correct"].total) == (4, 12)


def test_texts_of_strangers_are_in_no_verdict(small: Submitted, tmp_path: Path) -> None:
    texts = [text for text in SCRIPTS if text.isprintable()]
    said = [
        replace(each, answer=each.answer and texts[place % len(texts)], error=each.error and texts[0])
        for place, each in enumerate(report_cases.PREDICTIONS_MADE)
    ]
    made = make_submission(small.release, tmp_path, said)
    quoted = json.dumps(texts[0])
    (made.folder / "system.yaml").write_text(
        f"name: {quoted}\nauthors: [{quoted}]\nopenness: closed\nretriever: {quoted}\ndescription: {quoted}\n"
    )
    verdict = made.verify(tmp_path / "work").verdict
    assert verdict.accepted
    written = json.dumps(as_json(verdict))
    assert not [text for text in (*texts, "script", "alert") if text in written]


def test_what_was_accepted_is_scored_again_whatever_its_report_says(small: Submitted, tmp_path: Path) -> None:
    before = small.verify(tmp_path / "before").verdict
    old = replace(before, scored_by="0.0.1", parts=())
    again = rescore_submission(small.folder, old, Basis(small.release), work=tmp_path / "again")
    assert again.verdict == before and again.scores is not None
    folder = tmp_path / "changed"
    shutil.copytree(small.folder, folder)
    report = json.loads((folder / "report.json").read_text())
    report["metrics"]["correct"]["value"] = 0.5
    report["metrics"]["gone"] = report["metrics"].pop("mrr")
    (folder / "report.json").write_text(json.dumps(report))
    changed = rescore_submission(folder, before, Basis(small.release), work=tmp_path / "changed-work")
    assert changed.verdict.reasons == ("report.json is not what was accepted",)
    known = replace(before, sha256={**before.sha256, "report.json": file_sha256(folder / "report.json")})
    taken = rescore_submission(folder, known, Basis(small.release), work=tmp_path / "taken").verdict
    assert taken.accepted and taken.parts[0].figures["correct"].value == 7 / 11
    assert taken.parts[0].figures["correct"].claimed == 0.5


def test_ids_of_another_version_are_named(small: Submitted, tmp_path: Path) -> None:
    newer = [replace(each, id=f"new-{each.id}") for each in report_cases.QUESTIONS]
    other = report_cases.make_release(tmp_path / "other", newer)
    folder = tmp_path / "submission"
    shutil.copytree(small.folder, folder)
    said = [replace(each, id=f"new-{each.id}") for each in report_cases.PREDICTIONS_MADE]
    write_predictions_table(folder / "predictions.parquet", said)
    found = Submitted(small.release, folder, small.run).verify(tmp_path / "work", versions=[other])
    assert found.verdict.reasons == (
        'predictions.parquet, row 1: no question "new-halden-0" in the split test of small 1.0.0: it is of small 1.0.0',
    )
