"""Passages from a wiki or from its dumps: introductions of pages about events since a date, and who links to them.

Pages are those that were created since the date and are about what happened since then (`events`); those with recent
edits come first, as in Es et al. 2024, section 4: of a wiki, the pages of its list of recent changes from the newest
edit on, and once that ends (Wikimedia's wikis keep 90 days) pages that the seed draws from all that were created since;
of a dump, the pages of the whole dump by their last edit. Of the pages that are found, those that others link to are
taken before those that nothing links to: sentences of the others are what widens a context. Reading, pinning and dumps
are those of `builders/wiki`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from datetime import UTC, date, datetime, time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.builders.base import BuildRequest
from benchwright.builders.wiki.backlinks import Linking, links_in_dump, links_on_site
from benchwright.builders.wiki.dumps.files import find_parts
from benchwright.builders.wiki.dumps.harvest import describe_dump, harvest_dump
from benchwright.builders.wiki.linked_pages import LinkedInDump, linked_on_site, links_of
from benchwright.builders.wiki.own.encyclopedia import encyclopedia
from benchwright.builders.wiki.own.export import write_dumps
from benchwright.builders.wiki.page_rules import Accept
from benchwright.builders.wiki.pages import Harvest, NothingNewError, Page
from benchwright.builders.wiki.site.cached_wiki import CachedWiki, open_store
from benchwright.builders.wiki.site.connection import Wiki, open_wiki
from benchwright.builders.wiki.site.harvest import HarvestRequest, ask_site, harvest
from benchwright.builders.wiki.site.pinned import pin
from benchwright.builders.wiki.text.page import read_article
from benchwright.builders.wikieval.contexts.wider_contexts import FEWEST
from benchwright.builders.wikieval.material import FoundPassages, Neighbour, Passage
from benchwright.builders.wikieval.sources.events import why_not_since
from benchwright.builders.wikieval.sources.introductions import introduction_of, sentences_in
from benchwright.builders.wikieval.sources.page_neighbours import about_linked, about_linking, count_sentences

LANGUAGE = "en"
NO_INTRODUCTION = "no introduction of two full sentences"
NO_LINKS = "no page links to it"
POOL = 3
"""Pages that are looked at for each that is wanted: of some nothing can be asked."""
LINKING = LINKED = 4
"""Pages that link to a page, and pages that it links to, at most."""
OWN, OWN_LICENCE = "an encyclopedia of invented things, written by rule", "cc-by-4.0"
OWN_MOST = 2_000
"""Pages that are wanted of our own encyclopedia."""
OWN_LEAST, OWN_PER_PAGE = 100, 15
"""Articles of our own encyclopedia: at least so many, and so many for each page that is wanted."""
FEWEST_SENTENCES = 2
"""Sentences of an introduction, at least."""
_SHORTEST = 300
"""Characters of an article."""


def find_pages(request: BuildRequest) -> FoundPassages:
    """The passages of the wiki or the dump that the parameters name.

    Raises:
        UsageError: a parameter cannot be meant.
        BenchwrightError: the wiki or the dump cannot be read, or has no such page.
    """
    parameters = request.parameters
    since = read_since(parameters["since"])
    if parameters["dump_log"] and not parameters["dump"]:
        raise UsageError("dump_log goes with a dump of the articles: add --set dump=FILE")
    if parameters["dump"] and parameters["site"]:
        raise UsageError("the pages come from a wiki or from its dump: leave out site or dump")
    try:
        return _found(request, since)
    except NothingNewError as error:
        reasons = "; ".join(f"{why}: {count:,}" for why, count in sorted(error.left_out.items()) if count)
        place = parameters["site"] or parameters["dump"] or OWN
        raise BenchwrightError(
            f"{place}: no page was created since {since} and is about what happened since then "
            f"({reasons or 'none is listed'}): give an earlier since"
        ) from None


def _found(request: BuildRequest, since: date) -> FoundPassages:
    parameters = request.parameters
    if parameters["dump"]:
        found = _from_dump(request, since, parameters["dump"], parameters["dump_log"] or None)
        return replace(found, sources=_files(parameters["dump"], parameters["dump_log"]))
    return _from_site(request, since) if parameters["site"] else _from_own(request, since)


def read_since(text: str) -> date:
    """Raises UsageError where it is no day, or one to come."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"since={text} is no day: give one as 2022-01-01") from None
    if day > datetime.now(UTC).date():
        raise UsageError(f"since={text} is in the future: no page is newer")
    if day == datetime.now(UTC).date():
        raise UsageError(f"since={text} is this day, whose pages are still to come: give an earlier one")
    return day


def _from_own(request: BuildRequest, since: date) -> FoundPassages:
    """The encyclopedia that the local wiki serves, without a server."""
    wanted = request.parameters["pages"]
    if wanted > OWN_MOST:  # all of its articles are in memory at once, about 1 MB for each page that is wanted
        raise UsageError(
            f"pages={wanted} is more than our own encyclopedia is made for, {OWN_MOST:,}: give fewer, or documents, a "
            "dump or a wiki"
        )
    articles = max(OWN_LEAST, OWN_PER_PAGE * wanted)
    with TemporaryDirectory(prefix="benchwright-own-") as folder:
        dump, log = write_dumps(encyclopedia(articles), Path(folder))
        sha256 = file_sha256(dump)
        found = _from_dump(request, since, str(dump), str(log))
    told = {"uri": OWN, "revision": str(articles), "sha256": sha256, "licence": OWN_LICENCE, "language": LANGUAGE}
    return replace(found, sources=[told])


def _from_dump(request: BuildRequest, since: date, dump: str, log: str | None) -> FoundPassages:
    introductions: dict[int, str] = {}
    described = describe_dump(dump)
    _check_language(described["name"] or "the dump", described["language"])
    harvested = harvest_dump(
        log,
        dump,
        cutoff=since,
        articles=POOL * request.parameters["pages"],
        random=0,
        seed=request.seed,
        minimum=_SHORTEST,
        accept=_acceptor(introductions, since),
        edited_first=True,
        progress=request.progress,
    )
    pages = last_edited_first(harvested.created_after_cutoff)
    if not pages:
        raise NothingNewError("no page can be used", harvested.left_out)
    links = {page: links_of(page, introductions[page.id]) for page in pages}
    linked = LinkedInDump(links, about_linked, _SHORTEST)
    linking = links_in_dump(
        dump, pages, about_linking, most=LINKING, shortest=_SHORTEST, look_at=linked.look_at, progress=request.progress
    )
    passages = _passages(pages, introductions, linking, linked.first(LINKED), harvested.site)
    return FoundPassages(passages, checks=_checks(harvested, passages))


def _files(*places: str) -> list[dict[str, Any]]:
    """The files of dumps, as a manifest names them."""
    parts = [part for place in places if place for part in find_parts(place)]
    return [
        {
            "uri": f"dump:{part.name}",
            "revision": None,
            "sha256": file_sha256(part),
            "licence": describe_dump(places[0])["licence"] or None,
            "language": LANGUAGE,
        }
        for part in parts
    ]


def _from_site(request: BuildRequest, since: date) -> FoundPassages:
    parameters = request.parameters
    wiki = open_wiki(
        parameters["site"],
        parameters["contact"],
        requests_per_minute=parameters["requests_per_minute"],
        at_once=parameters["at_once"],
    )
    wanted = HarvestRequest(
        cutoff=datetime.combine(since, time(), UTC),
        until=datetime.combine(datetime.now(UTC).date(), time(), UTC),
        articles=POOL * parameters["pages"],
        random=0,
        seed=request.seed,
        shortest=_SHORTEST,
        edited_first=True,
    )
    introductions: dict[int, str] = {}
    with closing(open_store()) as store:
        _check_language(wiki.address, ask_site(wiki, wanted, store).language)
        accept = _acceptor(introductions, since)
        harvested = harvest(wiki, wanted, store, accept=accept, progress=request.progress)
        pages = last_edited_first(harvested.created_after_cutoff)
        times = {"since": since.isoformat(), "until": f"{wanted.until:%Y-%m-%d}"}
        asked_for = {"site": wiki.address, "links for": wanted.articles, **times, "seed": request.seed}
        cached = CachedWiki(wiki, store, asked_for)
        linking = links_on_site(
            cached, pages, about_linking, most=LINKING, shortest=_SHORTEST, seed=request.seed, progress=request.progress
        )
        lacking = [page for page in pages if count_sentences(linking[page.id].values()) < FEWEST]
        links = {page: links_of(page, introductions[page.id]) for page in lacking}
        linked = linked_on_site(cached, links, about_linked, most=LINKED, shortest=_SHORTEST)
    passages = _passages(pages, introductions, linking, linked, harvested.site)
    return FoundPassages(passages, [_source(wiki, harvested)], _checks(harvested, passages))


def _source(wiki: Wiki, harvested: Harvest) -> dict[str, Any]:
    licence = harvested.site["licence"] or None
    return {"uri": wiki.address, "revision": None, "sha256": None, "licence": licence, "language": LANGUAGE}


def _check_language(place: str, said: str) -> None:
    """Raises UsageError where a wiki or its dump says that it is written in another language than English."""
    if said and said.partition("-")[0].lower() != LANGUAGE:
        raise UsageError(
            f"{place} is written in {said!r}, and pairs are made of English pages: name another wiki or dump"
        )


def _acceptor(introductions: dict[int, str], since: date) -> Accept:
    """What is asked of each page; introductions are kept for later."""

    def accept(page: Page) -> str | None:
        article = read_article(page, LANGUAGE)
        introduction = introduction_of(article)
        if len(sentences_in(introduction)) < FEWEST_SENTENCES:
            return NO_INTRODUCTION
        if why := why_not_since(article, introduction, since):
            return why
        introductions[page.id] = introduction
        return None

    return accept


def last_edited_first(pages: Iterable[Page]) -> list[Page]:
    """Pages by when they were saved last, the newest first; of the same moment, by their ids."""
    return sorted(sorted(pages, key=lambda page: page.id), key=lambda page: page.edited, reverse=True)


def _passages(
    pages: Iterable[Page],
    introductions: Mapping[int, str],
    linking: Linking[Neighbour],
    linked: Linking[Neighbour],
    site: Mapping[str, str],
) -> list[Passage]:
    """Pages with what links to them, and where that is little what they link to; those that can be widened by pages
    that link to them come first, else in their order."""
    passages = [_passage(page, introductions[page.id], linking[page.id], site) for page in pages]
    passages.sort(key=lambda passage: not passage.neighbours)
    return [_with_linked(passage, linked.get(passage.metadata["id"], {}), site) for passage in passages]


def _passage(
    page: Page, introduction: str, linking: Mapping[Page, Sequence[Neighbour]], site: Mapping[str, str]
) -> Passage:
    neighbours = dict.fromkeys(each for said in linking.values() for each in said)
    return Passage(
        title=page.title,
        text=introduction,
        source=address_of(page, site),
        neighbours=tuple(each for each in neighbours if each.sentences[-1] not in introduction),
        metadata={
            **_pinned(page, site),
            "licence": site.get("licence", ""),
            "namesakes": list(page.namesakes),
            "linked_from": [{"title": other.title, **_pinned(other, site)} for other in linking],
        },
    )


def _with_linked(passage: Passage, linked: Mapping[Page, Sequence[Neighbour]], site: Mapping[str, str]) -> Passage:
    """A passage with sentences of pages that its page links to, where those of pages that link to it are few."""
    if not linked or count_sentences([passage.neighbours]) >= FEWEST:
        return passage
    neighbours = (*passage.neighbours, *(one for said in linked.values() for one in said))
    links_to = [{"title": other.title, **_pinned(other, site)} for other in linked]
    return replace(passage, neighbours=neighbours, metadata={**passage.metadata, "links_to": links_to})


def _pinned(page: Page, site: Mapping[str, str]) -> dict[str, Any]:
    """What fetches a page at the same revision again, and where its authors are named."""
    told = asdict(pin(page))
    pinned = {name: told[name] for name in ("id", "revision", "sha1", "created", "edited")}
    return {**pinned, "authors": site.get("history", "").replace("{id}", str(page.id))}


def address_of(page: Page, site: Mapping[str, str]) -> str:
    """Where the revision of a page can be read; of a dump that names no server, the title alone."""
    script = site.get("history", "").partition("?")[0]
    return f"{script}?oldid={page.revision}" if "://" in script else page.title


def _checks(harvested: Harvest, passages: Sequence[Passage]) -> dict[str, Any]:
    lacking = Counter(
        NO_LINKS for passage in passages if all(one.origin != "linking page" for one in passage.neighbours)
    )
    return {
        "pages_found": len(passages),
        "pages_left_out": dict(harvested.left_out),
        "pages_without": dict(lacking),
        "creations_confirmed": dict(harvested.checks),
    }
