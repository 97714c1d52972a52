"""Questions by a model: asked for, checked, and asked for once more with the reasons where too few can be used."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.prompts import Messages
from benchwright.benchmarks.models.responses import ESTIMATED, Reply, ReplyError, shown
from benchwright.builders.wiki.pages import Article
from benchwright.builders.wiki.questions.article_questions import ArticleQuestion, ArticleQuestions
from benchwright.builders.wikipedia.classifier import LONGEST, long_date, shortened
from benchwright.builders.wikipedia.proposals import (
    Proposals,
    RefusedProposal,
    read_proposals,
)

ROLE, STEP, AGAIN, PROMPT = "writer", "questions", "questions again", "wikipedia_question"
TEMPERATURE = 1.0
NO_REPLY, NOTHING = "no usable reply", "no question proposed"
_SHOWN = 20
"""Refused proposals that a model is shown when it is asked again."""


@dataclass(frozen=True)
class ModelledQuestions(ArticleQuestions):
    """The questions of an article by a model, and what could not be used of what it proposed."""

    rejected: tuple[RefusedProposal, ...]
    first: int
    """So many of the questions came in the first reply."""
    is_asked_again: bool


@dataclass(frozen=True)
class _Order:
    """What a model is asked about one article."""

    client: Client
    article: Article
    count: int
    after: date | None
    language: str

    async def ask(self) -> ModelledQuestions:
        """Asks, and asks again once where proposals were refused and too few are left, or none was made."""
        model = self.client.settings.endpoints[ROLE].model
        try:
            reply = await self._chat(STEP, (), (), 0)
        except ReplyError as error:
            if error.reason == ESTIMATED:  # what asking again may take is told too
                await self._chat(AGAIN, (), (), 1)
            raise
        asked, refused = read_proposals(self.article, reply.value.questions, self.count, model, language=self.language)
        if not reply.value.questions:
            refused = [self._none(NOTHING, 1)]
        first = len(asked)
        is_asked_again = first < self.count and bool(refused)
        if is_asked_again:
            try:
                reply = await self._chat(AGAIN, asked, refused, 1)
            except ReplyError as error:
                if error.is_lost or error.reason == ESTIMATED:
                    raise
                refused.append(self._none(f"{NO_REPLY}: {error.reason}", 2, error.raw))
            else:
                more, worse = read_proposals(
                    self.article,
                    reply.value.questions,
                    self.count - first,
                    model,
                    before=asked,
                    number=2,
                    language=self.language,
                )
                asked, refused = asked + more, refused + worse
                if not reply.value.questions:
                    refused.append(self._none(NOTHING, 2))
        return ModelledQuestions(tuple(asked), tuple(refused), first, is_asked_again)

    def none(self, error: ReplyError) -> ModelledQuestions:
        """Of an article about which there is no reply."""
        return ModelledQuestions((), (self._none(f"{NO_REPLY}: {error.reason}", 1, error.raw),), 0, False)

    def _none(self, reason: str, number: int, raw: str = "") -> RefusedProposal:
        return RefusedProposal(self.article.page.id, shown(raw), "", reason, round=number)

    async def _chat(
        self, step: str, kept: Sequence[ArticleQuestion], refused: Sequence[RefusedProposal], repeat: int
    ) -> Reply[Proposals]:
        messages = self._messages(kept, refused, is_again=repeat > 0)
        return await self.client.chat(
            ROLE, messages, step=step, reply=Proposals, repeat=repeat, temperature=TEMPERATURE
        )

    def _messages(
        self, kept: Sequence[ArticleQuestion], refused: Sequence[RefusedProposal], *, is_again: bool
    ) -> Messages:
        page, text = self.article.page, shortened(self.article.text, LONGEST)
        told = [
            {"question": shown(one.question), "answer": shown(one.answer), "reason": one.reason}
            for one in refused
            if one.question
        ]
        return self.client.prompt(PROMPT).fill(
            title=page.title,
            text=text,
            is_cut=text != self.article.text,
            namesakes=page.namesakes,
            language=self.language,
            cutoff=long_date(self.after) if self.after else "",
            count=self.count - len(kept),
            is_again=is_again,
            kept=kept,
            refused=told[:_SHOWN],
        )


def ask_by_model(
    client: Client,
    articles: Iterable[Article],
    count: int,
    *,
    after: Mapping[int, date] | None = None,
    language: str = "en",
) -> Iterator[tuple[Article, ModelledQuestions]]:
    """Each article with the questions that a model wrote and our checks let pass, and with those that they refused.

    Args:
        client: asks the model of the role `writer`, at temperature 1, with the first 12,000 characters of an article.
        articles: asked about one by one, as they are needed.
        count: questions for each article.
        after: page → the date after which its facts are asked for first; of other pages none.
        language: of the articles, and so of the questions.

    Raises:
        StopError: nothing that follows would go better; the replies that came are kept.
        Estimated: after the last article, where nothing is to be asked.
    """

    orders = (_Order(client, article, count, (after or {}).get(article.page.id), language) for article in articles)
    for order, result in client.each(orders, _Order.ask, must_answer=True):
        yield order.article, order.none(result) if isinstance(result, ReplyError) else result


def count_again(found: Iterable[ModelledQuestions]) -> dict[str, int]:
    """How many articles were asked about again, and how many questions came of it."""
    again = [one for one in found if one.is_asked_again]
    return {"articles": len(again), "questions gained": sum(len(one.asked) - one.first for one in again)}
