"""`verify-benchmark`: proves a release again from its files."""

import sys
from pathlib import Path
from typing import Any

import click

from benchwright.scripts.options.common import (
    Command,
    progress,
    releases_option,
    set_option,
    shared,
    start_logging,
    visible,
)
from benchwright.scripts.options.models import model_options, open_client, show_spending, timeout_option

_FAILURES = 12
"""Of each sort that are shown; with --verbose all."""


@click.command("verify-benchmark", cls=Command, order=20, short_help="Prove a release again from its files.")
@click.argument("release")
@click.option(
    "--database",
    metavar="URL|FILE|FOLDER",
    help="The database that the questions came from, as build-benchmark takes it, where it is not shipped.",
)
@click.option(
    "--public",
    metavar="RELEASE",
    help="The public half, where RELEASE is a private one.  [default: its neighbour]",
)
@click.option(
    "--round",
    "of_round",
    metavar="LEADERBOARD:ROUND",
    help="The round whose answers RELEASE reveals: compare it with what its organisers and teams committed to.",
)
@click.option("--rebuild", "is_rebuilt", is_flag=True, help="Build it again in a temporary folder, and compare both.")
@click.option(
    "--readable",
    "is_read",
    is_flag=True,
    help="Give a reader the gold documents: the built-in one, or a model (--model reader=NAME). --set readable=N, all.",
)
@set_option
@model_options
@timeout_option
@releases_option(", where RELEASE is a name.", "--output")
@shared
def main(
    release: str,
    database: str | None,
    public: str | None,
    of_round: str | None,
    is_rebuilt: bool,
    is_read: bool,
    settings: dict[str, str],
    model_settings: dict[str, Any],
    timeout: float,
    releases: Path,
    verbose: bool,
    quiet: bool,
) -> None:
    """Prove RELEASE again: a folder, or the name of a local release.

    Compares every hash, re-reads every evidence span and executes every SQL query of a shipped database, or of the one
    given. Of NAME-private, compares every held-out answer with the commitment that NAME published. With --rebuild, what
    the manifest does not tell is said with --set: where a file lies, who asks a wiki. With --readable, shows how many
    answerable questions a reader answers right from their gold documents, and what it fails. With --round, compares
    what a round of a leaderboard revealed with what was committed to before. Ends with 1 where anything is wrong, after
    naming it.
    """
    start_logging(verbose, quiet)
    from benchwright.benchmarks.errors import UsageError
    from benchwright.benchmarks.releases.find import open_release
    from benchwright.benchmarks.releases.proofs.beyond import beyond
    from benchwright.benchmarks.releases.proofs.verify import verify_release
    from benchwright.benchmarks.reports.readable import prove_readable
    from benchwright.builders.sql.own_database import given_database
    from benchwright.cards.dataset import prove_card

    half = open_release(public, releases) if public else None
    prove_round = None
    if of_round is not None:
        from benchwright.cards.leaderboard.round_verify import ScoredRound

        scored_round = ScoredRound.open(of_round)
        half, prove_round = half or scored_round.public_half(), scored_round.prove
    wanted = settings.pop("readable", "") if is_read else ""
    if settings and not is_rebuilt:
        raise UsageError("--set says what a release is built again from: add --rebuild")
    if model_settings["models"] and not is_read:
        raise UsageError("a model reads the gold documents, and nothing else of a release: add --readable")
    opened = open_release(release, releases)
    with given_database(database) as given:
        found = verify_release(opened, given, half, [prove_card.PROOF, prove_readable.PROOF])
    if prove_round is not None:
        prove_round(opened, found)
    if is_rebuilt:
        from benchwright.builders.rebuild import Given, rebuild
        from benchwright.cards.dataset.card import render_card

        with progress(quiet) as update:
            rebuild(opened, found, Given(settings, render_card, update, half, database, model_settings["cache"]))
    if not quiet:
        for name, count in sorted(found.proved.items()):
            click.echo(f"proved: {count:,} {name}")
        for name, count in sorted(found.unchecked.items()):
            click.echo(f"not checked: {count:,} {name} ({visible(found.reasons[name])})")
        for text in beyond(opened, found):
            click.echo(f"cannot be proved from the files: {visible(text)}")
    for problem in found.problems:
        click.echo(f"wrong: {visible(problem)}")
    if is_read:
        _read(opened, wanted, model_settings, timeout, verbose, quiet)
    if found.problems:
        sys.exit(1)


def _read(
    release: Any, wanted: str, model_settings: dict[str, Any], timeout: float, verbose: bool, quiet: bool
) -> None:
    """Gives a reader the gold documents, and shows how many it answers right and what it fails."""
    from benchwright.benchmarks.errors import BenchwrightError
    from benchwright.benchmarks.reports.readable.asked import parse_wanted
    from benchwright.benchmarks.reports.readable.measure import measure_readable

    groups = parse_wanted(wanted)
    with open_client(model_settings, timeout, ("verify-benchmark", release.manifest.content_hash, groups)) as client:
        with progress(quiet, client) as update:
            found = measure_readable(release, groups, client, update)
        show_spending(client, quiet)
        if found is None:
            name = f"{release.manifest.name} {release.manifest.version}"
            raise BenchwrightError(f"{name} has no answerable question whose gold documents it holds: nothing is read")
        for line in found.told(most=None if verbose else _FAILURES):
            click.echo(visible(line))
