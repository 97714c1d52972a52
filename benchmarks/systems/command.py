"""`command:…`: a program in any language and environment, asked by JSON lines."""

import hashlib
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwright.benchmarks.predictions import CLOSED, GOLD, WITHOUT_GOLD
from benchwright.benchmarks.secrecy import hide_options, private, private_values
from benchwright.benchmarks.systems.base import Answerer, Opening, System, SystemKind, check_texts
from benchwright.benchmarks.systems.calling import Callables, prepare
from benchwright.benchmarks.systems.commands.program import CONTEXTS, INDEX, RETRIEVE, Program, arguments_of
from benchwright.benchmarks.text.slugs import slug
from benchwright.benchmarks.types import Document

PREFIX = "command:"


def open_command(reference: str, opening: Opening) -> System:
    """The program of a command line, started in the working folder; see `Program.greet` for what it is asked first.

    Raises:
        UsageError: the line names no program, or wants a shell.
        BenchwrightError: the program cannot be started, or says of itself what cannot be meant.
    """
    arguments = arguments_of(reference.removeprefix(PREFIX), private(reference))
    shown = hide_options(arguments)
    program = Program(
        private(reference if shown == arguments else PREFIX + shlex.join(shown)), arguments, opening.timeout
    )
    program.greet()
    hello, script = program.hello, _script(arguments)
    can_retrieve = RETRIEVE in hello.accepts

    def answer(question: str, *, contexts: Sequence[str] | None = None) -> Mapping[str, Any]:
        return program.ask(question, contexts)

    def ready(documents: Mapping[str, Document]) -> Answerer:
        if INDEX in hello.accepts:
            check_texts(documents, program.reference)
            program.index(documents)
        called = Callables(
            program.reference,
            answer,
            program.retrieve if can_retrieve else None,
            None,
            CONTEXTS in hello.accepts,
            is_async=False,
        )
        return prepare(called, opening, documents)

    return System(
        name=slug(Path(script or arguments[0]).stem, "command"),
        kind="command",
        reference=program.reference,
        description=f"the program {private(' '.join(shown))}, asked by JSON lines",
        prepare=ready,
        settings={
            "accepts": sorted(hello.accepts),
            **({"k": opening.k} if can_retrieve else {}),
            **({"own": private_values(hello.settings)} if hello.settings else {}),
        },
        unsupported=_unsupported(hello.accepts),
        workers=hello.at_once,
        keeps_time=True,
        source=None if script is None else hashlib.sha256(Path(script).read_bytes()).hexdigest(),
        close=program.close,
    )


def _unsupported(accepts: Sequence[str]) -> dict[str, str]:
    """Condition that it cannot be put in → why."""
    if CONTEXTS not in accepts:
        return dict.fromkeys((CLOSED, GOLD, WITHOUT_GOLD), "the program does not say that it accepts contexts")
    return {} if RETRIEVE in accepts else {WITHOUT_GOLD: "the program does not say that it accepts retrieve"}


def _script(arguments: Sequence[str]) -> str | None:
    """The file that a program is: of `node rag.js` the second; None where it lies outside of the working folder."""
    return next((each for each in arguments if not Path(each).is_absolute() and Path(each).is_file()), None)


KIND = SystemKind(
    name="command",
    matches=lambda reference: reference.startswith(PREFIX),
    open=open_command,
    order=20,
    form=f"{PREFIX}PROGRAM",
)
