"""Which commitment of a team counts: the last before the round is closed, by the Hub's clock; one for each team.

A team is the user who opened the pull request. Only what that user pushed counts: an organiser may push there, too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Pushed:
    """A commit of an open pull request, as the Hub tells of it."""

    team: str
    """Who opened the pull request."""
    number: int
    """Of the pull request."""
    revision: str
    time: datetime
    """The Hub's, of the event: what the commit itself says is not looked at."""
    commitment: str | None
    """What it holds; None: nothing that is a commitment of this team to this round."""


@dataclass(frozen=True)
class Counted:
    """The commitment of a team that counts."""

    team: str
    number: int
    revision: str
    time: datetime
    commitment: str
    others: int
    """Commitments of the same team, before it and after it, that do not count."""
    late: int
    """Of these, how many came after the round was closed."""


def count(pushed: Iterable[Pushed], closes: datetime) -> dict[str, Counted]:
    """Team → its commitment that counts.

    What came with another pull request or earlier is replaced; what came at the moment of closing or later counts for
    nothing. Of two in the same moment the one of the later pull request counts.
    """
    found: dict[str, list[Pushed]] = {}
    for each in pushed:
        if each.commitment is not None:
            found.setdefault(each.team, []).append(each)
    counted = {}
    for team, all_of_it in sorted(found.items()):
        in_time = [(each.time, each.number, place) for place, each in enumerate(all_of_it) if each.time < closes]
        if in_time:
            last = all_of_it[max(in_time)[2]]
            different = {each.commitment for each in all_of_it} - {last.commitment}
            late = {each.commitment for each in all_of_it if each.time >= closes} & different
            counted[team] = Counted(
                team, last.number, last.revision, last.time, str(last.commitment), len(different), len(late)
            )
    return counted


def too_late(pushed: Iterable[Pushed], counted: Mapping[str, Counted]) -> list[str]:
    """Teams whose every commitment came too late."""
    return sorted({each.team for each in pushed if each.commitment is not None} - counted.keys())
