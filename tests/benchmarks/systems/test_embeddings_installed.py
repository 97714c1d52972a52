"""sentence-transformers and LangChain's splitter themselves, where `scripts/peers embeddings` has installed them."""

import importlib
import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from embedding_models import WORDS, save_tokenizer
from lighthouses import make_release

from benchwright.benchmarks.grounding.recursive_chunking import recursive_spans
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.embedding.folder import open_folder
from benchwright.benchmarks.models.settings import read_settings
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system


def installed(module: str, package: str) -> Any:
    """A module; without it the test is skipped, and says which package it wants."""
    if os.environ.get("BENCHWRIGHT_REQUIRE_EMBEDDINGS"):
        return importlib.import_module(module)
    return pytest.importorskip(module, reason=f"{package} is not installed: scripts/peers embeddings")


def save_model(folder: Path) -> Any:
    """A random BERT of two layers, as sentence-transformers saves it. Returns it as it was before that."""
    library = installed("sentence_transformers", "sentence-transformers")
    transformers = importlib.import_module("transformers")
    torch = importlib.import_module("torch")
    torch.manual_seed(5)
    bare = folder / "bare"
    save_tokenizer(bare)
    special = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    fast = transformers.PreTrainedTokenizerFast(tokenizer_file=str(bare / "tokenizer.json"), **special)
    fast.save_pretrained(bare)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    config = transformers.BertConfig(vocab_size=len(WORDS), max_position_embeddings=64, **sizes)
    transformers.BertModel(config).eval().save_pretrained(bare)
    layers = importlib.import_module("sentence_transformers.models")
    words = layers.Transformer(str(bare), max_seq_length=64)
    pooling = layers.Pooling(words.get_word_embedding_dimension(), pooling_mode="mean")
    model = library.SentenceTransformer(
        modules=[words, pooling], prompts={"query": "query ", "document": ""}, device="cpu"
    )
    model.save(str(folder / "model"))
    return model


def test_a_saved_model_gives_the_librarys_vectors(tmp_path: Path) -> None:
    model = save_model(tmp_path)
    folder = tmp_path / "model"
    assert sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) < 2_000_000
    texts = ["Sable Point height", "rock", "the keeper of the rock"]
    opened = open_folder(folder)
    for is_question, prompt in ((False, ""), (True, "query ")):
        expected = model.encode(texts, prompt=prompt, normalize_embeddings=True)
        assert np.abs(opened.embed(texts, is_question=is_question) - expected).max() < 1e-5
    with Client(read_settings([f"embedder={folder}"], environment={}, cache=tmp_path / "cache")) as client:
        release = make_release(tmp_path / "releases")
        scored = score_system(release, "naive-rag", output=tmp_path / "runs", options=Options(k=2), client=client)
    assert (scored.folder.name, scored.counts.predictions, scored.counts.errors) == ("naive-rag-model", 10, 0)


def test_chunks_are_those_of_langchain() -> None:
    splitter = installed("langchain_text_splitters", "langchain-text-splitters").RecursiveCharacterTextSplitter
    draw = random.Random(3)
    parts = ["a", "bb", "ccc", " ", "  ", "\n", "\n\n", "\n\n\n", "\t", "é", ". "]
    for _ in range(1000):
        characters, overlap = draw.choice([(5, 0), (5, 3), (16, 4), (40, 10), (100, 3)])
        text = "".join(draw.choice(parts) for _ in range(draw.randrange(150)))
        expected = splitter(chunk_size=characters, chunk_overlap=overlap).split_text(text)
        assert [text[start:end] for start, end in recursive_spans(text, characters, overlap)] == expected
