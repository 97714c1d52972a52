"""One process of a program: it is sent requests and watched; what it prints besides answers is kept for messages."""

import atexit
import json
import os
import queue
import re
import select
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.systems.commands.lines import Line, read_line

LONGEST_LINE = 100_000_000
"""Bytes of a line, beyond which a program is ended: one that does not end its lines must not fill the memory."""
_TAIL = 4_000
"""Bytes of what it prints besides answers that are kept."""
_SHOWN = 200
_NAMES_ERROR = re.compile(r"(?!\s)(?:[\w.]*(?:Error|Exception)\b|(?i:error|fatal|panic)\b)")
"""How a line begins that says what went wrong; programs such as Node.js print others after it."""
_GRACE = 1.0
"""Seconds that a program has to end once its input has ended."""
_LOOK = 0.1
"""Seconds after which one that waits to send a request looks whether it still can."""
_LATE = 0.2
"""Seconds in which a program whose time is over may show that it only keeps its answer back."""

Reply = Mapping[str, Any]


class EndedError(Exception):
    """The process ended, or closed its output, before it answered."""


class SilentError(Exception):
    """There was no answer in time; `held_back` is the one that came once the input had ended."""

    def __init__(self, held_back: Reply | None) -> None:
        self.held_back = held_back


class Process:
    """A running program. Requests may be sent by several threads at once."""

    def __init__(self, arguments: Sequence[str], folder: Path) -> None:
        """Starts a program, in a group of its own: whatever it starts ends with it.

        Raises:
            OSError: it cannot be started.
        """
        self._process = subprocess.Popen(
            arguments,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self._process.stdin is not None
        self._input = self._process.stdin
        os.set_blocking(self._input.fileno(), False)
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._waiting: dict[str, queue.SimpleQueue[Reply | Exception]] = {}
        self._asked: int = 0
        """The greatest number that a request has had."""
        self._other, self._errors = b"", b""
        self._is_over = self._is_ending = False
        self.hello: Reply | None = None
        """What it said of itself without being asked."""
        self.answered = 0
        self.echoes = False
        """Whether it names the request that it answers."""
        self.unasked = 0
        """Answers that name no request and came when none was waited for, since the last request."""
        self.repeated = 0
        """Answers to what it had answered before, or was not waited for any longer."""
        self.passed_over = 0
        """Lines between answers that are none."""
        _RUNNING.add(self)
        self._reader = threading.Thread(target=self._read_output, name="program's output", daemon=True)
        self._error_reader = threading.Thread(target=self._read_errors, name="program's errors", daemon=True)
        self._reader.start()
        self._error_reader.start()

    @property
    def is_over(self) -> bool:
        """Whether no further answer will come."""
        return self._is_over

    @property
    def load(self) -> int:
        """Requests that it has not answered."""
        return len(self._waiting)

    def ask(self, number: int, request: Mapping[str, Any], timeout: float | None, *, is_last: bool = False) -> Reply:
        """What it answers.

        Args:
            number: of the request, greater than those before.
            request: what it is sent, besides its id.
            timeout: seconds; None: as long as it takes.
            is_last: end its input after the request.

        Raises:
            EndedError: it ended.
            SilentError: it did not answer in time; the process is of no use any more.
            BenchwrightError: it answered something else.
        """
        name = str(number)
        ends = None if timeout is None else time.monotonic() + timeout
        arrived: queue.SimpleQueue[Reply | Exception] = queue.SimpleQueue()
        with self._lock:
            if self._is_over:
                raise EndedError
            self._waiting[name], self._asked, self.unasked = arrived, max(self._asked, number), 0
        line = json.dumps({"id": name, **request}).encode() + b"\n"
        is_sent = self._write(line, ends)
        if is_last:
            self.end_input()
        try:
            left = None if ends is None else max(0.0, ends - time.monotonic()) if is_sent else 0.0
            found = arrived.get(timeout=left)
        except queue.Empty:
            self.end_input()
            with suppress(queue.Empty):
                found = arrived.get(timeout=_LATE)
                if not isinstance(found, Exception):
                    raise SilentError(found) from None
            raise SilentError(None) from None
        finally:
            self._waiting.pop(name, None)
        if isinstance(found, Exception):
            raise found
        return found

    def _write(self, line: bytes, ends: float | None) -> bool:
        """Sends a line; False where its time was over before all of it was taken."""
        left = memoryview(line)
        with self._writing, suppress(OSError, ValueError):  # it ended: the reader says so
            while left:
                try:
                    left = left[os.write(self._input.fileno(), left) :]
                except BlockingIOError:
                    wait = 1.0 if ends is None else ends - time.monotonic()
                    if wait <= 0 or self._is_over or self._is_ending:
                        return False
                    select.select([], [self._input], [], min(wait, _LOOK))
        return True

    def end_input(self) -> None:
        """Says that there is no further request."""
        self._is_ending = True
        with self._writing, suppress(OSError):
            self._input.close()

    def _read_output(self) -> None:
        assert self._process.stdout is not None
        source, parts, size = self._process.stdout.fileno(), list[bytes](), 0
        with suppress(OSError):
            while chunk := os.read(source, 1 << 16):
                *whole, rest = chunk.split(b"\n")
                for each in whole:
                    self._take(b"".join((*parts, each)))
                    parts.clear()
                    size = 0
                parts.append(rest)
                size += len(rest)
                if size > LONGEST_LINE:
                    self._fail(BenchwrightError(f"printed a line of more than {LONGEST_LINE:,} bytes"))
                    parts.clear()
                    break
        if any(parts):
            self._take(b"".join(parts))
        with self._lock:
            self._is_over = True
        self._fail(EndedError())

    def _fail(self, error: Exception) -> None:
        """Tells all who wait."""
        with self._lock:
            for arrived in self._waiting.values():
                arrived.put(error)
            self._waiting.clear()

    def _take(self, text: bytes) -> None:
        line = read_line(text)
        with self._lock:
            if line is None or not self._deliver(line):
                self._pass_over(text)

    def _deliver(self, line: Line) -> bool:
        """Hands an answer to whom it is for; False where it is none."""
        waiting = self._waiting
        if line.id in waiting:
            self.echoes = True
            self._hand(line.id, line.fields)
            return True
        if line.id is not None and line.id.isdecimal() and int(line.id) <= self._asked:
            self.repeated += 1
            return True
        if line.is_hello and line.id is None:
            self.hello = line.fields
            return True
        if not line.looks_like_answer:
            return False
        if line.id is not None:
            if len(waiting) == 1:
                asked = next(iter(waiting))
                said = line.id if len(line.id) <= _SHOWN else f"{line.id[:_SHOWN]}…"
                problem = f"returned the id {said!r} for the request {asked!r}: it must return its id, or none"
                self._hand(asked, BenchwrightError(problem))
                return True
            return False
        if self.echoes:
            return False
        if len(waiting) == 1:
            self._hand(next(iter(waiting)), line.fields)
            return True
        self.unasked += 1
        return not waiting

    def _hand(self, name: str, found: Reply | Exception) -> None:
        self.answered += not isinstance(found, Exception)
        self._waiting.pop(name).put(found)

    def _pass_over(self, text: bytes) -> None:
        if text.strip():
            self.passed_over += 1
            self._other = (self._other + text[-_TAIL:] + b"\n")[-_TAIL:]

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        with suppress(OSError):
            while chunk := os.read(self._process.stderr.fileno(), 1 << 16):
                self._errors = (self._errors + chunk)[-_TAIL:]

    def last_words(self) -> str:
        """The last line of its errors that names one, else the last, else of what else it printed; ends a message."""
        for text, where in ((self._errors, "stderr"), (self._other, "stdout")):
            lines = [line for line in text.decode("utf-8", "replace").splitlines() if line.strip()]
            if lines:
                named = [line for line in lines if _NAMES_ERROR.match(line)] if where == "stderr" else []
                last = " ".join((named or lines)[-1].split())
                return f"; its last line on {where}: {last if len(last) <= _SHOWN else last[:_SHOWN] + '…'}"
        return ""

    def how_it_ended(self) -> str:
        """Its exit code or signal, and its last words; it is ended where it only closed its output."""
        code = self.end(_GRACE)
        self._error_reader.join(_GRACE)  # what it wrote last
        if code is None:
            how = "closed its output"
        elif code < 0:
            name = signal.Signals(-code).name if -code in set(signal.Signals) else f"the signal {-code}"
            how = f"was ended by {name}"
        else:
            how = f"ended with exit code {code}"
        return f"the program {how} before it answered{self.last_words()}"

    def end(self, grace: float) -> int | None:
        """Ends it and all that it started; returns its exit code, None where it did not end by itself in time.

        Args:
            grace: seconds that it has to end by itself.
        """
        self.end_input()
        code: int | None = None
        with suppress(subprocess.TimeoutExpired):
            code = self._process.wait(grace)
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        _RUNNING.discard(self)
        return code


def end_all(processes: Sequence[Process], grace: float = _GRACE) -> None:
    """Ends several processes, which have the seconds of `grace` together to end by themselves."""
    for process in processes:
        process.end_input()
    ends = time.monotonic() + grace
    for process in processes:
        process.end(max(0.0, ends - time.monotonic()))


_RUNNING: set[Process] = set()
atexit.register(lambda: end_all(list(_RUNNING), 0.0))
