"""A Hub for a test, small releases to push to it, and what a push left there."""

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from huggingface_hub import HfApi, constants
from lighthouses import HEIGHTS, lighthouse, questions

from benchwright.benchmarks.releases.manifest import MANIFEST
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.types import Question
from benchwright.scripts.servers.hub.server import Hub, Token
from benchwright.scripts.servers.hub.templates import git_attributes

REPO = "alice/lights"
CARD = """---
license: cc-by-4.0
configs:
- config_name: questions
  default: true
  data_files:
  - {split: test, path: "questions/test-*.parquet"}
- config_name: corpus
  data_files:
  - {split: corpus, path: "corpus/corpus-*.parquet"}
---
# lights VERSION
"""


def make_release(
    root: Path,
    version: str = "1.0.0",
    *,
    taller: int = 0,
    card: str = CARD,
    extra: Mapping[str, bytes] | None = None,
    change: Callable[[Question], Question] = lambda question: question,
    also: Sequence[Question] = (),
    dev: Sequence[Question] = (),
    name: str = "lights",
    **facts: Any,
) -> Release:
    """The release NAME, `lights`, in root/NAME/VERSION: four documents, eight questions of the split `test`.

    Args:
        taller: Metres that every lighthouse has more.
        extra: Further files, by path.
        change: What becomes of each question.
        also: Further questions.
        dev: Questions of the split `dev`.
        name: The release's.
        facts: Further facts of the manifest; `sources` are the writer's.
    """
    folder = root / name / version
    folder.mkdir(parents=True)
    writer = ReleaseWriter(folder)
    writer.sources = list(facts.pop("sources", ()))
    for tower, height in HEIGHTS.items():
        writer.documents([lighthouse(tower, height + taller)])
        writer.questions([change(question) for question in questions(tower, height + taller)])
    writer.questions(also)
    writer.questions(dev, split="dev")
    for path, content in (extra or {}).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    known = {"builder": "lights", "builder_version": "1.0.0", "parameters": {}, "seed": 0, "canary": "none"}
    writer.seal(writer.finish(name=name, version=version, **{**known, **facts}), card.replace("VERSION", version))
    return Release.load(folder)


@contextmanager
def start_hub(folder: Path, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Iterator[Hub]:
    """A Hub with alice and bob, which this process and those that it starts speak to as alice; its end is clean."""
    values = {
        "HF_HUB_OFFLINE": False,
        "HF_HUB_DISABLE_XET": False,
        "HF_HUB_CACHE": str(folder / "cache"),
        "HF_ASSETS_CACHE": str(folder / "cache"),
    }
    for name, value in values.items():
        monkeypatch.setattr(constants, name, value)
    monkeypatch.setattr("huggingface_hub.utils._detect_agent._fetch_registry", lambda: None)
    for name in ("HF_HUB_OFFLINE", "HF_HUB_DISABLE_XET", "HUGGING_FACE_HUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    users = {"alice": "hf_alice", "bob": "hf_bob"}
    with Hub(folder / "hub", users, {"hf_alice_read": Token("alice", "read")}, {"team": ["alice"]}, **options) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        monkeypatch.setenv("HF_TOKEN", "hf_alice")
        yield hub
    assert hub.errors == []


def program(code: str, *arguments: str, **env: str) -> list[str]:
    """The lines that a program of its own prints."""
    settings = {**os.environ, "HF_HUB_DISABLE_PROGRESS_BARS": "1", **env}
    done = subprocess.run([sys.executable, "-c", code, *arguments], env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def skip_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Hub's client tries again at once, where it would wait for seconds."""
    hurried = SimpleNamespace(**{**vars(time), "sleep": lambda seconds: None})
    monkeypatch.setattr("huggingface_hub.utils._http.time", hurried)
    monkeypatch.setattr("huggingface_hub.file_download.time", hurried)
    monkeypatch.setattr("benchwright.benchmarks.releases.hub_reader.time", hurried)


def as_user(hub: Hub, token: str | bool = "hf_alice") -> HfApi:
    return HfApi(endpoint=hub.url, token=token)


def files_of(release: Release) -> dict[str, str]:
    """Path → SHA-256 of what a repository holds that holds exactly a release."""
    return {
        ".gitattributes": hashlib.sha256(git_attributes("dataset").encode()).hexdigest(),
        MANIFEST: hashlib.sha256((release.folder / MANIFEST).read_bytes()).hexdigest(),
        **{path: hashlib.sha256((release.folder / path).read_bytes()).hexdigest() for path in release.manifest.files},
    }


def titles(hub: Hub, revision: str = "main", repo_id: str = REPO) -> list[str]:
    """Titles of the commits, the newest first."""
    return [commit.title for commit in hub.repository("dataset", repo_id).commits(revision)]


def check_holds(hub: Hub, *releases: Release, repo_id: str = REPO) -> None:
    """Exactly these versions were pushed, the oldest first: each one commit, tagged, with exactly its files."""
    repository = hub.repository("dataset", repo_id)
    commits = repository.commits()
    pushed = [f"{release.manifest.name} {release.manifest.version}" for release in releases]
    assert [commit.title for commit in commits] == [*reversed(pushed), "initial commit"]
    found = {tag: (repository.resolve(commit).title, repository.files(tag)) for tag, commit in repository.tags.items()}
    assert found == {
        f"v{release.manifest.version}": (title, files_of(release))
        for title, release in zip(pushed, releases, strict=True)
    }
    assert repository.files() == files_of(releases[-1])


def changing(hub: Hub, since: int = 0) -> list[str]:
    """The requests that change something."""
    return [f"{each.method} {each.path}" for each in hub.requests[since:] if each.method not in ("GET", "HEAD")]
