"""Questions by rules in German, French, Spanish and Japanese: what a sentence states plainly of an article's subject.

One engine; what it looks for, how it asks and how it calls the subject stands in `languages/`. A rule is a pattern of
what follows the subject, of what its first sentence says in brackets or defines, or of the value of an infobox line.
Few questions rather than doubtful ones: each says who or what is meant, and what is hedged is not asked.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchwright.benchmarks.text.folding import fold
from benchwright.builders.wiki.pages import Article
from benchwright.builders.wiki.questions.article_questions import ArticleQuestion, ArticleQuestions, RejectedQuestion
from benchwright.builders.wiki.questions.dates import Dated, date_pattern, find_dates
from benchwright.builders.wiki.questions.fact_dates import date_fact
from benchwright.builders.wiki.questions.languages import LANGUAGES, read_language, sentences_of
from benchwright.builders.wiki.questions.pattern_subjects import LONGEST_SENTENCE, PatternSubject, read_pattern_subject
from benchwright.builders.wiki.questions.questions_by_rule import BY_RULE, IN_QUESTION, holds_answer
from benchwright.builders.wiki.questions.vocabulary import AnswerKind

_LONGEST = 160
_LINE = re.compile(r"(?P<label>[^:\n]{2,40}): (?P<value>[^\n]{1,120})")
_BEFORE = 15
"""Characters before what a rule reads in which a hedge counts."""
REPEATED, CONTRADICTED = "it is asked already", "another sentence gives another answer"
_UNKNOWN_LANGUAGE = "the rules do not know the language of the article"
_DIGITS = re.compile(r"\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+|\d+")


@dataclass(frozen=True, slots=True)
class _Rule:
    """What is asked where a pattern is found."""

    place: str
    """`life`, `definition`, `sentence` or `line`."""
    about: frozenset[str]
    """Kinds of subjects that are asked for it; empty: all."""
    labels: frozenset[str]
    """Of a line of an infobox."""
    pattern: re.Pattern[str]
    kind: AnswerKind
    ask: str
    words: Mapping[str, Mapping[str, str]]
    """Of a group of the pattern: what it finds, and how the question says it."""

    def told(self, match: re.Match[str]) -> dict[str, str | None]:
        """What the groups of a match hold, as the question says it."""
        return {name: self.words.get(name, {}).get(text or "", text) for name, text in match.groupdict().items()}


@dataclass(frozen=True, slots=True)
class _Found:
    """A question as a rule gives it, with its evidence."""

    question: str
    answer: str
    kind: AnswerKind
    start: int
    end: int
    stated: str
    """What the rule read, and a little before it."""


@functools.cache
def _rules(language: str) -> tuple[_Rule, ...]:
    told = read_language(language)["questions"]
    macros = {**told["patterns"], "date": date_pattern(language)}
    return tuple(
        _Rule(
            rule["in"],
            frozenset(rule.get("about", ())),
            frozenset(label.lower() for label in rule.get("labels", ())),
            re.compile(_filled(pattern, macros)),
            rule["kind"],
            rule["ask"],
            rule.get("words", {}),
        )
        for rule in told["rules"]
        for pattern in rule["patterns"]
    )


def _filled(pattern: str, macros: Mapping[str, str]) -> str:
    for name, macro in macros.items():
        pattern = pattern.replace("{" + name + "}", f"(?:{macro})")
    return pattern


def ask_by_pattern(article: Article, language: str) -> ArticleQuestions:
    """Every question that the rules of a language can ask of an article, and those that they reject."""
    page = article.page.id
    if language not in LANGUAGES:
        return ArticleQuestions((), (RejectedQuestion(page, "", "", _UNKNOWN_LANGUAGE),))
    subject = read_pattern_subject(article, language)
    if isinstance(subject, str):
        return ArticleQuestions((), (RejectedQuestion(page, "", "", subject),))
    asked: dict[str, ArticleQuestion] = {}
    rejected: list[RejectedQuestion] = []
    doubted: set[str] = set()
    for found in _found(article, subject, language):
        reason, before = _doubt(found, article, subject, language), asked.get(found.question)
        if not reason and before is not None and not _is_within(found.answer, before.answer, language):
            reason = REPEATED if _is_within(before.answer, found.answer, language) else CONTRADICTED
            doubted |= {found.question} if reason == CONTRADICTED else set()
        elif not reason and before is not None:
            reason = REPEATED
            if found.answer != before.answer:  # a day, and before it its year
                rejected.append(RejectedQuestion(page, before.question, before.answer, REPEATED))
                reason = ""
        if reason:
            rejected.append(RejectedQuestion(page, found.question, found.answer, reason))
        else:
            asked[found.question] = _asked(article, found, language)
    for question in sorted(doubted):
        rejected.append(RejectedQuestion(page, question, asked.pop(question).answer, CONTRADICTED))
    return ArticleQuestions(tuple(asked.values()), tuple(rejected))


def _is_within(answer: str, other: str, language: str) -> bool:
    """Whether an answer is another one, or a date in it."""
    one, two = _as_date(answer, language), _as_date(other, language)
    return answer == other or bool(one and two and two.first <= one.first and one.last <= two.last)


def _found(article: Article, subject: PatternSubject, language: str) -> Iterator[_Found]:
    """What the rules find, in the order of the text: the first rule that fits asks what it asks."""
    rules = _rules(language)
    follows, last = False, -1
    for number, (start, end) in enumerate(sentences_of(language).spans(article.text)):
        text = article.text[start:end]
        places: dict[str, str] = {}
        follows = follows and "\n" not in article.text[last:start]
        last = end
        if number == 0:
            places = {"life": subject.life, "definition": subject.definition}
            follows = True
        elif (rest := subject.bound(text, with_pronouns=follows)) is not None:
            places = {"sentence": rest}
            follows = True
        elif end <= article.sections[0].end and (line := _LINE.fullmatch(text)):
            places = {"line": line["value"], "label": line["label"].strip().lower()}
            follows = False
        else:
            follows = False
        if not places or len(text) > LONGEST_SENTENCE:
            continue
        for rule in rules:
            if rule.place not in places or (rule.about and subject.kind not in rule.about):
                continue
            if rule.labels and places.get("label") not in rule.labels:
                continue
            match = (rule.pattern.fullmatch if rule.place == "line" else rule.pattern.search)(places[rule.place])
            if match and (question := subject.ask(rule.ask, rule.told(match))):
                stated = places[rule.place][max(0, match.start() - _BEFORE) : match.end()]
                yield _Found(question, match["answer"].strip(" ."), rule.kind, start, end, stated)


def _doubt(found: _Found, article: Article, subject: PatternSubject, language: str) -> str:
    """Why a question should not be asked."""
    question, answer = found.question, found.answer
    evidence = article.text[found.start : found.end]
    if answer not in evidence:
        return "the evidence does not state the answer"
    if len(question) > _LONGEST:
        return "the question is too long"
    if holds_answer(question, answer) or fold(answer).lower() in fold(question).lower():
        return IN_QUESTION
    if found.kind == "date" and _as_date(answer, language) is None:
        return "the answer is no date"
    if any(word in found.stated for word in read_language(language)["questions"]["hedges"]):
        return "it is not stated for sure"
    if any(sign in question for sign in "[]{}|\n\t") or "  " in question:
        return "the question has stray signs"
    return ""


def _as_date(answer: str, language: str) -> Dated | None:
    """The date that a whole answer is."""
    found = [one for one in find_dates(answer, language) if one.precision in ("day", "month", "year")]
    return found[0] if len(found) == 1 and found[0].end - found[0].start >= len(answer.rstrip(".")) else None


def _asked(article: Article, found: _Found, language: str) -> ArticleQuestion:
    dated = date_fact(article, found.start, found.end, found.answer, found.kind, language)
    date_and_place = (dated.as_text(), dated.read_from) if dated else (None, "")
    aliases = _aliases(found.answer, found.kind, language)
    return ArticleQuestion(
        article.page.id, found.question, found.answer, aliases, found.kind, found.start, found.end, BY_RULE,
        *date_and_place,
    )  # fmt: skip


def _aliases(answer: str, kind: AnswerKind, language: str) -> tuple[str, ...]:
    """The answer as it is written everywhere: 2022-03-12, and 2304 of 2.304."""
    if kind == "date" and (dated := _as_date(answer, language)):
        written = {"day": dated.first.isoformat(), "month": f"{dated.first:%Y-%m}"}.get(dated.precision)
        return (written,) if written else ()
    match = _DIGITS.match(answer) if kind == "number" else None
    if match is None:
        return ()
    digits, unit = re.sub(r"\D", "", match[0]), answer[match.end() :]
    written = dict.fromkeys((f"{digits}{unit}", f"{int(digits):,}{unit}"))
    return tuple(one for one in written if one != answer)
