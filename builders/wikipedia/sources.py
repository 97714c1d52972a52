"""Where the pages come from: a wiki's API, its dumps, or the very revisions of a release."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.wiki.dumps.harvest import describe_dump, harvest_dump
from benchwright.builders.wiki.page_rules import Accept
from benchwright.builders.wiki.pages import Harvest
from benchwright.builders.wiki.site.cached_wiki import open_store
from benchwright.builders.wiki.site.connection import ABOUT, Wiki, about, check_same_language, open_wiki
from benchwright.builders.wiki.site.harvest import HarvestRequest, ask_site, harvest
from benchwright.builders.wiki.site.pinned import Pin, fetch_pinned, read_pin
from benchwright.builders.wikipedia.parameters import BuildParameters

Progress = Callable[[str, int, int], None]
CREATED, RANDOM, HAYSTACK = "created_after_cutoff", "random", "haystack"
"""What a page was harvested for, and its subset, but for:"""
POST_CUTOFF = "post_cutoff"
"""The subset of pages created after the cutoff that are mostly about things after it."""


@dataclass(frozen=True)
class Source:
    """Where the pages of a build come from."""

    parameters: BuildParameters
    """Of the harvest: its cutoff is that of the newest page where only newer ones are wanted."""
    site: Mapping[str, str]
    """What the wiki or its dump says of itself: name, address, language, licence, … ."""
    wiki: Wiki | None
    """None: a dump."""


def find_source(parameters: BuildParameters) -> Source:
    """The wiki, which is asked what it is, or the dump, whose beginning is read.

    Raises:
        BenchwrightError: it cannot be read, or is written in another language than was asked for.
    """
    if parameters.newer_than:
        cutoff = max(parameters.cutoff, day_after_newest(parameters.newer_than))
        parameters = replace(parameters, cutoff=cutoff)
    if parameters.dump:
        site = describe_dump(parameters.dump)
        check_same_language(site["name"] or "the dump", site["language"], parameters.language)
        return Source(parameters, site, None)
    wiki = open_wiki(
        parameters.site,
        parameters.contact,
        language=parameters.language,
        requests_per_minute=parameters.requests_per_minute,
        at_once=parameters.at_once,
    )
    store = open_store()
    try:
        said = about(wiki, wiki.ask(**ABOUT)) if parameters.pinned else ask_site(wiki, _request(parameters), store)
    finally:
        store.close()
    return Source(parameters, {**said.as_site(), "address": wiki.address}, wiki)


def harvest_pages(source: Source, accept: Accept, progress: Progress) -> Harvest:
    """The pages of a build.

    What a wiki replies is kept in the user's own folder as it arrives: a build that was stopped asks for nothing twice.

    Raises:
        BenchwrightError: the wiki, the dump or the release cannot be read, or has no such page.
    """
    parameters, wiki = source.parameters, source.wiki
    if wiki is None:
        return _from_dump(parameters, accept, progress)
    store = open_store()
    try:
        if parameters.pinned is None:
            return harvest(wiki, _request(parameters), store, accept=accept, progress=progress)
        pins = read_pins(parameters.pinned)
        pages = fetch_pinned(wiki, [pin for pin, _ in pins], store)
    finally:
        store.close()
    parts = {
        part: tuple(page for page, (_, harvested) in zip(pages, pins, strict=True) if harvested == part)
        for part in (CREATED, RANDOM, HAYSTACK)
    }
    checks = {"revisions_fetched_again": len(pages)}
    asked_about = parts[CREATED] + parts[RANDOM]
    names = {"pages": len(asked_about), "shared": sum(bool(page.namesakes) for page in asked_about)}
    return Harvest(parts[CREATED], parts[RANDOM], parts[HAYSTACK], {}, 0, checks, source.site, names)


def _from_dump(parameters: BuildParameters, accept: Accept, progress: Progress) -> Harvest:
    return harvest_dump(
        parameters.dump_log or None,
        parameters.dump,
        cutoff=parameters.cutoff,
        until=parameters.until,
        articles=parameters.articles,
        random=parameters.random,
        haystack=parameters.haystack,
        seed=parameters.seed,
        minimum=parameters.shortest,
        accept=accept,
        progress=progress,
    )


def _request(parameters: BuildParameters) -> HarvestRequest:
    return HarvestRequest(
        cutoff=_midnight(parameters.cutoff),
        until=_midnight(parameters.until) if parameters.until else None,
        articles=parameters.articles,
        random=parameters.random,
        haystack=parameters.haystack,
        seed=parameters.seed,
        shortest=parameters.shortest,
    )


def read_pins(release: Release) -> list[tuple[Pin, str]]:
    """The pages of a release of this benchmark, in its order, each with the part that it was harvested for.

    Raises:
        BenchwrightError: it is a release of another benchmark.
    """
    if release.manifest.builder != "wikipedia":
        raise BenchwrightError(
            f"{release.manifest.name} is a release of {release.manifest.builder}, not of wikipedia: name another"
        )
    pins = []
    for batch in release.batches("corpus", "corpus", ["title", "metadata"]):
        for row in batch.to_pylist():
            record = json.loads(row["metadata"])
            pins.append((read_pin({**record, "title": row["title"]}), record["harvested"]))
    return pins


def day_after_newest(release: Release) -> date:
    """The first day on which no page of a release was created, nor on any later one."""
    days = [date.fromisoformat(pin.created[:10]) for pin, _ in read_pins(release) if pin.created]
    return max(days) + timedelta(days=1) if days else date.min


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
