"""Proves pairs of two runs from a release's files: who stands where, and that there is something to choose between.

What the systems said is in the runs alone, whose SHA-256 the manifest names: building it again compares with them.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from benchwright.benchmarks.releases.pairs import WITHOUT_PREFERENCE
from benchwright.benchmarks.releases.proofs.base import Material
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.builders.wikieval.from_runs import SIDES, provenance_of, run_names
from benchwright.builders.wikieval.proofs.prove_candidates import PROVENANCE, Row

OF_RUNS = "pairs of two runs"
CONSISTENT = "pairs of two runs whose sides and sources agree"
_OF_RUNS = "neither of two systems was made to be the better one: let people label them"
_SYSTEMS = "that the systems said this: build it again, where both runs are"


def check_run_pairs(material: Material) -> None:
    """Looks at each pair beside its question."""
    manifest, found = material.release.manifest, material.found
    found.limits.append(_SYSTEMS)
    found.counted.add(WITHOUT_PREFERENCE)
    systems = [name.rpartition("/")[2] for name in run_names(manifest.sources)]
    if len(systems) != len(SIDES):
        found.problem("pairs", f"its sources do not name two runs, the {' and the '.join(SIDES)}")
        return
    names: dict[str, str] = dict(zip(SIDES, systems, strict=True))
    provenance = provenance_of((systems[0], systems[1]))
    count = 0
    for split in material.splits("pairs"):
        asked = {row["id"]: row for row in material.rows("questions", split)}
        order: list[str] = []
        for row in material.rows("pairs", split):
            order.append(row["id"])
            problems = list(_question_problems(row, asked.get(row["id"]), names))
            problems += _side_problems(row, provenance)
            problems += _source_problems(row)
            for text in problems:
                found.problem("pairs", f"pair {row['id']}: {text}")
            found.proved[CONSISTENT] += not problems
        if order != list(asked):
            found.problem("pairs", "its pairs are not those of its questions, one of each in their order")
        count += len(order)
    claimed, wanted = manifest.checks.get(WITHOUT_PREFERENCE), manifest.parameters.get("pages")
    if claimed != count:
        found.problem("count", f"checks.{WITHOUT_PREFERENCE} is {claimed!r:.80}, and counted it is {count:,}")
    if isinstance(wanted, int) and count > wanted:
        found.problem("count", f"there are {count:,} pairs, and the parameter pages is {wanted:,}")
    if count:
        found.leave(OF_RUNS, count, _OF_RUNS)
    else:
        found.problem("pairs", "there are none")


def _question_problems(row: Row, question: Row | None, sides: Mapping[str, str]) -> Iterator[str]:
    if question is None:
        return
    if question["question"] != row["question"]:
        yield "its question is not the one that questions have"
    told = read_metadata(question["metadata"])
    if {side: told.get(side) for side in SIDES} != sides:
        yield "its question names other systems than the manifest"
    if question["documents"] or question["evidence"]:
        yield "its question has documents or evidence, which are those of its own benchmark alone"


def _side_problems(row: Row, provenance: Mapping[str, Any]) -> Iterator[str]:
    try:
        made = json.loads(row.get(PROVENANCE) or "")
    except ValueError:
        made = None
    if made != provenance:
        yield "its provenance is not that of the two runs which the manifest names"


def _source_problems(row: Row) -> Iterator[str]:
    """Where the candidates of a pair are none to choose between, or its source is not what both systems read."""
    answer, poor, ungrounded = row["answer"], row["poor_answer"], row["ungrounded_answer"]
    first, second = list(row["context_v1"] or ()), list(row["context_v2"] or ())
    if ungrounded != (poor if row["source"] else ""):
        yield "its ungrounded answer is not its incomplete one, which both are what the second system said"
    if poor and poor.split() == answer.split():
        yield "both of its answers are the same"
    if second and sorted(second) == sorted(first):
        yield "both of its contexts are the same"
    if not poor and not second:
        yield "there is nothing to choose between"
    if (first or second) and ((second and not first) or row["source"] != "\n\n".join(dict.fromkeys([*first, *second]))):
        yield "its source is not what stands in its contexts"
