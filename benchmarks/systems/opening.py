"""The system that a command line means, and what each kind of systems says of a reference."""

from collections.abc import Awaitable, Callable
from difflib import get_close_matches
from typing import Any

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.registry import find_all
from benchwright.benchmarks.systems.base import SYSTEM_KINDS, Opening, RagSystem, Reply, System, SystemKind


def kind_of_system(reference: str) -> SystemKind | None:
    """The kind of systems that a reference means, the first in their order; None where it means none."""
    return next((kind for kind in _kinds() if kind.matches(reference)), None)


def open_system(reference: str, opening: Opening) -> System:
    """The system of a reference.

    Raises:
        UsageError: no kind of systems knows it.
        BenchwrightError: it cannot be opened.
    """
    kind = kind_of_system(reference)
    if kind is None:
        raise UsageError(f"there is no system {reference!r}: {_meant(reference)}")
    return kind.open(reference, opening)


def open_given(given: str | RagSystem | Callable[..., Reply | Awaitable[Reply]], opening: Opening) -> System:
    """The system of a reference, or of an object that a program has at hand.

    Raises:
        UsageError: no kind of systems knows the reference.
        BenchwrightError: it cannot be opened, or the object cannot be asked a question.
    """
    if isinstance(given, str):
        return open_system(given, opening)
    from benchwright.benchmarks.systems.python_object import open_object, slug_of

    named: Any = given if hasattr(given, "__qualname__") else type(given)
    module, path = named.__module__, named.__qualname__.replace("<locals>.", "")
    return open_object(given, f"{module}:{path}", opening, name=slug_of(module, path))


def models_of(reference: str) -> tuple[str, ...]:
    """The models that a reference names, as `--model` takes them."""
    kind = kind_of_system(reference)
    return kind.models(reference) if kind is not None else ()


def _kinds() -> list[SystemKind]:
    return sorted(find_all(SYSTEM_KINDS).values(), key=lambda kind: (kind.order, kind.name))


def _meant(reference: str) -> str:
    """What was probably meant, else what there is."""
    kinds = _kinds()
    named = [name for kind in kinds for name in kind.names()]
    near = get_close_matches(reference.lower(), named, 1)
    if near:
        return f"did you mean {near[0]}?"
    hints = (kind.hint(reference) for kind in kinds)
    forms = ", ".join(kind.form for kind in kinds if kind.form is not None)
    return next((hint for hint in hints if hint is not None), f"give {forms} or one of {', '.join(named)}")
