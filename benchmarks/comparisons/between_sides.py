"""The two sides of one run: which questions are on each, whether they are right, and which table they ask of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from benchwright.benchmarks.comparisons.between_samples import Judged
from benchwright.benchmarks.comparisons.read import check_same_release
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.reports.columns import Column, RunData
from benchwright.benchmarks.reports.grammar_figures import RetrievalSource, Row, judge_retrieval, tag_group
from benchwright.benchmarks.reports.grammar_rows import SOURCES, judged_rows
from benchwright.benchmarks.reports.groups import unavailable
from benchwright.benchmarks.reports.metrics.figures import NO_REASON, tally
from benchwright.benchmarks.schemas import DEFAULT_CONFIG

COLUMNS = ("form", "kind", "subset", "hops", "facts", "documents")
"""What a run may be split by."""
_NAMES = 8
"""Values that an error names."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two values."""

    value: str
    questions: int
    """That were asked."""
    judged: int
    """That have a verdict and a group: the others are left out."""
    unscored: Mapping[str, int]
    """Why there is no verdict → questions, the most frequent first."""


@dataclass(frozen=True, slots=True)
class ReadSides:
    """Both sides of a run."""

    column: str
    sides: tuple[Side, Side]
    judged: tuple[list[Judged], list[Judged]]
    unit: Literal["table", "template"]
    """What `part` of a question is."""
    retrieval_judged_by: str


def read_between(text: str) -> tuple[str, str, str]:
    """A column and two of its values, of `form=short,long`.

    Raises:
        UsageError: it is none.
    """
    column, _, values = text.partition("=")
    names = [each.strip() for each in values.split(",")]
    column = column.strip()
    if len(names) != 2 or not all(names) or not column:
        raise UsageError(
            f"--between {text!r} is not COLUMN=FIRST,SECOND: name two values, such as form=short,long, the one that is "
            "expected to be robust first"
        )
    if column not in COLUMNS:
        raise UsageError(f"--between {text!r}: a run is split by {', '.join(COLUMNS)}, and not by {column!r}")
    if names[0] == names[1]:
        raise UsageError(f"--between {text!r} names {names[0]!r} twice: name two values")
    return column, names[0], names[1]


def read_sides(run: RunData, between: str) -> ReadSides:
    """The sides of a run.

    Raises:
        UsageError: `between` is none, or the run has no question of a value.
        BenchwrightError: the run is of another release, or there is no group or no judged question of a side.
    """
    column, *names = read_between(between)
    check_same_release(run.release, [run.folder], [run.settings])
    values: Column = run.questions.column(column)
    for name in names:
        if name not in values.names:
            there = ", ".join(values.names[:_NAMES])
            more = f", and {len(values.names) - _NAMES} more" if len(values.names) > _NAMES else ""
            asked = f"it asks {there}{more}" if there else f"its questions have no {column}"
            raise UsageError(f"--between {between!r}: {run.folder.name} asks no question of {column} {name!r}; {asked}")
    if reason := unavailable(run):
        raise BenchwrightError(f"{run.folder.name}: Table 2 is {reason}")
    judged, how = judged_rows(run)
    unit, parts = _parts(run)
    found: list[tuple[Side, list[Judged], RetrievalSource]] = []
    for name in names:
        wanted = values.where(name)
        places = [place for place in judged if wanted[place]]
        if not places:
            raise BenchwrightError(
                f"{run.folder.name}: no question of {column} {name!r} was judged and has a group, so that there is "
                "nothing to compare: score the system again, or name another value"
            )
        rows = [judged[place] for place in places]
        retrieved, source = judge_retrieval(rows)
        right = _without_model(rows, retrieved, source)
        its = [
            Judged(run.questions.ids[place], row.group, row.correct, without, parts.get(place))
            for place, row, without in zip(places, rows, right, strict=True)
        ]
        found.append((_side(run, name, wanted, len(its)), its, source))
    (one, first, source), (two, second, other) = found
    said = SOURCES[source] + (f" ({how})" if source == "documents" else "")
    if source != other:
        said = f"{SOURCES[source]} of {names[0]}, and {SOURCES[other]} of {names[1]}"
    return ReadSides(column, (one, two), (first, second), unit, said)


def _without_model(rows: list[Row], retrieved: list[bool | None], source: RetrievalSource) -> list[bool | None]:
    """Whether each row is right once errors of the language model are removed: its answer or its retrieval is right.

    In the paper's Table 2 a removed error counts as right: left out instead, its accuracy and its robustness could not
    both be as they are. Context comparison knows of no such error outside of non-robust groups.
    """
    if source != "comparison":
        return [None if its is None else row.correct or its for row, its in zip(rows, retrieved, strict=True)]
    groups: dict[str, list[bool]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row.correct)
    compared = {name for name, outcomes in groups.items() if tag_group(outcomes) == "non-robust"}
    return [
        None if row.contexts is None else bool(its) if row.group in compared else row.correct
        for row, its in zip(rows, retrieved, strict=True)
    ]


def _side(run: RunData, name: str, wanted: "np.ndarray[tuple[int], np.dtype[np.bool_]]", judged: int) -> Side:
    rows = run.rows("correct", run.shown)
    asked = run.condition.where(run.shown)
    questions = len(np.unique(run.question[asked & wanted[run.question]]))
    if not len(rows):
        return Side(name, questions, judged, {})
    rows = rows[wanted[run.question[rows]]]
    first = rows[run.repeat[rows] == run.repeat[rows].min(initial=0)]
    column = run.metrics.index("correct")
    lacking = first[~run.is_scored[first, column]]
    return Side(name, questions, judged, tally(run.reasons.names, run.reasons.codes[lacking, column], NO_REASON))


def _parts(run: RunData) -> tuple[Literal["table", "template"], dict[int, str]]:
    """Question → the first table of its query; its template where the queries are not there or are of one table."""
    questions = run.questions
    tables: dict[int, str] = {}
    seen: dict[str, str | None] = {}
    for split in run.release.manifest.splits.get(DEFAULT_CONFIG, {}):
        for batch in run.release.batches(DEFAULT_CONFIG, split, ["id", "template", "sql"]):
            columns = (batch.column(name).to_pylist() for name in ("id", "template", "sql"))
            for name, template, sql in zip(*columns, strict=True):
                place = questions.index.get(name)
                if place is None or not sql:
                    continue
                key = template or sql
                if key not in seen:
                    seen[key] = _first_table(sql)
                if (table := seen[key]) is not None:
                    tables[place] = table
    if len(set(tables.values())) > 1:
        return "table", tables
    column = questions.template
    return "template", {place: name for place in range(len(questions.ids)) if (name := column.at(place)) is not None}


def _first_table(sql: str) -> str | None:
    """The first table that a query reads; None where it cannot be read."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    for dialect in ("sqlite", "mysql", "postgres"):
        try:
            table = sqlglot.parse_one(sql, read=dialect).find(exp.Table)
        except (SqlglotError, RecursionError):
            continue
        return None if table is None else table.name
    return None
