"""Which cells of Aurp can be held out, and which of them go together.

Everybody has the code that draws the world, so a cell is of no use alone where another gives it away:

- What the world's size, a name or the order of rows says is never held out, nor what is dealt out like cards: of a
  permutation that is known but for one place, that place is known too.
- Ranks run through the whole company: who leads a project, supervises somebody or is answered for says what somebody's
  title, department and supervisor can be, and the department what they know. These are never held out either.
- A project's measures follow from its kind and its budget, its packages' from its own: they are drawn together, as an
  office's area is with its desks.

Everything else is drawn by the generator on its own, whatever the other cells hold.
"""

from collections.abc import Sequence

from benchwright.builders.aurp.documents import Cell
from benchwright.builders.aurp.schema import Column, Table
from benchwright.builders.aurp.world import World, source

NEVER = frozenset(
    {
        ("company", "employees"),
        ("company", "chief_executive_id"),
        ("employee", "job_title"),
        ("employee", "department_id"),
        ("employee", "supervisor_id"),
        ("employee", "specialism"),
        ("employee", "degree"),
        ("client", "contact_id"),
        ("work_package", "project_id"),
    }
)
"""Table and column of the standard schema of what is never held out."""
TOGETHER = {
    "office": frozenset({"floor_area_m2", "desks"}),
    "project": frozenset(
        {
            "structure_type",
            "start_on",
            "end_on",
            "budget_usd",
            "frame",
            "longest_span_m",
            "steel_t",
            "concrete_m3",
            "peak_workforce",
        }
    ),
    "work_package": frozenset({"value_usd", "start_on", "end_on", "crew"}),
}
"""Table → columns of one row that are drawn together; those of a package with those of its project."""


class Holdable:
    """The names under which cells of a world are drawn."""

    def __init__(self, world: World) -> None:
        self._tables: dict[str, Table] = {table.name: table for table in world.schema.tables}
        self._columns: dict[tuple[str, str], Column] = {
            (table.name, column.name): column for table in world.schema.tables for column in table.columns
        }
        whole = world.schema.name != "paper"
        self._projects = {row.id: row.project_id for row in world.work_package} if whole else {}

    def names(self, cells: Sequence[Cell]) -> list[str]:
        """What an answer needs of what can be held out."""
        return [name for cell in cells if (name := self._name(*cell)) is not None]

    def named(self, cell: Cell) -> str:
        """The same of one cell; "" of one that cannot be held out."""
        return self._name(*cell) or ""

    def _name(self, table: str, row: int | str, column: str) -> str | None:
        of, called = self._tables[table].source, source(self._columns[table, column])
        if (of, called) in NEVER:
            return None
        if called not in TOGETHER.get(of, ()):
            return f"{of} {row}, {called}"
        return f"project {self._projects[int(row)]}, measures" if of == "work_package" else f"{of} {row}, measures"
