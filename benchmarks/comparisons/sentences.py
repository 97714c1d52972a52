"""A comparison in words: who is better, by how much, and whether the questions show it."""

from collections.abc import Iterator

from benchwright.benchmarks.comparisons.compared import CORRECT
from benchwright.benchmarks.comparisons.comparison import Comparison
from benchwright.benchmarks.comparisons.figures import Difference, MetricComparison, SystemFigure
from benchwright.benchmarks.reports.blocks import Inline, Range, Span, foreign, strong
from benchwright.benchmarks.reports.format import SHARE, amount, count, minus, number_of, p_value

_NAMES = 4


def by_points(value: float, scale: Range, *, signed: bool = False) -> str:
    """A difference: of shares in percentage points, else on the metric's own scale."""
    text = f"{100 * value:.1f}" if scale == SHARE else f"{value:.2f}"
    text = text[1:] if text.startswith("-") and not text.strip("-0.") else text
    plus = "+" if signed and not text.startswith("-") and text.strip("0.") else ""
    return minus(plus + text)


def first_sentences(comparison: Comparison) -> tuple[Inline, ...]:
    """What a reader wants to know first."""
    metric = comparison.leading
    if metric.reason is not None:
        return (_untested(metric),)
    return tuple(_of_two(metric) if len(metric.systems) == 2 else _of_several(comparison))


def _untested(metric: MetricComparison) -> Inline:
    best = [system for system in metric.systems if system.value == metric.systems[0].value]
    value, order = amount(best[0].value, metric.range), "highest" if metric.higher_is_better else "lowest"
    chance = f"whether that is chance cannot be said: {metric.reason}."
    if len(best) == len(metric.systems):
        every = "Both" if len(best) == 2 else f"All {len(best)}"
        return f"{every} systems have the same {metric.metric}, {value}; {chance}"
    if len(best) > 1:
        return f"{len(best)} systems have the {order} {metric.metric}, {value}; {chance}"
    return (foreign(best[0].run, 60), f" has the {order} {metric.metric}, {value}; {chance}")


def _of_two(metric: MetricComparison) -> Iterator[Inline]:
    one, two = metric.systems
    (found,) = metric.differences
    if found.first != one.run:
        found = Difference(found.second, found.first, -found.value, -found.high, -found.low, found.p, found.separated)
    figures = (
        f"{amount(one.value, metric.range)} against {amount(two.value, metric.range)} of "
        f"{number_of(metric.questions, 'question')} in {number_of(metric.groups, 'semantic group')}"
    )
    interval = f"95 % interval {by_points(found.low, metric.range)} to {by_points(found.high, metric.range)}"
    p = p_value(found.p)
    p = p if p.startswith("<") else f"= {p}"
    if found.separated:
        yield (
            Span(one.run, "strong", foreign=True),
            strong(_more(metric, found)),
            Span(two.run, "strong", foreign=True),
            f"{_by(metric)} ({interval}, p {p}): {figures}. The two are separated.",
        )
    else:
        yield (
            Span(one.run, "strong", foreign=True),
            strong(" and "),
            Span(two.run, "strong", foreign=True),
            strong(" are not separated"),
            f" by {metric.metric}: {figures}, a difference of {_points(found.value, metric.range)} "
            f"({interval}, p {p}).",
        )
    yield _detectable(metric, found)


def _more(metric: MetricComparison, found: Difference) -> str:
    """What stands between the names: ` answers 3.1 points more of the questions rightly than `."""
    points = _points(abs(found.value), metric.range)
    if metric.metric == CORRECT:
        return f" answers {points} more of the questions rightly than "
    return f" is {points} {'above' if found.value > 0 else 'below'} "


def _by(metric: MetricComparison) -> str:
    """By what a system is above another."""
    if metric.metric == CORRECT:
        return ""
    return f" by {metric.metric}" + ("" if metric.higher_is_better else ", of which less is better")


def _points(value: float, scale: Range) -> str:
    """A difference with its unit."""
    return f"{by_points(value, scale)} points" if scale == SHARE else by_points(value, scale)


def _detectable(metric: MetricComparison, found: Difference) -> Inline:
    detectable = metric.detectable
    if detectable is None:
        return (
            "The difference is the same in each group: it does not say how small a difference these groups would find."
        )
    if detectable.difference >= metric.range[1] - metric.range[0]:
        return f"{number_of(metric.groups, 'group')} are too few to find any difference four times in five."
    said = (
        f"With these groups a true difference of {_points(detectable.difference, metric.range)} would be found four "
        "times in five"
    )
    if found.separated or detectable.groups_needed is None:
        return f"{said}."
    return (
        f"{said}; one as large as the observed would need about {count(detectable.groups_needed)} groups, "
        f"and there are {count(metric.groups)}."
    )


def _of_several(comparison: Comparison) -> Iterator[Inline]:
    metric = comparison.leading
    best = metric.systems[0]
    first = tuple(system.run for system in metric.systems if system.value == best.value)
    highest = "highest" if metric.higher_is_better else "lowest"
    asked = f"{number_of(metric.questions, 'question')} in {number_of(metric.groups, 'semantic group')}"
    reached = f"{amount(best.value, metric.range)} of {asked}"
    separated = sum(len(metric.systems) - 1 - (system.not_separated or 0) for system in metric.systems) // 2
    if not separated:
        yield (
            strong(f"None of the {len(metric.systems)} systems is separated from another"),
            f" by {metric.metric}: these questions do not show that any is better. ",
            f"The {highest} is {reached}, that of ",
            *_listed(first, len(first)),
            ".",
        )
        if metric.detectable is not None:
            least = _points(metric.detectable.difference, metric.range)
            alone = "With these groups a test of two systems alone would find a true difference of"
            yield f"{alone} {least} four times in five."
    elif len(first) > 1:
        yield (
            strong(f"Of {len(metric.systems)} systems the {highest} {metric.metric} is that of "),
            *_listed(first, len(first)),
            f": {reached}.",
        )
    else:
        yield (
            strong(f"Of {len(metric.systems)} systems "),
            Span(best.run, "strong", foreign=True),
            strong(f" {'leads' if metric.higher_is_better else 'is lowest'} by {metric.metric}"),
            f" with {reached}, ",
            *_apart(best),
        )
    if separated:
        yield f"{count(separated)} of {number_of(metric.pairs, 'pair')} are separated."
    if comparison.baseline is not None:
        yield tuple(_against(metric, comparison.baseline))


def _apart(best: SystemFigure) -> Iterator[str | Span]:
    if not best.not_separated:
        yield "and is separated from every other."
        return
    yield "but is not separated from "
    yield from _listed(best.not_separated_from, best.not_separated)
    yield "."


def _listed(names: tuple[str, ...], total: int) -> Iterator[str | Span]:
    shown = names[:_NAMES]
    for place, name in enumerate(shown):
        if place:
            yield " and " if place == len(shown) - 1 and total == len(shown) else ", "
        yield foreign(name, 60)
    if total > len(shown):
        yield f" and {count(total - len(shown))} more"


def _against(metric: MetricComparison, baseline: str) -> Iterator[str | Span]:
    """How many systems are better and worse than the baseline."""
    found = [each for each in metric.differences if each.second == baseline]
    better = [each.first for each in found if each.separated and (each.value > 0) == metric.higher_is_better]
    worse = [each.first for each in found if each.separated and (each.value > 0) != metric.higher_is_better]
    yield "Held against "
    yield foreign(baseline, 60)
    for names, word in ((better, "better"), (worse, "worse")):
        yield f"{': ' if word == 'better' else '; '}{word} "
        yield from _listed(tuple(names), len(names)) if names else iter(("none",))
    rest = len(found) - len(better) - len(worse)
    yield f"; not separated {count(rest)}."
