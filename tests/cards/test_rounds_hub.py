"""A round on the test Hub, from its announcement to its proof, with teams that keep the rules and teams that do not.

The Hub's clock is put forward; nobody waits.
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hub_cases import as_user, make_release, start_hub
from huggingface_hub import CommitOperationAdd, HfApi

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.leaderboards.check_run import check_runs
from benchwright.benchmarks.leaderboards.package import write_package
from benchwright.benchmarks.leaderboards.rounds.files import Outcome, TeamCommitment, read_outcome, to_bytes
from benchwright.benchmarks.leaderboards.rounds.places import commitment_path, submission_folder
from benchwright.benchmarks.leaderboards.system_file import SystemFile
from benchwright.benchmarks.releases.fetch import fetch_release
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.cards.hub.publish import Target, publish
from benchwright.cards.leaderboard.create import NewBoard, create_board
from benchwright.cards.leaderboard.hub import BoardRepository
from benchwright.cards.leaderboard.publish import Keeping, keep_board
from benchwright.cards.leaderboard.round_close import Closed, close_round
from benchwright.cards.leaderboard.round_open import NewRound, Opened, open_round
from benchwright.cards.leaderboard.round_submit import TookPart, take_part
from benchwright.cards.leaderboard.round_verify import OF_TEAMS, ScoredRound
from benchwright.scripts.options.editions import build_edition
from benchwright.scripts.servers.hub.server import Hub, Token

BOARD, ROUND = "alice/board", "aurp-round-1"
SMALL = {"size": "10", "wordings": "1", "forms": "short", "groups": "40"}
TEAMS = ("bob", "carol", "dave", "erin", "frank", "gina")
HOUR = 3_600.0
NEW = NewRound("aurp", settings=SMALL, closes="1h", reveal="1h")


@dataclass
class Scene:
    """A Hub with a leaderboard, and who acts on it."""

    hub: Hub
    root: Path
    patch: pytest.MonkeyPatch

    def board(self, user: str = "alice") -> BoardRepository:
        """The leaderboard, as a user."""
        self.patch.setenv("HF_TOKEN", f"hf_{user}")
        return BoardRepository(BOARD, self.hub.url, f"hf_{user}")

    def api(self, user: str) -> HfApi:
        """The Hub's client, as a user."""
        return as_user(self.hub, f"hf_{user}")

    def open(self, releases: str = "releases") -> Opened:
        """Opens the round, or goes on with it."""
        return open_round(self.board(), NEW, Keeping(releases=self.root / releases), build_edition)

    def close(self, releases: str = "releases") -> Closed:
        """Closes it."""
        return close_round(self.board(), ROUND, Keeping(releases=self.root / releases), build_edition)

    def run(self, user: str, public: Release, system: str = "keyword") -> Path:
        """A run of a user on the edition."""
        output = self.root / user
        return score_system(public, system, output=output, name="run", options=Options(split="heldout")).folder

    def take_part(self, user: str, run: Path, public: Release) -> TookPart:
        """What submit-system does."""
        said = SystemFile(name=f"RAG of {user}", authors=(user,), openness="closed", retriever="words")

        def pack(folder: Path) -> None:
            write_package(check_runs(run, public), said, folder)

        return take_part(self.board(user), ROUND, run, pack)

    def propose(self, user: str, files: dict[str, bytes | str], pull: int | None = None) -> int:
        """Pushes files to a pull request by hand."""
        where: dict[str, Any] = {"create_pr": True} if pull is None else {"revision": f"refs/pr/{pull}"}
        done = self.api(user).create_commit(
            BOARD,
            [CommitOperationAdd(path, data) for path, data in files.items()],
            commit_message="by hand",
            repo_type="dataset",
            **where,
        )
        return pull or int(done.pr_num or 0)

    def read(self, path: str) -> bytes:
        """A file of the leaderboard's main."""
        return self.hub.repository("dataset", BOARD).read("main", path)

    def said(self, number: int) -> list[str]:
        """The comments in a pull request."""
        events = self.hub.repository("dataset", BOARD).discussions[number]["events"]
        return [each["data"]["latest"]["raw"] for each in events if each["type"] == "comment"]


@contextmanager
def start_scene(root: Path) -> Iterator[Scene]:
    with pytest.MonkeyPatch.context() as patch, start_hub(root / "hub", patch) as hub:
        drawn = iter(["5" * 64, "6" * 64])
        fixed = SimpleNamespace(token_hex=lambda size: next(drawn))
        patch.setattr("benchwright.benchmarks.leaderboards.rounds.kept_secret.secrets", fixed)
        for user in TEAMS:
            hub.accounts.tokens[f"hf_{user}"] = Token(user)
        publish(make_release(root / "lights"), Target("alice/lights", public=True), None)
        scene = Scene(hub, root, patch)
        create_board(scene.board(), NewBoard(["alice/lights"], public=True))
        yield scene


@dataclass(frozen=True)
class Played:
    """A round that was played to its end."""

    scene: Scene
    closed: Closed
    outcome: Outcome
    pulls: dict[str, int]
    early: str
    """What closing before its time was answered with."""
    looked: dict[int, str]
    """What came of each pull request, as of all others, while the round was open."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with start_scene(tmp_path_factory.mktemp("round")) as scene:
        with pytest.raises(BenchwrightError, match="this machine ends"):
            open_round(scene.board(), NEW, Keeping(releases=scene.root / "lost"), _end)
        opened = scene.open()
        assert opened.terms.commitment == scene.open().terms.commitment
        assert (scene.root / "releases" / f"{ROUND}.secret.json").read_bytes() == (
            scene.root / "lost" / f"{ROUND}.secret.json"
        ).read_bytes()
        public = fetch_release(f"alice/{ROUND}")
        runs = {"bob": scene.run("bob", public)}
        for user in ("dave", "frank", "gina"):
            runs[user] = Path(shutil.copytree(scene.root / "bob", scene.root / user)) / runs["bob"].relative_to(
                scene.root / "bob"
            )
        pulls = {}
        for user, run in runs.items():
            pulls[user] = int(scene.take_part(user, run, public).url.rpartition("/")[2])
        # carol copies the commitment of bob; frank commits to something else in another pull request
        copied = json.loads(scene.hub.repository("dataset", BOARD).read(f"refs/pr/{pulls['bob']}", _path("bob")))
        pulls["carol"] = scene.propose("carol", {_path("carol"): _commitment("carol", copied["commitment"])})
        pulls["frank 2"] = scene.propose("frank", {_path("frank"): _commitment("frank", "f" * 64)})
        # an organiser pushes a commitment into the pull request of gina, and forges the terms in one of hers
        scene.propose("alice", {_path("gina"): _commitment("gina", "0" * 64)}, pulls["gina"])
        pulls["alice"] = scene.propose("alice", {_path("alice"): _commitment("alice", "a" * 64)})
        scene.propose("carol", {f"rounds/{ROUND}/round.json": b"{}", "leaderboard.yaml": b"title: mine\n"})
        with pytest.raises(UsageError) as early:
            scene.close()
        looked = {each.pull.number: each.outcome for each in keep_board(scene.board(), Keeping()).looked}
        scene.hub.wait(HOUR + 60)
        # erin is late, frank goes back to what he had
        pulls["erin"] = scene.propose("erin", {_path("erin"): _commitment("erin", "e" * 64)})
        scene.take_part("bob", runs["bob"], public)
        kept = next(each for each in (runs["bob"] / "rounds" / ROUND).iterdir())
        scene.propose(
            "carol", {f"{submission_folder(ROUND, 'carol')}/{each.name}": str(each) for each in kept.iterdir()}
        )
        scene.take_part("dave", runs["dave"], public)
        changed = f"{submission_folder(ROUND, 'dave')}/heldout.parquet"
        scene.propose("dave", {changed: b"PAR1 better answers"}, pulls["dave"])
        with pytest.raises(BenchwrightError, match="does not hold what you committed to in pull request"):
            scene.take_part("frank", runs["frank"], public)
        with pytest.raises(UsageError, match="you committed to nothing before that"):
            scene.take_part("erin", runs["bob"], public)
        scene.hub.wait(HOUR)
        with pytest.raises(UsageError, match=f"{ROUND} took predictions until .*: nothing is taken any more"):
            scene.take_part("gina", runs["gina"], public)
        shutil.rmtree(scene.root / "releases")  # the machine is lost
        closed = scene.close("another machine")
        yield Played(
            scene, closed, read_outcome(scene.read(f"rounds/{ROUND}/outcome.json")), pulls, str(early.value), looked
        )


def _end(*_: Any) -> Release:
    raise BenchwrightError("this machine ends")


def _path(user: str) -> str:
    return commitment_path(ROUND, user)


def _commitment(user: str, commitment: str) -> bytes:
    return to_bytes(TeamCommitment(ROUND, user, commitment))


def test_only_what_was_committed_to_in_time_and_sent_in_time_is_scored(played: Played) -> None:
    found = {each.team: (each.state, each.reason) for each in played.outcome.teams}
    window = "no predictions came between"
    assert found.keys() == {"bob", "carol", "dave", "frank", "gina"}
    assert found["bob"] == ("scored", "")
    assert found["carol"][0] == "refused"
    assert "of another team" in found["carol"][1]
    assert found["dave"] == ("refused", "heldout.parquet is not the one that was committed to before closing")
    assert found["frank"][0] == found["gina"][0] == "not revealed"
    assert found["gina"][1].startswith(window)
    assert played.outcome.late == ("erin",)
    assert played.outcome.organisers == ("alice",)


def test_one_commitment_of_a_team_counts_and_an_organiser_cannot_replace_it(played: Played) -> None:
    teams = {each.team: each for each in played.outcome.teams}
    assert (teams["frank"].commitment, teams["frank"].others) == ("f" * 64, 1)
    assert teams["frank"].number == played.pulls["frank 2"]
    assert teams["gina"].commitment != "0" * 64


def test_nothing_is_scored_or_said_before_its_time(played: Played) -> None:
    assert f"{ROUND} is open: commitments are taken until" in played.early
    said = played.scene.said(played.pulls["bob"])
    assert len(said) == 1
    assert said[0].startswith("**Scored**: `rag-of-bob` is ranked in `aurp-round-1`")
    assert len(played.scene.said(played.pulls["erin"])) == 1
    assert "no commitment came before the round was closed" in played.scene.said(played.pulls["erin"])[0]


def test_before_closing_a_pull_request_holds_a_hash_alone(played: Played) -> None:
    repository = played.scene.hub.repository("dataset", BOARD)
    bob = next(each for each in played.outcome.teams if each.team == "bob")
    base = repository.files(f"{repository.commits(bob.revision)[1].id}")
    assert set(repository.files(bob.revision)) - set(base) == {_path("bob")}
    assert json.loads(repository.read(bob.revision, _path("bob"))).keys() == {"round", "team", "commitment", "format"}


def test_what_is_published_holds_the_scores_and_the_baselines(played: Played) -> None:
    files = played.scene.hub.repository("dataset", BOARD).files()
    systems = {path.split("/")[3] for path in files if path.startswith(f"submissions/{ROUND}/")}
    assert systems == {"rag-of-bob", "baseline-closed-book", "baseline-keyword", "baseline-bm25"}
    verdict = json.loads(played.scene.read(f"verdicts/{ROUND}/1.0.0/rag-of-bob.json"))
    assert (verdict["submitter"], verdict["round"], verdict["accepted"]) == ("bob", ROUND, True)
    assert [part["split"] for part in verdict["parts"]] == ["fresh", "kept"]
    assert all(part["missing"] == 0 for part in verdict["parts"])
    twin = json.loads(played.scene.read(f"verdicts/{ROUND}/1.0.0/baseline-keyword.json"))
    assert twin["is_organisers"] and twin["has_built_in_reader"]
    assert twin["parts"][0]["figures"]["correct"] == verdict["parts"][0]["figures"]["correct"]
    assert played.outcome.gains["rag-of-bob"] == played.outcome.gains["baseline-keyword"]
    assert played.outcome.memorisation == {}  # nobody is on the leaderboard with the public edition
    assert not played.scene.read("leaderboard.yaml").startswith(b"title: mine")


def test_while_a_round_is_open_its_pull_requests_are_left_alone(played: Played) -> None:
    pulls = played.pulls
    forged = max(pulls["alice"], pulls["frank 2"]) + 1
    assert {played.looked[pulls[team]] for team in ("bob", "carol", "dave", "frank", "frank 2")} == {"of a round"}
    assert played.looked[forged] == "refused"
    assert "it changes" in played.scene.said(forged)[0]


def test_the_round_is_ranked_by_the_questions_with_fresh_names(played: Played) -> None:
    rows = pq.read_table(pa.BufferReader(played.scene.read("results/results.parquet"))).to_pylist()
    own = {row["system"]: row for row in rows if row["benchmark"] == ROUND}
    assert {row["part"] for row in own.values()} == {"fresh"}
    assert own["rag-of-bob"]["value"] == own["baseline-keyword"]["value"]
    assert own["rag-of-bob"]["rank_low"] == own["baseline-keyword"]["rank_low"]
    page = played.scene.read("index.html").decode()
    assert "A round does not show who fitted a system to the generator of the questions" in page
    assert f"alice/{ROUND}-private 1.0.0" in page
    assert f"- `{ROUND}`: scored" in played.scene.read("README.md").decode()


def test_the_secret_is_public_only_now_and_was_kept_privately(played: Played) -> None:
    hub = played.scene.hub
    secrets = hub.repository("dataset", f"{BOARD}-secrets")
    assert secrets.private
    assert played.outcome.secret in secrets.read("main", f"{ROUND}.json").decode()
    with pytest.raises(KeyError):
        hub.repository("dataset", f"{BOARD}-private")
    assert not hub.repository("dataset", f"alice/{ROUND}-private").private
    announced = [commit.title for commit in hub.repository("dataset", BOARD).commits()]
    assert announced[:3] == [
        f"{ROUND} was scored, and is revealed",
        next(title for title in announced if title.startswith(f"{ROUND} is open until ")),
        f"The organisers' runs of {ROUND}, before its secret is drawn",
    ]


def test_closing_again_changes_nothing(played: Played) -> None:
    before = len(played.scene.hub.repository("dataset", BOARD).commits())
    again = played.scene.close("another machine")
    assert again.published is None
    assert again.outcome == played.outcome
    assert len(played.scene.hub.repository("dataset", BOARD).commits()) == before


def test_anybody_proves_what_was_revealed(played: Played) -> None:
    played.scene.board("carol")
    scored = ScoredRound.open(f"{BOARD}:{ROUND}")
    private = fetch_release(f"alice/{ROUND}-private")
    found = Verification()
    scored.prove(private, found)
    assert found.problems == []
    assert dict(found.proved) == {
        "commitments of the organisers of a round": 1,
        "hashes of the program that builds": 1,
        OF_TEAMS: 1,
    }
    assert scored.public_half().manifest.content_hash == scored.files.opened.edition.content_hash


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda outcome: {"nonce": "0" * 64}, "answers, secret, program or nonce are not those"),
        (lambda outcome: {"secret": "0" * 64}, "drawn with another secret than the one that was revealed"),
        (lambda outcome: {"private_content_hash": "0" * 64}, "the private half is not the one that the outcome names"),
        (lambda outcome: {"round_sha256": "0" * 64}, "round.json was changed after the round was opened"),
        (lambda outcome: {"teams": outcome.teams[1:]}, "the outcome does not name the team"),
    ],
)
def test_what_organisers_change_after_opening_is_named(played: Played, change: Any, words: str) -> None:
    scored = ScoredRound.open(f"{BOARD}:{ROUND}")
    files = replace(scored.files, outcome=replace(played.outcome, **change(played.outcome)))
    found = Verification()
    replace(scored, files=files).prove(fetch_release(f"alice/{ROUND}-private"), found)
    assert any(words in problem for problem in found.problems)


def test_answers_of_another_edition_cannot_be_revealed(played: Played) -> None:
    scored = ScoredRound.open(f"{BOARD}:{ROUND}")
    private, found = fetch_release(f"alice/{ROUND}-private"), Verification()
    manifest = replace(private.manifest, content_hash="1" * 64)
    scored.prove(Release(private.folder, manifest), found)
    assert any("answers, secret, program or nonce are not those" in problem for problem in found.problems)
