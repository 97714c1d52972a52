"""A comparison as one HTML file that opens offline, asks for nothing elsewhere, and trusts no text.

title     what it is of           terminal  the short form
junit     a gate for a server     summary   a gate for a pull request
"""

import base64
import hashlib
from importlib.resources import files
from pathlib import Path

from markupsafe import Markup

from benchwright.benchmarks.comparisons.blocks import comparison_sections
from benchwright.benchmarks.comparisons.comparison import COMPARISON, Comparison, save_comparison
from benchwright.cards.blocks import html
from benchwright.cards.blocks.foreign_text import readable
from benchwright.cards.compare.title import built_in_parts, title

PAGE = "compare.html"


def write_comparison(comparison: Comparison, folder: Path) -> Path:
    """Writes `compare.json` and `compare.html` into a folder, each in one step, and returns the page's path."""
    save_comparison(comparison, folder)
    path = folder / PAGE
    part = path.with_name(f".{PAGE}")
    part.write_bytes(render_comparison(comparison).encode("utf-8", "replace"))
    part.replace(path)
    return path


def render_comparison(comparison: Comparison) -> str:
    """The page. Every text is escaped; a browser may run no script but ours, by its hash."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=True)
    environment.filters["draw"] = html.draw
    style, script = _part("report.css"), _part("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return environment.from_string(_part("compare.html.jinja")).render(
        comparison=comparison,
        title=readable(title(comparison)),
        sections=comparison_sections(comparison),
        built_in_parts=built_in_parts(comparison),
        style=Markup(style),
        script=Markup(script),
        script_hash=digest,
        data=COMPARISON,
    )


def _part(name: str) -> str:
    return (files("benchwright.cards") / "templates" / name).read_text(encoding="utf-8").strip()
