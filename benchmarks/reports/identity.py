"""What was scored against what."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.reports.columns import RunData


@dataclass(frozen=True, slots=True)
class SystemIdentity:
    """The system that was asked."""

    name: str
    kind: str
    """In what way it was given: a module, HTTP, a file, a baseline, …"""
    reference: str
    """As it stood on the command line."""
    description: str
    settings: Mapping[str, Any]
    source: str | None
    """SHA-256 of its source, where it is a Python object."""
    built_in: bool
    """Its answers or the release's texts were made by our rules: for trying things out."""
    built_in_reader: bool
    built_in_texts: tuple[str, ...]
    """Which texts of the release no person and no language model wrote, all or some of them."""


def system_identity(run: RunData) -> SystemIdentity:
    """The system as `run.json` says, and what of the answers was made by rules."""
    system, texts = run.settings.system, tuple(run.release.manifest.built_in_texts)
    return SystemIdentity(
        name=system.name,
        kind=system.kind,
        reference=system.reference,
        description=system.description,
        settings=system.settings,
        source=system.source,
        built_in=system.builtin or bool(texts),
        built_in_reader=system.builtin,
        built_in_texts=texts,
    )
