"""How far the contexts that an answer cites support its sentences: by a judge, in one call an answer, or by words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.metrics.base import NO_ANSWER, NO_CONTEXTS, JudgedItem, Score
from benchwright.benchmarks.metrics.steps.answers import abstains
from benchwright.benchmarks.metrics.steps.citations import AnswerSupport, SupportedSentence
from benchwright.benchmarks.metrics.steps.cited_sentences import LONGEST, CitedSentence, cited_sentences
from benchwright.benchmarks.metrics.steps.contexts import context_text
from benchwright.benchmarks.metrics.steps.long_texts import together
from benchwright.benchmarks.metrics.steps.nuggets import Support
from benchwright.benchmarks.metrics.steps.numbered import one_on_each
from benchwright.benchmarks.metrics.steps.statements import NO_STATEMENT
from benchwright.benchmarks.metrics.steps.word_support import firm_words, own_words, word_support
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Document, Question

PROMPT = "judge_citations"
CHECKS = 60
"""Pairs of a sentence and what it cites that a judge is asked about; of an answer with more, its first sentences."""
_SHORT = 5
"""An answer of fewer words of its own, and of one sentence, stands only with what the question is about."""


@dataclass(frozen=True)
class SupportVerdict:
    """What the judge says of one sentence and what it cites."""

    check: int
    reason: str
    support: Support


@dataclass(frozen=True)
class SupportVerdicts:
    """What the judge says of the citations of an answer."""

    verdicts: list[SupportVerdict]


@dataclass(frozen=True, slots=True)
class _Read:
    """An answer that cites, and the texts of what it cites."""

    sentences: tuple[CitedSentence, ...]
    texts: Mapping[int, str]
    """Place of a context → its text, where it has one and it is read."""
    note: str | None = None


def _read(question: Question, prediction: Prediction, documents: Mapping[str, Document]) -> _Read | Score:
    """The sentences of an answer and what they cite; or why there is nothing to judge."""
    if prediction.answer is None and not prediction.abstained:
        return NO_ANSWER
    if not prediction.shows_retrieval:
        return NO_CONTEXTS
    if prediction.answer is None or prediction.abstained or not prediction.answer.strip():
        return NO_STATEMENT
    sentences = tuple(cited_sentences(prediction.answer, prediction.contexts))
    if abstains(
        Prediction("", " ".join(each.text for each in sentences)), question.question
    ):  # also with a citation after it
        return NO_STATEMENT
    places = dict.fromkeys(place for each in sentences for place in each.contexts if place is not None)
    texts = {place: context_text(prediction.contexts[place], documents) for place in places}
    texts = {place: text for place, text in texts.items() if text.strip()}
    long = len(prediction.answer) > LONGEST
    note = f"the first {LONGEST:,} of {len(prediction.answer):,} characters were read" if long else None
    return _Read(sentences, texts, note)


def support_by_words(
    question: Question, prediction: Prediction, documents: Mapping[str, Document]
) -> AnswerSupport | Score:
    """How far what an answer cites supports its sentences, by shared words; or why that is unscored.

    Where the answer is one sentence of less than five words, its source must name what the question names, or it
    supports it in part.
    """
    read = _read(question, prediction, documents)
    if isinstance(read, Score):
        return read
    asked = firm_words(question.question) if len(read.sentences) == 1 else frozenset[str]()
    found = [_by_words(sentence, read.texts, asked) for sentence in read.sentences]
    return AnswerSupport(tuple(found), read.note)


def _by_words(sentence: CitedSentence, texts: Mapping[int, str], asked: frozenset[str]) -> SupportedSentence:
    firm = asked if len(own_words(sentence.text)) < _SHORT else frozenset[str]()
    each: list[Support | None] = []
    for place in sentence.contexts:
        text = None if place is None else texts.get(place)
        each.append("none" if place is None else None if text is None else word_support(sentence.text, text, firm))
    read = [texts[place] for place in sentence.contexts if place is not None and place in texts]
    together = word_support(sentence.text, "\n\n".join(read), firm) if len(read) > 1 else _alone(each)
    return SupportedSentence(sentence, tuple(each), _best(together, each))


def _alone(each: Sequence[Support | None]) -> Support | None:
    """The support of a sentence by one citation that can be told, beside others that point to nothing."""
    if each and all(support is None for support in each):
        return None
    return _best("none", each)


_ORDER: Mapping[Support | None, int] = {None: 0, "none": 1, "partial": 2, "full": 3}


def _best(together: Support | None, each: Sequence[Support | None]) -> Support | None:
    """What several sources support together is at least what one of them does."""
    return max((together, *each), key=lambda support: _ORDER[support])


@dataclass(frozen=True, slots=True)
class _Check:
    """What the judge is asked about: a sentence, and one of its sources or all."""

    sentence: int
    places: tuple[int, ...]


async def judged_citations(item: JudgedItem, tools: Tools) -> AnswerSupport | None:
    """How far what an answer cites supports its sentences, by the judge in one call; None where nothing can be judged.

    At most 60 pairs are judged: of an answer with more its first sentences, which the note says.
    """
    read = _read(item.question, item.prediction, item.documents)
    if isinstance(read, Score):
        return None
    texts, notes = _within_room(read)
    sentences, checks = _checks(read.sentences, texts)
    if len(sentences) < len(read.sentences):
        notes.append(f"the first {len(sentences):,} of {len(read.sentences):,} sentences were judged")
    verdicts = await _verdicts(item, tools, sentences, texts, checks) if checks else []
    told = {(check.sentence, check.places): verdict for check, verdict in zip(checks, verdicts, strict=True)}
    found = tuple(_supported(number, sentence, texts, told) for number, sentence in enumerate(sentences))
    return AnswerSupport(found, "; ".join([*filter(None, [read.note]), *notes]) or None)


def _within_room(read: _Read) -> tuple[dict[int, str], list[str]]:
    """The texts that a judge reads, in the order in which they are cited; and what was cut."""
    kept, cut = together(list(read.texts.values()), "what is cited")
    return dict(zip(read.texts, kept, strict=False)), [cut] if cut else []


def _checks(
    sentences: Sequence[CitedSentence], texts: Mapping[int, str]
) -> tuple[tuple[CitedSentence, ...], list[_Check]]:
    """What is asked of the first sentences, as many as there is room for."""
    checks: list[_Check] = []
    for number, sentence in enumerate(sentences):
        new = list(_of_sentence(number, sentence, texts))
        if checks and len(checks) + len(new) > CHECKS:
            return tuple(sentences[:number]), checks
        checks += new[:CHECKS]
    return tuple(sentences), checks


def _of_sentence(number: int, sentence: CitedSentence, texts: Mapping[int, str]) -> Iterator[_Check]:
    places = tuple(place for place in sentence.contexts if place is not None and place in texts)
    for place in places:
        yield _Check(number, (place,))
    if len(places) > 1:
        yield _Check(number, places)


async def _verdicts(
    item: JudgedItem,
    tools: Tools,
    sentences: Sequence[CitedSentence],
    texts: Mapping[int, str],
    checks: Sequence[_Check],
) -> list[SupportVerdict]:
    """The judge's verdicts, in the order of the checks."""
    values = {
        "question": item.question.question,
        "sources": [{"number": place + 1, "text": text} for place, text in sorted(texts.items())],
        "checks": [
            {"sentence": sentences[each.sentence].text, "sources": [place + 1 for place in each.places]}
            for each in checks
        ],
    }
    imagined = SupportVerdicts([SupportVerdict(number, "", "full") for number in range(1, len(checks) + 1)])
    reply = await tools.ask(
        PROMPT, values, reply=one_on_each(SupportVerdicts, len(checks), "checks", "check"), imagined=imagined
    )
    return sorted(reply.verdicts, key=lambda each: each.check)


def _supported(
    number: int,
    sentence: CitedSentence,
    texts: Mapping[int, str],
    told: Mapping[tuple[int, tuple[int, ...]], SupportVerdict],
) -> SupportedSentence:
    """A sentence with the verdicts on it."""
    each: list[Support | None] = []
    reasons: list[str] = []
    for place in sentence.contexts:
        verdict = None if place is None else told.get((number, (place,)))
        each.append("none" if place is None else None if verdict is None else verdict.support)
        reasons.append(
            "it points to nothing that was handed in" if place is None else verdict.reason if verdict else ""
        )
    places = tuple(place for place in sentence.contexts if place is not None and place in texts)
    both = told.get((number, places)) if len(places) > 1 else None
    together = _alone(each) if both is None else both.support
    return SupportedSentence(sentence, tuple(each), _best(together, each), (*reasons, *([both.reason] if both else [])))
