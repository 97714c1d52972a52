"""How a benchmark is made: a builder is a module with `VERSION` and `build(request, writer)`; this is all it must know.

A builder of this package is `builders/NAME.py` or `builders/NAME/`; its spec is `benchmarks/specs/NAME.toml`. Other
packages register theirs under the entry point group `benchwright.builders`, with `NAME.toml` beside the module.
"""

import logging
import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from benchwright.benchmarks.catalogue import BUILDERS, Spec, is_place, load_spec
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.licences import check_licence
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.naming import check_name, check_version
from benchwright.benchmarks.registry import find
from benchwright.benchmarks.releases.commitments import is_seed
from benchwright.benchmarks.releases.configs import declared
from benchwright.benchmarks.releases.holdout import Holdout, check_share, open_holdout, private_name
from benchwright.benchmarks.releases.holdout_writer import HoldoutWriter
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.offsets import OFFSETS, PARAMETER, without_texts
from benchwright.benchmarks.releases.readable_figures import CHECK, FILE, readable_text, without_said
from benchwright.benchmarks.releases.recovered import recovered
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.staging import next_version, publish, staging
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.reports.readable.asked import parse_wanted
from benchwright.benchmarks.reports.readable.measure import measure_readable
from benchwright.benchmarks.reports.readable.readers import ROLE
from benchwright.benchmarks.secrecy import without_secrets

log = logging.getLogger("benchwright")

CARD_TEXT = 1_000
"""Characters that a text for the card may have."""

RenderCard = Callable[[Manifest, Spec, Path], str]
"""Makes the card from the manifest, the spec and the folder."""
Progress = Callable[[str, int, int], None]
"""Told what is being made, how much is done, and of how much (0: unknown)."""


@dataclass(frozen=True)
class BuildRequest:
    """What a builder is asked for."""

    name: str
    """The release's name; the builder's name where none is given."""
    parameters: Mapping[str, Any]
    """Every parameter of the spec with its value. One called `seed` or `…_seed` is a secret of 256 bits where questions
    are held out."""
    seed: int
    """Decides everything that is drawn; a secret of 256 bits where questions are held out."""
    client: Client | None = None
    """Asks the models that were named; the role `writer` is the builders'."""
    progress: Progress = lambda what, done, total: None
    """Called now and then."""
    releases: Path = Path("releases")
    """The folder of releases, where `open_release(NAME, releases)` finds one that a parameter names."""


class Builder(Protocol):
    """A module that builds a benchmark."""

    VERSION: str
    """The builder's own version: it changes when the same parameters and seed would give other content."""

    def build(self, request: BuildRequest, writer: ReleaseWriter) -> None:
        """Writes questions, documents, templates, databases, sources and checks.

        A builder may also have `check_holdout(parameters)`, which raises UsageError where what is public (documents,
        templates) would state the answers of questions that are held out; `read_answers(public, groups)`, which reads
        what it can of them in the public documents, so that the card says how much that is (see `recovered.py` in
        `benchmarks/releases`); `settings_to_rebuild(release, given)`, for a release that its manifest's parameters
        alone do not build again (see `builders/rebuild.py`); `as_asked(manifest, original, folder)`, which makes the
        database that was asked from the original once more, where its names were replaced; and two that write nothing
        (see `beforehand.py`): `preview(request)`, which returns blocks that show what would be asked and what would
        not, and `draft(request)`, which returns as a text how it understands a user's database, to be edited and given
        back.

        One that makes releases of offsets (the parameter `text` with the values `whole` and `offsets`) has
        `told_without_text(document)`, which makes a document's title and metadata what may be told without its text,
        and `documents_of(release, folder, progress)`, which reads the documents of such a release again, as they are
        in a build with `text=whole`: see `join.py` and `benchmarks/releases/offsets.py`.
        """
        ...


def load_builder(name: str) -> Builder:
    """The builder of a benchmark. Only its own module is imported.

    Raises:
        UsageError: there is none, or it cannot be imported.
    """
    return find(BUILDERS, name)


def build_release(
    benchmark: str,
    settings: Mapping[str, str],
    render_card: RenderCard,
    *,
    output: Path = Path("releases"),
    name: str | None = None,
    version: str | None = None,
    seed: int | None = None,
    holdout: float | None = None,
    secret: bytes | None = None,
    client: Client | None = None,
    progress: Progress = lambda what, done, total: None,
    releases: Path | None = None,
) -> tuple[Release, bool]:
    """Builds a release in a hidden folder and moves it to OUTPUT/NAME/VERSION when it is complete.

    Args:
        benchmark: the benchmark's name, such as `grammar`.
        settings: parameters that differ from the spec's defaults, as text.
        render_card: makes the card from the manifest, the spec and the folder.
        output: the root folder of releases.
        name: the release's name; the benchmark's where none is given.
        version: the release's version; the spec's where none is given.
        seed: the seed of everything that is drawn; 0 where none is given, and a secret one with `holdout`.
        holdout: the share of the semantic groups of `test` whose answers go to OUTPUT/NAME-private/VERSION instead. See
            `benchmarks/releases/holdout_writer.py`.
        secret: of the halves that are built again in another place; None: the one of the private half that is there,
            else a new one.
        client: asks models; None, or a role without a model: its built-in twin does the work by rule.
        progress: told now and then how far the build is.
        releases: the folder of releases and, beside it, of runs that parameters name; None: the output.

    Returns:
        The release, and whether it is new: False where the same content was there already.

    Raises:
        BenchwrightError: something cannot be meant, read or written. Nothing is left behind.
        Estimated: nothing was to be asked or built.
    """
    spec = load_spec(benchmark)
    parameters = spec.resolve(settings)
    _check_card(spec, parameters)
    parse_wanted(parameters["readable"])
    build = _Build(
        spec=spec,
        builder=load_builder(benchmark),
        name=check_name(name or benchmark),
        version=check_version(version or spec.version),
        parameters=parameters,
        render_card=render_card,
        output=output,
        client=client,
        progress=progress,
        releases=output if releases is None else releases,
    )
    _check_asking(build)
    if holdout is None:
        is_new = build.whole(seed or 0)
    else:
        _check_holdout(build, seed, settings)
        is_new = build.halves(check_share(holdout), secret)
    target = output / build.name / build.version
    log.info("%s: %s", target, "built" if is_new else "was there with the same content")
    return Release.load(target), is_new


@dataclass(frozen=True)
class _Build:
    """What is built, and where."""

    spec: Spec
    builder: Builder
    name: str
    version: str
    parameters: Mapping[str, Any]
    render_card: RenderCard
    output: Path
    client: Client | None
    progress: Progress
    releases: Path

    def whole(self, seed: int) -> bool:
        """Builds one release. Returns whether it is new."""
        with staging(self.output, self.name, self.version) as folder:
            writer = ReleaseWriter(folder, declared(self.builder), self._canary(self.name))
            facts = self._facts(self.name, seed=seed, parameters=_publishable(self.spec, self.parameters))
            self._run(writer, self._asked, seed)
            manifest = writer.finish(**facts)
            if not manifest.rows["questions"]:
                raise BenchwrightError("the build made no question: nothing is published")
            if self.parameters.get(PARAMETER) == OFFSETS:
                writer, manifest = self._without_texts(Release(folder, manifest), facts)
            else:
                manifest = self._read_gold(writer, manifest)
            self._seal(writer, manifest)
            return publish((writer.folder, self.output / self.name / self.version))

    def _without_texts(self, whole: Release, facts: Mapping[str, Any]) -> tuple[ReleaseWriter, Manifest]:
        """The release of offsets of one that is not sealed, in a folder in it: nothing else of it is published."""
        folder = whole.folder / OFFSETS
        folder.mkdir()
        writer = ReleaseWriter(folder, declared(self.builder), self._canary(self.name))
        try:
            without_texts(whole, writer, self.builder.told_without_text)  # type: ignore[attr-defined]
        except BaseException:
            writer.abandon()
            raise
        return writer, writer.finish(**facts)

    def halves(self, share: float, secret: bytes | None = None) -> bool:
        """Builds a public release and the private one beside it, from secret seeds. Returns whether either is new.

        The private one goes to its place first: there is never a public release whose answers nobody has.
        """
        hidden = private_name(self.name)
        with (
            staging(self.output, hidden, self.version) as folder,
            staging(self.output, self.name, self.version) as public,
        ):
            holdout = (
                open_holdout(self.output, self.name, self.version, share)
                if secret is None
                else Holdout(self.name, share, secret)
            )
            seeds = {name: holdout.seed(name) for name in self.parameters if is_seed(name)}
            canaries = self._canary(hidden), self._canary(self.name)
            writer = HoldoutWriter(folder, public, holdout, declared(self.builder), self.spec.checks, canaries)
            self._run(writer, {**self._asked, **seeds}, holdout.seed())
            shown = {**_publishable(self.spec, self.parameters), **dict.fromkeys(seeds)}
            told = writer.finish_public(**self._facts(self.name, seed=None, parameters=shown))
            kept = writer.finish(**self._facts(hidden, seed=None, parameters=shown))
            came_out = recovered(
                Release(public, told), Release(folder, kept), getattr(self.builder, "read_answers", None)
            )
            told = replace(told, holdout={**(told.holdout or {}), "recovered": came_out})
            self._seal(writer.public, self._read_gold(writer.public, told))
            self._seal(writer, kept)
            places = [self.output / name / self.version for name in (hidden, self.name)]
            return publish(*zip((folder, public), places, strict=True))

    @property
    def _asked(self) -> dict[str, Any]:
        """What the builder is given: all parameters but those of the card."""
        return {name: value for name, value in self.parameters.items() if not self.spec.parameters[name].of_card}

    def _run(self, writer: ReleaseWriter, parameters: Mapping[str, Any], seed: int) -> None:
        try:
            self.builder.build(
                BuildRequest(self.name, parameters, seed, self.client, self.progress, self.releases), writer
            )
        except BaseException:
            writer.abandon()
            raise

    def _facts(self, name: str, **facts: Any) -> dict[str, Any]:
        return {
            "name": name,
            "version": self.version,
            "builder": self.spec.name,
            "builder_version": self.builder.VERSION,
            "canary": self._canary(name),
            **facts,
        }

    def _canary(self, name: str) -> str:
        return str(uuid.uuid5(uuid.UUID(self.spec.canary), name))

    def _read_gold(self, writer: ReleaseWriter, manifest: Manifest) -> Manifest:
        """Gives a reader the gold documents and writes what came of it. Returns the manifest with its counts.

        Of a release with held-out answers the public half is read, by itself: what comes of it anybody can make again
        from what is public, so that nothing of the other half can be told from it. What the reader said is left out all
        the same.
        """
        wanted = parse_wanted(self.parameters["readable"])
        found = measure_readable(Release(writer.folder, manifest), wanted, self.client, self.progress)
        if found is None:
            return manifest
        found = without_said(found) if manifest.holdout else found
        (writer.folder / FILE).write_text(readable_text(found), encoding="utf-8")
        return replace(manifest, checks={**manifest.checks, CHECK: found.counts})

    def _seal(self, writer: ReleaseWriter, manifest: Manifest) -> None:
        writer.seal(manifest, self.render_card(manifest, self.spec, writer.folder))


def _check_asking(build: _Build) -> None:
    """Lets a build whose version is there ask no model: with other replies its content would differ, and would be
    refused once all is paid for.
    """
    target = build.output / build.name / build.version
    if build.client is not None and target.exists():
        build.client.refuse(
            f"{target} is there, and a model would be asked anew: other replies would make other content, and a "
            f"version is never changed; {next_version(build.version)}"
        )


def _check_holdout(build: _Build, seed: int | None, settings: Mapping[str, str]) -> None:
    """Raises UsageError where the answers that are held out could be made again."""
    if seed is not None:
        raise UsageError("--seed cannot be chosen with --holdout: it must be secret; leave it out")
    if build.client is not None and build.client.has(ROLE):
        raise UsageError(
            "--model reader=NAME cannot be given with --holdout: what a model says of one question may answer another; "
            f"leave it out, and afterwards: verify-benchmark {build.name} --readable --model reader=NAME"
        )
    for name in settings:
        if is_seed(name):
            raise UsageError(f"{name} cannot be chosen with --holdout: it must be secret; leave it out of --set")
    check = getattr(build.builder, "check_holdout", None)
    if check is not None:
        check(build.parameters)


def _check_card(spec: Spec, parameters: Mapping[str, Any]) -> None:
    """Raises UsageError where a card could not say what it is told."""
    for name in (name for name, parameter in spec.parameters.items() if parameter.of_card):
        value = parameters[name]
        if name == "licence":
            check_licence(value)
        if isinstance(value, str) and not (value.isprintable() and len(value) <= CARD_TEXT):
            raise UsageError(f"{name} must be one line of at most {CARD_TEXT:,} characters for the card")
        if isinstance(value, str) and without_secrets(value) != value:
            raise UsageError(f"{name} would show a password or a token on the card: leave it out of the text")


def _publishable(spec: Spec, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters without what is private, credentials and paths: of a URL or a path only its last part stays. What is
    for the card stays as it is given, and is left out where it is not."""
    shown = {}
    for key, value in parameters.items():
        if spec.parameters[key].private:
            continue
        if spec.parameters[key].of_card:
            shown |= {key: value} if value else {}
            continue
        if isinstance(value, str) and "://" in value:
            value = re.split(r"[?#]", value.rpartition("@")[2], maxsplit=1)[0]
        may_be_place = isinstance(value, str) and (
            spec.parameters[key].place or "/" in value or "\\" in value or "@" in value
        )
        if isinstance(value, str) and spec.parameters[key].places:
            shown[key] = ",".join(_shown_entry(entry.strip()) for entry in value.split(","))
        else:
            shown[key] = _last_part(value) if may_be_place else value
    return shown


def _last_part(place: str) -> str:
    return place.replace("\\", "/").rstrip("/").rpartition("/")[2].rpartition("@")[2]


def _shown_entry(entry: str) -> str:
    """An entry of a list of names and places, still to be told from a name."""
    last = _last_part(entry)
    return last if not is_place(entry) or is_place(last) else f"{last}/"
