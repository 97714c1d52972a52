"""Proves of the namesakes that documents tell what a release shows: they share the name, and none in it is left out."""

from collections.abc import Iterator, Sequence

from benchwright.builders.wiki.names import MOST, SharedNames, shares_name
from benchwright.builders.wiki.pages import Page


def wrong_namesakes(page: Page, *, is_asked_about: bool) -> Iterator[str]:
    """What is wrong with the namesakes of a page by themselves; of the haystack's pages none are looked for."""
    told = page.namesakes
    if told and not is_asked_about:
        yield "it has namesakes, and is only searched in"
    if list(told) != sorted(set(told)):
        yield "its namesakes are not sorted, each once"
    if len(told) > MOST:
        yield f"it has {len(told)} namesakes, and {MOST} is the most"
        return
    for title in told:
        if not shares_name(page.title, title):
            yield f"{title!r:.80} is no other page that shares its name"


def missing_namesakes(asked_about: Sequence[Page], haystack: Sequence[Page]) -> Iterator[tuple[Page, str]]:
    """Each page that does not name one of its namesakes in the corpus, with that one's title."""
    names = SharedNames(asked_about, [page.title for page in haystack])
    for page in asked_about:
        if len(page.namesakes) < MOST:
            yield from ((page, title) for title in names.of(page.title) if title not in page.namesakes)
