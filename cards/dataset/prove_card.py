"""The card of a release says what its manifest and its files say: it is written anew, and compared."""

import re
from itertools import zip_longest

from benchwright.benchmarks.catalogue import spec_names
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.manifest import CARD
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.cards.dataset.card import render_for, repository_of

_COUNT = re.compile(r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?![\d.,]*\d)")
"""A whole number. Others may have been rounded in another way."""
_BYTES = re.compile(r"^ *(?:num_bytes|download_size|dataset_size): \d+$", re.MULTILINE)
"""Depend on the version of the Parquet library that wrote, and reads, the files."""


def check(material: Material) -> None:
    """Compares the card with the one that this program makes.

    Where only counts differ, the card is wrong. Where words do, another version of this program may have written it,
    and then it is not checked.
    """
    release, found = material.release, material.found
    path = release.folder / CARD
    if CARD not in release.manifest.files or not path.is_file():
        return
    if release.manifest.builder not in spec_names():
        found.leave("card", 1, f"the builder {release.manifest.builder} is not installed, whose spec the card tells")
        return
    card = path.read_text(encoding="utf-8", errors="replace")
    try:
        again = render_for(release, repository_of(card))
    except BenchwrightError as error:
        found.problem("card", str(error))
        return
    if card == again:
        found.proved["card"] += 1
        return
    pairs = zip_longest(card.split("\n"), again.split("\n"), fillvalue="")
    differing = [(line, one, other) for line, (one, other) in enumerate(pairs, start=1) if one != other]
    line, one, other = next((each for each in differing if not _BYTES.fullmatch(each[1])), differing[0])
    text = f"line {line} is {one.strip()!r:.100}, and of these files it is {other.strip()!r:.100}"
    if _words(card) == _words(again) and _counts(card) != _counts(again):
        found.problem("card", f"{CARD} does not say what the release is: {text}")
    else:
        found.leave("card", 1, f"another version of benchwright may have written it, or somebody changed it: {text}")


def _words(card: str) -> str:
    return _COUNT.sub("#", _BYTES.sub("", card))


def _counts(card: str) -> list[str]:
    return [number.replace(",", "") for number in _COUNT.findall(_BYTES.sub("", card))]


PROOF = Proof("card", "the card says what the manifest and the files say", 105, whole=check)
"""Handed to `verify_release` by whoever may use cards: the command and the Python API."""
