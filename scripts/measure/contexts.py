"""Measures how well decorated chunks are found in their documents, and whether they hold the evidence.

    python -m benchwright.scripts.measure.contexts [RELEASE]

Chunks of known places of a release's documents are decorated as chunkers and writers of pages do it, and matched by
their text alone: the truth is whether the chunk was cut around the evidence. Half of the chunks are of the document of
the evidence, half of any. Without a release it is Aurp's small size, built for this.
"""

import random
import tempfile
import textwrap
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.metrics.evidence_recall import holds
from benchwright.benchmarks.predictions import Context
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.benchmarks.types import Document, Question
from benchwright.scripts.build_benchmark import main as build_benchmark

QUESTIONS = 1_500
SIZES = (300, 1_000)
"""Characters of a chunk."""
DECORATIONS: Mapping[str, Callable[[str, str], str]] = {
    "as it is": lambda text, title: text,
    "lines of 60": lambda text, title: textwrap.fill(text, 60),
    "capitals": lambda text, title: text.upper(),
    "Markdown": lambda text, title: f"## {title}\n\n> " + text.replace(". ", ".\n> ").replace(" the ", " **the** "),
    "HTML": lambda text, title: f"<h2>{title}</h2><p>" + text.replace(" of ", " <b>of</b> ").replace(" a ", " a&nbsp;"),
    "header": lambda text, title: f"Document: {title} | section 3 of 9 | updated 2024-02-01\n\n{text}",
}


@dataclass(frozen=True)
class Found:
    """What came of the chunks of one size and decoration."""

    chunks: int
    matched: int
    """Of the document that they were cut from."""
    right: int
    """Of which it was told rightly whether they hold the evidence."""
    false: int
    """Said to hold it, and do not."""
    missed: int
    """Hold it, and were said not to."""


def measure(
    questions: Sequence[Question], documents: Mapping[str, Document], size: int, decorate: Callable[[str, str], str]
) -> Found:
    """Cuts, decorates and matches two chunks for each question with evidence, one of its document and one of any."""
    draw, matcher, counts = random.Random(size), CorpusMatcher(documents), Counter[str]()
    names = list(documents)
    for question in questions:
        for evidence in question.evidence[:1]:
            wanted = documents[evidence.document].body[evidence.start : evidence.end]
            for name in (evidence.document, names[int(draw.random() * len(names))]):
                body = documents[name].body
                near, anywhere = evidence.start - int(draw.random() * size), int(draw.random() * len(body))
                start = max(0, near if name == evidence.document and draw.random() < 0.7 else anywhere - size)
                text = decorate(body[start : start + size], documents[name].title)
                (context,) = matcher.match([Context(id="chunk", text=text)])
                is_there = name == evidence.document and start <= evidence.start and evidence.end <= start + size
                counts["chunks"] += 1
                counts["matched"] += context.document == name
                counts[{(True, False): "false", (False, True): "missed"}.get(
                    (holds(context, evidence, wanted), is_there), "right"
                )] += 1  # fmt: skip
    return Found(**{name: counts[name] for name in ("chunks", "matched", "right", "false", "missed")})


def _release(given: Path | None, folder: Path) -> Release:
    if given is not None:
        return Release.load(given)
    build_benchmark(["aurp", "--set", "size=paper", "--quiet", "--releases", str(folder)], standalone_mode=False)
    return Release.load(next((folder / "aurp").iterdir()))


@click.command()
@click.argument("release", required=False, type=click.Path(path_type=Path, exists=True, file_okay=False))
def main(release: Path | None) -> None:
    """Prints a line for each size and decoration."""
    with tempfile.TemporaryDirectory() as folder:
        opened = _release(release, Path(folder))
        documents = load_documents(opened)
        asked = [each for each in load_questions(opened, "test") if each.evidence]
        asked = random.Random(0).sample(asked, min(QUESTIONS, len(asked)))
        click.echo("| chunk | decoration | chunks | of the right document | evidence told rightly | false | missed |")
        click.echo("|---:|---|---:|---:|---:|---:|---:|")
        for size in SIZES:
            for name, decorate in DECORATIONS.items():
                found = measure(asked, documents, size, decorate)
                matched, right = (f"{100 * each / found.chunks:.1f} %" for each in (found.matched, found.right))
                line = (size, name, found.chunks, matched, right, found.false, found.missed)
                click.echo("| " + " | ".join(map(str, line)) + " |")


if __name__ == "__main__":
    main()
