"""Pages for a benchmark from a wiki's dumps: nothing is asked of the wiki, whatever its size.

The log of creations says when pages were begun, the dump of articles what they hold. Each is read once, from its
beginning to its end; of the pages only those are kept that the seed may choose.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import urlsplit

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.builders.wiki.dumps.creation_log import CreationLog, read_creations, seconds, written
from benchwright.builders.wiki.dumps.sample import FirstBySeed, LastEdited, PackedPage, doubted
from benchwright.builders.wiki.dumps.titles import PackedTitles
from benchwright.builders.wiki.dumps.xml import Dump, DumpSite, Progress, RawPage
from benchwright.builders.wiki.hatnotes import named_in_hatnotes
from benchwright.builders.wiki.names import SharedNames
from benchwright.builders.wiki.page_rules import (
    DAMAGED,
    DISAMBIGUATION,
    HIDDEN,
    NOT_AN_ARTICLE,
    NOT_WIKITEXT,
    REDIRECT,
    SHORTEST,
    Accept,
    MarkingTemplates,
    why_no_article,
)
from benchwright.builders.wiki.pages import Harvest, NothingNewError, Page, hash_wikitext

log = logging.getLogger("benchwright")

_EVERY = 1_000
_SPARE = 20
"""One more page is held for each so many that are wanted, in case some are doubted."""
_TEMPLATES = 10
"""Their namespace."""
_NO_TEXT = "without text"
_NOT_PROVED = "creation not proved"
"""Its oldest revision in the dump came after the cutoff and has a parent that is not in the dump, and no log tells."""
_SHARED_ALIKE = (
    ".wikipedia.org", ".wikibooks.org", ".wikiquote.org", ".wikisource.org", ".wikiversity.org", ".wikivoyage.org",
    ".wiktionary.org",
)  # fmt: skip
"""Where texts are under this licence."""
_LICENCE = "Creative Commons Attribution-Share Alike 4.0", "https://creativecommons.org/licenses/by-sa/4.0/deed.en"


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is asked for, once it was checked: times in seconds since 1970."""

    start: int
    """The cutoff."""
    end: int
    articles: int
    others: int
    """Random ones and the haystack together."""
    seed: int
    minimum: int
    accept: Accept | None
    edited_first: bool


def harvest_dump(
    logging_path: Path | str | None,
    articles_path: Path | str,
    *,
    cutoff: date,
    until: date | None = None,
    articles: int = 300,
    random: int = 300,
    haystack: int = 0,
    seed: int = 0,
    minimum: int = SHORTEST,
    accept: Accept | None = None,
    edited_first: bool = False,
    progress: Progress = lambda what, done, total: None,
) -> Harvest:
    """The pages, no two the same: uniform samples in the order of the seed, as the harvest over the API draws them.

    Args:
        logging_path: pages-logging: a file, a folder of parts or a pattern. None: the creations are those of a dump
            with all revisions.
        articles_path: pages-articles or a dump with all revisions, of which the last one is taken; likewise.
        cutoff: the first day (or moment) of what is new; `until` is the end, exclusive. In UTC.
        minimum: characters that a page has at least.
        accept: a further rule, asked of pages that may be chosen.
        edited_first: the new articles are those that were edited last, and not drawn.
        progress: told how much was read.

    Returns:
        The pages. `created` is empty of a random one that is older than the log. `left_out` counts every page of the
        dump that is no article.

    Raises:
        UsageError: what is asked for cannot be meant.
        BenchwrightError: a dump is missing, damaged, of another kind, or holds no page that is wanted.
    """
    wanted = _checked(cutoff, until, articles, random, haystack, seed, minimum, accept, edited_first)
    dump = Dump(articles_path, "page")
    creations = CreationLog()
    if logging_path is not None:
        entries = Dump(logging_path, "logitem")
        _check_same(entries, dump)
        creations = read_creations(entries, progress)
    selection = _Selection(wanted, creations)
    for page in dump.read():
        if isinstance(page, RawPage):
            selection.look_at(page)
            if selection.looked % _EVERY == 0:
                progress("pages of the dump", selection.looked, 0)
    progress("pages of the dump", selection.looked, selection.looked)
    selection.check(dump.parts[0])
    site = _describe(dump.site or DumpSite(""))
    return selection.harvest(random, site)


def _checked(
    cutoff: date, until: date | None, articles: int, random: int, haystack: int, seed: int, minimum: int,
    accept: Accept | None, edited_first: bool,
) -> _Wanted:  # fmt: skip
    start, end = _moment(cutoff), _moment(until or date(2100, 1, 1))
    if start > datetime.now(UTC).timestamp():
        raise UsageError(f"the cutoff {cutoff} is in the future: no page is newer")
    if start >= end:
        raise UsageError(f"no page can be newer than {cutoff} and older than {until}: give a later until")
    if min(articles, random, haystack, minimum) < 0:
        raise UsageError("articles, random, haystack and minimum must not be negative")
    if not articles + random + haystack:
        raise UsageError("no page is asked for: give articles, random or haystack")
    return _Wanted(start, end, articles, random + haystack, seed, minimum, accept, edited_first)


def _moment(day: date) -> int:
    moment = day if isinstance(day, datetime) else datetime(day.year, day.month, day.day)
    return int(moment.replace(tzinfo=moment.tzinfo or UTC).timestamp())


class _Selection:
    """The pages of a dump, as far as it was read."""

    def __init__(self, wanted: _Wanted, creations: CreationLog) -> None:
        self.wanted, self.creations = wanted, creations
        self.looked = 0
        self.left_out: Counter[str] = Counter()
        self.checks: Counter[str] = Counter()
        created = wanted.articles + wanted.articles // _SPARE + 10 if wanted.articles else 0
        kind = LastEdited if wanted.edited_first else FirstBySeed
        self._created = kind(created, wanted.seed, "created")
        self._others = FirstBySeed(created + wanted.others if wanted.others else 0, wanted.seed, "random")
        begins = creations.begins
        self._is_told = not wanted.articles or bool(begins and seconds(begins) <= wanted.start)
        """Whether what no log and no revision dates is older than the cutoff, or need not be dated."""
        self._has_histories = False
        self._marking = MarkingTemplates()
        self._marked = set[int]()
        self._seen = bytearray()
        """A bit for each page id."""
        self._titles = PackedTitles()
        """Of all articles, those included that are left out as too short or as lists."""

    def look_at(self, raw: RawPage) -> None:
        """Takes the next page of the dump."""
        self.looked += 1
        self._see(raw)
        if raw.namespace == _TEMPLATES:
            self._marking.look_at(raw.title, raw.revision.text or "")
        page = judge(raw, self.wanted.minimum)
        if page not in (NOT_AN_ARTICLE, REDIRECT):
            self._titles.add(raw.title)
        if isinstance(page, str):
            self.left_out[page] += 1
            return
        self._has_histories = self._has_histories or raw.revisions > 1
        created = self._created_at(raw)
        if not created and seconds(raw.oldest) < self.wanted.start:
            self.checks["older than the cutoff by a revision"] += 1
        elif not created and not self._is_told:
            self.left_out[_NOT_PROVED] += 1
            return
        else:
            self.checks["of unknown creation"] += not created
        is_new = self.wanted.start <= created < self.wanted.end
        self.checks["articles"] += 1
        self.checks["sha1 verified"] += bool(raw.revision.sha1)
        self.checks["created after the cutoff"] += is_new
        places = self._created.place(page) if is_new else None, self._others.place(page)
        if places == (None, None):
            return
        if self.wanted.accept and (why := self.wanted.accept(page)):
            self.left_out[why] += 1
            return
        page = PackedPage(page.id, page.title, written(created), page.revision, page.edited, page.sha1, page.wikitext)
        for pool, place in zip((self._created, self._others), places, strict=True):
            if place is not None:
                pool.add(place, page)

    def _see(self, raw: RawPage) -> None:
        byte, bit = raw.id >> 3, 1 << (raw.id & 7)
        if byte >= len(self._seen):
            self._seen.extend(bytes(byte + 65_536 - len(self._seen)))
        if self._seen[byte] & bit:
            raise BenchwrightError(
                f"page {raw.id} ({raw.title}) is in the dump twice: give its parts, or the whole, but not both"
            )
        self._seen[byte] |= bit

    def _created_at(self, raw: RawPage) -> int:
        """When a page was begun: by the log, unless a revision is older; 0: unknown."""
        logged = self.creations.created(raw.title)
        oldest = seconds(raw.oldest)
        if logged and logged <= oldest:
            self.checks["created by the log"] += 1
            return logged
        self.checks["older than the log says"] += bool(logged)
        return oldest if raw.is_from_start else 0

    def check(self, path: Path) -> None:
        """Raises BenchwrightError where what was read cannot be what was meant."""
        if not self.looked:
            raise BenchwrightError(f"{path} holds no pages: give the pages-articles of a wiki")
        if self.left_out[_NO_TEXT] and not self.checks["articles"]:
            raise BenchwrightError(f"{path} has pages without their text: give pages-articles, not stubs")
        unknown, begins = self.left_out[_NOT_PROVED], self.creations.begins
        if unknown and not self._has_histories:
            what = f"begins only at {begins}" if begins else "knows no creations"
            raise BenchwrightError(
                f"the log {what}, and when {unknown:,} articles were created is unknown: give a later cutoff, or a "
                "dump with all revisions (pages-meta-history) as the articles"
            )
        if self.wanted.articles and not self.checks["created after the cutoff"]:
            reasons = ", ".join(f"{count:,} {why}" for why, count in sorted(self.left_out.items()))
            raise NothingNewError(
                f"of {self.looked:,} pages in {path} no article was created from {written(self.wanted.start)} to "
                f"{written(self.wanted.end)} ({self.checks['articles']:,} are older or newer; left out: "
                f"{reasons or 'none'}): give an earlier cutoff, or a newer dump",
                self.left_out,
            )

    def _unmarked(self, pool: FirstBySeed) -> list[Page]:
        """The pages that no template of the wiki's own marks as a disambiguation."""
        kept = list[Page]()
        for page in pool.pages():
            if self._marking.mark(page.wikitext):
                self._marked.add(page.id)
            else:
                kept.append(page)
        return kept

    def harvest(self, random: int, site: dict[str, str]) -> Harvest:
        """The pages that the seed chose."""
        candidates = self._unmarked(self._created)
        bad = doubted(candidates)
        self.left_out["out of the order of ids"] += len(bad)
        created = tuple(page for page in candidates if page.id not in bad)[: self.wanted.articles]
        taken = bad | {page.id for page in created}
        others = [page for page in self._unmarked(self._others) if page.id not in taken][: self.wanted.others]
        self.left_out[DISAMBIGUATION] += len(self._marked)
        for what, found, asked in (
            ("created after the cutoff", len(created), self.wanted.articles),
            ("others", len(others), self.wanted.others),
        ):
            if found < asked:
                # Who wants those edited last asks for more than are used, and says itself what is lacking
                level = logging.INFO if self.wanted.edited_first else logging.WARNING
                log.log(level, "the dump has only %d of %d articles: %s", found, asked, what)
        names, counts = self._find_namesakes([*created, *others[:random]], others[random:], site["language"])
        return Harvest(
            names.named(created),
            names.named(others[:random]),
            tuple(others[random:]),
            {why: count for why, count in sorted(self.left_out.items()) if count},
            0,
            {what: count for what, count in sorted(self.checks.items()) if count},
            site,
            counts,
        )

    def _find_namesakes(
        self, pages: Sequence[Page], beside: Sequence[Page], language: str
    ) -> tuple[SharedNames, dict[str, int]]:
        """The namesakes of pages among all titles of the dump; `site/namesakes.py` says what the API knows."""
        names = SharedNames(pages, [page.title for page in beside])
        if pages:
            for title in self._titles:
                names.tell(title)
        language = language.partition("-")[0].lower()
        return names, names.counts({page.title: named_in_hatnotes(page, language) for page in pages})


def judge(raw: RawPage, minimum: int) -> Page | str:
    """The page, its creation not known yet; or why it is left out."""
    if raw.namespace:
        return NOT_AN_ARTICLE
    if raw.is_redirect:
        return REDIRECT
    revision = raw.revision
    if revision.model != "wikitext":
        return NOT_WIKITEXT
    if revision.text is None:
        return HIDDEN if revision.is_hidden else _NO_TEXT
    sha1 = hash_wikitext(revision.text)
    if revision.sha1 and revision.sha1 != sha1:
        return DAMAGED
    page = Page(raw.id, raw.title, "", revision.id, revision.saved, sha1, revision.text)
    return why_no_article(page, minimum) or page


def _check_same(entries: Dump, dump: Dump) -> None:
    """Reads the first item of each. Raises BenchwrightError where the two dumps are of different wikis."""
    for each in (entries, dump):
        next(each.read(), None)
    ours, theirs = (each.site.fields.get("dbname", "") if each.site else "" for each in (entries, dump))
    if ours != theirs:
        raise BenchwrightError(
            f"{entries.parts[0]} is of the wiki {ours or 'without a name'} and {dump.parts[0]} of "
            f"{theirs or 'one without a name'}: give two dumps of one wiki"
        )


def describe_dump(path: Path | str) -> dict[str, str]:
    """What a dump of articles says of its wiki, from its beginning.

    Raises:
        BenchwrightError: it is missing, damaged, or no dump.
    """
    dump = Dump(path, "page")
    next(dump.read(), None)
    return _describe(dump.site or DumpSite(""))


def _describe(site: DumpSite) -> dict[str, str]:
    """What a harvest says of its wiki. A dump names no licence: only the Wikimedia Foundation's is known.

    Of an address neither a user nor a password is told, and nothing of one that is no address on the network.
    """
    base = urlsplit(site.fields.get("base", ""))
    is_address = base.scheme in ("http", "https") and bool(base.hostname)
    server = f"{base.scheme}://{base.netloc.rpartition('@')[2]}" if is_address else ""
    before, inside, _ = base.path.partition("/index.php")
    folder = f"{server}{before if inside else '/w'}/" if is_address else ""
    licence, licence_url = _LICENCE if (base.hostname or "").endswith(_SHARED_ALIKE) else ("", "")
    return {
        "name": site.fields.get("sitename", ""),
        "server": server,
        "language": site.language,
        "licence": licence,
        "licence_url": licence_url,
        "generator": site.fields.get("generator", ""),
        "history": f"{folder}index.php?curid={{id}}&action=history",
        "address": folder,
    }
