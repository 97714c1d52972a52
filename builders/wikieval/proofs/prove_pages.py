"""What a release of pairs says of its pages agrees: about things since a date, created since, last edited first."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from itertools import pairwise

from benchwright.builders.wikieval.material import Passage
from benchwright.builders.wikieval.rules.questions import as_article
from benchwright.builders.wikieval.sources.events import PERSON, why_not_since
from benchwright.builders.wikieval.sources.introductions import sentences_in
from benchwright.builders.wikieval.sources.pages import FEWEST_SENTENCES


def page_problems(passages: Iterable[Passage], since: str) -> Iterator[str]:
    """Why pages are none that the build would have taken, or not in its order.

    Args:
        passages: in stored order.
        since: as the manifest has it.
    """
    try:
        day = date.fromisoformat(since)
    except ValueError:
        yield f"the parameter since is {since!r:.40}, which is no day"
        return
    order: list[tuple[str, int]] = []
    revisions: set[int] = set()
    for passage in passages:
        told = passage.metadata
        name, created, edited, revision = (told.get(key) for key in ("id", "created", "edited", "revision"))
        if not (
            isinstance(name, int) and isinstance(revision, int) and isinstance(created, str) and isinstance(edited, str)
        ):
            yield f"the page {passage.title!r:.80} does not tell its id, its revision and when it was saved"
            continue
        if created[:10] < day.isoformat():
            yield f"the page {passage.title!r:.80} was created on {created[:10]}, which is before {day}"
        if edited < created:
            yield f"the page {passage.title!r:.80} was edited before it was created"
        article = as_article(passage)
        why = why_not_since(replace(article, page=replace(article.page, edited=edited)), passage.text, day)
        if why not in (None, PERSON):  # the whole article, which is not here, tells whether it is about a person
            yield f"the page {passage.title!r:.80} is none that the build would take: {why}"
        if len(sentences_in(passage.text)) < FEWEST_SENTENCES:
            yield f"the page {passage.title!r:.80} has fewer than {FEWEST_SENTENCES} full sentences"
        if revision in revisions:
            yield f"the revision {revision} is there twice"
        revisions.add(revision)
        order.append((edited, -name))
    if sum(one < other for one, other in pairwise(order)) > 1:  # those with pages that link to them come first
        yield "pages do not stand in the order in which they were edited, the last one first"
