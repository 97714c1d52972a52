"""Several people's files put together: checked, agreed, divided, resolved; and that nothing is lost."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from annotated import Annotated, make_annotated, right, saved_lines, write_lines

from benchwright.benchmarks.annotations.agreement import agreement_by_sort
from benchwright.benchmarks.annotations.exports import Export, judgment_lines, read_export
from benchwright.benchmarks.annotations.items import Item, Task, Work
from benchwright.benchmarks.annotations.merge import Merged, merge, to_resolve
from benchwright.benchmarks.annotations.results import write_result
from benchwright.benchmarks.annotations.summary import summary_blocks
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.cards.report.terminal import terminal_text


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> Annotated:
    return make_annotated(tmp_path_factory.mktemp("merged"))


@pytest.fixture(scope="module")
def work(annotated: Annotated) -> Work:
    """Eight answers, each with two steps."""
    return annotated.work(8)


def said_by(work: Work, name: str, *wrong: int, only: int | None = None, folder: Path, **trace: Any) -> Export:
    """What somebody says: wrong of the answers in these places, right of all else; of the first few items only."""
    names = {work.items[place].id for place in wrong}
    wanted = {item.id for item in work.items[:only]}

    def choose(item: Item, task: Task) -> str | None:
        if item.id not in wanted:
            return None
        return "wrong" if task.step is None and item.id in names else "right"

    path = write_lines(folder / f"{name}.jsonl", saved_lines(work, name, choose, **trace))
    return read_export(path.name, judgment_lines(path), work)


def by_item(merged: Merged) -> dict[str, tuple[str, str | None]]:
    return {each.item: (each.how, each.choice) for each in merged.verdicts if each.task.step is None}


def test_one_agrees_with_another_and_part_is_open(work: Work, tmp_path: Path) -> None:
    """Ada judged all, Ben the first five; they differ about two."""
    ada = said_by(work, "Ada", 0, 1, folder=tmp_path)
    ben = said_by(work, "Ben", 1, 2, only=5, folder=tmp_path)
    merged = merge(work, [ada, ben])
    hows = [by_item(merged)[item.id] for item in work.items]
    assert hows == [
        ("divided", None), ("agreed", "wrong"), ("divided", None), ("agreed", "right"), ("agreed", "right"),
        *[("one", "right")] * 3,
    ]  # fmt: skip
    assert merged.done == {"Ada": 24, "Ben": 15} and [each.item for each in merged.disputed] == [
        work.items[0].id, work.items[2].id
    ]  # fmt: skip
    found = agreement_by_sort(merged)
    assert list(found) == ["correct", "step: Statements", "step: Verdicts"]
    (pair,) = found["correct"].pairs
    assert (pair.same.count, pair.same.total, pair.confusion) == (3, 5, ((1, 1), (1, 2)))
    assert pair.kappa is not None and pair.kappa.value == pytest.approx((3 / 5 - 13 / 25) / (1 - 13 / 25))
    assert found["step: Verdicts"].pairs[0].kappa is None, "both said right throughout"


def test_most_of_three_and_who_resolves(work: Work, tmp_path: Path) -> None:
    exports = [
        said_by(work, name, *wrong, folder=tmp_path)
        for name, wrong in (("Ada", (0, 1)), ("Ben", (0,)), ("Cy", (0, 1, 2)))
    ]
    merged = merge(work, exports)
    hows = [by_item(merged)[item.id] for item in work.items[:3]]
    assert hows == [("agreed", "wrong"), ("majority", "wrong"), ("majority", "right")]
    items = list(to_resolve(merged, work))
    assert [item.id for item in items] == [work.items[1].id, work.items[2].id]
    (task,) = items[0].tasks
    assert task.said == ("Ada: Wrong", "Ben: Right", "Cy: Wrong") and items[0].texts == work.items[1].texts
    final = said_by(work, "Dee", 2, folder=tmp_path, page="sample-1-resolve", final=True)
    resolved = merge(work, [*exports, final])
    assert [by_item(resolved)[item.id] for item in work.items[:3]] == [
        ("resolved", "right"), ("resolved", "right"), ("resolved", "wrong")
    ]  # fmt: skip
    assert resolved.disputed == [] and resolved.done == {"Ada": 24, "Ben": 24, "Cy": 24}
    other = said_by(work, "Eve", folder=tmp_path, page="sample-1-resolve", final=True)
    assert by_item(merge(work, [*exports, final, other]))[work.items[2].id] == ("divided", None)


def test_an_earlier_merge_is_kept_and_gives_way(annotated: Annotated, work: Work, tmp_path: Path) -> None:
    """First three answers of Ada's; then her whole file, in which one verdict changed; then Ben's alone."""
    result = tmp_path / "human.jsonl"

    def again(*exports: Export) -> Merged:
        before = read_export(result.name, judgment_lines(result), work) if result.is_file() else None
        merged = merge(work, exports, before)
        write_result(merged, result)
        return merged

    assert again(said_by(work, "Ada", 0, only=3, folder=tmp_path)).done == {"Ada": 9}
    whole = again(said_by(work, "Ada", 1, folder=tmp_path))
    assert (whole.done, whole.replaced) == ({"Ada": 24}, 2)
    both = again(said_by(work, "Ben", 1, only=4, folder=tmp_path))
    assert (both.done, both.replaced) == ({"Ada": 24, "Ben": 12}, 0)
    lines = [json.loads(line) for line in result.read_text().splitlines()]
    first = next(line for line in lines if line["id"] == work.items[1].id[2:] and line["metric"] == "correct")
    assert (first["value"], first["judge"]) == (0.0, {"kind": "human", "name": "Ada, Ben"})
    assert first["trace"]["how"] == "agreed" and first["trace"]["sample"] == "sample-1"
    assert [each["annotator"] for each in first["trace"]["said"]] == ["Ben", "Ada"]


def test_what_cannot_be_told_has_no_value(work: Work, tmp_path: Path) -> None:
    def unclear(item: Item, task: Task) -> str:
        return "unclear"

    path = write_lines(tmp_path / "a.jsonl", saved_lines(work, "Ada", unclear))
    merged = merge(work, [read_export("a.jsonl", judgment_lines(path), work)])
    write_result(merged, tmp_path / "out.jsonl")
    values = {(each.value, each.note) for each in judgment_lines(tmp_path / "out.jsonl")}
    assert values == {(None, "unclear")} and agreement_by_sort(merged) == {}
    assert len(merged.disputed) == 24, "somebody else may see clearer"


def test_notes_and_what_else_the_page_says_are_kept(work: Work, tmp_path: Path) -> None:
    lines = [{**line, "reason": "too short"} for line in saved_lines(work, "Ada", right, first="wrong", wrong_rows=[2])]
    path = write_lines(tmp_path / "a.jsonl", lines)
    write_result(merge(work, [read_export("a.jsonl", judgment_lines(path), work)]), tmp_path / "out.jsonl")
    line = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])
    (said,) = line["trace"]["said"]
    assert line["reason"] == "Ada: too short"
    assert said == {
        "annotator": "Ada",
        "choice": "right",
        "page": "sample-1-ada",
        "note": "too short",
        "first": "wrong",
        "wrong_rows": [2],
    }
    again = read_export("out.jsonl", judgment_lines(tmp_path / "out.jsonl"), work)
    assert {each.note for each in again.said} == {"too short"}


def test_a_step_that_the_judge_has_taken_anew_is_left_out_and_counted(
    annotated: Annotated, work: Work, tmp_path: Path
) -> None:
    lines = saved_lines(work, "Ada", right)
    for line in lines[:6]:
        if "candidate" in line:
            line["candidate"] += "0"
    path = write_lines(tmp_path / "a.jsonl", lines)
    found = read_export("a.jsonl", judgment_lines(path), work)
    assert (len(found.said), found.lost_steps) == (20, 4)
    assert merge(work, [found]).lost_steps == 4


Edit = Callable[[dict[str, Any]], Any]


def _set(**values: Any) -> Edit:
    return lambda line: line.update(values)


def _trace(**values: Any) -> Edit:
    return lambda line: line["trace"].update(values)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (_trace(work="f" * 16), r"a.jsonl, line 1: this is of sample-1 \(ffffffffffffffff\), not of sample-1 of mine on small"),
        (lambda line: line["trace"].pop("work"), "line 1: no trace.work: it was not saved by a page of `annotate`"),
        (_set(id="g99-0"), "line 1: g99-0 own 0 correct was not asked in sample-1: was the page or its file edited?"),
        (_set(condition="gold"), "own|gold 0 correct was not asked in sample-1"),
        (_set(metric="truthfulness", value=4), "truthfulness was not asked in sample-1"),
        (_set(value=0), r"it says 0.0 of g\d+-\d own 0 correct, and that right was chosen, which is 1.0"),
        (_set(value=7), "it says 7.0 of .*, and that right was chosen"),
        (_trace(choice="great"), "'great' was no choice for .*; there were right, wrong, unclear"),
        (_trace(choice=None), "'None' was no choice"),
        (_set(judge={"kind": "human"}), "nobody is named who said it"),
        (_set(judge={"kind": "human", "name": " \u00a0 "}), "nobody is named who said it"),
        (_trace(said=["Ada"]), "what people said in trace.said must be objects"),
        (_trace(said=[{"annotator": "Ada", "choice": "maybe"}]), "'maybe' was no choice"),
        (_set(value={"a": 1}), "'value' must be a number, null or one of"),
    ],
)  # fmt: skip
def test_a_file_or_page_that_was_edited(work: Work, tmp_path: Path, edit: Edit, message: str) -> None:
    lines = saved_lines(work, "Ada", right)
    edit(lines[0])
    path = write_lines(tmp_path / "a.jsonl", lines)
    with pytest.raises(BenchwrightError, match=message):
        read_export("a.jsonl", judgment_lines(path), work)


def test_a_line_that_is_cut_off_or_doubled_and_an_empty_file(work: Work, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", saved_lines(work, "Ada", right))
    whole = path.read_text()
    path.write_text(whole[:-30])
    with pytest.raises(BenchwrightError, match=r"a.jsonl, line 24: not JSON: the line may be cut off"):
        judgment_lines(path)
    path.write_text(whole + whole.splitlines()[0] + "\n")
    assert len(read_export("a.jsonl", judgment_lines(path), work).said) == 24, "the same said twice is said once"
    line = json.loads(whole.splitlines()[0])
    line["trace"]["choice"], line["value"] = "wrong", 0
    path.write_text(whole + json.dumps(line) + "\n")
    with pytest.raises(
        BenchwrightError, match=r"line 25: Ada says wrong of .*, and right in a line before it: keep one"
    ):
        read_export("a.jsonl", judgment_lines(path), work)
    path.write_text("")
    with pytest.raises(BenchwrightError, match=r"a.jsonl holds no verdict: save the page's file again"):
        read_export("a.jsonl", judgment_lines(path), work)


def test_one_person_twice(work: Work, tmp_path: Path) -> None:
    ada = said_by(work, "Ada", folder=tmp_path)
    with pytest.raises(BenchwrightError, match=r"Ada filled in 2 pages \(sample-1-ada, sample-1-page-2\)"):
        merge(work, [ada, said_by(work, "ada ", folder=tmp_path, page="sample-1-page-2")])
    with pytest.raises(
        BenchwrightError, match=r"Ada says right of .*, and wrong in Ada.jsonl: leave the older file out"
    ):
        merge(work, [ada, said_by(work, "Ada", 0, folder=tmp_path)])


def test_what_the_terminal_says(work: Work, tmp_path: Path) -> None:
    """Eve changed her eight verdicts once she had seen the judge; Ada did a part, and found one thing unclear."""
    ada = said_by(work, "Ada", 0, only=2, folder=tmp_path)
    eve = said_by(work, "Eve", 0, folder=tmp_path, first="wrong", is_blind=True)
    text = terminal_text(list(summary_blocks(merge(work, [ada, eve]))))
    assert "Ada 6 of 24, Eve 24 of 24 questions done. 6 agreed, 18 by one person; 0 open." in text
    assert "8 verdicts on answers changed once the judge was seen." in text
    assert "To be settled" not in text and re.search(r"correct +Eve and Ada +100\.0 %", text)
