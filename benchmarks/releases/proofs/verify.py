"""Proving a release again from its files: by the core's proofs, and by those that its builder registers."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from benchwright.benchmarks.catalogue import BUILDERS
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.checking import open_for_checking
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.registry import find, find_all, names
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.proofs.base import (
    PROOFS,
    ROWS,
    CheckRows,
    GivenDatabase,
    Material,
    Proof,
    Verification,
)
from benchwright.benchmarks.releases.proofs.commitments import public_half
from benchwright.benchmarks.releases.release import HELDOUT, Release

_SQLITE = "sqlite:///"


def verify_release(
    release: Release,
    database: GivenDatabase | str | None = None,
    public: Release | None = None,
    more: Sequence[Proof] = (),
) -> Verification:
    """Checks everything that a release claims and that can be checked.

    Args:
        release: the release.
        database: the database that the questions came from, or its URL, where it is not shipped.
        public: the public half of a private release; its neighbour where none is given.
        more: further proofs: that of the card, which is made by a layer above.

    Raises:
        BenchwrightError: the database cannot be opened, or `public` is not the public half.
    """
    found = Verification()
    given = GivenDatabase(database) if isinstance(database, str) else database
    public = public_half(release, public)
    builder = _builder(release.manifest, found)
    of_builder = {proof.name: proof for proof in _proofs_of(builder)}
    proofs = {proof.name: proof for proof in find_all(PROOFS).values()} | of_builder
    with ExitStack() as stack:
        given = _as_asked(release.manifest, builder, given, stack)
        run([*proofs.values(), *more], Material(release, found, public, _databases(release, given, stack), given))
    return found.finish()


def verify_rows(release: Release) -> Verification:
    """Checks what can be checked before the files are sealed: ids, references, spans, groups, held-out rows."""
    found = Verification()
    run([proof for proof in find_all(PROOFS).values() if proof.is_of_rows], Material(release, found))
    return found


def run(proofs: Sequence[Proof], material: Material) -> None:
    """Runs proofs; each notes what it finds in `material.found`. What cannot be read ends them."""
    ordered = sorted(proofs, key=lambda proof: (proof.place, proof.name))
    material.found.limits += [limit for proof in ordered for limit in proof.limits]
    try:
        _look_at_whole([proof for proof in ordered if proof.place < ROWS], material)
        _look_at_rows(ordered, material)
        _look_at_whole([proof for proof in ordered if proof.place >= ROWS], material)
    except BenchwrightError as error:
        material.found.problem("unreadable", str(error))


def _look_at_whole(proofs: Sequence[Proof], material: Material) -> None:
    for proof in proofs:
        if proof.whole is not None:
            proof.whole(material)


def _look_at_rows(proofs: Sequence[Proof], material: Material) -> None:
    shown = [proof.rows(material) for proof in proofs if proof.rows is not None]
    held = [proof.held_out_rows(material) for proof in proofs if proof.held_out_rows is not None]
    for split in material.splits("questions"):
        checks = [one.row if isinstance(one, CheckRows) else one for one in (held if split == HELDOUT else shown)]
        if not checks:
            continue
        for row in material.rows("questions", split):
            for check in checks:
                check(split, row)
    for one in (*shown, *held):
        if isinstance(one, CheckRows):
            one.finish()


def _builder(manifest: Manifest, found: Verification) -> ModuleType | None:
    """The builder of a release. Where it is not installed, notes that its rules are not proved."""
    builder, reason = None, f"the builder {manifest.builder} is not installed: install the package that it comes from"
    try:
        builder = find(BUILDERS, manifest.builder) if manifest.builder in names(BUILDERS) else None
    except BenchwrightError as error:  # it is there and does not load
        reason = str(error)
    if builder is None:
        questions = manifest.rows.get("questions", 0)
        found.leave("questions by the rules of their builder", questions, reason)
    return builder


def _proofs_of(builder: ModuleType | None) -> Sequence[Proof]:
    """What a builder registers."""
    proofs = tuple(getattr(builder, "PROOFS", ()))
    for proof in proofs:
        if builder is not None and not isinstance(proof, Proof):
            raise BenchwrightError(f"{builder.__name__}.PROOFS holds {proof!r}, which is no Proof")
    return proofs


def _as_asked(
    manifest: Manifest, builder: ModuleType | None, given: GivenDatabase | None, stack: ExitStack
) -> GivenDatabase | None:
    """The database that is given, as the builder asked it: with other names, where it replaced them."""
    make = getattr(builder, "as_asked", None)
    original = Path(given.url.removeprefix(_SQLITE)) if given is not None and given.url.startswith(_SQLITE) else None
    if make is None or original is None or not original.is_file():
        return given
    copy = make(manifest, original, Path(stack.enter_context(TemporaryDirectory())))
    return given if copy is None else GivenDatabase(f"{_SQLITE}{copy}", file_sha256(original))


def _databases(release: Release, given: GivenDatabase | None, stack: ExitStack) -> list[Database]:
    if given is not None:
        return [stack.enter_context(open_for_checking(given.url))]
    return [stack.enter_context(open_for_checking(f"sqlite:///{path}")) for path in release.databases()]
