"""One release and one repository: what is there, what is missing, one commit and a tag. Safe to repeat and to race."""

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.naming import version_key
from benchwright.benchmarks.releases.baseline_figures import BaselineFigures
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.schemas import in_order
from benchwright.cards.hub.errors import status_of
from benchwright.cards.hub.remote import remote_baselines, remote_manifest
from benchwright.cards.hub.uploads import Upload, is_same, is_same_by_another_program, uploads_to

KIND = "dataset"
_VERSION_TAG = re.compile(r"v\d{1,9}\.\d{1,9}\.\d{1,9}", re.ASCII)
TRIES = 3
"""Times that a push is planned anew because the repository changed under it."""

log = logging.getLogger("benchwright")

State = Literal["pushed", "completed", "there already", "pull request"]
"""`completed`: the commit was there and its tag was not."""
Done = tuple[State, str, str | None, str | None]
"""State, commit, its tag, and the address of a pull request."""


def commit_message(manifest: Manifest) -> str:
    """Title and body of the commit."""
    rows = ", ".join(
        f"{manifest.rows[config]:,} {config}" for config in in_order(manifest.rows) if manifest.rows[config]
    )
    return f"{manifest.name} {manifest.version}\n\n{rows}; content {manifest.content_hash}"


@dataclass(frozen=True)
class Push:
    """A release on its way to a repository that is there."""

    api: Any
    repo_id: str
    release: Release
    files: list[Upload]
    create_pr: bool
    measured: Callable[[], BaselineFigures | None]
    """Asks the baselines, at most once; None: they are not asked."""
    prove: Callable[[], None]
    """Raises where the release does not hold; looks at most once, and not where nothing is to be pushed."""

    def again(self) -> Done:
        """Attempts until nobody changed the repository meanwhile."""
        for _ in range(TRIES - 1):
            try:
                return self.once()
            except Exception as error:
                if status_of(error) != 412:
                    raise
                log.info("%s was changed meanwhile: looking again", self.repo_id)
        return self.once()

    def once(self) -> Done:
        """One attempt."""
        api, repo_id, manifest = self.api, self.repo_id, self.release.manifest
        tag = f"v{manifest.version}"
        refs = api.list_repo_refs(repo_id, repo_type=KIND)
        tagged = {ref.name: ref.target_commit for ref in refs.tags}
        head = next(ref.target_commit for ref in refs.branches if ref.name == "main")
        there = remote_manifest(api, repo_id, head)
        _check_kin(there, manifest, repo_id)
        if tag in tagged:
            files = self._files(self._kept(tag, remote_manifest(api, repo_id, tag)))
            _check_same(api, repo_id, tag, self.release, files, _newest(tagged))
            return "there already", tagged[tag], tag, None
        kept = self._kept(head, there)
        files = self._files(kept)
        if is_same(there, files):
            if self.create_pr:
                return "there already", head, None, None
            commit = _commit_of(api, repo_id, manifest, files, head)
            _tag(api, repo_id, tag, commit, manifest, files)
            return "completed", commit, tag, None
        _check_newer([*tagged, f"v{there.get('version')}"], manifest, repo_id)
        self.prove()
        if kept is None and (measured := self.measured()) is not None:
            files = self._files(measured)
        proposed = _proposed(api, repo_id, files) if self.create_pr else None
        return proposed or self._commit(files, head, there)

    def _kept(self, revision: str, there: Mapping[str, Any]) -> BaselineFigures | None:
        return remote_baselines(self.api, self.repo_id, revision, there, self.release.manifest)

    def _files(self, baselines: BaselineFigures | None) -> list[Upload]:
        return uploads_to(self.repo_id, self.release, self.files, baselines)

    def _commit(self, files: list[Upload], head: str, there: Mapping[str, Any]) -> Done:
        """The commit on top of a head whose manifest says what is given, and its tag."""
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        api, repo_id, manifest = self.api, self.repo_id, self.release.manifest
        title, _, body = commit_message(manifest).partition("\n\n")
        done = api.create_commit(
            repo_id,
            [
                *(CommitOperationAdd(file.path, _given(file)) for file in files),
                *(CommitOperationDelete(path) for path in _gone(api, repo_id, head, there, files)),
            ],
            commit_message=title,
            commit_description=body,
            repo_type=KIND,
            parent_commit=head,
            create_pr=self.create_pr,
        )
        if self.create_pr:
            return "pull request", done.oid, None, done.pr_url
        tag = f"v{manifest.version}"
        _tag(api, repo_id, tag, done.oid, manifest, files)
        return "pushed", done.oid, tag, None


def _check_kin(there: Mapping[str, Any], manifest: Manifest, repo_id: str) -> None:
    """Raises where the repository holds another benchmark: its tags would be mixed with ours."""
    other = there.get("name", manifest.name)
    if other != manifest.name:
        namespace, _, name = repo_id.partition("/")
        new = manifest.name if manifest.name != name else f"{manifest.name}-benchmark"
        raise BenchwrightError(
            f"{repo_id} holds the benchmark {other!s:.90}, not {manifest.name}: choose another repository, such as "
            f"--repo-id {namespace}/{new}"
        )


def _proposed(api: Any, repo_id: str, files: list[Upload]) -> Done | None:
    """The pull request of ours that is open and proposes exactly these files."""
    ours = {"author": api.whoami()["name"], "discussion_type": "pull_request", "discussion_status": "open"}
    for found in api.get_repo_discussions(repo_id, repo_type=KIND, **ours):
        if is_same(remote_manifest(api, repo_id, found.git_reference), files):
            commit = api.repo_info(repo_id, repo_type=KIND, revision=found.git_reference).sha
            return "pull request", commit, None, found.url
    return None


def _gone(api: Any, repo_id: str, head: str, there: Mapping[str, Any], files: list[Upload]) -> list[str]:
    """Files of the version before, as far as they are there still, that the new one has not."""
    listed = there.get("files")
    old = set(listed if isinstance(listed, dict) else ()) - {file.path for file in files}
    return sorted(old & set(api.list_repo_files(repo_id, repo_type=KIND, revision=head))) if old else []


def _given(file: Upload) -> str | bytes:
    """A file as the Hub's client takes it."""
    return file.source if isinstance(file.source, bytes) else str(file.source)


def _check_same(api: Any, repo_id: str, tag: str, release: Release, files: list[Upload], newest: str | None) -> None:
    """Raises where the tag is on anything but this release; names a version that is free."""
    manifest, there = release.manifest, remote_manifest(api, repo_id, tag)
    if is_same(there, files):
        return
    if is_same_by_another_program(there, files, release):
        log.warning("%s %s keeps its card, which another version of this program made", repo_id, tag)
        return
    if there.get("content_hash") == manifest.content_hash:
        what, kind = "another card or manifest", "patch"
    else:
        what, kind = "other content", "major"
    raise BenchwrightError(
        f"{repo_id} has {tag} with {what}, and a version is never changed: build this as --as-version "
        f"{next_version(newest or manifest.version, kind)}"
    )


def next_version(version: str, kind: str) -> str:
    """The version after one: major where questions or answers changed, minor where some came, patch for the rest."""
    major, minor, patch = version_key(version)
    if kind == "major":
        return f"{major + 1}.0.0"
    return f"{major}.{minor + 1}.0" if kind == "minor" else f"{major}.{minor}.{patch + 1}"


def _check_newer(tags: list[str], manifest: Manifest, repo_id: str) -> None:
    """Raises where a newer version is there: main would go back."""
    newest = _newest(tags)
    if newest is not None and version_key(newest) > version_key(manifest.version):
        raise BenchwrightError(
            f"{repo_id} has {newest} already, and {manifest.version} would put an older one in its place: "
            f"build this as --as-version {next_version(newest, 'patch')} or higher"
        )


def _newest(tags: Iterable[str]) -> str | None:
    """The highest version among tags `vX.Y.Z`; others count for nothing."""
    return max((tag[1:] for tag in tags if _VERSION_TAG.fullmatch(tag)), key=version_key, default=None)


def _commit_of(api: Any, repo_id: str, manifest: Manifest, files: list[Upload], head: str) -> str:
    """The oldest commit in a row from the head back that holds exactly the release: others came after a cut push."""
    found = head
    title = commit_message(manifest).partition("\n")[0]
    for commit in api.list_repo_commits(repo_id, repo_type=KIND):
        if not is_same(remote_manifest(api, repo_id, commit.commit_id), files):
            break
        found = commit.commit_id
        if commit.title == title:
            break
    return found


def _tag(api: Any, repo_id: str, tag: str, commit: str, manifest: Manifest, files: list[Upload]) -> None:
    """Tags a commit that holds every file; where somebody was faster, the tag must be the same."""
    missing = {file.path for file in files} - set(api.list_repo_files(repo_id, repo_type=KIND, revision=commit))
    if missing:
        raise BenchwrightError(
            f"{repo_id} did not take {', '.join(sorted(missing))}: look whether its .gitignore names it; "
            f"there is no tag {tag} yet"
        )
    try:
        api.create_tag(
            repo_id, tag=tag, tag_message=f"content {manifest.content_hash}", revision=commit, repo_type=KIND
        )
    except Exception as error:
        if status_of(error) != 409:
            raise
        refs = {ref.name: ref.target_commit for ref in api.list_repo_refs(repo_id, repo_type=KIND).tags}
        if refs.get(tag) != commit:
            raise BenchwrightError(f"{repo_id} got the tag {tag} on another commit meanwhile: look at it") from None
