"""GRAMMAR-Eval as published, and beside it what does not depend on the number of wordings.

Li et al. 2024, GRAMMAR: Grounded and Modular Methodology for Assessment of Closed-Domain Retrieval-Augmented Language
Models, second version, section 4.3 and Table 3. A group is tagged within one form: its wordings in another form are
another group. A group of which a form has one wording alone is left out of that form's figures: with it, whoever
answers at random would be robust. Values are unrounded.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.reports.share import Share, share_of
from benchwright.benchmarks.statistics.consistency import pair_consistency, within_cluster_correlation
from benchwright.benchmarks.statistics.paired import PairedComparison, compare_pair

Tag = Literal["gap", "robust", "non-robust"]
RetrievalSource = Literal["judgements", "documents", "comparison", "none"]


@dataclass(frozen=True, slots=True)
class Row:
    """One question's result."""

    group: str
    form: str
    correct: bool
    retrieved: bool | None = None
    """Whether its retrieval was judged right."""
    contexts: tuple[str, ...] | None = ()
    """Ids of the documents that were retrieved; None where the system does not show that: its retrieval counts neither
    as right nor as wrong."""
    documents: tuple[str, ...] = ()
    """Ids of the gold documents, all of which are needed."""


@dataclass(frozen=True, slots=True)
class FormReport:
    """GRAMMAR's figures for the questions of one form, of the groups with two wordings or more."""

    form: str
    tags: Mapping[str, Tag]
    """By group."""
    once: int
    """Groups with one wording, which are left out."""
    is_balanced: bool
    """Every group has equally many wordings."""
    accuracy: Share
    """Of questions."""
    database_accuracy: Share
    """Equation 1: groups that are no gap, of all groups."""
    refined_accuracy: Share
    """Equation 2: correct questions, of those in groups that are no gap."""
    gap_share: Share
    """Questions in gap groups, of all: λ in Acc = R (1 - λ), equation 3."""
    retrieval: Share
    """"Context Comparison" in Table 3: questions whose retrieval is right, of those judged."""
    refined_retrieval: Share
    """The same within groups that are no gap by `correct`."""
    retrieval_source: RetrievalSource
    """What judged retrieval."""
    consistency: Share
    """Mean over groups of the chance that two of its wordings are both right; of the groups with two or more."""
    within_group_correlation: float | None
    """Of one question's outcome with another's of its group; None where it is undefined."""

    def count(self, tag: Tag) -> int:
        """How many groups have a tag."""
        return sum(each == tag for each in self.tags.values())


@dataclass(frozen=True, slots=True)
class FormComparison:
    """Two forms, each group with itself."""

    first: str
    second: str
    within_groups: PairedComparison | None
    """Of the accuracies of each group that both have, first minus second; None with fewer than two such groups."""
    shared: int
    """Groups that both have."""
    refined_difference: float | None
    """Difference of the two refined accuracies, as published: the forms may lack different groups."""


def _by_group(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.group, []).append(row)
    return found


def tag_group(outcomes: Sequence[bool]) -> Tag | None:
    """gap where no wording is answered rightly, robust where all are, else non-robust (section 4.3).

    None with fewer than two wordings: what another one would have got is not known.
    """
    if len(outcomes) < 2:
        return None
    return "robust" if all(outcomes) else "non-robust" if any(outcomes) else "gap"


def judge_retrieval(rows: Sequence[Row]) -> tuple[list[bool | None], RetrievalSource]:
    """Whether the retrieval of each row of one form was right, None where that is not known; and what judged it.

    Judgements that were supplied go first; else whether every gold document was retrieved, which it is not where there
    is none (a gap); else, of non-robust groups, a question is right that is answered rightly or shares a document with
    one of its group that is.
    """
    nothing: list[bool | None] = [None] * len(rows)
    if any(row.retrieved is not None for row in rows):
        return [row.retrieved for row in rows], "judgements"
    if all(row.contexts is None for row in rows):
        return nothing, "none"
    if any(row.documents for row in rows):
        return [
            None if row.contexts is None else bool(row.documents) and set(row.documents) <= set(row.contexts)
            for row in rows
        ], "documents"
    if not any(row.contexts for row in rows):
        return nothing, "none"
    sufficient: dict[str, set[str]] = {}
    for name, group in _by_group(rows).items():
        if tag_group([row.correct for row in group]) == "non-robust":
            sufficient[name] = {document for row in group if row.correct for document in row.contexts or ()}
    return [
        None
        if row.contexts is None or row.group not in sufficient
        else row.correct or not sufficient[row.group].isdisjoint(row.contexts)
        for row in rows
    ], "comparison"


def evaluate_form(rows: Sequence[Row]) -> FormReport:
    """GRAMMAR's figures for rows of one form.

    Raises:
        BenchwrightError: the rows are of several forms, or there are none.
    """
    forms = sorted({row.form for row in rows})
    if len(forms) != 1:
        raise BenchwrightError(
            f"GRAMMAR tags groups within one form, and these rows have {len(forms)}: pass one form's."
        )
    everything = _by_group(rows)
    groups = {name: group for name, group in everything.items() if len(group) > 1}
    outcomes = {name: [row.correct for row in group] for name, group in groups.items()}
    tags: dict[str, Tag] = {name: tag for name, correct in outcomes.items() if (tag := tag_group(correct)) is not None}
    competent = [name for name, tag in tags.items() if tag != "gap"]
    kept = [row for group in groups.values() for row in group]
    judged, source = judge_retrieval(kept)
    retrieval: dict[str, list[bool]] = {name: [] for name in groups}
    for row, is_right in zip(kept, judged, strict=True):
        if is_right is not None:
            retrieval[row.group].append(is_right)
    pairs = [
        pair for correct in outcomes.values() if (pair := pair_consistency(sum(correct), len(correct))) is not None
    ]
    return FormReport(
        form=forms[0],
        tags=tags,
        once=len(everything) - len(groups),
        is_balanced=len({len(group) for group in groups.values()}) < 2,
        accuracy=share_of([right for correct in outcomes.values() for right in correct]),
        database_accuracy=share_of([tag != "gap" for tag in tags.values()]),
        refined_accuracy=share_of([correct for name in competent for correct in outcomes[name]]),
        gap_share=share_of([tags[name] == "gap" for name, group in groups.items() for _ in group]),
        retrieval=share_of([right for judged in retrieval.values() for right in judged]),
        refined_retrieval=share_of([right for name in competent for right in retrieval[name]]),
        retrieval_source=source,
        consistency=Share(sum(pairs) / len(pairs) if pairs else None, len(pairs), len(everything)),
        within_group_correlation=within_cluster_correlation(list(outcomes.values())),
    )


def evaluate(rows: Iterable[Row]) -> dict[str, FormReport]:
    """GRAMMAR's figures per form, in the order in which the forms appear."""
    forms: dict[str, list[Row]] = {}
    for row in rows:
        forms.setdefault(row.form, []).append(row)
    return {form: evaluate_form(found) for form, found in forms.items()}


def compare_forms(rows: Iterable[Row], first: str, second: str, *, seed: int = 0) -> FormComparison:
    """Two forms compared within the groups that both have: paired, so that no form gains by the groups that it lacks.

    Raises:
        BenchwrightError: a form has no rows.
    """
    kept = [row for row in rows if row.form in (first, second)]
    reports = evaluate(kept)
    for form in (first, second):
        if form not in reports:
            raise BenchwrightError(f"no question of form {form!r} was scored: name one of the run's forms.")
    accuracies = {
        form: {
            name: sum(row.correct for row in group) / len(group)
            for name, group in _by_group(row for row in kept if row.form == form).items()
        }
        for form in (first, second)
    }
    shared = [name for name in accuracies[first] if name in accuracies[second]]
    one, two = (np.array([accuracies[form][name] for name in shared]) for form in (first, second))
    refined = [reports[form].refined_accuracy.value for form in (first, second)]
    return FormComparison(
        first=first,
        second=second,
        within_groups=compare_pair(one, two, np.arange(len(shared)), seed=seed),
        shared=len(shared),
        refined_difference=None if refined[0] is None or refined[1] is None else refined[0] - refined[1],
    )
