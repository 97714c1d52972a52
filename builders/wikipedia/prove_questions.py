"""Proves the questions of a release: the rules are run again on the articles, and what a model wrote is checked again.

The same functions as in the build make what every question must be: `ask_by_rule`, the checks of a model's proposals,
the filters, the choice, and the row.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from benchwright.benchmarks.releases.manifest import is_private
from benchwright.benchmarks.releases.proofs.base import CheckRows, Material, Proof
from benchwright.benchmarks.releases.rows import read_question
from benchwright.benchmarks.systems.language_model import FROM_CONTEXTS
from benchwright.benchmarks.types import Question
from benchwright.builders.wiki.pages import Article
from benchwright.builders.wiki.questions.article_questions import ArticleQuestion
from benchwright.builders.wiki.questions.questions_by_rule import (
    BY_RULE,
    SAME_EVIDENCE,
    ask_by_rule,
    choose,
    choose_of_each,
)
from benchwright.builders.wikipedia.filters import REPEATED, filter_questions, is_repeat
from benchwright.builders.wikipedia.proposals import NO_QUOTE, as_asked, find_quote, problem_of
from benchwright.builders.wikipedia.prove_articles import Articles, asked_with, read_articles
from benchwright.builders.wikipedia.prove_counts import RowCounts
from benchwright.builders.wikipedia.prove_refused import check_refused
from benchwright.builders.wikipedia.questions_by_model import PROMPT as QUESTIONS
from benchwright.builders.wikipedia.rows import as_question, subset_of
from benchwright.builders.wikipedia.sources import HAYSTACK, POST_CUTOFF

LIMITS = (
    "that its texts with their sections, titles and times of creation are those of the wiki at these revisions: verify "
    "it with --rebuild, or compare with the wiki what metadata names",
    "that its namesakes are pages of the wiki, and all that the wiki has of a name but those in the corpus",
)
"""What articles do not show of themselves."""
_WHOLE = "whether articles have the questions that the seed draws"


class _Questions:
    """Looks at the questions one by one, and at their choice once all of them went by."""

    def __init__(self, material: Material, version: str) -> None:
        self.material, self.found = material, material.found
        self.manifest = material.release.manifest
        self.is_known = self.manifest.builder_version == version
        if not self.is_known:
            reason = (
                f"they were made by version {self.manifest.builder_version} of their builder, and {version} is "
                "installed: install the version of benchwright that has it"
            )
            self.found.leave("articles and questions by their rules", self.manifest.rows.get("questions", 0), reason)
            return
        self.articles: Articles = read_articles(material)
        self.writers = {str(model["name"]) for model in asked_with(self.manifest, QUESTIONS)}
        self.is_read_by_model = bool(asked_with(self.manifest, FROM_CONTEXTS))
        self._seen: set[str] = set()
        self._counts = RowCounts(self.articles.cutoff)
        self._by_page: dict[int, list[ArticleQuestion]] = {}
        self._rules: dict[str, dict[str, ArticleQuestion]] = {}

    def check(self, split: str, row: Mapping[str, Any]) -> None:
        """Looks at a question."""
        if not self.is_known:
            return
        self._seen.add(row["id"])
        question = read_question(row, {})
        problems = list(self._problems(question))
        for problem in problems:
            self.found.problem("question", f"{row['id']}: {problem}")
        if not problems:
            self.found.proved["questions that follow from their articles"] += 1
            self._counts.add(question, self.articles.told[question.documents[0]].subset)

    def finish(self) -> None:
        """Looks at what was chosen of all questions that there could be."""
        if not self.is_known:
            return
        check_refused(self.material)
        if self.manifest.holdout is None:
            subsets = {name: told.subset for name, told in self.articles.told.items()}
            asked_about = [told.page for told in self.articles.told.values() if told.subset != HAYSTACK]
            self._counts.check(self.manifest, subsets, asked_about, self.found)
        wanted = self._wanted()
        if isinstance(wanted, str):
            self.found.leave(_WHOLE, len(self._seen), wanted)
            return
        for name, title in wanted.items():
            if name not in self._seen:
                self.found.problem("question", f"{name} is missing, which the seed draws of {title!r:.80}")
        for name in sorted(self._seen - wanted.keys()):
            self.found.problem("question", f"{name} is none that the seed draws")
        if wanted.keys() == self._seen:
            self.found.proved["questions that the seed draws"] += len(wanted)

    def _problems(self, row: Question) -> Iterator[str]:
        told = self.articles.told.get(row.documents[0]) if len(row.documents) == 1 else None
        if told is None or told.subset == HAYSTACK:
            yield "it is not asked about one article"
            return
        article = self.articles.article(row.documents[0])
        by = row.metadata.get("by")
        asked = self._by_rule(row, article) if by == BY_RULE else self._by_model(row, article)
        if isinstance(asked, str):
            yield asked
            return
        siblings = self._by_page.setdefault(told.page.id, [])
        yield from _siblings_problems(asked, siblings, told.page.title)
        siblings.append(asked)
        subset = subset_of(asked, told.subset, self.articles.cutoff) if self.articles.cutoff else row.subset or ""
        yield from self._differences(row, as_question(asked, told.page.title, subset))

    def _differences(self, row: Question, own: Question) -> Iterator[str]:
        for one in fields(Question):
            value, wanted = getattr(row, one.name), getattr(own, one.name)
            if one.name == "metadata" and is_private(self.manifest):
                value = {name: value for name, value in value.items() if name != "salt"}
            if value != wanted:
                yield f"by its article and its rule its {one.name} must be {wanted!r:.120}"

    def _by_rule(self, row: Question, article: Article) -> ArticleQuestion | str:
        if self.writers:
            return f"it is said to be by a rule, and the manifest says that {', '.join(sorted(self.writers))} asked"
        return self._of_rules(row.documents[0], article).get(row.question) or "no rule asks this of its article"

    def _of_rules(self, name: str, article: Article) -> Mapping[str, ArticleQuestion]:
        if name not in self._rules:
            asked = ask_by_rule(article, self.articles.language).asked
            self._rules[name] = {one.question: one for one in asked}
        return self._rules[name]

    def _by_model(self, row: Question, article: Article) -> ArticleQuestion | str:
        """What a model's question is by its row, once the checks of a model's proposals let it pass again."""
        by = row.metadata.get("by")
        if by not in self.writers:
            return f"it is said to be by {by!r:.80}, which the manifest does not name as one that asked"
        if len(row.answers) != 1 or len(row.evidence) != 1:
            return "it has not one answer and one span of evidence"
        happened = row.metadata.get("happened")
        if not isinstance(happened, str):
            return "it does not tell what the model said of its date"
        (answer,), (span,) = row.answers, row.evidence
        place, language = (span.start, span.end), self.articles.language
        if find_quote(article.text, article.text[slice(*place)]) != place:
            return NO_QUOTE
        problem = problem_of(article, row.question, answer, place, happened, [], language)
        if problem:
            return problem
        return as_asked(article, row.question, answer, place, str(by), happened, language)

    def _wanted(self) -> dict[str, str] | str:
        """Id → article of every question that the build draws; or why nobody can say."""
        parameters, seed, cutoff = self.manifest.parameters, self.manifest.seed, self.articles.cutoff
        if self.writers or self.is_read_by_model:
            return "models wrote or chose the questions, and their replies are not in the release"
        if self.manifest.holdout is not None or seed is None:
            return "its seed is secret"
        count, recent = parameters.get("questions"), parameters.get("recent")
        if not isinstance(count, int) or not isinstance(recent, bool) or cutoff is None:
            return "the manifest does not tell the cutoff, how many questions an article gets, and which come first"
        pages: dict[int, Article] = {}
        asked: list[ArticleQuestion] = []
        subsets: dict[int, str] = {}
        for name, told in self.articles.told.items():
            if told.subset != HAYSTACK:
                article = pages[told.page.id] = self.articles.article(name)
                subsets[told.page.id] = told.subset
                after = cutoff if recent and told.subset == POST_CUTOFF else None
                of_rules = self._of_rules(name, article).values()
                asked += choose(of_rules, len(of_rules), seed, after=after)
        first = {page: cutoff for page, subset in subsets.items() if recent and subset == POST_CUTOFF}
        left = filter_questions(pages, asked, language=self.articles.language)
        kept = choose_of_each(left.kept, count, seed, after=first)
        titles = ((one, pages[one.page].page.title) for one in kept)
        return {as_question(one, title, subsets[one.page]).id: title for one, title in titles}


def _siblings_problems(asked: ArticleQuestion, siblings: list[ArticleQuestion], title: str) -> Iterator[str]:
    """Why two questions of one article do not go together."""
    for one in siblings:
        if asked.start < one.end and one.start < asked.end:
            yield SAME_EVIDENCE
        elif is_repeat(one.question, one.answer, asked.question, asked.answer, title):
            yield REPEATED


def questions_proof(version: str) -> Proof:
    """The proof that the builder registers, given its own version."""

    def rows(material: Material) -> CheckRows:
        questions = _Questions(material, version)
        return CheckRows(questions.check, questions.finish)

    meaning = "articles fit the cutoff, and every question is what the builder's rules give of its article"
    return Proof("wikipedia", meaning, 65, rows, limits=LIMITS)
