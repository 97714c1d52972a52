"""What a card says of the kinds of a release's questions: how many groups each has, and how many facts they need."""

from collections import Counter
from dataclasses import dataclass, field

import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.catalogue import Spec
from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.needed import BANDS, bands_of, needed_facts
from benchwright.benchmarks.schemas import DEFAULT_CONFIG

_LOOKUP = "lookup"
_OVER_MANY = ("count", "comparison", "minimum", "maximum", "sum", "average", "ranking", "list")
_COLUMNS = ["id", "group", "kind", "evidence"]


@dataclass
class KindCounts:
    """The semantic groups of one kind."""

    name: str
    meaning: str
    groups: int = 0
    facts: Counter[str] = field(default_factory=Counter)
    """Band of facts that the answer needs → groups; those without evidence are in none."""


@dataclass(frozen=True)
class Kinds:
    """The kinds of a release, as `kinds.md.jinja` and the limits tell them."""

    rows: tuple[KindCounts, ...]

    @property
    def are_told(self) -> bool:
        """Whether there is another than lookups."""
        return any(row.name != _LOOKUP for row in self.rows)

    @property
    def bands(self) -> tuple[str, ...]:
        """The bands of facts that any kind has; none where one fact is all that any answer needs."""
        found = tuple(band for band in BANDS if any(row.facts[band] for row in self.rows))
        return found if len(found) > 1 else ()

    @property
    def are_over_many(self) -> bool:
        """Whether an answer of some looks at all that belongs to a thing."""
        return any(row.name in _OVER_MANY for row in self.rows)


def count_kinds(release: Release, spec: Spec) -> Kinds:
    """Counts the groups of each kind, from the rows; nothing for a builder that has no kinds, or where a half does not
    say them."""
    if "kinds" not in spec.parameters:
        return Kinds(())
    meanings = read_toml(__package__, "kinds.toml")
    found: dict[str, KindCounts] = {}
    seen: set[str] = set()
    for split in release.manifest.splits.get(DEFAULT_CONFIG, {}):
        for batch in release.batches(DEFAULT_CONFIG, split, _COLUMNS):
            _add(batch, seen, found, meanings)
    return Kinds(tuple(found[name] for name in meanings if name in found))


def _add(batch: pa.RecordBatch, seen: set[str], found: dict[str, KindCounts], meanings: dict[str, str]) -> None:
    ids = pc.coalesce(batch.column("group"), batch.column("id")).to_pylist()
    first: dict[str, int] = {}
    for place, group in enumerate(ids):
        if group not in seen:
            seen.add(group)
            first[group] = place
    rows = batch.take(pa.array(list(first.values()), pa.int64()))
    places = bands_of(needed_facts(rows.column("evidence")))
    for kind, place in zip(rows.column("kind").to_pylist(), places.tolist(), strict=True):
        if kind not in meanings:
            continue
        counts = found.setdefault(kind, KindCounts(kind, meanings[kind]))
        counts.groups += 1
        if place >= 0:
            counts.facts[BANDS[place]] += 1
