"""Candidates for questions: what the sentences and infobox lines of an article state of its subject."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.builders.wikipedia.dates import Dated, find_dates
from benchwright.builders.wikipedia.subjects import ArticleSentence, ArticleSubject
from benchwright.builders.wikipedia.vocabulary import AnswerKind, Rule, listed, rules, verbs, words

_AT_DATE = re.compile(r"(?:^|[\s,])(?:in|on)(?: the year)? $")
_VERB = re.compile(
    r"^(?P<be> (?:was|were))?(?P<adverbs>(?: [a-z]+ly| also| then| later| soon| first)*) (?P<verb>[a-z-]+)(?P<rest>.*)$"
)
_CAME = re.compile(r"(?:,|\b\w+) (?:first |originally |officially )?([a-z]+) (?:in|on) $")
_VAGUE = re.compile(
    r"\bthe (?:\w+ )?(?:season|tournament|year|race|election|finale?|finals|show|round|festival|ceremony|war|album|film"
    r"|song|book|series|competition|match|game|event|same|team|club|side|company)$"
)
"""An end of a clause that says nothing without the sentences before it."""
_LIFE = re.compile(r"\((?:[^()]*?[;,] )?(?P<life>[^()]*\d{4}[^()]*)\)")
_LINE = re.compile(r"(?P<label>[A-Z][A-Za-z ]{2,25}): (?P<value>\S.{0,150})$")
_SEVERAL = re.compile(r",? (?:and|&|or) [A-Z]|, [A-Z][^,]*,? and [A-Z]")
_MOST_WORDS = 14


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question before it is checked."""

    question: str
    answer: str
    kind: AnswerKind
    start: int
    """The sentence that states the answer."""
    end: int
    problem: str = ""
    """Why it cannot be used; nothing where the rules found nothing wrong."""


def candidates(sentence: ArticleSentence, subject: ArticleSubject) -> Iterator[Candidate]:
    """What can be asked of one sentence."""
    if ": " in sentence.text[:30] and (match := _LINE.match(sentence.text)):
        yield from _of_line(match, sentence, subject)
        return
    if sentence.is_first and subject.is_person:
        yield from _of_life(sentence, subject)
    if sentence.rest is None:
        if find_dates(sentence.text):
            yield Candidate(
                "", "", "date", sentence.start, sentence.end, "it is not clear that it is about the subject"
            )
        return
    for rule in rules():
        if (rule.where == "first" and not sentence.is_first) or (rule.of_persons and not subject.is_person):
            continue
        yield from _of_rule(rule, sentence, sentence.rest, subject)
    if sentence.is_first:
        yield from _of_definition(sentence, sentence.rest, subject)
    yield from _of_date(sentence, sentence.rest, subject)


def _made(question: str, answer: str, kind: AnswerKind, sentence: ArticleSentence, problem: str = "") -> Candidate:
    return Candidate(question[:1].upper() + question[1:], answer, kind, sentence.start, sentence.end, problem)


def _of_rule(rule: Rule, sentence: ArticleSentence, rest: str, subject: ArticleSubject) -> Iterator[Candidate]:
    match = rule.pattern.search(rest)
    if match is None:
        return
    groups = {name: value or "" for name, value in match.groupdict().items() if name != "a"}
    past = groups.get("past") or groups.get("verb", "")
    base = verbs().base_of_past.get(past)
    if "{base}" in rule.question and base is None:
        if "past" not in groups or past in ("of", "in", "by"):
            return
        yield _made("", match["a"], rule.kind, sentence, "its verb is not known")
        return
    does = "does" if groups.get("has", "has") in ("has", "consists") else "did"
    values = {"is": "is", **groups, "s": subject.name, "base": base or "", "does": does}
    question = rule.question.format(**values)
    if sentence.lead and "take place" in question:  # one time of several
        return
    problem = ""
    after = rest[match.end("a") :]
    if rule.kind in ("person", "organisation", "name") and _SEVERAL.match(after):
        problem = "there are several values"
    elif "what" in groups and set(groups["what"].split()) & (
        listed("unclear") | {"years", "months", "days", "hours", "as"}
    ):
        problem = "what is counted is not clear"
    elif set(groups.get("rest", "").split()) & listed("unclear") or _VAGUE.search(groups.get("rest", "")):
        problem = "it refers to something else"
    answer = match["a"].strip(" ,").removeprefix("the ")
    yield _made(question, answer, rule.kind, sentence, problem)


def _of_life(sentence: ArticleSentence, subject: ArticleSubject) -> Iterator[Candidate]:
    """Birth and death from the first parenthesis of a person's article."""
    match = _LIFE.search(sentence.text[:260])
    if match is None:
        return
    life = match["life"]
    dates = find_dates(life)
    told = [life[each.start : each.end] for each in dates]
    if len(dates) == 1 and re.search(r"\bborn\b[^;]{0,8}$", life[: dates[0].start]):
        yield _made(f"When was {subject.name} born?", told[0], "date", sentence)
    elif len(dates) == 2 and dates[0].precision == dates[1].precision == "day":
        yield _made(f"When did {subject.name} die?", told[1], "date", sentence)
        yield _made(f"When was {subject.name} born?", told[0], "date", sentence)


def _of_definition(sentence: ArticleSentence, rest: str, subject: ArticleSubject) -> Iterator[Candidate]:
    """When a thing came to be, from "is a 2022 film" or "founded in 2022"."""
    if subject.is_person:
        return
    dates = [each for each in find_dates(rest) if each.precision in ("day", "month", "year")]
    if subject.noun in listed("works") and dates and re.search(r"^,? (?:is|was) an? $", rest[: dates[0].start]):
        answer = rest[dates[0].start : dates[0].end]
        yield _made(f"In which year was {subject.name} released?", answer, "date", sentence)
    for each in dates:
        match = _CAME.search(rest[: each.start])
        if match and match[1] in listed("came"):
            problem = "" if _closes(rest, each) else "what follows the date may belong to it"
            yield _made(f"When was {subject.name} {match[1]}?", rest[each.start : each.end], "date", sentence, problem)


def _of_line(match: re.Match[str], sentence: ArticleSentence, subject: ArticleSubject) -> Iterator[Candidate]:
    """The value of an infobox line."""
    known = words()["infobox"].get(match["label"])
    if known is None:
        return
    kind, question = known
    value = match["value"].strip(" .")
    found = find_dates(value)
    problem = ""
    if kind == "date":
        value = value[found[0].start : found[0].end] if len(found) == 1 else value
        problem = "" if len(found) == 1 else "there are several values"
    elif kind == "number":
        number = re.match(
            r"(?:US|A|C|NZ|HK)?[$£€₹¥]? ?[\d,.]*\d(?: (?:million|billion|minutes|km|m|metres|ft|people))?", value
        )
        problem = "" if number and len(re.findall(r"\d[\d,.]*", value)) == 1 else "there are several values"
        value = number.group() if number else value
    elif re.search(r"[;()]| and | & |\d", value) or ("," in value and kind != "place") or not value[0].isupper():
        problem = "there are several values"
    yield _made(question.format(s=subject.name), value, kind, sentence, problem)


def _of_date(sentence: ArticleSentence, rest: str, subject: ArticleSubject) -> Iterator[Candidate]:
    """When somebody did something, or something was done."""
    if sentence.lead:
        dates = [each for each in find_dates(sentence.lead) if each.precision in ("day", "month", "year")]
        if dates and _AT_DATE.search(sentence.lead[: dates[0].start].lower()) and dates[0].end == len(sentence.lead):
            clause = re.split(r"[.;]|, | (?:and|but|where|which|who|when|after|before|while)\b", rest, maxsplit=1)[0]
            answer = sentence.lead[dates[0].start : dates[0].end]
            problem = "its clause is not whole" if _is_cut(clause, rest[len(clause) :]) else ""
            yield _when(clause, answer, sentence, subject, problem)
        return
    dates = [each for each in find_dates(rest) if each.precision in ("day", "month", "year")]
    if not dates:
        return
    first = dates[0]
    prefix = _AT_DATE.search(rest[: first.start])
    if not prefix:
        return
    clause, answer = rest[: prefix.start()], rest[first.start : first.end]
    problem = "" if _closes(rest, first) else "what follows the date may belong to it"
    yield _when(clause, answer, sentence, subject, problem)


def _is_cut(clause: str, after: str) -> bool:
    """Whether a clause goes on after its end: "the 2. Liga", "a label, Gull Records", "for his wit and humour"."""
    if after[:1] == ".":
        return len(after.rstrip()) > 1
    if after.startswith(" and "):
        following = after[5:].partition(" ")[0]
        return following not in verbs().base_of_past and following not in ("was", "is", "has", "later", "then")
    return re.match(r", [^\Wa-z_]", after) is not None and clause.rpartition(" ")[2].islower()


def _closes(rest: str, found: Dated) -> bool:
    """Whether nothing that follows a date belongs to its phrase: not "in 2022 Winter Games", "in 2010 or 2011"."""
    after = rest[found.end : found.end + 40]
    if re.match(r",? (?:and|or|to|until|but)\b[^.]{0,12}\d|\s?[–—-]", after):
        return False
    following = re.match(r" (\w+)", after)
    return after[:1] in ("", ".", ",", ";") or bool(following and following[1] in listed("after_date"))


def _when(clause: str, answer: str, sentence: ArticleSentence, subject: ArticleSubject, problem: str = "") -> Candidate:
    match = _VERB.match(clause.rstrip(" ,"))
    if match is None:
        return _made("", answer, "date", sentence, problem or "its verb is not known")
    kept = "".join(f" {word}" for word in match["adverbs"].split() if word in listed("kept"))
    verb, rest = match["verb"], match["rest"]
    if match["be"]:
        problem = problem or ("" if verb in verbs().participles else "its verb is not known")
        rest = "" if verb == "born" or (verb in listed("sole") and _unclear(rest)) else rest
        problem = problem or ("" if rest or verb in listed("sole") else "its clause is not whole")
        question = f"When {match['be'].strip()} {subject.name}{kept} {verb}{rest}?"
    else:
        base = verbs().base_of_past.get(verb)
        problem = problem or ("" if base else "its verb is not known")
        rest = "" if verb == "died" else rest
        problem = problem or ("" if rest or verb in listed("sole") else "its clause is not whole")
        question = f"When did {subject.name}{kept} {base or verb}{rest}?"
    return _made(question, answer, "date", sentence, problem or _unclear(rest))


def _unclear(rest: str) -> str:
    """Why the rest of a predicate cannot stand in a question."""
    said = rest.split()
    lowered = {word.lower().strip(".,'’") for word in said}
    if re.search(r"[,;:()\[\]]", rest):
        return "its clause is not simple"
    if lowered & listed("unclear"):
        return "it refers to something else"
    if said and said[-1].lower() in listed("loose"):
        return "its clause is not whole"
    if len(said) > _MOST_WORDS:
        return "its clause is too long"
    if _VAGUE.search(rest):
        return "it refers to something else"
    after_and = re.findall(r"\b(?:and|or) (\w+)", rest)
    if any(
        word in verbs().base_of_past or word in verbs().participles or word in ("was", "is", "has")
        for word in after_and
    ):
        return "its clause is not simple"
    return "there is another date in it" if find_dates(rest) else ""
