"""Where the pages come from: a wiki's API, its dumps, or the very revisions of a release."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.models.cache import default_path
from benchwright.benchmarks.releases.find import open_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.wiki.dumps.harvest import harvest_dump
from benchwright.builders.wiki.pages import Harvest, Page
from benchwright.builders.wiki.site.cached_wiki import Store
from benchwright.builders.wiki.site.connection import ABOUT, about, open_wiki
from benchwright.builders.wiki.site.harvest import HarvestRequest, harvest
from benchwright.builders.wiki.site.pinned import Pin, fetch_pinned, read_pin
from benchwright.builders.wikipedia.plan import Plan

Progress = Callable[[str, int, int], None]
CREATED, RANDOM, HAYSTACK = "created_after_cutoff", "random", "haystack"


def gather(plan: Plan, accept: Callable[[Page], str | None], progress: Progress) -> Harvest:
    """The pages of a build.

    What a wiki replies is kept in the user's cache as it arrives: a build that was stopped asks for nothing twice.

    Raises:
        BenchwrightError: the wiki, the dump or the release cannot be read, or has no such page.
    """
    if plan.newer_than:
        plan = replace(plan, cutoff=max(plan.cutoff, newest_creation(open_release(plan.newer_than, Path("releases")))))
    if plan.dump:
        return harvest_dump(
            plan.dump_log or None,
            plan.dump,
            cutoff=plan.cutoff,
            until=plan.until,
            articles=plan.articles,
            random=plan.random,
            haystack=plan.haystack,
            seed=plan.seed,
            minimum=plan.shortest,
            accept=accept,
            progress=progress,
        )
    wiki = open_wiki(
        plan.site,
        plan.contact,
        language=plan.language,
        requests_per_minute=plan.requests_per_minute,
        at_once=plan.at_once,
    )
    store = Store(default_path().parent / "wikipedia")
    try:
        if plan.pinned:
            release = open_release(plan.pinned, Path("releases"))
            pins = read_pins(release)
            pages = fetch_pinned(wiki, [pin for pin, _ in pins], store)
            parts = {
                part: tuple(page for page, (_, of) in zip(pages, pins, strict=True) if of == part)
                for part in (CREATED, RANDOM, HAYSTACK)
            }
            site = about(wiki, wiki.ask(**ABOUT)).as_site()
            checks = {"revisions_fetched_again": len(pages)}
            return Harvest(parts[CREATED], parts[RANDOM], parts[HAYSTACK], {}, 0, checks, site)
        request = HarvestRequest(
            cutoff=_moment(plan.cutoff),
            until=_moment(plan.until) if plan.until else None,
            articles=plan.articles,
            random=plan.random,
            haystack=plan.haystack,
            seed=plan.seed,
            shortest=plan.shortest,
        )
        return harvest(wiki, request, store, accept=accept, progress=progress)
    finally:
        store.close()


def read_pins(release: Release) -> list[tuple[Pin, str]]:
    """The pages of a release of this benchmark, in its order, each with the part that it was harvested for.

    Raises:
        BenchwrightError: it is a release of another benchmark.
    """
    if release.manifest.builder != "wikipedia":
        raise BenchwrightError(
            f"{release.manifest.name} is a release of {release.manifest.builder}, not of wikipedia: name another"
        )
    found = []
    for batch in release.batches("corpus", "corpus", ["title", "metadata"]):
        for row in batch.to_pylist():
            record = json.loads(row["metadata"])
            found.append((read_pin({**record, "title": row["title"]}), record["harvested"]))
    return found


def newest_creation(release: Release) -> date:
    """The first day on which no page of a release was created, nor on any later one."""
    days = [date.fromisoformat(pin.created[:10]) for pin, _ in read_pins(release) if pin.created]
    return max(days) + timedelta(days=1) if days else date.min


def _moment(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
