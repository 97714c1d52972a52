"""The pages of some work: one for each person, each with all of it in an order of its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.benchmarks.annotations.items import Work, in_order
from benchwright.benchmarks.annotations.merge import Merged, to_resolve
from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.text.slugs import slug
from benchwright.cards.annotate.page import Page, write_page

FOLDER = "annotate"
"""Of a run, or of the results of a release: where pages are."""


@dataclass(frozen=True, slots=True)
class Written:
    """A page that was written."""

    path: Path
    bytes: int


def pages_for(work: str, pages: int | None, annotators: Sequence[str], seed: int = 0) -> list[Page]:
    """The pages that are asked for.

    Args:
        work: what pages are called by: the sample's name.
        pages: how many; None: as many as there are names, else one.
        annotators: whose they are.
        seed: of their order, and of who stands on which side.

    Raises:
        UsageError: there are more or fewer names than pages, or two would be of one name.
    """
    names = [" ".join(name.split()) for name in annotators]
    count = pages if pages is not None else len(names) or 1
    if names and len(names) != count:
        raise UsageError(f"--annotators names {len(names)} people, and --pages asks for {count}: leave --pages out")
    if not names:
        return [Page(f"{work}-page-{number}", seed=seed) for number in range(1, count + 1)]
    found = [
        Page(f"{work}-{slug(name, f'page-{number}')}", name, seed=seed) for number, name in enumerate(names, start=1)
    ]
    if "" in names or len({page.name for page in found}) < len(found):
        raise UsageError("--annotators needs different names, with commas between them: Ada,Ben")
    return found


def write_pages(make: Callable[[str], Work], folder: Path, pages: Sequence[Page]) -> list[Written]:
    """Writes the pages.

    Args:
        make: the work of a page, with its texts, given what its sides are drawn from.
        folder: where.
        pages: which.
    """
    found = []
    for page in pages:
        work, path = make(page.drawn_by), folder / f"{page.name}.html"
        found.append(Written(path, write_page(path, work, in_order(work.items, page.drawn_by), page)))
    return found


def write_resolving_page(merged: Merged, work: Work, folder: Path, page: Page) -> Written | None:
    """Writes a page with what people are divided about, and what each said; None where there is nothing.

    Args:
        merged: what was said.
        work: the same work, with its texts.
        folder: where.
        page: whose it is.
    """
    items = list(to_resolve(merged, work))
    if not items:
        return None
    path = folder / f"{page.name}.html"
    return Written(path, write_page(path, work, items, page))
