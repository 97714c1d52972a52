"""Routes that read and write files: trees, downloads, and commits."""

import base64
import binascii
import json
import mimetypes
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote

from benchwright.scripts.servers.hub.discussions import find_discussion, is_author, note_commit, open_discussion
from benchwright.scripts.servers.hub.errors import Refused, no_entry, no_revision
from benchwright.scripts.servers.hub.git import (
    Commit,
    Delete,
    Entry,
    Operation,
    Put,
    apply,
    folder_ids,
    lfs_entry,
    pointer,
)
from benchwright.scripts.servers.hub.http import Content, Reply, Request, Routes, as_json
from benchwright.scripts.servers.hub.repository import Repository, put_content
from benchwright.scripts.servers.hub.routes import as_pages, filled, find, find_commit, find_files, prefix_of
from benchwright.scripts.servers.hub.templates import LARGE, is_ignored, is_lfs

if TYPE_CHECKING:
    from benchwright.scripts.servers.hub.server import Hub

ROUTES = Routes()
_PROPOSE = "pass `create_pr=1` as a query parameter to create a Pull Request"


# ---- reading


@ROUTES.add("GET", "/api/{kinds}/{repo}/tree/{revision}")
@ROUTES.add("GET", "/api/{kinds}/{repo}/tree/{revision}/{folder*}")
def _tree(hub: "Hub", request: Request) -> Reply:
    repository = find(hub, request)
    commit, folder = find_commit(repository, request), request.parts.get("folder", "").strip("/")
    folders = folder_ids(commit.tree)
    if folder not in folders:
        raise no_entry(folder, commit.id)
    is_recursive, within = request.asks("recursive"), f"{folder}/" if folder else ""
    paths = [path for path in sorted([*folders, *commit.tree]) if path != folder and path.startswith(within)]
    paths = [path for path in paths if is_recursive or "/" not in path.removeprefix(within)]
    is_expanded = request.asks("expand")
    address = f"/api/{request.parts['kinds']}/{repository.id}/tree/{commit.id}"
    address += f"/{quote(folder, safe='')}" if folder else ""
    part, reply = as_pages(hub, address, request, paths, hub.page_size or (50 if is_expanded else 1000))
    return filled(reply, _describe(repository, commit, part, folders, is_expanded))


@ROUTES.add("POST", "/api/{kinds}/{repo}/paths-info/{revision}")
def _paths(hub: "Hub", request: Request) -> Reply:
    repository = find(hub, request)
    commit = find_commit(repository, request)
    text = request.body.read().decode()
    is_json = "json" in request.headers.get("Content-Type", "")
    asked: dict[str, Any] = json.loads(text) if is_json else parse_qs(text)
    folders = folder_ids(commit.tree)
    paths = [path for path in asked.get("paths", []) if path in commit.tree or (path and path in folders)]
    is_expanded = str(asked.get("expand", "")).strip("[']").lower() in ("true", "1")
    return as_json(_describe(repository, commit, paths, folders, is_expanded))


def _describe(
    repository: Repository, commit: Commit, paths: list[str], folders: dict[str, str], is_expanded: bool
) -> list[dict[str, Any]]:
    last = repository.last_commits(commit, paths) if is_expanded else {}
    found = []
    for path in paths:
        entry = commit.tree.get(path)
        if entry is None:
            item: dict[str, Any] = {"type": "directory", "path": path, "oid": folders[path], "size": 0}
        else:
            item = {"type": "file", "path": path, "oid": entry.oid, "size": entry.size}
            if entry.lfs:
                size = len(pointer(entry.sha256, entry.size))
                item["lfs"] = {"oid": entry.sha256, "size": entry.size, "pointerSize": size}
        if path in last:
            changed = last[path]
            item["lastCommit"] = {"id": changed.id, "title": changed.title, "date": changed.date}
        found.append(item)
    return found


@ROUTES.add("GET", "/{prefix}{repo}/resolve/{revision}/{path*}")
@ROUTES.add("GET", "/{prefix}{repo}/raw/{revision}/{path*}")
def _resolve(hub: "Hub", request: Request) -> Reply:
    repository = find_files(hub, request)
    return send_file(repository, find_commit(repository, request), request.parts["path"], request)


def send_file(repository: Repository, commit: Commit, path: str, request: Request) -> Reply:
    """A file with the headers by which clients cache it."""
    entry = commit.tree.get(path)
    if entry is None:
        raise no_entry(path, commit.id)
    headers = {
        "X-Repo-Commit": commit.id,
        "ETag": f'"{entry.content_id}"',
        "Content-Type": _media_type(path),
        "Content-Disposition": f"inline; filename*=UTF-8''{quote(path.rpartition('/')[2])}",
        "Access-Control-Expose-Headers": "X-Repo-Commit,ETag,Link,X-Linked-Size,X-Linked-ETag,Content-Range",
    }
    if entry.lfs:
        headers.update({"X-Linked-Size": str(entry.size), "X-Linked-ETag": f'"{entry.sha256}"'})
    if request.headers.get("If-None-Match") == headers["ETag"]:
        return Reply(status=304, headers=headers)
    return Reply(Content(repository.blobs.path(entry.sha256), entry.size), headers=headers)


def _media_type(path: str) -> str:
    media = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return f"{media}; charset=utf-8" if media.startswith("text/") or media.endswith(("json", "script")) else media


# ---- writing


@ROUTES.add("POST", "/api/{kinds}/{repo}/preupload/{revision}")
def _preupload(hub: "Hub", request: Request) -> Reply:
    repository = find(hub, request)
    _check_target(hub, request, repository)
    commit, asked = find_commit(repository, request), request.json()
    attributes = _text(repository, commit, ".gitattributes")
    ignored = asked.get("gitIgnore") or _text(repository, commit, ".gitignore")
    files = []
    for file in asked.get("files", []):
        path, existing = file["path"], commit.tree.get(file["path"])
        mode = "lfs" if is_lfs(path, file["size"], file.get("sample", ""), attributes) else "regular"
        answer = {"path": path, "uploadMode": mode, "shouldIgnore": is_ignored(path, ignored)}
        files.append({**answer, "oid": existing.content_id} if existing else answer)
    return as_json({"files": files, "commitOid": commit.id})


def _text(repository: Repository, commit: Commit, path: str) -> str:
    return repository.content(commit.tree[path]).decode("utf-8", "replace") if path in commit.tree else ""


def _check_target(hub: "Hub", request: Request, repository: Repository) -> str:
    """Refuses who may not commit there: who cannot write may propose, and add to what he proposed."""
    known = hub.accounts.check_propose(request.caller, repository)
    revision = request.parts["revision"]
    if request.asks("create_pr"):
        return known.user
    if revision.startswith("refs/pr/"):
        discussion = find_discussion(repository, revision.removeprefix("refs/pr/"))
        if discussion["status"] == "merged":
            raise Refused(400, "This pull request is merged: nothing can be added to it")
        if is_author(discussion, known.user):
            return known.user
    hub.accounts.check_write(request.caller, repository, _PROPOSE)
    return known.user


@ROUTES.add("POST", "/api/{kinds}/{repo}/commit/{revision}")
def _commit(hub: "Hub", request: Request) -> Reply:
    repository = find(hub, request)
    user, revision = _check_target(hub, request, repository), request.parts["revision"]
    ref = repository.find_ref(revision)
    if ref is None or ref.startswith("refs/tags/"):
        raise no_revision(revision)
    lines = _lines(request)
    header = next(lines, {})
    if header.get("key") != "header" or not header["value"].get("summary"):
        raise Refused(400, "A commit begins with a header that has a summary")
    title, message = header["value"]["summary"], header["value"].get("description") or ""
    parent = header["value"].get("parentCommit")
    operations = [_operation(hub, repository, line) for line in lines]
    address = f"{hub.url}/{prefix_of(repository)}{repository.id}"
    if not request.asks("create_pr"):
        commit = repository.commit(ref, operations, user, title, message, parent)
        note_commit(repository, ref, commit)
        return as_json({"success": True, "commitOid": commit.id, "commitUrl": f"{address}/commit/{commit.id}"})
    if not ref.startswith("refs/heads/"):
        raise no_revision(revision)
    with repository.lock:
        base = repository.resolve(parent or repository.refs[ref])
        apply(base.tree, operations)  # what cannot be applied opens no pull request
        discussion = open_discussion(repository, title, message, user, base, ref)
        proposed = f"refs/pr/{discussion['num']}"
        commit = repository.commit(proposed, operations, user, title, message)
        note_commit(repository, proposed, commit)
    return as_json(
        {
            "success": True,
            "commitOid": commit.id,
            "commitUrl": f"{address}/commit/{commit.id}",
            "pullRequestUrl": f"{address}/discussions/{discussion['num']}",
        }
    )


def _lines(request: Request) -> Iterator[dict[str, Any]]:
    """The body's lines, one at a time: together they may be large."""
    while line := request.body.readline():
        if line.strip():
            try:
                yield json.loads(line)
            except ValueError as error:
                raise Refused(400, f"A line of the commit is not JSON: {error}") from error


def _operation(hub: "Hub", repository: Repository, line: dict[str, Any]) -> Operation:
    key, value = line.get("key"), line.get("value", {})
    path = str(value.get("path", "")).rstrip("/")
    if key in ("deletedFile", "deletedFolder"):
        return Delete(path, key == "deletedFolder")
    if key == "file":
        try:
            content = value.get("content", "")
            raw = base64.b64decode(content) if value.get("encoding") == "base64" else content.encode()
        except binascii.Error as error:
            raise Refused(400, f"{path} is not in base64: {error}") from error
        if len(raw) > LARGE:
            raise Refused(400, f"{path} has more than {LARGE} bytes: it must be uploaded over LFS")
        return put_content(repository.blobs, path, raw)
    if key == "lfsFile":
        return Put(path, _uploaded(hub, repository, path, str(value.get("oid", ""))))
    raise Refused(400, f"Unknown operation: {key}")


def _uploaded(hub: "Hub", repository: Repository, path: str, sha256: str) -> Entry:
    if sha256 not in repository.lfs_objects and not hub.xet.receive(repository, sha256):
        raise Refused(400, f"{path}: LFS pointer pointed to a file that does not exist: {sha256}")
    return lfs_entry(sha256, repository.blobs.path(sha256).stat().st_size)
