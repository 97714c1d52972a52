"""`scripts/own-leaderboard`: two users, from a benchmark's build to a page, cut off on the way."""

import io
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest
from command_server import CommandServer

from benchwright.scripts.servers.hub.server import Hub
from benchwright.scripts.servers.own_leaderboard import BOARD, BUILDS, DESK, SYSTEMS, Failed, Typist, main, make


@pytest.fixture(scope="module")
def way(tmp_path_factory: pytest.TempPathFactory, command_server: CommandServer) -> Iterator[SimpleNamespace]:
    """A leaderboard of two baselines on one benchmark, cut off once; a third start has nothing to do."""
    folder, typed = tmp_path_factory.mktemp("own"), []
    stopped = threading.Event()

    def run(*command: str, folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
        typed.append((env["HF_TOKEN"], command[0]))
        if command[0] == "submit-system" and not stopped.is_set() and len(typed) < 8:
            stopped.set()
        return command_server.run(*command, folder=folder, env={"HF_HUB_OFFLINE": "0", **env})

    with Hub(folder / "hub") as hub:
        with pytest.raises(Failed, match="stopped: the same command goes on"):
            make(Typist(folder, hub.url, stopped, run), [DESK], ["bm25", "oracle"])
        first = list(typed)
        make(Typist(folder, hub.url, threading.Event(), run), [DESK], ["bm25", "oracle"])
        whole = list(typed)
        make(Typist(folder, hub.url, threading.Event(), run), [DESK], ["bm25", "oracle"])
        yield SimpleNamespace(hub=hub, first=first, whole=whole, typed=typed)


def test_a_start_that_was_cut_off_goes_on(way: SimpleNamespace) -> None:
    assert ("hf_alice", "publish-leaderboard") in way.first
    assert way.whole.count(("hf_alice", "build-benchmark")) == 1
    assert [way.whole.count((token, "submit-system")) for token in ("hf_alice", "hf_bob")] == [1, 1]
    assert len(way.whole) == 8
    assert way.typed == way.whole


def test_both_users_are_ranked(way: SimpleNamespace) -> None:
    data = way.hub.repository("dataset", BOARD).read("main", "results/results.parquet")
    rows = pq.read_table(io.BytesIO(data)).to_pylist()
    columns = ("system", "submitter", "mark", "is_organisers", "has_built_in_reader")
    assert {tuple(row[name] for name in columns) for row in rows} == {
        ("bm25", "bob", "verified", False, True),
        ("oracle", "alice", "verified", True, True),
    }
    card = way.hub.repository("dataset", BOARD).read("main", "README.md").decode()
    assert "| verified, built-in |\n" in card and "| verified, organisers', built-in |\n" in card
    with urllib.request.urlopen(f"{way.hub.url}/spaces/{BOARD}") as reply:
        page = reply.read().decode()
    assert "Baselines that need no model" in page
    assert all(name in page for name in ("bm25", "oracle"))


def test_what_is_refused(way: SimpleNamespace, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    port = way.hub.url.rpartition(":")[2]
    assert main(["--folder", str(tmp_path), "--port", port]) == 1
    assert capsys.readouterr().err == f"error: port {port} is in use: name another with --port\n"


def test_a_command_that_fails_is_named(tmp_path: Path, command_server: CommandServer) -> None:
    typist = Typist(tmp_path, "http://127.0.0.1:9", threading.Event(), command_server.run)
    with pytest.raises(Failed, match="alice: score-system nowhere bm25: there is no release 'nowhere'"):
        typist.type("alice", "score-system", "nowhere", "bm25")
    assert not (tmp_path / "done.txt").exists()


def test_each_builder_is_there_but_for_one_that_needs_a_wiki_and_one_for_metrics() -> None:
    from benchwright.benchmarks.catalogue import BUILDERS
    from benchwright.benchmarks.registry import names

    assert {command[0] for command in BUILDS.values()} == set(names(BUILDERS)) - {"wikipedia", "wikieval"}


def test_each_baseline_that_needs_no_model_is_there() -> None:
    from benchwright.benchmarks.registry import find_all
    from benchwright.benchmarks.systems.baseline import BASELINES

    assert set(SYSTEMS) == {name for name, baseline in find_all(BASELINES).items() if baseline.agent is None}
