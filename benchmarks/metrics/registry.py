"""The metrics that there are: every module here with METRIC, what other packages offer under `benchwright.metrics`,
and what a program registers.

METRIC is a Metric, or a MetricAt where its name takes a cut-off. An entry point is named as its metric and loads
either, or the module that has it.
"""

import functools
import re
import tomllib
from collections.abc import Collection
from importlib.resources import files
from types import ModuleType
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.metrics.base import Metric, MetricAt, Need
from benchwright.benchmarks.registry import Kind, find, find_all, names, unknown

_CUT_OFF = re.compile(r"(.+)@([1-9]\d{0,5})")


def _metric(name: str, found: Any) -> Metric | MetricAt:
    if isinstance(found, ModuleType):
        found = getattr(found, "METRIC", found)
    if isinstance(found, Metric | MetricAt):
        return found
    if isinstance(found, ModuleType):
        raise TypeError(f"the module {found.__name__} has no METRIC")
    raise TypeError(f"it is of type {type(found).__name__}, not Metric")


METRICS: Kind[Metric | MetricAt] = Kind(
    "metric",
    "benchwright.metrics",
    _metric,
    package="benchwright.benchmarks.metrics",
    attribute="METRIC",
    name_of=lambda metric: metric.name,
)


def metric_names() -> list[str]:
    """The names of all metrics, those with a cut-off as "name@k"."""
    return names(METRICS)


def find_metric(name: str) -> Metric:
    """The metric of a name, such as "correct" or "recall@10".

    Raises:
        BenchwrightError: there is none; the message says why it is left out, what is near, or what there is.
    """
    cut_off = _CUT_OFF.fullmatch(name)
    if cut_off is not None and f"{cut_off[1]}@k" in metric_names():
        metric = find(METRICS, f"{cut_off[1]}@k")
        if isinstance(metric, MetricAt):
            return metric.at(int(cut_off[2]))
    if name not in metric_names():
        raise unknown(METRICS, name)
    metric = find(METRICS, name)
    if isinstance(metric, MetricAt):
        raise UsageError(f"metric {name!r} needs a cut-off: write {metric.base}@10, for example.")
    return metric


@functools.cache
def _fixed_names() -> tuple[str, ...]:
    text = (files("benchwright.benchmarks") / "metrics" / "judgment_names.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["names"])


def judgment_names() -> list[str]:
    """The names that a judgment may have: of all metrics, and those that are fixed and not computed yet."""
    return list(dict.fromkeys([*metric_names(), *_fixed_names()]))


def may_be_judged(name: str) -> bool:
    """Whether a judgment may be of a metric of this name."""
    if name in _fixed_names():
        return True
    try:
        find_metric(name)
    except BenchwrightError:
        return False
    return True


def _fits(metric: Metric, there: Collection[Need], configs: Collection[str]) -> bool:
    is_default = metric.by_default or metric.default_with in configs
    return is_default and metric.unit == "prediction" and metric.needs <= set(there)


def default_metrics(
    there: Collection[Need], k: int, primary: str | None = None, configs: Collection[str] = ()
) -> list[str]:
    """The metrics that have all they need, in their order.

    Args:
        there: what the questions and the run have.
        k: the cut-off of those that take one.
        primary: the name of the metric that leads, wherever it can be scored, if need be by its twin.
        configs: those of the release.
    """
    metrics = [each.at(k) if isinstance(each, MetricAt) else each for each in find_all(METRICS).values()]
    fitting = [metric for metric in metrics if _fits(metric, there, configs)]
    chosen = [metric.name for metric in sorted(fitting, key=lambda metric: (metric.order, metric.name))]
    for metric in metrics:
        twin_needs = metric.needs - {"judge", "embedder"} if metric.rule is not None else metric.needs
        if metric.name == primary and metric.unit == "prediction" and twin_needs <= set(there):
            chosen = [metric.name, *(name for name in chosen if name != metric.name)]
    return chosen
