"""Which sentences speak of an article's subject, and how a question names it."""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.benchmarks.text.folding import fold
from benchwright.benchmarks.text.sentences import CLOSING, Splitter, ending_dot
from benchwright.builders.wiki.pages import Article
from benchwright.builders.wiki.questions.definitions import head_of, read_definition
from benchwright.builders.wiki.questions.naming import namings, split_title
from benchwright.builders.wiki.questions.vocabulary import listed

_NESTED = re.compile(r"\s*\((?:[^()]|\([^()]*\))*\)")
_DEFINED = re.compile(r",? (?P<be>is|was|are|were|occurred|took place|happened) (?P<rest>\w.*)", re.DOTALL)
_NICKNAME = re.compile(r"\b([^\W\d_a-z]\w+) [\"“][^\"“”]{1,25}[\"”] ([^\W\d_a-z])")
_LEAD = re.compile(r"(?P<lead>(?:In|On|By|Since|As of|According to) [^,;()]{3,40}),? (?=\S)")
_PERSONAL = re.compile(r"(?:He|She|His|Her)\b")
_BIRTH = re.compile(r"\([^)]*?(?:\bborn\b|\b\d{3,4}\s*[–—-]|[–—-]\s*[^)]*\d{4})")
_LIFE = re.compile(r"\bborn\b|\d{4}\s*[-–—]")
_LONGEST, _SHORTEST = 400, 10
_CLOSING = f"[{re.escape(CLOSING)}]"


@dataclass(frozen=True, slots=True)
class ArticleSubject:
    """What an article is about."""

    names: tuple[str, ...]
    """How a question may name it: "the film Nadhi"; none where nothing tells it apart."""
    problem: str
    """Why it cannot be named so that only one thing is meant."""
    title: str
    """Its title without what tells it apart."""
    is_person: bool
    is_work: bool
    """It is something that is published: a film, a song, a book."""
    is_plural: bool
    """It is said to be several: "the elections were"."""
    is_event: bool
    """It takes place: an election, a race, a fire."""
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


@functools.lru_cache(maxsize=16)
def read_subject(article: Article) -> ArticleSubject:
    """The subject of an article, from its title and its first sentence."""
    title, qualifier = split_title(article.page.title)
    small = title[:1].lower() + title[1:]
    if title not in article.text and re.match(r"[a-z][A-Z]", small) and small in article.text:
        title = small  # "iPhone 99"
    spans = split_sentences(article.introduction)
    first = article.text[spans[0][0] : spans[0][1]] if spans else ""
    plain = without_brackets(first).replace('"', "").replace("“", "").replace("”", "")
    match = _DEFINED.search(plain)
    opening = plain[: match.start()] if match else ""
    named = opening.partition(",")[0].strip()
    is_defined = bool(match) and len(named) < 90 and _same(named, title)
    head = head_of(match.group()) if match and is_defined else ""
    words = [
        word if word == "EP" else word.lower() for word in re.findall(r"[\w-]+", head.replace("extended play", "EP"))
    ]
    things = listed("things")
    is_person = _is_person(words, title, first)
    definition = read_definition(plain[match.start() :] if match and is_defined else "", is_person)
    noun = definition.noun or ("" if is_person else next((word for word in reversed(words) if word in things), ""))
    names, problem = namings(
        title,
        qualifier,
        definition,
        is_person=is_person,
        takes_article=_takes_article(title, named, article.text) and not is_person,
        is_ordinary=_is_ordinary(title, article.text),
        shared=article.page.namesakes,
    )
    is_plural = bool(match) and is_defined and match["be"] in ("are", "were") and title.endswith("s")
    is_event = not is_person and bool(
        listed("events") & {noun, *(word.lower().rstrip("s") for word in title.split()[-2:])}
    )
    callings = _callings(title, named, is_person, noun, article.text)
    return ArticleSubject(
        names, problem, title, is_person, noun in listed("works"), is_plural, is_event, noun, callings, is_defined
    )


def _is_person(words: list[str], title: str, first: str) -> bool:
    """Whether a definition's words, or a life in its first sentence, are those of a person."""
    persons, things = listed("persons"), listed("things")
    if len(words) > 1 and words[-1] in listed("positions") and set(words) & listed("sports"):
        return True
    last = max((place for place, word in enumerate(words) if word in persons), default=-1)
    is_called = last >= 0 and not any(word in things for word in words[last + 1 :])
    if is_called and not set(fold(title).lower().split()) & {"of", "and", "in"}:
        return True
    return bool(_BIRTH.search(first[:250])) and bool(_LIFE.search(first[:250])) and not things & set(words)


def _takes_article(title: str, named: str, text: str) -> bool:
    """Whether a name is said with "the": as its article does, "the Church of …", "the 2023 …"."""
    if title.startswith(("The ", "A ", "An ")):
        return False
    first, _, then = title.partition(" ")
    if re.sub(r" [12]\d{3}$", "", title).rpartition(" ")[2].lower() in listed("with_the"):
        return True
    last = title.rpartition(" ")[2]
    if " " in title and last.islower() and last in listed("things") | listed("events"):
        return True
    if named.startswith("The ") or re.match(r"[12]\d{3}\b", title):
        return True
    if then.startswith("of ") and (first.lower() in listed("things")):
        return True
    said = re.findall(rf"(?<=\w )\b(the )?{re.escape(title)}\b", text)
    return len(said) > 0 and sum(map(bool, said)) * 2 > len(said)


def _is_ordinary(title: str, text: str) -> bool:
    """Whether a name is short, or all its words are words of the language: its article has them in small letters."""
    said = [
        word for word in re.findall(r"[^\W\d_]+", title) if word.lower() not in ("the", "a", "an", "of", "and", "in")
    ]
    if re.search(r"\d{4}", title):
        return False
    if len(said) < 2 and len(title) <= 8:
        return True
    return all(word.lower() in listed("things") or re.search(rf"\b{word.lower()}\b", text) for word in said)


def _same(named: str, title: str) -> bool:
    """Whether what a definition begins with is the title, or has most of its words."""
    first, second = (
        [word.removesuffix("s") for word in re.findall(r"\w+", fold(text).lower()) if word not in ("the", "a")]
        for text in (named, title)
    )
    if not first or not second:
        return False
    is_name = all(word[:1].isupper() for word in named.split() if len(word) > 3)
    if is_name and first[-1] == second[-1] and len(first[-1]) > 3 and len(first) <= 6 and len(second) <= 4:
        return True  # "Samuel Birrell" of "Sam Birrell"
    common = len(set(first) & set(second))
    return common >= 0.6 * min(len(set(first)), len(set(second))) and common * 3 >= len(set(second))


def _callings(title: str, named: str, is_person: bool, noun: str, text: str) -> tuple[str, ...]:
    found = {title, f"The {title}"}
    if named and len(named) < 90:
        found.add(named)
    if is_person and " " in title:
        family = re.sub(r",? (?:Jr|Sr)\.?$|,.*", "", title).split()[-1]
        if not _has_relatives(family, {*title.split(), *named.split()}, text):
            whole = _with_particles(title, family)
            found |= {family, whole, whole[:1].upper() + whole[1:]}
    if not is_person:
        own = title.partition(" of ")[0].rpartition(" ")[2].lower()
        found |= {f"The {word}" for word in (noun, own if own in listed("things") else "") if word}
    return tuple(sorted((name for name in found if len(name) > 1), key=lambda name: (-len(name), name)))


def _with_particles(title: str, family: str) -> str:
    """A family name with what belongs to it: "Da Moor", "van der Moor"."""
    words = title[: title.rfind(family)].split()
    count = 0
    while count < len(words) - 1 and words[-1 - count].lower() in listed("particles"):
        count += 1
    return " ".join((*words[len(words) - count :], family)) if count else family


def _has_relatives(family: str, own: set[str], text: str) -> bool:
    """Whether an article speaks of somebody else with the same family name: "Ben Moor" in that of Ada Moor."""
    for match in re.finditer(rf"(?<![\w.’'-])([^\W\d_a-z](?:\.|[\w’'-]*)) {re.escape(family)}\b", text):
        if match[1] not in own and match[1].strip(".").lower() not in listed("honorifics"):
            return True
    return False


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
        if rest is not None:
            follows = subject.is_person or number == 0 or not _tells_of_another(rest)
        else:
            follows = follows and subject.is_person and _PERSONAL.match(text) is not None and not _is_of_relative(text)
        if _SHORTEST <= len(text) <= _LONGEST:
            yield ArticleSentence(start, end, text, rest, lead, number == 0)


def _is_of_relative(text: str) -> bool:
    """Whether a sentence speaks of somebody near the subject: "His father …", of whom the next "he" may speak."""
    second = text.split(maxsplit=2)[1:2]
    return bool(second) and second[0].lower().strip(",.'’s") in listed("relatives")


def _tells_of_another(rest: str) -> bool:
    """Whether a sentence about a thing names another, of which the next "it" may speak: "… features the song Gull"."""
    return bool(set(re.findall(r"[a-z]+", rest)) & listed("works"))


def _defined_rest(text: str) -> str | None:
    plain = without_brackets(text)
    match = _DEFINED.search(plain)
    return plain[match.start() :] if match else None


def _bound(text: str, subject: ArticleSubject, pronouns: tuple[str, ...]) -> tuple[str, str | None]:
    """What stands before the subject and after it; None after it where the sentence does not begin with the subject."""
    plain = (
        _NICKNAME.sub(r"\1 \2", without_brackets(text))
        .lstrip('"“-• ')
        .replace('"', "")
        .replace("“", "")
        .replace("”", "")
    )
    match = _LEAD.match(plain)
    for lead, body in (("", plain), (match["lead"], plain[match.end() :]) if match else ("", "")):
        for calling in (*subject.callings, *pronouns):
            told = calling if body[:1].isupper() or not lead else calling[:1].lower() + calling[1:]
            if body.startswith(told) and body[len(told) : len(told) + 1] in (" ", ","):
                return lead, body[len(told) :]
    return "", None
