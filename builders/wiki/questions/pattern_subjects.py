"""The subject of an article by the patterns of its language, and how a question calls it so that one thing is meant."""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchwright.benchmarks.text.folding import fold
from benchwright.builders.wiki.page_rules import is_list
from benchwright.builders.wiki.pages import Article
from benchwright.builders.wiki.questions.languages import read_language, sentences_of

_BRACKETS = re.compile(r"\s*[（(](?P<inside>[^()（）]*)[)）]$")
_QUOTES = str.maketrans("", "", '"„“”«»‹›「」『』')
LONGEST_SENTENCE = 400
"""Characters of a sentence that is read."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"\w+")
NO_DEFINITION = "the first sentence does not say what the subject is"
NOT_APART = "its name does not tell it apart from others"


@dataclass(frozen=True, slots=True)
class PatternSubject:
    """What an article is about."""

    title: str
    """Without what tells it apart."""
    kind: str
    """person, work, place or thing."""
    phrase: str
    """How a question calls it: "die Biathletin Anna Berg"."""
    gender: str
    """m, f, n, or nothing where it is not known."""
    is_plain: bool
    """Whether its phrase can be put in another case by its article alone."""
    life: str
    """What its first sentence says before it defines it: when and where somebody was born."""
    definition: str
    """What the first sentence says that it is."""
    callings: tuple[str, ...]
    """With what a sentence may begin to speak of it, the longest first."""
    pronouns: tuple[str, ...]
    told: Mapping[str, Any] = field(repr=False)
    """How its language asks."""

    def bound(self, sentence: str, *, with_pronouns: bool) -> str | None:
        """What follows the subject in a sentence that begins with it."""
        plain = sentence.translate(_QUOTES)
        for calling in (*self.callings, *(self.pronouns if with_pronouns else ())):
            if plain.startswith(calling) and (rest := plain[len(calling) :]) and re.match(self.told["follows"], rest):
                return rest
        dropped = self.told.get("dropped", "")
        if with_pronouns and dropped and re.match(dropped, plain):  # the subject is understood
            return " " + plain[0].lower() + plain[1:]
        return None

    def ask(self, template: str, found: Mapping[str, str | None]) -> str:
        """A question; nothing where its words for this subject are not known."""
        words = {"subject": self.phrase}
        for name, articles in self.told.get("cases", {}).items():
            article = next((one for one in articles if self.phrase.startswith(one)), "")
            if article and (self.is_plain or articles[article] == article):
                words[name] = articles[article] + self.phrase.removeprefix(article)
            elif not article:
                words[name] = self.phrase
        for name, genders in self.told.get("gendered", {}).items():
            if self.gender in genders:
                words[name] = genders[self.gender]
        words |= {name: value for name, value in found.items() if value is not None}
        if any(name not in words for name in _PLACEHOLDER.findall(template)):
            return ""
        question = _PLACEHOLDER.sub(lambda match: words[match[1]], template)
        for apart, together in self.told.get("contractions", {}).items():
            question = question.replace(apart, together)
        return question[:1].upper() + question[1:]


@functools.cache
def _pattern(language: str, name: str) -> re.Pattern[str]:
    return re.compile(read_language(language)["questions"][name])


def read_pattern_subject(article: Article, language: str) -> PatternSubject | str:
    """The subject of an article, from its title and its first sentence; or why nothing should be asked of it."""
    told = read_language(language)["questions"]
    qualifier = _BRACKETS.search(article.page.title)
    title = _BRACKETS.sub("", article.page.title).strip()
    spans = sentences_of(language).spans(article.introduction)
    if is_list(article.page.title) or any(title.startswith(word) for word in told["lists"]):
        return "it is a list"
    if not spans or len(title) > 80 or not re.search(r"[^\W\d_]", title):
        return NO_DEFINITION
    if spans[0][1] - spans[0][0] > LONGEST_SENTENCE:
        return NO_DEFINITION
    first = article.text[slice(*spans[0])].translate(_QUOTES)
    opening = _pattern(language, "opening").match(first)
    if opening is None:
        return NO_DEFINITION
    said = _pattern(language, "definition").match(opening["rest"])
    parts = opening.groupdict(default="") | (said.groupdict(default="") if said else {})
    if (article_word := parts.get("article", "")) and title.startswith(article_word):  # it is a part of the title
        parts |= {"article": "", "name": article_word + parts["name"]}
    if not _same(parts["name"], title, told["spaced"]):
        return NO_DEFINITION
    kind = _kind(parts, told)
    gender = _gender(parts, kind, told)
    phrase = _phrase(title, parts, kind, gender, told)
    if not phrase or (qualifier and not _tells(phrase, qualifier["inside"], told["spaced"])):
        return NOT_APART
    if article.page.namesakes and phrase.translate(_QUOTES).endswith(title) and len(phrase) == len(title):
        return NOT_APART
    is_exact = fold(parts["name"].strip()) == fold(title) or kind == "work"
    named = parts["name"].strip()
    callings = {title, named, parts.get("article", "") + title, parts.get("article", "") + named}
    if noun := parts.get("noun"):
        heads = {noun}
        if told["compounds"]:
            heads |= {one.capitalize() for one in told["kinds"].get(kind, ()) if noun.lower().endswith(one)}
        else:
            heads.add(noun.split()[0])
        callings |= {f"{the}{head}" for the in told["callings"].get(gender, ()) for head in heads}
    if kind == "person" and " " in title and told["spaced"]:
        callings.add(title.split()[-1])
    return PatternSubject(
        title, kind, phrase, gender, is_exact, parts["life"], opening["rest"],
        tuple(sorted(callings, key=lambda name: (-len(name), name))), tuple(told["pronouns"].get(gender, ())), told,
    )  # fmt: skip


def _same(named: str, title: str, is_spaced: bool) -> bool:
    """Whether a first sentence begins with the title: with all its words, and of a person with others between them."""
    if not is_spaced:
        return "".join(fold(named).split()) == "".join(fold(title).split())  # 森川 灯子 of 森川灯子
    one, two = ([word.lower() for word in _WORD.findall(fold(text))] for text in (named, title))
    rest = iter(one)
    return bool(two) and len(one) <= len(two) + 4 and all(any(_alike(word, wanted) for word in rest) for wanted in two)


def _alike(word: str, wanted: str) -> bool:
    """Whether two words are the same, but for the ending of an adjective: `großer Turm`, `der Große Turm`."""
    return word == wanted or (
        len(wanted) > 4 and word.rstrip("ersn") == wanted.rstrip("ersn") and word[:4] == wanted[:4]
    )


def _kind(parts: Mapping[str, str], told: Mapping[str, Any]) -> str:
    noun = parts.get("noun", "").lower()
    head = noun.partition(" ")[0]
    for kind, nouns in told["kinds"].items():
        if any(noun.endswith(one) if told["compounds"] else head == one for one in nouns):
            return kind
    return "person" if parts["life"] and re.search(told["born"], parts["life"]) else "thing"


def _gender(parts: Mapping[str, str], kind: str, told: Mapping[str, Any]) -> str:
    """By its article, by "a" in its definition, or by its noun."""
    known = told["genders"]
    for word in (parts.get("article", "").strip().lower(), parts.get("one", "").lower()):
        if word in known:
            return known[word]
    if kind == "person" and parts.get("one"):
        return "m"
    noun = parts.get("noun", "").lower()
    return next((gender for ending, gender in told["endings"].items() if noun.endswith(ending)), "")


def _phrase(title: str, parts: Mapping[str, str], kind: str, gender: str, told: Mapping[str, Any]) -> str:
    """How a question calls the subject; nothing for somebody of whom it is not said what they are."""
    the = told["the"].get(gender, "")
    noun = parts.get("noun", "")
    adjective = parts.get("adjective", "")
    for ending, plain in told.get("adjectives", {}).items():
        if adjective.endswith(ending):
            adjective = adjective.removesuffix(ending) + plain
            break
    words = {"the": the, "adjective": adjective, "noun": noun, "title": title}
    article = parts.get("article", "")
    named = article[:1].lower() + article[1:] + (parts["name"].strip() if article else title)
    if kind in told["describe"] and noun and (the or not told["the"]):
        if kind == "place" and article:
            return named
        own = (form for ends, form in told.get("self_named", {}).items() if re.search(ends, title))
        phrase = next(own, told["describe"][kind]).format_map(words)
        for apart, together in told.get("elisions", {}).items():
            phrase = re.sub(apart, together, phrase)
        return " ".join(phrase.split()) if told["spaced"] else phrase
    return "" if kind == "person" else named


def _tells(phrase: str, qualifier: str, is_spaced: bool) -> bool:
    """Whether a phrase has what a title's brackets say."""
    if not is_spaced:
        return qualifier in phrase
    words = _WORD.findall(fold(phrase).lower())
    return all(any(wanted[:5] in word for word in words) for wanted in _WORD.findall(fold(qualifier).lower()))
