"""Publishing a release: one commit that holds the whole of it, and its tag. Safe to repeat, to interrupt, to race.

Nothing is changed on the Hub before the release's own files are known to be whole. What the Hub has is compared by
content, not by what an earlier start remembers: the same command finishes what was cut off, and does nothing where
nothing is left to do.
"""

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.releases.baseline_figures import BaselineFigures
from benchwright.benchmarks.releases.fetch import OFFICIAL, default_endpoint
from benchwright.benchmarks.releases.manifest import Manifest, is_private
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.baselines import measure_baselines
from benchwright.cards.dataset import prove_card
from benchwright.cards.hub.errors import explained
from benchwright.cards.hub.evaluation import add_evaluation, evaluation_text
from benchwright.cards.hub.push import KIND, Push, State
from benchwright.cards.hub.uploads import takes_baselines, uploads

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class Target:
    """Where a release goes, and how."""

    repo_id: str | None = None
    """NAMESPACE/NAME; none: the logged-in user and the release's name."""
    public: bool = False
    create_pr: bool = False
    endpoint: str | None = None
    """None: `HF_ENDPOINT`, else the Hub."""
    allow_source_data: bool = False
    """A public repository may hold rows of data that are somebody else's."""
    token: str | None = field(default=None, repr=False)
    """None: the one that the user is logged in with."""
    evaluation: str | None = None
    """The framework that `eval.yaml` names, for the Hub's own leaderboards; None: there is none."""
    reveals: bool = False
    """The release is a private half whose answers and secret are to be told now, as at the end of a round."""


Measure = Callable[[Release], BaselineFigures]
"""Asks the built-in baselines what they score on a release."""


@dataclass(frozen=True)
class Published:
    """What a push did."""

    repo_id: str
    url: str
    state: State
    commit: str
    tag: str | None
    is_private: bool


def holds_source_data(manifest: Manifest) -> bool:
    """Whether a release ships rows of a database or file that the builder did not make."""
    return any(source.get("rows_shipped", "none") != "none" for source in manifest.sources)


def check_publishable(manifest: Manifest, target: Target) -> None:
    """Raises UsageError where the release must not be public."""
    if not target.public:
        return
    if is_private(manifest) and not target.reveals:
        raise UsageError(f"{manifest.name} holds held-out answers and their secret: leave out --public")
    if holds_source_data(manifest) and not target.allow_source_data:
        raise UsageError(
            f"{manifest.name} holds rows of data that it did not make: leave out --public, or add "
            "--allow-source-data if you may publish them"
        )


def publish(release: Release, target: Target, measure: Measure | None = measure_baselines) -> Published:
    """Pushes a release as one commit, then tags it `vX.Y.Z`.

    Args:
        release: what is pushed. It stays as it is.
        target: where to, and how.
        measure: asks the baselines for the card, where neither the release nor the repository has their figures of the
            same content; None: they are not asked.

    Raises:
        UsageError: it must not be public.
        BenchwrightError: it is not whole or does not hold, its version is there with other content, somebody else
            changed the repository, or the Hub or the network fails.
    """
    check_publishable(release.manifest, target)
    evaluation = _evaluation(release.manifest, target)
    files = uploads(release)
    endpoint = (target.endpoint or default_endpoint()).rstrip("/")
    api = open_api(endpoint, target.token)
    with explained(release.manifest.name, endpoint):
        repo_id = target.repo_id or f"{api.whoami()['name']}/{release.manifest.name}"
    if repo_id.count("/") != 1:
        raise UsageError(f"--repo-id {repo_id}: give NAMESPACE/NAME")
    with explained(repo_id, endpoint):
        if not target.create_pr:
            api.create_repo(repo_id, repo_type=KIND, private=not target.public, exist_ok=True)
        is_private = bool(api.repo_info(repo_id, repo_type=KIND).private)
        if not is_private:  # a pull request there is as public
            check_publishable(release.manifest, replace(target, public=True))
        push = Push(api, repo_id, release, files, target.create_pr, _measuring(release, measure), _proving(release))
        state, commit, tag, url = push.again()
        if evaluation is not None:
            add_evaluation(api, repo_id, evaluation)
    _warn_of_visibility(target, repo_id, is_private)
    return Published(repo_id, url or f"{endpoint}/datasets/{repo_id}", state, commit, tag, is_private)


def _evaluation(manifest: Manifest, target: Target) -> str | None:
    """`eval.yaml`, where it is wanted. It stands beside the release, as the Hub reads it from main alone."""
    if target.evaluation is None or is_private(manifest):
        return None
    if target.create_pr:
        raise UsageError("--evaluation changes the repository itself: leave out --create-pr")
    return evaluation_text(manifest, target.evaluation)


def open_api(endpoint: str, token: str | None = None) -> Any:
    """The Hub's client. Xet, which not every endpoint has, is left to the Hub itself, or to who asks for it."""
    from huggingface_hub import HfApi, constants

    if endpoint != OFFICIAL and "HF_HUB_DISABLE_XET" not in os.environ:
        constants.HF_HUB_DISABLE_XET = True  # the variable counts only before the client's first import

    return HfApi(endpoint=endpoint, token=token, library_name="benchwright")


def _warn_of_visibility(target: Target, repo_id: str, is_private: bool) -> None:
    if not is_private and not target.public and not target.create_pr:
        log.warning("%s was public already", repo_id)
    if is_private and target.public:
        log.warning("%s is private and stays so: change that in its settings on the Hub", repo_id)


def _measuring(release: Release, measure: Measure | None) -> Callable[[], BaselineFigures | None]:
    """Measures at most once, and not where the card could not show it."""

    @cache
    def measured() -> BaselineFigures | None:
        if measure is None or not takes_baselines(release):
            return None
        try:
            return measure(release)
        except BenchwrightError as error:
            log.warning("the card has no figures of baselines: %s", error)
            return None

    return measured


def _proving(release: Release) -> Callable[[], None]:
    """Does what `verify-benchmark` does, once, before a file goes to the Hub."""

    @cache
    def prove() -> None:
        problems = verify_release(release, more=[prove_card.PROOF]).problems
        if problems:
            more = f", and {len(problems) - 1} more" if problems[1:] else ""
            raise BenchwrightError(
                f"{release.manifest.name} {release.manifest.version} is not pushed, for it does not hold ({problems[0]}"
                f"{more}): verify-benchmark {release.folder} names what is wrong; build it again"
            )

    return prove
