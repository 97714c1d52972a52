"""Every span of evidence lies in one of its question's documents, and the spans state every answer."""

from collections.abc import Mapping
from typing import Any

from benchwright.benchmarks.grounding.evidence import evidence_problem, span_problem
from benchwright.benchmarks.releases.proofs.base import CheckRow, Material, Proof

_NO_TEXT = "their texts are not in this release: only that they lie within them was checked"


def _rows(material: Material) -> CheckRow:
    documents, found = material.texts, material.found
    texts = {name: item.text for name, item in documents.items()}

    def check(split: str, row: Mapping[str, Any]) -> None:
        spans = row["evidence"] or []
        unread = [item for item in spans if item["document"] in texts and texts[item["document"]] is None]
        for text in evidence_problem(row, texts):
            # Of an answer that a text may state which is not here, nothing is known.
            if not unread or not text.startswith("no evidence states"):
                found.problem("evidence", f"question {row['id']}: {text}")
        for item in unread:
            text = span_problem(item, documents[item["document"]].length)
            if text:
                found.problem("evidence", f"question {row['id']}: {text}")
        if unread:
            found.leave("evidence spans", len(unread), _NO_TEXT)
        if len(spans) > len(unread):
            found.proved["evidence spans"] += len(spans) - len(unread)

    return check


PROOF = Proof(
    "evidence", "every span of evidence is in its document, and states its answer", 50, _rows, is_of_rows=True
)
