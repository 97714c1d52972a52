"""What a question asks for: the names in it, and the steps from them to what is asked."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.benchmarks.systems.reader.passages import CAPITALISED
from benchwright.benchmarks.systems.reader.vocabulary import Kind, filler, kinds_of, roots, synonyms
from benchwright.benchmarks.text.words import STOP_WORDS, content_words, root, words

LONGEST = 1_000
"""Characters of a question that is read for several values, or for yes or no; people's are shorter."""
_NAME = re.compile(
    rf"[“\"][^”\"]+[”\"]|{CAPITALISED}(?:(?: | & | and | of | of the | to | the )(?=[A-ZÀ-Þ0-9])[\w’'-]+)*"
)
_ANY: frozenset[Kind] = frozenset(("phrase", "name", "number", "money"))
_SHORT = 16
"""Words up to which a question may be a note, whose parts are joined by marks alone."""
_STEP = re.compile(r"\s+(?:of|for|(?:that (?:is|are) )?\w+ed to)\s+(?:the\s+|an?\s+)?")
_OWNED = re.compile(r"§['’]s? (?P<asked>[^,.;:?!§]+)")
_BEFORE = re.compile(r"(?P<chain>[^,.;:?!§]*?)\s*(?P<of>\b(?:of|for|in)(?: the| an?)?)?\s*§")
_LEAD = re.compile(r".*\b(?:the|which|what|who|an?|is|are|was|were)\s+(?=\S)")
_DIRECT = re.compile(
    r"(?:(?:in|at|on) )?(?P<asked>(?:which|what) [a-z]+|who|whom|where|when|how (?:many |much )?[a-z]+)\b"
)
"""How a question begins that is put straight."""
_ASKS = (
    re.compile(r"\bhow (?P<asked>many [a-z]+|much [a-z]+|tall|high|long|wide|deep|heavy|large|big|far|fast|old)\b"),
    re.compile(r"\b(?:what|who|which|where|when) the (?P<asked>[^,.;:?§]+?)(?: \w+ly)? (?:is|are|was|were)\b"),
    re.compile(
        r"\b(?:asks? for|needs?|told|tell me|find|give me|pick out|state|supply|enter) the (?P<asked>[^,.;:?§]+?)"
        r"(?=[,.;?]| in an? |$)"
    ),
)
"""How a longer one says what it is after."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One thing that is looked for."""

    groups: tuple[frozenset[str], ...]
    """For each of its words the roots that say the same in a text."""
    own: frozenset[str]
    """The roots of its words themselves."""
    kinds: frozenset[Kind]


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question, read."""

    names: frozenset[str]
    """The roots of the words of the names in it."""
    said: frozenset[str]
    """The roots of all its content words."""
    steps: tuple[Wanted, ...]
    """What leads from the names to the answer: the last one is what is asked, the ones before it lead there."""


def names_of(question: str) -> list[re.Match[str]]:
    """Runs of capitalised words and quoted ones, but for a word that is a capital because it begins a sentence."""
    found = []
    for match in _NAME.finditer(question):
        begins = match.start() == 0 or question[: match.start()].rstrip()[-1:] in ".?!:"
        first = match[0].partition(" ")[0].lower()
        is_quoted = match[0][0] in '“"' and match[0].islower()
        if not (is_quoted or (begins and (first in STOP_WORDS or " " not in match[0])) or match[0] in ("I", "US")):
            found.append(match)
    return found


def _asked(text: str) -> bool:
    """Whether a text has a word that asks for something."""
    return not filler().issuperset(content_words(text))


def _joined(pieces: Sequence[str]) -> list[str]:
    """Pieces of "date of birth of the author", those that only say of what sort the next one is joined to it."""
    found: list[str] = []
    for piece in pieces:
        if found and not _asked(found[-1]):
            found[-1] += f" {piece}"
        elif piece.strip():
            found.append(piece)
    return found


def _chain(text: str) -> list[str]:
    """The last noun phrase of a text in its steps: "desks" and "office" of "tell me the desks of the office"."""
    found: list[str] = []
    for piece in reversed(_STEP.split(text)):
        found.insert(0, _LEAD.sub("", piece))
        if found[0] != piece:
            break
    return _joined(found)


def _steps(question: str, names: Sequence[re.Match[str]]) -> list[str]:
    """What is asked, of what, of what: the texts from the question's point to the name, the point first."""
    plain = question
    for match in reversed(names):
        end = match.end() - 2 * match[0].endswith(("'s", "’s"))
        plain = f"{plain[: match.start()]}§{plain[end:]}"
    lowered = plain.lower()
    owned = _OWNED.search(lowered)
    if owned and content_words(owned["asked"]):
        return re.split(r"['’]s? ", owned["asked"])[::-1]
    before = _BEFORE.search(lowered)
    chain = _chain(before["chain"]) if before else []
    steps = chain if before is None or before["of"] else chain[:-1]
    is_short = len(words(lowered)) <= _SHORT
    direct = _DIRECT.match(lowered)
    if direct and is_short:
        return _put_straight(lowered, direct["asked"], steps, lowered[before.end() :] if before else "")
    for pattern in _ASKS:
        if (match := pattern.search(lowered)) and "§" not in match["asked"] and _asked(match["asked"]):
            target = _joined(_STEP.split(match["asked"]))
            return [*target, *steps]
    segments = [part for part in re.split(r"[;:,?!.—–](?:\s+|$)", lowered) if "§" not in part and _asked(part)]
    if is_short and segments:
        return [segments[0], *steps]
    return steps or chain or [lowered.replace("§", " ")]


def _put_straight(lowered: str, asked: str, chain: Sequence[str], after: str) -> list[str]:
    """The steps of a short question that begins with what it asks, from what stands before and after its name."""
    is_of_event = asked.startswith(("when", "where", "how"))
    steps = [piece for piece in chain if "name" in kinds_of(piece)] if is_of_event else list(chain)
    if not steps or (asked.startswith("who") and " the " not in lowered):
        return [lowered.replace("§", " ")]
    if asked.endswith((" is", " are", " was", " were")):
        return [f"{steps[0]} {after}", *steps[1:]]
    if is_of_event or _asked(after):
        return [f"{asked} {after}", *steps]
    return [f"{asked.split()[0]} {steps[0]}", *steps[1:]]


def wanted_of(text: str) -> Wanted:
    """What a text such as "founding year" looks for."""
    told = list(dict.fromkeys(word for word in content_words(text) if word not in filler()))
    said = words(text)
    kinds = frozenset[Kind]().union(*(kinds_of(word) for word in said))
    kinds |= frozenset[Kind](("year",)) if "number" in kinds else frozenset[Kind]()
    told = told or content_words(text)
    return Wanted(tuple(dict.fromkeys(synonyms(word) for word in told)), frozenset(map(root, told)), kinds or _ANY)


def names_in(question: str) -> frozenset[str]:
    """The roots of the words of the names in a question."""
    return frozenset[str]().union(*(roots(match[0]) for match in names_of(question)))


@functools.lru_cache(maxsize=50_000)
def parse_question(question: str) -> ParsedQuestion:
    """A question, read once."""
    names = names_of(question)
    steps = [wanted_of(step) for step in _steps(question, names)]
    return ParsedQuestion(
        names=names_in(question),
        said=roots(question),
        steps=tuple(reversed(steps)),
    )
