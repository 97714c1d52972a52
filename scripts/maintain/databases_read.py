"""The table of the questions of sample databases that somebody read, from `benchmarks/facts/databases_read.jsonl`.

    python -m benchwright.scripts.maintain.databases_read

One line is one question: its `database`, the `seed` with which `scripts/measure/database_questions.py` printed it, its
`id`, the `verdict`, and for what was not kept the `reason`. Questions and answers stand there where the rows are ours.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import click
import jsonlines

FACTS = Path(__file__).resolve().parents[2] / "benchmarks" / "facts"
VERDICTS = ("kept", "unasked", "unclear", "awkward", "wrong form")
"""What a reader says of a question: kept; nobody would ask it; one cannot tell which thing is meant; nobody would put
it so; the answer is not as people write it."""


def questions_read() -> list[dict[str, Any]]:
    """The verdicts, in the order in which the questions were read."""
    with jsonlines.open(FACTS / "databases_read.jsonl") as file:
        return list(file)


def table_of_read() -> str:
    """Verdicts by database."""
    rows = questions_read()
    lines = [f"| database | read | {' | '.join(VERDICTS)} |", "|---|" + "---:|" * (len(VERDICTS) + 1)]
    for name in dict.fromkeys(row["database"] for row in rows):
        counts = Counter(row["verdict"] for row in rows if row["database"] == name)
        lines.append(f"| {name} | {counts.total()} | {' | '.join(str(counts[verdict]) for verdict in VERDICTS)} |")
    return "\n".join(lines)


@click.command()
def main() -> None:
    """Print how many questions of each database were kept."""
    click.echo(table_of_read())


if __name__ == "__main__":
    main()
