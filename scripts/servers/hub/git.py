"""Commits and trees as git has them: ids that git would give, differences, and merging of two sides."""

import difflib
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from benchwright.scripts.servers.hub.errors import Refused, no_entry


@dataclass(frozen=True)
class Entry:
    """A file in a tree."""

    sha256: str
    size: int
    oid: str
    """Git's id of the blob; of an LFS file: of its pointer."""
    lfs: bool = False

    @property
    def content_id(self) -> str:
        """What the Hub's ETag is, and what `preupload` compares with: SHA-256 for LFS, else git's id."""
        return self.sha256 if self.lfs else self.oid


Tree = Mapping[str, Entry]


@dataclass(frozen=True)
class Commit:
    """A state of all files, and how it came about."""

    id: str
    parents: tuple[str, ...]
    author: str
    title: str
    message: str
    date: str
    tree: Tree


@dataclass(frozen=True)
class Put:
    """A file that is added or replaced."""

    path: str
    entry: Entry


@dataclass(frozen=True)
class Delete:
    """A file or a folder that is removed."""

    path: str
    is_folder: bool


Operation = Put | Delete


def blob_id(content: bytes) -> str:
    """Git's id of a file."""
    return _git_id("blob", content)


def pointer(sha256: str, size: int) -> bytes:
    """What git holds in the place of an LFS file."""
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\nsize {size}\n".encode()


def lfs_entry(sha256: str, size: int) -> Entry:
    """An LFS file in a tree."""
    return Entry(sha256, size, blob_id(pointer(sha256, size)), lfs=True)


def folder_ids(tree: Tree) -> dict[str, str]:
    """Git's ids of all folders; the root's path is empty."""
    folders: dict[str, dict[str, tuple[str, str]]] = {"": {}}
    for path, entry in tree.items():
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, {})[name] = ("100644", entry.oid)
        while folder:
            folder = folder.rpartition("/")[0]
            folders.setdefault(folder, {})
    found: dict[str, str] = {}
    for folder in sorted(folders, key=lambda path: path.count("/") + bool(path), reverse=True):
        items = sorted(folders[folder].items(), key=lambda item: item[0] + "/" * (item[1][0] == "40000"))
        body = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(oid) for name, (mode, oid) in items)
        found[folder] = _git_id("tree", body)
        if folder:
            above, _, name = folder.rpartition("/")
            folders[above][name] = ("40000", found[folder])
    return found


def make_commit(tree: Tree, parents: tuple[str, ...], author: str, title: str, message: str, date: str) -> Commit:
    """A commit; its id covers everything in it."""
    lines = [f"tree {folder_ids(tree)['']}", *(f"parent {parent}" for parent in parents), f"author {author} {date}"]
    text = "\n".join([*lines, "", title, "", message])
    return Commit(_git_id("commit", text.encode()), parents, author, title, message, date, dict(sorted(tree.items())))


def _git_id(kind: str, content: bytes) -> str:
    return hashlib.sha1(f"{kind} {len(content)}\0".encode() + content).hexdigest()


def apply(tree: Tree, operations: Iterable[Operation]) -> dict[str, Entry]:
    """A tree after some operations.

    Raises:
        Refused: 400 for a path that git would not take, 404 where nothing is to delete.
    """
    files = dict(tree)
    for operation in operations:
        check_path(operation.path)
        if isinstance(operation, Put):
            files[operation.path] = operation.entry
            continue
        gone = [path for path in files if _is_within(path, operation)]
        if not gone:
            raise no_entry(operation.path, None)
        for path in gone:
            del files[path]
    folders = {path[:place] for path in files for place, letter in enumerate(path) if letter == "/"}
    for path in folders & files.keys():
        raise Refused(400, f"{path} is a file and a folder")
    return files


def check_path(path: str) -> None:
    """Refuses a path that leaves the repository or hides in git's own folder."""
    parts = path.split("/")
    if not path or any(part in ("", ".", "..", ".git") for part in parts) or "\0" in path:
        raise Refused(400, f"Invalid path: {path!r}")


def _is_within(path: str, gone: Delete) -> bool:
    return path.startswith(gone.path + "/") if gone.is_folder else path == gone.path


def changed(before: Tree, after: Tree) -> dict[str, tuple[Entry | None, Entry | None]]:
    """Paths whose content differs: what it was and what it is; nothing where there is none."""
    paths = sorted(before.keys() | after.keys())
    pairs = {path: (before.get(path), after.get(path)) for path in paths}
    return {path: pair for path, pair in pairs.items() if pair[0] != pair[1]}


def merge(base: Tree, ours: Tree, theirs: Tree) -> tuple[dict[str, Entry], list[str]]:
    """Both sides' changes since `base` in one tree, and the paths that both changed in different ways."""
    files, conflicts = dict(ours), []
    mine = changed(base, ours)
    for path, (_, entry) in changed(base, theirs).items():
        if path in mine and mine[path][1] != entry:
            conflicts.append(path)
        elif entry is None:
            files.pop(path, None)
        else:
            files[path] = entry
    return files, conflicts


def unified_diff(before: Tree, after: Tree, read: Callable[[Entry], bytes]) -> str:
    """What `git diff` would print; LFS files show their pointers."""
    lines: list[str] = []
    for path, (old, new) in changed(before, after).items():
        lines.append(f"diff --git a/{path} b/{path}")
        lines += [] if old else ["new file mode 100644"]
        lines += [] if new else ["deleted file mode 100644"]
        lines.append(f"index {old.oid[:7] if old else '0' * 7}..{new.oid[:7] if new else '0' * 7}")
        names = f"a/{path}" if old else "/dev/null", f"b/{path}" if new else "/dev/null"
        was, is_now = _text(old, read), _text(new, read)
        if was is None or is_now is None:
            lines.append(f"Binary files {names[0]} and {names[1]} differ")
        else:
            lines += difflib.unified_diff(was.splitlines(), is_now.splitlines(), *names, lineterm="")
    return "\n".join([*lines, ""]) if lines else ""


def _text(entry: Entry | None, read: Callable[[Entry], bytes]) -> str | None:
    """A file's text; nothing where it is not text."""
    if entry is None:
        return ""
    content = pointer(entry.sha256, entry.size) if entry.lfs else read(entry)
    return None if b"\0" in content else content.decode("utf-8", "replace")
