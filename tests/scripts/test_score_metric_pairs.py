"""`score-metric RELEASE`: people's choices of pairs beside any metric, judged once, resumed, estimated; bad uses."""

import itertools
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from built import Built
from click.testing import CliRunner, Result
from judging import schema_of
from pairs import always, judgments, knowing, label, labels, make_release, pair, pairs

import benchwright
from benchwright.benchmarks.releases.derive import derive
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.run import hold_run
from benchwright.benchmarks.types import DIMENSIONS, Question
from benchwright.scripts.score_metric import main
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer
from benchwright.scripts.servers.openai.stand_in import instance

SCORES = tuple(f"gpt_score_{dimension}" for dimension in DIMENSIONS)
RANKINGS = tuple(f"gpt_ranking_{dimension}" for dimension in DIMENSIONS)
PAIRS = 4


@dataclass(frozen=True)
class Rated:
    """A folder with the release `mills`, whose last pair people see the other way round."""

    root: Path

    @property
    def folder(self) -> Path:
        """Where the release's judgments and figures are."""
        return self.root / "runs/mills/1.0.0/pairs"

    def run(self, *arguments: str) -> Result:
        """The command."""
        roots = ("--releases", str(self.root / "releases"), "--runs", str(self.root / "runs"))
        return CliRunner().invoke(main, [*arguments, *roots])

    def judge(self, server: OpenAIServer, *arguments: str, model: str = "m") -> Result:
        """The command with a judge."""
        models = ("--model", f"judge={model}", "--base-url", server.url, "--cache", str(self.root / "cache.sqlite"))
        return self.run("mills", *arguments, *models, "--at-once", "1")

    def json(self) -> dict[str, Any]:
        """What was written."""
        return json.loads((self.folder / "score-metric.json").read_text())

    def rows(self) -> dict[tuple[str, str], dict[str, tuple[float, int, int]]]:
        """Row and protocol → dimension → agreement, ties, pairs of which the other was preferred."""
        return {
            (row["name"], row["protocol"]): {
                name: (cell["value"], cell["ties"], len(cell["against"])) for name, cell in row["cells"].items()
            }
            for row in self.json()["rows"]
        }


@pytest.fixture
def rated(built: Built, tmp_path: Path) -> Rated:
    """Four pairs, which two people chose from in three dimensions."""

    def make(folder: Path) -> None:
        rows = pairs(PAIRS)
        make_release(folder, rows, labels(rows, second=[rows[-1]["id"]]))

    shutil.copytree(built.folder("labelled-pairs", make), tmp_path / "releases")
    return Rated(tmp_path)


def test_table_one_by_a_judge_who_knows(rated: Rated) -> None:
    with OpenAIServer(knowing) as server:
        done = rated.judge(server, *SCORES, *RANKINGS)
        assert (done.exit_code, server.calls) == (0, PAIRS * 12), done.output
        assert done.stdout == f"{rated.folder / 'score-metric.html'}\n"
        again = rated.judge(server, *SCORES, *RANKINGS)
        assert (again.exit_code, server.calls) == (0, PAIRS * 12), "nothing is judged twice"
    expected = dict.fromkeys(DIMENSIONS, (0.75, 0, 1))
    assert rated.rows() == {
        ("gpt_score", "scores"): expected,
        ("gpt_ranking", "one order"): expected,
        ("gpt_ranking", "both orders"): expected,
    }
    found = rated.json()
    assert [each["first"]["value"] for each in found["position"]] == [0.5] * 3
    assert found["rows"][0]["cells"]["faithfulness"]["against"] == ["p-dunmore"]
    assert found["rows"][0]["cells"]["faithfulness"]["judges"] == {"m": 2 * PAIRS}
    assert found["labels"]["faithfulness"]["agreement"]["share"] == 1.0 and found["source"] == "labels"
    printed = [" ".join(line.split()) for line in done.stderr.splitlines()]
    assert "metric faithfulness answer relevance context relevance" in printed
    assert "Scored by m: gpt_score, gpt_ranking." in printed
    assert any(line.startswith("gpt_score 0.75 (0.") for line in printed), done.stderr
    page = (rated.folder / "score-metric.html").read_text()
    assert "How far metrics agree with people on mills" in page and "gpt_ranking" in page and "<script" not in page
    assert "Where a metric prefers the other candidate" in page and "When was the mill at Dunmore built?" in page


def test_with_a_model_and_no_metric_it_is_the_table_of_the_paper(rated: Rated) -> None:
    def reply(body: Any) -> Any:
        if any(said in body["messages"][0]["content"] for said in ("You compare two", "You score one quality")):
            return knowing(body)
        return instance(schema_of(body), (f"The mill {number} was built." for number in itertools.count()), items=3)

    with OpenAIServer(reply) as server:
        done = rated.judge(server)
    assert done.exit_code == 0, done.output
    found = rated.json()
    assert [(row["name"], row["protocol"], list(row["cells"])) for row in found["rows"]] == [
        ("ragas", "scores", list(DIMENSIONS)),
        ("gpt_score", "scores", list(DIMENSIONS)),
        ("gpt_ranking", "one order", list(DIMENSIONS)),
        ("gpt_ranking", "both orders", list(DIMENSIONS)),
    ]
    cells = {row["name"]: row["cells"].values() for row in found["rows"]}
    assert all(cell["pairs"] == PAIRS and cell["judges"] == {"m": 2 * PAIRS} for cell in cells["ragas"]), cells["ragas"]
    assert [cell["value"] for cell in cells["gpt_score"]] == [0.75] * 3 and found["need_model"] == []


def test_judgments_name_candidates_and_orders_and_keep_their_steps(rated: Rated) -> None:
    with OpenAIServer(knowing) as server:
        assert rated.judge(server, SCORES[0], RANKINGS[2]).exit_code == 0
    lines = judgments(rated.folder)
    assert len(lines) == 4 * PAIRS
    mine = {(line["metric"], line["candidate"]): line["value"] for line in lines if line["id"] == "p-orrin"}
    assert mine == {
        (SCORES[0], "answer"): 9.0,
        (SCORES[0], "ungrounded_answer"): 2.0,
        (RANKINGS[2], "context_v1 before context_v2"): 1.0,
        (RANKINGS[2], "context_v2 before context_v1"): 0.0,
    }
    assert {line["judge"]["name"] for line in lines} == {"m"}
    (step,) = lines[0]["trace"]["steps"]
    assert step["step"] == "judge_choose_context_relevance" and json.loads(step["raw"]) == step["output"]
    assert json.loads((rated.folder / "pairs.json").read_text())["benchmark"] == "mills"


def test_a_judge_that_chooses_what_stands_first_agrees_with_half(rated: Rated) -> None:
    with OpenAIServer(always(1)) as server:
        done = rated.judge(server, *RANKINGS, SCORES[1], "--coin", "7")
        assert done.exit_code == 0, done.output
        coined = rated.rows()[("gpt_score", "scores")]["answer_relevance"]
        assert rated.judge(server, *RANKINGS, SCORES[1]).exit_code == 0
    rows = rated.rows()
    assert rows[("gpt_ranking", "both orders")] == dict.fromkeys(DIMENSIONS, (0.5, PAIRS, 0))
    assert rows[("gpt_score", "scores")] == {"answer_relevance": (0.5, PAIRS, 0)}
    assert coined[1:] == (PAIRS, 0) and coined[0] in (0.0, 0.25, 0.5, 0.75, 1.0)
    for place in rated.json()["position"]:
        assert (place["first"]["value"], place["inconsistent"]["value"]) == (1.0, 1.0)
    assert "100.0 %" in done.stderr and "coin of the seed 7" in " ".join(done.stderr.split())


def test_stopped_half_way_and_gone_on_with(rated: Rated) -> None:
    with OpenAIServer(knowing) as server:
        told = rated.judge(server, *SCORES, "--estimate")
        assert (told.exit_code, server.calls) == (0, 0) and f"{6 * PAIRS} calls" in told.stdout
        assert not rated.folder.exists(), "an estimate writes nothing"
        stopped = rated.judge(server, *SCORES, "--max-calls", "5")
        assert stopped.exit_code == 1 and "stopped at --max-calls 5" in stopped.stderr
        assert 1 <= len(judgments(rated.folder)) <= server.calls == 5, "kept as they arrive"
        with (rated.folder / "judgments.jsonl").open("a") as file:
            file.write('{"id": "cut o')
        done = rated.judge(server, *SCORES)
        assert (done.exit_code, server.calls) == (0, 6 * PAIRS), "nothing is asked twice"
        done = rated.judge(server, *SCORES, "--no-cache")
        assert (done.exit_code, server.calls) == (0, 6 * PAIRS), "what is judged is not asked again, cached or not"
        assert len(judgments(rated.folder)) == 6 * PAIRS
        replayed = rated.judge(server, *SCORES, "--replay")
        assert (replayed.exit_code, server.calls) == (0, 6 * PAIRS)
        other = rated.judge(server, SCORES[0], model="another")
        assert (other.exit_code, server.calls) == (0, 8 * PAIRS), "another judge judges itself"
    assert len({(line["id"], line["candidate"], line["metric"], str(line["judge"]))
                for line in judgments(rated.folder)}) == 8 * PAIRS  # fmt: skip


def test_what_gave_no_usable_reply_is_unscored_and_asked_again(rated: Rated) -> None:
    with OpenAIServer(knowing, faults=[Fault("refusal")]) as server:
        first = rated.judge(server, SCORES[1])
        assert first.exit_code == 0
        cell = rated.json()["rows"][0]["cells"]["answer_relevance"]
        assert cell["pairs"] == PAIRS - 1 and sum(cell["unscored"].values()) == 1
        assert next(iter(cell["unscored"])).startswith("answer: refusal")
        assert "Pairs without a score by gpt_score_answer_relevance: answer: refusal" in " ".join(first.stderr.split())
        assert rated.judge(server, SCORES[1], "--no-cache").exit_code == 0
    assert rated.rows()[("gpt_score", "scores")] == {"answer_relevance": (0.75, 0, 1)}
    assert len(judgments(rated.folder)) == 2 * PAIRS, "one judgment of each candidate"


def test_by_rule_without_a_model(rated: Rated) -> None:
    done = rated.run("mills")
    assert done.exit_code == 0, done.output
    found = rated.json()
    assert found["rows"][0]["name"] == "ragas" and not (rated.folder / "judgments.jsonl").exists()
    assert {judge for cell in found["rows"][0]["cells"].values() for judge in cell["judges"]} == {"computed by rules"}
    assert "Scored by rules: ragas." in done.stderr
    assert "ragas, by rule " in done.stderr
    lacking = [*(each for each in found["need_model"] if each in DIMENSIONS), *SCORES, *RANKINGS]
    assert found["need_model"] == lacking and "Not scored, for no model is named" in " ".join(done.stderr.split())
    done = rated.run("mills", "correct")
    assert found["benchmark"] == "mills" and done.exit_code == 0
    assert rated.json()["rows"][0]["cells"]["faithfulness"]["unscored"] == {
        "answer: the question has no gold answer": PAIRS
    }


def test_gold_of_the_same_question_is_used(tmp_path: Path) -> None:
    rows = pairs(2)
    gold = [Question(row["id"], row["question"], answers=(row["answer"],), aliases=((),), answer_type="one",
                     answerability="answerable") for row in rows]  # fmt: skip
    make_release(tmp_path / "releases", rows, labels(rows), questions=gold)
    rated = Rated(tmp_path)
    assert rated.run("mills", "rouge_l").exit_code == 0
    cells = rated.json()["rows"][0]["cells"]
    assert (cells["faithfulness"]["value"], cells["answer_relevance"]["value"]) == (1.0, 1.0)
    assert "context_relevance" not in cells, "one answer with other contexts: it would call them alike"
    done = rated.run("mills", "mrr", "rouge_l")
    assert [list(row["cells"]) for row in rated.json()["rows"]] == [
        ["context_relevance"], ["faithfulness", "answer_relevance"]
    ], done.output  # fmt: skip


def test_a_release_without_labels_and_one_that_was_derived(tmp_path: Path) -> None:
    plain = make_release(tmp_path / "releases", pairs(3), name="plain")
    given = {"labels": {"test": labels(pairs(3), second=["p-orrin"])}}
    derived = derive(plain, "1.1.0", given, tmp_path / "releases", render_card=lambda *_: "# card\n")
    rated = Rated(tmp_path)
    said = rated.run("plain@1.0.0", "faithfulness")
    assert said.exit_code == 0 and "made to be better, for there are no labels: " in said.stderr
    assert "Agreement on pairs; ties" in said.stderr and "people" not in said.stderr
    page = (tmp_path / "runs/plain/1.0.0/pairs/score-metric.html").read_text("utf-8")
    assert "people" not in page and "Which candidates of plain metrics prefer" in page
    one = benchwright.score_metric(plain, "faithfulness", runs=tmp_path / "runs")
    two = benchwright.score_metric(derived, "faithfulness", runs=tmp_path / "runs")
    assert (one.source, two.source) == ("columns", "labels")
    assert (one.labels["faithfulness"].second, two.labels["faithfulness"].second) == (0, 1)
    assert one.rows[0].cells["faithfulness"].value != two.rows[0].cells["faithfulness"].value
    with pytest.raises(benchwright.BenchwrightError, match=r"truth is about a run, and plain 1\.0\.0 is a release"):
        benchwright.score_metric(plain, "faithfulness", truth="x")  # pyright: ignore[reportCallIssue, reportArgumentType]


def test_labels_of_a_file_count_instead(rated: Rated, tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"

    def write(*lines: dict[str, Any]) -> None:
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))

    given = [label(name, "answer_relevance", "poor_answer", None) for name in ("p-orrin", "p-brede", "p-caldy")]
    write(*given, {"pair_id": "p-caldy", "dimension": "answer_relevance", "choice": "first", "trace": {"page": 2}},
          {"pair_id": "p-brede", "dimension": "answer_relevance", "choice": "first", "resolved": True})  # fmt: skip
    with OpenAIServer(knowing) as server:
        done = rated.judge(server, SCORES[1], "--human", str(file))
    assert done.exit_code == 0, done.output
    found = rated.json()
    assert found["source"] == "file" and rated.rows() == {("gpt_score", "scores"): {"answer_relevance": (0.5, 0, 1)}}
    said = found["labels"]["answer_relevance"]
    assert (said["first"], said["second"], said["divided"], said["resolved"]) == (1, 1, 1, 1)
    for line, why in (
        (
            {"pair_id": "p-elsewhere", "dimension": "faithfulness", "choice": "first"},
            "no pair 'p-elsewhere' in the pairs",
        ),
        ({"pair_id": "p-orrin", "choice": "first"}, "line 1: "),
        (
            {"pair_id": "p-orrin", "dimension": "fluency", "choice": "first"},
            "no pair of which people chose one candidate",
        ),
    ):
        write(line)
        refused = rated.run("mills", "faithfulness", "--human", str(file))
        assert refused.exit_code == 1 and why in refused.stderr and len(refused.stderr.splitlines()) == 1, (
            refused.output
        )
    write(given[0])
    other = rated.run("mills", "faithfulness", "--human", str(file))
    assert other.exit_code == 2 and "in faithfulness: there is answer_relevance (1)" in other.stderr
    assert "there is no file of labels" in rated.run("mills", "faithfulness", "--human", str(tmp_path / "no")).stderr


def test_hostile_rows_are_said_and_do_not_stop_the_others(tmp_path: Path) -> None:
    rows = [*pairs(2), pair("Moor", 1900, context_v1=[], context_v2=["", " "], source="", poor_answer=""),
            pair("Weir", 1901, answer="| a |\n|---|\n" * 3_000, question="磨坊?\u202e")]  # fmt: skip
    given = [*labels(rows), label("p-orrin", "fluency", "first"), label("p-brede", "faithfulness", "A", "Zoe")]
    make_release(tmp_path / "releases", rows, given)
    rated = Rated(tmp_path)
    with OpenAIServer(always(2)) as server:
        done = rated.judge(server, *SCORES, *RANKINGS)
    assert done.exit_code == 0, done.output
    found = rated.json()
    assert found["left_out"] == {
        "of 'fluency', which is none of faithfulness, answer_relevance, context_relevance": 1,
        "'A' is none of first, second, tie, nor of answer and ungrounded_answer": 1,
    }
    cells = {row["protocol"]: row["cells"] for row in found["rows"]}
    assert cells["scores"]["faithfulness"]["unscored"] == {"answer: handed in no contexts": 1}
    assert cells["both orders"]["faithfulness"]["unscored"] == {"handed in no contexts": 1}
    assert cells["scores"]["answer_relevance"]["unscored"] == {"poor_answer is empty": 1}
    assert cells["both orders"]["context_relevance"]["unscored"] == {"context_v1 is empty": 1}
    assert all(cell["pairs"] == 3 for row in found["rows"] for cell in row["cells"].values())
    assert "fluency" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing",), "'nothing' is neither a run in "),
        (("mills/bm25",), "there is no run 'mills/bm25' in "),
        (("mills", "--truth", "token_f1"), "--truth is about a run, and mills 1.0.0 is a release: leave it out"),
        (("mills", "--threshold", "rouge_l=0.5"), "--threshold is about a run"),
        (("mills", *RANKINGS), "gpt_ranking_faithfulness is judged by a model: name one with --model judge=NAME"),
        (("mills", "--repeat-judge", "3"), "--repeat-judge is about a run"),
        (("mills", "rouge_m"), "rouge_m"),
        (("mills", "rouge_l", "--estimate"), "--estimate is about calls of a model"),
    ],
)
def test_bad_uses_have_one_line(rated: Rated, arguments: tuple[str, ...], said: str) -> None:
    done = rated.run(*arguments)
    assert done.exit_code in (1, 2) and said in done.stderr and len(done.stderr.splitlines()) == 1, done.output
    assert not rated.folder.exists()


def test_a_folder_of_something_else_is_not_written_to(rated: Rated, tmp_path: Path) -> None:
    other = make_release(tmp_path / "other", pairs(2), name="mills")
    with OpenAIServer(knowing) as server:
        assert rated.judge(server, SCORES[1]).exit_code == 0
        calls = server.calls
        refused = CliRunner().invoke(
            main, [str(other.folder), SCORES[1], "--runs", str(tmp_path / "runs"), "--model", "judge=m",
                   "--base-url", server.url, "--cache", str(tmp_path / "cache.sqlite")]
        )  # fmt: skip
        assert refused.exit_code == 1 and "holds judgments of other pairs than those of mills 1.0.0" in refused.stderr
        assert server.calls == calls
        told = rated.judge(server, SCORES[1], "--estimate")
        assert (told.exit_code, told.stdout) == (0, "no model was asked\n"), "all is judged already"
        rules = rated.judge(server, "rouge_l")
        assert rules.exit_code == 2 and "rouge_l: no model judges that" in rules.stderr
        with hold_run(rated.folder):
            held = rated.judge(server, SCORES[0]).stderr
        assert "is being written by another process: wait for it, or name another folder with --output" in held
        (rated.folder / "run.json").write_text("{}")
        assert "is a run: name another folder" in rated.judge(server, SCORES[1]).stderr
    assert Release.load(other.folder).manifest.name == "mills"


def test_a_release_without_pairs_says_so(rated: Rated) -> None:
    from lighthouses import make_release as make_lights

    make_lights(rated.root / "releases")
    done = rated.run("lights", "rouge_l")
    assert done.exit_code == 1 and "lights 1.0.0 holds no pairs" in done.stderr
