"""What can be seen of each answer from the outside: where its contexts are from, what they hold, and what it says.

One pass over the predictions of a run. `diagnosis.py` says which module fails from these.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.reports.answers.outcomes import OUTCOMES, attempt_outcomes
from benchwright.benchmarks.reports.answers.words import is_near_gold, is_rounded, named_in, says_something
from benchwright.benchmarks.reports.columns import Ints, RunData
from benchwright.benchmarks.reports.failures.context_places import Placed, Places
from benchwright.benchmarks.reports.failures.missed_evidence import Predictions, matcher_of, read_evidence
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.runs.score_table import NO_PREDICTION
from benchwright.benchmarks.schemas import DEFAULT_CONFIG
from benchwright.benchmarks.types import Evidence

MOST = 4_000
"""Answers that are looked at, at the most: of groups drawn evenly."""
A_SENTENCE = 80
"""Characters below which a passage is hardly ever a sentence, and one that names no document cannot be placed."""
_LOST_DIGITS = 2
"""Of a figure, so many digits must be gone for it to be a cut one, and not another."""
_WORDS, _SAID = 60, 200
"""Words of an answer that are looked at, and characters of it that are kept."""
_COPIED = 5
"""Words of an answer that stand in a context as they are, from which on it is copied."""
_AROUND_GOLD = (
    "lists candidates",
    "does not commit itself to the gold answer",
    "names another value besides the gold answer",
    "names the gold answer only in passing, after another one",
    "names only a part of the gold answer",
    "the answer is empty",
)
"""Reasons of `correct` that say that the right value is there, in a form that does not answer."""


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
    """It is nearly the gold answer: cut, garbled, rounded, or one of several."""
    said: str = ""
    """The beginning of the answer as it stands, of one that is wrong."""
    words: frozenset[str] = frozenset()
    """The first words of an answer that is right, or of one that is wrong those that stand neither in its question nor
    in its contexts."""


@dataclass(frozen=True)
class Signs:
    """The signs of a run, in the condition shown."""

    each: tuple[Sign, ...]
    total: int
    """Answers that there are, of which `each` are looked at."""
    texts: Mapping[int, Asked] = field(default_factory=dict)


@per_run
def signs_of(run: RunData) -> Signs:
    """Of each answer to a question of the headline with evidence, what is seen."""
    outcomes = attempt_outcomes(run)
    rows = run.rows("correct", run.shown)
    wanted = run.questions.headline[outcomes.question] & (outcomes.is_scored | ~outcomes.is_answered)
    whys = _why_unscored(run, rows)
    if NO_PREDICTION in run.reasons.names:  # a file that is of some questions only: no failure of the system
        wanted &= whys != run.reasons.names.index(NO_PREDICTION)
    places = np.flatnonzero(wanted)
    if not len(places):
        return Signs((), 0)
    clusters = run.questions.clusters[outcomes.question[places]]
    order = {cluster: number for number, cluster in enumerate(dict.fromkeys(clusters.tolist()))}
    every = -(-len(places) // MOST)
    kept = places[np.array([order[cluster] % every == 0 for cluster in clusters.tolist()])]
    texts = _asked(run, sorted(set(outcomes.question[kept].tolist())))
    predictions, found = Predictions(run), list[Sign]()
    look = Look(matcher_of(run))
    try:
        for place in kept.tolist():
            question, repeat = int(outcomes.question[place]), int(outcomes.repeat[place])
            name = OUTCOMES[outcomes.outcome[place]]
            sign = Sign(question, repeat, name if name != "unscored" else "failed")
            prediction, asked = predictions.read((question, repeat)), texts.get(question)
            if not isinstance(prediction, str) and asked is not None:
                look.at(sign, prediction, asked, run.reasons.names[whys[place]] if whys[place] >= 0 else "")
            found.append(sign)
    finally:
        predictions.close()
    return Signs(tuple(found), len(places), texts)


def _why_unscored(run: RunData, rows: Ints) -> Ints:
    """The code of the reason of each answer's `correct`, -1 where there is none; shape (answers,)."""
    if "correct" not in run.metrics:
        return np.full(len(rows), -1)
    return run.reasons.codes[rows, run.metrics.index("correct")].astype(np.int64)


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


class Look:
    """Looks at predictions, each beside the documents of its contexts."""

    def __init__(self, matcher: CorpusMatcher) -> None:
        self._places = Places(matcher)

    def at(self, sign: Sign, prediction: Prediction, asked: Asked, reason: str) -> None:
        """Notes what is seen of a prediction."""
        spans = [self._places.of(context) for context in prediction.contexts]
        sign.shows, sign.count = prediction.shows_retrieval, len(spans)
        sign.distinct = len({(each.context.id if each.context.text is None else each.context.text) for each in spans})
        strangers = [each.context for each in spans if each.document is None]
        sign.unplaced = sum(each.text is not None and 0 < len(each.text) < A_SENTENCE for each in strangers)
        sign.foreign = len(strangers) - sign.unplaced
        sign.length = sum(len(self._places.text_of(each)) for each in spans) / max(1, len(spans))
        sign.documents = tuple(dict.fromkeys(each.document.id for each in spans if each.document is not None))
        scores = [each.context.score for each in spans]
        numbers = [score for score in scores if score is not None]
        sign.is_upside_down = (
            len(numbers) == len(scores) > 2 and numbers == sorted(numbers) and numbers[0] < numbers[-1]
        )
        sign.spans = tuple(
            (each.start, each.end, each.document.length)
            for each in spans
            if each.document is not None and each.start is not None and each.end is not None
        )
        self._hold(sign, spans, asked)
        if sign.outcome == "correct":
            sign.words = frozenset(self._places.plain(prediction.answer or "").split()[:_WORDS])
        if sign.outcome == "wrong":
            self._says(sign, prediction, spans, asked, reason)

    def _hold(self, sign: Sign, spans: Sequence[Placed], asked: Asked) -> None:
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
                    if (at := self._places.end_of(each, item)) is not None
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
        if first and (document := self._places.documents.get(first[0].document)) is not None:
            sign.place, sign.share = first[0].start, first[0].start / max(1, document.length)
        if lacking:
            sign.is_document_found = any(name in sign.documents for name in sign.gold)
            sign.is_cut = any(self._places.is_cut(each, item) for each in spans for item in lacking)
            sign.is_altered = any(self._places.is_altered(each, item) for each in spans for item in lacking)

    def _says(self, sign: Sign, prediction: Prediction, spans: Sequence[Placed], asked: Asked, reason: str) -> None:
        answer = self._places.plain(prediction.answer or "")
        texts = [self._places.plain(self._places.text_of(each)) for each in spans]
        words = answer.split()
        sign.is_copied = len(words) >= _COPIED and any(answer in text for text in texts)
        golds = (*asked.answers, *asked.aliases, *self._stated(asked))
        there = set(" ".join(texts).split())
        sign.is_near = (
            reason in _AROUND_GOLD
            or any(f" {self._places.plain(gold)} " in f" {answer} " for gold in golds if self._places.plain(gold))
            or any(is_near_gold(prediction.answer or "", gold) for gold in golds)
            or any(_breaks_off(words, self._places.plain(gold), there) for gold in golds)
        )
        sign.is_near |= any(is_rounded(prediction.answer or "", gold, there) for gold in asked.answers)
        said = [word for word in words if says_something(word)]
        known = set(self._places.plain(asked.text).split())
        values = [
            word for word in said if word not in known and (word.isdigit() or word in named_in(prediction.answer or ""))
        ]
        sign.is_grounded = all(word in there for word in values or said)
        sign.is_near |= not said  # cut before it says anything
        sign.said = (prediction.answer or "").strip()[:_SAID]
        sign.words = frozenset(said[:_WORDS]) - there - known

    def _stated(self, asked: Asked) -> list[str]:
        return [
            document.body[item.start : item.end]
            for item in asked.evidence
            if (document := self._places.documents.get(item.document)) is not None and document.text is not None
        ]


def _breaks_off(said: Sequence[str], gold: str, there: Set[str]) -> bool:
    """Whether an answer ends within a gold answer: after some of its words ("Anna D"), or within its first ("Lil").

    A single word that stands in a context as it is may be another value; so may a figure that lacks one digit.
    """
    for number in range(min(len(said), len(gold.split())), 0, -1):
        tail = " ".join(said[-number:])
        if tail == gold or not gold.startswith(tail) or not any(map(says_something, gold.split()[:number])):
            continue
        if number > 1 or (tail not in there and not (tail.isdigit() and len(gold) - len(tail) < _LOST_DIGITS)):
            return True
    return False
