"""Figures of baselines are not proved here: they are answers of systems, which `score-system` asks again."""

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.baseline_figures import read_baselines
from benchwright.benchmarks.releases.proofs.base import Material, Proof


def _look(material: Material) -> None:
    try:
        figures = read_baselines(material.release.folder)
    except BenchwrightError as error:
        material.found.problem("baselines", str(error))
        return
    if figures is not None:
        asked = f"--limit {figures.asked.limit} --wordings {figures.asked.wordings}"
        reason = f"score-system RELEASE SYSTEM {asked} repeats each"
        material.found.leave("figures of baselines", len(figures.baselines), reason)


PROOF = Proof(
    "baselines", "The file of baselines' figures is as it must be; it is not measured again.", 95, whole=_look
)
