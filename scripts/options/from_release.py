"""`build-benchmark --from`: the options, and a release built again or joined with the texts of its documents."""

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from benchwright.scripts.options.common import is_on_command_line, progress, visible

_OPTIONS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (
        "--from",
        "made_from",
        {
            "metavar": "RELEASE|MANIFEST",
            "help": "Build a release again as its manifest says, in place of BENCHMARK; --set says what that does not "
            "tell.",
        },
    ),
    (
        "--documents",
        "documents",
        {
            "type": click.Path(path_type=Path),
            "metavar": "DIR",
            "help": "With --from: join a release without texts (text=offsets) with those of these documents.",
        },
    ),
    ("--database", "database", {"metavar": "URL", "help": "With --from: the database that its questions came from."}),
)


def from_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options above; the command gets them as `from_settings`."""

    @functools.wraps(function)
    def command(**values: Any) -> Any:
        given = {name: values.pop(name) for _, name, _ in _OPTIONS}
        return function(**values, from_settings=given)

    for option, name, attributes in reversed(_OPTIONS):
        command = click.option(option, name, **attributes)(command)
    return command


_SAYS_BY_ITSELF = ("preview", "draft_schema", "holdout", "name", "seed")
"""Options of the command whose values the release has."""


def check_from(benchmark: str | None, given: Mapping[str, Any]) -> None:
    """Raises UsageError where options on the command line do not go with --from.

    Args:
        benchmark: the argument; None where there is none.
        given: the options above.
    """
    from benchwright.benchmarks.errors import UsageError

    joins = given["documents"] is not None
    if given["made_from"] is None:
        raise UsageError("say what to build: the name of a benchmark, or --from RELEASE")
    if benchmark is not None:
        raise UsageError(f"--from says what to build: leave out {benchmark}")
    for name in filter(is_on_command_line, _SAYS_BY_ITSELF):
        raise UsageError(f"--{name.replace('_', '-')} cannot go with --from, whose release says it: leave it out")
    if joins and (given["database"] is not None or is_on_command_line("settings")):
        raise UsageError("--documents joins a release with its texts: leave out --set and --database")
    if is_on_command_line("as_version") and not joins:
        raise UsageError("--from builds the same version again: --as-version goes with --documents alone")


def check_alone(given: Mapping[str, Any]) -> None:
    """Raises UsageError where an option wants --from."""
    from benchwright.benchmarks.errors import UsageError

    if given["documents"] is not None:
        raise UsageError("--documents joins a release of offsets with its texts: add --from RELEASE")
    if given["database"] is not None:
        raise UsageError("--database goes with --from: name the database of a new benchmark with --set database=URL")


def build_from(
    given: Mapping[str, Any],
    as_version: str | None,
    settings: Mapping[str, str],
    releases: Path,
    cache: Path | None,
    quiet: bool,
) -> Any:
    """Builds a release once more, or joins it with its texts. Documents that are missing or differ are named on stderr.

    Raises:
        BenchwrightError: it cannot be done; nothing is left behind.
    """
    from benchwright.benchmarks.arrow import give_memory_back, start_without_pandas
    from benchwright.builders.join import OtherDocuments, join
    from benchwright.builders.rebuild import Given, build_again
    from benchwright.cards.dataset.card import render_card

    give_memory_back()
    start_without_pandas()
    release = _opened(given["made_from"], releases)
    try:
        with progress(quiet) as update:
            if given["documents"] is None:
                said = Given(settings, render_card, update, None, given["database"], cache)
                return build_again(release, said, releases)
            return join(release, given["documents"], releases, render_card, version=as_version, progress=update)
    except OtherDocuments as error:
        for line in error.lines:
            click.echo(visible(line), err=True)
        raise


def _opened(reference: str, releases: Path) -> Any:
    """The release that is meant; of a manifest alone, what it says."""
    from benchwright.benchmarks.releases.find import open_release
    from benchwright.benchmarks.releases.manifest import MANIFEST, read_manifest
    from benchwright.benchmarks.releases.release import Release

    path = Path(reference)
    if path.name == MANIFEST and path.is_file():
        return Release(path.parent, read_manifest(path.parent))
    return open_release(reference, releases)
