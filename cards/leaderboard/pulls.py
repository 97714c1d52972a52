"""The pull requests of a leaderboard, as the Hub tells of them. What strangers wrote in them is never shown."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.releases.hub_answers import HubError
from benchwright.cards.leaderboard.hub import BoardRepository

MOST_PAGES = 200
"""Pages of open pull requests; what comes after is looked at in a later start."""
UNKNOWN = ""
"""Of a user who is no more."""
_BYTES = 20_000_000
_USER = re.compile(r"[\w.-]{1,96}", re.ASCII)
_WHEN = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]{5,20}Z?")


@dataclass(frozen=True)
class Pull:
    """An open pull request."""

    number: int
    submitter: str
    """Who opened it."""
    opened: str
    """When: ISO 8601."""
    head: str
    """The commit that it is at."""


@dataclass(frozen=True)
class Thread:
    """What was said and done in a pull request."""

    is_open: bool
    comments: tuple[tuple[str, str], ...]
    """User and text of each comment, the oldest first."""
    pushed: Mapping[str, str]
    """Commit → when the Hub took it."""


def open_pulls(repository: BoardRepository) -> list[Pull]:
    """The open pull requests, the oldest first."""
    heads = repository.heads()
    listed = {number: each for each in _listed(repository) if (number := each.get("num")) in heads}
    return [
        Pull(number, _user(each), _when(each.get("createdAt")), heads[number])
        for number, each in sorted(listed.items())
        if each.get("isPullRequest") and each.get("status") == "open"
    ]


def read_thread(repository: BoardRepository, number: int) -> Thread:
    """What was said and done in a pull request."""
    said = next(repository.reader.pages(f"discussions/{number}", _BYTES))
    if not isinstance(said, dict):
        raise _no_hub()
    comments, pushed = [], {}
    for event in said.get("events") or ():
        data = event.get("data") if isinstance(event, dict) else None
        if isinstance(data, dict) and event.get("type") == "comment":
            latest = data.get("latest")
            text = latest.get("raw") if isinstance(latest, dict) else None
            comments.append((_user(event), str(text or "")))
        elif isinstance(data, dict) and event.get("type") == "commit":
            pushed[str(data.get("oid"))] = _when(event.get("createdAt"))
    return Thread(said.get("status") == "open", tuple(comments), pushed)


def _listed(repository: BoardRepository) -> Iterator[dict[str, Any]]:
    seen = 0
    for page in range(MOST_PAGES):
        asked = f"discussions?p={page}&type=pull_request&status=open"
        said = next(repository.reader.pages(asked, _BYTES))
        found = said.get("discussions") if isinstance(said, dict) else None
        if not isinstance(found, list):
            raise _no_hub()
        yield from (each for each in found if isinstance(each, dict) and isinstance(each.get("num"), int))
        seen += len(found)
        if not found or seen >= int(said.get("count") or 0):
            return


def _user(said: Mapping[str, Any]) -> str:
    """Whose it is; `UNKNOWN` of a user who is no more."""
    author = said.get("author")
    name = author.get("name") if isinstance(author, dict) else None
    return name if isinstance(name, str) and _USER.fullmatch(name) else UNKNOWN


def _when(text: Any) -> str:
    return text if isinstance(text, str) and _WHEN.fullmatch(text) else ""


def _no_hub() -> HubError:
    return HubError("the Hub does not answer like one (about a pull request): check HF_ENDPOINT", 200)
