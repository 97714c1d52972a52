"""The pairs of a release and what people chose of them: rows of the configs `pairs` and `labels`, as objects.

A pair has two candidates for each dimension (WikiEval; Es et al. 2024, section 4): `answer` is held against
`ungrounded_answer` for faithfulness and against `poor_answer` for answer relevance, `context_v1` against `context_v2`
for context relevance. A label's `choice` is `first`, `second` or `tie`, in this order of the candidates, or the name of
the column that was chosen. What was settled after a discussion is `resolved` and counts before all else; without it
the majority of the annotators counts; where they are divided nobody's does, and the pair is left out of that dimension.

A release without `labels` is read by column, as the published WikiEval is: the first candidate was made to be the
better one. Where that is not so, as of pairs of two systems' answers, the release's checks say so, and people must
choose first.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.label_files import read_labels
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.schemas import LABELS, PAIRS
from benchwright.benchmarks.types import DIMENSIONS, Dimension

Choice = Literal["first", "second", "tie"]
Source = Literal["labels", "file", "columns"]
"""Where choices are from: what people said, in the release or in a file, or the column that was made to be better."""
COLUMNS: Mapping[Dimension, tuple[str, str]] = {
    "faithfulness": ("answer", "ungrounded_answer"),
    "answer_relevance": ("answer", "poor_answer"),
    "context_relevance": ("context_v1", "context_v2"),
}
"""Dimension → the columns of its two candidates, the first one first."""
WITHOUT_PREFERENCE = "pairs_without_preference"
"""In the checks of a release's manifest: how many pairs have no candidate that was made to be the better one."""
_SPLIT = "test"
_NOT_NAMED = "not named"


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of `pairs`: a question with its candidates. What the release lacks is empty."""

    id: str
    question: str
    source: str = ""
    answer: str = ""
    ungrounded_answer: str = ""
    poor_answer: str = ""
    context_v1: tuple[str, ...] = ()
    context_v2: tuple[str, ...] = ()

    def lacks(self, column: str) -> bool:
        """Whether there is nothing to read in the column of a candidate."""
        value: str | tuple[str, ...] = getattr(self, column)
        return not (value if isinstance(value, str) else "".join(value)).strip()


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A pair in one dimension, with what people chose."""

    pair: Pair
    dimension: Dimension
    choice: Choice | None
    """None: they are divided."""
    votes: Mapping[str, Choice] = field(default_factory=dict)
    """Annotator → choice, before anything was settled."""
    was_resolved: bool = False


@dataclass(frozen=True, slots=True)
class LabelledPairs:
    """The pairs of a release that people chose from."""

    split: str
    pairs: Sequence[Pair]
    labelled: Sequence[LabelledPair]
    """Dimension by dimension, in stored order."""
    source: Source
    left_out: Mapping[str, int]
    """Why labels are not used → how many."""


def read_pairs(release: Release, human: Path | None = None) -> LabelledPairs:
    """The pairs of a release's split `test`, else of its first one, with what people chose.

    Args:
        release: has pairs.
        human: a file of labels that count instead of the release's; see `label_files`.

    Raises:
        BenchwrightError: the release has no pairs, nothing that people chose of them can be used, or two have one id.
    """
    manifest = release.manifest
    name = f"{manifest.name} {manifest.version}"
    split, pairs = pairs_in(release)
    if human is None and manifest.checks.get(WITHOUT_PREFERENCE) and not manifest.splits.get(LABELS.name):
        raise BenchwrightError(
            f"in {name} neither candidate of a pair was made to be the better one, and people did not choose yet: have"
            f" them choose with annotate {manifest.name}@{manifest.version} --pages 2, or give labels with --human FILE"
        )
    source, labelled, left_out = _labelled(release, pairs, split, human)
    if source == "columns" and not labelled:
        raise BenchwrightError(f"{name} has no pair with both candidates of a dimension: there is nothing to prefer")
    if not any(each.choice in ("first", "second") for each in labelled):
        why = "; ".join(f"{reason}: {number:,}" for reason, number in left_out.items()) or "they are divided"
        raise BenchwrightError(f"{name} has no pair of which people chose one candidate ({why}): correct its labels")
    return LabelledPairs(split, pairs, labelled, source, dict(left_out))


def _labelled(
    release: Release, pairs: Sequence[Pair], split: str, human: Path | None
) -> tuple[Source, list[LabelledPair], Counter[str]]:
    """Where choices are from, what they are, and why labels are left out → how many."""
    if human is not None:
        where = f"the pairs of {release.manifest.name} {release.manifest.version}"
        return "file", *label_pairs(pairs, read_labels(human, {pair.id for pair in pairs}, where))
    splits = release.manifest.splits.get(LABELS.name, {})
    if not splits:
        return "columns", _by_column(pairs), Counter()
    rows = [row for each in splits for batch in release.batches(LABELS.name, each) for row in batch.to_pylist()]
    others = [each for each in release.manifest.splits.get(PAIRS.name, {}) if each != split]
    return "labels", *label_pairs(pairs, rows, _ids_elsewhere(release, others))


def pairs_in(release: Release) -> tuple[str, list[Pair]]:
    """The pairs of a release's split `test`, else of its first one, and that split's name.

    Raises:
        BenchwrightError: the release has no pairs, or two have one id.
    """
    manifest = release.manifest
    name = f"{manifest.name} {manifest.version}"
    splits = list(manifest.splits.get(PAIRS.name, {}))
    if not splits:
        raise BenchwrightError(
            f"{name} holds no pairs, whose labels metrics are held against: name a run of it, or a release with pairs"
        )
    split = _SPLIT if _SPLIT in splits else splits[0]
    pairs = [_pair(row) for batch in release.batches(PAIRS.name, split) for row in batch.to_pylist()]
    twice = next((each for each, number in Counter(pair.id for pair in pairs).items() if number > 1), None)
    if twice is not None:
        raise BenchwrightError(f"{name} has two pairs {twice!r}: prove it with verify-benchmark")
    return split, pairs


def _pair(row: Mapping[str, Any]) -> Pair:
    return Pair(
        id=row["id"],
        question=row["question"] or "",
        source=row["source"] or "",
        answer=row["answer"] or "",
        ungrounded_answer=row["ungrounded_answer"] or "",
        poor_answer=row["poor_answer"] or "",
        context_v1=tuple(each or "" for each in row["context_v1"] or ()),
        context_v2=tuple(each or "" for each in row["context_v2"] or ()),
    )


def _ids_elsewhere(release: Release, splits: Iterable[str]) -> set[str]:
    return {
        each
        for split in splits
        for batch in release.batches(PAIRS.name, split, ["id"])
        for each in batch.column("id").to_pylist()
    }


def _by_column(pairs: Sequence[Pair]) -> list[LabelledPair]:
    """The first candidate of each dimension is the better one, where the pair has both."""
    return [
        LabelledPair(pair, dimension, "first")
        for dimension in DIMENSIONS
        for pair in pairs
        if not any(pair.lacks(column) for column in COLUMNS[dimension])
    ]


def label_pairs(
    pairs: Sequence[Pair], rows: Iterable[Mapping[str, Any]], elsewhere: frozenset[str] | set[str] = frozenset()
) -> tuple[list[LabelledPair], Counter[str]]:
    """What people chose of pairs, and why labels are left out → how many.

    Args:
        pairs: those that count.
        rows: of the config `labels`.
        elsewhere: ids of pairs of other splits, whose labels are passed over.
    """
    known = {pair.id: pair for pair in pairs}
    left_out = Counter[str]()
    votes: dict[tuple[Dimension, str], dict[str, set[Choice]]] = {}
    settled: dict[tuple[Dimension, str], set[Choice]] = {}
    for row in rows:
        dimension = dimension_of(row["dimension"])
        choice = None if dimension is None else _choice(dimension, row["choice"])
        if row["pair_id"] not in known:
            if row["pair_id"] not in elsewhere:
                left_out["of a pair that the release has not"] += 1
        elif dimension is None:
            left_out[f"of {_shown(row['dimension'])}, which is none of {', '.join(DIMENSIONS)}"] += 1
        elif choice is None:
            columns = " and ".join(COLUMNS[dimension])
            left_out[f"{_shown(row['choice'])} is none of first, second, tie, nor of {columns}"] += 1
        elif row["resolved"]:
            settled.setdefault((dimension, row["pair_id"]), set()).add(choice)
        else:
            said = votes.setdefault((dimension, row["pair_id"]), {})
            name = row["annotator"] or f"{_NOT_NAMED} ({len(said) + 1})"  # who is not named is somebody else each time
            said.setdefault(name, set()).add(choice)
    found = []
    for dimension in DIMENSIONS:
        for name, pair in known.items():
            key = (dimension, name)
            if key not in votes and key not in settled:
                continue
            several = votes.get(key, {})
            single: dict[str, Choice] = {who: next(iter(said)) for who, said in several.items() if len(said) == 1}
            left_out["of an annotator who chose several"] += sum(
                len(said) for said in several.values() if len(said) > 1
            )
            choice = _only(settled[key]) if key in settled else _majority(single.values())
            found.append(LabelledPair(pair, dimension, choice, single, key in settled))
    return found, +left_out


def _word(value: object) -> str:
    return str(value or "").strip().lower().replace(" ", "_").replace("-", "_")


def _shown(value: object) -> str:
    return repr(str(value)[:40]) if value else "nothing"


def choice_of(dimension: object, value: object) -> Choice | None:
    """What words of people mean in a dimension: `first`, `second`, `tie`, or the candidate of a column; else None.

    Of a dimension that there is not, only the first three are known.
    """
    known = dimension_of(dimension)
    if known is not None:
        return _choice(known, value)
    words: dict[str, Choice] = {"first": "first", "second": "second", "tie": "tie"}
    return words.get(_word(value))


def dimension_of(value: object) -> Dimension | None:
    """The dimension that a word of people names; None where there is no such one."""
    words: dict[str, Dimension] = {each: each for each in DIMENSIONS}
    return words.get(_word(value))


def _choice(dimension: Dimension, value: object) -> Choice | None:
    word = _word(value)
    first, second = COLUMNS[dimension]
    words: dict[str, Choice] = {"first": "first", "second": "second", "tie": "tie", first: "first", second: "second"}
    return words.get(word)


def _only(choices: set[Choice]) -> Choice | None:
    """What was settled; None where rows that say so contradict each other."""
    return next(iter(choices)) if len(choices) == 1 else None


def _majority(choices: Iterable[Choice]) -> Choice | None:
    """What more than half of the annotators chose; None where there is no such thing."""
    counts = Counter(choices)
    return next((choice for choice, number in counts.items() if 2 * number > counts.total()), None)
