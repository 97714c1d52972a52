"""What was revealed of a round is what its organisers were committed to when it opened."""

from collections.abc import Iterator

from benchwright.benchmarks.leaderboards.rounds.code import code_hash
from benchwright.benchmarks.leaderboards.rounds.files import Announcement, Outcome, Round, to_bytes
from benchwright.benchmarks.leaderboards.rounds.sealing import Sealed, edition_commitment, sha256_of
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.benchmarks.releases.release import Release

COMMITMENT = "commitments of the organisers of a round"
CODE = "hashes of the program that builds"


def round_problems(terms: Round, announced: Announcement, outcome: Outcome, private: Release) -> Iterator[str]:
    """What is wrong with what was revealed, a line each.

    Args:
        terms: `round.json`.
        announced: `announcement.json`.
        outcome: `outcome.json`.
        private: the private half, which was revealed.
    """
    manifest = private.manifest
    section = manifest.holdout or {}
    if sha256_of(to_bytes(announced)) != terms.announcement_sha256:
        yield "the organisers' runs are not those that were announced before the secret was drawn"
    if (announced.code_sha256, announced.benchwright) != (terms.code_sha256, terms.benchwright):
        yield "another program built the edition than the one that was announced"
    if sha256_of(to_bytes(terms)) != outcome.round_sha256:
        yield "round.json is not the one that the outcome is of"
    if section.get("public_content_hash") != terms.edition.content_hash:
        yield "the private half is not that of the edition whose questions were published"
    if manifest.content_hash != outcome.private_content_hash:
        yield "the private half is not the one that the outcome names"
    if section.get("secret") != outcome.secret:
        yield "the private half was drawn with another secret than the one that was revealed"
    sealed = Sealed(
        terms.code_sha256,
        terms.benchwright,
        terms.edition.content_hash,
        manifest.content_hash,
        sha256_of(bytes.fromhex(outcome.secret)),
    )
    if edition_commitment(terms.name, sealed, bytes.fromhex(outcome.nonce)) != terms.commitment:
        yield "answers, secret, program or nonce are not those that the organisers were committed to"


def prove_round(terms: Round, announced: Announcement, outcome: Outcome, private: Release, found: Verification) -> None:
    """Notes in `found` whether what was revealed is what was committed to, and whether this program is the one."""
    problems = list(round_problems(terms, announced, outcome, private))
    for text in problems:
        found.problem("round", text)
    if not problems:
        found.proved[COMMITMENT] += 1
    if code_hash() == terms.code_sha256:
        found.proved[CODE] += 1
    else:
        found.leave(CODE, 1, f"benchwright {terms.benchwright} built it, and another is installed: install that")
