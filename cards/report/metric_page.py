"""What `score-metric` found, as JSON and as a page that opens offline, asks for nothing elsewhere, trusts no text."""

import json
from pathlib import Path

from markupsafe import Markup

from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.reports.blocks import cut
from benchwright.benchmarks.reports.metrics import blocks
from benchwright.benchmarks.reports.metrics.truth import MetricRatings
from benchwright.benchmarks.reports.pairs import blocks as pair_blocks
from benchwright.benchmarks.reports.pairs.agreement import PairRatings
from benchwright.cards.blocks import html
from benchwright.cards.blocks.foreign_text import readable
from benchwright.cards.blocks.page_parts import page_part, page_template

NAME = "score-metric"


def write_ratings(found: MetricRatings | PairRatings, folder: Path) -> Path:
    """Writes `score-metric.json` and `score-metric.html` into a folder, each in one step; returns the page's path."""
    folder.mkdir(parents=True, exist_ok=True)
    written = {
        ".json": json.dumps(as_json(found), ensure_ascii=False, indent=1, allow_nan=False) + "\n",
        ".html": render_page(found),
    }
    for ending, text in written.items():
        part = folder / f".{NAME}{ending}"
        part.write_bytes(text.encode("utf-8", "replace"))
        part.replace(folder / f"{NAME}{ending}")
    return folder / f"{NAME}.html"


def write_json(found: object, path: Path) -> Path:
    """Writes what was found as JSON, in one step; returns the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}")
    text = json.dumps(as_json(found), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    part.write_bytes(text.encode("utf-8", "replace"))
    part.replace(path)
    return path


def render_page(found: MetricRatings | PairRatings) -> str:
    """The page. Every text is escaped, and there is no script."""
    style, page = page_part("report.css"), page_template("metric.html.jinja", draw=html.draw)
    if isinstance(found, PairRatings):
        title, truth = pair_blocks.title_of(found), pair_blocks.truth_line(found)
        parts, left_out = pair_blocks.parts_of(found), pair_blocks.left_out(found)
    else:
        title, truth = f"How far the metrics of {cut(found.system, 60)} can be believed", blocks.truth_line(found)
        parts, left_out = blocks.parts_of(found), blocks.left_out(found)
    return page.render(
        ratings=found, title=readable(title), style=Markup(style), truth=[truth], parts=parts, left_out=left_out
    )
