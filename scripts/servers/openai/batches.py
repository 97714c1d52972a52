"""Batches as OpenAI's API serves them: files of requests that are taken in, worked off later, and read as files.

A batch's lines are answered by what answers single requests. What goes wrong with a batch is put in on purpose.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, Literal, get_args

from benchwright.scripts.servers.openai.answers import JSON, Answer, Problem

BatchFault = Literal[
    "failed", "expired", "cancelled", "twice", "missing", "foreign", "errors", "garbage", "no_output", "stuck"
]
"""`failed`: no line is worked off; `expired`, `cancelled`: half of them are; `twice`: each is in the output two times;
`missing`: each third is nowhere; `foreign`: lines that nobody sent come first; `errors`: each third is a 500 in the
file of errors; `garbage`: a line of the output is no JSON; `no_output`: completed, and the files are gone; `stuck`: it
goes on until it is cancelled."""
MOST_REQUESTS = 50_000
MOST_BYTES = 200_000_000
"""Of a batch's file."""
_PLACE = re.compile(r"/(files|batches)(?:/([^/]+))?(?:/(content|cancel))?$")
_LOOK = 0.05
"""Seconds after which it is looked again how long a batch takes."""
_TURN = 50
"""Lines that are worked off before single requests have their turn."""


@dataclass
class StoredFile:
    """A file at the server."""

    id: str
    name: str
    content: bytes
    purpose: str = "batch"

    def described(self) -> dict[str, Any]:
        """It, as the API does."""
        return {
            "id": self.id,
            "object": "file",
            "bytes": len(self.content),
            "created_at": 0,
            "filename": self.name,
            "purpose": self.purpose,
            "status": "processed",
        }


@dataclass
class StoredBatch:
    """A batch at the server."""

    id: str
    file: str
    endpoint: str
    metadata: Mapping[str, str] | None
    fault: BatchFault | None
    status: str = "validating"
    total: int = 0
    completed: int = 0
    failed: int = 0
    output: str | None = None
    errors: str | None = None
    problem: str = ""
    """Why it failed as a whole."""
    cancelling: asyncio.Event = field(default_factory=asyncio.Event)

    def described(self) -> dict[str, Any]:
        """It, as the API does."""
        problems = [{"code": "invalid_batch", "line": None, "message": self.problem, "param": None}]
        return {
            "id": self.id,
            "object": "batch",
            "endpoint": self.endpoint,
            "errors": {"object": "list", "data": problems} if self.problem else None,
            "input_file_id": self.file,
            "completion_window": "24h",
            "status": self.status,
            "output_file_id": self.output,
            "error_file_id": self.errors,
            "created_at": 0,
            "request_counts": {"total": self.total, "completed": self.completed, "failed": self.failed},
            "metadata": self.metadata,
        }


class BatchServer:
    """Files and batches. Belongs to the event loop of the server."""

    def __init__(
        self,
        reply: Callable[[str, Mapping[str, Any]], Answer],
        *,
        seconds: float = 0.0,
        faults: Iterable[BatchFault | None] = (),
        is_served: bool = True,
        most_requests: int = MOST_REQUESTS,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """Raises ValueError where there is no such fault.

        Args:
            reply: of a path and a request's body.
            seconds: that a batch takes; may be changed while it runs.
            faults: one for each batch, in their order; None lets one be.
            is_served: False: there are no batches here, as with most servers of models.
            most_requests: in a batch.
            most_bytes: of its file.
        """
        self._reply, self.seconds, self.is_served = reply, seconds, is_served
        self.most_requests, self.most_bytes = most_requests, most_bytes
        self.faults: deque[BatchFault | None] = deque(faults)
        for fault in self.faults:
            if fault is not None and fault not in get_args(BatchFault):
                raise ValueError(
                    f"there is no fault {fault!r} of a batch: choose from {', '.join(get_args(BatchFault))}"
                )
        self.files: dict[str, StoredFile] = {}
        self.batches: dict[str, StoredBatch] = {}
        self.answered: Counter[str] = Counter()
        """Custom id → times that its request was worked off, and billed."""
        self._working: set[asyncio.Task[None]] = set()
        self._made = 0

    def serves(self, path: str) -> bool:
        """Whether a path is that of a file or batch."""
        return self.is_served and _PLACE.search(path) is not None

    @property
    def counts(self) -> dict[str, int]:
        """Batches that were made, and requests of batches that were worked off."""
        return {"batches": len(self.batches), "batched": self.answered.total()}

    def answer(self, method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Answer:
        """What a request for a file or a batch gets.

        Raises:
            Problem: it is turned down.
        """
        place = _PLACE.search(path)
        kind, name, action = (part or "" for part in place.groups()) if place else ("", "", "")
        answers = {
            ("POST", "files", False, ""): lambda: self._take_file(headers, raw),
            ("GET", "files", False, ""): lambda: _listed(file.described() for file in self.files.values()),
            ("GET", "files", True, ""): lambda: self._file(name).described(),
            ("GET", "files", True, "content"): lambda: self._file(name).content,
            ("DELETE", "files", True, ""): lambda: self._delete(name),
            ("POST", "batches", False, ""): lambda: self._create(raw).described(),
            ("GET", "batches", False, ""): lambda: _listed(batch.described() for batch in self.batches.values()),
            ("GET", "batches", True, ""): lambda: self._batch(name).described(),
            ("POST", "batches", True, "cancel"): lambda: self._cancel(name).described(),
        }
        found = answers.get((method, kind, bool(name), action))
        if found is None:
            raise Problem(404, f"Invalid URL ({method} {path})")
        made = found()
        if isinstance(made, bytes):
            return Answer(200, made, {"Content-Type": "application/octet-stream"})
        return Answer(200, json.dumps(made).encode(), JSON)

    def _take_file(self, headers: Mapping[str, str], raw: bytes) -> dict[str, Any]:
        head = f"Content-Type: {headers.get('content-type', '')}\r\n\r\n".encode()
        form = BytesParser(policy=HTTP).parsebytes(head + raw)
        parts = {part.get_param("name", header="content-disposition"): part for part in form.iter_parts()}
        if "file" not in parts or "purpose" not in parts:
            raise Problem(400, "Missing required parameter: 'file' or 'purpose'.", "missing_required_parameter")
        content = parts["file"].get_payload(decode=True)
        assert isinstance(content, bytes)
        if len(content) > self.most_bytes:
            raise Problem(413, f"The file is larger than {self.most_bytes} bytes.", "file_too_large")
        file = self._store(parts["file"].get_filename() or "file", content)
        return file.described()

    def _store(self, name: str, content: bytes) -> StoredFile:
        self._made += 1
        file = StoredFile(f"file-{self._made}", name, content)
        self.files[file.id] = file
        return file

    def _file(self, name: str) -> StoredFile:
        if name not in self.files:
            raise Problem(404, f"No such File object: {name}", param="id")
        return self.files[name]

    def _delete(self, name: str) -> dict[str, Any]:
        del self.files[self._file(name).id]
        return {"id": name, "object": "file", "deleted": True}

    def _batch(self, name: str) -> StoredBatch:
        if name not in self.batches:
            raise Problem(404, f"No batch found with id '{name}'.")
        return self.batches[name]

    def _create(self, raw: bytes) -> StoredBatch:
        try:
            body = json.loads(raw)
            file, endpoint, window = body["input_file_id"], body["endpoint"], body["completion_window"]
        except (ValueError, TypeError, KeyError):
            raise Problem(400, "input_file_id, endpoint and completion_window are required.") from None
        if window != "24h":
            raise Problem(400, f"Invalid value: {window!r}.", "invalid_value", "completion_window")
        self._file(file)
        self._made += 1
        fault = self.faults.popleft() if self.faults else None
        batch = StoredBatch(f"batch_{self._made}", file, endpoint, body.get("metadata"), fault)
        self.batches[batch.id] = batch
        task = asyncio.get_running_loop().create_task(self._work(batch))
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        return batch

    def _cancel(self, name: str) -> StoredBatch:
        batch = self._batch(name)
        if batch.status in ("validating", "in_progress"):
            batch.status = "cancelling"
            batch.cancelling.set()
        return batch

    async def _work(self, batch: StoredBatch) -> None:
        """Works a batch off."""
        started = time.monotonic()
        lines = self.files[batch.file].content.splitlines()
        batch.total = len(lines)
        batch.problem = self._problem(batch, lines)
        if batch.problem:
            batch.status = "failed"
            return
        batch.status = "in_progress"
        if batch.fault == "stuck":
            await batch.cancelling.wait()
        is_part = batch.fault in ("expired", "cancelled", "stuck")
        output: list[bytes] = [b"{what is this?"] if batch.fault == "garbage" else []
        errors: list[bytes] = []
        if batch.fault == "foreign":
            output += [_line(f"{number:064x}", 200, {"choices": []}) for number in range(3)]
        for number, line in enumerate(lines):
            if not number % _TURN:
                await asyncio.sleep(0)
            request = json.loads(line)
            name = request["custom_id"]
            if batch.cancelling.is_set() or (is_part and number >= len(lines) // 2):
                ended = "expired" if batch.fault == "expired" else "cancelled"
                errors.append(_unanswered(name, f"batch_{ended}", f"This request was not executed: {ended}."))
            elif batch.fault == "missing" and number % 3 == 0:
                continue
            elif batch.fault == "errors" and number % 3 == 0:
                errors.append(_line(name, 500, Problem(500, "The server had an error.").answer().body))
            else:
                answer = self._reply(request["url"], request["body"])
                self.answered[name] += answer.status == 200
                (output if answer.status == 200 else errors).append(_line(name, answer.status, answer.body))
            batch.completed, batch.failed = len(output), len(errors)
        output.reverse()  # their order is nobody's promise
        await self._wait(batch, started)
        batch.output = self._store("output.jsonl", _joined(output * (2 if batch.fault == "twice" else 1))).id
        batch.errors = self._store("errors.jsonl", _joined(errors)).id if errors else None
        if batch.fault == "no_output":
            del self.files[batch.output]
        is_cancelled = batch.cancelling.is_set() or batch.fault == "cancelled"
        batch.status = "cancelled" if is_cancelled else "expired" if batch.fault == "expired" else "completed"

    async def _wait(self, batch: StoredBatch, started: float) -> None:
        """Until it has taken its seconds, of which there may be fewer by now, or is cancelled."""
        while not batch.cancelling.is_set() and (left := started + self.seconds - time.monotonic()) > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(batch.cancelling.wait(), min(left, _LOOK))

    def _problem(self, batch: StoredBatch, lines: list[bytes]) -> str:
        """Why a batch is not worked off at all."""
        if batch.fault == "failed":
            return "Enqueued token limit reached."
        if not lines or len(lines) > self.most_requests:
            return f"The batch has {len(lines)} requests: from 1 to {self.most_requests} are allowed."
        seen: set[str] = set()
        models: set[str] = set()
        for number, line in enumerate(lines, 1):
            try:
                request = json.loads(line)
                name, body = request["custom_id"], request["body"]
                models.add(body["model"])
                if not isinstance(name, str) or not 0 < len(name) <= 64 or name in seen:
                    return f"Line {number}: the custom_id is no text of its own of at most 64 characters."
                if request["method"] != "POST" or request["url"] != batch.endpoint:
                    return f"Line {number}: the URL does not match the batch's endpoint."
                seen.add(name)
            except (ValueError, TypeError, KeyError):
                return f"Line {number} is not a request."
        return "The requests of a batch must name one model." if len(models) > 1 else ""


def _listed(items: Iterator[dict[str, Any]]) -> dict[str, Any]:
    """Newest first, all on one page."""
    data = list(items)[::-1]
    ends = {"first_id": data[0]["id"], "last_id": data[-1]["id"]} if data else {}
    return {"object": "list", "data": data, "has_more": False, **ends}


def _line(name: str, status: int, body: Any) -> bytes:
    if isinstance(body, bytes):
        body = json.loads(body)
    response = {"status_code": status, "request_id": f"req_{name[:8]}", "body": body}
    return json.dumps({"id": f"batch_req_{name}", "custom_id": name, "response": response, "error": None}).encode()


def _unanswered(name: str, code: str, message: str) -> bytes:
    error = {"code": code, "message": message}
    return json.dumps({"id": f"batch_req_{name}", "custom_id": name, "response": None, "error": error}).encode()


def _joined(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)
