"""Writes `benchmarks/reports/report.schema.json`, the JSON Schema of `report.json`, from the report's dataclasses.

python -m benchwright.scripts.maintain.report_schema
"""

import json
from pathlib import Path

import click

from benchwright.benchmarks.reports.report import report_schema

SCHEMA = Path(__file__).resolve().parents[2] / "benchmarks" / "reports" / "report.schema.json"


def schema_text() -> str:
    """What the file holds."""
    return json.dumps(report_schema(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


@click.command()
def main() -> None:
    """Write the schema."""
    SCHEMA.write_text(schema_text(), encoding="utf-8")
    click.echo(SCHEMA)


if __name__ == "__main__":
    main()
