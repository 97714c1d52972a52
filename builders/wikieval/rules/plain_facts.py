"""Facts that a passage states plainly of its subject: figures with what they count or measure, names and places.

The rules that ask about an article (`builders/wiki/questions`) are for questions that stand alone in a whole wiki. Here
a question stands beside its passage, so more can be asked: what a sentence says of its subject in one clause, by the
patterns of `plain_facts.toml`. What may be misread is not asked.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.grounding.evidence import plain
from benchwright.benchmarks.text.dates import MONTHS
from benchwright.builders.wiki.questions.dates import find_dates
from benchwright.builders.wiki.questions.subjects import ArticleSubject, split_sentences, without_brackets
from benchwright.builders.wiki.questions.vocabulary import AnswerKind, fill, hedges, listed
from benchwright.builders.wikieval.rules.facts import Fact
from benchwright.builders.wikieval.rules.subject_names import SubjectNames, is_she

_OTHER_SUBJECT = re.compile(
    r"\b(?:who|whom|whose|where|when|while|after|before|because|although|though|until|unless|if|which|once|both|not"
    r"|never|instead|other|others)\b|[:\"“”]|;(?! it$)"
)
"""What a clause must not have before it, lest it be said of something else."""
_OWN = re.compile(r"<([^<>]+)>")
_PREPOSITION = re.compile(r"\b(in|at|on|near|off|outside) (?:the )?$")
_RELATIVE = re.compile(
    r",? (?:is|was|are|were) (?:an?|the|one of the) (?:(?![A-Z][\w’-]+ [A-Z])[^.,;:]){3,110}? "
    r"(?:who|which|that)(?P<clause> .*)",
    re.DOTALL,
)
_APPOSITION = re.compile(r"^,[^.;,]{3,80},(?= (?:is|was|are|were) (?:an?|the|one)\b)")
"""What else a subject is called, before what it is: ", also known as the Gull,"."""
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Pattern:
    """What states a fact, and how it is asked for and said; see `plain_facts.toml`."""

    pattern: re.Pattern[str]
    whole: bool
    """It is looked for in a whole sentence, and not in what one says of the subject."""
    question: str
    next: str
    stated: str
    follows: str
    kind: AnswerKind
    pool: str
    of: str
    """person, thing, or nothing: either."""
    first: bool
    """It is looked for in the first sentence alone."""
    nouns: frozenset[str]
    """One of which the subject must be called; none: anything."""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of a passage, without its parentheses."""

    text: str
    rest: str
    """What follows the subject; nothing where it does not begin with it."""
    relative: str
    """What a relative clause of its definition says of the subject: "… is a painter who lived in Leeds."."""
    is_first: bool
    is_own: bool
    """It begins with "Its", and the sentence before spoke of the subject."""


@functools.cache
def _patterns() -> tuple[Pattern, ...]:
    told = read_toml(__package__, "plain_facts.toml")

    def filled(pattern: str) -> re.Pattern[str]:
        for name, part in told["parts"].items():
            pattern = pattern.replace(f"{{{name}}}", part)
        return re.compile(fill(pattern))

    return tuple(
        Pattern(
            filled(one["pattern"]), one.get("whole", False), one["question"], one.get("next", one["question"]),
            one["stated"], one.get("follows", one["stated"]), one["kind"], one.get("pool", ""), one.get("of", ""),
            one.get("first", False),
            frozenset(one.get("nouns", "").split()),
        )
        for one in told["fact"]
    )  # fmt: skip


@functools.cache
def _bases() -> Mapping[str, tuple[str, str]]:
    """A verb in its third person or its past → its base, and what asks with it."""
    found: dict[str, tuple[str, str]] = {}
    for entry in read_toml(__package__, "plain_facts.toml")["verbs"].strip().split(";"):
        base, third, past = entry.split()
        found |= {third: (base, "does"), past: (base, "did")}
    return found


def plain_facts(text: str, subject: ArticleSubject, names: SubjectNames) -> tuple[tuple[Fact, ...], frozenset[str]]:
    """The facts of a passage by its own patterns, in the order of its text; and what it tells in two ways (`asked`)."""
    found: list[Fact] = []
    for said in read_said(text, subject):
        if hedges().search(said.text):
            continue
        for pattern in _patterns():
            found.extend(_facts(pattern, said, subject, names))
    values: dict[str, set[str]] = {}
    for fact in found:
        values.setdefault(fact.asked, set()).add(plain(fact.value))
    first = {fact.asked: fact for fact in reversed(found)}
    doubted = frozenset(asked for asked, told in values.items() if len(told) > 1)
    return tuple(fact for asked, fact in reversed(first.items()) if asked not in doubted), doubted


def read_said(text: str, subject: ArticleSubject) -> Iterator[Said]:
    """The sentences of a passage with what they say of its subject."""
    last = subject.title.rpartition(" ")[2]
    callings = {one for one in subject.callings if ";" not in one and len(one) <= len(subject.title) + 30}
    callings |= {f"The {last}"} if last.islower() else set()
    pronouns = ("He", "She") if subject.is_person else ("It", "She") if is_she(text) else ("It", "They")
    own = ("His", "Her") if subject.is_person else ("Its", "Her") if is_she(text) else ("Its", "Their")
    follows = False
    for start, end in split_sentences(text):
        sentence = without_brackets(text[start:end]).replace('"', "").replace("“", "").replace("”", "")
        rest = ""
        for calling in (*sorted(callings, key=lambda one: (-len(one), one)), *(pronouns if follows else ())):
            if sentence.startswith(calling) and sentence[len(calling) : len(calling) + 1] in (" ", ","):
                rest = _APPOSITION.sub("", sentence[len(calling) :])
                break
        is_own = follows and sentence.partition(" ")[0] in own
        if start == 0 or rest or not is_own:
            follows = bool(rest) and (subject.is_person or start == 0 or not _names_another(rest))
        if len(sentence) <= _LONGEST and text[start:end].count('"') % 2 == 0:
            relative = _RELATIVE.match(rest) if rest else None
            yield Said(sentence, rest, relative["clause"] if relative else "", start == 0, is_own)


def _names_another(rest: str) -> bool:
    """Whether what is said of a thing names another, of which the next "it" may speak."""
    return bool(set(re.findall(r"[a-z]+", rest)) & listed("works"))


def _facts(pattern: Pattern, said: Said, subject: ArticleSubject, names: SubjectNames) -> Iterator[Fact]:
    if pattern.of and (pattern.of == "person") != subject.is_person:
        return
    if pattern.nouns and not pattern.nouns & {subject.noun, *subject.title.lower().split()}:
        return
    if pattern.first and not said.is_first:
        return
    for told in (said.text,) if pattern.whole else (said.rest, "" if pattern.first else said.relative):
        for match in pattern.pattern.finditer(told):
            if not pattern.whole and _OTHER_SUBJECT.search(told[: match.start()]):
                break
            if fact := _read(pattern, match, said, names):
                yield fact


def _read(pattern: Pattern, match: re.Match[str], said: Said, names: SubjectNames) -> Fact | None:
    told = match.string
    groups = {name: (value or "").strip() for name, value in match.groupdict().items()}
    value = groups["a"].strip(" ,")
    if value not in said.text or _is_unclear(groups, value) or not _is_of_kind(pattern.kind, value):
        return None
    if pattern.kind in ("name", "person") and "," in value and not re.search(r" and |, [JS]r\b", value):
        return None
    if pattern.kind == "person" and re.search(r"\b[A-Z]$", value):
        return None
    if pattern.kind == "place" and any(part.strip() in names.said for part in value.split(",")):
        return None
    many = "about how many" if groups.get("about") else "how many"
    words = {"many": many, **_tense(groups, told), **_before(told, match.start("a"), value), **groups, "a": value}
    question = _worded(pattern.question, words, names, follows=False)
    statement = _worded(pattern.stated, words, names, follows=False)
    asked_next = follows = ""
    if names.again and not (names.is_plural and re.search(r"\b(?:is|was|has|does)\b", pattern.question)):
        asked_next = _worded(pattern.next, words, names, follows=True)
        asked_next = asked_next[:1].lower() + asked_next[1:]
        follows = _worded(pattern.follows, words, names, follows=True)
    if not re.search(rf"(?<!\w){re.escape(value)}(?!\w)", statement):
        return None
    asked = re.sub(re.escape(names.name), "{s}", question, flags=re.IGNORECASE)
    return Fact(question, asked, value, pattern.kind, statement, follows, asked_next, pattern.pool)


def _worded(template: str, words: Mapping[str, str], names: SubjectNames, *, follows: bool) -> str:
    """A question or a sentence of a template, whose first word has a capital."""
    is_question = template.endswith("?")
    named = names.name if is_question else names.said
    text = _OWN.sub(lambda match: names.own(match[1], follows=follows), template)
    text = text.format(
        **words, s=names.again if follows else named, o=names.again_object if follows else named,
    )  # fmt: skip
    text = re.sub(r" +", " ", text).replace(" ?", "?").replace(" .", ".").replace("..", ".").strip()
    return text[:1].upper() + text[1:]


def _tense(groups: Mapping[str, str], told: str) -> dict[str, str]:
    """The words of a question and its answer that are of the tense of a clause."""
    base, does = _bases().get(groups.get("verb", ""), ("", ""))
    is_past = does == "did" or (not does and re.match(r" (?:was|were)\b", told) is not None)
    stars = "star" if " and " in groups["a"] and not is_past else groups.get("verb", "")
    return {**dict(zip(_OF_TENSE, _TENSES[is_past], strict=True)), "base": base, "stars": stars}


_OF_TENSE = ("does", "be", "has", "belongs", "comes", "consists", "plays")
_TENSES = (
    ("does", "is", "has", "belongs", "comes", "consists", "plays"),
    ("did", "was", "had", "belonged", "came", "consisted", "played"),
)


def _before(told: str, start: int, value: str) -> dict[str, str]:
    """What a text has before a value: the preposition of a place, an article; the preposition of a date."""
    dates = find_dates(value)
    match = _PREPOSITION.search(told[:start])
    at = match[1] if match else "in"
    if dates:
        at = "on" if dates[0].precision == "day" else "in"
    return {"at": at, "the": "the" if told[:start].endswith(" the ") else "", "an": _article(value)}


def _article(value: str) -> str:
    return "an" if re.match(r"[aeiou]", value, re.IGNORECASE) else "a"


def _is_unclear(groups: Mapping[str, str], value: str) -> bool:
    """Whether what is counted or where cannot stand alone, or a value is none."""
    told = {word.lower() for name in ("what", "rest") for word in re.findall(r"\w+", groups.get(name, ""))}
    if told & (listed("unclear") | {"years", "months", "hours", "times", "which", "them", "one", "own", "different"}):
        return True
    return value.split()[0] in {*MONTHS, "He", "She", "It", "This", "They", "His", "Her", "TBA", "Various", "January"}


def _is_of_kind(kind: AnswerKind, value: str) -> bool:
    if kind == "date":
        return bool(find_dates(value))
    return kind == "number" or len(value) > 2
