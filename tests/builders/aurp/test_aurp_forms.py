"""Forms of files at Aurp: pairs beside the facts that questions need, and unbalanced sampling."""

import json
from collections import Counter
from pathlib import Path

from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card


def test_pairs_stand_beside_facts(tmp_path: Path) -> None:
    given = {"size": "10", "groups": "30", "wordings": "3", "forms": "short,typos", "sampling": "unbalanced",
             "reduced": "employee"}  # fmt: skip
    release = build_release("aurp", given, render_card, output=tmp_path)[0]
    assert verify_release(release).problems == []
    rows = [row for batch in release.batches("questions", "test") for row in batch.to_pylist()]
    told = [json.loads(row["metadata"]) for row in rows]
    assert all(one["facts"] for one in told)
    pairs = Counter((row["group"], one["contrast"]) for row, one in zip(rows, told, strict=True) if "contrast" in one)
    assert set(pairs.values()) == {2}
    lost = release.manifest.checks["reduced_groups"]
    assert lost
    assert all("employee" in group.split(", ") for group in lost)
    assert 0 < 2 * len(pairs) < len(rows)
