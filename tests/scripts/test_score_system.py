"""`score-system` as users call it: what it prints, stopping and going on, exit codes, metrics of other packages."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from lighthouses import make_release
from support import ROOT, Run, Start

TOYS = str(ROOT / "tests" / "toy_systems")
FILES = ["predictions.jsonl", "report.html", "report.json", "run.json", "scores.parquet"]


@pytest.fixture
def call(run: Run, tmp_path: Path) -> Run:
    """Scores a system of the folder of toys, or of the `paths` given, on the lighthouses."""
    make_release(tmp_path / "releases")

    def score(*arguments: object, paths: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
        return run("score-system", *arguments, env=environment(*paths))

    return score


@pytest.fixture
def begin(start: Start) -> Start:
    """The same, without waiting for its end."""
    return lambda *arguments: start("score-system", *arguments, env=environment())


def environment(*paths: str) -> dict[str, str]:
    return {"PYTHONPATH": os.pathsep.join([TOYS, *paths])}


def error_of(result: subprocess.CompletedProcess[str], code: int) -> str:
    assert result.returncode == code, result
    assert result.stdout == ""
    assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1, result.stderr
    return result.stderr.removeprefix("error: ").rstrip("\n")


def asked(tmp_path: Path) -> list[str]:
    return (tmp_path / "asked.txt").read_text().splitlines()


def test_a_run_prints_its_folder_and_nothing_else(call: Run, tmp_path: Path) -> None:
    result = call("lights", "toys:chatty")
    assert (result.returncode, result.stdout) == (0, "runs/lights/1.0.0/toys-chatty\n"), result
    assert "correct" in result.stderr and "100.0 %" in result.stderr
    assert "thinking about height of Gannet Rock" in result.stderr
    assert result.stderr.endswith("10 answers asked, 0 answers reused; scored\n")
    assert sorted(path.name for path in (tmp_path / "runs/lights/1.0.0/toys-chatty").iterdir()) == FILES
    timed = call("lights", "toys:chatty", "-v").stderr
    steps = ("questions read", "answers got", "answers scored", "report made")
    assert re.findall(r"^(.*): [\d.]+ s, [\d.]+ s of the processor$", timed, re.MULTILINE) == list(steps)
    quiet = call("lights", "toys:chatty", "-q")
    assert (quiet.stdout, quiet.stderr) == (result.stdout, "")
    assert "0 answers asked, 10 answers reused; the scores were up to date" in call("lights", "toys:chatty").stderr


def test_a_system_of_the_working_folder(call: Run, tmp_path: Path) -> None:
    (tmp_path / "my_rag.py").write_text("def answer(question):\n    return '31 metres'\n")
    assert call("lights", "my_rag:answer").stdout == "runs/lights/1.0.0/my-rag\n"
    (tmp_path / "my_rag.py").write_text("def answer(question):\n    return '24 metres'\n")
    again = call("lights", "my_rag:answer", "-q")
    assert again.stderr == (
        "warning: the file of my_rag:answer has changed since its first answers: --again asks all anew\n"
    )


def test_killed_half_way_and_gone_on_with(call: Run, tmp_path: Path) -> None:
    killed = call("lights", "toys:dies")
    assert killed.returncode == -signal.SIGKILL
    folder = tmp_path / "runs/lights/1.0.0/toys-dies"
    assert sorted(path.name for path in folder.iterdir()) == ["predictions.jsonl", "run.json"]
    assert len((folder / "predictions.jsonl").read_text().splitlines()) == 4
    result = call("lights", "toys:dies")
    assert result.returncode == 0, result
    assert "6 answers asked, 4 answers reused; scored" in result.stderr
    assert len(asked(tmp_path)) == len(set(asked(tmp_path))) == 10
    whole = call("lights", "toys:dies", "--name", "whole")
    assert whole.returncode == 0
    scores = [folder.with_name(name) / "scores.parquet" for name in ("toys-dies", "whole")]
    assert scores[0].read_bytes() == scores[1].read_bytes()


def test_killed_from_outside_with_many_at_once(call: Run, begin: Start, tmp_path: Path) -> None:
    arguments = ("lights", "toys:held", "--workers", 3)
    path = tmp_path / "runs/lights/1.0.0/toys-held/predictions.jsonl"
    (tmp_path / "hold").touch()
    process = begin(*arguments)
    while process.poll() is None and not (path.exists() and path.read_bytes().count(b"\n") >= 3):
        time.sleep(0.005)
    process.kill()
    process.communicate()
    (tmp_path / "hold").unlink()
    stored = [json.loads(line)["id"] for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    assert 3 <= len(stored) < 10
    result = call(*arguments)
    assert f"{10 - len(stored)} answers asked, {len(stored)} answers reused; scored" in result.stderr
    assert call("lights", "toys:held", "--name", "one").returncode == 0
    assert path.with_name("scores.parquet").read_bytes() == (
        path.parent.with_name("one") / "scores.parquet"
    ).read_bytes()  # fmt: skip


def test_stopped_by_keyboard(call: Run, begin: Start, tmp_path: Path) -> None:
    path = tmp_path / "runs/lights/1.0.0/toys-hangs/predictions.jsonl"
    process = begin("lights", "toys:hangs")
    while process.poll() is None and not (path.exists() and path.read_bytes().count(b"\n") == 4):
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (
        130,
        "error: stopped; the answers so far are kept: the same command goes on from there\n",
    )
    result = call("lights", "toys:hangs", "--timeout", 2)
    assert "6 answers asked, 4 answers reused" in result.stderr
    assert (
        "2 errors of the system: unscored where an answer is needed; the same command asks them again" in result.stderr
    )


@pytest.mark.parametrize("quiet", [[], ["-q"]])
def test_a_system_that_only_fails_is_stopped(call: Run, tmp_path: Path, quiet: list[str]) -> None:
    (tmp_path / "down.py").write_text("def answer(question):\n    raise ConnectionError('refused: ' + question)\n")
    said = error_of(call("lights", "down:answer", *quiet), 1)
    assert said.startswith(
        "down:answer failed at each of its first 5 questions, in the same way: ConnectionError: refused: height of "
    )
    assert said.endswith("can be reached, and start it again: what failed is asked again")
    folder = tmp_path / "runs/lights/1.0.0/down"
    assert sorted(path.name for path in folder.iterdir()) == ["predictions.jsonl", "run.json"]
    assert len((folder / "predictions.jsonl").read_text().splitlines()) == 5
    (tmp_path / "down.py").write_text("def answer(question):\n    return '31 metres'\n")
    mended = call("lights", "down:answer", *quiet)
    assert (mended.returncode, "warning" in mended.stderr) == (0, False), mended


def test_a_run_without_an_answer_is_an_error(call: Run, tmp_path: Path) -> None:
    (tmp_path / "down.py").write_text("def answer(question):\n    raise ValueError('no ' + question)\n")
    assert error_of(call("lights", "down:answer", "--limit", 1, "-q"), 1).startswith(
        "down:answer answered none of 1 questions: ValueError: no "
    )


def test_an_error_of_a_system_does_not_steer_the_terminal(call: Run, tmp_path: Path) -> None:
    (tmp_path / "down.py").write_text("def answer(question):\n    raise ValueError('\\x1b[31mred\\x07\\nÄ')\n")
    assert "ValueError: \ufffd[31mred\ufffd Ä; correct it" in error_of(call("lights", "down:answer"), 1)


def test_killed_while_it_asks_again_what_failed(call: Run, begin: Start, tmp_path: Path) -> None:
    program = (
        "import pathlib, time\ndef answer(question):\n    if 'Hook' in question or 'Cape' in question:\n        {}\n"
    )
    program += "    return '31 metres'\n"
    held = "asked.append(question)\n        while len(asked) > 2 and pathlib.Path('hold').exists(): time.sleep(0.01)"
    program = "asked = []\n" + program
    (tmp_path / "hold").touch()
    (tmp_path / "shaky.py").write_text(program.format("raise ValueError('no')"))
    assert "4 errors of the system" in call("lights", "shaky:answer").stderr
    path = tmp_path / "runs/lights/1.0.0/shaky/predictions.jsonl"
    (tmp_path / "shaky.py").write_text(program.format(held))
    process = begin("lights", "shaky:answer")
    while process.poll() is None and path.read_bytes().count(b"\n") < 12:
        time.sleep(0.005)
    process.kill()
    process.communicate()
    (tmp_path / "hold").unlink()
    assert 12 <= path.read_bytes().count(b"\n") < 14
    result = call("lights", "shaky:answer")
    assert result.returncode == 0 and "errors of the system" not in result.stderr, result
    stored = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(stored) == len({line["id"] for line in stored}) == 10 and all(line["answer"] for line in stored)


def test_bad_lines_of_a_file_are_said_also_when_quiet(call: Run, tmp_path: Path) -> None:
    (split,) = (tmp_path / "releases/lights/1.0.0/queries").glob("test-*.parquet")
    questions = pq.read_table(split).to_pylist()
    lines = [json.dumps({"id": each["_id"], "answer": "31 metres"}) for each in questions]
    (tmp_path / "their.jsonl").write_text("\n".join([lines[0], "{", *lines[1:9], '{"id": 7, "ans']))
    result = call("lights", "their.jsonl", "-q")
    assert (result.returncode, result.stdout) == (0, "runs/lights/1.0.0/their\n"), result
    assert result.stderr.startswith(
        "warning: their.jsonl: 2 lines of it are no predictions and were left out: line 2: not"
    )
    assert "; line 11: not JSON" in result.stderr and result.stderr.count("\n") == 1
    run = json.loads((tmp_path / "runs/lights/1.0.0/their/run.json").read_text())
    assert (run["counts"]["bad_lines"]["count"], run["counts"]["missing"]) == (2, 1)
    assert "2 lines of the file are no predictions" in (tmp_path / "runs/lights/1.0.0/their/report.html").read_text()


def test_two_processes_do_not_share_a_run(call: Run, begin: Start, tmp_path: Path) -> None:
    path = tmp_path / "runs/lights/1.0.0/toys-hangs/predictions.jsonl"
    process = begin("lights", "toys:hangs")
    try:
        while process.poll() is None and not path.exists():
            time.sleep(0.005)
        assert error_of(call("lights", "toys:hangs"), 1) == (
            "runs/lights/1.0.0/toys-hangs is being written by another process: wait for it, or give a --name"
        )
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("arguments", [["bm25"], ["keyword", "-k", "3"], ["oracle"], ["closed-book"], ["toys:later"]])
def test_every_kind_of_system(call: Run, tmp_path: Path, arguments: list[str]) -> None:
    result = call("releases/lights/1.0.0", *arguments, "-q")
    assert (result.returncode, result.stderr) == (0, ""), result
    folder = tmp_path / result.stdout.strip()
    rows = pq.read_table(folder / "scores.parquet").to_pylist()
    right = [row["value"] for row in rows if row["metric"] == "correct"]
    assert right == ([0.0] * 10 if arguments == ["closed-book"] else [1.0] * 8 + [0.0] * 2)
    run = json.loads((folder / "run.json").read_text())
    assert run["system"]["builtin"] == (arguments != ["toys:later"])
    assert ("built-in extractive reader" in run["system"]["description"]) == (
        arguments[0] in ("bm25", "keyword", "oracle")
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["light", "bm25"], 1, "there is no release 'light' in releases: build it with build-benchmark"),
        (["lights", "bm52"], 2, "there is no system 'bm52': did you mean bm25?"),
        (["lights", "nothere:answer"], 1, "the system nothere:answer cannot be imported: No module named 'nothere'; it must be installed or in "),
        (["lights", "toys:anser"], 1, "the system toys:anser cannot be imported: toys has no 'anser'; did you mean answer?"),
        (["lights", "toys:Broken"], 1, "the system toys:Broken failed in index(documents): RuntimeError: no space"),
        (["lights", "gone.jsonl"], 1, "there is no file of predictions gone.jsonl: check the path"),
        (["lights", "bm25", "--metric", "corect"], 2, "no metric 'corect': did you mean correct?"),
        (["lights", "bm25", "--split", "train"], 1, "lights 1.0.0 has no split 'train': there are dev, test"),
        (["lights", "bm25", "--judgments", "gone.jsonl"], 1, "there is no file of judgments gone.jsonl: check the path"),
        (["lights", "bm25", "--name", "My Run"], 1, "'My Run' cannot be a run's name"),
    ],
)  # fmt: skip
def test_bad_use_is_one_line(call: Run, tmp_path: Path, arguments: list[str], code: int, message: str) -> None:
    assert error_of(call(*arguments), code).startswith(message)


def test_another_release_needs_a_name_or_again(call: Run, tmp_path: Path) -> None:
    assert call("lights", "bm25", "-q").returncode == 0
    make_release(tmp_path / "other", taller=1)
    said = error_of(call("other/lights/1.0.0", "bm25"), 1)
    assert said.startswith("runs/lights/1.0.0/bm25 is another run: its release lights 1.0.0 had other content (")
    assert said.endswith("; give this one a --name of its own, or replace that one with --again")
    assert call("other/lights/1.0.0", "bm25", "--name", "bm25-other").returncode == 0
    assert call("other/lights/1.0.0", "bm25", "--again").returncode == 0


def test_a_metric_of_another_package(call: Run, tmp_path: Path) -> None:
    made = tmp_path / "site"
    (made / "brevity-1.0.dist-info").mkdir(parents=True)
    (made / "brevity.py").write_text(
        "from benchwright.benchmarks.metrics import Metric, Score, each\n"
        "def brevity(question, prediction):\n"
        "    if 'Old Hook' in question.question: raise ValueError('odd')\n"
        "    if 'Cape' in question.question: return Score(float('nan'))\n"
        "    return Score(1 / (1 + len((prediction.answer or '').split())))\n"
        "METRIC = Metric('brevity', 'how short', '1 / (1 + words)', 'nobody', frozenset({'answer'}), rule=each(brevity))\n"
    )
    (made / "brevity-1.0.dist-info" / "entry_points.txt").write_text(
        "[benchwright.metrics]\nbrevity = brevity:METRIC\n"
    )
    (made / "brevity-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: brevity\nVersion: 1.0\n")
    result = call("lights", "toys:answer", "--metric", "brevity", "--metric", "correct", paths=(str(made),))
    assert result.returncode == 0, result
    rows = pq.read_table(tmp_path / "runs/lights/1.0.0/toys/scores.parquet").to_pylist()
    found = [(row["value"], row["reason"]) for row in rows if row["metric"] == "brevity"]
    assert found[0] == (1 / 6, None)
    assert found[4] == (None, "the metric failed: ValueError: odd")
    assert found[6] == (None, "the metric gave no finite number")
    assert len(rows) == 20


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom benchwright.scripts.score_system import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    own, _, of_models = result.stdout.partition("Language models:")
    assert [sum(line.strip().startswith("-") for line in part.splitlines()) for part in (own, of_models)] == [26, 15]
    assert not [
        name for name in ("numpy", "pyarrow", "bm25s", "rich", "jinja2", "pycountry") if repr(name) in result.stderr
    ]
