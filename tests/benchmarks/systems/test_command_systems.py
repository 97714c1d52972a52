"""Programs as systems: in other languages, that die, hang, talk between answers, or answer what nobody asked."""

import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lighthouses import make_release
from support import ROOT

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import Scored, score_system
from benchwright.benchmarks.runs.store import stored_predictions
from benchwright.benchmarks.systems.base import Opening
from benchwright.benchmarks.systems.opening import open_system

TOYS = ROOT / "tests" / "toy_systems"
PROGRAM = f"command:{sys.executable} -SE {TOYS / 'program.py'}"
Score = Callable[..., Scored]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return make_release(tmp_path_factory.mktemp("lights"))


@pytest.fixture
def score(release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Score:
    monkeypatch.chdir(tmp_path)

    def call(system: str, **options: Any) -> Scored:
        return score_system(release, system, output=tmp_path / "runs", name="it", options=Options(**options))

    return call


def said(scored: Scored) -> list[Prediction]:
    return list(stored_predictions(scored.folder / "predictions.jsonl"))


def in_language(name: str) -> Any:
    there = shutil.which(name) is not None
    return pytest.mark.skipif(not there, reason=f"{name} is not installed")


@in_language("node")
def test_a_whole_system_in_javascript_answers_out_of_order(score: Score, release: Release) -> None:
    conditions = ("own", "closed", "gold", "without-gold")
    scored = score(f"command:node {TOYS / 'rag.js'}", conditions=conditions, k=2)
    assert (scored.asked, scored.warnings, scored.counts.errors) == (36, (), 0)
    assert scored.counts.unsupported == 4  # of the gap, which has no gold documents
    run = json.loads((scored.folder / "run.json").read_text())
    assert run["system"]["settings"] == {
        "accepts": ["contexts", "index", "retrieve"],
        "k": 2,
        "own": {"api_key": "[hidden]"},
    }
    by_key = {(each.id, each.condition): each for each in said(scored)}
    for question in load_questions(release, "test"):
        own, closed = by_key[question.id, "own"], by_key[question.id, "closed"]
        assert closed.abstained and closed.usage.retrievals == 0
        assert len(own.contexts) == 2 and own.usage.retrievals == 1
        if question.documents:
            gold, without = by_key[question.id, "gold"], by_key[question.id, "without-gold"]
            assert (question.entity or "-") in (gold.answer or "")  # of this question, whatever came first
            assert [each.id for each in gold.contexts] == list(question.documents)
            assert not {each.id for each in without.contexts} & set(question.documents)
        assert own.latency is not None and own.latency < 5


@in_language("perl")
def test_a_system_in_perl_without_ids_that_talks_on_stdout(score: Score) -> None:
    scored = score(f"command:perl {TOYS / 'rag.pl'}", conditions=("own", "gold"))
    assert scored.asked == 10 and {each.answer for each in said(scored) if each.condition == "own"} == {"31 metres"}
    unsupported = "unsupported: the program does not say that it accepts contexts"
    assert {each.error for each in said(scored) if each.condition == "gold"} == {unsupported}
    assert scored.warnings == (
        f"command:perl {TOYS / 'rag.pl'} printed 11 lines to stdout that are no answers: passed over",
    )


@pytest.mark.parametrize(
    ("how", "errors", "warning"),
    [
        ("bare", [], None),
        ("leaves", [], None),
        ("at the end", [], None),
        ("logs", [], "printed 44 lines to stdout that are no answers: passed over"),
        ("twice", [], "gave 11 answers to requests that it had answered: only the first count"),
        (
            "dies",
            [
                "the program ended with exit code 3 before it answered; its last line on stderr: ValueError: no such lighthouse"
            ],
            "had to be restarted 2 times: the program ended with exit code 3 before it answered; its last line on stderr: "
            "ValueError: no such lighthouse",
        ),
        (
            "killed",
            ["the program was ended by SIGKILL before it answered"],
            "had to be restarted 2 times: the program was ended by SIGKILL before it answered",
        ),
        (
            "hangs",
            ["no answer within 3 s; it printed nothing: does it flush its output after each line?"],
            "had to be restarted 2 times: no answer in time",
        ),
    ],
)
def test_what_a_program_does(score: Score, how: str, errors: list[str], warning: str | None) -> None:
    scored = score(f"{PROGRAM} {how!r}", timeout=3 if how in ("hangs", "at the end") else 60, workers=2)
    found = said(scored)
    assert len(found) == 10 and {each.answer for each in found if each.error is None} == {"31 metres"}
    assert [each.error for each in found if each.error] == errors * 2
    warnings = [each.removeprefix(f"{PROGRAM} {how!r} ") for each in scored.warnings]
    if how != "logs":  # each process prints its lines, the greeted one first
        assert warnings == ([] if warning is None else [warning])
    else:
        assert warnings[0].endswith("lines to stdout that are no answers: passed over")


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (
            "wrong ids",
            "failed at each of its first 5 questions, in the same way: returned the id 'mine' for the request '1': it must "
            "return its id, or none; correct what it returns, and start it again: what failed is asked again",
        ),
        (
            "twice bare",
            "answered more often than it was asked, without ids, so that nobody knows which answer is to what: it must print "
            "one JSON line for each request, or return the request's id",
        ),
        (
            "deaf",
            "failed at each of its first 3 questions, in the same way: no answer within 1 s; its last line on stderr: "
            "waiting for the database; see whether what it calls is running, or give it more time with --timeout, and start "
            "it again: what failed is asked again",
        ),
        (
            "like node",
            "the program ended with exit code 1 before it answered; its last line on stderr: Error: Cannot find module 'rag'; "
            "correct it, and start it again: what failed is asked again",
        ),
        (
            "no start",
            "failed at each of its first 5 questions, in the same way: the program ended with exit code 1 before it answered; "
            "its last line on stderr: ImportError: no module named torch; correct it, and start it again: what failed is "
            "asked again",
        ),
    ],
)
def test_a_program_that_never_answers_is_stopped(score: Score, how: str, message: str) -> None:
    with pytest.raises(BenchwrightError) as raised:
        score(f"{PROGRAM} {how!r}", timeout=1.0 if how == "deaf" else 60.0)
    text = str(raised.value)
    assert text.endswith(message)


def test_what_it_started_ends_with_it(score: Score, tmp_path: Path) -> None:
    score(f"{PROGRAM} parent", limit=2)
    pids = (tmp_path / "child.txt").read_text().split()
    assert len(pids) == 2
    for pid in map(int, pids):
        deadline = time.monotonic() + 30
        while _is_running(pid) and time.monotonic() < deadline:  # what is killed is there until it is next scheduled
            time.sleep(0.01)
        assert not _is_running(pid)


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False
    except OSError:
        os.kill(pid, 0)
        return True


@pytest.mark.parametrize(
    ("reference", "error", "message"),
    [
        (
            "command:",
            UsageError,
            "command: names no program: write command:PROGRAM and its arguments in one pair of quotes",
        ),
        ("command:node 'a", UsageError, "the system command:node 'a: No closing quotation: close it"),
        (
            "command:cat x | jq .",
            UsageError,
            "the system command:cat x | jq .: no shell reads '|': write command:sh -c '…'",
        ),
        (
            "command:A=1 node x.js",
            BenchwrightError,
            "the system command:A=1 node x.js cannot be started: there is no program 'A=1': to set a variable, write "
            "command:env A=1 …",
        ),
        (
            "command:rag.pl",
            BenchwrightError,
            "the system command:rag.pl cannot be started: rag.pl is no program that can be run: name its interpreter first, "
            "or do chmod +x rag.pl and name ./rag.pl",
        ),
        (
            "command:zzz",
            BenchwrightError,
            "the system command:zzz cannot be started: there is no program 'zzz': install it, or give its path",
        ),
        (
            f"command:echo '{json.dumps({'accepts': [], 'at_once': 0})}'",
            BenchwrightError,
            "says of itself what cannot be meant: at_once must be a whole number from 1 to 256",
        ),
        (
            f"command:echo '{json.dumps({'accepts': ['contexts', 'gold']})}'",
            BenchwrightError,
            "says of itself what cannot be meant: accepts 'gold': there are contexts, retrieve, index",
        ),
    ],
)
def test_what_cannot_be_started(
    reference: str, error: type[Exception], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(TOYS)
    with pytest.raises(error) as raised:
        open_system(reference, Opening())
    assert str(raised.value).endswith(message)


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ("--api-key hunter2hunter2", "--api-key '[hidden]'"),
        ("--token=hunter2hunter2 --k 5", "'--token=[hidden]' --k 5"),
        (
            "-H 'X-Api-Key: hunter2' -H 'Authorization: token hunter2 x'",
            "-H 'X-Api-Key: [hidden]' -H 'Authorization: [hidden]'",
        ),
        ("""'{"api_key": "hunter2", "k": 5}'""", """'{"api_key": "[hidden]", "k": 5}'"""),
        ("http://host/?token=hunter2", "'http://host/?token=[hidden]'"),
        ("RAG_TOKEN=hunter2", "'RAG_TOKEN=[hidden]'"),
        (
            "--api-key '$RAG_KEY' --token --max-tokens 300 --tokenizer words",
            "--api-key '$RAG_KEY' --token --max-tokens 300 --tokenizer words",
        ),
    ],
)
def test_secrets_on_its_command_line_are_not_stored(score: Score, arguments: str, shown: str) -> None:
    scored = score(f"{PROGRAM} whole {arguments}")
    stored = (scored.folder / "run.json").read_text()
    assert "hunter2" not in stored
    assert json.loads(stored)["system"]["reference"] == f"{PROGRAM} whole {shown}"


def test_secrets_within_a_shells_command_line_are_not_stored(score: Score) -> None:
    inner = f"K_TOKEN=hunter2 {sys.executable} -SE {TOYS / 'program.py'} whole --password hunter2; sort --key hunter2"
    scored = score(f'command:sh -c "{inner}"')
    assert "hunter2" not in (scored.folder / "run.json").read_text()
