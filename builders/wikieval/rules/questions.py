"""A question about a passage and its grounded answer by rule, from the facts that `builders/wikipedia` finds in it.

Two facts of one passage are asked in one question where there are two: "When was X released, and who directed it?", so
that an answer can leave one of them out. What the answer says stands word for word in the passage.
"""

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from benchwright.benchmarks.hashing import rank
from benchwright.builders.wiki.pages import Article, Page, Section
from benchwright.builders.wiki.questions.article_questions import ArticleQuestion
from benchwright.builders.wiki.questions.languages import is_common
from benchwright.builders.wiki.questions.questions_by_rule import ask_by_rule
from benchwright.builders.wiki.questions.subjects import (
    ArticleSubject,
    read_subject,
    split_sentences,
    without_brackets,
)
from benchwright.builders.wikieval.material import Made, Passage
from benchwright.builders.wikieval.rules.facts import Asked, Fact
from benchwright.builders.wikieval.rules.paper_rules import broken_rules
from benchwright.builders.wikieval.rules.plain_facts import plain_facts
from benchwright.builders.wikieval.rules.statements import state
from benchwright.builders.wikieval.rules.subject_names import SubjectNames, name_subject, with_a_name

NOTHING, COMMON = "the rules find nothing to ask", "it asks only what could be asked of anybody"
NO_STATEMENT = "its answer cannot be said as a sentence"


def find_facts(passage: Passage, namesakes: Sequence[str] = ()) -> tuple[tuple[Fact, ...], str]:
    """What a passage can be asked for; and where that is nothing, why."""
    article = as_article(passage, namesakes)
    subject = with_a_name(read_subject(article))
    names = name_subject(article.text, subject)
    if names is None:
        return (), NOTHING
    found = ask_by_rule(article, named_as=subject)
    by_articles = [fact for one in found.asked if (fact := _fact(one, article, subject, names)) is not None]
    plain_ones, doubted = plain_facts(article.text, subject, names)
    every = [fact for fact in (*plain_ones, *by_articles) if fact.asked not in doubted]
    # A dot that ends both the value and the sentence would be lost with a value in its place.
    facts = {fact.asked: fact for fact in every if not fact.value.endswith(".")}
    if facts:
        return tuple(facts.values()), ""
    return (), NO_STATEMENT if found.asked else NOTHING


def ask(
    passage: Passage, facts: Sequence[Fact], seed: int, asked_before: Counter[str] | None = None
) -> tuple[Asked | None, str]:
    """The question of a passage, of two facts where two go together; else why there is none.

    Args:
        passage: a text whose title names its subject.
        facts: those of its facts that may be asked for: see `find_facts`.
        seed: decides among the questions that are possible.
        asked_before: how often each kind of fact was asked of other passages: what was asked least comes first. The
            facts of this question are added to it.
    """
    before = Counter[str]() if asked_before is None else asked_before
    pairs = [pair for pair in itertools.permutations(facts, 2) if _go_together(*pair)]
    ways: list[tuple[Fact, ...]] = [*pairs, *((fact,) for fact in facts)]
    ways.sort(
        key=lambda way: (
            -len(way),
            sum(_is_anybodys(one.question) + one.question.startswith(_LAST) for one in way),
            is_common(way[-1].question),
            _repeats(way),
            sum(before[one.asked] for one in way),
            # "How tall is the tower of X, and how wide is it?": what "it" is would not be plain.
            " of {s}" in way[0].asked,
            _drawn(way, passage, seed),
        )
    )
    reason = NOTHING
    for way in ways:
        if all(_is_anybodys(one.question) for one in way):
            reason = COMMON if reason == NOTHING else reason
            continue
        question, answer = _worded(way)
        values = [one.value for one in way]
        broken = broken_rules(question, answer, passage.text, values)
        if broken:
            reason = broken[0]
            continue
        before.update(one.asked for one in way)
        detail: Mapping[str, object] = {"facts": [one.as_row() for one in way]}
        return Asked(Made(question, "rule", detail), Made(answer, "rule", detail), way, define(passage, values)), ""
    return None, reason


def _repeats(way: Sequence[Fact]) -> bool:
    """Whether the second part of a question says a word of the first again: "which party came first"."""
    if len(way) == 1:
        return False
    first, second = (
        {word for word in re.findall(r"[a-z]{5,}", text.replace("{s}", "")) if word not in ("about", "which", "where")}
        for text in (way[0].asked, way[1].asked)
    )
    return bool(first & second)


_LAST = "What nationality "
"""What begins so is asked where nothing else is."""


def _is_anybodys(question: str) -> bool:
    """Whether a question could be asked of any person."""
    return is_common(question) or question.startswith(_LAST)


def _drawn(way: Sequence[Fact], passage: Passage, seed: int) -> bytes:
    return rank(seed, "wikieval question", passage.title, *(one.question for one in way))


def as_article(passage: Passage, namesakes: Sequence[str] = ()) -> Article:
    """A passage as `builders/wikipedia` reads articles: all of it is introduction."""
    page = Page(0, passage.title, "", 0, "", "", "", tuple(namesakes))
    return Article(page, passage.text, (Section("", 0, 0, len(passage.text)),))


def define(passage: Passage, without: Sequence[str]) -> str:
    """What a passage says that its subject is, as a short sentence that states none of some values; else nothing."""
    article = as_article(passage)
    subject = with_a_name(read_subject(article))
    if not subject.is_defined:
        return ""
    spans = split_sentences(passage.text[:_END_OF_FIRST])
    first = without_brackets(passage.text[slice(*spans[0])]) if spans else ""
    told = {part.strip().lower() for value in without for part in (value, value.partition(",")[0])}
    is_said_with_the = passage.text.startswith("The ") or f"the {subject.title}" in subject.names
    named = f"The {subject.title}" if is_said_with_the and not subject.title.startswith("The ") else subject.title
    for end in (_AT_A_CLAUSE, _AT_A_CREATOR, _AT_A_PLACE):
        match = re.search(rf" (?P<be>is|was|are|were) (?P<what>(?:an?|the|one of the) [^,;:.()]{{3,140}}?){end}", first)
        if match is None:
            continue
        what = re.sub(r"\b(?:1[0-9]|20)\d\d[ -]", "", match["what"])
        what = re.sub(r"^an? (?=(\w+))", lambda one: "an " if _AN.match(one[1]) else "a ", what)
        sentence = f"{named} {match['be']} {what}."
        is_told = any(one in sentence.lower() for one in told)
        is_cut = what.endswith("ly") or re.fullmatch(r"an? [A-Z][\w’'-]*", what) is not None
        if not is_told and not is_cut and not re.search(r"\d{4}", what):
            return sentence
    return ""


_AN = re.compile(r"[aio](?!ne\b)|e(?!u)|u(?!ni(?!n)|[sk])", re.IGNORECASE)
_END_OF_FIRST = 600
"""Characters of a passage in which its definition stands."""
_AT_A_CLAUSE = (
    r"(?=[,;:.]|$| (?:(?:[a-z]+ly )?(?:[a-z]+ed and )?(?:co-)?(?:[a-z]+ed|written|held|built|set|born|led|known)\b"
    r"(?! [a-z]+ (?:in|of|by)\b)|(?:who|which|that|where|when|since|on|revolving|starring|and (?:is|was|has))\b))"
)
_AT_A_CREATOR = r"(?= (?:by|from|for)\b)"
_AT_A_PLACE = r"(?= (?:in|at|of (?!flowering|plants?|sea|fish|moths?|beetles?))\b)"
"""Where a definition is cut: the longest that tells nothing that is asked for is used."""


def _fact(one: ArticleQuestion, article: Article, subject: ArticleSubject, words: SubjectNames) -> Fact | None:
    names = sorted((name for name in (*subject.names, subject.title) if name in one.question), key=len, reverse=True)
    if not names:
        return None
    name, evidence = names[0], article.text[one.start : one.end]
    said = subject.title if subject.is_person else name
    statement = state(one.question, one.answer, evidence, name, said)
    if statement is None or not re.search(rf"(?<!\w){re.escape(one.answer)}(?!\w)", statement):
        return None
    follows = asked_next = ""
    if words.again and f"of {name}" not in one.question:
        is_object = re.match(rf"(?:Who (?!is|was|did)|Which (?:artist|label) )[\w-]+ {re.escape(name)}", one.question)
        spoken = words.again_object if is_object else words.again
        follows = state(one.question, one.answer, evidence, name, spoken) or ""
        asked_next = one.question.replace(name, spoken)
        asked_next = asked_next[:1].lower() + asked_next[1:]
    return Fact(
        one.question, one.question.replace(name, "{s}"), one.answer, one.answer_kind, statement, follows, asked_next
    )


def _go_together(first: Fact, second: Fact) -> bool:
    """Whether two facts can be asked for in one question: they differ, and neither tells the other."""
    return (
        bool(second.asked_next and second.follows)
        and first.asked != second.asked
        and (first.pool, second.pool) not in _TELLING
        and (second.pool, first.pool) not in _TELLING
        and first.value not in second.follows
        and second.value not in first.statement
    )


_TELLING = (("profession", "position"), ("profession", "team"))
"""Of two facts the one tells the other: who plays as a goalkeeper is a footballer."""


def _worded(way: Sequence[Fact]) -> tuple[str, str]:
    """One question and one answer of one or two facts."""
    if len(way) == 1:
        return way[0].question, way[0].statement
    first, second = way
    return f"{first.question.removesuffix('?')}, and {second.asked_next}", f"{first.statement} {second.follows}"
