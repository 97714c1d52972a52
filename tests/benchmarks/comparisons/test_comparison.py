"""Systems compared: what is separated and what is not, in figures, words, page and terminal; what cannot be said."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from report_cases import begin_run, give_judge, make_release, make_run, write_rows
from support import Run

import benchwright
from benchwright.benchmarks.comparisons.comparison import compare_runs
from benchwright.benchmarks.comparisons.figures import NOT_ASKED_FOR, ONE_GROUP, ONE_SYSTEM
from benchwright.benchmarks.comparisons.sentences import by_points, first_sentences
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.blocks import Inline
from benchwright.benchmarks.runs.run import read_run, write_run
from benchwright.benchmarks.types import Document, Evidence, Question
from benchwright.cards.blocks.spans import plain
from benchwright.cards.compare.page import render_comparison, write_comparison
from benchwright.cards.compare.terminal import terminal_table
from benchwright.scripts.maintain.report_schema import COMPARISON_SCHEMA, schema_text

GROUPS = 40
TEXT = "The office of firm 7 is in Oslo."
HOSTILE = "<script>alert(1)</script> Rome"
METRICS = ("correct", "exact_match", "recall@2")


def _question(group: int, number: int) -> Question:
    return Question(
        id=f"g{group}-{number}",
        question=f"Wording {number} of where firm {group} sits?",
        answers=("Oslo",),
        answer_type="one",
        answerability="answerable",
        group=f"g{group}",
        form=("short", "long")[number],
        kind="lookup",
        hops=1 + group % 2,
        template=f"t{group % 4}",
        documents=("d0",),
        evidence=(Evidence("d0", 27, 31),),
    )


QUESTIONS = tuple(_question(group, number) for group in range(GROUPS) for number in range(2))


def answered(is_right: Callable[[int, int], bool], wrong: str = "Rome") -> list[Prediction]:
    context = Context(id="d0", text=TEXT)
    return [
        Prediction(f"g{group}-{number}", "Oslo" if is_right(group, number) else wrong, contexts=(context,))
        for group in range(GROUPS)
        for number in range(2)
    ]


class Cases:
    """Runs of systems whose answers are known, in one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.release: Release = make_release(root / "release", QUESTIONS, [Document("d0", "Firms", TEXT)])
        self.runs = root / "runs" / "small" / "1.0.0"
        self.make("all", answered(lambda group, number: True))
        self.make("quarter", answered(lambda group, number: group % 4 == 0, HOSTILE))
        self.make("copy", answered(lambda group, number: group % 4 == 0))
        self.make("none", answered(lambda group, number: False))
        self.make("long", answered(lambda group, number: number == 1))
        abstaining = [replace(each, answer=None, abstained=True) for each in answered(lambda group, number: False)]
        self.make("abstaining", abstaining[:40])

    def make(self, name: str, predictions: list[Prediction]) -> None:
        make_run(self.release, self.runs / name, predictions, METRICS, name=name)

    def __call__(self, *names: str) -> list[Path]:
        return [self.runs / name for name in names]


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Cases:
    return Cases(tmp_path_factory.mktemp("cases"))


def said(sentences: tuple[Inline, ...]) -> list[str]:
    return [plain(each) for each in sentences]


def test_two_systems_that_differ(cases: Cases) -> None:
    found = compare_runs(cases.release, cases("quarter", "all"))
    leading = found.leading
    assert (leading.metric, leading.questions, leading.groups, leading.pairs) == ("correct", 80, 40, 1)
    assert [(each.run, each.value) for each in leading.systems] == [("all", 1.0), ("quarter", 0.25)]
    assert [(each.best_rank, each.worst_rank, each.not_separated) for each in leading.systems] == [(1, 1, 0), (2, 2, 0)]
    (difference,) = leading.differences
    assert (difference.first, difference.second, difference.value) == ("all", "quarter", 0.75)
    assert difference.separated
    assert 0 < difference.low < 0.75 < difference.high < 1
    assert difference.p == pytest.approx(2**-29, rel=1e-5), "exact: 30 groups differ, all to one side"
    first, second = said(first_sentences(found))
    assert re.fullmatch(
        r"all answers 75\.0 points more of the questions rightly than quarter \(95 % interval [\d.]+ to [\d.]+, "
        r"p < 0\.001\): 100\.0 % against 25\.0 % of 80 questions in 40 semantic groups\. The two are separated\.",
        first,
    )
    assert second.startswith("With these groups a true difference of ")
    assert found.metrics["exact_match"].reason == NOT_ASKED_FOR
    assert [(each.run, each.correct, each.wrong, each.abstained) for each in found.answers] == [
        ("quarter", 0.25, 0.75, 0.0),
        ("all", 1.0, 0.0, 0.0),
    ]


def test_a_copy_is_not_separated_and_ranks_stay_open(cases: Cases) -> None:
    found = compare_runs(cases.release, cases("all", "quarter", "copy"), baseline=cases.runs / "quarter")
    assert [(each.run, each.best_rank, each.worst_rank) for each in found.leading.systems] == [
        ("all", 1, 1),
        ("quarter", 2, 3),
        ("copy", 2, 3),
    ]
    assert found.leading.systems[1].not_separated_from == ("copy",)
    pairs = {(each.first, each.second): each for each in found.leading.differences}
    assert set(pairs) == {("all", "quarter"), ("all", "copy"), ("copy", "quarter")}  # the baseline comes second
    copy = pairs["copy", "quarter"]
    assert (copy.value, copy.p, copy.separated) == (0.0, 1.0, False)
    assert copy.low < 0 < copy.high
    assert said(first_sentences(found)) == [
        "Of 3 systems all leads by correct with 100.0 % of 80 questions in 40 semantic groups, and is separated from "
        "every other.",
        "2 of 3 pairs are separated.",
        "Held against quarter: better all; worse none; not separated 1.",
    ]
    alone = compare_runs(cases.release, cases("quarter", "copy"))
    first, second = said(first_sentences(alone))
    assert first.startswith("quarter and copy are not separated by correct: 25.0 % against 25.0 % of 80 questions")
    assert "a difference of 0.0 points" in first
    assert "p = 1.000" in first
    assert second == (
        "The difference is the same in each group: it does not say how small a difference these groups would find."
    )
    for text in (terminal_table(alone), render_comparison(alone)):
        assert not re.search(r"\b(tied|equal|no difference)\b", text.split("</style>")[-1])


def test_slices_of_two_are_tested_together_and_of_several_are_not(cases: Cases) -> None:
    found = compare_runs(cases.release, cases("long", "none")).slices
    assert (found.correction, found.target) == ("Bonferroni, for 4 slices", "this benchmark")
    long, short = sorted(found.dimensions["form"].slices, key=lambda each: each.value)
    assert (long.value, long.means, long.questions, long.groups) == ("long", (1.0, 0.0), 40, 40)
    assert long.difference is not None
    assert short.difference is not None
    assert (long.difference.separated, short.difference.separated) == (True, False)
    assert (short.difference.value, short.difference.p) == (0.0, 1.0)
    assert short.difference.low < 0 < short.difference.high
    assert [each.value for each in found.dimensions["hops"].slices] == ["1", "2"]
    assert found.dimensions["kind"].reason == "all questions that the systems have in common have the same kind"
    assert found.dimensions["subset"].reason == "the release's questions have no subset"
    several = compare_runs(cases.release, cases("long", "none", "all")).slices
    assert several.correction is None
    assert several.reason is not None
    assert all(each.difference is None for each in several.dimensions["form"].slices)


def test_groups_stand_side_by_side_with_what_was_said(cases: Cases) -> None:
    found = compare_runs(cases.release, cases("quarter", "long"))
    differing = found.differing
    assert (differing.runs, differing.groups, differing.differ, differing.better) == (
        ("long", "quarter"),
        40,
        40,
        (30, 10),
    )
    assert {each.template for each in differing.shown} == {"t0", "t1", "t2", "t3"}
    group = next(each for each in differing.shown if each.template == "t1")
    assert group.means == (0.5, 0.0)
    assert group.gold == ("Oslo",)
    assert group.evidence[0].text == "Oslo"
    question = group.questions[0]
    assert (question.form, question.question[:9]) == ("long", "Wording 1")
    assert [(each.run, each.value, each.said.answer) for each in question.answers] == [
        ("long", 1.0, "Oslo"),
        ("quarter", 0.0, HOSTILE),
    ]
    assert question.answers[0].said.contexts[0].holds_evidence
    page = render_comparison(found)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; Rome" in page
    assert "<script>alert" not in page


def test_what_a_run_lacks_is_named(cases: Cases) -> None:
    found = compare_runs(cases.release, cases("all", "none", "abstaining"))
    assert (found.leading.questions, found.leading.groups) == (40, 20)
    assert found.leading.systems[0].scored == 80
    whole, _, part = found.missing
    assert whole.unscored == {}
    assert part.unscored["correct"] == {"no prediction": 40}
    assert (part.common_without, part.shrinks, whole.shrinks) == (80, False, False)
    assert found.answers[2].abstained == 1.0
    cases.make("few", answered(lambda group, number: True)[:10])
    found = compare_runs(cases.release, cases("all", "none", "few"))
    assert [each.shrinks for each in found.missing] == [False, False, True]
    notice = "Few questions in common: without few the others share 80 questions with a score of correct; with it 10."
    assert notice in " ".join(terminal_table(found).split())


def test_a_system_without_any_score_of_a_metric_takes_no_part_in_it(cases: Cases) -> None:
    retrieving = answered(lambda group, number: True)
    cases.make("blind", [replace(each, contexts=()) for each in retrieving])
    cases.make("lost", [replace(each, contexts=(Context(id="x", text="Nothing."),)) for each in retrieving])
    found = compare_runs(cases.release, cases("blind", "all", "lost"), metrics=["correct", "recall@2"])
    assert [each.run for each in found.leading.systems] == ["blind", "all", "lost"]
    recall = found.metrics["recall@2"]
    assert [(each.run, each.value) for each in recall.systems] == [("all", 1.0), ("lost", 0.0)]
    assert [(each.first, each.second, each.separated) for each in recall.differences] == [("all", "lost", True)]
    assert list(found.missing[0].unscored["recall@2"].values()) == [80]
    held = compare_runs(
        cases.release, cases("all", "lost"), metrics=["correct", "recall@2"], baseline=cases("blind")[0]
    )
    assert held.metrics["recall@2"].differences == recall.differences
    alone = compare_runs(cases.release, cases("blind", "all")).metrics["recall@2"]
    assert (alone.reason, [each.value for each in alone.systems]) == (ONE_SYSTEM, [1.0])
    cases.make("blind too", [replace(each, contexts=()) for each in retrieving])
    both = cases("blind", "blind too")
    assert "recall@2" not in compare_runs(cases.release, both).metrics
    nobody = compare_runs(cases.release, both, metrics=["correct", "recall@2"]).metrics["recall@2"]
    assert (nobody.reason, nobody.systems, nobody.questions) == (ONE_SYSTEM, (), 0)


def test_other_judges_are_not_mixed_unless_asked(cases: Cases, tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        make_run(cases.release, folder, answered(lambda group, number: group % 2 == 0), METRICS)
    give_judge(folders[1], "model:gpt:0123")
    message = "correct of one is computed by rules, and that of two is judged by model:gpt:0123, so that a difference"
    with pytest.raises(BenchwrightError, match=message):
        compare_runs(cases.release, folders)
    found = compare_runs(cases.release, folders, mix_judges=True)
    assert found.notes == ("correct: one computed by rules; two judged by model:gpt:0123",)
    other = compare_runs(cases.release, folders, metrics=["exact_match"])
    assert tuple(other.metrics) == ("exact_match",)


def test_metrics_that_are_named_share_the_level(cases: Cases) -> None:
    found = compare_runs(cases.release, cases("all", "none"), metrics=["exact_match", "correct", "recall@2"])
    assert [(each.metric, each.confidence) for each in found.metrics.values()] == [
        ("exact_match", 0.95),
        ("correct", 0.975),
        ("recall@2", 0.975),
    ]
    assert "all is 100.0 points above none by exact_match (95 % interval" in said(first_sentences(found))[0]
    assert "Separated are pairs with p below 0.025: the level is shared with other metrics." in render_comparison(found)
    constant = found.metrics["recall@2"]
    assert (constant.differences[0].value, constant.differences[0].separated) == (0.0, False)


def test_what_cannot_be_said_is_not_said(cases: Cases, tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two", tmp_path / "three"]
    rows = [[("g0-0", "correct", 1.0, None), ("g0-1", "correct", 1.0, None)], [("g0-0", "correct", 0.0, None)],
            [("g1-0", "correct", 1.0, None), ("g0-0", "correct", None, "the system failed")]]  # fmt: skip
    for folder, its in zip(folders, rows, strict=True):
        begin_run(cases.release, folder, 80)
        write_rows(folder, its)
    found = compare_runs(cases.release, folders[:2])
    assert found.leading.reason == ONE_GROUP
    assert said(first_sentences(found)) == [
        "one has the highest correct, 100.0 %; whether that is chance cannot be said: the questions that all systems have "
        "are of one semantic group, of which nobody can say what chance does."
    ]
    assert found.leading.systems[0].low is None
    write_rows(folders[1], [("g0-0", "correct", 1.0, None)])
    same = compare_runs(cases.release, folders[:2])
    assert said(first_sentences(same))[0].startswith(
        "Both systems have the same correct, 100.0 %; whether that is chance"
    )
    write_rows(folders[1], rows[1])
    assert "not tested" in terminal_table(found).lower()
    assert render_comparison(found)
    message = r"no question has a score of correct in all 3 runs \(three has 1; two has 1; one has 2; what three lacks is mostly: \S"
    with pytest.raises(BenchwrightError, match=message):
        compare_runs(cases.release, folders)


def test_scores_by_different_versions_are_noted(cases: Cases, tmp_path: Path) -> None:
    for name in ("one", "two"):
        make_run(cases.release, tmp_path / name, answered(lambda group, number: True), ("correct",))
        run = read_run(tmp_path / name)
        assert run is not None
        write_run(
            tmp_path / name, replace(run, scoring=replace(run.scoring, benchwright=f"0.{len(name) + ord(name[0])}"))
        )
    found = compare_runs(cases.release, [tmp_path / "one", tmp_path / "two"])
    assert found.notes == (
        "scored by different versions of benchwright (one by 0.114 and two by 0.119): score all of them again",
    )


def test_the_schema_is_that_of_the_dataclasses(cases: Cases, tmp_path: Path) -> None:
    text = COMPARISON_SCHEMA.read_text("utf-8")
    assert text == schema_text(COMPARISON_SCHEMA), "run python -m benchwright.scripts.maintain.report_schema"
    page = write_comparison(compare_runs(cases.release, cases("all", "quarter", "none")), tmp_path / "out")
    assert page == tmp_path / "out" / "compare.html"
    assert sorted(path.name for path in page.parent.iterdir()) == ["compare.html", "compare.json"]
    jsonschema.validate(json.loads((tmp_path / "out" / "compare.json").read_bytes()), json.loads(text))


@pytest.mark.parametrize(
    ("value", "plain", "signed"), [(0.0312, "3.1", "+3.1"), (-0.0312, "−3.1", "−3.1"), (-0.0001, "0.0", "0.0")]
)
def test_differences_are_written_in_points(value: float, plain: str, signed: str) -> None:
    assert by_points(value, (0.0, 1.0)) == plain
    assert by_points(value, (0.0, 1.0), signed=True) == signed
    assert by_points(-1.5, (1.0, 5.0), signed=True) == "−1.50"


def test_the_command(cases: Cases, run: Run, tmp_path: Path) -> None:
    roots = ("--runs", cases.root / "runs", "--release", cases.release.folder)
    done = run("compare-systems", "small/all", cases.runs / "none", *roots, "--output", "out")
    assert (done.returncode, done.stdout) == (0, "out/compare.html\n"), done.stderr
    assert done.stderr.startswith("all and none on small 1.0.0, condition own\n")
    assert (tmp_path / "out" / "compare.json").is_file()
    failed = run("compare-systems", "small/all", "small/nobody", *roots)
    assert failed.returncode == 1
    assert failed.stderr.startswith("error: there is no run 'small/nobody' in ")
    once = run("compare-systems", "small/all", *roots)
    assert (once.returncode, once.stderr) == (2, "error: a comparison is of two runs or more: name another RUN\n")


def test_a_baseline_is_compared_though_it_is_not_among_the_runs(cases: Cases) -> None:
    found = compare_runs(cases.release, cases("all"), baseline=cases.runs / "none")
    assert [each.name for each in found.runs] == ["none", "all"]
    assert found.baseline == "none"
    with pytest.raises(UsageError, match="a comparison is of two runs or more"):
        compare_runs(cases.release, cases("all"), baseline=cases.runs / "all")


def test_from_python(cases: Cases, tmp_path: Path) -> None:
    all_right, none = (benchwright.read_run(folder) for folder in cases("all", "none"))
    found = benchwright.compare_systems(all_right, none, release=cases.release, output=tmp_path / "out")
    assert [each.run for each in found.leading.systems] == ["all", "none"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["compare.html", "compare.json"]
    assert found.to_markdown().startswith(
        "# all and none on small 1.0.0, condition own\n\n## Result\n\n**all** **answers 100.0 "
    )
    assert "<strong>all and none on small 1.0.0, condition own</strong>" in found._repr_html_()
    again = benchwright.compare_systems(
        "all", "none", runs=cases.runs, release=cases.release.folder, metrics=["recall@2"]
    )
    assert again.leading.metric == "recall@2"
    with pytest.raises(UsageError, match="a comparison is of two runs or more: name them"):
        benchwright.compare_systems()


def test_a_page_is_whole_and_trusts_no_name(cases: Cases, tmp_path: Path) -> None:
    evil = "<img src=x onerror=alert(1)>"
    folder = tmp_path / evil
    made = answered(lambda group, number: number == 0, HOSTILE)
    make_run(cases.release, folder, made, METRICS, name=HOSTILE, settings={"<b>": "</code><script>alert(2)</script>"})
    page = render_comparison(compare_runs(cases.release, [folder, *cases("all", "none", "quarter", "long")]))
    assert "<img" not in page
    assert page.count("<script>") == 1
    assert page.count("&lt;img src=x onerror=alert(1)&gt;") > 10
    anchors, ids = re.findall(r'<a href="#([^"?]+)"', page), re.findall(r' id="([^"]+)"', page)
    assert set(anchors) <= set(ids)
    assert len(ids) == len(set(ids))
    assert anchors == [
        "result", "systems", "differences", "metrics", "answers", "slices", "groups", "missing", "effort", "runs",
    ]  # fmt: skip
    for tag in ("div", "section", "table", "details", "td", "th", "p", "bdi"):
        assert len(re.findall(rf"<{tag}[ >]", page)) == page.count(f"</{tag}>"), tag
    assert "http" not in re.sub(r"https://benchwright\.\S+", "", page.split("</style>")[1])


def test_wordings_of_a_group_by_hand(cases: Cases) -> None:
    found = compare_runs(cases.release, cases("long", "quarter")).wordings
    assert (found.wordings, found.groups) == (2, 40)
    long, quarter = found.systems
    assert (long.agreement.value, long.tags.robust.value, long.tags.non_robust.value, long.tags.gap.value) == (
        0,
        0,
        1,
        0,
    )
    assert (quarter.agreement.value, quarter.tags.robust.value, quarter.tags.gap.value) == (1.0, 0.25, 0.75)


def test_a_leading_metric_that_a_run_lacks_is_noted(cases: Cases, tmp_path: Path) -> None:
    for name, metrics in (("one", METRICS), ("two", ("correct",))):
        make_run(cases.release, tmp_path / name, answered(lambda group, number: True), metrics)
    run = read_run(tmp_path / "one")
    assert run is not None
    write_run(tmp_path / "one", replace(run, scoring=replace(run.scoring, primary="exact_match")))
    found = compare_runs(cases.release, [tmp_path / "one", tmp_path / "two"])
    assert found.notes == (
        "exact_match leads this benchmark and is not scored in two: correct leads here; score the system again",
    )
    assert compare_runs(cases.release, [tmp_path / "one", tmp_path / "two"], metrics=["correct"]).notes == ()


def test_what_nobody_judged_leads_nothing(cases: Cases, tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for number, folder in enumerate(folders):
        begin_run(cases.release, folder, 80)
        rows = [(each.id, "correct", None, "no judgment") for each in QUESTIONS]
        grades = [(each.id, "truthfulness", 3.0 + number * (place % 3), None) for place, each in enumerate(QUESTIONS)]
        write_rows(folder, [*rows, *grades])
    found = compare_runs(cases.release, folders)
    assert found.notes == ("correct: not compared, as no run has a score of it",)
    assert (found.leading.metric, found.leading.range) == ("truthfulness", (1.0, 5.0))
    assert said(first_sentences(found))[0].startswith("two is 0.99 above one by truthfulness (95 % interval ")
    with pytest.raises(BenchwrightError, match="no question has a score of correct in all 2 runs"):
        compare_runs(cases.release, folders, metrics=["correct"])


def test_several_systems_of_the_same_mean_lead_together(cases: Cases) -> None:
    found = compare_runs(cases.release, cases("quarter", "copy", "none"))
    assert said(first_sentences(found)) == [
        "Of 3 systems the highest correct is that of quarter and copy: 25.0 % of 80 questions in 40 semantic groups.",
        "2 of 3 pairs are separated.",
    ]
    cases.make("third", answered(lambda group, number: group % 4 == 0))
    first, *others = said(first_sentences(compare_runs(cases.release, cases("quarter", "copy", "third"))))
    assert first == (
        "None of the 3 systems is separated from another by correct: these questions do not show that any is better. "
        "The highest is 25.0 % of 80 questions in 40 semantic groups, that of quarter, copy and third."
    )
    assert others == []
