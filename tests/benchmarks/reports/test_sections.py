"""Sections that are added from outside, sections that fail, and the schema of what is written."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from report_cases import PREDICTIONS_MADE, QUESTIONS, Case, make_release, make_run

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.registry import register
from benchwright.benchmarks.reports.blocks import Block, Figure, Section, Text
from benchwright.benchmarks.reports.columns import RunData, load_run
from benchwright.benchmarks.reports.report import Report, compute_sections, read_report
from benchwright.benchmarks.reports.section import SECTIONS, Content, ReportSection
from benchwright.cards.report.markdown import markdown_report
from benchwright.cards.report.notebook import ShownReport, notebook_html
from benchwright.cards.report.page import render_report
from benchwright.cards.report.terminal import terminal_table
from benchwright.scripts.maintain.report_schema import SCHEMA, schema_text

OURS = [
    "headline", "diagnosis", "causes", "metrics", "outcomes", "consistency", "coverage", "slices", "groups", "questions", "worst",
    "attribution", "retrieval-split", "grammar", "noise", "tests", "cost", "reproduce",
]  # fmt: skip


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = tmp_path_factory.mktemp("sections")
    return make_run(make_release(folder / "release"), folder / "run", name="with-sections")


def add(name: str, compute: Callable[[RunData], Any], order: int = 500) -> None:
    """Registers a section that the runs of this file alone have."""

    def applies(run: RunData) -> bool:
        return run.settings.system.name == f"with-{name}"

    register(SECTIONS, name, ReportSection(name, f"Of {name}", compute, order, applies))


def of_run(case: Case, folder: Path, name: str) -> Report:
    """The report of a run that has the section."""
    return make_run(case.release, folder, PREDICTIONS_MADE, name=f"with-{name}").made()


def test_a_section_from_outside_is_drawn_everywhere(case: Case, tmp_path: Path) -> None:
    def lengths(run: RunData) -> Content:
        answers = len(run.rows("correct", run.shown))
        return Content([Figure("Answers <counted>", answers, range=(0, 20))], data={"answers": answers})

    add("lengths", lengths, order=15)
    report = of_run(case, tmp_path / "run", "lengths")
    assert [section.id for section in report.sections] == [*OURS[:4], "lengths", *OURS[4:]]
    assert report.sections[4].data == {"answers": 18}
    page = render_report(report)
    assert '<li><a href="#lengths">Of lengths</a></li>' in page and '<p class="value">18</p>' in page
    assert "Answers &lt;counted&gt;" in page and "Answers &lt;counted>: 18" not in page
    assert "## Of lengths\n\n**Answers &lt;counted&gt;**: 18\n" in markdown_report(report)
    assert "Of lengths\nAnswers <counted>: 18\n" in terminal_table(report)
    shown = read_report(tmp_path / "run", ShownReport)
    assert repr(shown) == "<with-lengths on small 1.0.0, 18 questions>"
    assert shown._repr_html_() == notebook_html(report) and "<script" not in notebook_html(report)
    assert "Answers &lt;counted&gt;" in notebook_html(report) and "63.6 %" in notebook_html(report)
    written = json.loads((tmp_path / "run" / "report.json").read_text("utf-8"))["sections"][4]
    assert written["blocks"][0]["kind"] == "figure" and written["blocks"][0]["value"] == 18


def _raises(run: RunData) -> Sequence[Block]:
    raise ValueError(f"no {run.shown} tokens")


@pytest.mark.parametrize(
    ("name", "compute", "reason"),
    [
        ("raising", _raises, "section raising failed: ValueError: no own tokens"),
        ("odd", lambda run: ["a text"], "section odd failed: TypeError: str is no block"),
        (
            "unwritable",
            lambda run: [Figure("x", float("nan"))],
            "section unwritable failed: ValueError: Out of range float values are not JSON compliant",
        ),
        (
            "unreadable",
            lambda run: Content([Text("x")], data={"run": run.folder}),
            "section unreadable failed: TypeError: Object of type PosixPath is not JSON serializable",
        ),
    ],
)
def test_a_section_that_fails_is_named_and_stops_nothing(
    case: Case, tmp_path: Path, name: str, compute: Callable[[RunData], Any], reason: str
) -> None:
    add(name, compute)
    report = of_run(case, tmp_path / "run", name)
    assert [section.id for section in report.sections] == [*OURS[:-1], name, OURS[-1]]
    (failed,) = [section for section in report.sections if section.error]
    assert failed.error is not None and failed.error.startswith(reason)
    for drawn in (render_report(report), terminal_table(report), markdown_report(report)):
        assert f"ection {name} failed: " in drawn


def test_a_section_needs_an_id_that_a_link_can_hold() -> None:
    with pytest.raises(ValueError, match="the section's id 'My section' must be small letters, digits and hyphens"):
        ReportSection("My section", "Mine", _raises)
    with pytest.raises(UsageError, match="section 'headline' cannot be registered: there is one of that name"):
        register(SECTIONS, "headline", ReportSection("headline", "Mine", _raises))
    with pytest.raises(UsageError, match="section 'plain' cannot be registered: it is of type function, not"):
        register(SECTIONS, "plain", _raises)


def test_the_schema_is_that_of_the_dataclasses() -> None:
    assert SCHEMA.read_text("utf-8") == schema_text(), "run python -m benchwright.scripts.maintain.report_schema"


def test_real_reports_fit_the_schema(case: Case, tmp_path: Path) -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    one = make_run(make_release(tmp_path / "one", QUESTIONS[:1]), tmp_path / "run", PREDICTIONS_MADE[:1])
    for each in (case, one):
        jsonschema.validate(each.report(), schema)
    broken = {**case.report(), "questions": "many"}
    with pytest.raises(jsonschema.ValidationError, match="'many' is not of type 'integer'"):
        jsonschema.validate(broken, schema)


def test_a_run_as_columns_and_a_matrix(case: Case) -> None:
    run = load_run(case.release, case.folder)
    assert run.metrics == ("correct", "exact_match", "evidence_recall@2", "recall@2")
    assert run.values.shape == run.is_scored.shape == run.reasons.codes.shape == (18, 4)
    assert not run.values[~run.is_scored].any() and run.is_listed.all()
    place = run.id.names.index("quay-3")
    row = run.question.tolist().index(place)
    assert [getattr(run, name).at(row) for name in ("id", "group", "template", "form", "kind", "hops", "condition")] == [
        "quay-3", "quay", "manager", "long", "lookup", "2", "own",
    ]  # fmt: skip
    assert not run.is_scored[row].any() and run.reasons.names[run.reasons.codes[row, 0]] == "the system gave no answer"
    assert run.template.codes.shape == run.entity.codes.shape == run.clusters.shape == (18,)
    assert run.entity.is_empty and not run.template.is_empty
    assert [section.id for section in compute_sections(run)] == OURS
    assert all(isinstance(section, Section) for section in compute_sections(run))
