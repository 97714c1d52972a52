"""Releases of pairs that are tampered with: of our own encyclopedia, with labels, of documents, by a model, of two runs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from built import Built, only_release
from report_cases import DOCUMENTS, make_release, make_run

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.releases.derive import derive
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.types import DIMENSIONS
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card
from benchwright.scripts.servers.openai.server import OpenAIServer

PAGES = 6
ANNOTATORS = ("Ann", "Ben")
_D1, _D2, _D3 = (Context(id=document.id) for document in DOCUMENTS)
ONE = [
    Prediction("halden-0", "Oslo", contexts=(_D1, _D2)),
    Prediction("quay-0", "Ada Moor", contexts=(_D3,)),
    Prediction("corvane-0", "Bergen", contexts=(_D1,)),
]
OTHER = [
    Prediction("halden-0", "In Perth.", contexts=(_D3,)),
    Prediction("quay-0", "Ben Tal", contexts=(_D1, _D2)),
    Prediction("corvane-0", "Oslo", contexts=(_D2,)),
]
TEXT = (
    "The Halden Lights is a festival of lanterns in Halden. The first one was opened by Mira Sand on 4 May 2022. "
    "About 12,000 people came to the harbour. A second one was held in June 2023."
)
WRITES: Mapping[str, Any] = {
    "You write questions": {"question": "Who opened the first Halden Lights, and on which day?"},
    "You answer a question from a text": {"answer": "Mira Sand opened the first Halden Lights on 4 May 2022."},
    "You answer questions about facts from memory": {"answer": "Jon Berg opened it on 17 March 2021."},
    "You get a question and its full answer": {
        "answer": "Mira Sand opened the first Halden Lights one day.",
        "left_out": "4 May 2022",
    },
    "You get the beginning of a page": {"sentences": ["Halden is a small town with a river."]},
}
"""What the first prompt of a request begins with → what a scripted model replies."""
HANDBOOK = """# Handbook

## Leave

Each employee has 28 days of leave in a year. The office is closed on 24 December 2024 and on the day after it. Leave is asked for in
writing, and whoever leads the team answers within a week.

## Travel

A trip is booked with 12 days of notice. Receipts are handed in at the front desk, and they are paid in the month that follows. Trains
are taken for all trips within the country.

## Rooms

The building has 14 meeting rooms on two floors. Each room is cleaned at night, and a key is kept at the front desk. Guests are met at
the door and shown to their room.
"""


def own(built: Built) -> Release:
    """Pairs of pages of our own encyclopedia."""
    return built.release("wikieval", pages=PAGES)


def labelled(built: Built) -> Release:
    """Its next version, with what two people chose."""
    parent = own(built)
    rows = [row for batch in parent.batches("pairs", "test", ["id"]) for row in batch.to_pylist()]
    labels = [
        {"pair_id": row["id"], "dimension": dimension, "annotator": name, "choice": "first", "resolved": False}
        for row in rows
        for dimension in DIMENSIONS[:2]
        for name in ANNOTATORS
    ]

    def make(root: Path) -> None:
        derive(parent, "1.1.0", {"labels": {"test": labels}}, root, render_card=render_card_of)

    return only_release(built.folder("wikieval-labelled", make))


def render_card_of(manifest: Any, folder: Path) -> str:
    from benchwright.benchmarks.catalogue import load_spec

    return render_card(manifest, load_spec(manifest.builder), folder)


def of_documents(built: Built) -> Release:
    """Pairs of sections of a handbook, by rule."""
    folder = built.folder("handbook", lambda root: (root / "handbook.md").write_text(HANDBOOK, encoding="utf-8"))
    return built.release("wikieval", documents=folder)


def of_model(built: Built) -> Release:
    """A pair of a document by a scripted model."""

    def make(root: Path) -> None:
        documents = root / "documents"
        documents.mkdir()
        (documents / "halden.md").write_text(f"# Halden Lights\n\n{TEXT}\n", encoding="utf-8")
        with OpenAIServer(_reply) as server:
            models = ModelSettings({"writer": Endpoint("stand-in", server.url)}, cache=root / "replies.sqlite")
            with Client(models) as client:
                given = {"documents": str(documents)}
                build_release("wikieval", given, render_card, output=root / "releases", client=client)

    return only_release(built.folder("wikieval-by-a-model", make) / "releases")


def _reply(body: Mapping[str, Any]) -> Any:
    said = body["messages"][0]["content"]
    return next(reply for opening, reply in WRITES.items() if said.startswith(opening))


def of_runs(built: Built) -> Release:
    """Pairs of two runs on a small benchmark."""

    def make(root: Path) -> None:
        small = make_release(root / "releases/small/1.0.0")
        for name, said in (("one", ONE), ("other", OTHER)):
            make_run(small, root / "runs/small/1.0.0" / name, said, metrics=(), name=name)
        given = {"runs": "small/one,small/other"}
        build_release("wikieval", given, render_card, output=root / "releases", name="ours")

    return Release.load(built.folder("wikieval-of-runs", make) / "releases/ours/1.0.0")
