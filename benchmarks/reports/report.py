"""The report of a run: the aggregate of its scores with denominators and intervals, written as `report.json`.

report_run          questions and scores as columns      report_predictions  one pass over predictions and judgments
report_intervals    intervals of many means              report_metrics      metrics, slices, outcomes, attribution
report_groups       groups, consistency, the worst       report_gaps         coverage and lucky guesses
report_grammar      GRAMMAR as published, tests          report_examples     the texts that are shown
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import RunData, load_run
from benchwright.benchmarks.reports.examples import add_texts, worst_section
from benchwright.benchmarks.reports.gaps import coverage_section
from benchwright.benchmarks.reports.grammar import grammar_rows, grammar_section, test_section
from benchwright.benchmarks.reports.groups import consistency_section, group_section, judged, worst_groups
from benchwright.benchmarks.reports.metrics import (
    attribution_section,
    condition_section,
    metric_section,
    outcome_section,
    read_attempts,
    slice_section,
)
from benchwright.benchmarks.reports.prediction_facts import cost_section, error_section, read_predictions
from benchwright.benchmarks.statistics.power import minimum_detectable_difference

REPORT = "report.json"


def make_report(release: Release, folder: Path) -> dict[str, Any]:
    """Computes a run's report, writes it to `report.json` in its folder and returns it.

    The figures are of the run's own condition where it was run, else of its first. Groups, consistency and GRAMMAR take
    each question's first repeat; metrics and outcomes all of them. The same files give the same bytes.

    Raises:
        BenchwrightError: the run's settings or scores are missing or cannot be read.
    """
    run = load_run(release, folder)
    facts = read_predictions(run)
    attempts = read_attempts(run, facts)
    correct = judged(attempts)
    rows, how = grammar_rows(run, facts, correct)
    report: dict[str, Any] = {
        **identity(run),
        "metrics": metric_section(run, run.condition, run.questions.headline),
        "outcomes": outcome_section(run, attempts),
        "slices": slice_section(run, attempts),
        "groups": group_section(run.questions, correct),
        "consistency": consistency_section(run.questions, correct),
        "coverage": coverage_section(run, correct),
        "grammar": grammar_section(run, rows, how, correct),
        "conditions": condition_section(run),
        "attribution": attribution_section(run, attempts),
        "agreement": {},
        "tests": test_section(run, correct),
        "cost": cost_section(facts),
        "errors": error_section(facts, run.questions, run.scores.unknown),
        "minimum_detectable_difference": detectable(run),
    }
    add_texts(run, facts, report["groups"]["rows"], report["coverage"]["gaps"]["shown"])
    report["groups"]["worst"] = worst_section(run, facts, worst_groups(run.questions, correct), attempts.names)
    text = json.dumps(report, ensure_ascii=False, indent=1, allow_nan=False)
    (folder / REPORT).write_bytes(text.encode("utf-8", "backslashreplace") + b"\n")
    return report


def identity(run: RunData) -> dict[str, Any]:
    """What was scored against what."""
    settings, manifest = run.settings, run.release.manifest
    system, texts = settings.system, built_in_texts(run.release)
    return {
        "benchmark": manifest.name,
        "version": manifest.version,
        "content_hash": manifest.content_hash,
        "seed": manifest.seed,
        "system": {
            "name": system.name,
            "kind": system.kind,
            "reference": system.reference,
            "description": system.description,
            "settings": system.settings,
            "source": system.source,
            "built_in": system.builtin or bool(texts),
            "built_in_reader": system.builtin,
            "built_in_texts": texts,
        },
        "condition": run.condition,
        "questions": len(run.questions.ids),
        "headline_questions": int(run.questions.headline.sum()),
        "sample": asdict(settings.questions),
        "counts": asdict(settings.counts),
        "scoring": asdict(settings.scoring),
        "libraries": settings.libraries,
    }


def built_in_texts(release: Release) -> list[str]:
    """Which texts of a release no person and no language model wrote, all or some of them."""
    checks = release.manifest.checks
    if "text_templates_by_rule" not in checks:
        return []
    by_model = "documents_by_model" in checks and not sum(checks.get("documents_by_rule", {}).values())
    has_documents = bool(release.manifest.rows.get("corpus")) and not by_model
    return [*(["wordings"] if checks["text_templates_by_rule"] else []), *(["documents"] if has_documents else [])]


def detectable(run: RunData) -> dict[str, Any]:
    """The smallest difference between two systems that this many groups find four times in five, at worst."""
    groups = len(np.unique(run.questions.clusters[run.questions.headline]))
    found: dict[str, Any] = {"value": minimum_detectable_difference(groups) if groups else None, "groups": groups}
    return found if groups else found | {"reason": "the run has no question of the headline"}
