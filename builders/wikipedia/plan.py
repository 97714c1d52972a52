"""What a build of this benchmark is asked for: its parameters, checked and of their types."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.releases.find import open_release
from benchwright.builders.wikipedia.cutoffs import read_cutoff, read_until

WRITER = "writer"
CONTENT = ("cutoff", "until", "questions", "recent", "drop_known", "shortest", "language")
"""Parameters that decide, with the pages and the seed, what a release holds."""


@dataclass(frozen=True)
class Plan:
    """The parameters of a build; see `benchmarks/specs/wikipedia.toml`."""

    cutoff: date
    cutoff_source: str | None
    """Where the cutoff of a model is said; None of a date."""
    until: date | None
    site: str
    language: str
    contact: str
    articles: int
    random: int
    haystack: int
    shortest: int
    seed: int
    questions: int
    recent: bool
    drop_known: bool
    classifier: Client | None
    """Who classifies: a model, or None for the dates in the text."""
    asker: Client | None
    """Who writes questions: a model, or None for the rules."""
    newer_than: str
    pinned: str
    dump: str
    dump_log: str
    requests_per_minute: int
    at_once: int


def read_plan(parameters: Mapping[str, Any], seed: int, client: Client | None) -> Plan:
    """The parameters of a build, checked; where a release is built again, those that decide its content are its own.

    Raises:
        UsageError: one cannot be meant, or two exclude each other.
    """
    values = dict(parameters)
    if values["pinned"]:
        manifest = open_release(values["pinned"], Path("releases")).manifest
        values |= {name: manifest.parameters[name] for name in CONTENT if name in manifest.parameters}
        seed = manifest.seed or 0
    if not values["cutoff"]:
        raise UsageError("wikipedia needs cutoff: add --set cutoff=2021-10-01, or the name of a model")
    if not values["contact"] and not values["dump"]:
        raise UsageError(
            "wikipedia needs contact: add --set contact=YOUR-ADDRESS; whoever runs the wiki writes there if need be"
        )
    if values["pinned"] and (values["dump"] or values["newer_than"]):
        raise UsageError("pinned gives the pages of a release: leave out dump and newer_than")
    if values["dump_log"] and not values["dump"]:
        raise UsageError("dump_log goes with a dump of the articles: add --set dump=FILE")
    cutoff, source = read_cutoff(values["cutoff"])
    return Plan(
        cutoff=cutoff,
        cutoff_source=source,
        until=read_until(values["until"], cutoff),
        site=values["site"] or f"{values['language']}.wikipedia.org",
        language=values["language"],
        contact=values["contact"],
        articles=values["articles"],
        random=values["random"],
        haystack=values["haystack"],
        shortest=values["shortest"],
        seed=seed,
        questions=values["questions"],
        recent=values["recent"],
        drop_known=values["drop_known"],
        classifier=_by("classifier", values["classifier"], client),
        asker=_by("asked_by", values["asked_by"], client),
        newer_than=values["newer_than"],
        pinned=values["pinned"],
        dump=values["dump"],
        dump_log=values["dump_log"],
        requests_per_minute=values["requests_per_minute"],
        at_once=values["at_once"],
    )


def _by(name: str, value: str, client: Client | None) -> Client | None:
    """The client where a model is to do something: `auto` takes the writer that is named."""
    has_writer = client is not None and client.has(WRITER)
    if value == "model" and not has_writer:
        raise UsageError(f"{name}=model needs a model: add --model {WRITER}=NAME")
    return client if has_writer and value != "rule" else None
