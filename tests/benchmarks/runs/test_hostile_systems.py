"""Systems that treat each question badly in a way of its own, through the command line: the run is never lost.

As a function, as a service over HTTP and as a program: each comes late, exits, answers twice, with a wrong id, with 10 MB, with
10,000 contexts or none, with control characters, in another language, or otherwise on retry, and prints between answers.
"""

import json
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from lighthouses import make_release
from support import ROOT, Run

from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.runs.store import stored_predictions

TOYS = ROOT / "tests" / "toy_systems"
sys.path.insert(0, str(TOYS))
from hostile import how_of, reply_to  # noqa: E402 # pyright: ignore[reportMissingImports]

OPTIONS = ("--name", "it", "--workers", "3", "--metric", "correct")


class _Service(BaseHTTPRequestHandler):
    """The same behaviour behind HTTP; what exits breaks the connection off."""

    protocol_version = "HTTP/1.1"
    failed = threading.Event()

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["question"]
        how = how_of(question)
        if how == "late":
            time.sleep(6 if self.path == "/hanging" else 0.2)
        if self.path == "/hanging":
            how = "plain"
        if how == "exits":
            self.close_connection = True
            return
        body = json.dumps({**reply_to(how), **({"id": "nobody's"} if how == "wrong id" else {})}).encode()
        body += body if how == "twice" else b""
        status = 200
        if how == "otherwise on retry" and not self.failed.is_set():
            self.failed.set()
            status, body = 404, b"<html>\x1b[31mno index</html>"
        self.send_response(status)
        self.send_header("Content-Type", "application/json" if status == 200 else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Service)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


ERRORS = {
    "function": {
        "exits": "SystemExit: 3",
        "otherwise on retry": "ConnectionError: \x1b[31mthe index is down",
    },
    "service": {
        "exits": "the connection broke",
        "otherwise on retry": "404",
        "twice": "returned what is no JSON (Extra data",
    },
    "program": {
        "exits": "the program ended with exit code 139 before it answered; its last line on stderr: \x1b[31mSegmentation fault\x07",
        "wrong id": 'returned the id "nobody\'s" for the request',
    },
}
"""What each fails at, and what the error holds."""
PROGRAM = f"command:{sys.executable} -SE {TOYS / 'hostile.py'}"
ENVIRONMENT = {"PYTHONPATH": str(TOYS), "no_proxy": "127.0.0.1"}


@pytest.mark.parametrize("kind", ["function", "service", "program"])
def test_a_hostile_system_loses_no_run(kind: str, run: Run, tmp_path: Path, service: str) -> None:
    release = make_release(tmp_path / "releases")
    asked = {question.id: how_of(question.question) for question in load_questions(release, "test")}
    assert len(set(asked.values())) == 10
    reference = {"function": "hostile:answer", "service": f"{service}/ask", "program": PROGRAM}[kind]
    how_asked = {"service": ("--retries", "0"), "program": ("--workers", "1")}.get(kind, ())
    # one process: whether another is asked once more depends on whether the one that died had answered before

    def start() -> dict[str, Prediction]:
        result = run("score-system", "lights", reference, *OPTIONS, *how_asked, env=ENVIRONMENT)
        assert (result.returncode, result.stdout) == (0, "runs/lights/1.0.0/it\n"), result
        own = result.stderr.replace("between\x1b[2J answers", "") if kind == "function" else result.stderr
        assert "\x1b[" not in own and "\x07" not in own
        found = list(stored_predictions(tmp_path / "runs/lights/1.0.0/it/predictions.jsonl"))
        assert len(found) == 10
        return {asked[each.id]: each for each in found}

    first, errors = start(), ERRORS[kind]
    failed = {how for how, each in first.items() if each.is_failed}
    assert failed == set(errors), {how: each.error for how, each in first.items()}
    for how, text in errors.items():
        assert text in (first[how].error or "")
    for how, each in first.items():
        if how not in failed:
            wanted = reply_to(how)
            assert each.answer == wanted["answer"][:100_000] and len(each.contexts) == len(wanted.get("contexts", ()))
    assert first["10 MB"].error == "the answer was cut: 10,000,000 characters, 100,000 are kept"
    second = start()
    assert {how for how, each in second.items() if each.is_failed} == failed - {"otherwise on retry"}
    assert second["otherwise on retry"].answer == "18 metres"
    kept = set(first) - failed
    assert {how: second[how] for how in kept} == {how: first[how] for how in kept}
    report = json.loads((tmp_path / "runs/lights/1.0.0/it/report.json").read_text())
    assert report["metrics"]["correct"]["total"] == 8  # the gap is apart
    page = (tmp_path / "runs/lights/1.0.0/it/report.html").read_text()
    assert "\x00" not in page and "\x1b" not in page


@pytest.mark.parametrize("kind", ["function", "service", "program"])
def test_a_question_that_hangs_costs_that_question(kind: str, run: Run, tmp_path: Path, service: str) -> None:
    make_release(tmp_path / "releases")
    reference = {"function": "hostile:hanging", "service": f"{service}/hanging", "program": f"{PROGRAM} hanging"}[kind]
    limits = ("--timeout", "2", *(("--retries", "0") if kind == "service" else ()))
    result = run("score-system", "lights", reference, *OPTIONS, *limits, env=ENVIRONMENT)
    assert (result.returncode, result.stdout) == (0, "runs/lights/1.0.0/it\n"), result
    found = list(stored_predictions(tmp_path / "runs/lights/1.0.0/it/predictions.jsonl"))
    assert [each.answer for each in found if not each.is_failed] == ["18 metres"] * 9
    (hung,) = [each for each in found if each.is_failed]
    assert hung.error is not None and hung.error.startswith("no answer within 2 s")
