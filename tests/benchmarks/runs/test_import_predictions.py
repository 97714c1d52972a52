"""Files of predictions: bad lines are named and left out, what is plain is taken, corrected files take over."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from lighthouses import make_release

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.reports.columns import load_run
from benchwright.benchmarks.reports.failures.diagnosis import diagnosis
from benchwright.benchmarks.reports.report import make_report
from benchwright.benchmarks.runs import run as runs
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import Scored, score_system
from benchwright.benchmarks.runs.store import stored_predictions

Score = Callable[..., Scored]


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Release:
    monkeypatch.chdir(tmp_path)
    return make_release(tmp_path / "releases")


@pytest.fixture
def score(release: Release, tmp_path: Path) -> Score:
    def call(lines: list[Any] | bytes, **options: Any) -> Scored:
        content = lines if isinstance(lines, bytes) else "".join(map(line_of, lines)).encode()
        (tmp_path / "their.jsonl").write_bytes(content)
        return score_system(release, "their.jsonl", output=tmp_path / "runs", options=Options(**options))

    return call


def line_of(line: Any) -> str:
    return (line if isinstance(line, str) else json.dumps(line)) + "\n"


@pytest.fixture
def good(release: Release) -> list[dict[str, Any]]:
    return [{"id": question.id, "answer": ", ".join(question.answers)} for question in load_questions(release, "test")]


def refused(score: Score, lines: list[Any] | bytes) -> str:
    with pytest.raises(BenchwrightError) as error:
        score(lines)
    return str(error.value)


def test_bad_lines_are_named_and_left_out(score: Score, release: Release, good: list[Any]) -> None:
    bad = [
        {"id": "q", "answer": 7},
        "7",
        '{"id": "q", "ans',
        {"answer": "x"},
        "",
        {"id": "q", "answer": None},
        "{}",
        "[",
    ]
    scored = score([*good[:3], *bad, *good[3:9]])
    assert (scored.asked, scored.counts.predictions, scored.counts.missing) == (9, 9, 1)
    reasons = (
        "line 4: 'answer' must be a string, and is 7: correct the line.",
        "line 5: must be one JSON object with 'id' and 'answer', and is another value.",
        "line 6: not JSON (Unterminated string starting at at character 13): the line may be cut off; "
        "write it anew or delete it.",
        "line 7: no 'id': every prediction needs 'id' and 'answer' (or 'abstained': true, or an 'error').",
        "line 9: no 'answer': every prediction needs 'id' and 'answer' (or 'abstained': true, or an 'error').",
    )
    assert scored.counts.bad_lines == runs.BadLines(7, reasons)
    said = "; ".join(reason.rstrip(".") for reason in reasons)
    assert scored.warnings == (f"their.jsonl: 7 lines of it are no predictions and were left out: {said}; and 2 more",)
    report = make_report(release, scored.folder)
    assert report.counts.bad_lines == scored.counts.bad_lines
    assert "7 lines of the file are no predictions and were left out" in str(report.sections)
    again = score([*good[:3], *bad, *good[3:9]])
    assert (again.asked, again.reused, again.is_rescored, again.warnings) == (0, 9, False, scored.warnings)


def test_a_truncated_last_line_and_a_byte_order_mark(score: Score, good: list[Any]) -> None:
    whole = "".join(map(line_of, good)).encode()
    scored = score(b"\xef\xbb\xbf" + whole[:-20])
    assert (scored.counts.predictions, scored.counts.bad_lines.count) == (9, 1)
    assert "line 10: not JSON" in scored.warnings[0] and "the line may be cut off" in scored.warnings[0]
    without_break = score(whole[:-1], again=True)
    assert (without_break.counts.predictions, without_break.warnings) == (10, ())


def test_a_line_of_another_encoding(score: Score, good: list[Any]) -> None:
    whole = "".join(map(line_of, good[1:])).encode()
    scored = score(b'{"id": "q", "answer": "caf\xe9"}\n' + whole)
    assert scored.warnings == (
        "their.jsonl: 1 line of it is no prediction and was left out: "
        "line 1: not UTF-8 at byte 27: save the file as UTF-8",
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"id": "q", "answer": "x"}\n'.encode("utf-16"), "it is UTF-16: save it as UTF-8"),
        ('{"id": "q", "answer": "x"}\n'.encode("utf-16-le"), "it is UTF-16: save it as UTF-8"),
        (b'id;answer\n"q";"x"\n', "it looks like a table (CSV): write one JSON object a line, with 'id' and 'answer'"),
        (b'\n [\n  {"id": "q"}\n]\n', "it is one JSON array: write one JSON object a line, with 'id' and 'answer'"),
        (b"\x1f\x8b\x08\x00\xff\xfe", "its only line is bad; line 1: not UTF-8 at byte 2: save the file as UTF-8"),
        (b"", "write one JSON object a line, with 'id' and 'answer'"),
        (b"\xef\xbb\xbf\n\n", "write one JSON object a line, with 'id' and 'answer'"),
    ],
)
def test_files_of_another_kind(score: Score, tmp_path: Path, content: bytes, message: str) -> None:
    assert refused(score, content) == f"their.jsonl holds no prediction: {message}"
    assert not (tmp_path / "runs/lights/1.0.0/their/predictions.jsonl").exists()


def test_folders_tables_and_files_that_are_not_there(release: Release, tmp_path: Path) -> None:
    (tmp_path / "folder.jsonl").mkdir()

    def said(given: str) -> str:
        with pytest.raises(BenchwrightError) as error:
            score_system(release, given, output=tmp_path / "runs")
        return str(error.value)

    assert said("folder.jsonl") == "folder.jsonl is a folder: give the file of predictions in it"
    assert said("gone.jsonl") == "there is no file of predictions gone.jsonl: check the path"
    assert said("their.xlsx") == ("there is no system 'their.xlsx': save the table as CSV, and give FILE.csv")


def test_plain_values_are_taken(score: Score, release: Release, good: list[Any]) -> None:
    nan = float("nan")
    good[0] |= {"cost": nan, "latency": float("inf"), "usage": {"input_tokens": None, "calls": 1}, "samples": None}
    good[1]["contexts"] = [
        {"id": 7, "text": "x", "score": nan},
        "a text",
        {"id": "gannet-rock", "score": -float("inf")},
    ]
    scored = score(good)
    found = {each.id: each for each in stored_predictions(scored.folder / "predictions.jsonl")}
    first, second = found[good[0]["id"]], found[good[1]["id"]]
    assert (first.cost, first.latency, first.usage.calls) == (None, None, 1)
    assert [(each.id, each.text, each.score) for each in second.contexts] == [
        ("7", "x", None), (None, "a text", None), ("gannet-rock", None, None)
    ]  # fmt: skip
    assert scored.counts.bad_lines.count == 0
    assert make_report(release, scored.folder).cost.cost.total is None


def test_whole_numbers_as_ids(score: Score, good: list[Any]) -> None:
    assert refused(score, [*good, {"id": 7, "answer": "x"}]).startswith("their.jsonl, line 11: no question '7' in ")
    assert "'id' must be a string, and is true" in score([*good, {"id": True, "answer": "x"}]).warnings[0]


def test_the_later_line_of_a_failure_counts(score: Score, good: list[Any]) -> None:
    failed = {"id": good[0]["id"], "answer": None, "error": "down"}
    scored = score([failed, *good])
    assert (scored.asked, scored.counts.predictions, scored.counts.errors) == (10, 10, 0)
    assert refused(score, [*good, failed]).startswith("their.jsonl, line 11: a second prediction for ")


def test_a_corrected_file_takes_over(score: Score, good: list[Any], tmp_path: Path) -> None:
    failed = {"id": good[0]["id"], "answer": None, "error": "down"}
    first = score([failed, *good[1:8], '{"id": "x'])
    assert (first.counts.errors, first.counts.missing, first.counts.bad_lines.count) == (1, 2, 1)
    assert first.summary[2] == (
        "1 errors of the system: unscored where an answer is needed; correct the file and give it again"
    )
    mended = score([*reversed(good)])
    assert (mended.asked, mended.counts.errors, mended.counts.missing, mended.warnings) == (10, 0, 0, ())
    assert mended.is_rescored and mended.counts.bad_lines == runs.BadLines()
    changed = [{**good[0], "answer": "another"}, *good[1:]]
    message = r"/their is another run: its settings were sha256=\w{12}…, not \w{12}…; give this one a --name of its own"
    with pytest.raises(BenchwrightError, match=message):
        score(changed)
    with pytest.raises(BenchwrightError, match=message):
        score(good[:9])
    before = (mended.folder / "predictions.jsonl").read_bytes()
    assert refused(score, [*good, {"id": "nope", "answer": "x"}]).startswith("their.jsonl, line 11: no question 'nope'")
    assert (mended.folder / "predictions.jsonl").read_bytes() == before
    assert sorted(path.name for path in mended.folder.iterdir()) == [
        "predictions.jsonl", "run.json", "scores.parquet"
    ]  # fmt: skip
    assert (score(good[::-1]).asked, score(good[::-1]).is_rescored) == (0, False)


def test_a_file_of_failures_alone_is_no_run(score: Score, good: list[Any]) -> None:
    failures = [
        {"id": each["id"], "answer": None, "error": f"down since {number} s"} for number, each in enumerate(good)
    ]
    message = refused(score, failures)
    assert message.startswith("their.jsonl holds no answer, but 10 errors: down since ")
    assert message.endswith(" s; put the answers in it")
    assert score(good).counts.errors == 0


def test_hostile_lines(score: Score, good: list[Any]) -> None:
    hostile = ["[" * 100_000, '{"id": ' * 5_000, "1" * 5_000, '{"id": "q", "answer": 1e999}', "\u0000\u0000", "NaN"]
    hostile += ['{"id": "q", "answer": "x", "repeat": -1}', '{"id": "q", "answer": "x", "usage": {"calls": 1e400}}x']
    hostile += ['{"id": "q", "answer": "x", "contexts": {"a": 1}}', '{"id": "q", "answer": "x", "contexts": [[]]}']
    scored = score([*hostile, *good])
    assert (scored.counts.predictions, scored.counts.bad_lines.count) == (10, len(hostile))
    assert all(len(reason) < 200 for reason in scored.counts.bad_lines.first)


def test_control_characters_and_long_answers(score: Score, good: list[Any]) -> None:
    good[0]["answer"] = "31 metres\u0000\u001b[31m\u2028\ud800"
    good[1]["answer"] = "31 metres " + "x" * 10_000_000
    scored = score(good)
    assert (scored.counts.predictions, scored.counts.bad_lines.count) == (10, 0)


def test_keys_that_are_not_ours_are_left_aside(score: Score, good: list[Any]) -> None:
    """They stay in the file; metrics see the same without them, just now and when the file is opened again."""

    def table(scored: Scored) -> Any:
        return pq.read_table(scored.folder / "scores.parquet")

    bare = table(score([{**each, "contexts": [{"id": "gannet-rock", "text": "y"}]} for each in good]))
    contexts = [{"id": "gannet-rock", "text": "y", "title": "T", "document": "sable-point", "metadata": {"page": 3}}]
    more = {"usage": {"calls": 1, "total_tokens": 9}, "contexts": contexts, "answer_type": "one", "model": None}
    lines = [{**each, **more} for each in good]
    scored = score(lines, again=True)
    assert scored.counts.contexts.id == len(good) and table(scored).equals(bare)
    assert '"total_tokens": 9' in (scored.folder / "predictions.jsonl").read_text()
    (scored.folder / "scores.parquet").unlink()
    again = score(lines)
    assert (again.asked, again.is_rescored) == (0, True) and table(again).equals(bare)


def test_questions_that_a_file_leaves_out_are_no_failure_of_its_system(
    score: Score, release: Release, good: list[Any]
) -> None:
    found = diagnosis(load_run(release, score(good[:3]).folder))
    assert found.blamed == () and "errors" not in found.counts and found.total <= 3
