"""What people are asked about a run: each answer of a sample, and the steps that a judge took over it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from benchwright.benchmarks.annotations.choices import choices_of, question_of
from benchwright.benchmarks.annotations.items import STEP_CHOICES, Item, Shown, Stretch, Task, Work
from benchwright.benchmarks.annotations.steps import JudgedStep, steps_of
from benchwright.benchmarks.judgments import Judgment, chosen_judges, stored_judgments, verdicts_of
from benchwright.benchmarks.predictions import Key
from benchwright.benchmarks.reports.answers.details import DetailedAnswer, DetailedContext, Limits, detailed_answers
from benchwright.benchmarks.reports.answers.every import run_answers
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.metrics.human_sample import DrawnAnswer, HumanSample
from benchwright.benchmarks.runs.run import JUDGMENTS

LENGTHS = (20_000, 6_000, 2_000, 700)
"""Characters of each context: the first with which all texts stay within the budget."""
BUDGET = 40_000_000
"""Characters of all texts of a page; what the shortest contexts take where even they are more."""
_LIMITS = Limits(answer=1_000_000, gold=20_000, contexts=50)
NO_STEPS = "There are no steps of a judge to look at: no model judged these answers."


def run_work(run: RunData, name: str, sample: HumanSample, metrics: Sequence[str], *, has_texts: bool = True) -> Work:
    """The answers of a sample as items.

    Args:
        run: in the sample's condition.
        name: of the sample.
        sample: which answers.
        metrics: by which people judge each of them.
        has_texts: False: only the tasks, to check what was said.

    Raises:
        UsageError: people cannot judge by one of the metrics.
    """
    asked = {metric: (question_of(metric), choices_of(metric)) for metric in metrics}
    steps = _steps(run, sample)
    items = []
    for answer in sample.answers:
        tasks = [
            Task(metric, ask, choices, {**_line(answer), "metric": metric}) for metric, (ask, choices) in asked.items()
        ]
        tasks += [_step_task(answer, step) for step in steps.get((answer.id, answer.condition, answer.repeat), ())]
        items.append(Item(item_id(answer), tuple(tasks)))
    notes = [] if any(steps.values()) else [NO_STEPS]
    work = Work(
        kind="run",
        title=f"{run.folder.name} on {run.release.manifest.name} {run.release.manifest.version}",
        name=name,
        hash=sample.hash,
        items=tuple(items),
        groups={item_id(answer): answer.group or answer.id for answer in sample.answers},
        notes=tuple(notes),
    )
    return _with_texts(run, work, sample) if has_texts else work


def item_id(answer: DrawnAnswer) -> str:
    """Names an answer: no two of a sample share it, which is of one condition."""
    return f"{answer.repeat}:{answer.id}"


def _line(answer: DrawnAnswer) -> dict[str, str | int]:
    return {"id": answer.id, "condition": answer.condition, "repeat": answer.repeat}


def _step_task(answer: DrawnAnswer, step: JudgedStep) -> Task:
    metric = step.shown.metrics[0]
    traced = {"name": step.name, "hash": step.hash, "prompt": step.prompt, "judge": step.judge}
    line = {
        **_line(answer),
        "metric": metric,
        "candidate": step.candidate,
        "trace": {"step": {**traced, "metrics": list(step.shown.metrics)}},
    }
    ask = f"Is this step right? {step.shown.title}"
    return Task(f"{metric} {step.candidate}", ask, STEP_CHOICES, line, step.shown)


def _steps(run: RunData, sample: HumanSample) -> dict[Key, list[JudgedStep]]:
    """Prediction → the steps of the judges whose verdicts the run's scores are."""
    path = run.folder / JUDGMENTS
    if not path.is_file():
        return {}
    wanted = {(each.id, each.condition, each.repeat) for each in sample.answers}
    there = [each for each in stored_judgments(path) if each.prediction in wanted and each.judge.kind == "model"]
    chosen = chosen_judges(there, before=run.settings.scoring.judges)
    found = verdicts_of(there, chosen)
    return {key: steps_of(_in_order(run, found[key])) for key in found}


def _in_order(run: RunData, verdicts: Mapping[str, Judgment]) -> dict[str, Judgment]:
    """By metric, in the order in which the run has them."""
    order = {name: place for place, name in enumerate(run.metrics)}
    return dict(sorted(verdicts.items(), key=lambda pair: (order.get(pair[0], len(order)), pair[0])))


def _with_texts(run: RunData, work: Work, sample: HumanSample) -> Work:
    """The work with what there is to read, and with a note where contexts had to be cut."""
    answers = run_answers(run)
    rows = {
        (run.questions.ids[question], repeat): row
        for row, (question, repeat) in enumerate(zip(answers.question.tolist(), answers.repeat.tolist(), strict=True))
    }
    wanted = {rows[each.key]: item_id(each) for each in sample.answers}
    length, texts = LENGTHS[0], dict[str, tuple[Shown, ...]]()
    for length in LENGTHS:
        found = {wanted[each.row]: each for each in detailed_answers(run, length, set(wanted), _LIMITS)}
        texts = {name: tuple(_texts(each)) for name, each in found.items()}
        if sum(len(said) for each in texts.values() for shown in each for said, _ in shown.text) <= BUDGET:
            break
    items = tuple(replace(item, texts=texts[item.id]) for item in work.items)
    notes = work.notes
    if length != LENGTHS[0]:
        notes = (*notes, f"Of each context the page has {length:,} characters, for there are many.")
    return replace(work, items=items, notes=notes)


def _texts(answer: DetailedAnswer) -> list[Shown]:
    found = [Shown("Question", "question", ((answer.question, False),))]
    gold = "; ".join(answer.gold)
    found.append(Shown("True answer", "gold", ((gold, False),) if gold else (), "" if gold else "there is none"))
    for document, stretches in answer.evidence:
        found.append(Shown(f"Evidence in {document}", "evidence", stretches))
    said: tuple[Stretch, ...] = () if answer.answer is None else ((answer.answer, False),)
    note = "" if answer.answer is not None else "the system abstained" if answer.error is None else "no answer"
    found.append(Shown("Answer", "answer", said, note))
    contexts = [_context(place, each) for place, each in enumerate(answer.contexts, start=1)]
    if answer.more_contexts:
        note = f"{answer.more_contexts:,} more are left out"
        contexts.append(Shown("Further contexts", "context", (), note))
    return [*found, *contexts]


def _context(place: int, context: DetailedContext) -> Shown:
    name = f"{place}. {context.id or 'context'}"
    note = {True: "holds evidence", False: "no evidence", None: ""}[context.holds_evidence]
    if context.text is None:
        note = "given by its id alone"
    return Shown(name, "context", context.text or (), note, "good" if context.holds_evidence else "quiet")
