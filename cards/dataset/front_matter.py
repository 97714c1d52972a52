"""The YAML at the top of a card: what the Hub shows and finds, and what `datasets` loads."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchwright.benchmarks.catalogue import Spec
from benchwright.benchmarks.licences import OTHER, Licence
from benchwright.benchmarks.releases.budget import checked_footer
from benchwright.benchmarks.releases.manifest import Manifest, is_private
from benchwright.benchmarks.releases.release import HELDOUT, TEST, Release
from benchwright.benchmarks.schemas import DEFAULT_CONFIG, LABELS
from benchwright.benchmarks.schemas import in_order as configs_in_order
from benchwright.cards.blocks.markdown_text import one_line
from benchwright.cards.dataset.about import about, language_creators

TAGS = ("benchwright", "benchmark")
"""Tags of every release, beside those of the spec."""

_SIZES = [
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
]
_PEOPLE = "other"
"""The Hub's word for people of whom is not known whether they are experts or a crowd."""
_DTYPES = {"double": "float64", "float": "float32", "halffloat": "float16"}
"""What Arrow calls otherwise than `datasets`."""


def front_matter(release: Release, spec: Spec) -> str:
    """The YAML between the dashes."""
    import yaml

    manifest = release.manifest
    rows = manifest.rows.get(DEFAULT_CONFIG, 0)
    content: dict[str, Any] = {
        "pretty_name": one_line(spec.title if manifest.name == spec.name else f"{manifest.name}: {spec.title}"),
        **_licence(about(manifest, spec).licence),
        **_language(spec.language_of(manifest.parameters, manifest.sources)),
        "multilinguality": ["monolingual"],
        **_creators(manifest, spec),
        "task_categories": list(spec.task_categories),
        **({"task_ids": list(spec.task_ids)} if spec.task_ids else {}),
        "tags": [one_line(tag) for tag in dict.fromkeys((*TAGS, *spec.tags))],
        "size_categories": [next((name for limit, name in _SIZES if rows < limit), "10M<n<100M")],
        **({"viewer": False} if is_private(manifest) else {}),
        "configs": [_config(manifest, config) for config in configs(manifest)],
        "dataset_info": [dataset_info(release, config) for config in configs(manifest)],
    }
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=1000)


def _licence(licence: Licence) -> dict[str, Any]:
    """The licence as the Hub filters by it, and what it is called where the Hub has no name for it."""
    said = [one_line(each) for each in licence.said]
    return {"license": licence.id} | ({"license_name": ", ".join(said)} if licence.id == OTHER and said else {})


def _creators(manifest: Manifest, spec: Spec) -> dict[str, Any]:
    """Who made answers and texts, and of what, as far as spec and manifest say."""
    people = [_PEOPLE] if LABELS.name in manifest.splits else []
    found = {
        "annotations_creators": list(dict.fromkeys((*spec.annotations_creators, *people))),
        "language_creators": language_creators(manifest, spec),
        "source_datasets": list(spec.source_datasets),
    }
    return {name: values for name, values in found.items() if values}


def _language(tag: str) -> dict[str, Any]:
    """The language as the Hub filters by it, and its whole tag where that says more."""
    short = tag.partition("-")[0]
    return {"language": [short]} | ({"language_bcp47": [tag]} if short != tag else {})


def configs(manifest: Manifest) -> list[str]:
    """The configs that have rows, the default first."""
    return configs_in_order(manifest.splits)


def _config(manifest: Manifest, config: str) -> dict[str, Any]:
    """One entry of `configs`.

    The description is not for reading: `datasets` caches a local folder by its last part and its configs alone, so that
    without a content hash in them two releases in folders `1.0.0` would be taken for one another.
    """
    found: dict[str, Any] = {
        "config_name": config,
        "description": f"{manifest.name} {manifest.version}, content {manifest.content_hash}",
    }
    if config == DEFAULT_CONFIG:
        found["default"] = True
    found["data_files"] = [
        {"split": split, "path": f"{config}/{split}-*.parquet"} for split in in_order(manifest.splits[config])
    ]
    return found


def in_order(splits: Mapping[str, int]) -> dict[str, int]:
    """Splits in the order in which they are shown: `test` first, questions without answers last."""
    return dict(sorted(splits.items(), key=lambda item: (item[0] == HELDOUT, item[0] != TEST, item[0])))


def dataset_info(release: Release, config: str) -> dict[str, Any]:
    """One entry of `dataset_info`, as `datasets` writes it: columns, rows, and sizes.

    `num_bytes` are the bytes of the row groups before compression, as their footers say: no row is read. `datasets`
    compares `num_examples` with what it loads; it only shows the sizes.
    """
    splits, on_disk = [], 0
    for split, rows in in_order(release.manifest.splits[config]).items():
        shards = release.shards(config, split)
        on_disk += sum(path.stat().st_size for path in shards)
        splits.append({"name": split, "num_bytes": sum(map(_row_bytes, shards)), "num_examples": rows})
    return {
        "config_name": config,
        "features": features(release.schema(config)),
        "splits": splits,
        "download_size": on_disk,
        "dataset_size": sum(split["num_bytes"] for split in splits),
    }


def _row_bytes(path: Path) -> int:
    footer = checked_footer(path)
    return sum(footer.row_group(number).total_byte_size for number in range(footer.num_row_groups))


def features(schema: pa.Schema) -> list[dict[str, Any]]:
    """The columns of a schema as `datasets` writes its features in YAML.

    Made without importing it, which takes 0.9 s, and a whole build of a small database 1.5 s (November 2026). A test
    holds this against what `datasets` itself writes, for every config.
    """
    return [{"name": item.name, **_feature(item.type)} for item in schema]


def _feature(kind: pa.DataType) -> Mapping[str, Any]:
    if pa.types.is_list(kind):
        inner = _feature(kind.value_type)
        short = inner.get("dtype") or inner.get("struct") or inner
        return {"list": short}
    if pa.types.is_struct(kind):
        return {"struct": [{"name": item.name, **_feature(item.type)} for item in kind]}
    if pa.types.is_primitive(kind) or pa.types.is_string(kind):
        return {"dtype": _DTYPES.get(str(kind), str(kind))}
    raise ValueError(f"a card cannot name columns of the type {kind}")
