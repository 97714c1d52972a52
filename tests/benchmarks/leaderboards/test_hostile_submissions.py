"""Submissions that are broken or meant to harm: each is refused for its reason, and stops no other."""

import shutil
from pathlib import Path

import pytest
from hostile_submissions import HOSTILE, PATHS, Hostile
from submission_cases import PLACE, Submitted

from benchwright.benchmarks.leaderboards.board import Board, BoardBenchmark
from benchwright.benchmarks.leaderboards.layout import Place
from benchwright.benchmarks.leaderboards.receive import Changed, Taken, lookalike, receive
from benchwright.benchmarks.leaderboards.refusal import RefusedError

BOARD = Board("Board", {"small": BoardBenchmark("ann/small", ("1.0.0",))})
WHOLE = [Changed(f"{PLACE.folder}/{name}", 100) for name in ("system.yaml", "run.json", "report.json")]
WHOLE.append(Changed(f"{PLACE.folder}/predictions.parquet", 100))


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.what)
def test_a_hostile_submission_is_refused_for_its_reason(case: Hostile, small: Submitted, tmp_path: Path) -> None:
    folder, work = tmp_path / "submission", tmp_path / "work"
    shutil.copytree(small.folder, folder)
    case.twist(folder)
    found = Submitted(small.release, folder, small.run).verify(work)
    assert not found.verdict.accepted and found.scores is None
    said = "; ".join(found.verdict.reasons)
    assert case.reason in said and len(said) < 2_000
    assert said.isprintable() and str(tmp_path) not in said
    assert list(work.iterdir()) == []


@pytest.mark.parametrize("what", PATHS)
def test_a_pull_request_that_changes_anything_else_is_refused(what: str) -> None:
    changed, reason = PATHS[what]
    with pytest.raises(RefusedError) as refused:
        receive(changed, board=BOARD, submitter="ann")
    assert reason in str(refused.value) and str(refused.value).isprintable() and len(str(refused.value)) < 2_000


def test_a_whole_submission_is_received() -> None:
    assert receive(WHOLE, board=BOARD, submitter="ann") == PLACE
    mine = Taken(PLACE, "ann", "My RAG")
    assert receive(WHOLE, board=BOARD, submitter="ann", taken=[mine]) == PLACE
    sizes = {each.path.rpartition("/")[2]: each.size for each in WHOLE}
    assert receive(WHOLE[:1], board=BOARD, submitter="ann", taken=[mine], present=sizes) == PLACE
    deleted = [*WHOLE, Changed(f"{PLACE.folder}/judgments.jsonl", is_deleted=True)]
    assert receive(deleted, board=BOARD, submitter="ann") == PLACE


@pytest.mark.parametrize(
    ("theirs", "version"),
    [("my-rag", "1.0.0"), ("my-rag", "2.0.0"), ("my_rag", "1.0.0"), ("myrag", "1.0.0"), ("rny-rag", "1.0.0")],
)
def test_a_name_that_is_anothers_or_looks_like_it_is_refused(theirs: str, version: str) -> None:
    taken = [Taken(Place("small", version, theirs), "bob", "Theirs")]
    with pytest.raises(RefusedError, match=r"a system of bob|of a system of bob"):
        receive(WHOLE, board=BOARD, submitter="ann", taken=taken)
    assert receive(WHOLE, board=BOARD, submitter="bob", taken=taken) == PLACE
    elsewhere = [Taken(Place("large", version, theirs), "bob", "Theirs")]
    assert receive(WHOLE, board=BOARD, submitter="ann", taken=elsewhere) == PLACE


@pytest.mark.parametrize("shown", ["MY_RAG", "Му RАG", "ｍｙ ｒａｇ", "M y R a g", "Mý Rág", "rny rag"])
def test_a_shown_name_that_looks_like_anothers_is_refused(shown: str, small: Submitted, tmp_path: Path) -> None:
    folder = tmp_path / "submission"
    shutil.copytree(small.folder, folder)
    (folder / "system.yaml").write_text(f"name: {shown}\nauthors: [B]\nopenness: closed\nretriever: none\n")
    taken = [Taken(Place("small", "1.0.0", "other"), "bob", "My RAG")]
    found = Submitted(small.release, folder, small.run).verify(tmp_path / "work", taken=taken)
    assert f'the name "{shown}" is easily taken for "My RAG", a system of bob' in found.verdict.reasons[0]


def test_names_that_differ_are_told_apart() -> None:
    names = ("bm25", "bm-26", "rag-1", "rag-2", "dense", "naive-rag", "boolean-rag", "gpt-4o", "gpt-4")
    assert len({lookalike(name) for name in names}) == len(names)
