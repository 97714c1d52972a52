"""Makes the world: `names_seed` decides who and what there is, `seed` decides every value. See `editions.py` too."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import cache
from typing import Any, TypeVar

from benchwright.benchmarks.data_files import read_toml
from benchwright.builders.aurp import names
from benchwright.builders.aurp.draws import Draw, fraction
from benchwright.builders.aurp.editions import Cast, make_cast
from benchwright.builders.aurp.schema import PAPER, STANDARD
from benchwright.builders.aurp.sizes import Sizes, sizes
from benchwright.builders.aurp.staff import Staff, make_staff
from benchwright.builders.aurp.world import (
    Client,
    ClientContact,
    Company,
    Department,
    Office,
    Project,
    Superseded,
    Supplier,
    WorkPackage,
    World,
)

T = TypeVar("T")
FIRST_START, LAST_START = date(2013, 1, 7).toordinal(), date(2022, 9, 30).toordinal()


@cache
def pools() -> dict[str, Any]:
    """What cells may hold: `values.toml`."""
    return read_toml(__package__, "values.toml")


def make_world(
    size: str | int = "standard",
    *,
    seed: int = 0,
    names_seed: int = 0,
    employees: int | None = None,
    clients: int | None = None,
    names_of: int | None = None,
) -> World:
    """The world of one size and two seeds; another `seed` gives the same entities with other facts.

    With `names_of` it is that of a round, and half of its names are those of the edition with that `names_seed`.

    Raises BenchwrightError for sizes that cannot work.
    """
    many = sizes(size, employees=employees, clients=clients)
    cast = make_cast(many, names_seed, names_of)
    make = _WorldMaker(many, seed, cast, make_staff(cast.employee, many, seed, names_seed))
    projects = make.all(cast.project, make.project)
    return World(
        schema=PAPER if many.schema == "paper" else STANDARD,
        seed=seed,
        names_seed=names_seed,
        company=make.all(["Aurp"], make.company),
        office=make.all(cast.office, make.office),
        department=make.all(names.parts()["departments"]["names"], make.department),
        employee=make.staff.employees,
        client_contact=make.all(cast.client_contact, make.contact),
        client=make.all(cast.client, make.client),
        supplier=make.all(cast.supplier, make.supplier),
        project=projects,
        work_package=make.packages(projects),
        superseded=tuple(make.superseded(projects)),
        public_names=cast.public.every_name() if cast.public else None,
    )


def rounded(amount: float, digits: int = 3) -> int:
    """An amount rounded to this many significant digits."""
    number = round(amount)
    unit = 10 ** max(0, len(str(number)) - digits)
    return round(number / unit) * unit


def working_day(day: int) -> str:
    """The ISO date of an ordinal, moved from a weekend to the Monday after it."""
    weekday = (day - 1) % 7
    return date.fromordinal(day + (7 - weekday if weekday > 4 else 0)).isoformat()


class _WorldMaker:
    """Rows of each table; every row draws from a stream of its own."""

    def __init__(self, many: Sizes, seed: int, cast: Cast, staff: Staff) -> None:
        self.many, self.seed, self.cast, self.staff = many, seed, cast, staff
        self.names_seed = cast.names_seed
        contacts = range(1, many.clients + 1)
        self.contact_of = Draw("value", seed, "contact of").shuffled(contacts)

    def all(self, row_names: Sequence[str], make: Callable[[int, str, Draw], T]) -> tuple[T, ...]:
        table = make.__name__
        return tuple(make(key, name, Draw("value", self.seed, table, key)) for key, name in enumerate(row_names, 1))

    def unless_null(self, table: str, key: int, column: str, value: T) -> T | None:
        share = STANDARD.table(table).column(column).nulls if self.many.nulls else 0.0
        return None if fraction("null", self.names_seed, table, key, column) < share else value

    def outsider(self, draw: Draw, column: str, key: int) -> int:
        """A senior person of another department or office, so that the role says nothing about where one belongs."""
        while getattr(self.staff.employees[(chosen := draw.pick(self.staff.senior)) - 1], column) == key:
            continue
        return chosen

    def company(self, key: int, name: str, draw: Draw) -> Company:
        return Company(
            id=key,
            name=name,
            founded_year=draw.between(1951, 1989),
            headquarters_id=draw.between(1, self.many.offices),
            chief_executive_id=1,
            revenue_usd=rounded(self.many.employees * draw.between(110_000, 190_000)),
            employees=self.many.employees,
            main_service=draw.pick(pools()["services"]),
        )

    def office(self, key: int, name: str, draw: Draw) -> Office:
        desks = draw.between(12, 140)
        return Office(
            id=key,
            name=name,
            location=draw.pick(pools()["locations"]),
            opened_on=working_day(draw.between(date(1990, 1, 1).toordinal(), date(2011, 12, 1).toordinal())),
            floor_area_m2=draw.between(9, 16) * desks + draw.between(0, 40),
            desks=desks,
            steward_id=self.outsider(draw, "office_id", key),
            lease_until=self.unless_null(
                "office",
                key,
                "lease_until",
                working_day(draw.between(date(2027, 1, 1).toordinal(), date(2039, 12, 1).toordinal())),
            ),
        )

    def department(self, key: int, name: str, draw: Draw) -> Department:
        return Department(
            id=key,
            name=name,
            sponsor_id=self.outsider(draw, "department_id", key),
            office_id=draw.between(1, self.many.offices),
            founded_year=draw.between(1990, 2012),
            budget_usd=rounded(draw.between(600, 9_800) * 1_000),
        )

    def contact(self, key: int, name: str, draw: Draw) -> ClientContact:
        phone = f"+999 {draw.between(100, 989)} {draw.between(1000, 9899)}"
        return ClientContact(
            id=key,
            name=name,
            job_title=draw.pick(pools()["contact_titles"]),
            location=draw.pick(pools()["locations"]),
            phone=self.unless_null("client_contact", key, "phone", phone),
            reachable=self.unless_null("client_contact", key, "reachable", draw.pick(pools()["reachable"])),
        )

    def client(self, key: int, name: str, draw: Draw) -> Client:
        framework = rounded(draw.between(12, 480) * 100_000)
        return Client(
            id=key,
            name=name,
            industry=draw.pick(pools()["industries"]),
            location=draw.pick(pools()["locations"]),
            founded_year=draw.between(1904, 2001),
            contact_id=self.unless_null("client", key, "contact_id", self.contact_of[key - 1]),
            account_manager_id=draw.pick(self.staff.managers),
            client_since=working_day(draw.between(date(2002, 1, 7).toordinal(), date(2012, 12, 20).toordinal())),
            payment_days=draw.pick(pools()["payment_days"]),
            framework_usd=self.unless_null("client", key, "framework_usd", framework),
        )

    def supplier(self, key: int, name: str, draw: Draw) -> Supplier:
        insurance = draw.between(2, 60) * 500_000
        return Supplier(
            id=key,
            name=name,
            trade=draw.pick(pools()["trades"]),
            location=draw.pick(pools()["locations"]),
            founded_year=draw.between(1931, 2010),
            workforce=draw.between(24, 640),
            insurance_usd=self.unless_null("supplier", key, "insurance_usd", insurance),
            approved_until=working_day(draw.between(date(2026, 3, 1).toordinal(), date(2031, 12, 1).toordinal())),
            buyer_id=draw.pick(self.staff.unique),
        )

    def project(self, key: int, name: str, draw: Draw) -> Project:
        structures = pools()["structures"]
        structure = draw.pick(list(structures))
        facts = structures[structure]
        low, high = facts["budget"]
        budget = rounded(1e6 * low * (high / low) ** draw.random())
        start = draw.between(FIRST_START, LAST_START)
        days = int(30.44 * draw.between(*facts["months"])) + draw.between(0, 27)
        director, manager = self.staff.lead_project(draw)
        frames = pools()["frames"]
        number = self.unless_null
        return Project(
            id=key,
            name=name,
            structure_type=structure,
            location=draw.pick(pools()["locations"]),
            client_id=draw.between(1, self.many.clients),
            director_id=director,
            manager_id=manager,
            office_id=draw.between(1, self.many.offices),
            contractor_id=number("project", key, "contractor_id", draw.between(1, self.many.suppliers)),
            start_on=working_day(start),
            end_on=working_day(start + days),
            budget_usd=budget,
            contract_form=draw.pick(pools()["contract_forms"]),
            frame=draw.pick(frames["any"] + (frames["light"] if facts["light"] else [])),
            foundation=draw.pick(pools()["foundations"]),
            longest_span_m=draw.between(*facts["span"]),
            steel_t=number(
                "project", key, "steel_t", rounded(budget / 1e6 * draw.between(18, 46) + draw.between(5, 30))
            ),
            concrete_m3=number(
                "project", key, "concrete_m3", rounded(budget / 1e6 * draw.between(60, 160) + draw.between(30, 200))
            ),
            design_life_years=number("project", key, "design_life_years", draw.pick(pools()["design_lives"])),
            peak_workforce=max(9, int((budget / 1e6) ** 0.75 * draw.between(6, 12))),
        )

    def packages(self, projects: Sequence[Project]) -> tuple[WorkPackage, ...]:
        """Two or three packages a project, each within the project's dates and budget."""
        rows: list[WorkPackage] = []
        for project in projects:
            start, end = (
                date.fromisoformat(project.start_on).toordinal(),
                date.fromisoformat(project.end_on).toordinal(),
            )
            for kind in self.cast.packages(project.id, project.name):
                key = len(rows) + 1
                draw = Draw("value", self.seed, "work_package", key)
                first = start + int((end - start) * (0.05 + 0.5 * draw.random()))
                last = first + int((end - first) * (0.3 + 0.6 * draw.random()))
                crew = draw.between(4, max(5, project.peak_workforce // 2))
                rows.append(
                    WorkPackage(
                        id=key,
                        name=f"{project.name} {kind}",
                        project_id=project.id,
                        supplier_id=draw.between(1, self.many.suppliers),
                        lead_id=self.staff.lead_package(draw),
                        value_usd=rounded(project.budget_usd * (0.04 + 0.16 * draw.random())),
                        start_on=working_day(first),
                        end_on=working_day(last),
                        crew=self.unless_null("work_package", key, "crew", crew),
                    )
                )
        return tuple(rows)

    def superseded(self, projects: Sequence[Project]) -> list[Superseded]:
        """What end dates, budgets and managers were before a later report revised them."""
        rows: list[Superseded] = []
        for project in projects:
            draw = Draw("value", self.seed, "superseded", project.id)
            start, end = (date.fromisoformat(day).toordinal() for day in (project.start_on, project.end_on))
            earlier_end = working_day(end - draw.between(20, int((end - start) * 0.25)))
            share = draw.pick((0.78, 0.84, 0.88, 0.92, 0.95, 1.06, 1.12))
            earlier_manager = self.staff.other_manager(draw, {project.manager_id, project.director_id})
            for column, value in (
                ("end_on", earlier_end),
                ("budget_usd", rounded(project.budget_usd * share)),
                ("manager_id", earlier_manager),
            ):
                if fraction("superseded", self.names_seed, project.id, column) < self.many.superseded:
                    rows.append(Superseded("project", project.id, column, value))
        return rows
