"""What a build proved, counted anew for each half of a release with held-out questions.

A builder counts over all that it made. Of a public release such counts would be wrong, and the difference to what can
be counted in it would say how many of the held-out questions are known gaps.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.releases.release import TEST
from benchwright.benchmarks.statistics.power import minimum_detectable_difference

TOLD = frozenset(
    {
        "sql_templates",
        "text_templates",
        "text_templates_by_rule",
        "text_templates_by_model",
        "sql_templates_by_model",
        "executed_again",
        "mixed_cells_dropped",
        "fillings_left_out",
        "sql_templates_left_out",
        "proposed_sql_templates_rejected",
        "tables_without_sql_template",
        "proposed_texts_rejected",
        "templates_and_forms_with_fewer_texts_than_wanted",
        "texts_unused_for_balance",
        "documents_checked",
        "documents_by_model",
        "documents_by_rule",
        "attempts_per_document_by_model",
        "problems_in_attempts",
    }
)
"""Counts over a whole build that say nothing of an answer: of templates, of documents, of what is not asked."""

_COUNTED = frozenset(
    {
        "sql_queries",
        "text_queries",
        "one_answer_per_filling",
        "sql_templates_per_split",
        "sql_queries_per_split",
        "answerable_groups",
        "gap_groups",
        "test_groups_per_hops",
        "minimum_detectable_difference",
    }
)
"""Counts that each half makes anew from its rows."""


@dataclass(frozen=True)
class Group:
    """What is counted of a semantic group."""

    split: str
    template: str | None
    hops: int | None
    answerability: str | None


@dataclass
class Tally:
    """Counts questions and semantic groups."""

    forms: Counter[str] = field(default_factory=Counter)
    """Form → questions."""
    groups: dict[str, Group] = field(default_factory=dict)
    """By id; a question without a group is one of its own."""
    questions: int = 0

    def add(self, batch: pa.RecordBatch, split: str) -> None:
        """Takes in rows of `questions`."""
        self.questions += len(batch)
        for item in pc.value_counts(batch.column("form")).to_pylist():
            self.forms[item["values"] or ""] += item["counts"]
        ids = pc.coalesce(batch.column("group"), batch.column("id")).to_pylist()
        last = {group: place for place, group in enumerate(ids) if group not in self.groups}
        columns = batch.select(["template", "hops", "answerability"]).take(pa.array(list(last.values()), pa.int64()))
        for group, row in zip(last, columns.to_pylist(), strict=True):
            self.groups[group] = Group(split, row["template"], row["hops"], row["answerability"])


def told_in_public(checks: Mapping[str, Any]) -> dict[str, Any]:
    """The checks that may be public; a count that this program does not know may not."""
    return {name: value for name, value in checks.items() if name in TOLD or name in _COUNTED}


def counted_anew(checks: Mapping[str, Any], all_rows: Tally, gold_rows: Tally) -> dict[str, Any]:
    """Checks with the counts of one half in the place of those of the whole build.

    Args:
        checks: what the builder counted.
        all_rows: all questions of the half.
        gold_rows: those that have their answers in it.
    """
    new = _counts(checks, all_rows, gold_rows)
    return {name: new.get(name, value) for name, value in checks.items()}


def _counts(checks: Mapping[str, Any], all_rows: Tally, gold_rows: Tally) -> dict[str, Any]:
    groups = list(gold_rows.groups.values())
    splits = list(dict.fromkeys(group.split for group in sorted(groups, key=lambda group: group.split != TEST)))
    answerable = {split: _number(groups, split, "answerable") for split in splits}
    hops = Counter(group.hops for group in groups if group.split == TEST and group.hops is not None)
    in_test = answerable.get(TEST, 0)
    return {
        "sql_queries": len(all_rows.groups),
        "one_answer_per_filling": len(all_rows.groups),
        "text_queries": {form: all_rows.forms[form] for form in checks.get("text_queries", {})},
        "sql_templates_per_split": {
            split: len({group.template for group in groups if group.split == split}) for split in splits
        },
        "sql_queries_per_split": {split: sum(group.split == split for group in groups) for split in splits},
        "answerable_groups": answerable,
        "gap_groups": {split: _number(groups, split, "gap") for split in splits},
        "test_groups_per_hops": {str(number): hops[number] for number in sorted(hops)},
        "minimum_detectable_difference": round(minimum_detectable_difference(in_test), 4) if in_test else None,
    }


def _number(groups: list[Group], split: str, answerability: str) -> int:
    return sum(group.split == split and group.answerability == answerability for group in groups)
