"""A release on the Hub is opened like a folder, by version, tag, branch or commit; what cannot be is told in one line."""

import json
import re
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hub_cases import REPO, as_user, make_release, skip_waiting, start_hub
from huggingface_hub import CommitOperationAdd, constants
from support import Run, in_full

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.find import open_release
from benchwright.benchmarks.releases.manifest import MANIFEST
from benchwright.cards.hub.publish import Target, publish
from benchwright.scripts.servers.hub.server import Hub, Kind, Received

KINDS: list[Kind] = ["cut", "cut_after", "cut_halfway", "500", "503", "429", "403"]
KIND: dict[str, Any] = {"repo_type": "dataset"}


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    skip_waiting(monkeypatch)
    with start_hub(tmp_path, monkeypatch) as hub:
        yield hub


@pytest.fixture
def pushed(hub: Hub, tmp_path: Path) -> Hub:
    """Two versions of `alice/lights`, private, and nothing of them in the cache."""
    for version, taller in (("1.0.0", 0), ("1.1.0", 1)):
        publish(make_release(tmp_path / "built", version, taller=taller), Target())
    forget(tmp_path)
    return hub


def forget(folder: Path) -> None:
    shutil.rmtree(folder / "cache", ignore_errors=True)


def answer(reference: str, root: Path) -> tuple[str, str]:
    """The version that is opened and the answer to its first question."""
    release = open_release(reference, root)
    batch = next(release.batches("questions", "test", ["answers"]))
    return release.manifest.version, batch.to_pylist()[0]["answers"][0]


def refused(reference: str, root: Path) -> str:
    with pytest.raises(BenchwrightError) as caught:
        open_release(reference, root)
    return str(caught.value)


def test_versions(pushed: Hub, tmp_path: Path) -> None:
    old, new = ("1.0.0", "31 metres"), ("1.1.0", "32 metres")
    first = pushed.repository("dataset", REPO).tags["v1.0.0"]
    add_readme(pushed)
    for reference, wanted in [
        (REPO, new),
        (f"{REPO}@1.0.0", old),
        (f"{REPO}@v1.0.0", old),
        (f"{REPO}@main", new),
        (f"{REPO}@{first}", old),
        (f"{REPO}@1.1.0", new),
    ]:
        assert answer(reference, tmp_path / "none") == wanted, reference
    assert (
        open_release(f"{REPO}@1.0.0", tmp_path).content_hash()
        == open_release(str(tmp_path / "built" / "lights" / "1.0.0"), tmp_path).manifest.content_hash
    )


def add_readme(hub: Hub) -> None:
    """A commit after the newest version, which leaves the release as it is."""
    operations = [CommitOperationAdd("eval.yaml", b"name: lights\n")]
    as_user(hub).create_commit(REPO, operations, commit_message="more", **KIND)


def test_fetched_once(pushed: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer(f"{REPO}@1.0.0", tmp_path)[0] == "1.0.0"
    since = len(pushed.requests)
    assert answer(f"{REPO}@1.0.0", tmp_path)[0] == "1.0.0"
    assert [(each.method, each.path) for each in pushed.requests[since:]] == [
        ("GET", f"/api/datasets/{REPO}/revision/v1.0.0")
    ]
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert answer(f"{REPO}@1.0.0", tmp_path) == ("1.0.0", "31 metres")
    assert refused(f"{REPO}@1.1.0", tmp_path) == NOT_HERE.format(f"{REPO}@1.1.0")


NOT_HERE = "there is no release {!r} here, and the Hub cannot be reached to look for it: go online, or give a folder"
UNSEEN = "there is no release {} on the Hub, or you may not see it: check the name, or run `hf auth login`"


def test_a_folder_comes_first(pushed: Hub, tmp_path: Path) -> None:
    since = len(pushed.requests)
    built = tmp_path / "built"
    assert open_release("lights", built).folder == built / "lights" / "1.1.0"
    assert open_release("lights@1.0.0", built).folder == built / "lights" / "1.0.0"
    make_release(tmp_path / "alice", "1.0.0", taller=9)
    assert answer(REPO, tmp_path) == ("1.0.0", "40 metres")
    assert len(pushed.requests) == since


def test_what_is_not_there(pushed: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused("alice/none", tmp_path) == UNSEEN.format("alice/none")
    assert refused("alice/none@1.0.0", tmp_path) == UNSEEN.format("alice/none")
    for asked, revision in (("3.0.0", "v3.0.0"), ("v3.0.0", "v3.0.0"), ("other", "other"), ("0" * 40, "0" * 40)):
        assert refused(f"{REPO}@{asked}", tmp_path) == (
            f"{REPO} has no revision {revision!r} on the Hub: its page lists them"
        )
    assert refused("alice/a--b", tmp_path) == (
        "there is no release 'alice/a--b' here, and on the Hub no name is like that"
    )
    monkeypatch.setenv("HF_TOKEN", "hf_bob")
    assert refused(REPO, tmp_path) == UNSEEN.format(REPO)
    monkeypatch.setenv("HF_TOKEN", "")
    assert refused(REPO, tmp_path) == UNSEEN.format(REPO)
    monkeypatch.setenv("HF_TOKEN", "hf_nobody")
    assert refused(REPO, tmp_path) == "the Hub does not know your token: run `hf auth login`, or mend HF_TOKEN"


def test_a_gated_one(pushed: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_user(pushed).update_repo_settings(REPO, private=False, gated="manual", **KIND)
    monkeypatch.setenv("HF_TOKEN", "hf_bob")
    assert refused(REPO, tmp_path) == f"{REPO} is gated: ask for access on its page on the Hub, then log in"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (None, "alice/other on the Hub is no release: it has no manifest.json"),
        (b"{}", " has no format number: it is not the manifest of a release"),
        (b'{"format": 99}', " has format 99, this program reads up to 1: install a newer benchwright"),
    ],
)
def test_no_release(hub: Hub, tmp_path: Path, content: bytes | None, line: str) -> None:
    as_user(hub).create_repo("alice/other", **KIND)
    operations = [CommitOperationAdd(MANIFEST if content else "a.txt", content or b"a")]
    as_user(hub).create_commit("alice/other", operations, commit_message="a", **KIND)
    assert refused("alice/other", tmp_path).endswith(line)


def test_nothing_here_and_no_network(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert refused(REPO, tmp_path) == NOT_HERE.format(REPO)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{nobody.getsockname()[1]}")
        assert refused(f"{REPO}@1.0.0", tmp_path) == NOT_HERE.format(f"{REPO}@1.0.0")
    assert hub.requests == []


def test_what_a_push_looked_at_is_no_release(pushed: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A push reads the manifest alone: without a network that is not taken for the release."""
    publish(open_release("lights@1.0.0", tmp_path / "built"), Target())
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert refused(f"{REPO}@1.0.0", tmp_path) == NOT_HERE.format(f"{REPO}@1.0.0")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    assert answer(f"{REPO}@1.0.0", tmp_path) == ("1.0.0", "31 metres")


def test_a_file_that_the_repository_lacks(pushed: Hub, tmp_path: Path) -> None:
    as_user(pushed).delete_file("corpus/corpus-00000-of-00001.parquet", REPO, **KIND)
    assert refused(REPO, tmp_path) == (
        f"{REPO} has no corpus/corpus-00000-of-00001.parquet, neither here nor on the Hub"
    )


WHERE = r"alice/lights cannot be fetched from the Hub: {} then start it again, and it goes on where it stopped"
CUT = (
    r"(Server disconnected without sending a response|peer closed connection .* \(received \d+ bytes, expected \d+\));"
)
STOPPED = {
    "cut": WHERE.format(CUT),
    "500": WHERE.format(r"it failed by itself \(500\), through nothing of yours; wait some minutes,"),
    "503": WHERE.format(r"it is overloaded or being mended \(503\); wait some minutes,"),
    "429": WHERE.format(r"it takes no more requests for now \(429\); wait some minutes,"),
    "403": WHERE.format(r"it does not allow this \(403\); use a token that may read it,"),
}


@pytest.mark.parametrize(
    ("kind", "lasts"),
    [
        *[("cut_halfway", False), ("429", False), ("403", False), ("503", True)],
        *in_full(*[(kind, False) for kind in KINDS if kind not in ("cut_halfway", "429", "403")]),
        *in_full(("cut", True), ("cut_halfway", True)),
    ],
)
def test_a_fault_at_every_request(pushed: Hub, tmp_path: Path, kind: Kind, lasts: bool) -> None:
    """One line or the release, and the same again goes on where it stopped."""
    since = len(pushed.requests)
    open_release(f"{REPO}@1.0.0", tmp_path)
    count = len(pushed.requests) - since
    for number in range(count):
        forget(tmp_path)
        start = len(pushed.requests) + number

        def choose(request: Received, start: int = start) -> Kind | None:
            return kind if (request.number >= start if lasts else request.number == start) else None

        pushed.fault_for = choose
        try:
            found = answer(f"{REPO}@1.0.0", tmp_path)
        except BenchwrightError as error:
            assert re.fullmatch(STOPPED[kind[:3]], str(error)), error
        else:
            assert found == ("1.0.0", "31 metres")
        pushed.fault_for = None
        assert answer(f"{REPO}@1.0.0", tmp_path) == ("1.0.0", "31 metres")


def test_the_commands(pushed: Hub, run: Run, tmp_path: Path) -> None:
    verified = run("verify-benchmark", f"{REPO}@1.0.0")
    assert (verified.returncode, verified.stderr) == (0, ""), verified.stderr
    assert "proved: 8 unique ids" in verified.stdout.splitlines()
    scored = run("score-system", f"{REPO}@1.1.0", "oracle", "-q")
    assert (scored.returncode, scored.stderr) == (0, "")
    report = json.loads(next((tmp_path / "runs" / "lights" / "1.1.0").glob("*/report.json")).read_text())
    assert (report["benchmark"], report["version"]) == ("lights", "1.1.0")
    assert report["metrics"]["correct"]["value"] == 1.0
    absent = run("score-system", "alice/none", "oracle")
    assert (absent.returncode, absent.stderr) == (1, f"error: {UNSEEN.format('alice/none')}\n")
