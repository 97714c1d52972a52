"""The HTML report of a run: one file that opens offline, asks for nothing elsewhere, and trusts no text.

title      what a report is of           markdown     the same as Markdown
terminal   the short form                notebook     the short form as a fragment of HTML
                                         answer_data  every answer of the run, within the page
"""

from pathlib import Path

from markupsafe import Markup

from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.blocks import Details, Section, cut, foreign
from benchwright.benchmarks.reports.columns import RunData, load_run
from benchwright.benchmarks.reports.format import count
from benchwright.benchmarks.reports.report import Report, save_report
from benchwright.cards.blocks import html
from benchwright.cards.blocks.foreign_text import readable
from benchwright.cards.blocks.page_parts import page_part, page_template, policy_hash
from benchwright.cards.report.answer_data import write_answers
from benchwright.cards.report.title import built_in_parts

PAGE = "report.html"
_HERE = "<!-- answers -->"
"""Where the answers stand: in a text of the page it would be escaped."""
_FOLDED = 2
"""From so many folded blocks on, a section has buttons that open and close all."""


def report_run(release: Release, folder: Path) -> Report:
    """Computes the report of a run, writes `report.json` and `report.html` into its folder, and returns it.

    Raises:
        BenchwrightError: the run's settings or scores are missing or cannot be read.
    """
    run = load_run(release, folder)
    report = save_report(run)
    write_page(report, run)
    return report


def write_page(report: Report, run: RunData) -> Path:
    """Writes `report.html` with every answer into the run's folder, in one step, and returns its path."""
    path = run.folder / PAGE
    part = path.with_name(f".{PAGE}")
    before, after = render_report(report).split(_HERE)
    with part.open("w+b") as file:
        file.write(before.encode("utf-8", "replace"))
        write_answers(run, file)
        file.write(after.encode("utf-8", "replace"))
    part.replace(path)
    return path


def render_report(report: Report) -> str:
    """The page without its answers. Every text is escaped; a browser may run no script but ours, by its hash."""
    style, script = page_part("report.css"), f"{page_part('report.js')}\n{page_part('answers.js')}"
    digest = policy_hash(script)
    return page_template("report.html.jinja", foreign=_foreign, count=count, draw=html.draw).render(
        report=report,
        page_title=readable(f"{cut(report.system.name, 80)} on {report.benchmark} {report.version}"),
        built_in_parts=built_in_parts(report),
        has_buttons=_has_buttons,
        style=Markup(style),
        script=Markup(script),
        script_hash=digest,
    )


def _has_buttons(section: Section) -> bool:
    return sum(isinstance(block, Details) for block in section.blocks) >= _FOLDED


def _foreign(text: str, limit: int = 300) -> Markup:
    """A text of a release or a system: escaped, cut, and with a direction of its own."""
    return html.inline(foreign(text, limit))
