"""The whole way of WikiEval's labels: pages filled in by keyboard, merged, settled, in version 1.1.0, and in the table."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from browsing import opened
from built import Built
from click.testing import CliRunner

from benchwright.benchmarks.releases.pairs import read_pairs
from benchwright.benchmarks.releases.release import Release
from benchwright.scripts.annotate import main as annotate
from benchwright.scripts.score_metric import main as score_metric

PLACES = "[...document.querySelectorAll('script[data-item]')].map(each => JSON.parse(each.textContent).tasks[0])"


def filled_in(chromium: Any, path: Path, name: str, other: str, folder: Path) -> Path:
    """The file that a person saves who chooses the better candidate throughout, but the other one of a pair."""
    with opened(chromium, path) as page:
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        tasks = page.evaluate(PLACES)
        for place, task in enumerate(tasks):
            assert page.locator("#place").inner_text() == f"{place + 1} of {len(tasks)}"
            wanted = "second" if task["line"]["pair_id"] == other else "first"
            page.keyboard.press(next(each["key"] for each in task["choices"] if each["name"] == wanted))
            page.keyboard.press("j")
        with page.expect_download() as download:
            page.keyboard.press("s")
        file = folder / download.value.suggested_filename
        download.value.save_as(file)
    return file


def test_from_pages_to_a_table(chromium: Any, built: Built, tmp_path: Path) -> None:
    """Ada and Ben differ about one pair in each dimension that it has; Dee settles it for Ada."""
    shutil.copytree(built.release("wikieval", pages=3).folder, tmp_path / "releases/wikieval/1.0.0")

    def call(command: Any, *arguments: str | Path) -> list[Path]:
        roots = ("--releases", tmp_path / "releases", "--runs", tmp_path / "runs")
        result = CliRunner().invoke(command, [str(each) for each in (*arguments, "--quiet", *roots)])
        assert result.exit_code == 0, result.output
        return [Path(each) for each in result.stdout.split()]

    pairs = read_pairs(Release.load(tmp_path / "releases/wikieval/1.0.0"))
    disputed = next(pair for pair in pairs.pairs if pair.context_v2).id
    pages = call(annotate, "wikieval", "--pages", "2")
    files = [
        filled_in(chromium, path, name, other, tmp_path)
        for path, name, other in zip(pages, ("Ada", "Ben"), ("", disputed), strict=True)
    ]
    assert [file.name for file in files] == ["pairs-page-1-ada.jsonl", "pairs-page-2-ben.jsonl"]
    _, settling, _ = call(annotate, "wikieval", "--merge", *files, "--resolve")
    settled = filled_in(chromium, settling, "Dee", "", tmp_path)
    call(annotate, "wikieval", "--merge", settled, "--next", "1.1.0")
    made = Release.load(tmp_path / "releases/wikieval/1.1.0")
    number = len(pairs.labelled)
    assert made.manifest.rows["labels"] == 2 * number + 3
    found = read_pairs(made)
    assert found.source == "labels" and {each.choice for each in found.labelled} == {"first"}
    assert [each.pair.id for each in found.labelled if each.was_resolved] == [disputed] * 3
    (page,) = call(score_metric, "wikieval@1.1.0", "faithfulness")
    rated = json.loads(page.with_suffix(".json").read_text("utf-8"))
    assert rated["source"] == "labels" and rated["rows"][0]["cells"]["faithfulness"]["value"] == 1.0
    for labels in rated["labels"].values():
        of = labels["agreement"]["same"]["total"]
        assert labels["agreement"]["share"] == pytest.approx((of - 1) / of) and labels["resolved"] == 1
