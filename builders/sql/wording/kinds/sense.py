"""What a template of a kind beside lookups asks, as tokens: the lookup that is left without its operation."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import sqlglot
from sqlglot import exp

from benchwright.benchmarks.grounding.dialects import parser_of
from benchwright.benchmarks.grounding.sql import PLACEHOLDER, ColumnOf, SqlTemplate, parse_template
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.kinds.thresholds import Threshold, threshold_of
from benchwright.builders.sql.wording.lexicon import asks_for, own_words, same
from benchwright.builders.sql.wording.meaning import Meaning
from benchwright.builders.sql.wording.sense import COMMON, Sense, sense_of

_OF_VALUES = frozenset({"minimum", "maximum", "sum", "average"})
_OF_ROWS = frozenset({"count", "comparison", "ranking", "list"})
_OF_FACTS = frozenset({"yes_no", "unanswerable"})
_DIALECT = "sqlite"
_PLACES = frozenset({"country", "city", "town", "continent"})
PLAIN = ("", "lookup", "filter")
"""Kinds whose templates are lookups as they stand."""


@dataclass(frozen=True)
class KindSense:
    """What a template of a kind asks."""

    kind: str
    plain: Sense
    """Of the lookup without its operation: of the freight of a customer's orders, or of the orders themselves."""
    noun: str
    """Of a row: `order`; nothing of kinds that ask for a fact."""
    rows: frozenset[str]
    """Tokens that call a row."""
    measured: Sense | None = None
    """Of the lookup of the column by which rows are ranked or compared."""
    measure: str = ""
    """Words of the column that is ranked, compared, added up or averaged."""
    is_time: bool = False
    """Whether it holds dates or years."""
    is_counted: bool = False
    """Whether it is a number of things, such as units in stock."""
    is_highest: bool = False
    place: int = 1
    """Of a ranking: which from that end, 1 is the first."""
    threshold: Threshold | None = None
    rivals: tuple[str, ...] = ()
    """Of two words and more, or by common ones such as `address`, that other columns of its tables are called."""
    placed: tuple[tuple[str, str, str], ...] = ()
    """Of places that are given: placeholder, what may stand before it, and what that says in words of the schema."""
    claimed: tuple[str, ...] = ()
    """Of a question of yes or no: the placeholders of the value that it says."""


def kind_sense_of(
    template: SqlTemplate, meaning: Meaning | None, schema: DatabaseSchema, vocabulary: Vocabulary
) -> KindSense | None:
    """What a template of a kind asks; None where no rule can read it, so that no wording of it could be proved."""
    kind = template.declared
    if meaning is None:
        return None
    if kind in _OF_FACTS:
        return _of_fact(template, meaning, schema, vocabulary)
    if meaning.many is None or kind not in _OF_VALUES | _OF_ROWS:
        return None
    alias = list(template.tables)[-1]
    table = schema.tables[template.tables[alias]]
    noun = vocabulary.noun(table.name)
    measured, threshold = _measured(template), threshold_of(template)
    words = vocabulary.column(measured.table, measured.column) if measured else ""
    column = schema.tables[measured.table].columns[measured.column] if measured else None
    is_of_measure = kind in _OF_VALUES or kind in ("comparison", "ranking")
    if (is_of_measure and measured is None) or (kind == "comparison" and threshold is None):
        return None
    also = same(noun) | own_words(noun)
    of_measure = None
    if measured is not None:
        also |= same(words) | asks_for(english.value_kind(words, column.kind if column else ""), words)
        of_measure = sense_of(_asking(template, (measured,)), schema, vocabulary, also)
    if kind in _OF_VALUES:
        plain = of_measure
    else:
        name = tuple(ColumnOf(alias, table.name, one) for one in table.called_by or table.naming)
        plain = sense_of(_asking(template, name), schema, vocabulary, also) if name else None
    if plain is None or (measured is not None and of_measure is None):
        return None
    said = [meaning.many.asked, *(one.words for one in meaning.many.conditions)]
    is_time = column is not None and (column.kind == "date" or english.value_kind(words, column.kind) == "date")
    return KindSense(
        kind,
        plain,
        noun,
        same(noun) | own_words(noun),
        of_measure if kind in ("comparison", "ranking") else None,
        words,
        is_time or _is_year(words),
        measured is not None and any("number of " in one for one in said),
        template.ranked.is_descending if template.ranked else kind == "maximum",
        template.ranked.place if template.ranked else 1,
        threshold,
        _rivals(template, schema, vocabulary),
        tuple(_placed(meaning)),
    )


def asked_of(template: SqlTemplate, schema: DatabaseSchema) -> SqlTemplate:
    """The template as whoever words it or reads a wording is shown it: of what has no answer the lookup alone, for
    nobody says that a fact that he asks for is there."""
    if template.declared != "unanswerable":
        return template
    tree = sqlglot.parse_one(template.text.rstrip("; "), read=parser_of(schema.dialect))
    where = tree.args["where"]
    kept = [one.copy() for one in where.this.flatten() if not isinstance(one, exp.Not)]
    where.set("this", exp.and_(*kept))
    return parse_template(f"{tree.sql(parser_of(schema.dialect))};", schema.names, schema.dialect)


def _of_fact(
    template: SqlTemplate, meaning: Meaning, schema: DatabaseSchema, vocabulary: Vocabulary
) -> KindSense | None:
    claimed = tuple(match[0] for match in PLACEHOLDER.finditer(meaning.said))
    names = template.names[0] if template.names else ()
    if claimed:
        names = tuple(one.compared for one in template.placeholders if one.text in claimed)
    if not names:
        return None
    left = tuple(one for one in template.placeholders if one.text not in claimed)
    plain = sense_of(replace(_asking(template, names), placeholders=left), schema, vocabulary)
    if plain is None:
        return None
    return KindSense(
        template.declared, plain, "", frozenset(), rivals=_rivals(template, schema, vocabulary), claimed=claimed
    )


def _placed(meaning: Meaning) -> Iterator[tuple[str, str, str]]:
    """What people say of a country or a town without naming it so: `customers in X`, `orders shipped to X`."""
    for given in meaning.of.given:
        before, _, last = given.words.rpartition(" ")
        if given.naming or not (last in _PLACES or given.words == "headquarters"):
            continue
        if before == "ship-to":
            yield given.placeholder, r"\b(?:shipped|sent|delivered|going|went) to ", f"with the {given.words} "
        elif given.words == "headquarters":
            yield given.placeholder, r"\b(?:headquartered|based) in ", "with headquarters in "
        elif not before:
            yield given.placeholder, r"\b(?:in|from) ", f"in the {last} "


def _rivals(template: SqlTemplate, schema: DatabaseSchema, vocabulary: Vocabulary) -> tuple[str, ...]:
    """What its tables call columns which it does not name, in two words and more or in one that the checker of lookups
    takes for a common one."""
    named = {(one.table, one.column) for one in template.columns}
    own = [vocabulary.column(*one) for one in named]
    found = {
        said: None
        for name in template.tables.values()
        for column in schema.tables[name].columns.values()
        if column.worth_asking and (name, column.name) not in named
        for said in [vocabulary.column(name, column.name)]
        if (" " in said or said in COMMON - {"name"}) and not any(said in one for one in own)
    }
    return tuple(found)


def _asking(template: SqlTemplate, columns: tuple[ColumnOf, ...]) -> SqlTemplate:
    """The lookup of some columns under the conditions of a template on its placeholders."""
    return replace(template, names=(columns,), projections=columns[:1], plain=True, declared="")


def _measured(template: SqlTemplate) -> ColumnOf | None:
    """The column that is ranked, compared, added up or averaged."""
    if template.ranked is not None:
        return _column(template, template.ranked.order_sql)
    threshold = threshold_of(template)
    if threshold is not None:
        return _column(template, threshold.column)
    return template.valued[0] if template.valued else None


def _column(template: SqlTemplate, sql: str) -> ColumnOf | None:
    tree = sqlglot.parse_one(sql, read=_DIALECT)
    if not isinstance(tree, exp.Column):
        return None
    known: Iterable[ColumnOf] = template.columns
    for one in sorted(known, key=lambda one: (one.alias, one.column)):
        if one.column.lower() == tree.name.lower() and (not tree.table or one.alias.lower() == tree.table.lower()):
            return one
    return None


def _is_year(words: str) -> bool:
    return bool(re.search(r"\byear\b", words, re.IGNORECASE))
