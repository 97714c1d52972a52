"""The built-in writer of SQL templates: Select, Project and Join along foreign keys, up to a number of hops.

A lookup of a named thing is one hop. Each foreign key that is followed adds one; an associative table, which only
relates two others, adds none of its own. The criteria are those of GRAMMAR (appendices B and D of its two versions).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchwright.benchmarks.data_files import read_toml
from benchwright.builders.sql.reach import only_carries
from benchwright.builders.sql.schema import DatabaseSchema, KeyPath, SchemaTable, key_name
from benchwright.builders.sql.templates.worth import Step, Worth, leads_upwards

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
BETWEEN = " || ' ' || "
"""Between the columns of a name, which is one answer: `Nancy Davolio`."""
_RESERVED = frozenset(read_toml(__package__, "reserved.toml")["words"].split())


def enumerate_templates(
    schema: DatabaseSchema, hops: int = 3, limit: int = 0, may_share_names: bool = False, everything: bool = False
) -> list[str]:
    """SQL templates for a schema, without repetition, in a fixed order: few hops first.

    Args:
        schema: the database's schema.
        hops: the most facts that a template may combine.
        limit: at most so many templates, taken in turn from all starting tables and hops; 0 takes all.
        may_share_names: whether rows are also named by what several of them are called, where nothing is unique.
        everything: also what hardly anybody asks, such as the birthday of the manager of the one who took an order.
    """
    worth = None if everything else Worth(may_share_names)
    if may_share_names:
        tables = schema.tables.items()
        named = {name: replace(table, naming=table.naming or table.called_by) for name, table in tables}
        schema = replace(schema, tables=named)
    found: dict[tuple[int, str], list[str]] = {}
    for table in schema.tables.values():
        for count, sql in _templates_from(schema, table, hops, worth):
            found.setdefault((count, table.name), []).append(sql)
    if not limit:
        return [sql for _, part in sorted(found.items(), key=lambda item: item[0][0]) for sql in part]
    taken: list[str] = []
    queues = [list(part) for _, part in sorted(found.items(), key=lambda item: item[0][0])]
    while len(taken) < limit and any(queues):
        taken += [queue.pop(0) for queue in queues if queue]
    return taken[:limit]


def _templates_from(
    schema: DatabaseSchema, table: SchemaTable, hops: int, worth: Worth | None
) -> Iterator[tuple[int, str]]:
    if not table.ask or table.kind == "lookup":
        return
    if table.associative:
        yield from ((1, sql) for sql in _association(schema, table))
    elif table.naming and not (worth and only_carries(table)):
        given = given_row(table, "")
        for column in table.askable:
            of = f"{shown_name(table.name)}." if "." in column.name else ""  # alone, it would be read as a placeholder
            yield 1, f"SELECT {of}{shown_name(column.name)} FROM {shown_name(table.name)} WHERE {given};"
        yield from _follow(schema, [Step(table, table.name, "")], hops, worth)


def _follow(schema: DatabaseSchema, path: list[Step], hops: int, worth: Worth | None) -> Iterator[tuple[int, str]]:
    """Templates that ask for what a path of foreign keys leads to."""
    if len(path) > hops - 1:
        return
    for step in _next_steps(schema, path):
        target = step.table
        if not _is_asked(schema, [*path, step], worth):
            continue
        columns_asked = worth.columns([*path, step]) if worth else target.askable
        asked: list[tuple[str, ...]] = [(column.name,) for column in columns_asked]
        name = target.answered_by
        if name and (step.between or not (step.key and set(step.key.targets) & set(name))):
            asked.insert(0, name)
        whole = [*path, step]
        first = path[0].table
        joins = " ".join(item.join for item in whole[1:])
        given = given_row(first, f"{shown_name(first.name)}.")
        for columns in asked:
            selected = BETWEEN.join(f"{shown_name(step.alias)}.{shown_name(column)}" for column in columns)
            yield len(whole), f"SELECT {selected} FROM {shown_name(first.name)} {joins} WHERE {given};"
        yield from _follow(schema, whole, hops, worth)


def paths_left_out(schema: DatabaseSchema, may_share_names: bool = False) -> list[KeyPath]:
    """The paths of one or two steps that nobody asks along, by rule or by the schema file, each with no other in it."""
    worth = Worth(may_share_names)
    found: dict[KeyPath, None] = {}
    for table in schema.tables.values():
        start = Step(table, table.name, "")
        for first in [] if table.associative or not table.ask else _next_steps(schema, [start]):
            if not _is_asked(schema, [start, first], worth):
                found[first.keys] = None
                continue
            for second in _next_steps(schema, [start, first]):
                alone = second.keys[len(first.keys) :]
                if alone not in found and not _is_asked(schema, [start, first, second], worth):
                    found[second.keys] = None
    return [keys for keys in found if not any(keys != other and keys[-len(other) :] == other for other in found)]


def _is_asked(schema: DatabaseSchema, path: list[Step], worth: Worth | None) -> bool:
    """Whether people ask along a path: as the schema file says, else by rule."""
    keys, key = path[-1].keys, path[-1].key
    decided = schema.asks_along(keys)
    if decided is not None:
        return decided
    if key is not None and path[-1].between is None and keys[-2:-1] == keys[-1:] and not leads_upwards(key):
        return False
    return worth is None or worth.path(path)


def _next_steps(schema: DatabaseSchema, path: list[Step]) -> Iterator[Step]:
    here = path[-1]
    used = [step.alias for step in path]
    for key in here.table.foreign_keys:
        target = schema.tables[key.table]
        keys = (*here.keys, key_name(here.table.name, key))
        if target.associative or not target.ask or _returns(path, target):
            continue
        alias = free_alias(target.name, used)
        yield Step(target, alias, join_of(target.name, alias, here.alias, key.columns, key.targets), key, keys=keys)
    for between in schema.tables.values():
        if not between.associative or not between.ask:
            continue
        for inward in between.ties:
            if inward.table != here.table.name:
                continue
            for outward in between.ties:
                target = schema.tables[outward.table]
                if outward.columns == inward.columns or _returns(path, target) or target.name == here.table.name:
                    continue
                if not target.ask:
                    continue
                keys = (*here.keys, key_name(between.name, inward), key_name(between.name, outward))
                middle = free_alias(between.name, used)
                alias = free_alias(target.name, [*used, middle])
                first = join_of(between.name, middle, here.alias, inward.targets, inward.columns)
                onward = join_of(target.name, alias, middle, outward.columns, outward.targets)
                yield Step(target, alias, f"{first} {onward}", outward, between, inward, keys)


def _returns(path: list[Step], target: SchemaTable) -> bool:
    """Whether a path would come back to a table that it left; a row may well refer to another one of its own table."""
    names = [step.table.name for step in path]
    return target.name in names and names[-1] != target.name


def _association(schema: DatabaseSchema, table: SchemaTable) -> Iterator[str]:
    """What an associative table itself says of the things that it relates, such as the years of an employment."""
    ends = [schema.tables[key.table] for key in table.ties]
    if not all(end.naming and end.ask for end in ends) or len({end.name for end in ends}) != len(ends):
        return
    joins = " ".join(join_of(key.table, key.table, table.name, key.columns, key.targets) for key in table.ties)
    given = " AND ".join(given_row(end, f"{shown_name(end.name)}.") for end in ends)
    named = [column for name in table.names for column in name if table.columns[column].worth_asking]
    for column in dict.fromkeys([*(column.name for column in table.askable), *named]):
        own = shown_name(table.name)
        yield f"SELECT {own}.{shown_name(column)} FROM {own} {joins} WHERE {given};"


def given_row(table: SchemaTable, prefix: str) -> str:
    """The condition that says which row of a table is meant, by all columns of its name."""
    return " AND ".join(f"{prefix}{shown_name(column)} = '[{table.name}.{column}]'" for column in table.naming)


def join_of(table: str, alias: str, other: str, columns: Sequence[str], targets: Sequence[str]) -> str:
    shown = shown_name(table) if alias == table else f"{shown_name(table)} AS {shown_name(alias)}"
    equal = [
        f"{shown_name(other)}.{shown_name(column)} = {shown_name(alias)}.{shown_name(target)}"
        for column, target in zip(columns, targets, strict=True)
    ]
    return f"JOIN {shown} ON {' AND '.join(equal)}"


def free_alias(table: str, used: list[str]) -> str:
    alias, number = table, 2
    while alias in used:
        alias, number = f"{table}_{number}", number + 1
    return alias


def shown_name(name: str) -> str:
    """An identifier, quoted where any dialect must have it so: PostgreSQL folds capitals, and words are reserved."""
    if _PLAIN.fullmatch(name) and name not in _RESERVED:
        return name
    return '"' + name.replace('"', '""') + '"'
