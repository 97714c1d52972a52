"""The worst groups: what was asked, what was answered, and what the system answered from, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.reports.answers.outcomes import attempt_outcomes, judged_questions
from benchwright.benchmarks.reports.answers.shown_blocks import contexts_shown, evidence_shown
from benchwright.benchmarks.reports.answers.shown_texts import (
    ShownContext,
    ShownEvidence,
    evidence_texts,
    question_texts,
    shown_evidence,
    shown_prediction,
)
from benchwright.benchmarks.reports.blocks import (
    Block,
    Definition,
    Definitions,
    Details,
    Inline,
    Panel,
    SideBySide,
    Span,
    Text,
    Tone,
    cut,
    foreign,
    missing,
    soft,
)
from benchwright.benchmarks.reports.columns import Codes, RunData
from benchwright.benchmarks.reports.format import NONE, count, hops
from benchwright.benchmarks.reports.grammar_figures import Tag
from benchwright.benchmarks.reports.groups import Group, collect, has_wordings
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run
from benchwright.benchmarks.reports.sections.groups import TONES
from benchwright.benchmarks.reports.sections.outcomes import outcome_figures

GROUPS_SHOWN = 12
QUESTIONS_SHOWN = 4
_OUTCOME_TONES: Mapping[str, Tone] = {"correct": "good", "wrong": "bad"}


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """One question of a group with what was answered."""

    id: str
    question: str
    form: str | None
    outcome: str
    reason: str | None
    """What `correct` said."""
    answer: str | None
    error: str | None
    contexts: tuple[ShownContext, ...]
    more_contexts: int
    evidence_in_more: bool
    shows_retrieval: bool = False
    """Where there are no contexts: none were found; else none were handed in."""


@dataclass(frozen=True, slots=True)
class WorstGroup:
    """A group to look at."""

    group: str
    tag: Tag | None
    """None where only one wording was judged."""
    correct: int
    """Of its wordings."""
    total: int
    template: str | None
    hops: str | None
    kind: str | None
    gold: tuple[str, ...]
    evidence: tuple[ShownEvidence, ...]
    questions: tuple[ShownAnswer, ...]
    more_questions: int


@per_run
def worst_groups(run: RunData) -> tuple[WorstGroup, ...]:
    """Groups to look at, of the headline's, with their texts."""
    groups = choose_worst(run)
    shown = {group.code: members_shown(group) for group in groups}
    rows = question_texts(run, [place for places in shown.values() for place in places])
    texts = evidence_texts(run.release, [item for row in rows.values() for item in row.evidence])
    outcomes, reasons = attempt_outcomes(run).names, _reasons(run)
    found = []
    for group in groups:
        places, first = [place for place in shown[group.code] if place in rows], group.members[0]
        answers = []
        for place in places:
            row = rows[place]
            said = shown_prediction(run, place, {item: texts[item][1] for item in row.evidence if item in texts})
            answers.append(
                ShownAnswer(
                    id=run.questions.ids[place],
                    question=row.question,
                    form=row.form,
                    outcome=outcomes[place],
                    reason=reasons.get(place),
                    answer=said.answer,
                    error=said.error,
                    contexts=said.contexts,
                    more_contexts=said.more_contexts,
                    evidence_in_more=said.evidence_in_more,
                    shows_retrieval=said.shows_retrieval,
                )
            )
        found.append(
            WorstGroup(
                group=run.questions.group.at(first) or run.questions.ids[first],
                tag=group.tag,
                correct=sum(group.outcomes),
                total=len(group.outcomes),
                template=run.questions.template.at(first),
                hops=run.questions.hops.at(first),
                kind=run.questions.kind.at(first),
                gold=rows[places[0]].gold if places else (),
                evidence=shown_evidence(rows[places[0]].evidence, texts) if places else (),
                questions=tuple(answers),
                more_questions=len(group.members) - len(places),
            )
        )
    return tuple(found)


def choose_worst(run: RunData, limit: int = GROUPS_SHOWN) -> list[Group]:
    """In turn one group that is never right and one that is right for some wordings.

    From numbers of hops in turn and of those from templates in turn, so that neither fills the list; within a template
    those with most wrong answers first.
    """
    groups = collect(run.questions, judged_questions(run), run.questions.headline)
    template, hops_codes = run.questions.template.codes, run.questions.hops.codes
    failed = [group for group in groups if not all(group.outcomes)]
    ordered = sorted(failed, key=lambda group: sum(group.outcomes) - len(group.outcomes))
    queues = [
        _in_turn(_in_turn([group for group in ordered if any(group.outcomes) == some], template), hops_codes)
        for some in (False, True)
    ]
    found: list[Group] = []
    while len(found) < limit and any(queues):
        found += [queue.pop(0) for queue in queues if queue]
    return found[:limit]


def _in_turn(groups: Sequence[Group], codes: Codes) -> list[Group]:
    """The groups, one of each code in turn, in the order of the codes; those of one code keep theirs."""
    seen: dict[int, int] = {}
    keyed = []
    for group in groups:
        code = int(codes[group.members[0]])
        seen[code] = seen.get(code, 0) + 1
        keyed.append((seen[code], code, group))
    return [group for _, _, group in sorted(keyed, key=lambda entry: entry[:2])]


def members_shown(group: Group, limit: int = QUESTIONS_SHOWN) -> list[int]:
    """The questions of a group that are shown, spread over it: of a non-robust group wrong ones and right ones."""
    wrong, right = (
        [place for place, outcome in zip(group.members, group.outcomes, strict=True) if outcome == wanted]
        for wanted in (False, True)
    )
    kept_right = min(len(right), max(limit // 2, limit - len(wrong)))
    return _spread(wrong, limit - kept_right) + _spread(right, kept_right)


def _spread(places: Sequence[int], limit: int) -> list[int]:
    """So many of the places, evenly spaced."""
    number = min(limit, len(places))
    return [places[place * len(places) // number] for place in range(number)]


def _reasons(run: RunData) -> dict[int, str]:
    """Question → the reason that `correct` gave for its first answer."""
    found: dict[int, str] = {}
    rows = run.rows("correct", run.shown)
    for row in rows.tolist():
        code = run.reasons.codes[row, run.metrics.index("correct")]
        if code >= 0:
            found.setdefault(int(run.question[row]), cut(run.reasons.names[code], 300))
    return found


def compute(run: RunData) -> Content:
    """Each group folded, the first open."""
    groups, counts = worst_groups(run), outcome_figures(run).headline
    if not groups:
        nothing = "not available because no answer was judged"
        if counts.correct:
            nothing = "no question that the corpus can answer was answered wrongly"
        return Content([missing(nothing)], ())
    said = (
        f"{len(groups)} groups that the documents can answer, from different templates: some that no wording got "
        "right, and some that only some wordings did."
    )
    if not has_wordings(run):
        said = (
            f"{len(groups)} questions that the documents can answer and the system did not, from different templates."
        )
    folded = [_folded(group, is_open=not place) for place, group in enumerate(groups)]
    return Content([Text(said), *folded], ())


def _folded(group: WorstGroup, *, is_open: bool) -> Details:
    asked = group.questions[0].question if group.questions else group.group
    summary: list[str | Span] = [Span(group.tag, "pill", TONES[group.tag])] if group.tag else []
    told = f"{count(group.correct)} of {count(group.total)} right" if group.tag else ""
    told = ", ".join(part for part in (told, hops(group.hops) if group.hops else "") if part)
    summary += [foreign(asked, 160), soft(f" – {told}" if told else "")]
    gold: Inline = Span(cut("; ".join(group.gold), 400), "strong", foreign=True) if group.gold else NONE
    items = [Definition("Gold", gold)]
    for number, item in enumerate(group.evidence, start=1):
        name = f"Evidence {number}" if len(group.evidence) > 1 else "Evidence"
        items.append(Definition(name, evidence_shown(item)))
    blocks: list[Block] = [Definitions(tuple(items)), *(_answer(answer) for answer in group.questions)]
    if group.more_questions:
        more = f"{count(group.more_questions)} more wordings of this group are not shown."
        blocks.append(Text(more, "small"))
    return Details(tuple(summary), tuple(blocks), is_open)


def _answer(answer: ShownAnswer) -> SideBySide:
    asked: Inline = ("Question · ", foreign(answer.form, 30)) if answer.form else "Question"
    outcome = Span(answer.outcome, "pill", _OUTCOME_TONES.get(answer.outcome, "quiet"))
    said = foreign(answer.answer, 700) if answer.answer else soft("no answer")
    blocks = [Text((outcome, said))]
    if answer.error:
        blocks.append(Text(("error: ", foreign(answer.error, 300)), "small"))
    if answer.reason:
        blocks.append(Text((foreign(answer.reason, 300),), "small"))
    return SideBySide(
        (
            Panel(asked, (Text((foreign(answer.question, 600),)),)),
            Panel("Answer", tuple(blocks)),
            Panel("Contexts", tuple(contexts_shown(answer))),
        )
    )


SECTION = ReportSection("worst", "Worst groups", compute, order=70)
