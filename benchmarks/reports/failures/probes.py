"""What probes of a run show: whether a deeper search, or one for the evidence's own words, finds what was missed."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.failures.context_places import Places
from benchwright.benchmarks.reports.failures.missed_evidence import evidence_of, matcher_of
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.runs.probes import PROBES, Probe, read_probes
from benchwright.benchmarks.types import Evidence


@dataclass(frozen=True, slots=True)
class Probed:
    """What was found for a question whose contexts lacked evidence."""

    rank: int | None
    """Of the context that holds the last of the facts, when asked for many more; None where one is not among them."""
    asked: int
    """So many passages were asked for."""
    is_found_by_its_words: bool
    """Asked with the words around the evidence, the search finds it."""
    is_document_found_by_its_words: bool


@per_run
def probed_answers(run: RunData) -> Mapping[int, Probed]:
    """Question → what its probes show; of questions that were not probed nothing."""
    by_question: dict[int, dict[str, Probe]] = {}
    for probe in read_probes(run.folder / PROBES):
        if (place := run.questions.index.get(probe.id)) is not None:
            by_question.setdefault(place, {})[probe.search] = probe
    if not by_question:
        return {}
    evidence, matcher = evidence_of(run, sorted(by_question)), matcher_of(run)
    places = Places(matcher)
    found = {}
    for place, probes in by_question.items():
        deeper, words = probes.get("deeper"), probes.get("words")
        if deeper is None:
            continue
        ranks = _ranks(places, deeper, evidence.get(place, ()))
        by_words = {} if words is None else _ranks(places, words, evidence.get(place, ()))
        is_whole = bool(ranks) and None not in ranks.values()
        found[place] = Probed(
            rank=max(rank or 0 for rank in ranks.values()) if is_whole else None,
            asked=deeper.asked,
            is_found_by_its_words=any(rank is not None for rank in by_words.values()),
            is_document_found_by_its_words=words is not None and bool(words.found),
        )
    return found


def _ranks(places: Places, probe: Probe, evidence: tuple[Evidence, ...]) -> dict[int, int | None]:
    """Each fact → the rank of the first context that holds it, None where none does."""
    ranks: dict[int, int | None] = dict.fromkeys(item.fact for item in evidence)
    contexts = places.matched([context for _, context in probe.found])
    for (rank, _), span in zip(probe.found, contexts, strict=True):
        for item in evidence:
            if ranks[item.fact] is None and places.end_of(span, item) is not None:
                ranks[item.fact] = rank
    return ranks
