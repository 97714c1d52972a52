"""Routes of accounts and repositories: who am I, create, delete, settings, lists, information, branches and tags."""

import contextlib
import json
from typing import TYPE_CHECKING, Any

import yaml

from benchwright.scripts.servers.hub.accounts import Token
from benchwright.scripts.servers.hub.card import card_tags, check_card, read_header
from benchwright.scripts.servers.hub.errors import Refused, no_repository
from benchwright.scripts.servers.hub.git import Commit, pointer
from benchwright.scripts.servers.hub.http import Reply, Request, Routes, as_json
from benchwright.scripts.servers.hub.repository import Repository
from benchwright.scripts.servers.hub.routes import (
    as_pages,
    filled,
    find,
    find_commit,
    find_files,
    kind_of,
    one,
    prefix_of,
)
from benchwright.scripts.servers.hub.templates import first_files

if TYPE_CHECKING:
    from benchwright.scripts.servers.hub.server import Hub

ROUTES = Routes()
_VISIBLE = {"public": False, "private": True}


@ROUTES.add("GET", "/api/whoami-v2")
def _whoami(hub: "Hub", request: Request) -> Reply:
    return as_json(hub.accounts.identity(request.caller))


@ROUTES.add("POST", "/api/validate-yaml")
def _validate(hub: "Hub", request: Request) -> Reply:
    asked = request.json()
    errors, warnings = check_card(str(asked.get("content", "")), str(asked.get("repoType", "model")))
    said: dict[str, Any] = {
        "errors": [{"message": text} for text in errors],
        "warnings": [{"message": text} for text in warnings],
    }
    if errors:
        raise Refused(400, "Invalid metadata in README.md", **said)
    return as_json(said)


@ROUTES.add("POST", "/api/repos/create")
def _create(hub: "Hub", request: Request) -> Reply:
    caller, asked = hub.accounts.check_writer(request.caller), request.json()
    kind, repo_id = _named(asked, caller)
    namespace = repo_id.split("/")[0]
    if not hub.accounts.is_member(caller, namespace):
        raise Refused(403, f'You don\'t have the rights to create a {kind} under the namespace "{namespace}"')
    private, sdk = _private(asked) or False, asked.get("sdk")
    if kind == "space" and sdk != "static":
        raise Refused(402, f"Payment required: only static Spaces are free, not {sdk}")
    files = first_files(kind, repo_id)
    repository = hub.store.create(kind, repo_id, caller.user, files, private, sdk)
    existing = hub.store.get(kind, repo_id)
    if existing is None:
        raise no_repository(True)
    address = f"{hub.url}/{prefix_of(existing)}{repo_id}"
    if repository is None:
        raise Refused(409, f"You already created this {kind} repo: {repo_id}", url=address)
    return as_json({"url": address, "name": repo_id, "id": f"{kind}-{repo_id}"})


@ROUTES.add("DELETE", "/api/repos/delete")
def _delete(hub: "Hub", request: Request) -> Reply:
    kind, repo_id = _named(request.json(), hub.accounts.check_writer(request.caller))
    repository = hub.store.get(kind, repo_id)
    if repository is None:
        raise no_repository(True)
    hub.accounts.check_write(request.caller, repository)
    hub.store.delete(repository)
    return as_json({})


@ROUTES.add("PUT", "/api/{kinds}/{repo}/settings")
def _settings(hub: "Hub", request: Request) -> Reply:
    repository, asked = find(hub, request), request.json()
    hub.accounts.check_write(request.caller, repository)
    private, gated = _private(asked), asked.get("gated")
    if gated not in (None, False, "auto", "manual"):
        raise Refused(400, f"Invalid value of gated: {gated}")
    with repository.lock:
        repository.private = repository.private if private is None else private
        repository.gated = repository.gated if gated is None else gated
        repository.save()
    return as_json({"private": repository.private, "gated": repository.gated})


def _named(asked: dict[str, Any], caller: Token) -> tuple[str, str]:
    """Kind and id that a body names; without an organisation it is the caller's."""
    kind, name = asked.get("type") or "model", str(asked.get("name") or "")
    if kind not in ("model", "dataset", "space"):
        raise Refused(400, f"Invalid type: {kind}")
    if not name or "/" in name:
        raise Refused(400, f"Invalid name: {name!r}")
    return kind, f"{asked.get('organization') or caller.user}/{name}"


def _private(asked: dict[str, Any]) -> bool | None:
    """Clients from 2.0 send `visibility`, older ones `private`."""
    if asked.get("visibility") is not None:
        if asked["visibility"] not in _VISIBLE:
            raise Refused(400, f"Invalid visibility: {asked['visibility']}")
        return _VISIBLE[asked["visibility"]]
    return None if asked.get("private") is None else bool(asked["private"])


# ---- lists and information


@ROUTES.add("GET", "/api/{kinds}")
def _list(hub: "Hub", request: Request) -> Reply:
    asked, wanted = request.query, one(request, "author")
    found = []
    for repository in hub.store.all(kind_of(request)):
        is_wanted = wanted in (None, repository.namespace) and hub.accounts.may_see(request.caller, repository)
        if is_wanted and all(word.lower() in repository.id.lower() for word in asked.get("search", [])):
            item = describe(repository, repository.resolve("main"))
            if set(asked.get("filter", [])) <= set(item["tags"]):
                found.append(item)
    if one(request, "sort") == "lastModified":
        found.sort(key=lambda item: item["lastModified"], reverse=True)
    part, reply = as_pages(hub, f"/api/{request.parts['kinds']}", request, found, hub.page_size or 1000)
    if not (request.asks("full") or "expand" in asked):
        part = [{name: value for name, value in item.items() if name not in ("siblings", "cardData")} for item in part]
    return filled(reply, [_only(item, asked) for item in part])


@ROUTES.add("GET", "/api/{kinds}/{repo}")
def _info(hub: "Hub", request: Request) -> Reply:
    repository = find(hub, request)
    return as_json(_only(describe(repository, repository.resolve("main"), request.asks("blobs")), request.query))


@ROUTES.add("GET", "/api/{kinds}/{repo}/revision/{revision}")
def _revision(hub: "Hub", request: Request) -> Reply:
    repository = find(hub, request)
    return as_json(_only(describe(repository, find_commit(repository, request), request.asks("blobs")), request.query))


@ROUTES.add("GET", "/api/{kinds}/{repo}/auth-check")
def _auth_check(hub: "Hub", request: Request) -> Reply:
    find_files(hub, request)
    return as_json({})


def _only(item: dict[str, Any], query: Any) -> dict[str, Any]:
    """What `expand` asks for."""
    names = {*query.get("expand", []), *query.get("expand[]", [])}
    return {name: value for name, value in item.items() if not names or name in {"_id", "id", *names}}


def describe(repository: Repository, commit: Commit, with_sizes: bool = False) -> dict[str, Any]:
    """What the Hub tells about a repository at a revision."""
    header = None
    if "README.md" in commit.tree:
        with contextlib.suppress(yaml.YAMLError):
            header = read_header(repository.content(commit.tree["README.md"]).decode("utf-8", "replace"))
    item = {
        "_id": f"{repository.kind}-{repository.id}",
        "id": repository.id,
        "author": repository.namespace,
        "sha": commit.id,
        "lastModified": commit.date,
        "createdAt": repository.created,
        "private": repository.private,
        "gated": repository.gated,
        "disabled": False,
        "downloads": 0,
        "likes": 0,
        "tags": card_tags(header),
        "usedStorage": sum({entry.sha256: entry.size for entry in commit.tree.values()}.values()),
        "siblings": [_sibling(path, commit, with_sizes) for path in commit.tree],
    }
    item.update({"cardData": json.loads(json.dumps(header, default=str))} if isinstance(header, dict) else {})
    item.update({"modelId": repository.id} if repository.kind == "model" else {})
    item.update({"sdk": repository.sdk, "subdomain": repository.id.replace("/", "-")} if repository.sdk else {})
    return item


def _sibling(path: str, commit: Commit, with_sizes: bool) -> dict[str, Any]:
    if not with_sizes:
        return {"rfilename": path}
    entry = commit.tree[path]
    found: dict[str, Any] = {"rfilename": path, "size": entry.size, "blobId": entry.oid}
    if entry.lfs:
        size = len(pointer(entry.sha256, entry.size))
        found["lfs"] = {"sha256": entry.sha256, "size": entry.size, "pointerSize": size}
    return found


# ---- refs


@ROUTES.add("GET", "/api/{kinds}/{repo}/refs")
def _refs(hub: "Hub", request: Request) -> Reply:
    repository = find(hub, request)

    def listed(prefix: str, shorten: bool = True) -> list[dict[str, str]]:
        refs = {ref: commit for ref, commit in sorted(repository.refs.items()) if ref.startswith(prefix)}
        return [
            {"name": ref.removeprefix(prefix) if shorten else ref, "ref": ref, "targetCommit": commit}
            for ref, commit in refs.items()
        ]

    found = {"branches": listed("refs/heads/"), "converts": [], "tags": listed("refs/tags/")}
    found.update({"pullRequests": listed("refs/pr/", shorten=False)} if request.asks("include_prs") else {})
    return as_json(found)


@ROUTES.add("POST", "/api/{kinds}/{repo}/tag/{revision}")
def _tag(hub: "Hub", request: Request) -> Reply:
    repository, asked = find(hub, request), request.json()
    hub.accounts.check_write(request.caller, repository)
    repository.create_ref(f"refs/tags/{asked.get('tag', '')}", find_commit(repository, request).id)
    return as_json({})


@ROUTES.add("DELETE", "/api/{kinds}/{repo}/tag/{tag}")
def _untag(hub: "Hub", request: Request) -> Reply:
    repository = find(hub, request)
    hub.accounts.check_write(request.caller, repository)
    repository.delete_ref(f"refs/tags/{request.parts['tag']}")
    return as_json({})


@ROUTES.add("POST", "/api/{kinds}/{repo}/branch/{branch}")
def _branch(hub: "Hub", request: Request) -> Reply:
    repository, asked = find(hub, request), request.json()
    hub.accounts.check_write(request.caller, repository)
    start = repository.resolve(asked.get("startingPoint") or "main")
    repository.create_ref(f"refs/heads/{request.parts['branch']}", start.id)
    return as_json({})


@ROUTES.add("DELETE", "/api/{kinds}/{repo}/branch/{branch}")
def _unbranch(hub: "Hub", request: Request) -> Reply:
    repository = find(hub, request)
    hub.accounts.check_write(request.caller, repository)
    repository.delete_ref(f"refs/heads/{request.parts['branch']}")
    return as_json({})


@ROUTES.add("GET", "/api/{kinds}/{repo}/commits/{revision}")
def _commits(hub: "Hub", request: Request) -> Reply:
    repository = find(hub, request)
    commits = repository.commits(request.parts["revision"])
    address = f"/api/{request.parts['kinds']}/{repository.id}/commits/{commits[0].id}"
    part, reply = as_pages(hub, address, request, commits, hub.page_size or 50)
    reply.headers["X-Total-Count"] = str(len(commits))
    return filled(
        reply,
        [
            {
                "id": commit.id,
                "title": commit.title,
                "message": commit.message,
                "authors": [{"user": commit.author, "avatar": ""}],
                "date": commit.date,
                "formatted": {"title": commit.title, "message": commit.message},
            }
            for commit in part
        ],
    )
