"""Files of rows that unfold to more than they may, or lack what every row must have: one line, and little memory."""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support import TOY_FACTS, Start, in_full

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.releases import budget
from benchwright.benchmarks.releases.budget import BYTES, ROWS, VALUES, FileReader, ReadingClock, checked_footer
from benchwright.benchmarks.releases.parquet_pages import read_row_groups
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.schemas import QUESTIONS
from benchwright.benchmarks.types import Document, Question

MOST_MEMORY = 900_000
"""Kilobytes that a command may take at its peak; imports and interpreter take 200,000 of them, here more."""


def _release(folder: Path) -> Release:
    folder.mkdir(parents=True)
    writer = ReleaseWriter(folder)
    writer.questions(Question(f"q{i}", "Who?", ("Ada",), ((),), "one", "answerable") for i in range(5))
    writer.documents([Document("d1", "Leads", "Ada Moor leads the office.")])
    writer.seal(writer.finish(**TOY_FACTS), "# card\n")
    return Release.load(folder)


def _same(text: str, count: int) -> pa.Array:
    """A text many times over, which a file holds once."""
    return pa.DictionaryArray.from_arrays(pa.nulls(count, pa.int32()).fill_null(0), [text])


def _table(count: int = 1, **columns: object) -> pa.Table:
    there = {"id": pa.array([f"q{i}" for i in range(count)]), "question": pa.array(["Who?"] * count), **columns}
    return pa.table(there)


def _list_of(values: pa.Array) -> pa.ListArray:
    return pa.ListArray.from_arrays(pa.array([0, len(values)], pa.int32()), values)


def _evidence(value: object) -> pa.Array:
    return pa.array([[value]], QUESTIONS.columns.field("evidence").type)


def _many_rows(path: Path) -> None:
    same = _same("q", 100_000)
    with pq.ParquetWriter(path, pa.schema([("id", same.type), ("question", same.type)])) as writer:
        for _ in range(120):
            writer.write_table(pa.table({"id": same, "question": same}))


def _broken_text(path: Path) -> None:
    texts = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe")])
    pq.write_table(_table(question=texts), path)


def _twice(path: Path) -> None:
    pq.write_table(pa.table([pa.array(["a"]), pa.array(["b"])], names=["id", "id"]), path)


def _of(make: Callable[[], pa.Table]) -> Callable[[Path], None]:
    return lambda path: pq.write_table(make(), path)


CASES: dict[str, tuple[Callable[[Path], object], str]] = {
    "twelve million rows": (_many_rows, "bytes unfold to 12,000,000 rows or more, and may to 1,"),
    "20 GB of one text": (
        _of(lambda: _table(20_000, sql=_same("x" * 1_000_000, 20_000))),
        "MB or more, and may to ",
    ),
    "a row of 2 GB": (
        _of(lambda: _table(answers=_list_of(_same("x" * 1_000_000, 2_000)))),
        "MB or more, and may to ",
    ),
    "a page of 300 MB": (
        lambda path: pq.write_table(
            _table(sql=pa.array(["x" * 300_000_000])), path, compression="zstd", write_statistics=False
        ),
        "is not read: a page of the column sql unfolds to 300 MB, and may to 268;",
    ),
    "twelve million values in a row": (
        _of(lambda: _table(documents=_list_of(_same("d1", 12_000_000)))),
        "bytes unfold to 12,000,000 values in one column or more, and may to 10,",
    ),
    "no column of ids": (_of(lambda: pa.table({"question": ["Who?"]})), "row 1 has no id: build or download"),
    "a row of nulls": (
        _of(lambda: _table(question=pa.array([None], pa.string()))),
        "row 1 has no question: build or download",
    ),
    "a null in a list": (
        _of(lambda: _table(answers=pa.array([[None]], pa.list_(pa.string())))),
        "row 1 has nothing where answers must have a value: build or download",
    ),
    "a null span": (_of(lambda: _table(evidence=_evidence(None))), "row 1 has nothing where evidence must have"),
    "a span of nulls": (
        _of(lambda: _table(evidence=_evidence({"document": None, "start": 0, "end": 1, "fact": 0}))),
        "row 1 has nothing where evidence must have",
    ),
    "a text that is no text": (_broken_text, "cannot be read: "),
    "a column twice": (_twice, "has the column 'id' more than once"),
    "an empty file": (lambda path: path.write_bytes(b""), "cannot be read: "),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The hostile file of a name, written once for both commands."""
    folder = tmp_path_factory.mktemp("made")

    def write(name: str) -> Path:
        path = folder / f"{name}.parquet"
        if not path.exists():
            CASES[name][0](path)
        return path

    return write


@pytest.mark.parametrize("command", ["verify-benchmark", *in_full("score-system")])
@pytest.mark.parametrize("name", CASES)
def test_a_hostile_file_ends_with_one_line_and_little_memory(
    start: Start, made: Callable[[str], Path], tmp_path: Path, name: str, command: str
) -> None:
    release = _release(tmp_path / "toy")
    line = CASES[name][1]
    path = release.shards("questions", "test")[0]
    shutil.copy(made(name), path)
    assert path.stat().st_size < 1_500_000
    manifest = json.loads((release.folder / "manifest.json").read_text())
    manifest["splits"]["questions"]["test"] = 10**9  # a footer with more than its manifest says is not read at all
    (release.folder / "manifest.json").write_text(json.dumps(manifest))
    arguments = ["keyword"] if command == "score-system" else []
    process = start(command, release.folder, *arguments, env={"BENCHWRIGHT_UNFOLD": "1"})
    said = "".join(process.communicate(120))
    assert process.returncode == 1
    assert "Traceback" not in said
    named = [each for each in said.splitlines() if line in each]
    assert len(named) == 1, said
    assert str(path) in named[0]
    assert 100_000 < process.peak < MOST_MEMORY


def test_large_rows_are_read_in_parts_as_they_were_written(tmp_path: Path) -> None:
    texts = [str(number) * 400_000 for number in range(8)]
    places = [row % 8 for row in range(600)]
    table = _table(
        600,
        sql=pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), texts),
        documents=pa.array([[f"d{row}", "d"] if row % 3 else None for row in range(600)]),
    )
    path = tmp_path / "test-00000-of-00001.parquet"
    pq.write_table(table, path)
    schema = pa.schema([QUESTIONS.columns.field(name) for name in ("id", "sql", "documents", "hops")])
    batches = list(FileReader(path).batches(schema))
    assert len(batches) > 2
    assert max(batch.nbytes for batch in batches) < 140_000_000
    rows = [row for batch in batches for row in batch.drop_columns(["sql"]).to_pylist()]
    assert [row["id"] for row in rows] == [f"q{row}" for row in range(600)]
    assert [row["documents"] for row in rows[:3]] == [None, ["d1", "d"], ["d2", "d"]]
    assert {row["hops"] for row in rows} == {None}
    assert [value.as_py()[:1] for batch in batches for value in batch.column("sql")] == [str(place) for place in places]


@pytest.mark.parametrize(
    "options", [{}, {"use_dictionary": False}, {"data_page_version": "2.0"}, {"data_page_size": 200}]
)
def test_pages_are_counted_as_the_file_has_them(tmp_path: Path, options: dict[str, object]) -> None:
    path = tmp_path / "rows.parquet"
    pq.write_table(
        pa.table({"id": [f"q{row}" for row in range(999)], "documents": [["d", None, "e"], [], None] * 333}),
        path,
        row_group_size=500,
        **options,  # type: ignore[arg-type]
    )
    footer = pq.read_metadata(path)
    groups = read_row_groups(path, pq.ParquetFile(path).schema, frozenset({"id", "documents"}))
    assert [[chunk.values for chunk in group.chunks] for group in groups] == [[500, 834], [499, 831]]
    assert [group.rows for group in groups] == [500, 499]
    for number, group in enumerate(groups):
        for place, chunk in enumerate(group.chunks):
            said = footer.row_group(number).column(place)
            assert chunk.path == said.path_in_schema
            assert chunk.has_dictionary == said.has_dictionary_page
            # The footer counts the headers too.
            assert 0.2 * said.total_uncompressed_size < chunk.unfolded < said.total_uncompressed_size
            assert 0 < chunk.largest_page <= chunk.unfolded


def test_limits_grow_with_the_file_and_can_be_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = 20_000_000_000
    assert ROWS.of(corpus) > 80_000_000_000
    assert BYTES.of(corpus) > 100 * corpus
    assert VALUES.of(0) == 10_000_000
    monkeypatch.setenv("BENCHWRIGHT_UNFOLD", "2.5")
    assert VALUES.of(0) == 25_000_000
    for wrong in ("much", "0", "-1", "nan", "inf"):
        monkeypatch.setenv("BENCHWRIGHT_UNFOLD", wrong)
        with pytest.raises(UsageError, match="BENCHWRIGHT_UNFOLD must be a number above 0"):
            VALUES.of(0)


def test_a_raised_limit_lets_a_file_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.parquet"
    pq.write_table(_table(400, sql=_same("x" * 1_000_000, 400)), path)
    schema = pa.schema([QUESTIONS.columns.field(name) for name in ("id", "sql")])
    with pytest.raises(BenchwrightError, match="set BENCHWRIGHT_UNFOLD=10 in the environment for limits ten times"):
        list(FileReader(path).batches(schema))
    monkeypatch.setenv("BENCHWRIGHT_UNFOLD", "10")
    assert sum(len(batch) for batch in FileReader(path).batches(schema)) == 400


def test_metadata_nested_without_end_is_none() -> None:
    assert read_metadata("[" * 200_000) == {}
    assert read_metadata(json.dumps({"a": 1})) == {"a": 1}


def test_a_dataset_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    release = _release(tmp_path / "toy")
    assert len(release.dataset()) == 5
    pq.write_table(_table(20_000, sql=_same("x" * 1_000_000, 20_000)), release.shards("questions", "test")[0])
    with pytest.raises(BenchwrightError, match=r"bytes unfold to 2.,... MB or more, and may to"):
        release.dataset()


def test_a_footer_that_calls_a_column_otherwise_hides_nothing(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pq.write_table(
        _table(sql=pa.array(["x" * 300_000_000])), path, compression="zstd", write_statistics=False, store_schema=False
    )
    data = path.read_bytes()
    first = data.index(b"\x03sql")
    second = data.index(b"\x03sql", first + 1)
    path.write_bytes(data[:second] + b"\x03abc" + data[second + 4 :])
    with pytest.raises(BenchwrightError, match="a page of the column sql unfolds to 300 MB"):
        list(FileReader(path).batches(QUESTIONS.columns))


@pytest.mark.parametrize("read", [lambda path: list(FileReader(path).batches(QUESTIONS.columns)), checked_footer])
def test_changed_bytes_end_in_an_error_that_is_caught(tmp_path: Path, read: Callable[[Path], object]) -> None:
    """And not in the end of this process, as pyarrow's own reading does."""
    path = tmp_path / "rows.parquet"
    pq.write_table(_table(20, documents=pa.array([["d1"], []] * 10)), path, compression="zstd")
    whole, drawn = path.read_bytes(), random.Random(0)
    refused = 0
    for _ in range(400):
        changed = bytearray(whole)
        changed[drawn.randrange(len(changed))] = drawn.randrange(256)
        path.write_bytes(changed)
        try:
            read(path)
        except (BenchwrightError, pa.ArrowException, OSError, ValueError):
            refused += 1
    assert 100 < refused < 400


def test_a_footer_is_looked_at_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pq.write_table(_table(20), path)
    assert checked_footer(path).num_rows == 20
    _many_rows(path)
    with pytest.raises(BenchwrightError, match=r"rows\.parquet is not read: its .* unfold to 12,000,000 rows or more"):
        checked_footer(path)
    for wrong in (b"", b"<html>", b"PAR1\xff\xff\xff\x7fPAR1"):
        path.write_bytes(wrong)
        with pytest.raises(BenchwrightError, match=r"rows\.parquet cannot be read: .+"):
            checked_footer(path)


def test_reading_a_split_has_a_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = _release(tmp_path / "toy")
    monkeypatch.setattr(budget, "_SLOWEST", 10**18)
    monkeypatch.setattr(budget, "SECONDS", 0.0)
    with pytest.raises(BenchwrightError, match=r"questions is not read: it takes too long; if you trust who made it, "):
        list(release.batches("questions", "test"))
    monkeypatch.setattr(budget, "_SLOWEST", 1e-6)
    assert sum(map(len, release.batches("questions", "test"))) == 5


def test_the_clock_stands_while_the_rows_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(budget, "monotonic", lambda: now)
    monkeypatch.setattr(budget, "SECONDS", 25.0)
    monkeypatch.setenv("BENCHWRIGHT_UNFOLD", "2")
    batch = pa.record_batch({"id": ["a"]})

    def slow() -> Iterator[pa.RecordBatch]:
        nonlocal now
        while True:
            now += 10
            yield batch

    got = 0
    with pytest.raises(BenchwrightError, match="it takes too long"):
        for _ in ReadingClock(Path("rows"), 0).watch(slow()):
            got, now = got + 1, now + 1_000
    assert got == 5


@pytest.mark.parametrize("name", ["holes.bin", "README.md"])
def test_a_terabyte_of_holes_is_not_read(tmp_path: Path, name: str) -> None:
    release = _release(tmp_path / "toy")
    with (release.folder / name).open("ab") as file:
        file.truncate(1_000_000_000_000)
    problems = verify_release(release).problems
    assert [each for each in problems if each.startswith(f"file: {name}")] == problems[:1]
