"""Who and what there is in an edition: the names of its rows, in their order.

A *public edition* draws all names from its `names_seed`, and everybody who has this code has them too. The edition of a
*round* of a leaderboard keeps half of the names of a public one, so that what a system knows of them by heart can be
measured, and draws the others anew, no two of both alike. Which names are kept and in which order the rows stand is
drawn from the round's own `names_seed`, which is secret until the round is over, as are its known gaps, its documents'
layout and their ids.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from benchwright.benchmarks.errors import UsageError
from benchwright.builders.aurp import names
from benchwright.builders.aurp.draws import Draw
from benchwright.builders.aurp.names import Words, parts
from benchwright.builders.aurp.sizes import Sizes, sizes

NO_ROUND = ""
"""The value of the parameter `names_of` where the edition is none of a round."""


@dataclass(frozen=True, slots=True)
class Cast:
    """The names of the rows of an edition, by table, in the order of the keys."""

    office: Sequence[str]
    employee: Sequence[str]
    client_contact: Sequence[str]
    client: Sequence[str]
    supplier: Sequence[str]
    project: Sequence[str]
    names_seed: int
    public: "Cast | None" = None
    """The public edition of which a round keeps names."""
    _places: Mapping[str, int] = field(default_factory=dict)
    """Project of the public edition → its key there."""

    def packages(self, key: int, project: str) -> list[str]:
        """The kinds of the two or three packages of a project; one whose name is kept has those that it had."""
        if self.public is not None and project in self._places:
            return self.public.packages(self._places[project], project)
        draw = Draw("packages", self.names_seed, key)
        return draw.shuffled(parts()["project"]["packages"])[: 2 + draw.below(2)]

    def every_name(self) -> frozenset[str]:
        """All names that were made for it, those of packages too."""
        tables = (self.office, self.employee, self.client_contact, self.client, self.supplier, self.project)
        packages = (
            f"{project} {kind}" for key, project in enumerate(self.project, 1) for kind in self.packages(key, project)
        )
        return frozenset(name for table in tables for name in table) | frozenset(packages)


def make_cast(many: Sizes, names_seed: int, names_of: int | None = None) -> Cast:
    """The names of an edition of this size; with `names_of`, of a round that keeps half of those of that seed.

    Raises BenchwrightError when so many unlike names cannot be made.
    """
    words = Words(names_seed if names_of is None else names_of)
    if names_of is None:
        return _drawn(words, many, names_seed)
    public = _drawn(words, many, names_of)
    words.anew(names_seed)

    def mixed(table: str, old: Sequence[str], make: Callable[[int, int], list[str]]) -> list[str]:
        kept = _half(old, Draw("kept", names_seed, table))
        fresh = make(len(old) - len(kept), _repeated(old) - _repeated(kept))
        return Draw("order", names_seed, table).shuffled([*kept, *fresh])

    seed = names_seed
    return Cast(
        mixed("office", public.office, lambda count, _: names.offices(words, count, seed)),
        _led(
            mixed("employee", public.employee, lambda count, same: names.people(words, count, seed, "employee", same))
        ),
        mixed(
            "client_contact",
            public.client_contact,
            lambda count, _: names.people(words, count, seed, "client_contact"),
        ),
        mixed("client", public.client, lambda count, _: names.companies(words, count, seed, "client")),
        mixed("supplier", public.supplier, lambda count, _: names.companies(words, count, seed, "supplier")),
        mixed("project", public.project, lambda count, _: names.projects(words, count, seed, many.sisters)),
        names_seed,
        public,
        {name: key for key, name in enumerate(public.project, 1)},
    )


def public_names(parameters: Mapping[str, object]) -> frozenset[str] | None:
    """The names of the public edition of which a release keeps some; None where it is none of a round.

    Args:
        parameters: those of the release, as its manifest tells them.
    """
    names_of = read_names_of(str(parameters.get("names_of", NO_ROUND)))
    return None if names_of is None else make_cast(sizes_of(parameters), names_of).every_name()


def sizes_of(parameters: Mapping[str, object]) -> Sizes:
    """The rows of a release by its parameters."""
    employees, clients = (int(str(parameters.get(name) or 0)) or None for name in ("employees", "clients"))
    return sizes(str(parameters.get("size", "standard")), employees=employees, clients=clients)


def read_names_of(text: str, names_seed: int | None = None) -> int | None:
    """The `names_seed` that the parameter `names_of` names; None where it names none.

    Raises UsageError for a text that is no such seed, or the edition's own one.
    """
    if text == NO_ROUND:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 100:
        raise UsageError(f"names_of={text:.100} is not possible: give the names_seed of a public edition, such as 0")
    if int(text) == names_seed:
        raise UsageError(
            f"names_of={text} is this edition's own names_seed, so that nothing would be drawn anew: give another one"
        )
    return int(text)


def _drawn(words: Words, many: Sizes, seed: int) -> Cast:
    """All names of a public edition. They are made in this order, since no two of them may be alike."""
    return Cast(
        names.offices(words, many.offices, seed),
        names.people(words, many.employees, seed, "employee", many.namesakes),
        names.people(words, many.clients, seed, "client_contact"),
        names.companies(words, many.clients, seed, "client"),
        names.companies(words, many.suppliers, seed, "supplier"),
        names.projects(words, many.projects, seed, many.sisters),
        seed,
    )


def _half(row_names: Sequence[str], draw: Draw) -> list[str]:
    """Half of the rows, drawn; those that are meant to be near each other stay together."""
    near: dict[str, list[str]] = {}
    for name in row_names:
        near.setdefault(_base(name), []).append(name)
    kept: list[str] = []
    for together in draw.shuffled(list(near.values())):
        if len(kept) + len(together) <= len(row_names) // 2:
            kept += together
    return kept


def _base(name: str) -> str:
    """A name without what sets it apart from its sister, as "… Phase I" from "… Phase II"."""
    endings = (ending for pair in parts()["project"]["sisters"] for ending in pair)
    return next((name.removesuffix(f" {end}") for end in endings if name.endswith(f" {end}")), name)


def _repeated(row_names: Sequence[str]) -> int:
    return len(row_names) - len(set(row_names))


def _led(row_names: list[str]) -> list[str]:
    """The same order, but that the first one, who leads the company, has no namesake."""
    first = next(place for place, name in enumerate(row_names) if row_names.count(name) == 1)
    return [row_names[first], *row_names[:first], *row_names[first + 1 :]]
