"""The releases whose cards are golden files. `python tests/card_cases.py` writes these files anew."""

import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import holdouts
import lighthouses
from aurp_writers import build as build_aurp
from aurp_writers import model, settings
from support import ROOT

from benchwright.benchmarks.catalogue import Spec
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card
from benchwright.scripts.servers.mediawiki.encyclopedia import encyclopedia
from benchwright.scripts.servers.mediawiki.export import write_dumps
from benchwright.scripts.servers.openai.server import OpenAIServer

GOLDEN = Path(__file__).with_name("golden")
LIBRARY = str(ROOT / "scripts" / "library")
LIGHTS = Spec(
    name="lights",
    title="Lighthouses",
    summary="How tall lighthouses are.",
    description="Whether a system finds a number on a page.",
    licence="cc0-1.0",
    version="1.0.0",
    primary_metric="correct",
    canary="none",
    task_categories=("question-answering",),
)
"""A spec with nothing but what it must have."""


def library(root: Path) -> Release:
    """GRAMMAR from a folder of CSV files, with records."""
    return build_release("grammar", {"database": LIBRARY}, render_card, output=root, name="library")[0]


def library_without_documents(root: Path) -> Release:
    """The same for a system that has documents of its own."""
    given = {"database": LIBRARY, "documents": "none"}
    return build_release("grammar", given, render_card, output=root, name="library")[0]


def lights(root: Path) -> Release:
    """A benchmark of a package that has no card section, and counts what nobody else does."""
    release = lighthouses.make_release(root)
    manifest = replace(release.manifest, checks={"keepers_asked": 4, "lamps": {"lit": 3, "dark": 0}, "is_dry": True})
    (release.folder / "README.md").write_text(render_card(manifest, LIGHTS, release.folder), encoding="utf-8")
    return Release(release.folder, manifest)


def aurp(root: Path) -> Release:
    """A small Aurp by rule."""
    return holdouts.build(root)


def aurp_by_model(root: Path) -> Release:
    """Aurp with documents by a scripted model."""
    with OpenAIServer(model) as server, Client(settings(server.url, root / "replies.sqlite")) as client:
        return build_aurp(root / "made", client, documents="model")


def aurp_public(root: Path) -> Release:
    """The half of Aurp that is public, with held-out questions."""
    return holdouts.build_halves(root)[0]


def aurp_private(root: Path) -> Release:
    """The half that has their answers."""
    return holdouts.build_halves(root)[1]


def wikipedia(root: Path) -> Release:
    """Wikipedia from the dumps of the fictional encyclopedia."""
    pages, log = write_dumps(encyclopedia(100), root)
    given = {"cutoff": "2021-10-01", "dump": str(pages), "dump_log": str(log), "articles": "40", "random": "20"}
    return build_release("wikipedia", given, render_card, output=root / "made")[0]


CASES: dict[str, Callable[[Path], Release]] = {
    function.__name__: function
    for function in (
        library,
        library_without_documents,
        lights,
        aurp,
        aurp_by_model,
        aurp_public,
        aurp_private,
        wikipedia,
    )
}


def card_of(release: Release) -> str:
    """The card of a release as it lies on disk."""
    return (release.folder / "README.md").read_text(encoding="utf-8")


def without_sizes(card: str) -> str:
    """A card without what depends on the version of the Parquet library."""
    return re.sub(r"(num_bytes|download_size|dataset_size): \d+", r"\1: BYTES", card)


if __name__ == "__main__":
    for name, make in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            (GOLDEN / f"card_of_{name}.md").write_text(without_sizes(card_of(make(Path(folder)))), encoding="utf-8")
