"""What a SQL template asks, read from its joins and conditions: the meaning that the text writer puts into words."""

from collections.abc import Mapping

from benchwright.benchmarks.grounding.sql import ColumnOf, SqlTemplate
from benchwright.builders.sql.joins import Equations, equations, followed_key, role_of, turned
from benchwright.builders.sql.reach import only_carries
from benchwright.builders.sql.schema import DatabaseSchema, SchemaTable
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.meaning import AskedColumn, Entity, Given, Link, Meaning
from benchwright.builders.sql.wording.nouns import only_role


def read_meaning(template: SqlTemplate, schema: DatabaseSchema, vocabulary: Vocabulary) -> Meaning | None:
    """The meaning of a template, or None where it goes beyond Select, Project and Join along foreign keys."""
    asked = [column for name in template.names for column in name]
    roots = {projection.alias for projection in asked}
    if not template.plain or len(roots) != 1:
        return None
    return _MeaningReader(template, schema, vocabulary).meaning(asked)


def count_hops(template: SqlTemplate, schema: DatabaseSchema) -> int:
    """The facts that a template combines: a lookup is 1, each foreign key followed adds 1, an associative table none.

    What an associative table says itself of things that are all given is a lookup.
    """
    tables = {alias: schema.tables[table] for alias, table in template.tables.items()}
    root = next((projection.alias for projection in template.projections if projection), next(iter(tables)))
    entities = [alias for alias, table in tables.items() if not table.associative]
    if not tables[root].associative:
        return max(1, len(entities))
    given = {placeholder.compared.alias for placeholder in template.placeholders}
    return 1 + sum(1 for alias in entities if alias not in given)


class _MeaningReader:
    """Walks the tables of one template from the one that is asked about."""

    def __init__(self, template: SqlTemplate, schema: DatabaseSchema, vocabulary: Vocabulary) -> None:
        self.template, self.schema, self.vocabulary = template, schema, vocabulary
        self.tables: dict[str, SchemaTable] = {alias: schema.tables[name] for alias, name in template.tables.items()}
        self.seen: set[str] = set()

    def meaning(self, asked: list[ColumnOf]) -> Meaning | None:
        alias = asked[0].alias
        table = self.tables[alias]
        root = self._entity(alias)
        if root is None or self.seen != set(self.tables):
            return None
        named = any(given.naming for given in root.given)
        columns = []
        names = tuple(item.column for item in asked) in (*table.names, table.answered_by)
        words_asked = [self.vocabulary.column(table.name, item.column) for item in asked]
        nearer = self._past(table, root if names else _without_echo(root, words_asked))
        if nearer is not root:
            root, named = nearer, True
        if names and not named and not root.association:
            words = self._words(table, tuple(item.column for item in asked))
            value = english.value_kind(table.name, table.columns[asked[0].column].kind)
            return Meaning((AskedColumn(words, value, True, english.is_plural(words)),), root)
        if len(self.template.names) < len(asked):
            return None
        for item in asked:
            words = self.vocabulary.column(table.name, item.column)
            kind = table.columns[item.column].kind
            value = english.value_kind(words, kind)
            if value == "boolean" and kind != "boolean":  # `has visa`: yes, pending or no
                value = "number" if kind == "number" else "text"
            columns.append(AskedColumn(words, value, False, english.is_plural(words)))
        return Meaning(tuple(columns), root)

    def _entity(self, alias: str) -> Entity | None:
        """The entity of a table instance with all that is known of it; None where it cannot be put into words."""
        self.seen.add(alias)
        table = self.tables[alias]
        links: list[Link] = []
        for pairs in self._joins(alias):
            if pairs[0][1].alias in self.seen:
                continue
            link = self._link(table, pairs)
            if link is None:
                return None
            links.append(link)
        given = self._given(alias, table)
        if not given and not links:
            return None
        is_shared = any(
            len(name) > 1 and name in other.names
            for name in table.names
            for other in self.schema.tables.values()
            if other.name != table.name
        )
        return Entity(self.vocabulary.noun(table.name), given, tuple(links), table.associative, is_shared)

    def _given(self, alias: str, table: SchemaTable) -> tuple[Given, ...]:
        """What is given of a table instance: a name of several columns is one thing that is known."""
        there = {item.compared.column: item.text for item in self.template.placeholders if item.compared.alias == alias}
        found: list[Given] = []
        for name in table.names:
            if set(name) <= set(there):
                found.append(Given(self._words(table, name), side_by_side(name, there), True))
                for column in name:
                    del there[column]
        found += [Given(self.vocabulary.column(table.name, column), text, False) for column, text in there.items()]
        return tuple(found)

    def _words(self, table: SchemaTable, name: tuple[str, ...]) -> str:
        """What a name is called itself: `name` of a first and last name, `title` of a title and a year."""
        words = self.vocabulary.column(table.name, name[0])
        return words if len(name) == 1 or english.head_word(words) == "title" else "name"

    def _joins(self, alias: str) -> list[Equations]:
        """The equations of a table instance with each other one, its own side first."""
        own = [pairs if pairs[0][0].alias == alias else turned(pairs) for pairs in equations(self.template.joins)]
        places = list(self.tables)
        return sorted(
            (pairs for pairs in own if pairs[0][0].alias == alias), key=lambda pairs: places.index(pairs[0][1].alias)
        )

    def _link(self, table: SchemaTable, pairs: Equations) -> Link | None:
        other = pairs[0][1].alias
        there = self.tables[other]
        if there.associative and not table.associative:
            return self._through(table, there, pairs)
        if key := followed_key(table, pairs):
            entity = self._entity(other)
            return Link("has_role", role_of(key, table.name, self.vocabulary), entity) if entity else None
        if key := followed_key(there, turned(pairs)):
            entity = self._entity(other)
            role = role_of(key, there.name, self.vocabulary)
            return Link("role_of", role, self._past(there, entity)) if entity else None
        return None

    def _through(self, table: SchemaTable, between: SchemaTable, pairs: Equations) -> Link | None:
        """A link that an associative table makes to one other entity."""
        alias = pairs[0][1].alias
        self.seen.add(alias)
        onward = [pairs for pairs in self._joins(alias) if pairs[0][1].alias not in self.seen]
        conditioned = any(item.compared.alias == alias for item in self.template.placeholders)
        if len(onward) != 1 or conditioned:
            return None
        if not (followed_key(between, turned(pairs)) and followed_key(between, onward[0])):
            return None
        far = onward[0][0][1].alias
        entity = self._entity(far)
        noun, own, other = (self.vocabulary.noun(name) for name in (between.name, table.name, self.tables[far].name))
        if entity and (_says_no_more(noun, own, other) or noun.rpartition(" ")[2] not in english.OCCASIONS):
            return Link("role_of", own, entity)
        return Link("through", noun, entity) if entity else None

    def _past(self, table: SchemaTable, entity: Entity) -> Entity:
        """Who stands behind an entity that only carries from one thing to the next: the customer of his address."""
        link = only_role(entity)
        return link.entity if link and only_carries(table) and link.role == entity.noun else entity


def _without_echo(root: Entity, words: list[str]) -> Entity:
    """Whose it is where the words say what it is a part of: the rental date of a payment, not that of its rental."""
    link = only_role(root)
    is_echo = link is not None and link.role == root.noun and all(one.startswith(f"{root.noun} ") for one in words)
    return link.entity if link and is_echo else root


def _says_no_more(noun: str, *ends: str) -> bool:
    """Whether an associative table is called by nothing but what it links: `film category`."""
    said = {word for end in ends for word in end.split()}
    return set(noun.split()) <= said


def side_by_side(name: tuple[str, ...], texts: Mapping[str, str]) -> str:
    """The placeholders of a name as people write it: with spaces between, in brackets what only tells two of a name
    apart, such as a year."""
    first, *others = name
    is_named = english.is_name(first)
    return " ".join(
        [texts[first], *(texts[one] if not is_named or english.is_name(one) else f"({texts[one]})" for one in others)]
    )
