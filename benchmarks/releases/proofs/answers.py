"""Every question has an id, a text and as many answers as its type says; its date is one."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchwright.benchmarks.releases.fact_dates import date_problem
from benchwright.benchmarks.releases.proofs.base import CheckRow, Material, Proof


def shape_problems(row: Mapping[str, Any]) -> Iterator[str]:
    """What does not go together in a row of `questions`."""
    answers, aliases, kind = row["answers"] or [], row["aliases"], row["answer_type"]
    if aliases is not None and len(aliases) != len(answers):
        yield f"it has {len(answers)} answers and aliases for {len(aliases)}"
    if kind in ("one", "boolean") and len(answers) != 1:
        yield f"its answer type is {kind}, and it has {len(answers)} answers"
    if row["answerability"] in ("answerable", "gap") and not answers:
        yield f"it is {row['answerability']} and has no answer"
    if row["answerability"] in ("gap", "unanswerable") and (row["documents"] or row["evidence"]):
        yield f"it is {row['answerability']} and names documents"
    if row.get("fact_date") is not None and (wrong := date_problem(row["fact_date"])):
        yield f"its fact_date {row['fact_date']!r} {wrong}"


def _rows(material: Material) -> CheckRow:
    def check(split: str, row: Mapping[str, Any]) -> None:
        if not row["id"] or not row["question"]:
            material.found.problem("question", f"question {row['id']} has no id or no text")
        for text in shape_problems(row):
            material.found.problem("answer", f"question {row['id']}: {text}")

    return check


PROOF = Proof(
    "answers", "every question has an id, a text and the answers that its type wants", 30, _rows, is_of_rows=True
)
