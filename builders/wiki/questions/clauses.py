"""When somebody did something, or something was done: questions for the date of a sentence's clause."""

import re
from collections.abc import Iterator

from benchwright.benchmarks.text.dates import MONTHS
from benchwright.builders.wiki.questions.dates import Dated, find_dates
from benchwright.builders.wiki.questions.guessing import is_guessable
from benchwright.builders.wiki.questions.subjects import ArticleSentence, ArticleSubject
from benchwright.builders.wiki.questions.uniqueness import Telling, clause_problem
from benchwright.builders.wiki.questions.vocabulary import listed, verbs
from benchwright.builders.wiki.questions.wordings import SUBJECT, Candidate, candidate

_AT_DATE = re.compile(r"(?:^|[\s,])(?:in|on)(?: the (?:year|morning of|evening of|night of|afternoon of))? $")
_VERB = re.compile(
    r"^(?P<be> (?:was|were))?(?P<adverbs>(?: [a-z]+ly| also| then| later| soon| first)*) (?P<verb>[a-z-]+)(?P<rest>.*)$"
)
_VAGUE = re.compile(
    r"\bthe (?:\w+ )?(?:season|tournament|year|race|election|finale?|finals|show|round|festival|ceremony|war|album|film"
    r"|song|book|series|competition|match|game|event|same|team|club|side|company)$"
)
"""An end of a clause that says nothing without the sentences before it."""
_MORE = re.compile(
    r",? (?:and|or|to|until|till|but|through|then)(?: (?:again|then|in|on|from|the|early|late|mid))* "
    rf"(?:\d|{'|'.join(MONTHS)})"
    r"|\s?[–—-]|,? again\b"
)
"""What follows a date that is one of several, or the first of a period."""
_FOR_THEIRS = re.compile(r" (?:for|after|with|by) (?:his|her|its|their|an undisclosed|a reported) [^A-Z]*$")
"""An end of a clause that it is whole without: "for her work"."""
_OFFICE = re.compile(
    r"^(?! .* (?:of|at|for|to|in|by) ).* (?:President|Chairman|Chairwoman|Chair|Director|Manager|Secretary|Minister"
    r"|Governor|Commissioner|Coordinator|Officer|president|chairman|director|manager|secretary|minister|governor)$"
)
"""An office, of nothing that is named."""
_MOST_WORDS = 14


def of_date(sentence: ArticleSentence, rest: str, subject: ArticleSubject, telling: Telling) -> Iterator[Candidate]:
    """When somebody did something, or something was done."""
    if sentence.lead:
        dates = [each for each in find_dates(sentence.lead) if each.precision in ("day", "month", "year")]
        if dates and _AT_DATE.search(sentence.lead[: dates[0].start].lower()) and dates[0].end == len(sentence.lead):
            clause = re.split(r"[.;]|, | (?:and|but|where|which|who|when|after|before|while)\b", rest, maxsplit=1)[0]
            answer = sentence.lead[dates[0].start : dates[0].end]
            problem = "its clause is not whole" if _is_cut(clause, rest[len(clause) :]) else ""
            yield _when(clause, answer, sentence, subject, telling, problem)
        return
    dates = [each for each in find_dates(rest) if each.precision in ("day", "month", "year")]
    if not dates:
        return
    first = dates[0]
    prefix = _AT_DATE.search(rest[: first.start])
    if not prefix:
        return
    clause, answer = rest[: prefix.start()], rest[first.start : first.end]
    problem = "" if closes(rest, first) else "what follows the date may belong to it"
    yield _when(clause, answer, sentence, subject, telling, problem)


def _is_cut(clause: str, after: str) -> bool:
    """Whether a clause goes on after its end: "the 2. Liga", "a label, Gull Records", "for his wit and humour"."""
    if after[:1] == ".":
        return len(after.rstrip()) > 1
    if after.startswith(" and "):
        following = after[5:].partition(" ")[0]
        return following not in verbs().base_of_past and following not in ("was", "is", "has", "later", "then")
    if re.match(r", [^\Wa-z_][^,.;]*,? (?:and|or|&) |, (?:[A-Z]\.){2}|, (?:and|or) ", after):
        return True
    return re.match(r", [^\Wa-z_]", after) is not None and clause.rpartition(" ")[2].islower()


def closes(rest: str, found: Dated) -> bool:
    """Whether nothing that follows a date belongs to its phrase: not "in 2022 Winter Games", "in 2010 or 2011"."""
    after = rest[found.end : found.end + 40]
    if _MORE.match(after):
        return False
    following = re.match(r" (\w+)", after)
    return after[:1] in ("", ".", ",", ";") or bool(following and following[1] in listed("after_date"))


def _when(
    clause: str, answer: str, sentence: ArticleSentence, subject: ArticleSubject, telling: Telling, problem: str = ""
) -> Candidate:
    match = _VERB.match(clause.rstrip(" ,"))
    if match is None:
        return candidate("", answer, "date", sentence, problem or "its verb is not known")
    kept = "".join(f" {word}" for word in match["adverbs"].split() if word in listed("kept"))
    verb, rest = match["verb"], match["rest"]
    trimmed = _FOR_THEIRS.sub("", rest)
    is_sole = verb in listed("sole") and (subject.is_event or verb not in ("held", "staged", "contested"))
    is_said = rest.startswith((" in ", " at ", " on ")) and is_guessable("", subject.title, rest, "name")
    trimmed = "" if is_sole and is_said else trimmed
    rest = trimmed if not trimmed or any(word[:1].isupper() for word in trimmed.split()) else rest
    if match["be"]:
        base = verbs().base_of.get(verb, "") if verb in verbs().participles else ""
        rest = "" if verb == "born" or (is_sole and unclear(rest)) else rest
        be = "were" if subject.is_plural else "was"
        question = f"When {be} {SUBJECT}{kept} {verb}{rest}?"
    else:
        base = verbs().base_of_past.get(verb, "")
        rest = "" if verb == "died" else rest
        question = f"When did {SUBJECT}{kept} {base or verb}{rest}?"
    problem = problem or ("" if base else "its verb is not known")
    is_whole = bool(rest) or (is_sole and (bool(match["be"]) or base in listed("alone")))
    problem = problem or ("" if is_whole else "its clause is not whole")
    problem = problem or unclear(rest) or _half_told(base, rest)
    problem = problem or clause_problem(base, rest, is_passive=bool(match["be"]), is_work=subject.is_work)
    problem = problem or telling.is_told_otherwise(base, rest, sentence.start, answer)
    return candidate(question, answer, "date", sentence, problem)


def _half_told(base: str, rest: str) -> str:
    """Why a clause leaves out where somebody came to, or tells its date by an event."""
    if base in ("arrive", "move", "transfer", "return", "come") and rest.startswith(" from "):
        return "its clause is not whole"
    if base == "graduate" and " as " in rest:
        return "its clause is not simple"
    if base in ("sack", "dismiss", "announce") or re.search(r"['’]s Day\b| career$| in the first ", rest):
        return "it refers to something that it does not name"
    if base in ("appoint", "name", "elect", "become", "make") and _OFFICE.search(rest):
        return "its clause is not whole"
    if base in ("award", "give", "present") and re.match(r" [A-Z][a-z]", rest):
        return "its clause is not whole"
    if base in ("announce", "confirm", "schedule") and rest.startswith(" to "):
        return "it is planned, denied, guessed or only said"
    if re.search(
        r"\bthe The\b|\b(?:his|her|its|their) (?:return|next|last|previous|final|second|third|fourth|fifth|sixth|own) ",
        rest,
    ):
        return "it refers to something else"
    return "another event tells its date" if re.search(r" (?:during|amid|amidst) ", rest) else ""


def unclear(rest: str) -> str:
    """Why the rest of a predicate cannot stand in a question."""
    said = rest.split()
    lowered = {word.lower().strip(".,'’") for word in said}
    if re.search(r"[,;:()\[\]—–]", rest):
        return "its clause is not simple"
    if lowered & listed("unclear"):
        return "it refers to something else"
    if said and said[-1].lower() in listed("loose"):
        return "its clause is not whole"
    if len(said) > _MOST_WORDS:
        return "its clause is too long"
    if _VAGUE.search(rest):
        return "it refers to something else"
    after_and = re.findall(r"\b(?:and|or) (?:(?:first|last|[a-z]+ly) )?(\w+)", rest)
    if any(
        word in verbs().base_of_past or word in verbs().participles or word in ("was", "is", "has")
        for word in after_and
    ):
        return "its clause is not simple"
    return "there is another date in it" if find_dates(rest) else ""
