"""Calibrated means: worked by hand, against people who scored everything, and refused where they would not hold."""

import numpy as np
import pytest
from scipy import stats

from benchwright.benchmarks.statistics.calibration import (
    LEAST_DISAGREEMENTS,
    LEAST_GROUPS,
    Calibration,
    LabelledSample,
    calibrate,
)
from benchwright.benchmarks.statistics.prediction_powered import powered_mean
from benchwright.scripts.measure.simulate_calibration import Cell, simulate

GENERATOR = np.random.default_rng(7)


def sample(
    labels: list[float],
    scores: list[float],
    others: list[float] = [],  # noqa: B006
    *,
    sizes: list[int] | None = None,
    limits: tuple[float, float] = (0.0, 1.0),
    missing: int = 0,
    unscored: int = 0,
) -> LabelledSample:
    """A sample of groups with labels and the judge's scores of their answers, and the scores of other groups, of one
    answer each. Of groups of several answers the judge gives all the same. The first labels are missing, and of the
    other groups the first are unscored."""
    many = sizes or [1] * len(labels)
    every = np.repeat([*scores, *others], [*many, *[1] * len(others)]).astype(float)
    groups = np.repeat(np.arange(len(labels) + len(others)), [*many, *[1] * len(others)])
    is_scored = np.ones(len(every), dtype=bool)
    is_scored[sum(many) : sum(many) + unscored] = False
    known = np.arange(len(labels)) >= missing
    starts = np.cumsum([0, *many[:-1]])
    return LabelledSample(
        np.where(is_scored, every, 0.0),
        is_scored,
        groups,
        starts,
        np.where(known, np.array(labels, dtype=float), 0.0),
        known,
        limits,
    )


def mixed(called_right: tuple[int, int], called_wrong: tuple[int, int], others: tuple[int, int]) -> LabelledSample:
    """A shuffled sample: of what the judge calls right, and wrong, how many people call right and wrong; and how many
    other groups it calls right and wrong."""
    pairs = [
        (label, score)
        for score, counts in ((1.0, called_right), (0.0, called_wrong))
        for label, count in zip((1.0, 0.0), counts, strict=True)
        for _ in range(count)
    ]
    order = np.random.default_rng(3).permutation(len(pairs))
    labels, scores = zip(*(pairs[place] for place in order), strict=True)
    return sample(list(labels), list(scores), [1.0] * others[0] + [0.0] * others[1])


def test_the_estimate_is_the_judges_mean_less_its_errors() -> None:
    """300 of 400 called right; of 200 labelled it is wrong about 20 that it calls right and 5 that it calls wrong.

    With the weight λ: λ · 0.75 + (people's 135 of 200) - λ · (150 of 200), so that λ does not matter here.
    """
    found = calibrate(mixed((130, 20), (5, 45), (150, 50)))
    assert found.estimate is not None and found.judge_mean == 0.75
    assert found.estimate.value == pytest.approx(0.675, abs=0.002), "folds have weights of their own"
    assert (found.disagreements, found.labelled, found.groups, found.refused) == (25, 200, 400, ())
    assert found.people is not None and found.people.value == 0.675
    width, alone = (each.high - each.low for each in (found.estimate, found.people))
    assert width < alone


def test_the_judges_mean_over_all_answers_moves_the_estimate() -> None:
    """The same sample from a run of which the judge calls 60 % right: people would call fewer right, by λ · 0.15."""
    one, other = (calibrate(mixed((130, 20), (5, 45), others)) for others in ((150, 50), (90, 110)))
    assert one.estimate is not None and other.estimate is not None and one.weight is not None
    assert other.weight is not None and 0.5 < other.weight < 0.9
    assert one.estimate.value - other.estimate.value == pytest.approx(other.weight * 0.15, abs=0.01)


def test_the_weight_is_the_slope_and_the_gain_what_regression_gains() -> None:
    """Of single answers, 200 of 10,000: λ is the slope of people's on the judge's scores, and the variance 1 - r²."""
    drawn = mixed((130, 20), (5, 45), (7_350, 2_450))
    found = calibrate(drawn)
    scores = drawn.scores[drawn.drawn]
    slope = np.polyfit(scores, drawn.labels, 1)[0]
    correlation = np.corrcoef(scores, drawn.labels)[0, 1]
    assert found.weight == pytest.approx(slope, abs=0.01)
    assert found.gain == pytest.approx(1 / (1 - correlation**2 * (1 - 200 / 10_000)), rel=0.02)


def test_the_weight_of_an_answer_is_found_on_others() -> None:
    """Of two labels each would be weighed by the other alone, which shows no slope. Both together have one of 1."""
    scores = np.array([1.0] * 5 + [0.0] * 5)
    found = powered_mean(scores, np.arange(10), np.array([0, 5]), np.array([1.0, 0.0]))
    assert (found.weight, found.interval.value) == (0, 0.5)


@pytest.mark.parametrize("others", [(150, 50), (900, 900), (40, 10)])
def test_estimate_variance_and_interval_step_by_step(others: tuple[int, int]) -> None:
    """Of single answers: a weight for each tenth from the other nine, the variance by group, Wilson's with Student's t."""
    given = mixed((48, 20), (12, 40), others)
    every, score, label, drawn = given.scores, given.scores[given.drawn], given.labels, len(given.labels)
    share, added = drawn / len(every), given.scores - given.scores.mean()
    spread, of_drawn = np.var(every, ddof=1), added[given.drawn]
    weights = np.zeros(drawn)
    for fold in range(10):
        rest = np.arange(drawn) % 10 != fold
        moved = (score - score.mean() - share * of_drawn)[rest]
        below = np.var(moved) * rest.sum() + (rest.sum() - 1) * share * (1 - share) * spread
        slope = np.cov(label[rest], moved, bias=True)[0, 1] * rest.sum() / below if below > 1e-9 else 0.0
        weights[~rest] = min(1.0, max(0.0, slope))
    weight, corrected = weights.mean(), label - weights * score
    value = weight * every.mean() + corrected.mean()
    sums = corrected - corrected.mean() + weight * share * of_drawn
    inner, outer = (sums**2).sum() / (drawn * (drawn - 1)), weight**2 * spread * (1 - share) / len(every)
    freedom = min(drawn - 1, (sums**2).sum() ** 2 / (sums**4).sum())
    freedom = (inner + outer) ** 2 / (inner**2 / freedom + outer**2 / (len(every) - 1))
    part = stats.t.ppf(0.975, freedom) ** 2 * (inner + outer) / (value * (1 - value))
    half = np.sqrt(value * (1 - value) * part + part**2 / 4) / (1 + part)
    found = powered_mean(every, given.groups, given.drawn, label)
    assert (found.weight, found.interval.value) == pytest.approx((weight, value))
    middle = (value + part / 2) / (1 + part)
    assert (found.interval.low, found.interval.high) == pytest.approx((middle - half, middle + half))


@pytest.mark.parametrize("scores", ["useless", "perverse", "constant"])
def test_a_judge_who_tells_nothing_does_no_harm(scores: str) -> None:
    """It gets no weight, or hardly any, and what is left are people's scores alone."""
    labels = (GENERATOR.random(150) < 0.7).astype(float)
    judge = {"useless": (GENERATOR.random(150) < 0.5).astype(float), "perverse": 1 - labels, "constant": labels * 0}
    found = calibrate(sample(list(labels), list(judge[scores]), [0.0] * 200 + [1.0] * 150))
    assert found.estimate is not None and found.people is not None and found.weight is not None
    assert found.weight < 0.12
    assert found.estimate.value == pytest.approx(found.people.value, abs=0.02)
    width, alone = (each.high - each.low for each in (found.estimate, found.people))
    assert width == pytest.approx(alone, rel=0.05)


def test_people_who_scored_every_answer_need_no_judge() -> None:
    labels = [1.0] * 80 + [0.0] * 40
    scores = [*labels[:60], *[1 - each for each in labels[60:]]]
    found = calibrate(sample(labels, scores))
    assert found.estimate is not None and found.people is not None and found.weight is not None
    assert found.estimate.value == pytest.approx(found.people.value, abs=1e-3)
    assert found.people.value == pytest.approx(2 / 3)


def test_answers_of_large_groups_weigh_more() -> None:
    """100 groups of one answer, all wrong, and 50 of four, all right: 200 of 300 answers."""
    labels, sizes = [0.0] * 100 + [1.0] * 50, [1] * 100 + [4] * 50
    order = list(np.random.default_rng(1).permutation(150))
    labels, sizes = [labels[place] for place in order], [sizes[place] for place in order]
    scores = [1 - each if place < 20 else each for place, each in enumerate(labels)]
    found = calibrate(sample(labels, scores, sizes=sizes))
    assert found.people is not None and found.people.value == pytest.approx(2 / 3)
    assert found.estimate is not None and found.estimate.value == pytest.approx(2 / 3, abs=0.01)


def test_grades_are_calibrated_on_their_own_scale() -> None:
    """The same grades from 0 to 10 and as shares; a judge who gives two grades too many is corrected."""
    people = GENERATOR.integers(1, 8, size=160).astype(float)
    others = GENERATOR.integers(1, 8, size=500) + 2.0
    found = calibrate(sample(list(people), list(people + 2), list(others), limits=(0, 10)))
    as_shares = calibrate(sample(list(people / 10), list((people + 2) / 10), list(others / 10)))
    assert found.estimate is not None and as_shares.estimate is not None and found.judge_mean is not None
    assert found.estimate.value == pytest.approx(found.judge_mean - 2, abs=0.05)
    assert found.estimate.low == pytest.approx(10 * as_shares.estimate.low)
    assert (found.disagreements, found.bounds) == (160, None)


@pytest.mark.parametrize(
    ("labelled", "errors", "reasons"),
    [
        (LEAST_GROUPS, LEAST_DISAGREEMENTS, []),
        (LEAST_GROUPS - 1, LEAST_DISAGREEMENTS, ["people scored answers of 99 semantic groups, and it takes 100"]),
        (LEAST_GROUPS, LEAST_DISAGREEMENTS - 1, ["judge and people differ in 9 groups, and it takes 10"]),
        (30, 0, ["people scored answers of 30 semantic", "judge and people differ in 0 groups"]),
    ],
)
def test_it_refuses_below_100_groups_or_10_disagreements(labelled: int, errors: int, reasons: list[str]) -> None:
    found = calibrate(mixed((labelled // 2, errors), (0, labelled - labelled // 2 - errors), (200, 200)))
    assert len(found.refused) == len(reasons)
    assert all(said.startswith(reason) for said, reason in zip(found.refused, reasons, strict=True))
    assert (found.estimate is None, found.bounds is None) == (bool(reasons), not reasons)


def test_bounds_are_exact_for_groups_of_one_size() -> None:
    """Clopper and Pearson's of 1 error of 20 called right and none of 10 called wrong."""
    found = calibrate(mixed((19, 1), (0, 10), (400, 200)))
    assert found.bounds is not None and found.bounds.false_correct is not None and found.bounds.false_wrong is not None
    for rate, errors, answers in ((found.bounds.false_correct, 1, 20), (found.bounds.false_wrong, 0, 10)):
        exact = stats.binomtest(errors, answers).proportion_ci(method="exact")
        assert (rate.errors, rate.answers, rate.value) == (errors, answers, errors / answers)
        assert (rate.low, rate.high) == pytest.approx((exact.low, exact.high), abs=1e-9)
    assert found.people is not None
    assert found.bounds.low < 19 / 30 < found.bounds.high
    assert found.bounds.high - found.bounds.low > found.people.high - found.people.low, "honestly wide"


def test_bounds_of_the_mean_by_hand() -> None:
    """Three limits share the 5 %: of the 20, of the 10, and of how many answers the judge calls right."""
    found = calibrate(mixed((20, 0), (0, 10), (400, 200)))
    assert found.bounds is not None
    tail = 0.05 / 3 / 2
    least, most = tail ** (1 / 20), 1 - tail ** (1 / 10)
    share = 420 / 630
    assert found.bounds.low == pytest.approx(share * least, abs=0.05) and found.bounds.low < share * least
    assert found.bounds.high == pytest.approx(share + (1 - share) * most, abs=0.05)


def test_bounds_of_groups_of_many_sizes_of_grades_and_of_what_nobody_called() -> None:
    unequal = sample([1.0] * 15 + [0.0] * 5, [1.0] * 16 + [0.0] * 4, sizes=[1, 2, 3, 4] * 5)
    graded = sample([4.0] * 20, [3.0, 5.0] * 10, [4.0] * 50, limits=(1, 5))
    lenient = mixed((25, 5), (0, 0), (100, 0))
    for each, inside in ((unequal, 0.7), (graded, 4.0), (lenient, 25 / 30)):
        bounds = calibrate(each).bounds
        assert bounds is not None
        assert each.limits[0] <= bounds.low < inside < bounds.high <= each.limits[1]
    found = calibrate(lenient).bounds
    assert found is not None and found.false_wrong is not None
    assert (found.false_wrong.answers, found.false_wrong.value) == (0, None)
    assert (found.false_wrong.low, found.false_wrong.high) == (0, 1), "nobody saw one"
    of_grades = calibrate(graded).bounds
    assert of_grades is not None and of_grades.false_correct is None


def test_labels_that_are_missing_widen_the_interval_and_many_are_refused() -> None:
    """Five of 120 at their worst and at their best; of seven of 120 nobody knows whether they are the hard ones."""
    labels = [1.0] * 80 + [0.0] * 40
    labels = [labels[place] for place in np.random.default_rng(2).permutation(120)]
    scores = [1 - each if place % 8 == 0 else each for place, each in enumerate(labels)]
    others = [1.0] * 200 + [0.0] * 100
    whole, some, many = (calibrate(sample(labels, scores, others, missing=number)) for number in (0, 5, 7))
    assert whole.estimate is not None and some.estimate is not None
    assert (some.drawn, some.labelled) == (120, 115)
    assert some.estimate.low < whole.estimate.low and whole.estimate.high < some.estimate.high
    assert some.estimate.high - some.estimate.low > whole.estimate.high - whole.estimate.low + 4 / 120
    assert many.estimate is None
    assert "people scored 113 of 120 answers that were drawn: at most 5 % may be left" in many.refused[0]


def test_what_the_judge_did_not_score_counts_with_people() -> None:
    """Of 300 other groups 60 are unscored: they stand with the judge's mean of the others, and people's is of them."""
    labels = [1.0, 1.0, 0.0, 1.0] * 40
    scores = [1 - each if place % 10 == 0 else each for place, each in enumerate(labels)]
    found = calibrate(sample(labels, scores, [1.0] * 200 + [0.0] * 100, unscored=60))
    assert (found.judge_unscored, found.answers) == (60, 460)
    assert found.judge_mean == pytest.approx((sum(scores) + 140) / 400)
    assert found.estimate is not None and found.weight is not None and found.judge_mean is not None
    moved = found.weight * (found.judge_mean - sum(scores) / 160)
    assert found.estimate.value == pytest.approx(0.75 + moved, abs=0.005)
    nothing = sample(labels, scores)
    silent = LabelledSample(
        nothing.scores * 0,
        nothing.is_scored & False,
        nothing.groups,
        nothing.drawn,
        nothing.labels,
        nothing.is_labelled,
    )
    refused = calibrate(silent)
    assert refused.refused[0] == "the judge scored no answer" and refused.judge_mean is None
    assert refused.bounds is not None and refused.bounds.low < 0.75 < refused.bounds.high


def test_people_who_are_divided_count_by_halves() -> None:
    labels = [1.0] * 90 + [0.5] * 20 + [0.0] * 40
    order = np.random.default_rng(5).permutation(150)
    scores = [1.0] * 110 + [0.0] * 40
    found = calibrate(sample([labels[place] for place in order], [scores[place] for place in order], [1.0] * 100))
    assert found.people is not None and found.people.value == pytest.approx(100 / 150)
    assert (found.disagreements, found.refused) == (20, ())
    few = calibrate(sample([1.0, 0.5] * 10, [1.0] * 20)).bounds
    assert few is not None and few.false_correct is not None
    assert (few.false_correct.errors, few.false_correct.value) == (5.0, 0.25)


def test_a_few_groups_that_hold_most_answers_are_refused() -> None:
    labels = [1.0, 0.0] * 60
    scores = [1 - each if place % 6 == 0 else each for place, each in enumerate(labels)]
    found = calibrate(sample(labels, scores, sizes=[400, 400, *[1] * 118]))
    assert found.refused == ("a few semantic groups hold most of the answers",)


def test_whatever_is_handed_in_what_comes_out_lies_on_the_scale() -> None:
    """Single groups, all the same, none scored, half of the labels missing, grades, groups of many sizes."""
    generator, seen = np.random.default_rng(11), {"estimate": 0, "bounds": 0}
    for _ in range(70):
        count = int(generator.choice([1, 2, 20, 120, 150, 200]))
        sizes = generator.integers(1, int(generator.choice([2, 5, 40])), size=count)
        groups = np.repeat(np.arange(count), sizes)
        drawn = (np.cumsum(sizes) - sizes)[generator.permutation(count)[: int(generator.integers(1, count + 1))]]
        low, high = [(0.0, 1.0), (1.0, 5.0)][int(generator.integers(2))]
        kinds = [
            generator.choice([low, high], size=len(groups)),
            np.full(len(groups), low),
            generator.random(len(groups)),
        ]
        scores = np.clip(kinds[int(generator.integers(3))], low, high)
        labels = np.where(generator.random(len(drawn)) < 0.8, scores[drawn], generator.choice([low, high]))
        is_scored = generator.random(len(groups)) < generator.choice([0, 0.5, 1])
        known = generator.random(len(drawn)) < generator.choice([0.5, 0.97, 1])
        found = calibrate(
            LabelledSample(
                np.where(is_scored, scores, 0), is_scored, groups, drawn, np.where(known, labels, 0), known, (low, high)
            )
        )
        said = found.estimate or found.bounds
        assert said is not None and low - 1e-9 <= said.low <= said.high <= high + 1e-9
        seen["estimate" if found.estimate else "bounds"] += 1
    assert min(seen.values()) > 0


def test_no_sample_that_is_none() -> None:
    values, groups = np.array([0.0, 1.0, 1.0]), np.array([0, 0, 1])
    with pytest.raises(ValueError, match="one of each"):
        calibrate(LabelledSample(values, values > -1, groups, groups[:2], values[:2], values[:2] > -1))
    with pytest.raises(ValueError, match="is not between 0 and 1"):
        powered_mean(values * 2, groups, np.array([0, 2]), values[:2])
    with pytest.raises(ValueError, match="of two groups or more"):
        powered_mean(values, groups, np.array([0]), values[:1])


def test_the_same_figures_each_time() -> None:
    drawn = mixed((130, 20), (5, 45), (150, 50))
    first, second = calibrate(drawn), calibrate(drawn)
    assert isinstance(first, Calibration) and first == second


@pytest.mark.parametrize(
    ("cell", "is_calibrated"),
    [
        (Cell(120, 400, (1, 1), 0.6, "lenient"), True),
        (Cell(120, 400, (1, 8), 0.7, "useless"), True),
        (Cell(150, 150, (2, 2), 0.6, "strict"), True),
        (Cell(30, 400, (3, 3), 0.8, "errs in 1 of 20"), False),
    ],
)
def test_intervals_and_bounds_hold_the_truth_in_simulation(cell: Cell, is_calibrated: bool) -> None:
    """A quick form of `simulate_calibration`: 95 % are not seen as less than chance makes of them once in 1,000 times."""
    found = simulate(cell, 200, seed=4)
    held = found.calibrated if is_calibrated else found.bounds
    assert held.there > 150
    assert held.times >= stats.binom.ppf(0.001, held.there, 0.95)
    assert found.people.times >= stats.binom.ppf(0.001, 200, 0.95)


def test_the_textbooks_interval_does_not_hold_with_few_labels() -> None:
    """Why it is refused: of 30 labelled groups of a good judge, where nearly all answers are right."""
    found = simulate(Cell(30, 1_000, (4, 4), 0.95, "errs in 1 of 20"), 100)
    assert found.textbook.share < 0.75
    assert (found.refused, found.bounds.share) == (1, 1)
