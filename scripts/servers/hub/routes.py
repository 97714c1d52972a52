"""What all routes share: finding the repository and the revision that a request is about, and pages of lists."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

from benchwright.scripts.servers.hub.errors import Refused, no_repository
from benchwright.scripts.servers.hub.git import Commit
from benchwright.scripts.servers.hub.http import Reply, Request, as_json
from benchwright.scripts.servers.hub.repository import Repository

if TYPE_CHECKING:
    from benchwright.scripts.servers.hub.server import Hub

Item = TypeVar("Item")


def kind_of(request: Request) -> str:
    """model, dataset or space: from `/api/datasets/…` or from `/datasets/…`."""
    return (request.parts.get("kinds") or request.parts.get("prefix") or "models").rstrip("/").removesuffix("s")


def prefix_of(repository: Repository) -> str:
    """What stands before a repository's name in its address."""
    return "" if repository.kind == "model" else f"{repository.kind}s/"


def find(hub: "Hub", request: Request) -> Repository:
    """The repository that a request is about.

    Raises:
        Refused: as if it were not there, where the caller may not see it.
    """
    repository = hub.store.get(kind_of(request), request.parts["repo"].removesuffix(".git"))
    if repository is None:
        raise no_repository(request.caller is not None)
    hub.accounts.check_read(request.caller, repository)
    return repository


def find_files(hub: "Hub", request: Request) -> Repository:
    """The repository whose files a request reads."""
    repository = find(hub, request)
    hub.accounts.check_files(request.caller, repository)
    return repository


def find_commit(repository: Repository, request: Request) -> Commit:
    """The revision that a request is about."""
    return repository.resolve(request.parts["revision"])


def one(request: Request, name: str) -> str | None:
    """A value of the query."""
    return request.query.get(name, [None])[-1]


def number(request: Request, name: str, default: int) -> int:
    """A number of the query."""
    text = one(request, name) or str(default)
    if not text.isdigit():
        raise Refused(400, f"{name} must be a number: {text}")
    return int(text)


def as_pages(hub: "Hub", address: str, request: Request, items: Sequence[Item], size: int) -> tuple[list[Item], Reply]:
    """The part of a list that a request asks for, and an empty answer whose header `Link` says where the next is."""
    limit = min(size, number(request, "limit", size)) or size
    start = number(request, "cursor", 0)
    reply = as_json([])
    if start + limit < len(items):
        query = {name: values for name, values in request.query.items() if name != "cursor"}
        link = urlencode({**query, "cursor": str(start + limit)}, doseq=True)
        reply.headers["Link"] = f'<{hub.url}{address}?{link}>; rel="next"'
    return list(items[start : start + limit]), reply


def filled(reply: Reply, value: Any) -> Reply:
    """An answer with its content."""
    reply.content = as_json(value).content
    return reply
