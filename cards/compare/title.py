"""What a comparison is of, in a line."""

from benchwright.benchmarks.comparisons.comparison import Comparison
from benchwright.benchmarks.comparisons.counterfactual import Counterfactual
from benchwright.benchmarks.reports.blocks import cut


def title(comparison: Comparison) -> str:
    """The systems, or how many, and the release."""
    names = [cut(run.name, 60) for run in comparison.runs]
    who = " and ".join(names) if len(names) == 2 else f"{len(names)} systems"
    return f"{who} on {comparison.benchmark} {comparison.version}, condition {comparison.condition}"


def counterfactual_title(found: Counterfactual) -> str:
    """The run, and both releases."""
    sides = [f"{side.benchmark} {side.version}" for side in (found.published, found.fresh)]
    return f"{cut(found.published.run, 60)}: {' against '.join(sides)}, condition {found.condition}"


def built_in_parts(comparison: Comparison) -> str:
    """What of the answers and texts was made by rules, as a list in words; empty where nothing was."""
    reader = ["reader"] if any(run.built_in for run in comparison.runs) else []
    return ", ".join([*reader, *comparison.built_in_texts])
