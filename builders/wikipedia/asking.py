"""From articles to the questions of a release: classified, asked about, filtered, chosen.

Not every article gets a question: the rules ask only what is plainly stated. So a build says beforehand how many are
to be expected; with `with_question` it takes further articles of the same seeded order until as many as were wanted
have one.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import ceil
from typing import Any

from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.builders.base import BuildRequest
from benchwright.builders.wiki.pages import Article, Harvest, Page
from benchwright.builders.wiki.questions.article_questions import ArticleQuestion, RejectedQuestion
from benchwright.builders.wiki.questions.fact_dates import PLACES, place_in_time
from benchwright.builders.wiki.questions.languages import LANGUAGES
from benchwright.builders.wiki.questions.questions_by_rule import ask_by_rule, choose, choose_of_each, counted
from benchwright.builders.wikipedia.classifier import RecencyVerdict, classify_by_dates, classify_by_model, compare
from benchwright.builders.wikipedia.filters import Filtered, filter_questions
from benchwright.builders.wikipedia.parameters import WRITER, BuildParameters
from benchwright.builders.wikipedia.proposals import RefusedProposal
from benchwright.builders.wikipedia.questions_by_model import ModelledQuestions, ask_by_model, count_again
from benchwright.builders.wikipedia.refused import refused_by_filters
from benchwright.builders.wikipedia.sources import CREATED, POST_CUTOFF, RANDOM

log = logging.getLogger("benchwright")

LEAST_SHARE = 0.05
"""Where fewer articles than this get a question, no further ones are asked about: a model may have to be paid."""
BY_RULE, BY_MODEL = 0.37, 0.8
"""The share of articles that get a question: by rule of the real articles that the rules were tried on, by a model as
supposed."""


@dataclass(frozen=True)
class AskedArticles:
    """Articles, and what became of asking about them."""

    subsets: Mapping[int, str]
    """Page → the subset of its article, in the order in which they were asked about."""
    classified: Mapping[str, Any]
    """What the classifiers said, in counts."""
    asked: Sequence[ArticleQuestion]
    """All questions before the filters."""
    rejected: Sequence[RejectedQuestion]
    """Those that their own checks rejected."""
    filtered: Filtered
    kept: Sequence[ArticleQuestion]
    """The questions of the release."""
    refused: Sequence[RefusedProposal] = ()
    """Proposals of a model that their own checks or the filters refused."""
    again: Mapping[str, int] | None = None
    """Of a model: about how many articles it was asked again, and how many questions came of it."""

    def after(self, before: "AskedArticles | None") -> "AskedArticles":
        """These, with what a model proposed of all articles that it was asked about before, of which these are some."""
        if before is None or before.again is None:
            return self
        return replace(self, rejected=before.rejected, refused=before.refused, again=before.again)

    def have_questions(self, pages: Iterable[Page]) -> list[Page]:
        """Those of the pages that have a question, in their order."""
        with_one = {one.page for one in self.kept}
        return [page for page in pages if page.id in with_one]

    def facts(self, cutoff: date) -> dict[str, int]:
        """How many questions about articles created after the cutoff ask for a fact after it, before it, ..."""
        kept = [one for one in self.kept if self.subsets[one.page] != RANDOM]
        counts = Counter(place_in_time(one.fact_date, cutoff, one.dated_by) for one in kept)
        return {place: counts[place] for place in PLACES}


def expected_share(parameters: BuildParameters) -> float:
    """The share of articles that may be expected to get a question."""
    return BY_RULE if parameters.asker is None else BY_MODEL


def say_what_to_expect(parameters: BuildParameters) -> None:
    """Says, before anything is fetched, how many of the articles may be expected to get a question."""
    if parameters.pinned is not None or parameters.with_question:
        return
    wanted = parameters.articles + parameters.random
    expected = round(wanted * expected_share(parameters))
    if parameters.asker is not None:
        some, why = f"some {expected}", "that is supposed, and not measured, of a model"
    elif parameters.language == "en":
        some, why = f"some {expected}", "rules ask only what is plainly stated"
    else:
        some, why = "not all", "rules ask only what is plainly stated; how many was measured in English alone"
    log.warning(
        "of %d articles %s may get a question (%s): for %d with one add --set with_question=true",
        wanted, some, why, wanted,
    )  # fmt: skip


def nothing_left(found: AskedArticles) -> str:
    """What to do where no question is left."""
    reasons = ", ".join(f"{reason}: {count}" for reason, count in counted(found.refused).items())
    if found.again is None:
        return "no question is left: give more articles, or more questions for each"
    return f"no question is left of what the model proposed ({reasons}): name another model, or give more articles"


def ask_about(
    parameters: BuildParameters, articles: Mapping[int, Article], harvest: Harvest, request: BuildRequest
) -> AskedArticles:
    """Asks about all articles of a harvest but the haystack.

    Raises:
        StopError: nothing that follows would go better; the replies that came are kept.
        Estimated: nothing is to be asked, and not all replies are there already.
    """
    created = [articles[page.id] for page in harvest.created_after_cutoff]
    try:
        subsets, classified = _subsets(parameters, created, request)
    except Estimated:
        if request.client is not None:
            request.client.imagine()
        _estimate_questions(parameters, [*created, *(articles[page.id] for page in harvest.random)])
        raise
    subsets |= {page.id: RANDOM for page in harvest.random}
    first = {page: parameters.cutoff for page, subset in subsets.items() if parameters.recent and subset == POST_CUTOFF}
    asked: list[ArticleQuestion] = []
    rejected: list[RejectedQuestion] = []
    modelled: list[ModelledQuestions] = []
    about = [articles[page] for page in subsets]
    if parameters.asker is None:
        found = ((article, ask_by_rule(article, parameters.language)) for article in about)
    else:
        found = ask_by_model(parameters.asker, about, parameters.questions, after=first, language=parameters.language)
    for number, (article, result) in enumerate(found, start=1):
        if isinstance(result, ModelledQuestions):
            modelled.append(result)
        asked += choose(result.asked, len(result.asked), parameters.seed, after=first.get(article.page.id))
        rejected += result.rejected
        request.progress("articles asked about", number, len(about))
    filtered = filter_questions(
        articles, asked, client=request.client, drop_known=parameters.drop_known, language=parameters.language
    )
    kept = choose_of_each(filtered.kept, parameters.questions, parameters.seed, after=first)
    done = AskedArticles(subsets, classified, asked, rejected, filtered, kept)
    if parameters.asker is None:
        return done
    own = [one for result in modelled for one in result.rejected]
    refused = [*own, *refused_by_filters(articles, modelled, filtered.rejected)]
    return replace(done, refused=refused, again=count_again(modelled))


def _estimate_questions(parameters: BuildParameters, about: Sequence[Article]) -> None:
    """Counts what the questions may take too, where not even the subsets are known."""
    if parameters.asker is not None:
        for _ in ask_by_model(parameters.asker, about, parameters.questions, language=parameters.language):
            pass


def those_with_questions(
    parameters: BuildParameters, articles: Mapping[int, Article], harvest: Harvest, request: BuildRequest
) -> tuple[Harvest, AskedArticles]:
    """A harvest without the articles that get no question, and without those that are more than wanted; and what became
    of asking about all that were asked about.

    Articles are asked about in their order, only as many as it takes. What is left out is counted in the harvest.
    """
    wanted = {"created": parameters.articles, "random": parameters.random}
    pages = {"created": harvest.created_after_cutoff, "random": harvest.random}
    taken = {part: min(count, len(pages[part])) for part, count in wanted.items()}
    while True:
        part = replace(
            harvest,
            created_after_cutoff=pages["created"][: taken["created"]],
            random=pages["random"][: taken["random"]],
        )
        asked = ask_about(parameters, articles, part, request)
        have = {part: asked.have_questions(pages[part][: taken[part]]) for part in wanted}
        more = {part: _further(wanted[part], len(have[part]), taken[part], len(pages[part])) for part in wanted}
        if not any(more.values()):
            break
        taken = {part: taken[part] + more[part] for part in wanted}
    without = sum(taken[part] - len(have[part]) for part in wanted)
    left_out = {**harvest.left_out, **({"without a question": without} if without else {})}
    chosen = replace(
        harvest,
        created_after_cutoff=tuple(have["created"][: wanted["created"]]),
        random=tuple(have["random"][: wanted["random"]]),
        left_out=dict(sorted(left_out.items())),
    )
    return chosen, asked


def _further(wanted: int, have: int, taken: int, there: int) -> int:
    """How many more articles to ask about."""
    lacking = max(wanted - have, 0)
    return min(ceil(lacking * taken / max(have, 1)), there - taken, max(2 * taken, 1))


def _subsets(
    parameters: BuildParameters, created: Sequence[Article], request: BuildRequest
) -> tuple[dict[int, str], dict[str, Any]]:
    """Page → subset, of the pages created after the cutoff, and what the classifiers said, in counts."""
    request.progress("articles classified", 0, len(created))
    has_dates = parameters.language in LANGUAGES
    read = created if has_dates else ()
    by_dates = [classify_by_dates(article, parameters.cutoff, parameters.language) for article in read]
    verdicts: Sequence[RecencyVerdict] = by_dates
    counts: dict[str, Any] = {"classified_by": "dates in the text"}
    if parameters.classifier is not None:
        verdicts = []
        for done, verdict in enumerate(classify_by_model(parameters.classifier, created, parameters.cutoff), start=1):
            verdicts.append(verdict)
            request.progress("articles classified", done, len(created))
        counts["classified_by"] = parameters.classifier.settings.endpoints[WRITER].model
        if has_dates:
            agreement = compare([each.is_recent for each in by_dates], [each.is_recent for each in verdicts])
            counts["agreement_of_dates_with_model"] = agreement.figures()
    counts["articles_undecided"] = sum(verdict.is_recent is None for verdict in verdicts)
    return {verdict.page: POST_CUTOFF if verdict.is_recent else CREATED for verdict in verdicts}, counts
