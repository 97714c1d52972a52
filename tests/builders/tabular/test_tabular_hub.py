"""Datasets on a Hub as releases, over real HTTP: the commit is pinned, the licence is that of the card."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hub_cases import as_user, start_hub

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.builders.base import build_release
from benchwright.builders.rebuild import Given, rebuild
from benchwright.cards.dataset.card import render_card
from benchwright.scripts.servers.hub.server import Hub

CARD = "---\nlicense: cc-by-4.0\nlanguage: [de]\n---\n# qa\n"
BEIR = """---
configs:
- {config_name: corpus, data_files: corpus.jsonl}
- {config_name: queries, data_files: queries.jsonl}
- {config_name: default, data_files: [{split: test, path: qrels.jsonl}]}
---
"""
CARDS = {
    "qa": CARD,
    "beir": BEIR,
    "other": BEIR[: BEIR.index("- {config_name: default")] + "---\n",
    "other-qrels": "# qrels\n",
}
ROWS = {
    "qa/test.jsonl": [
        {
            "frage": f"Wer ist {n}?",
            "context": f"Ada {n} ist es.",
            "answers": {"text": [f"Ada {n}"], "answer_start": [0]},
        }
        for n in range(3)
    ],
    "beir/corpus.jsonl": [{"_id": f"d{n}", "title": "", "text": f"Text {n}."} for n in range(3)],
    "beir/queries.jsonl": [{"_id": f"q{n}", "text": f"Query {n}?"} for n in range(3)],
    "beir/qrels.jsonl": [{"query-id": "q1", "corpus-id": "d2", "score": 1}],
    "other/corpus.jsonl": [{"_id": "d1", "title": "", "text": "Text."}],
    "other/queries.jsonl": [{"_id": "q1", "text": "Query?"}],
    "other-qrels/test.jsonl": [{"query-id": "q1", "corpus-id": "d1", "score": 1}],
}


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with start_hub(tmp_path, monkeypatch) as hub:
        monkeypatch.setattr("datasets.config.HF_ENDPOINT", hub.url)
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", hub.url)
        template = hub.url + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr("huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr("huggingface_hub.file_download.HUGGINGFACE_CO_URL_TEMPLATE", template, raising=False)
        for name, card in CARDS.items():
            (tmp_path / name).mkdir()
            (tmp_path / name / "README.md").write_text(card, "utf-8")
        for name, rows in ROWS.items():
            (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        for name in CARDS:
            as_user(hub).create_repo(f"alice/{name}", repo_type="dataset", private=True)
            as_user(hub).upload_folder(repo_id=f"alice/{name}", repo_type="dataset", folder_path=tmp_path / name)
        yield hub


def build(folder: Path, name: str, **settings: str) -> Release:
    return build_release("tabular", settings, render_card, output=folder / "releases", name=name)[0]


def test_datasets_are_read_at_a_commit(hub: Hub, tmp_path: Path) -> None:
    release = build(tmp_path, "mine", source="hf:alice/qa@main", columns="question=frage")
    commit = as_user(hub).dataset_info("alice/qa").sha
    manifest = release.manifest
    assert (manifest.parameters["source"], manifest.parameters["split"]) == (f"hf:alice/qa@{commit}", "test")
    (source,) = manifest.sources
    assert (source["uri"], source["revision"], source["licence"]) == ("hf:alice/qa", commit, "cc-by-4.0")
    assert "license: cc-by-4.0\nlanguage:\n- de\n" in (release.folder / "README.md").read_text("utf-8")
    questions = list(load_questions(release, "test"))
    assert [(each.question, each.answers, len(each.evidence)) for each in questions] == [
        (f"Wer ist {n}?", (f"Ada {n}",), 1) for n in range(3)
    ]
    as_user(hub).upload_file(
        path_or_fileobj=b"{}", path_in_repo="test.jsonl", repo_id="alice/qa", repo_type="dataset"
    )  # what was read before is at its commit still
    found = verify_release(release)
    rebuild(release, found, Given({}, render_card))
    assert (found.problems, found.unchecked, found.proved["content hash, built again"]) == ([], {}, 1)

    beir = build(tmp_path, "beir", source="hf:alice/beir")
    assert [(each.id, each.documents) for each in load_questions(beir, "test")] == [("q1", ("d2",))]
    assert beir.manifest.rows["corpus"] == 3
    other = build(tmp_path, "other", source="hf:alice/other")
    assert [(each.id, each.documents) for each in load_questions(other, "test")] == [("q1", ("d1",))]
    assert [each["uri"] for each in other.manifest.sources] == ["hf:alice/other", "hf:alice/other-qrels"]
    assert "**Unknown.**" in (beir.folder / "README.md").read_text("utf-8")

    for settings, says in (
        ({"source": "hf:alice/none"}, "the dataset alice/none is not on the Hub, or you may not read it"),
        ({"source": "hf:alice/qa@v9"}, "the dataset alice/qa has no such revision: name a branch, a tag or a commit"),
        ({"source": f"hf:alice/qa@{commit}", "split": "dev"}, "has no split 'dev': there are test"),
        ({"source": f"hf:alice/qa@{commit}", "config": "de"}, "alice/qa has no config 'de': there are default"),
    ):
        with pytest.raises(BenchwrightError, match=says):
            build(tmp_path, "none", **settings)
