"""`build-benchmark`: builds a release of a benchmark."""

from pathlib import Path

import click

from benchwright.scripts.options import Command, progress, set_option, shared, start_logging


@click.command("build-benchmark", cls=Command)
@click.argument("benchmark")
@click.option("--name", help="The release's name.  [default: the benchmark's]")
@click.option("--as-version", metavar="X.Y.Z", help="The release's version.  [default: the benchmark's]")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of everything that is drawn."
)
@set_option
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    default=Path("releases"),
    show_default=True,
    metavar="ROOT",
    help="Folder of releases; the release is made in ROOT/NAME/VERSION.",
)
@shared
def main(
    benchmark: str,
    name: str | None,
    as_version: str | None,
    seed: int,
    settings: dict[str, str],
    output: Path,
    verbose: bool,
    quiet: bool,
) -> None:
    """Build a release of BENCHMARK: questions with proved answers, as Parquet, with a card and a manifest.

    Prints the release's folder. The same parameters, seed and sources give the same release.
    """
    start_logging(verbose, quiet)
    from benchwright.builders.base import build_release
    from benchwright.cards.dataset import render_card

    with progress(quiet) as update:
        release, is_new = build_release(
            benchmark, settings, render_card, output=output, name=name, version=as_version, seed=seed, progress=update
        )
    manifest = release.manifest
    click.echo(release.folder)
    if not quiet:
        rows = ", ".join(f"{count:,} {config}" for config, count in manifest.rows.items() if count)
        state = "built" if is_new else "unchanged, was there already"
        click.echo(f"{manifest.name} {manifest.version} ({state}): {rows}", err=True)
        click.echo(f"content hash {manifest.content_hash}", err=True)
