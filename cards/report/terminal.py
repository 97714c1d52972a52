"""A report in a terminal: the headline, consistency and coverage, forms and hops, 100 columns wide."""

import sys
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any

from benchwright.cards.report.format import NONE, amount, figure, interval, is_share, of, percent, readable, reasons

WIDTH = 100
Line = tuple[str, str, str, str]


def terminal_table(report: dict[str, Any]) -> str:
    """The report in short; plain text where stdout is no terminal."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    buffer = StringIO()
    console = Console(
        file=buffer, width=WIDTH, force_terminal=sys.stdout.isatty() and sys.stderr.isatty(), highlight=False
    )
    console.print(Text(_title(report), style="bold"))
    for line in _notes(report):
        console.print(Text(line, style="yellow"))

    def show(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for place, name in enumerate(head):
            table.add_column(name, justify="left" if place == 0 else "right", overflow="fold")
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        if rows:
            console.print(table)

    show(("over answerable questions", "value", "95 % interval", "of"), [*_headline(report), *_groups(report)])
    show(("slice", "correct", "95 % interval", "wrong", "abstained", "of"), list(_slices(report)))
    show(
        ("GRAMMAR, as published", "accuracy", "refined R", "retrieval", "gap / non-robust / robust"),
        list(_grammar(report)),
    )
    for line in _remarks(report):
        console.print(Text(line))
    return buffer.getvalue()


def _title(report: Mapping[str, Any]) -> str:
    system = report["system"]
    name = readable(system["name"], 60)
    return f"{report['benchmark']} {report['version']} · {name} ({system['kind']}) · {report['questions']:,} questions"


def _notes(report: Mapping[str, Any]) -> Iterator[str]:
    system, errors = report["system"], report["errors"]
    parts = [*(["reader"] if system["built_in_reader"] else []), *system["built_in_texts"]]
    if parts:
        yield f"Built-in {', '.join(parts)}: for trying things out and comparing, not for judging a real system."
    if errors["count"]:
        message = readable(errors["kinds"][0]["message"], 60)
        yield f"{errors['count']:,} errors of the system; the most frequent: {message}"


def _scaled(name: str, entry: Mapping[str, Any]) -> str:
    """A metric's name, and its scale where that is none of shares."""
    return name if is_share(entry) else f"{name} ({entry['range'][0]:g} to {entry['range'][1]:g})"


def _headline(report: Mapping[str, Any]) -> Iterator[Line]:
    for name, entry in report["metrics"].items():
        yield _scaled(name, entry), amount(entry), interval(entry), f"{entry['scored']:,} of {entry['total']:,}"
    outcomes = report["outcomes"]
    wrong = outcomes["wrong_answer_rate"]
    yield "wrong-answer rate", percent(wrong["value"]), interval(wrong), of(wrong)
    for name in ("precision", "recall"):
        entry = outcomes["abstention"][name]
        if entry["value"] is not None:
            yield f"abstention {name}", percent(entry["value"]), NONE, of(entry)


def _groups(report: Mapping[str, Any]) -> Iterator[Line]:
    both = report["consistency"]["all"]
    if both:
        of_groups = f"{both['groups']:,} of {both['total']:,} groups"
        yield "two wordings both right", percent(both["pair_consistency"]), interval(both), of_groups
        yield "within-group correlation", figure(both["within_group_correlation"], 3), NONE, f"{both['total']:,} groups"
    coverage = report["coverage"]
    for name, key in (("groups with any right answer", "competent"), ("groups the corpus can answer", "true")):
        if coverage.get(key) and coverage[key]["value"] is not None:
            yield name, percent(coverage[key]["value"]), NONE, f"{of(coverage[key])} groups"
    gaps = coverage["gaps"]
    if gaps["correct"]["total"]:
        yield "known gaps guessed right", percent(gaps["correct"]["value"]), NONE, of(gaps["correct"])
        yield "  expected by chance", percent(gaps["expected_by_chance"]["value"]), NONE, of(gaps["expected_by_chance"])


def _slices(report: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for name in ("form", "hops", "subset"):
        values = report["slices"][name]["values"]
        for entry in values if len(values) > 1 else ():
            counts, correct = entry["outcomes"], entry["metrics"].get("correct", {})
            yield (
                f"{name} {readable(entry['value'], 30)}",
                percent(correct.get("value")),
                interval(correct),
                f"{counts['wrong']:,}",
                f"{counts['abstained']:,}",
                f"{entry['questions']:,}",
            )


def _grammar(report: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for form, entry in report["grammar"]["forms"].items():
        groups = entry["groups"]
        yield (
            readable(form, 30),
            figure(entry["accuracy"]["value"]),
            figure(entry["refined_accuracy"]["value"]),
            figure(entry["retrieval"]["value"]),
            f"{groups['gap']:,} / {groups['non-robust']:,} / {groups['robust']:,}",
        )


def _remarks(report: Mapping[str, Any]) -> Iterator[str]:
    if report["grammar"]["forms"]:
        yield "R leaves out what failed entirely: it compares forms of one system and ranks no systems."
    unscored = {name: entry for name, entry in report["metrics"].items() if entry["reasons"]}
    for name, entry in list(unscored.items())[:1]:
        yield f"Unscored by {name}: {reasons(entry['reasons'])}."
