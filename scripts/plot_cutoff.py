"""`plot-cutoff`: what a cutoff is worth, as a table and a figure."""

import json
from pathlib import Path
from typing import Any

import click

from benchwright.scripts.options.common import Command, progress, releases_option, runs_option, shared, start_logging
from benchwright.scripts.options.models import model_options, open_client, show_spending


@click.command("plot-cutoff", cls=Command, order=90, short_help="Draw what a cutoff is worth to a closed-book model.")
@click.argument("release")
@click.option("--limit", type=click.IntRange(min=1), help="Ask at most so many questions, a seeded sample.")
@releases_option(", where RELEASE is a name.")
@runs_option("; the figure is ROOT/NAME/VERSION/cutoff.svg.", "--output")
@model_options
@shared
def main(
    release: str,
    limit: int | None,
    releases: Path,
    runs: Path,
    model_settings: dict[str, Any],
    verbose: bool,
    quiet: bool,
) -> None:
    """Score a model on a wikipedia RELEASE closed book on each subset, and with the article.

    Prints the figure's file. --model system=NAME answers, --model judge=NAME grades truthfulness and relevance from
    1 to 5; without a model rules do, for trying it out.
    """
    start_logging(verbose, quiet)
    from benchwright.benchmarks.records import as_json
    from benchwright.benchmarks.releases.find import open_release
    from benchwright.benchmarks.reports.cutoff import cutoff_figure
    from benchwright.cards.report.cutoff_plot import draw

    opened = open_release(release, releases)
    with open_client(model_settings) as client:
        with progress(quiet, client) as update:
            parts = cutoff_figure(opened, runs, client, limit, update)
        folder = runs / opened.manifest.name / opened.manifest.version
        (folder / "cutoff.json").write_text(json.dumps(as_json(parts), indent=1) + "\n", encoding="utf-8")
        draw(parts, f"{opened.manifest.name} {opened.manifest.version}", folder / "cutoff.svg")
        click.echo(folder / "cutoff.svg")
        if not quiet:
            for part in parts:
                means = ", ".join(f"{name} {_shown(value)}" for name, value in part.means.items())
                text = f"{part.part}) {part.title}: {means}; {part.scored:,} of {part.questions:,} questions"
                click.echo(text, err=True)
        show_spending(client, quiet)


def _shown(value: float | None) -> str:
    return "unscored" if value is None else f"{value:.2f}"


if __name__ == "__main__":
    main()
