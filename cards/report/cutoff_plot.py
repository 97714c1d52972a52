"""The figure of a cutoff as SVG and PNG: for each model and part, the share of questions at each sum of grades."""

import contextlib
import io
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.reports.blocks import cut
from benchwright.benchmarks.reports.cutoffs.blocks import grader
from benchwright.benchmarks.reports.cutoffs.figure import SUMS, CutoffFigure, ModelFigure, Part
from benchwright.benchmarks.reports.format import number_of
from benchwright.cards.blocks.foreign_text import readable

INK, SOFT, LINE, BAR = "#1f2429", "#59626b", "#c9ced3", "#2b7a78"
DARK = {INK: "#e4e7e9", SOFT: "#a2abb3", LINE: "#454c53", BAR: "#4fb3ac"}
"""The colours and what stands for them on a dark page."""
_STYLE: Any = {
    "svg.hashsalt": "benchwright",
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.family": "DejaVu Sans",
    "text.color": INK,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": SOFT,
    "axes.titlecolor": INK,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "hatch.color": BAR,
    "hatch.linewidth": 0.8,
}


@dataclass(frozen=True)
class Drawn:
    """A figure's pictures.

    Attributes:
        svg: An SVG with a title and a description.
        png: The same as a PNG.
        wide: The same SVG with no background, and in colours that follow the reader's light or dark mode.
        narrow: As `wide`, one panel below the other, for a phone.
    """

    svg: str
    png: bytes
    wide: str
    narrow: str


def draw(figure: CutoffFigure) -> Drawn:
    """All pictures of a figure; what differs in its file's kind or colours only is laid out once."""
    with _laid_out(figure, narrow=False) as page:
        png, wide = _written(page, "png"), _written(page, "svg")
    with _laid_out(figure, narrow=True) as page:
        narrow = _written(page, "svg")
    return Drawn(_named(figure, wide), png, _named(figure, wide, themed=True), _named(figure, narrow, themed=True))


def _named(figure: CutoffFigure, written: bytes, *, themed: bool = False) -> str:
    """An SVG with its title and description; `themed` with colours for both modes, else on white."""
    drawn = written.decode()
    drawn = drawn[drawn.index("<svg") :]
    head, _, rest = drawn.partition(">")
    named = f"<title>{_escaped(heading(figure))}</title><desc>{_escaped(description(figure))}</desc>"
    if not themed:
        named += '<rect width="100%" height="100%" fill="#ffffff"/>'
    else:
        light = "".join(f"--c{colour[1:]}:{colour};" for colour in DARK)
        dark = "".join(f"--c{colour[1:]}:{other};" for colour, other in DARK.items())
        named += f"<style>:root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}</style>"
        rest = re.sub("|".join(DARK), lambda found: f"var(--c{found[0][1:]})", rest)
    return f'{head} role="img">{named}{rest}'


def heading(figure: CutoffFigure) -> str:
    """Benchmark, version and content hash."""
    return readable(f"What the cutoff is worth: {figure.release}")


def description(figure: CutoffFigure) -> str:
    """The figure in words, for who cannot see it."""
    said = []
    for model in figure.models:
        parts = "; ".join(f"{part.part}) {part.title}, {part.given}: {_said(part)}" for part in model.parts)
        said.append(f"{_label(model)}, {_graded(model)}. {parts}.")
    return readable(f"The share of questions at each sum of truthfulness and relevance, from 2 to 10. {' '.join(said)}")


def _said(part: Part) -> str:
    if part.sum is None:
        return f"unscored, {part.reason}"
    within = "" if part.sum.low is None else f" ({part.sum.low:.2f} to {part.sum.high:.2f})"
    return f"mean {part.sum.value:.2f}{within} of {number_of(part.scored, 'question')}"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _label(model: ModelFigure, limit: int = 60) -> str:
    return readable(cut(model.label, limit)) if len(model.label) > limit else readable(model.label)


def _graded(model: ModelFigure) -> str:
    said = ", ".join(grader(judge) for judge in model.judges)
    return readable(f"graded by {cut(said, 60)}")


@contextlib.contextmanager
def _laid_out(figure: CutoffFigure, *, narrow: bool) -> Iterator[Any]:
    """The figure with its panels in their places, in a style that lasts as long as it is used."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    columns = 1 if narrow else 2 if len(figure.models) == 1 else 4
    rows = 4 // columns
    with matplotlib.rc_context(_STYLE), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a letter that the font lacks is drawn as a box
        width, height = (4.3, 2.3) if narrow else (10, 3.1) if columns == 2 else (13.2, 3.1)
        size = (width, height * rows * len(figure.models) + 0.9)
        page = pyplot.figure(figsize=size, layout="constrained")
        try:
            blocks = page.subfigures(len(figure.models), 1, squeeze=False)[:, 0]
            for block, model in zip(blocks, figure.models, strict=True):
                _draw_model(block, model, rows, columns, narrow=narrow)
            page.suptitle(heading(figure).replace(": ", ":\n", 1) if narrow else heading(figure), fontsize=11.5)
            engine = page.get_layout_engine()
            assert engine is not None
            engine.execute(page)
            page.set_layout_engine(None)  # any engine, also one that does nothing, has each file drawn twice
            yield page
        finally:
            pyplot.close(page)


def _written(page: Any, form: str) -> bytes:
    """A PNG on white, or an SVG without a background."""
    written = io.BytesIO()
    page.savefig(written, format=form, metadata=_metadata(form), transparent=form == "svg", dpi=150)
    return written.getvalue()


def _metadata(form: str) -> dict[str, Any]:
    return {"Date": None} if form == "svg" else {"Software": "benchwright"}


def _draw_model(block: Any, model: ModelFigure, rows: int, columns: int, *, narrow: bool) -> None:
    panels = block.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    named = f"{_label(model, 40)}\n{_graded(model)}" if narrow else f"{_label(model, 100)} · {_graded(model)}"
    block.suptitle(named, fontsize=11, fontweight="bold", x=0.01, ha="left")
    for place, (panel, part) in enumerate(zip(panels.flat, model.parts, strict=True)):
        _draw_part(panel, part, model, small=columns == 4)
        if place % columns == 0:
            panel.set_ylabel("share of questions", fontsize=9)
    for panel in panels[-1]:
        panel.set_xlabel("truthfulness + relevance", fontsize=9)


def _draw_part(panel: Any, part: Part, model: ModelFigure, *, small: bool) -> None:
    """A panel. What no model answered or no judge graded is an outline, the built-in reader's hatched."""
    from matplotlib.ticker import PercentFormatter

    between = "\n" if small else " "
    title = f"{part.part}) {part.title},{between}{part.given}"
    panel.set_title(f"{title}\n{_figures(part)}", fontsize=9.5, loc="left", linespacing=1.4)
    panel.set(xlim=(1.4, 10.6), ylim=(0, 1.0), xticks=SUMS)
    panel.tick_params(labelsize=9)
    panel.yaxis.set_major_formatter(PercentFormatter(1.0))
    panel.spines[["top", "right"]].set_visible(False)
    panel.grid(axis="y", color=LINE, linewidth=0.5)
    panel.set_axisbelow(True)
    if not part.shares:
        said = "\n".join(_wrapped(readable(part.reason or "unscored"), 34))
        panel.text(6, 0.5, f"unscored:\n{said}", ha="center", va="center", fontsize=9.5, color=SOFT)
        return
    looks = {"color": BAR} if not model.is_stub else {"fill": False, "edgecolor": BAR, "linewidth": 1.2}
    if model.is_built_in:
        looks["hatch"] = "////"
    there = [share for share in part.shares if share.questions]
    panel.bar([share.sum for share in there], [share.value for share in there], width=0.75, **looks)
    for share in there:
        if share.low is not None and share.high is not None:
            panel.plot([share.sum] * 2, [share.low, share.high], color=INK, linewidth=1.1, solid_capstyle="butt")


def _figures(part: Part) -> str:
    """Means and numbers, in the lines below a panel's title."""
    if part.truthfulness is None or part.relevance is None:
        return "nothing scored"
    sample = f", a sample: {part.asked:,} of {part.questions:,} asked" if part.is_sample else ""
    lacking = f" of {part.asked:,}" if part.scored < part.asked else ""
    return (
        f"truthfulness {part.truthfulness.value:.2f}, relevance {part.relevance.value:.2f}\n"
        f"{part.scored:,}{lacking} questions, {number_of(part.articles, 'article')}{sample}"
    )


def _wrapped(text: str, width: int) -> list[str]:
    import textwrap

    return textwrap.wrap(cut(text, 110), width)
