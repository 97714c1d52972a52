"""Sentences of an article that may stand among those of a page that it has to do with, each understood by itself."""

import re
from collections.abc import Iterable, Iterator, Sequence

from benchwright.builders.wiki.pages import Article, Page
from benchwright.builders.wiki.questions.subjects import read_subject
from benchwright.builders.wiki.text.page import read_article
from benchwright.builders.wikieval.contexts.leaning import leans, leans_only_on, mentions
from benchwright.builders.wikieval.material import Neighbour, Origin
from benchwright.builders.wikieval.sources.introductions import sentences_in

PER_PAGE = 8
"""Neighbours that are taken of an article."""
_DEFINES = 90
"""Characters from the beginning of an article in which its first sentence names it."""


def neighbours_in(article: Article, title: str, origin: Origin) -> tuple[Neighbour, ...]:
    """At most eight: first the sentences that name a page, then those of the introduction that name the article.

    A sentence that leans on others is taken where the article's first one says what it mentions, and after that one:
    "Moor observatory is … In 2025 the observatory joined …".

    Args:
        article: that links to the page, or that the page links to.
        title: the page's.
        origin: which of these.
    """
    own, page = name_of(article.page.title), name_of(title)
    introduction = sentences_in(article.introduction)
    first = introduction[0] if introduction and names(introduction[0][:_DEFINES], own) else ""
    nouns = {read_subject(article).noun, own.rpartition(" ")[2]} - {""}
    known = f"{own} {article.text}"

    def found() -> Iterator[tuple[tuple[str, ...], bool]]:
        for sentence in sentences_in(article.text):
            if not names(sentence, page):
                continue
            if sentence == first:
                yield (sentence,), True
            elif leans(sentence, known) or any(mentions(sentence, noun) for noun in nouns):
                is_told = leans_only_on(sentence, first) or not leans(sentence, known)
                if first and is_told:
                    yield (first, sentence), True
            else:
                yield (sentence,), True
        if first:
            yield (first,), False
        for sentence in introduction[1:]:
            if names(sentence, own) and not leans(sentence, known):
                yield (sentence,), False

    texts: dict[tuple[str, ...], bool] = {}
    for sentences, names_it in found():
        texts.setdefault(sentences, names_it)
    return tuple(
        Neighbour(sentences, origin, article.page.title, names_it, article.page.revision)
        for sentences, names_it in list(texts.items())[:PER_PAGE]
    )


def about_linking(page: Page, linking: Page) -> Sequence[Neighbour]:
    """The sentences of a page in English that have to do with one that it links to."""
    return neighbours_in(read_article(linking, "en"), page.title, "linking page")


def about_linked(page: Page, linked: Page) -> Sequence[Neighbour]:
    """The same of one that the page links to."""
    return neighbours_in(read_article(linked, "en"), page.title, "linked page")


def count_sentences(neighbours: Iterable[Sequence[Neighbour]]) -> int:
    """How many different sentences there are."""
    return len({sentence for each in neighbours for one in each for sentence in one.sentences})


def name_of(title: str) -> str:
    """A title without what tells its page from others: "Mercury (planet)" is Mercury."""
    return re.sub(r" \([^()]*\)$", "", title)


def names(sentence: str, name: str) -> bool:
    """Whether a sentence has a name as whole words."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence) is not None
