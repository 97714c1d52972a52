"""A run on disk: resumed, refused, scored in the release's order, and what is missing counted."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from lighthouses import make_release
from support import ROOT, TOY_FACTS

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.runs import run as runs
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score import score_run
from benchwright.benchmarks.runs.score_system import Scored, score_system
from benchwright.benchmarks.runs.store import PredictionStore

Score = Callable[..., Scored]


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Release:
    """The toy release, with the toy systems to be imported from the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "toy_systems"))
    return make_release(tmp_path / "releases")


@pytest.fixture
def score(release: Release, tmp_path: Path) -> Score:
    def call(system: str, name: str | None = None, of: Release = release, **options: Any) -> Scored:
        return score_system(of, system, output=tmp_path / "runs", name=name, options=Options(**options))

    return call


def rows(scored: Scored) -> list[dict[str, Any]]:
    return pq.read_table(scored.folder / "scores.parquet").to_pylist()


def values(scored: Scored, metric: str) -> list[float | None]:
    return [row["value"] for row in rows(scored) if row["metric"] == metric]


def said(tmp_path: Path) -> list[str]:
    path = tmp_path / "asked.txt"
    return path.read_text().splitlines() if path.exists() else []


def write(path: Path, lines: list[Any]) -> str:
    path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
    return str(path)


def everything(release: Release, **changes: Any) -> list[dict[str, Any]]:
    return [
        {"id": question.id, "answer": ", ".join(question.answers), **changes}
        for question in load_questions(release, "test")
    ]


def test_a_run(score: Score, release: Release, tmp_path: Path) -> None:
    scored = score("toys:answer")
    assert scored.folder == tmp_path / "runs/lights/1.0.0/toys"
    assert (scored.asked, scored.reused, scored.is_rescored) == (10, 0, True)
    assert values(scored, "correct") == [1.0] * 8 + [0.0] * 2
    table = pq.read_table(scored.folder / "scores.parquet")
    assert table.schema.names == ["id", "condition", "repeat", "metric", "value", "reason", "judge"]
    ids = [question.id for question in load_questions(release, "test")]
    assert list(dict.fromkeys(table.column("id").to_pylist())) == ids
    metrics = ["correct", "exact_match", "token_f1", "rouge_l", "evidence_recall@5", "evidence_mrr@5"]
    metrics += ["hit@5", "recall@5", "precision@5", "mrr", "ndcg@5"]
    assert table.column("metric").to_pylist() == metrics * 10
    last = [row for row in rows(scored) if row["id"] == ids[-1]]
    assert last[0]["reason"] == "says that the answer is not known"
    assert (last[4]["value"], last[4]["reason"]) == (None, "the question has no evidence")
    run = runs.read_run(scored.folder)
    assert run is not None
    assert (run.benchmark, run.version, run.content_hash) == ("lights", "1.0.0", release.manifest.content_hash)
    assert run.system == runs.RunSystem(
        name="toys",
        kind="Python object",
        reference="toys:answer",
        description="toys:answer, called",
        settings={"accepts": []},
        source=hashlib.sha256((ROOT / "tests/toy_systems/toys.py").read_bytes()).hexdigest(),
    )
    assert run.questions == runs.RunQuestions(split="test", count=10, groups=5)
    assert run.conditions == ("own",)
    assert {"python", "benchwright", "pyarrow"} <= run.libraries.keys()
    assert run.counts == runs.RunCounts(predictions=10)


def test_a_finished_run_is_asked_and_scored_only_once(score: Score, tmp_path: Path) -> None:
    first = score("toys:answer")
    scores, asked = (first.folder / "scores.parquet").stat().st_mtime_ns, said(tmp_path)
    second = score("toys:answer")
    assert (second.asked, second.reused, second.is_rescored) == (0, 10, False)
    assert second.summary[0] == "0 answers asked, 10 answers reused; the scores were up to date"
    assert (first.folder / "scores.parquet").stat().st_mtime_ns == scores
    assert said(tmp_path) == asked
    third = score("toys:answer", metrics=("mrr",))
    assert (third.asked, third.is_rescored, {row["metric"] for row in rows(third)}) == (0, True, {"mrr"})
    assert (score("toys:answer", again=True).asked, len(said(tmp_path))) == (10, 20)


def test_a_stopped_run_goes_on(score: Score, tmp_path: Path) -> None:
    whole = score("toys:answer", name="whole")
    scores = (whole.folder / "scores.parquet").read_bytes()
    stopped = score("toys:answer")
    path = stopped.folder / "predictions.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4]) + lines[4][:25])
    (stopped.folder / "scores.parquet").unlink()
    (tmp_path / "asked.txt").unlink()
    more = score("toys:answer")
    assert (more.asked, more.reused) == (6, 4)
    assert len(set(said(tmp_path))) == len(said(tmp_path)) == 6
    assert (more.folder / "scores.parquet").read_bytes() == scores
    assert len(path.read_bytes().splitlines()) == 10


def test_a_sample_may_grow(score: Score, tmp_path: Path) -> None:
    assert (score("toys:answer", limit=4).asked, len(said(tmp_path))) == (4, 4)
    grown = score("toys:answer", limit=7)
    assert (grown.asked, grown.reused) == (2, 4)  # groups of two: a third of them does not fit
    assert score("toys:answer").reused == 6
    with pytest.raises(BenchwrightError, match="it is of 10 questions, not of 4; give this one a --name of its own"):
        score("toys:answer", limit=4)


def test_wordings_may_grow_where_all_groups_are_asked(score: Score, release: Release) -> None:
    first = score("toys:answer", wordings=1)
    assert (first.asked, first.counts.predictions) == (10, 10)
    run = runs.read_run(first.folder)
    assert run is not None
    assert run.questions == runs.RunQuestions(split="test", count=10, seed=0, wordings=1, groups=5)
    assert score_run(release, first.folder, metrics=("correct",)).run.counts == runs.RunCounts(predictions=10)
    with pytest.raises(BenchwrightError, match="it is of 10 questions, not of 4"):
        score("toys:answer", limit=4, wordings=1)
    assert score("toys:answer").reused == 10
    with pytest.raises(BenchwrightError, match="of a group it asked all wordings, not 1 wording a form; give this one"):
        score("toys:answer", wordings=1)
    assert score("toys:answer", "few", limit=4, wordings=1).asked == 4
    with pytest.raises(BenchwrightError, match="1 wording a form, not as many wordings as the limit allows"):
        score("toys:answer", "few", limit=8)


def test_a_sample_of_single_questions_is_not_gone_on_with(score: Score, release: Release) -> None:
    """Runs that were begun before groups were drawn have no number of groups."""
    folder = score("toys:answer", limit=4).folder
    run = runs.read_run(folder)
    assert run is not None
    runs.write_run(folder, replace(run, questions=replace(run.questions, groups=None)))
    with pytest.raises(BenchwrightError, match="its sample was drawn before samples were of whole groups"):
        score("toys:answer", limit=6)
    with pytest.raises(BenchwrightError, match=r"holds a sample drawn before .*: ask its system anew with --again"):
        score_run(release, folder)
    assert score("toys:answer").reused == 4


def test_nothing_to_ask_is_refused() -> None:
    with pytest.raises(UsageError, match="limit=0 asks nothing: give 1 or more"):
        Options(limit=0)
    with pytest.raises(UsageError, match="wordings=0 asks nothing: give 1 or more"):
        Options(wordings=0)


def test_another_run_in_the_same_place_is_refused(score: Score, release: Release, tmp_path: Path) -> None:
    folder = score("toys:answer").folder
    how = "; give this one a --name of its own, or replace that one with --again"

    def refused(system: str, of: Release = release, **options: Any) -> str:
        with pytest.raises(BenchwrightError) as error:
            score(system, name="toys", of=of, **options)
        return str(error.value).removeprefix(f"{folder} is another run: ").removesuffix(how)

    assert refused("toys:later") == "its system was toys:answer, not toys:later"
    assert refused("toys:answer", split="dev") == "its split was 'test', not 'dev'"
    changed = make_release(tmp_path / "other", taller=1)
    assert refused("toys:answer", changed) == (
        f"its release lights 1.0.0 had other content ({release.manifest.content_hash[:12]}…)"
    )
    score("bm25")
    with pytest.raises(BenchwrightError, match="its settings were k=5, not 3; give this one a --name"):
        score("bm25", k=3)
    assert score("bm25", name="bm25-3", k=3).asked == 10
    assert score("toys:later", name="toys", again=True).asked == 10


def test_a_new_version_of_a_release_is_another_run(score: Score, tmp_path: Path) -> None:
    score("toys:answer")
    newer = make_release(tmp_path / "newer", version="1.1.0", taller=1)
    scored = score("toys:answer", of=newer)
    assert scored.folder == tmp_path / "runs/lights/1.1.0/toys" and scored.asked == 10


def test_a_changed_program_is_said(score: Score, tmp_path: Path) -> None:
    folder = score("toys:answer").folder
    run = runs.read_run(folder)
    assert run is not None
    runs.write_run(folder, replace(run, system=replace(run.system, source="0" * 64)))
    assert score("toys:answer").warnings == (
        "the file of toys:answer has changed since its first answers: --again asks all anew",
    )


def test_folders_that_are_no_runs(score: Score, tmp_path: Path) -> None:
    folder = tmp_path / "runs/lights/1.0.0/toys"
    folder.mkdir(parents=True)
    (folder / "thesis.txt").write_text("mine")
    with pytest.raises(BenchwrightError, match="toys is there and is not a run: choose another --name or --runs"):
        score("toys:answer", again=True)
    assert (folder / "thesis.txt").read_text() == "mine"
    held = score("toys:answer", name="held").folder
    with runs.open_run(held, _run(held)), pytest.raises(BenchwrightError, match="is being written by another process"):
        score("toys:answer", name="held")
    (held / "run.json").write_text("{")
    with pytest.raises(BenchwrightError, match=r"run\.json cannot be read: .*; start the run anew with --again"):
        score("toys:answer", name="held")


def _run(folder: Path) -> runs.Run:
    run = runs.read_run(folder)
    assert run is not None
    return run


def test_spoilt_predictions_are_said(score: Score) -> None:
    path = score("toys:answer").folder / "predictions.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:2], "{}\n", *lines[2:]]))
    with pytest.raises(BenchwrightError, match=r"predictions\.jsonl, line 3: not a prediction: delete the line"):
        score("toys:answer")
    path.write_text("".join([*lines, lines[0]]))
    with pytest.raises(BenchwrightError, match=r"predictions\.jsonl, line 11: a second answer to "):
        score("toys:answer")


def test_contexts_are_matched_and_counted(score: Score) -> None:
    scored = score("toys:fields")
    assert scored.counts.contexts == runs.ContextCounts(id=10, foreign=10)
    assert values(scored, "hit@5") == [1.0, 1.0] + [0.0] * 6 + [None] * 2
    assert scored.summary[-1] == "contexts: 10 matched by id, 0 by text, 10 foreign"
    everything = score("toys:Rag")
    assert everything.counts.contexts == runs.ContextCounts(text=40)
    assert values(everything, "evidence_recall@5")[:8] == [1.0] * 8


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ("raises", "ValueError: no such lighthouse"),
        ("leaves", "SystemExit: 3"),
        ("nothing", "returned nothing"),
        ("wrong_type", "returned an object of type list: it must be a text, a dict with 'answer', or a Prediction"),
        ("wrong_fields", "returned a prediction: 'answer' must be a string, and is 18"),
        ("no_json", "returned what is no JSON: an object of type object"),
        ("hangs", "no answer within 1 s"),
        ("hangs_later", "no answer within 1 s"),
    ],
)
def test_a_system_that_fails_at_two_questions(score: Score, system: str, message: str) -> None:
    scored = score(f"toys:{system}", timeout=1.0 if system.startswith("hangs") else 60.0)
    assert scored.counts.errors == 2
    assert values(scored, "correct") == [1.0] * 4 + [None] * 2 + [1.0] * 2 + [0.0] * 2
    lines = [json.loads(line) for line in (scored.folder / "predictions.jsonl").read_text().splitlines()]
    assert [line.get("error") for line in lines if line.get("error")] == [message] * 2
    assert "2 errors of the system" in scored.summary[1]


def test_an_answer_of_ten_megabytes_is_cut_and_counted(score: Score) -> None:
    scored = score("toys:huge")
    assert (scored.counts.cut, scored.counts.errors) == (2, 0)
    assert values(scored, "correct")[:8] == [1.0] * 8
    assert (scored.folder / "predictions.jsonl").stat().st_size < 300_000
    assert scored.summary[1] == "2 answers were cut: too long"


def test_systems_that_cannot_be_prepared_leave_a_run_to_go_on_with(score: Score, tmp_path: Path) -> None:
    with pytest.raises(BenchwrightError) as error:
        score("toys:Broken")
    assert str(error.value) == "the system toys:Broken failed in index(documents): RuntimeError: no space"


def test_predictions_made_elsewhere(score: Score, release: Release, tmp_path: Path) -> None:
    lines = everything(release)[:9]
    lines[0] |= {"contexts": [{"id": "gannet-rock"}], "unknown": 1}
    lines[1]["abstained"] = True
    scored = score(write(tmp_path / "Their RAG.jsonl", ["\ufeff", *lines, "\n"]))
    assert scored.folder.name == "their-rag"
    assert (scored.asked, scored.reused, scored.counts.missing) == (9, 0, 1)
    assert values(scored, "correct") == [1.0, 0.0] + [1.0] * 7 + [None]
    assert {row["reason"] for row in rows(scored)[-10:]} == {"no prediction"}
    assert "1 questions have no prediction: unscored" in scored.summary
    again = score(str(tmp_path / "Their RAG.jsonl"))
    assert (again.asked, again.reused, again.is_rescored) == (0, 9, False)
    write(tmp_path / "Their RAG.jsonl", lines[:8])
    with pytest.raises(
        BenchwrightError, match=r"its settings were sha256=\w{12}…, not \w{12}…; give this one a --name"
    ):
        score(str(tmp_path / "Their RAG.jsonl"))


def test_conditions_and_repeats_of_a_file(score: Score, release: Release, tmp_path: Path) -> None:
    lines = everything(release) + everything(release, condition="gold") + everything(release, repeat=1)[:4]
    scored = score(write(tmp_path / "many.jsonl", lines))
    assert len(values(scored, "correct")) == 24  # what was asked once has no second attempt
    assert (scored.counts.predictions, scored.counts.missing) == (24, 0)
    assert [(row["condition"], row["repeat"]) for row in rows(scored)[:33:11]] == [("own", 0), ("own", 1), ("gold", 0)]
    assert _run(scored.folder).conditions == ("own", "gold")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "their.jsonl holds no prediction: write one JSON object a line, with 'id' and 'answer'"),
        (["\n"], "their.jsonl holds no prediction: write one JSON object a line, with 'id' and 'answer'"),
        ([0, {"id": "nope", "answer": "x"}, {"id": "no", "answer": "x"}],
         "their.jsonl, line 2: no question 'nope' in the split test of lights 1.0.0 (and 1 more lines like it); "
         "is the file of another release?"),
        ([0, {"id": "DEV", "answer": "x"}],
         "their.jsonl, line 2: no question 'DEV' in the split test of lights 1.0.0; it is of the split dev: use --split dev"),
        ([0, 1, 0], "their.jsonl, line 3: a second prediction for 'ID0', after line 1: keep one, or number them with 'repeat'"),
        (["7\n"], "their.jsonl holds no prediction: its only line is bad; line 1: must be one JSON object with 'id' and "
         "'answer', and is another value."),
        ([{"id": "q"}, "{}\n"], "their.jsonl holds no prediction: all of its 2 lines are bad; line 1: no 'answer': every "
         "prediction needs 'id' and 'answer' (or 'abstained': true, or an 'error')."),
        (['[{"id": "q", "answer": "x"},\n', '{"id": "r", "answer": "y"}]\n'],
         "their.jsonl holds no prediction: it is one JSON array: write one JSON object a line, with 'id' and 'answer'"),
        (["{\n", '  "id": "q"\n', "}\n"], "their.jsonl holds no prediction: its objects go over several lines: write one "
         "JSON object a line, with 'id' and 'answer'"),
        (["id,answer\n", "q,x\n"],
         "their.jsonl holds no prediction: it looks like a table (CSV): write one JSON object a line, with 'id' and 'answer'"),
    ],
)  # fmt: skip
def test_bad_files_of_predictions(
    score: Score, release: Release, tmp_path: Path, lines: list[Any], message: str
) -> None:
    good = everything(release)
    dev = load_questions(release, "dev")[0].id
    made = [good[line] if isinstance(line, int) else line for line in lines]
    for line in made:
        if isinstance(line, dict) and line["id"] == "DEV":
            line["id"] = dev
    path = write(tmp_path / "their.jsonl", made)
    with pytest.raises(BenchwrightError) as error:
        score(path)
    assert str(error.value).replace(good[0]["id"], "ID0").replace(dev, "DEV") == message
    assert not (tmp_path / "runs/lights/1.0.0/their/predictions.jsonl").exists()
    write(tmp_path / "their.jsonl", good)
    assert score(path, again=True).counts.predictions == 10


def test_other_bad_files(score: Score, tmp_path: Path) -> None:
    with pytest.raises(BenchwrightError, match=r"there is no file of predictions gone\.jsonl: check the path"):
        score("gone.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b'{"id": "q", "answer": "caf\xe9"}\n')
    with pytest.raises(BenchwrightError, match=r"is bad; line 1: not UTF-8 at byte 27: save the file as UTF-8"):
        score("latin.jsonl")


def test_the_predictions_of_another_release(score: Score, release: Release, tmp_path: Path) -> None:
    folder = score("toys:answer").folder
    changed = make_release(tmp_path / "other", taller=1)
    hashes = [each.manifest.content_hash[:12] for each in (release, changed)]
    with pytest.raises(BenchwrightError) as error:
        score(str(folder / "predictions.jsonl"), of=changed)
    assert str(error.value) == (
        f"{folder}/predictions.jsonl answers lights 1.0.0 (content {hashes[0]}…), not lights 1.0.0 "
        f"(content {hashes[1]}…): score it against that release"
    )
    assert score(str(folder / "predictions.jsonl")).counts.predictions == 10
    with pytest.raises(
        BenchwrightError, match="is the run's own file, which it would replace: give this run another --name"
    ):
        score(str(folder / "predictions.jsonl"), name="toys", again=True)
    assert len((folder / "predictions.jsonl").read_text().splitlines()) == 10


def judgments(release: Release, *changes: dict[str, Any]) -> list[dict[str, Any]]:
    ids = [question.id for question in load_questions(release, "test")]
    return [{"id": ids[number], "metric": "correct", "value": 0, **change} for number, change in enumerate(changes)]


def test_judgments_replace_what_is_computed(score: Score, release: Release, tmp_path: Path) -> None:
    judge = {"kind": "human", "name": "Ann", "version": 1}
    lines = judgments(
        release,
        {"judge": judge, "reason": "vague"},
        {"value": "abstained"},
        {"value": None},
        {"metric": "retrieved", "value": True},
        {"metric": "recall@5", "value": 0.25, "judge": {"kind": "model", "name": "m"}},
    )
    path = tmp_path / "verdicts.jsonl"
    write(path, lines)
    scored = score("toys:answer", judgments=path)
    found = {(row["id"], row["metric"]): (row["value"], row["reason"], row["judge"]) for row in rows(scored)}
    ids = [line["id"] for line in lines]
    assert found[ids[0], "correct"] == (0.0, "vague", "human:Ann:1")
    assert found[ids[1], "correct"] == (0.0, "said to abstain", "not named")
    assert found[ids[2], "correct"] == (None, "the judge gave no value", "not named")
    assert found[ids[3], "correct"][::2] == (1.0, None)
    assert found[ids[3], "retrieved"] == (1.0, None, "not named")
    assert found[ids[0], "retrieved"] == (None, "no judgment", None)
    assert found[ids[4], "recall@5"] == (0.25, None, "model:m")
    assert (scored.folder / "judgments.jsonl").read_bytes() == path.read_bytes()
    assert score("toys:answer").is_rescored is False
    assert (score("toys:answer", metrics=("correct",)).asked, values(scored, "retrieved")[3]) == (0, 1.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "nope"}, "verdicts.jsonl, line 2: no question 'nope' in the split test of lights 1.0.0: are they of another release or split?"),
        ({"metric": "corect"}, "verdicts.jsonl, line 2: no metric 'corect': there are answer_correctness, answer_relevance, "),
        ({"value": "perhaps"}, "verdicts.jsonl, line 2: 'value' must be a number, null or one of correct, right, yes, true, wrong, "
         "incorrect, no, false, abstained, and is \"perhaps\""),
        ({"value": [1]}, "verdicts.jsonl, line 2: 'value' must be a number, null or one of "),
        ({"repeat": "1"}, "verdicts.jsonl, line 2: 'repeat' must be a whole number"),
        ({"judge": "Ann"}, "verdicts.jsonl, line 2: 'judge' must be an object with kind, name and version"),
        ({"condition": "gold"}, "a judgment of 'ID' is of the condition 'gold', repeat 0, of which the run has no prediction: correct the judgments"),
    ],
)  # fmt: skip
def test_bad_judgments(score: Score, release: Release, tmp_path: Path, change: dict[str, Any], message: str) -> None:
    lines = judgments(release, {}, change)
    write(tmp_path / "verdicts.jsonl", lines)
    with pytest.raises(BenchwrightError) as error:
        score("toys:answer", judgments=tmp_path / "verdicts.jsonl")
    assert (
        str(error.value)
        .replace(lines[1]["id"], "ID" if change.get("id") is None else lines[1]["id"])
        .startswith(message)
    )


def test_judgments_that_are_none(score: Score, release: Release, tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    twice = judgments(release, {})
    for lines, message in (
        ([], "verdicts.jsonl holds no judgment: write one JSON object a line: id, metric and value"),
        (['{"id": "q"'], "verdicts.jsonl, line 1: not JSON: the line may be cut off; write it anew or delete it"),
        (["[]\n"], "verdicts.jsonl, line 1: a judgment needs 'id', 'metric' and 'value'"),
        (
            [{"id": None, "metric": "correct", "value": 1}],
            "verdicts.jsonl, line 1: a judgment needs 'id', 'metric' and 'value'",
        ),
        (twice * 2, f"verdicts.jsonl, line 2: a second judgment of correct for {twice[0]['id']!r}: keep one"),
    ):
        write(path, lines)
        with pytest.raises(BenchwrightError) as error:
            score("toys:answer", judgments=path)
        assert str(error.value) == message
    with pytest.raises(BenchwrightError, match=r"there is no file of judgments gone\.jsonl: check the path"):
        score("toys:answer", judgments=Path("gone.jsonl"))


def test_unknown_metrics_and_splits_ask_nothing(score: Score, tmp_path: Path) -> None:
    with pytest.raises(BenchwrightError, match=r"no metric 'corect': did you mean correct\?"):
        score("toys:answer", metrics=("corect",))
    with pytest.raises(BenchwrightError, match=r"lights 1\.0\.0 has no split 'train': there are dev, test"):
        score("toys:answer", split="train")
    assert said(tmp_path) == [] and not (tmp_path / "runs").exists()


def test_a_prediction_is_read_as_it_was_written(tmp_path: Path) -> None:
    full = Prediction("q", "é \u2028 x", False, "gold", 2, ("a",), (), cost=0.5, latency=1.5, error="e")
    bare = Prediction("q", None, abstained=True)
    store = PredictionStore(tmp_path / "p.jsonl")
    for prediction in (full, bare):
        store.append(prediction)
    assert [store.read(prediction.key) for prediction in (full, bare)] == [full, bare]
    assert store.read(("other", "own", 0)) is None
    assert len((tmp_path / "p.jsonl").read_bytes().split(b"\n")) == 3


def test_a_run_of_one_subset(score: Score, tmp_path: Path) -> None:
    """Only its questions are asked; a whole run may gain the other subsets, and does not lose any."""
    plain = make_release(tmp_path / "plain")
    folder = tmp_path / "parts"
    folder.mkdir()
    writer = ReleaseWriter(folder)
    whole = load_questions(plain, "test")
    parts = [replace(each, subset="old" if place < 4 else "new") for place, each in enumerate(whole)]
    writer.questions(parts)
    writer.documents(list(load_documents(plain).values()))
    writer.seal(writer.finish(**{**TOY_FACTS, "name": "parts"}), "card")
    release = Release.load(folder)
    first = score("toys:answer", of=release, subsets=("old",))
    assert (first.asked, len(values(first, "correct"))) == (4, 4)
    assert json.loads((first.folder / "run.json").read_text())["questions"]["subsets"] == ["old"]
    assert not score_run(release, first.folder).is_rescored
    with pytest.raises(BenchwrightError, match="is another run: it asked only old, not only new; give this one"):
        score("toys:answer", of=release, subsets=("new",))
    with pytest.raises(BenchwrightError, match="it asked only old, not a sample of all subsets"):
        score("toys:answer", of=release, limit=5)
    assert score("toys:answer", of=release).asked == 6
    with pytest.raises(BenchwrightError, match="it asked all subsets, not only old"):
        score("toys:answer", of=release, subsets=("old",))
    with pytest.raises(
        UsageError, match=r"the split test of parts 1\.0\.0 has no question of the subset 'odl': there are new, old"
    ):
        score("toys:answer", of=release, subsets=("odl",))
    with pytest.raises(UsageError, match="its questions are of no subset"):
        score("toys:answer", of=plain, subsets=("old",))
    sample = score("toys:answer", name="few", of=release, subsets=("new",), limit=2)
    assert sample.asked == 2 and {row["id"] for row in rows(sample)} <= {each.id for each in parts[4:]}
