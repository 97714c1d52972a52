"""Whether the sentence that holds a fact says so in plain words: each word of its core is one that may stand there.

The *core* reaches from whom or what the fact is about over a word that speaks of its column to the value. It may hold
names and values of the order, what columns are called, and the words of `frames.toml`: verbs that assert something of
the present or past, determiners, prepositions. Whatever else stands there may take the fact back in a way that no list
of such ways foresees: "is tipped to be", "stepped down as", "had been pencilled in for". Around the core a sentence may
say what it likes, but for the turns of `turned.toml`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from benchwright.benchmarks.data_files import read_toml
from benchwright.builders.aurp.cues import cues
from benchwright.builders.aurp.document_plan import PlannedFact
from benchwright.builders.aurp.find_facts import FactFinder, Range

_WORD = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?")
_NAME = "□"
_PLACES = frozenset({"location", "office_id", "department_id"})
_LOCATED = re.compile(r"(?:, | \(| )(?:in|of|from|at|based in) ")
"""Between a name and where it belongs: "Vesorra Collective, in Linz, ..."."""
_STEM = 4
"""Letters from which on a cue stands for all words that begin with it."""
_BREAK = re.compile(
    r"[;:](?=\s|$)|[.!?](?=\s)|\s[-–—]\s|\||\n|, (?:but|and|while|whereas|so|yet|for which|nor)\b|\b(?:while|whereas)\b"
    r"|\band (?:is|are|has been) now\b",
    re.IGNORECASE,
)
_COLON = re.compile(r"[:;](?=\s)")
_PAUSE = re.compile(r"[,(:;.!?|](?=\s|\w|$)|[\"“”\n]|\s[-–—]\s")
_JOINT = re.compile(r"\b(?:when|because|where)\b")
_COMMA = re.compile(r"\s*[,(]")
_INDEFINITE = re.compile(r"\b(?:an?|some|one|another)\b", re.IGNORECASE)
_DETERMINED = re.compile(
    r"(?:^|[\s(])(?:the|its|their|his|her|our|my|whose|\w+[’']s?)(?: [\w-]+){0,2} $", re.IGNORECASE
)
_ASIDE = re.compile(r", (?:where|which|who|whose|when) [^,;:.□]*,")
"""A relative clause between commas that holds no name or value: it says nothing of the fact around it."""
_OTHER = re.compile(
    r"(?:^|[;:,.] |\b(?:and|but|while|that|because) )(?:the|its|their|our(?: own)?|her|his) (?:\w+ ){0,2}"
    r"(?P<role>client|supplier|contractor|office|department|supervisor|manager|director|lead|steward|sponsor|buyer"
    r"|contact|executive|company|firm|crew|team)(?: person)? (?:itself |himself |herself )?(?:has|had|holds?|is|was"
    r"|sits|works|lies|lives|stands|comes|keeps|specialises|employs|belongs|owns|pays|started|began|ended)\b"
    r"(?P<rest>[^;:,]*)$",
    re.IGNORECASE,
)
"""A clause whose subject is somebody or something else than what a document is about."""
_CALLED = {
    "client": {"client", "company", "firm"},
    "supplier": {"supplier", "contractor", "company", "firm"},
    "office": {"office"},
    "department": {"department", "team"},
    "company": {"company", "firm"},
    "work_package": {"crew", "team"},
}
"""Table → what texts call its rows, among those roles."""
_NEXT = re.compile(
    r"\W*(?:of □+ ?□* ?□*,? )?(?:that is,? |at least |but |and |, )*\b"
    r"(until|till|when|whenever|while|unless|if|only|except|or)\b(?! □)",
    re.IGNORECASE,
)
"""What restricts a core that it follows."""
_REPORTED = re.compile(
    r"(\w+),? that(?: the| its| our| their| a| an| in| on| at| for| with| by| under| as| from)* ?$", re.IGNORECASE
)
_OPENING = re.compile(
    r"(?:\b(?:the|an?|its|their|his|her|our|my|whose|this|these|of|in|on|at|by|for|from|with|within|into|under|through"
    r"|during|across|among|throughout|all|every|each|both)|[’']s)"
    r"(?: (?P<first>[a-z][\w-]*))? $",
    re.IGNORECASE,
)
"""What makes the next word, or the one after it, part of a noun phrase."""


@dataclass(frozen=True)
class _Sentence:
    """A sentence with a fact in it, and the stretches of it whose own words say nothing."""

    low: int
    masked: str
    """The sentence; names, values and turns that are plain hidden."""
    words: frozenset[str]
    """The words that may stand in the core."""
    stems: tuple[str, ...]
    is_revised: bool
    """Whether it also says what held before."""

    def strange(self, core: Range, cue: Range) -> Iterator[str]:
        """The words of a core that may not stand there."""
        asides = [match.span() for match in _ASIDE.finditer(self.masked)]
        for match in _WORD.finditer(self.masked, core[0] - self.low, core[1] - self.low):
            if any(low <= match.start() < high for low, high in asides):
                continue
            start, end = match.start() + self.low, match.end() + self.low
            word = match[0].lower().replace("’", "'")
            if cue[0] <= start < cue[1] or self._is_allowed(word):
                continue
            if end + 1 == cue[0] or not self._is_noun(match):
                yield word

    def governor(self, core: Range) -> str | None:
        """The last word before a core that is no mere joint of the sentence, if it may not stand there."""
        start = core[0] - self.low
        pause = max((match.end() for match in _PAUSE.finditer(self.masked, 0, start)), default=0)
        for match in reversed(list(_WORD.finditer(self.masked, pause, start))):
            word = match[0].lower()
            if word in _joints():
                return None
            if word not in _joined():
                return None if self._is_allowed(word) or self._is_noun(match) else word
        return None

    def turn(self, core: Range) -> str | None:
        """The words by which what stands around a core turns it into something else than an assertion."""
        start, end = core[0] - self.low, core[1] - self.low
        if match := _NEXT.match(self.masked, end):
            return match[1]
        reported = _REPORTED.search(self.masked[:start])
        if reported and reported[1].lower() not in _factive():
            return reported[0].strip()
        colon = max((match.end() for match in _COLON.finditer(self.masked, 0, start + 1)), default=0)
        for side in ("before", "after"):
            for sort, pattern in _turning(side).items():
                if sort == "former" and self.is_revised:
                    continue
                first = colon if sort in ("denied", "conditional") else 0
                low, high = (first, end) if side == "before" else (end, len(self.masked))
                if match := pattern.search(self.masked, low, high):
                    return match[0].strip()
        return None

    def _is_allowed(self, word: str) -> bool:
        return word in self.words or word.removesuffix("'s") in self.words or word.startswith(self.stems)

    def _is_noun(self, match: re.Match[str]) -> bool:
        """Whether a word that is not known stands where only a noun, or an adjective before one, can stand."""
        before = _OPENING.search(self.masked[: match.start()])
        if before is None or match[0].endswith("ly") or not match[0].islower():
            return False
        return before["first"] is None or not self._is_allowed(before["first"])


def unframed(finder: FactFinder, one: PlannedFact, hit: Range) -> str | None:
    """The first words that may not stand in a sentence that holds a fact; None where all may.

    Of several words that speak of the column the one counts that is best for the text.
    """
    sentence = _sentence(finder, one, hit)
    if other := _other_subject(finder, one, hit):
        return other
    wrong: str | None = None
    for core, cue, is_apposed in _cores(finder, one, hit):
        governor = None if is_apposed else sentence.governor(core)
        found = next(sentence.strange(core, cue), None) or governor or sentence.turn(core)
        if found is None:
            return None
        wrong = wrong or found
    return wrong or sentence.turn(hit)


def _other_subject(finder: FactFinder, one: PlannedFact, hit: Range) -> str | None:
    """Of whom or what else a clause says what it should say of the row that the document is about."""
    if one.subject != finder.plan.main:
        return None
    match = _OTHER.search(finder.text[finder.sentence(hit[0])[0] : hit[0]])
    if match is None or match["role"].lower() in _CALLED.get(one.fact.table, ()) or " and " in match["rest"]:
        return None
    role = match["role"].lower()
    own = role in one.label or cues()[one.fact.column].search(role) is not None
    named = any(low < hit[0] and high > hit[0] - len(match["rest"]) for low, high in _hidden(finder))
    return None if own or named else match[0].strip()


def _sentence(finder: FactFinder, one: PlannedFact, hit: Range) -> _Sentence:
    low, high = finder.sentence(hit[0])
    masked = list(finder.text[low:high])
    hidden = [*_hidden(finder), *((mention.start, mention.end) for mention in finder.mentions)]
    hidden += [match.span() for match in _turns().finditer(finder.text, low, high)]
    for start, end in hidden:
        if low <= start < high:
            masked[start - low : end - low] = _NAME * (end - start)
    inside = [other for other in finder.plan.facts if any(low <= at < high for at, _ in finder.hits[other.id])]
    is_revised = one.replaces or any(other.is_replaced for other in inside)
    columns = sorted({other.fact.column for other in inside})
    return _Sentence(
        low,
        "".join(masked),
        frozenset[str]().union(_revision() if is_revised else (), *map(_allowed, columns)),
        tuple(stem for column in columns for stem in _stems(column)),
        is_revised,
    )


def _hidden(finder: FactFinder) -> list[Range]:
    return [*finder.names, *(hit for hits in finder.hits.values() for hit in hits)]


def _cores(finder: FactFinder, one: PlannedFact, hit: Range) -> Iterator[tuple[Range, Range, bool]]:
    """The cores of a sentence, each with the word that speaks of the column, and whether it is an apposition."""
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
    for name in about:
        if one.fact.column in _PLACES and _LOCATED.fullmatch(text[name[1] : hit[0]]):
            yield (name[0], hit[1]), hit, True
    joint = max((match.end() for match in _JOINT.finditer(text, start, hit[0])), default=start)
    origin = min(about, key=lambda place: min(abs(place[0] - hit[1]), abs(hit[0] - place[1])), default=(joint, joint))
    for cue in _spoken(finder, one, (low, high)):
        inside = cue if start <= cue[0] < end else hit
        if apposed := _apposition(finder, hit, cue, start):
            yield apposed, cue, True
        low, high = min(hit[0], inside[0], origin[0]), max(hit[1], inside[1], origin[1])
        yield (low, high), cue, False


def _apposition(finder: FactFinder, hit: Range, cue: Range, start: int) -> Range | None:
    """What stands beside the value between commas and tells what it is: "X, its steward", "the steward, X"."""
    text = finder.text
    if hit[1] <= cue[0] and _COMMA.match(text, hit[1]) and not _INDEFINITE.search(text, hit[1], cue[0]):
        return hit[0], cue[1]
    if cue[1] <= hit[0] and text[cue[1] : hit[0]].endswith((", ", " (")):
        found = _DETERMINED.search(text, start, cue[0])
        return (found.start(), hit[1]) if found else None
    return None


def _spoken(finder: FactFinder, one: PlannedFact, window: Range) -> Iterator[Range]:
    """Where a sentence speaks of the column of a fact: whole words, outside of names and values."""
    text, hidden = finder.text, _hidden(finder)
    called = re.compile(rf"\b{re.escape(one.label)}", re.IGNORECASE)
    for pattern in (called, cues()[one.fact.column]):
        for match in pattern.finditer(text, *window):
            if not any(low <= match.start() < high for low, high in hidden):
                end = match.end()
                while end < len(text) and text[end].isalnum():
                    end += 1
                yield match.start(), end


@cache
def _turning(side: str) -> dict[str, re.Pattern[str]]:
    told = read_toml(__package__, "turned.toml")[side]
    return {sort: re.compile(rf"(?<![\w'’])(?:{'|'.join(words)})(?!\w)", re.IGNORECASE) for sort, words in told.items()}


@cache
def _turns() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(read_toml(__package__, 'frames.toml')['turns']['plain'])})\b", re.IGNORECASE)


@cache
def _joints() -> frozenset[str]:
    return frozenset(read_toml(__package__, "frames.toml")["joints"].split())


@cache
def _joined() -> frozenset[str]:
    return frozenset(read_toml(__package__, "frames.toml")["function"].split())


@cache
def _factive() -> frozenset[str]:
    return frozenset(read_toml(__package__, "frames.toml")["factive"].split())


@cache
def _revision() -> frozenset[str]:
    return frozenset(read_toml(__package__, "frames.toml")["revision"].split())


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
