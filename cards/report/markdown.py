"""A report as Markdown: what a page says, for a pull request's comment or a file."""

from benchwright.benchmarks.reports.report import Report
from benchwright.cards.blocks import markdown
from benchwright.cards.blocks.markdown_text import escape
from benchwright.cards.report.title import built_in_parts, title


def markdown_report(report: Report) -> str:
    """All sections, under the name of what was scored."""
    parts = built_in_parts(report)
    notice = (
        f"> Built-in {parts}: for trying things out and comparing, not for judging a real system.\n\n" if parts else ""
    )
    sections = "\n".join(markdown.draw_section(section) for section in report.sections)
    return f"# {escape(title(report))}\n\n{notice}{sections}"
