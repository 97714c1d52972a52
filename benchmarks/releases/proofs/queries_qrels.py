"""`queries` and `qrels` say what `questions` says, row by row."""

from itertools import zip_longest
from typing import Any

from benchwright.benchmarks.releases.proofs.base import Material, Proof


def check(material: Material) -> None:
    """Compares both configs with the questions, split by split."""
    for split in material.splits("questions"):
        _check_queries(material, split)
        _check_qrels(material, split)


def _check_queries(material: Material, split: str) -> None:
    questions = ((row["id"], row["question"]) for row in material.rows("questions", split, ["id", "question"]))
    queries = ((row["_id"], row["text"]) for row in material.rows("queries", split))
    for expected, there in zip_longest(questions, queries):
        if expected == there:
            material.found.proved["queries"] += 1
        else:
            first = (there or expected or ("?",))[0]
            material.found.problem("query", f"{first} is not the question of the same row")


def _check_qrels(material: Material, split: str) -> None:
    expected = (
        (row["id"], document)
        for row in material.rows("questions", split, ["id", "documents"])
        for document in row["documents"] or []
    )
    qrels = ((row["query-id"], row["corpus-id"], row["score"]) for row in material.rows("qrels", split))
    for wanted, there in zip_longest(expected, qrels):
        if wanted is not None and there == (*wanted, 1):
            material.found.proved["qrels"] += 1
        else:
            material.found.problem("qrel", f"there is {_arrow(there)} where the questions say {_arrow(wanted)}")


def _arrow(qrel: tuple[Any, ...] | None) -> str:
    return (
        "none"
        if qrel is None
        else f"{qrel[0]} → {qrel[1]}" + (f" with score {qrel[2]}" if qrel[2:] not in ((), (1,)) else "")
    )


PROOF = Proof("queries and qrels", "queries and qrels say what the questions say", 80, whole=check)
