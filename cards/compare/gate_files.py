"""What gates decided, written for a server: a JUnit file, and a Markdown summary."""

from collections.abc import Sequence
from pathlib import Path

from benchwright.benchmarks.comparisons.comparison import Comparison
from benchwright.benchmarks.comparisons.gate import GateResult
from benchwright.benchmarks.releases.release import Release
from benchwright.cards.compare.junit import junit
from benchwright.cards.compare.summary import summary


def write_junit(path: Path, release: Release, condition: str, results: Sequence[GateResult]) -> None:
    """Writes the JUnit file in one step."""
    manifest = release.manifest
    facts = {
        "benchmark": f"{manifest.name} {manifest.version}",
        "content_hash": manifest.content_hash,
        "condition": condition,
    }
    _write(path, junit(facts, results))


def write_summary(path: Path, about: str, results: Sequence[GateResult], comparison: Comparison | None) -> None:
    """Writes the summary in one step."""
    _write(path, summary(about, results, comparison))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():  # a pipe or a device
        path.write_text(text, encoding="utf-8", errors="replace")
        return
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(text.encode("utf-8", "replace"))
    part.replace(path)
