"""How a benchmark is made: a builder is a module with `VERSION` and `build(request, writer)`; this is all it must know.

A builder of this package is `builders/NAME.py` or `builders/NAME/`; its spec is `benchmarks/specs/NAME.toml`. Other
packages register theirs under the entry point group `benchwright.builders`, with `NAME.toml` beside the module.
"""

import logging
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from benchwright.benchmarks.catalogue import Spec, load_spec, outside_builders
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.release import Manifest, Release, check_name, check_version
from benchwright.benchmarks.writer import ReleaseWriter, publish, staging

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class BuildRequest:
    """What a builder is asked for."""

    name: str
    """The release's name; the builder's name where none is given."""
    parameters: Mapping[str, Any]
    """Every parameter of the spec with its value."""
    seed: int
    progress: Callable[[str, int, int], None] = lambda what, done, total: None
    """Called now and then with what is being made, how much is done, and of how much (0: unknown)."""


class Builder(Protocol):
    """A module that builds a benchmark."""

    VERSION: str
    """The builder's own version: it changes when the same parameters and seed would give other content."""

    def build(self, request: BuildRequest, writer: ReleaseWriter) -> None:
        """Writes questions, documents, templates, databases, sources and checks."""
        ...


def load_builder(name: str) -> Builder:
    """The builder of a benchmark. Only its own module is imported.

    Raises:
        BenchwrightError: there is none, or it cannot be imported.
    """
    own = f"benchwright.builders.{name}"
    point = outside_builders().get(name)
    try:
        module: Any = import_module(own) if find_spec(own) else point.load() if point else None
    except ImportError as error:
        raise BenchwrightError(f"the builder {name} cannot be imported: {error}") from None
    if module is None or not hasattr(module, "build") or not isinstance(getattr(module, "VERSION", None), str):
        raise BenchwrightError(f"there is no builder {name}: it must be a module with VERSION and build()")
    return module


def build_release(
    benchmark: str,
    settings: Mapping[str, str],
    render_card: Callable[[Manifest, Spec, Path], str],
    *,
    output: Path = Path("releases"),
    name: str | None = None,
    version: str | None = None,
    seed: int = 0,
    progress: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> tuple[Release, bool]:
    """Builds a release in a hidden folder and moves it to OUTPUT/NAME/VERSION when it is complete.

    Args:
        benchmark: the benchmark's name, such as `grammar`.
        settings: parameters that differ from the spec's defaults, as text.
        render_card: makes the card from the manifest, the spec and the folder.
        output: the root folder of releases.
        name: the release's name; the benchmark's where none is given.
        version: the release's version; the spec's where none is given.
        seed: the seed of everything that is drawn.
        progress: told now and then how far the build is.

    Returns:
        The release, and whether it is new: False where the same content was there already.

    Raises:
        BenchwrightError: something cannot be meant, read or written. Nothing is left behind.
    """
    spec = load_spec(benchmark)
    release_name = check_name(name or benchmark)
    release_version = check_version(version or spec.version)
    parameters = spec.resolve(settings)
    builder = load_builder(benchmark)
    target = output / release_name / release_version
    with staging(output, release_name, release_version) as folder:
        writer = ReleaseWriter(folder)
        try:
            builder.build(BuildRequest(release_name, parameters, seed, progress), writer)
        except BaseException:
            writer.abandon()
            raise
        manifest = writer.finish(
            name=release_name,
            version=release_version,
            builder=benchmark,
            builder_version=builder.VERSION,
            parameters=_publishable(parameters),
            seed=seed,
            canary=str(uuid.uuid5(uuid.UUID(spec.canary), release_name)),
        )
        if not manifest.rows["questions"]:
            raise BenchwrightError("the build made no question: nothing is published")
        writer.seal(manifest, render_card(manifest, spec, folder))
        is_new = publish(folder, target)
    log.info("%s: %s", target, "built" if is_new else "was there with the same content")
    return Release.load(target), is_new


def _publishable(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters without credentials and paths: of a URL or a path only its last part stays."""
    shown = {}
    for key, value in parameters.items():
        is_place = isinstance(value, str) and ("/" in value or "\\" in value or "@" in value)
        shown[key] = value.replace("\\", "/").rstrip("/").rpartition("/")[2].rpartition("@")[2] if is_place else value
    return shown
