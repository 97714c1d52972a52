"""Candidates for questions: what the sentences and infobox lines of an article state of its subject."""

import re
from collections.abc import Iterator
from dataclasses import replace

from benchwright.benchmarks.text.dates import MONTHS
from benchwright.builders.wiki.questions.clauses import closes, of_date
from benchwright.builders.wiki.questions.dates import find_dates
from benchwright.builders.wiki.questions.subjects import ArticleSentence, ArticleSubject
from benchwright.builders.wiki.questions.uniqueness import SEVERAL, UNNAMED, Telling, vague_reference
from benchwright.builders.wiki.questions.vocabulary import Rule, hedges, is_listed, listed, rules, verbs, words
from benchwright.builders.wiki.questions.wordings import SUBJECT, Candidate, candidate

HEDGED = "it is planned, denied, guessed or only said"
_ROUGHLY = re.compile(r"\b(?:ca?\. ?|around (?:the )?|about |circa )\d|\bthen-", re.IGNORECASE)
_CAME = re.compile(r"(?:,|\b\w+) (?P<kept>(?:first |originally |officially )?)(?P<verb>[a-z]+) (?:in|on) $")
_QUOTED = re.compile(r"[\"“][^\W\dA-Z_][^\"“” ]*(?: [^\"“” ]+){2,30}[\"”]")
_RELATIVE = re.compile(r",? (?:is|was|are|were) (?:an?|the) [^.;]{3,80}?,? (?:that|which|who)(?P<rest> .*)", re.DOTALL)
_HELD = re.compile(r"\b(?:held|played|staged|contested|took place|run)\b(?P<where>[^.;]{0,80}?),? (?:in|on) $")
_FILMING = re.compile(
    r"(?P<what>Principal photography|Filming|Shooting)(?: for (?:it|the (?:film|movie)))? (?:officially )?"
    r"(?P<verb>began|started|commenced|concluded|ended|wrapped|finished)(?: up)?(?P<where>[^.,;]{0,60}?) (?:in|on) $"
)
_LIFE = re.compile(r"\((?:[^()]*?[;,] )?(?P<life>[^()]*\d{4}[^()]*)\)")
_OF_A_ROW = re.compile(r"; [A-Z][^;:]{0,40}: ")
"""A further label: rows of tables, players, episodes are of things of their own."""
_LINE = re.compile(r"(?P<label>[A-Z][A-Za-z ]{2,25}): (?P<value>\S.{0,150})$")
_SEVERAL = re.compile(
    r",? (?:and|&|or|along with|together with|as well as|alongside|with [A-Z]) ?(?:the )?[A-Z]|, [A-Z][^,]*,? and [A-Z]"
)
_PART_OF = re.compile(
    r"(?:The )?(?:Faculty|School|Department|Division|College|Institute|Academy|Centre|Center|Graduate)\b"
)
_WHOLE_OF = re.compile(r",? (?:of|at|in) (?:the )?[^\Wa-z_]|['’]|, [^\Wa-z_]")
_LEAD = re.compile(r"(?:In|On|As of) ")
_WHEN = re.compile(r",? (?P<at>in|on) $")


def candidates(sentence: ArticleSentence, subject: ArticleSubject, telling: Telling) -> Iterator[Candidate]:
    """What can be asked of one sentence.

    Args:
        sentence: of an article.
        subject: of the same.
        telling: all of its sentences: what they tell more than once is not asked.
    """
    hedge = _hedge(sentence)
    for one in _found(sentence, subject, telling):
        yield replace(one, problem=one.problem or hedge)


def _hedge(sentence: ArticleSentence) -> str:
    if _QUOTED.search(sentence.text):
        return "it is quoted"
    if hedges().search(sentence.text) or _ROUGHLY.search(sentence.text):
        return HEDGED
    quotes = sentence.text.count('"') % 2 or sentence.text.count("“") != sentence.text.count("”")
    return "its quotation marks are not in pairs" if quotes else ""


def _found(sentence: ArticleSentence, subject: ArticleSubject, telling: Telling) -> Iterator[Candidate]:
    if ": " in sentence.text[:30] and (match := _LINE.match(sentence.text)):
        yield from _of_line(match, sentence, subject)
        return
    if sentence.is_first and subject.is_person:
        yield from _of_life(sentence, subject)
    if sentence.rest is None:
        if subject.noun in ("film", "movie") and sentence.text.startswith(("Principal", "Filming", "Shooting")):
            yield from _of_filming(sentence, telling)
        elif find_dates(sentence.text):
            yield Candidate(
                "", "", "date", sentence.start, sentence.end, "it is not clear that it is about the subject"
            )
        return
    for rule in rules():
        if rule.question.startswith("Where did {s} move") and subject.noun in listed("players"):
            continue  # to another club
        if rule.nouns and subject.noun not in rule.nouns:
            continue
        if (rule.where == "first" and not sentence.is_first) or (rule.of_persons and not subject.is_person):
            continue
        yield from _of_rule(rule, sentence, sentence.rest, subject, telling)
    if sentence.is_first:
        yield from _of_definition(sentence, sentence.rest, subject, telling)
        if match := _RELATIVE.match(sentence.rest):
            yield from of_date(sentence, match["rest"], subject, telling)
    yield from of_date(sentence, sentence.rest, subject, telling)


def _of_rule(
    rule: Rule, sentence: ArticleSentence, rest: str, subject: ArticleSubject, telling: Telling
) -> Iterator[Candidate]:
    match = rule.pattern.search(rest)
    if match is None:
        return
    groups = {name: value or "" for name, value in match.groupdict().items() if name != "a"}
    past = groups.get("past") or groups.get("verb", "")
    base = verbs().base_of_past.get(past)
    if "{base}" in rule.question and base is None:
        if "past" not in groups or past in ("of", "in", "by"):
            return
        yield candidate("", match["a"], rule.kind, sentence, "its verb is not known")
        return
    when = _when(sentence, rest, match.end()) if rule.is_dated else ""
    if rule.dated == "must" and not when:
        return
    does = "does" if groups.get("has", "has") in ("has", "consists") else "did"
    team = "team" if subject.noun in listed("players") else "organisation or group"
    values = {"is": "is", **groups, "s": SUBJECT, "base": base or "", "does": does, "when": when, "team": team}
    question = re.sub(r" +", " ", rule.question.format(**values)).replace(" ?", "?")
    if sentence.lead and "take place" in question:  # one time of several
        return
    answer = match["a"].strip(" ,").removeprefix("the ")
    answer = answer.partition(" of the ")[0] if "Which team" in question else answer.removeprefix("DJ ")
    if "Which team" in question and re.search(r"\b(?:former|retired|last|formerly)\b", match.group()):
        return
    by = match.group()[: match.start("a") - match.start()].rpartition(" by ")[2]
    is_shared = (
        re.search(r"\b(?:alongside|with|including|and|other)\b", by)
        or "co-" in rest[max(0, match.start() - 3) : match.end()]
    )
    problem = "there are several values" if is_shared else ""
    if "rest" in groups and not groups["rest"] and base not in ("kill", "injure", "displace", "destroy"):
        problem = problem or UNNAMED
    problem = problem or _problem_of_rule(rule, groups, answer, rest[match.end("a") :])
    if not problem and rule.alone:
        year = re.search(r"\d{4}", when)
        is_alone = telling.is_alone(rule.alone, sentence.start, year.group() if year else "")
        problem = "" if is_alone else SEVERAL
    yield candidate(question, answer, rule.kind, sentence, problem)


def _problem_of_rule(rule: Rule, groups: dict[str, str], answer: str, after: str) -> str:
    """Why an answer of a rule is not the only one, or not whole."""
    if rule.kind in ("person", "organisation", "name") and (_SEVERAL.match(after) or _is_pair(answer)):
        return "there are several values"
    if rule.kind == "organisation" and ((_PART_OF.match(answer) and _WHOLE_OF.match(after)) or after[:1] in ("'", "’")):
        return "the answer may be cut"
    if answer.split()[0] in ("TBC", "TBA", "TBD", "Various", "None", "Unknown"):
        return "the answer is none"
    if "what" in groups and set(groups["what"].split()) & (
        listed("unclear") | {"years", "months", "days", "hours", "as"}
    ):
        return "what is counted is not clear"
    if rule.kind == "organisation" and is_listed(answer.split()[0], "offices"):
        return "the answer is an office"
    if rule.kind == "place" and {word.lower() for word in answer.split()} & listed("no_places"):
        return "the answer is no place"
    rest = groups.get("rest", "")
    if re.search(rf"\b(?:{'|'.join(MONTHS)})\b", rest):
        return "what follows may belong to it"
    if set(rest.split()) & listed("unclear") or vague_reference(rest):
        return "it refers to something else"
    return UNNAMED if rest and not re.search(r"[A-Z]", rest) else ""


def _is_pair(answer: str) -> bool:
    """Whether an answer is two: "Ada Moor and Ben Tal"; not "Institute of Science and Technology"."""
    return bool(re.search(r" (?:and|&|for) ", answer)) and not set(re.findall(r"\w+", answer.lower())) & listed(
        "bodies_named"
    )


def _when(sentence: ArticleSentence, rest: str, end: int) -> str:
    """The date of a sentence as a question says it: "in 2004"; nothing where it has none, or it is not clear."""
    if sentence.lead:
        dates = find_dates(sentence.lead)
        is_date = (
            len(dates) == 1
            and _LEAD.fullmatch(sentence.lead[: dates[0].start])
            and dates[0].end == len(sentence.lead)
            and dates[0].precision in ("day", "month", "year")
        )
        return sentence.lead[:1].lower() + sentence.lead[1:] if is_date else ""
    dates = [each for each in find_dates(rest[end : end + 40]) if each.precision in ("day", "month", "year")]
    if not dates:
        return ""
    match = _WHEN.fullmatch(rest[end : end + dates[0].start])
    if match is None or not closes(rest[end:], dates[0]):
        return ""
    return f"{match['at']} {rest[end + dates[0].start : end + dates[0].end]}"


def _of_life(sentence: ArticleSentence, subject: ArticleSubject) -> Iterator[Candidate]:
    """Birth and death from the first parenthesis of a person's article."""
    match = _LIFE.search(sentence.text[:260])
    if match is None:
        return
    life = match["life"]
    dates = [each for each in find_dates(life) if each.precision in ("day", "month", "year")]
    told = [life[each.start : each.end] for each in dates]
    doubt = HEDGED if re.search(r"\bc(?:a|irca)?\b\.?|\?|\bor\b|bapt|\bfl\b|reign", life) else ""
    if len(dates) == 1 and re.search(r"\bborn\b[^;]{0,8}$", life[: dates[0].start]):
        yield candidate(f"When was {SUBJECT} born?", told[0], "date", sentence, doubt)
    elif len(dates) == 2 and dates[0].precision == dates[1].precision == "day":
        yield candidate(f"When did {SUBJECT} die?", told[1], "date", sentence)
        yield candidate(f"When was {SUBJECT} born?", told[0], "date", sentence)


def _of_definition(
    sentence: ArticleSentence, rest: str, subject: ArticleSubject, telling: Telling
) -> Iterator[Candidate]:
    """When a thing came to be, from "is a 2022 film" or "founded in 2022"."""
    if subject.is_person:
        return
    dates = [each for each in find_dates(rest) if each.precision in ("day", "month", "year")]
    if subject.is_event and dates and (match := _HELD.search(rest[: (held := dates[-1]).start])):
        day = rest[held.start : held.end]
        problem = (
            "" if closes(rest, held) and not find_dates(match["where"]) else "what follows the date may belong to it"
        )
        be = "were" if subject.is_plural else "was"
        yield candidate(f"When {be} {SUBJECT} held?", day, "date", sentence, problem)
    came = "published" if subject.noun in ("book", "novel", "poem", "memoir", "magazine", "newspaper") else "released"
    if subject.noun in listed("works") and dates and re.search(r"^,? (?:is|was) an? $", rest[: dates[0].start]):
        answer = rest[dates[0].start : dates[0].end]
        yield candidate(f"In which year was {SUBJECT} {came}?", answer, "date", sentence)
    for each in dates:
        match = _CAME.search(rest[: each.start])
        if match and match["verb"] in listed("came"):
            problem = "" if closes(rest, each) else "what follows the date may belong to it"
            base, told = verbs().base_of[match["verb"]], rest[each.start : each.end]
            problem = problem or telling.is_told_otherwise(base, "", sentence.start, told)
            yield candidate(
                f"When was {SUBJECT} {match['kept']}{match['verb']}?",
                rest[each.start : each.end],
                "date",
                sentence,
                problem,
            )


def _of_filming(sentence: ArticleSentence, telling: Telling) -> Iterator[Candidate]:
    """When a film was made."""
    dates = [each for each in find_dates(sentence.text) if each.precision in ("day", "month", "year")]
    match = _FILMING.match(sentence.text[: dates[0].start]) if dates else None
    if match is None:
        return
    answer = sentence.text[dates[0].start : dates[0].end]
    problem = "" if closes(sentence.text, dates[0]) else "what follows the date may belong to it"
    base = verbs().base_of[match["verb"]]
    problem = problem or telling.is_told_otherwise(base, match["what"], sentence.start, answer)
    yield candidate(f"When did {match['what'].lower()} of {SUBJECT} {base}?", answer, "date", sentence, problem)


def _of_line(match: re.Match[str], sentence: ArticleSentence, subject: ArticleSubject) -> Iterator[Candidate]:
    """The value of an infobox line."""
    known = words()["infobox"].get(match["label"])
    if known is None or _OF_A_ROW.search(match["value"]):
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
    problem = "the answer is none" if value in ("TBC", "TBA", "TBD", "Various", "None", "Unknown") else problem
    yield candidate(question.format(s=SUBJECT), value, kind, sentence, problem)
