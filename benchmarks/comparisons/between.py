"""Two forms of one run held against each other: Table 2 of GRAMMAR's first version, with a test of pairs, or of two
samples, beside it.

The first side is the one that is expected to be robust. A figure succeeds where it is higher there. Errors of the
language model are removed by counting a question as right whose retrieval was right: the table then is of retrieval.
Known gaps are included, and groups are tagged within their side, as everywhere in GRAMMAR's figures.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchwright.benchmarks.comparisons.between_rows import (
    METHODS,
    NO_PARTS,
    NO_WORDINGS,
    SampleFacts,
    Sampling,
    Table2Row,
    corrected,
    sample_facts,
    table_row,
)
from benchwright.benchmarks.comparisons.between_samples import (
    LostQuestions,
    Sides,
    by_group,
    several,
    stratified,
    unbalanced,
)
from benchwright.benchmarks.comparisons.between_sides import Side, read_sides
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import in_condition, load_run
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Target

DRAWS = 20
_SAMPLING, _UNBALANCED = "sampling", "unbalanced"
"""A parameter of releases, and its value where some groups were given fewer wordings."""


@dataclass(frozen=True, slots=True)
class Between:
    """Two sides of one run. As JSON it is `between.json`, whose schema is `between.schema.json` beside this
    module; shares go from 0 to 1."""

    benchmark: str
    version: str
    content_hash: str
    run: str
    system: str
    condition: str
    column: str
    first: Side
    """Expected to be the robust one."""
    second: Side
    seed: int
    shared_groups: int
    """Of which both sides have two judged wordings."""
    wordings: int | None
    """Of each group in the stratified sample."""
    as_built: bool
    """The release was built unbalanced: then the unbalanced sample is the run as it stands, and nothing is drawn."""
    unit: Literal["table", "template"] | None
    """What loses questions in the unbalanced sample."""
    whole: str | None
    """The one that loses none."""
    lost: tuple[LostQuestions, ...]
    samples: tuple[SampleFacts, ...]
    retrieval_judged_by: str
    rows: tuple[Table2Row, ...]
    """In the paper's order."""
    built_in: tuple[str, ...]
    """What of answers and texts was made by rules, which are for trying things out."""
    draws: int = DRAWS
    method: str = METHODS["pairs"]
    """Of the tests."""
    correction: str = "Holm"
    target: Target = THIS_BENCHMARK
    """What intervals and tests speak of."""


def compare_between(
    release: Release, folder: Path, between: str, *, seed: int = 0, condition: str | None = None
) -> Between:
    """Table 2 of a run for two forms, or two values of another column of its questions.

    Args:
        release: what the run is of.
        folder: the run's.
        between: a column and two of its values, `form=short,long`; the first is expected to be robust.
        seed: of the unbalanced sample, and of what a stratified one leaves out.
        condition: what the system was given; None: its own retrieval, else the first that it was asked in.

    Raises:
        UsageError: `between` names no such column or values, or nothing was asked in the condition.
        BenchwrightError: the run cannot be read, is of another release, or has no groups or no judged question of a
            side.
    """
    run = in_condition(load_run(release, folder), condition)
    found = read_sides(run, between)
    whole: Sides = by_group(found.judged[0]), by_group(found.judged[1])
    names = found.sides[0].value, found.sides[1].value
    balanced = stratified(whole, seed)
    as_built = release.manifest.parameters.get(_SAMPLING) == _UNBALANCED
    can_lose = None if balanced is None or as_built else balanced[0]
    reduced = None if can_lose is None else unbalanced(can_lose, names, seed)
    tables = _samples(balanced, whole if as_built else reduced and reduced[0])
    others = [] if can_lose is None else [unbalanced(can_lose, names, seed + more) for more in range(DRAWS)]
    drawn = [each[0] for each in others if each is not None]
    rows = [
        table_row(figure, sampling, modular, tables[sampling], drawn)
        for figure in ("accuracy", "robustness")
        for sampling in ("unbalanced", "stratified")
        for modular in (False, True)
    ]
    done = {row.test.of for row in rows if row.test is not None}
    manifest, system = release.manifest, run.settings.system
    return Between(
        benchmark=manifest.name,
        version=manifest.version,
        content_hash=manifest.content_hash,
        run=folder.resolve().name,
        system=system.reference,
        condition=run.shown,
        column=found.column,
        first=found.sides[0],
        second=found.sides[1],
        seed=seed,
        shared_groups=len(set(several(whole[0])) & set(several(whole[1]))),
        wordings=None if balanced is None else balanced[1],
        as_built=as_built,
        unit=None if reduced is None else found.unit,
        whole=None if reduced is None else reduced[1],
        lost=() if reduced is None else reduced[2],
        samples=tuple(sample_facts(sampling, sides) for sampling, sides in tables.items()),
        retrieval_judged_by=found.retrieval_judged_by,
        rows=tuple(corrected(rows)),
        method="; ".join(METHODS[each] for each in METHODS if each in done) or METHODS["pairs"],
        built_in=(*(("reader",) if system.builtin else ()), *manifest.built_in_texts),
    )


def _samples(balanced: tuple[Sides, int] | None, reduced: Sides | None) -> dict[Sampling, Sides | str]:
    """Each sample, or why there is none."""
    if balanced is None:
        return {"unbalanced": NO_WORDINGS, "stratified": NO_WORDINGS}
    return {"unbalanced": NO_PARTS if reduced is None else reduced, "stratified": balanced[0]}


def between_schema() -> dict[str, Any]:
    """The JSON Schema of `between.json`."""
    from pydantic import TypeAdapter

    return TypeAdapter(Between).json_schema(mode="serialization")
