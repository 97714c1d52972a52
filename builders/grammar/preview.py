"""What GRAMMAR would ask of a database, before anything is built: an example of each template, and what is left out."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from benchwright.benchmarks.catalogue import load_spec
from benchwright.benchmarks.reports.blocks import Block, Column, Table, Text, foreign
from benchwright.benchmarks.reports.format import count
from benchwright.builders.base import BuildRequest
from benchwright.builders.grammar.build import NAME
from benchwright.builders.grammar.checks import count_checks
from benchwright.builders.grammar.ready import Ready, get_ready
from benchwright.builders.sql.filling.everything import Everything
from benchwright.builders.sql.filling.questions import WordedTemplate, group_ids, question_rows
from benchwright.builders.sql.filling.sample import LOOKED_AT, Sample
from benchwright.builders.sql.filling.shares import asked_table

_LONGEST = 200
"""Characters of a question or an answer that are shown."""
_GROUPS = 1
"""Where all groups are wanted, a sample shows what they are like."""


def preview(request: BuildRequest) -> Sequence[Block]:
    """Blocks that show what `build` would ask. See `preview` in `builders/base.py`."""
    with ExitStack() as stack:
        ready = get_ready(request, stack)
        worded = ready.prepared.worded
        asked = ready.asked
        if isinstance(asked, Everything):
            shown, groups = Sample(ready.filler, _GROUPS, request.seed, request.progress), None
            for _ in shown.look(worded):
                pass
        else:
            shown, groups = asked, _count_groups(asked, worded)
        tables: dict[str, list[WordedTemplate]] = {}
        for one in worded:
            tables.setdefault(asked_table(one.sql), []).append(one)
        blocks: list[Block] = [_summary(ready, groups)]
        for name in sorted(tables):
            rows = [row for one in tables[name] if (row := _row(shown, one, groups)) is not None]
            blocks.append(Table(foreign(f"{name}: {len(rows)} SQL templates"), _columns(groups), tuple(rows)))
        blocks += _left_out(ready, worded, groups)
    return blocks


def _count_groups(asked: Sample, worded: Iterable[WordedTemplate]) -> dict[str, int]:
    """Template's id → its groups that would be asked."""
    groups: dict[str, int] = {}
    for one, fillings in asked.fill(tuple(worded)):
        groups[one.sql.id] = groups.get(one.sql.id, 0) + len(fillings)
    return groups


def _summary(ready: Ready, groups: Mapping[str, int] | None) -> Text:
    """How much there is, and of what the figures are."""
    worded = ready.prepared.worded
    if groups is None:
        amount = f"All groups of {count(len(worded))} SQL templates would be asked"
    else:
        questions = sum(groups.get(one.sql.id, 0) * len(one.wordings) for one in worded)
        kind = "a sample: --set groups=0 asks all" if ready.asked.coverage else "all that there are"
        amount = (
            f"{count(sum(groups.values()))} groups ({kind}) of {count(len(groups))} SQL templates would be asked, in "
            f"{count(questions)} questions"
        )
    return Text(
        f"{amount}. Answers, how many of them differ and the share of the commonest are of up to {count(LOOKED_AT)} "
        "combinations of values that are drawn for each template."
    )


def _columns(groups: Mapping[str, int] | None) -> tuple[Column, ...]:
    names = ["for example", "answer", *(["groups"] if groups is not None else []), "answers", "differ", "commonest"]
    return tuple(Column(name, "left" if number < 2 else "right") for number, name in enumerate(names))


def _row(shown: Sample, worded: WordedTemplate, groups: Mapping[str, int] | None) -> tuple[Any, ...] | None:
    """A template's example and figures; nothing where it has no group."""
    filling = shown.example(worded)
    if filling is None:
        return None
    example = question_rows(worded, filling, group_ids(NAME, worded.sql, filling))
    question, answers = example.column("question")[0].as_py(), example.column("answers")[0].as_py()
    usual = shown.usual(worded)
    return (
        foreign(question, _LONGEST),
        foreign(", ".join(answers), _LONGEST),
        *([count(groups.get(worded.sql.id, 0))] if groups is not None else []),
        *(
            (count(usual.answers), count(usual.distinct), f"{100 * usual.share:.0f} %")
            if usual.answers
            else ("", "", "")
        ),
    )


def _left_out(ready: Ready, worded: Sequence[WordedTemplate], groups: Mapping[str, int] | None) -> list[Block]:
    """What would not be asked, and why; nothing where all is."""
    checks: Mapping[str, Any] = {"sql_templates_left_out": ready.prepared.left_out}
    if groups is not None:
        checks = count_checks(ready, [one for one in worded if groups.get(one.sql.id)], 0)
    known = load_spec(NAME).checks
    rows = []
    for name in ("sql_templates_left_out", "fillings_left_out"):
        about = known[name]
        for reason, number in checks.get(name, {}).items():
            if number:
                rows.append((f"{about['words']}: {about['entries'].get(reason, reason)}", count(number)))
    columns = (Column("what", "left"), Column("how many"))
    return [Table("Left out, and why", columns, tuple(rows))] if rows else []
