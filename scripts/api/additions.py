"""What a running program adds: a metric, a kind of systems, a section of the report, a builder, … of its own."""

from importlib import import_module
from typing import Any

from benchwright.benchmarks import registry
from benchwright.benchmarks.errors import UsageError

KINDS = {
    "builder": "benchwright.benchmarks.catalogue:BUILDERS",
    "command": "benchwright.__main__:COMMANDS",
    "config": "benchwright.benchmarks.schemas:CONFIG_KIND",
    "metric": "benchwright.benchmarks.metrics.registry:METRICS",
    "proof": "benchwright.benchmarks.releases.proofs.base:PROOFS",
    "section": "benchwright.benchmarks.reports.section:SECTIONS",
    "system": "benchwright.benchmarks.systems.base:SYSTEM_KINDS",
}
"""What can be added, and where its kind is declared."""


def register(kind: str, name: str, item: object) -> None:
    """Adds something in this process, as an entry point `benchwright.KINDs` does for all of them.

    It can be named at once, and another that is registered by the same name takes its place.

    Args:
        kind: one of builder, command, config, metric, proof, section, system.
        name: its name, as it stands on a command line.
        item: what an entry point of this kind loads; see CONTRIBUTING.md.

    Raises:
        UsageError: there is no such kind, the item is not what its kind must be, or the name is taken.
    """
    if kind not in KINDS:
        raise UsageError(f"there is no kind {kind!r}: choose from {', '.join(KINDS)}")
    module, _, attribute = KINDS[kind].partition(":")
    declared: registry.Kind[Any] = getattr(import_module(module), attribute)
    registry.register(declared, name, item)
