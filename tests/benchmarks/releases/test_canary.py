"""The canary stands in every Parquet file and in every file of templates, and changes no content."""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
from built import Built, company_release, copy_release
from datasets import load_dataset

from benchwright.benchmarks.releases.canary import canary_line, marked
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.sql.templates.files import load_templates


def lines(release: Release) -> set[str]:
    """What the footers of all Parquet files say."""
    found = [pq.read_metadata(path).metadata or {} for path in release.folder.rglob("*.parquet")]
    assert found
    return {(each.get(b"canary") or b"").decode() for each in found}


def test_in_every_file_of_a_build(built: Built) -> None:
    release = company_release(built)
    line = canary_line(release.manifest.canary)
    assert line == f"benchwright canary {release.manifest.canary}"
    assert lines(release) == {line}
    (path,) = (release.folder / "templates").glob("*.json")
    assert path.read_text(encoding="utf-8").startswith(f'{{\n "canary": "{line}",\n')
    assert all("canary" not in content for content in release.templates().values())
    assert load_templates(path).sql == load_templates(path.parent).sql
    assert release.content_hash() == release.manifest.content_hash
    assert marked(release) == {"parquet", "templates"}


def test_each_half_has_its_own(halves: tuple[Release, Release]) -> None:
    public, private = halves
    assert public.manifest.canary != private.manifest.canary
    for half in halves:
        assert lines(half) == {canary_line(half.manifest.canary)}
        assert marked(half) == {"parquet", "templates"}


def test_rows_are_as_without_it(built: Built, tmp_path: Path) -> None:
    release = company_release(built)
    loaded = load_dataset(str(release.folder), "questions", split="test", cache_dir=str(tmp_path))
    assert "canary" not in loaded.column_names
    assert len(loaded) == release.manifest.rows["questions"]


def test_a_file_without_it_is_noticed(built: Built, tmp_path: Path) -> None:
    release = copy_release(company_release(built), tmp_path)
    shard = release.shards("questions", "test")[0]
    pq.write_table(pq.read_table(shard).replace_schema_metadata(None), shard)
    assert marked(release) == {"templates"}
    (path,) = (release.folder / "templates").glob("*.json")
    path.write_text(json.dumps(release.templates()[path.name]), encoding="utf-8")
    assert marked(release) == frozenset()
    assert marked(replace(release, manifest=replace(release.manifest, canary=""))) == frozenset()
