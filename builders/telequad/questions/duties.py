"""What the sentences with "shall", "must" and "should" say: who does what, and when."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.builders.documents.sections import Span
from benchwright.builders.telequad.questions.asked import Specification
from benchwright.builders.telequad.questions.duty_words import (
    WORD,
    inside,
    is_action,
    is_clear,
    is_subject,
    is_whole,
    small,
    split,
    starts_with_action,
)
from benchwright.builders.telequad.questions.sentences import Block, Piece, Sentence, blocks

_MODALS = r"(?:shall|SHALL|must|MUST|should|SHOULD)"
_MODAL = rf"(?P<modal>{_MODALS})"
_WHEN = r"upon|on (?:receipt|receiving|reception|expiry|expiration|completion|detection)|after|when|whenever|if|once"
_IN = r"in (?:the|an?) [\w\- ]+?(?:message|frame|request|response|packet|state|mode|header)"
_BEFORE = re.compile(rf"(?P<condition>(?:{_WHEN}|{_IN})\b[^,:;]*), (?=\w)", re.IGNORECASE)
_AFTER = re.compile(rf"(?<![,:;]) (?P<condition>(?:{_WHEN}|while|as soon as)\b[^,:;]*)$")
_SUBJECT = re.compile(rf"(?P<subject>\w[\w\-/'’\"“” ]*?) {_MODAL} (?P<rest>\S.*)")
_A_MODAL = re.compile(rf"\b{_MODALS}\b")
IS_CASE = re.compile(rf"(?:{_WHEN}|while|as soon as)\b", re.IGNORECASE)
"""How a condition begins that says when, not in which message."""
_OPENING = re.compile(rf"(?P<subject>\w[\w\-/ ]*?),? {_MODAL}(?P<verb> be (?:set|coded|equal) (?:to|as))?:")


@dataclass(frozen=True, slots=True)
class Duty:
    """Somebody shall do something, perhaps under a condition."""

    section: int
    span: Span
    """Of the sentence, or of the item of a list."""
    condition: Piece | None
    subject: Piece
    """In small letters where the document writes it so: "the station"."""
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
    words = frozenset(word for section in specification.sections for word in WORD.findall(section.text))
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
    subject = _subject(sentence, match, words)
    if not is_subject(subject.text) or ":" in match["rest"] or ";" in match["rest"]:
        return None
    start, end = match.span("rest")
    condition = None
    after = _AFTER.search(sentence.text, start, end)
    if before and after:
        return None
    if before:
        condition = _inner(sentence, before)
    elif after:
        condition, end = sentence.piece(*after.span("condition")), after.start()
    if condition and not (is_clear(condition.text, negated=True) and is_whole(condition.text)):
        return None
    whole = sentence.text[start:end]
    if not is_action(whole):
        return None
    actions = tuple(sentence.piece(first, last) for first, last in split(whole, start))
    piece = sentence.piece(start, end)
    return Duty(sentence.section, sentence.span, condition, subject, match["modal"].lower(), piece, actions)


def _subject(sentence: Sentence, match: re.Match[str], words: frozenset[str]) -> Piece:
    return Piece(small(match["subject"], words), sentence.piece(*match.span("subject")).places)


def _inner(sentence: Sentence, before: re.Match[str]) -> Piece:
    """A condition that begins a sentence, as it stands inside one."""
    found = sentence.piece(*before.span("condition"))
    return Piece(inside(found.text), found.places)


@dataclass(frozen=True, slots=True)
class _Opening:
    """What stands before the colon of a list of duties."""

    condition: Piece | None
    subject: Piece
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
    condition = _inner(lead, before) if before else None
    subject = _subject(lead, match, words)
    if not is_subject(subject.text) or (condition and not is_clear(condition.text, negated=True)):
        return None
    return _Opening(condition, subject, match["modal"].lower(), bool(match["verb"]))


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
    value = item.piece(*case.span("value"))
    condition = item.piece(*case.span("condition"))
    return Setting(item.section, item.part(0, len(text)), opening.subject.text, opening.modal, value, condition)


def _item_duty(item: Sentence, text: str, opening: _Opening) -> Duty | None:
    """What an item adds to its opening: with a message in which it is done, a condition of its own at most."""
    after = _AFTER.search(text)
    end = after.start() if after else len(text)
    within = opening.condition if opening.condition and re.match(_IN, opening.condition.text) else None
    if "," in text or not starts_with_action(text) or not is_action(text[:end]):
        return None
    if after and (not is_clear(after["condition"], negated=True) or (opening.condition and not within)):
        return None
    own = item.piece(*after.span("condition")) if after else None
    action = item.piece(0, end)
    if own and within:
        action = Piece(f"{action.text} {within.text}", action.places)
    condition = own or opening.condition
    stated = item.part(0, len(text))
    alone = own is not None
    return Duty(item.section, stated, condition, opening.subject, opening.modal, action, (action,), alone)
