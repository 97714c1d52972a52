"""What was pushed is loaded by `datasets` from each version's tag; many files are one commit, large ones no memory."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hub_cases import CARD, REPO, check_holds, make_release, program, start_hub
from lighthouses import HEIGHTS
from support import in_full

from benchwright.benchmarks.releases.manifest import MANIFEST, list_files
from benchwright.benchmarks.releases.release import Release
from benchwright.cards.hub.publish import Target, publish
from benchwright.scripts.servers.hub.server import Hub

LOAD = """
import json, sys
from datasets import load_dataset
for revision, streaming in json.loads(sys.argv[1]):
    rows = load_dataset("alice/lights", "questions", split="test", revision=revision, streaming=streaming)
    print(json.dumps([row["answers"][0] for row in rows]))
"""
PUSH = """
import sys
from pathlib import Path
from benchwright.scripts.publish_benchmark import main
try:
    main(sys.argv[1:])
finally:
    status = Path("/proc/self/status").read_text()
    print(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
"""
MEGABYTE = 1 << 20


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with start_hub(tmp_path, monkeypatch, part_size=32 * MEGABYTE) as hub:
        yield hub


def answers(taller: int) -> list[str]:
    return [f"{height + taller} metres" for height in HEIGHTS.values() for _ in range(2)]


OLD, NEW = ("v1.0.0", False), ("v1.1.0", False)
STREAMED = [("v1.0.0", True), ("v1.1.0", True)]


@pytest.mark.parametrize(
    "order", [[OLD, NEW, *STREAMED, OLD], *in_full([NEW, OLD, *STREAMED, NEW])], ids=["old", "new"]
)
def test_each_version_has_its_own_rows(hub: Hub, tmp_path: Path, order: list[tuple[str, bool]]) -> None:
    """In one cache, and where the first was loaded before the second was there."""
    wanted = {"v1.0.0": answers(0), "v1.1.0": answers(1), "main": answers(1)}
    publish(make_release(tmp_path), Target())
    if order[0] == OLD:
        before = program(LOAD, json.dumps([("main", False)]))
        assert [json.loads(line) for line in before] == [answers(0)]
    publish(make_release(tmp_path, "1.1.0", taller=1), Target())
    order = [*order, ("main", False)]
    loaded = program(LOAD, json.dumps(order))
    assert [json.loads(line) for line in loaded] == [wanted[revision] for revision, _ in order]


def test_six_hundred_files_are_one_commit(hub: Hub, tmp_path: Path) -> None:
    extra = {f"notes/t{number:03}.json": b'{"number": %d}' % number for number in range(300)}
    extra |= {f"notes/extra-{number:03}.bin": b"BIN1%d" % number for number in range(300)}
    release = make_release(tmp_path, extra=extra)
    publish(release, Target())
    check_holds(hub, release)
    assert len(hub.repository("dataset", REPO).files("v1.0.0")) == 7 + 600
    publish(make_release(tmp_path, "2.0.0", taller=1), Target())
    assert len(hub.repository("dataset", REPO).files("v2.0.0")) == 7


@pytest.mark.parametrize("in_parts", [True, *in_full(False)], ids=["in parts", "whole"])
def test_a_large_file_needs_no_memory(hub: Hub, tmp_path: Path, in_parts: bool) -> None:
    hub.part_size = hub.part_size if in_parts else None
    small, large = make_release(tmp_path), make_release(tmp_path, "1.1.0", card=CARD + "Larger.\n")
    path = large.folder / "notes" / "large.bin"
    path.parent.mkdir()
    with path.open("wb") as file:
        file.write(b"BIN1")
        file.truncate(104 * MEGABYTE)
    large = listed_again(large)
    peaks = [int(program(PUSH, str(release.folder), "-q")[-1]) for release in (small, large)]
    check_holds(hub, small, large)
    assert any(each.path.endswith("/complete") for each in hub.requests) == in_parts
    assert peaks[1] - peaks[0] < 80 * 1024, peaks


def listed_again(release: Release) -> Release:
    """A release whose manifest lists all files that lie there now."""
    manifest = replace(release.manifest, files=list_files(release.folder))
    (release.folder / MANIFEST).write_text(manifest.to_json())
    return Release.load(release.folder)
