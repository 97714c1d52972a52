"""Which module of a system fails: the finest that can be told from the outside, or that it cannot be told.

Each lost answer gets one module, by what is seen of it (`signs.py`) and by what it shares with others: which documents
never turn up, whether losses follow the place of the evidence or the form of the question, what other conditions and
deeper searches show. A module is named where what it costs is beyond doubt. The thresholds were fixed on one half of
the kinds of faults in `tests/faulty`, and tried on the other: see `benchmarks/facts/faults.md`.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.predictions import GOLD
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import number_of, percent
from benchwright.benchmarks.reports.outcomes import NONE_ANSWERABLE, attempt_outcomes
from benchwright.benchmarks.reports.probes import Probed, probed_answers
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.reports.share import DrawnShare, drawn_share
from benchwright.benchmarks.reports.signs import A_SENTENCE, Sign, Signs, signs_of
from benchwright.benchmarks.reports.splits import GAP, best_split, worse_form

LEAST = 0.06
"""Of all answers, what a module must cost at least for sure to be named: the lower end of its interval."""
LEAST_OF_LOST = 0.2
"""Of lost answers, what it must be behind."""
CLEAR = 0.5
"""Of lost answers, from the lower end of the interval of what it is behind it is clear."""
_MANY = 0.35
"""By how much a share must be larger than where nothing is lost, to be a sign."""
LEAST_STEPS = 15
"""Answers that lack a further fact, from which on that is a sign."""
NEVER = 0.05
"""Up to such a share of the characters of contexts nothing is from a part of documents: the rest is mistaken for it."""
_NEARLY_ALL = 0.8
"""Of missed answers, the documents of so many must never turn up to be called missing, where nothing was probed."""
_BOLD = 0.3
"""Of questions that nothing answers, from so many answered ones on the reader is too bold."""
_EVER = 0.1
"""Of answers, so many must be right for a reader to be seen to read at all."""
_NAMED = 5
"""Documents that are named."""
_LIKE_PROBED = 0.6
"""Of probed answers, so many must agree for the others to be taken for the same."""


_PASSAGES = 0.7
"""Of missed answers, so many must have the right document for the passage alone to be what is missed."""
_CANDIDATES = 0.5
"""Of the passages that a probe asks for, those that a re-ranker may have had: some tens. Beyond, the search was it."""
_NOWHERE = 0.1
"""Of answers whose evidence lies in several depths, so many must be found in none for the search to be at fault."""


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


def published_table() -> list[str]:
    """The modules and what they are told from, as Markdown lines, as the guide has them."""
    rows = [f"| {each.part} | **{each.name}** | {each.told} |" for each in modules().values()]
    return ["| step | module | told from |", "|---|---|---|", *rows]


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


@dataclass
class _Case:
    """The lost answers of a run, and what may be used to tell whose they are."""

    signs: Sequence[Sign]
    clusters: np.ndarray
    forms: Sequence[str | None]
    gold_right: Mapping[int, bool]
    """Question → whether it is right with the gold passages."""
    probes: Mapping[int, Probed]
    module: list[str]
    """Of each sign; empty where it is not lost, or not told yet."""
    notes: dict[str, list[str]]

    def places(self, wanted: Callable[[Sign], bool]) -> list[int]:
        """Of the signs."""
        return [place for place, sign in enumerate(self.signs) if wanted(sign)]

    def open(self, *keys: str) -> list[int]:
        """The places of the signs that have one of these modules now."""
        return [place for place, key in enumerate(self.module) if key in keys]

    def lay(self, places: Sequence[int], key: str, note: str = "") -> None:
        """Gives signs their module."""
        for place in places:
            self.module[place] = key
        if note and places:
            self.notes.setdefault(key, []).append(note)


@per_run
def diagnosis(run: RunData) -> Diagnosis:
    """What fails, by all that the run has."""
    return diagnose(run, signs_of(run), probed_answers(run), uses_conditions=True)


def diagnose(run: RunData, signs: Signs, probes: Mapping[int, Probed], *, uses_conditions: bool) -> Diagnosis:
    """What fails, by some of what a run has."""
    gold_right = _right_with_gold(run) if uses_conditions else {}
    basis = ("own", *(("conditions",) if gold_right else ()), *(("probes",) if probes else ()))
    case = _Case(
        signs=signs.each,
        clusters=run.questions.clusters[[sign.question for sign in signs.each]] if signs.each else np.empty(0, int),
        forms=[run.questions.form.at(sign.question) for sign in signs.each],
        gold_right=gold_right,
        probes=probes,
        module=[_first(sign) for sign in signs.each],
        notes={},
    )
    unshown = sum(sign.outcome in ("wrong", "abstained") and _first(sign) == "unseen" for sign in signs.each)
    _tell_misses(case)
    _tell_readings(case)
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


def _first(sign: Sign) -> str:
    """The module that an answer alone points to; several of them are told apart later."""
    if sign.outcome == "correct":
        return ""
    if sign.outcome == "failed":
        return "errors"
    if not sign.shows or not sign.facts:
        return "unseen"
    return _of_reading(sign) if sign.is_held else _of_miss(sign)


def _of_miss(sign: Sign) -> str:
    if not sign.count:
        return "empty"
    if sign.foreign == sign.count:
        return "foreign"
    if sign.is_altered:
        return "stale"
    if sign.is_cut:
        return "chunking"
    if sign.count > 1 and sign.distinct <= sign.count / 2:
        return "duplicates"
    return "passage" if sign.is_document_found else "retrieval"


def _of_reading(sign: Sign) -> str:
    if sign.outcome == "abstained":
        return "shy"
    if sign.is_copied:
        return "copies"
    if sign.is_near:
        return "output"
    return "misreads" if sign.is_grounded else "ignores"


def _tell_misses(case: _Case) -> None:
    """Why evidence was not in the contexts, of answers whose contexts are from the corpus and as it has them."""
    _tell_chunking(case)
    _tell_query(case)
    _tell_steps(case)
    _tell_parts(case)
    _tell_missing(case)
    _tell_by_probes(case)
    passages, others = case.open("passage"), case.open("retrieval")
    if others and len(passages) < _PASSAGES * (len(passages) + len(others)):
        case.lay(passages, "retrieval")  # a search that misses sometimes finds another passage of the right document
    ranked = [place for place in case.open("retrieval") if case.signs[place].is_upside_down]
    if len(ranked) > len(case.open("retrieval")) / 2:
        case.lay(ranked, "ranking", "the scores of the contexts rise from the first to the last")


def _tell_chunking(case: _Case) -> None:
    """Passages that are shorter than a sentence: they do not say what they are about."""
    lengths = [sign.length for sign in case.signs if sign.count > sign.foreign]
    if lengths and (usual := float(np.median(lengths))) < A_SENTENCE:
        note = f"a context has {usual:.0f} characters, less than a sentence"
        mine = case.open("retrieval", "passage")
        if _is_unplaced(case, mine):
            note += "; most name no document, and are too short to be found in one: hand in documents' ids to be sure"
        case.lay(mine, "chunking", note)


def _is_unplaced(case: _Case, places: Sequence[int]) -> bool:
    """Whether most contexts of answers are too short to say whether they are from the corpus."""
    signs = [case.signs[place] for place in places]
    return sum(sign.unplaced for sign in signs) > sum(sign.count for sign in signs) / 2


def _tell_query(case: _Case) -> None:
    missed = case.open("retrieval", "passage")
    looked = case.places(lambda sign: sign.outcome != "failed" and sign.shows)
    found = worse_form([case.forms[place] for place in looked], case.clusters[looked], np.isin(looked, missed))
    if found is not None:
        case.lay(
            [place for place in missed if case.forms[place] == found.form], "query", found.says("misses the evidence")
        )


def _tell_steps(case: _Case) -> None:
    """Questions that combine facts, of which the search finds the first and not what it leads to."""
    missed = case.open("retrieval", "passage")
    mine = [place for place in missed if case.signs[place].facts_held]
    several = case.places(lambda sign: sign.facts > 1 and sign.outcome != "failed")
    single = case.places(lambda sign: sign.facts == 1 and sign.outcome != "failed")
    lost, usual = len(mine) / max(1, len(several)), len(set(missed) & set(single)) / max(1, len(single))
    if len(mine) >= LEAST_STEPS and lost - usual >= GAP:
        note = f"of questions that combine facts {percent(lost)} lack one, though another was found"
        case.lay(mine, "steps", f"{note}; of those that need one fact alone {percent(usual)} lack it")


def _tell_parts(case: _Case) -> None:
    """Losses that follow the place of the evidence in its document, where no context ever is from there."""
    missed = [place for place in case.open("retrieval", "passage") if case.signs[place].facts == 1]
    looked = [*missed, *case.places(lambda sign: sign.is_held and sign.facts == 1)]
    is_missed, spans = np.arange(len(looked)) < len(missed), [span for sign in case.signs for span in sign.spans]
    for of, values, is_share in (
        ("characters of the document", [case.signs[place].place for place in looked], False),
        ("of the document", [case.signs[place].share for place in looked], True),
    ):
        split = best_split(np.array(values, dtype=float), is_missed, case.clusters[looked])
        if split is None:
            continue
        beyond = np.array(values)[split.is_far & is_missed]
        edge = float(beyond.min() if split.is_after else beyond.max())
        if _covered(spans, edge, is_after=split.is_after, is_share=is_share) <= NEVER:
            mine = [place for place, on in zip(looked, split.is_far & is_missed, strict=True) if on]
            case.lay(mine, "parts", f"{split.says('evidence', of)}; no context is ever from there")
            return


def _covered(spans: Sequence[tuple[int, int, int]], edge: float, *, is_after: bool, is_share: bool) -> float:
    """The share of the characters of all contexts that are from beyond an edge in their document."""
    far, total = 0.0, 0
    for start, end, length in spans:
        at = edge * length if is_share else edge
        far += max(0.0, end - max(start, at)) if is_after else max(0.0, min(end, at) - start)
        total += end - start
    return far / total if total else 0.0


def _tell_missing(case: _Case) -> None:
    missed = case.open("retrieval")
    seen: dict[str, set[int]] = {}
    for sign, cluster in zip(case.signs, case.clusters.tolist(), strict=True):
        for name in sign.documents:
            seen.setdefault(name, set()).add(cluster)

    def is_unseen(place: int) -> bool:
        return not any(seen.get(name, set()) - {case.clusters[place]} for name in case.signs[place].gold)

    held = case.places(lambda sign: sign.is_held)
    unseen, of_held = [place for place in missed if is_unseen(place)], [place for place in held if is_unseen(place)]
    usual = len(of_held) / len(held) if held else 0.0
    if not missed or len(unseen) / len(missed) - usual < _MANY or _is_stuck(case, missed):
        return
    if not case.probes and len(unseen) < _NEARLY_ALL * len(case.open("retrieval", "passage")):
        return  # a search that fails widely leaves documents unseen, too
    documents = list(dict.fromkeys(name for place in unseen for name in case.signs[place].gold))
    note = (
        f"{number_of(len(documents), 'document')} that state what was asked never turn up in any context, whatever is "
        f"asked, such as {', '.join(documents[:_NAMED])}; of those whose evidence was found {percent(usual)} turn up "
        "for their own questions only"
    )
    case.lay(unseen, "missing", note)


def _is_stuck(case: _Case, missed: Sequence[int]) -> bool:
    """Whether misses have the same few documents, whatever is asked."""
    slots = Counter(name for place in missed for name in case.signs[place].documents)
    return sum(count for _, count in slots.most_common(12)) > 0.6 * max(1, slots.total())


def _tell_by_probes(case: _Case) -> None:
    """What a deeper search, and one for the evidence's own words, show of misses."""
    missed = case.open("retrieval", "passage", "missing")
    told = {
        place: _by_probe(case.signs[place], case.probes[case.signs[place].question], case.module[place])
        for place in missed
        if case.signs[place].question in case.probes
    }
    if not told:
        return
    told = _united(told)
    for key in dict.fromkeys(told.values()):
        case.lay([place for place in told if told[place] == key], key, _PROBE_NOTES.get(key, ""))
    (key, number), *_ = Counter(told.values()).most_common(1)
    if number >= _LIKE_PROBED * len(told):
        case.lay([place for place in missed if place not in told], key)


def _united(told: Mapping[int, str]) -> dict[int, str]:
    """One module for what a deeper search found in several depths or not at all.

    A search that is broken leaves some of it just below, some far below and some nowhere; where only the ranking is, or
    too little is handed in, nearly all is within reach.
    """
    depths = Counter(key for key in told.values() if key in ("search", "ranking", "top-k"))
    if depths["search"] >= _NOWHERE * depths.total() > 0:
        one = "search"
    elif depths and depths["top-k"] < _LIKE_PROBED * depths.total():
        one = "ranking"
    else:
        return dict(told)
    return {place: one if key in depths else key for place, key in told.items()}


_PROBE_NOTES = {
    "search": "asked for many more passages, it does not find the evidence either",
    "ranking": "asked for many more passages, it finds the evidence far down",
    "top-k": "asked for a few more passages, it finds the evidence next",
    "missing": "asked with the words of the evidence, it does not find the document",
    "parts": "asked with the words of the evidence, it finds the document and not this part of it",
}


def _by_probe(sign: Sign, probe: Probed, now: str) -> str:
    if probe.rank is not None and probe.rank <= _CANDIDATES * probe.asked:
        return "top-k" if probe.rank <= max(5, 2 * sign.count) else "ranking"
    if probe.is_found_by_its_words:
        return "passage" if now == "passage" else "search"
    if probe.is_document_found_by_its_words:
        return "parts"
    return "missing" if now == "missing" else "search"


def _tell_readings(case: _Case) -> None:
    """Why an answer is lost whose contexts held the evidence."""
    keys = ("shy", "ignores", "misreads", "copies", "output")
    held = case.places(lambda sign: sign.is_held)
    lost = case.open(*keys)
    found = worse_form([case.forms[place] for place in held], case.clusters[held], np.isin(held, lost))
    if found is not None:
        case.lay([place for place in lost if case.forms[place] == found.form], "reader-wording", found.says("loses it"))
    _tell_passing(case, held)
    for key in ("shy", "ignores"):
        mine = case.open(key)
        known = [case.gold_right[place] for each in mine if (place := case.signs[each].question) in case.gold_right]
        if known and sum(known) >= 0.7 * len(known):
            case.lay(mine, "passing", "with the gold passages alone the reader gets these right")


def _tell_passing(case: _Case, held: Sequence[int]) -> None:
    lost = case.open("shy", "ignores", "misreads")
    is_lost = np.isin(held, lost)
    found = []
    for name, of in (
        ("contexts", lambda sign: sign.rank),
        ("characters of a context", lambda sign: sign.offset),
        ("of a context", lambda sign: sign.offset_share),
        ("characters of all contexts", lambda sign: sign.depth),
        ("of all contexts", lambda sign: sign.depth_share),
    ):
        values = np.array([of(case.signs[place]) for place in held], dtype=float)
        split = best_split(values, is_lost, case.clusters[held])
        if split is not None:
            found.append((split.strength, name, split))
    if found:
        _, name, split = max(found, key=lambda each: each[0])
        mine = [place for place, on, is_gone in zip(held, split.is_far, is_lost, strict=True) if on and is_gone]
        case.lay(mine, "passing", split.says("evidence", name))


def _right_with_gold(run: RunData) -> dict[int, bool]:
    if GOLD not in run.condition.names or run.shown == GOLD:
        return {}
    return {place: value > 0.5 for place, value in run.first_values("correct", GOLD).items()}


def _blame(case: _Case, key: str, lost: int) -> Blamed | None:
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


def _hardly_ever_right(case: _Case) -> bool:
    """Whether nearly all is lost: then a reader that abstains cannot be told from one that sees nothing."""
    return sum(sign.outcome == "correct" for sign in case.signs) < _EVER * len(case.signs)


def _is_proved(case: _Case, key: str) -> bool:
    """Whether a run has what a module needs to be told from another that looks the same.

    A search that never reaches a document looks like an index that lacks it, until the document's own words are tried;
    so a miss that nothing was tried of is no clear case of either, nor is another passage of the right document, where
    the right one may stand just below. Pieces that are too short to be known may be
    another corpus'. A reader that sees no context looks like one that is shy, until it is given the gold passages.
    """
    if key in ("missing", "passage"):
        return bool(case.probes)
    if key == "retrieval":
        return False
    if key == "chunking":
        return not _is_unplaced(case, case.open(key))
    if key == "shy":
        return bool(case.gold_right)
    return True


def _bold(run: RunData) -> Blamed | None:
    """That questions are answered which nothing answers."""
    outcomes = attempt_outcomes(run)
    silent = ~run.questions.headline[outcomes.question] & outcomes.is_answered
    share = drawn_share(~outcomes.abstained[silent], run.questions.clusters[outcomes.question[silent]])
    if share.low is None or share.low < _BOLD:
        return None
    confidence = "clear" if share.low >= CLEAR else "likely"
    return Blamed("bold", modules()["bold"].name, int(share.count), share, None, confidence, ())
