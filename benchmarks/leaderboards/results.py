"""`results/results.parquet`: the ranking as rows, for `load_dataset(REPOSITORY, "results")`.

A row is a system in a table. The columns and their types are the same whatever there is, also where there is nothing.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.frontier import COST_COLUMNS
from benchwright.benchmarks.leaderboards.standings import Standing, Standings, Table, table_figure

_TEXTS = pa.list_(pa.string())
RESULTS_SCHEMA = pa.schema(
    [
        ("benchmark", pa.string()),
        ("version", pa.string()),
        ("part", pa.string()),
        ("metric", pa.string()),
        ("judge", pa.string()),
        ("rank_low", pa.int64()),
        ("rank_high", pa.int64()),
        ("system", pa.string()),
        ("name", pa.string()),
        ("submitter", pa.string()),
        ("organisation", pa.string()),
        ("value", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("separated_from", _TEXTS),
        ("apart", pa.string()),
        ("mark", pa.string()),
        ("claimed", pa.float64()),
        ("coverage", pa.float64()),
        ("questions", pa.int64()),
        ("groups", pa.int64()),
        ("abstained", pa.int64()),
        ("failed", pa.int64()),
        ("missing", pa.int64()),
        ("undecided", pa.int64()),
        ("input_tokens", pa.float64()),
        ("output_tokens", pa.float64()),
        ("cost", pa.float64()),
        ("latency", pa.float64()),
        ("retrievals", pa.float64()),
        ("frontier", _TEXTS),
        ("openness", pa.string()),
        ("models", _TEXTS),
        ("retriever", pa.string()),
        ("licence", pa.string()),
        ("link", pa.string()),
        ("authors", _TEXTS),
        ("is_organisers", pa.bool_()),
        ("builders_took_part", pa.bool_()),
        ("has_contexts", pa.bool_()),
        ("has_built_in_reader", pa.bool_()),
        ("built_in_texts", _TEXTS),
        ("flags", _TEXTS),
        ("round", pa.string()),
        ("pull_request", pa.int64()),
        ("revision", pa.string()),
        ("submitted", pa.string()),
        ("content_hash", pa.string()),
        ("scored_by", pa.string()),
    ]
)
"""`system` is the name in paths and `name` the one that is shown; ranks are null where a system stands `apart`, which
says why; `separated_from` holds systems of the same table; `frontier` the costs by which no other is as good for less;
`cost` is in US dollars and `latency` in seconds, a mean of one answer, as the submitter says."""


def results_table(standings: Standings) -> pa.Table:
    """The ranking as rows, in the order in which it is shown."""
    rows = [row for table in standings.tables for row in _rows(table)]
    return pa.Table.from_pylist(rows, schema=RESULTS_SCHEMA)


def results_bytes(standings: Standings) -> bytes:
    """`results.parquet`: the same ranking gives the same bytes."""
    return parquet_bytes(results_table(standings))


def parquet_bytes(table: pa.Table) -> bytes:
    """A table as Parquet; one without rows has no row group, which `load_dataset` calls a split that has no data."""
    sink = io.BytesIO()
    with pq.ParquetWriter(sink, table.schema, compression="zstd", write_page_index=True) as writer:
        if table.num_rows:
            writer.write_table(table)
    return sink.getvalue()


def read_results(path: Path) -> pa.Table:
    """An earlier ranking; without rows where there is none. A column that an older version did not write is null.

    Raises:
        BenchwrightError: it cannot be read.
    """
    return read_rows(path, RESULTS_SCHEMA)


def read_rows(path: Path, schema: pa.Schema) -> pa.Table:
    """The rows of a file of maintainers in these columns; without rows where there is none.

    Raises:
        BenchwrightError: it cannot be read.
    """
    if not path.is_file():
        return schema.empty_table()
    try:
        return pq.read_table(path, schema=schema)
    except (OSError, ValueError, pa.ArrowException) as error:
        what = str(error).splitlines()[0]
        raise BenchwrightError(f"{path} cannot be read ({what}): restore it from an earlier commit") from None


def _rows(table: Table) -> Iterator[dict[str, Any]]:
    slugs = [each.verdict.system for each in table.standings]
    for place, standing in enumerate(table.standings):
        others = table.separated[place] if place < len(table.separated) else ()
        yield {
            "benchmark": table.benchmark,
            "version": table.version,
            "part": table.part,
            "metric": table.metric,
            "judge": table.judge,
            "questions": table.questions,
            "groups": table.groups,
            "separated_from": [slugs[other] for other in others],
            **_of_standing(standing, table),
            **_of_system(standing),
        }


def _of_standing(standing: Standing, table: Table) -> dict[str, Any]:
    """What the table says of a system."""
    low, high = standing.ranks or (None, None)
    part = next((each for each in standing.verdict.parts if each.split == table.part), None)
    figure = table_figure(table, standing)
    costs = standing.costs
    return {
        "rank_low": low,
        "rank_high": high,
        "value": standing.value,
        "low": standing.low,
        "high": standing.high,
        "apart": standing.apart,
        "mark": None if figure is None else figure.mark,
        "claimed": None if figure is None else figure.claimed,
        "coverage": standing.coverage,
        "abstained": None if part is None else part.abstained,
        "failed": None if part is None else part.failed,
        "missing": None if part is None else part.missing,
        "undecided": standing.undecided,
        "input_tokens": costs.input_tokens,
        "output_tokens": costs.output_tokens,
        "cost": costs.cost,
        "latency": costs.latency,
        "retrievals": costs.retrievals,
        "frontier": [name for name in COST_COLUMNS if standing.is_on_frontier.get(name)],
    }


def _of_system(standing: Standing) -> dict[str, Any]:
    """What its submitter says of a system, and what the Hub says of the submission."""
    system, verdict = standing.system, standing.verdict
    return {
        "system": verdict.system,
        "name": system.name,
        "submitter": verdict.submitter,
        "organisation": system.organisation,
        "openness": system.openness,
        "models": [f"{model.role}: {model.name}" for model in system.models],
        "retriever": system.retriever,
        "licence": system.licence,
        "link": system.link,
        "authors": list(system.authors),
        "is_organisers": verdict.is_organisers,
        "builders_took_part": system.builders_took_part,
        "has_contexts": verdict.has_contexts,
        "has_built_in_reader": verdict.has_built_in_reader,
        "built_in_texts": list(verdict.built_in_texts),
        "flags": list(verdict.flags),
        "round": verdict.round,
        "pull_request": verdict.number,
        "revision": verdict.revision,
        "submitted": verdict.submitted,
        "content_hash": verdict.content_hash,
        "scored_by": verdict.scored_by,
    }
