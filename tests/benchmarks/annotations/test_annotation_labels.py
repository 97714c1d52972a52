"""Labels of pairs on their way into a release: from elsewhere, settled in a file, and in the release's next version."""

import json
from pathlib import Path
from typing import Any

import pairs as made
import pytest
from annotated import saved_lines, write_lines
from built import Built, company_release
from click.testing import CliRunner, Result

import benchwright
from benchwright.benchmarks.annotations.pair_items import pair_work
from benchwright.benchmarks.releases.pairs import read_pairs
from benchwright.benchmarks.releases.release import Release
from benchwright.scripts.annotate import main

ROWS = made.pairs(3)
DISPUTED = "answer_relevance p-brede"


@pytest.fixture(scope="module")
def release(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Of a builder that there is, whose card is made again; its 1.0.0 has no pairs."""
    root = tmp_path_factory.mktemp("labels")
    first = company_release(built, wordings=1, name="mills")
    return benchwright.derive(first, "1.1.0", {"pairs": {"test": ROWS}}, releases=root)


@pytest.fixture
def home(release: Release, tmp_path: Path) -> Path:
    """A folder of releases with the one alone."""
    folder = tmp_path / "releases"
    (folder / "mills").mkdir(parents=True)
    (folder / "mills" / "1.1.0").symlink_to(release.folder)
    return folder


def annotate(home: Path, *arguments: str | Path, of: str = "mills") -> Result:
    roots = ("--releases", home, "--runs", home / "runs")
    return CliRunner().invoke(main, [str(each) for each in (of, *arguments, *roots)])


def page_file(release: Release, folder: Path, name: str, other: str = "") -> Path:
    """What somebody's page saves: the first candidate throughout, but in one item."""
    work = pair_work(release)
    return write_lines(
        folder / f"{name}.jsonl",
        saved_lines(work, name, lambda item, task: "second" if item.id == other else "first"),
    )


def label(**changes: Any) -> dict[str, Any]:
    """A label from elsewhere."""
    return {"pair_id": "p-orrin", "dimension": "faithfulness", "annotator": "Cy", "choice": "first", **changes}


def test_labels_are_settled_in_a_file_and_written_into_the_next_version(
    release: Release, home: Path, tmp_path: Path
) -> None:
    """Ada and Ben differ about one pair; Dee fills in the line that was exported for it; 1.2.0 has all of them."""
    files = page_file(release, tmp_path, "Ada"), page_file(release, tmp_path, "Ben", DISPUTED)
    merged = annotate(home, "--merge", *files, "--resolve")
    assert merged.exit_code == 0, merged.output
    (line,) = [json.loads(each) for each in Path(merged.stdout.split()[2]).read_text().splitlines()]
    assert line["said"] == [
        {"annotator": "Ada", "choice": "first", "note": None}, {"annotator": "Ben", "choice": "second", "note": None}
    ]  # fmt: skip
    row = next(each for each in ROWS if each["id"] == "p-brede")
    assert (line["question"], line["first"], line["second"]) == (row["question"], row["answer"], row["poor_answer"])
    settled = write_lines(tmp_path / "settled.jsonl", [{**line, "annotator": "Dee", "choice": "poor_answer"}])
    done = annotate(home, "--merge", settled, "--next", "1.2.0")
    assert done.exit_code == 0, done.output
    assert done.stdout.split()[-1] == str(home / "mills" / "1.2.0")
    assert "1 label from elsewhere: that they are of this version shows in their ids alone." in done.stderr
    assert "have no label" not in done.stderr
    made_release = Release.load(home / "mills" / "1.2.0")
    assert made_release.manifest.parent == {
        "name": "mills", "version": "1.1.0", "content_hash": release.manifest.content_hash
    }  # fmt: skip
    found = read_pairs(made_release)
    choices = {f"{each.dimension} {each.pair.id}": (each.choice, each.was_resolved) for each in found.labelled}
    assert found.source == "labels" and choices.pop(DISPUTED) == ("second", True)
    assert len(choices) == 8 and set(choices.values()) == {("first", False)}
    assert annotate(home, "--merge", settled, "--next", "1.2.0", of="mills@1.1.0").exit_code == 0, "the same again"
    changed = write_lines(tmp_path / "changed.jsonl", [{**line, "annotator": "Dee", "choice": "tie"}])
    again = annotate(home, "--merge", changed, "--next", "1.2.0", of="mills@1.1.0")
    assert (again.exit_code, "1.2.0 is there with other content" in again.output) == (1, True), again.output
    assert again.output.endswith("give a higher one to --next\n")
    other = annotate(home, "--merge", files[0])
    assert (other.exit_code, "name the version that it is of, as mills@1.1.0" in other.output) == (1, True)
    labels = home / "runs/mills/1.2.0/pairs/labels.jsonl"
    for more in (["--merge", files[0], "--next", "1.3.0"], ["--pages", "1"]):
        said = annotate(home, *more)
        assert "mills 1.2.0 has labels already" in said.output and "annotate mills@1.1.0" in said.output
        assert said.exit_code == (0 if "--pages" in more else 1) and not labels.exists()


def test_what_is_missing_and_divided_is_said(release: Release, home: Path, tmp_path: Path) -> None:
    """Labels of a table elsewhere: three people, one pair divided among them, most pairs without any."""
    said = [("Cy", "first"), ("Di", "ungrounded_answer"), ("Ed", "Tie")]
    lines = [label(annotator=name, choice=choice) for name, choice in said]
    lines += [label(annotator=name, pair_id="p-brede") for name, _ in said]
    result = annotate(home, "--merge", write_lines(tmp_path / "table.jsonl", lines), "--next", "1.2.0")
    assert result.exit_code == 0, result.output
    assert "of 9 choices 7 have no label and 1 are divided: metrics are not held against these" in result.stderr
    assert "any two of 3" in result.stderr and "Cy and Di" in result.stderr
    assert "p-orrin (faithfulness): Cy first, Di second, Ed tie" in result.stderr


def test_one_person_alone_agrees_with_nobody(release: Release, home: Path, tmp_path: Path) -> None:
    result = annotate(home, "--merge", page_file(release, tmp_path, "Ada"))
    assert result.exit_code == 0, result.output
    assert "Only Ada judged, so that there is no agreement to compute." in result.stderr
    assert "How far people agree" not in result.stderr


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([label(choice=None)], "line 1: 'None' is no choice for p-orrin faithfulness: write first, second or tie"),
        ([label(choice="poor_answer")], "'poor_answer' is no choice for p-orrin faithfulness"),
        ([label(annotator=" ")], "line 1: no annotator: name who says this of p-orrin faithfulness"),
        ([label(pair_id="p-none")], "line 1: p-none faithfulness was not asked in mills 1.1.0"),
        ([label(dimension="style")], "line 1: p-orrin style was not asked in mills 1.1.0"),
        ([label(), label(choice="tie")], "line 2: Cy says tie of p-orrin faithfulness, and first in a line before it"),
        ([{"pair_id": "p-orrin"}], "line 1: dimension"),
        ([], "a.jsonl holds no verdict"),
    ],
)
def test_bad_labels_are_one_line_and_nothing_is_written(
    home: Path, tmp_path: Path, lines: list[dict[str, Any]], message: str
) -> None:
    result = annotate(home, "--merge", write_lines(tmp_path / "a.jsonl", lines), "--next", "1.2.0")
    assert (result.exit_code, message in result.output, result.output.count("\n")) == (1, True, 1), result.output
    assert not (home / "runs").exists() and not (home / "mills" / "1.2.0").exists()


def test_two_files_that_contradict_each_other(release: Release, home: Path, tmp_path: Path) -> None:
    ada = page_file(release, tmp_path, "Ada")
    (tmp_path / "new").mkdir()
    newer = page_file(release, tmp_path / "new", "Ada", DISPUTED)
    result = annotate(home, "--merge", ada, newer)
    assert (result.exit_code, "leave the older file out" in result.output) == (1, True)
    table = write_lines(tmp_path / "table.jsonl", [label(annotator="Ada")])
    result = annotate(home, "--merge", ada, table)
    assert (result.exit_code, "Ada filled in 2 pages (a file from elsewhere, " in result.output) == (1, True)


@pytest.mark.parametrize("version", ["1.1.0", "1.0.0", "next"])
def test_a_version_that_does_not_come_next(release: Release, home: Path, tmp_path: Path, version: str) -> None:
    ada = page_file(release, tmp_path, "Ada")
    result = annotate(home, "--merge", ada, "--next", version)
    assert (result.exit_code, version in result.output.splitlines()[-1]) == (1, True), result.output
    assert [path.name for path in (home / "mills").iterdir()] == ["1.1.0"]


def test_next_without_merge(home: Path) -> None:
    result = annotate(home, "--next", "1.2.0")
    assert (result.exit_code, "--next writes labels that are merged" in result.output) == (2, True)
