"""A question about a passage and its grounded answer by rule, from the facts that `builders/wikipedia` finds in it.

Two facts of one passage are asked in one question where there are two: "When was X released, and who directed it?", so
that an answer can leave one of them out. What the answer says stands word for word in the passage.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.hashing import rank
from benchwright.builders.wiki.pages import Article, Page, Section
from benchwright.builders.wiki.questions.article_questions import ArticleQuestion
from benchwright.builders.wiki.questions.languages import is_common
from benchwright.builders.wiki.questions.questions_by_rule import ask_by_rule
from benchwright.builders.wiki.questions.subjects import ArticleSubject, read_subject
from benchwright.builders.wiki.questions.vocabulary import AnswerKind
from benchwright.builders.wikieval.material import Made, Passage
from benchwright.builders.wikieval.paper_rules import broken_rules
from benchwright.builders.wikieval.statements import state

NOTHING, COMMON = "the rules find nothing to ask", "it asks only what could be asked of anybody"
NO_STATEMENT = "its answer cannot be said as a sentence"


@dataclass(frozen=True, slots=True)
class Fact:
    """What a passage states of its subject, and what asks for it."""

    question: str
    asked: str
    """The question with `{s}` where the subject is named: the same for the same kind of fact on every page."""
    value: str
    """The short answer, word for word in the passage."""
    kind: AnswerKind
    statement: str
    """A full sentence that answers the question."""
    follows: str
    """The same, after a sentence that has named the subject; nothing where that cannot be said."""
    asked_next: str
    """The question, after another that has named the subject; nothing where that cannot be said."""

    def as_row(self) -> dict[str, str]:
        return {"question": self.question, "value": self.value, "kind": self.kind}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a passage with its grounded answer."""

    question: Made
    answer: Made
    facts: tuple[Fact, ...]
    """Those that it asks for, in its order."""
    definition: str
    """What the passage says that its subject is, as a sentence without those facts; nothing where it says nothing."""


def find_facts(passage: Passage, namesakes: Sequence[str] = ()) -> tuple[tuple[Fact, ...], str]:
    """What a passage can be asked for, in the order of its text; and where that is nothing, why."""
    article = as_article(passage, namesakes)
    found = ask_by_rule(article)
    subject = read_subject(article)
    facts = [fact for one in found.asked if (fact := _fact(one, article, subject)) is not None]
    if facts:
        return tuple(facts), ""
    return (), NO_STATEMENT if found.asked else NOTHING


def ask(passage: Passage, facts: Sequence[Fact], seed: int) -> tuple[Asked | None, str]:
    """The question of a passage, of two facts where two go together; else why there is none.

    Args:
        passage: a text whose title names its subject.
        facts: those of its facts that may be asked for: see `find_facts`.
        seed: decides among the questions that are possible.
    """
    pairs = [pair for pair in itertools.permutations(facts, 2) if _go_together(*pair)]
    ways: list[tuple[Fact, ...]] = [*pairs, *((fact,) for fact in facts)]
    ways.sort(key=lambda way: (-len(way), is_common(way[-1].question), _drawn(way, passage, seed)))
    reason = NOTHING
    for way in ways:
        if all(is_common(one.question) for one in way):
            reason = COMMON if reason == NOTHING else reason
            continue
        question, answer = _worded(way)
        values = [one.value for one in way]
        broken = broken_rules(question, answer, passage.text, values)
        if broken:
            reason = broken[0]
            continue
        detail: Mapping[str, object] = {"facts": [one.as_row() for one in way]}
        return Asked(Made(question, "rule", detail), Made(answer, "rule", detail), way, define(passage, values)), ""
    return None, reason


def _drawn(way: Sequence[Fact], passage: Passage, seed: int) -> bytes:
    return rank(seed, "wikieval question", passage.title, *(one.question for one in way))


def as_article(passage: Passage, namesakes: Sequence[str] = ()) -> Article:
    """A passage as `builders/wikipedia` reads articles: all of it is introduction."""
    page = Page(0, passage.title, "", 0, "", "", "", tuple(namesakes))
    return Article(page, passage.text, (Section("", 0, 0, len(passage.text)),))


def define(passage: Passage, without: Sequence[str]) -> str:
    """What a passage says that its subject is, as a short sentence that states none of some values; else nothing."""
    article = as_article(passage)
    subject = read_subject(article)
    if not subject.is_defined:
        return ""
    first = re.sub(r"\s*\([^()]*\)", "", passage.text[:_END_OF_FIRST])
    told = {part.strip().lower() for value in without for part in (value, value.partition(",")[0])}
    is_said_with_the = passage.text.startswith("The ") or f"the {subject.title}" in subject.names
    named = f"The {subject.title}" if is_said_with_the and not subject.title.startswith("The ") else subject.title
    for end in (_AT_A_CLAUSE, _AT_A_CREATOR, _AT_A_PLACE):
        match = re.search(rf" (?P<be>is|was|are|were) (?P<what>(?:an?|the|one of the) [^,;:.()]{{3,140}}?){end}", first)
        if match is None:
            continue
        what = re.sub(r"\b(?:1[0-9]|20)\d\d[ -]", "", match["what"])
        what = re.sub(r"^an? (?=(\w))", lambda one: "an " if one[1].lower() in "aeio" else "a ", what)
        sentence = f"{named} {match['be']} {what}."
        is_told = any(one in sentence.lower() for one in told)
        if not is_told and not what.endswith("ly") and not re.search(r"\d{4}", what):
            return sentence
    return ""


_END_OF_FIRST = 600
"""Characters of a passage in which its definition stands."""
_AT_A_CLAUSE = (
    r"(?=[,;:.]|$| (?:(?:[a-z]+ly )?(?:[a-z]+ed and )?(?:co-)?(?:[a-z]+ed|written|held|built|set|born|led|known)\b"
    r"(?! [a-z]+ (?:in|of|by)\b)|(?:who|which|that|where|when|since|on|revolving|starring|and (?:is|was|has))\b))"
)
_AT_A_CREATOR = r"(?= (?:by|from)\b)"
_AT_A_PLACE = r"(?= (?:in|at|of (?!flowering|plants?|sea|fish|moths?|beetles?))\b)"
"""Where a definition is cut: the longest that tells nothing that is asked for is used."""


def _fact(one: ArticleQuestion, article: Article, subject: ArticleSubject) -> Fact | None:
    names = sorted((name for name in (*subject.names, subject.title) if name in one.question), key=len, reverse=True)
    if not names:
        return None
    name, evidence = names[0], article.text[one.start : one.end]
    said = subject.title if subject.is_person else name
    statement = state(one.question, one.answer, evidence, name, said)
    if statement is None or one.answer not in statement:
        return None
    pronoun, of_it = _pronoun(article.text, subject)
    follows = asked_next = ""
    if pronoun and f"of {name}" not in one.question:
        is_object = re.match(rf"(?:Who (?!is|was|did)|Which (?:artist|label) )[\w-]+ {re.escape(name)}", one.question)
        spoken = of_it if is_object else pronoun
        follows = state(one.question, one.answer, evidence, name, spoken) or ""
        asked_next = one.question.replace(name, spoken)
        asked_next = asked_next[:1].lower() + asked_next[1:]
    return Fact(
        one.question, one.question.replace(name, "{s}"), one.answer, one.answer_kind, statement, follows, asked_next
    )


def _pronoun(text: str, subject: ArticleSubject) -> tuple[str, str]:
    """The pronouns of a subject, as subject and as object; nothing where the text does not tell them."""
    if not subject.is_person:
        return ("they", "them") if subject.is_plural else ("it", "it")
    he, she = (len(re.findall(rf"\b(?:{words})\b", text)) for words in ("[Hh]e|[Hh]is", "[Ss]he|[Hh]er"))
    if he == she or min(he, she) * 3 > max(he, she):
        return "", ""
    return ("he", "him") if he > she else ("she", "her")


def _go_together(first: Fact, second: Fact) -> bool:
    """Whether two facts can be asked for in one question: they differ, and neither tells the other."""
    return (
        bool(second.asked_next and second.follows)
        and first.asked != second.asked
        and first.value not in second.statement
        and second.value not in first.statement
    )


def _worded(way: Sequence[Fact]) -> tuple[str, str]:
    """One question and one answer of one or two facts."""
    if len(way) == 1:
        return way[0].question, way[0].statement
    first, second = way
    return f"{first.question.removesuffix('?')}, and {second.asked_next}", f"{first.statement} {second.follows}"
