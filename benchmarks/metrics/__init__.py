"""The metrics, one file each, and how they are found.

base        what a metric is               registry    finding metrics by name, and those that fit a run
tools       what judged metrics use        steps       what they share
overlap     words of two texts             ranking     ranked lists against gold documents, many at once
lexical     texts compared by their words in a model's place
"""

from benchwright.benchmarks.metrics.base import (
    JudgedItem,
    Metric,
    MetricAt,
    Need,
    PairItem,
    ReleaseData,
    Score,
    each,
    each_of,
    unscored,
)
from benchwright.benchmarks.metrics.registry import (
    METRICS,
    default_metrics,
    find_metric,
    judgment_names,
    may_be_judged,
    metric_names,
)
from benchwright.benchmarks.metrics.tools import Tools

__all__ = [
    "METRICS",
    "JudgedItem",
    "Metric",
    "MetricAt",
    "Need",
    "PairItem",
    "ReleaseData",
    "Score",
    "Tools",
    "default_metrics",
    "each",
    "each_of",
    "find_metric",
    "judgment_names",
    "may_be_judged",
    "metric_names",
    "unscored",
]
