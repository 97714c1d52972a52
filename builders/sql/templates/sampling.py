"""How many wordings each group has in each form: as many (stratified), or fewer of some groups (unbalanced).

GRAMMAR, section 4.2 and Table 2: with stratified sampling the share of gap groups is the same in both forms; for
unbalanced sampling, which occurs in the real world, examples of some query groups are reduced at random, there those
about clients and employees.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.hashing import rank
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.wording.worder import Texts

STRATIFIED, UNBALANCED = "stratified", "unbalanced"


@dataclass(frozen=True)
class Sampling:
    """What is wanted."""

    kind: str = "auto"
    """`stratified`, `unbalanced`, or `auto`: as the parameter `balanced` says."""
    tables: tuple[str, ...] = ()
    """Those whose query groups are reduced; none: half of them, drawn."""
    seed: int = 0


@dataclass(frozen=True)
class Reduced:
    """The wordings that remain, and what became of the others."""

    found: Sequence[tuple[SqlTemplate, Texts]]
    had: Mapping[str, Texts] = field(default_factory=dict)
    """Id of each template that was to lose some → its wordings before."""

    def lost(self, asked: Iterable[tuple[SqlTemplate, Mapping[str, int]]]) -> dict[str, dict[str, Any]]:
        """Query group, by its tables → its SQL templates, and per form the wordings that it had and those it lost.

        Args:
            asked: the templates that are asked, with the number of their wordings in each form.
        """
        found: dict[str, dict[str, Any]] = {}
        for template, counts in asked:
            if template.id in self.had:
                noted = found.setdefault(_query_group(template), {"sql_templates": 0, "had": {}, "lost": {}})
                noted["sql_templates"] += 1
                for form, texts in self.had[template.id].items():
                    noted["had"][form] = noted["had"].get(form, 0) + len(texts)
                    noted["lost"][form] = noted["lost"].get(form, 0) + len(texts) - counts.get(form, 0)
        return found


def read_sampling(parameters: Mapping[str, Any], schema: DatabaseSchema, seed: int) -> Sampling:
    """The sampling that parameters ask for, where a builder has them.

    Raises:
        UsageError: they do not go together, or name a table that there is not.
    """
    kind = parameters.get("sampling", "auto")
    known = {name.lower(): name for name in schema.tables}
    named = [name.strip() for name in parameters.get("reduced", "").split(",") if name.strip()]
    if named and kind != UNBALANCED:
        raise UsageError(f"reduced={','.join(named)} goes with --set sampling={UNBALANCED}")
    if kind == STRATIFIED and parameters["balanced"] == "false":
        raise UsageError(f"sampling={STRATIFIED} and balanced=false exclude each other: leave one out")
    for name in named:
        if name.lower() not in known:
            raise UsageError(f"reduced: there is no table {name!r}: choose from {', '.join(known.values())[:500]}")
    return Sampling(kind, tuple(dict.fromkeys(known[name.lower()] for name in named)), seed)


def reduce_texts(found: Sequence[tuple[SqlTemplate, Texts]], sampling: Sampling) -> Reduced:
    """Templates with fewer wordings in the query groups of some tables, where unbalanced sampling is wanted.

    Of each reduced query group the seed draws a form that keeps all its wordings, where there are several; in each
    other one a template keeps a number of wordings that is drawn for it, at least 1 and at most half of them.

    Raises:
        UsageError: no SQL template is about the tables, or none has a wording to lose.
    """
    if sampling.kind != UNBALANCED:
        return Reduced(found)
    tables = sampling.tables or _half(found, sampling.seed)
    kept: list[tuple[SqlTemplate, Texts]] = []
    had: dict[str, Texts] = {}
    for template, wordings in found:
        if not set(tables) & set(template.tables.values()):
            kept.append((template, wordings))
            continue
        whole = _first(wordings, sampling.seed, "whole", _query_group(template)) if len(wordings) > 1 else None
        fewer = {
            form: texts if form == whole else _some(template, form, texts, sampling.seed)
            for form, texts in wordings.items()
        }
        kept.append((template, fewer))
        had[template.id] = wordings
    if _count(kept) == _count(found):
        why = "has more than one wording" if had else f"is about {' or '.join(tables)}"
        raise UsageError(f"sampling={UNBALANCED} has nothing to reduce: no SQL template {why}")
    return Reduced(kept, had)


def _count(found: Sequence[tuple[SqlTemplate, Texts]]) -> int:
    return sum(len(texts) for _, wordings in found for texts in wordings.values())


def _query_group(template: SqlTemplate) -> str:
    """The tables of a template, by which GRAMMAR's files group their templates."""
    return ", ".join(sorted(set(template.tables.values())))


def _half(found: Sequence[tuple[SqlTemplate, Texts]], seed: int) -> tuple[str, ...]:
    """Half of the tables of some templates, at least one, drawn by a seed."""
    tables = {name: None for template, _ in found for name in template.tables.values()}
    return tuple(sorted(tables, key=lambda name: rank(seed, "reduced", name))[: max(1, len(tables) // 2)])


def _first(names: Mapping[str, Any], seed: int, what: str, of: str) -> str:
    return min(names, key=lambda name: rank(seed, what, of, name))


def _some(template: SqlTemplate, form: str, texts: Sequence[str], seed: int) -> tuple[str, ...]:
    """Some wordings of a template in a form, in their order."""
    most = max(1, len(texts) // 2)
    count = 1 + int.from_bytes(rank(seed, "how many", template.id, form)) % most
    drawn = set(sorted(texts, key=lambda text: rank(seed, "which", template.id, form, text))[:count])
    return tuple(text for text in texts if text in drawn)
