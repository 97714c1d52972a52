"""Benchmarks for retrieval-augmented generation, from Python.

    import benchwright

    release = benchwright.build_release("aurp")
    run = benchwright.score_system(release, my_rag.answer, limit=100)
    run.report.metrics["correct"].value

This module is the only public import, and provisional: until version 1.0 a name may change, and CHANGELOG.md says so.
Importing it imports nothing else and changes nothing in the process; what is named is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchwright.additions import register
    from benchwright.benchmarks.errors import BenchwrightError, UsageError
    from benchwright.benchmarks.metrics.base import Metric, Score
    from benchwright.benchmarks.predictions import Context, Prediction
    from benchwright.benchmarks.releases.proofs.base import Verification
    from benchwright.benchmarks.releases.release import Release
    from benchwright.benchmarks.reports.report import Report
    from benchwright.benchmarks.systems.base import RagSystem as System
    from benchwright.benchmarks.types import Document, Evidence, Question
    from benchwright.by_retrieval import compare_by_retrieval
    from benchwright.differences import compare_jointly, compare_pair
    from benchwright.leaderboards import publish_leaderboard, submit_system
    from benchwright.ratings import score_metric, try_injections
    from benchwright.releases import build_release, derive, load_release, verify_release
    from benchwright.runs import Run, compare_systems, read_run, score_system
    from benchwright.within import compare_between, find_leakage

__all__ = [
    "BenchwrightError",
    "Context",
    "Document",
    "Evidence",
    "Metric",
    "Prediction",
    "Question",
    "Release",
    "Report",
    "Run",
    "Score",
    "System",
    "UsageError",
    "Verification",
    "build_release",
    "compare_between",
    "compare_by_retrieval",
    "compare_jointly",
    "compare_pair",
    "compare_systems",
    "derive",
    "find_leakage",
    "load_release",
    "publish_leaderboard",
    "read_run",
    "register",
    "score_metric",
    "score_system",
    "submit_system",
    "try_injections",
    "verify_release",
]

_PLACES = {
    "benchmarks.errors": ("BenchwrightError", "UsageError"),
    "benchmarks.metrics.base": ("Metric", "Score"),
    "benchmarks.predictions": ("Context", "Prediction"),
    "benchmarks.releases.proofs.base": ("Verification",),
    "benchmarks.releases.release": ("Release",),
    "benchmarks.reports.report": ("Report",),
    "benchmarks.systems.base": ("RagSystem",),
    "benchmarks.types": ("Document", "Evidence", "Question"),
    "additions": ("register",),
    "by_retrieval": ("compare_by_retrieval",),
    "differences": ("compare_jointly", "compare_pair"),
    "ratings": ("score_metric", "try_injections"),
    "releases": ("build_release", "derive", "load_release", "verify_release"),
    "runs": ("Run", "compare_systems", "read_run", "score_system"),
    "within": ("compare_between", "find_leakage"),
    "leaderboards": ("publish_leaderboard", "submit_system"),
}
"""Module → what of it is public."""
_OTHER_NAMES = {"System": "RagSystem"}


if not TYPE_CHECKING:  # a checker takes names from above, and none besides

    def __getattr__(name: str) -> Any:
        wanted = _OTHER_NAMES.get(name, name)
        if name in __all__:
            for module, names in _PLACES.items():
                if wanted in names:
                    value = getattr(import_module(f"benchwright.{module}"), wanted)
                    globals()[name] = value
                    return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
