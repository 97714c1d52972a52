"""What a text holds that no order gives: words of other names, figures in words, relative times, hints, orders, markup.

Everything is read by rule, from `strangers.toml`. A capitalised word that is neither known nor at a sentence's start is
a name; one at a start is a name only together with the next one.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.text.sentences import PROSE
from benchwright.builders.aurp.document_plan import Gap, Plan

Range = tuple[int, int]

_CAPITALISED = re.compile(r"(?<![\w$])[^\W\d_a-z][\w’']*")
_OPENING = re.compile(r"(?:^|[.!?:…]|^\s*\d{1,2}\.?|\|)[\s\"'“”‘*_#(\[|•–—-]*$|^\W*$")
_FOREIGN = re.compile(r"[¡¿«»„]")
_BARE = 5
"""Words of a sentence of which one at least is a small word of English."""
_ENGLISH = ("english", "accented")
_SPLIT = re.compile(r"[^\W\d_]+")

_USUAL = frozenset(map(chr, range(0x20, 0x7F))) | frozenset("\n‘’‚“”„–—…•·°§€£¥©®×÷±½¼¾²³‐‑−′″′→")
"""Signs of English prose besides Latin letters with their accents."""
_SPELT = 6
"""Letters of a value that is looked for where it is spelt out: shorter ones come about by chance."""


@cache
def _told(group: str, name: str) -> re.Pattern[str]:
    """The words of a list of `strangers.toml`, as a pattern."""
    words: Sequence[str] = read_toml(__package__, "strangers.toml")[group][name]
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)


@cache
def _markup() -> re.Pattern[str]:
    return re.compile("|".join(read_toml(__package__, "strangers.toml")["told"]["markup"]), re.MULTILINE)


@cache
def _ordinary() -> frozenset[str]:
    """Words that may have a capital anywhere: those listed, and in headings and labels those that rules write, too."""
    listed = read_toml(__package__, "strangers.toml")["capitalised"].split()
    told = [read_toml(__package__, f"{name}.toml") for name in ("vocabulary", "cues", "layouts", "writing")]
    return frozenset(listed) | {word.capitalize() for word in _words(told)}


def _words(told: object) -> Iterator[str]:
    if isinstance(told, str):
        yield from _SPLIT.findall(told.lower())
    elif isinstance(told, dict):
        yield from _words(list(told.values()))
    elif isinstance(told, list):
        for one in told:
            yield from _words(one)


def strange_names(text: str, known: Collection[str], places: Sequence[Range]) -> Iterator[Range]:
    """Where a word stands that has a capital and no reason for it.

    Args:
        text: what is read.
        known: names and values that the document may hold; each of their words may stand alone.
        places: stretches that are known, whatever they are.
    """
    words = {word for name in known for word in _SPLIT.findall(name)} | _ordinary()
    heads = _title_cased(text)
    found = [match for match in _CAPITALISED.finditer(text) if not _inside(match.span(), (*places, *heads))]
    strange = [match for match in found if not _is_known(match[0], words)]
    inner = [match for match in strange if not _opens(text, match.start())]
    taken = {match.start() for match in inner}
    yield from (match.span() for match in inner)
    for match in strange:  # "Ottoline Farrow wrote": the second word tells that the first is a name
        if match.start() not in taken and any(other.start() == match.end() + 1 for other in inner):
            yield match.span()


def _is_known(word: str, words: Collection[str]) -> bool:
    plain = re.sub(r"[’']s?$", "", word)
    return plain in words or word in words or (plain.endswith("s") and plain[:-1] in words)


def _opens(text: str, at: int) -> bool:
    line = text.rfind("\n", 0, at) + 1
    return bool(_OPENING.search(text[line:at])) or text[line:at].rstrip(" \"'“(").endswith(tuple(".!?:|"))


def _title_cased(text: str) -> list[Range]:
    """Headings in which every long word has a capital."""
    heads = []
    for match in re.finditer(r"^#+ .+$", text, re.MULTILINE):
        words = [word for word in _SPLIT.findall(match[0]) if len(word) > 3]
        if len(words) > 1 and all(word[0].isupper() for word in words):
            heads.append(match.span())
    return heads


def strange_figures(text: str, places: Sequence[Range]) -> Iterator[Range]:
    """Where a figure stands in words."""
    kept = [*places, *(match.span() for match in _told("figures", "kept").finditer(text))]
    for name in ("always", "with_more"):
        yield from (match.span() for match in _told("figures", name).finditer(text) if not _inside(match.span(), kept))


def relative_times(text: str, places: Sequence[Range]) -> Iterator[Range]:
    """Where a day is told from another one, or a month without its year."""
    kept = [*places, *(match.span() for match in _told("figures", "kept").finditer(text))]
    yield from (match.span() for match in _told("said", "times").finditer(text) if not _inside(match.span(), kept))


def hints(text: str, plan: Plan) -> Iterator[tuple[Gap, str]]:
    """Sentences that speak of a known gap in a way that may say something of it."""
    ordered = {one.fact.column for one in plan.facts}
    for gap in plan.gaps:
        if gap.column.name in ordered:
            continue
        pattern = _gap_words(gap.column.name, gap.label)
        for start, end in PROSE.spans(text):
            if pattern.search(text, start, end) and _told("said", "hints").search(text, start, end):
                yield gap, text[start:end]


@cache
def _gap_words(column: str, label: str) -> re.Pattern[str]:
    words = [label, *read_toml(__package__, "strangers.toml")["called"].get(column, [])]
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})", re.IGNORECASE)


def withheld(text: str, places: Sequence[Range]) -> str | None:
    """The first words that say that something is left out, or invite to guess it; None if there are none."""
    return _first(_told("said", "withheld"), text, places)


def instructions(text: str, places: Sequence[Range]) -> str | None:
    """The first words that are meant for what reads the document; None if there are none."""
    return _first(_told("told", "instructions"), text, places)


def _first(pattern: re.Pattern[str], text: str, places: Sequence[Range]) -> str | None:
    """The first words that do not lie in a place: a name or a job title says nothing of its own."""
    return next((match[0] for match in pattern.finditer(text) if not _inside(match.span(), places)), None)


def markup(text: str) -> str | None:
    """The first mark of a language for pages or programs; None if there is none."""
    match = _markup().search(text)
    return match[0] if match else None


def odd_sign(text: str, known: Collection[str]) -> str | None:
    """The first sign that English prose does not need: one that nobody sees, that stands over another, of another
    script, or a picture; None if there is none. What stands in a known text may stand here.
    """
    usual = {sign for one in known for sign in one} | _USUAL
    return next((sign for sign in text if sign not in usual and not "\u00c0" <= sign <= "\u017e"), None)


def longest_word(text: str) -> int:
    """Characters of the longest stretch without a space."""
    return max(map(len, text.split()), default=0)


def spelt_out(value: str, text: str, places: Sequence[Range]) -> Iterator[Range]:
    """Where a text gives a value letter by letter, whatever stands between, or backwards, outside of some places."""
    wanted = "".join(_SPLIT.findall(value.casefold()))
    if len(wanted) < _SPELT:
        return
    plain = list(text)
    for start, end in places:
        plain[start:end] = "\n" * (end - start)
    masked = "".join(plain)
    between = r"[^\w\n]*_*"
    for letters in (wanted, wanted[::-1]):
        for match in re.finditer(between.join(map(re.escape, letters)), masked, re.IGNORECASE):
            parts = len(re.findall(r"[^\W_]+", match[0]))
            if letters != wanted or 2 * parts >= len(wanted):  # "desire land" does not spell out Ireland
                yield match.span()


@cache
def _languages() -> dict[str, frozenset[str]]:
    return {
        name: frozenset(words.split()) for name, words in read_toml(__package__, "strangers.toml")["languages"].items()
    }


def other_language(text: str, places: Sequence[Range]) -> str | None:
    """The first sentence in another language than English; None if there is none. Names say nothing of it."""
    plain = list(text)
    for start, end in places:
        plain[start:end] = " " * (end - start)
    masked = "".join(plain)
    for start, end in PROSE.spans(text):
        words = [match[0].lower() for match in _SPLIT.finditer(masked, start, end)]
        told = set(words)
        foreign = {word for word in told - _languages()["accented"] if not word.isascii()}
        is_other = any(len(told & words) > 1 for name, words in _languages().items() if name not in _ENGLISH)
        is_bare = not told & _languages()["english"] and any(
            len(_SPLIT.findall(part)) >= _BARE for part in re.split(r"[,;:|\n]", masked[start:end])
        )
        if foreign or is_other or is_bare or _FOREIGN.search(masked, start, end):
            return text[start:end]
    return None


def _inside(place: Range, others: Sequence[Range]) -> bool:
    return any(low < place[1] and place[0] < high for low, high in others)
