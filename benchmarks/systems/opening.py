"""The system that a command line means."""

from difflib import get_close_matches
from pathlib import Path

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.systems.base import System

MODEL = "openai:"
"""Before a model's name: it is asked closed book."""
LATER = ("http:", "https:", "command:")
"""Prefixes of systems that are asked over a network or as a program."""


def is_file(reference: str) -> bool:
    """Whether a reference names predictions made elsewhere."""
    return reference.lower().endswith(".jsonl") and not reference.startswith((MODEL, *LATER))


def open_system(reference: str, k: int, client: Client | None = None) -> System:
    """The system of a reference: a baseline's name, `openai:MODEL` or `module:object`.

    Raises:
        UsageError: it is neither.
        BenchwrightError: the module cannot be imported, or what it holds cannot be asked.
    """
    from benchwright.benchmarks.systems.baselines import baselines

    known = baselines(k, client)
    if reference in known:
        return known[reference]
    if reference.startswith(MODEL):
        from benchwright.benchmarks.systems.language_model import closed_book_model

        if client is None:
            raise UsageError(f"the system {reference!r} needs a client: name the model with --model system=NAME")
        return closed_book_model(client, reference)
    if reference.startswith(LATER):
        raise UsageError(
            f"the system {reference!r} cannot be asked yet: give module:object, FILE.jsonl or one of {', '.join(known)}"
        )
    module, colon, name = reference.partition(":")
    if colon and all(part.isidentifier() for part in [*module.split("."), *name.split(".")]):
        from benchwright.benchmarks.systems.python_object import open_module

        return open_module(reference, k)
    raise UsageError(_unknown(reference, list(known)))


def _unknown(reference: str, known: list[str]) -> str:
    near = get_close_matches(reference.lower(), known, 1)
    if near:
        return f"there is no system {reference!r}: did you mean {near[0]}?"
    path = Path(reference)
    if path.suffix == ".py":
        return f"there is no system {reference!r}: name the function too, as {path.stem}:answer"
    if path.suffix == ".json":
        return f"there is no system {reference!r}: predictions are one JSON object a line, in a file named FILE.jsonl"
    return f"there is no system {reference!r}: give module:object, FILE.jsonl or one of {', '.join(known)}"
