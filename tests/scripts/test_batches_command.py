"""Judging in batches by the real command: stopped by Ctrl-C while the batch runs, and taken up again."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from built import Built

from benchwright.scripts.servers.openai.server import OpenAIServer, Received


def test_a_run_that_is_judged_in_batches_is_stopped_and_goes_on(built: Built, tmp_path: Path) -> None:
    release = built.release("aurp", size="10").folder
    program = str(Path(sys.executable).with_name("score-system"))
    models = ("--model", "judge=stand-in", "--price", "stand-in=1/1", "--cache", str(tmp_path / "c.sqlite"))
    command = [program, str(release), "bm25", "--limit", "30", "--metric", "truthfulness", "--batch", *models]
    with OpenAIServer() as server:
        env = {**os.environ, "OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "sk-test-0123456789"}
        process = subprocess.Popen(command, cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True)

        def interrupt(received: Received) -> None:
            if "/batches/" in received.path:
                server.fault_for = None
                process.send_signal(signal.SIGINT)

        server.fault_for = interrupt
        said = process.communicate(timeout=120)[1]
        assert process.returncode == 130, said
        assert f"batch batch_2 (27 requests of stand-in) goes on at {server.url}: the same command takes up" in said
        again = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False)
        assert again.returncode == 0, again.stderr
        assert "batch batch_2: 27 requests of stand-in were sent by another start" in again.stderr
        assert "judging: 27 calls of stand-in" in again.stderr
        alone = sum(request.path.endswith("/chat/completions") for request in server.requests)
        assert (alone, server.batches.counts) == (1, {"batches": 1, "batched": 27})
