"""`compare-systems --between`, `--leakage` and `--by-retrieval`, and bad use in a line."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from report_cases import make_release, make_run, repeated

from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question
from benchwright.scripts.compare_systems import main

GROUPS = 10


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of ten groups, short wordings are right and of the long ones the first; alone, the model knows group 3."""
    folder = tmp_path_factory.mktemp("within")
    asked = [
        Question(
            f"{group}-{form}-{number}",
            f"{form} {number} of {group}?",
            ("Oslo",),
            answer_type="one",
            group=f"g{group}",
            form=form,
        )
        for group in range(GROUPS)
        for form in ("short", "long")
        for number in range(2)
    ]
    release = make_release(folder / "releases" / "small" / "1.0.0", asked)
    own = [Prediction(each.id, "Perth" if each.id.endswith("long-1") else "Oslo") for each in asked]
    alone = [Prediction(each.id, "Oslo" if each.group == "g3" else "Perth") for each in asked]
    runs = folder / "runs" / "small" / "1.0.0"
    make_run(release, runs / "rag", [*own, *repeated(alone, condition="closed")], ("correct",))
    make_run(release, runs / "own", own, ("correct",))
    make_run(release, runs / "llm", repeated(alone, condition="closed"), ("correct",))
    return folder


def compare(place: Path, *arguments: object) -> Result:
    roots = ("--releases", place / "releases", "--runs", place / "runs")
    return CliRunner().invoke(main, [*map(str, arguments), *map(str, roots)])


def test_two_forms_of_one_run(place: Path) -> None:
    result = compare(place, "small/rag", "--between", "form=short,long")
    assert result.exit_code == 0, result.output
    folder = place / "runs" / "small" / "1.0.0" / "rag"
    assert result.stdout == f"{folder}/between.html\n"
    assert " ".join(result.stderr.split()).startswith(
        "Robustness in the stratified sample is 1.00 for short and 0.50 for long; the test shows short to be higher "
        "(p = 0.004 over 10 groups). Table 2 of the paper, for this run – form;"
    )
    found = json.loads((folder / "between.json").read_text())
    assert (found["condition"], found["seed"], [each["success"] for each in found["rows"]]) == (
        "own",
        0,
        [None, None, True, None, None, None, True, None],
    )
    other = compare(place, "small/rag", "--between", "form=short,long", "--condition", "closed", "--seed", "4", "-q",
                    "--output", place / "out")  # fmt: skip
    assert (other.exit_code, other.stdout, other.stderr) == (0, f"{place}/out/between.html\n", "")
    found = json.loads((place / "out" / "between.json").read_text())
    assert (found["condition"], found["seed"], found["rows"][2]["success"]) == ("closed", 4, False)


@pytest.mark.parametrize("runs", [["small/rag"], ["small/own", "small/llm"]])
def test_leakage_of_one_run_and_of_two(place: Path, runs: list[str]) -> None:
    result = compare(place, *runs, "--leakage", "--output", place / "leaked")
    assert (result.exit_code, result.stdout) == (0, f"{place}/leaked/leakage.html\n"), result.output
    said = " ".join(result.stderr.split())
    assert said.startswith(
        "2 of 20 groups are open-domain: the model answers them without any document. The accuracy of the retrieval "
        "database is 1.00 with open-domain queries and 1.00 without."
    )
    assert "short 0 of 3? short 2 of 2 2 of 2 g3" in said and "long 0 of 3? long 2 of 2 1 of 2 g3" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("small/rag small/own --between form=short,long", "--between is of one RUN, and 2 are named"),
        ("small/rag small/own small/llm --leakage", "--leakage is of one RUN or two, and 3 are named"),
        ("small/rag --between form=short,long --leakage", "--between stands alone: leave out --leakage"),
        ("small/rag --leakage --condition own", "--leakage stands alone: leave out --condition"),
        (
            "small/rag --between form=short,long --metric correct --gate correct>=0 --summary s.md",
            "--between stands alone: leave out --metric and --gate and --summary",
        ),
        ("small/rag --leakage --counterfactual", "--leakage stands alone: leave out --counterfactual"),
        ("small/rag --seed 3", "--seed is of the samples of --between: add --between form=A,B, or leave it out"),
        ("small/rag --between form=short,long --condition gold", "rag was not asked in the condition 'gold'"),
        (
            "small/rag --by-retrieval --between form=short,long --seed 3 --gate correct>=0",
            "--by-retrieval stands alone: leave out --between and --seed and --gate",
        ),
        (
            "small/rag --human small/rag=said.jsonl",
            "--human is of --by-retrieval: add that, or hold one run against people with score-metric",
        ),
        ("small/rag --by-retrieval --human said.jsonl", "said.jsonl names no file of a run: write RUN=FILE"),
        ("small/rag --by-retrieval --human small/llm=x", "--human names llm, which is none of the runs: rag"),
        ("small/rag small/own --by-retrieval --condition gold", "rag has no condition 'gold': there is closed, own"),
        ("small/rag --between kind=lookup,count", "rag asks no question of kind 'lookup'; its questions have no kind"),
    ],
)
def test_bad_use_is_said_in_a_line(place: Path, arguments: str, said: str) -> None:
    result = compare(place, *arguments.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr and len(result.stderr.splitlines()) == 1


def test_by_retrieval(place: Path) -> None:
    """Of runs that hand in no contexts nothing is 0: each table says why it is not there, and people's verdicts count."""
    said = place / "said.jsonl"
    said.write_text(
        "".join(f'{{"id": "{group}-short-0", "metric": "correct", "value": 1}}\n' for group in range(GROUPS))
    )
    result = compare(place, "small/own", "--by-retrieval", "--baseline", "small/rag", "--metric", "correct",
                     "--metric", "rouge_l", "--human", f"small/own={said}", "--output", place / "out")  # fmt: skip
    assert (result.exit_code, result.stdout) == (0, f"{place}/out/by-retrieval.html\n"), result.output
    text = " ".join(result.stderr.split())
    assert "rag, own: not available: no metric is scored that says how far up stands what is needed" in text
    assert "rag, own: not available because no metric of retrieval was scored." in text
    assert "own: 10 answers judged, 10 right;" in text
    found = json.loads((place / "out" / "by-retrieval.json").read_text())
    assert (found["runs"], found["baseline"], found["pair"]) == (["rag", "own"], "rag", ["correct", "rouge_l"])
    assert [each["concordance"] and each["concordance"]["right"]["value"] for each in found["believed"][1]["metrics"]] == [
        1.0, None, None
    ]  # fmt: skip
    quiet = compare(place, "small/own", "small/rag", "--by-retrieval", "-q")
    assert (quiet.exit_code, quiet.stderr) == (0, "")
    assert quiet.stdout == f"{place}/runs/small/1.0.0/by-retrieval.html\n"
    assert (
        compare(place, "small/own", "--by-retrieval", "-q").stdout
        == f"{place}/runs/small/1.0.0/own/by-retrieval.html\n"
    )


def test_a_run_without_a_closed_condition(place: Path) -> None:
    result = compare(place, "small/own", "--leakage")
    assert (result.exit_code, result.stderr) == (
        1,
        "error: own was not asked without documents: score it with --conditions own,closed, or name a second RUN that "
        "was\n",
    )
