"""What comes of people's verdicts, in short: who did how much, how far they agree, what is open."""

from collections.abc import Iterator, Mapping

from benchwright.benchmarks.annotations.agreement import (
    PeopleOfDimension,
    agreement_by_sort,
    agreement_on_pairs,
    sort_of,
)
from benchwright.benchmarks.annotations.exports import Said
from benchwright.benchmarks.annotations.items import UNCLEAR
from benchwright.benchmarks.annotations.merge import How, Merged, Verdict
from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Inline, Listing, Table, Text, cut, foreign, soft
from benchwright.benchmarks.reports.format import count, number_of
from benchwright.benchmarks.reports.metrics.agreement_blocks import share_with_limits, with_limits
from benchwright.benchmarks.reports.pairs.blocks import KAPPAS, two_alike

_NAME, _LISTED = 60, 10
_HOW: Mapping[How, str] = {
    "agreed": "agreed",
    "one": "by one person",
    "majority": "by most of several",
    "resolved": "resolved",
    "divided": "divided",
}


def summary_blocks(merged: Merged) -> Iterator[Block]:
    """What a terminal shows of a merge."""
    total = merged.work.tasks
    done = ", ".join(f"{name} {count(number)} of {count(total)}" for name, number in sorted(merged.done.items()))
    judged = ", ".join(f"{count(merged.counts[how])} {said}" for how, said in _HOW.items() if merged.counts.get(how))
    yield Text((foreign(done or "nobody", 600), soft(" questions done. "), f"{judged}; {_open(merged)} open."))
    unclear = sum(verdict.choice == UNCLEAR for verdict in merged.verdicts)
    if unclear:
        yield Text(f"{number_of(unclear, 'verdict')} of these say that it is unclear, which counts as none.", "small")
    swayed = sum(each.more.get("is_blind") is True and each.more.get("first") is not None for each in _said(merged))
    if swayed:
        yield Text(f"{number_of(swayed, 'verdict')} on answers changed once the judge was seen.", "small")
    yield from _agreement(merged)
    if len(merged.done) == 1:
        yield Text(f"Only {next(iter(merged.done))} judged, so that there is no agreement to compute.", "small")
    elsewhere = sum(not said.page for verdict in merged.verdicts for said in verdict.said)
    if elsewhere:
        yield Text(
            f"{number_of(elsewhere, 'label')} from elsewhere: that they are of this version shows in their ids alone.",
            "small",
        )
    if merged.disputed:
        yield Text("To be settled:")
        about = {item.id: item.about for item in merged.work.items}
        yield Listing(tuple(_dispute(each, about[each.item]) for each in merged.disputed[:_LISTED]))
        if len(merged.disputed) > _LISTED:
            yield Text(f"and {count(len(merged.disputed) - _LISTED)} more", "small")
    if merged.repeated:
        yield Text(f"{number_of(merged.repeated, 'verdict')} stood there more than once, and count once.", "small")
    for page, one, other in merged.shared_pages:
        said = f"{cut(one, _NAME)} and {cut(other, _NAME)} both filled in {cut(page, _NAME)}, in one order"
        yield Text((foreign(f"{said}: are these two people? Then make a page for each with --pages.", 300),), "small")
    if merged.replaced:
        yield Text(f"{number_of(merged.replaced, 'verdict')} of an earlier merge gave way to newer ones.", "small")
    if merged.lost_steps:
        yield Text(
            f"{number_of(merged.lost_steps, 'verdict')} on steps that the run's judgments no longer hold: left out.",
            "small",
        )


def _said(merged: Merged) -> list[Said]:
    """What each person said of answers, whose steps they look at after that."""
    return [each for verdict in merged.verdicts for each in verdict.said if verdict.task.step is None]


def _open(merged: Merged) -> str:
    return count(merged.work.tasks - len(merged.verdicts))


def _agreement(merged: Merged) -> Iterator[Block]:
    if merged.work.kind == "release":
        yield from _agreement_on_pairs(merged)
    elif rows := tuple(_rows(merged)):
        names = ("asked", "people", "same", "kappa", "both judged")
        yield Table("How far people agree, with intervals of 95 %", tuple(map(Column, names)), rows, "fit")


def _agreement_on_pairs(merged: Merged) -> Iterator[Block]:
    found = list(agreement_on_pairs(merged))
    if not found:
        if len(merged.done) > 1:
            yield Text("No two people chose from the same pair, so that there is no agreement to compute.", "small")
        return
    is_of_two = len({each.names for each in found}) == 1
    who = _names(found[0]) if is_of_two else "people"
    columns = ("dimension", *(() if is_of_two else ("people",)), "chose the same", "kappa", "kappa unordered", "pairs")
    rows = tuple(
        (
            each.dimension.replace("_", " "),
            *(() if is_of_two else (foreign(_names(each), 2 * _NAME),)),
            two_alike(each.agreement),
            with_limits(each.agreement.kappa),
            with_limits(each.agreement.kappa_unordered),
            count(each.agreement.same.total),
        )
        for each in found
    )
    caption = f"How far {who} agree, with intervals of 95 %"
    yield Table((foreign(caption, 2 * _NAME + 60),), tuple(map(Column, columns)), rows, "fit")
    yield Text(KAPPAS, "small")


def _names(each: PeopleOfDimension) -> str:
    return " and ".join(cut(name, _NAME) for name in each.names) or f"any two of {each.agreement.people}"


def _two(one: str, other: str) -> Inline:
    return foreign(one, _NAME), " and ", foreign(other, _NAME)


def _rows(merged: Merged) -> Iterator[tuple[Cell, ...]]:
    for sort, found in agreement_by_sort(merged).items():
        for pair in found.pairs:
            same = share_with_limits(pair.same)
            yield (
                foreign(sort, _NAME),
                _two(pair.first, pair.second),
                same,
                with_limits(pair.kappa),
                count(pair.answers),
            )
        if len(found.judges) > 2:
            everybody = f"any two of {len(found.judges)}"
            yield (foreign(sort, _NAME), everybody, "", with_limits(found.fleiss), count(found.answers))


def _dispute(verdict: Verdict, question: str) -> Inline:
    said = ", ".join(f"{each.annotator} {each.choice}" for each in verdict.said)
    of = str(verdict.task.line.get("id", verdict.task.line.get("pair_id")))
    shown = (foreign(question, 100), " ") if question else ()
    return (*shown, foreign(f"{of} ({sort_of(verdict.task)})", 120), ": ", foreign(said, 200))
