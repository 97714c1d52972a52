"""A card that is pushed names its repository in every line that is copied, and is rendered for each repository."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from built import Built, copy_release
from card_cases import aurp_private, aurp_public, library
from hub_cases import REPO, as_user, make_release, start_hub
from support import Run

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.baseline_figures import FILE, BaselineFigures, baselines_text, parse_baselines
from benchwright.benchmarks.releases.find import open_release
from benchwright.benchmarks.releases.manifest import CARD, list_files, write_manifest
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.baselines import measure_baselines
from benchwright.cards.dataset.card import is_rendered_here, render_for, repository_of
from benchwright.cards.hub.publish import Target, publish
from benchwright.scripts.servers.hub.server import Hub

Measure = Callable[[Release], BaselineFigures]


def aurp(built: Built) -> Release:
    """A small Aurp."""
    return built.release("aurp", size="paper", forms="short", wordings=1)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with start_hub(tmp_path, monkeypatch) as hub:
        yield hub


@pytest.fixture
def scored(built: Built) -> Measure:
    """Figures of baselines, measured once a release and session."""

    def figures(release: Release) -> BaselineFigures:
        def measure(root: Path) -> None:
            (root / FILE).write_text(baselines_text(measure_baselines(release)), encoding="utf-8")

        folder = built.folder(f"baselines-{release.manifest.content_hash[:12]}", measure)
        return parse_baselines((folder / FILE).read_bytes(), FILE)

    return figures


def pushed(hub: Hub, repo_id: str, path: str, revision: str = "v1.0.0") -> str:
    """A file of a repository."""
    place = as_user(hub).hf_hub_download(repo_id, path, repo_type="dataset", revision=revision)
    return Path(place).read_text(encoding="utf-8")


def copied(card: str) -> list[str]:
    """The lines of a card that readers copy: code, and commands in the text."""
    commands = ("load_dataset(", "score-system ", "verify-benchmark ", "publish-benchmark ")
    return [line for line in card.splitlines() if any(command in line for command in commands)]


def test_each_repository_gets_its_own(hub: Hub, scored: Measure, built: Built, tmp_path: Path) -> None:
    release = aurp(built)
    before = list_files(release.folder)
    for repo_id in ("alice/aurp", "team/firm"):
        publish(release, Target(repo_id), scored)
        card = pushed(hub, repo_id, CARD)
        assert card == render_for(release, repo_id, parse_baselines(pushed(hub, repo_id, FILE).encode(), FILE))
        assert repository_of(card) == repo_id
        assert copied(card) and all(repo_id in line for line in copied(card) if "predictions.jsonl" not in line)
        assert "NAMESPACE" not in card and "releases/aurp" not in card
        there, ours = json.loads(pushed(hub, repo_id, "manifest.json")), json.loads(release.manifest.to_json())
        assert there["content_hash"] == ours["content_hash"]
        assert there["files"].pop(CARD) != ours["files"].pop(CARD)
        assert there["files"].pop(FILE)["bytes"] and FILE not in ours["files"]
        assert there == ours
    assert list_files(release.folder) == before
    assert repository_of(render_for(release, None)) is None


def test_pushing_again_does_nothing(hub: Hub, built: Built) -> None:
    release = library(built)
    first = publish(release, Target("alice/library"))
    again = publish(release, Target("alice/library"))
    assert (first.state, again.state, again.commit) == ("pushed", "there already", first.commit)
    as_user(hub).delete_tag("alice/library", tag="v1.0.0", repo_type="dataset")
    completed = publish(release, Target("alice/library"))
    assert (completed.state, completed.commit) == ("completed", first.commit)


def never(release: Release) -> BaselineFigures:
    raise AssertionError(f"{release.manifest.name} is asked anew")


def test_baselines_are_scored_once(hub: Hub, scored: Measure, built: Built, tmp_path: Path) -> None:
    release = aurp(built)
    first = publish(release, Target("alice/aurp"))
    assert json.loads(pushed(hub, "alice/aurp", FILE)) == json.loads(baselines_text(scored(release)))
    for measure in (never, None):
        again = publish(release, Target("alice/aurp"), measure)
        assert (again.state, again.commit) == ("there already", first.commit)
    as_user(hub).delete_tag("alice/aurp", tag="v1.0.0", repo_type="dataset")
    assert publish(release, Target("alice/aurp"), never).state == "completed", "a push that was cut before its tag"
    fetched = open_release("alice/aurp@1.0.0", tmp_path / "nothing")
    assert publish(fetched, Target("alice/copy"), never).state == "pushed", "they come with the release"
    assert pushed(hub, "alice/copy", FILE) == pushed(hub, "alice/aurp", FILE)
    patch = with_version(release, tmp_path / "patch", "1.0.1")
    assert publish(patch, Target("alice/aurp"), never).state == "pushed", "the same content has the same figures"
    assert pushed(hub, "alice/aurp", FILE, "v1.0.1") == pushed(hub, "alice/aurp", FILE)


def test_a_push_without_baselines(hub: Hub, scored: Measure, built: Built, tmp_path: Path) -> None:
    release = aurp(built)
    first = publish(release, Target("alice/aurp"), None)
    assert FILE not in as_user(hub).list_repo_files("alice/aurp", repo_type="dataset")
    card = pushed(hub, "alice/aurp", CARD)
    assert card == render_for(release, "alice/aurp") and "None was scored" in card
    again = publish(release, Target("alice/aurp"), never)
    assert (again.state, again.commit) == ("there already", first.commit), "what is there is not changed"
    patch = with_version(release, tmp_path / "patch", "1.0.1")
    assert publish(patch, Target("alice/aurp"), scored).state == "pushed"
    assert "| `bm25` |" in pushed(hub, "alice/aurp", CARD, "v1.0.1"), "the next version gets them"


def test_a_private_half_is_not_scored(hub: Hub, built: Built) -> None:
    private = aurp_private(built)
    assert publish(private, Target("alice/aurp-private"), never).state == "pushed"
    assert FILE not in as_user(hub).list_repo_files("alice/aurp-private", repo_type="dataset")


def test_baselines_that_cannot_be_asked(hub: Hub, built: Built, caplog: pytest.LogCaptureFixture) -> None:
    def refused(release: Release) -> BaselineFigures:
        raise BenchwrightError("it has no split test")

    assert publish(aurp(built), Target("alice/aurp"), refused).state == "pushed"
    assert "the card has no figures of baselines: it has no split test" in caplog.text
    assert "None was scored" in pushed(hub, "alice/aurp", CARD)


def with_version(release: Release, folder: Path, version: str) -> Release:
    """The same content as another version."""
    copy = copy_release(release, folder)
    changed = Release(copy.folder, replace(copy.manifest, version=version))
    (copy.folder / CARD).write_text(render_for(changed, None), encoding="utf-8")
    write_manifest(copy.folder, replace(changed.manifest, files=list_files(copy.folder)))
    return Release.load(copy.folder)


@pytest.mark.parametrize("make", [aurp, aurp_public, library], ids=lambda make: make.__name__)
def test_what_was_pushed_proves(hub: Hub, scored: Measure, built: Built, tmp_path: Path, make: object) -> None:
    release = make(built)  # type: ignore[operator]
    publish(release, Target("alice/proved"), scored)
    fetched = open_release("alice/proved@1.0.0", tmp_path / "nothing")
    found = verify_release(fetched)
    assert found.problems == []
    assert is_rendered_here(fetched), "with the repository that the card names"
    assert publish(fetched, Target("alice/proved")).state == "there already"
    assert publish(fetched, Target("team/elsewhere")).state == "pushed"
    assert repository_of(pushed(hub, "team/elsewhere", CARD)) == "team/elsewhere"


def test_its_place_is_no_difference(hub: Hub, scored: Measure, built: Built, tmp_path: Path, run: Run) -> None:
    release = aurp(built)
    publish(release, Target("alice/aurp"), scored)
    same = run("publish-benchmark", "alice/aurp", "--diff", release.folder)
    assert same.stdout == "aurp 1.0.0 → aurp 1.0.0: nothing changed\n", same
    other = with_card(release, tmp_path / "other", render_for(release, None) + "More.\n")
    changed = run("publish-benchmark", "alice/aurp", "--diff", other.folder)
    assert changed.stdout.splitlines()[1:] == ["1 files changed: README.md"]


def with_card(release: Release, root: Path, card: str) -> Release:
    """A copy with another card, which its manifest names."""
    copy = copy_release(release, root)
    (copy.folder / CARD).write_text(card, encoding="utf-8")
    write_manifest(copy.folder, replace(copy.manifest, files=list_files(copy.folder)))
    return Release.load(copy.folder)


def test_a_later_program_leaves_a_card_that_is_there(
    hub: Hub,
    scored: Measure,
    built: Built,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same folder pushed again after an update: nothing to do. Built anew, its card is another one."""
    release = aurp(built)
    publish(release, Target("alice/aurp"), scored)
    monkeypatch.setattr("benchwright.cards.dataset.card.install_command", lambda: "pip install lighthouse")
    assert publish(release, Target("alice/aurp")).state == "there already"
    assert caplog.messages[-1] == "alice/aurp v1.0.0 keeps its card, which another version of this program made"
    rebuilt = with_card(release, tmp_path, render_for(release, None))
    with pytest.raises(BenchwrightError, match=r"another card or manifest.*--as-version 1\.0\.1"):
        publish(rebuilt, Target("alice/aurp"))


def test_a_card_that_cannot_be_rendered_stays_as_it_is(
    hub: Hub, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    plain = make_release(tmp_path)
    publish(plain, Target())
    assert pushed(hub, REPO, CARD) == (plain.folder / CARD).read_text(encoding="utf-8")
    assert caplog.messages == []
    foreign = make_release(tmp_path / "other", card="---\nlicense: mit\n---\nreleases/lights/VERSION\n")
    publish(foreign, Target("alice/foreign"))
    (said,) = caplog.messages
    assert said.startswith("the card stays as it is, and does not name alice/foreign: there is no benchmark 'lights'")


def test_a_release_whose_card_cannot_be_made_is_not_pushed(hub: Hub, built: Built, run: Run, tmp_path: Path) -> None:
    counted = aurp(built)
    odd = copy_release(counted, tmp_path / "odd")
    write_manifest(odd.folder, replace(counted.manifest, checks={}))
    problem = "card: the card of aurp cannot be made, for the manifest's checks lack what it counts: documents_checked"
    said = rf"^aurp 1\.0\.0 is not pushed, for it does not hold \({re.escape(problem)}\): verify-benchmark "
    with pytest.raises(BenchwrightError, match=said):
        publish(Release.load(odd.folder), Target("alice/odd"))
    assert [commit.title for commit in as_user(hub).list_repo_commits("alice/odd", repo_type="dataset")] == [
        "initial commit"
    ]
    verified = run("verify-benchmark", odd.folder)
    assert verified.returncode == 1
    assert problem in verified.stdout + verified.stderr


def test_a_dry_run_counts_the_card_as_it_will_be(hub: Hub, built: Built, run: Run) -> None:
    release = aurp(built)
    said = run("publish-benchmark", release.folder, "--repo-id", "alice/aurp", "--dry-run").stdout
    size = next(int(line.split()[0].replace(",", "")) for line in said.splitlines() if line.endswith("  README.md"))
    assert size == len(render_for(release, "alice/aurp").encode()) != len(render_for(release, None).encode())


@pytest.mark.parametrize(
    ("urls", "wanted"),
    [
        (None, None),
        (["Homepage, https://example.org"], None),
        (["Homepage, https://example.org", "Repository, https://example.org/b"], "https://example.org/b"),
    ],
)
def test_how_to_install_is_read_from_the_package(
    built: Built, monkeypatch: pytest.MonkeyPatch, urls: list[str] | None, wanted: str | None
) -> None:
    told = SimpleNamespace(get_all=lambda name: urls)
    monkeypatch.setattr("benchwright.cards.dataset.install.metadata", lambda name: told)
    card = render_for(aurp(built), "alice/aurp")
    assert ("in a checkout of its source, run `pip install .`" in card) == (wanted is None)
    assert (f'\npip install "benchwright @ git+{wanted}"\n' in card) == (wanted is not None)
