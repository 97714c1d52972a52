"""The metrics, one file each, and how they are found.

base        what a metric is               registry    finding metrics by name
overlap     words of two texts             ranking     ranked lists against gold documents, many at once
"""

from benchwright.benchmarks.metrics.base import Material, Metric, Need, Score, Scorer, unscored
from benchwright.benchmarks.metrics.registry import all_metrics, find_metric

__all__ = ["Material", "Metric", "Need", "Score", "Scorer", "all_metrics", "find_metric", "unscored"]
