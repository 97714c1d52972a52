"""Held-out answers of a submission: scored with the private half alone, and never in what is published."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from submissions import read_predictions_table

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.layout import Place
from benchwright.benchmarks.leaderboards.predictions_table import write_predictions_table
from benchwright.benchmarks.leaderboards.verify import Basis, PullRequest, Verified, verify_submission
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import ReleaseSplit

PULL = PullRequest(3, "b" * 40, "ann", "2026-11-23T02:00:00Z")
PLACE = Place("lights", "1.0.0", "lamp-finder")


def look(folder: Path, public: Release, work: Path, private: Release | None = None) -> Verified:
    return verify_submission(folder, PLACE, PULL, Basis(public, private), work=work)


def test_held_out_answers_are_scored_and_kept_apart(
    halves: tuple[Release, Release], sent: Path, tmp_path: Path
) -> None:
    public, private = halves
    names = {split: ReleaseSplit(public, split).ids for split in ("test", "heldout")}
    found = look(sent, public, tmp_path, private)
    shown, held = found.verdict.parts
    assert (shown.split, shown.questions, held.split) == ("test", len(names["test"]), "heldout")
    assert (held.questions, held.answered, held.missing) == (len(names["heldout"]), len(names["heldout"]), 0)
    assert held.figures["correct"].mark == "verified" and held.figures["correct"].claimed is None
    gold = [each for each in ReleaseSplit(private, "test").questions if each.answerability == "answerable"]
    right = [each for each in gold if each.answers == ("31 metres",)]
    assert (held.figures["correct"].value, held.figures["correct"].scored) == (len(right) / len(gold), len(gold))
    assert found.scores is not None and found.heldout_scores == tmp_path / "heldout-scores.parquet"
    assert set(pq.read_table(found.scores).column("id").to_pylist()) == names["test"]
    assert set(pq.read_table(found.heldout_scores).column("id").to_pylist()) == names["heldout"]
    assert not [name for name in names["heldout"] if name in repr(found.verdict)]


def test_without_the_private_half_they_wait(halves: tuple[Release, Release], sent: Path, tmp_path: Path) -> None:
    found = look(sent, halves[0], tmp_path)
    assert found.verdict.accepted and found.heldout_scores is None
    held = found.verdict.parts[1]
    assert (held.split, held.answered, held.missing, held.figures) == ("heldout", held.questions, 0, {})


def test_held_out_answers_that_are_not_right(halves: tuple[Release, Release], sent: Path, tmp_path: Path) -> None:
    public, private = halves
    said = list(read_predictions_table(sent / "heldout.parquet"))

    def reasons(name: str, change: str, source: Path | None = None, half: Release | None = private) -> str:
        folder = tmp_path / name
        shutil.copytree(sent, folder)
        (folder / change).unlink()
        if source is not None:
            shutil.copyfile(source, folder / change)
        found = look(folder, public, tmp_path / f"{name}-work", half)
        assert not found.verdict.accepted and found.heldout_scores is None and found.scores is None
        return "; ".join(found.verdict.reasons)

    assert reasons("none", "heldout.parquet") == (
        "the answers to the held-out questions are missing: score the system with --split heldout too, and submit it "
        "again"
    )
    write_predictions_table(tmp_path / "one.parquet", said[:1])
    for half in (private, None):  # its figure would say whether it is right
        assert f"it answers 1 of {len(said)} held-out questions: hand in a prediction for each" in reasons(
            f"one-{half is None}", "heldout.parquet", tmp_path / "one.parquet", half=half
        )
    assert "it is of the split test" in reasons("open", "heldout.parquet", sent / "predictions.parquet")
    assert "it is of the split heldout" in reasons("held", "predictions.parquet", sent / "heldout.parquet")


def test_figures_of_held_out_questions_tell_no_single_answer(
    halves: tuple[Release, Release], sent: Path, tmp_path: Path
) -> None:
    """By the sixteen decimals of a mean of a metric of words, who chooses how long answers are reads which are right."""
    public, private = halves
    said = list(read_predictions_table(sent / "heldout.parquet"))
    folder = tmp_path / "long"
    shutil.copytree(sent, folder)
    padded = [replace(each, answer=f"{each.answer}{' and' * (3 + 4 * place)}") for place, each in enumerate(said)]
    write_predictions_table(folder / "heldout.parquet", padded)
    report = json.loads((folder / "report.json").read_text())
    assert {"token_f1", "correct"} <= report["metrics"].keys()
    basis = Basis(public, private, metric="token_f1")
    held = verify_submission(folder, PLACE, PULL, basis, work=tmp_path / "long-work").verdict.parts[1]
    ((name, figure),) = held.figures.items()
    assert name == "token_f1" and figure.value == round(figure.value or 0.0, 3) > 0
    assert set(look(sent, public, tmp_path / "plain", private).verdict.parts[1].figures) == {"correct"}


def test_who_sends_many_answers_to_held_out_questions_waits_for_a_maintainer(
    halves: tuple[Release, Release], sent: Path, tmp_path: Path
) -> None:
    public, private = halves
    first = look(sent, public, tmp_path / "first", private).verdict
    assert (first.heldout_sent, first.flags) == (1, ())
    flag = "its submitter sent 11 sets of answers to held-out questions: the figures of each tell a little of them"
    often = replace(first, system="other", heldout_sent=6)
    for before, of_others, count, flags in (
        (replace(first, heldout_sent=3), [often], 4, ()),
        (replace(first, heldout_sent=4), [often], 5, (flag,)),
        (replace(first, heldout_sent=4), [replace(often, submitter="bob")], 5, ()),
        (replace(first, heldout_sent=4), [replace(often, version="2.0.0")], 5, ()),
    ):
        work = tmp_path / f"work-{count}-{len(flags)}-{of_others[0].submitter}-{of_others[0].version}"
        basis = Basis(public, private, others=[before, *of_others])
        found = verify_submission(sent, PLACE, PULL, basis, work=work).verdict
        assert (found.heldout_sent, [each for each in found.flags if "sets of" in each]) == (count, [*flags])


def test_another_release_is_no_private_half(halves: tuple[Release, Release], sent: Path, tmp_path: Path) -> None:
    with pytest.raises(BenchwrightError, match="is not the private half of lights"):
        look(sent, halves[0], tmp_path, halves[0])
