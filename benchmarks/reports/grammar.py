"""GRAMMAR as published, per form (Li et al. 2024, second version, section 4.3 and Table 3), and tests between forms."""

from itertools import combinations
from typing import Any

import numpy as np

from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.grammar_figures import FormReport, Row, Share, compare_forms, evaluate
from benchwright.benchmarks.reports.groups import TAGS, unavailable
from benchwright.benchmarks.reports.metrics import evidence_metric, largest_cut_off
from benchwright.benchmarks.reports.prediction_facts import PredictionFacts, supplied_judgments
from benchwright.benchmarks.statistics.tests import holm, paired_difference

NO_FORM = "(no form)"
NO_SECOND_FORM = "not available because the judged questions are not of two forms or more"
_SOURCES = {
    "judgements": "supplied `retrieved` judgments",
    "documents": "gold documents: every one of them was retrieved",
    "comparison": "context comparison among non-robust groups (section 4.3)",
    "none": "nothing: there are no judgments, no gold documents and no contexts",
}


def grammar_rows(run: RunData, facts: PredictionFacts, correct: dict[int, bool]) -> tuple[list[Row], str]:
    """One row a judged question with a group; and by what its gold documents count as retrieved."""
    questions = run.questions
    group, form = questions.columns["group"], questions.columns["form"]
    retrieved = supplied_judgments(run, "retrieved")
    held, how = _held(run)
    rows = []
    for place, right in correct.items():
        if group.codes[place] >= 0:
            gold = questions.documents[place]
            rows.append(
                Row(
                    group=group.names[group.codes[place]],
                    form=form.names[form.codes[place]] if form.codes[place] >= 0 else NO_FORM,
                    correct=right,
                    retrieved=retrieved.get(place),
                    contexts=facts.contexts.get(place, gold if held.get(place) else ()),
                    documents=gold,
                )
            )
    return rows, how


def _held(run: RunData) -> tuple[dict[int, bool], str]:
    """Question → whether all its gold documents were retrieved, by document recall at the largest cut-off."""
    name = largest_cut_off(run.scores.metric.names, "recall")
    if name is None:
        return {}, "no document recall was scored: gold documents count as not retrieved"
    return {place: value >= 1 for place, value in run.scores.first_values(name, run.condition).items()}, f"{name} is 1"


def grammar_section(run: RunData, rows: list[Row], how: str, correct: dict[int, bool]) -> dict[str, Any]:
    """The published figures, unrounded; they include known gaps."""
    reason = unavailable(run.questions, correct)
    if reason or not rows:
        return {"reason": reason or "not available because no judged question has a group", "forms": {}}
    reports = evaluate(rows)
    source = next(iter(reports.values())).retrieval_source
    is_balanced = all(report.is_balanced for report in reports.values())
    return {
        "reason": None,
        "questions": len(rows),
        "is_balanced": is_balanced,
        "retrieval_source": source,
        "retrieval_judged_by": _SOURCES[source] + (f" ({how})" if source == "documents" else ""),
        "forms": {form: _form(report) for form, report in reports.items()},
        "comparisons": [_published_difference(rows, reports, *pair) for pair in combinations(reports, 2)],
        "table3": _table3(reports, is_balanced),
        "ranks_systems": False,
    }


def _share(value: Share, reason: str) -> dict[str, Any]:
    found: dict[str, Any] = {"value": value.value, "count": value.count, "total": value.total}
    return found if value.value is not None else found | {"reason": reason}


def _form(report: FormReport) -> dict[str, Any]:
    no_group = "every group is a gap group"
    no_retrieval = "no retrieval was judged"
    return {
        "database_accuracy": _share(report.database_accuracy, "there is no group"),
        "accuracy": _share(report.accuracy, "there is no question"),
        "refined_accuracy": _share(report.refined_accuracy, no_group),
        "gap_share": _share(report.gap_share, "there is no question"),
        "retrieval": _share(report.retrieval, no_retrieval),
        "refined_retrieval": _share(report.refined_retrieval, f"{no_group}, or {no_retrieval} in the others"),
        "groups": {tag: report.count(tag) for tag in TAGS} | {"total": len(report.tags)},
        "is_balanced": report.is_balanced,
        "retrieval_source": report.retrieval_source,
    }


def _published_difference(rows: list[Row], reports: dict[str, FormReport], first: str, second: str) -> dict[str, Any]:
    """Differences of two forms' figures, first minus second; of accuracy also within the groups that both have."""
    compared = compare_forms(rows, first, second)
    accuracies = [reports[form].accuracy.value or 0.0 for form in (first, second)]
    within = compared.within_groups
    return {
        "first": first,
        "second": second,
        "refined_accuracy": compared.refined_difference,
        "accuracy": accuracies[0] - accuracies[1],
        "within_groups": None if within is None else within.value,
        "low": None if within is None else within.low,
        "high": None if within is None else within.high,
        "p": None if within is None else within.p,
        "groups": 0 if within is None else within.clusters,
    }


def _table3(reports: dict[str, FormReport], is_balanced: bool) -> list[dict[str, Any]]:
    """The rows of Table 3: what is done about errors of the retrieval database, and of the language model."""
    lines = [
        ("Baseline: no action", "No action", "accuracy", True),
        ("Baseline: no action", "Context comparison", "retrieval", True),
        ("Remove gap groups", "No action", "refined_accuracy", True),
        ("Remove gap groups", "Context comparison", "refined_retrieval", True),
        ("Balance gap examples", "No action", "accuracy", is_balanced),
        ("Balance gap examples", "Context comparison", "retrieval", is_balanced),
    ]
    why = "not available because the groups have different numbers of wordings"
    return [
        {
            "database": database,
            "model": model,
            "values": {form: getattr(report, figure).value if there else None for form, report in reports.items()},
            "reason": None if there else why,
        }
        for database, model, figure, there in lines
    ]


def test_section(run: RunData, correct: dict[int, bool]) -> dict[str, Any]:
    """Paired differences between forms within the headline's groups, with p-values corrected for their number."""
    reason = unavailable(run.questions, correct)
    means = {} if reason else _form_means(run, correct)
    tests = [
        found
        for metric, forms in means.items()
        for pair in combinations(forms, 2)
        if (found := _paired(metric, *pair, *(forms[form] for form in pair))) is not None
    ]
    for test, corrected in zip(tests, holm([test["p"] for test in tests]), strict=True):
        test["p_corrected"] = corrected
    return {
        "reason": reason or (None if tests else NO_SECOND_FORM),
        "correction": "Holm",
        "method": "sign flips of whole semantic groups, two-sided",
        "differences": tests,
    }


def _form_means(run: RunData, correct: dict[int, bool]) -> dict[str, dict[str, dict[int, float]]]:
    """Metric → form → group → mean, of the headline's questions that have a group."""
    questions, scores = run.questions, run.scores
    wanted = questions.headline & (questions.columns["group"].codes >= 0)
    values: dict[str, dict[int, float]] = {"correct": {place: float(right) for place, right in correct.items()}}
    evidence = evidence_metric(scores.metric.names)
    if evidence is not None:
        values[evidence] = scores.first_values(evidence, run.condition)
    form = questions.columns["form"]
    found: dict[str, dict[str, dict[int, float]]] = {}
    for metric, by_question in values.items():
        places = np.array([place for place in by_question if wanted[place]], dtype=int)
        said = np.array([by_question[int(place)] for place in places], dtype=float)
        for code, name in enumerate(form.names):
            mask = form.codes[places] == code
            groups, inverse = np.unique(questions.clusters[places[mask]], return_inverse=True)
            sums, counts = np.bincount(inverse, weights=said[mask]), np.bincount(inverse)
            means = dict(zip(groups.tolist(), (sums / counts).tolist(), strict=True))
            found.setdefault(metric, {})[name] = means
    return found


def _paired(
    metric: str, first: str, second: str, one: dict[int, float], two: dict[int, float]
) -> dict[str, Any] | None:
    """The difference of two forms over the groups that both have, first minus second; None without such groups."""
    shared = [group for group in one if group in two]
    found = paired_difference(*(np.array([means[group] for group in shared]) for means in (one, two)))
    if found is None:
        return None
    return {
        "metric": metric,
        "first": first,
        "second": second,
        "first_mean": found.first,
        "second_mean": found.second,
        "difference": found.value,
        "low": found.low,
        "high": found.high,
        "effect": found.effect,
        "groups": found.clusters,
        "first_better": found.first_larger,
        "second_better": found.second_larger,
        "equal": found.equal,
        "p": found.p,
    }
