"""The way back from a wording to its SQL template: a model in the role `checker`, which knows nothing of what the
writer was told, picks the SQL template that is asked for from others that differ in a column, a join or the direction.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot import exp

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.dialects import parser_of
from benchwright.benchmarks.grounding.sql import ColumnOf, SqlTemplate, parse_template
from benchwright.benchmarks.hashing import short_hash
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import Reply, ReplyError
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.templates.proposals import ask_all
from benchwright.builders.sql.wording.kinds.alternatives import alternatives_of_kind
from benchwright.builders.sql.wording.kinds.sense import PLAIN
from benchwright.builders.sql.wording.text_checks import Problem
from benchwright.builders.sql.wording.variants import is_odd, join_variants

CHECKER = "checker"
"""The role of the model that reads what a writer wrote."""
CHECK_PROMPT, CHECK_KIND_PROMPT = "check_wording", "check_kind_wording"
"""Of lookups, and of other kinds."""
CHECK_STEP = "wordings checked"
OTHERS = 5
"""SQL templates beside the right one, at most."""
NONE, SEVERAL = "none", "several"


@dataclass(frozen=True)
class Choice:
    """The shape of a reply."""

    choice: str
    """A number of the list, `none` or `several`."""


@dataclass(frozen=True)
class Check:
    """A wording that is to be read, and what it may ask for."""

    wording: str
    right: str
    choices: tuple[str, ...]
    """SQL templates, the right one among them, in an order that follows from their hashes."""
    names: tuple[str, ...]
    """What their tables and columns are called, a line each."""
    prompt: str = CHECK_PROMPT
    """What the checker is asked with."""

    @classmethod
    def of(
        cls,
        wording: str,
        template: SqlTemplate,
        others: Iterable[str],
        names: Sequence[str],
        dialect: str,
        prompt: str = CHECK_PROMPT,
    ) -> "Check":
        """The check of one wording of a template."""
        right = in_one_style(template.text, template, dialect)
        choices = {right, *(in_one_style(other, template, dialect) for other in others)}
        ordered = sorted(choices, key=lambda sql: short_hash([wording, sql], 8))
        return cls(wording, right, tuple(ordered), tuple(names), prompt)


def in_one_style(sql: str, template: SqlTemplate, dialect: str) -> str:
    """A SQL template as it is shown: what is written in a way of its own, such as quotes, would tell the right one."""
    parser = parser_of(dialect)
    tree = sqlglot.parse_one(sql.rstrip("; "), read=parser)
    names = {name.lower(): name for column in template.columns for name in (column.table, column.column)}
    alone = next(iter(template.tables)) if len(template.tables) == 1 else None
    for column in tree.find_all(exp.Column):
        if alone is not None and not column.table:
            column.set("table", exp.to_identifier(alone))
    for one in tree.find_all(exp.Identifier):
        one.set("this", names.get(one.name.lower(), one.name))
        one.set("quoted", not one.name.isidentifier())
    return tree.sql(parser)


def alternatives(template: SqlTemplate, schema: DatabaseSchema) -> tuple[SqlTemplate, ...]:
    """SQL templates of the schema that differ from one in what is selected, in one join, or in its direction; of a kind
    beside lookups first those that reckon, rank, compare or claim something else."""
    if template.declared not in PLAIN:
        return tuple(alternatives_of_kind(template, schema, OTHERS))
    found: dict[str, list[SqlTemplate]] = {"direction": [], "join": [], "column": [], "table": []}
    for kind, text in _variants(template, schema):
        try:
            other = parse_template(text, schema.names, schema.dialect)
        except BenchwrightError:
            continue
        if other.plain and text != template.text.rstrip("; "):
            found[kind].append(other)
    for those in found.values():
        those.sort(key=lambda other: short_hash([template.id, other.text], 8))
    taken = [*found["direction"][:1], *found["join"][:2], *found["column"][:3], *found["table"][:2]]
    rest = [other for those in found.values() for other in those if other not in taken]
    return tuple({other.text: other for other in [*taken, *rest]}.values())[:OTHERS]


def _variants(template: SqlTemplate, schema: DatabaseSchema) -> Iterator[tuple[str, str]]:
    """How a template differs from another one, and the other one."""
    parser = parser_of(schema.dialect)
    tree = sqlglot.parse_one(template.text, read=parser)
    asked = template.projections[0] if template.projections else None
    if asked is None:
        return
    given = {item.compared for item in template.placeholders}

    def selecting(alias: str, column: str) -> str:
        other = tree.copy()
        assert isinstance(other, exp.Select)
        other.set(
            "expressions",
            [exp.column(column, table=alias if len(template.tables) > 1 else None, quoted=is_odd(column))],
        )
        return other.sql(parser)

    for alias, name in template.tables.items():
        table = schema.tables[name]
        for column in table.columns.values():
            is_said = column.worth_asking or table.names_row(column.name)
            if is_said and ColumnOf(alias, name, column.name) not in (asked, *given):
                yield "column" if alias == asked.alias else "table", selecting(alias, column.name)
    yield from join_variants(template, schema, tree)


def read_back(
    client: Client, checks: Sequence[Check], tell: Callable[[int], None]
) -> list[tuple[Check, Problem | None]]:
    """Lets the checker read wordings, each in a call of its own.

    Args:
        client: asks the model in the role `checker`.
        checks: what is to be read.
        tell: told how many were read.

    Returns:
        Each check, with why its wording cannot be used.

    Raises:
        StopError: nothing that follows would go better; the replies that came are kept.
        Estimated: nothing is to be asked.
    """
    replies = ask_all(client, checks, lambda check: _ask(client, check), tell)
    return [(check, _judged(check, reply)) for check, reply in replies]


def _ask(client: Client, check: Check) -> Awaitable[Reply[Choice]]:
    messages = client.prompt(check.prompt).fill(names=check.names, choices=check.choices, wording=check.wording)
    return client.chat(CHECKER, messages, step=CHECK_STEP, reply=Choice, temperature=0)


def _judged(check: Check, reply: Reply[Choice] | ReplyError) -> Problem | None:
    if isinstance(reply, ReplyError):
        return Problem("the checker gave no usable reply", reply.reason)
    choice = reply.value.choice.strip().strip(".").lower()
    if choice in (NONE, SEVERAL):
        which = "none of the questions that it was shown" if choice == NONE else "several questions"
        return Problem("is read as something else", which)
    number = int(choice) if choice.isascii() and choice.isdigit() else 0
    if not 1 <= number <= len(check.choices):
        return Problem("the checker gave no usable reply", f"there is no choice {choice[:40]!r}")
    chosen = check.choices[number - 1]
    return None if chosen == check.right else Problem("is read as something else", chosen)
