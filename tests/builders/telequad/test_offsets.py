"""Releases of the builder without the documents' texts: what stands in them, and the documents that make them whole."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from berths import FERRIES, build, rows, write_documents

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.types import Document
from benchwright.builders.documents.sections import Section, Span
from benchwright.builders.documents.tree import Clause
from benchwright.builders.join import OtherDocuments, join
from benchwright.builders.telequad.build import VERSION
from benchwright.builders.telequad.offsets import QUOTES, Quotes, documents_of, told_without_text
from benchwright.builders.telequad.own.data import NAMES
from benchwright.builders.telequad.own.write import write_specifications
from benchwright.builders.telequad.questions.asked import Asked, Specification
from benchwright.cards.dataset.card import render_card

WORDS = 8
ASKED = {"id": "1", "question": "Who?", "answers": [{"text": "Ann", "answer_start": 0}]}
PUBLISHED = {"data": [{"title": "A", "paragraphs": [{"context": "Ann rows.", "qas": [ASKED]}]}]}


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_documents(tmp_path_factory.mktemp("documents") / "specifications")


@pytest.fixture(scope="module")
def bare(documents: Path, tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Without texts."""
    return build(documents, tmp_path_factory.mktemp("bare"), "berths", text="offsets")


@pytest.fixture(scope="module")
def whole(documents: Path, tmp_path_factory: pytest.TempPathFactory) -> Release:
    """With texts, of which its questions quote as little."""
    return build(documents, tmp_path_factory.mktemp("whole"), "berths", quoted="7")


def stretches(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return (tuple(words[start : start + WORDS]) for start in range(len(words) - WORDS + 1))


def texts_in(value: Any) -> Iterator[str]:
    """Every text of a JSON value, and the whole of each list: neighbours in a list may be neighbours in a document."""
    if isinstance(value, str):
        yield value
        if value.startswith('{"'):
            yield from texts_in(json.loads(value))
    elif isinstance(value, dict):
        for each in (*value.keys(), *value.values()):
            yield from texts_in(each)
    elif isinstance(value, list):
        yield " ".join(map(str, value))
        for each in value:
            yield from texts_in(each)


def texts_of(path: Path) -> Iterator[str]:
    """Every text that a file of a release holds."""
    if path.suffix == ".parquet":
        file = pq.ParquetFile(path)
        yield from (value.decode("utf-8", "replace") for value in (file.metadata.metadata or {}).values())
        yield from (text for row in file.read().to_pylist() for text in texts_in(row))
    elif path.suffix == ".json":
        yield from texts_in(json.loads(path.read_text("utf-8")))
    else:
        yield path.read_text("utf-8")


def quoted_in(release: Release, of: set[tuple[str, ...]]) -> dict[str, list[str]]:
    """File → stretches of the documents that it holds."""
    found: dict[str, list[str]] = {}
    for path in sorted(release.folder.rglob("*")):
        if path.is_file():
            there = {each for text in texts_of(path) for each in stretches(text)} & of
            if there:
                found[path.relative_to(release.folder).as_posix()] = sorted(" ".join(each) for each in there)
    return found


def test_no_file_quotes_eight_words_of_the_documents(bare: Release, whole: Release) -> None:
    of = {each for row in rows(whole, "corpus") for text in (row["text"], row["title"]) for each in stretches(text)}
    assert quoted_in(bare, of) == {}
    assert {"corpus/corpus-00000-of-00001.parquet", "squad/test-00000-of-00001.parquet"} <= quoted_in(whole, of).keys()


def test_nor_of_a_specification_with_tables_and_code(tmp_path: Path) -> None:
    write_specifications(tmp_path / "specifications", NAMES[:1])
    release = build(tmp_path / "specifications", tmp_path, "own", text="offsets", wordings="1")
    read = list(documents_of(release, tmp_path / "specifications", lambda what, done, total: None))
    assert {each.id for each in read} == {row["_id"] for row in rows(release, "corpus")}
    of = {each for document in read for text in (document.body, document.title) for each in stretches(text)}
    assert len(of) > 8_000
    assert quoted_in(release, of) == {}


def test_headings_are_not_told(bare: Release, whole: Release) -> None:
    titles = dict(zip(*([row["title"] for row in rows(each, "corpus")] for each in (bare, whole)), strict=True))
    assert titles["11200.md, 2.1"] == "LBS 11.200: 2 Terms > 2.1 Definitions"
    heading = told_without_text(
        Document("d", "A: Of berths", "", {"file": "a.md", "clause": "Of berths", "place": "line 3"})
    )
    assert (heading.title, heading.metadata["clause"]) == ("a.md, line 3", "line 3")


def test_long_quotes_are_left_out(bare: Release, whole: Release, documents: Path, tmp_path: Path) -> None:
    assert {row["entity"] for row in rows(bare, "questions") if row["subset"] == "definition"} == {"slot"}
    assert bare.manifest.checks["groups_left_out"][QUOTES] == 3
    assert bare.manifest.parameters["quoted"] == 7 and bare.manifest.parameters["text"] == "offsets"
    assert rows(bare, "questions") == rows(whole, "questions")
    more = build(documents, tmp_path, "berths", text="offsets", quoted="30")
    assert {row["entity"] for row in rows(more, "questions") if row["subset"] == "definition"} == {"slot", "outer mole"}


def test_what_is_long() -> None:
    text = "The ferry waits in front of the outer mole until the light is green."
    section = Section("a.md", Clause("", "", "", 1, (), (), "line 1"), (), text, ())
    quotes = Quotes.of(Specification("a.md", '"The ferry waits in front of the outer mole"', (section,)), 3)
    assert quotes.is_long("Until the LIGHT, is?") and not quotes.is_long("until the light")
    assert not quotes.is_long("What does The ferry waits in front of the outer mole say?"), "its title may be said"
    asked = Asked("cell", {"short": ("Which light?",)}, 0, metadata={"row": "the light is green", "table": "1"})
    kept = quotes.within(asked, text)
    assert kept is not None and kept.metadata == {"table": "1"}
    assert quotes.within(replace(asked, answers=(Span(0, 20),)), text) is None
    assert quotes.within(replace(asked, aliases=("the light is green",)), text) is None


def test_joined_it_is_what_a_build_with_texts_is(
    bare: Release, whole: Release, documents: Path, tmp_path: Path
) -> None:
    joined = join(bare, documents, tmp_path, render_card)
    assert joined.folder == tmp_path / "berths" / "1.1.0"
    assert joined.manifest.content_hash == whole.manifest.content_hash
    assert joined.manifest.parameters == whole.manifest.parameters
    assert joined.manifest.sources == whole.manifest.sources, "it is published private, as the texts are others'"
    assert {each["rows_shipped"] for each in bare.manifest.sources} == {"none"}
    assert verify_release(joined).problems == verify_release(bare).problems == []
    assert verify_release(joined).proved["texts of documents"] == len(rows(whole, "corpus"))


def test_files_under_other_names(bare: Release, whole: Release, documents: Path, tmp_path: Path) -> None:
    shutil.copy(documents / "11200.md", tmp_path / "ferries (final).md")
    (tmp_path / "deep").mkdir()
    shutil.copy(documents / "11300.md", tmp_path / "deep")
    (tmp_path / "notes.md").write_text("# Another one\n\nOf other things.\n")
    (tmp_path / "11200.md").write_text("# LBS 11.200 Ferry berths\n\nA newer version of it.\n")
    joined = join(bare, tmp_path, tmp_path / "releases", render_card)
    assert joined.manifest.content_hash == whole.manifest.content_hash


def changed(text: str) -> str:
    """A newer version: another number in clause 3, and no clause 2.2."""
    before, _, after = text.replace("within ten minutes", "within five minutes").partition("### 2.2")
    return before + after[after.index("## 3") :]


def test_other_documents_are_named(bare: Release, documents: Path, tmp_path: Path) -> None:
    (tmp_path / "11200.md").write_text(changed(FERRIES), "utf-8")
    with pytest.raises(OtherDocuments) as raised:
        join(bare, tmp_path, tmp_path / "releases", render_card)
    assert raised.value.lines == (
        "11200.md: another version of it, which differs in 1 clause (3) and lacks 1 clause (2.2)",
        "11300.md: it is not there or cannot be read (3 documents)",
    )
    assert str(raised.value).startswith(f"5 of 9 documents of berths 1.0.0 are missing in {tmp_path}, or differ: ")
    assert not (tmp_path / "releases").exists()


def test_a_file_that_is_read_otherwise(bare: Release, documents: Path, tmp_path: Path) -> None:
    """Its texts are others though its bytes are the same, as with another version of the builder."""
    folder = Path(shutil.copytree(documents, tmp_path / "documents"))
    text = FERRIES.replace("within ten minutes", "within five minutes")
    (folder / "11200.md").write_text(text, "utf-8")
    sources = [{**each, "sha256": file_sha256(folder / each["uri"])} for each in bare.manifest.sources]
    manifest = replace(bare.manifest, sources=sources, builder_version="0.9.0")
    with pytest.raises(OtherDocuments) as raised:
        join(replace(bare, manifest=manifest), folder, tmp_path / "releases", render_card)
    assert raised.value.lines == (
        f"11200.md: the same file, read by version {VERSION} of telequad and not by 0.9.0, which differs in 1 clause (3)",
    )


@pytest.mark.parametrize("name", ["../secret.md", "SECRET"])
def test_nothing_outside_of_the_folder_is_read(bare: Release, tmp_path: Path, name: str) -> None:
    """A release may come from anybody, and call its files as it likes."""
    secret = tmp_path / "secret.md"
    secret.write_text(FERRIES, "utf-8")
    (tmp_path / "documents").mkdir()
    source = {"uri": name.replace("SECRET", str(secret)), "sha256": file_sha256(secret)}
    release = replace(bare, manifest=replace(bare.manifest, sources=[source]))
    assert list(documents_of(release, tmp_path / "documents", lambda what, done, total: None)) == []


def test_what_cannot_be_joined(bare: Release, whole: Release, documents: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is nothing to join"):
        join(whole, documents, tmp_path, render_card)
    with pytest.raises(UsageError, match="is not there: name the folder of the documents"):
        join(bare, tmp_path / "nowhere", tmp_path, render_card)


def test_a_published_file_has_no_offsets(tmp_path: Path) -> None:
    (tmp_path / "squad.json").write_text(json.dumps(PUBLISHED), "utf-8")
    with pytest.raises(UsageError, match=r"squad\.json is a published file, whose questions are its text"):
        build(tmp_path / "squad.json", tmp_path, "published", text="offsets")
