"""What a submitter says of a system: from the command line, from `system.yaml`, else asked for on a terminal."""

import functools
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from benchwright.scripts.options.common import SystemOption, is_on_command_line

_OPTIONS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("--name", "name", {"help": "The system's name, as it is shown."}),
    ("--author", "authors", {"multiple": True, "metavar": "NAME", "help": "Who made it; repeatable."}),
    (
        "--openness",
        "openness",
        {
            "type": click.Choice(["open-source", "open-weights", "closed"]),
            "help": "Code and models are public; the models are; neither, or in part.",
        },
    ),
    ("--retriever", "retriever", {"metavar": "TEXT", "help": "What it finds passages with, in words; or 'none'."}),
    (
        "--asks",
        "models",
        {"multiple": True, "metavar": "[ROLE=]MODEL", "help": "A model that it asks: answers=gpt-4o; repeatable."},
    ),
    ("--licence", "licence", {"metavar": "NAME", "help": "The system's licence."}),
    ("--link", "link", {"metavar": "URL", "help": "A paper, a repository, a product."}),
    ("--organisation", "organisation", {"metavar": "NAME", "help": "Whose it is."}),
    (
        "--builders-took-part/--no-builder-took-part",
        "builders_took_part",
        {"default": None, "help": "Whether who built the benchmark had part in the system."},
    ),
    ("--description", "description", {"metavar": "TEXT", "help": "What else there is to say."}),
)
_FLAGS = {field: flag.partition("/")[0] for flag, field, _ in _OPTIONS}


def system_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options above; the command gets those of the command line as `said`, of `benchwright.toml` as `usual`."""

    @functools.wraps(function)
    def command(**values: Any) -> Any:
        given = {field: values.pop(field) for _, field, _ in _OPTIONS}
        found: dict[bool, dict[str, Any]] = {True: {}, False: {}}
        for field, value in given.items():
            if value not in (None, ()):
                found[is_on_command_line(field)][field] = _plain(field, value)
        return function(**values, said=found[True], usual=found[False])

    for flag, field, attributes in reversed(_OPTIONS):
        command = click.option(flag, field, cls=SystemOption, **attributes)(command)
    return command


def _plain(field: str, value: Any) -> Any:
    """A value as `system.yaml` has it."""
    if field == "openness":
        return str(value).replace("-", " ")
    return list(value) if isinstance(value, tuple) else value


def complete_system(
    said: Mapping[str, Any], told: Mapping[str, Any], usual: Mapping[str, Any], name: str, place: Path
) -> Any:
    """The system, from the options and what was told before; what is missing is asked for.

    Args:
        said: on the command line.
        told: before, in a file; empty where there was none.
        usual: of all systems, in `benchwright.toml`.
        name: the run's.
        place: the file in which it is remembered.

    Raises:
        UsageError: something is missing, and nobody can be asked.
        BenchwrightError: something is not as it must be.
    """
    from benchwright.benchmarks.errors import UsageError
    from benchwright.benchmarks.leaderboards.system_file import REQUIRED, system_file

    values = {**usual, **told, **said}
    if sys.stdin.isatty():
        values |= _ask(values, name, is_new=not told)
    missing = [field for field in REQUIRED if values.get(field) in (None, "", [])]
    if missing:
        flags = ", ".join(_FLAGS[field] for field in missing)
        raise UsageError(f"nothing is said of the system's {', '.join(missing)}: give {flags}, or write {place}")
    return system_file(values, "what is said of the system" if said else place.name)


def _ask(values: Mapping[str, Any], name: str, *, is_new: bool) -> dict[str, Any]:
    """What is missing, asked one by one until it is right; what may be missing is asked of a new system alone."""
    from benchwright.benchmarks.leaderboards.system_file import OPENNESS, REQUIRED

    questions: dict[str, dict[str, Any]] = {
        "name": {"text": "The system's name, as it is shown", "default": name},
        "authors": {"text": "Its authors, with commas"},
        "openness": {"text": f"What of it is public: code and models, models, nothing ({', '.join(OPENNESS)})"},
        "retriever": {"text": "What it finds passages with, in words, or none"},
        "models": {"text": "Models that it asks, as ROLE=MODEL with commas, or none", "default": "none"},
        "licence": {"text": "Its licence", "default": "unknown"},
        "link": {"text": "A link to it (https), or none", "default": "none"},
        "builders_took_part": {"text": "Did who built the benchmark have part in it? (yes, no)", "default": "no"},
    }
    found: dict[str, Any] = {}
    for field, how in questions.items():
        if field in values or not (is_new or field in REQUIRED):
            continue
        found[field] = click.prompt(**how, err=True, value_proc=functools.partial(_checked, field))
    return found


def _checked(field: str, text: str) -> Any:
    """An answer as the value of its field; click asks again where it is none."""
    from benchwright.benchmarks.errors import BenchwrightError
    from benchwright.benchmarks.leaderboards.system_file import system_file

    value: Any = _plain(field, text.strip())
    if field in ("authors", "models"):
        value = [part.strip() for part in text.split(",") if part.strip()]
    if field in ("models", "link") and text.strip().lower() in ("none", ""):
        value = [] if field == "models" else ""
    least = {"name": "x", "authors": ["x"], "openness": "closed", "retriever": "x"}
    try:
        system_file({**least, field: value}, "it")
    except BenchwrightError as error:
        raise click.UsageError(str(error)) from None
    return value
