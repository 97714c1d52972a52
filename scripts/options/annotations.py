"""What `annotate` says of the pages it made, and what comes of files that are merged."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from benchwright.benchmarks.annotations.import_files import Format
    from benchwright.benchmarks.annotations.items import Work
    from benchwright.benchmarks.annotations.merge import Merged
    from benchwright.benchmarks.releases.release import Release
    from benchwright.cards.annotate.pages import Written


def say_pages(work: "Work", written: "Sequence[Written]", note: str, release: "Release", quiet: bool) -> None:
    """The pages' paths, and what is to be known of them."""
    for page in written:
        click.echo(page.path)
    if quiet:
        return
    size = max(page.bytes for page in written)
    shown = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(size // 1000, 1):,} kB"
    click.echo(f"{note}; {work.tasks:,} questions a page; {shown}", err=True)
    for said in work.notes:
        click.echo(said, err=True)
    if work.kind == "run":
        from benchwright.benchmarks.releases.manifest import is_private

        held = ", of held-out questions" if is_private(release.manifest) else ""
        click.echo(f"the pages hold the true answers{held}: give them to nobody but those who judge", err=True)


def write_imports(release: "Release", format: "Format", people: int, folder: Path, quiet: bool) -> None:
    """Writes what another program imports, and says how."""
    from benchwright.benchmarks.annotations.import_files import write_import_files

    for path in write_import_files(release, format, folder, people):
        click.echo(path)
    if not quiet:
        how = {
            "label-studio": "import the tasks into a project whose labeling interface is the other file's text; export "
            "them as JSON",
            "argilla": "load the folder with argilla.Dataset.from_disk; export with dataset.records.to_json",
        }
        click.echo(f"{how[format]}, and hand that file to --merge", err=True)


def check_next(release: "Release", version: str) -> None:
    """Refuses to add labels to a release that has some.

    Raises:
        BenchwrightError: it has.
    """
    from benchwright.benchmarks.errors import BenchwrightError

    if (parent := parent_of_labelled(release)) is not None:
        manifest = release.manifest
        raise BenchwrightError(
            f"{manifest.name} {manifest.version} has labels already, and a version only adds to its parent: annotate "
            f"{parent}, merge there, and give --next {version}"
        )


def parent_of_labelled(release: "Release") -> str | None:
    """Of a release that has labels the one that it was made of, as a person names it; None where it has none."""
    from benchwright.benchmarks.schemas import LABELS

    manifest = release.manifest
    if LABELS.name not in manifest.splits:
        return None
    return "@".join((manifest.parent["name"], manifest.parent["version"])) if manifest.parent else "one without labels"


def write_next(release: "Release", merged: "Merged", version: str, releases: Path, quiet: bool) -> None:
    """Makes the version of a release that has the labels, and says how far they go."""
    import benchwright
    from benchwright.benchmarks.annotations.results import label_rows
    from benchwright.benchmarks.errors import BenchwrightError
    from benchwright.benchmarks.naming import version_key
    from benchwright.benchmarks.releases.pairs import pairs_in
    from benchwright.benchmarks.schemas import LABELS

    split, _ = pairs_in(release)
    target = releases / release.manifest.name / version
    is_there = target.exists()
    try:
        made = benchwright.derive(release, version, {LABELS.name: {split: label_rows(merged)}}, releases=releases)
    except BenchwrightError:
        if not is_there or version_key(version) <= version_key(release.manifest.version):
            raise
        raise BenchwrightError(
            f"{target} is there with other content, and a version is never changed: give a higher one to --next"
        ) from None
    click.echo(made.folder)
    missing, divided = merged.work.tasks - len(merged.verdicts), merged.counts.get("divided", 0)
    if (missing or divided) and not quiet:
        click.echo(
            f"of {merged.work.tasks:,} choices {missing:,} have no label and {divided:,} are divided: metrics are not "
            "held against these",
            err=True,
        )


def finish(
    merged: "Merged",
    with_texts: "Callable[[], Work]",
    result: Path,
    pages: Path,
    name: str,
    annotators: Sequence[str],
    resolve: bool,
    quiet: bool,
) -> None:
    """Writes the result and the page that resolves, and says what there is in them."""
    from benchwright.benchmarks.annotations.results import write_disputes, write_result
    from benchwright.benchmarks.annotations.summary import summary_blocks
    from benchwright.benchmarks.errors import UsageError
    from benchwright.cards.annotate.page import Page
    from benchwright.cards.annotate.pages import write_resolving_page
    from benchwright.cards.report.terminal import terminal_text

    if len(annotators) > 1 or (annotators and not resolve):
        raise UsageError("with --merge, --annotators names the one person who resolves: add --resolve")
    write_result(merged, result)
    click.echo(result)
    if not quiet:
        click.echo(terminal_text(list(summary_blocks(merged))), err=True)
    if resolve:
        page = Page(f"{name}-resolve", annotators[0] if annotators else None, is_final=True)
        work = with_texts()
        written = write_resolving_page(merged, work, pages, page)
        if written is not None:
            click.echo(written.path)
            if work.kind == "release":
                disputes = written.path.with_suffix(".jsonl")
                write_disputes(merged, work, disputes)
                click.echo(disputes)
        elif not quiet:
            click.echo("there is nothing to resolve", err=True)
    elif merged.disputed and not quiet:
        click.echo("--resolve makes a page with what is to be settled", err=True)
