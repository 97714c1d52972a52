"""Which templates are asked of which names, and in which split: fixed by `names_seed`, never by `seed`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from benchwright.builders.aurp.draws import fraction
from benchwright.builders.aurp.lookups import Names
from benchwright.builders.aurp.schema import Lookup
from benchwright.builders.sql.filling.questions import WordedTemplate

Split = Literal["test", "dev"]

TEST: Split = "test"
DEV: Split = "dev"
SPLITS = (TEST, DEV)
_DEV_SHARE = 1 / 3
"""Share of the templates and of the names that are dev's: what is dev's twice is to what is test's twice as 1 to 4."""
_DEV_GROUPS = 1 / 5

NAMESAKES, MIXED, NOT_DRAWN, NO_ANSWER = (
    "several rows bear the name",
    "template and entity are of different splits",
    "more than groups allows",
    "answer is NULL",
)


@dataclass(frozen=True)
class Template:
    """A worded SQL template with what it looks up."""

    worded: WordedTemplate
    lookup: Lookup


@dataclass(frozen=True)
class AskedTemplate:
    """A template, and the names that it is asked of in its split."""

    worded: WordedTemplate
    lookup: Lookup | None
    """What it looks up; None of another kind."""
    split: Split
    names: Sequence[str]
    subsets: Mapping[str, str] = field(default_factory=dict)
    """Name → the subset of what is asked of it, in the edition of a round."""


@dataclass(frozen=True)
class Selection:
    """What is asked, and how many cells (a template with a name) are not."""

    asked: Sequence[AskedTemplate]
    left_out: Counter[str] = field(default_factory=Counter)


def select(templates: Sequence[Template], names: Names, groups: int, dev: bool) -> Selection:
    """Chooses what is asked.

    Args:
        templates: all templates.
        names: the names of the world.
        groups: the most semantic groups, shared out evenly among the templates of a split; 0 asks all.
        dev: whether there is a split `dev`; else everything is `test`.
    """
    seed = names.world.names_seed
    split_of: dict[str, Split] = {
        one.worded.sql.id: template_split(seed, one.worded.sql.id) if dev else TEST for one in templates
    }
    left_out: Counter[str] = Counter()
    candidates: dict[str, list[str]] = {}
    for one in templates:
        known = names.rows[one.lookup.table]
        own = [name for name in known if not dev or entity_split(seed, name) == split_of[one.worded.sql.id]]
        candidates[one.worded.sql.id] = own
        left_out[NAMESAKES] += names.namesakes[one.lookup.table]
        left_out[MIXED] += len(known) - len(own)
    wanted = groups_wanted({id_: len(own) for id_, own in candidates.items()}, split_of, groups, dev)
    asked = []
    for one in templates:
        id_ = one.worded.sql.id
        chosen = sorted(candidates[id_], key=lambda name, id_=id_: fraction("asked", seed, id_, name))[: wanted[id_]]
        left_out[NOT_DRAWN] += len(candidates[id_]) - len(chosen)
        if chosen:
            asked.append(AskedTemplate(one.worded, one.lookup, split_of[id_], chosen))
    return Selection(asked, left_out)


def template_split(names_seed: int, template: str) -> Split:
    """The split that a template belongs to, by its id."""
    return DEV if fraction("split", "template", names_seed, template) < _DEV_SHARE else TEST


def entity_split(names_seed: int, name: str) -> Split:
    """The split that a name belongs to."""
    return DEV if fraction("split", "entity", names_seed, name) < _DEV_SHARE else TEST


def groups_wanted(sizes: Mapping[str, int], split_of: Mapping[str, Split], groups: int, dev: bool) -> dict[str, int]:
    """How many groups each template gets, of those that it could have."""
    if not groups:
        return dict(sizes)
    for_dev = round(groups * _DEV_GROUPS) if dev else 0
    wanted: dict[str, int] = {}
    for split, share in ((TEST, groups - for_dev), (DEV, for_dev)):
        wanted |= shared_out({id_: size for id_, size in sizes.items() if split_of[id_] == split}, share)
    return wanted


def shared_out(sizes: Mapping[str, int], groups: int) -> dict[str, int]:
    """So many groups shared out evenly; what a template has too few names for goes to the others."""
    shares: dict[str, int] = {}
    for place, id_ in enumerate(sorted(sizes, key=lambda id_: (sizes[id_], id_))):
        shares[id_] = min(sizes[id_], -(-groups // (len(sizes) - place)))
        groups -= shares[id_]
    return shares
