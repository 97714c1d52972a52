"""Measures what built-in baselines score on a release, as `score-system` does."""

import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.baseline_figures import (
    Asked,
    Baseline,
    BaselineFigures,
    TemplateFigures,
)
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import RunData, load_run
from benchwright.benchmarks.reports.metrics.figures import headline_metrics
from benchwright.benchmarks.runs.plan import Options, plan_run
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.benchmarks.schemas import CORPUS

SYSTEMS = ("closed-book", "keyword", "bm25", "oracle")
_READS_NOTHING = "closed-book"
LIMIT = 2_000
"""Questions that each is asked, at the most."""
WORDINGS = 1
"""Of a group in each form."""
_CORRECT = "correct"
_DIGITS = 4
_SHOWN = 200
"""Characters of a template's name and of its question that are kept."""


def measure_baselines(release: Release, progress: Progress = silent) -> BaselineFigures:
    """Asks each baseline the same sample of the questions of `test`: of the same release and program, the same figures.

    Raises:
        BenchwrightError: the release has no split `test`.
    """
    options = Options(limit=LIMIT, wordings=WORDINGS, metrics=(_CORRECT,))
    plan = plan_run(release, options)
    baselines, templates = [], {}
    with tempfile.TemporaryDirectory() as runs:
        for system in SYSTEMS:
            if system != _READS_NOTHING and not release.manifest.rows.get(CORPUS.name):
                baselines.append(Baseline(system, None, None, None, 0, 0, "the release has no documents"))
                continue
            try:
                folder = score_system(release, system, output=Path(runs), options=options, progress=progress).folder
                run = load_run(release, folder)
            except BenchwrightError as error:
                said = str(error).replace(str(release.folder), release.manifest.name).replace(runs, "runs")
                baselines.append(Baseline(system, None, None, None, 0, 0, f"{said:.300}"))
                continue
            baselines.append(_figure(system, run))
            templates[system] = _per_template(run)
    asked = Asked(
        split=options.split,
        limit=LIMIT,
        wordings=WORDINGS,
        questions=len(plan.questions),
        groups=len({question.group or question.id for question in plan.questions}),
    )
    wordings = {question.template: question.question for question in reversed(plan.questions) if question.template}
    return BaselineFigures(asked, tuple(baselines), tuple(_joined(templates, wordings)))


def _figure(system: str, run: RunData) -> Baseline:
    found = headline_metrics(run).get(_CORRECT)
    if found is None or found.value is None:
        reason = next(iter(found.reasons), "") if found else "the release has no answers"
        return Baseline(system, None, None, None, 0, found.total if found else 0, f"{reason:.300}")
    low, high = (None if each is None else round(each, _DIGITS) for each in (found.low, found.high))
    return Baseline(system, round(found.value, _DIGITS), low, high, found.scored, found.total)


def _per_template(run: RunData) -> dict[str, list[float]]:
    """Template → the share of right answers of each of its answerable groups."""
    questions = run.questions
    groups: dict[tuple[str, int], list[float]] = defaultdict(list)
    for place, value in run.first_values(_CORRECT, run.shown).items():
        template = questions.template.at(place)
        if template and questions.headline[place]:
            groups[template, int(questions.clusters[place])].append(value)
    found: dict[str, list[float]] = defaultdict(list)
    for (template, _), values in groups.items():
        found[template].append(float(np.mean(values)))
    return found


def _joined(templates: dict[str, dict[str, list[float]]], wordings: dict[str, str]) -> list[TemplateFigures]:
    names = sorted({name for per_template in templates.values() for name in per_template})
    return [
        TemplateFigures(
            template=name[:_SHOWN],
            question=wordings.get(name, "")[:_SHOWN],
            groups=max(len(each.get(name, ())) for each in templates.values()),
            correct={
                system: round(float(np.mean(each[name])), _DIGITS) for system, each in templates.items() if name in each
            },
        )
        for name in names
    ]
