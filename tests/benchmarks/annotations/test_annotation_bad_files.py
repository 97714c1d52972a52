"""Files of labels as they come from people's machines: broken, edited, of something else, doubled. One line, or a count."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pairs as made
import pytest
from annotated import saved_lines, write_lines
from click.testing import CliRunner, Result

from benchwright.benchmarks.annotations.pair_items import pair_work
from benchwright.benchmarks.releases.release import Release
from benchwright.scripts.annotate import main

Line = dict[str, Any]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return made.make_release(tmp_path_factory.mktemp("bad"), made.pairs(3))


@pytest.fixture(scope="module")
def lines(release: Release) -> list[Line]:
    """What Ada's page saves: the first candidate throughout."""
    return saved_lines(pair_work(release), "Ada", lambda item, task: "first", page="pairs-page-1")


def annotate(release: Release, folder: Path, *arguments: str | Path) -> Result:
    roots = ("--releases", release.folder.parent.parent, "--runs", folder / "runs")
    return CliRunner().invoke(main, [str(each) for each in ("mills@1.0.0", *arguments, *roots)])


def text_of(lines: list[Line]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def traced(line: Line, **changes: Any) -> Line:
    return {**line, "trace": {**line["trace"], **changes}}


BAD: dict[str, tuple[Callable[[list[Line]], bytes], str]] = {
    "empty": (lambda lines: b"", "a.jsonl holds no verdict: save the page's file again once something is judged"),
    "binary": (lambda lines: b"\x89PNG\r\n\x1a\n\x00\xff" * 40, "a.jsonl, line 1: "),
    "another encoding": (lambda lines: text_of(lines).decode().encode("utf-16"), "a.jsonl, line 1: not JSON"),
    "cut off": (lambda lines: text_of(lines)[:-30], "a.jsonl, line 9: invalid JSON: EOF"),
    "a table": (lambda lines: b"pair_id,choice\n1,first\n", "a.jsonl, line 1: invalid JSON"),
    "no object": (lambda lines: b"null\n", "a.jsonl, line 1: input should be an object"),
    "of a run": (
        lambda lines: b'{"id": "q", "metric": "correct", "value": 1}\n',
        "a.jsonl, line 1: pair_id: field required; was it saved by a page of a release?",
    ),
    "another release": (
        lambda lines: text_of([traced(lines[0], release="barns 2.1.0", work="0" * 16)]),
        "this is of barns 2.1.0 (0000000000000000), not of mills 1.0.0 (",
    ),
    "another version": (
        lambda lines: text_of([traced(lines[0], release="mills 0.9.0", work="0" * 16)]),
        "name the version that it is of, as mills@0.9.0",
    ),
    "the same version made anew": (
        lambda lines: text_of([traced(lines[0], work="0" * 16)]),
        "it was made with other content under the same version: name the release that the page was made of",
    ),
    "an unknown label": (
        lambda lines: text_of([lines[0], traced({**lines[1], "choice": "both"}, choice="both")]),
        "a.jsonl, line 2: 'both' was no choice for p-brede faithfulness; there were ",
    ),
    "a choice that was edited": (
        lambda lines: text_of([{**lines[0], "choice": "second"}]),
        "a.jsonl, line 1: it says 'second' of p-orrin faithfulness, and that first was chosen, which is 'first'",
    ),
    "a dimension that was edited": (
        lambda lines: text_of([{**lines[0], "dimension": "style"}]),
        "a.jsonl, line 1: p-orrin style was not asked in mills 1.0.0: was the page or its file edited?",
    ),
    "two things said of one pair": (
        lambda lines: text_of([lines[0], traced({**lines[0], "choice": "tie"}, choice="tie")]),
        "a.jsonl, line 2: Ada says tie of p-orrin faithfulness, and first in a line before it: keep one",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_one_line_and_nothing_is_written(
    release: Release, lines: list[Line], tmp_path: Path, name: str
) -> None:
    make, message = BAD[name]
    path = tmp_path / "a.jsonl"
    path.write_bytes(make(lines))
    result = annotate(release, tmp_path, "--merge", path)
    assert (result.exit_code, message in result.output, result.output.count("\n")) == (1, True, 1), result.output
    assert not (tmp_path / "runs").exists()


def test_lines_and_files_that_stand_there_twice_count_once(release: Release, lines: list[Line], tmp_path: Path) -> None:
    """And a merge that is repeated changes nothing."""
    ada = write_lines(tmp_path / "ada.jsonl", [*lines, *lines[:2]])
    again = write_lines(tmp_path / "again.jsonl", lines)
    first = annotate(release, tmp_path, "--merge", ada, again)
    assert "Ada 9 of 9 questions done. 9 by one person; 0 open." in first.stderr, first.output
    assert "11 verdicts stood there more than once, and count once." in first.stderr
    labels = tmp_path / "runs/mills/1.0.0/pairs/labels.jsonl"
    written = labels.read_bytes()
    assert len(written.splitlines()) == 9
    second = annotate(release, tmp_path, "--merge", again)
    assert "more than once" not in second.stderr and labels.read_bytes() == written
    result = annotate(release, tmp_path, "--merge", ada, ada)
    assert (result.exit_code, result.output) == (1, "error: a file is named twice: name each once\n")


def test_people_and_pages(release: Release, lines: list[Line], tmp_path: Path) -> None:
    """Two names on one page are asked about; one name on two pages, in whatever letters, is refused."""
    ada = write_lines(tmp_path / "ada.jsonl", lines)
    ben = write_lines(tmp_path / "ben.jsonl", [{**line, "annotator": "Ben"} for line in lines])
    result = annotate(release, tmp_path, "--merge", ada, ben)
    said = " ".join(result.stderr.split())
    assert "Ada and Ben both filled in pairs-page-1, in one order: are these two people? Then make a page for " in said
    other = [traced({**line, "annotator": " ADA "}, page="pairs-page-2") for line in lines]
    result = annotate(release, tmp_path, "--merge", write_lines(tmp_path / "ada2.jsonl", other))
    assert (result.exit_code, "ADA filled in 2 pages (pairs-page-1, pairs-page-2): each" in result.output) == (1, True)


def test_people_who_chose_from_different_pairs(release: Release, lines: list[Line], tmp_path: Path) -> None:
    ada = write_lines(tmp_path / "ada.jsonl", lines[:1])
    ben = [traced({**line, "annotator": "Ben"}, page="pairs-page-2") for line in lines[1:2]]
    result = annotate(release, tmp_path, "--merge", ada, write_lines(tmp_path / "ben.jsonl", ben))
    assert "Ada 1 of 9, Ben 1 of 9 questions done. 2 by one person; 7 open." in result.stderr, result.output
    said = " ".join(result.stderr.split())
    assert "No two people chose from the same pair, so that there is no agreement to compute." in said
