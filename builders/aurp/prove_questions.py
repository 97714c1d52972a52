"""Proves the questions of a release from its SQL, its database and its documents, whoever wrote those.

From the SQL of a question and the database follow the cells that its answer needs. All that a question says of them
must agree: with what its SQL needs, with every other question that needs them, and with the documents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sql import SqlTemplate, parse_template
from benchwright.benchmarks.hashing import template_id
from benchwright.benchmarks.releases.manifest import is_private
from benchwright.benchmarks.releases.proofs.base import CheckRows, Material, Proof
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.schemas import json_text
from benchwright.benchmarks.types import NO_ANSWER
from benchwright.builders.aurp.documents import Cell
from benchwright.builders.aurp.editions import public_names
from benchwright.builders.aurp.evidence import called
from benchwright.builders.aurp.lookups import Names, aliases_of, read_lookup
from benchwright.builders.aurp.needed_cells import Absence, absence_of, needed_cells
from benchwright.builders.aurp.prove_corpus import Claims, Place, check_corpus
from benchwright.builders.aurp.read_pages import Rows
from benchwright.builders.aurp.read_world import read_world
from benchwright.builders.aurp.schema import Lookup
from benchwright.builders.aurp.select_round import subset_of
from benchwright.builders.aurp.world import World
from benchwright.builders.sql.filling.questions import CONTRAST
from benchwright.builders.sql.proofs.filled import sql_pattern
from benchwright.builders.sql.proofs.templates import template_kinds

NO_DATABASE = "no database is there: name it with --database URL"
_KEPT = "facts of Aurp"
_TOLD = ("sql", "template", "answerability", "subset", "metadata", "documents", "evidence")
_NO_FACTS = "their SQL or their metadata does not say which facts they need"

LIMITS = (
    "that no document says in another way what it must not: in numbers that are words or rounded, in other words for "
    'a column ("costs" for the budget), of the subject of another document by a pronoun, or with names and terms that '
    "are nowhere in the database",
    "that no document gives a cell the value of another column of its row, or hints at a value without stating it",
    "that what a document calls a former value was one, where a later report states the value that holds",
)
"""What reading documents cannot show."""

Needed = Sequence[str]
"""The facts that an answer needs, as metadata calls them."""


@dataclass
class Facts:
    """What the database says of the questions."""

    world: World
    templates: Mapping[str, str]
    """Id → SQL."""
    database: Database
    kinds: Mapping[str, str] = field(default_factory=dict)
    """SQL → the kind of its questions, of those beside lookups."""
    _lookups: dict[str, tuple[SqlTemplate, Lookup] | None] = field(default_factory=dict)
    _last_cells: tuple[str, Sequence[Cell]] | None = None

    @cached_property
    def names(self) -> Names:
        return Names.of(self.world)

    @cached_property
    def rows(self) -> Rows:
        return Rows(self.world)

    def lookup(self, template: str) -> tuple[SqlTemplate, Lookup] | None:
        """What a template looks up; None where it is none that can be asked at Aurp."""
        if template not in self._lookups:
            self._lookups[template] = None
            if (text := self.templates.get(template)) is not None:
                try:
                    parsed = parse_template(text, self._columns, "sqlite")
                    self._lookups[template] = parsed, read_lookup(parsed, self.world.schema)
                except BenchwrightError:
                    pass
        return self._lookups[template]

    def cells(self, row: Mapping[str, Any]) -> Sequence[Cell] | None:
        """The cells that the answer of a question needs; None where its SQL does not tell."""
        if self.kinds.get(self.templates.get(row["template"] or "", "")):
            return self._cells_of_kind(row)
        asked = self._asked(row)
        if asked is None:
            return None
        try:
            return self.names.cells(*asked)
        except TypeError:  # a reference on the way holds nothing
            return None

    def _cells_of_kind(self, row: Mapping[str, Any]) -> Sequence[Cell] | None:
        """The same of a kind that looks at many rows; questions of a group follow each other."""
        if self._last_cells is not None and self._last_cells[0] == row["sql"]:
            return self._last_cells[1]
        read = self._read_kind(row)
        if read is None:
            return None
        if self.kinds[read[0].text] == "unanswerable":
            return ()
        try:
            cells = needed_cells(self.database, read[0], self.world.schema, read[1])
        except BenchwrightError:
            return None
        self._last_cells = row["sql"], cells
        return cells

    def absence(self, row: Mapping[str, Any]) -> Absence | None:
        """Why a question has no answer; None where it is of no such template."""
        read = self._read_kind(row) if self.kinds.get(self.templates.get(row["template"] or "", "")) else None
        if read is None or read[0].kind != "unanswerable":
            return None
        try:
            return absence_of(self.database, read[0], self.world.schema, read[1])
        except BenchwrightError:
            return None

    def _read_kind(self, row: Mapping[str, Any]) -> tuple[SqlTemplate, Sequence[str]] | None:
        """The template of a kind, and the literals of its placeholders in a question's SQL."""
        text = self.templates[row["template"]]
        pattern = sql_pattern(text)
        literals = pattern.literals(row["sql"] or "")
        try:
            template = parse_template(text, self._columns, "sqlite", self.kinds[text])
            named = dict(zip(pattern.names, literals or (), strict=True))
            return template, [named[f"{item.table}.{item.column}".lower()] for item in template.placeholders]
        except (BenchwrightError, KeyError, ValueError):
            return None

    @cached_property
    def _columns(self) -> Mapping[str, Sequence[str]]:
        return {table.name: [column.name for column in table.columns] for table in self.world.schema.tables}

    def subset(self, row: Mapping[str, Any], public: frozenset[str]) -> str | None:
        """The subset that a question of a round must be of, by the names of the public edition."""
        asked = self._asked(row)
        return None if asked is None else subset_of(self.world.schema.table(asked[0].table).source, asked[1], public)

    def _asked(self, row: Mapping[str, Any]) -> tuple[Lookup, str] | None:
        """What a question looks up, and the name that it does so for."""
        found = self.lookup(row["template"] or "")
        if found is None or not row["sql"]:
            return None
        template, lookup = found
        before, after = template.pieces[0]
        literal = row["sql"][len(before) : len(row["sql"]) - len(after)]
        name = literal[1:-1].replace("''", "'")
        if row["sql"] != f"{before}{literal}{after}" or name not in self.names.rows[lookup.table]:
            return None
        return lookup, name

    def aliases(self, row: Mapping[str, Any], cell: Cell) -> Sequence[Sequence[str]] | None:
        """The other forms of an answer; None where its cell holds nothing, and of kinds, whose answers are no cell."""
        if self.kinds.get(self.templates.get(row["template"] or "", "")):
            return None
        found, held = self.lookup(row["template"]), self.rows.held.get(cell)
        if found is None or held is None:
            return None
        try:
            return [aliases_of(found[1], self.world.schema, str(held.shown))]
        except ValueError:  # the database holds no such date
            return None


class _Questions:
    """Looks at the questions one by one, and at the documents once all of them went by."""

    def __init__(self, material: Material) -> None:
        self.material, self.found = material, material.found
        manifest = material.release.manifest
        self.is_public_half = manifest.holdout is not None and not is_private(manifest)
        self.is_private_half = is_private(manifest)
        self.facts = facts_of(material)
        self.public_names = public_names(manifest.parameters)
        self.claims = Claims()
        self._last: tuple[Any, ...] | None = None
        self._problems: list[str] = []

    def check(self, split: str, row: Mapping[str, Any]) -> None:
        told = tuple(row[name] for name in _TOLD)
        if (*told, row["aliases"]) != self._last:
            self._last, self._problems = (*told, row["aliases"]), []
            needed = self._needed(row)
            if needed is None:
                self.found.leave("facts of questions", 1, _NO_FACTS if self.facts else NO_DATABASE)
                self._last = None
                return
            self._problems = [*self._disagreements(row, needed)]
        for text in self._problems:
            self.found.problem("facts", f"question {row['id']}: {text}")
        if not self._problems:
            self.found.proved["questions with all their facts"] += 1

    def finish(self) -> None:
        for name in sorted(self.claims.silent.keys() & self.claims.spans.keys()):
            first = self.claims.silent[name]
            text = f"question {first} says that no document states {name}, and others have evidence of it"
            self.found.problem("facts", text)
        check_corpus(self.material, self.facts.rows if self.facts else None, self.claims)

    def _needed(self, row: Mapping[str, Any]) -> Needed | None:
        if self.facts is None:
            told = read_metadata(row["metadata"]).get("facts")
            is_list = isinstance(told, list) and (told or _is_vain(row)) and all(isinstance(name, str) for name in told)
            return told if is_list else None
        cells = self.facts.cells(row)
        if cells is None:
            return None
        needed = [called(cell) for cell in cells]
        self.claims.cells.update(zip(needed, cells, strict=True))
        return needed

    def _disagreements(self, row: Mapping[str, Any], needed: Needed) -> Sequence[str]:
        found: list[str] = []
        told = read_metadata(row["metadata"])
        silent = told.get("not_stated", [])
        facts: dict[str, object] = {"facts": list(needed), **({"not_stated": silent} if silent else {})}
        facts |= {name: told[name] for name in ("salt",) if self.is_private_half and name in told}
        facts |= {CONTRAST: told[CONTRAST]} if CONTRAST in told else {}
        if row["answerability"] == "unanswerable":
            absence = self.facts.absence(row) if self.facts else None
            facts |= {NO_ANSWER: absence.sort if absence else told.get(NO_ANSWER)}
        is_kept_back = self.is_public_half and "facts" not in told
        if not is_kept_back and row["metadata"] != json_text(facts):
            found.append(f"its metadata is not what its SQL needs: {json_text(facts)}")
        if self.facts is not None:
            aliases = self.facts.aliases(row, self.claims.cells[needed[-1]]) if needed else None
            if aliases is not None and row["aliases"] != aliases:
                found.append(f"its aliases are not the other forms of its answer: {' / '.join(aliases[0])[:120]}")
            if self.public_names is not None and row["subset"] != self.facts.subset(row, self.public_names):
                found.append(f"its subset is {row['subset']}, which is not what its names are in the public edition")
        if row["answerability"] == "unanswerable":
            return [*found, *self._absence(row)]
        if row["answerability"] == "gap":
            return [*found, *self._gap(row, needed, silent)]
        if row["answerability"] != "answerable":
            return [*found, f"it is neither answerable nor a known gap: {row['answerability']}"]
        return [*found, *(["it is answerable, and its metadata says what is not stated"] if silent else []),
                *self._evidence(row, needed)]  # fmt: skip

    def _absence(self, row: Mapping[str, Any]) -> Sequence[str]:
        """What is wrong with a question that is said to have no answer; why it has none is looked for in documents."""
        absence = self.facts.absence(row) if self.facts else None
        if self.facts is None:
            return []
        if absence is None or not (absence.names or absence.blank or absence.denied):
            return ["it is neither answerable nor a known gap: unanswerable, and the database does not say why"]
        self.claims.absent.add(absence, row["id"])
        for cell in absence.denied:
            name = called(cell)
            self.claims.cells[name] = cell
            self.claims.stated.setdefault(name, row["id"])
        return []

    def _gap(self, row: Mapping[str, Any], needed: Needed, silent: object) -> Sequence[str]:
        numbers = set(silent) if isinstance(silent, list) and all(isinstance(one, int) for one in silent) else set()
        if not numbers or not numbers <= set(range(len(needed))):
            if "facts" not in read_metadata(row["metadata"]) and self.is_public_half:
                self.found.leave("known gaps", 1, "the public half does not say which fact is not stated")
                return []
            return ["it is a known gap, and its metadata does not say which of its facts no document states"]
        for number, name in enumerate(needed):
            (self.claims.silent if number in numbers else self.claims.stated).setdefault(name, row["id"])
        return []

    def _evidence(self, row: Mapping[str, Any], needed: Needed) -> Sequence[str]:
        spans: dict[int, list[Place]] = {}
        for item in row["evidence"] or ():
            spans.setdefault(item["fact"] or 0, []).append((item["document"], item["start"], item["end"]))
        found = [f"there is no evidence of {name}, which its answer needs" for number, name in enumerate(needed)
                 if number not in spans]  # fmt: skip
        if list(spans) != sorted(spans) or (spans and max(spans) >= len(needed)):
            found.append("its evidence is not numbered as its facts are")
        for number, name in enumerate(needed):
            own = tuple(spans.get(number, ()))
            if own and self.claims.spans.setdefault(name, own) != own:
                found.append(f"its evidence of {name} is not that of the questions before it")
        documents = dict.fromkeys(item["document"] for item in row["evidence"] or ())
        if list(documents) != (row["documents"] or []):
            found.append("its documents are not those of its evidence, in its order")
        return found


def _is_vain(row: Mapping[str, Any]) -> bool:
    return row["answerability"] == "unanswerable"


def facts_of(material: Material) -> Facts | None:
    """What the database says; None where there is none, or one that is not Aurp's. It is read once."""
    if _KEPT not in material.kept:
        material.kept[_KEPT] = _read_facts(material)
    return material.kept[_KEPT]


def _read_facts(material: Material) -> Facts | None:
    if not material.databases:
        return None
    texts = {template_id(sql): sql for sql in material.release.sql_templates()}
    try:
        kinds: dict[str, str] = {}
        for name, content in material.release.templates().items():
            kinds |= template_kinds(name, content)
        return Facts(read_world(material.databases[0]), texts, material.databases[0], kinds)
    except BenchwrightError as error:
        material.found.problem("database", str(error))
        return None


def _rows(material: Material) -> CheckRows:
    questions = _Questions(material)
    return CheckRows(questions.check, questions.finish)


PROOF = Proof(
    "facts",
    "every fact that an answer needs is stated where its evidence says, a known gap in no document, and nothing "
    "contradicts them",
    75,
    _rows,
    limits=LIMITS,
)
"""Registered by Aurp."""
