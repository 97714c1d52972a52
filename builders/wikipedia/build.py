"""The builder `wikipedia`: pages → articles → subsets → questions → filters → release."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.naming import check_language
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.builders.base import BuildRequest
from benchwright.builders.wiki.dumps.files import find_parts
from benchwright.builders.wiki.page_rules import Accept
from benchwright.builders.wiki.pages import Article, Harvest, Page
from benchwright.builders.wiki.text.page import read_article
from benchwright.builders.wikipedia.classifier import PROMPT as RECENCY
from benchwright.builders.wikipedia.classifier import RecencyVerdict, classify_by_dates, classify_by_model, compare
from benchwright.builders.wikipedia.filters import PROMPTS as FILTERS
from benchwright.builders.wikipedia.filters import ROLE as SYSTEM
from benchwright.builders.wikipedia.filters import Filtered, filter_questions
from benchwright.builders.wikipedia.parameters import WRITER, BuildParameters, content_of, read_parameters
from benchwright.builders.wikipedia.questions_by_model import PROMPT as QUESTIONS
from benchwright.builders.wikipedia.questions_by_model import ask_by_model
from benchwright.builders.wikipedia.questions_by_rule import (
    ArticleQuestion,
    RejectedQuestion,
    ask_by_rule,
    choose,
    choose_of_each,
    counted,
)
from benchwright.builders.wikipedia.rows import as_document, as_question
from benchwright.builders.wikipedia.sources import CREATED, HAYSTACK, POST_CUTOFF, RANDOM, harvest_pages

VERSION = "1.1.0"
_SHORT = "short text"


def build(request: BuildRequest, writer: ReleaseWriter) -> None:
    """Builds from the wiki, dump or release that `request.parameters` names. See `benchmarks/specs/wikipedia.toml`."""
    parameters = read_parameters(request)
    articles: dict[int, Article] = {}
    harvest = harvest_pages(parameters, _acceptor(parameters, articles), request.progress)
    for page in (*harvest.created_after_cutoff, *harvest.random, *harvest.haystack):
        known = articles.get(page.id)  # what the harvest confirmed since, such as its creation, is in the page
        articles[page.id] = replace(known, page=page) if known else read_article(page)
    subsets, classified = _subsets(parameters, harvest, articles, request)
    asked, rejected = _ask(parameters, [articles[page] for page in subsets], request)
    filtered = filter_questions(articles, asked, client=request.client, drop_known=parameters.drop_known)
    kept = choose_of_each(filtered.kept, parameters.questions, parameters.seed, recent=parameters.recent)
    if not kept:
        raise BenchwrightError("no question is left: give more articles, or more questions for each")
    _write(writer, harvest, articles, subsets, kept)
    writer.texts["questions"] = {"rule" if parameters.asker is None else "model": len(kept)}
    if parameters.pinned is not None:
        writer.parameters |= content_of(parameters.pinned)
        writer.seed = parameters.seed
    writer.sources.extend(_sources(parameters, harvest))
    writer.models.extend(_models(parameters, request.client))
    writer.checks |= _checks(parameters, harvest, subsets, classified, asked, rejected, filtered, kept)


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


def _acceptor(parameters: BuildParameters, articles: dict[int, Article]) -> Accept:
    """What a harvest asks of each page: that its text is long enough; what it read is kept for later."""

    def accept(page: Page) -> str | None:
        article = read_article(page)
        if len(article.text) < parameters.shortest:
            return _SHORT
        articles[page.id] = article
        return None

    return accept


def _subsets(
    parameters: BuildParameters, harvest: Harvest, articles: Mapping[int, Article], request: BuildRequest
) -> tuple[dict[int, str], dict[str, Any]]:
    """Page → subset, of the pages that are asked about, and what the classifiers said, in counts."""
    created = [articles[page.id] for page in harvest.created_after_cutoff]
    request.progress("articles classified", 0, len(created))
    by_dates = [classify_by_dates(article, parameters.cutoff) for article in created]
    verdicts: Sequence[RecencyVerdict] = by_dates
    counts: dict[str, Any] = {"classified_by": "dates in the text"}
    if parameters.classifier is not None:
        verdicts = []
        for done, verdict in enumerate(classify_by_model(parameters.classifier, created, parameters.cutoff), start=1):
            verdicts.append(verdict)
            request.progress("articles classified", done, len(created))
        counts["classified_by"] = parameters.classifier.settings.endpoints[WRITER].model
        agreement = compare([each.is_recent for each in by_dates], [each.is_recent for each in verdicts])
        counts["agreement_of_dates_with_model"] = agreement.figures()
    counts["articles_undecided"] = sum(verdict.is_recent is None for verdict in verdicts)
    found = {verdict.page: POST_CUTOFF if verdict.is_recent else CREATED for verdict in verdicts}
    return {**found, **{page.id: RANDOM for page in harvest.random}}, counts


def _ask(
    parameters: BuildParameters, articles: Sequence[Article], request: BuildRequest
) -> tuple[list[ArticleQuestion], list[RejectedQuestion]]:
    """All questions before the filters, article by article, and those that their own checks rejected."""
    asked: list[ArticleQuestion] = []
    rejected: list[RejectedQuestion] = []
    if parameters.asker is None:
        found = ((article, ask_by_rule(article, parameters.cutoff)) for article in articles)
    else:
        found = ask_by_model(
            parameters.asker, articles, parameters.questions, cutoff=parameters.cutoff, recent=parameters.recent
        )
    for done, (_, result) in enumerate(found, start=1):
        asked += choose(result.asked, len(result.asked), parameters.seed, recent=parameters.recent)
        rejected += result.rejected
        request.progress("articles asked about", done, len(articles))
    return asked, rejected


def _write(
    writer: ReleaseWriter,
    harvest: Harvest,
    articles: Mapping[int, Article],
    subsets: Mapping[int, str],
    kept: Sequence[ArticleQuestion],
) -> None:
    for harvested, pages in _parts(harvest):
        writer.documents(
            as_document(articles[page.id], harvested, subsets.get(page.id, HAYSTACK), harvest.site) for page in pages
        )
    order = {subset: place for place, subset in enumerate((POST_CUTOFF, CREATED, RANDOM))}
    rows = sorted(kept, key=lambda asked: order[subsets[asked.page]])
    writer.questions(as_question(asked, articles[asked.page].page.title, subsets[asked.page]) for asked in rows)


def _parts(harvest: Harvest) -> Iterable[tuple[str, Sequence[Page]]]:
    return ((CREATED, harvest.created_after_cutoff), (RANDOM, harvest.random), (HAYSTACK, harvest.haystack))


def _sources(parameters: BuildParameters, harvest: Harvest) -> list[dict[str, str | None]]:
    """The wiki, and the files of its dumps where those were read."""
    licence = harvest.site.get("licence") or None
    server = harvest.site.get("server") or ""
    is_named = bool(server.strip(":/"))  # a dump need not say whose it is
    uri = server if is_named else "" if parameters.dump else parameters.site
    facts = {"licence": licence, "language": _language(harvest)}
    wiki = [{"uri": uri, "revision": None, "sha256": None, **facts}] if uri else []
    dumps = [part for place in (parameters.dump, parameters.dump_log) if place for part in find_parts(place)]
    return wiki + [
        {"uri": f"dump:{part.name}", "revision": None, "sha256": file_sha256(part), **facts} for part in dumps
    ]


def _language(harvest: Harvest) -> str | None:
    """What the wiki says that its language is, as a tag; None where it says nothing that is one."""
    said = harvest.site.get("language") or ""
    for tag in (said, said.partition("-")[0]):
        with suppress(BenchwrightError):
            return check_language(tag)
    return None


def _models(parameters: BuildParameters, client: Client | None) -> list[dict[str, str | None]]:
    found = []
    if parameters.classifier is not None:
        found += parameters.classifier.described(WRITER, [RECENCY])
    if parameters.asker is not None:
        found += parameters.asker.described(WRITER, [QUESTIONS])
    if client is not None and client.has(SYSTEM):
        found += client.described(SYSTEM, FILTERS if parameters.drop_known else FILTERS[:1])
    return found


def _checks(
    parameters: BuildParameters,
    harvest: Harvest,
    subsets: Mapping[int, str],
    classified: Mapping[str, Any],
    asked: Sequence[ArticleQuestion],
    rejected: Sequence[RejectedQuestion],
    filtered: Filtered,
    kept: Sequence[ArticleQuestion],
) -> dict[str, Any]:
    per_subset = Counter(subsets.values())
    questions = Counter(subsets[each.page] for each in kept)
    return {
        "articles_per_subset": {name: per_subset[name] for name in (POST_CUTOFF, CREATED, RANDOM)},
        "haystack_articles": len(harvest.haystack),
        "questions_per_subset": {name: questions[name] for name in (POST_CUTOFF, CREATED, RANDOM)},
        "pages_left_out": dict(harvest.left_out),
        "creations_confirmed": dict(harvest.checks),
        **classified,
        "questions_by": "rule" if parameters.asker is None else parameters.asker.settings.endpoints[WRITER].model,
        "questions_asked": len(asked),
        "questions_more_than_wanted": len(filtered.kept) - len(kept),
        "questions_rejected_by_their_own_checks": counted(rejected),
        **filtered.checks(),
        **({"cutoff_source": parameters.cutoff_source} if parameters.cutoff_source else {}),
    }
