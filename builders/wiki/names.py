"""Which pages share a name, by their titles alone: one rule for a wiki's API, for its dumps and for proving a release.

A page's name is its title without the parentheses at its end: "Peter Norton" of "Peter Norton (footballer)". Another
page shares it where its title is that name too, whatever the case, the accents and the punctuation; or where it is
that name and tells its thing apart in another way: after a comma ("Paris, Texas", "Peter Norton, 3rd Baron"), by
initials ("Peter J. Norton") or as a junior. That other page's own name is longer and is not shared by "Paris".
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from benchwright.benchmarks.text.folding import fold
from benchwright.builders.wiki.pages import Page

MOST = 20
"""Namesakes of a page that are kept."""

LONGEST = 255
"""Bytes of a title: a longer one is of no page, and has no parts that are looked at."""
_QUALIFIER = re.compile(r"\s*[(（](?:[^()（）]|[(（][^()（）]*[)）])*[)）]$")
_KANA = re.compile(r"[^\u3040-\u30ff]+")
_OMITTED = re.compile(r"[!\"'(),.:;?¡¿·…「」『』【】、。，！？：（）]")
_SPACED = re.compile(r"[\s_\-−・＝]+")
_PLAIN = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*(?<! [JjSs]r)")
_INITIALS = re.compile(r"(?<=\S )(?:[A-ZÀ-ÖØ-Þ]\.[ -]?)+ ?(?=[A-ZÀ-ÖØ-Þ])")
_JUNIOR = re.compile(r",? (?:jr|sr)\.?$", re.IGNORECASE)


def base_name(title: str) -> str:
    """A title without the parentheses at its end; one that is nothing else is left as it is."""
    return (_QUALIFIER.sub("", title).strip() or title) if len(title) <= LONGEST else title


def name_key(name: str) -> str:
    """What two spellings of a name have in common: without case, accents and punctuation."""
    if _PLAIN.fullmatch(name):
        return name.lower()
    folded = _folded(name).casefold()
    return _SPACED.sub(" ", _OMITTED.sub("", folded)).strip() or folded


def names_of(title: str) -> set[str]:
    """The keys of all names that a page can have by its title: "paris" and "paris texas" of "Paris, Texas"."""
    if _PLAIN.fullmatch(title):
        return {title.lower()}
    base = base_name(title)
    found = {name_key(base)}
    if len(base) > LONGEST:
        return found - {""}
    if "," in base or "." in base or base[-3:].lower() in (" jr", " sr"):
        for cut in (base, base.partition(", ")[0]):
            short = _JUNIOR.sub("", cut)
            found |= {name_key(short), name_key(_INITIALS.sub("", short))}
    return found - {""}


def shares_name(title: str, other: str) -> bool:
    """Whether another page's title is the name of the page with this title, told apart in some way."""
    return title != other and name_key(base_name(title)) in names_of(other)


class SharedNames:
    """Pages, and the titles of others that share their names, as they are told one by one."""

    def __init__(self, pages: Sequence[Page], corpus: Iterable[str] = ()) -> None:
        """Pages whose namesakes are looked for; `corpus` are the titles of those that are beside them."""
        self._found: dict[str, set[str]] = {page.title: set() for page in pages}
        self._by_name: dict[str, list[str]] = {}
        for title in self._found:
            self._by_name.setdefault(name_key(base_name(title)), []).append(title)
        self._corpus = {*self._found, *corpus}
        self.not_looked_for: set[str] = set()
        """Titles of pages whose names the wiki did not let us look for."""
        for title in self._corpus:
            self.tell(title)

    def tell(self, other: str) -> None:
        """There is a page with this title in the wiki."""
        for name in names_of(other):
            for title in self._by_name.get(name, ()):
                if title != other:
                    self._found[title].add(other)

    def tell_of(self, title: str, other: str) -> None:
        """The title of another page leads elsewhere than to this one, and has its name."""
        if shares_name(title, other):
            self._found[title].add(other)

    @property
    def alone(self) -> list[str]:
        """Titles of pages that share their name with none that was told of."""
        return [title for title, others in self._found.items() if not others]

    def of(self, title: str) -> tuple[str, ...]:
        """The namesakes of a page, sorted; of more than are kept those beside it in the corpus, then the first."""
        found = sorted(self._found[title], key=lambda other: (other not in self._corpus, other))
        return tuple(sorted(found[:MOST]))

    def named(self, pages: Iterable[Page]) -> tuple[Page, ...]:
        """Pages with their namesakes."""
        return tuple(replace(page, namesakes=self.of(page.title)) for page in pages)

    def counts(self, in_hatnotes: Mapping[str, Iterable[str]]) -> dict[str, int]:
        """Pages that share their name, by where that is seen first: their own text, the corpus, or only the wiki.

        `in_hatnotes`: a page's title → titles that the notes on its top name.
        """
        shared = {title: others for title, others in self._found.items() if others}
        by_hatnote = {title for title, others in shared.items() if not others.isdisjoint(in_hatnotes.get(title, ()))}
        by_corpus = {title for title, others in shared.items() if not others.isdisjoint(self._corpus)} - by_hatnote
        counts = {
            "pages": len(self._found),
            "shared": len(shared),
            "by_hatnote": len(by_hatnote),
            "by_corpus": len(by_corpus),
            "by_wiki": len(shared) - len(by_hatnote) - len(by_corpus),
        }
        left = len(self.not_looked_for - shared.keys())
        return {**counts, **({"not_looked_for": left} if left else {})}


def _folded(name: str) -> str:
    """Without accents; the voicing marks of kana, which are no accents, stay."""
    if name.isascii():
        return name
    return _KANA.sub(lambda match: fold(match[0]), unicodedata.normalize("NFKC", name))
