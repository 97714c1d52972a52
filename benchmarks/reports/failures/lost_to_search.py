"""Why evidence was not in the contexts: what misses share, and what probes of the search show."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from benchwright.benchmarks.reports.answers.signs import A_SENTENCE, Sign
from benchwright.benchmarks.reports.failures.lost_answers import LostAnswers, is_unplaced
from benchwright.benchmarks.reports.failures.probes import Probed
from benchwright.benchmarks.reports.failures.splits import GAP, best_split, worse_form
from benchwright.benchmarks.reports.format import number_of, percent

_MANY = 0.35
"""By how much a share must be larger than where nothing is lost, to be a sign."""
LEAST_STEPS = 15
"""Answers that lack a further fact, from which on that is a sign."""
NEVER = 0.05
"""Up to such a share of the characters of contexts nothing is from a part of documents: the rest is mistaken for it."""
_NEARLY_ALL = 0.8
"""Of missed answers, the documents of so many must never turn up to be called missing, where nothing was probed."""
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


def tell_misses(case: LostAnswers) -> None:
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


def _tell_chunking(case: LostAnswers) -> None:
    """Passages that are shorter than a sentence: they do not say what they are about."""
    lengths = [sign.length for sign in case.signs if sign.count > sign.foreign]
    if lengths and (usual := float(np.median(lengths))) < A_SENTENCE:
        note = f"a context has {usual:.0f} characters, less than a sentence"
        mine = case.open("retrieval", "passage")
        if is_unplaced(case, mine):
            note += "; most name no document, and are too short to be found in one: hand in documents' ids to be sure"
        case.lay(mine, "chunking", note)


def _tell_query(case: LostAnswers) -> None:
    missed = case.open("retrieval", "passage")
    looked = case.places(lambda sign: sign.outcome != "failed" and sign.shows)
    found = worse_form([case.forms[place] for place in looked], case.clusters[looked], np.isin(looked, missed))
    if found is not None:
        case.lay(
            [place for place in missed if case.forms[place] == found.form], "query", found.says("misses the evidence")
        )


def _tell_steps(case: LostAnswers) -> None:
    """Questions that combine facts, of which the search finds the first and not what it leads to."""
    missed = case.open("retrieval", "passage")
    mine = [place for place in missed if case.signs[place].facts_held]
    several = case.places(lambda sign: sign.facts > 1 and sign.outcome != "failed")
    single = case.places(lambda sign: sign.facts == 1 and sign.outcome != "failed")
    lost, usual = len(mine) / max(1, len(several)), len(set(missed) & set(single)) / max(1, len(single))
    if not has_single_facts(case):
        return  # whatever breaks leaves one of several facts
    if len(mine) >= LEAST_STEPS and lost - usual >= GAP:
        note = f"of questions that combine facts {percent(lost)} lack one, though another was found"
        case.lay(mine, "steps", f"{note}; of those that need one fact alone {percent(usual)} lack it")


def has_single_facts(case: LostAnswers) -> bool:
    """Whether enough questions need one fact alone for those that combine several to be held against them."""
    return len(case.places(lambda sign: sign.facts == 1 and sign.outcome != "failed")) >= LEAST_STEPS


def _tell_parts(case: LostAnswers) -> None:
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


def _tell_missing(case: LostAnswers) -> None:
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


def _is_stuck(case: LostAnswers, missed: Sequence[int]) -> bool:
    """Whether misses have the same few documents, whatever is asked."""
    slots = Counter(name for place in missed for name in case.signs[place].documents)
    return sum(count for _, count in slots.most_common(12)) > 0.6 * max(1, slots.total())


def _tell_by_probes(case: LostAnswers) -> None:
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
