"""The options of continuous integration, as one argument: gates, and the files that a server shows."""

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from benchwright.scripts.options.common import GateOption, printable

_FILE = click.Path(path_type=Path, dir_okay=False)
_OPTIONS: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (
        ("--gate", "gates"),
        {
            "multiple": True,
            "metavar": "METRIC>=DIFFERENCE",
            "help": "Exit with 3 where a run is worse than the baseline by more, with 4 where that is not decided; "
            "repeatable.",
        },
    ),
    (("--junit",), {"type": _FILE, "metavar": "FILE", "help": "Write the gates as a JUnit file."}),
    (("--summary",), {"type": _FILE, "metavar": "FILE", "help": "Write Markdown that fits a pull request's comment."}),
)


def gate_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options above; the command gets them as `gate_settings`."""

    @functools.wraps(function)
    def command(**values: Any) -> Any:
        given = {name: values.pop(name) for name in ("gates", "junit", "summary")}
        return function(**values, gate_settings=given)

    for names, attributes in reversed(_OPTIONS):
        command = click.option(*names, cls=GateOption, **attributes)(command)
    return command


def read_gates(gate_settings: dict[str, Any]) -> list[Any]:
    """The gates.

    Raises:
        UsageError: one is none, or there is none and a JUnit file is asked for.
    """
    from benchwright.benchmarks.comparisons.gate import parse_gate
    from benchwright.benchmarks.errors import UsageError

    if gate_settings["junit"] is not None and not gate_settings["gates"]:
        raise UsageError("--junit writes what gates decided: add a --gate, such as --gate 'correct>=-0.02'")
    return [parse_gate(text) for text in dict.fromkeys(gate_settings["gates"])]


def decide_gates(
    gates: Sequence[Any],
    gate_settings: dict[str, Any],
    release: Any,
    folders: Sequence[Path],
    baseline: Path,
    *,
    metrics: Sequence[str],
    **asked: Any,
) -> list[Any]:
    """What the gates decide of runs, written as a JUnit file where one is asked for.

    Args:
        gates: of `read_gates`.
        gate_settings: the options.
        release: of the runs.
        folders: the runs'.
        baseline: the folder of the run that the others are held against.
        metrics: what is compared besides; gates name their own.
        asked: more arguments of `gate_folders`.
    """
    from benchwright.benchmarks.comparisons.gate import gate_folders
    from benchwright.benchmarks.progress import timed
    from benchwright.cards.compare.gate_files import write_junit

    with timed("gates"):
        compared, results = gate_folders(release, folders, gates, baseline=baseline, **asked)
    if gate_settings["junit"] is not None:
        write_junit(gate_settings["junit"], release, compared.condition, results)
    return results


def write_summary(gate_settings: dict[str, Any], release: Any, results: Sequence[Any], comparison: Any) -> None:
    """Writes the summary where one is asked for."""
    from benchwright.cards.compare.gate_files import write_summary as write

    if gate_settings["summary"] is not None:
        about = f"{release.manifest.name} {release.manifest.version}"
        write(gate_settings["summary"], about, results, comparison)


def end_with(results: Sequence[Any], *, told: bool) -> None:
    """Ends the program with the code of the gates; what did not pass is said on stderr where it was not told yet."""
    from benchwright.benchmarks.comparisons.gate import exit_code
    from benchwright.benchmarks.comparisons.gate_words import reason, sorted_results

    if not told:
        for result in sorted_results(results):
            if result.verdict != "passed":
                said = f"{result.verdict}: {result.candidate}, {result.gate.text}: {reason(result)}"
                click.echo(printable(said), err=True)
    click.get_current_context().exit(exit_code(results))
