"""What the sentences with "shall", "must" and "should" say: who does what, and when."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.benchmarks.data_files import read_words
from benchwright.builders.documents.sections import Span
from benchwright.builders.telequad.questions.asked import Specification
from benchwright.builders.telequad.questions.sentences import Block, Sentence, blocks

_WORDS = read_words(__package__, "duties.toml")
_MODALS = r"(?:shall|SHALL|must|MUST|should|SHOULD)"
_MODAL = rf"(?P<modal>{_MODALS})"
_WHEN = r"upon|on (?:receipt|receiving|reception|expiry|expiration|completion|detection)|after|when|whenever|if|once"
_IN = r"in (?:the|an?) [\w\- ]+?(?:message|frame|request|response|packet|state|mode|header)"
_BEFORE = re.compile(rf"(?P<condition>(?:{_WHEN}|{_IN})\b[^,:;()]*), (?=\w)", re.IGNORECASE)
_AFTER = re.compile(rf"(?<![,:;]) (?P<condition>(?:{_WHEN}|while|as soon as)\b[^,:;]*)$")
_SUBJECT = re.compile(rf"(?P<subject>\w[\w\-/'’\"“” ]*?) {_MODAL} (?P<rest>\S.*)")
_A_MODAL = re.compile(rf"\b{_MODALS}\b")
IS_CASE = re.compile(rf"(?:{_WHEN}|while|as soon as)\b", re.IGNORECASE)
"""How a condition begins that says when, not in which message."""
_OPENING = re.compile(rf"(?P<subject>\w[\w\-/ ]*?),? {_MODAL}(?P<verb> be (?:set|coded|equal) (?:to|as))?:")
_WORD = re.compile(r"[\w'’\-]+")
_AND = re.compile(r",? and |, ")
_NEGATIONS = frozenset(("no", "not", "never", "none", "without", "cannot"))
_LONGEST_SUBJECT, _LONGEST = 8, 40
"""Words of a subject, and of an action or a condition."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of a duty, and their place in the section's text."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Duty:
    """Somebody shall do something, perhaps under a condition."""

    section: int
    span: Span
    """Of the sentence, or of the item of a list."""
    condition: Piece | None
    subject: str
    """In small letters where the language has them: "the station"."""
    subject_span: Span
    modal: str
    """In small letters."""
    whole: Piece
    """All that it shall do."""
    actions: tuple[Piece, ...]
    """What it shall do, one thing each; one alone where the sentence cannot be split surely."""
    alone: bool = True
    """Whether it is all that the subject shall do in this case: an item of a list may not be."""


@dataclass(frozen=True, slots=True)
class Setting:
    """An item of a list of values: what a thing shall be set to, and in which case."""

    section: int
    span: Span
    subject: str
    modal: str
    value: Piece
    condition: Piece


def duties(specification: Specification) -> Iterator[Duty | Setting]:
    """The duties that a specification states plainly, in its order."""
    words = frozenset(word for section in specification.sections for word in _WORD.findall(section.text))
    for block in blocks(specification):
        opened = _opened(block, words)
        for sentence in block.sentences if opened else (*block.sentences, *block.items):
            if (duty := duty_of(sentence, words)) is not None:
                yield duty
        if opened:
            yield from _of_list(block, opened)


def duty_of(sentence: Sentence, words: frozenset[str]) -> Duty | None:
    """What a sentence states as a duty; None where it does not, or not plainly.

    Args:
        sentence: without references.
        words: of the document, as it writes them: a first word is small where the document has it small.
    """
    text = sentence.text
    if not text.endswith("."):
        return None
    before = _BEFORE.match(text)
    match = _SUBJECT.fullmatch(text, before.end() if before else 0, len(text) - 1)
    if match is None or len(_A_MODAL.findall(text)) != 1:
        return None
    return _duty(sentence, before, match, words)


def _duty(sentence: Sentence, before: re.Match[str] | None, match: re.Match[str], words: frozenset[str]) -> Duty | None:
    subject = small(match["subject"], words)
    if not _is_subject(subject) or ":" in match["rest"] or ";" in match["rest"]:
        return None
    start, end = match.span("rest")
    condition = None
    after = _AFTER.search(sentence.text, start, end)
    if before and after:
        return None
    if before:
        condition = Piece(_case_small(before["condition"]), sentence.part(*before.span("condition")))
    elif after:
        condition, end = Piece(after["condition"], sentence.part(*after.span("condition"))), after.start()
    if condition and not is_clear(condition.text, negated=True):
        return None
    whole = sentence.text[start:end]
    if not _is_action(whole):
        return None
    actions = tuple(Piece(sentence.text[first:last], sentence.part(first, last)) for first, last in split(whole, start))
    span, piece = sentence.part(*match.span("subject")), Piece(whole, sentence.part(start, end))
    return Duty(sentence.section, sentence.span, condition, subject, span, match["modal"].lower(), piece, actions)


@dataclass(frozen=True, slots=True)
class _Opening:
    """What stands before the colon of a list of duties."""

    condition: Piece | None
    subject: str
    subject_span: Span
    modal: str
    sets: bool


def _opened(block: Block, words: frozenset[str]) -> _Opening | None:
    """What opens a list as "In the REQUEST message, the station shall:" and "The Cause IE shall be set to:" do."""
    if not block.items:
        return None
    lead = block.sentences[-1]
    before = _BEFORE.match(lead.text)
    match = _OPENING.fullmatch(lead.text, before.end() if before else 0)
    chosen = any(re.search(r"[;,.]? or$", item.text) for item in block.items)
    if match is None or (chosen and not match["verb"]) or (before and match["verb"]):
        return None
    condition = Piece(_case_small(before["condition"]), lead.part(*before.span("condition"))) if before else None
    subject = small(match["subject"], words)
    if not _is_subject(subject) or (condition and not is_clear(condition.text, negated=True)):
        return None
    return _Opening(condition, subject, lead.part(*match.span("subject")), match["modal"].lower(), bool(match["verb"]))


def _of_list(block: Block, opening: _Opening) -> Iterator[Duty | Setting]:
    for item in block.items:
        text = re.sub(r"(?:[;,.]|[;,]? (?:and|or))+$", "", item.text)
        if not text or re.search(r"[;:]|\. ", text):
            continue
        found = _setting(item, text, opening) if opening.sets else _item_duty(item, text, opening)
        if found is not None:
            yield found


def _setting(item: Sentence, text: str, opening: _Opening) -> Setting | None:
    case = re.fullmatch(r"(?P<value>[^,]+), (?P<condition>(?:if|when) [^,]+)", text)
    if case is None or not is_clear(case["condition"], negated=True) or not is_clear(case["value"], negated=True):
        return None
    value = Piece(case["value"], item.part(*case.span("value")))
    condition = Piece(case["condition"], item.part(*case.span("condition")))
    return Setting(item.section, item.part(0, len(text)), opening.subject, opening.modal, value, condition)


def _item_duty(item: Sentence, text: str, opening: _Opening) -> Duty | None:
    """What an item adds to its opening: with a message in which it is done, a condition of its own at most."""
    after = _AFTER.search(text)
    end = after.start() if after else len(text)
    inside = opening.condition if opening.condition and re.match(_IN, opening.condition.text) else None
    if "," in text or first_word(text) not in _WORDS["actions"] or not _is_action(text[:end]):
        return None
    if after and (not is_clear(after["condition"], negated=True) or (opening.condition and not inside)):
        return None
    own = Piece(after["condition"], item.part(*after.span("condition"))) if after else None
    action = Piece(text[:end], item.part(0, end))
    if own and inside:
        action = Piece(f"{action.text} {inside.text}", action.span)
    condition = own or opening.condition
    subject, span = opening.subject, opening.subject_span
    stated = item.part(0, len(text))
    return Duty(item.section, stated, condition, subject, span, opening.modal, action, (action,), own is not None)


def split(action: str, start: int = 0) -> list[tuple[int, int]]:
    """Where each single action of "stop timer T1, enter the IDLE state and send X" stands.

    The whole, where a part does not begin with a verb that is known: "and" may join two things as well as two actions.
    """
    cuts = [
        (match.start(), match.end())
        for match in _AND.finditer(action)
        if first_word(action[match.end() :]) in _WORDS["actions"]
    ]
    ends = [begin for begin, _ in cuts] + [len(action)]
    begins = [0] + [end for _, end in cuts]
    parts = [action[begin:end] for begin, end in zip(begins, ends, strict=True)]
    if first_word(action) not in _WORDS["actions"] or any(re.search(r",| and | or ", part) for part in parts):
        return [(start, start + len(action))]
    return [(start + begin, start + end) for begin, end in zip(begins, ends, strict=True)]


def first_word(text: str) -> str:
    """The first word."""
    match = _WORD.match(text)
    return match[0] if match else ""


def small(text: str, words: frozenset[str]) -> str:
    """The text with its first word in small letters, where the document writes the word so."""
    first = first_word(text)
    lower = first.lower()
    return lower + text[len(first) :] if first.istitle() and (lower in words or len(lower) < 2) else text


def _case_small(condition: str) -> str:
    """A condition that began a sentence as it stands inside one: "Upon" is "upon"."""
    return condition[0].lower() + condition[1:]


def is_clear(text: str, negated: bool = False) -> bool:
    """Whether it can stand in a question: not too long, no word that points elsewhere, no negation.

    Args:
        text: a subject, an action or a condition.
        negated: whether "no" and "not" are accepted, as they are in a condition.
    """
    found = set(_WORD.findall(text.lower())) - (_NEGATIONS if negated else set())
    clear = not _WORDS["unclear"].intersection(found) and "that case" not in text.lower()
    return clear and len(_WORD.findall(text)) <= _LONGEST


def _is_subject(text: str) -> bool:
    return (
        is_clear(text)
        and len(_WORD.findall(text)) <= _LONGEST_SUBJECT
        and first_word(text) not in _WORDS["no_subjects"]
    )


def _is_action(text: str) -> bool:
    found = _WORD.findall(text.lower())
    barred = _WORDS["pointing"] | _WORDS["negative"]
    return 1 < len(found) <= _LONGEST and not barred.intersection(found) and text.count("(") == text.count(")")
