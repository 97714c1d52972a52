"""Releases: written as a stream, complete or not there at all, never changed in place, readable by datasets."""

import shutil
import signal
import sqlite3
import time
from pathlib import Path

import pytest
from built import Built, company_release
from datasets import load_dataset
from support import TOY_FACTS, Run, Start, in_full

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.find import open_release
from benchwright.benchmarks.releases.manifest import read_manifest
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.staging import publish, staging
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.types import Document, Evidence, Question

QUESTIONS = [
    Question(
        "q1",
        "Who leads?",
        ("Ada Moor",),
        ((),),
        "one",
        "answerable",
        documents=("d1",),
        evidence=(Evidence("d1", 0, 8),),
    ),
    Question("q2", "Who follows?", ("Ben Tal",), (("B. Tal",),), "one", "gap", metadata={"b": 1, "a": "é"}),
]
DOCUMENTS = [Document("d1", "Leads", "Ada Moor leads the office.", {"kind": "note"})]


def write(folder: Path, **changes: object) -> Release:
    folder.mkdir(parents=True)
    writer = ReleaseWriter(folder)
    writer.questions(QUESTIONS)
    writer.questions([Question("q3", "Extra?")], split="dev")
    writer.documents(DOCUMENTS)
    writer.seal(writer.finish(**{**TOY_FACTS, **changes}), "# card\n")
    return Release.load(folder)


def test_written_release_reads_back(tmp_path: Path) -> None:
    release = write(tmp_path / "toy")
    assert release.manifest.rows == {"questions": 3, "corpus": 1, "queries": 3, "qrels": 1}
    assert release.manifest.splits["questions"] == {"test": 2, "dev": 1}
    rows = [row for batch in release.batches("questions", "test") for row in batch.to_pylist()]
    assert rows[0]["evidence"] == [{"document": "d1", "start": 0, "end": 8, "fact": 0}]
    assert rows[1]["metadata"] == '{"a":"é","b":1}'
    assert release.content_hash() == release.manifest.content_hash
    assert sorted(release.manifest.files) == [
        "README.md",
        "corpus/corpus-00000-of-00001.parquet",
        "qrels/test-00000-of-00001.parquet",
        "queries/dev-00000-of-00001.parquet",
        "queries/test-00000-of-00001.parquet",
        "questions/dev-00000-of-00001.parquet",
        "questions/test-00000-of-00001.parquet",
    ]


def test_large_splits_are_cut_into_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.benchmarks.releases.split_files.SHARD_BYTES", 10_000)
    monkeypatch.setattr("benchwright.benchmarks.releases.split_files.BATCH_ROWS", 1_000)
    folder = tmp_path / "many"
    folder.mkdir()
    writer = ReleaseWriter(folder)
    writer.questions(Question(f"q{i}", f"What is number {i * 7919}?") for i in range(5_000))
    writer.seal(writer.finish(**TOY_FACTS), "")
    release = Release.load(folder)
    names = [path.name for path in release.shards("questions", "test")]
    assert names == [f"test-{i:05d}-of-{len(names):05d}.parquet" for i in range(len(names))]
    assert len(names) > 1
    ids = [value for batch in release.batches("questions", "test", ["id"]) for value in batch.column("id").to_pylist()]
    assert ids == [f"q{i}" for i in range(5_000)]
    assert release.content_hash() == release.manifest.content_hash


def test_a_missing_column_is_empty(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    release = write(tmp_path / "toy")
    path = release.shards("questions", "test")[0]
    pq.write_table(pa.table({"id": ["q1"], "question": ["Who?"]}), path)
    row = next(release.batches("questions", "test")).to_pylist()[0]
    assert row["id"] == "q1"
    assert row["answers"] is None


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        (None, "is not a release: it has no manifest.json"),
        ("{", "cannot be read"),
        ("[]", "has no format number"),
        ('{"format": 2}', "has format 2, this program reads up to 1: install a newer benchwright"),
        ('{"format": 1, "name": "x"}', "lacks version, builder"),
    ],
)
def test_what_is_no_release_is_refused(tmp_path: Path, manifest: str | None, message: str) -> None:
    if manifest is not None:
        (tmp_path / "manifest.json").write_text(manifest)
    with pytest.raises(BenchwrightError, match=message):
        read_manifest(tmp_path)


def test_a_version_is_never_changed(tmp_path: Path) -> None:
    target = tmp_path / "toy" / "1.0.0"
    target.parent.mkdir()
    assert publish((write(tmp_path / "a").folder, target))
    before = {path: path.read_bytes() for path in target.rglob("*") if path.is_file()}
    assert not publish((write(tmp_path / "b").folder, target))
    other = tmp_path / "c"
    other.mkdir()
    writer = ReleaseWriter(other)
    writer.questions(QUESTIONS[:1])
    writer.documents(DOCUMENTS)
    writer.seal(writer.finish(**TOY_FACTS), "")
    with pytest.raises(BenchwrightError, match=r"is there with other content.* --as-version 2\.0\.0 \(or 1\.1\.0"):
        publish((other, target))
    assert {path: path.read_bytes() for path in target.rglob("*") if path.is_file()} == before


def test_foreign_folders_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "toy" / "1.0.0").mkdir(parents=True)
    (tmp_path / "toy" / "1.0.0" / "thesis.txt").write_text("years of work")
    with pytest.raises(BenchwrightError, match="is there and is not a release"), staging(tmp_path, "toy", "1.0.0"):
        pass
    with pytest.raises(BenchwrightError, match="holds other files and no release"), staging(tmp_path, "toy", "2.0.0"):
        pass
    assert (tmp_path / "toy" / "1.0.0" / "thesis.txt").read_text() == "years of work"


def test_two_builds_at_once(run: Run, company: Path) -> None:
    with staging(company.parent / "releases", "one", "1.0.0"):
        result = run("build-benchmark", "grammar", "--name", "one", "--set", "database=company.sqlite")
    assert result.returncode == 1
    assert result.stderr == "error: another build is writing to releases/one: wait for it to end, or use --name\n"
    assert run("build-benchmark", "grammar", "--name", "one", "--set", "database=company.sqlite").returncode == 0


@pytest.mark.parametrize("people", [10_000, *in_full(60_000)])
def test_a_build_that_is_killed_leaves_nothing_visible_and_can_be_started_again(
    tmp_path: Path, run: Run, start: Start, people: int
) -> None:
    connection = sqlite3.connect(tmp_path / "big.sqlite")
    connection.execute("CREATE TABLE person (name TEXT PRIMARY KEY, town TEXT, age INTEGER)")
    rows = ((f"Person {i}", f"Town {i % 97}", i % 80) for i in range(people))
    connection.executemany("INSERT INTO person VALUES (?, ?, ?)", rows)
    connection.commit()
    arguments = ["grammar", "--name", "big", "--set", "database=big.sqlite", "--set", "groups=0"]
    process = start("build-benchmark", *arguments)
    staged = tmp_path / "releases" / "big" / ".building-1.0.0"
    while not list(staged.glob("questions/*.partial")) and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert staged.is_dir()
    with pytest.raises(BenchwrightError, match="there is no release 'big'"):
        open_release("big", tmp_path / "releases")
    result = run("build-benchmark", *arguments)
    assert result.returncode == 0, result
    assert f"{40 * people:,} questions" in result.stderr
    assert not staged.exists()


def test_a_full_disk(run: Run, company: Path) -> None:
    result = run("build-benchmark", "grammar", "--set", "database=company.sqlite", limits={"FSIZE": 3_000})
    assert result.returncode == 1
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert "too large" in result.stderr
    assert not list((company.parent / "releases").iterdir())


def test_two_builds_with_one_seed_are_byte_identical(run_program: Run, company: Path) -> None:
    """In two interpreters, whose hashes of texts differ."""
    for root in ("one", "two"):
        assert (
            run_program("build-benchmark", "grammar", "--set", "database=company.sqlite", "--releases", root).returncode
            == 0
        )
    found = [
        {
            path.relative_to(company.parent / root): path.read_bytes()
            for path in (company.parent / root).rglob("*")
            if path.is_file()
        }
        for root in ("one", "two")
    ]
    assert found[0] == found[1]
    assert len(found[0]) == 8


@pytest.mark.parametrize("config", ["questions", "corpus", "queries", "qrels"])
def test_datasets_loads_every_config(built: Built, config: str) -> None:
    release = company_release(built)
    split = "corpus" if config == "corpus" else "test"
    rows = load_dataset(str(release.folder), config, split=split)
    assert len(rows) == release.manifest.rows[config]
    if config == "questions":
        assert load_dataset(str(release.folder), split="test")[0] == rows[0]


def test_datasets_does_not_take_one_release_for_another(built: Built) -> None:
    short, both = company_release(built, forms="short"), company_release(built)
    rows = [len(load_dataset(str(release.folder), split="test")) for release in (short, both)]
    assert rows[1] == 2 * rows[0]


def test_names_mean_the_newest_version(tmp_path: Path) -> None:
    for version in ("1.9.0", "1.10.0"):
        write(tmp_path / "toy" / version, version=version)
    assert open_release("toy", tmp_path).manifest.version == "1.10.0"
    assert open_release("toy@1.9.0", tmp_path).manifest.version == "1.9.0"
    assert open_release(str(tmp_path / "toy" / "1.9.0"), tmp_path).manifest.version == "1.9.0"
    shutil.rmtree(tmp_path / "toy")
    with pytest.raises(BenchwrightError, match=r"there is no release 'toy' in .*: build it with build-benchmark"):
        open_release("toy", tmp_path)
