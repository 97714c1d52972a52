"""One trial: a pipeline with or without a fault is scored as `score-system` scores it, and its run is read."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.benchmarks.predictions import CONDITIONS, OWN
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import RunData, load_run
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system
from faulty import (
    kinds_blind,
    kinds_blind_again,
    kinds_blind_again_reading,
    kinds_blind_reading,
    kinds_index,
    kinds_reading,
    kinds_search,
)
from faulty.draw import Kind, kinds
from faulty.pipeline import At, Fault, Pipeline, Stack

_MODULES = (
    kinds_index,
    kinds_search,
    kinds_reading,
    kinds_blind,
    kinds_blind_reading,
    kinds_blind_again,
    kinds_blind_again_reading,
)


@dataclass(frozen=True)
class Variant:
    """What is broken, and how much; nothing of a healthy one."""

    faults: tuple[tuple[str, float], ...] = ()
    label: str = ""

    @property
    def name(self) -> str:
        """For people and for folders."""
        return self.label or "-and-".join(
            f"{kind.replace('_', '-')}-{round(strength * 100)}" for kind, strength in self.faults
        )


def fault_of(kind: str) -> Fault:
    """The fault of a kind."""
    for module in _MODULES:
        if hasattr(module, kind):
            return getattr(module, kind)()
    raise LookupError(kind)


def variants(wanted: Sequence[Kind] | None = None) -> list[Variant]:
    """Every kind at each of its strengths."""
    return [Variant(((kind.name, strength),)) for kind in wanted or kinds() for strength in kind.strengths]


def broken(stack: Stack, variant: Variant) -> Pipeline:
    """A stack with what a variant breaks."""
    return Pipeline(stack, [(fault_of(kind), At(kind, strength, stack.bench)) for kind, strength in variant.faults])


def run_of(release: Release, stack: Stack, variant: Variant, root: Path, *, full: bool) -> RunData:
    """The scored run of a variant: in its own condition, or in all four and probed."""
    options = Options(
        k=stack.k,
        conditions=CONDITIONS if full else (OWN,),
        metrics=("correct", f"evidence_recall@{stack.k}"),
        probe=full,
    )
    scored = score_system(release, broken(stack, variant), output=root, name=variant.name[:80], options=options)
    return load_run(release, scored.folder)
