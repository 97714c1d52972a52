"""Discussions and pull requests: what is said, and how a proposal gets into its branch.

A discussion is kept as the mapping that the Hub's answers consist of, so that what is stored is what is sent.
"""

import html
import secrets
from typing import Any

from benchwright.scripts.servers.hub.errors import Refused
from benchwright.scripts.servers.hub.git import Commit, merge, unified_diff
from benchwright.scripts.servers.hub.repository import MAIN, Repository, now


def open_discussion(
    repository: Repository,
    title: str,
    description: str,
    author: str,
    base: Commit | None = None,
    target: str = MAIN,
    status: str = "open",
) -> dict[str, Any]:
    """A new discussion; with a `base` it is a pull request that starts there and goes to the branch `target`."""
    with repository.lock:
        number = max(repository.discussions, default=0) + 1
        discussion: dict[str, Any] = {
            "num": number,
            "title": title,
            "author": _person(author),
            "createdAt": now(),
            "status": status,
            "isPullRequest": base is not None,
            "repo": {"name": repository.id, "type": repository.kind},
            "pinned": False,
            "locked": False,
            "events": [],
        }
        if base is not None:
            discussion["changes"] = {"base": target}
            repository.create_ref(f"refs/pr/{number}", base.id)
        repository.discussions[number] = discussion
        if description:
            _happened(discussion, "comment", author, _comment(description, author))
        repository.save()
    return discussion


def find_discussion(repository: Repository, number: str) -> dict[str, Any]:
    """A discussion by its number."""
    found = repository.discussions.get(int(number)) if number.isdigit() else None
    if found is None:
        raise Refused(404, f"Discussion {number} not found")
    return found


def is_author(discussion: dict[str, Any], user: str) -> bool:
    """Whether somebody opened a discussion."""
    return discussion["author"]["name"] == user


def add_comment(repository: Repository, discussion: dict[str, Any], author: str, text: str) -> dict[str, Any]:
    """Says something: the event."""
    if not text.strip():
        raise Refused(400, "A comment must not be empty")
    with repository.lock:
        event = _happened(discussion, "comment", author, _comment(text, author))
        repository.save()
    return event


def edit_comment(
    repository: Repository, discussion: dict[str, Any], event_id: str, author: str, text: str | None
) -> dict[str, Any]:
    """Says something else instead, or with nothing hides what was said."""
    event = next((each for each in discussion["events"] if each["id"] == event_id and each["type"] == "comment"), None)
    if event is None:
        raise Refused(404, f"Comment {event_id} not found")
    with repository.lock:
        data = event["data"]
        data["history"] = [*data["history"], data["latest"]]
        latest = _comment("This comment has been hidden" if text is None else text, author)["latest"]
        data.update(edited=True, hidden=text is None, latest=latest)
        repository.save()
    return event


def rename(repository: Repository, discussion: dict[str, Any], author: str, title: str) -> dict[str, Any]:
    """Gives a discussion another title."""
    with repository.lock:
        event = _happened(discussion, "title-change", author, {"from": discussion["title"], "to": title})
        discussion["title"] = title
        repository.save()
    return event


def set_status(
    repository: Repository, discussion: dict[str, Any], author: str, status: str, comment: str = ""
) -> dict[str, Any]:
    """Opens or closes a discussion."""
    if status not in ("open", "closed"):
        raise Refused(400, f"Invalid status: {status}")
    with repository.lock:
        if discussion["status"] == "merged":
            raise Refused(400, "A merged pull request stays merged")
        if comment:
            add_comment(repository, discussion, author, comment)
        event = _happened(discussion, "status-change", author, {"status": status})
        discussion["status"] = status
        repository.save()
    return event


def note_commit(repository: Repository, ref: str, commit: Commit) -> None:
    """Tells a pull request that a commit was added to it."""
    number = ref.removeprefix("refs/pr/")
    if number != ref:
        with repository.lock:
            data = {"subject": commit.title, "oid": commit.id}
            _happened(find_discussion(repository, number), "commit", commit.author, data)
            repository.save()


def conflicts(repository: Repository, discussion: dict[str, Any]) -> list[str]:
    """Files that the pull request and its branch have changed in different ways."""
    return [] if discussion["status"] == "merged" else _merged(repository, discussion)[1]


def diff(repository: Repository, discussion: dict[str, Any]) -> str:
    """What a pull request changes, since it left its branch."""
    head = repository.commit_of(repository.refs[f"refs/pr/{discussion['num']}"])
    base = repository.commit_of(discussion["changes"].get("baseCommitId") or _base(repository, discussion).id)
    return unified_diff(base.tree, head.tree, repository.content)


def merge_pull_request(repository: Repository, discussion: dict[str, Any], author: str, comment: str = "") -> Commit:
    """Puts a pull request's changes on its branch, as one commit.

    Raises:
        Refused: 400 where it is no open pull request, 409 where it conflicts.
    """
    with repository.lock:
        if not discussion["isPullRequest"] or discussion["status"] != "open":
            raise Refused(400, f"Only an open pull request can be merged: this one is {discussion['status']}")
        tree, conflicting = _merged(repository, discussion)
        if conflicting:
            raise Refused(409, f"Conflicts in {', '.join(conflicting)}")
        number, changes = discussion["num"], discussion["changes"]
        head, base = repository.refs[f"refs/pr/{number}"], _base(repository, discussion)
        said = [f"- {commit.title} ({commit.id})" for commit in repository.commits(head)]
        new = said[: len(said) - len(repository.commits(base.id))]
        title = f"{discussion['title']} (#{number})"
        commit = repository.commit(changes["base"], lambda _: tree, author, title, "\n".join(reversed(new)))
        changes.update(baseCommitId=base.id, mergeCommitId=commit.id)
        if comment:
            add_comment(repository, discussion, author, comment)
        _happened(discussion, "status-change", author, {"status": "merged"})
        discussion["status"] = "merged"
        repository.save()
    return commit


def _merged(repository: Repository, discussion: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    ours = repository.commit_of(repository.refs[discussion["changes"]["base"]])
    theirs = repository.commit_of(repository.refs[f"refs/pr/{discussion['num']}"])
    return merge(_base(repository, discussion).tree, ours.tree, theirs.tree)


def _base(repository: Repository, discussion: dict[str, Any]) -> Commit:
    refs = repository.refs
    return repository.merge_base(refs[discussion["changes"]["base"]], refs[f"refs/pr/{discussion['num']}"])


def _happened(discussion: dict[str, Any], kind: str, author: str, data: dict[str, Any]) -> dict[str, Any]:
    event = {
        "id": secrets.token_hex(12),
        "type": kind,
        "author": _person(author),
        "createdAt": now(),
        "data": data,
    }
    discussion["events"].append(event)
    return event


def _person(name: str) -> dict[str, Any]:
    return {"name": name, "fullname": name, "type": "user", "avatarUrl": ""}


def _comment(text: str, author: str) -> dict[str, Any]:
    latest = {"raw": text, "html": f"<p>{html.escape(text)}</p>", "updatedAt": now(), "author": _person(author)}
    return {"edited": False, "hidden": False, "latest": latest, "history": [], "numEdits": 0}
