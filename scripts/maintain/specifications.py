"""Writes the three fictional specifications as .docx files, by rule: `scripts/make_specifications FOLDER`."""

from pathlib import Path

import click

from benchwright.builders.telequad.own.write import write_specifications


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def main(folder: Path) -> None:
    """Write the specifications into FOLDER."""
    for path in write_specifications(folder):
        click.echo(path)


if __name__ == "__main__":
    main()
