"""`publish-benchmark`: pushes a release that is built, or compares it with another version."""

from pathlib import Path
from typing import Any

import click

from benchwright.scripts.options.common import Command, releases_option, shared, start_logging, visible
from benchwright.scripts.options.publishing import push, push_options


@click.command(
    "publish-benchmark", cls=Command, order=30, short_help="Push a release to the Hugging Face Hub, or compare two."
)
@click.argument("release")
@push_options
@click.option("--diff", "other", metavar="OLD", help="Say what changed since OLD, by ids, and push nothing.")
@releases_option(", where RELEASE is a name.", "--output")
@shared
def main(
    release: str, push_settings: dict[str, Any], other: str | None, releases: Path, verbose: bool, quiet: bool
) -> None:
    """Push RELEASE to the Hugging Face Hub: one commit and the tag vX.Y.Z.

    RELEASE is a folder or the name of a local release. A push that was interrupted goes on with the same command; one
    that is done does nothing. A version that is there with other content is refused.
    """
    start_logging(verbose, quiet)
    from benchwright.benchmarks.releases.find import open_release

    opened = open_release(release, releases)
    if other is None:
        push(opened, push_settings, quiet)
        return
    from benchwright.benchmarks.releases.diff import compare
    from benchwright.cards.dataset.card import as_built

    for line in compare(open_release(other, releases), opened, as_built).lines():
        click.echo(visible(line))


if __name__ == "__main__":
    main()
