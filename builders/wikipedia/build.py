"""The builder `wikipedia`: pages → articles → subsets → questions → filters → release."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.builders.base import BuildRequest
from benchwright.builders.wiki.dumps.files import find_parts
from benchwright.builders.wiki.pages import Article, Harvest, Page
from benchwright.builders.wiki.sources import CREATED, HAYSTACK, RANDOM, gather
from benchwright.builders.wiki.text.page import read_article
from benchwright.builders.wikipedia.classifier import PROMPT as RECENCY
from benchwright.builders.wikipedia.classifier import Verdict, classify_by_dates, classify_by_model, compare
from benchwright.builders.wikipedia.filters import PROMPTS as FILTERS
from benchwright.builders.wikipedia.filters import ROLE as SYSTEM
from benchwright.builders.wikipedia.filters import Filtered, filter_questions
from benchwright.builders.wikipedia.plan import WRITER, Plan, read_plan
from benchwright.builders.wikipedia.questions_by_model import PROMPT as QUESTIONS
from benchwright.builders.wikipedia.questions_by_model import ask_by_model
from benchwright.builders.wikipedia.questions_by_rule import Asked, Rejected, ask_by_rule, choose, counted
from benchwright.builders.wikipedia.rows import as_document, as_question

VERSION = "1.0.0"
POST_CUTOFF = "post_cutoff"
_SHORT = "short text"


def build(request: BuildRequest, writer: ReleaseWriter) -> None:
    """Builds from the wiki, dump or release that `request.parameters` names. See `benchmarks/specs/wikipedia.toml`."""
    plan = read_plan(request.parameters, request.seed, request.client)
    articles: dict[int, Article] = {}
    harvest = gather(plan, _acceptor(plan, articles), request.progress)
    for page in (*harvest.created_after_cutoff, *harvest.random, *harvest.haystack):
        known = articles.get(page.id)  # what the harvest confirmed since, such as its creation, is in the page
        articles[page.id] = replace(known, page=page) if known else read_article(page)
    subsets, classified = _subsets(plan, harvest, articles, request)
    asked, rejected = _ask(plan, [articles[page] for page in subsets], request)
    filtered = filter_questions(articles, asked, client=request.client, drop_known=plan.drop_known)
    kept = _chosen(plan, filtered.kept)
    if not kept:
        raise BenchwrightError("no question is left: give more articles, or more questions for each")
    _write(writer, harvest, articles, subsets, kept)
    writer.sources.extend(_sources(plan, harvest))
    writer.models.extend(_models(plan, request.client))
    writer.checks |= _checks(plan, harvest, subsets, classified, asked, rejected, filtered, kept)


def _acceptor(plan: Plan, articles: dict[int, Article]) -> Any:
    """What a harvest asks of each page: that its text is long enough; what it read is kept for later."""

    def accept(page: Page) -> str | None:
        article = read_article(page)
        if len(article.text) < plan.shortest:
            return _SHORT
        articles[page.id] = article
        return None

    return accept


def _subsets(
    plan: Plan, harvest: Harvest, articles: Mapping[int, Article], request: BuildRequest
) -> tuple[dict[int, str], dict[str, Any]]:
    """Page → subset, of the pages that are asked about, and what the classifiers said, in counts."""
    created = [articles[page.id] for page in harvest.created_after_cutoff]
    request.progress("articles classified", 0, len(created))
    by_dates = [classify_by_dates(article, plan.cutoff) for article in created]
    verdicts: Sequence[Verdict] = by_dates
    counts: dict[str, Any] = {"classified_by": "dates in the text"}
    if plan.classifier is not None:
        verdicts = []
        for done, verdict in enumerate(classify_by_model(plan.classifier, created, plan.cutoff), start=1):
            verdicts.append(verdict)
            request.progress("articles classified", done, len(created))
        counts["classified_by"] = plan.classifier.settings.endpoints[WRITER].model
        agreement = compare([each.is_recent for each in by_dates], [each.is_recent for each in verdicts])
        counts["agreement_of_dates_with_model"] = agreement.figures()
    counts["articles_undecided"] = sum(verdict.is_recent is None for verdict in verdicts)
    found = {verdict.page: POST_CUTOFF if verdict.is_recent else CREATED for verdict in verdicts}
    return {**found, **{page.id: RANDOM for page in harvest.random}}, counts


def _ask(plan: Plan, articles: Sequence[Article], request: BuildRequest) -> tuple[list[Asked], list[Rejected]]:
    """All questions before the filters, article by article, and those that their own checks rejected."""
    asked: list[Asked] = []
    rejected: list[Rejected] = []
    if plan.asker is None:
        found = ((article, ask_by_rule(article, plan.cutoff)) for article in articles)
    else:
        found = ask_by_model(plan.asker, articles, plan.questions, cutoff=plan.cutoff, recent=plan.recent)
    for done, (_, result) in enumerate(found, start=1):
        asked += choose(result.asked, len(result.asked), plan.seed, recent=plan.recent)
        rejected += result.rejected
        request.progress("articles asked about", done, len(articles))
    return asked, rejected


def _chosen(plan: Plan, kept: Sequence[Asked]) -> list[Asked]:
    """As many questions of each article as are wanted, of those that the filters left."""
    by_page: dict[int, list[Asked]] = {}
    for asked in kept:
        by_page.setdefault(asked.page, []).append(asked)
    return [
        asked
        for of_page in by_page.values()
        for asked in choose(of_page, plan.questions, plan.seed, recent=plan.recent)
    ]


def _write(
    writer: ReleaseWriter,
    harvest: Harvest,
    articles: Mapping[int, Article],
    subsets: Mapping[int, str],
    kept: Sequence[Asked],
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


def _sources(plan: Plan, harvest: Harvest) -> list[dict[str, str | None]]:
    """The wiki, and the files of its dumps where those were read."""
    licence = harvest.site.get("licence") or None
    server = harvest.site.get("server") or ""
    is_named = bool(server.strip(":/"))  # a dump need not say whose it is
    uri = server if is_named else "" if plan.dump else plan.site
    wiki = [{"uri": uri, "revision": None, "sha256": None, "licence": licence}] if uri else []
    dumps = [part for place in (plan.dump, plan.dump_log) if place for part in find_parts(place)]
    return wiki + [
        {"uri": f"dump:{part.name}", "revision": None, "sha256": file_sha256(part), "licence": licence}
        for part in dumps
    ]


def _models(plan: Plan, client: Client | None) -> list[dict[str, str | None]]:
    found = []
    if plan.classifier is not None:
        found += plan.classifier.described(WRITER, [RECENCY])
    if plan.asker is not None:
        found += plan.asker.described(WRITER, [QUESTIONS])
    if client is not None and client.has(SYSTEM):
        found += client.described(SYSTEM, FILTERS if plan.drop_known else FILTERS[:1])
    return found


def _checks(
    plan: Plan,
    harvest: Harvest,
    subsets: Mapping[int, str],
    classified: Mapping[str, Any],
    asked: Sequence[Asked],
    rejected: Sequence[Rejected],
    filtered: Filtered,
    kept: Sequence[Asked],
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
        "questions_by": "rule" if plan.asker is None else plan.asker.settings.endpoints[WRITER].model,
        "questions_asked": len(asked),
        "questions_more_than_wanted": len(filtered.kept) - len(kept),
        "questions_rejected_by_their_own_checks": counted(rejected),
        **filtered.checks(),
        **({"cutoff_source": plan.cutoff_source} if plan.cutoff_source else {}),
    }
