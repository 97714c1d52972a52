"""`score-metric` of a release with pairs: metrics held against what people chose."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchwright.scripts.options.common import ModelOption, is_on_command_line, progress
from benchwright.scripts.options.models import open_client, show_spending

if TYPE_CHECKING:
    from benchwright.benchmarks.releases.release import Release

_FOR_RELEASES = (
    "run",
    "metrics",
    "coin",
    "human",
    "output",
    "releases",
    "runs",
    "timeout",
    "verbose",
    "quiet",
    "version",
)
"""Parameters of the command that a release is rated with, beside those about models."""


def rate_pairs_of(
    release: "Release",
    metrics: Sequence[str],
    coin: int | None,
    human: Path | None,
    folder: Path,
    timeout: float,
    model_settings: dict[str, Any],
    quiet: bool,
) -> None:
    """Scores the pairs of a release, writes the page and its JSON into a folder, and prints the page's path.

    Raises:
        UsageError: an option that is about runs is given, or a metric cannot be scored.
        BenchwrightError: the release has no pairs that people chose from, or the folder is of others.
        StopError: a limit is reached, or the model cannot be asked.
    """
    from benchwright.benchmarks.reports.pairs.blocks import brief
    from benchwright.benchmarks.reports.pairs.rated import rate_release
    from benchwright.cards.report.metric_page import write_ratings
    from benchwright.cards.report.terminal import terminal_text

    _refuse_options_of_runs(release)
    with open_client(model_settings, timeout, ("score-metric", folder.resolve(), *metrics)) as client:
        with progress(quiet, client) as update:
            found = rate_release(release, metrics, folder, client, coin, human, update)
        click.echo(write_ratings(found, folder))
        if not quiet:
            click.echo(terminal_text(brief(found)), err=True)
        show_spending(client, quiet)


def _refuse_options_of_runs(release: "Release") -> None:
    from benchwright.benchmarks.errors import UsageError

    for option in click.get_current_context().command.params:
        name = option.name or ""
        if not isinstance(option, ModelOption) and name not in _FOR_RELEASES and is_on_command_line(name):
            raise UsageError(
                f"{option.opts[0]} is about a run, and {release.manifest.name} {release.manifest.version} is a "
                "release: leave it out, or name a run"
            )
