"""Pages of a wiki for a benchmark: some that were created after a cutoff, some at random, and a haystack."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from math import ceil

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.remote.response_store import ResponseStore
from benchwright.builders.wiki.page_rules import NOT_AN_ARTICLE, SHORTEST, Accept
from benchwright.builders.wiki.pages import Harvest, NothingNewError, Page
from benchwright.builders.wiki.seeded_order import page_rank
from benchwright.builders.wiki.site.cached_wiki import CachedWiki
from benchwright.builders.wiki.site.connection import ABOUT, About, Wiki, about
from benchwright.builders.wiki.site.creation import CHECKED, Creation
from benchwright.builders.wiki.site.fetch_pages import AT_ONCE, NO_PAGE, PageFetcher
from benchwright.builders.wiki.site.listing import (
    PER_REQUEST,
    WHOLE,
    CreatedPages,
    ListedPage,
    Listing,
    find_created,
    first_revisions,
    stamp,
)
from benchwright.builders.wiki.site.namesakes import find_namesakes
from benchwright.builders.wiki.site.recent_changes import last_edited
from benchwright.builders.wiki.site.sample_random import by_id, by_wiki

log = logging.getLogger("benchwright")

VERSION = 3
"""Changes when the same replies would give another harvest."""
Progress = Callable[[str, int, int], None]

_DENSE = 0.25
"""Share of articles among all page ids from which on ids are drawn instead of asking the wiki for random pages."""
_EARLIER = "give an earlier cutoff, or a later until (by default the beginning of this day, in UTC)"
_POOL = 3
"""Candidates that are gathered for each page that is wanted, where spans of time are drawn."""
_PER_CHECK = 0.008
"""Requests for each wanted page that may be spent on confirming creations by a list of all revisions."""
_HOPE = 0.9
"""Share of pages that are accepted, as supposed before any was fetched at: little is fetched in vain."""


@dataclass(frozen=True, slots=True)
class HarvestRequest:
    """Which pages are wanted."""

    cutoff: datetime
    """The first moment of what is new."""
    until: datetime | None = None
    """Pages are created before this; by default before today, so that a day's harvests are the same."""
    articles: int = 300
    random: int = 300
    haystack: int = 0
    seed: int = 0
    listing: Listing = "auto"
    shortest: int = SHORTEST
    checked: int = CHECKED
    """Pages whose first revision is fetched at."""
    whole: int = WHOLE
    """Requests up to which a list is read as a whole."""
    edited_first: bool = False
    """New articles come from the list of recent changes, those edited last first, as far back as the wiki keeps it, and
    only then from the creations, drawn by the seed."""


def harvest(
    wiki: Wiki,
    request: HarvestRequest,
    store: ResponseStore,
    *,
    accept: Accept | None = None,
    progress: Progress = lambda what, done, total: None,
) -> Harvest:
    """The pages, no two the same; `accept` adds a rule of the caller, such as on the length of the text.

    With the same store, the same request asks the wiki for nothing that has arrived. Raises BenchwrightError.
    """
    request = _checked(request)
    cached = CachedWiki(wiki, store, _as_key(wiki, request))
    site = about(wiki, cached.ask(ABOUT))
    fetcher = PageFetcher(cached, request.shortest, accept)
    return _HarvestInProgress(cached, site, request, fetcher, progress).run()


def ask_site(wiki: Wiki, request: HarvestRequest, store: ResponseStore) -> About:
    """What the wiki says of itself, before the harvest, which does not ask for it again. Raises BenchwrightError."""
    return about(wiki, CachedWiki(wiki, store, _as_key(wiki, _checked(request))).ask(ABOUT))


def _checked(request: HarvestRequest) -> HarvestRequest:
    """The request with its end. Raises UsageError where it cannot be meant."""
    now = datetime.now(UTC)
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    until = request.until or today
    if request.cutoff > now:
        raise UsageError(f"the cutoff {request.cutoff:%Y-%m-%d} is in the future: no page is newer")
    if request.cutoff >= until:
        raise UsageError(f"no page can be newer than {stamp(request.cutoff)} and older than {stamp(until)}: {_EARLIER}")
    for name in ("articles", "random", "haystack", "checked", "shortest"):
        if getattr(request, name) < 0:
            raise UsageError(f"{name} must not be negative")
    if not request.articles + request.random + request.haystack:
        raise UsageError("no page is asked for: give articles, random or haystack")
    return replace(request, until=until)


def _as_key(wiki: Wiki, request: HarvestRequest) -> dict[str, object]:
    """All that decides which replies a harvest is made of."""
    times = {"cutoff": stamp(request.cutoff), "until": stamp(request.until or request.cutoff)}
    return {**asdict(request), **times, "site": wiki.address, "language": wiki.language, "version": VERSION}


class _HarvestInProgress:
    """A harvest under way: what was left out and confirmed so far."""

    def __init__(
        self, wiki: CachedWiki, site: About, request: HarvestRequest, fetcher: PageFetcher, progress: Progress
    ) -> None:
        self.wiki, self.site, self.request, self.fetcher, self.progress = wiki, site, request, fetcher, progress
        self.start, self.end = request.cutoff, request.until or request.cutoff
        self.left_out: dict[int | ListedPage, str] = {}
        """Page → why, so that a page that is met twice counts once."""
        self.checks: Counter[str] = Counter()
        self.by_edits: set[int] = set()
        """Pages that were taken from the list of recent changes."""

    def run(self) -> Harvest:
        """Created ones, then random ones, then the haystack."""
        request = self.request
        # Of pages edited last a list saves looking at each, and its first reply tells from which id on pages are new
        whole = min(
            request.whole, max(request.articles - request.checked, 1) if request.edited_first else request.whole
        )
        found = find_created(self.wiki, self.site, self.start, self.end, request.seed, request.listing, whole)
        created = self._created(found) if request.articles else []
        wanted = request.random + request.haystack
        others = self._random(found, {page.id for page in created}, wanted) if wanted else []
        random, haystack = others[: request.random], others[request.random :]
        names, counts = find_namesakes(
            self.wiki, self.site, [*created, *random], (page.title for page in haystack), self.progress
        )
        return Harvest(
            names.named(created),
            names.named(random),
            tuple(haystack),
            dict(sorted(Counter(self.left_out.values()).items())),
            self.wiki.requests,
            {what: count for what, count in sorted(self.checks.items()) if count},
            {**self.site.as_site(), "address": self.wiki.wiki.address},
            counts,
        )

    def _created(self, found: CreatedPages) -> list[Page]:
        wanted = self.request.articles
        creation = Creation(self.wiki, self.start, self.end, found.lowest, self.checks)
        unlogged: dict[int, ListedPage] = {}
        if found.source == "log" and self._is_small():
            unlogged = first_revisions(self.wiki, self.start, self.end)
            creation.listed = {number: first.created for number, first in unlogged.items()}
        is_by_edits = self.request.edited_first
        queue = self._last_edited(found, unlogged, creation) if is_by_edits else self._queue(found, unlogged)
        accepted: list[Page] = []
        while True:
            accepted += self._take(queue, wanted - len(accepted), creation)
            bad = creation.check_sample(accepted, self.request.seed, self.request.checked)
            accepted = [page for page in accepted if page.id not in bad]
            self.left_out |= bad
            if not bad:
                break
        self.checks["created after the cutoff"] = len(accepted)
        if not accepted:
            raise NothingNewError(self._nothing(), Counter(self.left_out.values()))
        if len(accepted) < wanted:
            # Who wants those edited last asks for more than are used, and says itself what is lacking
            level = logging.INFO if self.request.edited_first else logging.WARNING
            day = f"{self.start:%Y-%m-%d}"
            log.log(level, "%s has only %d of %d articles since %s", self.site.name, len(accepted), wanted, day)
        return [replace(page, created=creation.exact(page)) for page in accepted]

    def _is_small(self) -> bool:
        """Whether a list of all revisions costs little beside the pages' content."""
        request = self.request
        wanted = min(request.articles + request.random + request.haystack, self.site.articles)
        return self.site.edits / PER_REQUEST <= max(_PER_CHECK * wanted, 2)

    def _queue(self, found: CreatedPages, unlogged: dict[int, ListedPage]) -> Iterator[ListedPage]:
        """Candidates in the order of the seed, of which more are listed when they are used up."""
        enough, more = _POOL * self.request.articles, True
        while more:
            pool: dict[object, ListedPage] = {}
            more = False
            for listed in found.pools:
                pool.update((page.id or (page.created, page.title), page) for page in listed)
                if more := not found.is_whole and len(pool) >= enough:
                    break
            missed = unlogged.keys() - pool.keys()
            pool.update((number, unlogged[number]) for number in missed)
            self.checks["not in the log"] += len(missed)
            self.checks["listed since the cutoff"] += len(pool)
            unlogged, enough = {}, max(enough // 4, AT_ONCE)
            yield from sorted(pool.values(), key=self._place)

    def _last_edited(
        self, found: CreatedPages, unlogged: dict[int, ListedPage], creation: Creation
    ) -> Iterator[ListedPage]:
        """New pages by their last edit, and when these are used up the others."""
        pools = list(found.pools) if found.is_whole else []
        listed = {page.id: page for pool in pools for page in pool}
        for page in last_edited(self.wiki, self.end):
            if page.id in listed or (
                page.id >= found.lowest if creation.listed is None else page.id in creation.listed
            ):
                self.by_edits.add(page.id)
                yield listed.get(page.id, page)
        others = replace(found, pools=iter(pools)) if found.is_whole else found
        yield from (page for page in self._queue(others, unlogged) if page.id not in self.by_edits)

    def _place(self, page: ListedPage) -> bytes:
        return page_rank(self.request.seed, "created", page.id or f"{page.created} {page.title}")

    def _take(self, queue: Iterator[ListedPage], wanted: int, creation: Creation) -> list[Page]:
        """So many accepted pages from the queue, or as many as there are."""
        accepted: list[Page] = []
        fetched = 0
        while len(accepted) < wanted:
            batch = list(islice(queue, _enough(wanted - len(accepted), len(accepted), fetched)))
            if not batch:
                break
            verdicts = iter(self.fetcher.fetch([candidate.id for candidate in batch if candidate.id]))
            creation.look_ahead(batch, self.fetcher, wanted - len(accepted))
            fetched += len(batch)
            for candidate in batch:
                verdict = next(verdicts) if candidate.id else NO_PAGE
                if len(accepted) < wanted and (page := self._accept(candidate, verdict, creation)):
                    accepted.append(page)
            self.progress("articles created after the cutoff", len(accepted), wanted)
        return accepted

    def _accept(self, candidate: ListedPage, verdict: Page | str, creation: Creation) -> Page | None:
        """The page with its creation, or None where it is left out."""
        if isinstance(verdict, str):
            draft = candidate.namespace not in (0, 2)
            names = {
                NO_PAGE: "deleted",
                NOT_AN_ARTICLE: "draft" if draft else "moved" if not candidate.namespace else "user page",
            }
            self.left_out[candidate.id or candidate] = names.get(verdict, verdict) if candidate.title else "hidden"
            return None
        created, why = creation.confirm(candidate)
        if why:
            self.left_out[candidate.id] = why
            return None
        self.checks["found among recent changes"] += candidate.id in self.by_edits
        self.checks["renamed since they were begun"] += verdict.title != candidate.title
        return replace(verdict, created=created)

    def _random(self, found: CreatedPages, taken: set[int], wanted: int) -> list[Page]:
        """Pages of any age, none of those that are taken."""
        highest = found.highest
        if found.is_whole and highest and self.site.articles / highest >= _DENSE:
            draw = by_id(self.fetcher, self.request.seed, highest, taken, self.checks)
        else:
            draw = by_wiki(self.fetcher, taken)
            self.checks["drawn by the wiki, without the seed"] = 1
        accepted: list[Page] = []
        fetched = 0
        while len(accepted) < wanted and (batch := draw(_enough(wanted - len(accepted), len(accepted), fetched))):
            fetched += len(batch)
            for number, verdict in batch:
                if isinstance(verdict, str):
                    self.left_out[number] = {NO_PAGE: "deleted", NOT_AN_ARTICLE: "moved"}.get(verdict, verdict)
                elif len(accepted) < wanted:
                    accepted.append(verdict)
            self.progress("random articles", len(accepted), wanted)
        if len(accepted) < wanted:
            log.warning("%s has only %d more articles, not %d", self.site.name, len(accepted), wanted)
        return accepted

    def _nothing(self) -> str:
        reasons = ", ".join(f"{count} {why}" for why, count in sorted(Counter(self.left_out.values()).items()))
        return (
            f"{self.site.name} ({self.wiki.wiki.address}) has no article that was created from {stamp(self.start)} to "
            f"{stamp(self.end)}; {f'left out: {reasons}' if reasons else 'nothing is listed'}: {_EARLIER}"
        )


def _enough(wanted: int, accepted: int, fetched: int) -> int:
    """How many pages to look at for so many accepted ones, by how many were accepted so far: whole requests."""
    share = max(accepted / fetched, 0.1) if fetched else _HOPE
    return ceil(wanted / share / AT_ONCE) * AT_ONCE
