"""The dataset card: a golden file, YAML that datasets and the Hub understand, and texts that cannot break it."""

from pathlib import Path

import pytest
import yaml
from huggingface_hub import DatasetCard
from support import ROOT

from benchwright.builders.base import build_release
from benchwright.cards.dataset import render_card, table_cell

GOLDEN = Path(__file__).with_name("golden") / "card_of_library.md"


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> str:
    settings = {"database": str(ROOT / "scripts" / "library")}
    release, _ = build_release("grammar", settings, render_card, output=tmp_path_factory.mktemp("r"), name="library")
    return (release.folder / "README.md").read_text(encoding="utf-8")


def test_the_card_of_the_quickstart(card: str) -> None:
    assert card == GOLDEN.read_text(encoding="utf-8"), f"if the change is meant, write the new card to {GOLDEN}"


def test_the_hubs_own_reader_reads_it(card: str) -> None:
    data = DatasetCard(card).data.to_dict()
    assert data["license"] == "other"
    assert data["size_categories"] == ["1K<n<10K"]
    assert [config["config_name"] for config in data["configs"]] == ["questions", "corpus", "queries", "qrels"]
    assert [config.get("default") for config in data["configs"]] == [True, None, None, None]
    assert data["configs"][1]["data_files"] == [{"split": "corpus", "path": "corpus/corpus-*.parquet"}]
    assert yaml.safe_load(card.split("---")[1]) == data


def test_cells_stay_cells() -> None:
    assert table_cell("a|b\n<script> \\ c") == "a\\|b &lt;script&gt; \\\\ c"
    assert table_cell("x" * 300) == "x" * 199 + "…"
