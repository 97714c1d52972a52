"""A run whose judge left its steps, for people to judge; and what a page of theirs would save."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from report_cases import DOCUMENTS, QUESTIONS, Case, make_release, make_run

from benchwright.benchmarks.annotations.items import Item, Task, Work
from benchwright.benchmarks.annotations.run_items import run_work
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.reports.columns import RunData, load_run
from benchwright.benchmarks.reports.metrics.human_sample import draw_sample, write_sample
from benchwright.benchmarks.types import Question
from benchwright.scripts.annotate import main
from benchwright.scripts.score_metric import main as score_metric

GROUPS = 12
PROMPT = "0123456789abcdef" * 4
Choose = Callable[[Item, Task], str | None]
"""The name of the choice of a task; None: it is not judged."""


def questions() -> list[Question]:
    """Two wordings of each group."""
    first = QUESTIONS[0]
    return [replace(first, id=f"g{group}-{n}", group=f"g{group}") for group in range(GROUPS) for n in range(2)]


def predictions() -> list[Prediction]:
    """Every third answer is wrong."""
    contexts = tuple(Context(id=document.id, text=document.text) for document in DOCUMENTS[:2])
    return [
        Prediction(question.id, "Perth" if place % 3 == 2 else "It is in Oslo.", contexts=contexts)
        for place, question in enumerate(questions())
    ]


def judgments() -> Iterator[dict[str, Any]]:
    """Two metrics of one judge that share their first step."""
    judge = {"kind": "model", "name": "gpt-9", "version": "0123456789ab"}
    for each in predictions():
        statements = step(
            "judge_statements", each.id, {"statements": [f"{each.answer} is said.", "There is an office."]}
        )
        rows = [
            {"number": 1, "reason": "It is said.", "supported": True},
            {"number": 2, "reason": "No.", "supported": False},
        ]
        verdicts = step("judge_verdicts", each.id, {"verdicts": rows})
        share = {"step": "share", "inputs": each.id, "output": {"arithmetic": "1 of 2 statements supported = 0.5"}}
        for metric, steps in (("faithfulness", [statements, verdicts, share]), ("ragas_fact", [statements])):
            yield {"id": each.id, "metric": metric, "value": 0.5, "judge": judge, "trace": {"steps": steps}}


def step(name: str, inputs: str, output: Any) -> dict[str, Any]:
    """A step in which the model was asked."""
    return {"step": name, "inputs": f"{inputs}-hash", "prompt": PROMPT, "output": output, "raw": json.dumps(output)}


def write_lines(path: Path, lines: Iterable[dict[str, Any]]) -> Path:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@dataclass(frozen=True)
class Annotated:
    """A run that people judge, and the command."""

    root: Path
    case: Case

    @property
    def folder(self) -> Path:
        """The run's."""
        return self.case.folder

    def run(self, *arguments: str | Path) -> Result:
        """`annotate`, on this run."""
        return self._call(main, self.folder, *arguments)

    def score(self, *arguments: str | Path) -> Result:
        """`score-metric`, on this run."""
        return self._call(score_metric, self.folder, *arguments)

    def _call(self, command: Any, *arguments: str | Path) -> Result:
        roots = ("--release", self.root / "release", "--runs", self.root / "runs", "--releases", self.root)
        return CliRunner().invoke(command, [str(each) for each in (*arguments, *roots)])

    def data(self) -> RunData:
        """The run, read."""
        return load_run(self.case.release, self.folder)

    def work(self, size: int = 5, metrics: tuple[str, ...] = ("correct",), **options: Any) -> Work:
        """What people are asked about a sample of it."""
        run = self.data()
        sample = draw_sample(run, size)
        return run_work(run, write_sample(run.folder, sample), sample, metrics, **options)

    def saved(self, work: Work, name: str, choose: Choose, **trace: Any) -> Path:
        """A file as somebody's page saves it."""
        path = self.root / f"{name.lower()}.jsonl"
        return write_lines(path, saved_lines(work, name, choose, **trace))


def saved_lines(work: Work, name: str, choose: Choose, page: str | None = None, **more: Any) -> list[dict[str, Any]]:
    """What a page saves, in the order of the work."""
    found = []
    for item in work.items:
        for task in item.tasks:
            choice = task.choice(choose(item, task))
            if choice is not None:
                line = dict(task.line)
                of = "sample" if work.kind == "run" else "release"
                stamp = {of: work.name, "work": work.hash, "page": page or f"{work.name}-{name.lower()}"}
                trace = {**line.pop("trace", {}), **stamp, "choice": choice.name, **more}
                if work.kind == "release":
                    said = {"annotator": name, "choice": choice.value, "resolved": False}
                else:
                    said = {"judge": {"kind": "human", "name": name}, "value": choice.value}
                found.append({**line, **said, "trace": trace})
    return found


def make_annotated(root: Path, *, has_judge: bool = True) -> Annotated:
    """The run."""
    release = make_release(root / "release", questions(), DOCUMENTS)
    case = make_run(release, root / "runs" / "small" / "1.0.0" / "mine", predictions())
    if has_judge:
        write_lines(case.folder / "judgments.jsonl", judgments())
    return Annotated(root, case)


def right(item: Item, task: Task) -> str:
    """Says right of everything."""
    return "right"
