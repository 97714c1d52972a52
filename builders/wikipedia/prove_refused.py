"""Proves that what a model is said to have proposed in vain is what the release keeps of it, reason by reason."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.proofs.base import Material
from benchwright.builders.wikipedia.filters import KNOWN, NO_REPLY, NOT_ANSWERED, NOT_READ, REPEATED
from benchwright.builders.wikipedia.prove_articles import asked_with
from benchwright.builders.wikipedia.questions_by_model import PROMPT
from benchwright.builders.wikipedia.refused import REFUSED

COUNTS = "questions_rejected_by_their_own_checks"
"""The check that counts refused proposals by reason."""
_OF_FILTERS = frozenset((KNOWN, NO_REPLY, NOT_ANSWERED, NOT_READ, REPEATED))
"""Reasons that are counted elsewhere."""
_TYPES = {"page": int, "round": int} | dict.fromkeys(
    ("title", "question", "answer", "quote", "happened", "reason"), str
)
_LONGEST, _MOST = 50_000, 200_000_000
"""Bytes of a line, and of all."""


def check_refused(material: Material) -> None:
    """Compares the reasons of the proposals that are kept with the manifest's counts, where a model asked."""
    manifest, found = material.release.manifest, material.found
    claimed = manifest.checks.get(COUNTS)
    if claimed is None or not asked_with(manifest, PROMPT):
        return
    found.counted.add(COUNTS)
    try:
        counts = Counter(_reasons(material.release.folder / REFUSED))
    except BenchwrightError as error:
        found.problem("count", str(error))
        return
    own = {reason: count for reason, count in counts.items() if reason not in _OF_FILTERS}
    if claimed == own:
        found.proved["refused proposals by their reasons"] += sum(own.values())
    else:
        found.problem("count", f"checks.{COUNTS} is {claimed!r:.200}, and {REFUSED} has {own!r:.200}")


def _reasons(path: Path) -> Iterator[str]:
    """The reason of each line.

    Raises:
        BenchwrightError: a line is no refused proposal, or there are too many.
    """
    if not path.exists():
        return
    if path.stat().st_size > _MOST:
        raise BenchwrightError(f"{REFUSED} has more than {_MOST:,} bytes: no build writes as much")
    with path.open("rb") as file:
        number = 0
        while line := file.readline(_LONGEST):
            number += 1
            try:
                told = json.loads(line)
            except (ValueError, RecursionError):
                told = None
            if not isinstance(told, dict) or {name: type(value) for name, value in told.items()} != _TYPES:
                raise BenchwrightError(f"{REFUSED}, line {number}: it is no refused proposal")
            yield told["reason"]
