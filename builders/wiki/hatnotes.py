"""The notes at the top of an article that name other pages of its name: `{{For|the golfer|Peter Norton (golfer)}}`.

They cost nothing: they are in the wikitext. What they name need not be there, so that it is looked for afterwards.
"""

import functools
import re
from dataclasses import dataclass

from benchwright.benchmarks.data_files import read_toml
from benchwright.builders.wiki.names import base_name, shares_name
from benchwright.builders.wiki.pages import Page

_LINK = re.compile(r"\[\[\s*:?([^\[\]|#]+)")
_HEADING = re.compile(r"^==", re.MULTILINE)
_ARGUMENT = re.compile(r"\|\s*(?:\w+\s*=)?\s*([^|{}\[\]#]*)")


@dataclass(frozen=True)
class _Notes:
    """What the file `hatnotes.toml` says of a language."""

    pattern: re.Pattern[str]
    whole: frozenset[str]
    suffix: str


@functools.cache
def _notes(language: str) -> _Notes:
    """Of a language that is not in the file, the notes of all, and the suffix of English."""
    told = read_toml(__package__, "hatnotes.toml")
    known = [told[language]] if language in told else list(told.values())
    names = "|".join(sorted(re.escape(name).replace(r"\ ", "[ _]") for one in known for name in one["notes"]))
    pattern = re.compile(rf"\{{\{{\s*({names})\s*((?:\|(?:[^{{}}]|\{{\{{[^{{}}]*\}}\}})*)?)\}}\}}", re.IGNORECASE)
    whole = frozenset(name for one in known for name in one["whole"])
    return _Notes(pattern, whole, told.get(language, told["en"])["disambiguation"])


def disambiguation_of(title: str, language: str) -> str:
    """The title of the page that tells the pages of a title's name apart, as wikis of a language call it."""
    return f"{base_name(title)} {_notes(language).suffix}"


def is_called_disambiguation(title: str) -> bool:
    """Whether a page only tells others apart, by its title, in any language of `hatnotes.toml`."""
    return title.endswith(_suffixes())


@functools.cache
def _suffixes() -> tuple[str, ...]:
    return tuple(one["disambiguation"] for one in read_toml(__package__, "hatnotes.toml").values())


def named_in_hatnotes(page: Page, language: str) -> set[str]:
    """Titles that share a page's name and stand in the notes above its first heading; they may be of no page."""
    notes = _notes(language)
    wikitext = page.wikitext
    heading = _HEADING.search(wikitext)
    found: set[str] = set()
    for match in notes.pattern.finditer(wikitext, 0, heading.start() if heading else len(wikitext)):
        named = {*_LINK.findall(match[2]), *_ARGUMENT.findall(match[2])}
        titles = {" ".join(name.replace("_", " ").split()) for name in named}
        shared = {title for title in titles if shares_name(page.title, title)}
        if not shared and match[1].lower().replace("_", " ") in notes.whole:
            shared = {disambiguation_of(page.title, language)} - {page.title}
        found |= shared
    return found
