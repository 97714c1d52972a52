"""Pairs for Label Studio and Argilla, and what comes back from them."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pairs as made
import pytest
from click.testing import CliRunner, Result

from benchwright.benchmarks.annotations.pair_items import pair_work
from benchwright.benchmarks.releases.release import Release
from benchwright.scripts.annotate import main

ROWS = made.pairs(3)
Tasks = list[dict[str, Any]]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return made.make_release(tmp_path_factory.mktemp("tools"), ROWS)


def annotate(release: Release, folder: Path, *arguments: str | Path) -> Result:
    roots = ("--releases", release.folder.parent.parent, "--runs", folder / "runs")
    return CliRunner().invoke(main, [str(each) for each in ("mills", *arguments, *roots)])


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value))
    return path


def tasks(release: Release, folder: Path, format: str) -> Tasks:
    """What a program imports."""
    result = annotate(release, folder, "--format", format, "--output", folder)
    assert result.exit_code == 0, result.output
    return read(folder / ("pairs-label-studio.json" if format == "label-studio" else "pairs-argilla/records.json"))


def better(texts: dict[str, str]) -> str:
    """The side on which the candidate stands that was made to be the better one."""
    first = {value for row in ROWS for value in (row["answer"], *row["context_v1"])}
    return "A" if texts["candidate_a"] in first else "B"


def label_studio_export(imported: Tasks, people: dict[int, str]) -> Tasks:
    """What is exported once people chose the better one, or "other", throughout."""
    found = []
    for task in imported:
        side = better(task["data"])
        chosen = {"better": side, "other": "AB".replace(side, "")}
        annotations = [
            {
                "completed_by": who,
                "was_cancelled": False,
                "result": [
                    {"from_name": "better", "to_name": "question", "type": "choices",
                     "value": {"choices": [f"{chosen[what]} is better"]}},
                    {"from_name": "note", "to_name": "question", "type": "textarea", "value": {"text": ["I see."]}},
                ],
            }
            for who, what in people.items()
        ]  # fmt: skip
        found.append({"id": len(found) + 1, "data": task["data"], "annotations": annotations})
    return found


def test_label_studio_there_and_back(release: Release, tmp_path: Path) -> None:
    """Sides are drawn and named nowhere; the configuration names what tasks have; two people disagree on all."""
    imported = tasks(release, tmp_path, "label-studio")
    assert len(imported) == 9 and {better(task["data"]) for task in imported} == {"A", "B"}
    assert not {"first", "second"} & {str(value) for task in imported for value in task["data"].values()}
    view = ET.fromstring((tmp_path / "pairs-label-studio.xml").read_text())
    values = {each.get("value", "").removeprefix("$") for each in view.iter() if each.get("value", "").startswith("$")}
    assert values == {"ask", "question", "source", "candidate_a", "candidate_b"} < imported[0]["data"].keys()
    assert [each.get("value") for each in view.iter("Choice")] == ["A is better", "B is better", "No difference"]
    assert imported[0]["data"]["ask"].startswith(("Faithfulness. Which answer ", "Answer rel", "Context rel"))
    exported = label_studio_export(imported, {1: "better", 2: "other"})
    exported[0]["annotations"][1]["was_cancelled"] = True
    exported[1]["annotations"][0]["result"] = []
    merged = annotate(release, tmp_path, "--merge", write(tmp_path / "export.json", exported))
    assert merged.exit_code == 0, merged.output
    assert "1 8 of 9, 2 8 of 9 questions done. 2 by one person, 7 divided; 0 open." in merged.stderr
    lines = [json.loads(line) for line in Path(merged.stdout.split()[0]).read_text().splitlines()]
    assert {(line["annotator"], line["choice"], line["note"]) for line in lines} == {
        ("1", "first", "I see."), ("2", "second", "I see.")
    }  # fmt: skip


def test_label_studio_as_rows(release: Release, tmp_path: Path) -> None:
    """JSON-MIN, as `label_studio_sdk.converter` 2.1 writes it: an object for each annotation, its values beside the data."""
    rows = [
        {
            **task["data"],
            "id": place,
            "annotator": who,
            "annotation_id": 10 * place,
            "better": choice,
            "note": ["I see."],
        }
        for place, task in enumerate(tasks(release, tmp_path, "label-studio"))
        for who, choice in (("ada@example.org", f"{better(task['data'])} is better"), (7, "No difference"))
    ]
    rows[0].pop("better")
    merged = annotate(release, tmp_path, "--merge", write(tmp_path / "rows.json", rows))
    assert "7 9 of 9, ada@example.org 8 of 9 questions done. 1 by one person, 8 divided; 0 open." in merged.stderr
    lines = [json.loads(line) for line in Path(merged.stdout.split()[0]).read_text().splitlines()]
    assert {(line["annotator"], line["choice"], line["note"]) for line in lines} == {
        ("ada@example.org", "first", "I see."), ("7", "tie", "I see.")
    }  # fmt: skip


def test_argilla_there_and_back(release: Release, tmp_path: Path) -> None:
    records = tasks(release, tmp_path, "argilla")
    home = tmp_path / "pairs-argilla" / ".argilla"
    settings = read(home / "settings.json")
    fields = {each["name"]: each["required"] for each in settings["fields"]}
    assert len(records) == 9 and all(record["fields"].keys() == fields.keys() for record in records)
    assert all(record["metadata"].keys() == {each["name"] for each in settings["metadata"]} for record in records)
    options = settings["questions"][0]["settings"]["options"]
    assert [each["value"] for each in options] == ["A", "B", "tie"] and read(home / "dataset.json")["name"]
    assert settings["distribution"]["min_submitted"] == 2
    for place, record in enumerate(records):
        said = [{"user_id": "u-1", "value": better(record["fields"])}, {"user_id": "u-2", "value": "tie"}]
        record["responses"] = {"better": said if place else [], "note": [{"user_id": "u-2", "value": "Alike."}]}
    merged = annotate(release, tmp_path, "--merge", write(tmp_path / "export.json", records))
    assert "u-1 8 of 9, u-2 8 of 9 questions done. 8 divided; 1 open." in merged.stderr, merged.output
    lines = [json.loads(line) for line in Path(merged.stdout.split()[0]).read_text().splitlines()]
    assert {(line["annotator"], line["choice"], line.get("note")) for line in lines} == {
        ("u-1", "first", None), ("u-2", "tie", "Alike.")
    }  # fmt: skip


def test_the_release_that_tasks_are_of_is_looked_at(release: Release, tmp_path: Path) -> None:
    imported = tasks(release, tmp_path, "label-studio")
    assert {task["data"]["work"] for task in imported} == {pair_work(release, has_texts=False).hash}
    exported = label_studio_export(imported, {1: "better"})
    for task in exported:
        task["data"]["work"] = "0" * 16
    result = annotate(release, tmp_path, "--merge", write(tmp_path / "other.json", exported))
    assert (result.exit_code, "made with other content under the same version" in result.output) == (1, True)


DATA = {"pair_id": "p-orrin", "dimension": "faithfulness", "work": "0" * 16}


def chosen(*choices: object) -> Any:
    return [{"completed_by": 1, "result": [{"from_name": "better", "value": {"choices": list(choices)}}]}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"data": {}', "export.json is not whole JSON"),
        ("[1]", "task 1 is no object"),
        ("[{}]", "task 1 has neither data nor metadata: export what was imported from `annotate --format`"),
        ([{"data": DATA, "better": "A is better"}], "task 1 has no annotations: export in the format JSON"),
        ([{**DATA, "annotation_id": 1, "annotator": 1, "better": "Both"}], "task 1: 'Both' was no choice; there were "),
        ([{"data": {}, "annotations": chosen("A is better")}], "task 1 lacks pair_id"),
        ([{"data": DATA, "annotations": chosen("Both")}], "task 1: 'Both' was no choice; there were "),
        ([{"data": DATA, "annotations": [7]}], "task 1 has something else where a list of annotations belongs"),
        ([{"data": DATA, "annotations": []}], "export.json holds no verdict"),
        ([{"metadata": DATA, "responses": {"better": [{"user_id": "u", "value": "C"}]}}], "'C' was no choice; there were A"),
        ([{"metadata": DATA, "responses": [1]}], "task 1 has no responses by question"),
    ],
)  # fmt: skip
def test_bad_exports_are_one_line(release: Release, tmp_path: Path, text: Any, message: str) -> None:
    path = tmp_path / "export.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    result = annotate(release, tmp_path, "--merge", path)
    assert (result.exit_code, message in result.output, result.output.count("\n")) == (1, True, 1), result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "argilla", "--annotators", "Ada"], "--format takes no --annotators"),
        (["--merge", "a.jsonl", "--format", "argilla"], "--merge takes no --format"),
    ],
)
def test_format_with_other_options(release: Release, tmp_path: Path, arguments: list[str], message: str) -> None:
    result = annotate(release, tmp_path, *arguments)
    assert (result.exit_code, message in result.output) == (2, True), result.output
