"""How the edition of a round is built: what `cards`, which knows no builder, is given."""

from collections.abc import Callable
from pathlib import Path

from benchwright.benchmarks.leaderboards.rounds.files import Announcement
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card


def build_edition(
    announcement: Announcement, secret: bytes, releases: Path, progress: Callable[[str, int, int], None]
) -> Release:
    """Builds the edition that was announced, with every answer held out: its public half.

    Raises:
        BenchwrightError: it cannot be built, or another one is there.
    """
    public, _ = build_release(
        announcement.builder,
        announcement.settings,
        render_card,
        output=releases,
        name=announcement.round,
        holdout=1.0,
        secret=secret,
        progress=progress,
    )
    return public
