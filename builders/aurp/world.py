"""The world of Aurp: typed rows, and what any cell of them holds."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.builders.aurp.draws import fraction
from benchwright.builders.aurp.schema import STANDARD, Column, Schema, Table

BOARD = "Board of Directors"
"""Whom the chief executive answers to, where a schema wants a value."""

Value = str | int | None

REFERENCES = {
    (table.name, column.name): column.references
    for table in STANDARD.tables
    for column in table.columns
    if column.references
}
FIXED = {(table.name, column.name) for table in STANDARD.tables for column in table.columns if column.fixed}


@dataclass(frozen=True, slots=True)
class Company:
    id: int
    name: str
    founded_year: int
    headquarters_id: int
    chief_executive_id: int
    revenue_usd: int
    employees: int
    main_service: str


@dataclass(frozen=True, slots=True)
class Office:
    id: int
    name: str
    location: str
    opened_on: str
    floor_area_m2: int
    desks: int
    steward_id: int
    lease_until: str | None


@dataclass(frozen=True, slots=True)
class Department:
    id: int
    name: str
    sponsor_id: int
    office_id: int
    founded_year: int
    budget_usd: int


@dataclass(frozen=True, slots=True)
class Employee:
    id: int
    name: str
    job_title: str
    department_id: int
    office_id: int
    supervisor_id: int | None
    hired_on: str
    specialism: str | None
    degree: str | None
    extension: str


@dataclass(frozen=True, slots=True)
class ClientContact:
    id: int
    name: str
    job_title: str
    location: str
    phone: str | None
    reachable: str | None


@dataclass(frozen=True, slots=True)
class Client:
    id: int
    name: str
    industry: str
    location: str
    founded_year: int
    contact_id: int | None
    account_manager_id: int
    client_since: str
    payment_days: int
    framework_usd: int | None


@dataclass(frozen=True, slots=True)
class Supplier:
    id: int
    name: str
    trade: str
    location: str
    founded_year: int
    workforce: int
    insurance_usd: int | None
    approved_until: str
    buyer_id: int


@dataclass(frozen=True, slots=True)
class Project:
    id: int
    name: str
    structure_type: str
    location: str
    client_id: int
    director_id: int
    manager_id: int
    office_id: int
    contractor_id: int | None
    start_on: str
    end_on: str
    budget_usd: int
    contract_form: str
    frame: str
    foundation: str
    longest_span_m: int
    steel_t: int | None
    concrete_m3: int | None
    design_life_years: int | None
    peak_workforce: int


@dataclass(frozen=True, slots=True)
class WorkPackage:
    id: int
    name: str
    project_id: int
    supplier_id: int
    lead_id: int
    value_usd: int
    start_on: str
    end_on: str
    crew: int | None


Row = Company | Office | Department | Employee | ClientContact | Client | Supplier | Project | WorkPackage


@dataclass(frozen=True, slots=True)
class Superseded:
    """What a cell held before a report revised it."""

    table: str
    key: int
    column: str
    value: str | int


@dataclass(frozen=True, slots=True)
class World:
    """All that is true at Aurp. Keys count from 1 in the order of the rows."""

    schema: Schema
    seed: int
    names_seed: int
    company: tuple[Company, ...]
    office: tuple[Office, ...]
    department: tuple[Department, ...]
    employee: tuple[Employee, ...]
    client_contact: tuple[ClientContact, ...]
    client: tuple[Client, ...]
    supplier: tuple[Supplier, ...]
    project: tuple[Project, ...]
    work_package: tuple[WorkPackage, ...]
    superseded: tuple[Superseded, ...]
    public_names: frozenset[str] | None = None
    """Of a round's edition: all names of the public one of which it keeps some. None: it is none of a round."""

    def rows(self, table: str) -> Sequence[Row]:
        """The rows of a table of the standard schema."""
        return getattr(self, table)


def source(column: Column) -> str:
    """The column of the standard schema that a column shows."""
    return column.source or column.name


def stored(world: World, table: Table, row: Row, column: Column) -> Value:
    """What the database holds in a cell: the papers' schema stores names where the standard one stores keys."""
    value: Value = getattr(row, source(column))
    if world.schema.name != "paper":
        return value
    target = REFERENCES.get((table.source, source(column)))
    if target is None:
        return value
    return BOARD if value is None else world.rows(target)[int(value) - 1].name


def key(table: Table, row: Row) -> int | str:
    """The primary key of a row: its number, or its name where the schema has no number."""
    return row.id if table.columns[0].kind == "key" else row.name


def is_gap(world: World, coverage: float, table: str, number: int, column: str) -> bool:
    """Whether no document may state this cell of the standard schema; depends on `names_seed` and coverage alone."""
    return fraction("coverage", world.names_seed, table, number, column) >= coverage and not _exempt(
        table, number, column
    )


def _exempt(table: str, number: int, column: str) -> bool:
    """The chief executive's own title follows from the organisation page, so it is always stated."""
    return (table, column) in FIXED or (table == "employee" and number == 1 and column == "job_title")
