"""The lines of a batch: requests as they are sent, and what came of them, one JSON object each."""

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from benchwright.benchmarks.models.endpoint.http_errors import RequestFailure, failure_of_status
from benchwright.benchmarks.models.responses import BATCH
from benchwright.benchmarks.models.settings import Endpoint

MOST_REQUESTS = 50_000
MOST_BYTES = 190_000_000
"""Of a batch's file; OpenAI takes 200 MB, which some count in other units."""


class Outcome(NamedTuple):
    """What came of a request."""

    key: bytes
    body: Mapping[str, Any] | None
    """Of the reply, with the batch that it is of."""
    failure: RequestFailure | None
    was_sent: bool = True
    """The model was asked."""


def request_line(key: bytes, path: str, body: Mapping[str, Any]) -> bytes:
    """A request of a batch, with its line break."""
    line = {"custom_id": key.hex(), "method": "POST", "url": path, "body": body}
    return json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def read_outcome(
    endpoint: Endpoint, batch: str, path: str, text: str, sent: Callable[[bytes], Collection[str]]
) -> Outcome | None:
    """What a line of a batch's output or errors says; None where it says nothing that can be read.

    Args:
        endpoint: who was asked.
        batch: its id.
        path: of its requests.
        text: the line.
        sent: a request's key → the names in its body.
    """
    try:
        line = json.loads(text)
        key = bytes.fromhex(line["custom_id"])
        response, error = line.get("response"), line.get("error")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    if not isinstance(response, dict):
        said = error.get("message") or error.get("code") if isinstance(error, dict) else None
        failure = RequestFailure(f"the batch did not answer it: {said or 'no reason given'}", again=True)
        return Outcome(key, None, failure, was_sent=False)
    status, body = response.get("status_code"), response.get("body")
    if isinstance(status, int) and status != 200:
        return Outcome(key, None, failure_of_status(endpoint, status, {}, json.dumps(body), body, path, sent(key)))
    if not isinstance(body, dict) or "choices" not in body:
        failure = RequestFailure("the answer is no completion", again=True, raw=json.dumps(body, ensure_ascii=False))
        return Outcome(key, None, failure)
    return Outcome(key, {**body, BATCH: batch}, None)
