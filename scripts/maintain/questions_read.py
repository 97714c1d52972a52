"""The tables of the questions that were read one by one, from `benchmarks/facts/NAME_read.jsonl`.

One line is one question with its `id`, the `verdict`, and:

of `wikipedia`: the `half` of the articles, the `kind` of its answer, and whether its `fact_date` is right, as
    `scripts/measure/wikipedia_questions.py` printed it. No text stands there: articles and questions about them are
    other people's.
of `databases`: its `database`, the `seed` with which `scripts/measure/database_questions.py` printed it, and the
    `reason` of what was not kept. Question and answer stand there where the rows are ours.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonlines

FACTS = Path(__file__).resolve().parents[2] / "benchmarks" / "facts"
VERDICTS = {
    "wikipedia": ("kept", "ambiguous", "guessable", "wrong", "awkward"),
    "databases": ("kept", "unasked", "unclear", "awkward", "wrong form"),
}
"""What a reader says of a question; all but the first are errors. Of databases: nobody would ask it; one cannot tell
which thing is meant; nobody would put it so; the answer is not as people write it."""
HALVES = {
    "dev": "read while the rules were made",
    "first": "read once by others; what failed changed the rules",
    "unread": "read once after that",
}


def questions_read(source: str) -> list[dict[str, Any]]:
    """The verdicts, in the order in which the questions were read."""
    with jsonlines.open(FACTS / f"{source}_read.jsonl") as file:
        return list(file)


def table_of_read(source: str) -> str:
    """Verdicts on what was asked of `wikipedia` or of `databases`."""
    return {"wikipedia": _of_articles, "databases": _of_databases}[source](questions_read(source))


def _of_articles(rows: Sequence[dict[str, Any]]) -> str:
    """Verdicts by half and kind of answer, and how many dates of facts are right."""
    verdicts = VERDICTS["wikipedia"]
    lines = [
        f"| articles | kind of answer | read | {' | '.join(verdicts)} | date of the fact right |",
        "|---|---|" + "---:|" * (len(verdicts) + 2),
    ]
    for half, words in HALVES.items():
        of_half = [row for row in rows if row["half"] == half]
        for kind in sorted({row["kind"] for row in of_half}):
            lines.append(_line(words, kind, [row for row in of_half if row["kind"] == kind]))
        lines.append(_line(words, "**all**", of_half))
    return "\n".join([*lines, ""])


def _line(half: str, kind: str, rows: Sequence[dict[str, Any]]) -> str:
    dated = [row for row in rows if row["fact_date"] != "none"]
    right = sum(row["fact_date"] == "right" for row in dated)
    cells = [half, kind, *_counts(rows, VERDICTS["wikipedia"]), f"{right} of {len(dated)}"]
    return f"| {' | '.join(cells)} |"


def _of_databases(rows: Sequence[dict[str, Any]]) -> str:
    """Verdicts by database."""
    verdicts = VERDICTS["databases"]
    lines = [f"| database | read | {' | '.join(verdicts)} |", "|---|" + "---:|" * (len(verdicts) + 1)]
    for name in dict.fromkeys(row["database"] for row in rows):
        counts = _counts([row for row in rows if row["database"] == name], verdicts)
        lines.append(f"| {name} | {' | '.join(counts)} |")
    return "\n".join([*lines, ""])


def _counts(rows: Sequence[dict[str, Any]], verdicts: Sequence[str]) -> list[str]:
    """How many questions were read, and how many have each verdict."""
    counts = Counter(row["verdict"] for row in rows)
    return [str(len(rows)), *(str(counts[verdict]) for verdict in verdicts)]
