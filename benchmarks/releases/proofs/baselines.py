"""Figures of baselines are not proved here: they are answers of systems, which `--rebuild` asks again."""

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.baseline_figures import read_baselines
from benchwright.benchmarks.releases.proofs.base import Material, Proof

FIGURES = "figures of baselines"


def _look(material: Material) -> None:
    try:
        figures = read_baselines(material.release.folder)
    except BenchwrightError as error:
        material.found.problem("baselines", str(error))
        return
    if figures is not None:
        asked = f"--limit {figures.asked.limit} --wordings {figures.asked.wordings}"
        reason = f"--rebuild asks all again; score-system RELEASE SYSTEM {asked} asks one"
        material.found.leave(FIGURES, len(figures.baselines), reason)


PROOF = Proof(
    "baselines", "The file of baselines' figures is as it must be; it is not measured again.", 95, whole=_look
)
