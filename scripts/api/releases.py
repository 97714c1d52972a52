"""Releases from Python: load, build, verify."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.releases.find import open_release
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.benchmarks.releases.proofs.verify import verify_release as verify
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.types import Document

RELEASES = Path("releases")


def load_release(reference: str | Path, *, releases: str | Path = RELEASES) -> Release:
    """A release by reference, as on the command line.

    Args:
        reference: a folder, a local name `NAME[@VERSION]` (the newest version where none is said), or a repository on
            the Hub `NAMESPACE/NAME[@REVISION]`, which is fetched.
        releases: the folder of releases, where a name is looked for.

    Raises:
        BenchwrightError: there is none of these; the text says how to build it.
    """
    return open_release(str(reference), Path(releases))


def build_release(
    benchmark: str,
    settings: Mapping[str, str | int | float | bool] | None = None,
    *,
    releases: str | Path = RELEASES,
    name: str | None = None,
    version: str | None = None,
    seed: int | None = None,
    holdout: float | None = None,
    models: Sequence[str] = (),
    base_url: str | Sequence[str] | None = None,
    max_cost: float | None = None,
) -> Release:
    """Builds a release in RELEASES/NAME/VERSION, as `build-benchmark` does, and returns it.

    The same benchmark, settings and seed give the same content. One that is there already with the same content is
    returned as it is.

    Args:
        benchmark: what to build, such as "aurp"; see `benchwright build-benchmark --help`.
        settings: parameters that differ from the benchmark's defaults, as `--set` takes them.
        releases: the folder of releases.
        name: the release's name; None: the benchmark's.
        version: the release's version; None: the benchmark's.
        seed: the seed of everything that is drawn; None: 0, and with `holdout` a secret one.
        holdout: the share of semantic groups whose answers go to a release NAME-private instead.
        models: language models, `NAME` for all roles or `ROLE=NAME`; none: built-in texts.
        base_url: their OpenAI-compatible endpoint, or several, `ROLE=URL`; None: `$OPENAI_BASE_URL`, else OpenAI's.
        max_cost: US dollars, before more of which are spent it stops.

    Raises:
        UsageError: a benchmark or a parameter does not exist, or a value is impossible.
        BenchwrightError: something cannot be read, written or proved, or the version is there with other content.
            Nothing is left behind.
    """
    from benchwright.builders import base
    from benchwright.cards.dataset.card import render_card
    from benchwright.clients import client_for

    texts = {
        key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in (settings or {}).items()
    }
    with client_for(models, base_url, max_cost) as client:
        release, _ = base.build_release(
            benchmark,
            texts,
            render_card,
            output=Path(releases),
            name=name,
            version=version,
            seed=seed,
            holdout=holdout,
            client=client,
        )
    return release


def derive(
    parent: Release | str | Path,
    version: str,
    add: Mapping[str, Mapping[str, Iterable[Mapping[str, Any]]]] | None = None,
    *,
    texts: Callable[[str], str | Document | None] | None = None,
    documents: str | Path | None = None,
    releases: str | Path = RELEASES,
) -> Release:
    """The next version of a release with something added: labels that people gave, or texts of a release of offsets.

    The parent's rows stay byte for byte, its files are compared with its manifest, and the new manifest names it.

    Args:
        parent: the release that something is added to, or a reference to it as `load_release` takes it.
        version: the new version, such as "1.1.0"; higher than the parent's.
        add: config → split → rows, of configs that the parent has not, such as "labels".
        texts: given a document's id, its text or the whole `Document`, or None where it is not there: of releases
            without texts.
        documents: the same from the files that the release was built from, in this folder, read by its builder; then
            nothing else is added.
        releases: the folder of releases; the new one is made in RELEASES/NAME/VERSION.

    Raises:
        BenchwrightError: the version is not higher, a config is there already or is not known, rows name what is not
            there, or a text is not the one that the release tells the hash of. Nothing is left behind.
    """
    from benchwright.benchmarks.catalogue import load_spec
    from benchwright.benchmarks.releases.derive import derive as derive_release
    from benchwright.builders.join import join
    from benchwright.cards.dataset.card import render_card

    opened = _opened(parent, releases)
    if documents is not None:
        if add or texts is not None:
            raise UsageError("documents are joined by themselves: add configs in a version of their own")
        return join(opened, Path(documents), Path(releases), render_card, version=version)
    spec = load_spec(opened.manifest.builder)
    return derive_release(
        opened,
        version,
        add or {},
        Path(releases),
        render_card=lambda manifest, folder: render_card(manifest, spec, folder),
        texts=texts,
    )


def verify_release(
    release: Release | str | Path,
    *,
    releases: str | Path = RELEASES,
    database: str | None = None,
    public: Release | str | Path | None = None,
) -> Verification:
    """Proves a release again from its files, as `verify-benchmark` does: hashes, ids, references, spans, SQL.

    Args:
        release: the release, or a reference to it as `load_release` takes it.
        releases: the folder of releases, where a name is looked for.
        database: the database that the questions came from, where it is not shipped: a URL, a SQLite file, or a folder
            of CSV files.
        public: the public half of a private release; None: its neighbour.

    Returns:
        What was proved and what was not checked, with counts, and `problems`: empty where nothing is wrong.

    Raises:
        BenchwrightError: the release or the database cannot be opened.
    """
    half = None if public is None else _opened(public, releases)
    from benchwright.benchmarks.reports.readable import prove_readable
    from benchwright.builders.sql.own_database import given_database
    from benchwright.cards.dataset import prove_card

    with given_database(database) as given:
        return verify(_opened(release, releases), given, half, [prove_card.PROOF, prove_readable.PROOF])


def _opened(release: Release | str | Path, releases: str | Path) -> Release:
    return release if isinstance(release, Release) else load_release(release, releases=releases)
