"""`verify-benchmark`: proves a release again from its files."""

import sys
from pathlib import Path

import click

from benchwright.scripts.options.common import Command, releases_option, shared, start_logging, visible


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
@releases_option(", where RELEASE is a name.", "--output")
@shared
def main(release: str, database: str | None, public: str | None, releases: Path, verbose: bool, quiet: bool) -> None:
    """Prove RELEASE again: a folder, or the name of a local release.

    Compares every hash, re-reads every evidence span and executes every SQL query of a shipped database, or of the one
    given. Of NAME-private, compares every held-out answer with the commitment that NAME published. Ends with 1 where
    anything is wrong, after naming it.
    """
    start_logging(verbose, quiet)
    from benchwright.benchmarks.releases.find import open_release
    from benchwright.benchmarks.releases.proofs.verify import verify_release
    from benchwright.builders.sql.own_database import given_database

    half = open_release(public, releases) if public else None
    with given_database(database) as given:
        found = verify_release(open_release(release, releases), given, half)
    if not quiet:
        for name, count in sorted(found.proved.items()):
            click.echo(f"proved: {count:,} {name}")
        for name, count in sorted(found.unchecked.items()):
            click.echo(f"not checked: {count:,} {name} ({visible(found.reasons[name])})")
    for problem in found.problems:
        click.echo(f"wrong: {visible(problem)}")
    if found.problems:
        sys.exit(1)
