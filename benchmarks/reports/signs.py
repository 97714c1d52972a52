"""What can be seen of each answer from the outside: where its contexts are from, what they hold, and what it says.

One pass over the predictions of a run. `diagnosis.py` says which module fails from these.
"""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.missed_evidence import Predictions, matcher_of, read_evidence
from benchwright.benchmarks.reports.outcomes import OUTCOMES, attempt_outcomes
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.schemas import DEFAULT_CONFIG
from benchwright.benchmarks.text.remembering import remembers
from benchwright.benchmarks.text.words import STOP_WORDS
from benchwright.benchmarks.types import Document, Evidence

MOST = 4_000
"""Answers that are looked at, at the most: of groups drawn evenly."""
_AROUND = 25
"""Characters beside a stretch of evidence by which its place is known in another version of the text."""
_LEAST = 8
"""Of them, at least so many."""
_EDGE = 30
"""Characters by which the beginning of a stretch is found in a context."""
A_SENTENCE = 80
"""Characters below which a passage is hardly ever a sentence, and one that names no document cannot be placed."""
_HEADER = 120
"""Characters that a first line may have to be a title that a chunker put there."""
_WORDS = 3_000
"""Of a context with more, the place in its document is not looked for once more."""
_LONG = 25
"""Characters from which on a stretch of evidence is known wherever it stands."""
_LOST_DIGITS = 2
"""Of a figure, so many digits must be gone for it to be a cut one, and not another."""
_COPIED = 5
"""Words of an answer that stand in a context as they are, from which on it is copied."""
_WORD = re.compile(r"\w+")
_VALUE = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the pass needs it."""

    text: str
    answers: tuple[str, ...]
    aliases: tuple[str, ...]
    evidence: tuple[Evidence, ...]


@dataclass(slots=True)
class Sign:
    """What is seen of one answer to a question that the documents answer."""

    question: int
    """Place in the run."""
    repeat: int
    outcome: str
    """correct, wrong, abstained or failed."""
    documents: tuple[str, ...] = ()
    """Those that its contexts are from."""
    gold: tuple[str, ...] = ()
    """Those that state the fact that its contexts lack; of one that lacks none, those that state its first."""
    shows: bool = False
    """It shows what was retrieved, if only nothing."""
    count: int = 0
    """Contexts."""
    distinct: int = 0
    """Of them different ones."""
    foreign: int = 0
    """Those that are from no document, and long enough to be known if they were."""
    unplaced: int = 0
    """Those that are too short for that."""
    length: float = 0.0
    """Characters of a context, on the average."""
    spans: tuple[tuple[int, int, int], ...] = ()
    """Of contexts that stand in their document word for word: start, end, and the document's length."""
    facts: int = 0
    """That are needed."""
    facts_held: int = 0
    is_held: bool = False
    """The contexts hold every fact that is needed."""
    rank: int = 0
    """Of the context that holds the last of the facts, from 1."""
    offset: int = 0
    """Characters of that context up to the end of the evidence."""
    depth: int = 0
    """Characters of all contexts up to there."""
    offset_share: float = 0.0
    """`offset` of the context's characters."""
    depth_share: float = 0.0
    """`depth` of the characters of all contexts."""
    share: float = 0.0
    """How far into its document the evidence of the fact that is lacking, else of the first, stands: from 0 to 1."""
    place: int = 0
    """The same in characters."""
    is_altered: bool = False
    """A context has the place of the evidence, and something else stands there."""
    is_cut: bool = False
    """A context ends within the evidence."""
    is_document_found: bool = False
    is_upside_down: bool = False
    """The scores of its contexts rise."""
    is_copied: bool = False
    is_grounded: bool = False
    """What the answer says stands in a context."""
    is_near: bool = False
    """It is nearly the gold answer: cut, garbled, or one of several."""


@dataclass(frozen=True)
class Signs:
    """The signs of a run, in the condition shown."""

    each: tuple[Sign, ...]
    total: int
    """Answers that there are, of which `each` are looked at."""
    texts: Mapping[int, Asked] = field(default_factory=dict)


def plain(text: str) -> str:
    """Small letters and figures in words, with single spaces: what survives a chunker and a writer of Markdown."""
    return " ".join(_WORD.findall(text.casefold()))


@per_run
def signs_of(run: RunData) -> Signs:
    """Of each answer to a question of the headline with evidence, what is seen."""
    outcomes = attempt_outcomes(run)
    rows = run.rows("correct", run.shown)
    wanted = run.questions.headline[outcomes.question] & (outcomes.is_scored | ~outcomes.is_answered)
    places = np.flatnonzero(wanted)
    if not len(places):
        return Signs((), 0)
    clusters = run.questions.clusters[outcomes.question[places]]
    order = {cluster: number for number, cluster in enumerate(dict.fromkeys(clusters.tolist()))}
    every = -(-len(places) // MOST)
    kept = places[np.array([order[cluster] % every == 0 for cluster in clusters.tolist()])]
    texts = _asked(run, sorted(set(outcomes.question[kept].tolist())))
    reasons, column = run.reasons, run.metrics.index("correct")
    predictions, found = Predictions(run), list[Sign]()
    look = Look(matcher_of(run))
    try:
        for place in kept.tolist():
            question, repeat = int(outcomes.question[place]), int(outcomes.repeat[place])
            name = OUTCOMES[outcomes.outcome[place]]
            sign = Sign(question, repeat, name if name != "unscored" else "failed")
            prediction, asked = predictions.read((question, repeat)), texts.get(question)
            if not isinstance(prediction, str) and asked is not None:
                code = reasons.codes[rows[place], column]
                look.at(sign, prediction, asked, reasons.names[code] if code >= 0 else "")
            found.append(sign)
    finally:
        predictions.close()
    return Signs(tuple(found), len(places), texts)


def _asked(run: RunData, places: Sequence[int]) -> dict[int, Asked]:
    """The texts, answers and evidence of questions, by their place in the run."""
    wanted = pa.array([run.questions.ids[place] for place in places], pa.string())
    columns = ["id", "question", "answers", "aliases", "evidence"]
    found: dict[int, Asked] = {}
    for split in run.release.manifest.splits.get(DEFAULT_CONFIG, {}):
        for batch in run.release.batches(DEFAULT_CONFIG, split, columns):
            for row in batch.filter(pc.is_in(batch.column("id"), value_set=wanted)).to_pylist():
                aliases = tuple(alias for each in row["aliases"] or () for alias in each or ())
                answers, evidence = tuple(row["answers"] or ()), read_evidence(row["evidence"])
                found[run.questions.index[row["id"]]] = Asked(row["question"], answers, aliases, evidence)
    return found


@dataclass(frozen=True, slots=True)
class Span:
    """A context beside its document."""

    context: Context
    document: Document | None
    start: int | None
    """Where it stands there, word for word; None where it does not."""
    end: int | None
    lead: int
    """Characters of the context before that, such as a title."""


class Look:
    """Looks at predictions, and remembers where contexts stand in their documents."""

    def __init__(self, matcher: CorpusMatcher) -> None:
        self._matcher, self.documents = matcher, matcher.documents
        self._located = remembers(characters=10_000_000)(self._locate)
        self._plain = remembers(characters=10_000_000)(plain)
        self._squeezed = remembers(characters=10_000_000)(lambda body: " ".join(body.split()))

    def at(self, sign: Sign, prediction: Prediction, asked: Asked, reason: str) -> None:
        """Notes what is seen of a prediction."""
        spans = [self._span(context) for context in prediction.contexts]
        sign.shows, sign.count = prediction.shows_retrieval, len(spans)
        sign.distinct = len({(each.context.id if each.context.text is None else each.context.text) for each in spans})
        strangers = [each.context for each in spans if each.document is None]
        sign.unplaced = sum(each.text is not None and 0 < len(each.text) < A_SENTENCE for each in strangers)
        sign.foreign = len(strangers) - sign.unplaced
        sign.length = sum(len(self._text_of(each)) for each in spans) / max(1, len(spans))
        sign.documents = tuple(dict.fromkeys(each.document.id for each in spans if each.document is not None))
        scores = [each.context.score for each in spans]
        numbers = [score for score in scores if score is not None]
        sign.is_upside_down = (
            len(numbers) == len(scores) > 2 and numbers == sorted(numbers) and numbers[0] < numbers[-1]
        )
        sign.spans = tuple(
            (each.start, each.end, len(each.document.body))
            for each in spans
            if each.document is not None and each.start is not None and each.end is not None
        )
        self._hold(sign, spans, asked)
        if sign.outcome == "wrong":
            self._says(sign, prediction, spans, asked, reason)

    def matched(self, contexts: Sequence[Context]) -> list[Span]:
        """Contexts as they were handed in, each beside its document."""
        return [self._span(context) for context in self._matcher.match(contexts)]

    def _span(self, context: Context) -> Span:
        document = self.documents.get(context.document) if context.document is not None else None
        if document is None:
            return Span(context, None, None, None, 0)
        if context.text is None:
            start, end = context.start or 0, len(document.body) if context.end is None else context.end
            return Span(context, document, start, end, 0)
        start, end, lead = self._located(context.text, document.id)
        if start is None and context.start is not None and context.end is not None:
            stands = document.body[context.start : context.end]
            if stands in context.text or self._plain(stands) in self._plain(context.text):
                start, end, lead = context.start, context.end, max(0, context.text.find(stands[:_EDGE]))
        return Span(context, document, start, end, lead)

    def _locate(self, text: str, name: str) -> tuple[int | None, int | None, int]:
        """Where a text stands in a document but for its white space: as it is, or after a title in its first line."""
        body, after = self.documents[name].body, text.find("\n") + 1
        if after > _HEADER:
            after = 0
        for lead in dict.fromkeys((0, after)):
            piece = text[lead:].strip()
            start = body.find(piece) if piece else -1
            if start >= 0:
                return start, start + len(piece), text.find(piece, lead)
        words = text[after:].split()
        if not 0 < len(words) < _WORDS or " ".join(words) not in self._squeezed(body):
            return None, None, 0
        found = re.search(r"\s+".join(map(re.escape, words)), body)
        return (found.start(), found.end(), after) if found else (None, None, 0)

    def _hold(self, sign: Sign, spans: Sequence[Span], asked: Asked) -> None:
        facts: dict[int, list[Evidence]] = {}
        for item in asked.evidence:
            facts.setdefault(item.fact, []).append(item)
        before = np.cumsum([0, *(len(each.context.text or "") for each in spans)]).tolist()
        lacking: list[Evidence] | None = None
        sign.is_held, sign.facts = bool(facts), len(facts)
        for alternatives in facts.values():
            found = next(
                (
                    (rank, at)
                    for rank, each in enumerate(spans)
                    for item in alternatives
                    if (at := self.end_of(each, item)) is not None
                ),
                None,
            )
            sign.facts_held += found is not None
            if found is None:
                sign.is_held, lacking = False, lacking or alternatives
            elif found[0] + 1 > sign.rank:
                sign.rank, sign.offset, sign.depth = found[0] + 1, found[1], before[found[0]] + found[1]
                sign.offset_share = found[1] / max(1, before[found[0] + 1] - before[found[0]])
                sign.depth_share = sign.depth / max(1, before[-1])
        first = lacking or next(iter(facts.values()), [])
        sign.gold = tuple(dict.fromkeys(item.document for item in first))
        if first and (document := self.documents.get(first[0].document)) is not None:
            sign.place, sign.share = first[0].start, first[0].start / max(1, len(document.body))
        if lacking:
            sign.is_document_found = any(name in sign.documents for name in sign.gold)
            sign.is_cut = any(self._is_cut(each, item) for each in spans for item in lacking)
            sign.is_altered = any(self._is_altered(each, item) for each in spans for item in lacking)

    def end_of(self, span: Span, item: Evidence) -> int | None:
        """Characters of a context up to the end of a stretch of evidence that it holds; None where it holds it not."""
        text, document = span.context.text, self.documents.get(item.document)
        if span.document is not None and span.start is not None and span.end is not None:
            if span.document.id != item.document or not (span.start <= item.start and item.end <= span.end):
                return None
            return span.lead + item.end - span.start
        if text is None or document is None:
            return None
        value = document.body[item.start : item.end]
        if len(value) < _LONG and span.document is not None and span.document.id != item.document:
            return None
        at = self._plain(text).find(self._plain(value))
        if at < 0 or (len(value) < _LONG and not self._is_there(text, document, item)):
            return None
        return max(0, text.casefold().find(value.casefold())) + len(value)

    def _is_there(self, text: str, document: Document, item: Evidence) -> bool:
        """Whether a short value stands in a text for what it stands for in the document: beside the same words."""
        before, after = self._beside(document, item)
        whole, value = self._plain(text), self._plain(document.body[item.start : item.end])
        wanted = [f"{part} {value}" for part in (before,) if part] + [f"{value} {part}" for part in (after,) if part]
        return any(each in whole for each in wanted) or (not before and not after)

    def _beside(self, document: Document, item: Evidence) -> tuple[str, str]:
        """The words before and after a stretch of evidence; none where too few characters stand there."""
        before = document.body[max(0, item.start - _AROUND) : item.start].rpartition("\n")[2]
        after = document.body[item.end : item.end + _AROUND].partition("\n")[0]
        if item.start > _AROUND and len(before) == _AROUND:
            before = before.partition(" ")[2]
        if len(after) == _AROUND:
            after = after.rpartition(" ")[0]
        return self._within(before, before.rpartition(". ")[2]), self._within(after, after.partition(". ")[0])

    def _within(self, text: str, in_sentence: str) -> str:
        """The words of a text that belong to the same sentence, where they are enough; else all of them."""
        short, whole = self._plain(in_sentence), self._plain(text)
        return short if len(short) >= _LEAST else whole if len(whole) >= _LEAST else ""

    def _is_cut(self, span: Span, item: Evidence) -> bool:
        if span.document is None or span.document.id != item.document:
            return False
        if span.start is None or span.end is None:
            return False
        inside = span.start < item.end and item.start < span.end
        return inside and not (span.start <= item.start and item.end <= span.end)

    def _is_altered(self, span: Span, item: Evidence) -> bool:
        """Whether a context has what stands beside the evidence, and something else in its place."""
        if (
            span.document is None
            or span.document.id != item.document
            or span.start is not None
            or not span.context.text
        ):
            return False
        body, whole = span.document.body, self._plain(span.context.text)
        value = self._plain(body[item.start : item.end])
        before = self._plain(body[max(0, item.start - _AROUND) : item.start].rpartition("\n")[2].rpartition(". ")[2])
        after = self._plain(body[item.end : item.end + _AROUND].partition("\n")[0].partition(". ")[0])
        if len(before) >= _LEAST and before in whole:
            rests = [rest.strip() for rest in whole.split(before)[1:]]
            return all(len(rest) > max(3, len(value) // 2) and not rest.startswith(value) for rest in rests)
        if len(before) < _LEAST <= len(after) and after in whole:
            rests = [rest.strip() for rest in whole.split(after)[:-1]]
            return all(len(rest) > max(3, len(value) // 2) and not rest.endswith(value) for rest in rests)
        return False

    def _says(self, sign: Sign, prediction: Prediction, spans: Sequence[Span], asked: Asked, reason: str) -> None:
        answer = self._plain(prediction.answer or "")
        texts = [self._plain(self._text_of(each)) for each in spans]
        words = answer.split()
        sign.is_copied = len(words) >= _COPIED and any(answer in text for text in texts)
        golds = (*asked.answers, *asked.aliases, *self._stated(asked))
        there = set(" ".join(texts).split())
        sign.is_near = (
            reason in _AROUND_GOLD
            or any(f" {self._plain(gold)} " in f" {answer} " for gold in golds if self._plain(gold))
            or any(_is_near(prediction.answer or "", gold) for gold in golds)
            or any(_breaks_off(words, self._plain(gold), there) for gold in golds)
        )
        said = [word for word in words if _says_something(word)]
        known = set(self._plain(asked.text).split())
        values = [
            word for word in said if word not in known and (word.isdigit() or word in _named(prediction.answer or ""))
        ]
        sign.is_grounded = all(word in there for word in values or said)
        sign.is_near |= not said  # cut before it says anything

    def _text_of(self, span: Span) -> str:
        if span.context.text is not None:
            return span.context.text
        return span.document.body[span.start : span.end] if span.document is not None else ""

    def _stated(self, asked: Asked) -> list[str]:
        return [
            document.body[item.start : item.end]
            for item in asked.evidence
            if (document := self.documents.get(item.document)) is not None
        ]


_AROUND_GOLD = (
    "lists candidates",
    "does not commit itself to the gold answer",
    "names another value besides the gold answer",
    "names the gold answer only in passing, after another one",
    "names only a part of the gold answer",
    "the answer is empty",
)
"""Reasons of `correct` that say that the right value is there, in a form that does not answer."""


def _says_something(word: str) -> bool:
    return word not in STOP_WORDS and (len(word) > 1 or word.isdigit())


@remembers(characters=2_000_000)
def _named(answer: str) -> frozenset[str]:
    """The figures and capitalised words of an answer but for its first, in small letters."""
    found = list(_VALUE.finditer(answer))
    return frozenset(
        match[0].casefold()
        for place, match in enumerate(found)
        if match[0][:1].isdigit() or (match[0][:1].isupper() and (place or len(found) == 1))
    )


def _breaks_off(said: Sequence[str], gold: str, there: Set[str]) -> bool:
    """Whether an answer ends within a gold answer: after some of its words ("Anna D"), or within its first ("Lil").

    A single word that stands in a context as it is may be another value; so may a figure that lacks one digit.
    """
    for number in range(min(len(said), len(gold.split())), 0, -1):
        tail = " ".join(said[-number:])
        if tail == gold or not gold.startswith(tail) or not any(map(_says_something, gold.split()[:number])):
            continue
        if number > 1 or (tail not in there and not (tail.isdigit() and len(gold) - len(tail) < _LOST_DIGITS)):
            return True
    return False


def _is_near(answer: str, gold: str) -> bool:
    """Whether an answer is a gold answer that was cut or garbled: no other value, but a broken one."""
    from rapidfuzz import fuzz

    said, wanted = plain(answer), plain(gold)
    if not said or not wanted or wanted in said:
        return False
    if len(wanted) >= 4 and (
        wanted.startswith(said.split()[-1]) and len(said.split()[-1]) >= 3 and not said.split()[-1].isdigit()
    ):
        return True
    tail = " ".join(said.split()[-len(wanted.split()) :])
    if wanted.replace(" ", "").isdigit():
        return sorted(tail.replace(" ", "")) == sorted(wanted.replace(" ", "")) or (
            len(tail) >= 3 and wanted.startswith(tail) and len(tail) < len(wanted)
        )
    return (
        any(character.isalpha() for character in wanted)
        and fuzz.ratio(tail, wanted) >= 75
        and not _swaps_a_word(tail, wanted)
    )


def _swaps_a_word(said: str, wanted: str) -> bool:
    """Whether a text differs from another by words that stand as they are in neither: "151 minutes", "128 minutes"."""
    ours, theirs = said.split(), wanted.split()
    if len(ours) != len(theirs):
        return False
    from rapidfuzz import fuzz

    differing = [(one, other) for one, other in zip(ours, theirs, strict=True) if one != other]
    return all(
        fuzz.ratio(one, other) < 60 or (one.isdigit() and sorted(one) != sorted(other)) for one, other in differing
    )
