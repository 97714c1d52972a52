"""`history/history.parquet`: who moved, when and why. A row is a system whose value or place is not what it was.

A leaderboard is ranked anew at every publication. Of newcomers the history says that they came, and of others only
what is worth telling: a value that changed, and a place that changed because of that or because somebody surely better
came in. That a further system stands in the table makes ranks reach further without anybody having moved.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from benchwright.benchmarks.leaderboards.results import parquet_bytes
from benchwright.benchmarks.leaderboards.standings import RULES, Move

HISTORY_SCHEMA = pa.schema(
    [
        ("when", pa.string()),
        ("benchmark", pa.string()),
        ("version", pa.string()),
        ("part", pa.string()),
        ("metric", pa.string()),
        ("judge", pa.string()),
        ("system", pa.string()),
        ("value_before", pa.float64()),
        ("value", pa.float64()),
        ("rank_low_before", pa.int64()),
        ("rank_high_before", pa.int64()),
        ("rank_low", pa.int64()),
        ("rank_high", pa.int64()),
        ("revision_before", pa.string()),
        ("revision", pa.string()),
        ("scored_by_before", pa.string()),
        ("scored_by", pa.string()),
        ("why", pa.string()),
    ]
)
"""`when` is a time in ISO 8601; what is null before was not there, and what is null now is there no more."""
MOST_MOVES = 200
SUBMITTED, WITHDRAWN = "submitted", "withdrawn"
_SAME = 1e-9
_TABLE = ("benchmark", "version", "part", "metric", "judge")
_BOTH = ("value", "rank_low", "rank_high", "revision", "scored_by")
_BEFORE = tuple(f"{name}_before" for name in _BOTH)

Row = Mapping[str, Any]


def changes(before: pa.Table, after: pa.Table, when: str) -> pa.Table:
    """What two rankings, as rows of results, differ in.

    Args:
        before: the earlier.
        after: the later.
        when: the later's time, ISO 8601.
    """
    earlier, later = _tables(before), _tables(after)
    rows: list[Row] = []
    for table in sorted({*earlier, *later}, key=str):
        rows += _changes(dict(zip(_TABLE, table, strict=True)), earlier.get(table, {}), later.get(table, {}), when)
    return pa.Table.from_pylist(_without_changed_judges(rows), schema=HISTORY_SCHEMA)


def _without_changed_judges(rows: Sequence[Row]) -> list[Row]:
    """A system that left the table of one judge for that of another moved: it was not withdrawn and submitted anew."""
    left = {_system(row): row for row in rows if row["why"] == WITHDRAWN}
    came = {_system(row): row for row in rows if row["why"] == SUBMITTED}
    found: list[Row] = []
    for row in rows:
        other = left.get(_system(row))
        if row["why"] == SUBMITTED and other is not None:
            why = f"judged by {row['judge'] or RULES}, before by {other['judge'] or RULES}"
            found.append({**row, **{name: other[name] for name in _BEFORE}, "why": why})
        elif not (row["why"] == WITHDRAWN and _system(row) in came):
            found.append(row)
    return found


def _system(row: Row) -> tuple[str, ...]:
    """A system in a part, whoever judged."""
    return tuple(row[name] for name in (*_TABLE[:-1], "system"))


def history_bytes(history: pa.Table, new: pa.Table) -> bytes:
    """`history.parquet` with new rows below."""
    return parquet_bytes(pa.concat_tables([history, new]))


def moves_of(history: pa.Table, most: int = MOST_MOVES) -> tuple[Move, ...]:
    """The latest rows of a history, the newest first, in the form that a page shows."""
    rows = history.slice(max(0, len(history) - most)).to_pylist()
    return tuple(
        Move(
            when=row["when"],
            benchmark=row["benchmark"],
            version=row["version"],
            part=row["part"],
            metric=row["metric"],
            system=row["system"],
            value_before=row["value_before"],
            value=row["value"],
            ranks_before=_ranks(row, "_before"),
            ranks=_ranks(row, ""),
            why=row["why"],
        )
        for row in reversed(rows)
    )


def _ranks(row: Row, when: str) -> tuple[int, int] | None:
    low, high = row[f"rank_low{when}"], row[f"rank_high{when}"]
    return None if low is None or high is None else (low, high)


def _tables(results: pa.Table) -> dict[tuple[str, ...], dict[str, Row]]:
    """Table → system → row."""
    found: dict[tuple[str, ...], dict[str, Row]] = {}
    for row in results.select([*_TABLE, *_BOTH, "system", "apart"]).to_pylist():
        found.setdefault(tuple(row[name] for name in _TABLE), {})[row["system"]] = row
    return found


def _changes(table: Row, earlier: Mapping[str, Row], later: Mapping[str, Row], when: str) -> Iterator[Row]:
    """The rows of one table."""
    came = [name for name in later if name not in earlier]
    why = {name: _why(earlier[name], later[name]) for name in later if name in earlier}
    others_changed = any(why.values()) or any(name not in later for name in earlier)
    for name in sorted({*earlier, *later}):
        before, now = earlier.get(name), later.get(name)
        if before is None:
            said: str | None = SUBMITTED
        elif now is None:
            said = WITHDRAWN
        else:
            said = why[name] or _why_placed(before, now, came, others_changed=others_changed)
        if said is not None:
            row = {"when": when, **table, "system": name, "why": said}
            for column in _BOTH:
                row[f"{column}_before"] = None if before is None else before[column]
                row[column] = None if now is None else now[column]
            yield row


def _why(before: Row, now: Row) -> str | None:
    """Why a system's own value or standing is another; None where it is not."""
    is_same = _same(before["value"], now["value"]) and before["apart"] == now["apart"]
    if before["revision"] != now["revision"]:
        return "submitted again"
    if is_same:
        return None
    if before["value"] is None:
        return "scored"
    if before["scored_by"] != now["scored_by"]:
        return f"scored again with benchwright {now['scored_by']}, before with {before['scored_by']}"
    return "scored again"


def _why_placed(before: Row, now: Row, came: list[str], *, others_changed: bool) -> str | None:
    """Why a system of the same value has another place; None where it has not, or only since there are more systems."""
    if (before["rank_low"], before["rank_high"]) == (now["rank_low"], now["rank_high"]):
        return None
    if others_changed:
        return "others' values changed"
    return "a better system came" if came and before["rank_low"] != now["rank_low"] else None


def _same(one: float | None, two: float | None) -> bool:
    return one is two if one is None or two is None else abs(one - two) <= _SAME
