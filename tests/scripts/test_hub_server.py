"""The Hub of the tests, spoken to by the Hub's own clients over HTTP: huggingface_hub in this process, datasets in others."""

import hashlib
import http.client
import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, constants, hf_hub_download
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from support import ROOT

from benchwright.scripts.servers.hub.card import check_card
from benchwright.scripts.servers.hub.git import Tree
from benchwright.scripts.servers.hub.server import Hub, Received, Refused, Token
from benchwright.scripts.servers.hub.templates import git_attributes

CARD = """---
license: cc-by-4.0
language: en
tags: [rag]
task_categories: [question-answering]
configs:
- config_name: questions
  default: true
  data_files:
  - split: test
    path: questions/test-*.parquet
---
# Aurp {version}
"""
AURP: dict[str, Any] = {"repo_id": "alice/aurp", "repo_type": "dataset"}


@pytest.fixture
def online(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client in this process may speak to where it is told to, over LFS, and asks the real Hub for nothing."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr("huggingface_hub.utils._detect_agent._fetch_registry", lambda: None)


@pytest.fixture
def start(tmp_path: Path, online: None) -> Iterator[Callable[..., Hub]]:
    """Starts Hubs; each must end without a mistake of its own."""
    started: list[Hub] = []

    def begin(**options: Any) -> Hub:
        users = {"alice": "hf_alice", "bob": "hf_bob", "carol": "hf_carol"}
        hub = Hub(tmp_path / "hub", users, {"hf_alice_read": Token("alice", "read")}, {"team": ["alice"]}, **options)
        started.append(hub)
        return hub.__enter__()

    yield begin
    for hub in started:
        hub.__exit__(None, None, None)
        assert hub.errors == []


@pytest.fixture
def hub(start: Callable[..., Hub]) -> Hub:
    return start()


def as_user(hub: Hub, token: str | bool = "hf_alice") -> HfApi:
    return HfApi(endpoint=hub.url, token=token)


def parquet(path: Path, rows: list[int]) -> bytes:
    pq.write_table(pa.table({"id": rows}), path)
    return path.read_bytes()


def adding(**files: bytes) -> list[CommitOperationAdd]:
    return [CommitOperationAdd(path.replace("__", "."), content) for path, content in files.items()]


def push(hub: Hub, folder: Path, version: str, rows: list[int]) -> str:
    """A release as `--push` would: one commit on what was there, and a tag."""
    api = as_user(hub)
    api.create_repo(**AURP, exist_ok=True)
    head = api.dataset_info("alice/aurp").sha
    operations = [
        CommitOperationAdd("README.md", CARD.format(version=version).encode()),
        CommitOperationAdd("questions/test-0.parquet", parquet(folder / "rows.parquet", rows)),
    ]
    commit = api.create_commit(**AURP, operations=operations, commit_message=version, parent_commit=head)
    api.create_tag(**AURP, tag=f"v{version}", revision=commit.oid)
    return commit.oid


def refused(call: Callable[[], Any]) -> tuple[int, str]:
    """The status and what the Hub said."""
    with pytest.raises(HfHubHTTPError) as caught:
        call()
    return caught.value.response.status_code, str(caught.value.server_message)


def asked(hub: Hub, since: int = 0) -> list[str]:
    """The requests, without keys and hashes."""
    paths = [f"{each.method} {each.path}{'?' * bool(each.query)}{each.query}" for each in hub.requests[since:]]
    return [
        re.sub(r"\b[0-9a-f]{40}\b", "SHA", re.sub(r"/lfs/[0-9a-f]{64}/[0-9a-f]+", "/lfs/KEY", path)) for path in paths
    ]


def fetch(url: str, token: str | None = None, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """A request without any client's help."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    named.update({"Authorization": f"Bearer {token}"} if token else {})
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=named, method=method)) as reply:
            return reply.status, {name.lower(): text for name, text in reply.headers.items()}, reply.read()
    except urllib.error.HTTPError as error:
        return error.code, {name.lower(): text for name, text in error.headers.items()}, error.read()


def outside(hub: Hub, cache: Path, code: str, **environment: str) -> Any:
    """What a program prints, as JSON: a user's own process with the two lines that `scripts/hub` names."""
    settings = {
        **{name: text for name, text in os.environ.items() if not name.startswith("HF_")},
        "HF_ENDPOINT": hub.url,
        "HF_TOKEN": "hf_alice",
        "HF_HOME": str(cache),
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        **environment,
    }
    done = subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


LOAD = """
import json, sys
from datasets import load_dataset
def rows(revision, **options):
    return [row["id"] for row in load_dataset("alice/aurp", "questions", split="test", revision=revision, **options)]
"""


# ---- accounts and repositories


def test_identity(hub: Hub) -> None:
    assert [as_user(hub).whoami()[name] for name in ("name", "type")] == ["alice", "user"]
    assert [each["name"] for each in as_user(hub).whoami()["orgs"]] == ["team"]
    assert as_user(hub, "hf_alice_read").whoami()["auth"]["accessToken"]["role"] == "read"
    status, headers, _ = fetch(f"{hub.url}/api/whoami-v2", "hf_nobody")
    assert (status, headers["x-error-message"]) == (401, "Invalid credentials in Authorization header")


def test_create(hub: Hub) -> None:
    api = as_user(hub)
    assert str(api.create_repo(**AURP)) == f"{hub.url}/datasets/alice/aurp"
    assert str(api.create_repo(**AURP, exist_ok=True)) == f"{hub.url}/datasets/alice/aurp"
    assert refused(lambda: api.create_repo(**AURP)) == (409, "You already created this dataset repo: alice/aurp")
    assert str(api.create_repo("own")) == f"{hub.url}/alice/own"
    assert str(api.create_repo("team/board", repo_type="space", space_sdk="static")) == f"{hub.url}/spaces/team/board"
    assert refused(lambda: api.create_repo("bob/aurp", repo_type="dataset")) == (
        403,
        'You don\'t have the rights to create a dataset under the namespace "bob"',
    )
    assert refused(lambda: as_user(hub, "hf_alice_read").create_repo("alice/two"))[0] == 403
    assert refused(lambda: as_user(hub, False).create_repo("alice/two"))[0] == 401
    assert refused(lambda: api.create_repo("alice/demo", repo_type="space", space_sdk="gradio"))[0] == 402
    repository = hub.repository("dataset", "alice/aurp")
    assert [commit.title for commit in repository.commits()] == ["initial commit"]
    assert repository.read("main", ".gitattributes").decode() == git_attributes("dataset")
    with pytest.raises(KeyError, match="dataset alice/none"):
        hub.repository("dataset", "alice/none")


def test_private(hub: Hub) -> None:
    api, bob, nobody = as_user(hub), as_user(hub, "hf_bob"), as_user(hub, False)
    api.create_repo(**AURP, private=True)
    assert hub.repository("dataset", "alice/aurp").private
    assert api.dataset_info("alice/aurp").private
    for other, status in ((bob, 404), (nobody, 401)):
        with pytest.raises(RepositoryNotFoundError) as caught:
            other.dataset_info("alice/aurp")
        assert caught.value.response.status_code == status
        assert caught.value.response.headers["X-Error-Code"] == "RepoNotFound"
        with pytest.raises(RepositoryNotFoundError):
            other.list_repo_tree(**AURP).__next__()  # type: ignore[attr-defined]
    assert [each.id for each in api.list_datasets(author="alice")] == ["alice/aurp"]
    assert [each.id for each in bob.list_datasets(author="alice")] == []
    api.update_repo_settings(**AURP, private=False)
    assert bob.dataset_info("alice/aurp").private is False
    assert refused(lambda: bob.update_repo_settings(**AURP, private=True))[0] == 403


def test_gated(hub: Hub, tmp_path: Path) -> None:
    push(hub, tmp_path, "1.0.0", [1])
    as_user(hub).update_repo_settings(**AURP, gated="auto")
    bob = as_user(hub, "hf_bob")
    assert bob.dataset_info("alice/aurp").gated == "auto"
    as_user(hub).auth_check(**AURP)
    with pytest.raises(GatedRepoError):
        bob.auth_check(**AURP)
    with pytest.raises(GatedRepoError):
        bob.hf_hub_download(**AURP, filename="README.md", cache_dir=tmp_path / "cache")
    assert as_user(hub).hf_hub_download(**AURP, filename="README.md", cache_dir=tmp_path / "cache")


def test_delete(hub: Hub) -> None:
    as_user(hub).create_repo(**AURP)
    assert refused(lambda: as_user(hub, "hf_bob").delete_repo(**AURP))[0] == 403
    as_user(hub).delete_repo(**AURP)
    with pytest.raises(RepositoryNotFoundError):
        as_user(hub).delete_repo(**AURP)
    as_user(hub).delete_repo(**AURP, missing_ok=True)
    as_user(hub).create_repo(**AURP)
    assert len(hub.repository("dataset", "alice/aurp").commits()) == 1


def test_a_second_start_finds_everything(start: Callable[..., Hub], tmp_path: Path) -> None:
    first = start()
    push(first, tmp_path, "1.0.0", [1, 2])
    as_user(first, "hf_bob").create_discussion(**AURP, title="A question", description="Why?")
    before = first.repository("dataset", "alice/aurp")
    first.__exit__(None, None, None)
    after = start().repository("dataset", "alice/aurp")
    assert after.refs == before.refs and after.files("v1.0.0") == before.files()
    assert after.discussions[1]["title"] == "A question"
    assert after.lfs_objects == {before.files()["questions/test-0.parquet"]}


# ---- commits


def test_a_release_is_one_commit(hub: Hub, tmp_path: Path) -> None:
    as_user(hub).create_repo(**AURP)
    created = len(hub.requests)
    commit_id = push(hub, tmp_path, "1.0.0", [1, 2, 3])
    assert asked(hub, created) == [
        "POST /api/repos/create",
        "GET /api/datasets/alice/aurp",
        "POST /api/validate-yaml",
        "POST /api/datasets/alice/aurp/preupload/main",
        "POST /datasets/alice/aurp.git/info/lfs/objects/batch",
        "PUT /lfs/KEY",
        "POST /datasets/alice/aurp.git/info/lfs/objects/verify",
        "POST /api/datasets/alice/aurp/commit/main",
        "POST /api/datasets/alice/aurp/tag/SHA",
    ]
    repository = hub.repository("dataset", "alice/aurp")
    assert [(commit.title, commit.author) for commit in repository.commits()] == [
        ("1.0.0", "alice"),
        ("initial commit", "alice"),
    ]
    data, card = (tmp_path / "rows.parquet").read_bytes(), CARD.format(version="1.0.0").encode()
    assert repository.files("v1.0.0") == {
        ".gitattributes": hashlib.sha256(git_attributes("dataset").encode()).hexdigest(),
        "README.md": hashlib.sha256(card).hexdigest(),
        "questions/test-0.parquet": hashlib.sha256(data).hexdigest(),
    }
    assert repository.read("main", "questions/test-0.parquet") == data
    info = as_user(hub).dataset_info("alice/aurp", revision="v1.0.0", files_metadata=True)
    assert info.sha == commit_id and info.siblings
    assert [(each.rfilename, each.size, bool(each.lfs)) for each in info.siblings] == [
        (".gitattributes", len(git_attributes("dataset")), False),
        ("README.md", len(card), False),
        ("questions/test-0.parquet", len(data), True),
    ]
    assert info.tags == ["task_categories:question-answering", "language:en", "license:cc-by-4.0", "rag", "region:us"]


def test_the_same_again_is_no_commit(hub: Hub, tmp_path: Path) -> None:
    first = push(hub, tmp_path, "1.0.0", [1])
    as_user(hub).delete_tag(**AURP, tag="v1.0.0")
    since = len(hub.requests)
    assert push(hub, tmp_path, "1.0.0", [1]) == first
    assert asked(hub, since)[3:] == [
        "POST /api/datasets/alice/aurp/preupload/main",
        "POST /datasets/alice/aurp.git/info/lfs/objects/batch",
        "GET /api/datasets/alice/aurp/revision/main",
        "POST /api/datasets/alice/aurp/tag/SHA",
    ]


def test_a_commit_on_an_older_state_is_refused(hub: Hub, tmp_path: Path) -> None:
    api = as_user(hub)
    api.create_repo(**AURP)
    old = api.dataset_info("alice/aurp").sha
    new = push(hub, tmp_path, "1.0.0", [1])

    def late() -> Any:
        return api.create_commit(**AURP, operations=adding(a__txt=b"a"), commit_message="late", parent_commit=old)

    assert refused(late) == (412, "A commit has happened since. Please refresh and try again.")
    assert hub.repository("dataset", "alice/aurp").refs["refs/heads/main"] == new


def test_of_several_at_once_one_wins(hub: Hub) -> None:
    as_user(hub).create_repo(**AURP)
    head = as_user(hub).dataset_info("alice/aurp").sha

    def race(number: int) -> int:
        operations = [CommitOperationAdd("a.txt", b"%d" % number)]
        try:
            as_user(hub).create_commit(**AURP, operations=operations, commit_message=str(number), parent_commit=head)
        except HfHubHTTPError as error:
            return error.response.status_code
        return 200

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(race, range(8))) == [200] + [412] * 7
    repository = hub.repository("dataset", "alice/aurp")
    won = repository.commits()[0]
    assert repository.read("main", "a.txt") == won.title.encode()

    def slowly(tree: Tree) -> Tree:
        time.sleep(0.05)
        return tree

    def race_inside(number: int) -> int:
        try:
            repository.commit("refs/heads/main", slowly, "alice", str(number), parent=won.id)
        except Refused as refusal:
            return refusal.status
        return 200

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(race_inside, range(4))) == [200] + [412] * 3
    assert len(repository.commits()) == 3


def test_deleting_and_bad_commits(hub: Hub) -> None:
    api = as_user(hub)
    api.create_repo(**AURP)
    files = [CommitOperationAdd(path, path.encode()) for path in ("a.txt", "b/c.txt", "b/d/e.txt")]
    api.create_commit(**AURP, operations=files, commit_message="add")
    gone = [CommitOperationDelete("b/"), CommitOperationAdd("f.txt", b"f")]
    api.create_commit(**AURP, operations=gone, commit_message="delete", commit_description="and add")
    repository = hub.repository("dataset", "alice/aurp")
    assert sorted(repository.files()) == [".gitattributes", "a.txt", "f.txt"]
    assert repository.commits()[0].message == "and add"
    with pytest.raises(EntryNotFoundError):
        api.delete_file("b/c.txt", **AURP)
    for path, reason in (("f.txt/g", "f.txt is a file and a folder"), ("a//b", "Invalid path: 'a//b'")):
        operations = [CommitOperationAdd(path, b"x")]
        wrong = refused(lambda its=operations: api.create_commit(**AURP, operations=its, commit_message="bad"))
        assert wrong == (400, reason)
    stolen = b'{"key":"header","value":{"summary":"s"}}\n{"key":"lfsFile","value":{"path":"a","oid":"%b"}}\n' % (
        b"0" * 64
    )
    request = urllib.request.Request(
        f"{hub.url}/api/datasets/alice/aurp/commit/main", stolen, {"Authorization": "Bearer hf_alice"}
    )
    with pytest.raises(urllib.error.HTTPError, match="400"):
        urllib.request.urlopen(request)
    assert len(repository.commits()) == 3


def test_upload_modes(hub: Hub, tmp_path: Path) -> None:
    api = as_user(hub)
    api.create_repo(**AURP)
    (tmp_path / "large.jsonl").write_bytes(b"a" * ((10 << 20) + 1))
    operations = [
        CommitOperationAdd("large.jsonl", tmp_path / "large.jsonl"),
        CommitOperationAdd("small.jsonl", b"{}\n"),
        CommitOperationAdd("database/a.sqlite", b"SQLite format 3\0 and more"),
        CommitOperationAdd("model.bin", b"text"),
        CommitOperationAdd("empty.bin", b""),
    ]
    api.create_commit(**AURP, operations=operations, commit_message="modes")
    tree = hub.repository("dataset", "alice/aurp").resolve("main").tree
    assert {path: entry.lfs for path, entry in tree.items()} == {
        ".gitattributes": False,
        "database/a.sqlite": True,
        "empty.bin": False,
        "large.jsonl": True,
        "model.bin": True,
        "small.jsonl": False,
    }
    api.create_commit(**AURP, operations=adding(__gitattributes=b"*.jsonl filter=lfs\n"), commit_message="rules")
    api.create_commit(**AURP, operations=adding(other__jsonl=b"{}", x__bin=b"x"), commit_message="by the rules")
    tree = hub.repository("dataset", "alice/aurp").resolve("main").tree
    assert (tree["other.jsonl"].lfs, tree["x.bin"].lfs) == (True, False)


def test_uploads_in_parts(start: Callable[..., Hub], tmp_path: Path) -> None:
    hub = start(part_size=1000)
    content = bytes(range(256)) * 10
    as_user(hub).create_repo(**AURP)
    as_user(hub).create_commit(**AURP, operations=adding(a__bin=content), commit_message="parts")
    assert [each for each in asked(hub) if "/lfs/KEY" in each] == [
        *("PUT /lfs/KEY/1", "PUT /lfs/KEY/2", "PUT /lfs/KEY/3"),
        "POST /lfs/KEY/complete",
    ]
    assert hub.repository("dataset", "alice/aurp").read("main", "a.bin") == content


def test_an_upload_must_be_what_it_says(hub: Hub) -> None:
    as_user(hub).create_repo(**AURP)
    sha256, here = hashlib.sha256(b"abc").hexdigest(), f"{hub.url}/datasets/alice/aurp.git/info/lfs/objects"

    def send(method: str, url: str, body: Any) -> tuple[int, Any]:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(url, content, {"Authorization": "Bearer hf_alice"}, method=method)
        try:
            with urllib.request.urlopen(request) as reply:
                return reply.status, json.loads(reply.read() or b"null")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())["error"]

    asked_for = {"operation": "upload", "objects": [{"oid": sha256, "size": 3}]}
    _, told = send("POST", f"{here}/batch", asked_for)
    upload = told["objects"][0]["actions"]["upload"]["href"]
    assert send("PUT", upload, b"abd") == (400, f"What was uploaded has not the SHA-256 {sha256}")
    assert send("POST", f"{here}/verify", {"oid": sha256, "size": 3}) == (404, f"{sha256} was not uploaded")
    assert send("PUT", upload, b"abc") == (200, None)
    assert send("POST", f"{here}/verify", {"oid": sha256, "size": 4})[0] == 422
    assert send("POST", f"{here}/verify", {"oid": sha256, "size": 3}) == (200, {})
    assert send("POST", f"{here}/batch", asked_for)[1]["objects"] == [{"oid": sha256, "size": 3}]
    as_user(hub).create_repo("alice/two", repo_type="dataset")
    assert "actions" in send("POST", f"{here.replace('aurp', 'two')}/batch", asked_for)[1]["objects"][0]
    assert send("PUT", f"{hub.url}/lfs/{sha256}/0", b"abc")[0] == 403


def test_xet_uploads(start: Callable[..., Hub], tmp_path: Path) -> None:
    hub = start()
    as_user(hub).create_repo(**AURP)
    (tmp_path / "rows").mkdir()
    contents = {f"{number}.parquet": parquet(tmp_path / "rows" / f"{number}.parquet", [number]) for number in range(3)}
    code = f"""
import json
from huggingface_hub import HfApi, CommitOperationAdd
api = HfApi()
commit = api.create_commit("alice/aurp", [CommitOperationAdd("a.bin", b"a" * 100_000)], commit_message="a", repo_type="dataset")
api.upload_folder(repo_id="alice/aurp", folder_path={str(tmp_path / "rows")!r}, repo_type="dataset", path_in_repo="q")
path = api.hf_hub_download("alice/aurp", "q/2.parquet", repo_type="dataset")
print(json.dumps([commit.oid, open(path, "rb").read().hex()]))
"""
    commit_id, read = outside(hub, tmp_path / "cache", code)
    repository = hub.repository("dataset", "alice/aurp")
    assert repository.read(commit_id, "a.bin") == b"a" * 100_000
    assert {path: repository.read("main", f"q/{path}") for path in contents} == contents
    assert bytes.fromhex(read) == contents["2.parquet"]
    assert "GET /api/datasets/alice/aurp/xet-write-token/main" in asked(hub)
    assert not any("info/lfs" in each for each in asked(hub))


def test_no_xet(start: Callable[..., Hub], tmp_path: Path) -> None:
    hub = start(xet=False)
    as_user(hub).create_repo(**AURP)
    assert fetch(f"{hub.url}/api/datasets/alice/aurp/xet-write-token/main", "hf_alice")[0] == 404


# ---- refs


def test_tags_and_branches(hub: Hub, tmp_path: Path) -> None:
    api = as_user(hub)
    first, second = push(hub, tmp_path, "1.0.0", [1]), push(hub, tmp_path, "1.1.0", [1, 2])
    repository = hub.repository("dataset", "alice/aurp")
    assert repository.tags == {"v1.0.0": first, "v1.1.0": second}
    assert refused(lambda: api.create_tag(**AURP, tag="v1.0.0", revision=second))[0] == 409
    api.create_tag(**AURP, tag="v1.0.0", revision=second, exist_ok=True)
    assert repository.tags["v1.0.0"] == first
    assert refused(lambda: api.create_tag(**AURP, tag="a b"))[0] == 400
    assert refused(lambda: as_user(hub, "hf_bob").create_tag(**AURP, tag="v2"))[0] == 403
    assert refused(lambda: as_user(hub, "hf_alice_read").create_tag(**AURP, tag="v2"))[0] == 403
    with pytest.raises(RevisionNotFoundError):
        api.create_tag(**AURP, tag="v3", revision="nothing")
    api.create_branch(**AURP, branch="try/one", revision="v1.0.0")
    assert refused(lambda: api.create_branch(**AURP, branch="try/one"))[0] == 409
    api.create_commit(**AURP, operations=adding(b__txt=b"b"), commit_message="on a branch", revision="try/one")
    assert "b.txt" in repository.files("try/one") and "b.txt" not in repository.files()
    refs = api.list_repo_refs(**AURP)
    assert {each.name: each.ref for each in refs.branches} == {
        "main": "refs/heads/main",
        "try/one": "refs/heads/try/one",
    }
    assert {each.name: each.target_commit for each in refs.tags} == {"v1.0.0": first, "v1.1.0": second}
    api.delete_branch(**AURP, branch="try/one")
    api.delete_tag(**AURP, tag="v1.1.0")
    assert repository.branches == {"main": second} and repository.tags == {"v1.0.0": first}
    with pytest.raises(RevisionNotFoundError):
        api.delete_tag(**AURP, tag="v1.1.0")
    assert refused(lambda: api.delete_branch(**AURP, branch="main"))[0] == 403
    assert api.dataset_info("alice/aurp", revision=first[:10]).sha == first
    commits = api.list_repo_commits(**AURP, revision="v1.0.0")
    assert [(each.title, each.authors) for each in commits] == [("1.0.0", ["alice"]), ("initial commit", ["alice"])]


def test_pages_of_two(start: Callable[..., Hub]) -> None:
    hub = start(page_size=2)
    api = as_user(hub)
    for name in ("one", "two", "three", "four", "five"):
        api.create_repo(f"alice/{name}", repo_type="dataset")
    assert sorted(each.id for each in api.list_datasets(author="alice")) == sorted(
        f"alice/{name}" for name in ("one", "two", "three", "four", "five")
    )
    assert [each.id for each in api.list_datasets(author="alice", search="t", limit=1)] == ["alice/three"]
    files = [CommitOperationAdd(path, path.encode()) for path in ("a.txt", "b/c.txt", "b/d/e.txt", "b/f.txt")]
    api.create_commit("alice/one", files, commit_message="files", repo_type="dataset")
    since = len(hub.requests)
    tree = list(api.list_repo_tree("alice/one", repo_type="dataset", recursive=True))
    assert [each.path for each in tree] == [".gitattributes", "a.txt", "b", "b/c.txt", "b/d", "b/d/e.txt", "b/f.txt"]
    assert len(hub.requests) - since == 4
    inner = list(api.list_repo_tree("alice/one", "b/d", repo_type="dataset", expand=True))
    assert [(each.path, each.last_commit and each.last_commit.title) for each in inner] == [("b/d/e.txt", "files")]
    for number in range(3):
        api.create_commit("alice/one", adding(a__txt=b"%d" % number), commit_message=str(number), repo_type="dataset")
    assert [each.title for each in api.list_repo_commits("alice/one", repo_type="dataset")] == [
        *("2", "1", "0"),
        *("files", "initial commit"),
    ]
    for title in ("first", "second", "third"):
        api.create_discussion("alice/one", title, repo_type="dataset")
    assert [each.title for each in api.get_repo_discussions("alice/one", repo_type="dataset")] == [
        *("third", "second", "first"),
    ]
    found = api.get_paths_info("alice/one", ["b", "b/c.txt", "none"], repo_type="dataset", expand=True)
    assert [(each.path, each.last_commit and each.last_commit.title) for each in found] == [
        ("b", "files"),
        ("b/c.txt", "files"),
    ]
    with pytest.raises(EntryNotFoundError):
        list(api.list_repo_tree("alice/one", "none", repo_type="dataset"))


# ---- permissions and pull requests


def test_pushing_without_permission(hub: Hub, tmp_path: Path) -> None:
    head = push(hub, tmp_path, "1.0.0", [1])
    hint = "pass `create_pr=1` as a query parameter to create a Pull Request"
    for token, said in (
        ("hf_bob", (403, hint)),
        ("hf_alice_read", (403, "This token is read-only: a token with the role `write` is needed")),
    ):
        api = as_user(hub, token)
        for path in ("a.txt", "a.bin"):
            operations = [CommitOperationAdd(path, b"a")]
            assert (
                refused(lambda api=api, its=operations: api.create_commit(**AURP, operations=its, commit_message="x"))
                == said
            )
    assert hub.repository("dataset", "alice/aurp").branches == {"main": head}


def test_a_pull_request(hub: Hub, tmp_path: Path) -> None:
    head = push(hub, tmp_path, "1.0.0", [1])
    alice, bob, carol = as_user(hub), as_user(hub, "hf_bob"), as_user(hub, "hf_carol")
    operations = [
        CommitOperationAdd("runs/bob.json", b'{"score": 1}\n'),
        CommitOperationAdd("runs/bob.parquet", b"PAR1"),
    ]
    since = len(hub.requests)
    made = bob.create_commit(
        **AURP, operations=operations, commit_message="A run of mine", commit_description="Please look", create_pr=True
    )
    assert asked(hub, since) == [
        "POST /api/datasets/alice/aurp/preupload/main?create_pr=1",
        "POST /datasets/alice/aurp.git/info/lfs/objects/batch",
        "PUT /lfs/KEY",
        "POST /datasets/alice/aurp.git/info/lfs/objects/verify",
        "POST /api/datasets/alice/aurp/commit/main?create_pr=1",
    ]
    assert (made.pr_num, made.pr_revision) == (1, "refs/pr/1")
    assert made.pr_url == f"{hub.url}/datasets/alice/aurp/discussions/1"
    repository = hub.repository("dataset", "alice/aurp")
    assert repository.refs["refs/heads/main"] == head and repository.refs["refs/pr/1"] == made.oid
    assert repository.read("refs/pr/1", "runs/bob.json") == b'{"score": 1}\n'
    bob.create_commit(**AURP, operations=adding(more__txt=b"more\n"), commit_message="More", revision="refs/pr/1")
    assert (
        refused(
            lambda: carol.create_commit(
                **AURP, operations=adding(c__txt=b"c"), commit_message="c", revision="refs/pr/1"
            )
        )[0]
        == 403
    )
    carol.comment_discussion(**AURP, discussion_num=1, comment="Nice")
    for other in (bob, carol):
        assert refused(lambda other=other: other.merge_pull_request(**AURP, discussion_num=1))[0] == 403
    assert refused(lambda: carol.change_discussion_status(**AURP, discussion_num=1, new_status="closed"))[0] == 403
    details = alice.get_discussion_details(**AURP, discussion_num=1)
    assert (details.status, details.target_branch, details.conflicting_files) == ("open", "refs/heads/main", [])
    assert details.diff and '+++ b/runs/bob.json\n@@ -0,0 +1 @@\n+{"score": 1}\n' in details.diff
    assert "+oid sha256:" in details.diff
    alice.merge_pull_request(**AURP, discussion_num=1, comment="Thank you")
    details = alice.get_discussion_details(**AURP, discussion_num=1)
    assert (details.status, details.merge_commit_oid) == ("merged", repository.refs["refs/heads/main"])
    assert [(each.type, each.author) for each in details.events] == [
        *(("comment", "bob"), ("commit", "bob"), ("commit", "bob"), ("comment", "carol")),
        *(("comment", "alice"), ("status-change", "alice")),
    ]
    assert "+more\n" in (details.diff or "")
    commit = repository.commits()[0]
    assert (commit.title, commit.author, commit.parents) == ("A run of mine (#1)", "alice", (head,))
    assert sorted(repository.files())[-2:] == ["runs/bob.json", "runs/bob.parquet"]
    assert refused(lambda: alice.merge_pull_request(**AURP, discussion_num=1))[0] == 400
    assert [each.num for each in alice.get_repo_discussions(**AURP, discussion_status="open")] == []
    refs = alice.list_repo_refs(**AURP, include_pull_requests=True)
    assert [each.ref for each in refs.pull_requests or []] == ["refs/pr/1"]


def test_conflicts(hub: Hub, tmp_path: Path) -> None:
    push(hub, tmp_path, "1.0.0", [1])
    alice, bob = as_user(hub), as_user(hub, "hf_bob")
    bob.create_commit(**AURP, operations=adding(a__txt=b"bob", b__txt=b"b"), commit_message="Bob's", create_pr=True)
    alice.create_commit(**AURP, operations=adding(a__txt=b"alice"), commit_message="Alice's")
    assert bob.get_discussion_details(**AURP, discussion_num=1).conflicting_files == ["a.txt"]
    assert refused(lambda: alice.merge_pull_request(**AURP, discussion_num=1)) == (409, "Conflicts in a.txt")
    bob.change_discussion_status(**AURP, discussion_num=1, new_status="closed", comment="Never mind")
    assert bob.get_discussion_details(**AURP, discussion_num=1).status == "closed"
    assert hub.repository("dataset", "alice/aurp").read("main", "a.txt") == b"alice"


def test_drafts_and_discussions(hub: Hub, tmp_path: Path) -> None:
    push(hub, tmp_path, "1.0.0", [1])
    alice, bob = as_user(hub), as_user(hub, "hf_bob")
    talk = bob.create_discussion(**AURP, title="A question", description="Why *so*?")
    assert (talk.num, talk.is_pull_request, talk.status, talk.author) == (1, False, "open", "bob")
    assert [each.content for each in talk.events if each.type == "comment"] == ["Why *so*?"]  # type: ignore[attr-defined]
    draft = bob.create_pull_request(**AURP, title="A draft")
    assert (draft.num, draft.status, draft.git_reference) == (2, "draft", "refs/pr/2")
    assert refused(lambda: alice.merge_pull_request(**AURP, discussion_num=2))[0] == 400
    bob.create_commit(**AURP, operations=adding(a__txt=b"a"), commit_message="Fill", revision="refs/pr/2")
    bob.change_discussion_status(**AURP, discussion_num=2, new_status="open")
    bob.rename_discussion(**AURP, discussion_num=2, new_title="No draft")
    alice.merge_pull_request(**AURP, discussion_num=2)
    assert hub.repository("dataset", "alice/aurp").commits()[0].title == "No draft (#2)"
    comment = alice.comment_discussion(**AURP, discussion_num=1, comment="Becase")
    alice.edit_discussion_comment(**AURP, discussion_num=1, comment_id=comment.id, new_content="Because")
    last: Any = alice.get_discussion_details(**AURP, discussion_num=1).events[-1]
    assert (last.content, last.edited, last.number_of_edits) == ("Because", True, 1)
    assert refused(lambda: as_user(hub, False).create_discussion(**AURP, title="Nobody's"))[0] == 401


# ---- downloads


def test_headers_of_files(hub: Hub, tmp_path: Path) -> None:
    first, second = push(hub, tmp_path, "1.0.0", [1]), push(hub, tmp_path, "1.1.0", [1, 2])
    here, tags = f"{hub.url}/datasets/alice/aurp/resolve", {}
    for revision, commit in (("v1.0.0", first), ("v1.1.0", second), ("main", second), ("refs%2Fheads%2Fmain", second)):
        status, headers, body = fetch(f"{here}/{revision}/questions/test-0.parquet", method="HEAD")
        assert (status, headers["x-repo-commit"], body) == (200, commit, b"")
        assert headers["x-linked-etag"] == headers["etag"] and headers["x-linked-size"] == headers["content-length"]
        tags[revision] = headers["etag"]
    assert tags["v1.0.0"] != tags["v1.1.0"] == tags["main"]
    assert fetch(f"{here}/main/README.md", If_None_Match=fetch(f"{here}/main/README.md")[1]["etag"])[0] == 304
    status, headers, _ = fetch(f"{here}/v1.0.0/none.json")
    assert (status, headers["x-error-code"], headers["x-repo-commit"]) == (404, "EntryNotFound", first)
    status, headers, _ = fetch(f"{here}/v9/README.md")
    assert (status, headers["x-error-code"]) == (404, "RevisionNotFound")
    status, headers, _ = fetch(f"{hub.url}/datasets/alice/none/resolve/main/README.md", "hf_alice")
    assert (status, headers["x-error-code"]) == (404, "RepoNotFound")


def test_ranges(hub: Hub) -> None:
    as_user(hub).create_repo(**AURP)
    as_user(hub).create_commit(**AURP, operations=adding(a__bin=b"0123456789"), commit_message="digits")
    url = f"{hub.url}/datasets/alice/aurp/resolve/main/a.bin"
    for asked_for, expected in (("2-4", b"234"), ("7-", b"789"), ("-2", b"89"), ("8-99", b"89")):
        status, headers, body = fetch(url, Range=f"bytes={asked_for}")
        assert (status, body) == (206, expected)
        start = b"0123456789".index(expected)
        assert headers["content-range"] == f"bytes {start}-{start + len(expected) - 1}/10"
    status, headers, _ = fetch(url, Range="bytes=10-")
    assert (status, headers["content-range"]) == (416, "bytes */10")


def test_each_version_in_one_cache(hub: Hub, tmp_path: Path) -> None:
    push(hub, tmp_path, "1.0.0", [1, 2])
    before = outside(hub, tmp_path / "one", LOAD + 'print(json.dumps([rows("v1.0.0"), rows("main")]))')
    push(hub, tmp_path, "1.1.0", [1, 2, 3])
    code = LOAD + 'print(json.dumps([rows("v1.0.0"), rows("v1.1.0"), rows("main"), rows("v1.0.0", streaming=True)]))'
    after = outside(hub, tmp_path / "one", code)
    assert before == [[1, 2], [1, 2]]
    assert after == [[1, 2], [1, 2, 3], [1, 2, 3], [1, 2]]
    code = LOAD + 'print(json.dumps([rows("main"), rows("v1.1.0", streaming=True), rows("v1.1.0"), rows("v1.0.0")]))'
    assert outside(hub, tmp_path / "two", code) == [[1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2]]


def test_pushing_with_datasets_and_loading_privately(hub: Hub, tmp_path: Path) -> None:
    code = """
import json
from datasets import Dataset, load_dataset
for name in ("one", "two"):
    Dataset.from_dict({"id": [name]}).push_to_hub("alice/pushed", name, split="test", private=True)
print(json.dumps([load_dataset("alice/pushed", name, split="test")["id"][:] for name in ("one", "two")]))
"""
    assert outside(hub, tmp_path / "one", code) == [["one"], ["two"]]
    assert hub.repository("dataset", "alice/pushed").private
    code = """
import json
from datasets import load_dataset
try:
    load_dataset("alice/pushed", "one")
except Exception as error:
    print(json.dumps(type(error).__name__))
"""
    assert outside(hub, tmp_path / "two", code, HF_TOKEN="hf_bob") == "DatasetNotFoundError"


def test_a_large_file_in_little_memory(tmp_path: Path, online: None) -> None:
    size = 120_000_000
    with (tmp_path / "large.parquet").open("wb") as file:
        file.truncate(size)
        file.seek(80_000_000)
        file.write(b"here")
    with ByHand(tmp_path, "--folder", str(tmp_path / "hub")) as (process, said):
        url = said.split(" at ")[1].split(",")[0]
        api = HfApi(endpoint=url, token="hf_alice")
        api.create_repo(**AURP)
        at_rest = peak(process.pid)
        api.upload_file(**AURP, path_or_fileobj=tmp_path / "large.parquet", path_in_repo="large.parquet")
        path = hf_hub_download(**AURP, filename="large.parquet", endpoint=url, cache_dir=tmp_path / "cache")
        where = f"{url}/datasets/alice/aurp/resolve/main/large.parquet"
        assert fetch(where, Range="bytes=79999999-80000004")[2] == b"\0here\0"
        assert peak(process.pid) - at_rest < 40_000
    assert Path(path).stat().st_size == size
    with Path(path).open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == Path(path).resolve().name


def peak(process: int) -> int:
    """The most memory that a process ever held, in kB."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        pytest.skip("no /proc here")
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text())[0])


# ---- faults


def committing(hub: Hub, message: str = "faulty") -> Callable[[], Any]:
    """One request, as the client does not repeat a commit: preupload comes before it."""
    return lambda: as_user(hub).create_commit(
        **AURP, operations=adding(a__txt=message.encode()), commit_message=message
    )


@pytest.mark.parametrize(("kind", "status"), [("500", 500), ("503", 503), ("429", 429), ("403", 403)])
def test_refusing_on_demand(hub: Hub, kind: Any, status: int) -> None:
    as_user(hub).create_repo(**AURP)
    hub.fail_at(1, kind)
    assert refused(committing(hub)) == (status, f"a fault that was asked for: {kind}")
    assert [each.method for each in hub.requests] == ["POST"] * 3
    assert len(hub.repository("dataset", "alice/aurp").commits()) == 1
    committing(hub)()
    assert len(hub.repository("dataset", "alice/aurp").commits()) == 2


@pytest.mark.parametrize(("kind", "commits"), [("cut", 1), ("cut_after", 2)])
def test_cutting_the_line(hub: Hub, kind: Any, commits: int) -> None:
    as_user(hub).create_repo(**AURP)
    hub.fail_at(1, kind)
    with pytest.raises(Exception, match="disconnected"):
        committing(hub)()
    assert len(hub.repository("dataset", "alice/aurp").commits()) == commits


def test_a_client_that_tries_again(hub: Hub) -> None:
    as_user(hub).create_repo(**AURP)
    hub.fail_at(0, "429")
    committing(hub)()
    assert [each.path.split("/")[-2] for each in hub.requests] == ["repos", "preupload", "preupload", "commit"]
    assert hub.requests[2] == Received(2, "POST", "/api/datasets/alice/aurp/preupload/main", "alice")


def test_half_a_download_goes_on_where_it_stopped(hub: Hub, tmp_path: Path) -> None:
    as_user(hub).create_repo(**AURP)
    content = os.urandom(3_000_000)
    as_user(hub).create_commit(**AURP, operations=adding(a__bin=content), commit_message="a")
    failed: list[int] = []

    def once(request: Received) -> Any:
        if request.method == "GET" and request.path.endswith("/a.bin") and not failed:
            failed.append(request.number)
            return "cut_halfway"
        return None

    hub.fault_for = once
    path = as_user(hub).hf_hub_download(**AURP, filename="a.bin", cache_dir=tmp_path / "cache")
    assert Path(path).read_bytes() == content
    assert [each.method for each in hub.requests[failed[0] - 1 :]] == ["HEAD", "GET", "GET"]


def test_every_request_of_a_push_can_fail(hub: Hub, tmp_path: Path) -> None:
    """Whichever fails: nothing half is on the branch, and the same push again completes it."""
    as_user(hub).create_repo(**AURP)
    repository = hub.repository("dataset", "alice/aurp")
    failed = []
    for number in range(1, 9):
        since = len(hub.requests)
        hub.fail_at(number, "403")
        with pytest.raises(Exception, match=r"a fault that was asked for|uploading|Client error"):
            push(hub, tmp_path, f"1.{number}.0", [number])
        failed.append(asked(hub, since)[-1].split("/")[-1])
        assert len(repository.commits()) == number + (failed[-1] == "SHA")
        push(hub, tmp_path, f"1.{number}.0", [number])
        assert len(repository.commits()) == number + 1 and len(repository.tags) == number
    assert failed == ["aurp", "validate-yaml", "main", "batch", "KEY", "verify", "main", "SHA"]
    with pytest.raises(ValueError, match="'cat' is no kind of fault: cut, cut_after"):
        hub.fail_at(0, "cat")  # type: ignore[arg-type]


# ---- cards


@pytest.mark.parametrize(
    ("header", "errors", "warnings"),
    [
        ("license: cc-by-4.0", [], []),
        ("", [], ["empty or missing yaml metadata"]),
        ("- a", ["must be a mapping"], []),
        ("a: [", ["Invalid YAML"], []),
        ("license: mine", ['"license" must be one of'], []),
        ("tags: rag", ['"tags" must be an array'], []),
        ("language: no", ['"language[0]" must be a string'], []),
        ("task_categories: [guessing]", [], ['The task_categories "guessing" is not in the official list']),
        ("size_categories: many", [], ['"size_categories" must be one of']),
        ("configs: {a: b}", ['"configs" must be an array'], []),
        ("configs: [{data_files: a.csv}]", ['"configs[0].config_name" is required'], []),
        ("configs: [{config_name: a}]", ['"configs[0].data_files" is required'], []),
        (
            "configs: [{config_name: a, data_files: [{path: a}]}]",
            ["must be a string, or have exactly split and path"],
            [],
        ),
        ("configs: [{config_name: a, data_files: [{split: a-b, path: a}]}]", ["is not a name of a split"], []),
        (
            "configs: [{config_name: a, data_dir: a, default: true}, {config_name: b, data_dir: b, default: true}]",
            ["more than one default"],
            [],
        ),
        ("configs: [{config_name: a, data_dir: a}, {config_name: a, data_dir: b}]", ["'a' more than once"], []),
    ],
)
def test_cards(header: str, errors: list[str], warnings: list[str]) -> None:
    found = check_card(f"---\n{header}\n---\n# A title\n", "dataset")
    for said, expected in zip(found, (errors, warnings), strict=True):
        assert len(said) == len(expected)
        assert all(part in text for part, text in zip(expected, said, strict=True))


def test_a_wrong_card_is_refused(hub: Hub) -> None:
    as_user(hub).create_repo(**AURP)
    wrong = adding(README__md=b"---\nlicense: mine\n---\n")
    with pytest.raises(ValueError, match=r'Invalid metadata in README\.md\.\n- "license" must be one of'):
        as_user(hub).create_commit(**AURP, operations=wrong, commit_message="wrong")
    with pytest.warns(UserWarning, match="empty or missing yaml metadata"):
        as_user(hub).create_commit(**AURP, operations=adding(README__md=b"# A title\n"), commit_message="plain")


# ---- pages, and starting by hand


def test_a_static_space(hub: Hub) -> None:
    api = as_user(hub)
    space: Any = {"repo_id": "team/board", "repo_type": "space"}
    api.create_repo(**space, space_sdk="static", private=True)
    assert fetch(f"{hub.url}/spaces/team/board")[0] == 401
    api.update_repo_settings(**space, private=False)
    status, headers, body = fetch(f"{hub.url}/spaces/team/board")
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"A new Space" in body
    page = b'<script src="js/table.js"></script>'
    files = [CommitOperationAdd("index.html", page), CommitOperationAdd("js/table.js", b"1")]
    api.create_commit(**space, operations=files, commit_message="a page")
    assert fetch(f"{hub.url}/spaces/team/board")[2] == page
    status, headers, body = fetch(f"{hub.url}/static/team/board/js/table.js")
    assert (status, body) == (200, b"1") and "javascript" in headers["content-type"]
    assert fetch(f"{hub.url}/static/team/board/none.js")[0] == 404
    assert api.space_info("team/board").sdk == "static"


def test_pages(hub: Hub, tmp_path: Path) -> None:
    push(hub, tmp_path, "1.0.0", [1])
    api = as_user(hub)
    api.create_commit(**AURP, operations=adding(README__md=b"---\nlicense: mit\n---\n<b>&</b>\n"), commit_message="b")
    as_user(hub, "hf_bob").create_discussion(**AURP, title="<i>", description="a < b")
    status, headers, body = fetch(f"{hub.url}/datasets/alice/aurp")
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    text = body.decode()
    assert "&lt;b&gt;&amp;&lt;/b&gt;" in text and "<b>&" not in text
    assert 'href="/datasets/alice/aurp/tree/v1.0.0"' in text and "&lt;i&gt; (open)" in text
    assert b"Aurp 1.0.0" in fetch(f"{hub.url}/datasets/alice/aurp/tree/v1.0.0")[2]
    assert b"a &lt; b" in fetch(f"{hub.url}/datasets/alice/aurp/discussions/1")[2]
    api.create_repo("alice/secret", repo_type="dataset", private=True)
    home = fetch(f"{hub.url}/")[2]
    assert b'href="/datasets/alice/aurp"' in home and b"secret" not in home
    assert fetch(f"{hub.url}/datasets/alice/secret")[0] == 401
    assert fetch(f"{hub.url}/nothing/at/all")[0] == 404
    assert refused(lambda: api.super_squash_history(**AURP)) == (
        404,
        "This Hub has nothing at POST /api/datasets/alice/aurp/super-squash/main",
    )


class ByHand:
    """`scripts/hub` in a process of its own, in a folder whose environment is the one that runs."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        scripts = folder / "here" / "scripts"
        scripts.mkdir(parents=True, exist_ok=True)
        (scripts / "environment").write_text(f"#!/bin/sh\necho {sys.executable}\n")
        (scripts / "environment").chmod(0o755)
        with suppress(FileExistsError):
            (scripts.parent / "tests").symlink_to(ROOT / "tests")
            (scripts / "hub").write_text((ROOT / "scripts" / "hub").read_text())
        self._command = ["bash", str(scripts / "hub"), *([] if "--port" in arguments else ["--port", "0"]), *arguments]

    def __enter__(self) -> tuple[subprocess.Popen[str], str]:
        self.process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout
        lines = iter(self.process.stdout.readline, "")
        said = []
        for line in lines:
            said.append(line)
            if "Ctrl-C" in line:
                break
        return self.process, "".join(said)

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()


def test_by_hand(tmp_path: Path) -> None:
    with ByHand(tmp_path) as (process, said):
        found = re.fullmatch(
            r"A test Hub at (http://127\.0\.0\.1:(\d+)), for this machine only; what it holds is gone when it stops \(keep it with --folder DIR\)\.\n"
            r"  user alice, token hf_alice\n  user bob, token hf_bob\n"
            r"To use it as alice, in another terminal:\n\n  export HF_ENDPOINT=\1\n  export HF_TOKEN=hf_alice\n\nCtrl-C stops it\.\n",
            said,
        )
        assert found
        assert fetch(f"{found[1]}/api/whoami-v2", "hf_bob")[0] == 200
        with ByHand(tmp_path, "--port", found[2]) as (second, _):
            assert second.wait(20) == 1
            out, error = second.communicate()
        assert (out, error) == ("", f"error: port {found[2]} is in use: name another with --port\n")
        process.send_signal(2)
        assert process.communicate(timeout=20) == ("", "") and process.returncode == 0


def test_what_clients_ask_of_their_own_accord_does_not_count(hub: Hub) -> None:
    assert [fetch(f"{hub.url}/api/{path}")[0] for path in ("telemetry/datasets", "agent-harnesses", "none")] == [
        404
    ] * 3
    assert [each.path for each in hub.requests] == ["/api/none"]


def test_requests_without_a_client(hub: Hub) -> None:
    """Chunks, several requests on one line, and a body that nobody reads."""
    line = http.client.HTTPConnection(hub.url.removeprefix("http://"))
    body = json.dumps({"content": "---\nlicense: mit\n---\n", "repoType": "dataset"}).encode()
    pieces = [body[:10], body[10:]]
    line.request("POST", "/api/validate-yaml", iter(pieces), {"Transfer-Encoding": "chunked"}, encode_chunked=True)
    assert json.loads(line.getresponse().read()) == {"errors": [], "warnings": []}
    line.request("POST", "/api/none", b"x" * 3_000_000)
    assert line.getresponse().read() == b'{"error": "This Hub has nothing at POST /api/none"}'
    line.request("OPTIONS", "/datasets/alice/aurp/resolve/main/a")
    assert line.getresponse().getheader("Access-Control-Allow-Origin") == "*"
    line.close()
