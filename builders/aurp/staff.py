"""The people of Aurp: ranks, a reporting tree, and who may lead what."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from benchwright.benchmarks.data_files import read_toml
from benchwright.builders.aurp import names
from benchwright.builders.aurp.draws import Draw, fraction
from benchwright.builders.aurp.schema import STANDARD
from benchwright.builders.aurp.sizes import Sizes
from benchwright.builders.aurp.world import Employee

RANK_SHARES = (0.08, 0.16, 0.30)
"""Shares of the ranks below the chief executive; the lowest rank takes the rest."""
HIRED = ((1992, 1999), (1993, 2009), (1996, 2012), (1999, 2012), (2005, 2012))
"""Years in which people of each rank were hired: before the first project starts."""


@dataclass(frozen=True, slots=True)
class Staff:
    """The employees, and the keys of those who may be pointed at; nobody with a namesake is."""

    employees: tuple[Employee, ...]
    unique: tuple[int, ...]
    senior: tuple[int, ...]
    directors: tuple[int, ...]
    managers: tuple[int, ...]

    def lead_project(self, draw: Draw) -> tuple[int, int]:
        """A director and a manager of a project: two people."""
        director = draw.pick(self.directors)
        return director, self.other_manager(draw, {director})

    def other_manager(self, draw: Draw, taken: set[int]) -> int:
        """Someone who may manage a project and is not taken."""
        while (manager := draw.pick(self.managers)) in taken:
            continue
        return manager

    def lead_package(self, draw: Draw) -> int:
        """Someone who may lead a work package."""
        return draw.pick(self.unique)


def _ranks(row_names: Sequence[str], seed: int) -> list[int]:
    """A rank for each row; the first row leads the company, and people with a namesake have the lowest rank."""
    count = len(row_names)
    seen = Counter(row_names)
    able = [row for row in range(1, count) if seen[row_names[row]] == 1]
    order = Draw("value", seed, "ranks").shuffled(able)
    ranks = [len(RANK_SHARES) + 1] * count
    ranks[0] = 0
    for rank, share in enumerate(RANK_SHARES, 1):
        for row in order[: max(4, int(count * share))]:
            ranks[row] = rank
        order = order[max(4, int(count * share)) :]
    return ranks


def make_staff(row_names: Sequence[str], many: Sizes, seed: int, names_seed: int) -> Staff:
    """Employees with titles, departments and supervisors, who stand one rank higher, so that there is no circle."""
    values, departments = read_toml(__package__, "values.toml"), names.parts()["departments"]["names"]
    technical = [key for key, name in enumerate(departments, 1) if name not in values]
    ranks = _ranks(row_names, seed)
    by_rank: list[list[int]] = [[] for _ in range(len(RANK_SHARES) + 2)]
    department: list[int] = []
    for row, rank in enumerate(ranks):
        draw = Draw("value", seed, "department of", row)
        anywhere = rank == len(RANK_SHARES) + 1 and draw.chance(0.4)
        department.append(draw.between(1, len(departments)) if anywhere else draw.pick(technical))
        by_rank[rank].append(row)
    nulls = {c.name: c.nulls if many.nulls else 0.0 for c in STANDARD.table("employee").columns}
    extensions = Draw("value", seed, "extensions").shuffled(range(2001, 2001 + 3 * len(row_names) + 40))
    colleagues: dict[tuple[int, int], list[int]] = {}
    for row, rank in enumerate(ranks):
        colleagues.setdefault((rank, department[row]), []).append(row)
    rows: list[Employee] = []
    for row, name in enumerate(row_names):
        key, rank, draw = row + 1, ranks[row], Draw("value", seed, "employee", row)
        kind = values.get(departments[department[row] - 1], values["technical"])
        titles = kind["titles"] if isinstance(kind["titles"][0], str) else kind["titles"][rank]
        above = colleagues.get((rank - 1, department[row]), by_rank[rank - 1]) if rank else []
        day = date(draw.between(*HIRED[rank]), draw.between(1, 12), draw.between(1, 28))

        def present(column: str, value: str, key: int = key) -> str | None:
            return None if fraction("null", names_seed, "employee", key, column) < nulls[column] else value

        rows.append(
            Employee(
                id=key,
                name=name,
                job_title=draw.pick(titles),
                department_id=department[row],
                office_id=draw.between(1, many.offices),
                supervisor_id=draw.pick(above) + 1 if above else None,
                hired_on=day.isoformat(),
                specialism=present("specialism", draw.pick(kind["specialisms"])),
                degree=present("degree", draw.pick(kind["degrees"])),
                extension=str(extensions[row]),
            )
        )
    seen = Counter(row_names)
    unique = tuple(row + 1 for row in range(1, len(row_names)) if seen[row_names[row]] == 1)
    return Staff(
        employees=tuple(rows),
        unique=unique,
        senior=tuple(row + 1 for rank in (1, 2) for row in by_rank[rank]),
        directors=tuple(row + 1 for row in by_rank[1]),
        managers=tuple(row + 1 for rank in (2, 3) for row in by_rank[rank]),
    )
