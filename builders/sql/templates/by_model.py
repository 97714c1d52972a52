"""SQL templates by a model, from the schema alone: for each table and each chain of tables some, parsed and executed.

The model sees names, types, keys and their words; what a rejected template is told of the database is whether it has an
answer. Nothing of any row leaves the machine.
"""

import re
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sql import ColumnOf, SqlTemplate, parse_template
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import Reply, ReplyError
from benchwright.builders.base import Progress
from benchwright.builders.sql.filling.fill import Filler, Several
from benchwright.builders.sql.filling.pools import Pools
from benchwright.builders.sql.filling.sample import POOL, sample_fillings
from benchwright.builders.sql.joins import equations, followed_key, turned
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.schema_areas import Area, areas, describe_tables
from benchwright.builders.sql.templates.proposals import REPEATED, ROUNDS, WRITER, RejectedProposal, ask_all, unusable
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording.template_meaning import count_hops

SQL_PROMPT = "write_sql_templates"
STEP = "SQL templates"
EACH = 8
"""SQL templates that are asked for at once."""
_TRIED = 50
"""Values with a single answer that are looked for among about three times as many."""
LEAST_SINGLE = 0.9
"""The least share of the tried values with an answer that have a single one. GRAMMAR's Appendix B asks for a specific
and singular answer, and gives no share."""
_FENCE = re.compile(r"\A```[\w-]*\s*|\s*```\Z")
_COMMENT = re.compile(r"--[^\n]*(?=\n|\Z)")
_TEMPERATURE = 0.2


@dataclass(frozen=True)
class SqlTemplates:
    """The shape of a reply."""

    sql_templates: tuple[str, ...]


@dataclass(frozen=True)
class ModelledSql:
    """What a model proposed: what can be used, what cannot, and what it left out."""

    statements: tuple[str, ...]
    """In turn from all areas, those on few tables first."""
    rejected: tuple[RejectedProposal, ...]
    uncovered: tuple[str, ...]
    """Tables that no template is about."""


class SqlWriter:
    """Asks a model for the SQL templates of one database."""

    def __init__(
        self,
        client: Client,
        database: Database,
        schema: DatabaseSchema,
        vocabulary: Vocabulary,
        hops: int,
        several: Several,
    ) -> None:
        self.client, self.database, self.schema, self.vocabulary = client, database, schema, vocabulary
        self.hops = hops
        self.several: Several = several
        self._known: set[object] = set()

    def write(self, limit: int, progress: Progress) -> ModelledSql:
        """Asks about every area, up to three times where nothing of what was proposed can be used.

        Args:
            limit: at most so many templates; 0 takes all.
            progress: told how many replies there are.

        Raises:
            StopError: nothing that follows would go better; the replies that came are kept.
            Estimated: nothing is to be asked.
        """
        parts = areas(self.schema, self.hops)
        kept: dict[Area, list[SqlTemplate]] = {area: [] for area in parts}
        rejected: dict[Area, list[RejectedProposal]] = {area: [] for area in parts}
        again: Sequence[Area] = parts
        for number in range(1, ROUNDS + 1):

            def ask(area: Area, number: int = number) -> Awaitable[Reply[SqlTemplates]]:
                return self._ask(area, rejected[area], number)

            what = "SQL templates" if number == 1 else f"SQL templates, round {number}"
            total = len(again)
            replies = ask_all(self.client, again, ask, lambda done, what=what, total=total: progress(what, done, total))
            failed = []
            for area, reply in replies:
                good, bad = self._take(area, reply, number)
                kept[area] += good
                rejected[area] += bad
                if bad and not good:
                    failed.append(area)
            again = failed
        taken = _in_turn([kept[area] for area in parts], limit)
        covered = {table for template in taken for table in template.tables.values()}
        return ModelledSql(
            tuple(template.text for template in taken),
            tuple(item for area in parts for item in rejected[area]),
            tuple(table for table in self.schema.tables if table not in covered),
        )

    def _ask(self, area: Area, rejected: Sequence[RejectedProposal], number: int) -> Awaitable[Reply[SqlTemplates]]:
        messages = self.client.prompt(SQL_PROMPT).fill(
            tables=describe_tables(area, self.schema, self.vocabulary),
            together=area.tables,
            count=EACH,
            rejected=[item for item in rejected if item.is_proposal][-REPEATED:],
        )
        return self.client.chat(
            WRITER, messages, step=STEP, reply=SqlTemplates, repeat=number - 1, temperature=_TEMPERATURE
        )

    def _take(
        self, area: Area, reply: Reply[SqlTemplates] | ReplyError, number: int
    ) -> tuple[list[SqlTemplate], list[RejectedProposal]]:
        """The templates of a reply that can be used, and the others."""
        about = ", ".join(area.tables)
        if isinstance(reply, ReplyError):
            return [], [unusable("sql", about, "", number, reply)]
        good: list[SqlTemplate] = []
        bad: list[RejectedProposal] = []
        for text in reply.value.sql_templates:
            statement = _statement(text)
            template, reason, detail = self._check(area, statement)
            if template is not None and len(good) == EACH:
                template, reason = None, "is more than was asked for"
            if template is None:
                bad.append(RejectedProposal("sql", about, "", number, statement, reason, detail))
            else:
                self._known.add(meaning_key(template))
                good.append(template)
        return good, bad

    def _check(self, area: Area, statement: str) -> tuple[SqlTemplate | None, str, str]:
        """The template, or why it cannot be used."""
        try:
            template = parse_template(statement, self.schema.names, self.schema.dialect)
        except BenchwrightError as error:
            said = str(error).removeprefix("the SQL template is refused, ")
            return None, "cannot be parsed as a template", said.removesuffix(f": {statement[:300]!r}")
        reason, detail = self._unfit(area, template)
        if reason:
            return None, reason, detail
        try:
            filler = Filler(self.database, self.several, self.schema.booleans, self.schema.nearly_unique)
            self.database.check(filler.select(template))
            if not sum(map(len, sample_fillings(filler, template, _TRIED, 0, Pools(self.database, 0, POOL)))):
                return None, "has no value with a single answer", ""
            counts = filler.counts[template.id]
            if counts.kept < LEAST_SINGLE * (counts.kept + counts.several):
                return None, "has several answers for too many values", ""
        except BenchwrightError:
            return None, "is refused by the database", ""  # what it said may quote a value
        return template, "", ""

    def _unfit(self, area: Area, template: SqlTemplate) -> tuple[str, str]:
        """What is wrong with a template that can be parsed; nothing where it is as it was asked for."""
        if not template.plain or self._count_conditions(template) > len(template.tables) or template.aggregates:
            return "is more than Select, Project and Join", "plain columns, foreign keys and placeholders alone"
        for pairs in equations(template.joins):
            own, other = pairs[0]
            one, two = self.schema.tables[own.table], self.schema.tables[other.table]
            if not (followed_key(one, pairs) or followed_key(two, turned(pairs))):
                return "joins what no foreign key ties", f"{own.table}.{own.column} = {other.table}.{other.column}"
        if not _connected(template):
            return "joins what no foreign key ties", "a table is tied to none of the others"
        missing = sorted({*area.entities} - {*template.tables.values()})
        if missing:
            return "leaves out a table", ", ".join(missing)
        asked = [column for name in template.names for column in name]
        for item in (*asked, *(placeholder.compared for placeholder in template.placeholders)):
            if not self._is_known(item):
                return "names a column that people do not know", f"{item.table}.{item.column}"
        if count_hops(template, self.schema) > self.hops:
            return "combines too many facts", f"{count_hops(template, self.schema)}, at most {self.hops}"
        if meaning_key(template) in self._known:
            return "asks the same as another", ""
        return "", ""

    def _count_conditions(self, template: SqlTemplate) -> int:
        """The things that are given, where a name of several columns is one."""
        given: dict[str, list[str]] = {}
        for item in template.placeholders:
            given.setdefault(item.compared.alias, []).append(item.compared.column)
        names = [self.schema.tables[template.tables[alias]].naming for alias in given]
        return sum(
            len(columns) - (len(name) - 1 if name and set(name) <= set(columns) else 0)
            for columns, name in zip(given.values(), names, strict=True)
        )

    def _is_known(self, item: ColumnOf) -> bool:
        """Whether people know what a column says of a row, or call the row by it."""
        table = self.schema.tables[item.table]
        return table.columns[item.column].worth_asking or table.names_row(item.column)


def _statement(text: str) -> str:
    """A proposal on one line, without what models put around SQL: a fence, a comment at the end of a line."""
    bare = _FENCE.sub("", text.strip())
    lines = [
        _COMMENT.sub("", line) if line.partition("--")[0].count("'") % 2 == 0 else line for line in bare.splitlines()
    ]
    return " ".join(" ".join(lines).split())


def meaning_key(template: SqlTemplate) -> object:
    """The same for two templates that ask the same, whatever their aliases and the order of their tables."""
    counts = list(template.tables.values())
    names = {alias: alias if counts.count(table) > 1 else "" for alias, table in template.tables.items()}

    def plain(item: ColumnOf) -> tuple[str, str, str]:
        return item.table, names[item.alias].lower(), item.column

    return (
        frozenset((table, names[alias].lower()) for alias, table in template.tables.items()),
        frozenset(frozenset((plain(own), plain(other))) for own, other in template.joins),
        frozenset(tuple(plain(item) for item in name) for name in template.names),
        frozenset((item.table, item.column, plain(item.compared)) for item in template.placeholders),
    )


def _connected(template: SqlTemplate) -> bool:
    """Whether the joins tie all tables together."""
    reached = {next(iter(template.tables))}
    while True:
        more = {end.alias for pair in template.joins if {pair[0].alias, pair[1].alias} & reached for end in pair}
        if more <= reached:
            return reached == set(template.tables)
        reached |= more


def _in_turn(parts: Sequence[Sequence[SqlTemplate]], limit: int) -> list[SqlTemplate]:
    """The first of each part, then the second of each: at most `limit`, or all."""
    longest = max(map(len, parts), default=0)
    taken = [part[place] for place in range(longest) for part in parts if place < len(part)]
    return taken[:limit] if limit else taken
