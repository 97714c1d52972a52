"""Which sentences speak of an article's subject, and how a question names it."""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.benchmarks.text.folding import fold
from benchwright.benchmarks.text.sentences import CLOSING, Splitter, ending_dot
from benchwright.builders.wiki.pages import Article
from benchwright.builders.wikipedia.vocabulary import listed

_BRACKETS = re.compile(r"\s*\([^()]*\)$")
_NESTED = re.compile(r"\s*\((?:[^()]|\([^()]*\))*\)")
_DEFINED = re.compile(r",? (?P<be>is|was|are|were) (?P<rest>\w.*)", re.DOTALL)
_LEAD = re.compile(r"(?P<lead>(?:In|On|By|Since|As of|According to) [^,;()]{3,40}),? (?=\S)")
_PERSONAL = re.compile(r"(?:He|She|His|Her)\b")
_BIRTH = re.compile(r"\([^)]*?(?:\bborn\b|\b\d{3,4}\s*[–—-]|[–—-]\s*[^)]*\d{4})")
_LIFE = re.compile(r"\bborn\b|\d{4}\s*[-–—]")
_LONGEST, _SHORTEST = 400, 10
_CLOSING = f"[{re.escape(CLOSING)}]"


@dataclass(frozen=True, slots=True)
class ArticleSubject:
    """What an article is about."""

    name: str
    """How a question names it: "the film Nadhi"."""
    title: str
    """Its title without what tells it apart."""
    is_person: bool
    noun: str
    """What its definition calls it: film, station; nothing where it says nothing that is listed."""
    callings: tuple[str, ...]
    """With what a sentence may begin to speak of it, the longest first; pronouns apart."""
    is_defined: bool
    """Whether the first sentence begins with it."""


@dataclass(frozen=True, slots=True)
class ArticleSentence:
    """A sentence of an article."""

    start: int
    end: int
    text: str
    rest: str | None
    """What follows the subject, from the space or comma on; None where it does not speak of the subject."""
    lead: str
    """What stands before the subject: "In 2019"."""
    is_first: bool


@functools.cache
def _sentences() -> Splitter:
    """Sentences of articles: abbreviations, initials and "the 2. Bundesliga" end none, but before a closing quote."""
    numbered = [rf"[Tt]he \d{{{digits}}}" for digits in (1, 2, 3, 4)]
    stop = ending_dot(sorted(listed("shortened")), before=["[A-Z]", *numbered])
    mark = rf"(?:{stop}|\.(?={_CLOSING})|[!?])"
    return Splitter(mark, always=rf"{mark}{_CLOSING}*(?=[A-Z][a-z]+ )")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Start and end of each sentence; lines are never joined, and abbreviations and initials end none."""
    return _sentences().spans(text)


def without_brackets(text: str) -> str:
    """A text without its parentheses."""
    return _NESTED.sub("", text)


def read_subject(article: Article) -> ArticleSubject:
    """The subject of an article, from its title and its first sentence."""
    title = _BRACKETS.sub("", article.page.title).strip()
    spans = split_sentences(article.introduction)
    first = article.text[spans[0][0] : spans[0][1]] if spans else ""
    plain = without_brackets(first).replace('"', "").replace("“", "").replace("”", "")
    match = _DEFINED.search(plain)
    opening = plain[: match.start()] if match else ""
    named = opening.partition(",")[0].strip()
    is_defined = bool(match) and len(named) < 90 and _same(named, title)
    rest = match["rest"] if match and is_defined else ""
    head = re.split(
        r"[,;.]| (?:who|which|that|from|in|by|of|at|on|for|based|located|directed|written)\b", rest, maxsplit=1
    )[0]
    words = [
        word if word == "EP" else word.lower() for word in re.findall(r"[\w-]+", head.replace("extended play", "EP"))
    ]
    persons, things = listed("persons"), listed("things")
    is_person = any(word in persons for word in words) and not any(word in things for word in words[-1:])
    is_person = is_person or (
        bool(_BIRTH.search(first[:250])) and bool(_LIFE.search(first[:250])) and not things & set(words)
    )
    noun = "" if is_person else next((word for word in reversed(words) if word in things), "")
    takes_article = (is_defined and named.startswith("The ")) or re.match(r"[12]\d{3}\b", title)
    article_word = "the " if takes_article and not title.startswith("The ") and not is_person else ""
    works = listed("works")
    kind = noun if noun in works and noun not in title.lower() and not article_word else ""
    name = f"the {kind} {title}" if kind else article_word + title
    return ArticleSubject(name, title, is_person, noun, _callings(title, named, is_person, noun), is_defined)


def _same(named: str, title: str) -> bool:
    """Whether what a definition begins with is the title, or has most of its words."""
    first, second = (
        [word for word in re.findall(r"\w+", fold(text).lower()) if word not in ("the", "a")] for text in (named, title)
    )
    if not first or not second:
        return False
    is_name = all(word[:1].isupper() for word in named.split() if len(word) > 3)
    if is_name and first[-1] == second[-1] and len(first[-1]) > 3 and len(first) <= 6 and len(second) <= 4:
        return True  # "Samuel Birrell" of "Sam Birrell"
    common = len(set(first) & set(second))
    return common >= 0.6 * min(len(set(first)), len(set(second))) and common * 3 >= len(set(second))


def _callings(title: str, named: str, is_person: bool, noun: str) -> tuple[str, ...]:
    found = {title, f"The {title}"}
    if named and len(named) < 90:
        found.add(named)
    if is_person and " " in title:
        found.add(re.sub(r",? (?:Jr|Sr)\.?$|,.*", "", title).split()[-1])
    if noun:
        found.add(f"The {noun}")
    return tuple(sorted((name for name in found if len(name) > 1), key=lambda name: (-len(name), name)))


def read_sentences(article: Article, subject: ArticleSubject) -> Iterator[ArticleSentence]:
    """The sentences of the article with what they say of its subject.

    A pronoun speaks of the subject where the sentence before it, in the same line, did, and "he" or "she" also where it
    opens a line.
    """
    gendered = ("He", "She") if subject.is_person else ("It",)
    follows, last = False, -1
    for number, (start, end) in enumerate(split_sentences(article.text)):
        text = article.text[start:end]
        if last < 0 or "\n" in article.text[last:start]:
            follows = subject.is_defined and (subject.is_person or number < 3)
        last = end
        lead, rest = _bound(text, subject, gendered if follows else ())
        if number == 0 and rest is None and subject.is_defined:
            lead, rest = "", _defined_rest(text)
        follows = rest is not None or (follows and subject.is_person and _PERSONAL.match(text) is not None)
        if _SHORTEST <= len(text) <= _LONGEST:
            yield ArticleSentence(start, end, text, rest, lead, number == 0)


def _defined_rest(text: str) -> str | None:
    plain = without_brackets(text)
    match = _DEFINED.search(plain)
    return plain[match.start() :] if match else None


def _bound(text: str, subject: ArticleSubject, pronouns: tuple[str, ...]) -> tuple[str, str | None]:
    """What stands before the subject and after it; None after it where the sentence does not begin with the subject."""
    plain = without_brackets(text).lstrip('"“-• ').replace('"', "").replace("“", "").replace("”", "")
    match = _LEAD.match(plain)
    for lead, body in (("", plain), (match["lead"], plain[match.end() :]) if match else ("", "")):
        for calling in (*subject.callings, *pronouns):
            told = calling if body[:1].isupper() or not lead else calling[:1].lower() + calling[1:]
            if body.startswith(told) and body[len(told) : len(told) + 1] in (" ", ","):
                return lead, body[len(told) :]
    return "", None
