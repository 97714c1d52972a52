"""Where the noise comes from: groups, wordings, repeats, the judge; and what asking more would buy."""

from collections.abc import Iterator, Mapping, Sequence

from benchwright.benchmarks.reports.blocks import (
    Block,
    Cell,
    Column,
    Range,
    Table,
    Text,
    foreign,
)
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import NONE, SHARE, count, figure, number_of, percent, sentence
from benchwright.benchmarks.reports.metrics.figures import headline_metrics, leading_metrics
from benchwright.benchmarks.reports.noise.sources import MetricNoise, NoiseOption, is_ungrouped, noise_figures
from benchwright.benchmarks.reports.section import Content, ReportSection

FEW_GROUPS = 40
"""With fewer the figures are rough: `scripts/measure/simulate_components.py` prints how much, in 19 of 20 runs."""
_JUDGED = 3
"""Judged metrics that are shown beside those that lead."""
_IN_TERMINAL = ("twice the groups", "twice the wordings", "ten more repeats", "as many groups as questions")
_UNGROUPED = {"groups": "questions"}


def there(run: RunData) -> bool:
    """Whether anything was scored."""
    return bool(noise_figures(run))


def compute(run: RunData) -> Content:
    """The parts of the variance of the leading metrics, and what other numbers of questions would make of it."""
    every = noise_figures(run)
    leading = [name for name in leading_metrics(headline_metrics(run)) if name in every] or list(every)[:1]
    leading += [name for name in every if name not in leading and headline_metrics(run)[name].judges][:_JUDGED]
    split = {name: every[name] for name in leading if not every[name].reason}
    blocks: list[Block] = []
    for name in leading:
        if reason := every[name].reason:
            blocks.append(Text((foreign(name, 60), f": not available because {reason}."), "missing"))
    if not split:
        return Content(blocks, ())
    said = (
        "How much of what a score varies by is due to which group was asked, to its wording, to the try, and to the "
        "judge; and half the width that the mean's 95 % interval would have, were more asked. The target is this "
        "benchmark: what is drawn are its groups. For new templates and entities it is more of those that would help."
    )
    rename = _UNGROUPED if is_ungrouped(run) else {}
    first = next(iter(split.values()))
    blocks += [Text(_named(said, rename), "soft"), _part_table(split, rename)]
    blocks += [Text(said, "small") for said in dict.fromkeys(_not_told_apart(split, rename))]
    ranges = {name: headline_metrics(run)[name].range for name in split}
    blocks.append(_option_table(split, ranges, rename))
    if first.groups < FEW_GROUPS:
        rough = f"Rough: {number_of(first.groups, 'group')} say little of their own noise."
        blocks.append(Text(_named(rough, rename)))
    return Content(blocks, list(_brief(split, ranges, rename)))


def _not_told_apart(split: Mapping[str, MetricNoise], rename: Mapping[str, str]) -> Iterator[str]:
    for noise in split.values():
        for part in noise.parts:
            if reasons := [noise.not_told[level] for level in part.of[1:] if level in noise.not_told]:
                yield sentence(f"{_part_name(part.of, rename)} cannot be told apart: {'; '.join(reasons)}.")


def _named(text: str, rename: Mapping[str, str]) -> str:
    """The text with other words: of a benchmark without groups, questions are what is drawn."""
    for word, other in rename.items():
        text = text.replace(word, other).replace(word.removesuffix("s"), other.removesuffix("s"))
    return text


def _part_name(of: Sequence[str], rename: Mapping[str, str]) -> str:
    names = [rename.get(level, level) for level in of]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _part_table(split: Mapping[str, MetricNoise], rename: Mapping[str, str]) -> Table:
    names = list(dict.fromkeys(part.of for noise in split.values() for part in noise.parts))
    columns = (Column("metric"), *(Column(_part_name(of, rename)) for of in names))
    rows: list[tuple[Cell, ...]] = []
    for metric, noise in split.items():
        shares = {part.of: percent(part.share) for part in noise.parts}
        rows.append((foreign(metric, 60), *(shares.get(of, NONE) for of in names)))
    return Table("Of the variance of one score", columns, tuple(rows), "fit")


def _option_table(split: Mapping[str, MetricNoise], ranges: Mapping[str, Range], rename: Mapping[str, str]) -> Table:
    columns = [Column("asked"), Column("answers")]
    columns += [Column((foreign(name, 40), ", ±" + (" points" if ranges[name] == SHARE else ""))) for name in split]
    first = next(iter(split.values()))
    rows: list[tuple[Cell, ...]] = []
    for option in first.options:
        cells: list[Cell] = [_named(option.name, rename), count(option.answers)]
        for name, noise in split.items():
            same = next((each for each in noise.options if each.name == option.name), None)
            cells.append(NONE if same is None else _half_width(same, ranges[name]))
        rows.append(tuple(cells))
    return Table("What asking more or less would make of the interval", tuple(columns), tuple(rows), "fit")


def _half_width(option: NoiseOption, scale: Range) -> str:
    factor, digits = (100, 1) if scale == SHARE else (1, 2)
    least, most = (figure(factor * value, digits) for value in (option.least, option.most))
    return f"±{most}" if least == most else f"±{least} to ±{most}"


def _brief(split: Mapping[str, MetricNoise], ranges: Mapping[str, Range], rename: Mapping[str, str]) -> Iterator[Block]:
    """In a terminal the first metric alone, in two sentences."""
    name, noise = next(iter(split.items()))
    parts = ", ".join(f"{_part_name(part.of, rename)} {percent(part.share, 0)}" for part in noise.parts)
    options = ", ".join(
        f"with {_named(each.name, rename)} {_half_width(each, ranges[name])}"
        for each in noise.options
        if each.name in _IN_TERMINAL
    )
    points = " points" if ranges[name] == SHARE else ""
    now = _half_width(noise.options[0], ranges[name])
    yield Text(("Noise of ", foreign(name, 60), f": {parts}. Its interval: {now}{points}; {options}."))


SECTION = ReportSection("noise", "Where the noise comes from", compute, order=105, applies=there)
