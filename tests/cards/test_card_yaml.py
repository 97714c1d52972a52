"""The card's YAML: what `datasets` derives and loads, and what the Hub's validator accepts."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from built import Built
from card_cases import CASES, GOLDEN, LIGHTS, aurp_public, card_of, library, lights, make_lights
from datasets import Features, load_dataset
from datasets.exceptions import NonMatchingSplitsSizesError
from datasets.info import DatasetInfosDict
from huggingface_hub import DatasetCard

from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.schemas import CONFIGS, ConfigSchema
from benchwright.cards.dataset.front_matter import dataset_info, features, in_order
from benchwright.scripts.servers.hub.server import Hub


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.name)
def test_features_are_what_datasets_derives(config: ConfigSchema) -> None:
    schema = config.columns
    assert features(schema) == Features.from_arrow_schema(schema)._to_yaml_list()
    assert Features._from_yaml_list(features(schema)).arrow_schema.remove_metadata() == schema


def test_features_of_other_types() -> None:
    kinds = [pa.float64(), pa.float32(), pa.bool_(), pa.int64(), pa.list_(pa.list_(pa.struct([("a", pa.int8())])))]
    schema = pa.schema([(f"c{place}", kind) for place, kind in enumerate([*kinds, pa.struct([("x", pa.string())])])])
    assert features(schema) == Features.from_arrow_schema(schema)._to_yaml_list()
    with pytest.raises(ValueError, match="a card cannot name columns of the type"):
        features(pa.schema([("m", pa.map_(pa.string(), pa.string()))]))


def test_the_hubs_own_reader_reads_it(built: Built) -> None:
    card = card_of(library(built))
    data = DatasetCard(card).data.to_dict()
    assert data["license"] == "unknown"
    assert data["annotations_creators"] == data["language_creators"] == ["machine-generated"]
    assert (data["source_datasets"], data["task_ids"]) == (["original"], ["closed-domain-qa"])
    assert data["language"] == ["en"] and data["multilinguality"] == ["monolingual"]
    assert data["tags"][:3] == ["benchwright", "benchmark", "rag"]
    assert data["size_categories"] == ["1K<n<10K"]
    assert [config["config_name"] for config in data["configs"]] == ["questions", "corpus", "queries", "qrels"]
    assert [config.get("default") for config in data["configs"]] == [True, None, None, None]
    assert data["configs"][1]["data_files"] == [{"split": "corpus", "path": "corpus/corpus-*.parquet"}]
    assert yaml.safe_load(card.split("\n---\n")[0]) == data


@pytest.mark.parametrize("make", [lights, aurp_public], ids=lambda make: make.__name__)
def test_datasets_loads_every_config_and_split(make: Callable[[Built], Release], built: Built, tmp_path: Path) -> None:
    release = make(built)
    infos = DatasetInfosDict.from_directory(str(release.folder))
    assert set(infos) == set(release.manifest.splits)
    for config, splits in release.manifest.splits.items():
        for split, count in splits.items():
            loaded = load_dataset(str(release.folder), config, split=split, cache_dir=str(tmp_path / "cache"))
            assert loaded.features == infos[config].features
            assert (
                loaded.features.arrow_schema.remove_metadata()
                == pq.read_schema(release.shards(config, split)[0]).remove_metadata()
            )
            rows = [row for batch in release.batches(config, split) for row in batch.to_pylist()]
            told = infos[config].splits
            assert told is not None
            assert len(rows) == count == told[split].num_examples
            assert loaded.to_list() == rows


def test_sizes_are_those_of_the_files(built: Built) -> None:
    release = lights(built)
    for config in release.manifest.splits:
        info = dataset_info(release, config)
        files = sorted((release.folder / config).glob("*.parquet"))
        assert info["download_size"] == sum(path.stat().st_size for path in files) > 0
        assert info["dataset_size"] == sum(split["num_bytes"] for split in info["splits"]) > 0
        groups = [pq.ParquetFile(path).metadata.row_group(0) for path in files]
        assert info["dataset_size"] == sum(group.total_byte_size for group in groups)


def test_a_wrong_number_of_rows_is_noticed(tmp_path: Path) -> None:
    release = make_lights(tmp_path)
    path = release.folder / "README.md"
    path.write_text(card_of(release).replace("num_examples: 10", "num_examples: 11"), encoding="utf-8")
    with pytest.raises(NonMatchingSplitsSizesError):
        load_dataset(str(release.folder), "questions", cache_dir=str(tmp_path / "cache"))


def test_two_versions_of_one_name_are_not_taken_for_one_another(tmp_path: Path) -> None:
    """Only the descriptions of their configs differ: folder's name, columns, rows and sizes are the same."""
    import lighthouses

    from benchwright.cards.dataset.card import render_card

    found = []
    for place, taller in (("a", 0), ("b", 1)):
        release = lighthouses.make_release(tmp_path / place, taller=taller)
        (release.folder / "README.md").write_text(render_card(release.manifest, LIGHTS, release.folder))
        found.append(load_dataset(str(release.folder), "questions", split="test", cache_dir=str(tmp_path / "cache")))
    assert found[0][0]["answers"] == ["31 metres"]
    assert found[1][0]["answers"] == ["32 metres"]


def test_splits_without_answers_come_last() -> None:
    assert list(in_order({"heldout": 3, "dev": 1, "test": 2, "train": 4})) == ["test", "dev", "train", "heldout"]
    card = yaml.safe_load((GOLDEN / "card_of_aurp_public.md").read_text(encoding="utf-8").split("\n---\n")[0])
    assert [file["split"] for file in card["configs"][0]["data_files"]] == ["test", "dev", "heldout"]


ASK = """
import json, sys
from collections.abc import Callable
from pathlib import Path
from huggingface_hub import CommitOperationAdd, DatasetCard, HfApi
api, said = HfApi(), {}
for path in map(Path, sys.argv[1:]):
    text = path.read_text(encoding="utf-8")
    try:
        DatasetCard(text).validate(repo_type="dataset")
        api.create_repo(f"alice/{path.stem}", repo_type="dataset")
        files = [CommitOperationAdd("README.md", text.encode())]
        api.create_commit(f"alice/{path.stem}", files, commit_message="card", repo_type="dataset")
        said[path.stem] = api.dataset_info(f"alice/{path.stem}").tags
    except ValueError as error:
        said[path.stem] = str(error)
print(json.dumps(said))
"""


def test_the_validator_accepts_every_card(tmp_path: Path) -> None:
    """As huggingface_hub calls it: by itself, and before a commit with a README. A bad card shows that it is asked."""
    cards = [GOLDEN / f"card_of_{name}.md" for name in CASES]
    bad = tmp_path / "bad.md"
    bad.write_text(cards[0].read_text(encoding="utf-8").replace("license: unknown", "license: none-such"))
    with Hub(tmp_path / "hub") as hub:
        settings = {
            **os.environ, "HF_ENDPOINT": hub.url, "HF_TOKEN": "hf_alice", "HF_HUB_OFFLINE": "0",
            "HF_HUB_DISABLE_XET": "1", "HF_HOME": str(tmp_path / "home"),
        }  # fmt: skip
        command = [sys.executable, "-W", "error::UserWarning", "-c", ASK, *map(str, [*cards, bad])]
        done = subprocess.run(command, env=settings, capture_output=True, text=True, timeout=120, check=False)
        asked = [request.path for request in hub.requests]
        assert hub.errors == []
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    said = json.loads(done.stdout)
    assert "none-such" in said.pop("bad")
    assert set(said) == {path.stem for path in cards}
    assert all({"benchwright", "benchmark", "language:en", "region:us"} <= set(tags) for tags in said.values())
    assert asked.count("/api/validate-yaml") == 2 * len(cards) + 1
