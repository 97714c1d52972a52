"""Forged questions of every kind at Aurp: one copy in which each kind is forged in every way, verified once."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from built import Built, copy_release
from tampering import Copy

from benchwright.benchmarks.releases.proofs import base
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.schemas import json_text

ALL = "lookup,filter,comparison,count,minimum,maximum,sum,average,ranking,list,yes_no,unanswerable"
Row = dict[str, Any]


def _facts(row: Row) -> dict[str, Any]:
    return json.loads(row["metadata"])


def _without_a_fact(row: Row) -> None:
    """Evidence of the first fact is gone, with the documents that had nothing else."""
    _evidence(row, [item for item in row["evidence"] if item["fact"]])


def _evidence(row: Row, items: list[Row]) -> None:
    row.update(evidence=items, documents=list(dict.fromkeys(item["document"] for item in items)))


def _less_needed(row: Row) -> None:
    """It is said to need a fact less, in metadata and evidence alike."""
    row["metadata"] = json_text({**_facts(row), "facts": _facts(row)["facts"][:-1]})
    _evidence(row, [item for item in row["evidence"] if item["fact"] < len(_facts(row)["facts"])])


def _gap(row: Row) -> None:
    row.update(answerability="gap", documents=[], evidence=[], metadata=json_text({**_facts(row), "not_stated": [0]}))


def _answerable(row: Row) -> None:
    row.update(answerability="answerable", metadata=json_text({"facts": _facts(row)["facts"]}))


def _other_gap(row: Row) -> None:
    """Another of its facts is said not to be stated."""
    others = [number for number in range(len(_facts(row)["facts"])) if number not in _facts(row)["not_stated"]]
    row["metadata"] = json_text({**_facts(row), "not_stated": others[:1]})


def _no_document(row: Row) -> None:
    row["documents"] = row["documents"][:-1]


def _shifted(row: Row) -> None:
    """The span of the last fact is that of the words before it."""
    row["evidence"] = [
        *row["evidence"][:-1],
        {**row["evidence"][-1], "start": max(0, row["evidence"][-1]["start"] - 9)},
    ]


def _swapped(row: Row) -> None:
    """The evidence of the first two facts is exchanged."""
    items = [{**item, "fact": {0: 1, 1: 0}.get(item["fact"], item["fact"])} for item in row["evidence"]]
    _evidence(row, sorted(items, key=lambda item: item["fact"]))


def _otherwise(row: Row) -> None:
    """Another answer, of the same sort."""
    old = row["answers"][0]
    said = {"yes": "no", "no": "yes"}.get(old) or (str(int(old) + 1) if old.isdecimal() else f"{old} East")
    row.update(answers=[said, *row["answers"][1:]])


def _fewer(row: Row) -> None:
    row.update(answers=row["answers"][:-1], aliases=row["aliases"][:-1])


def _none_at_all(row: Row) -> None:
    row.update(answerability="unanswerable", answers=[], aliases=[], answer_type="none", documents=[], evidence=[],
               metadata='{"facts":[]}')  # fmt: skip


def _given_an_answer(row: Row) -> None:
    row.update(answers=["12"], aliases=[[]], answer_type="one", answerability="gap")


def _gap_of_nothing(row: Row) -> None:
    row.update(answerability="gap", metadata=json_text({"facts": [], "not_stated": [0]}))


def _other_kind(row: Row) -> None:
    row.update(kind="lookup" if row["kind"] != "lookup" else "count")


def _other_hops(row: Row) -> None:
    row.update(hops=row["hops"] + 1)


def _is(answerability: str, facts: int = 0) -> Callable[[Row], bool]:
    return lambda row: row["answerability"] == answerability and len(_facts(row)["facts"]) >= facts


def _is_long_list(row: Row) -> bool:
    return row["answerability"] == "answerable" and len(row["answers"]) > 1


FORGED: list[tuple[str, Callable[[Row], bool], Callable[[Row], object]]] = [
    ("a fact without evidence", _is("answerable", 2), _without_a_fact),
    ("a fact less", _is("answerable", 2), _less_needed),
    ("made a gap", _is("answerable", 1), _gap),
    ("a gap made answerable", _is("gap"), _answerable),
    ("another gap", _is("gap", 2), _other_gap),
    ("a document less", _is("answerable", 1), _no_document),
    ("a span moved", _is("answerable", 1), _shifted),
    ("facts exchanged", _is("answerable", 2), _swapped),
    ("another answer", _is("answerable", 1), _otherwise),
    ("an element less", _is_long_list, _fewer),
    ("made unanswerable", _is("answerable", 1), _none_at_all),
    ("given an answer", _is("unanswerable"), _given_an_answer),
    ("a gap of nothing", _is("unanswerable"), _gap_of_nothing),
    ("another kind", lambda row: True, _other_kind),
    ("other hops", lambda row: True, _other_hops),
]
"""What is forged, of which questions, and how."""


def _forge(rows: list[Row], done: dict[str, tuple[str, str]], used: set[str]) -> Iterator[Row]:
    """The rows, of each kind one group forged in each way; `done` is told the question's id → kind and way."""
    for kind in ALL.split(","):
        for name, suits, edit in FORGED:
            if (kind, name) in done.values():
                continue
            found = next((row for row in rows if row["kind"] == kind and row["group"] not in used and suits(row)), None)
            if found is None:
                continue
            used.add(found["group"])
            done[found["id"]] = kind, name
            for row in rows:
                if row["group"] == found["group"]:
                    edit(row)
                    yield row


def test_each_is_named(built: Built, tmp_path: Path) -> None:
    release = built.release("aurp", size=10, wordings=1, forms="short", groups=300, kinds=ALL, readable="none")
    copy = Copy(copy_release(release, tmp_path).folder)
    done: dict[str, tuple[str, str]] = {}
    marks: dict[str, list[str]] = {}
    used: set[str] = set()
    for split in ("test", "dev"):
        copy.rows("questions", lambda rows: marks.update(map(_marks, _forge(rows, done, used))), split)
    copy.manifest(lambda manifest: manifest["checks"]["groups_per_kind"].update(count=1))
    copy.seal()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base, "SHOWN", 10_000)
        found = "\n".join(verify_release(copy.release).problems)
    missed = [forged for name, forged in done.items() if not any(text in found for text in (name, *marks[name]))]
    assert missed == []
    assert "count: " in found and "groups_per_kind" in found
    kinds = {kind for kind, _ in done.values()}
    assert kinds == set(ALL.split(",")) and {way for _, way in done.values()} == {name for name, _, _ in FORGED}


def _marks(row: Row) -> tuple[str, list[str]]:
    """The id of a forged question, and what else names it: that a fact is stated after all, or not where it says, or
    elsewhere in the questions after it."""
    told = _facts(row)
    silent = [f"states {told['facts'][number]}" for number in told.get("not_stated", []) if told["facts"]]
    places = [f"{item['document']}[{item['start']}:{item['end']}]" for item in row["evidence"] or ()]
    return row["id"], [*silent, *places, *(f"its evidence of {name} is not" for name in told["facts"])]
