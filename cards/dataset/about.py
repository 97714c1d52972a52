"""What a card says of people and terms: who answers for a release, under what licence it is, how it is cited.

All of it comes from the spec, or from who built the release; what nobody stated is said to be so, and never made up.
"""

import re
from dataclasses import dataclass

from benchwright.benchmarks.catalogue import Spec
from benchwright.benchmarks.licences import Licence, licence_of
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.cards.blocks.markdown_text import one_line

_CREATORS = {
    "rule": "machine-generated",
    "model": "machine-generated",
    "fallback": "machine-generated",
    "given": "other",
}
"""Who wrote a text → the Hub's word for it."""


@dataclass(frozen=True)
class About:
    """Who answers for a release; an empty text was not stated."""

    creators: tuple[str, ...]
    maintainer: str
    maintenance: str
    errata: str
    year: int
    personal_data: str
    """As the builder was told."""
    licence: Licence


def about(manifest: Manifest, spec: Spec) -> About:
    """What the manifest's parameters state, and the spec where they do not."""

    def told(name: str) -> str:
        value = manifest.parameters.get(name) if _is_of_card(spec, name) else None
        return value if isinstance(value, str) else ""

    year = manifest.parameters.get("year") if _is_of_card(spec, "year") else None
    creators = tuple(name.strip() for name in told("creators").split(";") if name.strip())
    given = {"licence": told("licence")}
    return About(
        creators=creators or spec.creators,
        maintainer=told("maintainer") or spec.maintainer,
        maintenance=told("maintenance") or spec.maintenance,
        errata=told("errata") or spec.errata,
        year=year if isinstance(year, int) and 0 < year < 10_000 else spec.year,
        personal_data=told("personal_data"),
        licence=licence_of(spec.licence, given, manifest.sources),
    )


def _is_of_card(spec: Spec, name: str) -> bool:
    return name in spec.parameters and spec.parameters[name].of_card


def citation(manifest: Manifest, spec: Spec, repository: str | None) -> str:
    """The release itself as BibTeX. Its year is the one that was stated: a release has no time stamps."""
    known = about(manifest, spec)
    title = spec.title if manifest.name == spec.name else f"{manifest.name}: {spec.title}"
    place = f"Hugging Face Hub, dataset {repository}, tag v{manifest.version}" if repository else ""
    fields = {
        "title": f"{{{_bibtex(title)}}}",
        "author": " and ".join(f"{{{_bibtex(name)}}}" for name in known.creators),
        "year": str(known.year or ""),
        "version": manifest.version,
        "howpublished": place,
        "note": f"content hash {manifest.content_hash}",
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    key = re.sub(r"[^a-z0-9]+", "_", f"{manifest.name}_{manifest.version}")
    return "\n".join([f"@misc{{{key},", ",\n".join(lines), "}"])


def _bibtex(text: str) -> str:
    return re.sub(r"[{}\\]", " ", one_line(text)).strip()


def language_creators(manifest: Manifest, spec: Spec) -> list[str]:
    """Who wrote the texts, in the Hub's words."""
    found = [_CREATORS[who] for texts in manifest.texts.values() for who, count in texts.items() if count]
    return sorted({*found, *spec.language_creators})
