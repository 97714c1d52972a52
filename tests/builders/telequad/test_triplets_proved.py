"""Triplets of a build: what standard libraries read of them, and lies that are found in them."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import berths
import datasets
import pytest
from alike_documents import COMMON, write_alike
from built import Built, copy_release
from tampering import Copy, Row

from benchwright.benchmarks.releases.proofs.base import Material, Verification
from benchwright.benchmarks.releases.proofs.verify import run, verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.telequad.prove_triplets import COUNTS, NAMED, PROOF, ROWS
from benchwright.builders.telequad.triplets.mine import BARRED, LEFT_OUT, NEGATIVES, PASSED_OVER

COLUMNS = ["anchor", "positive", "negative_1", "negative_2", "negative_3", "negative_4"]


@pytest.fixture(scope="module")
def release(built: Built) -> Release:
    """A build of three short documents with tables and clauses that are much alike."""
    folder = built.folder("alike", write_alike)
    return built.release("telequad", source=folder, forms="short", wordings=1, readable="none")


def proved(release: Release) -> Verification:
    found = Verification()
    run([PROOF], Material(release, found))
    return found


def test_a_build_is_proved(release: Release) -> None:
    found = verify_release(release)
    assert found.problems == []
    checks = release.manifest.checks
    left_out = sum(checks[LEFT_OUT].values())
    answerable = sum(
        row["answerability"] == "answerable" for split in ("test", "train") for row in _questions(release, split)
    )
    assert found.proved[ROWS] == release.manifest.rows["triplets"] == answerable - left_out > 10
    assert sum(checks[NEGATIVES].values()) == 4 * found.proved[ROWS]
    assert found.proved[COUNTS] == 2
    assert {NEGATIVES, LEFT_OUT} <= found.counted


def test_they_load_as_sentence_transformers_wants_them(release: Release) -> None:
    loaded: Any = datasets.load_dataset(str(release.folder), "triplets")
    assert {split: rows.column_names for split, rows in loaded.items()} == {"test": COLUMNS, "train": COLUMNS}
    assert {str(split): len(rows) for split, rows in loaded.items()} == release.manifest.splits["triplets"]
    assert all(row[name] for rows in loaded.values() for row in rows for name in COLUMNS)


def test_no_text_of_training_stands_in_a_document_of_the_test(release: Release) -> None:
    copy = Copy(release.folder)
    used = {row[name] for row in copy.read("triplets", "train") for name in COLUMNS[1:]}
    files = {row["_id"]: row for row in copy.read("corpus")}
    of_test = {name for row in _questions(release, "test") for name in row["documents"]}
    named = {re.findall('"file":"([^"]*)"', files[name]["metadata"])[0] for name in of_test}
    texts = {row["text"] for row in files.values() if re.findall('"file":"([^"]*)"', row["metadata"])[0] in named}
    assert len(used) > 10 and len(texts) > 25 and COMMON.removeprefix("## ") in texts
    assert used & texts == set()
    assert release.manifest.checks[PASSED_OVER][BARRED] > 0


def _questions(release: Release, split: str) -> list[Row]:
    return Copy(release.folder).read("questions", split)


def _set(row: Mapping[str, Any], **values: Any) -> Row:
    return {**row, **values}


def _says_it(row: Row, others: list[Row]) -> Row:
    return _set(row, negative_2=row["positive"] + " And so on.")


LIES: list[tuple[str, Callable[[Copy, list[Row]], list[Row]], str]] = [
    ("a negative that is not in the corpus", lambda copy, rows: [_set(rows[0], negative_2="Void."), *rows[1:]], "negative_2 is no text of the corpus"),
    ("the positive among the negatives", lambda copy, rows: [_set(rows[0], negative_3=rows[0]["positive"]), *rows[1:]], "a text is there twice"),
    ("a negative twice", lambda copy, rows: [_set(rows[0], negative_3=rows[0]["negative_1"]), *rows[1:]], "a text is there twice"),
    ("another section as the positive", lambda copy, rows: [_set(rows[0], positive=rows[0]["negative_1"], negative_1=rows[0]["positive"]), *rows[1:]], "its positive is no text of the corpus in which evidence"),
    ("no negative", lambda copy, rows: [_set(rows[0], negative_4=None), *rows[1:]], "negative_4 is no text of the corpus"),
    ("another question", lambda copy, rows: [_set(rows[0], anchor="How old is it?"), *rows[1:]], "its anchor is no question of the split that has an answer"),
    ("a question of training", lambda copy, rows: [copy.read("triplets", "train")[0], *rows[1:]], "its anchor is no question of the split that has an answer"),
    ("a negative of training", lambda copy, rows: [_set(rows[0], negative_1=copy.read("triplets", "train")[0]["positive"]), *rows[1:]], "negative_1 is of a document of another split"),
    ("a row twice", lambda copy, rows: [rows[0], *rows[:-1]], "its anchor stands with its positive before"),
]  # fmt: skip


@pytest.mark.parametrize(("lie", "said"), [pytest.param(lie, said, id=name) for name, lie, said in LIES])
def test_a_lie_is_found(
    lie: Callable[[Copy, list[Row]], list[Row]], said: str, release: Release, tmp_path: Path
) -> None:
    copy = Copy(copy_release(release, tmp_path).folder)
    copy.write("triplets", lie(copy, copy.read("triplets")))
    problems = proved(copy.release).problems
    assert any(re.match(rf"triplet: test row \d+ \(.*\): {said}", text) for text in problems), problems


def test_a_negative_that_says_the_answer_is_found(release: Release, tmp_path: Path) -> None:
    copy = Copy(copy_release(release, tmp_path).folder)
    rows = copy.read("triplets")
    (answer,) = next(row["answers"] for row in copy.read("questions") if row["question"] == rows[0]["anchor"])
    told = f"Elsewhere it is said to be {answer.upper()}, as it happens."
    before = rows[0]["negative_2"]
    copy.each("corpus", lambda row: row.update(text=told), lambda row: row["text"] == before)
    copy.each("triplets", lambda row: row.update(negative_2=told), lambda row: row == rows[0])
    assert (
        f"triplet: test row 1 ({rows[0]['anchor']!r:.100}): negative_2 says the answer" in proved(copy.release).problems
    )


def test_a_document_without_text_hides_nothing(release: Release, tmp_path: Path) -> None:
    copy = Copy(copy_release(release, tmp_path).folder)
    first = copy.read("triplets")[0]
    copy.each("corpus", lambda row: row.update(text=None), lambda row: row["text"] == first["negative_1"])
    found = proved(copy.release)
    assert (found.problems, found.proved[ROWS]) == ([], release.manifest.rows["triplets"])
    copy.each("triplets", lambda row: row.update(negative_2=first["negative_1"]), lambda row: row == first)
    assert len(proved(copy.release).problems) == 2  # and the counts


def test_without_texts_the_documents_are_looked_at(tmp_path: Path) -> None:
    source = berths.write_documents(tmp_path / "documents")
    bare = berths.build(source, tmp_path, "bare", text="offsets", negatives="1", readable="none")
    found = proved(bare)
    count = found.proved[NAMED]
    assert (found.problems, found.unchecked[ROWS], count) == ([], count, bare.manifest.rows["triplet_documents"])
    copy = Copy(copy_release(bare, tmp_path / "copy").folder)
    rows = copy.read("triplet_documents")
    lies = [
        _set(rows[0], positive=rows[0]["negative_1"], negative_1=rows[0]["positive"]),
        _set(rows[1], negative_1=rows[1]["positive"]),
        _set(rows[2], negative_1=copy.read("triplet_documents", "train")[0]["positive"]),
    ]
    copy.write("triplet_documents", [*lies, *rows[3:]])
    assert [text.partition("): ")[2] for text in proved(copy.release).problems] == [
        "its anchor is no question of the split with evidence in its positive",
        "a document is there twice",
        "negative_1 is a text that states what the question needs",
        "negative_1 is of a document of another split",
    ]


def test_counts_that_were_changed_are_found(release: Release, tmp_path: Path) -> None:
    copy = Copy(copy_release(release, tmp_path).folder)
    copy.manifest(lambda manifest: manifest["checks"][NEGATIVES].update(sister=0))
    copy.manifest(lambda manifest: manifest["checks"][LEFT_OUT].update({"too few": 7}))
    problems = proved(copy.release).problems
    assert [text.partition(" is ")[0] for text in problems] == [
        f"count: checks.{NEGATIVES}",
        f"count: checks.{LEFT_OUT}",
    ]


PAGES = [f"The {name} pages the {other}. It has {number} slots." for name, other, number in (
    ("AMF", "UE", 4), ("MME", "eNB", 5), ("HSS", "SGSN", 6), ("AUSF", "UDM", 7)
)]  # fmt: skip


def _published(folder: Path) -> Path:
    asked = [("Who pages the UE?", 0, "AMF"), ("How many slots has the MME?", 1, "5"), ("Who pages nobody?", 2, "")]
    paragraphs = [
        {
            "context": page,
            "qas": [
                {
                    "id": question,
                    "question": question,
                    "is_impossible": not answer,
                    "answers": [{"text": answer, "answer_start": page.index(answer)}] if answer else [],
                }
                for question, number, answer in asked
                if number == place
            ],
        }
        for place, page in enumerate(PAGES)
    ]
    folder.mkdir(exist_ok=True)
    file = folder / "published.json"
    file.write_text(json.dumps({"data": [{"title": "Paging", "paragraphs": paragraphs}]}), encoding="utf-8")
    return file


def test_a_published_file_has_triplets_of_its_contexts(built: Built) -> None:
    source = _published(built.root / "published-triplets")
    release = built.release("telequad", source=source, readable="none", negatives=2)
    assert [list(row.values()) for row in Copy(release.folder).read("triplets")] == [
        ["Who pages the UE?", PAGES[0], PAGES[1], PAGES[2]],
        ["How many slots has the MME?", PAGES[1], PAGES[0], PAGES[2]],
    ]
    assert release.manifest.checks[NEGATIVES] == {"same_table": 0, "sister": 4, "same_document": 0, "same_split": 0}
    assert proved(release).proved == {ROWS: 2, COUNTS: 2}


def test_none_are_made_where_none_are_wanted(built: Built) -> None:
    source = _published(built.root / "published-triplets")
    release = built.release("telequad", source=source, readable="none", negatives=0)
    assert "triplets" not in release.manifest.splits
    assert not [name for name in release.manifest.checks if name.startswith("triplets")]
