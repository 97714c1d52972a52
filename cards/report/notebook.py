"""A report in a notebook: what a terminal shows, as a fragment of HTML without styles or scripts of its own."""

from markupsafe import Markup, escape

from benchwright.benchmarks.reports.report import Report
from benchwright.cards.blocks import html
from benchwright.cards.blocks.foreign_text import readable
from benchwright.cards.report.markdown import markdown_report
from benchwright.cards.report.title import built_in_parts, title


class ShownReport(Report):
    """A report that shows itself in a notebook, and that can be written as Markdown."""

    __slots__ = ()

    def to_markdown(self) -> str:
        """All its sections, for a pull request's comment or a file."""
        return markdown_report(self)

    def _repr_html_(self) -> str:
        return notebook_html(self)


def notebook_html(report: Report) -> str:
    """The fragment: figures of the headline, slices, and what other sections show in brief."""
    parts = built_in_parts(report)
    notice = f"Built-in {parts}: for trying things out and comparing, not for judging a real system." if parts else ""
    drawn = Markup("").join(html.draw(section.brief) for section in report.sections)
    head = Markup("<p><strong>{}</strong></p>\n<p>{}</p>\n").format(escape(readable(title(report))), notice)
    return str(Markup("<div>\n{}{}</div>\n").format(head, drawn))
