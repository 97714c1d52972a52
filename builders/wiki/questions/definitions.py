"""What the first sentence of an article says that its subject is: "a Norwegian film director", "a 2022 film by …"."""

import re
from dataclasses import dataclass

from benchwright.builders.wiki.questions.vocabulary import is_listed, listed, verbs

_YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d\b")
_DETERMINER = re.compile(r"^,? (?:is|was|are|were) (?:also )?(?:an?|the|one of the) ")
_HEAD_ENDS = re.compile(
    r"[;.:()–—]| (?:who|which|that|whose|where|when|from|in|by|of|at|on|for|with|to|as|near|between|during|under|about"
    r"|located|situated|based|set|directed|written|born|active|serving|being|developed|produced|composed|recorded|playing"
    r"|working|affiliated|also|currently|best|most|and was|and is)\b"
)
_NAME = r"(?:St\. )?[^\W\d_a-z](?:[\w.'’-]*\w)?"
_CREATOR = re.compile(
    r"\b(?<!written )(?<!composed )(?<!produced )(?<!directed )(?<!published )(?<!distributed )"
    r"by (?:the )?(?:[\w-]+ ){0,5}?"
    rf"(?P<name>{_NAME}(?: {_NAME}){{0,3}})(?=[,.;]| (?:and|from|released|for|on)\b|$)"
)
_PLACE = re.compile(
    rf" (?P<at>in|at|near) (?P<name>(?:the )?{_NAME}(?: (?:of |and |de |the )?{_NAME}){{0,4}})(?=[,.;)]| [a-z]|$)"
)
_MOST_WORDS = 6


@dataclass(frozen=True, slots=True)
class Definition:
    """What a first sentence says that its subject is."""

    nation: str
    """The capitalised words that its kind begins with: "Norwegian"."""
    kind: str
    """The rest of its kind: "film director"; nothing where no kind is named."""
    year: str
    place: str
    """Where it is, with its preposition: "in Oslo"."""
    creator: str
    """By whom a work is."""

    @property
    def noun(self) -> str:
        """The last word of its kind."""
        return self.kind.rpartition(" ")[2]


def read_definition(rest: str, is_person: bool) -> Definition:
    """What a definition says, from its verb on: " is a Norwegian film director who …"."""
    words = _first_kind(head_of(rest), is_person)
    year = _YEAR.search(" ".join(words))
    words = [word for word in words if not (word.islower() and _is_weak(word)) and not _YEAR.fullmatch(word)]
    split = 0
    while split < len(words) - 1 and (words[split][:1].isupper() or words[split] in ("and", "then")):
        split += 1
    while split and words[split - 1] in ("and", "then"):
        split -= 1
    nation, kind = (
        words[:split],
        [word.lower() if word.lower() in listed("persons") else word for word in words[split:]],
    )
    if (
        len(words) > _MOST_WORDS
        or not kind
        or any(map(_ends_kind, kind))
        or kind[0][0].isdigit()
        or kind[0] in ("and", "or", "then")
        or set(words) & listed("no_words")
    ):
        nation, kind = [], []
    nation = [] if any(char.isdigit() for word in nation for char in word) else nation
    place = _PLACE.search(rest[:200])
    creator = _CREATOR.search(rest[:160])
    is_place = place and not re.search(r"\d|\.$|^(?:the )?[A-Z.]+$", place["name"])
    at = f"{place['at']} {place['name']}" if place and is_place else ""
    return Definition(
        " ".join(nation),
        " ".join(kind),
        year.group() if year else "",
        at.rstrip("."),
        creator["name"].removesuffix(".") if creator else "",
    )


def head_of(rest: str) -> str:
    """What a definition calls its subject, without what follows: "Norwegian film director and producer"."""
    match = _DETERMINER.match(rest)
    body = rest[match.end() : match.end() + 200] if match else ""
    return (body[: ends.start()] if (ends := _HEAD_ENDS.search(body)) else body).strip(" ,.")


def _first_kind(head: str, is_person: bool) -> list[str]:
    """The words of a head up to the first kind in it: "stage, film and television actor" of "… actor and director"."""
    said: list[str] = []
    for part in re.split(r"(, and |, | and | & |/)", head):
        said.append(part)
        words = "".join(said).split()
        places = [place for place, word in enumerate(words) if is_kind(word.rstrip(","), is_person)]
        if part and is_person and places:
            return [*words[: places[-1]], words[places[-1]].rstrip(",")]
        if part and not is_person and words and part.strip(" ,") not in ("", "and", "&", "/"):
            while words and (words[-1] in verbs().participles or words[-1].endswith(("ing", "ed"))):
                words.pop()
            return words if words and is_kind(words[-1], is_person) else []
    return []


def _ends_kind(word: str) -> bool:
    """Whether a kind ends within a description: "expedition leader, writer"."""
    bare = word.rstrip(",")
    return bare != word and (is_kind(bare, is_person=True) or is_listed(bare, "no_kind"))


def _is_weak(word: str) -> bool:
    """Whether a description is the shorter without a word, and tells no less."""
    return is_listed(word, "weak") or (word.endswith("ly") and word not in ("early", "family"))


def is_kind(word: str, is_person: bool) -> bool:
    """Whether a word says what somebody or something is."""
    low = word.lower()
    if is_listed(low, "no_kind"):
        return False
    if is_person:
        return (
            low in listed("persons")
            or low in listed("positions")
            or (
                word.islower()
                and len(low) > 5
                and low.endswith(("ist", "er", "or", "ian", "man", "woman", "ess", "eur"))
            )
        )
    return low in listed("things") | listed("works") | listed("settlements") | listed("bodies") | listed("events")
