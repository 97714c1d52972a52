"""Which module of a system fails: the finest that can be told from the outside, or that it cannot be told.

Each lost answer gets one module, by what is seen of it (`answers/signs.py`) and by what it shares with others: which
documents never turn up, whether losses follow the place of the evidence or the form of the question, what other
conditions and deeper searches show (`lost_to_search.py`, `lost_to_reading.py`). A module is named where what it costs
is beyond doubt. The thresholds were fixed on one half of the kinds of faults in `tests/faulty`, and tried on the other:
see `benchmarks/facts/faults.md`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.predictions import GOLD
from benchwright.benchmarks.reports.answers.outcomes import NONE_ANSWERABLE, attempt_outcomes
from benchwright.benchmarks.reports.answers.signs import Signs, signs_of
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.failures.lost_answers import LostAnswers, first_module, is_unplaced
from benchwright.benchmarks.reports.failures.lost_to_reading import tell_readings
from benchwright.benchmarks.reports.failures.lost_to_search import has_single_facts, tell_misses
from benchwright.benchmarks.reports.failures.probes import Probed, probed_answers
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.reports.share import DrawnShare, drawn_share

LEAST = 0.06
"""Of all answers, what a module must cost at least for sure to be named: the lower end of its interval."""
LEAST_OF_LOST = 0.2
"""Of lost answers, what it must be behind."""
CLEAR = 0.5
"""Of lost answers, from the lower end of the interval of what it is behind it is clear."""
NEVER_CLEAR = ("retrieval", "ignores", "top-k", "foreign")
"""Modules that another one looks like, whatever a run has: see `_is_proved`."""
_STRANGE = 0.2
"""Of contexts, from so many on that stand in no document what is missing may be there, garbled."""
_BOLD = 0.3
"""Of questions that nothing answers, from so many answered ones on the reader is too bold."""
_EVER = 0.1
"""Of answers, so many must be right for a reader to be seen to read at all."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module that may fail; see `diagnosis.toml`."""

    key: str
    name: str
    part: str
    told: str
    says: str
    advice: str
    learn: str = ""


@cache
def modules() -> Mapping[str, Module]:
    """By key, in the order of the table."""
    return {each["key"]: Module(**each) for each in read_toml(__package__, "diagnosis.toml")["modules"]}


@dataclass(frozen=True, slots=True)
class Blamed:
    """A module that fails, with what it costs."""

    key: str
    name: str
    count: int
    """Answers that it lost, of those that were looked at."""
    share: DrawnShare
    """Of all answers that were looked at, failed ones too; of boldness, of questions that nothing answers."""
    share_of_lost: DrawnShare | None
    confidence: str
    """clear or likely."""
    evidence: tuple[str, ...]
    """What it is told from."""


@dataclass(frozen=True)
class Diagnosis:
    """What fails."""

    blamed: tuple[Blamed, ...]
    """The largest first."""
    lost: int
    total: int
    """Answers that were looked at."""
    of: int
    """Answers that there are."""
    counts: Mapping[str, int]
    """Of lost answers, by module, named or not."""
    reason: str | None
    """Why nothing is named."""
    basis: tuple[str, ...]
    """What was there to tell it from: own, conditions, probes."""


@per_run
def diagnosis(run: RunData) -> Diagnosis:
    """What fails, by all that the run has."""
    return diagnose(run, signs_of(run), probed_answers(run), uses_conditions=True)


def diagnose(run: RunData, signs: Signs, probes: Mapping[int, Probed], *, uses_conditions: bool) -> Diagnosis:
    """What fails, by some of what a run has."""
    gold_right = _right_with_gold(run) if uses_conditions else {}
    basis = ("own", *(("conditions",) if gold_right else ()), *(("probes",) if probes else ()))
    case = LostAnswers(
        signs=signs.each,
        clusters=run.questions.clusters[[sign.question for sign in signs.each]] if signs.each else np.empty(0, int),
        forms=[run.questions.form.at(sign.question) for sign in signs.each],
        golds=[signs.texts[sign.question].answers if sign.question in signs.texts else () for sign in signs.each],
        gold_right=gold_right,
        probes=probes,
        module=[first_module(sign) for sign in signs.each],
        notes={},
    )
    unshown = sum(sign.outcome in ("wrong", "abstained") and first_module(sign) == "unseen" for sign in signs.each)
    tell_misses(case)
    tell_readings(case)
    counts = Counter(key for key in case.module if key)
    lost = sum(sign.outcome != "correct" for sign in signs.each)
    blamed = [each for key in counts if key in modules() if (each := _blame(case, key, lost)) is not None]
    blamed.sort(key=lambda each: -each.count)
    if (bold := _bold(run)) is not None:
        blamed.append(bold)
    reason = None if blamed else _reason(signs, lost, unshown, counts)
    return Diagnosis(tuple(blamed), lost, len(signs.each), signs.total, dict(counts.most_common()), reason, basis)


def _reason(signs: Signs, lost: int, unshown: int, counts: Mapping[str, int]) -> str:
    if not signs.each:
        return NONE_ANSWERABLE
    if unshown > lost / 2:
        if not any(sign.facts for sign in signs.each):
            return "the release marks no evidence, by which contexts and answers could be told apart"
        return "most lost answers do not show what was retrieved: hand in the contexts of each answer"
    if lost / len(signs.each) <= LEAST:
        return "few answers are lost"
    if counts.get("shy", 0) > lost / 2 and lost > (1 - _EVER) * len(signs.each):
        return (
            "nearly every answer is an abstention though the contexts held the evidence: whether the reader is too shy "
            "or never sees its contexts cannot be told; look at a prompt"
        )
    return "no module loses enough answers for sure: the losses are few, or spread over several"


def _right_with_gold(run: RunData) -> dict[int, bool]:
    if GOLD not in run.condition.names or run.shown == GOLD:
        return {}
    return {place: value > 0.5 for place, value in run.first_values("correct", GOLD).items()}


def _blame(case: LostAnswers, key: str, lost: int) -> Blamed | None:
    mine = np.array([each == key for each in case.module])
    is_lost = np.array([sign.outcome != "correct" for sign in case.signs])
    share = drawn_share(mine, case.clusters)
    of_lost = drawn_share(mine[is_lost], case.clusters[is_lost])
    if share.low is None or share.low < LEAST or int(mine.sum()) < LEAST_OF_LOST * lost:
        return None
    if key == "shy" and _hardly_ever_right(case):
        return None
    is_clear = of_lost.low is not None and of_lost.low >= CLEAR and _is_proved(case, key)
    confidence = "clear" if is_clear else "likely"
    return Blamed(key, modules()[key].name, int(mine.sum()), share, of_lost, confidence, tuple(case.notes.get(key, ())))


def _hardly_ever_right(case: LostAnswers) -> bool:
    """Whether nearly all is lost: then a reader that abstains cannot be told from one that sees nothing."""
    return sum(sign.outcome == "correct" for sign in case.signs) < _EVER * len(case.signs)


def _is_proved(case: LostAnswers, key: str) -> bool:
    """Whether a run has what a module needs to be told from another that looks the same.

    A search that never reaches a document looks like an index that lacks it, until the document's own words are tried;
    so a miss that nothing was tried of is no clear case of either, nor is another passage of the right document, where
    the right one may stand just below. Pieces that are too short to be known may be another corpus', and so may text
    that is garbled throughout. A reader that sees no context looks like one that is shy, until it is given the gold
    passages, and one that reads but one of several that it needs looks so even then; one that takes another context's
    value looks like one that does not see the last. What an answer says that is in no context may have been put there
    after the reader. More contexts would also help where the ranking puts others first. That a search does not follow
    links is seen beside questions that need one fact.
    """
    if key in NEVER_CLEAR:
        return False
    mine = case.open(key)
    signs = [case.signs[place] for place in mine]
    if key in ("missing", "passage"):
        return bool(case.probes) and not _is_strange(case, mine)
    if key == "search":
        return sum(sign.facts == 1 for sign in signs) > len(signs) / 2 and not _is_strange(case, mine)
    if key == "chunking":
        return not is_unplaced(case, mine)
    if key == "shy":
        return bool(case.gold_right) and sum(sign.facts == 1 for sign in signs) > len(signs) / 2
    if key == "steps":
        return has_single_facts(case)
    if key == "passing":
        known = [case.gold_right[sign.question] for sign in signs if sign.question in case.gold_right]
        says_little = sum(sign.outcome == "abstained" or not sign.is_grounded for sign in signs)
        return bool(known) and sum(known) >= 0.7 * len(known) and says_little > len(signs) / 2
    return True


def _is_strange(case: LostAnswers, places: Sequence[int]) -> bool:
    """Whether many contexts of answers are in no document: they may be from the one that is looked for, garbled."""
    signs = [case.signs[place] for place in places]
    return sum(sign.foreign + sign.unplaced for sign in signs) > _STRANGE * sum(sign.count for sign in signs)


def _bold(run: RunData) -> Blamed | None:
    """That questions are answered which nothing answers."""
    outcomes = attempt_outcomes(run)
    silent = ~run.questions.headline[outcomes.question] & outcomes.is_answered
    share = drawn_share(~outcomes.abstained[silent], run.questions.clusters[outcomes.question[silent]])
    if share.low is None or share.low < _BOLD:
        return None
    confidence = "clear" if share.low >= CLEAR else "likely"
    return Blamed("bold", modules()["bold"].name, int(share.count), share, None, confidence, ())
