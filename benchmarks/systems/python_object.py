"""A system given as `module:object`: a function, a class or an object of the working folder or of any package."""

import functools
import hashlib
import importlib
import inspect
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.systems.base import Answerer, System
from benchwright.benchmarks.systems.replies import to_prediction
from benchwright.benchmarks.text.slugs import slug
from benchwright.benchmarks.types import Document, Question

_PLAIN_NAMES = {"answer", "system", "rag"}
"""Names of objects that say nothing beyond their module's."""


def open_module(reference: str, k: int) -> System:
    """The system that `module:object` names.

    Raises:
        BenchwrightError: it cannot be imported, or cannot be asked a question.
    """
    module_name, _, path = reference.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    module = _import(reference, module_name)
    target = _instance(reference, _attribute(reference, module, path))
    answer = getattr(target, "answer", target)
    if not callable(answer):
        raise BenchwrightError(
            f"the system {reference} cannot be asked: it is {_kind(target)}; "
            f"name a function answer(question) or an object that has one"
        )
    _check_signature(reference, answer)
    retrieve, index = getattr(target, "retrieve", None), getattr(target, "index", None)
    retrieve = retrieve if callable(retrieve) and target is not answer else None
    index = index if callable(index) and target is not answer else None
    accepts = [name for name, there in (("retrieve", retrieve), ("index", index)) if there is not None]
    accepts += ["contexts"] if _accepts_contexts(answer) else []
    is_async = inspect.iscoroutinefunction(answer) or inspect.iscoroutinefunction(getattr(answer, "__call__", None))  # noqa: B004
    return System(
        name=_name(module_name, path),
        reference=reference,
        description=f"{reference}, called",
        prepare=functools.partial(_prepare, reference, answer, retrieve, index, k),
        settings={
            "accepts": sorted(accepts),
            **({"k": k} if retrieve is not None else {}),
            **_declared(reference, target),
        },
        is_async=is_async,
        source=_source(module),
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


def _check_signature(reference: str, answer: Callable[..., Any]) -> None:
    try:
        signature = inspect.signature(answer)
    except (TypeError, ValueError):
        return
    try:
        signature.bind("question")
    except TypeError as error:
        raise BenchwrightError(
            f"the system {reference} cannot be asked: {error}; it must take one argument, answer(question)"
        ) from None


def _accepts_contexts(answer: Callable[..., Any]) -> bool:
    try:
        return "contexts" in inspect.signature(answer).parameters
    except (TypeError, ValueError):
        return False


def _declared(reference: str, target: Any) -> Mapping[str, Any]:
    """What an object says of itself in `settings`, as JSON."""
    settings = getattr(target, "settings", None)
    if not isinstance(settings, Mapping):
        return {}
    try:
        return {"own": json.loads(json.dumps(dict(settings), sort_keys=True))}
    except (TypeError, ValueError) as error:
        raise BenchwrightError(f"the settings of the system {reference} are no JSON: {error}") from None


def _prepare(
    reference: str,
    answer: Callable[..., Any],
    retrieve: Callable[..., Any] | None,
    index: Callable[..., Any] | None,
    k: int,
    documents: Mapping[str, Document],
) -> Answerer:
    if index is not None:
        try:
            index([{"id": each.id, "title": each.title, "text": each.text} for each in documents.values()])
        except Exception as error:
            raise BenchwrightError(
                f"the system {reference} failed in index(documents): {type(error).__name__}: {error}"
            ) from error
    if retrieve is None:
        return lambda question: answer(question.question)
    if inspect.iscoroutinefunction(answer):
        return functools.partial(_ask_async, answer, retrieve, k)
    return functools.partial(_ask, answer, retrieve, k)


def _ask(answer: Callable[..., Any], retrieve: Callable[..., Any], k: int, question: Question) -> Any:
    reply = to_prediction(answer(question.question), question.id)
    return reply if reply.contexts else _with_contexts(reply, retrieve(question.question, k))


async def _ask_async(answer: Callable[..., Any], retrieve: Callable[..., Any], k: int, question: Question) -> Any:
    reply = to_prediction(await answer(question.question), question.id)
    if reply.contexts:
        return reply
    found = retrieve(question.question, k)
    return _with_contexts(reply, await found if inspect.isawaitable(found) else found)


def _with_contexts(reply: Prediction, found: Any) -> Prediction:
    """An answer that names no contexts, with those that its system retrieves for the question."""
    contexts = to_prediction({"answer": "", "contexts": list(found)}, reply.id).contexts
    return replace(reply, contexts=contexts)


def _name(module: str, path: str) -> str:
    parts = [*module.split("."), *(part for part in path.split(".") if part.lower() not in _PLAIN_NAMES)]
    return slug("-".join(parts), "system")


def _source(module: Any) -> str | None:
    path = getattr(module, "__file__", None)
    return hashlib.sha256(Path(path).read_bytes()).hexdigest() if path and Path(path).is_file() else None


def _kind(value: Any) -> str:
    return "a module" if inspect.ismodule(value) else f"an object of type {type(value).__name__}"
