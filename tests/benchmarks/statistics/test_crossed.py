"""Two-way clustered variances and intervals, worked by hand and held against one-way ones."""

import math

import numpy as np
import pytest
from scipy.stats import t

from benchwright.benchmarks.statistics.crossed import cross, crossed_share, crossed_variance, too_few
from benchwright.benchmarks.statistics.shares import worth_alike


def test_a_variance_worked_by_hand() -> None:
    """Two templates by two entities: 1 1 / 1 0. The mean is 3/4; templates add ½ and -½, entities the same."""
    found = crossed_variance(np.array([1.0, 1, 1, 0]), cross(np.array([0, 0, 1, 1]), np.array([5, 3, 5, 3])))
    assert found is not None
    each = 2 / 1 * (0.25 + 0.25) / 16
    cells = 4 / 3 * (3 * 0.0625 + 0.5625) / 16
    assert found.variance == pytest.approx(max(each, 2 * each - cells))
    assert (found.mean, found.templates, found.entities, found.freedom) == (0.75, 2, 2, 1)


def test_freedom_is_of_the_clusters_that_the_variance_comes_from() -> None:
    """Of 40 templates one fails wholly: what it adds is all but the whole variance."""
    templates, entities = (axis.ravel() for axis in np.meshgrid(np.arange(40), np.arange(60), indexing="ij"))
    found = crossed_variance((templates != 7).astype(float), cross(templates, entities))
    assert found is not None
    assert found.freedom == 1
    halves = crossed_variance((templates < 20).astype(float), cross(templates, entities))
    assert halves is not None and halves.freedom == 39


def test_all_alike_counts_the_rarer_clusters() -> None:
    templates, entities = (axis.ravel() for axis in np.meshgrid(np.arange(20), np.arange(50), indexing="ij"))
    found = crossed_share(np.ones(1000), cross(templates, entities))
    z = t.ppf(0.975, 19)
    assert found is not None
    assert (found.value, found.high) == (1, 1)
    assert found.low == pytest.approx(20 / (20 + z * z))


def test_grades_of_another_scale() -> None:
    generator = np.random.default_rng(3)
    values, templates, entities = generator.random(400), generator.integers(0, 30, 400), generator.integers(0, 60, 400)
    share, grade = (crossed_share(low + width * values, cross(templates, entities), limits=(low, low + width))
                    for low, width in ((0.0, 1.0), (1.0, 4.0)))  # fmt: skip
    assert share is not None and grade is not None
    assert (grade.low, grade.value, grade.high) == pytest.approx(
        tuple(1 + 4 * one for one in (share.low, share.value, share.high))
    )


def test_nothing_tells_a_spread() -> None:
    one = np.zeros(5, dtype=int)
    assert crossed_share(np.ones(5), cross(one, np.arange(5))) is None
    assert crossed_share(np.ones(5), cross(np.arange(5), one)) is None
    assert crossed_share(np.empty(0), cross(one[:0], one[:0])) is None


@pytest.mark.parametrize("values", [[math.nan, 1.0], [0.5, 1.5]])
def test_values_that_are_none(values: list[float]) -> None:
    with pytest.raises(ValueError, match=r"finite|not between"):
        crossed_share(np.array(values), cross(np.arange(2), np.arange(2)))


def test_means_of_groups_say_what_their_questions_say() -> None:
    generator = np.random.default_rng(5)
    templates, entities = generator.integers(0, 30, 300), generator.integers(0, 70, 300)
    counts = generator.integers(1, 9, 300)
    values = np.where(np.arange(counts.sum()) % 7, 1.0, 0.0)
    groups = np.repeat(np.arange(300), counts)
    means = np.bincount(groups, weights=values) / counts
    crossing = cross(templates, entities)
    of_questions, of_groups = (
        crossed_share(values, crossing.take(groups)),
        crossed_share(means, crossing, counts.astype(float)),
    )
    assert of_questions is not None and of_groups is not None
    assert (of_questions.low, of_questions.high) == pytest.approx((of_groups.low, of_groups.high))


def test_a_part_of_the_values_has_its_own_clusters() -> None:
    generator = np.random.default_rng(6)
    templates, entities, values = generator.integers(0, 25, 200), generator.integers(0, 60, 200), generator.random(200)
    some = np.flatnonzero(templates < 12)
    taken, anew = (
        crossed_share(values[some], cross(templates, entities).take(some)),
        cross(templates[some], entities[some]),
    )
    assert taken == crossed_share(values[some], anew)


def test_what_is_too_few_is_said() -> None:
    assert too_few(np.ones(20), np.ones(50)) is None
    assert too_few(np.ones(1), np.ones(1)) == "of 1 template and 1 entity: at least 20 and 50 are needed"
    assert too_few(np.ones(20), np.ones(49)) == "of 20 templates and 49 entities: at least 20 and 50 are needed"
    uneven = np.array([300.0, 200, *[10] * 28])
    assert worth_alike(uneven) == pytest.approx(780**2 / (90_000 + 40_000 + 2_800))
    said = "of 30 templates a few have most questions, so that they are worth 4.6 of one size: at least 15.0 are needed"
    assert too_few(uneven, np.ones(60)) == said
    said = "of 61 entities a few have most questions, so that they are worth 1.4 of one size: at least 28.0 are needed"
    assert too_few(np.ones(30), np.array([300.0, *[1] * 60])) == said
    of_rank = 1000.0 / np.arange(1, 61)
    assert too_few(np.ones(30), of_rank**0.5) is None and too_few(np.ones(30), of_rank) is not None
