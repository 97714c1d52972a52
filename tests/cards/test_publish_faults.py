"""Pushes that go wrong: every request of a push fails in turn, in every way, and what is refused is refused in one line."""

import re
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from hub_cases import CARD, REPO, as_user, changing, check_holds, make_release, skip_waiting, start_hub, titles
from support import Run, in_full

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.release import Release
from benchwright.cards.hub.publish import Published, Target, publish
from benchwright.scripts.servers.hub.http import as_error
from benchwright.scripts.servers.hub.server import Hub, Kind, Received, Refused

FIRST = [
    ("GET /api/whoami-v2", 1),
    ("POST /api/repos/create", 1),
    ("GET /api/datasets/alice/lights", 1),
    ("GET /api/datasets/alice/lights/refs", 1),
    ("GET /datasets/alice/lights/resolve/COMMIT/manifest.json", 1),
    ("POST /api/validate-yaml", 1),
    ("POST /api/datasets/alice/lights/preupload/main", 1),
    ("POST /datasets/alice/lights.git/info/lfs/objects/batch", 1),
    ("PUT /lfs/KEY", 4),
    ("POST /datasets/alice/lights.git/info/lfs/objects/verify", 4),
    ("POST /api/datasets/alice/lights/commit/main", 1),
    ("GET /api/datasets/alice/lights/tree/COMMIT", 1),
    ("POST /api/datasets/alice/lights/tag/COMMIT", 1),
]
"""The requests of a first push and how often each is made; uploads and verifications of several files mingle."""
NEXT = [
    *FIRST[:5],
    ("GET /api/datasets/alice/lights/tree/COMMIT", 1),
    *FIRST[5:8],
    ("PUT /lfs/KEY", 2),
    ("POST /datasets/alice/lights.git/info/lfs/objects/verify", 2),
    ("POST /api/datasets/alice/lights/commit/main", 1),
    ("GET /api/datasets/alice/lights/tree/COMMIT", 2),
    ("POST /api/datasets/alice/lights/tag/COMMIT", 1),
]
"""Those of the push of another version, which has other rows and one file less, from another machine."""
KINDS: list[Kind] = ["cut", "cut_after", "500", "503"]
SOME: list[Any] = ["cut_after", *in_full("cut", "500", "503")]
"""Of the faults in the push of another version a run of every day has the one that the client cannot tell from success."""
AGAIN = "start it again with the same command; nothing half-made is visible"
MEANINGS = {
    "500": "it failed by itself (500), through nothing of yours; wait some minutes",
    "503": "it is overloaded or being mended (503); wait some minutes",
}


def cases(requests: list[tuple[str, int]]) -> list[Any]:
    """Every request: its name, and which one of that name it is; the first and the last of many."""
    seen: Counter[str] = Counter()
    found = []
    for name, count in requests:
        first, seen[name] = seen[name], max(seen[name], count)
        for number in sorted({first, count - 1} if count > 1 else {0}):
            identity = name.replace("alice/lights", "REPO") + (f" #{number + 1}" if number else "")
            found.append(pytest.param(name, number, id=identity))
    return found


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Release, Release]:
    root = tmp_path_factory.mktemp("releases")
    return make_release(root, extra={"notes/height.json": b"{}\n"}), make_release(root, "1.1.0", taller=1)


@pytest.fixture
def first(releases: tuple[Release, Release]) -> Release:
    return releases[0]


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    skip_waiting(monkeypatch)
    with start_hub(tmp_path, monkeypatch) as hub:
        yield hub


def named(request: Received) -> str:
    """Method and path, without keys and hashes."""
    path = re.sub(r"/lfs/[0-9a-f]{64}/[0-9a-f]+", "/lfs/KEY", request.path)
    return f"{request.method} {re.sub(r'[0-9a-f]{40}', 'COMMIT', path)}"


def counted(requests: list[tuple[str, int]]) -> dict[str, int]:
    return {name: max(count for other, count in requests if other == name) for name, _ in requests}


def asked(hub: Hub, since: int = 0) -> dict[str, int]:
    return dict(Counter(named(each) for each in hub.requests[since:]))


def refused(release: Release, **target: Any) -> str:
    with pytest.raises(BenchwrightError) as caught:
        publish(release, Target(**target))
    return str(caught.value)


def test_the_requests_of_a_push(hub: Hub, releases: tuple[Release, Release], monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = releases
    publish(first, Target())
    assert asked(hub) == counted(FIRST)
    since = len(hub.requests)
    publish(second, Target())
    assert asked(hub, since) == counted(NEXT)


def fail(hub: Hub, name: str, number: int, kind: Kind, *, from_then_on: bool = False) -> None:
    """The request of that name and number fails, and all after it if wanted."""
    seen: list[int] = []
    lock = threading.Lock()

    def choose(request: Received) -> Kind | None:
        with lock:
            if named(request) == name:
                seen.append(request.number)
            if len(seen) <= number:
                return None
            return kind if from_then_on or (request.number == seen[number]) else None

    hub.fault_for = choose


def push_with_fault(hub: Hub, release: Release, name: str, number: int, kind: Kind, **how: bool) -> Published | str:
    """The push's end or its error, which is one short line about this Hub or repository."""
    fail(hub, name, number, kind, **how)
    try:
        return publish(release, Target())
    except BenchwrightError as error:
        line = str(error)
        assert "\n" not in line and len(line) < 300 and line.endswith(AGAIN), line
        if kind.isdigit():
            assert re.fullmatch(rf"the Hub has not taken [a-z/]+: {re.escape(MEANINGS[kind])}, then {AGAIN}", line), (
                line
            )
        else:
            assert line.startswith(f"{hub.url} cannot be reached ("), line
        return line
    finally:
        hub.fault_for = None


@pytest.mark.parametrize("kind", ["cut_after", "500", *in_full("cut", "503")])
@pytest.mark.parametrize(("name", "number"), cases(FIRST))
def test_a_fault_at_every_request(hub: Hub, first: Release, name: str, number: int, kind: Kind) -> None:
    found = push_with_fault(hub, first, name, number, kind)
    again = publish(first, Target())
    is_done = isinstance(found, Published) or ("/tag/" in name and kind == "cut_after")
    assert (again.state, again.tag) == ("there already" if is_done else left_to_do(name, kind), "v1.0.0")
    check_holds(hub, first)


def left_to_do(name: str, kind: Kind) -> str:
    is_after = any(part in name for part in ("/tree/", "/tag/")) or ("/commit/" in name and kind == "cut_after")
    return "completed" if is_after else "pushed"


@pytest.mark.parametrize("kind", ["503", *in_full("cut")])
@pytest.mark.parametrize(("name", "number"), cases(FIRST))
def test_all_is_lost_from_a_request_on(hub: Hub, first: Release, name: str, number: int, kind: Kind) -> None:
    found = push_with_fault(hub, first, name, number, kind, from_then_on=True)
    assert isinstance(found, str)
    assert publish(first, Target()).tag == "v1.0.0"
    check_holds(hub, first)


@pytest.mark.parametrize("kind", SOME)
@pytest.mark.parametrize(("name", "number"), cases(NEXT))
def test_a_fault_in_the_push_of_another_version(
    hub: Hub, releases: tuple[Release, Release], monkeypatch: pytest.MonkeyPatch, name: str, number: int, kind: Kind
) -> None:
    first, second = releases
    publish(first, Target())
    push_with_fault(hub, second, name, number, kind)
    assert publish(second, Target()).tag == "v1.1.0"
    check_holds(hub, first, second)


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_while_looking_what_is_there(
    hub: Hub, first: Release, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    """What cannot be seen is not taken for something else."""
    publish(first, Target())
    name = "GET /datasets/alice/lights/resolve/v1.0.0/manifest.json"
    found = push_with_fault(hub, first, name, 0, kind, from_then_on=True)
    assert isinstance(found, str)
    check_holds(hub, first)


# ---- refused, each in one line


def state(hub: Hub) -> Any:
    """All that a push could change."""
    return [
        (each.id, each.refs, each.private, list(each.discussions), each.lfs_objects)
        for each in hub.store.all("dataset")
    ]


def check_refused(hub: Hub, run: Run, release: Release, line: str, *told: str, **env: str) -> None:
    """The command ends with one line and 1, and nothing is changed."""
    before = state(hub)
    said = run("publish-benchmark", release.folder, *told, env=env)
    assert (said.returncode, said.stdout, said.stderr) == (1, "", f"error: {line}\n")
    assert state(hub) == before


NOT_LOGGED_IN = "you are not logged in to the Hub: run `hf auth login`, or put a token in HF_TOKEN"
WRONG_TOKEN = "the Hub does not know your token: run `hf auth login`, or mend HF_TOKEN"
READ_ONLY = "This token is read-only: a token with the role `write` is needed"
ROLE = "use a token with the role `write`, or another --repo-id"


@pytest.mark.parametrize(
    ("token", "repo_id", "line"),
    [
        ("", None, NOT_LOGGED_IN),
        ("", REPO, NOT_LOGGED_IN),
        ("hf_nobody", None, WRONG_TOKEN),
        ("hf_nobody", REPO, WRONG_TOKEN),
        ("hf_alice_read", None, f"you may not write to {REPO} ({READ_ONLY}): {ROLE}"),
        ("hf_alice_read", REPO, f"you may not write to {REPO} ({READ_ONLY}): {ROLE}"),
        (
            "hf_alice",
            "nobody/lights",
            f'you may not write to nobody/lights (You don\'t have the rights to create a dataset under the namespace "nobody"): {ROLE}',
        ),
        (
            "hf_bob",
            "team/lights",
            f'you may not write to team/lights (You don\'t have the rights to create a dataset under the namespace "team"): {ROLE}',
        ),
    ],
)
def test_who_may_not(hub: Hub, run: Run, first: Release, token: str, repo_id: str | None, line: str) -> None:
    check_refused(hub, run, first, line, *(["--repo-id", repo_id] if repo_id else []), HF_TOKEN=token)


@pytest.mark.parametrize(
    ("token", "settings", "line"),
    [
        ("hf_alice_read", {}, f"you may not write to {REPO} ({READ_ONLY}): {ROLE}"),
        ("hf_bob", {}, f"you may not write to {REPO} (pass `create_pr=1` as a query parameter to create a Pull Request): {ROLE}"),
        ("hf_bob", {"gated": "auto"}, f"you may not write to {REPO} (Access to dataset {REPO} is restricted.): {ROLE}"),
        ("hf_bob", {"private": True}, f'you may not write to {REPO} (You don\'t have the rights to create a dataset under the namespace "alice"): {ROLE}'),
    ],
)  # fmt: skip
def test_a_repository_of_somebody_else(
    hub: Hub, run: Run, first: Release, token: str, settings: dict[str, Any], line: str
) -> None:
    as_user(hub).create_repo(REPO, repo_type="dataset")
    as_user(hub).update_repo_settings(REPO, repo_type="dataset", **settings) if settings else None
    check_refused(hub, run, first, line, "--repo-id", REPO, HF_TOKEN=token)


def test_a_pull_request_where_nothing_is_to_be_seen(hub: Hub, run: Run, first: Release) -> None:
    line = f"the Hub has no namespace or repository for {REPO}, or you may not see it: check --repo-id"
    told = ["--repo-id", REPO, "--create-pr"]
    check_refused(hub, run, first, line, *told)
    as_user(hub).create_repo(REPO, repo_type="dataset", private=True)
    check_refused(hub, run, first, line, *told, HF_TOKEN="hf_bob")


@pytest.mark.parametrize("status", [402, 413, 507])
@pytest.mark.parametrize("name", ["objects/batch", "/commit/main"])
def test_no_room(hub: Hub, first: Release, monkeypatch: pytest.MonkeyPatch, status: int, name: str) -> None:
    answer = hub.answer

    def full(method: str, path: str, *more: Any) -> Any:
        if name in path:
            return as_error(Refused(status, "Private repository storage limit reached"))
        return answer(method, path, *more)

    monkeypatch.setattr(hub, "answer", full)
    assert refused(first) == f"the Hub has no room left for {REPO}: Private repository storage limit reached"
    assert titles(hub) == ["initial commit"] and hub.repository("dataset", REPO).tags == {}
    monkeypatch.setattr(hub, "answer", answer)
    assert publish(first, Target()).state == "pushed"
    check_holds(hub, first)


def test_a_commit_that_is_forbidden(hub: Hub, first: Release) -> None:
    fail(hub, "POST /api/datasets/alice/lights/commit/main", 0, "403")
    assert refused(first) == f"you may not write to {REPO} (a fault that was asked for: 403): {ROLE}"
    assert titles(hub) == ["initial commit"]


def test_a_card_that_the_hub_does_not_take(hub: Hub, tmp_path: Path) -> None:
    release = make_release(tmp_path, card=CARD.replace("cc-by-4.0", "mine"))
    line = refused(release)
    assert line.startswith(f'the Hub does not take the card of {REPO}: - "license" must be one of [')
    assert line.endswith("'mine' is not") and "\n" not in line
    assert titles(hub) == ["initial commit"]


@pytest.mark.parametrize(
    ("repo_id", "code", "line"),
    [
        ("lights", 2, "--repo-id lights: give NAMESPACE/NAME"),
        ("a/b/c", 2, "--repo-id a/b/c: give NAMESPACE/NAME"),
        ("alice/li..ghts", 1, "'alice/li..ghts' cannot be a repository's name: "),
        ("alice/", 1, "'alice/' cannot be a repository's name: "),
    ],
)
def test_names_that_cannot_be(hub: Hub, run: Run, first: Release, repo_id: str, code: int, line: str) -> None:
    said = run("publish-benchmark", first.folder, "--repo-id", repo_id)
    assert (said.returncode, said.stdout, said.stderr.count("\n")) == (code, "", 1)
    assert said.stderr.startswith(f"error: {line}")
    assert changing(hub) == []


def test_the_hub_is_switched_off(hub: Hub, run: Run, first: Release) -> None:
    check_refused(hub, run, first, "the Hub is switched off: unset HF_HUB_OFFLINE", HF_HUB_OFFLINE="1")


def test_no_release(hub: Hub, run: Run, tmp_path: Path) -> None:
    said = run("publish-benchmark", tmp_path)
    assert (said.returncode, said.stderr) == (1, f"error: {tmp_path} is not a release: it has no manifest.json\n")
    assert hub.requests == []


def test_the_network_is_gone(hub: Hub, run: Run, first: Release) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        line = f"{url} cannot be reached ([Errno 111] Connection refused): {AGAIN}"
        for told in ([], ["--repo-id", REPO]):
            check_refused(hub, run, first, line, "--endpoint", url, *told)
    assert hub.requests == []


class _Greeting(BaseHTTPRequestHandler):
    """Answers everything with a page, as a hotel's network does before one has paid."""

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(200)
        self.send_header("Content-Length", "7")
        self.end_headers()
        self.wfile.write(b"<html/>")

    do_POST = do_HEAD = do_GET

    def log_message(self, format: str, *args: Any) -> None:
        pass


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serving(handler: Any) -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("handler", [_Greeting, _Files])
def test_no_hub(hub: Hub, run: Run, first: Release, handler: Any) -> None:
    with serving(handler) as url:
        line = f"{url} does not answer like a Hub: check --endpoint or HF_ENDPOINT"
        for told in ([], ["--repo-id", REPO]):
            check_refused(hub, run, first, line, "--endpoint", url, *told)
