"""What a Hub has from strangers, names of files and manifests, never chooses where files are written or read."""

import functools
import gzip
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from hostile_hub import COMMIT, Answer, HostileHub, Twist, hostile_hub
from hub_cases import REPO, as_user, make_release, skip_waiting, start_hub
from huggingface_hub import CommitOperationAdd, constants
from support import Run

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases import hub_reader
from benchwright.benchmarks.releases.find import open_release
from benchwright.benchmarks.releases.hub_reader import HubReader, Wanted
from benchwright.benchmarks.releases.manifest import MANIFEST
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.cards.hub.publish import Target, publish

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
CHUNK = b"%x\r\n%s\r\n" % (1 << 16, b"x" * (1 << 16))
LONG = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
API, CORPUS, CARD, MANIFEST_AT = "/api/", "/corpus/", "/README.md", f"/{MANIFEST}"
OTHER = "of alice/evil on the Hub is not what its manifest names: it is to be published again"
NO_HUB = r"http://127.0.0.1:\d+ does not answer like a Hub \({}\): check HF_ENDPOINT"
NO_JSON = NO_HUB.format("not in its JSON")
STOPPED = "alice/evil cannot be fetched from the Hub: {} then start it again, and it goes on where it stopped"
SLOW = STOPPED.format("it takes too long to answer;")
MOST_SENT = 60_000_000
"""Bytes that are read of an answer without end: those of a listing, and what lies in buffers."""


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return make_release(tmp_path / "built").folder


@pytest.fixture(autouse=True)
def _in_a_hurry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The caches are deep in the test's folder; nothing is waited for."""
    cache = tmp_path / "a" / "b" / "cache"
    for name, value in {"HF_HUB_OFFLINE": False, "HF_HUB_CACHE": str(cache), "HF_ASSETS_CACHE": str(cache)}.items():
        monkeypatch.setattr(constants, name, value)
    monkeypatch.setattr("huggingface_hub.utils._detect_agent._fetch_registry", lambda: None)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    monkeypatch.setattr(hub_reader, "SECONDS", 1.0)
    skip_waiting(monkeypatch)


def fetch(hub: HostileHub, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What comes of it: the line, or the content hash of the release; nothing is written beside the cache."""
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    before = {path for path in folder.rglob("*") if path.is_file()}
    try:
        said = open_release("alice/evil", folder / "releases").content_hash()
    except BenchwrightError as error:
        said = str(error)
    written = {path for path in folder.rglob("*") if path.is_file()} - before
    kept = folder / "a" / "b" / "cache" / "benchwright" / "releases" / "alice--evil"
    assert all(path.is_relative_to(kept) and len(path.relative_to(kept).parts) > 1 for path in written)
    assert not [path for path in written if ".parts-" in str(path)]
    assert "\n" not in said
    assert len(said) < 600
    return said


@functools.cache
def zipped() -> bytes:
    """A hundred million characters in a hundred thousand bytes."""
    return gzip.compress(b"{" + b" " * 100_000_000)


def listing(commit: object = COMMIT, **more: Any) -> Twist:
    return lambda answer: answer.send(json.dumps({"sha": commit, "siblings": [], **more}))


def to(location: str) -> Twist:
    return lambda answer: answer.send("", 302, Location=location)


def status(code: int, **headers: str) -> Twist:
    return lambda answer: answer.send("", code, **headers)


NO_COMMIT = NO_HUB.format("with a commit that is none")
NO_ADDRESS = NO_HUB.format("with a redirect to no address")
PACKED = NO_HUB.format("packed, though it was not asked to")
CASES: dict[str, tuple[str, Twist, str]] = {
    "a commit that leaves the cache": (API, listing("../../../../evil"), NO_COMMIT),
    "an absolute commit": (API, listing("/evil"), NO_COMMIT),
    "a commit of letters": (API, listing("g" * 40), NO_COMMIT),
    "a commit with a line end": (API, listing(COMMIT + "\n"), NO_COMMIT),
    "a commit that is a number": (API, listing(7), NO_COMMIT),
    "no commit": (API, listing(None), NO_COMMIT),
    "a page": (API, lambda answer: answer.send("<html>"), NO_JSON),
    "nothing": (API, lambda answer: answer.send(""), NO_JSON),
    "a list": (API, lambda answer: answer.send("[]"), NO_JSON),
    "null": (API, lambda answer: answer.send("null"), NO_JSON),
    "deep JSON": (API, lambda answer: answer.send("[" * 1_000_000), NO_JSON),
    "bytes that are no text": (API, lambda answer: answer.send(b"\xff\xfe\xfa"), NO_JSON),
    "files in a text": (API, listing(siblings="abc"), NO_JSON),
    "files in a number": (API, listing(siblings=7), NO_JSON),
    "files that are numbers": (API, listing(siblings=[{"rfilename": 7}]), NO_JSON),
    "files without names": (API, listing(siblings=[{}]), NO_JSON),
    "a listing without end": (
        API,
        lambda a: a.endless(CHUNKED, CHUNK),
        NO_HUB.format("with more than 50,000,000 bytes"),
    ),
    "a listing of a terabyte": (
        API,
        lambda a: a.send("{", Content_Length=str(10**12)),
        NO_HUB.format("with more than .*"),
    ),
    "a listing of a negative length": (API, lambda a: a.send("{}", Content_Length="-1"), STOPPED.format(".*;")),
    "a packed listing": (API, lambda a: a.send(zipped(), Content_Encoding="gzip"), PACKED),
    "a listing byte by byte": (API, lambda a: a.endless(LONG, b" ", 0.05), SLOW),
    "headers byte by byte": (API, lambda a: a.endless(b"HTTP/1.1 200 OK\r\nX: ", b"x", 0.05), SLOW),
    "headers without end": (API, lambda a: a.endless(b"HTTP/1.1 200 OK\r\nX: ", b"x" * 999), STOPPED.format(".*;")),
    "no answer": (API, lambda a: a.endless(b"", b"", 0.05), STOPPED.format(".*;")),
    "no HTTP": (API, lambda a: a.raw(b"SSH-2.0-OpenSSH\r\n"), STOPPED.format(".*;")),
    "a status of four digits": (API, lambda a: a.raw(b"HTTP/1.1 9999 x\r\n\r\n"), STOPPED.format(".*;")),
    "204": (API, status(204), NO_HUB.format("with 204")),
    "304": (API, status(304), NO_HUB.format("with 304")),
    "206": (CARD, status(206), NO_HUB.format("with 206")),
    "redirects without end": (API, to("/api/x"), NO_HUB.format("with one redirect after the other")),
    "a redirect to a file": (CARD, to("file:///etc/passwd"), NO_ADDRESS),
    "a redirect to FTP": (CARD, to("ftp://127.0.0.1/x"), NO_ADDRESS),
    "a redirect to nowhere": (CARD, to(""), NO_ADDRESS),
    "a redirect to no host": (CARD, to("http://:80/x"), NO_ADDRESS),
    "a redirect to a broken host": (CARD, to("http://[::1/x"), NO_ADDRESS),
    "a redirect to a port that is none": (
        CARD,
        to("http://127.0.0.1:99999999/x"),
        NO_ADDRESS,
    ),
    "a file that is another": (CARD, lambda a: a.send("x" * 99), "README.md has more .*|README.md " + OTHER),
    "a shorter file": (CARD, lambda a: a.send("x"), "README.md " + OTHER),
    "a longer file": (
        CORPUS,
        lambda a: a.send(b"x" * 10_000_000),
        r"corpus/corpus-00000-of-00001.parquet of alice/evil on the Hub has more than [\d,]+ bytes, and may not: .*",
    ),
    "a file without end": (CORPUS, lambda a: a.endless(CHUNKED, CHUNK), "corpus/.* has more than .*"),
    "a file of a terabyte": (CORPUS, lambda a: a.send("", Content_Length=str(10**12)), "corpus/.* has more than .*"),
    "a packed file": (CORPUS, lambda a: a.send(zipped(), Content_Encoding="gzip"), PACKED),
    "a file byte by byte": (CORPUS, lambda a: a.endless(LONG.replace(b"1000000", b"99"), b" ", 0.05), SLOW),
    "a file that ends early": (
        CORPUS,
        lambda a: a.send("x", Content_Length="99"),
        STOPPED.format(r"peer closed connection .*;"),
    ),
    "a manifest without end": (
        MANIFEST_AT,
        lambda a: a.endless(CHUNKED, CHUNK),
        f"{MANIFEST} .* has more than 4,000,000 .*",
    ),
    "a manifest that is none": (MANIFEST_AT, lambda a: a.send("[]"), ".*/manifest.json has no format number: .*"),
    "a deep manifest": (MANIFEST_AT, lambda a: a.send("[" * 1_000_000), ".*/manifest.json cannot be read: .*"),
    "401": (API, status(401), "there is no release alice/evil on the Hub, or you may not see it: .*"),
    "401 for a token": (
        API,
        status(401, X_Error_Message="Invalid credentials in Authorization header"),
        "the Hub does not know your token: run `hf auth login`, or mend HF_TOKEN",
    ),
    "403": (API, status(403), STOPPED.format(r"it does not allow this \(403\); use a token that may read it,")),
    "404": (API, status(404), STOPPED.format(r"it refused \(404\),")),
    "404 of a repository": (API, status(404, X_Error_Code="RepoNotFound"), "there is no release alice/evil .*"),
    "404 of a revision": (API, status(404, X_Error_Code="RevisionNotFound"), "alice/evil has no revision 'main' .*"),
    "404 of a manifest": (MANIFEST_AT, status(404), "alice/evil on the Hub is no release: it has no manifest.json"),
    "404 of a file": (CARD, status(404, X_Error_Code="EntryNotFound"), STOPPED.format(r"it refused \(404\),")),
    "500": (
        API,
        status(500),
        STOPPED.format(r"it failed by itself \(500\), through nothing of yours; wait some minutes,"),
    ),
    "502 of a file": (CARD, status(502), STOPPED.format(r"it failed by itself \(502\), .*; wait some minutes,")),
    "503": (CARD, status(503), STOPPED.format(r"it is overloaded or being mended \(503\); wait some minutes,")),
    "503 for a while": (CARD, status(503, Retry_After="7"), STOPPED.format(r"it .* \(503\); wait 7 seconds,")),
    "429": (API, status(429), STOPPED.format(r"it takes no more requests for now \(429\); wait some minutes,")),
    "429 for a day": (API, status(429, Retry_After="86400"), STOPPED.format(r"it .* \(429\); wait 86,400 seconds,")),
    "429 for words": (API, status(429, Retry_After="9" * 400), STOPPED.format(r"it .* \(429\); wait some minutes,")),
}


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_hub_ends_with_one_line(
    name: str, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zipped()  # before the hub is in a hurry
    part, twist, line = CASES[name]
    with hostile_hub(good, {part: twist}) as hub:
        said = fetch(hub, tmp_path, monkeypatch)
        assert re.fullmatch(line, said), said
        assert hub.sent < MOST_SENT


def test_what_came_is_counted_once(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that ended early comes again, and the progress that is shown ends at the whole."""
    monkeypatch.setattr(hub_reader, "_PIECE", 1)
    path, facts = next(each for each in Release.load(good).manifest.files.items() if each[0].startswith("corpus/"))
    twists: list[Twist] = [lambda answer: answer.send("x", Content_Length="99")]
    told: list[int] = []
    with hostile_hub(good, {CORPUS: lambda answer: twists.pop()(answer) if twists else answer.right()}) as hub:
        wanted = Wanted(path, facts["bytes"], facts["sha256"])
        HubReader("alice/evil", hub.url).fetch(COMMIT, [wanted], tmp_path, told.append)
    assert (min(told), sum(told)) == (-1, facts["bytes"])
    assert (tmp_path / path).read_bytes() == (good / path).read_bytes()


PATHS = [
    "../../../../../evil.txt",
    "../../../evil.txt",
    "/{folder}/evil.txt",
    "a/../../../../../../evil.txt",
    "evil\0.txt",
    "\x1b[31mevil",
]


@pytest.mark.parametrize("path", PATHS)
def test_names_stay_in_the_cache(path: str, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hostile_hub(good, {}, [path.replace("/{folder}", str(tmp_path))]) as hub:
        said = fetch(hub, tmp_path, monkeypatch)
    assert said.startswith("alice/evil on the Hub names files that no release may have: ")


EVIL = "../../../../../evil"


def test_headers_choose_no_path(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`huggingface_hub` joins these to the folders of its cache."""
    headers = {"ETag": f'"{EVIL}"', "X_Linked_ETag": EVIL, "X_Repo_Commit": EVIL, "X_Xet_Hash": EVIL, "Link": EVIL}
    with hostile_hub(good, {"/resolve/": lambda answer: answer.right(**headers)}) as hub:
        assert fetch(hub, tmp_path, monkeypatch) == Release.load(good).manifest.content_hash


def test_a_push_lets_headers_choose_no_path(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    headers = {"ETag": f'"{EVIL}"', "X_Repo_Commit": EVIL}
    refs = json.dumps(
        {
            "branches": [{"name": "main", "ref": "refs/heads/main", "targetCommit": COMMIT}],
            "tags": [{"name": "v1.0.0", "ref": "refs/tags/v1.0.0", "targetCommit": COMMIT}],
            "converts": [],
        }
    )
    twists: dict[str, Twist] = {
        "/api/repos/create": lambda answer: answer.send(
            json.dumps({"url": f"{answer.server.url}/datasets/alice/evil"})
        ),
        "/refs": lambda answer: answer.send(refs),
        "/resolve/": lambda answer: answer.right(**headers),
    }
    with hostile_hub(good, twists) as hub:
        before = {path for path in tmp_path.rglob("*") if path.is_file()}
        done = publish(Release.load(good), Target("alice/evil", public=True, endpoint=hub.url))
        assert {path for path in tmp_path.rglob("*") if path.is_file()} == before
    assert (done.state, done.commit) == ("there already", COMMIT)


@pytest.mark.parametrize("part", [API, CARD])
def test_the_token_follows_to_no_other_host(
    part: str, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hostile_hub(good, {}) as other:

        def send(answer: Answer) -> None:
            answer.send("", 307, Location=f"{other.url}{answer.path}")

        with hostile_hub(good, {part: send}) as hub:
            assert fetch(hub, tmp_path, monkeypatch) == Release.load(good).manifest.content_hash
            assert set(hub.tokens) == {"Bearer hf_secret"}
        assert other.tokens == [None]


def test_a_release_that_the_disk_does_not_hold(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = json.loads((good / MANIFEST).read_text())
    manifest["files"]["README.md"]["bytes"] = 2**50
    with hostile_hub(good, {MANIFEST_AT: lambda answer: answer.send(json.dumps(manifest))}) as hub:
        said = fetch(hub, tmp_path, monkeypatch)
    assert re.fullmatch(r"alice/evil is not fetched: it has 1,125,899\.9 GB, and the disk of .* GB left; set .*", said)


def test_what_is_beside_a_release(
    good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What is small is fetched, so that verifying names it; what has no end is left."""
    (good / "notes.txt").write_text("x")
    (good / "film.bin").write_text("x")
    with hostile_hub(good, {"/film.bin": lambda answer: answer.endless(CHUNKED, CHUNK)}) as hub:
        fetch(hub, tmp_path, monkeypatch)
        assert hub.sent < MOST_SENT
    assert [record.getMessage() for record in caplog.records] == [
        "alice/evil has film.bin, which is no file of the release and is not fetched"
    ]
    found = verify_release(open_release("alice/evil", tmp_path / "releases"))
    assert found.problems == [f"file: notes.txt is not in {MANIFEST}"]


def test_what_was_fetched_is_used_while_the_hub_fails(
    good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with hostile_hub(good, {}) as hub:
        whole = fetch(hub, tmp_path, monkeypatch)
        hub.twists[API] = status(503)
        assert fetch(hub, tmp_path, monkeypatch) == whole
        assert [record.getMessage() for record in caplog.records] == [
            "alice/evil: the Hub cannot be asked for a newer one "
            "(it is overloaded or being mended (503); wait some minutes)"
        ]


@pytest.mark.parametrize(("field", "value"), [("name", "../../pwned"), ("name", "/pwned"), ("version", "../../pwned")])
def test_a_release_does_not_choose_where_its_run_goes(
    field: str, value: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    skip_waiting(monkeypatch)
    folder = tmp_path / "around" / "here"
    folder.mkdir(parents=True)
    with start_hub(tmp_path, monkeypatch) as hub:
        publish(make_release(tmp_path / "built"), Target())
        manifest = json.loads(hub.repository("dataset", REPO).read("main", MANIFEST))
        changed = json.dumps({**manifest, field: value}).encode()
        as_user(hub).create_commit(
            REPO, [CommitOperationAdd(MANIFEST, changed)], commit_message="evil", repo_type="dataset"
        )
        for command in (("score-system", REPO, "keyword"), ("verify-benchmark", REPO)):
            said = run(*command, folder=folder)
            assert (said.returncode, said.stdout) == (1, "")
            assert f"manifest.json is not as it must be: {field}: {value!r}" in said.stderr
            assert said.stderr.count("\n") == 1
    assert not (folder / "runs").exists()
    assert list(tmp_path.rglob("pwned*")) == []


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
