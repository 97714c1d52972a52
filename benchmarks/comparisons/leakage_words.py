"""Table 4 in words and blocks."""

from collections.abc import Iterator

from benchwright.benchmarks.comparisons.leakage import LeakedGroups
from benchwright.benchmarks.reports.blocks import Block, Column, Details, Listing, Table, Text, foreign
from benchwright.benchmarks.reports.failures.leakage import leakage_table
from benchwright.benchmarks.reports.format import count, figure, number_of

_SHOWN = 10
"""Open groups that a terminal shows."""
METHOD = (
    "Li, Liu and Gao 2024, second version, equation 1 and Table 4. Accuracy of the retrieval database is the share of "
    "groups that are no gap: a wording was answered rightly. Open-domain groups are those of which the model answers a "
    "wording rightly without any document, be it by chance. Groups are tagged within their form, and counted where two "
    "wordings or more were judged both ways; known gaps are included."
)


def leakage_sentence(found: LeakedGroups) -> str:
    """Both accuracies and the number of open groups, over all forms."""
    every = found.forms[0]
    said = (
        f"{count(every.open_groups)} of {number_of(every.with_open.total, 'group')} are open-domain: the model answers "
        "them without any document. "
    )
    before = f"The accuracy of the retrieval database is {figure(every.with_open.value, 2)} with open-domain queries"
    if every.without_open.value is None:
        return f"{said}{before}; without them there is none, as {every.without_open.reason}."
    return f"{said}{before} and {figure(every.without_open.value, 2)} without."


def leakage_blocks(found: LeakedGroups, shown: int | None = None) -> list[Block]:
    """The sentence, the table, and the open groups; of these at most so many."""
    blocks: list[Block] = [Text(foreign(leakage_sentence(found), 400)), leakage_table(found.forms)]
    blocks += [Text(foreign(f"{note[:1].upper()}{note[1:]}.", 400), "notice") for note in found.notes]
    blocks += _groups(found, shown)
    if found.left_out:
        said = "left out: fewer than two wordings were judged both ways"
        blocks.append(Listing((f"{number_of(found.left_out, 'group')} {said}.",)))
    return [*blocks, Text(METHOD, "small")]


def _groups(found: LeakedGroups, shown: int | None) -> Iterator[Block]:
    """The open groups, those that the model knows best first."""
    if not found.groups:
        return
    ordered = sorted(found.groups, key=lambda each: -each.right_alone / each.wordings)[:shown]
    columns = (
        Column("a question of the group"),
        Column("form", "left"),
        Column("right alone"),
        Column("right with retrieval"),
        Column("group", "left"),
    )
    rows = tuple(
        (
            foreign(each.question, 160),
            foreign(each.form, 40),
            f"{count(each.right_alone)} of {count(each.wordings)}",
            f"{count(each.right)} of {count(each.wordings)}",
            foreign(each.group, 40),
        )
        for each in ordered
    )
    more = len(found.groups) - len(rows)
    caption = f"Open-domain groups{f': {count(len(rows))} of {count(len(found.groups))}' if more else ''}"
    table = Table(caption, columns, rows, "wide")
    yield table if shown is not None else Details(f"Open-domain groups ({count(len(rows))})", (table,), is_open=True)


def brief_leakage(found: LeakedGroups) -> list[Block]:
    """The same with the first open groups."""
    return leakage_blocks(found, _SHOWN)
