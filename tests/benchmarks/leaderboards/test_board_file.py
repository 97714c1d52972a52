"""`leaderboard.yaml` and the YAML of strangers: what is read, and what is refused."""

import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.board import Board, BoardBenchmark, board_text, read_board
from benchwright.benchmarks.leaderboards.plain_yaml import read_plain

BOARD = Board(
    "RAG over lighthouses: «höher»",
    {"lights": BoardBenchmark("alice/lights", ("1.0.0",), "correct", {"faithfulness": "gpt 2026-01-01"})},
    ("alice",),
    "board@example.org",
)


def test_a_board_is_read_as_it_was_written() -> None:
    text = board_text(BOARD)
    assert text.splitlines()[0] == "title: 'RAG over lighthouses: «höher»'"
    assert read_board(text.encode()) == BOARD
    assert read_board(board_text(Board("Empty", {})).encode()) == Board("Empty", {})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title: T\nbenchmarks: {}\norganizers: [a]", "unknown key 'organizers', did you mean organisers?"),
        ("title: T\nbenchmarks: {lights: {repo: a/b}}", "unknown key 'repo', did you mean repository?"),
        ("benchmarks: {}", "title is missing"),
        ("title: [T]\nbenchmarks: {}", "title must be a text"),
        ("title: ' '\nbenchmarks: {}", "title: give one of at most 200 letters"),
        ("title: T\nbenchmarks: {Lights!: {repository: a/b}}", "'Lights!' cannot be a benchmark's name"),
        ("title: T\nbenchmarks: {lights: {repository: ../b/c}}", "'../b/c' is no NAMESPACE/NAME"),
        ("title: T\nbenchmarks: {lights: {repository: a/b, versions: ['1']}}", "'1' is not a version"),
        ("title: T\nbenchmarks: {}\norganisers: ['a b']", "'a b' can be no user of the Hub"),
        ("title: T\nbenchmarks: {}\nformat: 2", "has the format 2, which a newer benchwright made"),
        ("- a", "must be a table of keys and values"),
    ],
)
def test_what_is_no_board(text: str, said: str) -> None:
    with pytest.raises(BenchwrightError) as caught:
        read_board(text.encode())
    assert str(caught.value).startswith("leaderboard.yaml") and said in str(caught.value)


def test_plain_values() -> None:
    text = "a: 1\nb: 2026-01-01\nc: [yes, ~, 1.5]\nd: {e: |\n  two\n  lines\n }"
    assert read_plain(b"a: 1\nb: 2026-01-01\nc: [yes, ~, 1.5, x]\n", "x") == {
        "a": 1,
        "b": "2026-01-01",
        "c": [True, None, 1.5, "x"],
    }
    with pytest.raises(BenchwrightError, match="line 4 is no plain YAML"):
        read_plain(text.encode(), "x")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a: !!python/object/apply:os.system [ls]", "x, line 1, has a tag (!), and may not"),
        (b"a: !own b", "x, line 1, has a tag (!), and may not"),
        (b"a: &one [1]\nb: *one", "x, line 1, has an anchor (& or *), and may not"),
        (b"a: 1\na: 2", "x, line 1 is no plain YAML: 'a' stands twice"),
        (b"a: 1\n---\nb: 2", "x, line 2, begins a second document"),
        (b"[" * 9 + b"]" * 9, "x, line 1, is nested deeper than 8"),
        (b"[" * 40_000, "x, line 1, is nested deeper than 8"),
        (b"a: '" + b"x" * 100_000 + b"'", "x has 100,005 bytes, and may have 100,000"),
        (b"\xff\xfe", "x is not in UTF-8"),
        (b"a: \x07", "x is no plain YAML: "),
        (b"? [1, 2]\n: b", "x, line 1 is no plain YAML: found unhashable key"),
        (b"a: b: c", "x, line 1 is no plain YAML: mapping values are not allowed here"),
    ],
)
def test_what_is_not_plain(data: bytes, said: str) -> None:
    with pytest.raises(BenchwrightError) as caught:
        read_plain(data, "x")
    assert str(caught.value).startswith(said)
