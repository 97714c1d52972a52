"""The dataset card of a release, from its manifest and its spec: the README of the repository on the Hub."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from benchwright.benchmarks.catalogue import Spec
from benchwright.benchmarks.release import Manifest, Release
from benchwright.benchmarks.schemas import DEFAULT_CONFIG

_SIZES = [
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
]
_EXAMPLES = 8


def render_card(manifest: Manifest, spec: Spec, folder: Path) -> str:
    """The card as Markdown with YAML front matter.

    Args:
        manifest: the release's manifest; its list of files is not used.
        spec: the benchmark's spec.
        folder: the release's folder, for the examples.
    """
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, autoescape=False
    )
    environment.filters["cell"] = table_cell
    template = (files("benchwright.cards") / "templates" / "dataset.md.jinja").read_text(encoding="utf-8")
    return environment.from_string(template).render(
        front_matter=front_matter(manifest, spec),
        manifest=manifest,
        spec=spec,
        checks=manifest.checks,
        examples=examples(Release(folder, manifest)),
        json=lambda value: json.dumps(value, ensure_ascii=False, sort_keys=True),
    )


def front_matter(manifest: Manifest, spec: Spec) -> str:
    """The YAML that the Hub and `datasets` read: which Parquet files make up which config."""
    import yaml

    rows = manifest.rows.get(DEFAULT_CONFIG, 0)
    content: dict[str, Any] = {
        "pretty_name": spec.title if manifest.name == spec.name else f"{manifest.name}: {spec.title}",
        "license": spec.licence,
        "language": [spec.language],
        "task_categories": list(spec.task_categories),
        "tags": list(spec.tags),
        "size_categories": [next((name for limit, name in _SIZES if rows < limit), "10M<n<100M")],
        "configs": [_config(manifest, config) for config in manifest.splits],
    }
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=1000)


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
    found["data_files"] = [{"split": split, "path": f"{config}/{split}-*.parquet"} for split in manifest.splits[config]]
    return found


def examples(release: Release) -> list[dict[str, Any]]:
    """Questions to show, as rows of `questions`: of templates that lie far apart, in forms and wordings that differ."""
    columns = ["question", "answers", "form", "template", "group"]
    found: dict[str, list[dict[str, Any]]] = {}
    for split in release.manifest.splits.get(DEFAULT_CONFIG, {}):
        for row in next(release.batches(DEFAULT_CONFIG, split, columns)).to_pylist():
            wordings = found.setdefault(row["template"], [])
            if not wordings or row["group"] == wordings[0]["group"]:
                wordings.append(row)
    chosen = list(found.values())[:: max(1, len(found) // _EXAMPLES)][:_EXAMPLES]
    return [wordings[7 * i % len(wordings)] for i, wordings in enumerate(chosen)]


def table_cell(text: str, limit: int = 200) -> str:
    """A text that cannot break a Markdown table: one line, no bars, no HTML."""
    line = " ".join(text.split())
    line = line if len(line) <= limit else line[: limit - 1] + "…"
    for mark, shown in (("\\", "\\\\"), ("|", "\\|"), ("<", "&lt;"), (">", "&gt;")):
        line = line.replace(mark, shown)
    return line
