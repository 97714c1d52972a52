"""Table 4 of GRAMMAR's second version as a comparison: runs worked out by hand, of one run and of two."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from report_cases import DOCUMENTS, begin_run, make_release

import benchwright
from benchwright.benchmarks.comparisons.leakage import ALL, LeakedGroups, find_leakage
from benchwright.benchmarks.comparisons.leakage_words import brief_leakage, leakage_sentence
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.run import PREDICTIONS, SCORES
from benchwright.benchmarks.runs.score_table import SCHEMA
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.types import Question
from benchwright.cards.compare.within import write_leakage
from benchwright.cards.report.terminal import terminal_text
from benchwright.scripts.maintain.report_schema import LEAKAGE_SCHEMA, schema_text

GROUPS = "abcdefghijkl"


def questions() -> list[Question]:
    """Three short and three long wordings of each group."""
    return [
        Question(
            id=f"{group}-{form}-{number}",
            question=f"{form} wording {number} of {group}?",
            answers=("Oslo",),
            answer_type="one",
            group=group,
            form=form,
            answerability="answerable",
        )
        for group in GROUPS
        for form in ("short", "long")
        for number in range(3)
    ]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return make_release(tmp_path_factory.mktemp("leakage") / "release", questions(), DOCUMENTS)


Marks = Mapping[str, tuple[str, str]]
"""Group → of its short wordings what own retrieval and what the model alone got: C right, . wrong, ? no verdict."""


def run_of(
    release: Release, folder: Path, short: Marks, long: Marks | None = None, *, conditions: str = "both", **system: str
) -> Path:
    """A run with these verdicts in both conditions, or in one of them."""
    begin_run(release, folder, len(questions()), **system)
    rows = []
    for form, groups in (("short", short), ("long", long or {})):
        for group, sides in groups.items():
            for condition, marks in zip(("own", "closed"), sides, strict=True):
                if conditions in ("both", condition):
                    rows += [
                        (f"{group}-{form}-{number}", condition, 0, "correct", None if mark == "?" else float(mark == "C"),
                         "no verdict" if mark == "?" else None, None)
                        for number, mark in enumerate(marks)
                    ]  # fmt: skip
    arrays = [pa.array(values, field.type) for values, field in zip(zip(*rows, strict=True), SCHEMA, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=SCHEMA), folder / SCORES)
    return folder


@dataclass(frozen=True)
class Worked:
    """A run worked out by hand: covered groups of all, covered groups of those that are not open, the open groups."""

    short: Marks
    with_open: tuple[int, int]
    without_open: tuple[int, int]
    groups: str


WORKED = {
    "nothing leaks": Worked({"a": ("CC", ".."), "b": ("..", "..")}, (1, 2), (1, 2), ""),
    "as in the paper, all that is covered is open": Worked(
        {"a": ("CC", "C."), "b": ("C.", "CC"), "c": ("..", "..")}, (2, 3), (0, 1), "ab"
    ),
    "one open group of three": Worked(
        {"a": ("CC", ".C"), "b": ("C.", ".."), "c": ("..", "..")}, (2, 3), (1, 2), "a"
    ),
    "an open group that retrieval gets wrong": Worked({"a": ("..", "CC"), "b": ("CC", "..")}, (1, 2), (1, 1), "a"),
    "one wording is enough to be covered": Worked({"a": ("..C", "...")}, (1, 1), (1, 1), ""),
    "one wording is enough to be open": Worked({"a": ("CCC", "..C"), "b": ("...", "...")}, (1, 2), (0, 1), "a"),
    "a group judged once both ways is left out": Worked({"a": ("C?", "CC"), "b": ("CC", "..")}, (1, 1), (1, 1), ""),
    "a wording counts where it was judged both ways": Worked({"a": ("..C", "..?"), "b": ("CC", "..")}, (1, 2), (1, 2), ""),
    "nothing is covered": Worked({"a": ("..", ".."), "b": ("..", "..")}, (0, 2), (0, 2), ""),
    "everything is open": Worked({"a": ("CC", "CC"), "b": ("..", "C.")}, (1, 2), (0, 0), "ab"),
}  # fmt: skip


@pytest.mark.parametrize("name", WORKED)
def test_runs_worked_out_by_hand(release: Release, tmp_path: Path, name: str) -> None:
    """The same from one run in two conditions as from two runs."""
    worked = WORKED[name]
    found = find_leakage(release, run_of(release, tmp_path / "one", worked.short))
    own = run_of(release, tmp_path / "own", worked.short, conditions="own")
    alone = run_of(release, tmp_path / "alone", worked.short, conditions="closed")
    two = find_leakage(release, own, alone)
    assert (two.forms, two.groups, two.left_out) == (found.forms, found.groups, found.left_out)
    assert (two.run, two.closed_run, found.closed_run) == ("own", "alone", "one")
    (form,) = found.forms
    assert (form.form, form.open_groups) == ("short", len(worked.groups))
    assert (form.with_open.count, form.with_open.total) == worked.with_open
    assert (form.without_open.count, form.without_open.total) == worked.without_open
    assert form.without_open.value == (
        worked.without_open[0] / worked.without_open[1] if worked.without_open[1] else None
    )
    assert [each.group for each in found.groups] == list(worked.groups)
    assert found.left_out == len(worked.short) - worked.with_open[1]


def test_the_schema_is_that_of_the_dataclasses(release: Release, tmp_path: Path) -> None:
    text = LEAKAGE_SCHEMA.read_text("utf-8")
    assert text == schema_text(LEAKAGE_SCHEMA), "run python -m benchwright.scripts.maintain.report_schema"
    for name in ("one open group of three", "everything is open"):
        folder = run_of(release, tmp_path / name, WORKED[name].short)
        write_leakage(find_leakage(release, folder), folder)
        stored = json.loads((folder / "leakage.json").read_bytes())
        jsonschema.validate(stored, json.loads(text))
        stored["groups"][0]["wordings"] = "many"
        with pytest.raises(jsonschema.ValidationError, match="'many' is not of type 'integer'"):
            jsonschema.validate(stored, json.loads(text))


def test_forms_are_told_apart_and_together(release: Release, tmp_path: Path) -> None:
    short, long = {"a": ("CC", "C."), "b": ("CC", "..")}, {"a": ("CC", ".."), "b": ("..", "..")}
    found = find_leakage(release, run_of(release, tmp_path / "run", short, long))
    assert [each.form for each in found.forms] == [ALL, "short", "long"]
    assert [(each.with_open.count, each.with_open.total) for each in found.forms] == [(3, 4), (2, 2), (1, 2)]
    assert [(each.without_open.count, each.without_open.total) for each in found.forms] == [(2, 3), (1, 1), (1, 2)]
    (group,) = found.groups
    assert (group.group, group.form, group.question) == ("a", "short", "short wording 0 of a?")
    assert (group.wordings, group.right_alone, group.right) == (2, 1, 2)
    assert leakage_sentence(found) == (
        "1 of 4 groups are open-domain: the model answers them without any document. The accuracy of the retrieval "
        "database is 0.75 with open-domain queries and 0.67 without."
    )


def leaked(release: Release, folder: Path) -> LeakedGroups:
    """Twelve open groups, a covered one in long, and one of which too little was judged."""
    short = dict.fromkeys(GROUPS, ("CC", "C."))
    return find_leakage(release, run_of(release, folder, short, {"a": ("CC", ".."), "b": ("C?", "..")}))


def test_page_json_and_terminal_show_the_same(release: Release, tmp_path: Path) -> None:
    found = leaked(release, tmp_path / "run")
    page = write_leakage(found, tmp_path / "out")
    stored = json.loads((tmp_path / "out" / "leakage.json").read_text("utf-8"))
    assert stored == as_json(found) and len(stored["groups"]) == 12 and stored["left_out"] == 1
    text, drawn = terminal_text(brief_leakage(found)), page.read_text("utf-8")
    for said in ("1.0000", "13 of 13", "1 of 1", "1 group left out: fewer than two wordings were judged both ways"):
        assert said in text and said in drawn
    assert "Open-domain groups: 10 of 12" in text and "short wording 0 of l?" not in text
    assert "Open-domain groups (12)" in drawn and "short wording 0 of l?" in drawn
    again = benchwright.find_leakage(tmp_path / "run", release=release, output=tmp_path / "again")
    assert again == found and (tmp_path / "again" / "leakage.html").read_text("utf-8") == drawn


def test_the_model_alone_may_be_a_system_that_retrieves_nothing(release: Release, tmp_path: Path) -> None:
    """A run in its own condition counts as one without documents where no answer came with a context."""
    marks = {"a": ("CC", "C."), "b": ("C.", "..")}
    own = run_of(release, tmp_path / "own", marks, conditions="own", reference="rag")
    alone = run_of(release, tmp_path / "alone", {"a": ("C.", ""), "b": ("..", "")}, conditions="own", reference="llm")
    with pytest.raises(BenchwrightError, match=r"holds no predictions\.jsonl, so that nothing tells whether it"):
        find_leakage(release, own, alone)
    (alone / PREDICTIONS).touch()
    found = find_leakage(release, own, alone)
    assert [each.group for each in found.groups] == ["a"]
    assert found.notes == (
        "the runs are of rag and llm: make sure that both are of one language model",
        "alone was not asked without documents and shows no retrieval: make sure that it is of the language model alone",
    )
    assert found.notes[1][1:] in " ".join(terminal_text(brief_leakage(found)).split())
    store = PredictionStore(alone / PREDICTIONS)
    store.append(Prediction("a-short-0", "Oslo", contexts=(Context(id="d1"),)))
    store.close()
    with pytest.raises(BenchwrightError, match="alone retrieves and was not asked without documents: score it with"):
        find_leakage(release, own, alone)


def test_runs_that_say_nothing_are_said(release: Release, tmp_path: Path) -> None:
    marks = {"a": ("CC", "C.")}
    own = run_of(release, tmp_path / "own", marks, conditions="own")
    with pytest.raises(
        BenchwrightError, match="own was not asked without documents: score it with --conditions own,cl"
    ):
        find_leakage(release, own)
    alone = run_of(release, tmp_path / "alone", marks, conditions="closed")
    with pytest.raises(BenchwrightError, match="alone has no judged answer with its own retrieval"):
        find_leakage(release, alone)
    silent = run_of(release, tmp_path / "silent", {"a": ("CC", "??")})
    with pytest.raises(BenchwrightError, match="silent: no answer without documents was judged"):
        find_leakage(release, silent)
    once = run_of(release, tmp_path / "once", {"a": ("C?", "C.")})
    with pytest.raises(BenchwrightError, match="once: Table 4 is not available because no group has two wordings"):
        find_leakage(release, once)
    with pytest.raises(BenchwrightError, match=r"holds no run\.json: it is not a scored run"):
        find_leakage(release, own, tmp_path)
    other = make_release(tmp_path / "other", questions()[:12], DOCUMENTS)
    elsewhere = run_of(other, tmp_path / "elsewhere", marks, conditions="closed")
    with pytest.raises(BenchwrightError, match=r"elsewhere is a run on small .*only runs on the same questions"):
        find_leakage(release, own, elsewhere)
