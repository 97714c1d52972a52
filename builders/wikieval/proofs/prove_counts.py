"""Counts again, from the rows of a release of pairs, what its manifest says of how many were made and by whom."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.pairs import COLUMNS
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.benchmarks.types import Question
from benchwright.builders.wikieval.contexts.wider_contexts import BY_MODEL
from benchwright.builders.wikieval.proofs.prove_candidates import CANDIDATES, Provenance, Row, is_by_rule

COUNTED = "counts of pairs"
PER_DIMENSION, MADE, ORIGINS = "pairs_per_dimension", "candidates_made", "context_sentences_from"


@dataclass
class RowCounts:
    """What the rows of `pairs` show."""

    pairs: int = 0
    by_model: int = 0
    """Candidates by a model."""
    documents: set[str] = field(default_factory=set)
    """Ids of those that pairs are of."""
    _made: Counter[str] = field(default_factory=Counter)
    _dimensions: Counter[str] = field(default_factory=Counter)
    _origins: Counter[str] = field(default_factory=Counter)
    _askers: Counter[str] = field(default_factory=Counter)

    def add(self, row: Row, made: Provenance, question: Question | None) -> None:
        """Takes in a pair whose provenance can be read."""
        self.pairs += 1
        self.documents.update(question.documents if question is not None else ())
        self.by_model += sum(how["how"] == "model" for how in made.values())
        for column in CANDIDATES:
            self._made[f"{column} by {made[column]['how']}" if column in made else f"no {column}"] += 1
        for dimension, (_, worse) in COLUMNS.items():
            self._dimensions[dimension] += worse in made
        self._askers[made["question"]["how"]] += 1
        if is_by_rule(made, "context_v2"):
            self._origins.update(str(each["from"]) for each in made["context_v2"]["from"])
        elif "context_v2" in made:
            self._origins[BY_MODEL] += len(made["context_v2"]["added"])

    def differences(self, manifest: Manifest, found: Verification) -> Iterator[str]:
        """Where a manifest says something else; what is right is noted."""
        checks, parameters = manifest.checks, manifest.parameters
        counted: dict[str, tuple[Any, Any]] = {
            f"checks.{PER_DIMENSION}": (checks.get(PER_DIMENSION), dict(self._dimensions)),
            f"checks.{MADE}": (checks.get(MADE), dict(self._made)),
            f"checks.{ORIGINS}": (checks.get(ORIGINS), dict(self._origins)),
            "texts.questions": (dict(manifest.texts.get("questions", {})), dict(self._askers)),
        }
        found.counted.update((PER_DIMENSION, MADE, ORIGINS))
        for name, (claimed, again) in counted.items():
            if claimed == again:
                found.proved[COUNTED] += 1
            else:
                yield f"{name} is {claimed!r:.160}, and counted it is {again!r:.160}"
        wanted, asked_by = parameters.get("pages"), parameters.get("asked_by")
        if isinstance(wanted, int) and self.pairs > wanted:
            yield f"there are {self.pairs:,} pairs, and the parameter pages is {wanted:,}"
        if asked_by in ("rule", "model") and {*self._askers} - {asked_by}:
            others = self._askers.total() - self._askers[asked_by]
            yield f"the parameter asked_by is {asked_by}, and {others:,} pairs are not by it"
