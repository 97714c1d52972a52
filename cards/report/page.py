"""The HTML report of a run: one file that opens offline, asks for nothing elsewhere, and trusts no text.

report_format    figures and foreign texts as they are written
report_view      what is shown, in which order
report_terminal  the short form for a terminal
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from benchwright.cards.report import format as report_format
from benchwright.cards.report import view as report_view
from benchwright.cards.report.terminal import terminal_table

__all__ = ["render_report", "terminal_table", "write_report"]

PAGE = "report.html"
_FILTERS = (
    "amount",
    "percent",
    "position",
    "interval",
    "figure",
    "signed",
    "count",
    "of",
    "p_value",
    "seconds",
    "money",
    "reasons",
    "readable",
    "sentence",
)
_VIEWS = ("slice_metrics", "primary_metric", "outcome_parts", "picture", "unscored", "TAG_WORDS", "TAG_MEANINGS")


def write_report(report: dict[str, Any], folder: Path) -> Path:
    """Writes `report.html` into a run's folder and returns its path.

    Args:
        report: what `benchmarks.report.make_report` returned, or `report.json` read again.
        folder: the run's folder.
    """
    path = folder / PAGE
    path.write_bytes(render_report(report).encode("utf-8", "replace"))
    return path


def render_report(report: Mapping[str, Any]) -> str:
    """The page. Every text is escaped; the only script that a browser may run is ours, by its hash."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=True)
    environment.filters |= {name: getattr(report_format, name) for name in _FILTERS}
    environment.filters |= {"foreign": foreign, "pretty": pretty}
    environment.globals |= {name: getattr(report_view, name) for name in _VIEWS}
    style, script = _part("report.css"), _part("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return environment.from_string(_part("report.html.jinja")).render(
        report=report, style=Markup(style), script=Markup(script), script_hash=digest
    )


def _part(name: str) -> str:
    return (files("benchwright.cards") / "templates" / name).read_text(encoding="utf-8").strip()


def foreign(text: Any, limit: int = report_format.TEXT_LENGTH) -> Markup:
    """A text of a release or a system: escaped, cut, and with a direction of its own."""
    return Markup("<bdi>{}</bdi>").format(escape(report_format.readable(text, limit)))


def pretty(value: Any) -> str:
    """A value as indented JSON."""
    return report_format.readable(json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True, default=str), 20_000)
