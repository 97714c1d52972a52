"""Whether a submission is what it says: its predictions are scored again, as those of a run, and the figures compared.

Everything in it comes from a stranger. It is read within limits, none of it is imported, run or fetched, and what is
wrong with it becomes a reason of the verdict: only what is wrong with the release or this machine is an error.
"""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.leaderboards.claims import read_claims, rule_metrics
from benchwright.benchmarks.leaderboards.flags import find_flags, heldout_sent, sketch_of
from benchwright.benchmarks.leaderboards.layout import SYSTEM, Place
from benchwright.benchmarks.leaderboards.limits import check_files
from benchwright.benchmarks.leaderboards.receive import Taken, check_place, check_shown_name
from benchwright.benchmarks.leaderboards.refusal import RefusedError, plain, reason_of
from benchwright.benchmarks.leaderboards.score_again import SubmissionToScore, score_heldout, score_open
from benchwright.benchmarks.leaderboards.system_file import read_system_file
from benchwright.benchmarks.leaderboards.verdict import Verdict
from benchwright.benchmarks.releases.release import HELDOUT, TEST, Release
from benchwright.benchmarks.releases.rows import ReleaseSplit
from benchwright.benchmarks.runs.score import primary_metric


@dataclass(frozen=True)
class PullRequest:
    """What the Hub says of a pull request."""

    number: int
    revision: str
    """The commit that was downloaded."""
    submitter: str
    submitted: str
    """ISO 8601."""
    is_organisers: bool = False


@dataclass(frozen=True)
class Basis:
    """What the submissions to one version of a benchmark are scored with, and held against."""

    release: Release
    """What was asked."""
    private: Release | None = None
    """Its private half, where it has held-out questions and the maintainers have it."""
    metric: str | None = None
    """What ranks; None: the primary one of the benchmark's spec."""
    others: Sequence[Verdict] = ()
    """Of the submissions that are there: their answers are held against the submission's."""
    versions: Sequence[Release] = ()
    """Other versions of the release, whose gold answers are held against the submission's."""


@dataclass(frozen=True)
class Verified:
    """What came of a submission."""

    verdict: Verdict
    scores: Path | None = None
    """Of open questions: to be published; None where it is refused."""
    heldout_scores: Path | None = None
    """Of held-out questions: never to be published; None where nobody scored them."""


def verify_submission(
    folder: Path,
    place: Place,
    pull: PullRequest,
    basis: Basis,
    *,
    work: Path,
    taken: Sequence[Taken] = (),
) -> Verified:
    """Looks at a submission, scores it again, and says what was found.

    Args:
        folder: its files, as they were downloaded at the revision.
        place: where it is to stand; see `receive`.
        pull: what the Hub says.
        basis: what it is scored with and held against.
        work: an empty folder: what is unpacked goes there, and the scores stay there.
        taken: the submissions that are there.

    Raises:
        BenchwrightError: the release or its private half cannot be read. OSError: this machine cannot go on.
    """
    split = _split(basis)
    verdict = empty_verdict(place, pull, basis.release)

    def look() -> Verified:
        check_files(folder)
        found = replace(verdict, sha256=_hashes(folder))
        name = read_system_file((folder / SYSTEM).read_bytes()).name
        check_place(place, pull.submitter, taken)
        check_shown_name(name, pull.submitter, place, taken)
        return _score(folder, found, basis, split, work, must_agree=True)

    return _refusing(look, verdict, folder, work)


def empty_verdict(place: Place, pull: PullRequest, release: Release) -> Verdict:
    """What is known before anything is looked at: not accepted."""
    return Verdict(
        benchmark=place.benchmark,
        version=place.version,
        system=place.system,
        content_hash=release.manifest.content_hash,
        submitter=pull.submitter,
        number=pull.number,
        revision=pull.revision,
        submitted=pull.submitted,
        accepted=False,
        is_organisers=pull.is_organisers,
        scored_by=version("benchwright"),
    )


def rescore_submission(
    folder: Path,
    verdict: Verdict,
    basis: Basis,
    *,
    work: Path,
) -> Verified:
    """Scores a submission that was accepted once more: with a newer metric its report may say something else.

    Args:
        folder: its files.
        verdict: what was found when it was accepted.
        basis, work: see `verify_submission`.

    Returns:
        The new verdict: accepted, unless its files cannot be scored any more or are others than those accepted.

    Raises:
        BenchwrightError, OSError: as `verify_submission`.
    """
    split = _split(basis)
    fresh = replace(
        verdict,
        accepted=False,
        reasons=(),
        flags=(),
        parts=(),
        sketch=(),
        content_hash=basis.release.manifest.content_hash,
        scored_by=version("benchwright"),
    )

    def look() -> Verified:
        check_files(folder)
        hashes = _hashes(folder)
        other = [name for name in {**hashes, **verdict.sha256} if hashes.get(name) != verdict.sha256.get(name)]
        if other:
            raise RefusedError(f"{plain(other[0])} is not what was accepted")
        return _score(folder, fresh, basis, split, work, must_agree=False)

    return _refusing(look, fresh, folder, work)


def _split(basis: Basis) -> ReleaseSplit:
    """The open questions, read before anything of a submission is.

    Raises:
        BenchwrightError: a release cannot be read, or one is not the private half of the other.
    """
    split = ReleaseSplit(basis.release, TEST)
    if not split.ids:
        raise BenchwrightError(f"{split.where} has no question")
    if basis.private is None:
        return split
    half, own, its = basis.private.manifest.holdout or {}, basis.release.manifest, basis.private.manifest
    there = half.get("public"), its.version, half.get("public_content_hash")
    is_half = there == (own.name, own.version, own.content_hash)
    if not is_half or ReleaseSplit(basis.private, TEST).ids != ReleaseSplit(basis.release, HELDOUT).ids:
        raise BenchwrightError(
            f"{its.name} {its.version} is not the private half of {own.name} {own.version}: give the one that was "
            "built with it"
        )
    return split


def _refusing(look: Callable[[], Verified], verdict: Verdict, folder: Path, work: Path) -> Verified:
    """What is found, or a verdict that says why the submission is refused."""
    work.mkdir(parents=True, exist_ok=True)
    try:
        return look()
    except RefusedError as error:
        reasons = error.reasons
    except BenchwrightError as error:
        reasons = (reason_of(error, (folder, work)),)
    except (MemoryError, RecursionError):
        reasons = ("it takes too much memory to be looked at: hand in fewer or shorter predictions",)
    except Exception as error:  # whatever a stranger's file makes of our code or of a library: it stops no other
        if isinstance(error, OSError) and error.errno is not None:  # Arrow's own have none
            raise
        reasons = (f"it cannot be read ({type(error).__name__}: {reason_of(error, (folder, work))})",)
    return Verified(replace(verdict, reasons=tuple(plain(each, 500) for each in reasons)))


def _score(
    folder: Path, verdict: Verdict, basis: Basis, split: ReleaseSplit, work: Path, *, must_agree: bool
) -> Verified:
    """Scores a submission whose names and files were looked at."""
    place = Place(verdict.benchmark, verdict.version, verdict.system)
    claims = read_claims(folder, place, split.release.manifest)
    names = (*rule_metrics(claims, must_agree), *([basis.metric] if basis.metric else ()))
    with tempfile.TemporaryDirectory(dir=work) as rooms:
        ranks = basis.metric or primary_metric(split.release) or "correct"
        submission = SubmissionToScore(folder, claims, names, Path(rooms), tuple(basis.versions), must_agree, ranks)
        public = score_open(submission, split)
        held = score_heldout(submission, split.release, basis.private)
        sketch = sketch_of(split.questions, public.answers)
        gold = {each.manifest.version: gold_of(each) for each in basis.versions}
        flags = list(find_flags(split.questions, public.answers, sketch, place, basis.others, gold))
        sent, often = heldout_sent(verdict, place, basis.others) if held and must_agree else (verdict.heldout_sent, [])
        found = replace(
            verdict,
            accepted=True,
            flags=(*flags, *often),
            heldout_sent=sent,
            parts=(public.part, *([] if held is None else [held.part])),
            costs=public.costs,
            has_contexts=public.has_contexts,
            has_built_in_reader=claims.run.system.builtin,
            built_in_texts=tuple(split.release.manifest.built_in_texts),
            sketch=sketch,
        )
        held_scores = _kept(None if held is None else held.scores, work, "heldout-scores")
        return Verified(found, _kept(public.scores, work, "scores"), held_scores)


def _hashes(folder: Path) -> dict[str, str]:
    """File → its hash, of those that were looked at."""
    return {path.name: file_sha256(path) for path in sorted(folder.iterdir()) if not path.name.startswith(".")}


def gold_of(release: Release) -> dict[str, tuple[str, ...]]:
    """Question → its gold answers, of the open questions of a release."""
    return {each.id: each.answers for each in ReleaseSplit(release, TEST).questions}


def _kept(scores: Path | None, work: Path, name: str) -> Path | None:
    return None if scores is None else scores.replace(work / f"{name}.parquet")
