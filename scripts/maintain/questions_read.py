"""The table of the questions that were read one by one, from `benchmarks/facts/NAME_read.jsonl`.

One line is one question: its `id` as `scripts/measure/wikipedia_questions.py` prints it, the `half` of the articles,
the `kind` of its answer, the `verdict`, and whether its `fact_date` is right. No text stands there: articles and
questions about them are other people's.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonlines

FACTS = Path(__file__).resolve().parents[2] / "benchmarks" / "facts"
VERDICTS = ("kept", "ambiguous", "guessable", "wrong", "awkward")
"""What a reader says of a question; all but the first are errors."""
HALVES = {
    "dev": "read while the rules were made",
    "first": "read once by others; what failed changed the rules",
    "unread": "read once after that",
}


def questions_read(benchmark: str) -> list[dict[str, Any]]:
    """The verdicts, in the order in which the questions were read."""
    with jsonlines.open(FACTS / f"{benchmark}_read.jsonl") as file:
        return list(file)


def table_of_read(benchmark: str) -> str:
    """Verdicts by half and kind of answer, and how many dates of facts are right."""
    rows = questions_read(benchmark)
    lines = [
        f"| articles | kind of answer | read | {' | '.join(VERDICTS)} | date of the fact right |",
        "|---|---|" + "---:|" * (len(VERDICTS) + 2),
    ]
    for half, words in HALVES.items():
        of_half = [row for row in rows if row["half"] == half]
        for kind in sorted({row["kind"] for row in of_half}):
            lines.append(_line(words, kind, [row for row in of_half if row["kind"] == kind]))
        lines.append(_line(words, "**all**", of_half))
    return "\n".join([*lines, ""])


def _line(half: str, kind: str, rows: Sequence[dict[str, Any]]) -> str:
    counts = Counter(row["verdict"] for row in rows)
    dated = [row for row in rows if row["fact_date"] != "none"]
    right = sum(row["fact_date"] == "right" for row in dated)
    cells = [half, kind, str(len(rows)), *(str(counts[verdict]) for verdict in VERDICTS), f"{right} of {len(dated)}"]
    return f"| {' | '.join(cells)} |"
