"""What Aurp adds to the proof of its SQL: the aliases of its answers, and that `dev` and `test` are apart."""

import functools
from collections.abc import Iterator, Sequence

from sqlalchemy import StaticPool, create_engine
from sqlalchemy.engine import make_url

from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.proofs.base import Material
from benchwright.builders.aurp.database import statements
from benchwright.builders.aurp.kinds import aliases_of_kind
from benchwright.builders.aurp.lookups import aliases_of, read_lookup
from benchwright.builders.aurp.schema import PAPER, STANDARD, Lookup, Schema
from benchwright.builders.aurp.select_groups import SPLITS, TEST, entity_split, template_split
from benchwright.builders.sql.kinds import LOOKUP
from benchwright.builders.sql.proofs.rows import ProvenGroup, Rules, Told
from benchwright.builders.sql.proofs.templates import ReleaseTemplates
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema import DatabaseSchema


def rules(manifest: Manifest) -> Rules:
    """What questions of a release of Aurp must be."""
    schema = PAPER if manifest.parameters.get("size") == PAPER.name else STANDARD
    lookups: dict[str, Lookup] = {}

    def aliases(template: SqlTemplate, answers: Sequence[str], told: Told) -> list[list[str]]:
        if template.kind != LOOKUP:
            return aliases_of_kind(template, schema, answers)
        if template.id not in lookups:
            lookups[template.id] = read_lookup(template, schema)
        return [aliases_of(lookups[template.id], schema, answer) for answer in answers]

    return Rules(
        ["answerable", "gap"],
        aliases,
        has_metadata=True,
        has_subsets=bool(manifest.parameters.get("names_of")),
        schema=tables_of(schema.name),
        groups=[SplitCheck],
    )


@functools.cache
def tables_of(name: str) -> DatabaseSchema:
    """The tables of one of Aurp's schemas as they are read from its database."""
    schema: Schema = PAPER if name == PAPER.name else STANDARD
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with Database(engine, make_url("sqlite://")) as database:
        with engine.begin() as connection:
            for statement in statements(schema):
                connection.exec_driver_sql(statement)
        return reflect(database)


class SplitCheck:
    """`dev` and `test` share no template and no entity; by which seed they are apart is told unless it is secret."""

    def __init__(self, material: Material, templates: ReleaseTemplates) -> None:
        parameters = material.release.manifest.parameters
        self._found = material.found
        self._seed = parameters.get("names_seed")
        self._is_split = parameters.get("size") != PAPER.name and not parameters.get("names_of")
        self._of_template: dict[str, str] = {}
        self._of_entity: dict[str, str] = {}

    def problems(self, group: ProvenGroup) -> Iterator[tuple[str, str]]:
        """What is wrong with the split that a group is in."""
        entity, template, split = group.values[0], group.template.id, group.split
        if split not in SPLITS or (split != TEST and not self._is_split):
            yield "split", f"it is in the split {split}, which this benchmark has not"
            return
        if self._of_template.setdefault(template, split) != split:
            yield "split", f"its template {template} is in {self._of_template[template]} too"
        if self._of_entity.setdefault(entity, split) != split:
            yield "split", f"its entity {entity!r:.100} is in {self._of_entity[entity]} too"
        if isinstance(self._seed, int) and self._is_split:
            own = {template_split(self._seed, template), entity_split(self._seed, entity)}
            if own != {split}:
                yield "split", f"it is in {split}, where names_seed puts its template or its entity into the other"

    def finish(self) -> None:
        """Notes what was proved."""
        if len(set(self._of_template.values())) > 1:
            self._found.proved["templates in one split alone"] += len(self._of_template)
            self._found.proved["entities in one split alone"] += len(self._of_entity)
