"""Publishing a release over HTTP with the Hub's own client: one commit and its tag, repeated, raced, proposed."""

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hub_cases import CARD, REPO, as_user, changing, check_holds, files_of, make_release, start_hub, titles
from huggingface_hub import CommitOperationAdd, HfApi
from support import Run

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.releases.manifest import write_manifest
from benchwright.benchmarks.releases.release import Release
from benchwright.cards.hub.publish import Published, Target, publish
from benchwright.scripts.servers.hub.server import Hub, Received

KIND: dict[str, Any] = {"repo_type": "dataset"}


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with start_hub(tmp_path, monkeypatch) as hub:
        yield hub


@pytest.fixture
def first(tmp_path: Path) -> Release:
    return make_release(tmp_path, extra={"notes/height.json": b'{"text": "height of {}"}\n'})


@pytest.fixture
def second(tmp_path: Path) -> Release:
    """Other rows, one file less and one more."""
    return make_release(tmp_path, "1.1.0", taller=1, extra={"notes/depth.json": b'{"text": "depth of {}"}\n'})


def done(published: Published) -> tuple[str, str | None]:
    return published.state, published.tag


def refused(release: Release, **target: Any) -> str:
    with pytest.raises(BenchwrightError) as caught:
        publish(release, Target(**target))
    return str(caught.value)


def add(hub: Hub, path: str, content: bytes = b"mine", token: str = "hf_alice", **more: Any) -> Any:
    """A commit of somebody else's."""
    return as_user(hub, token).create_commit(
        REPO, [CommitOperationAdd(path, content)], commit_message=f"add {path}", **KIND, **more
    )


# ---- one push


def test_a_release_is_one_commit_and_a_tag(hub: Hub, first: Release) -> None:
    published = publish(first, Target())
    commit = hub.repository("dataset", REPO).commits()[0]
    assert published == Published(REPO, f"{hub.url}/datasets/{REPO}", "pushed", commit.id, "v1.0.0", is_private=True)
    check_holds(hub, first)
    assert sorted(files_of(first)) == [
        ".gitattributes",
        "README.md",
        "corpus/corpus-00000-of-00001.parquet",
        "manifest.json",
        "notes/height.json",
        "qrels/test-00000-of-00001.parquet",
        "queries/test-00000-of-00001.parquet",
        "questions/test-00000-of-00001.parquet",
    ]
    assert commit.message == f"8 questions, 4 corpus, 8 queries, 8 qrels; content {first.manifest.content_hash}"
    assert hub.repository("dataset", REPO).tags == {"v1.0.0": commit.id}
    asked = [re.sub(r"/lfs/.*", "/lfs/…", line).replace(f"/{commit.id}", "/COMMIT") for line in changing(hub)]
    assert [asked[0], *asked[-2:]] == [
        "POST /api/repos/create",
        f"POST /api/datasets/{REPO}/commit/main",
        f"POST /api/datasets/{REPO}/tag/COMMIT",
    ]
    assert "xet" not in "".join(asked)


def test_the_commit_names_its_parent(hub: Hub, first: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    create = HfApi.create_commit
    monkeypatch.setattr(HfApi, "create_commit", lambda *own, **named: given.update(named) or create(*own, **named))
    publish(first, Target())
    assert given["parent_commit"] == hub.repository("dataset", REPO).commits()[1].id


def test_the_command(hub: Hub, first: Release, run: Run) -> None:
    pushed = run("publish-benchmark", first.folder)
    commit = hub.repository("dataset", REPO).commits()[0].id[:12]
    assert (pushed.returncode, pushed.stdout, pushed.stderr) == (
        0,
        f"{hub.url}/datasets/{REPO}\n",
        f"{REPO} (private): pushed, commit {commit}, tag v1.0.0\n",
    )
    check_holds(hub, first)
    assert not any("xet" in each.path for each in hub.requests)
    since = len(hub.requests)
    again = run("publish-benchmark", first.folder)
    assert (again.returncode, again.stdout, again.stderr) == (
        0,
        pushed.stdout,
        f"{REPO} (private): there already, commit {commit}, tag v1.0.0\n",
    )
    assert changing(hub, since) == ["POST /api/repos/create"]
    quiet = run("publish-benchmark", first.folder, "-q")
    assert (quiet.stdout, quiet.stderr) == (pushed.stdout, "")
    check_holds(hub, first)


def test_over_xet(hub: Hub, first: Release, second: Release, run: Run) -> None:
    """As the Hub itself takes files; its own pipeline for folders would make several commits."""
    for release in (first, second):
        assert run("publish-benchmark", release.folder, env={"HF_HUB_DISABLE_XET": "0"}).returncode == 0
    check_holds(hub, first, second)
    assert any("xet-write-token" in each.path for each in hub.requests)
    assert not any("/lfs/" in each.path for each in hub.requests)


def test_two_processes_at_once(hub: Hub, first: Release, run: Run) -> None:
    with ThreadPoolExecutor(2) as pool:
        pushes = list(pool.map(lambda _: run("publish-benchmark", first.folder), range(2)))
    assert [push.returncode for push in pushes] == [0, 0]
    said = [re.search(r"\): (.*), commit (\w+), tag v1\.0\.0\n\Z", push.stderr) for push in pushes]
    assert all(said) and len({each[2] for each in said if each}) == 1, "both name the one commit"
    states = sorted(each[1] for each in said if each)
    # the client makes no commit where another has made the same one meanwhile, and does not tell that it was not ours
    assert states in (["completed", "pushed"], ["pushed", "there already"], ["pushed", "pushed"])
    check_holds(hub, first)


def test_elsewhere_and_public(hub: Hub, first: Release, run: Run) -> None:
    told = ["--repo-id", "team/towers", "--public", "--endpoint", f"{hub.url}/"]
    pushed = run("publish-benchmark", first.folder, *told, env={"HF_ENDPOINT": "http://127.0.0.1:9"})
    commit = hub.repository("dataset", "team/towers").commits()[0].id[:12]
    assert (pushed.returncode, pushed.stdout, pushed.stderr) == (
        0,
        f"{hub.url}/datasets/team/towers\n",
        f"team/towers (public): pushed, commit {commit}, tag v1.0.0\n",
    )
    check_holds(hub, first, repo_id="team/towers")
    assert not hub.repository("dataset", "team/towers").private
    assert "whoami" not in "".join(each.path for each in hub.requests)


def test_what_a_repository_is_it_stays(hub: Hub, first: Release, second: Release, run: Run) -> None:
    publish(first, Target())
    asked = run("publish-benchmark", second.folder, "--public")
    assert asked.stderr.splitlines()[0] == f"{REPO} is private and stays so: change that in its settings on the Hub"
    assert hub.repository("dataset", REPO).private
    as_user(hub).update_repo_settings(REPO, private=False, **KIND)
    again = run("publish-benchmark", second.folder)
    assert again.stderr.splitlines()[0] == f"{REPO} was public already"
    assert not hub.repository("dataset", REPO).private


def test_dry_run(hub: Hub, first: Release, run: Run) -> None:
    told = ["--dry-run", "--repo-id", REPO]
    said = run("publish-benchmark", first.folder, *told, env={"HF_TOKEN": "", "HF_ENDPOINT": "http://127.0.0.1:9"})
    sizes = {path: entry["bytes"] for path, entry in first.manifest.files.items()}
    sizes["manifest.json"] = (first.folder / "manifest.json").stat().st_size
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.splitlines() == [
        *(f"{size:>13,}  {path}" for path, size in sizes.items()),
        f"{sum(sizes.values()):>13,}  bytes in 7 files",
        f"to {REPO} (private if new), tag v1.0.0, one commit:",
        "lights 1.0.0",
        "",
        f"8 questions, 4 corpus, 8 queries, 8 qrels; content {first.manifest.content_hash}",
    ]
    own = run("publish-benchmark", first.folder, "--dry-run", "--public")
    assert "to YOU/lights (public if new), tag v1.0.0, one commit:" in own.stdout.splitlines()
    assert hub.requests == []


def test_a_file_that_is_not_whole_is_not_pushed(hub: Hub, first: Release, run: Run) -> None:
    path = first.folder / "questions" / "test-00000-of-00001.parquet"
    path.write_bytes(path.read_bytes()[:-1])
    how = "build the release again, or verify it with verify-benchmark"
    for more in ([], ["--dry-run"]):
        said = run("publish-benchmark", first.folder, *more)
        assert (said.returncode, said.stderr) == (1, f"error: {path} is not what the manifest says: {how}\n")
    path.unlink()
    assert refused(first) == f"{path} is not what the manifest says: {how}"
    assert hub.requests == []


# ---- versions


def test_a_second_version(hub: Hub, first: Release, second: Release) -> None:
    publish(first, Target())
    assert done(publish(second, Target())) == ("pushed", "v1.1.0")
    check_holds(hub, first, second)
    assert "notes/height.json" not in hub.repository("dataset", REPO).files()
    assert done(publish(first, Target())) == ("there already", "v1.0.0")
    assert done(publish(second, Target())) == ("there already", "v1.1.0")
    check_holds(hub, first, second)


def test_what_others_added_stays(hub: Hub, first: Release, second: Release) -> None:
    publish(first, Target())
    add(hub, "eval.yaml")
    publish(second, Target())
    repository = hub.repository("dataset", REPO)
    assert repository.files().keys() == {*files_of(second), "eval.yaml"}
    assert repository.read("v1.1.0", "eval.yaml") == b"mine"
    assert titles(hub) == ["lights 1.1.0", "add eval.yaml", "lights 1.0.0", "initial commit"]


def test_what_others_deleted_is_not_deleted_again(hub: Hub, first: Release, second: Release) -> None:
    publish(first, Target())
    as_user(hub).delete_file("notes/height.json", REPO, **KIND)
    publish(second, Target())
    assert hub.repository("dataset", REPO).files("v1.1.0") == files_of(second)


@pytest.mark.parametrize(
    ("version", "changed", "line"),
    [
        ("1.0.0", {"taller": 2}, "v1.0.0 with other content, and a version is never changed: build this as --as-version 2.0.0"),
        ("1.0.0", {"card": CARD + "More.\n"}, "v1.0.0 with another card or manifest, and a version is never changed: build this as --as-version 1.0.1"),
        ("1.0.0", {"checks": {"proved": 8}}, "v1.0.0 with another card or manifest, and a version is never changed: build this as --as-version 1.0.1"),
        ("0.9.9", {}, "1.0.0 already, and 0.9.9 would put an older one in its place: build this as --as-version 1.0.1 or higher"),
    ],
)  # fmt: skip
def test_refused_versions(
    hub: Hub, first: Release, tmp_path: Path, version: str, changed: dict[str, Any], line: str
) -> None:
    publish(first, Target())
    extra = {"notes/height.json": (first.folder / "notes" / "height.json").read_bytes()}
    checks = changed.pop("checks", None)
    other = make_release(tmp_path / "other", version, extra=extra, **changed)
    if checks:
        path = other.folder / "manifest.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), "checks": checks}))
        other = Release.load(other.folder)
    assert refused(other) == f"{REPO} has {line}"
    check_holds(hub, first)


def test_a_version_that_is_free_is_named(hub: Hub, first: Release, second: Release, tmp_path: Path) -> None:
    publish(first, Target())
    publish(second, Target())
    assert refused(make_release(tmp_path / "other", taller=2)).endswith("build this as --as-version 2.0.0")
    assert refused(make_release(tmp_path / "card", "1.1.0", taller=1)).endswith("build this as --as-version 1.1.1")
    publish(make_release(tmp_path, "2.0.0", taller=2), Target())
    assert refused(make_release(tmp_path / "third", taller=3)).endswith("build this as --as-version 3.0.0")


def test_a_version_with_the_same_files_is_another(hub: Hub, tmp_path: Path) -> None:
    older, newer = (make_release(tmp_path, version, card="# lights\n") for version in ("1.0.0", "1.0.1"))
    publish(older, Target())
    assert done(publish(newer, Target())) == ("pushed", "v1.0.1")
    check_holds(hub, older, newer)


def test_an_older_version_does_not_replace_one_without_its_tag(hub: Hub, first: Release, second: Release) -> None:
    publish(second, Target())
    as_user(hub).delete_tag(REPO, tag="v1.1.0", **KIND)
    assert refused(first).startswith(f"{REPO} has 1.1.0 already, and 1.0.0 would put an older one in its place")
    assert done(publish(second, Target())) == ("completed", "v1.1.0")
    check_holds(hub, second)


def test_other_tags_count_for_nothing(hub: Hub, first: Release) -> None:
    as_user(hub).create_repo(REPO, **KIND)
    for tag in ("v9", "v9.0", "vx.y.z", "9.9.9", "v1.0.0-rc.1"):
        as_user(hub).create_tag(REPO, tag=tag, **KIND)
    assert done(publish(first, Target())) == ("pushed", "v1.0.0")


def test_completing_tags_the_commit_of_the_release(hub: Hub, first: Release) -> None:
    pushed = publish(first, Target())
    as_user(hub).delete_tag(REPO, tag="v1.0.0", **KIND)
    add(hub, "eval.yaml")
    completed = publish(first, Target())
    assert (done(completed), completed.commit) == (("completed", "v1.0.0"), pushed.commit)
    assert hub.repository("dataset", REPO).files("v1.0.0") == files_of(first)


@pytest.mark.parametrize("content", [b"{}", b"[]", b"no JSON", b'{"files": ["a"]}', b'{"files": {"other": 1}}'])
def test_another_manifest(hub: Hub, first: Release, content: bytes) -> None:
    """A file of that name that is not ours: replaced as any file is."""
    as_user(hub).create_repo(REPO, **KIND)
    add(hub, "manifest.json", content)
    assert done(publish(first, Target())) == ("pushed", "v1.0.0")
    assert hub.repository("dataset", REPO).files("v1.0.0") == files_of(first)


def test_what_the_hub_does_not_take_is_noticed(hub: Hub, first: Release) -> None:
    """The client leaves out, in silence, what the repository's `.gitignore` names."""
    as_user(hub).create_repo(REPO, **KIND)
    add(hub, ".gitignore", b"notes/\n")
    for _ in range(2):
        assert refused(first) == (
            f"{REPO} did not take notes/height.json: look whether its .gitignore names it; there is no tag v1.0.0 yet"
        )
        assert hub.repository("dataset", REPO).tags == {}


# ---- at once


def test_the_same_release_twice_at_once(hub: Hub, first: Release) -> None:
    for number in range(5):
        repo_id = f"alice/lights-{number}"
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda _, name=repo_id: publish(first, Target(name)), range(2)))
        # The Hub's client makes no commit of what is there, and does not tell whose it is: both may say "pushed".
        assert "pushed" in {each.state for each in found} <= {"pushed", "completed", "there already"}
        assert len(titles(hub, repo_id=repo_id)) == 2
        assert {each.commit for each in found} == {hub.repository("dataset", repo_id).tags["v1.0.0"]}
        check_holds(hub, first, repo_id=repo_id)


def test_two_versions_at_once(hub: Hub, first: Release, second: Release) -> None:
    for number in range(5):
        repo_id = f"alice/lights-{number}"
        with ThreadPoolExecutor(2) as pool:
            pushes = [pool.submit(publish, release, Target(repo_id)) for release in (first, second)]
        assert done(pushes[1].result()) == ("pushed", "v1.1.0")
        error = pushes[0].exception()
        if error is None:
            check_holds(hub, first, second, repo_id=repo_id)
        else:
            check_holds(hub, second, repo_id=repo_id)
            assert str(error).startswith(f"{repo_id} has 1.1.0 already, and 1.0.0 would put an older one in its place")


def before(hub: Hub, wanted: str, act: Callable[[], Any], times: int = 1) -> list[str]:
    """Does something just before a request that is part of a push; returns a list that tells how often."""
    acted: list[str] = []

    def look(request: Received) -> None:
        if wanted in f"{request.method} {request.path}" and request.user == "alice" and len(acted) < times:
            acted.append(request.path)
            act()

    hub.fault_for = look
    return acted


def test_a_commit_between_our_look_and_ours(hub: Hub, first: Release, second: Release) -> None:
    publish(first, Target())
    others = iter(range(9))
    acted = before(hub, f"POST /api/datasets/{REPO}/commit", lambda: _commit_past_the_hook(hub, f"{next(others)}.txt"))
    assert done(publish(second, Target())) == ("pushed", "v1.1.0")
    assert len(acted) == 1
    assert titles(hub) == ["lights 1.1.0", "add 0.txt", "lights 1.0.0", "initial commit"]
    assert hub.repository("dataset", REPO).files("v1.1.0").keys() == {*files_of(second), "0.txt"}


def _commit_past_the_hook(hub: Hub, path: str) -> None:
    """Another client's commit; the hook looks at no request of its."""
    hook, hub.fault_for = hub.fault_for, None
    add(hub, path)
    hub.fault_for = hook


def test_commits_without_end(hub: Hub, first: Release) -> None:
    as_user(hub).create_repo(REPO, **KIND)
    others = iter(range(9))
    acted = before(
        hub, f"POST /api/datasets/{REPO}/commit", lambda: _commit_past_the_hook(hub, f"{next(others)}.txt"), 9
    )
    assert refused(first) == f"{REPO} was changed by somebody else in the meantime: look at it, then push again"
    assert len(acted) == 3
    hub.fault_for = None
    assert done(publish(first, Target())) == ("pushed", "v1.0.0")


def test_the_same_version_with_other_content_meanwhile(hub: Hub, first: Release, tmp_path: Path) -> None:
    other = make_release(tmp_path / "other", taller=5)

    def push_other() -> None:
        hub.fault_for = None
        publish(other, Target())

    before(hub, f"POST /api/datasets/{REPO}/commit", push_other)
    assert refused(first) == (
        f"{REPO} has v1.0.0 with other content, and a version is never changed: build this as --as-version 2.0.0"
    )
    check_holds(hub, other)


def test_a_tag_of_somebody_else_meanwhile(hub: Hub, first: Release) -> None:
    def tag_first_commit() -> None:
        hub.fault_for = None
        start = hub.repository("dataset", REPO).commits()[-1].id
        as_user(hub).create_tag(REPO, tag="v1.0.0", revision=start, **KIND)

    before(hub, f"POST /api/datasets/{REPO}/tag", tag_first_commit)
    assert refused(first) == f"{REPO} got the tag v1.0.0 on another commit meanwhile: look at it"
    assert refused(first) == (
        f"{REPO} has v1.0.0 with other content, and a version is never changed: build this as --as-version 2.0.0"
    )


# ---- pull requests


def test_a_pull_request(hub: Hub, first: Release, run: Run) -> None:
    as_user(hub).create_repo(REPO, **KIND)
    told = ["publish-benchmark", first.folder, "--repo-id", REPO, "--create-pr"]
    proposed = run(*told, env={"HF_TOKEN": "hf_bob"})
    repository = hub.repository("dataset", REPO)
    commit = repository.refs["refs/pr/1"]
    assert (proposed.returncode, proposed.stdout, proposed.stderr) == (
        0,
        f"{hub.url}/datasets/{REPO}/discussions/1\n",
        f"{REPO} (public): pull request, commit {commit[:12]}\n",
    )
    assert repository.files("refs/pr/1") == files_of(first)
    assert (titles(hub), repository.tags) == (["initial commit"], {})

    since = len(hub.requests)
    again = publish(first, Target(REPO, create_pr=True, token="hf_bob"))
    assert (again.state, again.commit, again.tag, again.url) == (
        "pull request",
        commit,
        None,
        f"{hub.url}/datasets/{REPO}/discussions/1",
    )
    assert changing(hub, since) == [] and list(repository.discussions) == [1]

    as_user(hub).merge_pull_request(REPO, 1, **KIND)
    merged = publish(first, Target(REPO, create_pr=True, token="hf_bob"))
    assert (merged.state, merged.tag) == ("there already", None)
    owner = run("publish-benchmark", first.folder)
    assert (
        owner.stderr
        == f"{REPO} was public already\n{REPO} (public): completed, commit {merged.commit[:12]}, tag v1.0.0\n"
    )
    assert repository.files("v1.0.0") == files_of(first)
    assert list(repository.tags) == ["v1.0.0"] and list(repository.discussions) == [1]
    tagged = publish(first, Target(REPO, create_pr=True, token="hf_bob"))
    assert done(tagged) == ("there already", "v1.0.0")


def test_a_pull_request_that_was_closed_is_opened_anew(hub: Hub, first: Release) -> None:
    as_user(hub).create_repo(REPO, **KIND)
    target = Target(REPO, create_pr=True, token="hf_bob")
    publish(first, target)
    as_user(hub).change_discussion_status(REPO, 1, "closed", **KIND)
    assert publish(first, target).url == f"{hub.url}/datasets/{REPO}/discussions/2"


def test_a_pull_request_of_a_version_after_another(hub: Hub, first: Release, second: Release) -> None:
    publish(first, Target(public=True))
    publish(second, Target(REPO, create_pr=True, token="hf_bob"))
    repository = hub.repository("dataset", REPO)
    assert repository.files("refs/pr/1") == files_of(second)
    as_user(hub).merge_pull_request(REPO, 1, **KIND)
    assert done(publish(second, Target())) == ("completed", "v1.1.0")
    assert repository.files("v1.1.0") == files_of(second) and repository.files("v1.0.0") == files_of(first)


# ---- other people's data, and answers that are held out


SHIPPED = [{"uri": "sqlite:///towers.sqlite", "sha256": "0" * 64, "rows_shipped": "all"}]
HOW = "leave out --public, or add --allow-source-data if you may publish them"
THEIRS = f"lights holds rows of data that it did not make: {HOW}"


@pytest.mark.parametrize("shipped", ["all", "touched"])
def test_rows_of_others_stay_private(hub: Hub, tmp_path: Path, run: Run, shipped: str) -> None:
    release = make_release(tmp_path, sources=[{**SHIPPED[0], "rows_shipped": shipped}])
    for more in ([], ["--dry-run"]):
        said = run("publish-benchmark", release.folder, "--public", *more)
        assert (said.returncode, said.stdout, said.stderr) == (2, "", f"error: {THEIRS}\n")
    assert hub.requests == []
    assert publish(release, Target()).is_private
    assert hub.repository("dataset", REPO).private
    allowed = publish(release, Target("alice/open", public=True, allow_source_data=True))
    assert (done(allowed), allowed.is_private) == (("pushed", "v1.0.0"), False)


def test_a_database_that_was_shipped_whole(hub: Hub, run: Run, company: Path, tmp_path: Path) -> None:
    """As `build-benchmark` makes it, with the card that people see."""
    sets = ["--set", f"database=sqlite:///{company}", "--set", "ship=all"]
    built = run("build-benchmark", "grammar", *sets, "-q")
    assert (built.returncode, built.stderr) == (0, "")
    public = run("publish-benchmark", "grammar", "--public")
    assert (public.returncode, public.stderr) == (2, f"error: {THEIRS.replace('lights', 'grammar', 1)}\n")
    assert hub.requests == []
    pushed = run("publish-benchmark", "grammar")
    scoring, done = pushed.stderr.splitlines()
    assert scoring == "scoring the built-in baselines for the card (--no-baselines leaves them out)"
    assert re.fullmatch(r"alice/grammar \(private\): pushed, commit [0-9a-f]{12}, tag v\d+\.\d+\.\d+", done)
    release = Release.load(tmp_path / built.stdout.strip())
    there, ours = hub.repository("dataset", "alice/grammar").files("v1.0.0"), files_of(release)
    assert set(there) == {*ours, "baselines.json"}
    assert {path for path, sha256 in ours.items() if there[path] != sha256} == {"README.md", "manifest.json"}


def test_what_does_not_hold_is_not_pushed(hub: Hub, first: Release) -> None:
    """A forger's release, or one that a defect made: its hashes are right, and an answer is not."""
    wrong = make_release(first.folder.parents[1], "1.1.0", change=lambda question: replace(question, answers=("7 km",)))
    said = refused(wrong)
    assert said.startswith("lights 1.1.0 is not pushed, for it does not hold (evidence: question ")
    assert said.endswith(f", and 7 more): verify-benchmark {wrong.folder} names what is wrong; build it again")
    assert titles(hub) == ["initial commit"]


def test_rows_of_others_do_not_go_where_all_can_read(hub: Hub, tmp_path: Path) -> None:
    release = make_release(tmp_path, sources=SHIPPED)
    as_user(hub).create_repo(REPO, **KIND)
    for target in (Target(), Target(REPO, create_pr=True), Target(REPO, create_pr=True, token="hf_bob")):
        since = len(hub.requests)
        with pytest.raises(UsageError) as caught:
            publish(release, target)
        assert str(caught.value) == THEIRS
        assert set(changing(hub, since)) <= {"POST /api/repos/create"}
    repository = hub.repository("dataset", REPO)
    assert (titles(hub), list(repository.discussions), repository.lfs_objects) == (["initial commit"], [], set())
    assert done(publish(release, Target(allow_source_data=True))) == ("pushed", "v1.0.0")


def test_no_rows_of_others_may_be_public(hub: Hub, tmp_path: Path) -> None:
    release = make_release(tmp_path, sources=[{**SHIPPED[0], "rows_shipped": "none"}, {"uri": "https://x"}])
    assert not publish(release, Target(public=True)).is_private


PRIVATE = {"share": 0.5, "public": "beacons", "public_content_hash": "0" * 64, "secret": "5" * 64}


def test_answers_that_are_held_out_stay_private(hub: Hub, tmp_path: Path) -> None:
    release = make_release(tmp_path, holdout=PRIVATE)
    said = "lights holds held-out answers and their secret: leave out --public"
    assert refused(release, public=True) == said
    assert hub.requests == []
    as_user(hub).create_repo(REPO, **KIND)
    assert refused(release) == refused(release, repo_id=REPO, create_pr=True) == said
    assert titles(hub) == ["initial commit"]


@pytest.mark.parametrize("version", ["1.0.0", "2.0.0"])
def test_the_advice_about_another_benchmark_works(
    hub: Hub, run: Run, first: Release, version: str, tmp_path: Path
) -> None:
    """Also where its version is a tag there: a higher version of it would be of no use."""
    publish(first, Target())
    other = make_release(tmp_path / "other", version, taller=3)
    write_manifest(other.folder, replace(other.manifest, name="towers"))
    said = run("publish-benchmark", other.folder, "--repo-id", REPO)
    advice = f"{REPO} holds the benchmark lights, not towers: choose another repository, such as --repo-id alice/towers"
    assert (said.returncode, said.stdout, said.stderr) == (1, "", f"error: {advice}\n")
    check_holds(hub, first)
    followed = run("publish-benchmark", other.folder, *advice.partition("such as ")[2].split())
    assert followed.returncode == 0, followed.stderr
    assert hub.repository("dataset", "alice/towers").tags.keys() == {f"v{version}"}
