"""What a Hub has from strangers, names of files and manifests, never chooses where files are written or read."""

import json
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hub_cases import REPO, as_user, make_release, skip_waiting, start_hub
from huggingface_hub import CommitOperationAdd, constants
from support import Run

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.find import open_release
from benchwright.benchmarks.releases.manifest import MANIFEST
from benchwright.benchmarks.releases.release import Release
from benchwright.cards.hub.publish import Target, publish

COMMIT = "a" * 40
ETAG = "b" * 40


@contextmanager
def hostile_hub(path: str) -> Iterator[str]:
    """A Hub whose one repository has one file; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if "/tree/" in self.path:
                self._send([{"type": "file", "path": path, "size": 4, "oid": ETAG}])
            elif self.path.startswith("/api/"):
                self._send({"id": "alice/evil", "sha": COMMIT, "siblings": [{"rfilename": path}]})
            else:
                self._send(None)

        do_HEAD = do_GET

        def _send(self, value: Any) -> None:
            body = b"evil" if value is None else json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            if value is None:
                self.send_header("ETag", f'"{ETAG}"')
                self.send_header("X-Repo-Commit", COMMIT)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


CASES = [
    "../../../../../evil.txt",
    "../../../evil.txt",
    "/{folder}/evil.txt",
    "a/../../../../../../evil.txt",
    "evil\0.txt",
]


@pytest.mark.parametrize("path", CASES)
def test_names_stay_in_the_cache(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "a" / "b" / "cache"
    for name, value in {"HF_HUB_OFFLINE": False, "HF_HUB_CACHE": str(cache)}.items():
        monkeypatch.setattr(constants, name, value)
    monkeypatch.setattr("huggingface_hub.utils._detect_agent._fetch_registry", lambda: None)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    path = path.replace("/{folder}", str(tmp_path))
    with hostile_hub(path) as address, pytest.raises(BenchwrightError) as caught:
        monkeypatch.setenv("HF_ENDPOINT", address)
        open_release("alice/evil", tmp_path / "releases")
    assert str(caught.value).startswith("alice/evil on the Hub names files that no release may have: ")
    assert [each for each in tmp_path.rglob("*") if each.is_file() and not each.is_relative_to(cache)] == []


@pytest.mark.parametrize(("field", "value"), [("name", "../../pwned"), ("name", "/pwned"), ("version", "../../pwned")])
def test_a_release_does_not_choose_where_its_run_goes(
    field: str, value: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    skip_waiting(monkeypatch)
    with start_hub(tmp_path, monkeypatch) as hub:
        publish(make_release(tmp_path / "built"), Target())
        manifest = json.loads(hub.repository("dataset", REPO).read("main", MANIFEST))
        changed = json.dumps({**manifest, field: value}).encode()
        as_user(hub).create_commit(
            REPO, [CommitOperationAdd(MANIFEST, changed)], commit_message="evil", repo_type="dataset"
        )
        for command in (("score-system", REPO, "keyword"), ("verify-benchmark", REPO)):
            said = run(*command)
            assert (said.returncode, said.stdout) == (1, "")
            assert f"manifest.json is not as it must be: {field}: {value!r}" in said.stderr
            assert said.stderr.count("\n") == 1
    assert not (tmp_path / "runs").exists()
    assert list(tmp_path.parent.rglob("pwned*")) == []


def cached(root: Path) -> Path:
    """A release as the Hub's client keeps it: a snapshot of links into the folder beside it."""
    made = make_release(root / "built").folder
    repository = root / "cache" / "datasets--alice--lights"
    snapshot = repository / "snapshots" / COMMIT
    (repository / "blobs").mkdir(parents=True)
    for place, path in enumerate(sorted(each for each in made.rglob("*") if each.is_file())):
        blob = repository / "blobs" / f"{place:040x}"
        shutil.copyfile(path, blob)
        link = snapshot / path.relative_to(made)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(os.path.relpath(blob, link.parent))
    return snapshot


def test_the_links_of_the_cache_are_read(tmp_path: Path) -> None:
    snapshot = cached(tmp_path)
    assert Release.load(snapshot).content_hash() == Release.load(snapshot).manifest.content_hash
    blob = (snapshot / "README.md").resolve()
    shared = tmp_path / "cache" / "blobs" / "cc" / ("c" * 64)
    shared.parent.mkdir(parents=True)
    blob.rename(shared)
    blob.symlink_to(os.path.relpath(shared, blob.parent))
    assert Release.load(snapshot).manifest.name == "lights"


@pytest.mark.parametrize(
    "target",
    [
        "/etc/hostname",
        "../../../../secret",
        "../../blobs",
        "../../blobs/../../../secret",
        "manifest.json",
        "../../refs/x",
    ],
)
def test_other_links_in_a_cache_are_refused(target: str, tmp_path: Path) -> None:
    snapshot = cached(tmp_path)
    (tmp_path / "secret").write_text("x")
    link = snapshot / "README.md"
    link.unlink()
    link.symlink_to(target)
    with pytest.raises(BenchwrightError, match=r"README\.md is a link: a release holds files and folders alone"):
        Release.load(snapshot)


def test_a_blob_that_is_no_file_is_refused(tmp_path: Path) -> None:
    snapshot = cached(tmp_path)
    blob = (snapshot / "README.md").resolve()
    blob.unlink()
    blob.symlink_to("/etc/hostname")
    with pytest.raises(BenchwrightError, match=r"README\.md is a link"):
        Release.load(snapshot)
    blob.unlink()
    os.mkfifo(blob)
    with pytest.raises(BenchwrightError, match=r"README\.md is a link"):
        Release.load(snapshot)
