"""Opening a round: the organisers' runs are announced, the secret is drawn and kept twice, the edition built and
published, then the terms. Each step looks at what is there: the same command goes on where a start was cut off."""

import logging
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from importlib.metadata import version as installed
from pathlib import Path

from benchwright.benchmarks.catalogue import load_spec
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.leaderboards.rounds.code import code_hash
from benchwright.benchmarks.leaderboards.rounds.files import Announcement, Edition, Round, to_bytes
from benchwright.benchmarks.leaderboards.rounds.kept_secret import RoundSecret
from benchwright.benchmarks.leaderboards.rounds.places import ANNOUNCEMENT, ROUND, folder_of
from benchwright.benchmarks.leaderboards.rounds.sealing import Sealed, edition_commitment, sha256_of
from benchwright.benchmarks.leaderboards.rounds.times import after, say_time
from benchwright.benchmarks.naming import check_name
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.commitments import is_seed
from benchwright.benchmarks.releases.holdout import private_name
from benchwright.benchmarks.releases.manifest import MANIFEST
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import HELDOUT, Release
from benchwright.cards.dataset import prove_card
from benchwright.cards.hub.errors import explained
from benchwright.cards.hub.publish import Target
from benchwright.cards.hub.publish import publish as publish_release
from benchwright.cards.leaderboard.commit import Published, again, publish
from benchwright.cards.leaderboard.hub import DATASET, BoardRepository, Tree
from benchwright.cards.leaderboard.publish import Keeping
from benchwright.cards.leaderboard.ranked import rank
from benchwright.cards.leaderboard.releases import BoardReleases
from benchwright.cards.leaderboard.round_hub import RoundFiles, hub_time, read_round_files, round_names
from benchwright.cards.leaderboard.round_secret import keep_secret
from benchwright.cards.leaderboard.workspace import Workspace, workspace

BASELINES = ("closed-book", "keyword", "bm25")
"""Built-in systems that are scored in every round: what they reach says how difficult it is."""
_NAMES_OF = "names_of"
"""The parameter of a builder that keeps half of the names of a public edition."""
log = logging.getLogger("benchwright")
Build = Callable[[Announcement, bytes, Path, Progress], Release]
"""Given what is announced, the secret, the folder of releases and what is told of it: builds an edition of which every
answer is held out, and gives its public half."""


@dataclass(frozen=True)
class NewRound:
    """What a round is to be."""

    builder: str
    name: str | None = None
    """None: BUILDER-round-NUMBER."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Of the builder."""
    closes: str = "14d"
    """When no commitment is taken any more: a time, or how long after the opening."""
    reveal: str = "7d"
    """How long after that predictions are taken, or until when."""


@dataclass(frozen=True)
class Opened:
    """A round that is open."""

    terms: Round
    published: Published | None
    """What was committed; None: it was open already."""
    edition_url: str


def open_round(
    repository: BoardRepository,
    new: NewRound,
    keeping: Keeping,
    build: Build,
    progress: Progress = silent,
) -> Opened:
    """Opens a round of a leaderboard, or goes on with opening the one that was announced last.

    Args:
        repository: the leaderboard's.
        new: what the round is to be. Of one that is announced, what was announced holds.
        keeping: how the leaderboard is kept: the folder of releases, in which the edition is built and its secret kept.
        build: builds the edition.
        progress: is told of the build.

    Raises:
        UsageError: something is asked for that cannot be.
        BenchwrightError: a round is open, another program announced it, or the Hub fails.
    """
    with explained(repository.repo_id, repository.endpoint):
        announced = again(lambda: _announce(repository, new), repository)
        if announced.terms is not None:
            terms = announced.terms
            return Opened(terms, None, f"{repository.endpoint}/datasets/{terms.edition.repository}")
        announcement = announced.announcement
        assert announcement is not None
        sha256 = sha256_of(to_bytes(announcement))
        _check_program(announcement)
        secret = keep_secret(repository, announced.name, sha256, keeping.releases)
        public, private = build_edition(announcement, secret, keeping.releases, build, progress)
        _check_holds(public, private)
        pushed = publish_release(public, target_of(repository, edition_repository(repository, announced.name)), None)
        return again(
            lambda: _open(repository, keeping, new, announcement, secret, (public, private), pushed.url), repository
        )


def edition_repository(repository: BoardRepository, name: str) -> str:
    """Where an edition is on the Hub: beside the leaderboard."""
    return f"{repository.repo_id.partition('/')[0]}/{name}"


def build_edition(
    announcement: Announcement, secret: RoundSecret, releases: Path, build: Build, progress: Progress
) -> tuple[Release, Release]:
    """The public and the private half of a round's edition: those that are there, else built from the secret.

    Raises:
        BenchwrightError: they cannot be built, or are there with other content.
    """
    name = announcement.round
    home = releases / private_name(name)
    there = [path.parent for path in home.glob(f"*/{MANIFEST}") if not path.parent.name.startswith(".")]
    if there:
        private = Release.load(there[0])
        public = releases / name / private.manifest.version
        if (private.manifest.holdout or {}).get("secret") == secret.secret and (public / MANIFEST).is_file():
            return Release.load(public), private
    _check_program(announcement)
    public = build(announcement, bytes.fromhex(secret.secret), releases, progress)
    return public, Release.load(home / public.manifest.version)


def target_of(repository: BoardRepository, repo_id: str, *, reveals: bool = False) -> Target:
    """A repository beside the leaderboard, which is as public as the leaderboard."""
    is_public = not repository.api.repo_info(repository.repo_id, repo_type=DATASET).private
    return Target(repo_id, public=is_public, endpoint=repository.endpoint, token=repository.token, reveals=reveals)


def sealed_facts(public: Release, private: Release, secret: RoundSecret, terms_of: Announcement | Round) -> Sealed:
    """What the organisers are committed to."""
    return Sealed(
        terms_of.code_sha256,
        terms_of.benchwright,
        public.manifest.content_hash,
        private.manifest.content_hash,
        secret.secret_sha256,
    )


def _check_holds(public: Release, private: Release) -> None:
    """Raises where an edition would not be proved once it is revealed: nothing of it is public yet."""
    problems = verify_release(private, None, public, [prove_card.PROOF]).problems
    if problems:
        raise BenchwrightError(
            f"the edition of {public.manifest.name} does not hold ({problems[0]}); nothing of it was published: open "
            "another with --round NAME"
        )


def _announce(repository: BoardRepository, new: NewRound) -> RoundFiles:
    """The round that is being opened: announced now, where none is."""
    head, tree = _now(repository)
    known = [read_round_files(repository, head, tree, each) for each in round_names(tree)]
    now = hub_time(repository)
    begun = [each for each in known if each.announcement is not None and each.announcement.builder == new.builder]
    for each in begun:
        state = each.state(now)
        if new.name in (None, each.name) and state == "announced":
            _check_same(each, new)
            return each
        if new.name in (None, each.name) and state == "open":
            return each
        if state not in ("announced", "scored"):
            raise BenchwrightError(
                f"{each.name} is {state}: close it first, with publish-leaderboard {repository.repo_id} --close-round "
                f"{each.name}"
            )
        if each.name == new.name:
            raise BenchwrightError(f"{each.name} was scored: leave out --round, and the next one is opened")
    name = check_name(new.name or f"{new.builder}-round-{len(begun) + 1}", "round")
    if name in {each.name for each in known}:
        raise BenchwrightError(f"{name} is a round of another benchmark: choose another --round")
    after(new.reveal, after(new.closes, now, "--closes"), "--reveal")
    announcement = _announcement(name, new)
    with workspace(repository, head, tree) as space:
        space.write(f"{folder_of(name)}/{ANNOUNCEMENT}", to_bytes(announcement))
        publish(space, f"The organisers' runs of {name}, before its secret is drawn")
    return RoundFiles(name, announcement, None, b"", None)


def _announcement(name: str, new: NewRound) -> Announcement:
    spec = load_spec(new.builder)
    settings = dict(new.settings)
    if _NAMES_OF in spec.parameters:
        settings.setdefault(_NAMES_OF, str(spec.parameters.get("names_seed", spec.parameters[_NAMES_OF]).default or 0))
    for each in settings:
        if is_seed(each):
            raise UsageError(f"{each} cannot be chosen for a round: it must be secret; leave it out of --set")
        known = spec.parameters.get(each)
        if known is not None and (known.names_a_place(settings[each]) or known.private):
            raise UsageError(f"{each} cannot be chosen for a round: nobody else could build the edition again")
    if settings.get("documents") == "model":
        raise UsageError("documents=model cannot be chosen for a round: nobody could build the edition again")
    spec.resolve(settings)
    return Announcement(name, new.builder, settings, BASELINES, installed("benchwright"), code_hash())


def _check_same(there: RoundFiles, new: NewRound) -> None:
    """Raises where another round is wanted than the one that was announced."""
    announcement = there.announcement
    assert announcement is not None
    for name, value in new.settings.items():
        if announcement.settings.get(name) != value:
            raise BenchwrightError(
                f"{there.name} was announced with {name}={announcement.settings.get(name, 'its default')}: leave out "
                f"--set {name}, or choose another --round"
            )


def _check_program(announcement: Announcement) -> None:
    if announcement.code_sha256 != code_hash():
        raise BenchwrightError(
            f"{announcement.round} was announced by benchwright {announcement.benchwright} with other code than is "
            "installed: install that, since it is committed to"
        )


def write_ranking(space: Workspace, keeping: Keeping) -> None:
    """Results, card and page of what is in the workspace."""
    with tempfile.TemporaryDirectory(prefix="benchwright-round-") as work:
        releases = BoardReleases(space.repository, keeping.private, keeping.releases)
        space.write_generated(*rank(space, releases, Path(work)))


def _open(
    repository: BoardRepository,
    keeping: Keeping,
    new: NewRound,
    announcement: Announcement,
    secret: RoundSecret,
    halves: tuple[Release, Release],
    url: str,
) -> Opened:
    """Publishes the terms."""
    head, tree = _now(repository)
    there = read_round_files(repository, head, tree, announcement.round)
    with workspace(repository, head, tree) as space:
        terms = there.terms
        if terms is None:
            known = space.state().board.benchmarks.get(announcement.builder)
            terms = replace(
                _terms(repository, new, announcement, secret, halves, hub_time(repository)),
                public_edition=known.repository if known is not None else None,
            )
            space.write(f"{folder_of(terms.name)}/{ROUND}", to_bytes(terms))
        if terms.commitment != _commitment(announcement, secret, halves):
            raise BenchwrightError(f"{terms.name} was opened with another edition than the one that is here")
        write_ranking(space, keeping)
        done = publish(space, f"{terms.name} is open until {terms.closes}")
    return Opened(terms, done, url)


def _terms(
    repository: BoardRepository,
    new: NewRound,
    announcement: Announcement,
    secret: RoundSecret,
    halves: tuple[Release, Release],
    now: datetime,
) -> Round:
    public, manifest = halves[0], halves[0].manifest
    closes = after(new.closes, now, "--closes")
    groups = {
        row["group"] or row["id"]
        for batch in public.batches("questions", HELDOUT, ["id", "group"])
        for row in batch.to_pylist()
    }
    edition = Edition(
        edition_repository(repository, manifest.name),
        manifest.name,
        manifest.version,
        manifest.content_hash,
        manifest.splits["questions"][HELDOUT],
        len(groups),
    )
    return Round(
        name=announcement.round,
        edition=edition,
        commitment=_commitment(announcement, secret, halves),
        code_sha256=announcement.code_sha256,
        benchwright=announcement.benchwright,
        announcement_sha256=sha256_of(to_bytes(announcement)),
        opened=say_time(now),
        closes=say_time(closes),
        revealed_until=say_time(after(new.reveal, closes, "--reveal")),
    )


def _commitment(announcement: Announcement, secret: RoundSecret, halves: tuple[Release, Release]) -> str:
    sealed = sealed_facts(*halves, secret, announcement)
    return edition_commitment(announcement.round, sealed, bytes.fromhex(secret.nonce))


def _now(repository: BoardRepository) -> tuple[str, Tree]:
    head = repository.head()
    return head, repository.tree(head)
