"""Where the pages come from: a wiki's API, its dumps, or the very revisions of a release."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.wiki.dumps.harvest import harvest_dump
from benchwright.builders.wiki.page_rules import Accept
from benchwright.builders.wiki.pages import Harvest
from benchwright.builders.wiki.site.cached_wiki import open_store
from benchwright.builders.wiki.site.connection import ABOUT, Wiki, about, open_wiki
from benchwright.builders.wiki.site.harvest import HarvestRequest, harvest
from benchwright.builders.wiki.site.pinned import Pin, fetch_pinned, read_pin
from benchwright.builders.wikipedia.parameters import BuildParameters

Progress = Callable[[str, int, int], None]
CREATED, RANDOM, HAYSTACK = "created_after_cutoff", "random", "haystack"
"""What a page was harvested for, and its subset, but for:"""
POST_CUTOFF = "post_cutoff"
"""The subset of pages created after the cutoff that are mostly about things after it."""


def harvest_pages(parameters: BuildParameters, accept: Accept, progress: Progress) -> Harvest:
    """The pages of a build.

    What a wiki replies is kept in the user's own folder as it arrives: a build that was stopped asks for nothing twice.

    Raises:
        BenchwrightError: the wiki, the dump or the release cannot be read, or has no such page.
    """
    if parameters.newer_than:
        cutoff = max(parameters.cutoff, day_after_newest(parameters.newer_than))
        parameters = replace(parameters, cutoff=cutoff)
    if parameters.dump:
        return _from_dump(parameters, accept, progress)
    wiki = open_wiki(
        parameters.site,
        parameters.contact,
        language=parameters.language,
        requests_per_minute=parameters.requests_per_minute,
        at_once=parameters.at_once,
    )
    store = open_store()
    try:
        if parameters.pinned:
            pins = read_pins(parameters.pinned)
            pages = fetch_pinned(wiki, [pin for pin, _ in pins], store)
            parts = {
                part: tuple(page for page, (_, harvested) in zip(pages, pins, strict=True) if harvested == part)
                for part in (CREATED, RANDOM, HAYSTACK)
            }
            checks = {"revisions_fetched_again": len(pages)}
            return Harvest(parts[CREATED], parts[RANDOM], parts[HAYSTACK], {}, 0, checks, _site(wiki))
        return harvest(wiki, _request(parameters), store, accept=accept, progress=progress)
    finally:
        store.close()


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


def _site(wiki: Wiki) -> dict[str, str]:
    return about(wiki, wiki.ask(**ABOUT)).as_site()


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
