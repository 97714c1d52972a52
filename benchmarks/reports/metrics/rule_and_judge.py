"""`correct` by rule beside `semantic_match` by a judge: how far they agree, and where they differ.

Both hold the same answers against the same true answer. The rules leave unscored what they cannot read; what the judge
says of that is counted apart.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchwright.benchmarks.reports.answers.outcomes import abstained_rows
from benchwright.benchmarks.reports.answers.shown_texts import question_texts, shown_prediction
from benchwright.benchmarks.reports.blocks import cut
from benchwright.benchmarks.reports.columns import Ints, RunData
from benchwright.benchmarks.reports.metrics.judge_agreement import JudgePair, pair_of
from benchwright.benchmarks.reports.section import per_run

RULE, JUDGE = "correct", "semantic_match"
NOT_BOTH = f"not available because the run is not scored by both {RULE}, by rule, and {JUDGE}, by a judge"
BY_RULE = ("right", "wrong", "abstained", "not decided")
BY_JUDGE = ("Correct", "Incorrect", "unscored")
SHOWN = 30
"""Answers that are listed, of those that they differ in and of those that the rules do not decide."""


@dataclass(frozen=True, slots=True)
class SaidOfAnswer:
    """What both say of one answer."""

    id: str
    question: str
    gold: tuple[str, ...]
    answer: str | None
    by_rule: str
    """One of BY_RULE."""
    rule_reason: str | None
    by_judge: str
    """One of BY_JUDGE."""
    judge_reason: str | None


@dataclass(frozen=True, slots=True)
class RuleAndJudge:
    """Rule and judge over the answers to the headline's questions, in the condition shown."""

    reason: str | None
    """Why there are no figures."""
    judges: tuple[str, ...] = ()
    answers: int = 0
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """What the rules say → what the judge says → answers."""
    agreement: JudgePair | None = None
    """Over the answers that both score."""
    differing: int = 0
    listed: tuple[SaidOfAnswer, ...] = ()
    """First repeats that they differ in, from all groups in turn, then such as the rules do not decide."""


@per_run
def rule_and_judge(run: RunData) -> RuleAndJudge:
    """The figures of a run."""
    rows = _rows(run)
    if not len(rows):
        return RuleAndJudge(NOT_BOTH)
    rule, judge = run.metrics.index(RULE), run.metrics.index(JUDGE)
    is_ruled, is_judged = run.is_scored[rows, rule], run.is_scored[rows, judge]
    ruled, judged = run.values[rows, rule], run.values[rows, judge]
    first = np.select([~is_ruled, abstained_rows(run, rows), ruled > 0.5], [3, 2, 0], default=1)
    second = np.select([~is_judged, judged > 0.5], [2, 0], default=1)
    both = is_ruled & is_judged
    differs = both & ((ruled > 0.5) != (judged > 0.5))
    undecided = ~is_ruled & is_judged
    who = run.judges.codes[rows, judge]
    shown = [*_spread(run, rows[differs]), *_spread(run, rows[undecided])]
    places = {int(row): place for place, row in enumerate(rows)}
    said = {row: (BY_RULE[first[places[row]]], BY_JUDGE[second[places[row]]]) for row in shown}
    return RuleAndJudge(
        reason=None,
        judges=tuple(run.judges.names[code] for code in np.unique(who[who >= 0]).tolist()),
        answers=len(rows),
        counts={
            name: {other: int(((first == one) & (second == two)).sum()) for two, other in enumerate(BY_JUDGE)}
            for one, name in enumerate(BY_RULE)
        },
        agreement=pair_of(RULE, JUDGE, ruled[both], judged[both], run.clusters[rows[both]]) if both.any() else None,
        differing=int(differs.sum()),
        listed=tuple(_listed(run, said)),
    )


def _rows(run: RunData) -> Ints:
    """The attempts that rules looked at and of which a judge has something to say."""
    rows = run.rows(JUDGE, run.shown)
    if not len(rows) or RULE not in run.metrics:
        return rows[:0]
    rule, judge = run.metrics.index(RULE), run.metrics.index(JUDGE)
    is_judged = run.is_scored[rows, judge].any() and (run.judges.codes[rows, judge] >= 0).any()
    by_rule = run.is_listed[rows, rule] & (run.judges.codes[rows, rule] < 0)
    kept = rows[by_rule & run.questions.headline[run.question[rows]]]
    either = run.is_scored[kept, rule] | run.is_scored[kept, judge]
    return kept[either] if is_judged else kept[:0]


def _spread(run: RunData, rows: Ints) -> list[int]:
    """So many first repeats at the most: one wording of each semantic group, then a second of each, and so on."""
    seen: Counter[int] = Counter()
    ranked: list[tuple[int, int]] = []
    for row in rows[run.repeat[rows] == 0].tolist():
        cluster = int(run.clusters[row])
        ranked.append((seen[cluster], row))
        seen[cluster] += 1
    return [row for _, row in sorted(ranked)[:SHOWN]]


def _listed(run: RunData, said: Mapping[int, tuple[str, str]]) -> Sequence[SaidOfAnswer]:
    texts = question_texts(run, [int(run.question[row]) for row in said])
    found: list[SaidOfAnswer] = []
    for row, (by_rule, by_judge) in said.items():
        place = int(run.question[row])
        if place not in texts:
            continue
        shown = shown_prediction(run, place, {})
        found.append(
            SaidOfAnswer(
                id=run.questions.ids[place],
                question=texts[place].question,
                gold=texts[place].gold,
                answer=shown.answer,
                by_rule=by_rule,
                rule_reason=_reason(run, row, RULE),
                by_judge=by_judge,
                judge_reason=_reason(run, row, JUDGE),
            )
        )
    return found


def _reason(run: RunData, row: int, metric: str) -> str | None:
    code = run.reasons.codes[row, run.metrics.index(metric)]
    return cut(run.reasons.names[code], 400) if code >= 0 else None
