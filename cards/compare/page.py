"""A comparison as one HTML file that opens offline, asks for nothing elsewhere, and trusts no text.

title     what it is of           terminal  the short form
junit     a gate for a server     summary   a gate for a pull request   gate_files  writes both
within    what is said of one run
"""

import json
from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from benchwright.benchmarks.comparisons.blocks import comparison_sections
from benchwright.benchmarks.comparisons.comparison import COMPARISON, Comparison, save_comparison
from benchwright.benchmarks.comparisons.counterfactual import Counterfactual
from benchwright.benchmarks.comparisons.counterfactual_words import counterfactual_blocks
from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.reports.blocks import Section
from benchwright.cards.blocks import html
from benchwright.cards.blocks.foreign_text import readable
from benchwright.cards.blocks.page_parts import page_part, page_template, policy_hash
from benchwright.cards.compare.title import built_in_parts, counterfactual_title, title

PAGE, COUNTERFACTUAL = "compare.html", "counterfactual.json"


def write_comparison(comparison: Comparison, folder: Path) -> Path:
    """Writes `compare.json` and `compare.html` into a folder, each in one step, and returns the page's path."""
    save_comparison(comparison, folder)
    return write_file(folder / PAGE, render_comparison(comparison))


def write_counterfactual(found: Counterfactual, folder: Path) -> Path:
    """Writes `counterfactual.json` and `counterfactual.html` into a folder as `write_comparison` does."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(as_json(found), ensure_ascii=False, indent=1, allow_nan=False)
    data = write_file(folder / COUNTERFACTUAL, f"{text}\n")
    sections = (Section("result", "Result", tuple(counterfactual_blocks(found)), ()),)
    about = f"One system on two releases that ask the same {found.questions:,} questions and have other answers."
    page = render(counterfactual_title(found), about, sections, ", ".join(found.built_in), data.name)
    return write_file(data.with_suffix(".html"), page)


def render_comparison(comparison: Comparison) -> str:
    """The page. Every text is escaped; a browser may run no script but ours, by its hash."""
    about = (
        f"{len(comparison.runs)} runs, question by question: what counts are the questions that all have a score of."
    )
    built_in = built_in_parts(comparison)
    return render(title(comparison), about, comparison_sections(comparison), built_in, COMPARISON)


def render(said: str, about: str, sections: Sequence[Section], built_in: str, data: str) -> str:
    """A page of sections.

    Args:
        said: its title.
        about: the line below.
        sections: what it holds.
        built_in: what of it rules made; empty where nothing was.
        data: the name of the file beside it that has every figure.
    """
    style, script = page_part("report.css"), page_part("report.js")
    digest = policy_hash(script)
    return page_template("compare.html.jinja", draw=html.draw).render(
        title=readable(said),
        about=about,
        sections=sections,
        built_in_parts=built_in,
        style=Markup(style),
        script=Markup(script),
        script_hash=digest,
        data=data,
    )


def write_file(path: Path, text: str) -> Path:
    """Writes a file in one step, and returns its path."""
    part = path.with_name(f".{path.name}")
    part.write_bytes(text.encode("utf-8", "replace"))
    part.replace(path)
    return path
