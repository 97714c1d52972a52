"""`correct` by rule and by a judge, side by side: counts, agreement, and the answers in which they differ."""

from benchwright.benchmarks.judgments import judge_name
from benchwright.benchmarks.reports.blocks import (
    Block,
    Column,
    Definition,
    Definitions,
    Details,
    Inline,
    Table,
    Text,
    foreign,
    soft,
)
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import NONE, count, number_of
from benchwright.benchmarks.reports.metrics.agreement_blocks import share_with_limits, with_limits
from benchwright.benchmarks.reports.metrics.rule_and_judge import (
    BY_JUDGE,
    BY_RULE,
    JUDGE,
    RULE,
    RuleAndJudge,
    SaidOfAnswer,
    rule_and_judge,
)
from benchwright.benchmarks.reports.section import Content, ReportSection


def compute(run: RunData) -> Content:
    """A line, the counts, and the answers folded."""
    found = rule_and_judge(run)
    line = Text(_line(found))
    blocks: list[Block] = [line, _counts(found), Text(_HOW, "small")]
    differing = [each for each in found.listed if each.by_rule != "not decided"]
    undecided = [each for each in found.listed if each.by_rule == "not decided"]
    if differing:
        blocks.append(Text(f"Where they differ: {_shown(len(differing), found.differing)}", "heading"))
        blocks += [_answer(each, is_open=not place) for place, each in enumerate(differing)]
    if undecided:
        total = sum(number for name, number in found.counts["not decided"].items() if name != "unscored")
        blocks.append(Text(f"What rules do not decide and the judge does: {_shown(len(undecided), total)}", "heading"))
        blocks += [_answer(each) for each in undecided]
    return Content(blocks, (line,), found)


def _shown(shown: int, total: int) -> str:
    return number_of(total, "answer") if shown == total else f"{count(shown)} of {count(total)} answers"


def _line(found: RuleAndJudge) -> Inline:
    judges = ", ".join(judge_name(each) for each in found.judges) or "a judge"
    who = (f"{RULE} (rules) and {JUDGE} (", foreign(judges, 120), ")")
    undecided = found.counts["not decided"]
    right, number = undecided["Correct"], undecided["Correct"] + undecided["Incorrect"]
    left = f" Of {number_of(number, 'answer')} that the rules do not decide the judge calls {count(right)} right."
    rest = left if number else ""
    if found.agreement is None:
        return (*who, f" score no answer together.{rest}")
    same, kappa = found.agreement.same, found.agreement.kappa
    beyond = f", kappa {with_limits(kappa)}" if kappa is not None else ""
    of = f" say the same of {share_with_limits(same)} of {number_of(found.agreement.answers, 'answer')}{beyond};"
    return (*who, f"{of} they differ in {count(found.differing)}.{rest}")


def _counts(found: RuleAndJudge) -> Table:
    columns = (Column("rules"), *(Column(f"judge: {name}") for name in BY_JUDGE))
    rows = tuple((name, *(count(found.counts[name][other]) for other in BY_JUDGE)) for name in BY_RULE)
    return Table("What rules say in rows, what the judge says in columns", columns, rows, "fit")


def _answer(each: SaidOfAnswer, *, is_open: bool = False) -> Details:
    said = f" – rules: {each.by_rule}, judge: {each.by_judge}"
    items = (
        Definition("Gold", foreign("; ".join(each.gold), 600) if each.gold else NONE),
        Definition("Answer", foreign(each.answer, 700) if each.answer else soft("no answer")),
        Definition("Rules", foreign(each.rule_reason or NONE, 400)),
        Definition("Judge", foreign(each.judge_reason or NONE, 400)),
    )
    return Details((foreign(each.question, 160), soft(said)), (Definitions(items),), is_open)


def applies(run: RunData) -> bool:
    """Whether the run is scored by both."""
    return rule_and_judge(run).reason is None


_HOW = (
    "Answers to questions that the documents can answer, of which either says something. Not decided: the rules cannot"
    " read the answer and leave it unscored. Agreement and Cohen's kappa are over answers that both score, with"
    " intervals of 95 % by semantic group. Neither is the truth: look at where they differ."
)

SECTION = ReportSection("rule-and-judge", "Right by rule and by a judge", compute, order=116, applies=applies)
