"""What a sentence of a document tells in words: what something is, does or needs, what happens when, and why."""

import re
from collections.abc import Iterator
from dataclasses import replace

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.text.numbers import SMALL
from benchwright.builders.wikieval.sections.found import Found
from benchwright.builders.wikieval.sections.main_clauses import MainClause, is_clear, read_clause, section_words

_DEFINED = re.compile(
    r"(?P<article>an?|the|one of the|any)\b "
    r"(?!(?:\w+ )?(?:fact|task|way|lot|bit|must|good|great|kind|sort|problem|thing"
    r"|same|reason|result|mistake|matter|part|case|choice|key|only|first|next|last|most)\b)(?P<what>.+)"
)
_USED = re.compile(r"used (?P<value>(?:to [a-z]+|for [a-z]+ing) .+)")
_CONDITION = re.compile(r"(?P<word>[Ii]f|[Ww]hen|[Ww]henever|[Ii]n case) (?P<value>.+)")
_AT_THE_END = re.compile(
    r"(?P<main>(?:(?!\b(?:that|which|who|to)\b)[^,;:])+?)"
    r"(?<! even)(?<! only)(?<! as)(?<! or)(?<! and)(?<! just)(?<!ing)"
    r",? (?P<word>if|when|whenever|unless|because) (?P<value>[^,;:]+)"
)
_NAMED = re.compile(r"(?:[Tt]he|[Aa]n?) (?P<name>[^\s,()\"]+) (?P<noun>[a-z]+)")
_PURPOSE = re.compile(r"(?P<verb>Use|Run|Call|Add|Press) (?P<value>.+?) to (?P<aim>[a-z]+ .+)")
_NO_OBJECT = re.compile(r"\b(?:how|where|what|which|when|that|in order|want|need)$|^(?:to|with|in|on|for|from|by|as)\b")
_TO = re.compile(r"(?P<aim>To [a-z]+ [^,;:]+|If [^,;:]+), (?P<value>(?P<verb>[a-z]+) .+)")
_BY = re.compile(
    r"(?P<done>(?:[a-z]+ly )?[a-z]+(?:ed|id|wn|en|un|ut|et|ld|ept)) by (?P<value>(?:the|an?|all|each|[A-Z]).+)"
)
_WHERE = re.compile(r"(?P<done>(?:[a-z]+ly )?(?P<participle>[a-z]+)) (?P<preposition>in|at|under|on) (?P<value>.+)")
_SECOND = re.compile(
    r",? (?:so|but|because|though|although)\b|, (?:where|as|which|with|is|are|was|has|can|will)\b|; "
    r"|,? and (?=[a-z]+s (?:the|an?|it|its|to|that|for|through|all|only)\b)"
)
"""Where what answers ends, and a clause of its own or another verb follows."""
_WHEN = re.compile(r"(?:if|when|whenever|to|once|while|after|before|unless)\b|as (?:an?|the) [a-z]+ [a-z]+s$")
_ACTION = re.compile(
    r"(?!(?:be|have|not|also|only|never|often|either|likely|immediately|still|need|work|then|usually|probably|simply|just"
    r"|always|now|even|want|automatically|no|get|become|happen|seem|appear|look|remain|differ|fail|cause|well|typically"
    r")\b)[a-z]+ "
)
_MUST = ("must", "should", "shall", "can", "may", "will")
_DUTIES = ("must", "should", "shall")
_FEWEST_DEFINED, _FEWEST, _MOST = 5, 3, 22
"""Words of what answers."""
_ASKED_BY = {
    "if": "in which case",
    "when": "when",
    "whenever": "when",
    "unless": "except in which case",
    "because": "why",
}


def statements(sentence: str, clause: MainClause) -> Iterator[Found]:
    """What a sentence tells in words that can be asked for."""
    before = f" {clause.before}" if clause.before else ""
    subject = clause.subject
    if (match := _CONDITION.fullmatch(clause.before)) and not _is_whole(match["value"]):
        return
    yield from _conditions(sentence, clause)
    yield from _named(sentence, clause)
    if not clause.base:
        if clause.verb in ("is", "are") and not before and (match := _DEFINED.fullmatch(clause.rest)):
            if len(clause.rest.split()) >= _FEWEST_DEFINED and is_term(clause.subject):
                sort = f"{clause.verb} {match['article']}"
                yield Found(sentence, f"what {clause.verb} {subject}", _first_part(clause.rest), "name", sort)
        elif clause.verb in ("is", "are") and (match := _USED.fullmatch(clause.rest)):
            sort = " ".join(match["value"].split()[:1])
            asked = f"what {clause.verb} {subject} used {'for' if sort == 'for' else 'to do'}"
            yield Found(sentence, f"{asked}{before}", match["value"].removeprefix("for "), "name", f"used {sort}")
        elif clause.verb in ("is", "are") and (match := _BY.fullmatch(clause.rest)):
            yield Found(
                sentence, f"what {clause.verb} {subject} {match['done']} by{before}", match["value"], "name", "by"
            )
        elif (
            clause.verb in ("is", "are")
            and (match := _WHERE.fullmatch(clause.rest))
            and match["participle"] in section_words("places")
        ):
            sort = f"where {match['preposition']}"
            yield Found(
                sentence, f"where {clause.verb} {subject} {match['done']}{before}", match["value"], "name", sort
            )
        elif clause.verb in _MUST and _ACTION.match(clause.rest):
            action, word, condition = _without_condition(_first_part(clause.rest))
            is_name = re.search(r"[A-Z_./-]", subject[1:]) is not None and " " in subject
            if (
                not word
                and not _WHEN.match(clause.before)
                and not (is_name or (clause.verb in _DUTIES and subject != "you"))
            ):
                return
            asked = f"what {clause.verb} {subject} do{word and f' {word} {condition}'}{before}"
            yield Found(sentence, asked, action, "name", clause.verb)
        return
    preposition = read_toml(__package__, "sections.toml")["prepositions"].get(clause.base, "")
    if preposition and not clause.rest.startswith(f"{preposition} "):
        return
    value = _first_part(clause.rest.removeprefix(preposition).strip())
    if clause.helper == "did" or (subject.lower() == "you" and not before):
        return
    if re.match(r"(?:an?|the|all|any|its?|their|your|each|every|several|both|no|[\w-]+s)\b", value) and not re.match(
        r"(?:as|is|us|this|that|to|of)\b", value
    ):
        asked = f"what {clause.asked(preposition)}{before}"
        yield Found(sentence, asked, value, "name", " ".join(filter(None, (clause.base, preposition))))


def _first_part(value: str) -> str:
    """What answers, without a second clause after it."""
    first = re.split(_SECOND, value)[0]
    before, comma, _ = first.partition(", and ")
    return before if comma and "," not in before else first


def _without_condition(action: str) -> tuple[str, str, str]:
    """An action, and the word and the rest of a condition after it; that is empty where there is none that is whole."""
    first, word, condition = (*re.split(r",? \b(if|when|unless)\b ", action, maxsplit=1), "", "")[:3]
    return (first, word, condition) if word and _is_whole(condition) and "," not in condition else (action, "", "")


def instructions(sentence: str) -> Iterator[Found]:
    """What one is told to do, from a sentence that begins with it or with what it is for."""
    text = sentence.removesuffix(".")
    if (match := _TO.fullmatch(text)) and match["verb"] in section_words("told_to"):
        aim = match["aim"]
        if aim.startswith("To "):
            yield Found(sentence, f"how do you {aim[3:]}", match["value"], "name", "told")
        elif _is_whole(aim[3:]):
            yield Found(sentence, f"what should you do if {aim[3:]}", match["value"], "name", "told")
    elif (match := _PURPOSE.fullmatch(text)) and _NO_OBJECT.search(match["value"]) is None:
        verb = match["verb"].lower()
        yield Found(sentence, f"what do you {verb} to {match['aim']}", match["value"], "name", f"you {verb}")


def is_term(subject: str) -> bool:
    """Whether a subject is what one asks the meaning of: "a crate", "The cluster module"; no long phrase."""
    return (
        len(subject.split()) <= 5
        and re.fullmatch(r"[A-Z][a-z]+ [A-Z][a-z]+|(?:the )?\S*\d", subject) is None
        and subject.split()[0].lower() not in SMALL
        and re.match(r"[Tt]he [a-z]+$", subject) is None
        and re.search(r"\b(?:of|in|for|your|their|its)\b|^\w+ing\b", subject) is None
    )


def _conditions(sentence: str, clause: MainClause) -> Iterator[Found]:
    """What happens if, and in which case; why."""
    text = sentence.removesuffix(".")
    if (match := _CONDITION.fullmatch(clause.before)) and _is_whole(match["value"]):
        is_event = clause.verb in ("is", "are") and re.match(r"(?:[a-z]+ly )?[a-z]+ed\b", clause.rest)
        if clause.base or is_event or (clause.verb == "will" and re.match(r"(?!be |have )[a-z]+ ", clause.rest)):
            main = text[len(clause.before) + 2 :]
            yield Found(sentence, f"what happens {clause.before}", main, "name", "happens")
    if clause.before or not (match := _AT_THE_END.fullmatch(text)):
        return
    main = read_clause(f"{match['main']}.")
    if main is not None:
        main = replace(main, subject=clause.subject)
    is_real = match["word"] == "because" or _is_whole(match["value"])
    if main is not None and is_real and len(match["main"].split()) >= 3:
        sort = "because" if match["word"] == "because" else "case"
        yield Found(sentence, f"{_ASKED_BY[match['word']]} {main.asked(main.rest)}", match["value"], "name", sort)


def _is_whole(condition: str) -> bool:
    """Whether a condition says by itself what it is about."""
    inner = read_clause(f"{condition}.")
    return (inner is not None and is_clear(inner.subject)) or re.match(r"you [a-z]+ ", condition) is not None


def _named(sentence: str, clause: MainClause) -> Iterator[Found]:
    """Which function, command or field it is that does something."""
    match = _NAMED.fullmatch(clause.subject)
    if match is None or clause.before or match["noun"] not in section_words("named"):
        return
    name = match["name"]
    if name.lower() in section_words("not_names") or re.search(r"[a-z](?:ed|ing|est|ive|al|able)$", name):
        return
    rest = re.split(r", (?:and|but|so|which)\b|; ", clause.rest)[0]
    yield Found(sentence, f"which {match['noun']} {clause.verb} {rest}", name, "name", f"which {match['noun']}")


def is_sensible(found: Found) -> bool:
    """Whether a question and its answer have words enough, and speak of nothing that stands elsewhere."""
    is_name = found.sort.startswith("which ")
    length = len(found.value.split())
    is_short = is_name or found.sort.startswith(("where", "you", "by"))
    if found.kind == "name" and not is_short and not _FEWEST <= length <= _MOST:
        return False
    asked, told = (set(re.findall(r"[a-z]+", text.lower())) for text in (found.asked, found.value))
    if re.search(r"\b(?:e\.?g|i\.?e|etc)$|^(?:e\.?g|i\.?e|it|its|them|this)\b", found.value):
        return False
    if re.search(r"\b(?:it|them)$|\b(?:have|need|use|get|want|find) one$|\bwhile (?:not|\w+ing|\w+ed)\b", found.asked):
        return False
    if re.search(r"\b(?:when|if|in|with|of|for|by|at|on|to) that [a-z]+", found.asked):
        return False
    return not asked & section_words("pointing") and not told & section_words("pointing_values")
