"""Measures how far `correct` agrees with people's verdicts on answers.

    python -m benchwright.scripts.measure.agreement [FILE ...] [--misses]

A line of a file is {"question", "answers", "aliases", "answer", "outcome"}: the outcome is what people said, correct,
wrong or abstained. With "confusable", a list of other values, the answer is judged beside them. Without a file, the
tables of this checkout are taken: hard answers, and ordinary ones as five kinds of systems give them to open questions.
"written" says when: before the rules were made, while they were, or after.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from benchwright.benchmarks.metrics.answers.judge import judge_answer
from benchwright.benchmarks.metrics.answers.values import prepare_values

CASES = Path(__file__).parents[2] / "tests" / "cases"
TABLES = ("hard_answers.jsonl", "ordinary_answers.jsonl")


@dataclass(frozen=True)
class Agreement:
    """How verdicts by rule stand to people's."""

    cases: int
    undecided: int
    right_refused: int
    wrong_accepted: int
    wrong: int
    """That people call wrong or abstained."""

    @property
    def decided(self) -> int:
        """Cases that the rules decided."""
        return self.cases - self.undecided

    @property
    def agreed(self) -> int:
        """Decided cases on which both say the same: right, or not right."""
        return self.decided - self.right_refused - self.wrong_accepted

    def __str__(self) -> str:
        share = f"{100 * self.agreed / self.decided:.1f} %" if self.decided else "none"
        accepted = f"{100 * self.wrong_accepted / self.wrong:.1f} %" if self.wrong else "none"
        decided = f"{100 * self.decided / max(self.cases, 1):.1f} %"
        wrong = f"{accepted} ({self.wrong_accepted} of {self.wrong})"
        return (
            f"{self.cases:>6,} cases, {decided} decided, {share} of these as people say; wrong ones accepted: {wrong}"
        )


def read_cases(path: Path) -> list[dict[str, Any]]:
    """The cases of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def outcome_of(case: Mapping[str, Any]) -> tuple[str, str]:
    """The outcome of a case by rule, and the reason."""
    judged = judge_answer(
        case["answer"],
        question=case["question"],
        answers=tuple(case["answers"]),
        aliases=tuple(map(tuple, case.get("aliases", ()))),
        answer_type=case.get("answer_type", "one"),
        values=prepare_values((value, ()) for value in case.get("confusable", ())),
    )
    return judged.outcome, judged.reason


def agreement(cases: Iterable[Mapping[str, Any]]) -> Agreement:
    """How often the rules say what people said: right, or not right."""
    counts: Counter[str] = Counter()
    for case in cases:
        outcome, is_right = outcome_of(case)[0], case["outcome"] == "correct"
        counts["cases"] += 1
        counts["wrong"] += not is_right
        counts["undecided"] += outcome == "unscored"
        counts["right_refused"] += is_right and outcome in ("wrong", "abstained")
        counts["wrong_accepted"] += not is_right and outcome == "correct"
    names = ("cases", "undecided", "right_refused", "wrong_accepted", "wrong")
    return Agreement(*(counts[name] for name in names))


def _misses(cases: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for case in cases:
        outcome, reason = outcome_of(case)
        if (outcome == "correct") != (case["outcome"] == "correct"):
            yield (
                f"{case['outcome']} by people, {outcome} ({reason})\n    question  {case['question']}\n"
                f"    gold      {'; '.join(case['answers'])}\n    answer    {' '.join(case['answer'].split())[:300]}"
            )


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--misses", is_flag=True, help="Also print each case on which rules and people differ.")
@click.option("--quick", is_flag=True, help="Only 100 cases of each file, to see that the program works.")
def main(files: tuple[Path, ...], misses: bool, quick: bool) -> None:
    """Measure how far `correct` agrees with people's verdicts and print what was found."""
    for path in files or [CASES / name for name in TABLES]:
        cases = read_cases(path)[: 100 if quick else None]
        click.echo(f"{path.stem}: {agreement(cases)}")
        for name in ("written", "system", "kind"):
            for value in sorted({case[name] for case in cases if name in case}):
                click.echo(f"  {name} {value:<18} {agreement(case for case in cases if case.get(name) == value)}")
        for line in _misses(cases) if misses else ():
            click.echo(line)


if __name__ == "__main__":
    main()
