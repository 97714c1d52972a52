"""What a program sees in a wording without knowing what its SQL template asks: figures and names outside
placeholders, markup, instructions, another language, two questions, and a question of yes or no."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from benchwright.benchmarks.data_files import read_words
from benchwright.benchmarks.grounding.sql import PLACEHOLDER
from benchwright.builders.sql.wording.yes_or_no import asked_for_yes_or_no

_WORDS = read_words(__package__, "text_checks.toml", "words")
_ENGLISH = _WORDS["english"]
_LANGUAGES = ("german", "french", "spanish", "italian", "dutch")
_VALUE = re.compile(r"\b(?!(?:OK|ID|TV|AM|PM|PS|CV|HQ|IT|HR|UK|US|EU|NB|FC)\b)[A-Z]{2}\b")
"""Two capitals, which are a value rather than a word."""
_LIST_MARK = re.compile(r"^\s*(?:\d{1,3}[.):]\s|\(?[a-zA-Z][.)]\s|[-*•–+]\s)")
_MARKUP = re.compile(
    r"\*\*|__|(?<!\w)[*_]\w|`|<[^>]*>|https?:|www\.|^#|\w\]\(|[{}|\\~^*=@§→⇒•■●]|&\w+;|"
    r"^\W*(?:q|a|question|answer|query|wording|output|form|title|subject)\s*:",
    re.IGNORECASE,
)
_INSTRUCTION = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.?!]*\b(?:instructions?|previous|prior|above|prompts?|rules?|"
    r"everything)\b|\bsystem prompt\b|\b(?:explain|show|describe) your (?:reasoning|thinking|steps?|working?)\b|"
    r"(?:^|[.?!;,]|\b(?:and|then|but|also))\s+(?:then |also |please )*(?:explain|translate|summari[sz]e|delete|drop|"
    r"ignore|print|output|format|rhyme|elaborate|justify|pretend|imagine|reply|respond|rephrase|paraphrase)\b|"
    r"\bstep by step\b|\bdo not answer\b|\b(?:answer|reply|respond|write it|say it) (?:only )?"
    r"(?:in|with|as) (?:an? |one |the )?"
    r"(?:words?|letters?|rhymes?|poems?|haikus?|verses?|emojis?|lists?|bullets?|capitals?|french|german|spanish|"
    r"italian|dutch|latin|chinese)\b|\bpretend (?:to be|that|you)\b|\byou are now\b|\bact as\b|\broleplay\b",
    re.IGNORECASE,
)
_MODEL = re.compile(
    r"\b(?:as an? (?:\w+ )?(?:ai|language model|assistant)|language model|ai (?:model|assistant)|i(?: a|')m an ai|"
    r"by an ai|"
    r"(?:asked|told|trying|instructed|going) to (?:re)?(?:phrase|word|write|formulate|paraphrase) (?:this|the|a|it)|"
    r"here (?:is|are) (?:a|the|your|\w+ )?\s*(?:wordings?|questions?|paraphrases?|variants?)|"
    r"(?:short|long|formal|casual|interrogative|directive) (?:form|wording|version)|sure[,!] here)\b",
    re.IGNORECASE,
)
_PICTURES = ("So", "Mn", "Me")
"""Categories of signs: emojis among others, and accents that belong to no letter."""
_REPEATED = re.compile(r"\b(\w+)\s+\1\b", re.IGNORECASE)
_REPEATED_PHRASE = re.compile(r"\b(\w+(?:['’]\w+)?(?:[ ,]+\w+){1,5})[ ,–—-]+\1\b", re.IGNORECASE)
_BY_AND_BY = frozenset({"by", "after", "to", "and", "for", "upon"})
_DOUBLES = _WORDS["doubles"]
_CONTRACTION = re.compile(
    r"n['’]t\b|\b(?:i|you|we|they|he|she|it|that|there|who|what|where|when|how)['’](?:m|re|ll|ve|d|s)\b|\b(?:gonna|wanna|gotta|pls|plz|thx|dunno|lemme|gimme|cuz|btw|asap|hey|yeah|lol)\b",
    re.IGNORECASE,
)
_BROKEN = re.compile(
    r"\b(the|an?)\s+(of|to|from|for|with|is|are|was|were|be|and|or|does|did|when|where|who|how)\b", re.IGNORECASE
)
"""An article before what is no noun."""
_STILTED = re.compile(
    r"\b(?:respectfully|hereby|herewith|undersigned|(?:may|might|could) i trouble|(?:may|might) one|"
    r"be so (?:kind|good)|"
    r"at your earliest convenience|should be (?:obliged|grateful)|would be (?:obliged|grateful)|kindly (?:state|advise|"
    r"indicate|inform|provide)|enquir\w+|we request|it is requested)\b",
    re.IGNORECASE,
)
_SECOND = re.compile(
    r"(?:\band|\bor|\bas well as|\bplus|[;/&])\s+(?:also\s+|then\s+)?(?:in\s+|at\s+|on\s+|from\s+|by\s+|for\s+)?"
    r"(?:when|where|who|whose|whom|why|how)\b|,\s+(?:when|why|how)\b",
    re.IGNORECASE,
)
_WHOSE = re.compile(r"(?<=\w )(whose\b[^.?!;]*?\b(?:and|but)) whose\b", re.IGNORECASE)
"""Two things that are known of one: `whose colour is X and whose maker is Y`."""
_OF_WHICH = re.compile(r"(?<=\w )whose\b", re.IGNORECASE)
_ASKED_BEFORE = re.compile(r"\b(?:when|where|who|whose|whom|why|how|which|what)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_PROPER = re.compile(r"(?<=[\w,;:”’\")\x00] )[A-Z][^\W\d_]{2,}")


@dataclass(frozen=True)
class Problem:
    """Why a wording cannot be used."""

    reason: str
    detail: str = ""


def text_problems(text: str, form: str, words: Collection[str], *, is_truth: bool = False) -> Iterator[Problem]:
    """What is wrong with a wording, whatever it asks.

    Args:
        text: the wording on one line, its placeholders as they stand in templates.
        form: one of the six forms.
        words: what the tables and columns of its schema are called: what is said there may be said here.
        is_truth: whether yes or no is what is asked for.
    """
    known = {part.lower() for phrase in words for part in phrase.split()}
    bare = PLACEHOLDER.sub("\x00", text)
    if mark := _LIST_MARK.match(text):
        yield Problem("begins with a mark of a list", mark[0].strip())
    if found := _MARKUP.search(bare):
        yield Problem("holds markup or an address", found[0])
    if odd := next((sign for sign in bare if unicodedata.category(sign) in _PICTURES and sign != "°"), None):
        yield Problem("holds markup or an address", odd)
    if (found := _INSTRUCTION.search(bare)) or (found := _MODEL.search(bare)):
        yield Problem("talks to or about a model", found[0])
    lowered = [word.lower() for word in _WORD.findall(bare)]
    for word in lowered:
        if (
            word in _WORDS["machinery" if form != "long" else "programs"]
            and word not in known
            and word.rstrip("s") not in known
        ):
            yield Problem("talks of data, a program or a model", word)
    if found := re.search(r"\d+", " ".join(part for part in bare.split() if part.lower() not in known)):
        yield Problem("holds a figure outside its placeholders", found[0])
    yield from _language(bare, lowered, known)
    if (found := _REPEATED.search(bare)) and found[1].lower() not in _DOUBLES:
        yield Problem("repeats a word", found[0])
    if (found := _REPEATED_PHRASE.search(bare)) and found[1].split()[-1].lower() not in _BY_AND_BY:
        yield Problem("repeats words", found[1])
    if (found := _BROKEN.search(bare)) and found[2].lower() not in known:
        yield Problem("is no sentence", found[0])
    for name in _PROPER.findall(bare):
        is_day = name.lower() in (_WORDS["days"] if form == "long" else ()) or name.lower() in _WORDS["scales"]
        if name.lower() not in known and not name.isupper() and not is_day:
            yield Problem("holds a name outside its placeholders", name)
    if (
        (found := _SECOND.search(_WHOSE.sub(r"\1 its", bare)))
        and _ASKED_BEFORE.search(_OF_WHICH.sub("", bare[: found.start()]))
        and form != "long"
    ):
        yield Problem("asks two things", found[0].strip(" ,;"))
    if form == "interrogative" and bare.count("?") > 1:
        yield Problem("asks two things", "?")
    if form == "formal" and (found := _CONTRACTION.search(bare)):
        yield Problem("is not formal", found[0])
    if form == "casual" and (found := _STILTED.search(bare)):
        yield Problem("is not casual", found[0])
    if form != "long" and (found := _VALUE.search(bare)) and found[0].lower() not in known:
        yield Problem("holds a name outside its placeholders", found[0])
    if not is_truth and (asked := asked_for_yes_or_no(bare, form)):
        yield Problem("can be answered with yes or no", asked)


def _language(bare: str, lowered: list[str], known: Collection[str]) -> Iterator[Problem]:
    """Whether a text is in another language, by its letters and its commonest words."""
    foreign = [
        sign for sign in bare if sign.isalpha() and not ("a" <= sign.lower() <= "z" or "à" <= sign.lower() <= "ž")
    ]
    if foreign:
        yield Problem("is not in English", foreign[0])
        return
    english = sum(word in _ENGLISH for word in lowered)
    for language in _LANGUAGES:
        there = [word for word in lowered if word in _WORDS[language] and word not in known]
        own = [word for word in there if word not in _ENGLISH]
        if len(own) >= 2 and len(there) > english:
            yield Problem("is not in English", " ".join(own[:3]))
            return
