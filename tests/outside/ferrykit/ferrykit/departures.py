"""A proof: every answer stands in the timetable."""

from benchwright.benchmarks.releases.proofs.base import Material, Proof


def _check(material: Material) -> None:
    listed = {row["departure"] for row in material.rows("timetable", "test")}
    if listed:
        for row in material.rows("questions", "test", ["id", "answers"]):
            if not listed.issuperset(row["answers"]):
                material.found.problem("departure", f"question {row['id']} has an answer that is in no timetable")
            material.found.proved["departures"] += 1


PROOF = Proof("departures", "every answer stands in the timetable", 90, whole=_check)
