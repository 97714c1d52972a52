"""How many rows each table has at a size, and which sizes cannot work."""

from dataclasses import dataclass

from benchwright.benchmarks.errors import UsageError

MOST_PROJECTS = 10_000
FEWEST_PROJECTS = 10
FEWEST_EMPLOYEES = 20
"""One chief executive, and enough of each rank that directors, managers and their supervisors are different people."""
MOST_EMPLOYEES = 10_000
MOST_CLIENTS = 5_000


@dataclass(frozen=True, slots=True)
class Sizes:
    """Rows per table, and the shares that make a world harder to read."""

    schema: str
    projects: int
    employees: int
    clients: int
    suppliers: int
    offices: int
    namesakes: int
    """Employees who bear the name of another employee."""
    sisters: float
    """Share of projects whose name is meant to be near another's."""
    nulls: bool
    superseded: float
    """Chance that an end date, a budget or a manager has been revised."""


def sizes(size: str | int = "standard", *, employees: int | None = None, clients: int | None = None) -> Sizes:
    """The rows of a world: "paper" (the papers' tables), "standard", or a number of projects.

    Raises UsageError for a size that is not one of these, or that cannot work.
    """
    if size == "paper":
        if employees is not None or clients is not None:
            raise UsageError(
                "size=paper has 29 employees and 10 clients: leave out employees and clients, or name another size"
            )
        return Sizes("paper", 10, 29, 10, 8, 3, 0, 0.0, False, 0.0)
    projects = 120 if size == "standard" else _number(size)
    if not FEWEST_PROJECTS <= projects <= MOST_PROJECTS:
        raise UsageError(f"size={projects}: a world has {FEWEST_PROJECTS} to {MOST_PROJECTS:,} projects")
    people = 30 + min(projects, 120) + max(0, projects - 120) // 4 if employees is None else employees
    if people < FEWEST_EMPLOYEES:
        raise UsageError(f"employees={people}: the reporting tree needs at least {FEWEST_EMPLOYEES}")
    if people > MOST_EMPLOYEES:
        raise UsageError(f"employees={people}: no more than {MOST_EMPLOYEES:,} unlike names of people can be made")
    firms = max(4, min(projects, 120) // 3) + max(0, projects - 120) // 8 if clients is None else clients
    if not 1 <= firms <= MOST_CLIENTS:
        raise UsageError(f"clients={firms}: a world has 1 to {MOST_CLIENTS:,} clients")
    return Sizes(
        schema="standard",
        projects=projects,
        employees=people,
        clients=firms,
        suppliers=max(6, min(projects, 120) // 4) + max(0, projects - 120) // 16,
        offices=max(3, min(12, projects // 12)),
        namesakes=people // 50,
        sisters=0.15,
        nulls=True,
        superseded=0.14,
    )


def _number(size: str | int) -> int:
    try:
        return int(size)
    except ValueError:
        raise UsageError(f"size={size}: not paper, standard or a number of projects") from None
