"""A seeded sample of a release's questions: whole semantic groups, of each so many wordings.

What is said of robustness and consistency needs groups that were asked more than once, so a sample is of groups. They
are spread in proportion over subsets, hops and answerability, and within these over templates, by systematic sampling
(Cochran 1977, Sampling Techniques, chapter 8): whatever part of the groups is asked, each has the same chance.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import groupby

from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.types import Question

WORDINGS = 2
"""Wordings of a group in each form that a limited sample asks, where all groups do not fit with more."""


def sample_questions(
    questions: Sequence[Question], limit: int | None, wordings: int | None = None, seed: int = 0
) -> list[Question]:
    """A seeded sample of questions in their order; with the same wordings, a larger one holds every smaller one.

    Where no two questions share a group, each is drawn for itself.

    Args:
        questions: what is drawn from.
        limit: questions at the most: as many whole groups as fit, and of the first as many wordings as fit where it
            does not; None: all groups.
        wordings: of a group in each form at the most; None: all without a limit, else WORDINGS, or as many as fit for
            all groups where that is more.
        seed: another one draws others.
    """
    if wordings is None and (limit is None or limit >= len(questions)):
        return list(questions)
    groups: dict[str, list[Question]] = {}
    for question in questions:
        groups.setdefault(question.group or question.id, []).append(question)
    if len(groups) == len(questions):
        kept = sorted(questions, key=lambda question: rank(seed, question.id))[:limit]
    else:
        most = wordings or _most_wordings(groups, limit)
        kept = _whole_groups([groups[name] for name in _group_order(groups, seed)], limit, most, seed)
    ids = frozenset(question.id for question in kept)
    return [question for question in questions if question.id in ids]


def count_groups(questions: Sequence[Question]) -> int:
    """How many semantic groups questions are of; one without a group is a group of its own."""
    return len({question.group or question.id for question in questions})


def _most_wordings(groups: Mapping[str, Sequence[Question]], limit: int | None) -> int:
    """As many wordings a form as fit for all groups, but WORDINGS at the least."""
    sizes = Counter(Counter((name, each.form) for name, members in groups.items() for each in members).values())
    most = WORDINGS
    while limit is not None and sum(min(size, most + 1) * count for size, count in sizes.items()) <= limit:
        most += 1
    return most


def _whole_groups(ordered: Sequence[Sequence[Question]], limit: int | None, wordings: int, seed: int) -> list[Question]:
    """Groups in their order until one does not fit, each with so many wordings a form."""
    found: list[Question] = []
    for members in ordered:
        asked = _spread_wordings(members, wordings, seed)
        if limit is not None and len(found) + len(asked) > limit:
            return found or asked[:limit]
        found += asked
    return found


def _spread_wordings(members: Sequence[Question], wordings: int, seed: int) -> list[Question]:
    """So many wordings of each form, the forms in turn."""
    by_form = sorted(members, key=lambda question: (question.form or "", rank(seed, question.id)))
    turns = [
        (turn, question)
        for _, same in groupby(by_form, key=lambda question: question.form or "")
        for turn, question in zip(range(wordings), same, strict=False)
    ]
    return [question for _, question in sorted(turns, key=lambda each: each[0])]


def _group_order(groups: Mapping[str, Sequence[Question]], seed: int) -> list[str]:
    """The groups' names so that any first part is spread over what they are of."""
    strata: dict[Hashable, dict[Hashable, list[str]]] = {}
    for name, members in groups.items():
        first = members[0]
        stratum = strata.setdefault((first.subset, first.hops, first.answerability), {})
        stratum.setdefault(first.template, []).append(name)
    within = {
        stratum: _interleaved(
            {
                template: sorted(names, key=lambda name: rank(seed, "group", name))
                for template, names in templates.items()
            },
            seed,
            stratum,
        )
        for stratum, templates in strata.items()
    }
    return _interleaved(within, seed, "strata")


def _interleaved(parts: Mapping[Hashable, Sequence[str]], seed: int, what: Hashable) -> list[str]:
    """Lists as one, in which the items of each stand evenly spaced from a start of its own."""
    placed = []
    for key, names in parts.items():
        order = rank(seed, what, key)
        start = int.from_bytes(order, "big") / 2 ** (8 * len(order))
        placed += [((place + start) / len(names), order, place, name) for place, name in enumerate(names)]
    return [name for *_, name in sorted(placed)]
