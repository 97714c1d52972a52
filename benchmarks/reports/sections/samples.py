"""The further answers that were asked for beside each answer, and what varies in them."""

from benchwright.benchmarks.reports.blocks import Text
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import count
from benchwright.benchmarks.reports.section import Content, ReportSection


def compute(run: RunData) -> Content:
    """How they were asked for."""
    samples = run.settings.samples
    if samples is None:
        return Content((), ())
    further = f"{count(samples.count)} further answer{'s' if samples.count > 1 else ''}"
    how = (
        f"the model was asked at temperature {samples.temperature:g} and read what it had read for the answer."
        if samples.temperature is not None
        else "the system was asked again as it is, given the contexts of its answer where it takes them. What varies is"
        " its own randomness: of a system that has none, every sample is the same and selfcheck says nothing."
    )
    said = f"{further} were asked for to each question: {how} Answers that abstain or failed have none."
    return Content((Text(said),), ())


def applies(run: RunData) -> bool:
    """Whether samples were asked for."""
    return run.settings.samples is not None


SECTION = ReportSection("samples", "Further answers to each question", compute, order=117, applies=applies)
