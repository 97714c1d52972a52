"""Repositories on disk: commits, branches, tags and pull requests' refs; every change is atomic under its lock."""

import io
import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchwright.scripts.servers.hub.blobs import Blobs
from benchwright.scripts.servers.hub.errors import Refused, no_entry, no_revision
from benchwright.scripts.servers.hub.git import (
    Commit,
    Entry,
    Operation,
    Put,
    Tree,
    apply,
    blob_id,
    check_path,
    make_commit,
)

MAIN = "refs/heads/main"
_SHA = re.compile(r"[0-9a-f]{7,40}")
_REF_NAME = re.compile(r"(?!.*(?:\.\.|//|@\{|/\.|\.lock$))[^\s~^:?*\[\\/.-][^\s~^:?*\[\\]*(?<![/.])")


class Clock:
    """The Hub's: the machine's, put forward by as many seconds as a test wants."""

    ahead = 0.0

    def moment(self) -> datetime:
        """Now, in UTC."""
        return datetime.now(UTC) + timedelta(seconds=self.ahead)


CLOCK = Clock()
"""Of every Hub of this process."""


def now() -> str:
    """The time as the Hub writes it."""
    return CLOCK.moment().isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Repository:
    """A repository. What a test looks at: `refs`, `commits`, `files`, `read`, `private`, `discussions`."""

    def __init__(self, folder: Path, blobs: Blobs, kind: str, repo_id: str) -> None:
        self.kind = kind
        """model, dataset or space"""
        self.id = repo_id
        self.namespace, self.name = repo_id.split("/")
        self.private = False
        self.gated: str | bool = False
        self.sdk: str | None = None
        self.created = now()
        self.refs: dict[str, str] = {}
        """refs/heads/…, refs/tags/…, refs/pr/… → commit"""
        self.discussions: dict[int, dict[str, Any]] = {}
        """By number, as the Hub's answers have them; see `hub_discussions`."""
        self.lfs_objects: set[str] = set()
        """SHA-256 of what was uploaded here; other repositories' contents cannot be claimed by their hash."""
        self.lock = threading.RLock()
        self.blobs = blobs
        self._folder = folder
        self._commits: dict[str, Commit] = {}
        if (folder / "repository.json").is_file():
            self._load()

    # ---- looking

    @property
    def branches(self) -> dict[str, str]:
        """Name → commit."""
        return self._named("refs/heads/")

    @property
    def tags(self) -> dict[str, str]:
        """Name → commit."""
        return self._named("refs/tags/")

    def _named(self, prefix: str) -> dict[str, str]:
        return {ref.removeprefix(prefix): commit for ref, commit in sorted(self.refs.items()) if ref.startswith(prefix)}

    def commits(self, revision: str = "main") -> list[Commit]:
        """From the newest to the first, along first parents."""
        return list(self._history(self.resolve(revision)))

    def files(self, revision: str = "main") -> dict[str, str]:
        """Path → SHA-256 of the content."""
        return {path: entry.sha256 for path, entry in self.resolve(revision).tree.items()}

    def read(self, revision: str, path: str) -> bytes:
        """A file's content."""
        commit = self.resolve(revision)
        if path not in commit.tree:
            raise no_entry(path, commit.id)
        return self.content(commit.tree[path])

    def content(self, entry: Entry) -> bytes:
        """What a tree's entry stands for."""
        return self.blobs.path(entry.sha256).read_bytes()

    def find_ref(self, revision: str) -> str | None:
        """The full name of a branch, a tag or a ref."""
        names = (f"refs/heads/{revision}", f"refs/tags/{revision}", revision)
        return next((name for name in names if name in self.refs), None)

    def resolve(self, revision: str) -> Commit:
        """The commit of a branch, a tag, `refs/pr/N`, or the beginning of its id.

        Raises:
            Refused: 404 RevisionNotFound.
        """
        ref = self.find_ref(revision)
        if ref:
            return self.commit_of(self.refs[ref])
        if _SHA.fullmatch(revision):
            found = [path.stem for path in (self._folder / "commits").glob(f"{revision}*.json")]
            if len(found) == 1:
                return self.commit_of(found[0])
        raise no_revision(revision)

    def commit_of(self, commit_id: str) -> Commit:
        """A commit by its id."""
        if commit_id not in self._commits:
            stored = json.loads((self._folder / "commits" / f"{commit_id}.json").read_text(encoding="utf-8"))
            tree = {path: Entry(**entry) for path, entry in stored.pop("tree").items()}
            parents = tuple(stored.pop("parents"))
            self._commits[commit_id] = Commit(**stored, parents=parents, tree=tree)
        return self._commits[commit_id]

    def _history(self, commit: Commit | None) -> Iterator[Commit]:
        while commit:
            yield commit
            commit = self.commit_of(commit.parents[0]) if commit.parents else None

    def last_commits(self, commit: Commit, paths: Sequence[str]) -> dict[str, Commit]:
        """The commit that last changed each file, or anything in each folder."""
        found: dict[str, Commit] = {}
        for later in self._history(commit):
            before: Tree = self.commit_of(later.parents[0]).tree if later.parents else {}
            for path in paths:
                if path not in found and _part(later.tree, path) != _part(before, path):
                    found[path] = later
        return found

    def merge_base(self, ours: str, theirs: str) -> Commit:
        """The newest commit of `theirs` that `ours` has too."""
        known = {commit.id for commit in self._history(self.commit_of(ours))}
        return next(commit for commit in self._history(self.commit_of(theirs)) if commit.id in known)

    # ---- changing

    def commit(
        self,
        ref: str,
        operations: Sequence[Operation] | Callable[[Tree], Tree],
        author: str,
        title: str,
        message: str = "",
        parent: str | None = None,
    ) -> Commit:
        """A new commit on a ref, or the first one of a repository.

        Args:
            parent: What the ref must point to: an id or the beginning of one.

        Raises:
            Refused: 412 where it points elsewhere: somebody else was faster.
        """
        with self.lock:
            head = self.refs.get(ref)
            if parent is not None and not (head or "").startswith(parent):
                raise Refused(412, "A commit has happened since. Please refresh and try again.")
            before: Tree = self.commit_of(head).tree if head else {}
            tree = operations(before) if callable(operations) else apply(before, operations)
            commit = make_commit(tree, (head,) if head else (), author, title, message, now())
            self._write(f"commits/{commit.id}.json", asdict(commit))
            self._commits[commit.id] = commit
            self.refs[ref] = commit.id
            self.save()
        return commit

    def create_ref(self, ref: str, commit_id: str) -> None:
        """A branch, a tag or a pull request's ref.

        Raises:
            Refused: 400 for a name that git would not take, 409 where there is one already.
        """
        name = ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
        if not _REF_NAME.fullmatch(name):
            raise Refused(400, f"Invalid reference name: {name}")
        with self.lock:
            if ref in self.refs:
                raise Refused(409, f"Reference {ref} already exists")
            self.refs[ref] = commit_id
            self.save()

    def delete_ref(self, ref: str) -> None:
        """Removes a branch or a tag; its commits stay."""
        with self.lock:
            if ref == MAIN:
                raise Refused(403, "The branch main cannot be deleted")
            if ref not in self.refs:
                raise no_revision(ref)
            del self.refs[ref]
            self.save()

    def keep_lfs_object(self, sha256: str) -> None:
        """Notes that a content was uploaded here."""
        with self.lock:
            self.lfs_objects.add(sha256)
            self.save()

    def save(self) -> None:
        """Writes what can change; call it under the lock."""
        names = ("private", "gated", "sdk", "created", "refs")
        state = {name: getattr(self, name) for name in names}
        discussions = {str(number): discussion for number, discussion in self.discussions.items()}
        objects = sorted(self.lfs_objects)
        self._write("repository.json", {**state, "lfs_objects": objects, "discussions": discussions})

    def remove(self) -> None:
        """Deletes the repository's folder."""
        shutil.rmtree(self._folder)

    def _write(self, name: str, content: Any) -> None:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_text(json.dumps(content), encoding="utf-8")
        new.replace(path)

    def _load(self) -> None:
        state = json.loads((self._folder / "repository.json").read_text(encoding="utf-8"))
        self.lfs_objects = set(state.pop("lfs_objects"))
        self.discussions = {int(number): discussion for number, discussion in state.pop("discussions").items()}
        for name, value in state.items():
            setattr(self, name, value)


def _part(tree: Tree, path: str) -> Any:
    """What a tree has at a path: a file's id, or all that is in a folder."""
    if path in tree:
        return tree[path].oid
    return {name: entry.oid for name, entry in tree.items() if name.startswith(path + "/")}


class Store:
    """All repositories, in a folder that a later start finds again."""

    def __init__(self, folder: Path) -> None:
        self.blobs = Blobs(folder / "blobs")
        self.lock = threading.RLock()
        self._folder = folder / "repositories"
        self._all: dict[tuple[str, str], Repository] = {}
        for path in sorted(self._folder.glob("*/*/*/repository.json")):
            kind, namespace, name = path.parent.relative_to(self._folder).parts
            self._all[kind, f"{namespace}/{name}"] = self._open(kind, f"{namespace}/{name}")

    def _open(self, kind: str, repo_id: str) -> Repository:
        return Repository(self._folder / kind / repo_id, self.blobs, kind, repo_id)

    def get(self, kind: str, repo_id: str) -> Repository | None:
        """A repository, if there is one."""
        return self._all.get((kind, repo_id))

    def all(self, kind: str) -> list[Repository]:
        """The repositories of a kind, newest first."""
        found = [repository for (its, _), repository in list(self._all.items()) if its == kind]
        return sorted(found, key=lambda repository: (repository.created, repository.id), reverse=True)

    def create(
        self, kind: str, repo_id: str, author: str, files: dict[str, bytes], private: bool, sdk: str | None
    ) -> Repository | None:
        """A new repository with some first files; nothing where there is one of that name."""
        with self.lock:
            if (kind, repo_id) in self._all:
                return None
            check_path(repo_id)
            repository = self._open(kind, repo_id)
            repository.private, repository.sdk = private, sdk
            operations = [put_content(self.blobs, path, content) for path, content in files.items()]
            repository.commit(MAIN, operations, author, "initial commit")
            self._all[kind, repo_id] = repository
        return repository

    def delete(self, repository: Repository) -> None:
        """Removes a repository; contents stay, for another may have them too."""
        with self.lock, repository.lock, suppress(KeyError):
            del self._all[repository.kind, repository.id]
            repository.remove()


def put_content(blobs: Blobs, path: str, content: bytes) -> Operation:
    """Keeps a plain file's content: the operation that puts it in a tree."""
    sha256, size = blobs.write(io.BytesIO(content))
    return Put(path, Entry(sha256, size, blob_id(content)))
