"""A_f: is most of an article about things after the cutoff? By the dates in its text, by a model, or by both."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import Reply, ReplyError
from benchwright.builders.wiki.pages import Article
from benchwright.builders.wiki.questions.dates import find_dates, says_birth
from benchwright.builders.wiki.questions.languages import sentences_of

ROLE, STEP, PROMPT = "writer", "classifier", "wikipedia_recency"
BY_DATES = "by dates in the text"
SHARE = 0.4
"""From this share of dated sentences on an article is about things after the cutoff. Less than a half, because an
article about something new also tells what came before; chosen on one half of the 818 labelled articles."""
INTRODUCTION = 3
"""What a dated sentence of the introduction counts: it says what the article is about. Chosen likewise."""
LONGEST = 12_000
"""Characters of an article that a model is shown: its beginning, cut at a space."""


@dataclass(frozen=True, slots=True)
class RecencyVerdict:
    """What a classifier says of an article."""

    page: int
    """The page's id."""
    is_recent: bool | None
    """None: a model gave no reply that could be used."""
    reason: str
    by: str
    """`by dates in the text`, or the model's name."""
    share: float | None = None
    """Of dated sentences, those after the cutoff, weighed; None without any, and of a model's verdict."""


@dataclass(frozen=True)
class Recency:
    """The shape of a model's reply."""

    reason: str
    is_mostly_after_cutoff: bool


@dataclass(frozen=True, slots=True)
class Agreement:
    """How two classifiers agree on the articles that both decided; the second is the one that is measured against."""

    both_yes: int
    both_no: int
    only_first: int
    only_second: int
    undecided: int = 0
    """Articles on which one of them said nothing, which count nowhere else."""

    @property
    def total(self) -> int:
        """Articles that both decided."""
        return self.both_yes + self.both_no + self.only_first + self.only_second

    @property
    def accuracy(self) -> float | None:
        """The share on which they say the same."""
        return (self.both_yes + self.both_no) / self.total if self.total else None

    @property
    def precision(self) -> float | None:
        """Of the first's yes, the share that is the second's."""
        said = self.both_yes + self.only_first
        return self.both_yes / said if said else None

    @property
    def recall(self) -> float | None:
        """Of the second's yes, the share that is the first's."""
        wanted = self.both_yes + self.only_second
        return self.both_yes / wanted if wanted else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa (1960); None where chance alone would agree on everything."""
        if self.accuracy is None:
            return None
        first, second = self.both_yes + self.only_first, self.both_yes + self.only_second
        chance = (first * second + (self.total - first) * (self.total - second)) / self.total**2
        return (self.accuracy - chance) / (1 - chance) if chance < 1 else None

    def figures(self) -> dict[str, Any]:
        """Counts and figures, for a manifest."""
        counts = {name: getattr(self, name) for name in self.__slots__}
        measured = {name: getattr(self, name) for name in ("accuracy", "precision", "recall", "kappa")}
        return counts | {name: None if value is None else round(value, 4) for name, value in measured.items()}


def classify_by_dates(article: Article, cutoff: date, language: str = "en") -> RecencyVerdict:
    """The built-in classifier, of an article in a language whose dates are known.

    A sentence (or line) counts for the latest date in it, birthdays apart, with how much of that date lies after the
    cutoff: of the year of the cutoff only the rest of it. Sentences of the introduction count three times. An article
    without a date is not known to be about anything new: no.
    """
    share = share_after(dated_sentences(article.text, cutoff, language), article.sections[0].end)
    if share is None:
        return RecencyVerdict(article.page.id, False, "there is no date in the text", BY_DATES)
    return RecencyVerdict(
        article.page.id, share >= SHARE, f"{share:.0%} of its dated sentences are after", BY_DATES, share
    )


def dated_sentences(text: str, cutoff: date, language: str = "en") -> list[tuple[int, float]]:
    """Where each sentence with a date begins, and how much of its latest date lies after the cutoff, from 0 to 1."""
    found = []
    for start, end in sentences_of(language).spans(text):
        sentence = text[start:end]
        dates = [one for one in find_dates(sentence, language) if not says_birth(sentence, one, language)]
        latest = max((one.after(cutoff) for one in dates), default=-1)
        if latest >= 0:
            found.append((start, latest))
    return found


def share_after(dated: Sequence[tuple[int, float]], introduced: int) -> float | None:
    """The weighed share after the cutoff, of an introduction that ends at this offset; None where nothing is dated."""
    weights = [INTRODUCTION if start < introduced else 1 for start, _ in dated]
    after = sum(weight * share for weight, (_, share) in zip(weights, dated, strict=True))
    return after / sum(weights) if weights else None


def classify_by_model(client: Client, articles: Iterable[Article], cutoff: date) -> Iterator[RecencyVerdict]:
    """A model's verdicts, in order; of a long article it is shown the first 12,000 characters.

    Raises:
        StopError: nothing that follows would go better; the replies that came are kept.
        Estimated: after the last article, where nothing is to be asked.
    """
    model = client.settings.endpoints[ROLE].model

    async def ask(article: Article) -> Reply[Recency]:
        text = shortened(article.text, LONGEST)
        values = {
            "title": article.page.title,
            "text": text,
            "cutoff": long_date(cutoff),
            "is_cut": text != article.text,
        }
        messages = client.prompt(PROMPT).fill(**values)
        return await client.chat(ROLE, messages, step=STEP, reply=Recency, temperature=0)

    for article, reply in client.each(articles, ask, must_answer=True):
        if isinstance(reply, ReplyError):
            yield RecencyVerdict(article.page.id, None, f"no usable reply: {reply}", model)
        else:
            yield RecencyVerdict(article.page.id, reply.value.is_mostly_after_cutoff, reply.value.reason.strip(), model)


def compare(first: Sequence[bool | None], second: Sequence[bool | None]) -> Agreement:
    """How two classifiers agree on the same articles, or one with given labels."""
    pairs = list(zip(first, second, strict=True))
    decided = [pair for pair in pairs if None not in pair]
    counts = [decided.count(pair) for pair in ((True, True), (False, False), (True, False), (False, True))]
    return Agreement(counts[0], counts[1], counts[2], counts[3], len(pairs) - len(decided))


def shortened(text: str, longest: int) -> str:
    """A text's beginning, cut at a space."""
    return text if len(text) <= longest else text[:longest].rpartition(" ")[0] or text[:longest]


def long_date(day: date) -> str:
    """A day as people write it: 1 October 2021."""
    return f"{day.day} {day:%B %Y}"
