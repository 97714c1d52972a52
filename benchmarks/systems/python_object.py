"""A system given as `module:object`: a function, a class or an object of the working folder or of any package."""

import functools
import hashlib
import importlib
import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.secrecy import private_values
from benchwright.benchmarks.systems.base import Opening, RagSystem, Reply, System, SystemKind
from benchwright.benchmarks.systems.calling import callables_of, prepare, prepare_search
from benchwright.benchmarks.text.slugs import slug

_PLAIN_NAMES = {"answer", "system", "rag"}
"""Names of objects that say nothing beyond their module's."""


def open_module(reference: str, opening: Opening) -> System:
    """The system that `module:object` names.

    Raises:
        BenchwrightError: it cannot be imported, or cannot be asked a question.
    """
    module_name, _, path = reference.partition(":")
    module = _import(reference, module_name)
    target = _instance(reference, _attribute(reference, module, path))
    return open_object(target, reference, opening, name=slug_of(module_name, path), source=_source(module))


def open_object(
    target: RagSystem | Callable[..., Reply | Awaitable[Reply]],
    reference: str,
    opening: Opening,
    *,
    name: str,
    source: str | None = None,
) -> System:
    """A function, or an object with `answer`, as a system.

    Args:
        target: see `RagSystem`.
        reference: what it is called in messages and in run.json.
        opening: with what it is opened.
        name: names the folder of its runs.
        source: the SHA-256 of the file that it is from.

    Raises:
        BenchwrightError: it cannot be asked a question.
    """
    called = callables_of(reference, target)
    return System(
        name=name,
        kind="Python object",
        reference=reference,
        description=f"{reference}, called",
        prepare=functools.partial(prepare, called, opening),
        search=None if called.retrieve is None else functools.partial(prepare_search, called, opening),
        settings={
            "accepts": called.accepts,
            **({"k": opening.k} if called.retrieve is not None else {}),
            **_declared(reference, target),
        },
        unsupported=called.unsupported,
        is_async=called.is_async,
        source=source,
    )


def _import(reference: str, name: str) -> Any:
    try:
        return importlib.import_module(name)
    except Exception as error:
        said = str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
        if isinstance(error, ModuleNotFoundError) and error.name == name.partition(".")[0]:
            near = get_close_matches(name, [path.stem for path in Path.cwd().glob("*.py")], 1)
            said += f"; did you mean {near[0]}?" if near else f"; it must be installed or in {Path.cwd()}"
        raise BenchwrightError(f"the system {reference} cannot be imported: {said}") from error


def _attribute(reference: str, module: Any, path: str) -> Any:
    found = module
    for name in path.split("."):
        if not hasattr(found, name):
            public = [each for each in vars(found) if not each.startswith("_")]
            near = get_close_matches(name, public, 1)
            hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(public[:12]) or 'nothing'}"
            where = getattr(found, "__name__", type(found).__name__)
            raise BenchwrightError(f"the system {reference} cannot be imported: {where} has no {name!r}; {hint}")
        found = getattr(found, name)
    return found


def _instance(reference: str, target: Any) -> Any:
    """The object itself; of a class with `answer`, one made without arguments."""
    if not inspect.isclass(target):
        return target
    try:
        return target()
    except Exception as error:
        raise BenchwrightError(
            f"the system {reference} cannot be made: {type(error).__name__}: {error}; "
            f"name an object, or a class that needs no arguments"
        ) from error


def _declared(reference: str, target: Any) -> Mapping[str, Any]:
    """What an object says of itself in `settings`, as JSON."""
    settings = getattr(target, "settings", None)
    if not isinstance(settings, Mapping):
        return {}
    try:
        return {"own": private_values(json.loads(json.dumps(dict(settings), sort_keys=True)))}
    except (TypeError, ValueError) as error:
        raise BenchwrightError(f"the settings of the system {reference} are no JSON: {error}") from None


def slug_of(module: str, path: str) -> str:
    """The name of a system's runs."""
    parts = [*module.split("."), *(part for part in path.split(".") if part.lower() not in _PLAIN_NAMES)]
    return slug("-".join(parts), "system")


def _source(module: Any) -> str | None:
    path = getattr(module, "__file__", None)
    return hashlib.sha256(Path(path).read_bytes()).hexdigest() if path and Path(path).is_file() else None


def _matches(reference: str) -> bool:
    module, colon, name = reference.partition(":")
    return bool(colon) and all(part.isidentifier() for part in [*module.split("."), *name.split(".")])


def _hint(reference: str) -> str | None:
    path = Path(reference)
    return f"name the function too, as {path.stem}:answer" if path.suffix == ".py" else None


KIND = SystemKind(name="python-object", matches=_matches, open=open_module, order=90, form="module:object", hint=_hint)
