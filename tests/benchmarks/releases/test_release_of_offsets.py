"""A release without its documents' texts, and the same release with them again."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lighthouses import HEIGHTS, lighthouse, questions

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.derive import derive
from benchwright.benchmarks.releases.offsets import WHOLE_HASH, text_facts, without_texts
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.types import Document

FACTS = {
    "builder": "lights",
    "builder_version": "1.0.0",
    "parameters": {"text": "offsets"},
    "seed": 0,
    "canary": "none",
}
PAGES = {page.id: page for page in (lighthouse(name, height) for name, height in HEIGHTS.items())}


def card(manifest: Any, folder: Path) -> str:
    return f"# {manifest.name} {manifest.version}\n"


def told(document: Document) -> Document:
    """What the release without texts tells: no title, and of the metadata only the file."""
    return replace(document, title=f"page {document.id[:3]}", metadata={"file": document.metadata["file"]})


def document(name: str) -> Document:
    page = PAGES[name]
    return replace(page, metadata={"file": f"{name}.md", "heading": page.title, **text_facts(page.body)})


def write_whole(folder: Path) -> Release:
    folder.mkdir(parents=True)
    writer = ReleaseWriter(folder)
    writer.documents(document(name) for name in PAGES)
    bodies = [page.body for page in PAGES.values()]
    for name, height in HEIGHTS.items():
        page, asked = lighthouse(name, height), questions(name, height)
        start = page.body.index(f"{height} metres")
        answers = {"text": [f"{height} metres"], "answer_start": [start]}
        writer.questions(asked)
        row = {"title": page.title, "context": page.body, "answers": answers}
        writer.rows("squad", [{**row, "id": each.id, "question": each.question} for each in asked])
        others = [body for body in bodies if body != page.body]
        triplet = {"anchor": asked[0].question, "positive": page.body, "negative_1": others[0], "negative_2": others[1]}
        writer.rows("triplets", [triplet])
    writer.checks["readings"] = 7
    return Release(folder, writer.finish(name="lights", version="1.0.0", **FACTS))


@pytest.fixture
def whole(tmp_path: Path) -> Release:
    return write_whole(tmp_path / "whole")


@pytest.fixture
def bare(whole: Release, tmp_path: Path) -> Release:
    folder = tmp_path / "lights" / "1.0.0"
    folder.mkdir(parents=True)
    writer = ReleaseWriter(folder)
    without_texts(whole, writer, told)
    writer.seal(writer.finish(name="lights", version="1.0.0", **FACTS), "# card\n")
    return Release.load(folder)


def rows(release: Release, config: str) -> list[dict[str, Any]]:
    return [
        row
        for split in release.manifest.splits[config]
        for batch in release.batches(config, split)
        for row in batch.to_pylist()
    ]


def test_nothing_of_the_texts_is_left(bare: Release, whole: Release) -> None:
    assert bare.manifest.checks == {"readings": 7, WHOLE_HASH: whole.manifest.content_hash}
    assert {row["text"] for row in rows(bare, "corpus")} == {None}
    first = rows(bare, "squad")[0]
    assert (first["title"], first["context"], first["document"]) == ("page gan", None, "gannet-rock")
    assert first["answers"]["text"] == ["31 metres"]
    triplet = rows(bare, "triplet_documents")[0]
    assert list(triplet.values())[1:] == ["gannet-rock", "sable-point", "old-hook"]
    assert "triplets" not in bare.manifest.splits
    for path in bare.folder.rglob("*"):
        assert path.is_dir() or b"family of masons" not in path.read_bytes(), path


def test_it_is_verified_without_the_texts(bare: Release) -> None:
    found = verify_release(bare)
    assert found.problems == []
    assert (found.unchecked["texts of documents"], found.unchecked["evidence spans"]) == (4, 8)
    assert "build-benchmark --from RELEASE --documents DIR" in found.reasons["texts of documents"]


def test_joined_it_is_the_whole_one(bare: Release, whole: Release, tmp_path: Path) -> None:
    joined = derive(bare, "1.1.0", {}, tmp_path, render_card=card, texts=document)
    assert joined.manifest.content_hash == whole.manifest.content_hash
    assert joined.manifest.checks == {"readings": 7} and joined.manifest.parameters == {"text": "whole"}
    for config in ("corpus", "squad", "triplets"):
        assert rows(joined, config) == rows(whole, config)
        assert joined.schema(config) == whole.schema(config)
    found = verify_release(joined)
    assert (found.problems, found.proved["texts of documents"]) == ([], 4)
    again = derive(bare, "1.1.0", {}, tmp_path, render_card=card, texts=document)
    assert again.folder == joined.folder


def test_texts_alone_are_enough(bare: Release, whole: Release, tmp_path: Path) -> None:
    """Titles then stay as they are told, and contexts and triplets are complete."""
    joined = derive(bare, "1.1.0", {}, tmp_path, render_card=card, texts=lambda name: PAGES[name].text)
    assert [row["context"] for row in rows(joined, "squad")] == [row["context"] for row in rows(whole, "squad")]
    assert rows(joined, "triplets") == rows(whole, "triplets")
    assert rows(joined, "squad")[0]["title"] == "page gan"


def test_some_of_the_texts(bare: Release, tmp_path: Path) -> None:
    joined = derive(
        bare, "1.1.0", {}, tmp_path, render_card=card, texts=lambda name: document(name) if name[0] == "g" else None
    )
    assert [row["text"] is None for row in rows(joined, "corpus")] == [False, True, True, True]
    assert [row["context"] is None for row in rows(joined, "squad")] == [False] * 2 + [True] * 6
    assert "triplets" not in joined.manifest.splits and WHOLE_HASH in joined.manifest.checks
    assert verify_release(joined).problems == []
    last = derive(joined, "1.2.0", {}, tmp_path, render_card=card, texts=document)
    assert rows(last, "triplets")[0]["positive"] == PAGES["gannet-rock"].text
    assert all(row["context"] for row in rows(last, "squad"))


def retold(name: str) -> Document:
    return replace(document(name), title="Another light")


def lengthened(name: str) -> Document:
    return replace(document(name), text=f"{PAGES[name].text} And more.")


@pytest.mark.parametrize(
    ("texts", "said"),
    [(retold, "and it was taken from a release that has"), (lengthened, "is not the one that the release was made")],
)
def test_another_document(bare: Release, tmp_path: Path, texts: Callable[[str], Document], said: str) -> None:
    with pytest.raises(BenchwrightError, match=said):
        derive(bare, "1.1.0", {}, tmp_path, render_card=card, texts=texts)
    assert [path.name for path in (tmp_path / "lights").iterdir()] == ["1.0.0"]


def rewritten(release: Release, folder: Path, **changed: Callable[[dict[str, Any]], dict[str, Any]]) -> Release:
    """The same release with rows changed, and every hash right again."""
    folder.mkdir(parents=True)
    writer = ReleaseWriter(folder)
    for row in rows(release, "corpus"):
        row = changed.get("corpus", dict)(row)
        writer.documents([Document(row["_id"], row["title"], row["text"], json.loads(row["metadata"]))])
    for config in ("squad", "triplet_documents"):
        writer.rows(config, [changed.get(config, dict)(row) for row in rows(release, config)])
    for batch in release.batches("questions", "test"):
        writer.questions(batch)
    writer.checks |= release.manifest.checks
    writer.seal(writer.finish(name="lights", version="1.0.0", **FACTS), "# card\n")
    return Release.load(folder)


@pytest.mark.parametrize(
    ("config", "change", "said"),
    [
        ("squad", {"document": "mars"}, "has no context and names mars, which is no document without text"),
        (
            "squad",
            {"answers": {"text": ["x"], "answer_start": [5000]}},
            "has an answer at 5000, outside of its context",
        ),
        ("triplet_documents", {"negative_2": "mars"}, "names mars as its negative_2, which is not in the corpus"),
        ("corpus", {"metadata": '{"text_length":200}'}, "nor the SHA-256 and the length of one"),
        ("corpus", {"text": "Another one." * 20}, "is not the one whose SHA-256 it tells"),
        ("corpus", {"text": "Another one." * 20}, "has a text, and the release is said to hold none"),
        ("squad", {"context": "A light of 31 metres."}, "has a context, and the release is said to hold no texts"),
    ],
)
def test_lies(bare: Release, tmp_path: Path, config: str, change: dict[str, Any], said: str) -> None:
    lying = rewritten(bare, tmp_path / "lies", **{config: lambda row: {**row, **change}})
    assert any(said in problem for problem in verify_release(lying).problems), verify_release(lying).problems


def test_spans_that_were_shifted_are_found_once_the_texts_are_there(bare: Release, tmp_path: Path) -> None:
    """Without texts nobody can tell; with them the content hash is another one than was told."""

    def shifted(row: dict[str, Any]) -> dict[str, Any]:
        given = row["answers"]
        return {**row, "answers": {**given, "answer_start": [start - 1 for start in given["answer_start"]]}}

    lying = rewritten(bare, tmp_path / "lies", squad=shifted)
    assert verify_release(lying).problems == []
    with pytest.raises(BenchwrightError, match=r"its rows were changed, or version 1\.0\.0 of its builder made other"):
        derive(lying, "1.1.0", {}, tmp_path, render_card=card, texts=document)
