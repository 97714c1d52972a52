"""Two short documents of our own that the builder telequad asks about, for tests of releases without their texts."""

from pathlib import Path
from typing import Any

from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card

FERRIES = """# LBS 11.200 Ferry berths

## 1 Scope

This document says how a ferry asks the harbour for a berth before it comes into sight of the outer mole.

## 2 Terms

### 2.1 Definitions

**outer mole**: wall of stone that lies in front of the harbour and breaks the waves of the open sea before they enter.

**slot**: time at a berth.

### 2.2 Abbreviations

BRQ: Berth Request

HMO: Harbour Master Office

TTA: Time To Arrival

## 3 Requests

The ferry shall send a BRQ when the outer mole comes into sight, and the HMO answers it within ten minutes.

| Timer | Value | Started when |
|---|---|---|
| T10 | 30 s | the ferry has sent its BRQ to the office of the harbour master |
| T11 | 90 s | the office has told the ferry which of the berths it will have |
"""
TUGS = """# LBS 11.300 Tug boats

## 1 Scope

This document says how many tugs meet a ferry of which length, and who among the crews gives the first signal.

## 2 Abbreviations

TGB: Tug Boat

FSG: First Signal

## 3 Signals

The TGB that lies ahead gives the FSG with one long tone of the horn and a green lamp at the bow.
"""


def write_documents(folder: Path) -> Path:
    """Writes both into a folder, which is made."""
    folder.mkdir()
    (folder / "11200.md").write_text(FERRIES, "utf-8")
    (folder / "11300.md").write_text(TUGS, "utf-8")
    return folder


def build(source: Path, root: Path, name: str, **settings: str) -> Release:
    """Builds ROOT/NAME/1.0.0 of documents."""
    settings["source"] = str(source)
    return build_release("telequad", settings, render_card, output=root, name=name)[0]


def rows(release: Release, config: str) -> list[dict[str, Any]]:
    """The rows of a config, of all its splits."""
    return [
        row
        for split in release.manifest.splits[config]
        for batch in release.batches(config, split)
        for row in batch.to_pylist()
    ]
