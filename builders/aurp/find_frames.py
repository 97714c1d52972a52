"""Whether the sentence that holds a fact says so in plain words: each word of its core is one that may stand there.

The *core* reaches from whom or what the fact is about over a word that speaks of its column to the value. It may hold
names and values of the order, what columns are called, and the words of `frames.toml`: verbs that assert something of
the present or past, determiners, prepositions. Whatever else stands there may take the fact back in a way that no list
of such ways foresees: "is tipped to be", "stepped down as", "had been pencilled in for".
"""

import re
from collections.abc import Iterator
from functools import cache

from benchwright.benchmarks.data_files import read_toml
from benchwright.builders.aurp.cues import cues
from benchwright.builders.aurp.document_plan import PlannedFact
from benchwright.builders.aurp.find_facts import FactFinder, Range

_WORD = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?")
_NAME = "□"
_AFTER = re.compile(
    r"\W*(?:of □+ ?□* ?□*,? )?(?:that is,? |at least |but |and |, )*\b"
    r"(until|till|when|whenever|while|unless|if|only|except|or)\b(?! □)",
    re.IGNORECASE,
)
_STEM = 4
"""Letters from which on a cue stands for all words that begin with it."""
_BREAK = re.compile(
    r"[;:](?=\s|$)|[.!?](?=\s)|\s[-–—]\s|\||\n|, (?:but|and|while|whereas|so|yet|for which|nor)\b|\b(?:while|whereas)\b"
    r"|\band (?:is|are|has been) now\b"
)
_COLON = re.compile(r"[:;](?=\s)")
_COMMA = re.compile(r"\s*[,(]")
_DETERMINED = re.compile(
    r"(?:^|[\s(])(?:the|its|their|his|her|our|my|whose|\w+[’']s?)(?: [\w-]+){0,2} $", re.IGNORECASE
)
_PAST = re.compile(r"\b(?:was|were|had)(?= (?:the|a|an|its|our|their|his|her|my)\b|$)", re.IGNORECASE)


def unframed(finder: FactFinder, one: PlannedFact, hit: Range) -> str | None:
    """The first words that may not stand in a sentence that holds a fact, or in its core; None where all may.

    Of several words that speak of the column the one counts that is best for the text.
    """
    if turn := _turned(finder, one, hit):
        return turn
    low, high = finder.sentence(hit[0])
    columns = {
        other.fact.column for other in finder.plan.facts if any(low <= at < high for at, _ in finder.hits[other.id])
    }
    words = frozenset[str]().union(_own(finder, one), *map(_allowed, columns))
    stems = tuple(stem for column in sorted(columns) for stem in _stems(column))
    found: list[list[str]] = []
    for core, cue in _cores(finder, one, hit):
        strange = [word for word in _words(finder, core, cue) if not _is_allowed(word, words, stems)]
        if not strange:
            return None
        found.append(strange)
    return min(found, key=len)[0] if found else None


def _turned(finder: FactFinder, one: PlannedFact, hit: Range) -> str | None:
    """The words that turn a sentence into something else than an assertion, wherever they stand in it."""
    low, high = finder.sentence(hit[0])
    masked = list(finder.text[low:high])
    hidden = [*finder.names, *(place for places in finder.hits.values() for place in places)]
    hidden += [(mention.start, mention.end) for mention in finder.mentions]
    hidden += [match.span() for match in _turns().finditer(finder.text, low, high)]
    for start, end in hidden:
        if low <= start < high:
            masked[start - low : end - low] = _NAME * (end - start)
    text = "".join(masked)
    is_revised = any(
        low <= place[0] < high for other in finder.plan.facts if other.is_replaced for place in finder.hits[other.id]
    )
    start = max((match.end() for match in _COLON.finditer(text, 0, hit[0] - low)), default=0)
    for sort, pattern in _turning().items():
        if sort == "former" and (is_revised or _own(finder, one)):
            continue
        if match := pattern.search(text, start if sort in ("denied", "conditional") else 0):
            return match[0].strip()
    after = text[hit[1] - low :]
    return match[1] if (match := _AFTER.match(after)) else None


def _cores(finder: FactFinder, one: PlannedFact, hit: Range) -> Iterator[tuple[Range, Range]]:
    """The cores of a sentence, each with the word that speaks of the column."""
    text, (low, high) = finder.text, finder.sentence(hit[0])
    start, end = low, high
    for match in _BREAK.finditer(text, low, high):
        if match.end() <= hit[0]:
            start = match.end()
        elif match.start() >= hit[1]:
            end = match.start()
            break
    about = [
        (mention.start, mention.end)
        for mention in finder.mentions
        if start <= mention.start < end and mention.subject == one.subject
    ]
    origin = min(about, key=lambda place: min(abs(place[0] - hit[1]), abs(hit[0] - place[1])), default=(start, start))
    for cue in _spoken(finder, one, (low, high)):
        inside = cue if start <= cue[0] < end else hit
        if apposed := _apposition(finder, hit, cue, start):
            yield apposed, cue
        core = (min(hit[0], inside[0], origin[0]), max(hit[1], inside[1], origin[1]))
        yield core, cue


def _apposition(finder: FactFinder, hit: Range, cue: Range, start: int) -> Range | None:
    """What stands beside the value between commas and tells what it is: "X, its steward", "the steward, X"."""
    text = finder.text
    if hit[1] <= cue[0] and _COMMA.match(text, hit[1]):
        return hit[0], cue[1]
    if cue[1] <= hit[0] and text[cue[1] : hit[0]].endswith((", ", " (")):
        found = _DETERMINED.search(text, start, cue[0])
        return (found.start(), hit[1]) if found else None
    return None


def _spoken(finder: FactFinder, one: PlannedFact, window: Range) -> Iterator[Range]:
    """Where a sentence speaks of the column of a fact: whole words, outside of names and values."""
    text = finder.text
    hidden = [*finder.names, *(hit for hits in finder.hits.values() for hit in hits)]
    called = re.compile(rf"\b{re.escape(one.label)}", re.IGNORECASE)
    for pattern in (called, cues()[one.fact.column]):
        for match in pattern.finditer(text, *window):
            if not any(low <= match.start() < high for low, high in hidden):
                end = match.end()
                while end < len(text) and text[end].isalnum():
                    end += 1
                yield match.start(), end


def _words(finder: FactFinder, core: Range, cue: Range) -> Iterator[str]:
    hidden = [cue, *finder.names, *(hit for hits in finder.hits.values() for hit in hits)]
    hidden += [(mention.start, mention.end) for mention in finder.mentions]
    hidden += [match.span() for match in _turns().finditer(finder.text, *core)]
    for match in _WORD.finditer(finder.text, *core):
        if not any(low <= match.start() < high for low, high in hidden):
            yield match[0].lower().replace("’", "'")


def _is_allowed(word: str, words: frozenset[str], stems: tuple[str, ...]) -> bool:
    return word in words or word.removesuffix("'s") in words or word.startswith(stems)


@cache
def _turning() -> dict[str, re.Pattern[str]]:
    told = read_toml(__package__, "turned.toml")
    return {sort: re.compile(rf"(?<![\w'’])(?:{'|'.join(words)})(?!\w)", re.IGNORECASE) for sort, words in told.items()}


@cache
def _turns() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(read_toml(__package__, 'frames.toml')['turns']['plain'])})\b", re.IGNORECASE)


@cache
def _stems(column: str) -> tuple[str, ...]:
    told = [*read_toml(__package__, "cues.toml")[column]]
    return tuple(word.lower() for cue in told for word in cue.split() if len(word) >= _STEM)


@cache
def _labels() -> frozenset[str]:
    told = read_toml(__package__, "vocabulary.toml")
    return frozenset(
        word for label in (*told["tables"].values(), *told["columns"].values()) for word in _WORD.findall(label.lower())
    )


@cache
def _allowed(column: str) -> frozenset[str]:
    """The words that may stand in the core beside names and values."""
    told = read_toml(__package__, "frames.toml")
    plain = " ".join(told[name] for name in ("function", "verbs", "nouns")).split()
    short = [word.lower() for cue in read_toml(__package__, "cues.toml")[column] for word in cue.split()]
    return frozenset([*plain, *short, *told["more"].get(column, "").split()]) | _labels()


@cache
def _revision() -> frozenset[str]:
    return frozenset(read_toml(__package__, "frames.toml")["revision"]["words"].split())


def _own(finder: FactFinder, one: PlannedFact) -> frozenset[str]:
    """What may stand there since it stands beside what held before."""
    return _revision() if one.replaces or one.is_replaced else frozenset()
