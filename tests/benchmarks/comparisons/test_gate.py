"""Gates: what is one, what they decide, and that nobody passes by leaving questions out."""

from collections.abc import Sequence, Set
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from report_cases import begin_run, make_release, write_rows

from benchwright.benchmarks.comparisons.compared import IN_PART, Compared
from benchwright.benchmarks.comparisons.comparison import compare_runs
from benchwright.benchmarks.comparisons.gate import Gate, decide, exit_code, gate_runs, parse_gate
from benchwright.benchmarks.comparisons.gate_words import outcome, reason
from benchwright.benchmarks.comparisons.read import read_runs
from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.run import read_run, write_run
from benchwright.benchmarks.types import Question

GROUPS = 200


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """200 groups of two wordings each, and one known gap."""
    questions = [
        Question(id=f"q{group}-{each}", question=f"What of {group}, {each}?", answers=("x",), answer_type="one",
                 group=f"g{group}", answerability="answerable" if group < GROUPS else "gap")
        for group in range(GROUPS + 1) for each in range(2)
    ]  # fmt: skip
    return make_release(tmp_path_factory.mktemp("gate") / "small", questions)


def run(
    release: Release, folder: Path, wrong: set[int], unscored: Set[int] = frozenset(), listed: int = GROUPS
) -> Path:
    """A run that is wrong in these groups, and has no score in those."""
    begin_run(release, folder, 2 * listed)
    rows = [
        (f"q{group}-{each}", "correct", None if group in unscored else float(group not in wrong),
         "the system gave no answer" if group in unscored else None)
        for group in range(listed) for each in range(2)
    ]  # fmt: skip
    write_rows(folder, [*rows, ("q200-0", "correct", 0.0, None)])
    return folder


def compared(release: Release, *folders: Path) -> Compared:
    return read_runs(release, folders)


@pytest.mark.parametrize(
    ("text", "metric", "sign", "margin"),
    [
        ("correct>=-0.02", "correct", ">=", -0.02),
        (" evidence_recall@10 >= -.05 ", "evidence_recall@10", ">=", -0.05),
        ("correct≥−0.02", "correct", ">=", -0.02),
        ("cost<=1e-1", "cost", "<=", 0.1),
        ("correct>=0", "correct", ">=", 0.0),
    ],
)
def test_an_expression_is_a_gate(text: str, metric: str, sign: str, margin: float) -> None:
    gate = parse_gate(text)
    assert (gate.metric, gate.sign, gate.margin, gate.text) == (metric, sign, margin, text.strip())


@pytest.mark.parametrize(
    "text", ["correct", "", ">=0.1", "correct>-0.02", "correct==0", "correct>=-2%", "correct>=nan", "a b>=0", "x>=0>=0"]
)
def test_what_is_no_gate_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_gate(text)
    assert str(caught.value) == (
        f"--gate {text!r} is not METRIC>=DIFFERENCE: write it in quotes, the difference in the metric's units, "
        "such as --gate 'correct>=-0.02' for at most two points of 100 worse than the baseline"
    )


def test_a_figure_that_there_cannot_be() -> None:
    with pytest.raises(UsageError, match="1e999 is no difference that there can be"):
        parse_gate("correct>=1e999")


def test_gates_that_cannot_be_meant(release: Release, tmp_path: Path) -> None:
    both = compared(release, run(release, tmp_path / "a", set(range(100))), run(release, tmp_path / "b", set()))
    for text, message in (
        ("mrr>=0", "the runs have no metric 'mrr', but correct"),
        ("correct<=0.1", "correct is better when higher; write correct>=…"),
        ("correct>=-2", "correct goes from 0 to 1, so that every difference lies within 1; two points of 100 are 0.02"),
        ("correct>=0.8", r"asks for more than there can be: a has 0\.5 of 1; the figure is the difference"),
    ):
        with pytest.raises(UsageError, match=message):
            gate_runs(both, [parse_gate(text)])


def test_passed_failed_and_inconclusive(release: Release, tmp_path: Path) -> None:
    """Of 200 groups the baseline has 20 wrong; the candidates lose none and win ten, lose 30, and lose one."""
    base = run(release, tmp_path / "base", set(range(20)))
    better = run(release, tmp_path / "better", set(range(10)))
    worse = run(release, tmp_path / "worse", set(range(50)))
    alike = run(release, tmp_path / "alike", set(range(21)))
    gate = parse_gate("correct>=-0.02")
    results = gate_runs(compared(release, base, better, worse, alike), [gate])
    assert [(each.candidate, each.verdict) for each in results] == [
        ("better", "passed"), ("worse", "failed"), ("alike", "inconclusive")]  # fmt: skip
    assert [result.common.value for result in results if result.common] == pytest.approx([0.05, -0.15, -0.005])
    first, last = results[0].common, results[2].common
    assert first is not None and last is not None
    assert (first.questions, first.groups, first.groups_needed) == (400, 200, None)
    assert (first.baseline, first.candidate) == pytest.approx((0.9, 0.95))
    assert last.low < -0.02 < last.high
    assert last.groups_needed is not None and 300 < last.groups_needed < 600
    assert exit_code(results) == 3
    assert exit_code(results[::2]) == 4
    assert exit_code(results[:1]) == 0
    assert outcome(results) == "1 failed, 1 inconclusive, 1 passed"
    assert reason(results[1]).startswith("−15.0 points (95 % limits −19.")
    assert reason(results[1]).endswith("over 200 groups; asked for is −2.0 points or more")
    assert "too wide to tell whether it is −2.0 points or more; about " in reason(results[2])


def test_the_baseline_may_be_any_run(release: Release, tmp_path: Path) -> None:
    both = compared(
        release, run(release, tmp_path / "a", set(range(50))), run(release, tmp_path / "b", set()))  # fmt: skip
    result, = gate_runs(both, [parse_gate("correct>=0")], baseline=1)  # fmt: skip
    assert (result.baseline, result.candidate, result.verdict) == ("b", "a", "failed")


def test_nobody_passes_by_not_answering(release: Release, tmp_path: Path) -> None:
    """The candidate leaves out the 20 groups that it does not know, and wins ten of the others."""
    base = run(release, tmp_path / "base", set(range(20, 30)))
    silent = run(release, tmp_path / "silent", set(), unscored=set(range(20)))
    result, = gate_runs(compared(release, base, silent), [parse_gate("correct>=-0.02")])  # fmt: skip
    assert result.common is not None and result.with_unscored is not None
    assert (result.common.verdict, result.with_unscored.verdict, result.verdict) == (
        "passed", "inconclusive", "inconclusive")  # fmt: skip
    assert result.with_unscored.value == pytest.approx(-0.05)
    assert (result.unscored, dict(result.reasons)) == (40, {"the system gave no answer": 40})
    said = reason(result)
    assert "passed there, but −5.0 points" in said
    assert "over 200 groups with what is unscored as the worst; score what is unscored to decide; 40 questions" in said
    assert result.with_unscored.groups_needed is not None  # but they would fail what passes without the unscored
    assert result.groups_needed is None
    assert said.endswith(
        "; 40 questions that the baseline has a score of the run has none of: the system gave no answer (40)"
    )


@pytest.mark.parametrize("is_named", [True, False])
def test_nobody_passes_by_leaving_out_repeats(release: Release, tmp_path: Path, is_named: bool) -> None:
    """Of three repeats each one is wrong; the candidate fails to answer those, or does not hand them in."""
    ids = [f"q{group}-{each}" for group in range(GROUPS) for each in range(2)]
    runs = [tmp_path / "base", tmp_path / "candidate"]
    for folder in runs:
        begin_run(release, folder, len(ids))
    rows = [(name, repeat, float(repeat > 0)) for name in ids for repeat in range(3)]
    write_repeats(runs[0], rows)
    kept = [(name, repeat, value or None) for name, repeat, value in rows if value or is_named]
    write_repeats(runs[1], kept)
    result, = gate_runs(compared(release, *runs), [parse_gate("correct>=0")])  # fmt: skip
    assert result.common is not None and result.with_unscored is not None
    assert result.common.candidate == pytest.approx(1) and result.common.verdict == "passed"
    assert result.with_unscored.candidate == pytest.approx(2 / 3)
    assert result.verdict == "inconclusive"
    assert (result.unscored, dict(result.reasons)) == (400, {IN_PART: 400})
    assert "the run has none of, or not of each repeat: some repeats have no score (400)" in reason(result)
    found = compare_runs(release, runs)
    assert found.missing[1].unscored == {"correct": {IN_PART: 400}} and found.missing[0].unscored == {}
    assert found.notes[0].startswith(
        "some repeats have no score by correct (candidate: 400 questions): means are over the"
    )
    again, = gate_runs(compared(release, *reversed(runs)), [parse_gate("correct>=0")])  # fmt: skip
    assert again.with_unscored is None, "the baseline is wrong there, which is a score"


def write_repeats(folder: Path, rows: Sequence[tuple[str, int, float | None]]) -> None:
    """Scores of `correct`: id, repeat, value."""
    write_rows(folder, [(name, "correct", value, None) for name, _, value in rows], [repeat for _, repeat, _ in rows])


def test_scores_beyond_their_scale_are_no_crash(release: Release, tmp_path: Path) -> None:
    base, other = run(release, tmp_path / "base", set()), run(release, tmp_path / "other", set())
    write_repeats(other, [(f"q{group}-0", 0, 5.0) for group in range(GROUPS)])
    with pytest.raises(UsageError, match="scores of correct lie beyond 0 to 1, its scale"):
        gate_runs(compared(release, base, other), [parse_gate("correct>=0")])


def test_a_sample_is_no_silence(release: Release, tmp_path: Path) -> None:
    """What a candidate with a --limit was not asked is left out and named; without one it counts as the worst."""
    base = run(release, tmp_path / "base", set())
    part = run(release, tmp_path / "part", set(), listed=150)
    gate = parse_gate("correct>=-0.05")
    result, = gate_runs(compared(release, base, part), [gate])  # fmt: skip
    assert (result.verdict, result.unscored, result.not_asked) == ("inconclusive", 100, 0)
    settings = read_run(part)
    assert settings is not None
    write_run(part, replace(settings, questions=replace(settings.questions, limit=300, seed=0)))
    result, = gate_runs(compared(release, base, part), [gate])  # fmt: skip
    assert (result.verdict, result.unscored, result.not_asked) == ("passed", 0, 100)
    assert reason(result).endswith("; 100 questions of the baseline's the run's sample leaves out")


def test_looks_that_disagree_name_the_groups_that_would_decide(release: Release, tmp_path: Path) -> None:
    """Of 200 groups the candidate wins 15, loses four and has no score of three; were these lost, it would still lead."""
    base = run(release, tmp_path / "base", set(range(100, 115)))
    part = run(release, tmp_path / "part", set(range(4)), unscored={10, 11, 12})
    result, = gate_runs(compared(release, base, part), [parse_gate("correct>=0")])  # fmt: skip
    assert result.common is not None and result.with_unscored is not None
    assert [look.verdict for look in (result.common, result.with_unscored)] == ["passed", "inconclusive"]
    assert result.groups_needed == result.with_unscored.groups_needed
    assert result.groups_needed is not None and 417 < result.groups_needed < 500
    assert " groups like these would decide four times in five; 6 questions that the baseline" in reason(result)


def test_who_answers_nothing_fails(release: Release, tmp_path: Path) -> None:
    """Where no question has a score of both, the second look alone can fail a run; it never passes one."""
    base = run(release, tmp_path / "base", set(range(20)))
    dead = run(release, tmp_path / "dead", set(), unscored=set(range(GROUPS)))
    gate = parse_gate("correct>=-0.02")
    result, = gate_runs(compared(release, base, dead), [gate])  # fmt: skip
    assert (result.common, result.verdict, result.groups_needed) == (None, "failed", None)
    assert exit_code([result]) == 3
    assert reason(result).startswith(
        "no question has a score of both runs, and with what is unscored as the worst it is −90.0 points (95 % limits"
    )
    assert "; asked for is −2.0 points or more; 400 questions that the baseline has" in reason(result)
    with pytest.raises(UsageError, match=r"asks for more than there can be: base has 0\.9 of 1"):
        gate_runs(compared(release, base, dead), [parse_gate("correct>=0.5")])
    wrong = run(release, tmp_path / "wrong", set(range(GROUPS)))
    result, = gate_runs(compared(release, wrong, dead), [gate])  # fmt: skip
    assert result.with_unscored is not None
    assert (result.with_unscored.verdict, result.verdict, result.groups_needed) == ("passed", "inconclusive", None)
    assert reason(result).startswith(
        "no question has a score of both runs; score what is unscored to decide; 400 questions"
    )
    result, = gate_runs(compared(release, dead, base), [gate])  # fmt: skip
    assert (result.verdict, result.baseline_lacks) == ("inconclusive", 400)
    assert reason(result) == "no question has a score of both runs; 400 questions only the run has a score of"


def test_a_copy_passes_with_enough_groups_only() -> None:
    """149 groups without a difference show that at most one in fifty is lost; with fewer it is not known."""
    for number, verdict in ((1, "inconclusive"), (40, "inconclusive"), (148, "inconclusive"), (149, "passed")):
        same = np.ones(number)
        look = decide(parse_gate("correct>=-0.02"), same, same, np.arange(number), (0.0, 1.0))
        assert look is not None
        assert look.verdict == verdict, number


def test_the_margin_itself_is_never_decided() -> None:
    first, second = np.ones(100), np.r_[np.zeros(10), np.ones(90)]
    look = decide(parse_gate("correct>=-0.1"), first, second, np.arange(100), (0.0, 1.0))
    assert look is not None
    assert (look.verdict, look.groups_needed) == ("inconclusive", None)


def test_of_what_is_better_when_lower_the_other_side_counts() -> None:
    generator = np.random.default_rng(4)
    first, second = generator.integers(0, 2, 300).astype(float), generator.integers(0, 2, 300).astype(float)
    clusters = np.arange(300) // 2
    higher = decide(Gate("", "m", ">=", -0.1), first, second, clusters, (0.0, 1.0))
    lower = decide(Gate("", "m", "<=", 0.1), second, first, clusters, (0.0, 1.0))
    assert higher is not None and lower is not None
    assert (lower.verdict, lower.p, lower.groups_needed) == (higher.verdict, higher.p, higher.groups_needed)
    assert (lower.value, lower.low, lower.high) == (-higher.value, -higher.high, -higher.low)
