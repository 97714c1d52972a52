"""`annotate`: pages and merges from the command line, `score-metric --human` after it, and every kind of bad use."""

import json
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from annotated import Annotated, make_annotated, predictions, right, saved_lines, step, write_lines

from benchwright.benchmarks.annotations.items import Item, Task, Work
from benchwright.benchmarks.comparisons.by_retrieval import tables_by_retrieval
from benchwright.benchmarks.runs.score import score_run
from benchwright.benchmarks.statistics.calibration import LEAST_GROUPS, MOST_MISSING


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> Annotated:
    return make_annotated(tmp_path_factory.mktemp("command"))


def head_of(path: Path) -> dict[str, Any]:
    """What a page knows before it draws an item."""
    (text,) = re.findall(r'<script type="application/json" id="head">(.*?)</script>', path.read_text("utf-8"))
    return json.loads(text)


def test_pages_for_two_and_what_comes_of_their_files(tmp_path: Path) -> None:
    """Ada and Ben judge six answers; they differ about one answer and one step; Dee resolves; score-metric reads."""
    made = make_annotated(tmp_path)
    result = made.run("--sample", "6", "--annotators", "Ada,Ben")
    assert result.exit_code == 0, result.output
    paths = [made.folder / "annotate" / f"sample-1-{name}.html" for name in ("ada", "ben")]
    assert result.stdout.split() == [str(path) for path in paths]
    assert result.stderr.splitlines() == [
        f"sample-1: 6 of 24 answers, of 12 semantic groups; 18 questions a page; {paths[0].stat().st_size // 1000} kB",
        "the pages hold the true answers: give them to nobody but those who judge",
    ]
    heads = [head_of(path) for path in paths]
    assert [each["annotator"] for each in heads] == ["Ada", "Ben"] and heads[0]["work"] == heads[1]["work"]
    orders = [[item["id"] for item in each["items"]] for each in heads]
    assert orders[0] != orders[1] and sorted(orders[0]) == sorted(orders[1])

    work = made.work(6)
    ada = made.saved(work, "Ada", right)
    ben = made.saved(work, "Ben", differing(work))
    merged = made.run("--merge", ada, ben, "--resolve", "--annotators", "Dee")
    assert merged.exit_code == 0, merged.output
    human, page = made.folder / "human.jsonl", made.folder / "annotate" / "sample-1-resolve.html"
    assert merged.stdout.split() == [str(human), str(page)]
    assert "Ada 18 of 18, Ben 18 of 18 questions done. 16 agreed, 2 divided; 0 open." in merged.stderr
    assert re.search(r"correct +Ada and Ben +83\.3 %", merged.stderr)
    assert f"- {work.items[0].id[2:]} (correct): Ada right, Ben wrong" in merged.stderr
    found = head_of(page)
    assert (found["annotator"], found["isFinal"], [len(each["tasks"]) for each in found["items"]]) == ("Dee", True, [2])

    dee = made.saved(work, "Dee", lambda i, t: "wrong" if i is work.items[0] and t in i.tasks[:2] else None,
                     page="sample-1-resolve", final=True)  # fmt: skip
    again = made.run("--merge", dee)
    assert "16 agreed, 2 resolved; 0 open." in again.stderr
    scored = made.score("--human", human)
    assert scored.exit_code == 0, scored.output
    assert "said by Ada, Ben (human): 5 of 6 answers are right" in scored.output
    steps = json.loads((made.folder / "score-metric.json").read_text())["steps"]
    assert [(each["metric"], each["step"], each["right"]["count"], each["right"]["total"]) for each in steps] == [
        ("faithfulness", "judge_statements", 5, 6), ("ragas_fact", "judge_statements", 5, 6),
        ("faithfulness", "judge_verdicts", 6, 6),
    ]  # fmt: skip
    assert "How often people find the judge&#39;s steps right" in (made.folder / "score-metric.html").read_text()
    assert "of one candidate of several" not in scored.output
    (believed,) = tables_by_retrieval(made.case.release, [made.folder]).believed
    assert (believed.reason, believed.answers, believed.right, believed.judges) == (None, 6, 5, {"Ada, Ben (human)": 6})
    assert [each.reason for each in believed.metrics][:2] == [
        "faithfulness is not scored",
        "factual_correctness is not scored",
    ]


def test_so_many_groups_are_drawn_that_some_may_be_unclear(tmp_path: Path) -> None:
    told = make_annotated(tmp_path).run("--annotators", "Ada").stderr
    asked = re.search(r"of 12 semantic groups \((\d+) were asked for\)", told)
    assert asked is not None and int(asked[1]) * (1 - MOST_MISSING) >= LEAST_GROUPS, told


def differing(work: Work) -> Any:
    """Wrong of the first answer and of its first step."""
    return lambda item, task: "wrong" if item is work.items[0] and task in item.tasks[:2] else "right"


def test_one_persons_file_goes_to_score_metric_as_it_is(annotated: Annotated) -> None:
    ada = annotated.saved(annotated.work(12), "Ada", right)
    result = annotated.score("--human", ada, "--output", annotated.root / "out")
    assert result.exit_code == 0 and "said by Ada (human): 12 of 12 answers are right" in result.output


def test_a_step_of_a_metric_with_grades_is_on_no_scale(tmp_path: Path) -> None:
    """Wrong is 0, and truthfulness goes from 1 to 5; taken instead of computed scores, verdicts on steps count for none."""
    made = make_annotated(tmp_path, has_judge=False)
    judge = {"kind": "model", "name": "gpt-9"}
    write_lines(made.folder / "judgments.jsonl", (
        {"id": each.id, "metric": "truthfulness", "value": 4, "judge": judge,
         "trace": {"steps": [step("judge_with_article", each.id, {"reason": "So.", "truthfulness": 4})]}}
        for each in predictions()
    ))  # fmt: skip
    work = made.work(4)
    ada = made.saved(work, "Ada", lambda item, task: "wrong")
    result = made.score("--human", ada)
    assert result.exit_code == 0, result.output
    (steps,) = json.loads((made.folder / "score-metric.json").read_text())["steps"]
    assert (steps["metric"], steps["right"]["count"], steps["right"]["total"]) == ("truthfulness", 0, 4)


def test_taken_instead_of_computed_scores_steps_count_for_nobody(tmp_path: Path) -> None:
    """Ada says what is correct; that she looked at the steps of faithfulness leaves the model its judge, twice over."""
    made = make_annotated(tmp_path)
    ada = made.saved(made.work(12), "Ada", lambda item, task: "wrong")
    first, second = (
        score_run(made.case.release, made.folder, metrics=("correct",), judgments=ada).run for _ in range(2)
    )
    assert first.scoring.judges == second.scoring.judges == {
        "correct": ("human:Ada",), "faithfulness": ("model:gpt-9:0123456789ab",),
        "ragas_fact": ("model:gpt-9:0123456789ab",),
    }  # fmt: skip
    rows = pq.read_table(made.folder / "scores.parquet").to_pylist()
    assert {row["value"] for row in rows if row["metric"] == "faithfulness"} == {0.5}
    assert sum(row["value"] == 0 and row["judge"] == "human:Ada" for row in rows) == 12


def test_what_is_divided_is_no_verdict(annotated: Annotated, tmp_path: Path) -> None:
    work = annotated.work(12)
    files = [
        write_lines(tmp_path / f"{name}.jsonl", saved_lines(work, name, choose))
        for name, choose in (("Ada", right), ("Ben", differing(work)))
    ]
    output = tmp_path / "verdicts.jsonl"
    assert annotated.run("--merge", *files, "--output", output, "-q").stdout == f"{output}\n"
    line = next(line for line in map(json.loads, output.read_text().splitlines()) if line["trace"]["how"] == "divided")
    assert (line["value"], line["reason"]) == (None, "divided: Ada right, Ben wrong")
    scored = annotated.score("--human", output, "--output", tmp_path)
    assert "11 of 11 answers are right" in scored.output and "no value (1)" in scored.output


def test_samples_are_recorded_and_grades_asked_for(annotated: Annotated, tmp_path: Path) -> None:
    """Another seed is another sample, whose verdicts have a file of their own; the same again is the same."""
    for _ in range(2):
        result = annotated.run("--sample", "4", "--seed", "7", "--metric", "truthfulness", "--metric", "correct",
                               "--pages", "2", "--output", tmp_path)  # fmt: skip
        assert result.exit_code == 0, result.output
    (name,) = {path.stem.rpartition("-page-")[0] for path in tmp_path.glob("*.html")}
    assert name != "sample-1" and len(list(tmp_path.glob("*.html"))) == 2
    work = annotated.work(4)
    sample = json.loads((annotated.folder / "samples" / f"{name}.json").read_text())
    assert sample["seed"] == 7 and len(sample["answers"]) == 4 and work.name != name
    assert "(120 were asked for)" in annotated.run("--output", tmp_path).stderr


def choose_none(item: Item, task: Task) -> None:
    """Judges nothing."""


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--merge"], 2, "--merge needs the files that pages saved: annotate RUN --merge ada.jsonl ben.jsonl"),
        (["ada.jsonl"], 2, "files are merged, and disputes resolved, with --merge"),
        (["--resolve"], 2, "with --merge"),
        (["--merge", "ada.jsonl", "--pages", "2"], 2, "--merge takes no --pages: the files say what they are of"),
        (["--merge", "ada.jsonl", "--metric", "correct"], 2, "--merge takes no --metric: the files say what they are of"),
        (["--merge", "ada.jsonl", "--sample", "3"], 2, "--merge takes no --sample"),
        (["--pages", "3", "--annotators", "Ada,Ben"], 2, "--annotators names 2 people, and --pages asks for 3: leave --pages out"),
        (["--annotators", "Ada, ada"], 2, "--annotators needs different names, with commas between them: Ada,Ben"),
        (["--annotators", "Ada,,Ben"], 2, "--annotators needs different names"),
        (["--metric", "corect"], 2, "there is no metric 'corect' that answers are judged by"),
        (["--condition", "gold"], 2, "mine was not asked in the condition 'gold': there is own"),
        (["--merge", "nowhere.jsonl"], 1, "there is no file of judgments nowhere.jsonl: check the path"),
        (["--merge", "ada.jsonl", "ada.jsonl"], 1, "a file is named twice: name each once"),
        (["--merge", "cut.jsonl"], 1, "cut.jsonl, line 2: not JSON: the line may be cut off"),
        (["--merge", "empty.jsonl"], 1, "the files hold no verdict: save them again once something is judged"),
        (["--merge", "other.jsonl"], 1, "other.jsonl, line 1: it is of 'sample-99', and the samples of mine are: sample-1"),
        (["--merge", "by-hand.jsonl"], 1, "by-hand.jsonl, line 1: it is of 'None'"),
        (["--merge", "ada.jsonl", "other.jsonl"], 1, "ada.jsonl, line 1 is of sample-1 and other.jsonl, line 1 of sample-99: merge the files of one sample"),
        (["--merge", "foreign.jsonl"], 1, "is it of another run?"),
        (["--merge", "ada.jsonl", "--annotators", "Dee"], 2, "names the one person who resolves: add --resolve"),
    ],
)  # fmt: skip
def test_bad_use_is_one_line(
    annotated: Annotated, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, message: str
) -> None:
    monkeypatch.chdir(annotated.root)
    lines = saved_lines(annotated.work(12), "Ada", right)
    write_lines(Path("ada.jsonl"), lines)
    Path("cut.jsonl").write_text(json.dumps(lines[0]) + "\n" + json.dumps(lines[1])[:50])
    Path("empty.jsonl").write_text("\n")
    write_lines(Path("other.jsonl"), [{**line, "trace": {**line["trace"], "sample": "sample-99"}} for line in lines])
    write_lines(Path("foreign.jsonl"), [{**line, "trace": {**line["trace"], "work": "f" * 16}} for line in lines])
    write_lines(Path("by-hand.jsonl"), [{"id": "g0-0", "metric": "correct", "value": 1}])
    result = annotated.run(*arguments, "--output", "nothing")
    assert (result.exit_code, message in result.output, result.output.count("\n")) == (code, True, 1), result.output
    assert not Path("nothing").exists()


def test_answers_that_changed_since_they_were_judged(tmp_path: Path) -> None:
    made = make_annotated(tmp_path)
    ada = made.saved(made.work(3), "Ada", right)
    path = made.folder / "predictions.jsonl"
    path.write_text(path.read_text().replace("It is in Oslo.", "It is in Rome."))
    result = made.run("--merge", ada)
    assert result.exit_code == 1
    assert "the answers of mine are others than those that sample-1 was drawn from: draw a new sample" in result.output


def test_a_run_without_scores_and_what_is_no_run(annotated: Annotated, tmp_path: Path) -> None:
    made = make_annotated(tmp_path, has_judge=False)
    assert "There are no steps of a judge to look at" in made.run("--sample", "2").stderr
    (made.folder / "scores.parquet").unlink()
    result = made.run()
    assert (result.exit_code, "holds no scores.parquet: it is not a scored run" in result.output) == (1, True)


def test_held_out_answers_are_named(tmp_path: Path) -> None:
    """Of a run on the private half of a release, whose manifest has the secret."""
    made = make_annotated(tmp_path)
    path = tmp_path / "release" / "manifest.json"
    manifest = json.loads(path.read_text())
    secret = {"share": 0.5, "public": "small", "public_content_hash": "ab" * 32, "secret": "ab" * 32}
    path.write_text(json.dumps({**manifest, "holdout": secret}))
    assert (
        "the pages hold the true answers, of held-out questions: give them to nobody"
        in made.run("--sample", "2").stderr
    )
