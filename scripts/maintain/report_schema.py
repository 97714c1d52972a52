"""Writes the JSON Schemas of `report.json` and of what `compare-systems` writes, from their dataclasses.

python -m benchwright.scripts.maintain.report_schema
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from benchwright.benchmarks.comparisons.between import between_schema
from benchwright.benchmarks.comparisons.by_retrieval import by_retrieval_schema
from benchwright.benchmarks.comparisons.comparison import comparison_schema
from benchwright.benchmarks.comparisons.leakage import leakage_schema
from benchwright.benchmarks.reports.report import report_schema

_ROOT = Path(__file__).resolve().parents[2] / "benchmarks"
SCHEMA = _ROOT / "reports" / "report.schema.json"
COMPARISON_SCHEMA = _ROOT / "comparisons" / "compare.schema.json"
BETWEEN_SCHEMA = _ROOT / "comparisons" / "between.schema.json"
LEAKAGE_SCHEMA = _ROOT / "comparisons" / "leakage.schema.json"
BY_RETRIEVAL_SCHEMA = _ROOT / "comparisons" / "by-retrieval.schema.json"
SCHEMAS: Mapping[Path, Callable[[], dict[str, Any]]] = {
    SCHEMA: report_schema,
    COMPARISON_SCHEMA: comparison_schema,
    BETWEEN_SCHEMA: between_schema,
    LEAKAGE_SCHEMA: leakage_schema,
    BY_RETRIEVAL_SCHEMA: by_retrieval_schema,
}
"""Where each lies, and what makes it."""


def schema_text(path: Path = SCHEMA) -> str:
    """What a file of SCHEMAS holds."""
    return json.dumps(SCHEMAS[path](), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


@click.command()
def main() -> None:
    """Write the schemas."""
    for path in SCHEMAS:
        path.write_text(schema_text(path), encoding="utf-8")
        click.echo(path)


if __name__ == "__main__":
    main()
