"""What a specification requires: what somebody shall do, send, start or set, when, and who shall do it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchwright.builders.documents.sections import Span
from benchwright.builders.telequad.questions.asked import Asked, Specification, Stated
from benchwright.builders.telequad.questions.duties import IS_CASE, Duty, Setting, duties
from benchwright.builders.telequad.questions.duty_words import first_word, is_act, is_clear
from benchwright.builders.telequad.questions.sentences import Piece, blocks
from benchwright.builders.telequad.questions.wordings import worded

PATTERN = "requirement"
_NAME = r"(?:[A-Z0-9][\w./\-]*)(?: (?:[A-Z0-9][\w./\-]*))*"
_KINDS = "message|frame|request|response|packet|command|indication|notification|header field|header|parameter|event"
_ARTICLE = r"(?:the|an?|each)"
_SENT = re.compile(
    rf"(?P<verb>send|transmit|forward|return|issue|initiate|generate|(?:answer|respond|reply) with|include) "
    rf"(?:the|an?) (?P<name>{_NAME}) (?P<noun>{_KINDS})(?P<rest>(?: again)?(?: (?:to|towards|in) {_ARTICLE} [\w\- ]+)?)"
)
_TIMED = re.compile(
    r"(?P<verb>start|stop|restart|reset|increment|decrement) (?:the )?(?P<noun>timer|counter) "
    r"(?P<name>[A-Z][\w\-]*\d[\w\-]*)(?P<rest>)"
)
_ENTERED = re.compile(
    rf"(?P<verb>enter|leave|(?:return|go|move|transition) to|(?:remain|stay) in) the (?P<name>{_NAME}) "
    rf"(?P<noun>state|mode)(?P<rest>)"
)
_SET = re.compile(
    r"set (?P<thing>(?:the )?[\w\-/\"“” ]+?) (?:equal )?to (?P<value>\S.*?)(?P<rest> in (?:the|an?) [\w\- ]+? message)?"
)
_VALUE = r"(?P<value>(?!\w+ing\b)(?:(?!\band\b|\bor\b|,).)+)"
_TREATED = re.compile(
    r"(?P<verb>be (?:treated|regarded|considered|handled|interpreted|encoded|coded|represented|associated|connected|"
    r"preceded|followed|sent|set|mapped|limited|replaced|protected|terminated) (?:as|with|by|to|in|using|from|over)|"
    rf"(?:treat|regard|consider|interpret|encode|represent) [^,]+? as) {_VALUE}"
)
_CONTAINS = re.compile(
    rf"(?P<verb>contain|include|support|carry|use|provide|hold|comprise|consist of|(?:start|begin|end) with) "
    rf"{_VALUE}"
)
_ENTITY = re.compile(r"(?:the|an?) [\w\-]+(?: [\w\-]+){0,2}")
NAMED = re.compile(r"[\w\-]*[A-Z0-9][\w\-]*")
"""A word that is a name: it has a capital or a figure."""
_SENDS = re.compile(rf"(?P<verb>send|transmit) (?P<what>(?:the|an?) {_NAME} (?:{_KINDS})(?: to (?:the|an?) [\w\- ]+)?)")


@dataclass(frozen=True, slots=True)
class _Found:
    """A question before it is known whether the document answers it once only."""

    frames: str
    filling: dict[str, str]
    answer: Piece
    section: int
    evidence: Span
    aliases: tuple[str, ...] = ()
    asked: bool = True
    """False: it is only there so that a question that it answers otherwise is not asked."""
    about: tuple[str, ...] = ()
    """What the question is about, for telling whether two are the same; empty: all its words."""

    @property
    def key(self) -> tuple[str, ...]:
        return (self.frames, *(self.about or (_folded(each) for each in self.filling.values())))


def requirements(specification: Specification) -> Iterator[Asked]:
    """The questions about what a specification requires; none whose words two sentences answer differently."""
    alike: dict[tuple[str, ...], list[_Found]] = {}
    for each in _all(duties(specification)):
        alike.setdefault(each.key, []).append(each)
    lines = [sentence.text for block in blocks(specification) for sentence in (*block.sentences, *block.items)]
    for same in alike.values():
        asked = [each for each in same if each.asked]
        if asked and len({_folded(each.answer.text) for each in same}) == 1 and _is_asked(asked[0], lines):
            yield _asked(specification, asked[0], asked)


def _all(stated: Iterable[Duty | Setting]) -> Iterator[_Found]:
    for each in stated:
        if isinstance(each, Setting):
            yield _setting(each)
        else:
            yield from _of_duty(each)


def _setting(each: Setting) -> _Found:
    filling = {"subject": each.subject, "modal": each.modal, "condition": each.condition.text}
    return _Found("requirement_setting", filling, each.value, each.section, each.span)


def _of_duty(duty: Duty) -> Iterator[_Found]:
    said = {"subject": duty.subject.text, "modal": duty.modal}
    condition = duty.condition.text if duty.condition else ""
    if condition and not duty.whole.text.startswith("be "):
        yield _Found("requirement_action", said | {"condition": condition}, duty.whole, duty.section, duty.span,
                     asked=duty.alone and not _is_running(condition),
                     about=(said["subject"], _event(condition)))  # fmt: skip
    if len(duty.actions) == 1 and not condition:
        yield from _whats(duty, duty.actions[0])
    else:
        context = condition or _when_it_sends(duty)
        for action in duty.actions:
            yield from _objects(duty, action, context if context != action.text else "")
    for action in duty.actions:
        case = duty.condition if duty.condition and _is_case(duty, duty.condition) else None
        if case and is_clear(action.text) and len(duty.actions) == 1 and not _is_running(condition):
            yield _Found("requirement_condition", said | {"action": action.text}, _without_word(case), duty.section,
                         duty.span, about=(said["subject"], _core(action.text)))  # fmt: skip
        if _is_entity(duty) and is_clear(action.text) and not _is_running(condition):
            rest = f" {condition}" if condition else ""
            yield _Found("requirement_actor", {"modal": duty.modal, "action": action.text + rest},
                         _without_article(duty), duty.section, duty.span,
                         asked=len(duty.actions) == 1 or bool(NAMED.search(action.text)),
                         about=(_core(action.text), _core(condition)))  # fmt: skip


def _objects(duty: Duty, action: Piece, context: str) -> Iterator[_Found]:
    said = {"subject": duty.subject.text, "modal": duty.modal}
    for shape in (_SENT, _TIMED, _ENTERED):
        if (match := shape.fullmatch(action.text)) and context:
            name = action.part(*match.span("name"))
            words = {"noun": match["noun"], "verb": match["verb"], "rest": f"{match['rest']} {context}".strip()}
            yield _Found("requirement_object", said | words, name, duty.section, duty.span,
                         (f"{match['noun']} {name.text}", f"{name.text} {match['noun']}"),
                         about=(said["subject"], match["noun"], match["verb"], _event(context)))  # fmt: skip
    if action.text.startswith("be "):
        yield from _whats(duty, action)
    if (match := _SET.fullmatch(action.text)) and is_clear(match["thing"]):
        rest = f"{match['rest'] or ''} {context}".strip()
        if not rest:
            return
        value = action.part(*match.span("value"))
        yield _Found("requirement_value", said | {"thing": match["thing"], "rest": rest}, value, duty.section,
                     duty.span)  # fmt: skip


def named_things(duty: Duty) -> Iterator[tuple[str, str]]:
    """The names of the messages, timers and states of a duty, and what the duty says of each without its name."""
    condition = duty.condition.text if duty.condition else ""
    for number, action in enumerate(duty.actions):
        context = condition or (_when_it_sends(duty) if number else _when_it_starts(duty))
        for shape in (_SENT, _TIMED, _ENTERED):
            if context and (match := shape.fullmatch(action.text)):
                does = f"{duty.subject.text} {duty.modal} {match['verb']}{match['rest']}"
                yield match["name"], f"the {match['noun']} that {does} {context}"


def _whats(duty: Duty, action: Piece) -> Iterator[_Found]:
    """What a thing shall be treated as, contain or be followed by."""
    for shape in (_TREATED, _CONTAINS):
        match = shape.fullmatch(action.text)
        if match is None or not is_clear(match["verb"]):
            continue
        condition = f" {duty.condition.text}" if duty.condition else ""
        filling = {"subject": duty.subject.text, "modal": duty.modal, "verb": match["verb"] + condition}
        about = (duty.subject.text, "contain" if shape is _CONTAINS else match["verb"], condition)
        yield _Found("requirement_what", filling, action.part(*match.span("value")), duty.section, duty.span,
                     about=about)  # fmt: skip


def _when_it_starts(duty: Duty) -> str:
    """ "when it starts timer T1", of one that shall send something and start a timer, or enter a state."""
    for action in duty.actions[1:]:
        if action.text.startswith("start ") and _TIMED.fullmatch(action.text):
            return f"when it {action.text.replace('start', 'starts', 1)}"
        if action.text.startswith("enter ") and _ENTERED.fullmatch(action.text):
            return f"when it {action.text.replace('enter', 'enters', 1)}"
    return ""


def _when_it_sends(duty: Duty) -> str:
    """ "when it sends the REQUEST message", of one that shall send it and do more."""
    match = _SENDS.fullmatch(duty.actions[0].text)
    return f"when it {match['verb']}s {match['what']}" if match else ""


def _is_asked(found: _Found, lines: Sequence[str]) -> bool:
    """Whether the question names something, does not hold its answer, and asks for the only case if for a case."""
    words = " ".join(found.filling.values())
    answer = _folded(found.answer.text)
    bare = re.sub(r"^(?:the|an?) ", "", answer)
    names = NAMED.findall(words)
    is_case = found.frames == "requirement_condition"
    return bool(names) and bare not in _folded(words) and not (is_case and _again(names, found, lines))


def _again(names: Sequence[str], found: _Found, lines: Sequence[str]) -> bool:
    """Whether another sentence has the names of a question too, and may tell of another case."""
    answer = _folded(found.answer.text)
    return any(answer not in _folded(line) and all(name in line for name in names) for line in lines)


def _asked(specification: Specification, found: _Found, same: list[_Found]) -> Asked:
    here = [each for each in same if each.section == found.section]
    text = specification.sections[found.section].text
    answers = tuple(dict.fromkeys(each.answer.span for each in here))
    first = text[answers[0].start : answers[0].end]
    kept = tuple(span for span in answers if text[span.start : span.end].casefold() == first.casefold())
    stated = dict.fromkeys((each.section, each.evidence) for each in same)
    return Asked(
        pattern=PATTERN,
        wordings=worded(found.frames, document=specification.called, **found.filling),
        context=found.section,
        answers=kept,
        stated=tuple(Stated(section, span) for section, span in stated),
        asks=found.frames.removeprefix("requirement_"),
        entity=", ".join(dict.fromkeys(NAMED.findall(" ".join(found.filling.values())))),
        aliases=tuple(alias for alias in (*found.aliases, found.answer.text) if alias != first),
        metadata={"clause": specification.sections[found.section].clause.number},
    )


def _is_case(duty: Duty, condition: Piece) -> bool:
    """Whether a condition says when, and stands beside what is done then."""
    here = duty.span.start <= condition.span.start and condition.span.end <= duty.span.end
    return here and IS_CASE.match(condition.text) is not None


def _without_word(condition: Piece) -> Piece:
    """The condition without its "if" or "when"."""
    match = re.match(r"(?:if|when|whenever|once|while) ", condition.text, re.IGNORECASE)
    return condition.part(match.end(), len(condition.text)) if match else condition


def _without_article(duty: Duty) -> Piece:
    """The subject as it stands, without its article."""
    match = re.match(r"(?:the|an?) ", duty.subject.text, re.IGNORECASE)
    return duty.subject.part(match.end() if match else 0, len(duty.subject.text))


def _is_entity(duty: Duty) -> bool:
    """Whether somebody is asked to act, in the sentence itself."""
    here = duty.span.start <= duty.subject.span.start and duty.subject.span.end <= duty.span.end
    return here and is_act(duty.whole.text) and _ENTITY.fullmatch(duty.subject.text) is not None


def _is_running(condition: str) -> bool:
    """Whether a condition only says that what is to be stopped runs: other sentences say when."""
    return re.search(r"\b(?:is|are) (?:\w+ )?(?:running|active|started)\b", condition) is not None


def _event(condition: str) -> str:
    """A condition by what happens: "upon receipt of the X message" and "when it receives an X message" are one."""
    names = " ".join(NAMED.findall(condition))
    for sort in ("rece", "expir"):
        if (
            names
            and re.search(rf"\b{sort}\w*", condition)
            and not re.search(r"\b(?:not|no|without|whose|with)\b", condition)
        ):
            return f"{sort} {names}"
    return _folded(condition)


def _core(text: str) -> str:
    """The first word and the names of an action or a condition; all of it where it has no names."""
    names = sorted(NAMED.findall(text))
    return " ".join((first_word(text), *names)) if names else _folded(text)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
