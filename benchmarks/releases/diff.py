"""What changed from one version of a benchmark to the next, by ids."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from benchwright.benchmarks.hashing import short_hash
from benchwright.benchmarks.releases.baseline_figures import FILE as BASELINES
from benchwright.benchmarks.releases.manifest import CARD
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.schemas import DEFAULT_CONFIG

_GOLD = ("question", "answers", "aliases", "answer_type", "answerability", "documents", "evidence")
"""Columns of a question that decide what is asked and what is right: another value is a change."""
_TEXT = ("title", "text")


@dataclass(frozen=True)
class Change:
    """Rows of one config, by id, in stored order."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    @property
    def is_none(self) -> bool:
        """Nothing changed."""
        return not (self.added or self.removed or self.changed)


@dataclass(frozen=True)
class Difference:
    """Two versions of a benchmark."""

    old: str
    new: str
    questions: Change
    documents: Change
    files: Change = field(default_factory=Change)
    """Files beside the two configs, by path."""
    is_other_content: bool = False
    """The content hashes differ: where no row did, other columns, other configs or the order of rows changed."""

    @property
    def kind(self) -> str:
        """What the new version's number must say: major, minor, patch, or `none` where all is equal."""
        if self.questions.removed or self.questions.changed or self.documents.removed or self.documents.changed:
            return "major"
        if self.questions.added or self.documents.added:
            return "minor"
        return "patch" if self.is_other_content or not self.files.is_none else "none"

    def lines(self, shown: int = 5) -> list[str]:
        """The difference for people: counts, and the first ids of each sort."""
        found = [f"{self.old} → {self.new}: {_KINDS[self.kind]}"]
        for what, change in (("questions", self.questions), ("documents", self.documents), ("files", self.files)):
            for sort in ("added", "removed", "changed"):
                names = getattr(change, sort)
                if names:
                    more = f" and {len(names) - shown:,} more" if len(names) > shown else ""
                    found.append(f"{len(names):,} {what} {sort}: {', '.join(names[:shown])}{more}")
        if self.is_other_content and self.questions.is_none and self.documents.is_none:
            found.append("the content hash changed: other columns, other configs, or the order of rows")
        return found


_KINDS = {
    "major": "a major version, for questions, answers or documents changed or went",
    "minor": "a minor version, for something was added and nothing changed",
    "patch": "a patch, for only the card or metadata changed",
    "none": "nothing changed",
}


def compare(old: Release, new: Release, card_of: Callable[[Release], str | None] = lambda _: None) -> Difference:
    """What changed from one release to another. Of each row only a hash is held in memory.

    Args:
        old: the one.
        new: the other.
        card_of: a release's card as it was built; None: as its file is. The figures of baselines, which come when a
            release is published, are compared where both have some.

    Raises:
        BenchwrightError: a file is missing or cannot be read.
    """
    files = [_files(each, card_of(each)) for each in (old, new)]
    if not all(BASELINES in each for each in files):
        files = [{path: hashed for path, hashed in each.items() if path != BASELINES} for each in files]
    return Difference(
        f"{old.manifest.name} {old.manifest.version}",
        f"{new.manifest.name} {new.manifest.version}",
        _change(_rows(old, DEFAULT_CONFIG, "id", _GOLD), _rows(new, DEFAULT_CONFIG, "id", _GOLD)),
        _change(_rows(old, "corpus", "_id", _TEXT), _rows(new, "corpus", "_id", _TEXT)),
        _change(*files),
        old.manifest.content_hash != new.manifest.content_hash,
    )


def _rows(release: Release, config: str, key: str, columns: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for split in release.manifest.splits.get(config, {}):
        for batch in release.batches(config, split, [key, *columns]):
            for row in batch.to_pylist():
                found[row[key]] = short_hash([split, repr([row[name] for name in columns])])
    return found


def _files(release: Release, card: str | None) -> dict[str, str]:
    """Files that are no Parquet: those are compared row by row."""
    found = {
        path: str(entry["sha256"]) for path, entry in release.manifest.files.items() if not path.endswith(".parquet")
    }
    return found if card is None else {**found, CARD: short_hash([card])}


def _change(old: Mapping[str, str], new: Mapping[str, str]) -> Change:
    return Change(
        tuple(name for name in new if name not in old),
        tuple(name for name in old if name not in new),
        tuple(name for name, value in new.items() if old.get(name, value) != value),
    )
