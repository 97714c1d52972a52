"""Embedding models for tests: random, of two layers and a few kilobytes. They claim no quality."""

import json
from pathlib import Path
from typing import Any

import numpy as np

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "sable", "point", "gannet", "rock", "height", "metres", "query", "keeper")
SIZE = 16


def save_tokenizer(folder: Path) -> None:
    """A tokenizer of whole words, as the `tokenizers` library writes it."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))


def save_onnx(folder: Path, *, pooling: str | None = None, prompts: dict[str, str] | None = None) -> np.ndarray:
    """An ONNX model in a folder: a vector for each word, and a layer behind it. Returns what a word becomes, a row each."""
    from onnx import TensorProto, helper, numpy_helper, save

    numbers = np.random.RandomState(7)
    words = numbers.randn(len(WORDS), SIZE).astype(np.float32)
    layer = numbers.randn(SIZE, SIZE).astype(np.float32) / 4
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["words", "input_ids"], ["looked_up"]),
            helper.make_node("MatMul", ["looked_up", "layer"], ["summed"]),
            helper.make_node("Tanh", ["summed"], ["last_hidden_state"]),
        ],
        "words",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "length"]),
            helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "length"]),
        ],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "length", SIZE])],
        [numpy_helper.from_array(words, "words"), numpy_helper.from_array(layer, "layer")],
    )
    save_tokenizer(folder)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), folder / "model.onnx")
    if pooling:
        write(folder / "1_Pooling" / "config.json", {f"pooling_mode_{pooling}": True})
    if prompts:
        write(folder / "config_sentence_transformers.json", {"prompts": prompts})
    return np.tanh(words @ layer)


def write(file: Path, value: Any) -> None:
    """A JSON file, in a folder that is made."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value), encoding="utf-8")


def mean_of(words: np.ndarray, text: str) -> np.ndarray:
    """The vector of a text by that model and the mean."""
    places = [2, *(WORDS.index(word) if word in WORDS else 1 for word in text.lower().split()), 3]
    mean = words[places].mean(axis=0)
    return mean / np.linalg.norm(mean)
