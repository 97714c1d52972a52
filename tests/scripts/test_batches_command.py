"""Judging in batches by the real command: stopped by Ctrl-C while the batch runs, and taken up again."""

import signal
from pathlib import Path

from built import Built
from support import Start

from benchwright.scripts.servers.openai.server import OpenAIServer, Received


def test_a_run_that_is_judged_in_batches_is_stopped_and_goes_on(built: Built, start: Start, tmp_path: Path) -> None:
    release = built.release("aurp", size="10").folder
    models = ("--model", "judge=stand-in", "--price", "stand-in=1/1", "--cache", str(tmp_path / "c.sqlite"))
    command = ["score-system", str(release), "bm25", "--limit", "30", "--metric", "truthfulness", "--batch", *models]
    with OpenAIServer(batches={"seconds": 3600.0}) as server:
        env = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "sk-test-0123456789"}
        process = start(*command, env=env)

        def interrupt(received: Received) -> None:
            if "/batches/" in received.path:
                server.fault_for = None
                process.send_signal(signal.SIGINT)

        server.fault_for = interrupt
        said = process.communicate(timeout=120)[1]
        assert process.returncode == 130, said
        assert f"batch batch_2 (27 requests of stand-in) goes on at {server.url}: the same command takes up" in said
        server.batches.seconds = 0.0
        again = start(*command, env=env)
        said = again.communicate(timeout=120)[1]
        assert again.returncode == 0, said
        assert "batch batch_2: 27 requests of stand-in were sent by another start" in said
        assert "judging: 27 calls of stand-in" in said
        alone = sum(request.path.endswith("/chat/completions") for request in server.requests)
        assert (alone, server.batches.counts) == (1, {"batches": 1, "batched": 27})
