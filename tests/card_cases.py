"""The releases whose cards are golden files. `python tests/card_cases.py` writes these files anew."""

import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import holdouts
import lighthouses
import report_cases
from aurp_writers import build as build_aurp
from aurp_writers import model, settings
from built import Built, only_release
from pairs import label
from support import ROOT
from tampering import RELEASES

from benchwright.benchmarks.annotations.pair_items import pair_work
from benchwright.benchmarks.catalogue import Spec, load_spec
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.releases.derive import derive
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.wiki.own.encyclopedia import encyclopedia
from benchwright.builders.wiki.own.export import write_dumps
from benchwright.cards.dataset.card import render_card
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


def library(built: Built) -> Release:
    """GRAMMAR from a folder of CSV files, with records."""
    return built.release("grammar", name="library", database=LIBRARY)


def library_without_documents(built: Built) -> Release:
    """The same for a system that has documents of its own."""
    return built.release("grammar", name="library", database=LIBRARY, documents="none")


def make_lights(root: Path) -> Release:
    """A benchmark of a package that has no card section, and counts what nobody else does."""
    release = lighthouses.make_release(root)
    manifest = replace(release.manifest, checks={"keepers_asked": 4, "lamps": {"lit": 3, "dark": 0}, "is_dry": True})
    (release.folder / "README.md").write_text(render_card(manifest, LIGHTS, release.folder), encoding="utf-8")
    return Release(release.folder, manifest)


def lights(built: Built) -> Release:
    """The same, made once."""
    folder = built.folder("lights", lambda root: write_manifest(make_lights(root)))
    return only_release(folder)


def write_manifest(release: Release) -> None:
    """Writes the manifest that a release has in memory."""
    (release.folder / "manifest.json").write_text(release.manifest.to_json(), encoding="utf-8")


def aurp(built: Built) -> Release:
    """A small Aurp by rule."""
    return built.release("aurp", **holdouts.SETTINGS)


def aurp_by_model(built: Built) -> Release:
    """Aurp with documents by a scripted model."""

    def build(root: Path) -> None:
        with OpenAIServer(model) as server, Client(settings(server.url, root / "replies.sqlite")) as client:
            build_aurp(root, client, documents="model")

    return only_release(built.folder("aurp-by-model", build))


def aurp_public(built: Built) -> Release:
    """The half of Aurp that is public, with held-out questions."""
    return holdouts.load_halves(built.folder("halves", holdouts.build_halves))[0]


def aurp_private(built: Built) -> Release:
    """The half that has their answers."""
    return holdouts.load_halves(built.folder("halves", holdouts.build_halves))[1]


def spider(built: Built) -> Release:
    """Pages and questions of all kinds of invented companies."""
    return RELEASES["spider"](built)


def telequad(built: Built) -> Release:
    """Questions about the three fictional specifications."""
    return RELEASES["telequad"](built)


def telequad_offsets(built: Built) -> Release:
    """The same without the texts."""
    return built.release("telequad", groups=90, wordings=1, text="offsets")


def wikipedia(built: Built) -> Release:
    """Wikipedia from the dumps of the fictional encyclopedia."""

    def build(root: Path) -> None:
        pages, log = write_dumps(encyclopedia(100), root)
        given = {"cutoff": "2021-10-01", "dump": str(pages), "dump_log": str(log), "articles": "40", "random": "20"}
        build_release("wikipedia", given, render_card, output=root / "made")

    return only_release(built.folder("wikipedia", build))


def wikieval(built: Built) -> Release:
    """Pairs by rule from our own encyclopedia."""
    return built.release("wikieval", pages=12)


def wikieval_labels(built: Built) -> Release:
    """The same with what three people chose: they differ over some, are divided over others, and one is settled."""
    parent = wikieval(built)

    def build(root: Path) -> None:
        derive(parent, "1.1.0", {"labels": {"test": labels_of(parent)}}, root, render_card=cards_for(parent))

    return only_release(built.folder("wikieval-labels", build))


def labels_of(release: Release) -> list[dict[str, Any]]:
    """Labels of three people for the pairs of a release."""
    found = []
    for item in pair_work(release, has_texts=False).items:
        dimension, pair = item.id.split(" ")
        place = len(found) // 3
        others = (
            ("second", "tie") if place % 10 == 0 else ("second", "second") if place % 5 == 0 else ("first", "first")
        )
        said = dict(zip(("Ann", "Ben", "Cy"), ("first", *others), strict=True))
        found += [label(pair, dimension, choice, annotator) for annotator, choice in said.items()]
        if place == 10:
            found.append(label(pair, dimension, "first", "Dee", resolved=True))
    return found


def cards_for(release: Release) -> Callable[[Manifest, Path], str]:
    """Renders cards of releases of the same builder."""
    return lambda manifest, folder: render_card(manifest, load_spec(release.manifest.builder), folder)


def wikieval_runs(built: Built) -> Release:
    """Pairs of what two systems said, which nobody labelled."""

    def build(root: Path) -> None:
        of = report_cases.make_release(root / "releases/small/1.0.0")
        first, second, third = (Context(id=document.id) for document in report_cases.DOCUMENTS)
        said = {
            "one": {"halden-0": ("Oslo", (first,)), "brightwater-0": ("Perth", (second,)), "quay-0": ("Ada Moor", ())},
            "other": {
                "halden-0": ("It is in Oslo.", (first, second)),
                "brightwater-0": ("Oslo", (first,)),
                "quay-0": ("Ben Tal", (third,)),
            },
        }
        for name, answers in said.items():
            made = [Prediction(question, answer, contexts=read) for question, (answer, read) in answers.items()]
            report_cases.make_run(of, root / "runs/small/1.0.0" / name, made, metrics=(), name=name)
        runs = ",".join(str(root / "runs/small/1.0.0" / name) for name in ("one", "other"))
        build_release("wikieval", {"runs": runs}, render_card, output=root / "releases")

    return Release.load(built.folder("wikieval-runs", build) / "releases/wikieval/1.0.0")


CASES: dict[str, Callable[[Built], Release]] = {
    function.__name__: function
    for function in (
        library,
        library_without_documents,
        lights,
        aurp,
        aurp_by_model,
        aurp_public,
        aurp_private,
        spider,
        telequad,
        telequad_offsets,
        wikipedia,
        wikieval,
        wikieval_labels,
        wikieval_runs,
    )
}


def card_of(release: Release) -> str:
    """The card of a release as it lies on disk."""
    return (release.folder / "README.md").read_text(encoding="utf-8")


def without_sizes(card: str) -> str:
    """A card without what depends on the version of the Parquet library."""
    return re.sub(r"(num_bytes|download_size|dataset_size): \d+", r"\1: BYTES", card)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for name, case in CASES.items():
            card = without_sizes(card_of(case(Built(Path(folder)))))
            (GOLDEN / f"card_of_{name}.md").write_text(card, encoding="utf-8")
