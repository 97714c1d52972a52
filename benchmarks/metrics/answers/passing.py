"""Whether an answer names the gold answer only in passing, after something else where the question asks for it."""

import re

from benchwright.benchmarks.metrics.answers import cues
from benchwright.benchmarks.metrics.answers.answer_words import AnswerWords, forms_of
from benchwright.benchmarks.metrics.answers.judged_answer import JudgedAnswer
from benchwright.benchmarks.metrics.answers.mentions import Mention
from benchwright.benchmarks.metrics.answers.names import is_slip
from benchwright.benchmarks.metrics.answers.values import word_lists
from benchwright.benchmarks.text.variants import variant

_NAME = r"(?:(?:the|a|an|that)\s+)?(?P<name>[A-Z][\w'.-]*(?:\s+(?:of\s+|the\s+|de\s+|von\s+)?[A-Z][\w'.-]*)*)"
_OPENING_NAME = re.compile(
    rf"[\s\"'(]*(?:(?:That|This|It|They|He|She)\s+(?:is|was|were|would be|are)\s+|The\s+)?{_NAME}"
)
_AFTER_VERB = re.compile(rf"\b(?:(?:is|was|are|were)(?: in| at| on)?|by|belongs to|rests with|goes to)\s+{_NAME}")
_NOW, _THEN = (re.compile(rf"{_NAME}\s+(?:{verb})\s+(?:the|a|an)\b") for verb in ("is|are", "was|were"))
_ENDED = re.compile(r"\b(?:until|till|before|previous|former|formerly|originally|first)\b")
_NEXT_WORD = re.compile(r"['’]?s?\s+([a-z]+)")
_BEING = frozenset(("is", "was", "are", "were", "has", "had", "holds", "held"))
_HALF = 0.5
_CONTRAST = re.compile(r"[\s\"'(]*(?:however|but|actually|in fact|no,|correction|also|the answer|it is|it was|so)\b")


def is_in_passing(answer: JudgedAnswer, words: AnswerWords, mention: Mention) -> bool:
    """Whether a mention of the gold answer, the first, is not what the answer says.

    Either a whole sentence before it answers the question with another name, or, in the same sentence, another name
    stands where the question asks and the gold answer plays a part of its own: "Argentina, who met Germany".
    """
    if mention.sort in ("date", "number") or not answer.has_capitals or not answer.text[mention.start].isupper():
        return False
    start = answer.sentence(mention.start)[0]
    if start and not _CONTRAST.match(answer.lowered, start):
        for first, last in zip(answer.sentences, (*answer.sentences[1:], len(answer.text)), strict=True):
            if last <= start and _answers(answer, words, first, last):
                return True
    rival = _rival(answer, words, start, mention.start)
    if rival is None:
        return False
    between = answer.lowered[rival : mention.start]
    if not between.strip(" ,(\"'") or cues.pattern("own_part").search(" " + between):
        return False
    if "(" in between or cues.has("other_part", between):
        return True
    return cues.has("other_time", between) and _may_answer(answer, words, rival)


def _answers(answer: JudgedAnswer, words: AnswerWords, first: int, last: int) -> bool:
    """Whether a sentence is another name alone, or has another name where the question asks."""
    opening = _OPENING_NAME.match(answer.text, first, last)
    if opening is not None and not answer.text[opening.end() : last].strip(" .;!\n") and opening.end() < last:
        return _is_other_name(words, opening["name"])
    if not _is_asked_there(answer, words, first, last):
        return False
    named = [_AFTER_VERB.search(answer.text, first, last)]
    if not _ENDED.search(answer.lowered, first, last):
        named.append((_NOW if answer.question_text.present else _THEN).search(answer.text, first, last))
    return any(match is not None and _is_other_name(words, match["name"]) for match in named)


def _is_asked_there(answer: JudgedAnswer, words: AnswerWords, first: int, last: int) -> bool:
    """Whether a stretch speaks of what the question asks first, and of half of all that it speaks of."""
    said = {word.form for word in words.meaning if first <= answer.spans[word.first][0] < last}
    asked = words.asked_for
    return len(asked) > 1 and asked[0] in said and sum(form in said for form in asked) >= _HALF * len(asked)


def _rival(answer: JudgedAnswer, words: AnswerWords, start: int, end: int) -> int | None:
    """Where another name ends that opens a sentence or stands where the question asks, before the gold answer."""
    opening = _OPENING_NAME.match(answer.text, start, end)
    if opening is not None and _is_other_name(words, opening["name"]):
        return opening.end()
    match = _AFTER_VERB.search(answer.text, start, end)
    if match is None or not _is_asked_there(answer, words, start, match.start()):
        return None
    return match.end() if _is_other_name(words, match["name"]) else None


def _may_answer(answer: JudgedAnswer, words: AnswerWords, end: int) -> bool:
    """Whether a name that opens a sentence may be its answer: a comma, "is" or the question's verb follows."""
    if answer.lowered[end : end + 1] in (",", ";", "."):
        return True
    following = _NEXT_WORD.match(answer.lowered, end)
    return following is not None and (following[1] in _BEING or variant(following[1]) in words.asked)


def _is_other_name(words: AnswerWords, name: str) -> bool:
    """Whether no word of a name is the question's or the gold answer's, or says only where something stands."""
    known = words.asked | word_lists("names")["no_answers"]
    said = forms_of(name)
    if not said or any(form in known for form in said):
        return False
    gold = words.answer.gold.words
    return not any(each in gold or any(is_slip(each, other) for other in gold) for each in name.lower().split())
