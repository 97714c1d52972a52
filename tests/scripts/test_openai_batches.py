"""The server's files and batches, with the official SDK over real HTTP."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import openai
import pytest
from openai.types import Batch

from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer

URL = "/v1/chat/completions"


def line(number: int, **changes: Any) -> str:
    """A request of a batch."""
    body = {"model": "m", "messages": [{"role": "user", "content": f"question {number}"}]}
    return json.dumps({"custom_id": str(number), "method": "POST", "url": URL, "body": body, **changes})


async def run_batch(server: OpenAIServer, lines: Sequence[str]) -> tuple[Batch, list[dict[str, Any]]]:
    """A batch that has ended, and the lines of its output and then of its errors."""
    async with openai.AsyncOpenAI(api_key="k", base_url=server.url, max_retries=0) as client:
        file = await client.files.create(file=("requests.jsonl", "\n".join(lines).encode()), purpose="batch")
        batch = await client.batches.create(input_file_id=file.id, endpoint=URL, completion_window="24h")
        while batch.status in ("validating", "in_progress"):
            batch = await client.batches.retrieve(batch.id)
        found = []
        for name in (batch.output_file_id, batch.error_file_id):
            if name is not None:
                found += (await client.files.content(name)).text.splitlines()
        return batch, [json.loads(text) for text in found if not text.startswith("{what")]


def outcomes(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Custom id → status, or the code of an error."""
    return {
        one["custom_id"]: one["response"]["status_code"] if one["response"] else one["error"]["code"] for one in found
    }


def test_a_batch_is_answered_in_another_order_and_its_errors_lie_apart() -> None:
    with OpenAIServer(lambda body: body["messages"][0]["content"].upper()) as server:
        server.line_fault_for = lambda body: Fault(400) if "question 2" in body["messages"][0]["content"] else None
        batch, found = asyncio.run(run_batch(server, [line(number) for number in range(4)]))
    assert [one["custom_id"] for one in found] == ["3", "1", "0", "2"]
    assert outcomes(found) == {"3": 200, "1": 200, "0": 200, "2": 400}
    assert found[0]["response"]["body"]["choices"][0]["message"]["content"] == "QUESTION 3"
    assert batch.request_counts is not None
    assert (batch.status, batch.request_counts.completed, batch.request_counts.failed) == ("completed", 3, 1)
    assert server.batches.answered == {"0": 1, "1": 1, "3": 1, "2": 0}


@pytest.mark.parametrize(
    ("fault", "status", "expected"),
    [
        ("expired", "expired", {"0": 200, "1": 200, "2": "batch_expired", "3": "batch_expired"}),
        ("cancelled", "cancelled", {"0": 200, "1": 200, "2": "batch_cancelled", "3": "batch_cancelled"}),
        ("missing", "completed", {"1": 200, "2": 200}),
        ("errors", "completed", {"0": 500, "1": 200, "2": 200, "3": 500}),
        ("garbage", "completed", {"0": 200, "1": 200, "2": 200, "3": 200}),
        ("twice", "completed", {"0": 200, "1": 200, "2": 200, "3": 200}),
    ],
)
def test_what_goes_wrong_with_a_batch(fault: Any, status: str, expected: dict[str, Any]) -> None:
    with OpenAIServer(batches={"faults": [fault]}) as server:
        batch, found = asyncio.run(run_batch(server, [line(number) for number in range(4)]))
    assert (batch.status, outcomes(found)) == (status, expected)
    assert len(found) == (8 if fault == "twice" else len(expected))


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([line(1), line(1)], "Line 2: the custom_id is no text of its own of at most 64 characters."),
        ([line(1, url="/v1/embeddings")], "Line 1: the URL does not match the batch's endpoint."),
        (["nothing"], "Line 1 is not a request."),
        ([line(number) for number in range(4)], "The batch has 4 requests: from 1 to 3 are allowed."),
    ],
)
def test_a_file_that_holds_no_batch_fails_as_a_whole(lines: list[str], problem: str) -> None:
    with OpenAIServer(batches={"most_requests": 3}) as server:
        batch, found = asyncio.run(run_batch(server, lines))
    assert batch.errors is not None
    assert batch.errors.data is not None
    assert (batch.status, batch.errors.data[0].message, found) == ("failed", problem, [])
    assert server.batches.answered.total() == 0
