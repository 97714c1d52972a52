"""Routes of discussions and pull requests."""

from typing import TYPE_CHECKING, Any

from benchwright.scripts.servers.hub import discussions as discussions
from benchwright.scripts.servers.hub.accounts import Token
from benchwright.scripts.servers.hub.errors import Refused
from benchwright.scripts.servers.hub.http import Reply, Request, Routes, as_json
from benchwright.scripts.servers.hub.repository import Repository
from benchwright.scripts.servers.hub.routes import find, number, one

if TYPE_CHECKING:
    from benchwright.scripts.servers.hub.server import Hub

ROUTES = Routes()
_HERE = "/api/{kinds}/{repo}/discussions"


@ROUTES.add("GET", _HERE)
def _list(hub: "Hub", request: Request) -> Reply:
    repository = find(hub, request)
    kind, status, author = one(request, "type"), one(request, "status"), one(request, "author")
    found = [
        {name: value for name, value in discussion.items() if name not in ("events", "changes")}
        for _, discussion in sorted(repository.discussions.items(), reverse=True)
        if kind in (None, "all", "pull_request" if discussion["isPullRequest"] else "discussion")
        and status in (None, "all", "closed" if discussion["status"] in ("closed", "merged") else "open")
        and author in (None, discussion["author"]["name"])
    ]
    size = hub.page_size or 50
    start = number(request, "p", 0) * size
    return as_json({"discussions": found[start : start + size], "count": len(found), "start": start})


@ROUTES.add("POST", _HERE)
def _open(hub: "Hub", request: Request) -> Reply:
    repository = find(hub, request)
    known, asked = hub.accounts.check_propose(request.caller, repository), request.json()
    title, text = str(asked.get("title") or "").strip(), str(asked.get("description") or "")
    if len(title) < 3:
        raise Refused(400, "A title has three letters or more")
    if asked.get("pullRequest"):
        base = repository.resolve("main")
        discussion = discussions.open_discussion(repository, title, text, known.user, base, status="draft")
    else:
        discussion = discussions.open_discussion(repository, title, text, known.user)
    return as_json({"num": discussion["num"], "pullRequest": discussion["isPullRequest"]})


@ROUTES.add("GET", _HERE + "/{num}")
def _details(hub: "Hub", request: Request) -> Reply:
    repository = find(hub, request)
    discussion = discussions.find_discussion(repository, request.parts["num"])
    found = dict(discussion)
    if discussion["isPullRequest"]:
        found["filesWithConflicts"] = discussions.conflicts(repository, discussion)
        found.update({"diff": discussions.diff(repository, discussion)} if request.asks("diff") else {})
    return as_json(found)


def _concerned(hub: "Hub", request: Request) -> tuple[Repository, dict[str, Any], Token, Any]:
    """The repository, the discussion, who does something to it, and what."""
    repository = find(hub, request)
    known = hub.accounts.check_propose(request.caller, repository)
    return repository, discussions.find_discussion(repository, request.parts["num"]), known, request.json()


def _check_moderator(hub: "Hub", request: Request, repository: Repository, is_own: bool) -> None:
    """What somebody began himself he may change; everything else only who may write."""
    if not is_own:
        hub.accounts.check_write(request.caller, repository)


@ROUTES.add("POST", _HERE + "/{num}/comment")
def _comment(hub: "Hub", request: Request) -> Reply:
    repository, discussion, known, asked = _concerned(hub, request)
    event = discussions.add_comment(repository, discussion, known.user, str(asked.get("comment") or ""))
    return as_json({"newMessage": event})


@ROUTES.add("POST", _HERE + "/{num}/comment/{event}/{action}")
def _edit(hub: "Hub", request: Request) -> Reply:
    repository, discussion, known, asked = _concerned(hub, request)
    event = request.parts["event"]
    is_own = any(each["id"] == event and each["author"]["name"] == known.user for each in discussion["events"])
    _check_moderator(hub, request, repository, is_own)
    text = None if request.parts["action"] == "hide" else str(asked.get("content") or "")
    return as_json({"updatedComment": discussions.edit_comment(repository, discussion, event, known.user, text)})


@ROUTES.add("POST", _HERE + "/{num}/title")
def _rename(hub: "Hub", request: Request) -> Reply:
    repository, discussion, known, asked = _concerned(hub, request)
    _check_moderator(hub, request, repository, discussions.is_author(discussion, known.user))
    return as_json({"newTitle": discussions.rename(repository, discussion, known.user, str(asked["title"]))})


@ROUTES.add("POST", _HERE + "/{num}/status")
def _status(hub: "Hub", request: Request) -> Reply:
    repository, discussion, known, asked = _concerned(hub, request)
    _check_moderator(hub, request, repository, discussions.is_author(discussion, known.user))
    status, text = str(asked.get("status")), str(asked.get("comment") or "")
    return as_json({"newStatus": discussions.set_status(repository, discussion, known.user, status, text)})


@ROUTES.add("POST", _HERE + "/{num}/merge")
def _merge(hub: "Hub", request: Request) -> Reply:
    repository, discussion, known, asked = _concerned(hub, request)
    hub.accounts.check_write(request.caller, repository)
    text = str((asked or {}).get("comment") or "")
    commit = discussions.merge_pull_request(repository, discussion, known.user, text)
    return as_json({"mergeCommitId": commit.id})
