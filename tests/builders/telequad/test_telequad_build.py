"""A build of questions over specifications: one default build for all that is looked at here."""

from collections import Counter

import pytest
from built import Built

from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import read_metadata


@pytest.fixture(scope="session")
def telequad(built: Built) -> Release:
    """The default build."""
    return built.release("telequad")


def rows(release: Release, config: str, split: str) -> list[dict]:
    return [row for batch in release.batches(config, split) for row in batch.to_pylist()]


def test_it_is_proved(telequad: Release) -> None:
    found = verify_release(telequad)
    assert found.problems == []


def test_every_answer_stands_where_squad_and_evidence_say(telequad: Release) -> None:
    corpus = {row["_id"]: row for row in rows(telequad, "corpus", "corpus")}
    for split in ("test", "train"):
        for question, squad in zip(rows(telequad, "questions", split), rows(telequad, "squad", split), strict=True):
            context = corpus[read_metadata(question["metadata"])["context"]]
            assert (question["id"], question["question"], context["text"]) == (
                squad["id"],
                squad["question"],
                squad["context"],
            )
            given = squad["answers"]
            for text, start in zip(given["text"], given["answer_start"], strict=True):
                assert context["text"][start : start + len(text)] == text
            assert given["text"][:1] == question["answers"]


def test_a_document_is_in_one_split(telequad: Release) -> None:
    splits: dict[str, set[str]] = {}
    for split in ("test", "train"):
        for question in rows(telequad, "questions", split):
            splits.setdefault(read_metadata(question["metadata"])["file"], set()).add(split)
    assert Counter(next(iter(each)) for each in splits.values()) == {"test": 2, "train": 1}
    assert all(len(each) == 1 for each in splits.values())
