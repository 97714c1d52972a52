"""Publishing a release: one commit that holds the whole of it, and its tag. Safe to repeat, to interrupt, to race.

Nothing is changed on the Hub before the release's own files are known to be whole. What the Hub has is compared by
content, not by what an earlier start remembers: the same command finishes what was cut off, and does nothing where
nothing is left to do.
"""

import json
import logging
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.naming import version_key
from benchwright.benchmarks.releases.fetch import OFFICIAL, default_endpoint
from benchwright.benchmarks.releases.hub_answers import HubError
from benchwright.benchmarks.releases.hub_reader import HubReader
from benchwright.benchmarks.releases.manifest import MANIFEST, MAX_BYTES, Manifest, is_private
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.schemas import in_order
from benchwright.cards.hub.errors import explained, status_of
from benchwright.cards.hub.uploads import Upload, is_same, is_same_by_another_program, uploads, uploads_to

KIND = "dataset"
_VERSION_TAG = re.compile(r"v\d{1,9}\.\d{1,9}\.\d{1,9}", re.ASCII)
TRIES = 3
"""Times that a push is planned anew because the repository changed under it."""

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class Target:
    """Where a release goes, and how."""

    repo_id: str | None = None
    """NAMESPACE/NAME; none: the logged-in user and the release's name."""
    public: bool = False
    create_pr: bool = False
    endpoint: str | None = None
    """None: `HF_ENDPOINT`, else the Hub."""
    allow_source_data: bool = False
    """A public repository may hold rows of a database that is somebody else's."""
    token: str | None = field(default=None, repr=False)
    """None: the one that the user is logged in with."""


State = Literal["pushed", "completed", "there already", "pull request"]
"""`completed`: the commit was there and its tag was not."""
Done = tuple[State, str, str | None, str | None]
"""State, commit, its tag, and the address of a pull request."""


@dataclass(frozen=True)
class Published:
    """What a push did."""

    repo_id: str
    url: str
    state: State
    commit: str
    tag: str | None
    is_private: bool


def commit_message(manifest: Manifest) -> str:
    """Title and body of the commit."""
    rows = ", ".join(
        f"{manifest.rows[config]:,} {config}" for config in in_order(manifest.rows) if manifest.rows[config]
    )
    return f"{manifest.name} {manifest.version}\n\n{rows}; content {manifest.content_hash}"


def holds_source_data(manifest: Manifest) -> bool:
    """Whether a release ships rows of a database that the builder did not make."""
    return any(source.get("rows_shipped", "none") != "none" for source in manifest.sources)


def check_publishable(manifest: Manifest, target: Target) -> None:
    """Raises UsageError where the release must not be public."""
    if not target.public:
        return
    if is_private(manifest):
        raise UsageError(f"{manifest.name} holds held-out answers and their secret: leave out --public")
    if holds_source_data(manifest) and not target.allow_source_data:
        raise UsageError(
            f"{manifest.name} holds rows of a database that it did not make: leave out --public, or add "
            "--allow-source-data if you may publish them"
        )


def publish(release: Release, target: Target) -> Published:
    """Pushes a release as one commit, then tags it `vX.Y.Z`.

    Raises:
        UsageError: it must not be public.
        BenchwrightError: it is not whole, its version is there with other content, somebody else changed the
            repository, or the Hub or the network fails.
    """
    check_publishable(release.manifest, target)
    files = uploads(release)
    endpoint = (target.endpoint or default_endpoint()).rstrip("/")
    api = open_api(endpoint, target.token)
    with explained(release.manifest.name, endpoint):
        repo_id = target.repo_id or f"{api.whoami()['name']}/{release.manifest.name}"
    if repo_id.count("/") != 1:
        raise UsageError(f"--repo-id {repo_id}: give NAMESPACE/NAME")
    with explained(repo_id, endpoint):
        if not target.create_pr:
            api.create_repo(repo_id, repo_type=KIND, private=not target.public, exist_ok=True)
        is_private = bool(api.repo_info(repo_id, repo_type=KIND).private)
        if not is_private:  # a pull request there is as public
            check_publishable(release.manifest, replace(target, public=True))
        state, commit, tag, url = _push_again(api, repo_id, release, uploads_to(repo_id, release, files), target)
    _warn_of_visibility(target, repo_id, is_private)
    return Published(repo_id, url or f"{endpoint}/datasets/{repo_id}", state, commit, tag, is_private)


def open_api(endpoint: str, token: str | None = None) -> Any:
    """The Hub's client. Xet, which not every endpoint has, is left to the Hub itself, or to who asks for it."""
    from huggingface_hub import HfApi, constants

    if endpoint != OFFICIAL and "HF_HUB_DISABLE_XET" not in os.environ:
        constants.HF_HUB_DISABLE_XET = True  # the variable counts only before the client's first import

    return HfApi(endpoint=endpoint, token=token, library_name="benchwright")


def _warn_of_visibility(target: Target, repo_id: str, is_private: bool) -> None:
    if not is_private and not target.public and not target.create_pr:
        log.warning("%s was public already", repo_id)
    if is_private and target.public:
        log.warning("%s is private and stays so: change that in its settings on the Hub", repo_id)


def _push_again(api: Any, repo_id: str, release: Release, files: list[Upload], target: Target) -> Done:
    """Attempts until nobody changed the repository meanwhile."""
    for _ in range(TRIES - 1):
        try:
            return _push(api, repo_id, release, files, target)
        except Exception as error:
            if status_of(error) != 412:
                raise
            log.info("%s was changed meanwhile: looking again", repo_id)
    return _push(api, repo_id, release, files, target)


def _push(api: Any, repo_id: str, release: Release, files: list[Upload], target: Target) -> Done:
    """One attempt."""
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    manifest = release.manifest
    tag = f"v{manifest.version}"
    refs = api.list_repo_refs(repo_id, repo_type=KIND)
    tagged = {ref.name: ref.target_commit for ref in refs.tags}
    head = next(ref.target_commit for ref in refs.branches if ref.name == "main")
    there = _remote_manifest(api, repo_id, head)
    _check_kin(there, manifest, repo_id)
    if tag in tagged:
        _check_same(api, repo_id, tag, release, files, _newest(tagged))
        return "there already", tagged[tag], tag, None
    if is_same(there, files):
        if target.create_pr:
            return "there already", head, None, None
        commit = _commit_of(api, repo_id, manifest, files, head)
        _tag(api, repo_id, tag, commit, manifest, files)
        return "completed", commit, tag, None
    proposed = _proposed(api, repo_id, files) if target.create_pr else None
    if proposed is not None:
        return proposed
    _check_newer([*tagged, f"v{there.get('version')}"], manifest, repo_id)
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
        create_pr=target.create_pr,
    )
    if target.create_pr:
        return "pull request", done.oid, None, done.pr_url
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
        if is_same(_remote_manifest(api, repo_id, found.git_reference), files):
            commit = api.repo_info(repo_id, repo_type=KIND, revision=found.git_reference).sha
            return "pull request", commit, None, found.url
    return None


def _gone(api: Any, repo_id: str, head: str, there: Mapping[str, Any], files: list[Upload]) -> list[str]:
    """Files of the version before, as far as they are there still, that the new one has not."""
    listed = there.get("files")
    old = set(listed if isinstance(listed, dict) else ()) - {file.path for file in files}
    return sorted(old & set(api.list_repo_files(repo_id, repo_type=KIND, revision=head))) if old else []


def _remote_manifest(api: Any, repo_id: str, revision: str) -> Mapping[str, Any]:
    """What a revision's manifest says; nothing where it has none that can be read."""
    try:
        data = json.loads(HubReader(repo_id, api.endpoint, api.token).read(revision, MANIFEST, MAX_BYTES))
    except HubError as error:
        if error.status not in (200, 404) or error.code == "RepoNotFound":
            raise
        return {}
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _given(file: Upload) -> str | bytes:
    """A file as the Hub's client takes it."""
    return file.source if isinstance(file.source, bytes) else str(file.source)


def _check_same(api: Any, repo_id: str, tag: str, release: Release, files: list[Upload], newest: str | None) -> None:
    """Raises where the tag is on anything but this release; names a version that is free."""
    manifest, there = release.manifest, _remote_manifest(api, repo_id, tag)
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
        if not is_same(_remote_manifest(api, repo_id, commit.commit_id), files):
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
