"""The figure of the four baselines around a cutoff, as an SVG."""

from collections.abc import Sequence
from pathlib import Path

from benchwright.benchmarks.reports.cutoff import Part


def draw(parts: Sequence[Part], title: str, path: Path) -> None:
    """Draws how often each sum of truthfulness and relevance occurs, a panel for each part."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "benchwright"
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator

    figure, panels = pyplot.subplots(2, 2, figsize=(10, 7), sharex=True, sharey=True)
    for panel, part in zip(panels.flat, parts, strict=True):
        panel.bar(list(part.sums), list(part.sums.values()), color="#3b6ea8")
        panel.set_title(f"{part.part}) {part.title}\n{_means(part)}", fontsize=9, loc="left")
        panel.set_xticks(range(2, 11))
        panel.yaxis.set_major_locator(MaxNLocator(integer=True))
        panel.spines[["top", "right"]].set_visible(False)
    for panel in panels[1]:
        panel.set_xlabel("truthfulness + relevance")
    for panel in panels[:, 0]:
        panel.set_ylabel("questions")
    graders = sorted({judge for part in parts for judge in part.judges})
    figure.suptitle(f"{title} · graded: {', '.join(graders)}", fontsize=10)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def _means(part: Part) -> str:
    shown = (f"{name} {part.means[name]:.2f}" for name in ("truthfulness", "relevance") if part.means[name] is not None)
    return f"{', '.join(shown) or 'nothing scored'}; {part.scored:,} of {part.questions:,} questions"
