"""The ranking as it is shown: what page, card and `results` are made of."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchwright.benchmarks.leaderboards.board import Board
from benchwright.benchmarks.leaderboards.system_file import SystemFile
from benchwright.benchmarks.leaderboards.verdict import Costs, Figure, Verdict

RULES = "rules"
"""Who decided what nobody judged."""


@dataclass(frozen=True)
class Standing:
    """A system in a table."""

    system: SystemFile
    verdict: Verdict
    value: float | None
    """Of the table's metric, failed answers as 0."""
    low: float | None
    high: float | None
    ranks: tuple[int, int] | None
    """The best and the worst rank that its separated pairs leave open; None: ranked apart."""
    apart: str | None
    """Why it is ranked apart."""
    coverage: float
    """The share of the part's questions that it answered, abstentions too."""
    is_on_frontier: Mapping[str, bool]
    """Cost column → no other system of the table is at least as good for less."""
    """Those of `frontier.COST_COLUMNS` that the system names."""
    costs: Costs
    figures: Mapping[str, Figure]
    undecided: int = 0
    """Answers that the metric could not decide: they count as the worst value, and put nobody above the system."""


@dataclass(frozen=True)
class Table:
    """Systems that may be held against each other: one version, one part, one metric, one judge."""

    benchmark: str
    version: str
    part: str
    """`test`, `heldout`, or in a round `fresh`."""
    metric: str
    judge: str | None
    """Who judged, with its version; several and RULES with ` + ` between them; None: rules decided all."""
    higher_is_better: bool
    questions: int
    groups: int
    standings: tuple[Standing, ...]
    """The ranked by value, then those apart."""
    separated: tuple[tuple[int, ...], ...]
    """Of each ranked system the places of those from which it is separated."""
    note: str = ""


def table_figure(table: Table, standing: Standing) -> Figure | None:
    """What maintainers found of a system by the table's metric and judge; None where that is nothing."""
    if table.judge is None:
        return standing.figures.get(table.metric)
    judges = set(table.judge.split(" + ")) - {RULES}
    names = (name for name in standing.figures if name.startswith(f"{table.metric} "))
    figures = (standing.figures[name] for name in names)
    return next((each for each in figures if each.judge and set(each.judge.split(" + ")) == judges), None)


@dataclass(frozen=True)
class Move:
    """A system whose value or place another version of a metric or judge, or a newcomer, has changed."""

    when: str
    """ISO 8601, of the Hub's commit."""
    benchmark: str
    version: str
    part: str
    metric: str
    system: str
    """Its name in paths."""
    value_before: float | None
    value: float | None
    ranks_before: tuple[int, int] | None
    ranks: tuple[int, int] | None
    why: str


@dataclass(frozen=True)
class ShownTeam:
    """What came of a team's submission to a round."""

    team: str
    state: str
    """`scored`, `not revealed` or `refused`."""
    system: str | None = None
    """Its name in paths."""
    reason: str = ""
    gain: float | None = None
    """The memorisation gap: how much more it gets right on the public edition than of the same questions asked again in
    the round; a share. None: it is not on the leaderboard with the public edition."""
    low: float | None = None
    high: float | None = None
    """Of 95 %."""


@dataclass(frozen=True)
class ShownRound:
    """A round with a secret edition, as far as it has gone."""

    name: str
    edition: str
    """The repository of what was published."""
    benchmark: str
    version: str
    """Of the edition: of the tables that rank it."""
    questions: int
    groups: int
    opened: str
    closes: str
    """The first moment in which no commitment is taken."""
    revealed_until: str
    """The first moment in which no answers are taken; all ISO 8601, of the Hub."""
    commitment: str
    """The organisers'."""
    answers: str | None = None
    """Where the answers are; None: it is not revealed yet."""
    teams: tuple[ShownTeam, ...] = ()
    late: tuple[str, ...] = ()
    """Teams whose every commitment came too late."""


@dataclass(frozen=True)
class Standings:
    """All tables of a leaderboard."""

    repository: str
    board: Board
    tables: tuple[Table, ...]
    """The newest version of a benchmark first."""
    made_by: str
    """The version of benchwright."""
    moves: tuple[Move, ...] = ()
    """Who moved and why, the newest first; a bounded number."""
    rounds: tuple[ShownRound, ...] = ()
    """The newest first."""
