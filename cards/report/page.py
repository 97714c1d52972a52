"""The HTML report of a run: one file that opens offline, asks for nothing elsewhere, and trusts no text.

title      what a report is of           markdown   the same as Markdown
terminal   the short form                notebook   the short form as a fragment of HTML
"""

import base64
import hashlib
from importlib.resources import files
from pathlib import Path

from markupsafe import Markup

from benchwright.benchmarks.reports.blocks import Details, Section, cut, foreign
from benchwright.benchmarks.reports.format import count
from benchwright.benchmarks.reports.report import Report
from benchwright.cards.blocks import html
from benchwright.cards.blocks.foreign_text import readable
from benchwright.cards.report.title import built_in_parts

PAGE = "report.html"
_FOLDED = 2
"""From so many folded blocks on, a section has buttons that open and close all."""


def write_report(report: Report, folder: Path) -> Path:
    """Writes `report.html` into a run's folder and returns its path."""
    path = folder / PAGE
    path.write_bytes(render_report(report).encode("utf-8", "replace"))
    return path


def render_report(report: Report) -> str:
    """The page. Every text is escaped; the only script that a browser may run is ours, by its hash."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=True)
    environment.filters |= {"foreign": _foreign, "count": count, "draw": html.draw}
    style, script = _part("report.css"), _part("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return environment.from_string(_part("report.html.jinja")).render(
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


def _part(name: str) -> str:
    return (files("benchwright.cards") / "templates" / name).read_text(encoding="utf-8").strip()


def _foreign(text: str, limit: int = 300) -> Markup:
    """A text of a release or a system: escaped, cut, and with a direction of its own."""
    return html.inline(foreign(text, limit))
