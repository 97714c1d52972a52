"""Several people's files put together: what they agree on, what is resolved, what is still open. Nothing is lost.

What a person said in an earlier merge is kept, and gives way to what the person's newer file says.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from benchwright.benchmarks.annotations.exports import Export, Said
from benchwright.benchmarks.annotations.import_files import FORMATS
from benchwright.benchmarks.annotations.items import UNCLEAR, Item, Task, Work
from benchwright.benchmarks.errors import BenchwrightError

How = Literal["one", "agreed", "majority", "resolved", "divided"]
"""One person said it; all said the same; most of three or more did; it was resolved; or there is no verdict."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What comes of a task that somebody judged."""

    item: str
    task: Task
    how: How
    choice: str | None
    """None where people are divided."""
    said: tuple[Said, ...]

    @property
    def is_disputed(self) -> bool:
        """Whether people said different things, or that it is unclear, and nobody has resolved it."""
        return self.how in ("divided", "majority") or (self.choice == UNCLEAR and self.how != "resolved")


@dataclass(frozen=True, slots=True)
class Merged:
    """All that was said to a piece of work."""

    work: Work
    verdicts: tuple[Verdict, ...]
    """In the order of items and tasks."""
    done: Mapping[str, int]
    """Who → tasks done, on pages that ask for all of them."""
    lost_steps: int = 0
    replaced: int = 0
    """Verdicts of an earlier merge that a newer file says otherwise."""
    repeated: int = 0
    """Verdicts that stand in the files more than once, and count once."""
    shared_pages: tuple[tuple[str, str, str], ...] = ()
    """A page, and two people who filled it in: they saw one order, and candidates on the same sides."""
    counts: Mapping[How, int] = field(default_factory=dict)

    @property
    def disputed(self) -> list[Verdict]:
        """What is to be resolved."""
        return [each for each in self.verdicts if each.is_disputed]


def merge(work: Work, exports: Sequence[Export], before: Export | None = None) -> Merged:
    """Puts files together.

    Args:
        work: what was asked.
        exports: the files.
        before: what an earlier merge holds.

    Raises:
        BenchwrightError: one person filled in two pages, or says two things of one task.
    """
    _refuse_two_pages([said for export in (*exports, *([before] if before else [])) for said in export.said])
    kept: dict[tuple[str, str, str, bool], tuple[str, Said]] = {}
    repeated = sum(export.repeated for export in exports)
    for export in exports:
        for said in export.said:
            repeated += _add(kept, export.name, said)
    replaced = 0
    for said in before.said if before is not None else ():
        other = kept.setdefault(_key(said), ("", said))[1]
        replaced += other.choice != said.choice
    by_task: dict[tuple[str, str], list[Said]] = {}
    for _, said in kept.values():
        by_task.setdefault(said.key, []).append(said)
    verdicts = tuple(
        _verdict(item, task, by_task[item.id, task.id])
        for item in work.items
        for task in item.tasks
        if (item.id, task.id) in by_task
    )
    done = Counter(said.annotator for _, said in kept.values() if not said.is_final)
    lost = sum(export.lost_steps for export in exports) + (before.lost_steps if before is not None else 0)
    counts: Counter[How] = Counter(each.how for each in verdicts)
    pages = tuple(_shared_pages([said for _, said in kept.values()]))
    return Merged(work, verdicts, dict(done), lost, replaced, repeated, pages, counts)


def _shared_pages(all_said: Iterable[Said]) -> Iterator[tuple[str, str, str]]:
    people: dict[str, dict[str, None]] = {}
    for said in all_said:
        if said.page not in ("", *FORMATS) and not said.is_final:
            people.setdefault(said.page, {})[said.annotator] = None
    for page, (one, *others) in people.items():
        if others:
            yield page, one, others[0]


def _key(said: Said) -> tuple[str, str, str, bool]:
    return (*said.key, said.annotator.casefold(), said.is_final)


def _add(kept: dict[tuple[str, str, str, bool], tuple[str, Said]], name: str, said: Said) -> bool:
    """Whether a file before says it too."""
    where, other = kept.setdefault(_key(said), (name, said))
    if other.choice != said.choice:
        raise BenchwrightError(
            f"{said.annotator} says {other.choice} of {said.item} ({said.task}) in {where}, and {said.choice} in "
            f"{name}: leave the older file out"
        )
    return other is not said


def _refuse_two_pages(all_said: Sequence[Said]) -> None:
    """Raises where one name stands on two pages: they would count as one person."""
    pages: dict[str, dict[str, str]] = {}
    for said in all_said:
        if not said.is_final:
            pages.setdefault(said.annotator.casefold(), {})[said.page] = said.annotator
    for names in pages.values():
        if len(names) > 1:
            raise BenchwrightError(
                f"{next(iter(names.values()))} filled in {len(names)} pages ({_pages_shown(names)}): each person "
                "has one; are these two people of one name? write another name into one file"
            )


def _pages_shown(names: Iterable[str]) -> str:
    return ", ".join(name or "a file from elsewhere" for name in sorted(names))


def _verdict(item: Item, task: Task, said: list[Said]) -> Verdict:
    finals = [each for each in said if each.is_final]
    others = [each for each in said if not each.is_final]
    counts = Counter(each.choice for each in finals or others)
    (choice, number), *rest = counts.most_common()
    how: How
    if not rest:
        how = "resolved" if finals else "one" if len(others) == 1 else "agreed"
    elif 2 * number > counts.total():
        how = "majority"
    else:
        how = "divided"
    return Verdict(item.id, task, how, None if how == "divided" else choice, tuple(said))


def to_resolve(merged: Merged, work: Work) -> Iterator[Item]:
    """The items with what is disputed alone, and what each person said of it.

    Args:
        merged: what was said.
        work: the same work, with its texts.
    """
    disputed = {(each.item, each.task.id): each for each in merged.disputed}
    for item in work.items:
        tasks = tuple(
            replace(task, said=tuple(_shown(task, each) for each in verdict.said))
            for task in item.tasks
            if (verdict := disputed.get((item.id, task.id))) is not None
        )
        if tasks:
            yield replace(item, tasks=tasks)


def _shown(task: Task, said: Said) -> str:
    """What a person said, as the choices of this page are called: of pairs they depend on who stands where."""
    choice = task.choice(said.choice)
    note = f" ({said.note})" if said.note else ""
    return f"{said.annotator}: {choice.label if choice is not None else said.choice}{note}"
