"""What a round asks: half of its semantic groups about names that the public edition has too, half about fresh ones.

A group is `kept` where the name that it is asked about is the public edition's, or the company's or a department's,
which are the same in every edition; else it is `fresh`. To whom the references lead from there plays no part: they are
drawn anew, and what is asked would tell it.

The memorisation gap pairs a kept group with the same one of the public edition, so these are taken from what that one
asks in `test`, in the order in which it draws them. There is no `dev`: everything is `test`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from benchwright.benchmarks.types import FRESH, KEPT
from benchwright.builders.aurp.draws import fraction
from benchwright.builders.aurp.lookups import Names
from benchwright.builders.aurp.schema import PAPER
from benchwright.builders.aurp.select_groups import (
    NAMESAKES,
    NOT_DRAWN,
    TEST,
    AskedTemplate,
    Selection,
    Template,
    entity_split,
    shared_out,
    template_split,
)

NOT_PAIRED = "the public edition does not ask it"
_GIVEN = ("company", "department")
"""Tables of the standard schema whose names are the same in every edition."""


def subset_of(table: str, name: str, public: frozenset[str]) -> str:
    """The subset of what is asked of a name.

    Args:
        table: of the standard schema, whose row bears the name.
        name: whom or what it is asked about.
        public: all names of the public edition.
    """
    return KEPT if table in _GIVEN or name in public else FRESH


def select_round(templates: Sequence[Template], names: Names, names_of: int, groups: int) -> Selection:
    """Chooses what a round asks.

    Args:
        templates: all templates.
        names: the names of the round's edition.
        names_of: the `names_seed` of the public edition.
        groups: the most semantic groups, kept and fresh together; 0 asks all.
    """
    left_out: Counter[str] = Counter()
    found: dict[str, dict[str, list[str]]] = {KEPT: {}, FRESH: {}}
    for one in templates:
        left_out[NAMESAKES] += names.namesakes[one.lookup.table]
        for subset, row_names in _by_subset(one, names, names_of, left_out).items():
            found[subset][one.worded.sql.id] = row_names
    kept = _first(found[KEPT], groups // 2 if groups else 0, not groups)
    rest = groups - sum(map(len, kept.values())) if groups else 0
    fresh = _first(found[FRESH], rest, not groups)
    asked = []
    for one in templates:
        id_ = one.worded.sql.id
        subsets = {**dict.fromkeys(kept[id_], KEPT), **dict.fromkeys(fresh[id_], FRESH)}
        left_out[NOT_DRAWN] += sum(len(found[subset][id_]) for subset in found) - len(subsets)
        if subsets:
            asked.append(AskedTemplate(one.worded, one.lookup, TEST, list(subsets), subsets))
    return Selection(asked, left_out)


def _by_subset(one: Template, names: Names, names_of: int, left_out: Counter[str]) -> Mapping[str, list[str]]:
    """The names that a template can be asked of, those that come first in their order."""
    found: dict[str, list[str]] = {KEPT: [], FRESH: []}
    id_ = one.worded.sql.id
    table = names.world.schema.table(one.lookup.table)
    for name in names.rows[table.name]:
        subset = subset_of(table.source, name, names.world.public_names or frozenset())
        if subset == KEPT and not _is_public(names, names_of, id_, name):
            left_out[NOT_PAIRED] += 1
        else:
            found[subset].append(name)
    seeds = {KEPT: names_of, FRESH: names.world.names_seed}
    return {
        subset: sorted(row_names, key=lambda name, seed=seeds[subset]: fraction("asked", seed, id_, name))
        for subset, row_names in found.items()
    }


def _is_public(names: Names, names_of: int, template: str, name: str) -> bool:
    """Whether the public edition can ask this in its split `test`."""
    if names.world.schema is PAPER:
        return True
    return template_split(names_of, template) == entity_split(names_of, name) == TEST


def _first(found: Mapping[str, list[str]], groups: int, everything: bool) -> dict[str, list[str]]:
    """The first ones of each template, so many groups in all."""
    if everything:
        return dict(found)
    wanted = shared_out({id_: len(row_names) for id_, row_names in found.items()}, groups)
    return {id_: row_names[: wanted[id_]] for id_, row_names in found.items()}
