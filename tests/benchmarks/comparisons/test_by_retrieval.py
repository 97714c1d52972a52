"""Tables 1 to 4 of the paper on RAG metrics in the telecom domain: runs worked out by hand, and what cannot be said."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from report_cases import begin_run, make_release, make_run

import benchwright
from benchwright.benchmarks.comparisons.by_retrieval import OTHER_JUDGES, SIX, ByRetrieval, tables_by_retrieval
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.metrics.human_sample import draw_sample, write_sample
from benchwright.benchmarks.reports.metrics.truth import read_scored
from benchwright.benchmarks.runs.run import PREDICTIONS, SCORES
from benchwright.benchmarks.runs.score_table import SCHEMA
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.types import Question
from benchwright.cards.compare.within import by_retrieval_text, write_by_retrieval
from benchwright.scripts.maintain.report_schema import BY_RETRIEVAL_SCHEMA, schema_text

QUESTIONS = [
    Question(f"q{number}", f"Question {number}?", ("Oslo",), answer_type="one", answerability="answerable")
    for number in range(12)
]
Values = Sequence[float | None]
RANK, RETRIEVED = "evidence_mrr@5", "evidence_recall@5"
ALL, NONE = [1.0] * 12, [None] * 12
HALF = [1.0] * 6 + [0.0] * 6
"""Retrieval is right for the first six questions."""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return make_release(tmp_path_factory.mktemp("tables") / "release", QUESTIONS)


def run_of(release: Release, folder: Path, scores: Mapping[str, Values], judge: str | None = None, **more: Any) -> Path:
    """A run whose questions have these scores, in order; None is unscored."""
    begin_run(release, folder, len(QUESTIONS), **more)
    rows = [
        (f"q{place % 12}", "own", place // 12, name, value, None if value is not None else "the judge said nothing",
         judge if name in SIX and value is not None else None)
        for name, values in scores.items()
        for place, value in enumerate(values)
    ]  # fmt: skip
    arrays = [pa.array(values, field.type) for values, field in zip(zip(*rows, strict=True), SCHEMA, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=SCHEMA), folder / SCORES)
    return folder


def people(path: Path, said: str, metric: str = "correct", **more: Any) -> Path:
    """What people said of each question: C right, w wrong, . nothing; of more persons one text for each, with spaces."""
    lines = [
        {"id": f"q{place}", "metric": metric, "value": float(mark == "C"), "judge": {"kind": "human", "name": name}, **more}
        for name, marks in zip(("Ada", "Ben"), said.split(), strict=False)
        for place, mark in enumerate(marks)
        if mark != "."
    ]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def text_of(found: ByRetrieval) -> str:
    """What a terminal shows, in one line."""
    return " ".join(by_retrieval_text(found).split())


def test_table_1_two_retrievers_by_hand(release: Release, tmp_path: Path) -> None:
    base = run_of(release, tmp_path / "base", {RANK: [1.0] * 6 + [1 / 3] * 3 + [0.2] * 2 + [0.0]})
    tuned = run_of(release, tmp_path / "tuned", {RANK: [1.0] * 9 + [0.0] * 3})
    found = tables_by_retrieval(release, [base, tuned]).retrievers
    accuracies = {each.run: [at.value for at in each.accuracy.at] for each in found.runs if each.accuracy is not None}
    assert accuracies == {"base": [6 / 12, 9 / 12, 11 / 12], "tuned": [9 / 12] * 3}
    assert found.compared is not None
    differences = found.compared.differences
    assert [(each.run, each.reference, each.k, round(12 * each.value)) for each in differences] == [
        ("tuned", "base", 1, 3), ("tuned", "base", 3, 0), ("tuned", "base", 5, -2),
    ]  # fmt: skip
    # k = 1: three of twelve differ by 1; t = 0.25 / sqrt((3 * 0.75² + 9 * 0.25²) / 11 / 12) = 1.915 with 11 degrees
    assert differences[0].p_t == pytest.approx(0.0819, abs=5e-5)
    assert differences[0].p == pytest.approx(2 * 0.5**3), "sign flips of the three that differ"
    assert (differences[1].p_t, differences[1].p) == (None, 1.0), "nothing differs"
    assert not any(each.separated for each in differences)


def test_table_1_names_what_is_not_tested(release: Release, tmp_path: Path) -> None:
    runs = {
        "one": {RANK: ALL},
        "few": {"evidence_mrr@1": HALF},
        "pages": {"mrr": HALF},
        "closed": {RANK: NONE},
        "unranked": {"correct": ALL},
        "twice": {RANK: [*ALL, *HALF]},
    }
    folders = [run_of(release, tmp_path / name, scores) for name, scores in runs.items() if name != "one"]
    found = tables_by_retrieval(release, folders, baseline=run_of(release, tmp_path / "one", runs["one"]))
    said = {each.run: each.reason or each.untested for each in found.retrievers.runs}
    assert said == {
        "one": None,
        "few": None,
        "pages": "its accuracy is read from another metric than that of others: mrr, and not evidence_mrr",
        "closed": "the judge said nothing (12)",
        "unranked": "no metric is scored that says how far up stands what is needed, such as evidence_mrr@5 or mrr",
        "twice": "its questions were asked repeatedly, and a test is of one rank of each",
    }
    assert found.retrievers.compared is not None
    assert [(each.run, each.k, each.value) for each in found.retrievers.compared.differences] == [("few", 1, -0.5)]
    assert "closed: not available: the judge said nothing (12)." in text_of(found)


def test_one_retriever_has_no_other(release: Release, tmp_path: Path) -> None:
    found = tables_by_retrieval(release, [run_of(release, tmp_path / "only", {RANK: ALL})])
    assert found.retrievers.compared is None
    assert found.against == ()
    text = text_of(found)
    assert "Not tested: only: there is no other retriever to test it against." in text
    assert "Table 3: against a baseline Not available because there is one run: --baseline RUN names what" in text


FAITHFUL = [1.0, 0.5] * 3 + [0.5, 0.0] * 3


def test_table_2_one_run_by_hand(release: Release, tmp_path: Path) -> None:
    scores = {RETRIEVED: HALF, "faithfulness": FAITHFUL, "factual_correctness": HALF, "answer_relevance": NONE,
              "context_relevance": [0.5] * 10 + [None] * 2}  # fmt: skip
    found = tables_by_retrieval(release, [run_of(release, tmp_path / "run", scores)])
    (table,) = found.by_retrieval
    assert (table.split.by, table.split.right, table.split.wrong, table.split.unscored) == (RETRIEVED, 6, 6, 0)
    faithful = table.split.metrics["faithfulness"]
    assert (faithful.right.mean, faithful.wrong.mean) == (0.75, 0.25)
    assert faithful.right.deviation == pytest.approx(math.sqrt(6 * 0.25**2 / 5))
    # t = 0.5 / sqrt(2 * 0.075 / 6) = √10 with 10 degrees of freedom, one-sided
    assert faithful.p_t == pytest.approx(0.00506, abs=5e-6)
    # by group: each adds ±(its score less 1/2) / 6, 0.5 in all; the squares sum to 6 * (0.5 / 6)² = 1/24; z = 0.5 √24
    assert faithful.p == pytest.approx(math.erfc(0.5 * math.sqrt(24) / math.sqrt(2)) / 2)
    constant = table.split.metrics["factual_correctness"]
    assert (constant.right.deviation, constant.wrong.deviation, constant.p_t) == (0.0, 0.0, None)
    assert constant.p is not None
    assert constant.p < 0.001
    assert table.split.metrics["context_relevance"].wrong.answers == 4
    assert table.lacking == {
        "answer_relevance": "the judge said nothing (12)",
        "answer_similarity": "not scored",
        "answer_correctness": "not scored",
    }
    assert table.unscored == {"context_relevance": {"the judge said nothing": 2}}
    text = text_of(found)
    assert "faithfulness 0.75 (0.27) 6 0.25 (0.27) 6 0.005 0.007" in text
    assert "factual_correctness 1.00 (0.00) 6 0.00 (0.00) 6 all alike < 0.001" in text
    assert "context_relevance 0.50 (0.00) 6 0.50 (0.00) 4 all alike too few" in text
    assert "run: answer_relevance is not scored: the judge said nothing (12)." in text
    assert "run: some answers have no context_relevance: the judge said nothing (2)." in text
    assert (
        "What has no score is unknown, and not 0. To score it: score-metric RUN answer_similarity answer_correctness, "
        "and score-metric RUN answer_relevance --model judge=NAME."
    ) in text
    assert (
        "run: larger where retrieval was right, at p < 0.05: 1 of 2 metrics by the t-test, and 2 by semantic group, "
        "corrected."
    ) in text


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ({"faithfulness": ALL}, "run: not available because no metric of retrieval was scored."),
        ({RETRIEVED: NONE, "faithfulness": ALL}, "run: not available because no metric of retrieval was scored."),
        ({RETRIEVED: ALL, "faithfulness": ALL}, "run: retrieval was right for all of 12 answers, and wrong for none."),
        ({RETRIEVED: [0.0] * 12}, "run: retrieval was wrong for all of 12 answers, and right for none."),
        ({RETRIEVED: [*HALF[:11], None]}, "run: 1 answer left out, as nothing says whether retrieval was right."),
        ({RETRIEVED: [1.0] * 11 + [0.0], "faithfulness": FAITHFUL}, "faithfulness 0.55 (0.35) 11 0.00 (–) 1 too few too few"),
    ],
)  # fmt: skip
def test_table_2_says_what_it_lacks(release: Release, tmp_path: Path, scores: Mapping[str, Values], said: str) -> None:
    assert said in text_of(tables_by_retrieval(release, [run_of(release, tmp_path / "run", scores)]))


def test_table_3_against_a_baseline_by_hand(release: Release, tmp_path: Path) -> None:
    """In the baseline retrieval is right for q0 to q5, in the other for q3 to q8: the parts share three questions."""
    base = run_of(release, tmp_path / "base", {RETRIEVED: HALF, "faithfulness": FAITHFUL, "factual_correctness": HALF})
    other = {RETRIEVED: [0.0] * 3 + [1.0] * 6 + [0.0] * 3, "faithfulness": [0.0] * 3 + [1.0] * 6 + [0.5, 1.0, 0.0]}
    found = tables_by_retrieval(release, [base, run_of(release, tmp_path / "other", other)])
    (against,) = found.against
    assert (against.run, against.reason, against.lacking) == (
        "other", None, {"factual_correctness": "the run has no score of it"}
    )  # fmt: skip
    parts = {each.retrieval: each for each in against.differences}
    right = parts["right"]
    assert (right.run.mean, right.baseline.mean, right.questions) == (1.0, 0.75, 3)
    # one side is constant: t = 0.25 / sqrt(0.075 / 6) = √5 with 5 degrees of freedom, two-sided
    assert right.p_t == pytest.approx(0.0756, abs=5e-5)
    assert right.paired is not None
    assert right.paired.value == pytest.approx((0.5 + 0.0 + 0.5) / 3), "of q3, q4 and q5 alone"
    assert parts["wrong"].questions == 3
    assert parts["wrong"].paired is not None
    assert parts["wrong"].paired.value == pytest.approx((0.5 + 0.5 + 0.0) / 3), "q9 to q11: 0.5, 1, 0 less 0, 0.5, 0"
    text = text_of(found)
    assert "faithfulness right 1.00 0.75 0.076 +0.33 3 not (0.00) (0.27) separated" in text
    assert "other: factual_correctness: the run has no score of it." in text


def test_table_3_does_not_mix_judges(release: Release, tmp_path: Path) -> None:
    scores = {RETRIEVED: HALF, "faithfulness": FAITHFUL}
    runs = [run_of(release, tmp_path / name, scores, judge) for name, judge in (("a", "model:x:1"), ("b", "model:y:1"))]
    apart = tables_by_retrieval(release, runs)
    assert apart.against[0].lacking["faithfulness"] == OTHER_JUDGES
    assert apart.against[0].differences == ()
    assert "Scores of a: judged by x: faithfulness." in text_of(apart)
    mixed = tables_by_retrieval(release, runs, mix_judges=True)
    assert [each.metric for each in mixed.against[0].differences] == ["faithfulness"] * 3


def test_table_3_where_retrieval_is_not_of_one_kind(release: Release, tmp_path: Path) -> None:
    base = run_of(release, tmp_path / "base", {RETRIEVED: HALF, "faithfulness": FAITHFUL})
    runs = [base, run_of(release, tmp_path / "k1", {"evidence_recall@1": HALF, "faithfulness": FAITHFUL}),
            run_of(release, tmp_path / "pages", {"recall@5": HALF, "faithfulness": FAITHFUL})]  # fmt: skip
    found = tables_by_retrieval(release, runs)
    assert [{each.retrieval for each in one.differences} for one in found.against] == [
        {"all", "right", "wrong"},
        {"all"},
    ]
    assert found.notes == (
        "not the same metric says in which answers retrieval was right (base by evidence_recall; pages by recall): score "
        "all runs alike",
    )  # fmt: skip
    assert "right and wrong retrieval are not told apart, as the two runs were not scored by the same" in text_of(found)


FAITH = [0.9, 0.8, 0.7, 0.9, 0.1, 0.2, 0.3, 0.0, 0.5, 0.9, 0.8, 0.1]
FACTS = [0.9, 0.9, 0.9, 0.1, 0.8, 0.1, 0.1, 0.2, 0.1, 0.8, None, 0.2]
SAID = "CCCwCwwwwwCC"


def test_table_4_by_equations_1_and_2(release: Release, tmp_path: Path) -> None:
    """0.7 is not above 0.7, and 0.3 not below 0.3; q10 has one of the two scores."""
    folder = run_of(release, tmp_path / "run", {"faithfulness": FAITH, "factual_correctness": FACTS})
    people(folder / "human.jsonl", SAID)
    (believed,) = tables_by_retrieval(release, [folder]).believed
    assert (believed.answers, believed.right, believed.judges, believed.source) == (
        12,
        6,
        {"Ada (human)": 12},
        "human.jsonl",
    )
    right = [mark == "C" for mark in SAID]
    found = [(each.metrics, each.concordance) for each in believed.metrics if each.concordance is not None]
    assert [(names, (said.right.count, said.right.total), (said.wrong.count, said.wrong.total)) for names, said in found] == [
        (("faithfulness",), (3, 5), (2, 4)),
        (("factual_correctness",), (4, 5), (5, 6)),
        (("faithfulness", "factual_correctness"), (2, 3), (2, 3)),
    ]  # fmt: skip
    people(folder / "human-2.jsonl", "C" * 12)
    (newest,) = tables_by_retrieval(release, [folder]).believed
    assert (newest.right, newest.source, newest.unread) == (12, "human-2.jsonl", ("human.jsonl",))
    # Bayes' rule, as the paper writes equation 1, over the answers that have both scores
    kept = [place for place in range(12) if FACTS[place] is not None]
    high = [place for place in kept if FAITH[place] > 0.7 and (FACTS[place] or 0) > 0.7]
    right_ones = [place for place in kept if right[place]]
    likelihood = len([place for place in high if right[place]]) / len(right_ones)
    bayes = likelihood * (len(right_ones) / len(kept)) / (len(high) / len(kept))
    joint = believed.metrics[2].concordance
    assert joint is not None
    assert joint.right.value == pytest.approx(bayes)
    assert (joint.above, joint.below, joint.answers) == ((0.7, 0.7), (0.3, 0.3), 11)


def test_table_4_tests_runs_against_the_baseline(release: Release, tmp_path: Path) -> None:
    """All answers with high scores are right in the one run and wrong in the other: each of the twelve changes sides."""
    runs = [run_of(release, tmp_path / name, {"faithfulness": [0.9] * 12}) for name in ("base", "other")]
    files = [people(tmp_path / f"{run.name}.jsonl", said * 12) for run, said in zip(runs, "Cw", strict=True)]
    found = tables_by_retrieval(release, runs, human=dict(zip(runs, files, strict=True)))
    base, other = (each.metrics[0] for each in found.believed)
    assert base.p_right is None
    assert other.p_right is not None
    assert other.p_right == pytest.approx(2 * 0.5**12, abs=1e-3)
    assert other.p_wrong is None, "no score is low"
    assert other.concordance is not None
    assert (other.concordance.right.value, other.concordance.wrong.value) == (0.0, None)
    text = text_of(found)
    assert "other right when high 0.00 (0.00 to 0.29) of 12 – – p against base < 0.001" in text
    assert "base, other: factual_correctness is not scored." in text
    assert "wrong when low no answer" in text


def test_table_4_says_why_there_is_none(release: Release, tmp_path: Path) -> None:
    folder = run_of(release, tmp_path / "run", {"faithfulness": FAITH, "factual_correctness": FACTS})

    def reason(*said: str, metric: str = "correct", mix: bool = False) -> str | None:
        file = people(tmp_path / "said.jsonl", " ".join(said), metric)
        return tables_by_retrieval(release, [folder], human={folder: file}, mix_judges=mix).believed[0].reason

    (none,) = tables_by_retrieval(release, [folder]).believed
    assert none.reason is not None
    assert none.reason.startswith("not available because people have not judged its answers; annotate makes pages")
    assert reason(SAID, metric="faithfulness") == (
        "not available because people judged by faithfulness, and not by correct"
    )
    assert reason("CC", "CC") == (
        "not available because several judged, each alone: Ada (human) (2), Ben (human) (2); --mix-judges takes the mean "
        "of what they said"
    )
    assert reason("CC", "CC", mix=True) is None
    file = people(tmp_path / "divided.jsonl", "CCw Cww")
    (divided,) = tables_by_retrieval(release, [folder], human={folder: file}, mix_judges=True).believed
    assert (divided.answers, divided.right, divided.divided) == (2, 1, 1)
    with pytest.raises(BenchwrightError, match="'q12'"):
        file.write_text('{"id": "q12", "metric": "correct", "value": 1}\n')
        tables_by_retrieval(release, [folder], human={folder: file})
    file.rename(folder / "human.jsonl")
    (broken,) = tables_by_retrieval(release, [folder]).believed
    assert broken.reason is not None
    assert broken.reason.startswith("not available because human.jsonl, line 1"), "nobody named it: the rest goes on"


def test_verdicts_on_answers_that_have_changed_do_not_count(tmp_path: Path) -> None:
    """What people said of a sample is of the answers that it was drawn from."""
    made = make_run(make_release(tmp_path / "release", QUESTIONS), tmp_path / "run",
                    [Prediction(each.id, "Oslo") for each in QUESTIONS], ["correct", "factual_correctness"])  # fmt: skip
    name = write_sample(made.folder, draw_sample(read_scored(made.release, made.folder), 12))
    people(made.folder / "human.jsonl", "C" * 12, trace={"sample": name})
    (before,) = tables_by_retrieval(made.release, [made.folder]).believed
    assert (before.reason, before.answers) == (None, 12)
    (made.folder / PREDICTIONS).unlink()
    store = PredictionStore(made.folder / PREDICTIONS)
    for each in QUESTIONS:
        store.append(Prediction(each.id, "Perth"))
    store.close()
    (after,) = tables_by_retrieval(made.release, [made.folder]).believed
    assert after.reason == (
        "not available because the answers of run are others than those that sample-1 was drawn from: draw a new sample"
    )


def test_other_metrics_and_bad_use(release: Release, tmp_path: Path) -> None:
    folder = run_of(release, tmp_path / "run", {RETRIEVED: HALF, "correct": HALF, "token_f1": FAITHFUL})
    found = tables_by_retrieval(release, [folder], metrics=["token_f1", "correct", "rouge_l"])
    assert (found.metrics, found.pair) == (("token_f1", "correct", "rouge_l"), ("token_f1", "correct"))
    assert list(found.by_retrieval[0].split.metrics) == ["token_f1", "correct"]
    text = text_of(found)
    assert text.startswith("run by retrieval on small 1.0.0, condition own Table 1: retrievers run: not available")
    assert "To score it: score-metric RUN rouge_l." in text
    scores = {RETRIEVED: HALF, "truthfulness": [5.0, 4.0] * 3 + [2.0, 1.0] * 3, "retrieved": HALF}
    graded = run_of(release, tmp_path / "graded", scores)
    people(graded / "human.jsonl", SAID)
    grades = tables_by_retrieval(release, [graded, folder], metrics=["truthfulness", "retrieved"])
    assert "truthfulness (1 to 5) 4.50 (0.55) 6 1.50 (0.55) 6 < 0.001" in text_of(grades)
    believed = grades.believed[0].metrics[0].concordance
    assert believed is not None
    assert (believed.above, believed.below) == ((pytest.approx(3.8),), (pytest.approx(2.2),)), "of a range from 1 to 5"
    with pytest.raises(BenchwrightError, match="'nonsense'"):
        tables_by_retrieval(release, [folder], metrics=["nonsense"])
    with pytest.raises(UsageError, match="the run run is given twice: name it once"):
        tables_by_retrieval(release, [folder, folder])
    with pytest.raises(UsageError, match="has no condition 'gold': there is own"):
        tables_by_retrieval(release, [folder], condition="gold")
    with pytest.raises(UsageError, match="--human names other, which is none of the runs: run"):
        tables_by_retrieval(release, [folder], human={tmp_path / "other": tmp_path})


def test_the_page_and_the_json(release: Release, tmp_path: Path) -> None:
    """The schema is that of the dataclasses, and a hostile name stays a text."""
    text = BY_RETRIEVAL_SCHEMA.read_text("utf-8")
    assert text == schema_text(BY_RETRIEVAL_SCHEMA), "run python -m benchwright.scripts.maintain.report_schema"
    scores = {RANK: HALF, RETRIEVED: HALF, "faithfulness": FAITH, "factual_correctness": FACTS}
    runs = [run_of(release, tmp_path / name, scores, builtin=True) for name in ("base", "<script>alert(1)")]
    people(runs[0] / "human.jsonl", SAID)
    found = benchwright.compare_by_retrieval(*runs, release=release, output=tmp_path / "out")
    assert found.runs == ("base", "<script>alert(1)")
    stored = json.loads((tmp_path / "out" / "by-retrieval.json").read_bytes())
    jsonschema.validate(stored, json.loads(text))
    assert stored["by_retrieval"][0]["split"]["metrics"]["faithfulness"]["right"]["answers"] == 6
    stored["runs"] = 2
    with pytest.raises(jsonschema.ValidationError, match="2 is not of type 'array'"):
        jsonschema.validate(stored, json.loads(text))
    page = (tmp_path / "out" / "by-retrieval.html").read_text()
    assert "base and &lt;script&gt;alert(1) by retrieval on small 1.0.0, condition own" in page
    assert "<script>alert(1)" not in page
    for title in ("Table 1: retrievers", "Table 2: metrics by retrieval", "Table 3: against", "Table 4: beside people"):
        assert title in page
    assert page.count("p of t-test") == 4, "of each run, and of each of two metrics"
    alone = write_by_retrieval(tables_by_retrieval(release, runs[:1]), tmp_path / "alone")
    assert "base by retrieval on small 1.0.0" in alone.read_text()
