"""The report of a run: the aggregate of its scores with denominators and intervals, written as `report.json`."""

import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.records import as_json, problem_of
from benchwright.benchmarks.registry import find_all
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.blocks import Block, Section, cut, missing
from benchwright.benchmarks.reports.columns import RunData, load_run
from benchwright.benchmarks.reports.identity import SystemIdentity, system_identity
from benchwright.benchmarks.reports.metrics.figures import Metrics, headline_metrics
from benchwright.benchmarks.reports.metrics.judge_agreement import AgreementFigures, judge_agreement
from benchwright.benchmarks.reports.metrics.retrieval_split import RetrievalSplit, retrieval_split
from benchwright.benchmarks.reports.noise.power import DetectableDifference, detectable_difference
from benchwright.benchmarks.reports.noise.repeats import RunToRun, run_to_run
from benchwright.benchmarks.reports.noise.sources import MetricNoise, noise_figures
from benchwright.benchmarks.reports.section import SECTIONS, Content, ReportSection
from benchwright.benchmarks.reports.sections.attribution import Attribution, attribution_figures
from benchwright.benchmarks.reports.sections.causes import CauseFigures, cause_figures
from benchwright.benchmarks.reports.sections.conditions import Condition, condition_figures
from benchwright.benchmarks.reports.sections.consistency import ConsistencyFigures, consistency_figures
from benchwright.benchmarks.reports.sections.contexts import ContextShares, context_shares
from benchwright.benchmarks.reports.sections.cost import Cost, Errors, cost_figures, error_figures
from benchwright.benchmarks.reports.sections.coverage import CoverageFigures, coverage_figures
from benchwright.benchmarks.reports.sections.diagnosis import DiagnosisFigures, diagnosis_figures
from benchwright.benchmarks.reports.sections.grammar import GrammarFigures, grammar_figures
from benchwright.benchmarks.reports.sections.groups import GroupTags, group_tags
from benchwright.benchmarks.reports.sections.metrics import report_language
from benchwright.benchmarks.reports.sections.outcomes import OutcomeFigures, outcome_figures
from benchwright.benchmarks.reports.sections.slices import Dimension, slice_figures
from benchwright.benchmarks.reports.sections.tests import FormTests, form_tests
from benchwright.benchmarks.reports.sections.worst import WorstGroup, worst_groups
from benchwright.benchmarks.runs.run import RunCounts, RunQuestions, ScoringBasis

REPORT = "report.json"
log = logging.getLogger("benchwright")


@dataclass(frozen=True, slots=True)
class GroupFigures(GroupTags):
    """The tags of groups, and those that went worst."""

    worst: tuple[WorstGroup, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """The report of a run. As JSON it is `report.json`, whose schema is `report.schema.json` beside this module.

    Means are over the questions of the headline where nothing else is said; shares and values go from 0 to 1; intervals
    hold 95 %.
    """

    benchmark: str
    version: str
    content_hash: str
    seed: int | None
    system: SystemIdentity
    language: str | None
    """The benchmark's, as BCP 47 writes it; null where its builder is not installed."""
    condition: str
    """The condition that the figures are of: the system's own retrieval where that was run."""
    questions: int
    headline_questions: int
    """Neither known gaps nor unanswerable."""
    sample: RunQuestions
    counts: RunCounts
    scoring: ScoringBasis
    libraries: Mapping[str, str]
    metrics: Metrics
    outcomes: OutcomeFigures
    causes: CauseFigures
    diagnosis: DiagnosisFigures
    slices: Mapping[str, Dimension]
    groups: GroupFigures
    consistency: ConsistencyFigures
    coverage: CoverageFigures
    grammar: GrammarFigures
    conditions: Mapping[str, Condition]
    repeats: RunToRun
    contexts: ContextShares
    attribution: Attribution
    retrieval_split: RetrievalSplit
    agreement: AgreementFigures
    tests: FormTests
    cost: Cost
    errors: Errors
    minimum_detectable_difference: DetectableDifference
    noise: Mapping[str, MetricNoise]
    """By metric, of those that have a score."""
    sections: tuple[Section, ...]
    """What is drawn, in order."""

    def __repr__(self) -> str:
        return f"<{self.system.name} on {self.benchmark} {self.version}, {self.questions:,} questions>"


AnyReport = TypeVar("AnyReport", bound=Report)


def make_report(release: Release, folder: Path) -> Report:
    """Computes a run's report, writes it to `report.json` in its folder and returns it.

    The figures are of the run's own condition where it was run, else of its first. Groups, consistency and GRAMMAR take
    each question's first repeat; metrics and outcomes all of them. The same files give the same bytes. A section that
    fails is named in the report.

    Raises:
        BenchwrightError: the run's settings or scores are missing or cannot be read.
    """
    return save_report(load_run(release, folder))


def save_report(run: RunData) -> Report:
    """Computes the report of a run that was read, writes it to `report.json` in its folder and returns it."""
    report = compute_report(run)
    text = json.dumps(as_json(report), ensure_ascii=False, indent=1, allow_nan=False)
    (run.folder / REPORT).write_bytes(text.encode("utf-8", "backslashreplace") + b"\n")
    return report


def compute_report(run: RunData) -> Report:
    """The report of a run that was read."""
    settings, manifest = run.settings, run.release.manifest
    tags = group_tags(run)
    return Report(
        benchmark=manifest.name,
        version=manifest.version,
        content_hash=manifest.content_hash,
        seed=manifest.seed,
        system=system_identity(run),
        language=report_language(run),
        condition=run.shown,
        questions=len(run.questions.ids),
        headline_questions=int(run.questions.headline.sum()),
        sample=settings.questions,
        counts=settings.counts,
        scoring=settings.scoring,
        libraries=settings.libraries,
        metrics=headline_metrics(run),
        outcomes=outcome_figures(run),
        causes=cause_figures(run),
        diagnosis=diagnosis_figures(run),
        slices=slice_figures(run),
        groups=GroupFigures(
            **{each.name: getattr(tags, each.name) for each in fields(tags)},
            worst=worst_groups(run),
        ),
        consistency=consistency_figures(run),
        coverage=coverage_figures(run),
        grammar=grammar_figures(run),
        conditions=condition_figures(run),
        repeats=run_to_run(run),
        contexts=context_shares(run),
        attribution=attribution_figures(run),
        retrieval_split=retrieval_split(run),
        agreement=judge_agreement(run),
        tests=form_tests(run),
        cost=cost_figures(run),
        errors=error_figures(run),
        minimum_detectable_difference=detectable_difference(run),
        noise=noise_figures(run),
        sections=tuple(compute_sections(run)),
    )


def compute_sections(run: RunData) -> Iterator[Section]:
    """The sections that apply to a run, in their order; one that fails says so in its place."""
    for section in sorted(find_all(SECTIONS).values(), key=lambda each: (each.order, each.id)):
        try:
            if section.applies(run):
                yield _computed(section, run)
        except Exception as error:
            said = f"section {section.id} failed: {type(error).__name__}: {cut(str(error), 300)}"
            log.warning(said)
            block = missing(said)
            yield Section(section.id, section.title, (block,), (block,), error=said)


def _computed(section: ReportSection, run: RunData) -> Section:
    content = section.compute(run)
    if not isinstance(content, Content):
        content = Content(content)
    blocks = tuple(content.blocks)
    brief = blocks if content.brief is None else tuple(content.brief)
    for block in (*blocks, *brief):
        if not isinstance(block, Block):
            raise TypeError(f"{type(block).__name__} is no block")
    found = Section(section.id, section.title, blocks, brief, as_json(content.data))
    json.dumps(as_json(found), allow_nan=False)
    return found


def read_report(folder: Path, kind: type[AnyReport] = Report) -> AnyReport:
    """The report in a run's folder, as a Report or a class of its own.

    Raises:
        BenchwrightError: there is none, or it is none of ours.
    """
    from pydantic import TypeAdapter, ValidationError

    path = folder / REPORT
    try:
        text = json.dumps(json.loads(path.read_bytes()), ensure_ascii=False).encode("utf-8", "replace")
        return TypeAdapter(kind).validate_json(text)
    except FileNotFoundError:
        raise BenchwrightError(f"{folder} holds no {REPORT}: score the system") from None
    except ValidationError as error:
        raise BenchwrightError(f"{path}: {problem_of(error)}: of another version? Score the system again") from None
    except (OSError, ValueError) as error:
        raise BenchwrightError(f"{path} cannot be read ({error}): score the system again") from None


def report_schema() -> dict[str, Any]:
    """The JSON Schema of `report.json`."""
    from pydantic import TypeAdapter

    return TypeAdapter(Report).json_schema(mode="serialization")
