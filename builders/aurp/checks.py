"""What a build of Aurp proved, for the manifest and the card."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchwright.benchmarks.statistics.power import minimum_detectable_difference
from benchwright.benchmarks.types import FRESH, KEPT
from benchwright.builders.aurp.evidence import Filled, Spans
from benchwright.builders.aurp.prove_documents import ProofCounts
from benchwright.builders.aurp.select_groups import MIXED, SPLITS, TEST, Selection
from benchwright.builders.sql.kinds import LOOKUP
from benchwright.builders.sql.templates.prepare import TemplateSet


def build_checks(
    filled: Sequence[Filled],
    forms: Sequence[str],
    kinds: Sequence[str],
    prepared: TemplateSet,
    selection: Selection,
    spans: Spans,
    quality: ProofCounts,
    executed: int,
) -> dict[str, Any]:
    """All counts; SQL templates, wordings and SQL queries multiply as M × N × Q (GRAMMAR, equation 4)."""
    per_split = {split: _of_split(filled, spans, split) for split in SPLITS}
    per_split = {split: counts for split, counts in per_split.items() if counts["queries"]}
    texts = {form: sum(counts[form] for counts in _wordings(filled).values()) for form in forms}
    return {
        "sql_templates": len(_wordings(filled)),
        "text_templates": texts,
        "sql_queries": sum(len(part.groups) for part in filled),
        "text_queries": {form: _questions(filled, form) for form in forms},
        "text_templates_by_rule": prepared.count_by_rule(
            list({part.asked.worded.sql.id: part.asked.worded for part in filled}.values())
        ),
        "sql_templates_per_split": {split: counts["templates"] for split, counts in per_split.items()},
        "sql_queries_per_split": {split: counts["queries"] for split, counts in per_split.items()},
        "answerable_groups": {split: counts["answerable"] for split, counts in per_split.items()},
        "gap_groups": {split: counts["gap"] for split, counts in per_split.items()},
        "test_groups_per_hops": _hops(filled),
        **_kinds(filled, kinds, prepared),
        **_subsets(filled),
        "minimum_detectable_difference": _detectable(per_split),
        "sql_templates_left_out": {
            **prepared.left_out,
            "no group was drawn": len(prepared.worded) - len(_wordings(filled)),
        },
        **prepared.checks_of_texts,
        "mixed_cells_dropped": selection.left_out[MIXED],
        "fillings_left_out": {reason: count for reason, count in selection.left_out.items() if reason != MIXED},
        "one_answer_per_filling": sum(len(part.groups) for part in filled),
        "executed_again": executed,
        "documents_checked": {
            "documents": quality.documents,
            "spans that state a fact": quality.spans,
            "spans that state what is superseded": quality.superseded_spans,
            "facts stated": quality.stated_cells,
            "known gaps": quality.gap_cells,
            "pairs of a known gap and a document that names its entity and is silent": quality.gap_documents,
        },
    }


def _of_split(filled: Sequence[Filled], spans: Spans, split: str) -> dict[str, int]:
    parts = [part for part in filled if part.asked.split == split]
    queries = sum(len(part.groups) for part in parts)
    gaps = sum(bool(spans.missing(group)) for part in parts for group in part.groups)
    absent = sum(group.absence is not None for part in parts for group in part.groups)
    answerable = queries - gaps - absent
    return {"templates": len(_wordings(parts)), "queries": queries, "answerable": answerable, "gap": gaps}


def _wordings(filled: Sequence[Filled]) -> Mapping[str, Counter[str]]:
    """Template's id → form → wordings."""
    worded = {part.asked.worded.sql.id: part.asked.worded for part in filled}
    return {key: Counter(form for form, _ in one.wordings) for key, one in worded.items()}


def _questions(filled: Sequence[Filled], form: str) -> int:
    wordings = _wordings(filled)
    return sum(len(part.groups) * wordings[part.asked.worded.sql.id][form] for part in filled)


def _hops(filled: Sequence[Filled]) -> dict[str, int]:
    counts: Counter[int] = Counter()
    for part in filled:
        if part.asked.split == TEST:
            counts[part.asked.worded.hops] += len(part.groups)
    return {str(hops): counts[hops] for hops in sorted(counts)}


def _kinds(filled: Sequence[Filled], kinds: Sequence[str], prepared: TemplateSet) -> dict[str, dict[str, int]]:
    """Groups of each kind, and the kinds that give none; nothing where lookups alone are asked."""
    if set(kinds) == {LOOKUP}:
        return {}
    groups: Counter[str] = Counter()
    for part in filled:
        groups[part.asked.worded.kind] += len(part.groups)
    nothing = dict.fromkeys([kind for kind in kinds if kind in prepared.without or not groups[kind]], 1)
    return {
        "groups_per_kind": {kind: groups[kind] for kind in kinds if groups[kind]},
        **({"kinds_left_out": nothing} if nothing else {}),
    }


def _subsets(filled: Sequence[Filled]) -> dict[str, Any]:
    """Questions of each subset, in the edition of a round."""
    counts: Counter[str] = Counter()
    for part in filled:
        for group in part.groups:
            if group.subset is not None:
                counts[group.subset] += len(part.asked.worded.wordings)
    return {"questions_per_subset": {name: counts[name] for name in (KEPT, FRESH)}} if counts else {}


def _detectable(per_split: Mapping[str, Mapping[str, int]]) -> float | None:
    """For the headline, which is over the answerable groups of `test`."""
    groups = per_split.get(TEST, {}).get("answerable", 0)
    return round(minimum_detectable_difference(groups), 4) if groups else None
