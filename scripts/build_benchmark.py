"""`build-benchmark`: builds a release of a benchmark."""

import logging
import sys
from pathlib import Path
from typing import Any

import click

from benchwright.scripts.options.common import (
    Command,
    PushOption,
    progress,
    releases_option,
    set_option,
    shared,
    start_logging,
    visible,
)
from benchwright.scripts.options.from_release import build_from, check_alone, check_from, from_options
from benchwright.scripts.options.models import model_options, open_client, show_spending, timeout_option
from benchwright.scripts.options.publishing import check_unused, push_halves, push_options

_REASONS = 4
"""Why something was refused, told in the end: the most frequent; all are in the card."""
_WIDTH = 120

log = logging.getLogger("benchwright")
"""Columns of a preview that goes into a file or a pipe."""


@click.command("build-benchmark", cls=Command, order=10, short_help="Build a release of a benchmark.")
@click.argument("benchmark", required=False)
@from_options
@click.option("--name", help="The release's name.  [default: the benchmark's]")
@click.option("--as-version", metavar="X.Y.Z", help="The release's version.  [default: the benchmark's]")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of everything that is drawn.  [default: 0]")
@click.option(
    "--holdout",
    type=float,
    metavar="SHARE",
    help="Keep the answers to this share of the groups (1: all) in a release NAME-private; the seed is secret.",
)
@click.option("--preview", is_flag=True, help="Show what would be asked, with examples, and what not. Builds nothing.")
@click.option(
    "--draft-schema",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write what was understood of the database into FILE, to be edited and used with --set schema=FILE. Builds "
    "nothing.",
)
@set_option
@releases_option("; the release is made in ROOT/NAME/VERSION.", "--output")
@click.option(
    "--push", "is_pushed", cls=PushOption, is_flag=True, help="Publish it to the Hugging Face Hub once it is built."
)
@push_options
@model_options
@timeout_option
@shared
def main(
    benchmark: str | None,
    from_settings: dict[str, Any],
    name: str | None,
    as_version: str | None,
    seed: int | None,
    holdout: float | None,
    preview: bool,
    draft_schema: Path | None,
    settings: dict[str, str],
    releases: Path,
    is_pushed: bool,
    push_settings: dict[str, Any],
    model_settings: dict[str, Any],
    timeout: float,
    verbose: bool,
    quiet: bool,
) -> None:
    """Build a release of BENCHMARK: questions with proved answers, as Parquet, with a card and a manifest.

    Prints the release's folder. The same parameters, seed and sources give the same release. With --from, builds a
    release again, or joins one that has no texts of its documents with them: the next version, whose content is that of
    a build with the texts.
    """
    start_logging(verbose, quiet)
    if not is_pushed:
        check_unused()
    if benchmark is None or from_settings["made_from"] is not None:
        check_from(benchmark, from_settings)
        was_there = set(releases.glob("*/*"))
        release = build_from(from_settings, as_version, settings, releases, model_settings["cache"], quiet)
        _show(release, release.folder not in was_there, quiet)
        if is_pushed:
            push_halves(release, push_settings, quiet)
        return
    check_alone(from_settings)
    if preview or draft_schema:
        _check_nothing_built(preview, draft_schema, is_pushed, holdout)
    from benchwright.benchmarks.arrow import give_memory_back, start_without_pandas
    from benchwright.builders.base import build_release
    from benchwright.cards.dataset.card import render_card

    give_memory_back()
    start_without_pandas()
    if draft_schema:
        _draft(benchmark, settings, draft_schema, quiet)
        return
    if preview:
        _preview(benchmark, settings, model_settings, timeout, quiet, name=name, seed=seed, releases=releases)
        return
    made = ("build-benchmark", benchmark, sorted(settings.items()), name, seed, releases.resolve())
    with open_client(model_settings, timeout, made) as client:
        if client is not None and client.has("checker") and not client.has("writer"):
            log.warning("the checker is not asked: it reads what a model writes, and --model writer=NAME names none")
        with progress(quiet, client) as update:
            release, is_new = build_release(
                benchmark,
                settings,
                render_card,
                output=releases,
                name=name,
                version=as_version,
                seed=seed,
                holdout=holdout,
                client=client,
                progress=update,
            )
        _show(release, is_new, quiet)
        show_spending(client, quiet)
    if is_pushed:
        push_halves(release, push_settings, quiet)


def _check_nothing_built(preview: bool, draft_schema: Path | None, is_pushed: bool, holdout: float | None) -> None:
    """Raises UsageError where something is to be done with a release that is not built."""
    from benchwright.benchmarks.errors import UsageError

    option = "--preview" if preview else "--draft-schema"
    others = {"--push": is_pushed, "--holdout": holdout is not None, "--draft-schema": preview and draft_schema}
    for other, given in others.items():
        if given:
            raise UsageError(f"{option} builds nothing, so that {other} cannot go with it: leave one out")


def _draft(benchmark: str, settings: dict[str, str], file: Path, quiet: bool) -> None:
    from benchwright.builders.beforehand import draft_schema

    with progress(quiet) as update:
        draft_schema(benchmark, settings, file, progress=update)
    click.echo(file)
    if not quiet:
        told = f"read and edit it, then build with --set schema={file}"
        click.echo(visible(told), err=True)


def _preview(
    benchmark: str, settings: dict[str, str], model_settings: dict[str, Any], timeout: float, quiet: bool, **chosen: Any
) -> None:
    from rich.console import Console

    from benchwright.builders.beforehand import preview_release
    from benchwright.cards.blocks.terminal import draw

    with open_client(model_settings, timeout) as client:
        with progress(quiet, client) as update:
            blocks = preview_release(benchmark, settings, client=client, progress=update, **chosen)
        draw(Console(highlight=False, width=None if sys.stdout.isatty() else _WIDTH), blocks)
        show_spending(client, quiet)


def _show(release: Any, is_new: bool, quiet: bool) -> None:
    from benchwright.benchmarks.catalogue import load_spec
    from benchwright.cards.dataset.checks import left_out

    manifest = release.manifest
    click.echo(release.folder)
    if not quiet:
        rows = ", ".join(f"{count:,} {config}" for config, count in manifest.rows.items() if count)
        state = "built" if is_new else "unchanged, was there already"
        click.echo(f"{manifest.name} {manifest.version} ({state}): {rows}", err=True)
        for row in left_out(manifest.checks, load_spec(manifest.builder)):
            words = row.words if row.words[1:2].isupper() else row.words[:1].lower() + row.words[1:]
            click.echo(visible(f"left out: {row.value} {words}"), err=True)
        _show_of_model(manifest)
        click.echo(f"content hash {manifest.content_hash}", err=True)
        if manifest.holdout:
            private = release.folder.parent.parent / manifest.holdout["private"] / manifest.version
            click.echo(f"the answers to {manifest.holdout['questions']:,} questions are in {private} alone", err=True)


def _show_of_model(manifest: Any) -> None:
    """What a model wrote that is not used, and what rules wrote in its place."""
    from benchwright.benchmarks.catalogue import load_spec
    from benchwright.cards.dataset.checks import refused

    reasons: dict[str, list[str]] = {}
    rows = refused(manifest.checks, load_spec(manifest.builder))
    for row in sorted(rows, key=lambda row: -int(row.value.replace(",", ""))):
        what, _, reason = row.words.partition(": ")
        reasons.setdefault(what, []).append(f"{reason} {row.value}")
    for what, found in reasons.items():
        told = ", ".join(found[:_REASONS]) + (f", and {len(found) - _REASONS} more" if found[_REASONS:] else "")
        click.echo(visible(f"refused {what if what[1:2].isupper() else what[:1].lower() + what[1:]}: {told}"), err=True)
    for sort, who in manifest.texts.items():
        if who.get("fallback"):
            by_rule = f"{who['fallback']:,} of {sum(who.values()):,} {sort} are by rule"
            click.echo(visible(f"{by_rule}: the model gave no text for them that could be used"), err=True)
