"""What `compare-systems` says of one run: two forms held against each other, and what a model knew by itself."""

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchwright.scripts.options.common import is_on_command_line

if TYPE_CHECKING:
    from benchwright.benchmarks.releases.release import Release
    from benchwright.benchmarks.reports.blocks import Block

_OPTIONS: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (
        ("--between",),
        {
            "metavar": "COLUMN=A,B",
            "help": "Of one RUN: hold two forms (form=short,long), kinds, subsets or hops against each other; A is "
            "expected to be robust.",
        },
    ),
    (
        ("--seed",),
        {
            "type": click.IntRange(min=0),
            "default": 0,
            "show_default": True,
            "help": "Of the samples of --between.",
        },
    ),
    (
        ("--leakage",),
        {
            "is_flag": True,
            "help": "Of RUN, asked without documents too, or of RUN and one without documents: what the model knew "
            "by itself.",
        },
    ),
)


def within_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options above; the command gets them as `within_settings`."""

    @functools.wraps(function)
    def command(**values: Any) -> Any:
        given = {name: values.pop(name) for name in ("between", "seed", "leakage")}
        return function(**values, within_settings=given)

    for names, attributes in reversed(_OPTIONS):
        command = click.option(*names, **attributes)(command)
    return command


def tell_of_one(
    within_settings: dict[str, Any],
    others: Sequence[str],
    opened: "Callable[[], tuple[Release, list[Path]]]",
    *,
    condition: str | None,
    output: Path | None,
    quiet: bool,
) -> bool:
    """Tells of one run where that was asked for, and says whether it was: writes the page, prints path and tables.

    Args:
        within_settings: the options.
        others: the options of other comparisons that were given.
        opened: gives the release and the folders of the runs.
        condition: what the system was given.
        output: where the page goes; None: the run's folder.
        quiet: print the page's path alone.

    Raises:
        UsageError: options of other comparisons were given, or not as many runs as this is of.
    """
    from benchwright.benchmarks.errors import UsageError

    between, leakage = within_settings["between"], within_settings["leakage"]
    if not between and is_on_command_line("seed"):
        raise UsageError("--seed is of the samples of --between: add --between form=A,B, or leave it out")
    if not between and not leakage:
        return False
    option = "--between" if between else "--leakage"
    beside = [*others, *(["--leakage"] if between and leakage else [])]
    beside += ["--condition"] if leakage and condition else []
    if beside:
        raise UsageError(f"{option} stands alone: leave out {' and '.join(beside)}")
    release, folders = opened()
    if len(folders) > (most := 1 if between else 2):
        raise UsageError(f"{option} is of {'one RUN' if most == 1 else 'one RUN or two'}, and {len(folders)} are named")
    if between:
        from benchwright.benchmarks.comparisons.between import compare_between
        from benchwright.benchmarks.comparisons.between_words import between_blocks
        from benchwright.cards.compare.within import write_between

        found = compare_between(release, folders[0], between, seed=within_settings["seed"], condition=condition)
        _show(between_blocks(found), write_between(found, output or folders[0]), quiet=quiet)
    else:
        from benchwright.benchmarks.comparisons.leakage import find_leakage
        from benchwright.benchmarks.comparisons.leakage_words import brief_leakage
        from benchwright.cards.compare.within import write_leakage

        leaked = find_leakage(release, *folders)
        _show(brief_leakage(leaked), write_leakage(leaked, output or folders[0]), quiet=quiet)
    return True


def _show(blocks: "Sequence[Block]", page: Path, *, quiet: bool) -> None:
    from benchwright.cards.report.terminal import terminal_text

    if not quiet:
        click.echo(terminal_text(blocks), err=True)
    click.echo(page)
