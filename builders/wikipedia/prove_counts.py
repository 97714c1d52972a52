"""Proves the counts that rows show: how many articles have a question, and when the facts came to be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.benchmarks.types import Question
from benchwright.builders.wiki.pages import Page
from benchwright.builders.wiki.questions.fact_dates import PLACES, place_in_time
from benchwright.builders.wikipedia.sources import CREATED, HAYSTACK, POST_CUTOFF, RANDOM

FACTS = "facts_of_articles_created_after_cutoff"
"""The check that counts questions by the time of their facts."""
YIELDS = {CREATED: "articles_created_after_cutoff", RANDOM: "articles_random"}
"""What articles were harvested for → the check that counts those with a question."""
NAMES = "names_looked_for"
"""The check that counts articles by whether their names are shared."""
_SEEN = ("by_hatnote", "by_corpus", "by_wiki")
_PART = {POST_CUTOFF: CREATED, CREATED: CREATED, RANDOM: RANDOM}


@dataclass
class RowCounts:
    """What rows show, row by row."""

    cutoff: date | None
    facts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PLACES, 0))
    asked_about: dict[str, str] = field(default_factory=dict)
    """Document → the subset of its article, of those with a question."""

    def add(self, row: Question, subset: str) -> None:
        """Takes in a question that is proved, with the subset of its article."""
        self.asked_about[row.documents[0]] = subset
        if subset != RANDOM and self.cutoff is not None:
            self.facts[place_in_time(row.fact_date, self.cutoff, row.metadata.get("dated_by", ""))] += 1

    def check(self, manifest: Manifest, subsets: Mapping[str, str], pages: Sequence[Page], found: Verification) -> None:
        """Compares the counts of a whole release with the manifest's.

        Args:
            manifest: of a release without held-out questions.
            subsets: document → its article's subset, of all.
            pages: those that are asked about.
            found: takes in what is proved, and what is wrong.
        """
        if self.cutoff is not None:
            _compare(manifest, FACTS, {}, self.facts, found)
        if not manifest.parameters.get("with_question"):  # else names of more articles were looked for than are here
            _compare_names(manifest, pages, found)
        for part, name in YIELDS.items():
            own = {
                "accepted": sum(_PART.get(subset) == part for subset in subsets.values() if subset != HAYSTACK),
                "with a question": sum(_PART[subset] == part for subset in self.asked_about.values()),
            }
            wanted = manifest.parameters.get("articles" if part == CREATED else "random")
            _compare(manifest, name, {"asked for": wanted}, own, found)


def _compare_names(manifest: Manifest, pages: Sequence[Page], found: Verification) -> None:
    """How many names were looked for and are shared; that a name is shared is seen first in one of three ways."""
    claimed = manifest.checks.get(NAMES)
    told = dict(claimed) if isinstance(claimed, Mapping) else {}
    own = {"pages": len(pages), "shared": sum(bool(page.namesakes) for page in pages)}
    ways = [told.get(name) for name in _SEEN]
    if ways != [None] * len(_SEEN) and sum(way for way in ways if type(way) is int) != own["shared"]:
        found.problem("count", f"checks.{NAMES}: {own['shared']} names are shared, and {ways} add up to another number")
    _compare(manifest, NAMES, told, own, found)


def _compare(
    manifest: Manifest, name: str, wanted: Mapping[str, Any], own: Mapping[str, int], found: Verification
) -> None:
    claimed = manifest.checks.get(name)
    if claimed is None:
        return
    found.counted.add(name)
    if claimed == {**wanted, **own}:
        found.proved["counts of articles and of facts"] += 1
    else:
        found.problem("count", f"checks.{name} is {claimed!r:.200}, and counted it is { ({**wanted, **own})!r:.200}")
