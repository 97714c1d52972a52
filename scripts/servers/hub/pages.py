"""Pages for people: what there is, a repository's card and files, a discussion; and static Spaces, which are pages."""

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import quote

import yaml

from benchwright.scripts.servers.hub.card import read_header
from benchwright.scripts.servers.hub.discussions import diff, find_discussion
from benchwright.scripts.servers.hub.errors import Refused
from benchwright.scripts.servers.hub.files import send_file
from benchwright.scripts.servers.hub.git import Commit
from benchwright.scripts.servers.hub.http import Reply, Request, Routes
from benchwright.scripts.servers.hub.repository import Repository
from benchwright.scripts.servers.hub.routes import find_files, prefix_of

if TYPE_CHECKING:
    from benchwright.scripts.servers.hub.server import Hub

ROUTES = Routes()


def _page(title: str, *parts: str) -> Reply:
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title>'
    body_style = "body{font-family:sans-serif;max-width:60em;margin:2em auto}"
    style = f"<style>{body_style}pre{{background:#f4f4f4;padding:1em;overflow:auto}}</style>"
    body = "\n".join([f"<h1>{html.escape(title)}</h1>", *parts])
    text = f'<!doctype html>\n<html lang="en">\n<head>{head}{style}</head>\n<body>\n{body}\n</body>\n</html>\n'
    return Reply(text.encode(), headers={"Content-Type": "text/html; charset=utf-8"})


def _links(items: Iterable[tuple[str, str]]) -> str:
    return "<ul>" + "".join(f'<li><a href="{quote(to)}">{html.escape(name)}</a></li>' for to, name in items) + "</ul>"


@ROUTES.add("GET", "/")
def _home(hub: "Hub", request: Request) -> Reply:
    parts = []
    for kind in ("dataset", "space", "model"):
        seen = [each for each in hub.store.all(kind) if hub.accounts.may_see(request.caller, each)]
        parts += [f"<h2>{kind}s</h2>", _links((f"/{prefix_of(each)}{each.id}", each.id) for each in seen)]
    return _page("A test Hub", *parts)


@ROUTES.add("GET", "/static/{repo}")
@ROUTES.add("GET", "/static/{repo}/{path*}")
def _static(hub: "Hub", request: Request) -> Reply:
    commit, repository = _space(hub, request)
    path = request.parts.get("path") or _start(repository, commit)
    if "path" not in request.parts:
        return Reply(status=302, headers={"Location": f"/static/{repository.id}/"})
    return send_file(repository, commit, path, request)


@ROUTES.add("GET", "/spaces/{repo}")
def _show_space(hub: "Hub", request: Request) -> Reply:
    """Off to the Space's own files, so that its links to each other work."""
    _, repository = _space(hub, request)
    return Reply(status=302, headers={"Location": f"/static/{repository.id}/"})


def _space(hub: "Hub", request: Request) -> tuple[Commit, Repository]:
    named = Request(**{**vars(request), "parts": {**request.parts, "kinds": "spaces"}})
    repository = find_files(hub, named)
    if repository.sdk != "static":
        raise Refused(501, f"Only static Spaces are shown here, not {repository.sdk}")
    return repository.resolve("main"), repository


def _start(repository: Repository, commit: Commit) -> str:
    """The first page: `app_file` in the Space's card, or index.html."""
    try:
        header = read_header(repository.read(commit.id, "README.md").decode("utf-8", "replace"))
    except (Refused, yaml.YAMLError):
        header = None
    return str(header.get("app_file", "index.html")) if isinstance(header, dict) else "index.html"


@ROUTES.add("GET", "/{prefix}{repo}")
@ROUTES.add("GET", "/{prefix}{repo}/tree/{revision}")
@ROUTES.add("GET", "/{prefix}{repo}/commit/{revision}")
def _show(hub: "Hub", request: Request) -> Reply:
    repository = find_files(hub, request)
    revision = request.parts.get("revision", "main")
    commit, here = repository.resolve(revision), f"/{prefix_of(repository)}{repository.id}"
    card = ""
    if "README.md" in commit.tree:
        card = repository.content(commit.tree["README.md"]).decode("utf-8", "replace")
    said = sorted(repository.discussions.values(), key=lambda each: each["num"])
    return _page(
        repository.id,
        f"<p>{repository.kind}, {'private' if repository.private else 'public'}; "
        f"{html.escape(revision)} = {commit.id}: {html.escape(commit.title)}</p>",
        f"<pre>{html.escape(card)}</pre>",
        "<h2>Files</h2>",
        _links((f"{here}/resolve/{commit.id}/{path}", path) for path in commit.tree),
        "<h2>Tags</h2>",
        _links((f"{here}/tree/{tag}", tag) for tag in repository.tags),
        "<h2>Discussions</h2>",
        _links((f"{here}/discussions/{each['num']}", f"{each['title']} ({each['status']})") for each in said),
    )


@ROUTES.add("GET", "/{prefix}{repo}/discussions/{num}")
def _show_discussion(hub: "Hub", request: Request) -> Reply:
    repository = find_files(hub, request)
    discussion = find_discussion(repository, request.parts["num"])
    parts = [f"<p>{discussion['status']}, by {html.escape(discussion['author']['name'])}</p>"]
    for event in discussion["events"]:
        data = event["data"]
        said = data["latest"]["raw"] if event["type"] == "comment" else str(data)
        parts.append(
            f"<p><b>{html.escape(event['author']['name'])}</b> {event['type']}</p><pre>{html.escape(said)}</pre>"
        )
    if discussion["isPullRequest"]:
        parts.append(f"<pre>{html.escape(diff(repository, discussion))}</pre>")
    return _page(discussion["title"], *parts)
