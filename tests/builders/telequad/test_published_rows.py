"""A published file as a release: SQuAD's columns, evidence, and what the manifest says was left out."""

import json
from pathlib import Path

import pyarrow.parquet as pq

from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.types import Evidence
from benchwright.builders.telequad.published import read_published
from benchwright.builders.telequad.published_rows import write_published

CONTEXT = "The AMF pages the UE."
ROWS = [
    {
        "id": "a",
        "question": "Who?",
        "answers": [{"text": "AMF", "answer_start": 4}, {"text": "The AMF", "answer_start": 0}],
    },
    {"id": "b", "question": "Why?", "answers": [{"text": "AMF", "answer_start": 4}], "is_impossible": True},
    {"id": "c", "question": "What?", "answers": [{"text": "UE", "answer_start": 1}]},
]
FACTS = {"builder": "telequad", "builder_version": "1.0.0", "parameters": {}, "seed": 0, "canary": "none"}


def test_rows_are_squads_and_what_is_left_out_is_in_the_manifest(tmp_path: Path) -> None:
    file = tmp_path / "full.json"
    file.write_text(json.dumps({"data": [{"title": "T", "paragraphs": [{"context": CONTEXT, "qas": ROWS}]}]}), "utf-8")
    folder = tmp_path / "release"
    folder.mkdir()
    writer = ReleaseWriter(folder)
    write_published(read_published(file), writer)
    writer.seal(writer.finish(name="published", version="1.0.0", **FACTS), "card")
    release = Release.load(folder)
    (path,) = (folder / "squad").glob("test-*.parquet")
    common = {"title": "T", "context": CONTEXT}
    assert pq.read_table(path).to_pylist() == [
        {"id": "a", "question": "Who?", **common, "answers": {"text": ["AMF", "The AMF"], "answer_start": [4, 0]}},
        {"id": "b", "question": "Why?", **common, "answers": {"text": [], "answer_start": []}},
    ]
    first, second = load_questions(release, "test")
    document = first.documents[0]
    assert (first.answers, first.aliases) == (("AMF",), (("The AMF",),))
    assert first.evidence == (Evidence(document, 4, 7), Evidence(document, 0, 7))
    assert (second.answers, second.answerability, second.documents) == ((), "unanswerable", ())
    assert second.metadata["context"] == document
    assert release.manifest.rows["corpus"] == 1
    found = verify_release(release)
    assert (found.problems, found.proved["evidence spans"]) == ([], 2)
    assert release.manifest.checks["questions_left_out"] == {"no answer stands where it is said to": 1}
