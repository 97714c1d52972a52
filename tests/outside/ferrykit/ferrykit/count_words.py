"""A command: `benchwright count-words RELEASE`."""

import click

from benchwright.scripts.options.common import Command, releases_option, shared, start_logging


@click.command("count-words", cls=Command)
@click.argument("release")
@releases_option(", where RELEASE is a name.")
@shared
def main(release: str, releases: str, verbose: bool, quiet: bool) -> None:
    """Count the words of a release's questions."""
    start_logging(verbose, quiet)
    import benchwright

    opened = benchwright.load_release(release, releases=releases)
    rows = [row for batch in opened.batches("questions", "test", ["question"]) for row in batch.to_pylist()]
    click.echo(sum(len(row["question"].split()) for row in rows))
