"""What the documents of a world are called, and of which kind they are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.hashing import rank
from benchwright.builders.aurp.schema import STANDARD
from benchwright.builders.aurp.world import World

ORGANISATION = "organisation"
CONTACTS_ON_A_SHEET = 6
_ABOUT = {"organisation page": "Aurp"}
"""Whom documents are about that are of no row."""


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


def round_id(names_seed: int, document: str) -> str:
    """The id of a document in the edition of a round: only its secret seed tells which document that is."""
    return f"document-{rank('document', names_seed, document, joined_by=chr(31), algorithm='sha256')[:8].hex()}"


def plain_ids(world: World, documents: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, str]:
    """Id in the edition of a round → the id that the document would have elsewhere, by its metadata alone.

    What fits nothing that the tables call for is missing. Documents of which nothing but the id tells one from the
    other take their places in stored order; of two reports of a project the one with the later date is the second.

    Args:
        world: of the edition.
        documents: id and metadata of every document.
    """
    free: dict[tuple[str, str | None], list[str]] = {}
    for one in expected_documents(world):
        about = world.rows(one.table)[one.key - 1].name if one.table else _ABOUT.get(one.kind)
        second = second_report(one)
        free.setdefault((one.kind, about), []).extend([one.id, *([second.id] if second else [])])
    found: dict[str, str] = {}
    for name, told in sorted(documents, key=lambda one: str(one[1].get("date"))):
        ids = free.get((str(told.get("kind")), told.get("entity")))
        if ids:
            found[name] = ids.pop(0)
    return found


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
