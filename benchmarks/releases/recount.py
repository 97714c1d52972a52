"""What a build proved, counted anew for each half of a release with held-out questions.

A builder counts over all that it made. Of a public release such counts would be wrong, and the difference to what can
be counted in it would say how many of the held-out questions are known gaps. So a check is kept private unless the spec
says otherwise of it:

    [checks.sql_templates]
    public = "told"             it says nothing of an answer: both halves tell the count of the whole build

    [checks.sql_queries]
    public = "counted"          each half counts anew, from its rows,
    counter = "groups"          by this one of COUNTERS
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.release import TEST
from benchwright.benchmarks.statistics.power import minimum_detectable_difference

Declared = Mapping[str, Mapping[str, Any]]
"""Check → what the spec says of it."""


@dataclass(frozen=True)
class Group:
    """What is counted of a semantic group."""

    split: str
    template: str | None
    hops: int | None
    answerability: str | None


@dataclass
class QuestionCounts:
    """Counts of questions and semantic groups."""

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

    @property
    def per_split(self) -> dict[str, list[Group]]:
        """Split → its groups, `test` first."""
        found: dict[str, list[Group]] = {}
        for group in sorted(self.groups.values(), key=lambda group: group.split != TEST):
            found.setdefault(group.split, []).append(group)
        return found


@dataclass(frozen=True)
class Half:
    """One half of a release."""

    all_rows: QuestionCounts
    gold_rows: QuestionCounts
    """Those that have their answers in it."""


def _with(answerability: str) -> "Count":
    def count(half: Half, value: Any) -> dict[str, int]:
        return {
            split: sum(group.answerability == answerability for group in groups)
            for split, groups in half.gold_rows.per_split.items()
        }

    return count


def _test_groups_per_hops(half: Half, value: Any) -> dict[str, int]:
    groups = half.gold_rows.per_split.get(TEST, [])
    hops = Counter(group.hops for group in groups if group.hops is not None)
    return {str(number): hops[number] for number in sorted(hops)}


def _minimum_detectable_difference(half: Half, value: Any) -> float | None:
    groups = half.gold_rows.per_split.get(TEST, [])
    answerable = sum(group.answerability == "answerable" for group in groups)
    return round(minimum_detectable_difference(answerable), 4) if answerable else None


Count = Callable[[Half, Any], Any]
"""Given a half and what the builder counted over both."""

COUNTERS: Mapping[str, Count] = {
    "questions": lambda half, value: half.all_rows.questions,
    "questions_per_form": lambda half, value: {form: half.all_rows.forms[form] for form in value},
    "groups": lambda half, value: len(half.all_rows.groups),
    "groups_per_split": lambda half, value: {split: len(groups) for split, groups in half.gold_rows.per_split.items()},
    "templates_per_split": lambda half, value: {
        split: len({group.template for group in groups}) for split, groups in half.gold_rows.per_split.items()
    },
    "answerable_groups_per_split": _with("answerable"),
    "gap_groups_per_split": _with("gap"),
    "test_groups_per_hops": _test_groups_per_hops,
    "minimum_detectable_difference": _minimum_detectable_difference,
}
"""What a spec may name as a `counter`."""


def public_checks(checks: Mapping[str, Any], declared: Declared) -> dict[str, Any]:
    """The checks that may be public: those of which the spec says so."""
    return {
        name: value for name, value in checks.items() if declared.get(name, {}).get("public") in ("told", "counted")
    }


def recount(checks: Mapping[str, Any], declared: Declared, half: Half) -> dict[str, Any]:
    """Checks with the counts of one half in the place of those of the whole build.

    Raises:
        BenchwrightError: the spec names a counter that there is not.
    """
    return {
        name: _counter(name, declared)(half, value) if declared.get(name, {}).get("public") == "counted" else value
        for name, value in checks.items()
    }


def _counter(check: str, declared: Declared) -> Count:
    name = declared[check].get("counter", check)
    if name not in COUNTERS:
        raise BenchwrightError(
            f"the spec says that the check {check} is counted anew by {name!r}, and there is no such counter: "
            f"there are {', '.join(COUNTERS)}"
        )
    return COUNTERS[name]
