"""What a SQL template asks, as tokens: by which words a wording may name it, and by which something else."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.builders.sql.joins import equations, followed_key, role_of, turned
from benchwright.builders.sql.schema import DatabaseSchema, SchemaTable
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.lexicon import (
    all_of,
    asks_for,
    deeds,
    done_by,
    is_sufferer,
    own_words,
    same,
    stem,
    words_called,
)

GENERIC = words_called("generic")
COMMON = GENERIC | words_called("plain") | {"address"}


@dataclass(frozen=True)
class Relation:
    """A foreign key that a template follows."""

    role: str
    """What the row that the key leads to is to the other one."""
    own: frozenset[str]
    """Its words, and those of the table that it leads to unless another key leads there, too."""
    cues: frozenset[str]
    """Tokens of which one must be there; none where what is given says enough."""
    telling: frozenset[str]
    """Those that nothing else of the schema shares."""
    verbs: frozenset[str]
    """What whoever plays the role does."""
    licensed: frozenset[str]
    from_given: bool
    """Whether it leads from what is given towards what is asked."""
    is_contested: bool
    """Whether another key leads to the same table, or it leads to a thing of the kind that is given."""
    is_turned: bool
    """Whether those are asked for of whom what is given is the role: whom somebody teaches."""
    is_among_alike: bool
    """Whether what it leads to is a thing of the kind that is given."""


@dataclass(frozen=True)
class Other:
    """A column, table or role that a template does not name."""

    said: str
    own: frozenset[str]
    """Tokens of its own words that name it, not what the template names."""
    alike: frozenset[str]
    """Tokens of other words for it."""
    is_beside: bool
    """Whether it is a table that a table of the template points to: the patient of an admission."""
    is_date: bool = False
    """Whether it is a day, a time or a year, which nobody asks for without a word for such."""


@dataclass(frozen=True)
class Sense:
    """What a template asks, as tokens."""

    asked: frozenset[str]
    """That name what is asked for."""
    each: tuple[frozenset[str], ...]
    """Of each of several columns that are asked for what says it; none of one."""
    own: frozenset[str]
    """The column's own words."""
    telling: frozenset[str]
    """Of those that name it the ones that its own words and deeds give, and that other columns do not share."""
    verbs: frozenset[str]
    """What somebody does who is called as the column is."""
    kinds: frozenset[str]
    """That ask for a value of its kind."""
    siblings: tuple[tuple[str, frozenset[str], frozenset[str]], ...]
    """Other columns of its table: words, tokens, and tokens of their kind."""
    relations: tuple[Relation, ...]
    given: tuple[frozenset[str], ...]
    """For each thing that is given and is no name: tokens of which one must be there."""
    given_nouns: frozenset[str]
    """That may stand right before a placeholder."""
    licensed: frozenset[str]
    nouns: frozenset[str]
    """Words by which the schema calls things, as they are written."""
    on_the_way: frozenset[str]
    """Words of tables and roles, which alone tell no column of theirs."""
    rivals: frozenset[str]
    """Phrases for another column of its table and kind."""
    others: tuple[Other, ...]
    kind: english.ValueKind
    counts: bool
    """Whether `how many` can ask for it."""
    asks_entity: bool
    noun: frozenset[str]
    """What a thing that is asked for is called by its table; nothing where a column of it is asked for."""
    is_amount: bool
    """Whether it is measured or paid, not counted."""

    @property
    def is_truth(self) -> bool:
        """Whether yes or no is what is asked for."""
        return self.kind == "boolean"


def sense_of(
    template: SqlTemplate, schema: DatabaseSchema, vocabulary: Vocabulary, also: frozenset[str] = frozenset()
) -> Sense | None:
    """What a template asks; None where it is more than Select, Project and Join along foreign keys.

    Args:
        template: the template.
        schema: the schema of its database.
        vocabulary: what tables and columns are called.
        also: tokens of what else a wording of it may name.
    """
    asked = [column for name in template.names for column in name]
    if not template.plain or not asked:
        return None
    first = asked[0]
    table = schema.tables[first.table]
    words = [vocabulary.column(item.table, item.column) for item in asked]
    columns = tuple(item.column for item in asked)
    asks_entity = not table.associative and (columns in (*table.names, table.called_by) or columns == table.naming)
    noun = vocabulary.noun(first.table)
    relations = tuple(_relations(template, schema, vocabulary))
    own = _kind(words[0], table.columns[first.column].kind) if not asks_entity else english.value_kind(noun)
    asked_tokens = all_of(words)
    telling = frozenset().union(*(_telling(phrase) for phrase in words))
    if not asks_entity:
        asked_tokens -= (
            _heads(template, schema, vocabulary)
            - telling
            - frozenset(token for phrase in words for token in own_words(phrase))
        )
    if asks_entity:
        leads = [item for item in relations if item[2] == first.alias]
        is_noun = not leads or any(noun in item[0] for item in leads)
        asked_tokens = frozenset().union(*(item[3].licensed for item in leads), same(noun) if is_noun else ())
        asked_tokens = asked_tokens or same(noun)
        telling = frozenset().union(own_words(noun), *(item[3].own | item[3].verbs for item in leads))
        if any(done_by(item[0]) for item in leads):
            own = "person" if own == "text" else own
    elif (done_by(words[0]) or is_sufferer(words[0].split()[-1])) and own == "text":
        own = "person"
    kinds = frozenset().union(*(asks_for(own, phrase) for phrase in words), all_of(words) if asks_entity else ())
    kinds |= {stem(noun)} if asks_entity else frozenset()
    nouns_there = all_of(vocabulary.noun(name) for name in template.tables.values())
    given_words = [vocabulary.column(item.compared.table, item.compared.column) for item in template.placeholders]
    given_tables = [vocabulary.noun(item.compared.table) for item in template.placeholders]
    given_roles = [item[0] for item in relations for one in template.placeholders if item[2] == one.compared.alias]
    licensed = asked_tokens | kinds | nouns_there | all_of(given_words)
    licensed = licensed.union(*(item[3].licensed for item in relations), all_of(given_roles), also)
    all_own = frozenset(token for phrase in words for token in own_words(phrase))
    nouns_own = frozenset().union(*(own_words(vocabulary.noun(name)) for name in template.tables.values()))
    nouns_own = nouns_own.union(*(own_words(item[0]) for item in relations))
    others = tuple(_others(template, schema, vocabulary, licensed))
    shared = kinds.union(
        *(same(one.said) for one in others if one.said not in words), *(item[3].licensed for item in relations), COMMON
    )
    return Sense(
        asked=asked_tokens,
        each=tuple(same(phrase) | asks_for(_kind(phrase, ""), phrase) for phrase in words)
        if len(words) > 1 and not asks_entity
        else (),
        own=all_own,
        telling=telling - GENERIC | (asked_tokens - shared if not asks_entity else frozenset()),
        verbs=frozenset().union(*(deeds(phrase) | done_by(phrase) for phrase in words)),
        kinds=kinds,
        siblings=tuple(
            (said, same(said), asks_for(_kind(said, column.kind), said))
            for column in table.columns.values()
            if column.name not in columns and column.worth_asking
            for said in [vocabulary.column(first.table, column.name)]
        ),
        relations=tuple(item[3] for item in relations),
        given=tuple(
            same(vocabulary.column(item.compared.table, item.compared.column))
            | (
                own_words(vocabulary.noun(item.compared.table))
                if _is_key(schema.tables[item.compared.table], item.compared.column)
                else frozenset()
            )
            for item in template.placeholders
            if not schema.tables[item.compared.table].names_row(item.compared.column)
            and not english.is_name(item.compared.column)
            and not _is_only_date(schema.tables[item.compared.table], item.compared.column)
        ),
        given_nouns=all_of([*given_words, *given_tables, *given_roles]),
        licensed=licensed,
        nouns=frozenset(_nouns(schema, vocabulary)),
        on_the_way=frozenset() if asks_entity or len(all_own) == 1 else nouns_own,
        rivals=frozenset(
            token
            for column in table.columns.values()
            if column.name not in columns
            and _kind(vocabulary.column(first.table, column.name), column.kind) == own
            and not asks_entity
            for token in same(vocabulary.column(first.table, column.name)) - licensed
            if "_" in token
        ),
        others=others,
        kind=own,
        counts=not {stem(part) for phrase in words for part in phrase.split()[-1:]} & words_called("ordinals"),
        asks_entity=asks_entity,
        noun=own_words(noun) if asks_entity else frozenset(),
        is_amount=bool({stem(english.head_word(phrase)) for phrase in words} & words_called("amounts")),
    )


def _heads(template: SqlTemplate, schema: DatabaseSchema, vocabulary: Vocabulary) -> frozenset[str]:
    """What other columns of its tables are called: their own words come before the lexicon's."""
    named = {(item.table, item.column) for item in template.columns}
    heads = {
        stem(english.head_word(vocabulary.column(name, column.name)))
        for name in template.tables.values()
        for column in schema.tables[name].columns.values()
        if column.worth_asking and (name, column.name) not in named
    }
    return frozenset(heads - COMMON)


def _telling(phrase: str) -> frozenset[str]:
    """The words of a column that tell it: `price` of a unit price, but `birth` of a birth date."""
    head = frozenset({stem(english.head_word(phrase))})
    return (own_words(phrase) - COMMON if head <= COMMON else head) | deeds(phrase)


def _kind(words: str, column_kind: str) -> english.ValueKind:
    kind = english.value_kind(words, column_kind)
    return "date" if kind in ("text", "number") and words.rpartition(" ")[2] in ("date", "time", "year") else kind


def _is_key(table: SchemaTable, column: str) -> bool:
    """Whether a value of a column alone tells the row, so that the row's noun is enough before it."""
    return tuple(table.primary_key) == (column,)


def _is_only_date(table: SchemaTable, column: str) -> bool:
    """Whether a value says by itself of which column it is: the one date of a table."""
    dates = [one.name for one in table.columns.values() if english.value_kind(one.name, one.kind) == "date"]
    return dates == [column]


def _relations(
    template: SqlTemplate, schema: DatabaseSchema, vocabulary: Vocabulary
) -> Iterator[tuple[str, str, str, Relation]]:
    """Of each foreign key: its role, the alias that holds it, the one that it leads to, and what says it."""
    named = {item.compared.alias for item in template.placeholders}
    given_tables = {item.compared.table for item in template.placeholders}
    steps = _steps(template)
    for pairs in equations(template.joins):
        near, far = pairs[0]
        key = followed_key(schema.tables[near.table], pairs)
        if key is None:
            near, far = far, near
            key = followed_key(schema.tables[near.table], turned(pairs))
        if key is None:
            continue
        role, noun = role_of(key, near.table, vocabulary), vocabulary.noun(far.table)
        rivals = [
            other
            for one, there in ((near.table, far.table), (far.table, near.table))
            for other in (
                role_of(item, one, vocabulary) for item in schema.tables[one].foreign_keys if item.table == there
            )
            if other != role
        ]
        own, verbs = own_words(role), done_by(role) | deeds(role)
        of_rivals = frozenset().union(*(same(one) | done_by(one) | deeds(one) for one in rivals))
        cues = same(role) | verbs
        licensed = cues | same(noun)
        if rivals:
            apart = {part for part in role.split() if not any(part in other.split() for other in rivals)}
            theirs = {part for other in rivals for part in other.split() if part not in role.split()}
            of_rivals -= all_of(apart) - all_of(theirs)
            cues -= (of_rivals - own) | (own_words(noun) if role != noun else set())
        elif near.table != far.table:
            cues |= same(noun)
            own |= own_words(noun)
        foreign = frozenset().union(*(own_words(vocabulary.noun(one)) for one in given_tables - {far.table})) - own
        is_said = schema.tables[near.table].associative or schema.tables[far.table].associative
        if far.alias in named and not rivals:
            cues |= same(vocabulary.noun(near.table)) | own_words(vocabulary.noun(near.table))
            is_said = is_said or len(named) > 1
        telling = cues - (foreign | (COMMON - own - {"report"}))
        yield (
            role,
            near.alias,
            far.alias,
            Relation(
                role,
                own,
                frozenset() if is_said else telling or cues,
                own | verbs,
                verbs,
                licensed,
                steps.get(far.alias, 0) < steps.get(near.alias, 0),
                bool(rivals) or near.table == far.table,
                near.table == far.table and steps.get(far.alias, 0) > steps.get(near.alias, 0),
                far.alias not in named and (near.table == far.table or far.table in given_tables),
            ),
        )


def _steps(template: SqlTemplate) -> dict[str, int]:
    """Alias → how many joins it is from what is asked."""
    found = {template.names[0][0].alias: 0}
    for _ in template.joins:
        for one, other in template.joins:
            for here, there in ((one.alias, other.alias), (other.alias, one.alias)):
                if here in found:
                    found.setdefault(there, found[here] + 1)
    return found


def _nouns(schema: DatabaseSchema, vocabulary: Vocabulary) -> Iterator[str]:
    for table in schema.tables.values():
        yield english.head_word(vocabulary.noun(table.name))
        for column in table.columns.values():
            yield english.head_word(vocabulary.column(table.name, column.name))
        for key in table.foreign_keys:
            yield english.head_word(role_of(key, table.name, vocabulary))


def _others(
    template: SqlTemplate, schema: DatabaseSchema, vocabulary: Vocabulary, licensed: frozenset[str]
) -> Iterator[Other]:
    """What the template does not name, that of its own tables first."""
    named = {(item.table, item.column) for item in template.columns}
    there = [name for name in schema.tables if name in template.tables.values()]
    beside = {key.table for name in there for key in schema.tables[name].foreign_keys}
    for name in [*there, *(name for name in schema.tables if name not in there)]:
        table = schema.tables[name]
        if name not in there:
            yield _other(vocabulary.noun(name), licensed, name in beside)
        for key in table.foreign_keys:
            if (name, key.columns[0]) not in named:
                role = role_of(key, name, vocabulary)
                yield _other(role, licensed, key.table in beside and role == vocabulary.noun(key.table))
        for column in table.columns.values():
            if column.worth_asking and (name, column.name) not in named and not table.names_row(column.name):
                said = vocabulary.column(name, column.name)
                yield replace(
                    _other(said, licensed, False),
                    is_date=bool({"date", "time", "year"} & {_kind(said, column.kind), *said.split()}),
                )


def _other(said: str, licensed: frozenset[str], is_beside: bool) -> Other:
    head = stem(english.head_word(said))
    known = licensed | COMMON
    own = own_words(said) - known if head in known else frozenset({head})
    return Other(said, own, same(said) - known - own, is_beside)
