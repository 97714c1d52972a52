"""A comparison in a notebook and as Markdown: its sections without styles or scripts of their own."""

from dataclasses import fields

from markupsafe import Markup, escape

from benchwright.benchmarks.comparisons.blocks import comparison_sections
from benchwright.benchmarks.comparisons.comparison import Comparison
from benchwright.cards.blocks import html, markdown
from benchwright.cards.blocks.foreign_text import readable
from benchwright.cards.blocks.markdown_text import escape as escape_markdown
from benchwright.cards.compare.title import title


class ShownComparison(Comparison):
    """A comparison that shows itself in a notebook, and that can be written as Markdown."""

    __slots__ = ()

    def to_markdown(self) -> str:
        """All its sections, for a file or a wiki."""
        sections = "\n".join(markdown.draw_section(section) for section in comparison_sections(self))
        return f"# {escape_markdown(title(self))}\n\n{sections}"

    def _repr_html_(self) -> str:
        drawn = Markup("").join(html.draw(section.brief) for section in comparison_sections(self))
        head = Markup("<p><strong>{}</strong></p>\n").format(escape(readable(title(self))))
        return str(Markup("<div>\n{}{}</div>\n").format(head, drawn))


def shown(comparison: Comparison) -> ShownComparison:
    """The same comparison, which can be shown."""
    return ShownComparison(**{field.name: getattr(comparison, field.name) for field in fields(comparison)})
