"""How far metrics can be believed, as tables and sentences: what the page and the terminal of `score-metric` show."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.judgments import COMPUTED, UNNAMED
from benchwright.benchmarks.reports.blocks import (
    Block,
    Cell,
    Column,
    Details,
    Inline,
    Span,
    Table,
    Text,
    cut,
    foreign,
    soft,
)
from benchwright.benchmarks.reports.format import (
    NONE,
    count,
    figure,
    interval,
    minus,
    number_of,
    percent,
    reasons,
)
from benchwright.benchmarks.reports.metrics.agreement_blocks import (
    agreement_blocks,
    confusion_table,
    pairs_table,
    share_with_limits,
    with_limits,
)
from benchwright.benchmarks.reports.metrics.baseline_blocks import baseline_blocks, baseline_lines
from benchwright.benchmarks.reports.metrics.figures import scale_shown
from benchwright.benchmarks.reports.metrics.injection_figures import injection_blocks
from benchwright.benchmarks.reports.metrics.judge_agreement import JudgePair
from benchwright.benchmarks.reports.metrics.judge_check_blocks import judge_check_blocks, judge_check_lines
from benchwright.benchmarks.reports.metrics.people_blocks import (
    beside_people_lines,
    beside_people_table,
    calibrated_blocks,
    calibrated_lines,
)
from benchwright.benchmarks.reports.metrics.reference_free_blocks import reference_free_blocks
from benchwright.benchmarks.reports.metrics.retrieval_split import split_table
from benchwright.benchmarks.reports.metrics.step_verdicts import step_table
from benchwright.benchmarks.reports.metrics.truth import MetricRatings, RatedMetric
from benchwright.benchmarks.statistics.reliability import Concordance, Proportion

_NAME = 60


@dataclass(frozen=True, slots=True)
class Part:
    """A heading and what stands below it."""

    id: str
    title: str
    blocks: tuple[Block, ...]


def parts_of(found: MetricRatings) -> list[Part]:
    """Everything, in order."""
    parts = [
        Part("verdicts", "Taken for a verdict", tuple(_verdict_blocks(found))),
        Part("order", "Taken for an order", (_order_table(found), Text(_ORDER, "small"))),
        Part("concordance", "High and low scores", (_concordance_table(found), Text(_CONCORDANCE, "small"))),
    ]
    said = [each.said for each in found.metrics.values() if each.said is not None]
    if said:
        tables = (Details(_of_grades(pair.first), (confusion_table(pair),)) for pair in said if len(pair.grades) > 1)
        parts.insert(
            0,
            Part(
                "said",
                "The same metric, said by a person",
                (pairs_table(tuple(said), "The run and who said it"), *tables),
            ),
        )
    if found.agreement:
        blocks = [block for name, each in found.agreement.items() for block in agreement_blocks(name, each)]
        parts.insert(0, Part("agreement", "Agreement of those who judged", tuple(blocks)))
    if found.steps:
        parts.insert(0, Part("steps", "The judge's steps, looked at by people", (step_table(found.steps),)))
    if found.people:
        parts.insert(0, Part("people", "Beside people", (beside_people_table(found.people),)))
    if found.calibrated is not None:
        parts.insert(0, Part("calibrated", "Calibrated scores", tuple(calibrated_blocks(found.calibrated))))
    if free := reference_free_blocks(found):
        parts.insert(0, Part("reference-free", "Without the true answer", tuple(free)))
    if found.retrieval_split.reason is None:
        parts.append(
            Part("retrieval", "Right and wrong retrieval", (split_table(found.retrieval_split), Text(_SPLIT, "small")))
        )
    if found.judge_checks:
        parts.append(Part("judge", "The judge", tuple(judge_check_blocks(found.judge_checks))))
    if found.injections is not None:
        parts.append(Part("injections", "Told what to say", tuple(injection_blocks(found.injections))))
    if found.baseline is not None:
        parts.append(Part("baseline", "Against the baseline", tuple(baseline_blocks(found.run, found.baseline))))
    return parts


def _of_grades(name: str) -> Inline:
    return (soft("Side by side: "), foreign(name, _NAME))


def truth_line(found: MetricRatings) -> Text:
    """What metrics are held against."""
    truth = found.truth
    scale = "" if truth.threshold == 0.5 else f" (above {truth.threshold:g})"
    where = "" if truth.source == "run" else f" in {truth.source}"
    share = truth.right / truth.answers
    divided = f"; of {number_of(truth.divided, 'answer')} more the judges are divided" if truth.divided else ""
    return Text(
        (
            "Held against ",
            foreign(truth.metric, _NAME),
            f"{scale}{where}, ",
            foreign(_by(truth.judges), 300),
            f": {count(truth.right)} of {count(truth.answers)} answers are right ({percent(share)}), in"
            f" {number_of(truth.groups, 'semantic group')}{divided}. Condition ",
            foreign(found.condition, 40),
            ".",
        )
    )


def _by(judges: Mapping[str, int]) -> str:
    """Who said it, in words."""
    people = [judge for judge in judges if judge != COMPUTED]
    names = {judge: "somebody not named" if judge == UNNAMED else judge for judge in people}
    said = ", ".join(
        f"{names[judge]} ({count(judges[judge])})" if len(people) > 1 else names[judge] for judge in people
    )
    both = f", else {COMPUTED}" if people and COMPUTED in judges else ""
    return f"said by {said}{both}" if people else COMPUTED


def left_out(found: MetricRatings) -> list[Block]:
    """What was not compared, and why."""
    lines: list[Block] = []
    for name, why in found.without_scores.items():
        lines.append(Text((foreign(name, _NAME), " scores no answer: ", foreign(reasons(why), 400), "."), "notice"))
    if found.left_out:
        lines.append(Text((soft("Verdicts that are left out: "), foreign(reasons(found.left_out), 400), "."), "small"))
    for names, why in _unscored(found.metrics):
        lines.append(Text((soft("Not scored by "), foreign(f"{', '.join(names)}: {reasons(why)}", 400), "."), "small"))
    return lines


def _unscored(metrics: Mapping[str, RatedMetric]) -> Iterator[tuple[list[str], Mapping[str, int]]]:
    seen: list[tuple[list[str], Mapping[str, int]]] = []
    for name, each in metrics.items():
        same = next((names for names, why in seen if why == each.unscored), None)
        if same is not None:
            same.append(name)
        elif each.unscored:
            seen.append(([name], each.unscored))
    yield from seen


def sentence_of(name: str, found: RatedMetric) -> Inline | None:
    """What a metric's verdicts are worth, in a sentence."""
    said = found.verdicts
    if said is None:
        return None
    wrong = said.wrong_called_right + said.wrong_called_wrong
    optimism = (
        f"calls {count(said.wrong_called_right)} of {count(wrong)} wrong answers right"
        if wrong
        else "met no wrong answer"
    )
    right = said.right_called_right + said.right_called_wrong
    if not wrong + right:
        return None
    cynicism = f"{count(said.right_called_wrong)} of {count(right)} right ones wrong" if right else "met no right one"
    return (Span(cut(name, _NAME), "strong", foreign=True), f" {optimism}, and {cynicism}.")


def _verdict_blocks(found: MetricRatings) -> Iterator[Block]:
    for name, each in found.metrics.items():
        line = sentence_of(name, each)
        if line is not None:
            yield Text(line)
    columns = (
        Column("metric"),
        Column("right above"),
        Column("precision"),
        Column("z-interval, printed so"),
        Column("recall"),
        Column("z-interval, printed so"),
        Column("Cohen's kappa"),
        Column("answers"),
    )
    rows = tuple(_verdict_row(name, each) for name, each in found.metrics.items() if each.verdicts is not None)
    yield Table("Precision and recall of each metric's verdicts", columns, rows, "wide")
    yield Text(_VERDICTS, "small")
    yield Details("The four counts of each metric", (_counts(found.metrics),))


def _verdict_row(name: str, found: RatedMetric) -> tuple[Cell, ...]:
    said = found.verdicts
    assert said is not None
    printed = said.published
    return (
        _label(name, found),
        ("" if found.higher_is_better else "below ") + f"{said.threshold:g}",
        share_with_limits(said.precision),
        interval(printed[0], printed[1]) if printed else NONE,
        share_with_limits(said.recall),
        interval(printed[2], printed[3]) if printed else NONE,
        with_limits(said.kappa),
        count(found.answers),
    )


def _label(name: str, found: RatedMetric) -> Inline:
    scale = scale_shown(found.range)
    lower = "" if found.higher_is_better else " (lower is better)"
    return (foreign(name, _NAME), soft(f"{scale}{lower}")) if scale or lower else foreign(name, _NAME)


def _counts(metrics: Mapping[str, RatedMetric]) -> Table:
    names = ("right, called right", "right, called wrong", "wrong, called right", "wrong, called wrong")
    rows: list[tuple[Cell, ...]] = []
    for name, each in metrics.items():
        if (said := each.verdicts) is not None:
            right = count(said.right_called_right), count(said.right_called_wrong)
            rows.append((foreign(name, _NAME), *right, count(said.wrong_called_right), count(said.wrong_called_wrong)))
    return Table("Answers", (Column("metric"), *(Column(name) for name in names)), tuple(rows), "wide")


def _order_table(found: MetricRatings) -> Table:
    columns = (
        Column("metric"), Column("accuracy on pairs"), Column("pairs"), Column("of one group"), Column("pairs"),
        Column("Pearson"), Column("Spearman"), Column("mean of right"), Column("of wrong"),
    )  # fmt: skip
    rows = tuple(
        (
            _label(name, each),
            with_limits(each.pairs),
            count(each.pairs.pairs) if each.pairs else "0",
            with_limits(each.pairs_in_groups),
            count(each.pairs_in_groups.pairs) if each.pairs_in_groups else "0",
            with_limits(each.pearson),
            with_limits(each.spearman),
            minus(figure(each.right_mean, 2)),
            minus(figure(each.wrong_mean, 2)),
        )
        for name, each in found.metrics.items()
    )
    return Table("Whether better answers have better scores", columns, rows, "wide")


def _concordance_table(found: MetricRatings) -> Table:
    columns = (Column("metric"), Column("high: right"), Column("answers"), Column("low: wrong"), Column("answers"))
    rows = [
        _concordance_row((foreign(name, _NAME),), each.concordance, each.higher_is_better)
        for name, each in found.metrics.items()
    ]
    for each in found.joint:
        are_higher = all(found.metrics[name].higher_is_better for name in each.metrics)
        names = (foreign(each.metrics[0], _NAME), " and ", foreign(each.metrics[1], _NAME))
        rows.append(_concordance_row(names, each.concordance, are_higher))
    return Table("How often high scores are right and low ones wrong", columns, tuple(rows), "wide")


def _concordance_row(names: tuple[str | Span, ...], said: Concordance, is_higher: bool) -> tuple[Cell, ...]:
    above, below = (" and ".join(f"{limit:g}" for limit in limits) for limits in (said.above, said.below))
    better, worse = ("above", "below") if is_higher else ("better than", "worse than")
    return ((*names, soft(f" {better} {above}, {worse} {below}")), *_share(said.right), *_share(said.wrong))


def _share(found: Proportion) -> tuple[Cell, Cell]:
    return share_with_limits(found), count(found.total)


def brief(found: MetricRatings) -> list[Block]:
    """What a terminal shows."""
    lines = [Text(line) for name, each in found.metrics.items() if (line := sentence_of(name, each)) is not None]
    said = [_said_line(each.said) for each in found.metrics.values() if each.said is not None]
    calibrated = calibrated_lines(found.calibrated) if found.calibrated is not None else ()
    blocks: list[Block] = [truth_line(found), *said, *beside_people_lines(found.people), *lines, *calibrated]
    blocks += [
        _brief_table(found.metrics),
        *reference_free_blocks(found, is_brief=True),
        *([step_table(found.steps)] if found.steps else []),
        *judge_check_lines(found.judge_checks),
        *baseline_lines(found.baseline),
    ]
    blocks += left_out(found)
    return blocks


def _said_line(pair: JudgePair) -> Text:
    beyond = "" if pair.kappa is None else f", kappa {with_limits(pair.kappa)}"
    order = "" if pair.kappa is not None or pair.spearman is None else f", Spearman {with_limits(pair.spearman)}"
    same = f" say the same of {_short(pair.same)} of {number_of(pair.answers, 'answer')}{beyond}{order}."
    return Text((foreign(pair.first, _NAME), " and ", foreign(pair.second, _NAME), same))


def _short(found: Proportion) -> str:
    """`84 % (79 to 88)`."""
    if found.value is None or found.low is None or found.high is None:
        return percent(found.value)
    return f"{percent(found.value, 0)} ({100 * found.low:.0f} to {100 * found.high:.0f})"


def _brief_table(metrics: Mapping[str, RatedMetric]) -> Table:
    columns = (Column("metric"), Column("precision"), Column("recall"), Column("kappa"), Column("on pairs"))
    rows: Sequence[tuple[Cell, ...]] = [
        (
            foreign(name, _NAME),
            _short(each.verdicts.precision) if each.verdicts else NONE,
            _short(each.verdicts.recall) if each.verdicts else NONE,
            with_limits(each.verdicts.kappa) if each.verdicts else NONE,
            with_limits(each.pairs),
        )
        for name, each in metrics.items()
    ]
    return Table("Against the truth, with intervals of 95 %", columns, tuple(rows), "fit")


_VERDICTS = (
    "Precision: of the answers that a metric calls right, those that are; low where it is optimistic. Recall: of the"
    " right answers, those that it calls right; low where it is cynical. Intervals of 95 % are of this benchmark, whose"
    " semantic groups are drawn. Beside them stands the z-interval as it is printed for GRAMMAR (first version, Table"
    " 1): of all answers, as if each were a draw of its own; at 0 and 100 % it has no width."
)
_ORDER = (
    "Accuracy on pairs: of two answers, one right and one wrong, how often the right one has the better score; equal"
    " scores count one half. Of one group: both answer wordings of the same question. Correlations are with the truth"
    " as it was given."
)
_CONCORDANCE = (
    "The share of right answers among those with high scores, and of wrong ones among those with low scores; of two"
    " metrics, both high or both low (equations 1 and 2 and Table 4 of the paper on RAG metrics in the telecom domain)."
)
_SPLIT = (
    "One-sided tests that a metric is larger where retrieval was right: by semantic group, corrected for their number"
    " (Holm), and Welch's t-test as if answers were independent."
)
