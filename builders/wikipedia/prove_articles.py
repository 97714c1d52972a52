"""Proves the articles of a release: what their metadata says agrees with the cutoff, with their text and among them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.proofs.base import Material
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.types import Document
from benchwright.builders.wiki.pages import Article, Page, Section
from benchwright.builders.wiki.questions.languages import primary
from benchwright.builders.wikipedia.classifier import PROMPT as RECENCY
from benchwright.builders.wikipedia.classifier import classify_by_dates
from benchwright.builders.wikipedia.cutoffs import read_cutoff, read_until
from benchwright.builders.wikipedia.prove_names import missing_namesakes, wrong_namesakes
from benchwright.builders.wikipedia.rows import as_document, document_id, read_document
from benchwright.builders.wikipedia.sources import CREATED, HAYSTACK, POST_CUTOFF, RANDOM

_SUBSETS = {CREATED: (POST_CUTOFF, CREATED), RANDOM: (RANDOM,), HAYSTACK: (HAYSTACK,)}
"""What a page was harvested for → the subsets that it may be in."""
_HISTORY = "?curid={id}&action=history"
_SHA1 = re.compile(r"[0-9a-f]{40}")
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_LOGGED_LATER = timedelta(days=1)
"""How much later than its first revision a page may be logged."""
_BY_MODEL = "a model classified these articles, and its replies are not in the release"


@dataclass(frozen=True, slots=True)
class Told:
    """What a document says that it is."""

    page: Page
    sections: tuple[Section, ...]
    subset: str


@dataclass
class Articles:
    """The articles of a release, looked at one by one."""

    material: Material
    cutoff: date | None
    """None: the manifest does not tell it."""
    until: date | None
    language: str
    told: dict[str, Told] = field(default_factory=dict)
    """Document id → what it says that it is, in stored order."""
    _revisions: dict[int, str] = field(default_factory=dict)
    _site: dict[str, str] | None = None

    def read(self) -> None:
        """Reads the corpus and notes what is wrong with it, and what is proved."""
        for row in self.material.rows("corpus", "corpus"):
            metadata = read_metadata(row["metadata"])
            document = Document(row["_id"], row["title"] or "", row["text"], metadata)
            problems = list(self._problems(document))
            for problem in problems:
                self.material.found.problem("article", f"{document.id}: {problem}")
            if not problems:
                self.material.found.proved["articles whose metadata agrees with the cutoff"] += 1
        self._compare_names()

    def _compare_names(self) -> None:
        """Looks at whether articles name those of the corpus that share their name."""
        found = self.material.found
        asked_about = [told.page for told in self.told.values() if told.subset != HAYSTACK]
        haystack = [told.page for told in self.told.values() if told.subset == HAYSTACK]
        lacking = set[str]()
        for page, title in missing_namesakes(asked_about, haystack):
            found.problem("article", f"{document_id(page.id)}: {title!r:.80} of the corpus shares its name")
            lacking.add(page.title)
        found.proved["articles that name those of the corpus with their name"] += len(asked_about) - len(lacking)

    def article(self, name: str) -> Article:
        """The article of a document."""
        told = self.told[name]
        return Article(told.page, self.material.texts[name].text or "", told.sections)

    def _problems(self, document: Document) -> Iterator[str]:
        try:
            article = read_document(document)
        except BenchwrightError as error:
            yield str(error)
            return
        page = article.page
        harvested, subset = document.metadata.get("harvested"), document.metadata.get("subset")
        if subset not in _SUBSETS.get(str(harvested), ()):
            yield f"it was harvested as {harvested!r:.80} and is in the subset {subset!r:.80}"
            return
        self.told[document.id] = Told(page, article.sections, str(subset))
        site = self._wiki(document, page)
        own = as_document(article, str(harvested), str(subset), site)
        if own.id != document.id:
            yield f"by its metadata it is {own.id}"
        elif own.metadata != document.metadata:
            yield "its metadata is not what is told of a page of this wiki"
        if not page.title.strip():
            yield "it has no title"
        if not _SHA1.fullmatch(page.sha1):
            yield f"{page.sha1!r:.80} is no SHA-1"
        if self._revisions.setdefault(page.revision, document.id) != document.id:
            yield f"its revision {page.revision} is that of {self._revisions[page.revision]} too"
        yield from wrong_namesakes(page, is_asked_about=subset != HAYSTACK)
        yield from self._wrong_times(page, harvested == CREATED)
        if document.text is not None:
            yield from self._wrong_text(article, subset == POST_CUTOFF if harvested == CREATED else None)

    def _wiki(self, document: Document, page: Page) -> Mapping[str, str]:
        """What the first document tells of the wiki, which all others must tell too."""
        if self._site is None:
            authors = str(document.metadata.get("authors"))
            self._site = {
                "history": authors.removesuffix(_HISTORY.format(id=page.id)) + _HISTORY,
                "licence": next((one["licence"] for one in self.material.release.manifest.sources), None) or "",
            }
        return self._site

    def _wrong_times(self, page: Page, is_new: bool) -> Iterator[str]:
        try:
            edited = datetime.strptime(page.edited, _TIME)
            created = datetime.strptime(page.created, _TIME) if page.created or is_new else None
        except ValueError:
            yield f"it has no times: created {page.created!r:.40}, edited {page.edited!r:.40}"
            return
        if created is None:
            return
        if created > edited + _LOGGED_LATER:
            yield f"it was created on {created.date()}, after the revision of {edited.date()}"
        if is_new and self.cutoff and created.date() < self.cutoff:
            yield f"it was created on {created.date()}, before the cutoff {self.cutoff}"
        if is_new and self.until and created.date() >= self.until:
            yield f"it was created on {created.date()}, not before {self.until}"

    def _wrong_text(self, article: Article, is_recent: bool | None) -> Iterator[str]:
        shortest = self.material.release.manifest.parameters.get("shortest")
        if isinstance(shortest, int) and len(article.text) < shortest:
            yield f"it has {len(article.text):,} characters, and {shortest:,} is the least"
        if is_recent is None or self.cutoff is None:
            return
        found = self.material.found
        if asked_with(self.material.release.manifest, RECENCY):
            found.leave("subsets of articles", 1, _BY_MODEL)
            return
        if is_recent != classify_by_dates(article, self.cutoff, self.language).is_recent:
            yield f"it is {'' if is_recent else 'not '}in {POST_CUTOFF}, against the dates in its text"
        else:
            found.proved["subsets of articles by the dates in them"] += 1


def read_articles(material: Material) -> Articles:
    """The articles of a release, read and looked at."""
    parameters = material.release.manifest.parameters
    cutoff = until = None
    try:
        cutoff = read_cutoff(str(parameters.get("cutoff") or ""))[0]
        until = read_until(str(parameters.get("until") or ""), cutoff)
    except BenchwrightError:
        articles = material.release.manifest.rows.get("corpus", 0)
        material.found.leave("cutoff of articles", articles, "the manifest does not tell the cutoff")
    found = Articles(material, cutoff, until, primary(str(parameters.get("language") or "en")))
    found.read()
    return found


def asked_with(manifest: Manifest, prompt: str) -> list[dict[str, Any]]:
    """The models that were asked with a prompt."""
    return [dict(model) for model in manifest.models if model.get("prompt") == prompt]
