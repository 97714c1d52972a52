"""What answers to small talk took, beside those to the benchmark's questions: what a system spends where nothing is to
be looked up ("RAG dataset creation and boolean agent", section IV)."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.benchmarks.predictions import OWN
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.effort.figures import KnownTotal, Part, part_of
from benchwright.benchmarks.reports.prediction_facts import PartTally, amounts_of, lines_of, read_predictions
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.runs.run import SMALLTALK
from benchwright.benchmarks.runs.smalltalk import smalltalk

BENCHMARK = "the benchmark's questions"


@dataclass(frozen=True, slots=True)
class Smalltalk:
    """What answers took, none of which is scored; failed ones are in no total."""

    benchmark: Part
    """The benchmark's own questions, with the system's own retrieval."""
    kinds: tuple[Part, ...]
    """Chit-chat and generic questions, each a `subset`."""
    failed: int
    """Texts of small talk without an answer."""
    unknown: int
    """Answers to texts that this version does not ask: counted nowhere."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """All, the benchmark's first."""
        return (self.benchmark, *self.kinds)


@per_run
def smalltalk_figures(run: RunData) -> Smalltalk | None:
    """What small talk took; None where none was asked."""
    path, texts = run.folder / SMALLTALK, smalltalk()
    if not path.is_file():
        return None
    said = {str(values["id"]): values for _, values in lines_of(path) if values is not None and "id" in values}
    tallies = {text.subset or "": PartTally() for text in texts.values()}
    failed = 0
    for name, values in said.items():
        if name not in texts:
            continue
        if values.get("answer") is None and not values.get("abstained"):
            failed += 1
            continue
        tallies[texts[name].subset or ""].add(amounts_of(values), values)
    own = PartTally()
    for (condition, _), tally in read_predictions(run).parts.items():
        if condition == OWN:
            own.merge(tally)
    kinds = tuple(part_of(OWN, kind, tally) for kind, tally in tallies.items())
    return Smalltalk(part_of(OWN, BENCHMARK, own), kinds, failed, sum(name not in texts for name in said))


def together(totals: Sequence[KnownTotal]) -> KnownTotal:
    """Totals added up."""
    known = [total for total in totals if total.total is not None]
    of = sum(total.of for total in totals)
    if not known:
        return KnownTotal(None, 0, of, totals[0].reason)
    return KnownTotal(sum(total.total or 0 for total in known), sum(total.known for total in known), of)


def mean_of(totals: Sequence[KnownTotal]) -> float | None:
    """The mean of what is known; None where nothing is."""
    total = together(totals)
    return None if total.total is None else total.total / total.known
