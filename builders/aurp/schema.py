"""The tables of Aurp: what each column holds, for the standard schema and for the one of the papers."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["key", "name", "text", "date", "year", "money", "count", "quantity", "reference"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    kind: Kind
    references: str | None = None
    """The table that a reference points at."""
    unit: str | None = None
    nulls: float = 0.0
    """Share of the rows that have no value here."""
    fixed: bool = False
    """Always stated: never a known gap."""
    source: str = ""
    """The column of the standard schema that this one shows; empty: the same."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table; `source` is the table of the standard schema that it shows."""

    name: str
    columns: tuple[Column, ...]
    source: str

    def column(self, name: str) -> Column:
        """The column of this name; KeyError if there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables in the order in which they can be made."""

    name: str
    tables: tuple[Table, ...]

    def table(self, name: str) -> Table:
        """The table of this name; KeyError if there is none."""
        for table in self.tables:
            if table.name == name:
                return table
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Lookup:
    """A question that SQL can ask of one name: follow references from a table, read a column."""

    table: str
    path: tuple[str, ...]
    """Reference columns, each in the table that the one before points at."""
    column: str
    """The column that is read at the end; "name" when the last reference itself is asked for."""
    hops: int
    """Cells that the answer needs."""


def _table(name: str, *columns: Column) -> Table:
    return Table(name, (Column("id", "key"), Column("name", "name"), *columns), name)


def _reference(name: str, table: str, nulls: float = 0.0, fixed: bool = False) -> Column:
    return Column(name, "reference", references=table, nulls=nulls, fixed=fixed)


STANDARD = Schema(
    "standard",
    (
        _table(
            "company",
            Column("founded_year", "year", fixed=True),
            _reference("headquarters_id", "office", fixed=True),
            _reference("chief_executive_id", "employee", fixed=True),
            Column("revenue_usd", "money", fixed=True),
            Column("employees", "count", fixed=True),
            Column("main_service", "text", fixed=True),
        ),
        _table(
            "office",
            Column("location", "text"),
            Column("opened_on", "date"),
            Column("floor_area_m2", "quantity", unit="m2"),
            Column("desks", "count"),
            _reference("steward_id", "employee"),
            Column("lease_until", "date", nulls=0.1),
        ),
        _table(
            "department",
            _reference("sponsor_id", "employee"),
            _reference("office_id", "office"),
            Column("founded_year", "year"),
            Column("budget_usd", "money"),
        ),
        _table(
            "employee",
            Column("job_title", "text"),
            _reference("department_id", "department"),
            _reference("office_id", "office"),
            _reference("supervisor_id", "employee"),
            Column("hired_on", "date"),
            Column("specialism", "text", nulls=0.06),
            Column("degree", "text", nulls=0.06),
            Column("extension", "text"),
        ),
        _table(
            "client_contact",
            Column("job_title", "text"),
            Column("location", "text"),
            Column("phone", "text", nulls=0.05),
            Column("reachable", "text", nulls=0.05),
        ),
        _table(
            "client",
            Column("industry", "text"),
            Column("location", "text"),
            Column("founded_year", "year"),
            _reference("contact_id", "client_contact", nulls=0.05),
            _reference("account_manager_id", "employee"),
            Column("client_since", "date"),
            Column("payment_days", "quantity", unit="days"),
            Column("framework_usd", "money", nulls=0.15),
        ),
        _table(
            "supplier",
            Column("trade", "text"),
            Column("location", "text"),
            Column("founded_year", "year"),
            Column("workforce", "count"),
            Column("insurance_usd", "money", nulls=0.05),
            Column("approved_until", "date"),
            _reference("buyer_id", "employee"),
        ),
        _table(
            "project",
            Column("structure_type", "text"),
            Column("location", "text"),
            _reference("client_id", "client"),
            _reference("director_id", "employee"),
            _reference("manager_id", "employee"),
            _reference("office_id", "office"),
            _reference("contractor_id", "supplier", nulls=0.05),
            Column("start_on", "date"),
            Column("end_on", "date"),
            Column("budget_usd", "money"),
            Column("contract_form", "text"),
            Column("frame", "text"),
            Column("foundation", "text"),
            Column("longest_span_m", "quantity", unit="m"),
            Column("steel_t", "quantity", unit="t", nulls=0.05),
            Column("concrete_m3", "quantity", unit="m3", nulls=0.05),
            Column("design_life_years", "quantity", unit="years", nulls=0.04),
            Column("peak_workforce", "count"),
        ),
        _table(
            "work_package",
            _reference("project_id", "project", fixed=True),
            _reference("supplier_id", "supplier"),
            _reference("lead_id", "employee"),
            Column("value_usd", "money"),
            Column("start_on", "date"),
            Column("end_on", "date"),
            Column("crew", "count", nulls=0.05),
        ),
    ),
)

PAPER = Schema(
    "paper",
    (
        Table(
            "Client",
            (
                Column("Name", "name", source="name"),
                Column("Industry", "text", source="industry"),
                Column("Location", "text", source="location"),
            ),
            "client",
        ),
        Table(
            "Employee",
            (
                Column("Name", "name", source="name"),
                Column("JobTitle", "text", source="job_title"),
                Column("Department", "text", source="department_id"),
                Column("SupervisorOrManager", "text", source="supervisor_id"),
            ),
            "employee",
        ),
        Table(
            "Project",
            (
                Column("Name", "name", source="name"),
                Column("Location", "text", source="location"),
                Column("StartDate", "date", source="start_on"),
                Column("EndDate", "date", source="end_on"),
                Column("Client", "reference", references="Client", source="client_id"),
                Column("ProjectDirector", "reference", references="Employee", source="director_id"),
                Column("ProjectManager", "reference", references="Employee", source="manager_id"),
            ),
            "project",
        ),
    ),
)
