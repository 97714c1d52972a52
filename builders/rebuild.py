"""Building a release again from what its manifest says, in a folder that is gone afterwards, to compare both.

The parameters, the seed, the version and the name are the manifest's. What it does not tell (where a database lies; who
asks a wiki) whoever rebuilds must say. Of a private half both halves are built, from its secret. A builder that needs
more than that has `settings_to_rebuild(release, given)`: given what was said, it returns the settings that are to be
used beside the manifest's own, or raises a BenchwrightError that says what is missing.

What differs is wrong only where everything that went into the build is known to be the same: no model, no wiki, and
every file that was read has the SHA-256 that the manifest names. Else it is not checked, with the reason.
"""

import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.benchmarks.catalogue import BUILDERS, Spec, load_spec
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import read_settings
from benchwright.benchmarks.registry import names
from benchwright.benchmarks.releases.baseline_figures import read_baselines
from benchwright.benchmarks.releases.commitments import is_seed
from benchwright.benchmarks.releases.derived import added_configs, without_configs
from benchwright.benchmarks.releases.manifest import Manifest, is_private
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.benchmarks.releases.proofs.baselines import FIGURES
from benchwright.benchmarks.releases.proofs.commitments import public_half
from benchwright.benchmarks.releases.rebuilt import COUNTED, REBUILT, compare_rebuilt
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.baselines import measure_baselines
from benchwright.benchmarks.reports.readable.asked import NONE
from benchwright.builders.base import RenderCard, build_release, load_builder

ADDED = "rows that were added to what was built"
_SHOWN = 10
"""Lines of what differs that are shown of a release, or of each half."""


@dataclass(frozen=True)
class Given:
    """What is not in a manifest, and was said by whoever rebuilds."""

    settings: Mapping[str, str]
    """Parameters: where a file lies, who asks a wiki."""
    render_card: RenderCard
    progress: Callable[[str, int, int], None] = lambda what, done, total: None
    public: Release | None = None
    """The public half of a private release; None: its neighbour."""
    database: str | None = None
    """Where its database is; the same as the parameter `database`, for builders that have one."""
    cache: Path | None = None
    """The file of kept replies of language models; None: the user's own."""


def rebuild(release: Release, found: Verification, given: Given) -> None:
    """Builds a release again and notes in `found` what is the same, what differs, or why this cannot be said."""
    try:
        release = _before(release, found)
        settings = _settings(release, given)
        with tempfile.TemporaryDirectory(prefix="benchwright-rebuild-") as folder:
            again = _build(release, settings, given, Path(folder))
            _compare(release, again, found, given)
    except BenchwrightError as error:
        found.leave(REBUILT, 1, str(error))
    if not found.problems:
        _score_again(release, found, given.progress)


def _before(release: Release, found: Verification) -> Release:
    """A release without the configs that were added to its parent; itself where none can be told."""
    if release.manifest.parent is None or release.manifest.holdout is not None:
        return release
    added = added_configs(release, release.hash_content())
    if added is None:
        return release
    rows = sum(release.manifest.rows[config] for config in added)
    found.leave(ADDED, rows, "no builder made them: read them with --diff")
    return without_configs(release, added)


def build_again(release: Release, given: Given, root: Path) -> Release:
    """Builds a release, or both halves, once more in ROOT/NAME/VERSION, where the same content may lie already.

    Raises:
        BenchwrightError: its manifest does not tell how, or the version is there with other content.
    """
    return _build(release, _settings(release, given), given, root)


def _score_again(release: Release, found: Verification, progress: Callable[[str, int, int], None]) -> None:
    """Asks the baselines again whose figures a release has, of its own questions."""
    figures = read_baselines(release.folder)
    if figures is None:
        return
    del found.unchecked[FIGURES]
    if measure_baselines(release, progress) == figures:
        found.proved[f"{FIGURES}, asked again"] += len(figures.baselines)
    else:
        reason = "asked again they are others: another version of benchwright measured them, or they were changed"
        found.leave(FIGURES, len(figures.baselines), reason)


def _settings(release: Release, given: Given) -> dict[str, str]:
    """The settings that build a release again.

    Raises:
        BenchwrightError: there are none that would do.
    """
    manifest = release.manifest
    _check(manifest)
    spec = load_spec(manifest.builder)
    said = dict(given.settings)
    if given.database is not None and "database" in spec.parameters:
        said.setdefault("database", given.database)
    own = getattr(load_builder(manifest.builder), "settings_to_rebuild", None)
    said = {**(own(release, said) if own is not None else {}), **said}
    said["readable"] = NONE  # a proof of its own reads the gold documents again
    settings = {
        name: _text(value)
        for name, value in manifest.parameters.items()
        if value is not None and not (manifest.holdout and is_seed(name))
    }
    for name, value in manifest.parameters.items():
        known = spec.parameters.get(name)
        if known is not None and value and name not in said and known.names_a_place(str(value)):
            shown = value if known.places else f"…/{value}"
            raise BenchwrightError(f"of {name} its manifest tells the last part alone: add --set {name}={shown}")
    return settings | said


def _check(manifest: Manifest) -> None:
    """Raises BenchwrightError where a release is none that can be built again here."""
    name = f"{manifest.name} {manifest.version}"
    if manifest.parent is not None:
        parent = f"{manifest.parent['name']} {manifest.parent['version']}"
        raise BenchwrightError(f"it was derived from {parent}: rebuild that, and read what was added with --diff")
    if manifest.builder not in names(BUILDERS):
        raise BenchwrightError(
            f"the builder {manifest.builder} is not installed: install the package that it comes from"
        )
    version = load_builder(manifest.builder).VERSION
    if version != manifest.builder_version:
        raise BenchwrightError(
            f"{name} was built by version {manifest.builder_version} of its builder, and {version} is installed: "
            "install the version of benchwright that has it"
        )
    if manifest.holdout is not None and not is_private(manifest):
        private = manifest.holdout["private"]
        raise BenchwrightError(
            f"what it was drawn with is secret: whoever has {private} rebuilds that, which makes both"
        )


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _build(release: Release, settings: Mapping[str, str], given: Given, root: Path) -> Release:
    """Builds it in a folder, or both halves."""
    manifest = release.manifest
    halves = manifest.holdout or {}
    with ExitStack() as stack:
        build_release(
            manifest.builder,
            settings,
            given.render_card,
            output=root,
            name=halves.get("public", manifest.name),
            version=manifest.version,
            seed=None if halves else manifest.seed,
            holdout=halves.get("share"),
            secret=bytes.fromhex(halves["secret"]) if halves else None,
            client=_client(manifest, given.cache, stack),
            progress=given.progress,
            releases=release.folder.parent.parent,
        )
    return Release.load(root / manifest.name / manifest.version)


def _client(manifest: Manifest, cache: Path | None, stack: ExitStack) -> Client | None:
    """The models that a release was built with, as far as their replies are kept: none is asked."""
    if not manifest.models:
        return None
    roles = {str(model["role"]): model for model in manifest.models}
    urls = [f"{role}={model['base_url']}" for role, model in roles.items() if model.get("base_url")]
    models = [f"{role}={model['name']}" for role, model in roles.items()]
    return stack.enter_context(Client(read_settings(models, urls, environment={}, cache=cache, replay=True)))


def _compare(release: Release, again: Release, found: Verification, given: Given) -> None:
    """Compares what was built with the release, and its public half with the one that is there."""
    doubt = _doubt(release.manifest, again.manifest, load_spec(release.manifest.builder), given.settings)
    is_same = _built_from(release.manifest) == _built_from(again.manifest)
    lines = compare_rebuilt(release, again, found, with_manifest=is_same)[:_SHOWN]
    public = public_half(release, given.public)
    if public is not None:
        twin = Release.load(again.folder.parent.parent / public.manifest.name / public.manifest.version)
        lines += [f"{public.manifest.name}: {line}" for line in compare_rebuilt(public, twin, found)[:_SHOWN]]
    elif is_private(release.manifest):
        section, other = release.manifest.holdout or {}, again.manifest.holdout or {}
        if section["public_content_hash"] != other["public_content_hash"]:
            lines.append(f"{section['public']}: its content hash is another")
    if lines and doubt:
        what = REBUILT if release.manifest.content_hash != again.manifest.content_hash else COUNTED
        found.leave(what, 1, f"{doubt}; {lines[0]}")
    elif lines:
        for line in lines:
            found.problem("rebuild", line)


def _built_from(manifest: Manifest) -> dict[str, Any]:
    """The parameters but for how much was read, which makes no content."""
    return {name: value for name, value in manifest.parameters.items() if name != "readable"}


def _doubt(old: Manifest, new: Manifest, spec: Spec, given: Mapping[str, str]) -> str | None:
    """Why a difference need not be the release's fault; None where it must be."""
    if old.models:
        return "language models wrote a part, and the replies that are kept may be others"
    if _schema_files(old) != _schema_files(new):
        return "the schema file is not the one that the manifest names: it has another SHA-256"
    hashes = {str(source["uri"]): source.get("sha256") for source in old.sources}
    for source in new.sources:
        name, sha256 = str(source["uri"]), source.get("sha256")
        if sha256 is None:
            return f"its source {name} has no hash, and may have changed since"
        if hashes.get(name, sha256) != sha256 or (name not in hashes and sha256 not in hashes.values()):
            return f"{name} is not the file that the manifest names: it has another SHA-256"
    vouched = bool(new.sources)
    for name in given:
        is_read = name in spec.parameters and spec.parameters[name].place
        if name == "forms" and old.checks.get("hypotheses") != new.checks.get("hypotheses"):
            return "the files of forms are not those that the manifest names: they have other SHA-256"
        if is_read and not (vouched and name in ("database", "dump", "dump_log", "schema", "source", "corpus")):
            return f"the manifest has no hash of what {name} names, so that another file may have been given"
    return None


def _schema_files(manifest: Manifest) -> list[Any]:
    """The hashes of the files that said how to understand its databases."""
    return [source.get("schema_sha256") for source in manifest.sources]
