"""What the documents of a world are called, and of which kind they are."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.builders.aurp.schema import STANDARD
from benchwright.builders.aurp.world import World

ORGANISATION = "organisation"
CONTACTS_ON_A_SHEET = 6


@dataclass(frozen=True, slots=True)
class Expected:
    """A document that the tables call for."""

    id: str
    kind: str
    table: str = ""
    """The table of the standard schema that holds the row that it is about, where it is about one."""
    key: int = 0


def page_id(table: str, key: int) -> str:
    """The page of a row."""
    return f"{table}-{key:04d}"


def sheet_id(number: int) -> str:
    """A sheet of the directory of contacts."""
    return f"contacts-{number:04d}"


def report_id(project: int, number: int) -> str:
    """The first or the second report of a project."""
    return f"project-report-{project:04d}-{number}"


def is_second_report(document: str) -> bool:
    """Whether a document is by its id the second report of a project."""
    return document.startswith("project-report-") and document.endswith("-2")


def register_id(project: int) -> str:
    """The register of a project's packages."""
    return f"package-register-{project:04d}"


def expected_documents(world: World) -> Iterator[Expected]:
    """The documents that there must be; a project may have a second report besides."""
    yield Expected(ORGANISATION, "organisation page")
    whole = world.schema is STANDARD
    for table in ("office", "department", "employee", "client", "supplier") if whole else ("employee", "client"):
        for row in world.rows(table):
            yield Expected(page_id(table, row.id), f"{table} page", table, row.id)
    for number in range(1, 1 + -(-len(world.client_contact) // CONTACTS_ON_A_SHEET) if whole else 1):
        yield Expected(sheet_id(number), "contact directory")
    for row in world.project:
        yield Expected(report_id(row.id, 1), "project report", "project", row.id)
        if whole:
            yield Expected(register_id(row.id), "package register", "project", row.id)


def second_report(first: Expected) -> Expected | None:
    """The second report of the project whose first one is given."""
    if not first.id.endswith("-1") or first.kind != "project report":
        return None
    return Expected(report_id(first.key, 2), first.kind, first.table, first.key)
