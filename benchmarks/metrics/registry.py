"""The metrics that there are: every module here, and what other packages offer under `benchwright.metrics`.

A module has `METRIC`, a Metric, or, where its name takes a cut-off, `at`, which makes one of a number: "recall@k" is
`recall.at`. An entry point is named as its metric and loads either.
"""

import functools
import importlib
import pkgutil
import re
from collections.abc import Callable, Mapping
from importlib import metadata

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.metrics.base import Metric

ENTRY_POINTS = "benchwright.metrics"
_CUT_OFF = re.compile(r"(.+)@([1-9]\d{0,5})")

Maker = Callable[[int], Metric]


def _own() -> dict[str, Metric | Maker]:
    package = importlib.import_module("benchwright.benchmarks.metrics")
    found: dict[str, Metric | Maker] = {}
    for module in pkgutil.iter_modules(package.__path__):
        loaded = importlib.import_module(f"{package.__name__}.{module.name}")
        metric, maker = getattr(loaded, "METRIC", None), getattr(loaded, "at", None)
        if isinstance(metric, Metric):
            found[metric.name] = metric
        elif maker is not None:
            found[maker(1).name.removesuffix("1") + "k"] = maker
    return found


def _foreign() -> dict[str, Metric | Maker]:
    found: dict[str, Metric | Maker] = {}
    for point in metadata.entry_points(group=ENTRY_POINTS):
        try:
            found[point.name] = point.load()
        except Exception as error:
            where = f"{point.value} of package {point.dist.name if point.dist else 'unknown'}"
            raise BenchwrightError(
                f"metric {point.name!r} ({where}) cannot be loaded: {error}: mend or remove it."
            ) from error
    return found


@functools.cache
def all_metrics() -> Mapping[str, Metric | Maker]:
    """Every metric by its name, those with a cut-off as "name@k".

    Raises:
        BenchwrightError: an entry point cannot be loaded, or takes the name of another metric.
    """
    found = _own()
    for name, metric in _foreign().items():
        if name in found:
            raise BenchwrightError(
                f"metric {name!r} of another package is already one of ours: rename its entry point."
            )
        found[name] = metric
    return dict(sorted(found.items()))


def find_metric(name: str) -> Metric:
    """The metric of a name, such as "correct" or "recall@10".

    Raises:
        BenchwrightError: there is none; the message lists those there are.
    """
    metrics = all_metrics()
    entry = metrics.get(name)
    if isinstance(entry, Metric):
        return entry
    match = _CUT_OFF.fullmatch(name)
    maker = metrics.get(f"{match.group(1)}@k") if match else None
    if match is not None and maker is not None and not isinstance(maker, Metric):
        return maker(int(match.group(2)))
    if entry is not None:
        raise BenchwrightError(f"metric {name!r} needs a cut-off: write {name[:-1]}10, for example.")
    raise BenchwrightError(f"no metric {name!r}: there are {', '.join(metrics)}.")
