"""What people are asked: answers with their texts, the steps of a judge each once, choices by the metric's scale."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from annotated import Annotated, judgments, make_annotated, predictions, write_lines
from report_cases import make_release, make_run

from benchwright.benchmarks.annotations import run_items
from benchwright.benchmarks.annotations.choices import choices_of, question_of
from benchwright.benchmarks.annotations.items import in_order
from benchwright.benchmarks.annotations.run_items import NO_STEPS
from benchwright.benchmarks.annotations.steps import steps_of
from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.judgments import Judge, Judgment
from benchwright.benchmarks.predictions import Context
from benchwright.cards.annotate.page import keys_of


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> Annotated:
    return make_annotated(tmp_path_factory.mktemp("annotated"))


def test_an_answer_with_its_texts_and_the_steps_of_its_judge(annotated: Annotated) -> None:
    """Two metrics share the statements: they are asked about once. What rules derived is not asked about."""
    work = annotated.work(4, ("correct", "truthfulness"))
    assert (work.kind, work.name, work.title, len(work.items), work.notes) == (
        "run", "sample-1", "mine on small 1.0.0", 4, ()
    )  # fmt: skip
    assert len(work.hash) == 16 and set(work.groups) == {item.id for item in work.items}
    item = work.items[0]
    answer, grade, statements, verdicts = item.tasks
    assert [task.id.partition(" ")[0] for task in item.tasks] == [
        "correct",
        "truthfulness",
        "faithfulness",
        "faithfulness",
    ]
    assert answer.line == {"id": item.id[2:], "condition": "own", "repeat": 0, "metric": "correct"}
    assert [each.value for each in grade.choices] == [1, 2, 3, 4, 5, None]
    assert statements.step is not None and verdicts.step is not None and answer.step is None
    assert (statements.step.metrics, statements.step.judge) == (("faithfulness", "ragas_fact"), "gpt-9")
    assert statements.step.outcomes == ("faithfulness 0.5: 1 of 2 statements supported = 0.5", "ragas_fact 0.5")
    assert re.fullmatch(r"step:judge_statements:[0-9a-f]{16}", str(statements.line["candidate"]))
    assert verdicts.step.columns == ("statements", "reason", "supported")
    assert verdicts.step.rows[1] == ("There is an office.", "No.", "no")
    assert verdicts.line["trace"]["step"]["metrics"] == ["faithfulness"]
    roles = [(each.role, each.title, each.note) for each in item.texts]
    assert roles == [
        ("question", "Question", ""),
        ("gold", "True answer", ""),
        ("evidence", "Evidence in d1", ""),
        ("answer", "Answer", ""),
        ("context", "1. d1", "holds evidence"),
        ("context", "2. d2", "no evidence"),
    ]
    assert [said for said, is_evidence in item.texts[4].text if is_evidence] == ["Oslo"]


def test_without_texts_the_tasks_are_the_same(annotated: Annotated) -> None:
    whole, bare = annotated.work(4), annotated.work(4, has_texts=False)
    assert [item.tasks for item in whole.items] == [item.tasks for item in bare.items]
    assert not any(item.texts for item in bare.items)


def test_a_run_without_a_judge_has_answers_alone(tmp_path: Path) -> None:
    work = make_annotated(tmp_path, has_judge=False).work(3)
    assert (work.tasks, work.notes) == (3, (NO_STEPS,))


def test_people_and_rules_leave_no_steps_and_one_judge_is_taken(tmp_path: Path) -> None:
    """Of two models the one with more verdicts; what it could not say is nothing to judge."""
    made = make_annotated(tmp_path)
    lines = list(judgments())
    other = [{**line, "judge": {"kind": "model", "name": "gpt-1"}} for line in lines[:6]]
    human = [{**line, "judge": {"kind": "human", "name": "Ann"}, "metric": "relevance"} for line in lines]
    failed = {"step": "judge_verdicts", "inputs": "x", "prompt": "p", "error": "refusal: no"}
    broken = [{**line, "metric": "answer_relevance", "value": None, "trace": {"steps": [failed]}} for line in lines[:2]]
    write_lines(made.folder / "judgments.jsonl", [*other, *human, *lines, *broken])
    steps = [task.step for item in made.work(12).items for task in item.tasks if task.step is not None]
    assert len(steps) == 24 and {step.judge for step in steps} == {"gpt-9"}


def test_long_texts_are_cut_only_where_there_are_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer of 50,000 words is whole; contexts become shorter until all texts fit, which is said."""
    release = make_release(tmp_path / "release")
    words = "word " * 50_000
    long = [replace(predictions()[0], id="halden-0", answer=words, contexts=(Context(text="x" * 30_000),))]
    made = Annotated(tmp_path, make_run(release, tmp_path / "run", long))
    (item,) = made.work(1).items
    texts = {each.role: "".join(said for said, _ in each.text) for each in item.texts}
    assert texts["answer"] == words and texts["context"] == "x" * 20_000 + "… (10,000 more characters)"
    monkeypatch.setattr(run_items, "BUDGET", 258_000)
    work = made.work(1)
    assert work.notes[-1] == "Of each context the page has 6,000 characters, for there are many."


def test_pages_have_orders_of_their_own(annotated: Annotated) -> None:
    items = annotated.work(12).items
    one, other = ([item.id for item in in_order(items, page)] for page in ("sample-1-ada", "sample-1-ben"))
    assert sorted(one) == sorted(other) and one != other
    assert one == [item.id for item in in_order(items[::-1], "sample-1-ada")]


@pytest.mark.parametrize(
    ("metric", "names", "keys"),
    [
        ("correct", ["right", "wrong", "unclear"], "123"),
        ("truthfulness", ["1", "2", "3", "4", "5", "unclear"], "123456"),
        ("faithfulness", ["fully", "partly", "not", "unclear"], "1234"),
        ("retrieved", ["right", "wrong", "unclear"], "123"),
    ],
)
def test_choices_are_those_of_the_metrics_scale(metric: str, names: list[str], keys: str) -> None:
    choices = choices_of(metric)
    assert [each.name for each in choices] == names and "".join(keys_of(choices)) == keys
    assert question_of(metric)


def test_grades_from_0_to_10_have_keys() -> None:
    from benchwright.benchmarks.annotations.items import CANNOT_TELL, Choice

    assert keys_of([*(Choice(str(n), str(n), float(n)) for n in range(11)), CANNOT_TELL]) == [*"0123456789", "x", "t"]


def test_a_metric_that_there_is_not() -> None:
    with pytest.raises(UsageError, match="there is no metric 'corect' that answers are judged by"):
        choices_of("corect")


def test_a_step_is_another_once_its_judge_said_something_else(tmp_path: Path) -> None:
    """What people said of the one is not held to be of the other; nor is it another for being of one more metric."""
    made = make_annotated(tmp_path)
    lines = list(judgments())
    write_lines(made.folder / "judgments.jsonl", [line for line in lines if line["metric"] == "faithfulness"])
    alone = [task.line["candidate"] for item in made.work(3).items for task in item.tasks if task.step is not None]
    write_lines(made.folder / "judgments.jsonl", lines)
    shared = [task.line["candidate"] for item in made.work(3).items for task in item.tasks if task.step is not None]
    assert alone == shared
    for line in lines:
        line["trace"]["steps"][0]["output"]["statements"][0] += " So it is."
    write_lines(made.folder / "judgments.jsonl", lines)
    again = [task.line["candidate"] for item in made.work(3).items for task in item.tasks if task.step is not None]
    assert [one == other for one, other in zip(alone, again, strict=True)] == [False, True] * 3


def test_verdicts_on_numbered_things_are_shown_with_the_things() -> None:
    """A judge of nuggets names them by their numbers: a person sees what each verdict is on."""
    asked = {"nugget": 1, "reason": "It says so.", "support": "full"}, {"nugget": 2, "reason": "No.", "support": "none"}
    rows = [{"nugget": text, "support": each["support"]} for text, each in zip(("Oslo", "1921"), asked, strict=True)]
    steps = [
        {"step": "judge_nuggets", "inputs": "a", "prompt": "b" * 64, "output": {"verdicts": list(asked)}},
        {"step": "nugget_recall", "inputs": "c", "output": {"arithmetic": "1 of 2 = 0.5", "rows": rows}},
    ]
    judgment = Judgment("q1", "nugget_recall", 0.5, judge=Judge("model", "gpt-9"), trace={"steps": steps})
    (step,) = steps_of({"nugget_recall": judgment})
    assert step.shown.columns == ("nugget", "support")
    assert step.shown.rows == (("Oslo", "full"), ("1921", "none"))
    unnamed = replace(judgment, trace={"steps": steps[:1]})
    assert steps_of({"nugget_recall": unnamed})[0].shown.columns == ("reason", "support")


def test_verdicts_are_shown_with_what_they_are_on_where_a_statement_was_listed_twice() -> None:
    """They come in another order than the statements, of which one stands twice in the reply before."""
    verdicts = [{"number": n, "explanation": f"Of {n}.", "supported": n == 1} for n in (2, 1)]
    rows = [
        {"statement": text, "explanation": f"Of {n}.", "supported": n == 1} for n, text in ((1, "Tall."), (2, "Old."))
    ]
    steps = [
        {"step": "judge_statements", "prompt": "a" * 64, "output": {"statements": ["Tall.", "Tall.", "Old."]}},
        {"step": "judge_verdicts", "prompt": "b" * 64, "output": {"verdicts": verdicts}},
        {"step": "faithfulness", "inputs": "c", "output": {"arithmetic": "1 of 2 = 0.5", "rows": rows}},
    ]
    judgment = Judgment("q1", "faithfulness", 0.5, judge=Judge("model", "gpt-9"), trace={"steps": steps})
    _, step = steps_of({"faithfulness": judgment})
    assert step.shown.columns == ("statement", "explanation", "supported")
    assert step.shown.rows == (("Tall.", "Of 1.", "yes"), ("Old.", "Of 2.", "no"))
    steps[0]["output"] = {"statements": ["Tall.", "Old."]}
    _, step = steps_of({"faithfulness": replace(judgment, trace={"steps": steps})})
    assert [row[:2] for row in step.shown.rows] == [("Tall.", "Of 1."), ("Old.", "Of 2.")]
