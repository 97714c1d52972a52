"""A set of what is tried blind: every kind at its strongest first, then in the middle, then at its weakest."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from faulty.draw import Kind
from faulty.pipeline import Stack
from faulty.trial import Variant

PLACES = (2, 1, 0)
"""The order in which a kind's strengths are run, by their place."""


@dataclass(frozen=True)
class Trial:
    """A set of what is tried blind."""

    name: str
    """That of the option of `faulty.table`, and of its sorts."""
    kinds: Callable[[], Sequence[Kind]]
    others: Callable[[], Sequence[Kind]]
    """Kinds whose fault is none of the modules."""
    more: Sequence[Variant]
    """More pipelines, and benchmarks, whose fault is none of the modules."""
    healthy: Callable[[Stack], Iterator[Stack]]
    pairs: Sequence[tuple[str, float, str, float]]

    @property
    def sorts(self) -> tuple[str, ...]:
        """What it consists of."""
        return f"{self.name}-healthy", self.name, f"{self.name}-other", f"{self.name}-pair"

    def variants(self, sort: str, stack: Stack) -> Iterator[tuple[Variant, Stack]]:
        """The variants of a sort on a stack."""
        if sort == f"{self.name}-healthy":
            for number, other in enumerate(self.healthy(stack)):
                yield Variant(label=f"{sort}-{number}"), other
        elif sort == f"{self.name}-pair":
            for one, weak, two, strong in self.pairs:
                yield Variant(((one, weak), (two, strong))), stack
        elif sort == f"{self.name}-other":
            for each in self.more:
                yield each, stack
            for kind in self.others():
                yield Variant(((kind.name, kind.strengths[1]),)), stack
        else:
            for place in PLACES:
                for kind in self.kinds():
                    yield Variant(((kind.name, kind.strengths[place]),)), stack


def a_little_of(kinds: Sequence[str], strength: float, label: str) -> Variant:
    """Several modules of which none is the one that fails."""
    return Variant(tuple((kind, strength) for kind in kinds), label=label)
