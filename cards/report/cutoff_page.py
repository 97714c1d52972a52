"""A cutoff's figure as files: SVG, PNG, JSON, and a page that opens offline and trusts no text."""

import base64
import json
from pathlib import Path

from markupsafe import Markup

from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.reports.blocks import Listing, cut, foreign
from benchwright.benchmarks.reports.cutoffs import blocks
from benchwright.benchmarks.reports.cutoffs.figure import CutoffFigure
from benchwright.cards.blocks import html
from benchwright.cards.blocks.foreign_text import readable
from benchwright.cards.blocks.page_parts import page_part, page_template
from benchwright.cards.report.cutoff_plot import Drawn, description, draw


def write_figure(figure: CutoffFigure, folder: Path, name: str) -> Path:
    """Writes NAME.svg, .png, .html and .json into a folder, each in one step, and returns the first."""
    folder.mkdir(parents=True, exist_ok=True)
    data = {**as_json(figure), "table": figure.table}
    drawn = draw(figure)
    written = {
        ".json": (json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode("utf-8", "replace"),
        ".html": render_page(figure, drawn, f"{name}.json").encode("utf-8", "replace"),
        ".png": drawn.png,
        ".svg": f'<?xml version="1.0" encoding="utf-8"?>\n{drawn.svg}'.encode("utf-8", "replace"),
    }
    for ending, content in written.items():
        part = folder / f".{name}{ending}"
        part.write_bytes(content)
        part.replace(folder / f"{name}{ending}")
    return folder / f"{name}.svg"


def render_page(figure: CutoffFigure, drawn: Drawn, data: str) -> str:
    """The page; `data` is the name of the file with its figures. Every text is escaped, and there is no script."""
    style, page = page_part("report.css"), page_template("cutoff.html.jinja", draw=html.draw)
    banner, notes = blocks.notice(figure), blocks.notes(figure)
    return page.render(
        figure=figure,
        title=_title(figure),
        style=Markup(style),
        wide=_inline(drawn.wide),
        narrow=_inline(drawn.narrow),
        alt=description(figure),
        has_stub=any(model.is_stub for model in figure.models),
        banner=[banner] if banner else [],
        notes=[Listing(tuple((foreign(note, 400),) for note in notes))] if notes else [],
        means=blocks.means_tables(figure),
        tests=[blocks.tests_table(figure)],
        shares=[blocks.shares_table(model) for model in figure.models],
        asked=[blocks.asked(figure)],
        data=data,
    )


def _title(figure: CutoffFigure) -> str:
    names = " and ".join(readable(cut(model.label, 60)) for model in figure.models[:2])
    more = f" and {len(figure.models) - 2} more" if len(figure.models) > 2 else ""
    return f"What the cutoff is worth: {names}{more}"


def _inline(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode('utf-8', 'replace')).decode()}"
