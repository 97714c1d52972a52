"""What a build proved, counted anew: for each half of a release with held-out questions, and by `verify-benchmark`.

A builder counts over all that it made. Of a public release such counts would be wrong, and the difference to what can
be counted in it would say how many of the held-out questions are known gaps. So a check is kept private unless the spec
says otherwise of it:

    [checks.sql_templates]
    public = "told"             it says nothing of an answer: both halves tell the count of the whole build

    [checks.sql_queries]
    public = "counted"          each half counts anew, from its rows,
    counter = "groups"          by this one of COUNTERS

`verify-benchmark` recounts every check that names a counter, told or counted, and of one that is several counts those
that are named:

    [checks.documents_checked.counters]
    documents = "documents"

What names none is the builder's word; only building the release again proves it. A spec's [texts] names counters in the
same way for the sorts of text of the manifest, whoever wrote them.
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


@dataclass(frozen=True, slots=True)
class Group:
    """What is counted of a semantic group."""

    split: str
    template: str | None
    hops: int | None
    answerability: str | None
    kind: str | None


@dataclass
class QuestionCounts:
    """Counts of questions and semantic groups."""

    forms: Counter[str] = field(default_factory=Counter)
    """Form → questions."""
    groups: dict[str, Group] = field(default_factory=dict)
    """By id; a question without a group is one of its own."""
    subsets: Counter[str] = field(default_factory=Counter)
    """Subset → questions."""
    questions: int = 0

    def add(self, batch: pa.RecordBatch, split: str) -> None:
        """Takes in rows of `questions`."""
        self.questions += len(batch)
        for item in pc.value_counts(batch.column("form")).to_pylist():
            self.forms[item["values"] or ""] += item["counts"]
        for item in pc.value_counts(batch.column("subset")).to_pylist():
            self.subsets[item["values"] or ""] += item["counts"]
        ids = pc.coalesce(batch.column("group"), batch.column("id")).to_pylist()
        last = {group: place for place, group in enumerate(ids) if group not in self.groups}
        columns = batch.select(_OF_A_GROUP).take(pa.array(list(last.values()), pa.int64()))
        for group, row in zip(last, columns.to_pylist(), strict=True):
            self.groups[group] = Group(split, *(row[name] for name in _OF_A_GROUP))

    @property
    def per_split(self) -> dict[str, list[Group]]:
        """Split → its groups, `test` first."""
        found: dict[str, list[Group]] = {}
        for group in sorted(self.groups.values(), key=lambda group: group.split != TEST):
            found.setdefault(group.split, []).append(group)
        return found


_OF_A_GROUP = ["template", "hops", "answerability", "kind"]
QUESTION_COLUMNS = ("id", "group", "form", *_OF_A_GROUP, "subset")
"""What `QuestionCounts.add` reads."""


@dataclass
class OtherCounts:
    """Counts of what is the same in both halves."""

    sql_templates: int = 0
    wordings: Counter[str] = field(default_factory=Counter)
    """Form → text templates."""
    documents: int = 0
    documents_per_subset: Counter[str] = field(default_factory=Counter)
    """What their metadata calls `subset` → documents."""


@dataclass(frozen=True)
class Half:
    """One half of a release, or the whole of one that has none."""

    all_rows: QuestionCounts
    gold_rows: QuestionCounts
    """Those that have their answers in it."""
    others: OtherCounts = field(default_factory=OtherCounts)
    """Counted by `verify-benchmark` alone."""


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


def _per_form(counts: Mapping[str, int], value: Any) -> dict[str, int]:
    """By form: of those that the builder names, and of any other that is there."""
    return {form: counts.get(form, 0) for form in {**_mapping(value), **counts} if form}


def _per_subset(counts: Mapping[str, int], value: Any) -> dict[str, int]:
    """By subset, of those that the builder names."""
    return {name: counts.get(name, 0) for name in _mapping(value)}


def _per_kind(half: Half, value: Any) -> Any:
    """Groups by kind; where some do not say theirs, as in a public half, what the builder says."""
    kinds = Counter(group.kind for group in half.all_rows.groups.values())
    return value if None in kinds else {kind: count for kind, count in kinds.items() if kind}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _minimum_detectable_difference(half: Half, value: Any) -> float | None:
    groups = half.gold_rows.per_split.get(TEST, [])
    answerable = sum(group.answerability == "answerable" for group in groups)
    return round(minimum_detectable_difference(answerable), 4) if answerable else None


Count = Callable[[Half, Any], Any]
"""Given a half and what the builder counted over both."""

COUNTERS: Mapping[str, Count] = {
    "questions": lambda half, value: half.all_rows.questions,
    "questions_per_form": lambda half, value: _per_form(half.all_rows.forms, value),
    "questions_per_subset": lambda half, value: _per_subset(half.all_rows.subsets, value),
    "groups": lambda half, value: len(half.all_rows.groups),
    "groups_per_split": lambda half, value: {split: len(groups) for split, groups in half.gold_rows.per_split.items()},
    "groups_per_kind": _per_kind,
    "templates_per_split": lambda half, value: {
        split: len({group.template for group in groups}) for split, groups in half.gold_rows.per_split.items()
    },
    "answerable_groups_per_split": _with("answerable"),
    "gap_groups_per_split": _with("gap"),
    "test_groups_per_hops": _test_groups_per_hops,
    "minimum_detectable_difference": _minimum_detectable_difference,
    "sql_templates": lambda half, value: half.others.sql_templates,
    "text_templates": lambda half, value: half.others.wordings.total(),
    "text_templates_per_form": lambda half, value: _per_form(half.others.wordings, value),
    "documents": lambda half, value: half.others.documents,
    "documents_per_subset": lambda half, value: _per_subset(half.others.documents_per_subset, value),
    "haystack": lambda half, value: half.others.documents_per_subset["haystack"],
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


def counted_again(name: str, value: Any, declared: Declared, half: Half) -> Any:
    """What a check must be: what its counter gives, or where it names counters for its entries, these among the others.

    None where it names no counter.

    Raises:
        BenchwrightError: the spec names a counter that there is not.
    """
    about = declared.get(name, {})
    if about.get("counter"):
        return _counter(name, declared)(half, value)
    entries = about.get("counters")
    if not entries or not isinstance(value, Mapping):
        return None
    again = {entry: _named(counter, name)(half, value.get(entry)) for entry, counter in entries.items()}
    return {**value, **again}


def _counter(check: str, declared: Declared) -> Count:
    return _named(declared[check].get("counter", check), check)


def _named(name: str, check: str) -> Count:
    if name not in COUNTERS:
        raise BenchwrightError(
            f"the spec says that the check {check} is counted anew by {name!r}, and there is no such counter: "
            f"there are {', '.join(COUNTERS)}"
        )
    return COUNTERS[name]
