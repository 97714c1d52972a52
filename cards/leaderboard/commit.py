"""One commit with all that changed, and the Space with the same page. Safe to repeat, to kill and to race."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from benchwright.benchmarks.leaderboards.layout import CARD, PAGE
from benchwright.cards.hub.errors import status_of
from benchwright.cards.leaderboard.generated import space_card
from benchwright.cards.leaderboard.hub import DATASET, SPACE, BoardRepository, blob_key
from benchwright.cards.leaderboard.workspace import Workspace

TRIES = 3
"""Times that all is looked at anew because another changed the repository meanwhile."""
T = TypeVar("T")
log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class Published:
    """What a start did."""

    url: str
    """Of the leaderboard."""
    page: str | None
    """Of the Space; None: there is none."""
    commit: str
    """Of main, at the end."""
    changed: int
    """Files that the commit changed; 0: there was nothing to commit."""


def again(attempt: Callable[[], T], repository: BoardRepository) -> T:
    """What an attempt returns that looks at the repository from the beginning, for another may be faster."""
    for number in range(1, TRIES + 1):
        try:
            return attempt()
        except Exception as error:
            if number == TRIES or status_of(error) != 412:
                raise
            log.info("%s was changed meanwhile: looking again", repository.repo_id)
    raise AssertionError("the last attempt returns or raises")


def publish(space: Workspace, title: str, body: str = "") -> Published:
    """Commits what changed on top of the commit that was looked at, and shows the page."""
    repository = space.repository
    commit = _commit(space, title, body) if space.changed or space.deleted else space.head
    page = None
    if (space.root / PAGE).is_file():
        page = show_page(repository, (space.root / PAGE).read_bytes(), space_card(space.board(), repository.repo_id))
    count = len(space.changed) + len(space.deleted)
    return Published(f"{repository.endpoint}/datasets/{repository.repo_id}", page, commit, count)


def _commit(space: Workspace, title: str, body: str) -> str:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    operations: list[Any] = [CommitOperationAdd(path, str(source)) for path, source in sorted(space.changed.items())]
    operations += [CommitOperationDelete(path) for path in sorted(space.deleted)]
    done = space.repository.api.create_commit(
        space.repository.repo_id,
        operations,
        commit_message=title,
        commit_description=body,
        repo_type=DATASET,
        parent_commit=space.head,
    )
    return str(done.oid)


def show_page(repository: BoardRepository, page: bytes, card: bytes) -> str | None:
    """Puts the page into the Space: its address; None where there is no Space."""
    from huggingface_hub import CommitOperationAdd

    api, wanted = repository.api, {PAGE: page, CARD: card}
    try:
        found = api.get_paths_info(repository.repo_id, list(wanted), repo_type=SPACE)
    except Exception as error:
        if status_of(error) != 404:
            raise
        log.warning("%s has no Space with its page: --create makes it", repository.repo_id)
        return None
    there = {each.path: each.blob_id for each in found}
    new = [path for path, content in wanted.items() if there.get(path) != blob_key(content)]
    if new:
        operations = [CommitOperationAdd(path, wanted[path]) for path in new]
        api.create_commit(repository.repo_id, operations, commit_message="The page", repo_type=SPACE)
    return f"{repository.endpoint}/spaces/{repository.repo_id}"
