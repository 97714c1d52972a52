"""The next version of a release with something added, rows of further configs, documents without text, dates of facts."""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from lighthouses import lighthouse, make_release, questions

import benchwright
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.derive import derive
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter

PAIRS = [
    {
        "id": f"p{number}",
        "question": f"How tall is light {number}?",
        "answer": "31 metres",
        "ungrounded_answer": "Tall.",
    }
    for number in range(3)
]
LABELS = [{"pair_id": f"p{number}", "dimension": "faithfulness", "choice": "answer"} for number in range(3)]
FACTS = {"builder": "lights", "builder_version": "1.0.0", "parameters": {}, "seed": 0, "canary": "none"}


def card(manifest: Any, folder: Path) -> str:
    return f"# {manifest.name} {manifest.version}\n"


def add(parent: Release, root: Path, version: str = "1.1.0", **configs: Any) -> Release:
    return derive(parent, version, {name: {"test": rows} for name, rows in configs.items()}, root, render_card=card)


@pytest.fixture
def parent(tmp_path: Path) -> Release:
    return make_release(tmp_path)


def test_pairs_then_labels(parent: Release, tmp_path: Path) -> None:
    second = add(parent, tmp_path, pairs=PAIRS)
    third = add(second, tmp_path, "1.2.0", labels=LABELS)
    assert third.manifest.rows == {**parent.manifest.rows, "pairs": 3, "labels": 3}
    for path in parent.manifest.files:
        if path != "README.md":
            assert (third.folder / path).read_bytes() == (parent.folder / path).read_bytes()
    assert third.manifest.parent == {
        "name": "lights",
        "version": "1.1.0",
        "content_hash": second.manifest.content_hash,
    }
    assert len({parent.manifest.content_hash, second.manifest.content_hash, third.manifest.content_hash}) == 3
    assert verify_release(third).problems == [] and verify_release(third).proved["content hash"] == 1
    assert pq.read_table(third.shards("labels", "test")[0]).column("pair_id").to_pylist() == ["p0", "p1", "p2"]
    assert (third.folder / "README.md").read_text() == "# lights 1.2.0\n"


@pytest.mark.parametrize(
    ("version", "configs", "said"),
    [
        ("1.0.0", {"pairs": PAIRS}, "1.0.0 does not come after lights 1.0.0: choose a higher version"),
        ("1.1.0", {}, "nothing is added to lights 1.0.0: a new version would be the same"),
        ("1.1.0", {"questions": []}, "lights 1.0.0 holds the config questions already: a version only adds"),
        ("1.1.0", {"labels": LABELS}, "is not built, for its rows do not hold: "),
        ("1.1.0", {"pairs": [*PAIRS, PAIRS[0]]}, "is not built, for its rows do not hold: "),
        ("1.1.0", {"pairs": [{"id": "p", "colour": "red"}]}, "the config pairs has no column 'colour'"),
        ("1.1.0", {"sketches": [{"id": "s"}]}, "there is no config 'sketches'"),
    ],
)
def test_refused(parent: Release, tmp_path: Path, version: str, configs: dict[str, Any], said: str) -> None:
    with pytest.raises(BenchwrightError) as raised:
        add(parent, tmp_path, version, **configs)
    assert said in str(raised.value), raised.value
    assert [path.name for path in (tmp_path / "lights").iterdir()] == ["1.0.0"], "nothing is left behind"


def test_a_parent_that_was_changed(parent: Release, tmp_path: Path) -> None:
    (parent.folder / "README.md").write_text("# another\n")
    with pytest.raises(BenchwrightError, match=r"README\.md is not what the manifest says"):
        add(parent, tmp_path, pairs=PAIRS)


def offsets(root: Path) -> tuple[Release, dict[str, str]]:
    """A release whose documents have no text, only its hash and length; and the texts."""
    folder = root / "lights" / "1.0.0"
    folder.mkdir(parents=True)
    page = lighthouse("Gannet Rock", 31)
    told = {"text_sha256": hashlib.sha256(page.body.encode()).hexdigest(), "text_length": len(page.body)}
    writer = ReleaseWriter(folder)
    writer.documents([replace(page, text=None, metadata=told)])
    writer.questions(questions("Gannet Rock", 31))
    writer.seal(writer.finish(name="lights", version="1.0.0", **FACTS), "# card\n")
    return Release.load(folder), {page.id: page.body}


def test_texts_are_joined_to_a_release_of_offsets(tmp_path: Path) -> None:
    bare, texts = offsets(tmp_path)
    found = verify_release(bare)
    assert found.problems == [] and not found.proved["evidence spans"]
    whole = derive(bare, "1.1.0", {}, tmp_path, render_card=card, texts=texts.get)
    found = verify_release(whole)
    assert (found.problems, found.proved["evidence spans"]) == ([], 2)
    with pytest.raises(BenchwrightError, match="is not the one that the release was made from: it has 4 characters"):
        derive(bare, "1.2.0", {}, tmp_path, render_card=card, texts=lambda name: "tall")


def test_a_span_beyond_the_length_that_is_told(tmp_path: Path) -> None:
    page = lighthouse("Gannet Rock", 31)
    told = {"text_sha256": hashlib.sha256(page.body.encode()).hexdigest(), "text_length": 20}
    writer = ReleaseWriter(tmp_path)
    writer.documents([replace(page, text=None, metadata=told)])
    writer.questions(questions("Gannet Rock", 31))
    with pytest.raises(BenchwrightError, match="is not built"):
        writer.finish(name="lights", version="1.0.0", **FACTS)


def test_a_date_of_a_fact_changes_the_hash_only_where_it_is_given(tmp_path: Path) -> None:
    hashes = []
    for number, (announced, day) in enumerate([(False, None), (True, "2021-10-01"), (True, "2021-10-01/2021-12-31")]):
        folder = tmp_path / str(number)
        folder.mkdir()
        writer = ReleaseWriter(folder)
        writer.with_columns(*(["fact_date"] if announced else []))
        writer.documents([lighthouse("Gannet Rock", 31)])
        writer.questions([replace(row, fact_date=day) for row in questions("Gannet Rock", 31)])
        manifest = writer.finish(name="lights", version="1.0.0", **FACTS)
        release = Release(folder, manifest)
        hashes.append(manifest.content_hash)
        (batch,) = release.batches("questions", "test", ["id", "fact_date"])
        assert batch.column("fact_date").to_pylist() == [day, day]
        assert ("fact_date" in pq.read_schema(release.shards("questions", "test")[0]).names) is announced
        assert release.content_hash() == manifest.content_hash
    assert len(set(hashes)) == 3


def test_from_python(parent: Release, tmp_path: Path) -> None:
    rows = parent.dataset("questions")
    assert (rows.num_rows, rows[0]["answers"]) == (10, ["31 metres"])
    assert {split: part.num_rows for split, part in parent.datasets("questions").items()} == {"test": 10, "dev": 2}
    assert parent.dataset("corpus").column_names == ["_id", "title", "text", "metadata"]
    assert rows.cache_files and str(parent.manifest.content_hash) in rows.cache_files[0]["filename"], "memory-mapped"
    with pytest.raises(
        BenchwrightError, match=r"lights 1\.0\.0 has no split 'train' of questions: there are dev, test"
    ):
        parent.dataset("questions", "train")


def test_derived_from_python(company: Path, tmp_path: Path) -> None:
    settings = {"database": f"sqlite:///{company}", "wordings": 1}
    first = benchwright.build_release("grammar", settings, name="firm", releases=tmp_path)
    second = benchwright.derive(first, "1.1.0", {"pairs": {"test": PAIRS}}, releases=tmp_path)
    assert (second.folder, second.manifest.rows["pairs"]) == (tmp_path / "firm" / "1.1.0", 3)
    assert second.datasets("pairs")["test"][2]["answer"] == "31 metres"
    card = (second.folder / "README.md").read_text()
    assert "- config_name: pairs" in card and "two answers and two contexts to choose from" in card
    assert benchwright.verify_release("firm", releases=tmp_path).problems == []
