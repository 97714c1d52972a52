"""Which semantic groups are asked, where not all are: shared out over documents and patterns, with quotas a document
and a clause."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.hashing import rank


@dataclass(frozen=True, slots=True)
class Candidate:
    """A semantic group that could be asked."""

    document: int
    """Place of its document."""
    pattern: str
    group: str
    clause: int
    """Place of its context in the document."""
    text: int = 0
    """A hash of its context's words."""


@dataclass(frozen=True)
class Quotas:
    """The most semantic groups; 0: all."""

    groups: int
    per_document: int
    per_clause: int


def choose(candidates: Iterable[Candidate], quotas: Quotas, seed: int) -> list[Candidate]:
    """The groups that are asked: of each document and pattern the first by the seed, then the second of each, and so
    on, as far as the quotas go. More groups are a superset of fewer; what is chosen of a document's alone is a superset
    of what is chosen of it among others."""
    chosen: list[Candidate] = []
    of_document: Counter[int] = Counter()
    of_clause: Counter[tuple[int, int]] = Counter()
    for each in in_turn(list(candidates), seed):
        clause = each.document, each.clause
        if quotas.per_document and of_document[each.document] >= quotas.per_document:
            continue
        if quotas.per_clause and of_clause[clause] >= quotas.per_clause:
            continue
        if quotas.groups and len(chosen) >= quotas.groups:
            break
        of_document[each.document] += 1
        of_clause[clause] += 1
        chosen.append(each)
    return chosen


def in_turn(candidates: Sequence[Candidate], seed: int) -> list[Candidate]:
    """Candidates so that any first part of them is shared out over documents and patterns."""
    ranked = sorted(candidates, key=lambda each: rank(seed, "telequad groups", each.group))
    rounds: Counter[tuple[int, str]] = Counter()
    placed: list[tuple[int, int, Candidate]] = []
    for place, each in enumerate(ranked):
        stratum = each.document, each.pattern
        placed.append((rounds[stratum], place, each))
        rounds[stratum] += 1
    return [each for _, _, each in sorted(placed, key=lambda item: item[:2])]
