"""The builder `wikipedia`: pages → articles → subsets → questions → filters → release."""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.builders.base import BuildRequest
from benchwright.builders.wiki.dumps.files import find_parts
from benchwright.builders.wiki.page_rules import Accept
from benchwright.builders.wiki.pages import Article, Harvest, Page
from benchwright.builders.wiki.questions.languages import primary
from benchwright.builders.wiki.questions.questions_by_rule import counted
from benchwright.builders.wiki.text.left_out import count_templates
from benchwright.builders.wiki.text.page import read_article
from benchwright.builders.wikipedia.asking import (
    LEAST_SHARE,
    AskedArticles,
    ask_about,
    expected_share,
    nothing_left,
    say_what_to_expect,
    those_with_questions,
)
from benchwright.builders.wikipedia.classifier import PROMPT as RECENCY
from benchwright.builders.wikipedia.filters import NOBODY
from benchwright.builders.wikipedia.filters import PROMPTS as FILTERS
from benchwright.builders.wikipedia.filters import ROLE as SYSTEM
from benchwright.builders.wikipedia.parameters import WRITER, BuildParameters, content_of, read_parameters
from benchwright.builders.wikipedia.prove_counts import FACTS, YIELDS
from benchwright.builders.wikipedia.questions_by_model import PROMPT as QUESTIONS
from benchwright.builders.wikipedia.refused import save_refused
from benchwright.builders.wikipedia.rows import as_document, as_question, subset_of
from benchwright.builders.wikipedia.sources import (
    CREATED,
    HAYSTACK,
    POST_CUTOFF,
    RANDOM,
    Source,
    find_source,
    harvest_pages,
)
from benchwright.builders.wikipedia.wiki_language import ENGLISH_ONLY, decide_language, not_done, tag_of

log = logging.getLogger("benchwright")

VERSION = "1.2.0"
_SHORT = "short text"


def build(request: BuildRequest, writer: ReleaseWriter) -> None:
    """Builds from the wiki, dump or release that `request.parameters` names: see `benchmarks/specs/wikipedia.toml`."""
    parameters = read_parameters(request)
    source = find_source(parameters)
    tag = decide_language(source.site, parameters)
    parameters = replace(parameters, language=primary(tag))
    say_what_to_expect(parameters)
    harvest, articles, before = _harvest(parameters, source, request)
    found = ask_about(parameters, articles, harvest, request).after(before)
    if not found.kept:
        raise BenchwrightError(nothing_left(found))
    _write(parameters, writer, harvest, articles, found)
    save_refused(writer.folder, found.refused, articles)
    writer.texts["questions"] = {"rule" if parameters.asker is None else "model": len(found.kept)}
    if parameters.pinned is not None:
        writer.parameters |= content_of(parameters.pinned)
        writer.seed = parameters.seed
    writer.parameters |= {"site": source.site["address"], "language": tag, "cutoffs": ""}
    if parameters.is_own_cutoff:
        writer.parameters["cutoff"] = parameters.cutoff.isoformat()
    writer.sources.extend(_sources(parameters, source.site))
    writer.models.extend(_models(parameters, request.client))
    writer.checks |= _checks(parameters, harvest, found)
    writer.checks |= count_templates(articles[page.id] for _, pages in _parts(harvest) for page in pages)


def settings_to_rebuild(release: Release, given: Mapping[str, str]) -> dict[str, str]:
    """What builds a release again: its dump, else the revisions that it pins, from the wiki.

    Raises:
        BenchwrightError: it is not said who asks the wiki.
    """
    if release.manifest.parameters.get("dump"):
        return {}
    if "contact" not in given:
        raise BenchwrightError(
            "the revisions that it pins must be fetched from the wiki again: add --set contact=YOUR-ADDRESS"
        )
    return {"pinned": str(release.folder.resolve()), "newer_than": ""}


def _harvest(
    parameters: BuildParameters, source: Source, request: BuildRequest
) -> tuple[Harvest, dict[int, Article], AskedArticles | None]:
    """The pages of a build, page → article, and what became of asking about more pages than these."""
    articles: dict[int, Article] = {}
    accept = _acceptor(parameters, articles)
    if not parameters.with_question or parameters.pinned is not None:
        harvest = harvest_pages(source, accept, request.progress)
        return harvest, _read(harvest, articles, parameters.language), None
    share = expected_share(parameters)
    while True:
        more = replace(
            source.parameters,
            articles=ceil(parameters.articles / share),
            random=ceil(parameters.random / share),
        )
        harvest = harvest_pages(replace(source, parameters=more), accept, request.progress)
        read = _read(harvest, articles, parameters.language)
        chosen, asked_about = those_with_questions(parameters, read, harvest, request)
        parts = (
            (chosen.created_after_cutoff, parameters.articles, harvest.created_after_cutoff, more.articles),
            (chosen.random, parameters.random, harvest.random, more.random),
        )
        is_last = share <= LEAST_SHARE
        if is_last or all(len(have) >= wanted or len(there) < asked for have, wanted, there, asked in parts):
            for have, wanted, there, asked in parts:
                if len(have) < wanted:
                    why = "there are no more to ask about" if len(there) < asked else f"of {asked:,} so few get one"
                    log.warning("only %d of %d articles have a question: %s", len(have), wanted, why)
            return chosen, articles, asked_about
        share /= 2


def _read(harvest: Harvest, articles: dict[int, Article], language: str) -> dict[int, Article]:
    """Page → article, of all pages of a harvest, with what it confirmed of them since, such as their creation."""
    for page in (*harvest.created_after_cutoff, *harvest.random, *harvest.haystack):
        known = articles.get(page.id)
        articles[page.id] = replace(known, page=page) if known else read_article(page, language)
    return articles


def _acceptor(parameters: BuildParameters, articles: dict[int, Article]) -> Accept:
    """What a harvest asks of each page: that its text is long enough; what it read is kept for later."""

    def accept(page: Page) -> str | None:
        article = read_article(page, parameters.language)
        if len(article.text) < parameters.shortest:
            return _SHORT
        articles[page.id] = article
        return None

    return accept


def _write(
    parameters: BuildParameters,
    writer: ReleaseWriter,
    harvest: Harvest,
    articles: Mapping[int, Article],
    found: AskedArticles,
) -> None:
    for harvested, pages in _parts(harvest):
        writer.documents(
            as_document(articles[page.id], harvested, found.subsets.get(page.id, HAYSTACK), harvest.site)
            for page in pages
        )
    order = {subset: place for place, subset in enumerate((POST_CUTOFF, CREATED, RANDOM))}
    placed = [(asked, subset_of(asked, found.subsets[asked.page], parameters.cutoff)) for asked in found.kept]
    writer.with_columns("fact_date")
    writer.questions(
        as_question(asked, articles[asked.page].page.title, subset)
        for asked, subset in sorted(placed, key=lambda one: order[one[1]])
    )


def _parts(harvest: Harvest) -> Iterable[tuple[str, Sequence[Page]]]:
    return ((CREATED, harvest.created_after_cutoff), (RANDOM, harvest.random), (HAYSTACK, harvest.haystack))


def _sources(parameters: BuildParameters, site: Mapping[str, str]) -> list[dict[str, str | None]]:
    """The wiki by its address, and the files of its dumps where those were read."""
    facts = {"licence": site["licence"] or None, "language": tag_of(site)}
    address = site["address"]  # a dump need not say whose it is
    wiki = [{"uri": address, "revision": None, "sha256": None, **facts}] if address else []
    dumps = [part for place in (parameters.dump, parameters.dump_log) if place for part in find_parts(place)]
    return wiki + [
        {"uri": f"dump:{part.name}", "revision": None, "sha256": file_sha256(part), **facts} for part in dumps
    ]


def _models(parameters: BuildParameters, client: Client | None) -> list[dict[str, str | None]]:
    found = []
    if parameters.classifier is not None:
        found += parameters.classifier.described(WRITER, [RECENCY])
    if parameters.asker is not None:
        found += parameters.asker.described(WRITER, [QUESTIONS])
    if client is not None and client.has(SYSTEM):
        found += client.described(SYSTEM, FILTERS if parameters.drop_known else FILTERS[:1])
    return found


def _checks(parameters: BuildParameters, harvest: Harvest, found: AskedArticles) -> dict[str, Any]:
    per_subset = Counter(found.subsets.values())
    questions = Counter(subset_of(each, found.subsets[each.page], parameters.cutoff) for each in found.kept)
    lacking = dict.fromkeys(not_done(parameters.language), len(found.subsets))
    if found.filtered.by == NOBODY:
        lacking[ENGLISH_ONLY] = len(found.kept)
    yields = {
        YIELDS[part]: {"asked for": wanted, "accepted": len(pages), "with a question": len(found.have_questions(pages))}
        for part, wanted, pages in (
            (CREATED, parameters.articles, harvest.created_after_cutoff),
            (RANDOM, parameters.random, harvest.random),
        )
    }
    return {
        "articles_per_subset": {name: per_subset[name] for name in (POST_CUTOFF, CREATED, RANDOM)},
        **({} if parameters.pinned is not None else yields),
        "haystack_articles": len(harvest.haystack),
        "questions_per_subset": {name: questions[name] for name in (POST_CUTOFF, CREATED, RANDOM)},
        FACTS: found.facts(parameters.cutoff),
        "pages_left_out": dict(harvest.left_out),
        "creations_confirmed": dict(harvest.checks),
        "names_looked_for": dict(harvest.names),
        **found.classified,
        "questions_by": "rule" if parameters.asker is None else parameters.asker.settings.endpoints[WRITER].model,
        "questions_asked": len(found.asked),
        "questions_more_than_wanted": len(found.filtered.kept) - len(found.kept),
        "questions_rejected_by_their_own_checks": counted(found.rejected),
        **({} if found.again is None else {"articles_asked_about_again": dict(found.again)}),
        **found.filtered.checks(),
        **({"cutoff_source": parameters.cutoff_source} if parameters.cutoff_source else {}),
        **({"not_done_for_the_language": lacking} if lacking else {}),
    }
