"""Builds of questions over specifications: one default build, and small folders of somebody's own."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from built import Built

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.metrics import find_metric
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions, read_metadata
from benchwright.benchmarks.reports.blocks import Table, Text
from benchwright.builders.base import build_release
from benchwright.builders.beforehand import preview_release
from benchwright.builders.rebuild import Given, rebuild
from benchwright.cards.dataset.card import render_card

SPLITS = ("test", "train")
TIMERS = """{number} {version}

# 1 Scope

The present document specifies {what}. {all}

# 2 Abbreviations

| Abbreviation | Meaning |
|---|---|
| ANC | anchor |
| STA | {station} station |

# 3 Timers

Table 3-1: Timers

| Timer | Value | Started by |
|---|---|---|
| T11 | {value} s | the anchor |
| T12 | 8 s | the station |
"""


def write(folder: Path, name: str, number: str, version: str, value: int, station: str = "shore") -> None:
    folder.mkdir(exist_ok=True)
    text = TIMERS.format(number=number, version=version, value=value, station=station, what=f"link {value}", all="")
    (folder / name).write_text(text, encoding="utf-8")


def write_three(folder: Path) -> Path:
    """Two versions of a specification, and another."""
    write(folder, "a.md", "LCS 21.104", "V1.0.0", 4)
    write(folder, "b.md", "LCS 21.104", "V2.0.0", 5)
    write(folder, "c.md", "LCS 30.200", "V1.0.0", 6, "berth")
    return folder


def build(root: Path, source: Path, seed: int | None = None, **settings: Any) -> Release:
    given = {"source": str(source), "readable": "none", **{name: str(value) for name, value in settings.items()}}
    return build_release("telequad", given, lambda *_: "", output=root, seed=seed)[0]


def rows(release: Release, config: str, split: str) -> list[dict[str, Any]]:
    return [row for batch in release.batches(config, split) for row in batch.to_pylist()]


@pytest.fixture(scope="session")
def telequad(built: Built) -> Release:
    """The default build."""
    return built.release("telequad")


@pytest.fixture(scope="session")
def three(built: Built) -> Release:
    """Questions about two versions of a document, and about another."""

    def make(root: Path) -> None:
        build(root / "releases", write_three(root / "documents"))

    return Release.load(built.folder("telequad-three", make) / "releases" / "telequad" / "1.0.0")


def test_the_default_build_is_proved(telequad: Release) -> None:
    found = verify_release(telequad)
    assert found.problems == []
    manifest = telequad.manifest
    assert manifest.checks["documents_per_split"] == {"test": 2, "train": 1}
    assert sum(manifest.checks["groups_asked"].values()) == 600
    answered = found.proved["answers that stand in their sections where squad and evidence say"]
    without = found.proved["questions without an answer, whose squad rows have none"]
    hops = found.proved["answers of several hops that stand where their evidence says"]
    assert answered + without == manifest.rows["squad"]
    assert hops == manifest.checks["questions_not_in_squad"] == manifest.rows["questions"] - manifest.rows["squad"] > 0
    assert found.proved["rows of tables that say what their sections say"] == manifest.checks["corpus_of"]["rows"]
    assert [source["licence"] for source in manifest.sources] == ["cc-by-4.0"] * 3
    assert manifest.checks["files_not_read"] == {}


def test_every_answer_stands_where_squad_and_evidence_say(telequad: Release) -> None:
    corpus = {row["_id"]: row for row in rows(telequad, "corpus", "corpus")}
    for split in SPLITS:
        asked = [row for row in rows(telequad, "questions", split) if row["hops"] == 1]
        for question, squad in zip(asked, rows(telequad, "squad", split), strict=True):
            context = corpus[read_metadata(question["metadata"])["context"]]
            assert (squad["id"], squad["question"], squad["context"]) == (
                question["id"],
                question["question"],
                context["text"],
            )
            given = squad["answers"]
            for text, start in zip(given["text"], given["answer_start"], strict=True):
                assert context["text"][start : start + len(text)] == text
            assert given["text"][:1] == question["answers"]


def test_a_row_of_a_table_is_a_document_and_an_alternative(three: Release) -> None:
    corpus = {row["_id"]: row for row in rows(three, "corpus", "corpus")}
    question = next(each for each in load_questions(three, "train") if "value of timer T11" in each.question)
    section, row = (corpus[name] for name in question.documents)
    assert [each.fact for each in question.evidence] == [0, 0]
    first, second = question.evidence
    assert section["text"][first.start : first.end] == "T11 | 6 s | the anchor"
    assert row["text"][second.start : second.end] == "Timer: T11; Value: 6 s; Started by: the anchor"
    assert row["_id"] == f"{section['_id']}-1-2"
    said = read_metadata(row["metadata"])
    assert section["text"][said["row_start"] : said["row_end"]] == "T11 | 6 s | the anchor"
    assert (question.answers, question.subset, question.kind, question.hops) == (("6 s",), "cell", "lookup", 1)


def test_without_rows_sections_alone_are_documents(tmp_path: Path) -> None:
    write(tmp_path / "documents", "a.md", "LCS 21.104", "V1.0.0", 4)
    release = build(tmp_path, tmp_path / "documents" / "a.md", rows=False)
    assert release.manifest.checks["corpus_of"] == {"sections": 4, "rows": 0}
    assert verify_release(release).problems == []


def test_versions_of_a_document_are_in_one_split(three: Release) -> None:
    splits = {split: {str(question.metadata["file"]) for question in load_questions(three, split)} for split in SPLITS}
    assert splits == {"test": {"a.md", "b.md"}, "train": {"c.md"}}
    assert verify_release(three).problems == []


def test_what_stands_in_a_document_of_the_test_is_not_trained_on(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    write(folder, "a.md", "LCS 21.104", "V1.0.0", 4)
    write(folder, "b.md", "LCS 30.200", "V1.0.0", 5)
    release = build(tmp_path, folder)
    asked = {question.subset for question in load_questions(release, "train")}
    assert asked == {"cell"}, "the abbreviations are the same"
    (left_out,) = (
        count for why, count in release.manifest.checks["groups_left_out"].items() if why.startswith("of training")
    )
    assert left_out == 2
    assert verify_release(release).problems == []


def test_a_single_document_is_all_test_and_that_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(tmp_path / "documents", "a.md", "LCS 21.104", "V1.0.0", 4)
    with caplog.at_level(logging.WARNING, "benchwright"):
        release = build(tmp_path, tmp_path / "documents")
    assert list(release.manifest.splits["questions"]) == ["test"]
    assert "all questions are in the split test" in caplog.text


def test_files_that_cannot_be_read_are_named_and_the_others_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = write_three(tmp_path / "documents")
    (folder / "broken.docx").write_bytes(b"PK\x03\x04 no")
    (folder / "notes.rtf").write_text("no")
    with caplog.at_level(logging.WARNING, "benchwright"):
        release, _ = build_release(
            "telequad", {"source": str(folder), "readable": "none"}, render_card, output=tmp_path / "releases"
        )
    assert "not read: broken.docx (it is damaged or cut off" in caplog.text
    checks = release.manifest.checks
    assert list(checks["files_not_read"]) == ["broken.docx", "notes.rtf"]
    assert checks["documents_not_read"]["there is no reader for .rtf"] == 1
    card = (release.folder / "README.md").read_text(encoding="utf-8")
    assert "| `notes.rtf` | there is no reader for .rtf |" in card
    assert release.manifest.rows["corpus"] > 0


def test_names_and_texts_that_no_file_can_hold(tmp_path: Path) -> None:
    folder = write_three(tmp_path / "documents")
    (folder / "c.md").rename(folder / "c\n.md")
    (folder / "b.md").rename(folder / "b\udcff.md")
    checks = build(tmp_path / "releases", folder).manifest.checks
    assert checks["files_not_read"] == dict.fromkeys(
        ["b\\udcff.md", "c\\n.md"], "its name cannot be printed: give the file another name"
    )
    file = tmp_path / "published.json"
    asked = [
        {"id": name, "question": f"Is it {name}?", "answers": [], "is_impossible": True} for name in ("a", "\ud800")
    ]
    file.write_text(json.dumps({"data": [{"paragraphs": [{"context": "It is.", "qas": asked}]}]}))
    left_out = build(tmp_path / "published", file).manifest.checks["questions_left_out"]
    assert left_out == {"halves of characters, which no file can hold": 1}


def test_a_source_of_which_nothing_can_be_read_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04 no")
    with pytest.raises(BenchwrightError, match=r"^no file of .* can be read: broken\.docx \(it is damaged"):
        build(tmp_path / "releases", tmp_path)
    (tmp_path / "broken.docx").rename(tmp_path / "squad.json")
    with pytest.raises(BenchwrightError, match=r"; if squad\.json is a published file of questions, name that file$"):
        build(tmp_path / "releases", tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="has no files: put documents into it"):
        build(tmp_path / "releases", tmp_path / "empty")
    with pytest.raises(UsageError, match="gone is not there"):
        build(tmp_path / "releases", tmp_path / "gone")
    plain = tmp_path / "plain.md"
    plain.write_text("# A walk\n\nWe went along the shore until it was dark.\n")
    with pytest.raises(BenchwrightError, match="states anything that the patterns ask about"):
        build(tmp_path / "releases", plain)
    assert not list((tmp_path / "releases").rglob("manifest.json"))


def test_what_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    folder = write_three(tmp_path / "documents")
    with pytest.raises(UsageError, match=r"there is no pattern 'poem': choose from definition, "):
        build(tmp_path, folder, patterns="cell,poem")
    with pytest.raises(UsageError, match=r"there is no form 'sung': choose from short, "):
        build(tmp_path, folder, forms="short,sung")
    with pytest.raises(UsageError, match="without --holdout"):
        build_release("telequad", {"source": str(folder)}, lambda *_: "", output=tmp_path, holdout=0.5)


@pytest.mark.parametrize(
    ("settings", "groups", "wordings"),
    [
        ({"patterns": "abbreviation"}, 6, 36),
        ({"patterns": "abbreviation", "forms": "short"}, 6, 12),
        ({"patterns": "abbreviation", "wordings": 1}, 6, 18),
        ({"groups": 6}, 6, 36),
        ({"per_document": 1}, 3, 18),
        ({"per_clause": 1}, 6, 36),
        ({"per_clause": 1, "per_document": 3, "groups": 4}, 4, 24),
    ],
)
def test_quotas(tmp_path: Path, settings: dict[str, Any], groups: int, wordings: int) -> None:
    release = build(tmp_path, write_three(tmp_path / "documents"), **settings)
    questions = [question for split in SPLITS for question in load_questions(release, split)]
    assert len({question.group for question in questions}) == groups
    assert len(questions) == wordings


def test_a_preview_shows_what_would_be_asked_and_writes_nothing(tmp_path: Path) -> None:
    folder = write_three(tmp_path / "documents")
    (folder / "notes.rtf").write_text("no")
    releases = tmp_path / "releases"
    said, documents, patterns, examples, unread = preview_release(
        "telequad", {"source": str(folder)}, releases=releases
    )
    assert isinstance(said, Text) and said.text == "18 semantic groups of 3 documents would be asked."
    tables = [
        [[getattr(cell, "text", cell) for cell in row] for row in block.rows]
        for block in (documents, patterns, examples, unread)
        if isinstance(block, Table)
    ]
    assert tables[0][2] == ["c.md", "LCS 30.200", "train", "6"]
    assert tables[1] == [["abbreviation", "6", "6"], ["cell", "12", "12"]]
    assert [row[0] for row in tables[2]] == ["abbreviation"] * 2 + ["cell"] * 2
    assert tables[3] == [["notes.rtf", "there is no reader for .rtf"]]
    assert not releases.exists()


def test_the_same_bytes_again_and_another_order_with_another_seed(three: Release, tmp_path: Path) -> None:
    again = Verification()
    documents = three.folder.parent.parent.parent / "documents"
    rebuild(three, again, Given({"source": str(documents)}, lambda *_: ""))
    assert (again.problems, again.unchecked) == ([], {})
    assert again.proved["content hash, built again"] == 1
    other = build(tmp_path, documents, seed=1, wordings=1)
    assert other.manifest.content_hash != build(tmp_path / "0", documents, wordings=1).manifest.content_hash


def test_another_document_is_not_the_one_that_was_read(three: Release, tmp_path: Path) -> None:
    folder = write_three(tmp_path / "documents")
    write(folder, "c.md", "LCS 30.200", "V1.0.0", 7, "berth")
    again = Verification()
    rebuild(three, again, Given({"source": str(folder)}, lambda *_: ""))
    assert again.problems == []
    (why,) = again.reasons.values()
    assert why.startswith("c.md is not the file that the manifest names: it has another SHA-256")


def test_squads_metrics_take_what_the_config_squad_holds(telequad: Release) -> None:
    squad = {row["id"]: row["answers"]["text"] for row in rows(telequad, "squad", "test")}
    lacking = [each for each in load_questions(telequad, "test") if "not_in_squad" in each.metadata]
    assert lacking, "values whose unit stands in the header"
    exact, correct = find_metric("squad_exact_match"), find_metric("correct")
    for question in lacking[:50]:
        (form, *_) = question.metadata["not_in_squad"]
        assert form in question.aliases[0] and form not in squad[question.id]
        assert exact.score(question, Prediction(question.id, form)).value == 0.0
        assert correct.score(question, Prediction(question.id, form)).value == 1.0
        assert exact.score(question, Prediction(question.id, squad[question.id][0])).value == 1.0


def test_a_published_file_is_taken_whole_or_sampled_and_proved(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    context = "The AMF pages the UE. The SMF does not."
    asked = [
        {
            "id": f"q{place}",
            "question": f"Which word is number {place}?",
            "answers": [{"text": text, "answer_start": at}],
        }
        for place, (text, at) in enumerate([("AMF", 4), ("The AMF", 0), ("UE", 18), ("SMF", 99), ("pages", 8)])
    ]
    file = tmp_path / "published.json"
    file.write_text(json.dumps({"data": [{"title": "T", "paragraphs": [{"context": context, "qas": asked}]}]}))
    with caplog.at_level(logging.WARNING, "benchwright"):
        whole = build(tmp_path / "whole", file, source_licence="cc-by-nd-4.0")
    assert (
        "wrong in published.json: no answer stands where it is said to (1; published.json, question 4)" in caplog.text
    )
    assert [question.id for question in load_questions(whole, "test")] == ["q0", "q1", "q2", "q4"]
    (source,) = whole.manifest.sources
    assert (source["uri"], source["licence"], source["rows_shipped"]) == ("published.json", "cc-by-nd-4.0", "questions")
    found = verify_release(whole)
    assert found.problems == []
    assert found.proved["answers that stand in their sections where squad and evidence say"] == 4
    mended = build(tmp_path / "mended", file, repair=True, questions=3)
    assert mended.manifest.rows["questions"] == 3
    assert mended.manifest.checks["questions_left_out"] == {}
    assert verify_release(mended).problems == []
