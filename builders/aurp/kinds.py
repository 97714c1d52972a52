"""Questions of kinds beside lookups: which are asked of whom, with the cells that each answer needs."""

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.sql import ColumnOf, SqlTemplate
from benchwright.benchmarks.grounding.values import literal_array
from benchwright.builders.aurp.documents import Cell, gap_cells
from benchwright.builders.aurp.draws import fraction
from benchwright.builders.aurp.evidence import ANSWERABLE, Filled, Group
from benchwright.builders.aurp.lookups import Names, is_asked, other_forms, read_lookup
from benchwright.builders.aurp.needed_cells import MOST, absence_of, needed_cells, value_said
from benchwright.builders.aurp.schema import Lookup, Schema
from benchwright.builders.aurp.select_groups import (
    MIXED,
    NAMESAKES,
    NOT_DRAWN,
    TEST,
    AskedTemplate,
    Split,
    entity_split,
    groups_wanted,
    template_split,
)
from benchwright.builders.sql.filling.chosen import BOUND
from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.filling.fillings import Fillings, joined
from benchwright.builders.sql.filling.questions import WordedTemplate, entities
from benchwright.builders.sql.kinds import LOOKUP, kinds, parse_kinds

log = logging.getLogger("benchwright")
NOTHING_STATED = "no document states that there are none"
NOT_DENIED = "no document denies what the question takes for granted"
SAME_ANSWER = "most others of its SQL template have the same answer"
UNANSWERABLE = "unanswerable"
TOO_MANY = f"answer needs more than {MOST} facts"
_SHOWN_AS_HELD = frozenset({"minimum", "maximum", "sum", "ranking", "list", "filter"})
"""Kinds whose answers are values such as cells hold, in the same written forms."""
_FEW_ANSWERS = frozenset({"count", "comparison"})
"""Kinds whose answers are small numbers, the smallest of them most often."""


@dataclass(frozen=True)
class Asked:
    """Which kinds are asked."""

    names: tuple[str, ...]

    @property
    def text(self) -> str:
        """As the parameter has them."""
        return ",".join(self.names)

    @property
    def others(self) -> tuple[str, ...]:
        """Those beside lookups."""
        return tuple(name for name in self.names if name != LOOKUP)

    @property
    def has_lookups(self) -> bool:
        """Whether lookups are among them."""
        return LOOKUP in self.names

    def share(self, groups: int) -> int:
        """The semantic groups of one of them, of so many in all; 0 is any number."""
        return -(-groups // len(self.names)) if groups else 0


def asked_kinds(text: str, *, is_round: bool, is_held_out: bool, has_templates: bool) -> Asked:
    """The kinds that a build asks.

    Raises:
        UsageError: there is no such kind, or it is not possible with what else is wanted.
    """
    names = parse_kinds(text)
    others = ", ".join(name for name in names if name != LOOKUP)
    if not others:
        return Asked(names)
    if has_templates:
        raise UsageError(f"kinds={others} and templates=… exclude each other: the file holds the SQL templates")
    if is_round:
        raise UsageError(
            f"kinds={others} is not possible in a round (names_of): its questions are paired with those of the public "
            "edition by one name and one fact; leave out kinds, or build a benchmark of its own"
        )
    if is_held_out:
        raise UsageError(
            f"kinds={others} is not possible with --holdout: an answer over several rows also says of each other row "
            "that it does not belong to them, and this would give away held-out facts; leave out one of the two"
        )
    return Asked(names)


def is_asked_as_kind(template: SqlTemplate, schema: Schema) -> bool:
    """Whether people would ask this: over many rows along references that `questions.toml` names for it, and whether
    something is so where they would ask what it is."""
    if template.kind == UNANSWERABLE:
        return _is_asked_in_vain(template, schema)
    if said := value_said(template):
        asked = replace(template, placeholders=template.placeholders[:1], projections=(said[0].compared,), plain=True)
        try:
            return is_asked(read_lookup(asked, schema), schema.name)
        except BenchwrightError:
            return False
    return _is_along(template, schema)


def _is_asked_in_vain(template: SqlTemplate, schema: Schema) -> bool:
    """The same of what has no answer: what people would ask, of one thing, or of one that belongs to another."""
    asked = template.projections[0]
    if asked is None:
        return False
    if len({item.compared.alias for item in template.placeholders}) > 1:
        return _is_along(template, schema) and is_asked(Lookup(asked.table, (), asked.column, 1), schema.name)
    try:
        return is_asked(read_lookup(replace(template, plain=True), schema), schema.name)
    except BenchwrightError:
        return False


def _is_along(template: SqlTemplate, schema: Schema) -> bool:
    """Whether it follows the references of which people ask over many rows."""
    keys = read_toml(__package__, "questions.toml")["many"][schema.name]
    followed = {
        f"{one.table}.{one.column}"
        for pair in template.joins
        for one in pair
        if schema.table(one.table).column(one.column).references
    }
    return followed <= set(keys)


def fill_kinds(
    filler: Filler,
    worded: Sequence[WordedTemplate],
    asked: Asked,
    names: Names,
    groups: int,
    dev: bool,
    coverage: float,
    left_out: Counter[str],
) -> list[Filled]:
    """The groups of all kinds beside lookups: each has an even share of so many at most, with lookups where they are
    asked. See `fill_kind`."""
    found: list[Filled] = []
    for kind in asked.others:
        own = [one for one in worded if one.sql.declared == kind]
        parts = list(fill_kind(filler, own, names, asked.share(groups), dev, coverage, left_out))
        if own and not parts:
            log.warning("no questions of the kind %s: none of their answers rests on facts that can be asked for", kind)
        found += parts
    return found


def fill_kind(
    filler: Filler,
    worded: Sequence[WordedTemplate],
    names: Names,
    groups: int,
    dev: bool,
    coverage: float,
    left_out: Counter[str],
) -> Iterator[Filled]:
    """The groups of some templates of one kind.

    Which are asked is fixed by `names_seed`, but for those whose answers need no fact, or too many, and for counts and
    comparisons, whose answers are to differ.

    Args:
        filler: of the world's database.
        worded: templates of a kind beside lookups.
        names: the names of the world.
        groups: the most semantic groups, shared out evenly among the templates of a split; 0 asks all.
        dev: whether there is a split `dev`.
        coverage: share of the facts that documents state.
        left_out: reason → fillings that are not asked; added to.
    """
    seed = names.world.names_seed
    silent = frozenset(gap_cells(names.world, coverage)) if worded and worded[0].kind == UNANSWERABLE else frozenset()
    split_of: dict[str, Split] = {one.sql.id: template_split(seed, one.sql.id) if dev else TEST for one in worded}
    found: dict[str, tuple[WordedTemplate, Fillings, list[int]]] = {}
    for one in worded:
        parts = list(filler.fill(one.sql, BOUND))
        if parts:
            fillings = joined(parts)
            found[one.sql.id] = one, fillings, _places(one, fillings, names, split_of[one.sql.id], dev, left_out)
    wanted = groups_wanted({id_: len(places) for id_, (_, _, places) in found.items()}, split_of, groups, dev)
    for id_, (one, fillings, places) in found.items():
        literals = _literals(fillings)
        kept: dict[int, Group] = {}
        rows = fillings.answers.to_pylist()
        shown = entities(one.sql, fillings).to_pylist()
        drawn = sorted(places, key=lambda at, id_=id_: fraction("asked", seed, id_, *(row[at] for row in literals)))
        if one.kind in _FEW_ANSWERS:
            drawn = _varied(drawn, rows, left_out)
        for place in drawn:
            same = sum(group.answers == rows[place] for group in kept.values()) if value_said(one.sql) else 0
            if len(kept) == wanted[id_] or 2 * same >= wanted[id_] + 1:
                left_out[NOT_DRAWN] += 1
                continue
            own = [row[place] for row in literals]
            group = _group_of(filler, one.sql, names.world.schema, own, shown[place], rows[place], silent)
            if isinstance(group, Group):
                kept[place] = group
            else:
                left_out[group] += 1
        if kept:
            asked = AskedTemplate(one, None, split_of[id_], [group.entity for group in kept.values()])
            yield Filled(asked, fillings.take(list(kept)), list(kept.values()))


def _group_of(
    filler: Filler,
    template: SqlTemplate,
    schema: Schema,
    literals: Sequence[str],
    entity: str,
    answers: Sequence[str],
    silent: frozenset[Cell],
) -> Group | str:
    """A group with what its answer rests on, or why it is not asked.

    Args:
        filler: of the world's database.
        template: of a kind beside lookups.
        schema: of the world.
        literals: SQL of the value of each placeholder.
        entity: what the questions are about.
        answers: to them.
        silent: cells that no document states.
    """
    how = kinds()[template.kind].answerability
    if how != ANSWERABLE:
        absence = absence_of(filler.database, template, schema, literals)
        is_known = (absence.names or absence.blank or absence.denied) and not silent.intersection(absence.denied)
        return Group(entity, [], [], (), None, False, how, absence) if is_known else NOT_DENIED
    cells = needed_cells(filler.database, template, schema, literals)
    if not cells:
        return NOTHING_STATED
    if len(cells) > MOST:
        return TOO_MANY
    return Group(entity, answers, aliases_of_kind(template, schema, answers), cells, is_lookup=False)


def _varied(drawn: Sequence[int], answers: Sequence[Sequence[str]], left_out: Counter[str]) -> list[int]:
    """Some fillings in another order: those with a new answer first, and none with an answer that came as often
    as all others together; else who counts nothing and says 1 would mostly be right."""
    seen: Counter[str] = Counter()
    turns: list[tuple[int, int]] = []
    for at in drawn:
        answer = answers[at][0]
        turns.append((seen[answer], at))
        seen[answer] += 1
    most = max(1, len(drawn) - max(seen.values(), default=0))
    found = [at for turn, at in sorted(turns, key=lambda one: one[0]) if turn < most]
    left_out[SAME_ANSWER] += len(drawn) - len(found)
    return found


def aliases_of_kind(template: SqlTemplate, schema: Schema, answers: Sequence[str]) -> list[list[str]]:
    """The other accepted forms of each answer. The build and the proof of a release both call it.

    Raises:
        ValueError: the column that is read holds no such value.
    """
    column = _column_shown(template) if template.kind in _SHOWN_AS_HELD else None
    if column is None:
        return [[] for _ in answers]
    return [other_forms(schema.table(column.table).column(column.column), answer) for answer in answers]


def _column_shown(template: SqlTemplate) -> ColumnOf | None:
    """The one column whose values the answers are."""
    if len(template.selected_sql) != 1:
        return None
    if template.projections[0] is not None:
        return template.projections[0]
    selected = template.selected_sql[0]
    named = [one for one in template.columns if f"{one.alias}.{one.column})" in selected.replace('"', "")]
    return named[0] if len(named) == 1 and selected.upper().startswith(("MIN(", "MAX(", "SUM(")) else None


def _places(
    one: WordedTemplate, fillings: Fillings, names: Names, split: Split, dev: bool, left_out: Counter[str]
) -> list[int]:
    """The fillings that can be asked in a template's split: by names that one row bears."""
    found: list[int] = []
    is_vain = one.kind == UNANSWERABLE
    columns = [texts.to_pylist() for texts in fillings.texts]
    schema, seed = names.world.schema, names.world.names_seed
    named = [
        (texts, names.rows[item.table], {row.name for row in names.world.rows(schema.table(item.table).source)})
        for texts, item in zip(columns, one.sql.placeholders, strict=True)
        if schema.table(item.table).column(item.column).kind == "name"
    ]
    for place in range(len(fillings)):
        if not all(texts[place] in known or (is_vain and texts[place] not in of_all) for texts, known, of_all in named):
            left_out[NAMESAKES] += 1
        elif dev and entity_split(seed, columns[0][place]) != split:
            left_out[MIXED] += 1
        else:
            found.append(place)
    return found


def _literals(fillings: Fillings) -> list[list[str]]:
    """SQL of the values, by placeholder."""
    return [
        literal_array(values, texts).to_pylist() for values, texts in zip(fillings.values, fillings.texts, strict=True)
    ]
