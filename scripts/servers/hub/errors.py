"""What a test Hub refuses, as the Hub says it: a status, a message, and the code that clients look at."""

from collections.abc import Mapping
from typing import Any


class Refused(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, message: str, code: str | None = None, **body: Any) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code
        """The header X-Error-Code: RepoNotFound, RevisionNotFound, EntryNotFound or GatedRepo."""
        self.body: Mapping[str, Any] = body
        """What the JSON body holds beside `error`."""
        self.commit: str | None = None
        """The header X-Repo-Commit, which belongs on the 404 of a file too."""


def no_repository(is_known: bool) -> Refused:
    """Nothing is there that the caller may see; who has not said who he is hears 401."""
    if is_known:
        return Refused(404, "Repository not found", "RepoNotFound")
    return Refused(401, "Invalid username or password.", "RepoNotFound")


def no_revision(revision: str) -> Refused:
    """No branch, tag, pull request or commit has that name."""
    return Refused(404, f"Invalid rev id: {revision}", "RevisionNotFound")


def no_entry(path: str, commit: str | None) -> Refused:
    """The revision has no such file or folder."""
    refused = Refused(404, f"Entry not found: {path}" if path else "Entry not found", "EntryNotFound")
    refused.commit = commit
    return refused
