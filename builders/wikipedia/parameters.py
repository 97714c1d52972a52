"""What a build of this benchmark is asked for: its parameters, checked and of their types."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from benchwright.benchmarks.catalogue import WIKIS
from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.releases.find import open_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.systems.language_model import ROLE
from benchwright.builders.base import BuildRequest
from benchwright.builders.wikipedia.cutoffs import read_cutoff, read_own_cutoffs, read_until

WRITER = "writer"
CONTENT = ("cutoff", "until", "questions", "recent", "drop_known", "shortest", "language")
"""Parameters that decide, with the pages and the seed, what a release holds."""


@dataclass(frozen=True)
class BuildParameters:
    """The parameters of a build; see `benchmarks/specs/wikipedia.toml`."""

    cutoff: date
    cutoff_source: str | None
    """Where the cutoff of a model is said; None of a date."""
    is_own_cutoff: bool
    """It is said by a table of the user's own, so that a release tells the date and not the model's name alone."""
    until: date | None
    site: str
    language: str
    """What the wiki must be written in; empty: whatever it is."""
    contact: str
    articles: int
    random: int
    haystack: int
    shortest: int
    seed: int
    with_question: bool
    """`articles` and `random` count only those with a question."""
    questions: int
    recent: bool
    drop_known: bool
    classifier: Client | None
    """Who classifies: a model, or None for the dates in the text."""
    asker: Client | None
    """Who writes questions: a model, or None for the rules."""
    newer_than: Release | None
    """Only articles that are newer than all of its."""
    pinned: Release | None
    """The same revisions again."""
    dump: str
    dump_log: str
    requests_per_minute: int
    at_once: int


def read_parameters(request: BuildRequest) -> BuildParameters:
    """The parameters of a build, checked; where a release is built again, those that decide its content are its own.

    Raises:
        UsageError: one cannot be meant, or two exclude each other.
        BenchwrightError: there is no such release in the folder of releases.
    """
    values, seed, client = dict(request.parameters), request.seed, request.client
    pinned = open_release(values["pinned"], request.releases) if values["pinned"] else None
    newer_than = open_release(values["newer_than"], request.releases) if values["newer_than"] else None
    if pinned is not None:
        values |= content_of(pinned)
        seed = pinned.manifest.seed or 0
    if not values["cutoff"]:
        raise UsageError("wikipedia needs cutoff: add --set cutoff=2021-10-01, or the name of a model")
    if not values["contact"] and not values["dump"]:
        raise UsageError(
            "wikipedia needs contact: add --set contact=YOUR-ADDRESS; whoever runs the wiki writes there if need be"
        )
    if pinned is not None and (values["dump"] or newer_than is not None):
        raise UsageError("pinned gives the pages of a release: leave out dump and newer_than")
    if values["drop_known"] and not (client is not None and client.has(ROLE)):
        raise UsageError(f"drop_known=true needs a model to ask closed book: add --model {ROLE}=NAME")
    if values["dump_log"] and not values["dump"]:
        raise UsageError("dump_log goes with a dump of the articles: add --set dump=FILE")
    own = read_own_cutoffs(values["cutoffs"]) if values["cutoffs"] else {}
    cutoff, source = read_cutoff(values["cutoff"], own)
    is_own = values["cutoff"].lower() in own
    return BuildParameters(
        cutoff=cutoff,
        cutoff_source=f"{values['cutoff']}: {source}" if is_own else source,
        is_own_cutoff=is_own,
        until=read_until(values["until"], cutoff),
        site=values["site"] or site_of(pinned) or f"{values['language'] or 'en'}.wikipedia.org",
        language=WIKIS.get(str(values["language"]), str(values["language"])),
        contact=values["contact"],
        articles=values["articles"],
        random=values["random"],
        haystack=values["haystack"],
        shortest=values["shortest"],
        seed=seed,
        with_question=values["with_question"],
        questions=values["questions"],
        recent=values["recent"],
        drop_known=values["drop_known"],
        classifier=_by("classifier", values["classifier"], client),
        asker=_by("asked_by", values["asked_by"], client),
        newer_than=newer_than,
        pinned=pinned,
        dump=values["dump"],
        dump_log=values["dump_log"],
        requests_per_minute=values["requests_per_minute"],
        at_once=values["at_once"],
    )


def content_of(release: Release) -> dict[str, Any]:
    """The parameters of a release that decide, with its pages and its seed, what it holds."""
    return {name: release.manifest.parameters[name] for name in CONTENT if name in release.manifest.parameters}


def site_of(release: Release | None) -> str:
    """The address of the wiki that a release was made from; nothing where there is no release, or no address.

    Raises:
        UsageError: it tells a part of the address alone, as releases of older versions did.
    """
    site = str(release.manifest.parameters.get("site") or "") if release else ""
    if site and not any(sign in site for sign in ".:/"):
        raise UsageError(f"of the wiki's address the release tells the last part, {site!r}, alone: add --set site=…")
    return site


def _by(name: str, value: str, client: Client | None) -> Client | None:
    """The client where a model is to do something: `auto` takes the writer that is named."""
    has_writer = client is not None and client.has(WRITER)
    if value == "model" and not has_writer:
        raise UsageError(f"{name}=model needs a model: add --model {WRITER}=NAME")
    return client if has_writer and value != "rule" else None
