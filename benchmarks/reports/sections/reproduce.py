"""How to reproduce the run: release, command, settings, versions."""

import json
import shlex
from collections.abc import Iterator
from dataclasses import asdict

from benchwright.benchmarks.predictions import OWN
from benchwright.benchmarks.reports.blocks import Definition, Definitions, Details, Inline, Span, Text, cut, soft
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.identity import SystemIdentity, system_identity
from benchwright.benchmarks.reports.section import Content, ReportSection

_LENGTH = 20_000


def compute(run: RunData) -> Content:
    """What to type, and what the figures depend on."""
    manifest, settings, system = run.release.manifest, run.settings, system_identity(run)
    release = f"{manifest.name} {manifest.version}" + ("" if manifest.seed is None else f", seed {manifest.seed}")
    items: list[tuple[str, Inline]] = [
        ("Release", release),
        ("Content hash", Span(manifest.content_hash, "code")),
        ("Command", Span(_command(manifest.name, run, system), "code", foreign=True)),
    ]
    if system.source:
        items.append(("System's source", (Span(cut(system.source, 100), "code"), soft(" SHA-256"))))
    facts = {
        "settings": system.settings,
        "questions": asdict(settings.questions),
        "counts": asdict(settings.counts),
        "scoring": asdict(settings.scoring),
        "libraries": settings.libraries,
    }
    text = json.dumps(facts, ensure_ascii=False, indent=2, sort_keys=True, default=str)
    listed = Definitions(tuple(Definition(*item) for item in items))
    return Content([listed, Details("Settings and versions", (Text((_foreign(text),), "pre"),))], ())


def _foreign(text: str) -> Span:
    return Span(cut(text, _LENGTH), foreign=True)


def _command(release: str, run: RunData, system: SystemIdentity) -> str:
    parts = ["score-system", release]
    if system.reference:
        parts.append(cut(system.reference, 300))
    if system.kind == "baseline with a language model":
        parts.append(f"--model system={cut(str(system.settings['model']), 100)}")
    if system.settings.get("base_url"):
        parts.append(f"--base-url {cut(str(system.settings['base_url']), 300)}")
    return " ".join([*parts, *_asked(run)])


def _asked(run: RunData) -> Iterator[str]:
    """What was asked for beyond the defaults."""
    asked, conditions = run.settings.questions, run.settings.conditions
    if asked.split != "test":
        yield f"--split {shlex.quote(asked.split)}"
    yield from (f"--subset {shlex.quote(cut(name, 100))}" for name in asked.subsets)
    if conditions != (OWN,):
        yield f"--conditions {','.join(conditions)}"
    if asked.limit is not None:
        yield f"--limit {asked.limit}"
    if asked.wordings is not None:
        yield f"--wordings {asked.wordings}"
    if asked.repeats > 1 and not run.settings.system.kind.startswith("file of "):  # its lines are numbered
        yield f"--repeat {asked.repeats}"


SECTION = ReportSection("reproduce", "How to reproduce", compute, order=900)
