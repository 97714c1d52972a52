"""What each run took for the same small talk as another, text by text: what an agent spares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from benchwright.benchmarks.comparisons.compared import ComparedRun
from benchwright.benchmarks.comparisons.effort import MOST_RUNS
from benchwright.benchmarks.comparisons.figures import CONFIDENCE
from benchwright.benchmarks.reports.prediction_facts import amounts_of, lines_of
from benchwright.benchmarks.runs.run import SMALLTALK
from benchwright.benchmarks.runs.smalltalk import smalltalk
from benchwright.benchmarks.statistics.paired import compare_pair

Amount = Literal["tokens", "retrievals"]
AMOUNTS: tuple[Amount, ...] = ("tokens", "retrievals")


@dataclass(frozen=True, slots=True)
class SmalltalkDifference:
    """An amount of one run minus that of another, of one text of small talk on average."""

    run: str
    reference: str
    amount: Amount
    """Tokens in and out together, or retrievals."""
    texts: int
    """To which both have an answer that says the amount."""
    mean: float | None
    reference_mean: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    """By sign flips of single texts."""
    separated: bool
    confidence: float
    """Of the interval: 95 % of all that are shown together (Bonferroni)."""
    reason: str | None = None
    """Why there is no difference."""


def smalltalk_differences(runs: Sequence[ComparedRun], baseline: str | None) -> tuple[SmalltalkDifference, ...]:
    """Each run that was asked small talk against the baseline, else against the first such run; of many runs none."""
    asked = {run.name: _amounts(run) for run in runs if (run.folder / SMALLTALK).is_file()}
    if len(runs) > MOST_RUNS or len(asked) < 2:
        return ()
    reference = baseline if baseline in asked else next(iter(asked))
    confidence = 1 - (1 - CONFIDENCE) / (len(AMOUNTS) * (len(asked) - 1))
    return tuple(
        _difference(name, reference, amount, asked, confidence)
        for name in asked
        if name != reference
        for amount in AMOUNTS
    )


def _amounts(run: ComparedRun) -> dict[str, dict[str, float]]:
    """Text → what its answer took, as far as it says it."""
    found: dict[str, dict[str, float]] = {}
    for _, values in lines_of(run.folder / SMALLTALK):
        if values is None or values.get("id") not in smalltalk():
            continue
        if values.get("answer") is None and not values.get("abstained"):
            continue
        said = amounts_of(values)
        tokens = {"tokens": said["input_tokens"] + said.get("output_tokens", 0)} if "input_tokens" in said else {}
        retrievals = {"retrievals": said["retrievals"]} if "retrievals" in said else {}
        found[str(values["id"])] = {**tokens, **retrievals}
    return found


def _difference(
    name: str,
    reference: str,
    amount: Amount,
    asked: Mapping[str, Mapping[str, Mapping[str, float]]],
    confidence: float,
) -> SmalltalkDifference:
    mine, other = asked[name], asked[reference]
    texts = sorted(text for text in mine if amount in mine[text] and amount in other.get(text, {}))
    first, second = (np.array([taken[text][amount] for text in texts], dtype=float) for taken in (mine, other))
    found = compare_pair(first, second, np.arange(len(texts)), limits=None, confidence=confidence)
    if found is None:
        why = f"the answers of both to {len(texts)} of the same texts say their {amount}"
        return SmalltalkDifference(
            name, reference, amount, len(texts), None, None, None, None, None, None, False, confidence, why
        )
    return SmalltalkDifference(
        run=name,
        reference=reference,
        amount=amount,
        texts=len(texts),
        mean=found.first,
        reference_mean=found.second,
        difference=found.value,
        low=found.low,
        high=found.high,
        p=found.p,
        separated=found.separated,
        confidence=confidence,
    )
