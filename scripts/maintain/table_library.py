"""Bundles the table library of the leaderboard's page anew: TanStack Table's core and what it needs, from npm.

python -m benchwright.scripts.maintain.table_library

What a page inlines is one file, `cards/templates/leaderboard/table-library.js`, with names, versions and licences at
its head. It is bundled because the library is published as many modules, which a page opened from disk cannot import.
The same versions give the same bytes.
"""

import json
import subprocess
import tempfile
from pathlib import Path

import click

PACKAGES = {"@tanstack/table-core": "9.3.1", "@tanstack/store": "0.11.2"}
BUNDLER = ("esbuild", "0.28.2")
TARGET = Path(__file__).resolve().parents[2] / "cards" / "templates" / "leaderboard" / "table-library.js"
_ENTRY = """
import {
  columnFilteringFeature, columnVisibilityFeature, constructTable, createFilteredRowModel, createSortedRowModel,
  globalFilteringFeature, rowSortingFeature, tableFeatures,
} from "@tanstack/table-core";
import { storeReactivityBindings } from "@tanstack/table-core/store-reactivity-bindings";

const features = tableFeatures({
  coreReactivityFeature: storeReactivityBindings(),
  columnFilteringFeature, columnVisibilityFeature, globalFilteringFeature, rowSortingFeature,
  filteredRowModel: createFilteredRowModel(),
  sortedRowModel: createSortedRowModel(),
});
export const makeTable = (options) => constructTable({ features, ...options });
"""
"""The parts of the library that the page uses; the others are left out."""


@click.command()
def main() -> None:
    """Fetch the pinned versions from npm, bundle them, and write the file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wanted = {**PACKAGES, BUNDLER[0]: BUNDLER[1]}
        (folder / "package.json").write_text(json.dumps({"private": True, "dependencies": wanted}))
        (folder / "entry.js").write_text(_ENTRY)
        _run(folder, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts")
        _run(
            folder, "node_modules/.bin/esbuild", "entry.js", "--bundle", "--minify", "--format=iife", "--target=es2020",
            "--global-name=TableLibrary", "--legal-comments=none", "--charset=ascii", "--outfile=bundle.js",
        )  # fmt: skip
        said = [_notice(folder, package, version) for package, version in PACKAGES.items()]
        TARGET.write_text("\n".join([*said, (folder / "bundle.js").read_text().strip(), ""]))
    click.echo(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes")


def _notice(folder: Path, package: str, version: str) -> str:
    licence = (folder / "node_modules" / package / "LICENSE").read_text().strip()
    return f"/*! {package} {version}\n\n{licence}\n*/"


def _run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise click.ClickException(f"{command[0]} fails: {done.stderr.strip()[-500:]}")


if __name__ == "__main__":
    main()
