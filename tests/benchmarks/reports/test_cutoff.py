"""The figure of a cutoff from runs that are there: which belong together, what is refused, and what stays unscored."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from report_cases import begin_run, make_release
from support import Run

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.judgments import judge_name
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.cutoffs.figure import CutoffFigure, cutoff_figure
from benchwright.benchmarks.reports.cutoffs.runs import file_name, read_models
from benchwright.benchmarks.runs.run import SCORES, read_run, write_run
from benchwright.benchmarks.runs.score_table import SCHEMA
from benchwright.benchmarks.types import Document, Question
from benchwright.cards.report.cutoff_page import write_figure

SUBSETS = {"random": 4, "created_after_cutoff": 3, "post_cutoff": 6}
DOCUMENTS = [
    Document(f"{subset}-{place // 2}", subset, "Text.") for subset, n in SUBSETS.items() for place in range(0, n, 2)
]
QUESTIONS = [
    Question(
        id=f"{subset}-q{place}",
        question=f"What of {subset} {place}?",
        answers=("Oslo",),
        answer_type="one",
        answerability="answerable",
        subset=subset,
        documents=(f"{subset}-{place // 2}",),
    )
    for subset, n in SUBSETS.items()
    for place in range(n)
]
JUDGE = "model:gpt-4o:0123456789ab"
Row = tuple[str, str, str, float | None, str | None, str | None]
"""Id, condition, metric, value, reason, judge."""


def grades(
    truth: float | None, relevance: float | None = None, *, condition: str = "own", subset: str = "", **more: Any
) -> list[Row]:
    """The same grades of all questions, or of those of a subset."""
    reason, judge = more.get("reason"), more.get("judge", JUDGE)
    values = {"truthfulness": truth, "relevance": truth if relevance is None else relevance}
    return [
        (question.id, condition, metric, value, reason, None if value is None else judge)
        for question in QUESTIONS
        if question.subset == subset or not subset
        for metric, value in values.items()
    ]


def make_run(
    release: Release, folder: Path, rows: Iterable[Row], reference: str = "closed-book", **system: Any
) -> Path:
    """A run that was scored so."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    model = {"settings": {"model": system.pop("model")}} if "model" in system else {"settings": {}}
    begin_run(release, folder, len(QUESTIONS), **{"reference": reference, "name": folder.name, **model, **system})
    full = [(key, condition, 0, metric, value, reason, judge) for key, condition, metric, value, reason, judge in rows]
    columns = list(zip(*full, strict=True)) or [()] * len(SCHEMA)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, SCHEMA, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=SCHEMA), folder / SCORES)
    run = read_run(folder)
    assert run is not None
    write_run(folder, replace(run, conditions=tuple(dict.fromkeys(row[1] for row in full))))
    return folder


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return make_release(tmp_path / "releases" / "small" / "1.0.0", QUESTIONS, DOCUMENTS)


def drawn(release: Release, *folders: Path) -> CutoffFigure:
    return cutoff_figure(release, read_models(release, folders))


def message(release: Release, *folders: Path) -> str:
    with pytest.raises(BenchwrightError) as error:
        drawn(release, *folders)
    return str(error.value)


def test_runs_of_one_model_belong_together(release: Release, tmp_path: Path) -> None:
    closed = make_run(release, tmp_path / "a", grades(2), model="m")
    article = make_run(release, tmp_path / "b", grades(5), "gold-documents", model="m")
    own = make_run(
        release,
        tmp_path / "c",
        [*grades(1), *grades(3, condition="closed"), *grades(4, condition="gold")],
        "my_rag:answer",
    )
    figure = drawn(release, article, own, closed)
    assert [(model.name, [run.name for run in model.runs]) for model in figure.models] == [
        ("m", ["a", "b"]),
        ("c", ["c", "c"]),
    ]
    parts = [[(part.sum.value if part.sum else None) for part in model.parts] for model in figure.models]
    assert parts == [[4, 4, 4, 10], [6, 6, 6, 8]]
    assert [part.given for part in figure.models[1].parts] == ["closed book"] * 3 + ["with the gold passages"]
    assert [(part.questions, part.articles) for part in figure.models[0].parts] == [(4, 2), (9, 5), (6, 3), (6, 3)]
    reasons = [test.reason for test in figure.tests if test.of == "d"]
    assert reasons == ["one side read the article, the other the gold passages"]
    elsewhere = make_run(release, tmp_path / "x", grades(1), settings={"model": "m", "base_url": "http://other/v1"})
    assert [model.name for model in drawn(release, closed, elsewhere).models] == ["m (a)", "m (x)"]


def test_what_was_not_observed_is_unscored_with_the_reason(release: Release, tmp_path: Path) -> None:
    rows = [
        *grades(5, subset="random"),
        *grades(None, subset="created_after_cutoff", reason="the judge refused"),
        *grades(7, 5, subset="post_cutoff"),
    ]
    figure = drawn(release, make_run(release, tmp_path / "a", rows, model="m"))
    a, b, c, d = figure.models[0].parts
    assert (a.scored, a.unscored, a.reason) == (4, {}, None)
    assert (b.scored, dict(b.unscored)) == (0, {"a grade outside 1 to 5": 6, "the judge refused": 3})
    assert (c.sum, c.shares, c.reason) == (None, (), "a grade outside 1 to 5 (6)")
    assert (d.asked, d.sum, d.reason) == (0, None, "no run with the article is given")
    assert {test.reason for test in figure.tests} == {"nothing is scored on one side"}
    half = [row for row in grades(4) if row[2] == "truthfulness" or row[0].startswith("random")]
    b = drawn(release, make_run(release, tmp_path / "b", half, model="n")).models[0].parts[1]
    assert dict(b.unscored) == {"one of both grades is missing": 9}
    nothing = make_run(release, tmp_path / "c", grades(None, reason="the judge refused"), model="o")
    assert message(release, nothing) == (
        "no answer of o has both grades, so there is nothing to draw: the judge refused (19)"
    )


def test_one_question_and_one_article_have_no_interval_and_no_test(release: Release, tmp_path: Path) -> None:
    rows = [row for row in grades(5) if row[0] in ("random-q0", "post_cutoff-q0", "post_cutoff-q1")]
    figure = drawn(release, make_run(release, tmp_path / "a", rows, model="m"))
    a, _, c, _ = figure.models[0].parts
    assert a.sum is not None and (a.sum.value, a.sum.low, a.sum.high, a.is_sample) == (10, None, None, True)
    assert c.shares[-1].value == 1 and (c.shares[-1].low, c.articles) == (None, 1)
    assert {test.reason for test in figure.tests} == {
        "one side is of a single article",
        "nothing is scored on one side",
    }
    assert write_figure(figure, tmp_path / "out", "cutoff").is_file()


def test_sums_that_are_no_whole_numbers_count_as_the_nearest(release: Release, tmp_path: Path) -> None:
    part = drawn(release, make_run(release, tmp_path / "a", grades(3.5, 3.0), model="m")).models[0].parts[0]
    assert [share.sum for share in part.shares if share.questions] == [7]


def test_runs_that_do_not_fit_are_refused_by_name(release: Release, tmp_path: Path) -> None:
    closed = make_run(release, tmp_path / "a", grades(2), model="m")
    changed = make_release(tmp_path / "other", [replace(QUESTIONS[0], answers=("Perth",)), *QUESTIONS[1:]], DOCUMENTS)
    other = make_run(changed, tmp_path / "b", grades(2), model="n")
    mine, theirs = (each.manifest.content_hash[:12] for each in (release, changed))
    refused = (
        f"{other} is a run on small 1.0.0 (content {theirs}…), {{}} on small 1.0.0 (content {mine}…): "
        "a figure is of one release; give runs of the same one"
    )
    assert message(release, closed, other) == refused.format(f"and {closed} is one")
    assert message(release, other) == refused.format("not")
    with pytest.raises(UsageError, match=f"the run {closed} is given twice: name it once"):
        drawn(release, closed, closed)
    twin = make_run(release, tmp_path / "twin", grades(2), model="m")
    with pytest.raises(UsageError, match=f"{closed} and {twin} are both closed-book runs of m: give one of them"):
        drawn(release, closed, twin)
    rag = make_run(release, tmp_path / "rag", grades(2), "bm25", model="m")
    assert message(release, rag).startswith(
        f"{rag} answers neither closed book nor with the article (bm25, own): give runs of closed-book,"
    )
    ungraded = make_run(release, tmp_path / "u", [(QUESTIONS[0].id, "own", "correct", 1.0, None, None)], model="m")
    assert message(release, ungraded) == (
        f"{ungraded} has no grades of truthfulness and relevance: score it again with --metric truthfulness "
        "--metric relevance and --model judge=NAME"
    )
    (closed / SCORES).unlink()
    assert message(release, closed) == (
        f"{closed} holds no scores.parquet: it is not a scored run; score the system again"
    )
    many = [make_run(release, tmp_path / f"m{n}", grades(2), model=f"m{n}") for n in range(9)]
    assert message(release, *many) == "a figure shows at most 8 models, not 9: give runs of fewer"


def test_other_judges_are_said_and_not_compared(release: Release, tmp_path: Path) -> None:
    one = make_run(release, tmp_path / "a", grades(2), model="m")
    other = make_run(release, tmp_path / "b", grades(2, judge="human:Ann:2"), model="n")
    tests = drawn(release, one, other).tests
    assert {test.reason for test in tests if test.of in "abc"} == {"graded by different judges: gpt-4o and Ann (human)"}
    assert [judge_name(each) for each in (JUDGE, "model:a:b:c", "by rule", "rule:mine", "model:x")] == [
        "gpt-4o", "a:b", "by rule", "mine (rule)", "x",
    ]  # fmt: skip


def test_names_of_files() -> None:
    assert file_name("gpt-4o-mini") == "gpt-4o-mini"
    names = ["a/b", "a-b", "A-B", "../a-b", "a..b", "x" * 500, "", "\x1b[31m", "built-in reader", "built-in-reader"]
    files = [file_name(name) for name in names]
    assert len(set(files)) == len(files) and max(map(len, files)) <= 70
    assert not any("/" in each or ".." in each or each.startswith(".") for each in files)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (
            ("small", "small/nothing"),
            1,
            "there is no run 'small/nothing' in runs: name a folder or NAME[/VERSION]/SYSTEM",
        ),
        (("small/nothing",), 1, "there is no run 'small/nothing' in runs: name a folder or NAME[/VERSION]/SYSTEM"),
        (("nothing",), 1, "there is no release 'nothing' in releases: build it with build-benchmark"),
        (("plain",), 1, "plain is not a release: it has no manifest.json"),
        (("small", "small/a", "--limit", "3"), 2, "RUNs are drawn as they are and nothing is asked: leave out --limit"),
        (("old",), 1, "small 1.0.0 has no questions of the subset post_cutoff: the figure is of a release that build-"),
    ],
)
def test_bad_input_is_one_line(
    run: Run, release: Release, tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    make_run(release, tmp_path / "runs/small/1.0.0/a", grades(2), model="m")
    (tmp_path / "plain").mkdir()
    make_release(tmp_path / "old", [replace(each, subset=None) for each in QUESTIONS], DOCUMENTS)
    result = run("plot-cutoff", *arguments)
    assert result.returncode == code and result.stderr.startswith(f"error: {said}"), result
    assert result.stderr.count("\n") == 1


def test_a_release_without_random_articles_says_so(run: Run, tmp_path: Path) -> None:
    kept = [each for each in QUESTIONS if each.subset != "random"]
    make_release(tmp_path / "releases" / "small" / "1.0.0", kept, DOCUMENTS)
    result = run("plot-cutoff", "small")
    assert result.returncode == 0, result
    figure = json.loads((tmp_path / "runs/small/1.0.0/cutoff-built-in-reader.json").read_text())
    assert figure["models"][0]["parts"][0]["reason"] == "the release has no such question"
    assert "a) unscored: the release has no such question" in result.stderr
