"""A program that is asked: as many of its processes as questions are asked at once, each restarted where it dies."""

import itertools
import shlex
import shutil
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonlines

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.systems.commands.lines import ACCEPTS
from benchwright.benchmarks.systems.commands.process import EndedError, Process, Reply, SilentError, end_all
from benchwright.benchmarks.types import Document

CONTEXTS, RETRIEVE, INDEX = "contexts", "retrieve", "index"
CAN = (CONTEXTS, RETRIEVE, INDEX)
"""What a program may say that it accepts."""
_SHELL = {"|", "||", "&", "&&", ";", ">", ">>", "<", "2>", "2>&1"}
_SETTLED = 0.05
"""Seconds in which a second answer to the greeting would come."""
_MOST_AT_ONCE = 256


@dataclass(frozen=True)
class Hello:
    """What a program says of itself."""

    accepts: tuple[str, ...] = ()
    at_once: int = 1
    """Requests that one process takes before it answers."""
    settings: Mapping[str, Any] = field(default_factory=dict)


def arguments_of(command: str, reference: str) -> list[str]:
    """The program and its arguments, as a shell would split them; no shell runs them.

    Raises:
        UsageError: there is none, or it wants a shell.
        BenchwrightError: there is no such program.
    """
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"the system {reference}: {error}: close it") from None
    if not arguments:
        raise UsageError("command: names no program: write command:PROGRAM and its arguments in one pair of quotes")
    sign = next((each for each in arguments if each in _SHELL), None)
    if sign is not None and arguments[0] not in ("sh", "bash", "zsh"):
        raise UsageError(f"the system {reference}: no shell reads {sign!r}: write command:sh -c '…'")
    name = arguments[0]
    if shutil.which(name) is None:
        raise BenchwrightError(f"the system {reference} cannot be started: {_why_not(name)}")
    return arguments


def _why_not(name: str) -> str:
    if Path(name).is_dir():
        return f"{name} is a folder"
    if Path(name).is_file():
        here = f"./{name}" if "/" not in name else name
        return (
            f"{name} is no program that can be run: name its interpreter first, or do chmod +x {name} and name {here}"
        )
    if "=" in name:
        return f"there is no program {name!r}: to set a variable, write command:env {name} …"
    return f"there is no program {name!r}: install it, or give its path"


class Program:
    """A program and its processes."""

    def __init__(self, reference: str, arguments: Sequence[str], timeout: float) -> None:
        """Describes a program; `greet` starts it.

        Args:
            reference: what it is called in messages.
            arguments: the program and its arguments.
            timeout: seconds that an answer may take, and that a new process may take to its first.
        """
        self.reference, self.arguments, self.timeout = reference, tuple(arguments), timeout
        self.folder = Path.cwd()
        self.hello = Hello()
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._processes: list[Process] = []
        self._claimed: dict[Process, int] = {}
        """Process → requests that it was chosen for."""
        self._ends_input = False
        """Whether it answers only once its input has ended: then a process answers one question."""
        self._documents: tempfile.TemporaryDirectory[str] | None = None
        self._is_closed = False
        self._started = self._died = self._passed_over = self._repeated = 0
        self._first_died = ""

    def greet(self) -> None:
        """Starts it, and learns what it can do: whoever can do more than answer answers the greeting with it.

        What else a program answers to a greeting is of no account, and so is that it does not.

        Raises:
            BenchwrightError: it cannot be started, says what cannot be meant, or answers twice.
        """
        process = self._claim()
        request, said = {"hello": 1, "question": "Hello", CONTEXTS: None}, None
        try:
            said = process.ask(next(self._numbers), request, self.timeout)
        except SilentError as error:
            self._ends_input = error.held_back is not None
        except (EndedError, BenchwrightError):
            pass  # at a question it may do better
        if said is None:
            self._drop(process)
        hello = said if said is not None and isinstance(said.get(ACCEPTS), list) else process.hello
        if hello is not None:
            self.hello = _hello_of(hello, self.reference)
        if said is None:
            return
        if not process.echoes:
            time.sleep(_SETTLED)
            if process.unasked:
                self._drop(process)
                raise BenchwrightError(f"the system {self.reference} {_TWICE}")
        self._release(process)

    def index(self, documents: Mapping[str, Document]) -> None:
        """Hands over the corpus, to each process as it is started: as a file of JSON lines with id, title, text.

        Raises:
            BenchwrightError: it could not take it in.
        """
        self._documents = tempfile.TemporaryDirectory(prefix="benchwright-")
        with jsonlines.open(Path(self._documents.name) / "documents.jsonl", "w") as file:
            file.write_all({"id": each.id, "title": each.title, "text": each.body} for each in documents.values())
        for process in list(self._processes):
            self._give_documents(process)

    def _give_documents(self, process: Process) -> None:
        assert self._documents is not None
        path = Path(self._documents.name) / "documents.jsonl"
        try:
            said = process.ask(next(self._numbers), {INDEX: str(path)}, None)
        except EndedError:
            problem = process.how_it_ended()
        except BenchwrightError as error:
            problem = str(error)
        else:
            if not said.get("error"):
                return
            problem = str(said["error"])[:500]
        self._drop(process)
        raise BenchwrightError(f"the system {self.reference} failed at the index request: {problem}")

    def ask(self, question: str, contexts: Sequence[str] | None) -> Reply:
        """Its answer to a question, with the seconds that it took.

        Raises:
            BenchwrightError: there is none, and why.
        """
        return self._request({"question": question, CONTEXTS: contexts})

    def retrieve(self, question: str, k: int) -> Sequence[Any]:
        """The best k contexts that it finds.

        Raises:
            BenchwrightError: there are none, and why.
        """
        found = self._request({RETRIEVE: k, "question": question})
        if found.get("error"):
            raise BenchwrightError(str(found["error"]))
        contexts = found.get(CONTEXTS)
        if not isinstance(contexts, list):
            raise BenchwrightError('returned no list "contexts" for a request to retrieve')
        return contexts

    def _request(self, request: Mapping[str, Any]) -> Reply:
        """Asks; a process that ended after other answers may do so after each, and another is asked once more."""
        ends = time.monotonic() + self.timeout
        for is_first in (True, False):
            process = self._claim(is_new=not is_first)
            is_fresh = not process.answered
            asked = time.monotonic()
            try:
                if process.unasked and not process.echoes:
                    raise BenchwrightError(_TWICE)
                left = max(0.0, ends - asked)
                found = process.ask(next(self._numbers), request, left, is_last=self._ends_input)
            except EndedError:
                how = self._ended(process)
                if is_fresh or not is_first or self._is_closed:
                    self._note_death(how)
                    raise BenchwrightError(how) from None
            except SilentError as error:
                raise BenchwrightError(self._silence(process, error)) from None
            except BenchwrightError:
                self._drop(process)
                raise
            else:
                seconds = round(time.monotonic() - asked, 4)
                self._release(process)
                return {**found, "latency": seconds} if found.get("latency") is None else found
        raise AssertionError("a request that neither came back nor failed")

    def _silence(self, process: Process, error: SilentError) -> str:
        words = process.last_words()
        if error.held_back is not None and not self._ends_input:
            words = (
                "; the answer came when its input ended: it must flush its output after each line "
                "(flush=True in Python, $| = 1 in Perl)"
            )
        elif not words:
            words = "; it printed nothing: does it flush its output after each line?"
        self._drop(process)
        self._note_death("no answer in time")
        return f"no answer within {self.timeout:g} s{words}"

    def _note_death(self, how: str) -> None:
        with self._lock:
            self._died += 1
            self._first_died = self._first_died or how

    def _claim(self, *, is_new: bool = False) -> Process:
        """A process that has room for a request, started where there is none, or a new one is wanted.

        Raises:
            BenchwrightError: it cannot be started.
        """
        with self._lock:
            if self._is_closed:
                raise BenchwrightError("the run has ended")
            for process in self._processes:
                if not is_new and not process.is_over and self._claimed[process] < self.hello.at_once:
                    self._claimed[process] += 1
                    return process
            over = [each for each in self._processes if each.is_over and not self._claimed[each]]
            try:
                process = Process(self.arguments, self.folder)
            except OSError as error:
                why = error.strerror or str(error)
                raise BenchwrightError(
                    f"the system {self.reference} cannot be started: {why}: name its interpreter first"
                ) from None
            self._started += 1
            self._processes.append(process)
            self._claimed[process] = self.hello.at_once  # by nobody else, until it has the documents
        for each in over:
            self._drop(each)
        if self._documents is not None:
            self._give_documents(process)
        with self._lock:
            if process in self._claimed:
                self._claimed[process] = 1
        return process

    def _release(self, process: Process) -> None:
        with self._lock:
            if process in self._claimed:  # else another's request has ended it
                self._claimed[process] -= 1
        if self._ends_input:
            self._drop(process)

    def _ended(self, process: Process) -> str:
        how = process.how_it_ended()
        self._drop(process)
        return how

    def _drop(self, process: Process) -> None:
        """Ends a process that is of no use any more."""
        process.end(0.0)
        with self._lock:
            if process in self._processes:
                self._processes.remove(process)
                self._count(process)

    def _count(self, process: Process) -> None:
        del self._claimed[process]
        self._passed_over += process.passed_over
        self._repeated += process.repeated

    def close(self) -> list[str]:
        """Ends all processes; returns what was odd about them, as lines."""
        with self._lock:
            self._is_closed = True
            processes = list(self._processes)
        end_all(processes)
        with self._lock:
            for process in self._processes:
                self._count(process)
            self._processes.clear()
        if self._documents is not None:
            self._documents.cleanup()
            self._documents = None
        return self._remarks()

    def _remarks(self) -> list[str]:
        found: list[str] = []
        if self._died:
            again = "once" if self._died == 1 else f"{self._died:,} times"
            found.append(f"{self.reference} had to be restarted {again}: {self._first_died}")
        if self._passed_over:
            lines = "1 line" if self._passed_over == 1 else f"{self._passed_over:,} lines"
            found.append(f"{self.reference} printed {lines} to stdout that are no answers: passed over")
        if self._repeated:
            count = "1 answer" if self._repeated == 1 else f"{self._repeated:,} answers"
            found.append(f"{self.reference} gave {count} to requests that it had answered: only the first count")
        return found


_TWICE = (
    "answered more often than it was asked, without ids, so that nobody knows which answer is to what: it must print "
    "one JSON line for each request, or return the request's id"
)


def _hello_of(said: Reply, reference: str) -> Hello:
    """What a program says that it can do.

    Raises:
        BenchwrightError: it cannot be meant.
    """
    accepts, at_once, settings = said[ACCEPTS], said.get("at_once", 1), said.get("settings", {})
    unknown = next((each for each in accepts if each not in CAN), None)
    problem = None
    if unknown is not None:
        problem = f"accepts {str(unknown)[:80]!r}: there are {', '.join(CAN)}"
    elif type(at_once) is not int or not 1 <= at_once <= _MOST_AT_ONCE:
        problem = f"at_once must be a whole number from 1 to {_MOST_AT_ONCE}"
    elif not isinstance(settings, dict):
        problem = "settings must be an object"
    if problem is not None:
        raise BenchwrightError(f"the system {reference} says of itself what cannot be meant: {problem}")
    return Hello(tuple(name for name in CAN if name in accepts), at_once, settings)
